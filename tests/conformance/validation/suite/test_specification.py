"""The specification made from requirements: what is committed, that it says all, and that hostile text stays text."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tokenizer_adapters.contract import Encode, Encoded, Normalize, Text
from tokenizer_conformance.cli import main
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.validation.suite.examples import SHORT, _encoding, example_of
from tokenizer_conformance.validation.suite.reader import read_suite
from tokenizer_conformance.validation.suite.requirement import (
    Area,
    Case,
    FileRefused,
    FileWritten,
    Importance,
    Observed,
    Place,
    RaisesError,
    Requirement,
    Step,
    Suite,
    TextWritten,
    VocabularyShown,
)
from tokenizer_conformance.validation.suite.specification import (
    FOLDER,
    MARK,
    OVERVIEW,
    PARTS,
    areas_by_part,
    counts_of,
    pages_by_file,
    prose,
    suite_of,
    thread,
    whole_document,
    write_page,
)

REFERENCE = Path(__file__).parents[4] / "reference"
LONGEST_PAGE = 2500
HOSTILE = "\u0301a|b`<i>\u202e\n  c"


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return pages_by_file(read_suite())


def requirement(
    *cases: Case, id_: str = "AREA-RULE", rule: str = "It does something.", reason: str = ""
) -> Requirement:
    return Requirement(
        id=id_,
        title="A title",
        rule=rule,
        why="Ports do not.",
        links=(),
        features=frozenset(),
        importance=Importance.CORE,
        since=None,
        until=None,
        cases=cases,
        not_asked=reason,
    )


def case(*steps: Step, name: str = "1") -> Case:
    return Case(name=name, tokenizer="t1", steps=steps, releases=())


def area(*requirements: Requirement, stage: Place = Place.NORMALIZE) -> Area:
    tokenizers = {"t1": {"normalizer": {"type": "Replace", "content": HOSTILE}, "model": None}}
    return Area("normalizers.Replace", "Replace", stage, "What it is.", tokenizers, requirements)


def normalized(text: str, after: str) -> Observed:
    return Observed(Normalize(text), Text(after))


def cells_of(page: str) -> list[list[str]]:
    return [re.split(r"(?<!\\)\|", line)[1:-1] for line in page.splitlines() if line.startswith("| ")]


# What is committed ---------------------------------------------------------------------------------------------------


def test_the_committed_specification_is_what_the_command_writes(pages: dict[str, str]) -> None:
    differing = [name for name, page in pages.items() if (REFERENCE / name).read_text(encoding="utf-8") != page]
    assert differing == [], "run `tokconf suite spec --output reference` and commit what it writes"


def test_no_other_file_is_among_the_parts(pages: dict[str, str]) -> None:
    there = {path.relative_to(REFERENCE).as_posix() for path in (REFERENCE / FOLDER).iterdir()}
    assert there | {OVERVIEW} == set(pages)


def test_a_changed_rule_changes_one_page() -> None:
    some = read_suite().areas[::12]
    first, *others = some[0].requirements
    changed = replace(some[0], requirements=(replace(first, rule="Another rule."), *others))
    pages, after = (pages_by_file(Suite((area, *some[1:]))) for area in (some[0], changed))
    assert [name for name in pages if after[name] != pages[name]] == [f"{FOLDER}/normalizers.md"]


def test_pages_can_be_read(pages: dict[str, str]) -> None:
    assert [name for name, page in pages.items() if len(page.splitlines()) > LONGEST_PAGE] == []
    assert all(page.startswith(f"{MARK}\n") for page in pages.values())
    assert not any(re.search(r"[\x00-\x09\x0b-\x1f\u202a-\u202e]", page) for page in pages.values())


def test_every_table_has_cells_for_its_columns(pages: dict[str, str]) -> None:
    assert {len(cells) for cells in cells_of(pages[OVERVIEW])} == {8}
    assert {len(cells) for name, page in pages.items() if name != OVERVIEW for cells in cells_of(page)} == {3}


# Everything is said --------------------------------------------------------------------------------------------------


def test_every_requirement_is_said_once_with_its_links(pages: dict[str, str]) -> None:
    suite = read_suite()
    for part, areas in areas_by_part(suite).items():
        page = pages[f"{FOLDER}/{part.name}.md"]
        said = [found for found in re.findall(r'<a id="([^"]+)"></a>', page) if found != part.name]
        wanted = [requirement for area in areas for requirement in area.requirements]
        assert said == [requirement.id for requirement in wanted]
        for requirement in wanted:
            assert prose(requirement.rule) in page
            assert prose(requirement.not_asked) in page
            assert all(f"]({link})" in page for link in requirement.links)


def test_every_area_belongs_to_one_part() -> None:
    assert [area.name for area in read_suite().areas if sum(part.has(area) for part in PARTS) != 1] == []
    nowhere = replace(area(), name="nowhere")
    with pytest.raises(BadInputError, match="'nowhere'"):
        areas_by_part(Suite((nowhere,)))


def test_requirements_are_counted() -> None:
    quirk = replace(requirement(reason="It is random."), importance=Importance.QUIRK)
    counts = counts_of([area(requirement(case(normalized("a", "b")), case(normalized("b", "c")))), area(quirk)])
    assert (counts.requirements, counts.core, counts.edge, counts.quirk) == (2, 1, 0, 1)
    assert (counts.not_asked, counts.cases) == (1, 2)


def test_what_is_not_asked_is_said_with_the_reason() -> None:
    page = whole_document(Suite((area(requirement(reason="The answer is random.")),)), overview=False)
    assert "Not asked: The answer is random." in page
    assert cells_of(page) == []


def test_releases_are_said() -> None:
    dated = replace(requirement(case(normalized("a", "b"))), since="0.15.2", until="0.22.1")
    page = whole_document(Suite((area(dated),)), overview=False)
    assert "(`AREA-RULE`; core, since tokenizers 0.15.2, until tokenizers 0.22.1, 1 case.)" in page


# Examples ------------------------------------------------------------------------------------------------------------


def subjects(*cases: Case, stage: Place = Place.NORMALIZE) -> list[str]:
    example = example_of(area(stage=stage), requirement(*cases), ())
    assert example is not None
    return [step.subject for step in example.steps]


def test_a_case_that_changes_something_is_shown() -> None:
    assert subjects(case(normalized("a", "a")), case(normalized("b", "c"))) == ['`"b"`']
    assert subjects(case(normalized("a", "a"))) == ['`"a"`']


def test_the_first_short_case_is_shown_or_else_the_shortest() -> None:
    long, longer = (case(*(normalized(letter * width, "x" * width) for letter in "abc")) for width in (110, 115))
    short = case(normalized("aaaa", "b"))
    assert min(len("".join(subjects(each))) * 2 for each in (long, longer)) > SHORT
    assert subjects(longer, short, case(normalized("c", "d"))) == ['`"aaaa"`']
    assert subjects(longer, long) == subjects(long)


def test_steps_of_the_stage_are_shown_and_those_first_that_say_something() -> None:
    steps = (normalized("a", "a"), normalized("b", "c"), VocabularyShown({"a": 0}))
    assert subjects(case(*steps)) == ['`"b"`', '`"a"`']


def test_an_encoding_shows_what_is_not_as_always() -> None:
    encoded = Encoded((5, 6), ("a", "b"), ((0, 1), (1, 2)), (0, 1), (0, 1), (1, 1), (0, 0), (0, 0), (Encoded((7,)),))
    example = example_of(area(stage=Place.POST_PROCESS), requirement(case(Observed(Encode("ab"), encoded))), ())
    assert example is not None
    assert example.steps[0].expected == (
        'ids `5 6`<br>tokens `"a" "b"`<br>offsets `[0, 1] [1, 2]`<br>type\\_ids `0 1`<br>overflowing ids `[7]`'
    )


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (Observed(Normalize("a"), RaisesError()), "an error"),
        (FileRefused({"model": None}), "refused"),
        (FileWritten({"model": {"type": "BPE"}}), 'model `{"type": "BPE"}`'),
        (TextWritten('{"a|b":1}'), '`{"a\\|b":1}`'),
        (VocabularyShown({"a|b": 0}), '`{"a\\|b": 0}`'),
    ],
)
def test_every_sort_of_step_is_shown(step: Step, expected: str) -> None:
    example = example_of(area(stage=step.place), requirement(case(step)), ())
    assert example is not None
    assert example.steps[0].expected == expected


# Hostile text --------------------------------------------------------------------------------------------------------


def test_hostile_text_stays_in_its_cell() -> None:
    page = whole_document(Suite((area(requirement(case(normalized(HOSTILE, "b")), rule=HOSTILE)),)), overview=False)
    assert "\u202e" not in page
    assert {len(cells) for cells in cells_of(page)} == {3}
    assert '``"\\u0301a\\|b`<i>\\u202e\\n \\x20c"``' in page
    assert "a\\|b\\`\\<i\\>" in page


def test_code_in_a_rule_is_code() -> None:
    assert prose("of `a_b`, `c|d` and *e*") == "of `a_b`, `c|d` and \\*e\\*"


def test_a_link_to_another_page_is_its_address() -> None:
    assert thread("https://example.org/a(b)") == "[example.org/a(b)](https://example.org/a%28b%29)"


# The command ---------------------------------------------------------------------------------------------------------


def test_areas_are_chosen_by_name() -> None:
    suite = Suite((area(), replace(area(), name="models.BPE")))
    assert [each.name for each in suite_of(suite, ["models.BPE"]).areas] == ["models.BPE"]
    assert suite_of(suite, []) == suite
    with pytest.raises(BadInputError, match=r"'models\.Other'"):
        suite_of(suite, ["models.Other"])


@pytest.mark.long
def test_the_command_prints_and_writes(tmp_path: Path, pages: dict[str, str]) -> None:
    written = CliRunner().invoke(main, ["suite", "spec", "--output", str(tmp_path)])
    assert (written.exit_code, written.output) == (0, "")
    assert {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.md")} == set(pages)
    whole = tmp_path / "whole.md"
    assert CliRunner().invoke(main, ["suite", "spec", "--output", str(whole)]).exit_code == 0
    text = whole.read_text(encoding="utf-8")
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= {part.name for part in PARTS} | {"how-to-read-a-page"}


def test_the_command_prints_one_area() -> None:
    printed = CliRunner().invoke(main, ["suite", "spec", "--area", "normalizers.Strip"])
    assert printed.exit_code == 0
    assert "## Strip\n" in printed.output
    assert "## StripAccents\n" not in printed.output
    assert "How to read" not in printed.output


def test_what_is_wrong_with_the_command_is_said() -> None:
    refused = CliRunner().invoke(main, ["suite", "spec", "--area", "nowhere"])
    assert refused.exit_code == 2
    assert "no area is called 'nowhere'" in refused.output


def test_another_file_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "README.md"
    write_page(file, f"{MARK}\nold\n")
    write_page(file, f"{MARK}\nnew\n")
    assert file.read_text(encoding="utf-8") == f"{MARK}\nnew\n"
    file.write_text("by hand", encoding="utf-8")
    with pytest.raises(BadInputError, match="not overwritten"):
        write_page(file, "new")
    with pytest.raises(BadInputError, match="cannot write"):
        write_page(file / "below.md", "new")


def test_columns_of_an_encoding_are_shown_where_they_say_anything() -> None:
    usual = Encoded(
        (1, 2),
        type_ids=(0, 0),
        attention_mask=(1, 1),
        special_tokens_mask=(0, 0),
        sequence_ids=(0, 0),
        word_ids=(0, 1),
    )
    assert list(map(str, _encoding(usual))) == ["ids `1 2`"]
    changes: dict[str, Any] = {
        "tokens": ("a", "b"),
        "offsets": ((0, 1), (1, 2)),
        "word_ids": (0, None),
        "type_ids": (1, 1),
        "attention_mask": (0, 1),
        "special_tokens_mask": (0, 1),
        "sequence_ids": (0, None),
        "overflowing": (Encoded((3, 4)), Encoded((5,))),
    }
    shown = [
        'tokens `"a" "b"`',
        "offsets `[0, 1] [1, 2]`",
        "word\\_ids `0 none`",
        "type\\_ids `1 1`",
        "attention\\_mask `0 1`",
        "special\\_tokens\\_mask `0 1`",
        "sequence\\_ids `0 none`",
        "overflowing ids `[3, 4] [5]`",
    ]
    assert list(map(str, _encoding(replace(usual, **changes)))) == ["ids `1 2`", *shown]
    for (name, value), line in zip(changes.items(), shown, strict=True):
        assert list(map(str, _encoding(replace(usual, **{name: value})))) == ["ids `1 2`", line]
    assert list(map(str, _encoding(Encoded(())))) == ["no tokens"]
