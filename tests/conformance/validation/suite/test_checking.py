"""The checks of the suite see what is wrong with one, each kind planted; its files are as the schema says."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from in_one_test import in_one_test
from small_suites import (
    EVERY_STEP,
    TOY_DOCUMENT,
    TOY_FILES,
    area,
    case,
    files_of,
    register_of,
    requirement,
    step,
    toy_step,
)

from tokenizer_adapters.contract import Encode, Normalize
from tokenizer_conformance.validation.suite.checking import (
    CHECKS,
    Checked,
    Problem,
    check_suite,
    covered,
    telling,
    well_formed,
)
from tokenizer_conformance.validation.suite.coverage import Cell, coverage, wanted_cells
from tokenizer_conformance.validation.suite.null_implementations import NULL_IMPLEMENTATIONS
from tokenizer_conformance.validation.suite.reader import (
    Register,
    form_of,
    read_files,
    read_register,
    read_suite,
    schema,
    suite_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Json = dict[str, Any]

FORM_CHECKS = tuple(check for check in CHECKS if check not in (covered, telling))


def checked(*areas: Json, register: Register | None = None) -> Checked:
    files = files_of(*areas)
    suite = suite_of(files)
    return Checked(suite, register or register_of(suite), files)


def problems_of(found: Checked) -> list[Problem]:
    return [problem for check in FORM_CHECKS for problem in check(found)]


GOOD = case(toy_step(Normalize("aB")))


def test_a_suite_in_order_has_no_problem() -> None:
    assert problems_of(checked(*TOY_FILES.values())) == []
    assert list(telling(checked(*TOY_FILES.values()))) == []


@pytest.mark.parametrize(
    ("requirements", "said"),
    [
        ([], "has no requirement"),
        ([requirement("R", GOOD), requirement("R", GOOD, title="Another")], "2 requirements have this id"),
        ([requirement("r-1", GOOD)], "an id has capital letters"),
        ([requirement("R--1", GOOD)], "an id has capital letters"),
        ([requirement("R", GOOD, GOOD)], "2 cases have this name"),
        ([requirement("R", GOOD, title="")], "a title has"),
        ([requirement("R", GOOD, title="Ends.")], "a title has"),
        ([requirement("R", GOOD, title="x" * 101)], "a title has"),
        ([requirement("R", GOOD, title="T"), requirement("S", GOOD, title="T")], "2 requirements have the title 'T'"),
        ([requirement("R", GOOD, rule="No end")], "the rule is one paragraph"),
        ([requirement("R", GOOD, why="Two\nlines.")], "the why is one paragraph"),
        ([requirement("R", GOOD, rule="x" * 700 + ".")], "the rule is one paragraph"),
        ([requirement("R", GOOD, rule="It should work.")], "the rule says 'should'"),
        ([requirement("R")], "either cases, or a reason"),
        ([requirement("R", GOOD, not_asked="No way.")], "either cases, or a reason"),
        ([requirement("R", {**GOOD, "tokenizer": "t9"})], "names the tokenizer 't9'"),
        (
            [requirement("R", case({"ask": "load", "tokenizer": {}, "expected": {"refused": True}}))],
            "asks nothing that a working tokenizer answers",
        ),
    ],
)
def test_each_kind_of_problem_is_seen(requirements: list[Json], said: str) -> None:
    assert any(said in problem.what for problem in problems_of(checked(area(*requirements))))


def test_a_tokenizer_that_nobody_uses_is_seen() -> None:
    with_more = area(requirement("R", GOOD))
    with_more["tokenizers"]["t2"] = TOY_DOCUMENT
    assert problems_of(checked(with_more)) == [Problem("normalizers.Toy", "no case uses the tokenizer 't2'")]


def test_ids_are_for_ever() -> None:
    found = checked(area(requirement("R", GOOD)), register=Register(("OLD", "RETIRED"), {"RETIRED": "It was wrong."}))
    assert [problem.place for problem in problems_of(found)] == ["OLD", "R"]


def test_what_passes_for_an_implementation_that_does_nothing_right_is_seen() -> None:
    empty = requirement("EMPTY", case(step(Normalize(""), {"text": ""})))
    same = requirement("SAME", case(toy_step(Normalize("abc"))))
    error = requirement("ERROR", case(step(Normalize("a"), {"error": True})))
    found = telling(checked(area(empty, same, error, requirement("GOOD", GOOD))))
    assert {problem.place for problem in found} == {"EMPTY/1", "SAME/1", "ERROR/1"}


def test_null_implementations_answer_every_question() -> None:
    for implementation in NULL_IMPLEMENTATIONS[:3]:
        subject = implementation._subject
        answers = [subject.observe(each.observation) for each in EVERY_STEP if hasattr(each, "observation")]
        assert all(answer is not None for answer in answers)


# Coverage ------------------------------------------------------------------------------------------------------------


def test_every_cell_that_no_case_fills_is_said() -> None:
    document = {"normalizer": {"type": "Lowercase"}, "truncation": None, "model": {"type": "BPE", "fuse_unk": True}}
    found = area(requirement("R", case(toy_step(Normalize("aB")), toy_step(Encode("a", "b")))))
    found["tokenizers"]["t1"] = document
    suite = suite_of(files_of(found))
    filled = {cell for cell, count in coverage(suite).items() if count}
    assert {
        Cell("normalizers.Lowercase"),
        Cell("models.BPE", "fuse_unk", "true"),
        Cell("questions", "feature", "pair"),
    } <= filled
    problems = list(covered(checked(found)))
    missing = [cell for cell in wanted_cells() if cell not in filled]
    assert len(problems) == len(missing) > 100
    assert Problem("models.BPE", "no case has fuse_unk = false") in problems
    assert Problem("normalizers.NFC", "no case has the component") in problems
    assert not any(problem.place == "normalizers.Lowercase" for problem in problems)


# The schema ----------------------------------------------------------------------------------------------------------


def described(node: Any, path: str = "$") -> list[str]:
    """The paths of the properties in a schema that nothing describes."""
    if isinstance(node, list):
        return [place for index, each in enumerate(node) for place in described(each, f"{path}[{index}]")]
    if not isinstance(node, dict):
        return []
    conditions = [name for name in node if name not in ("if", "not", "allOf", "oneOf")]
    bare = [
        f"{path}.{name}"
        for name, each in node.get("properties", {}).items()
        if isinstance(each, dict) and "description" not in each and "const" not in each
    ]
    return bare + [place for name in conditions for place in described(node[name], f"{path}.{name}")]


def test_the_schema_is_one_and_describes_every_field() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    own = {name: node for name, node in schema()["$defs"].items() if name in OWN}
    assert len(own) == len(OWN)
    assert described(own) == []


OWN = ("area", "requirement", "case", "line", "index", "encoding", "new_token", "step_encode", "step_after", "error")


Files = dict[str, Json]


def brief(files: Files) -> Files:
    """Return ``files`` with the first case of each requirement, and that with its first step."""
    return {name: {**file, "requirements": [*map(_brief, file["requirements"])]} for name, file in files.items()}


def _brief(requirement: Json) -> Json:
    return {**requirement, "cases": [{**case, "steps": case["steps"][:1]} for case in requirement["cases"][:1]]}


def form(value: Any, name: str = "") -> object:
    """Return what the schema sees of a ``value`` that a member ``name`` has: members, kinds, and lists of alike."""
    match value:
        case dict():
            return tuple((name, form(each, name)) for name, each in sorted(value.items()))
        case list():
            return min(len(value), 3), frozenset(map(form, value))
        case str():
            return value if name == "ask" else ""
        case int() if not isinstance(value, bool):
            return value < 0
    return value


def every_form(files: Files) -> Files:
    """Return ``files`` with the cases that have a step of a new form, and with these steps."""
    first: dict[object, Json] = {}

    def cases_of(requirement: Json) -> Iterator[Json]:
        for each in requirement["cases"]:
            steps = [step for step in each["steps"] if first.setdefault(form(step), step) is step]
            if steps:
                yield {**each, "steps": steps}

    return {
        name: {**file, "requirements": [{**each, "cases": [*cases_of(each)]} for each in file["requirements"]]}
        for name, file in files.items()
    }


@pytest.mark.parametrize("part", [brief, pytest.param(every_form, marks=pytest.mark.long)])
def test_the_files_of_the_suite_are_in_the_form_of_the_schema(part: Callable[[Files], Files]) -> None:
    validator = jsonschema.Draft202012Validator(schema())
    checked = ((name, error) for name, file in part(read_files()).items() for error in validator.iter_errors(file))
    assert [f"{name} {error.json_path}" for name, error in checked] == []


@pytest.mark.long
@pytest.mark.parametrize("check", [check for check in CHECKS if check is not well_formed])
def test_the_suite_passes_its_checks(check: Callable[[Checked], Iterator[Problem]]) -> None:
    assert list(check(Checked(read_suite(), read_register(), {}))) == []


def test_every_form_of_a_step_is_in_the_form_of_the_schema() -> None:
    found = area(requirement("R", case(*map(form_of, EVERY_STEP))))
    assert list(well_formed(Checked(suite_of({"a": found}), Register((), {}), {"a": found}))) == []


def in_first_case(**changes: Any) -> Callable[[Json], None]:
    return lambda file: file["requirements"][0]["cases"][0].update(changes)


def in_first_step(**changes: Any) -> Callable[[Json], None]:
    return lambda file: file["requirements"][0]["cases"][0]["steps"][0].update(changes)


@in_one_test(
    "spoil",
    [
        lambda file: file.update(more=1),
        lambda file: file.update(format=2),
        lambda file: file.update(stage="guess"),
        lambda file: file.pop("about"),
        lambda file: file["requirements"][0].update(importance="high"),
        lambda file: file["requirements"][0].update(features=["telepathy"]),
        lambda file: file["requirements"][0].update(links=["http://example.org"]),
        lambda file: file["requirements"][0].update(since=1),
        lambda file: file["requirements"][0].pop("why"),
        in_first_case(steps=[]),
        in_first_case(releases=[]),
        in_first_case(more=1),
        in_first_step(ask="guess"),
        in_first_step(more=1),
        in_first_step(text=1),
        in_first_step(expected={"ids": []}),
        in_first_step(expected={"error": False}),
        in_first_step(expected={"text": "a", "error": True}),
    ],
)
def test_the_schema_is_strict(spoil: Callable[[Json], None]) -> None:
    file = copy.deepcopy(TOY_FILES["normalizers.Toy.json"])
    spoil(file)
    problems = list(well_formed(Checked(suite_of(TOY_FILES), Register((), {}), {"toy.json": file})))
    assert problems
    assert all(problem.place.startswith("toy.json $") for problem in problems)


@pytest.mark.parametrize(
    "spoil",
    [
        {"text": "a", "words": ["a"]},
        {"text": None},
        {"pair": "b", "pair_words": ["b"]},
        {"add_special_tokens": 1},
        {"expected": {"ids": [1]}},
    ],
)
def test_the_schema_is_strict_about_encodings(spoil: Json) -> None:
    asked = {**toy_step(Encode("a")), **spoil}
    validator = jsonschema.Draft202012Validator({"$ref": "#/$defs/step", "$defs": schema()["$defs"]})
    assert validator.is_valid(toy_step(Encode("a")))
    assert not validator.is_valid(asked)


def test_check_suite_makes_every_check() -> None:
    found = list(check_suite(checked(area())))
    assert Problem("suite", "has no requirement") in found
    assert any(problem.what.startswith("no case has") for problem in found)
    assert any(problem.place.endswith("$.requirements") for problem in found)
