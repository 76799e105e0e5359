"""Parts of a search with random tokenizers, merged, are the whole search: findings, order and examples."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from line_schema import validator_of

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.recorded_lines import RecordedLines, read_lines
from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.results.records import fuzz as lines
from tokenizer_conformance.results.records.fuzz import FORMAT
from tokenizer_conformance.results.records.headers import Known
from tokenizer_conformance.results.records.schema import schema_of
from tokenizer_conformance.validation.search import merging, random_search
from tokenizer_conformance.validation.search.events import FuzzFinished, Started
from tokenizer_conformance.validation.search.merging import fuzz_of, joined, merged_search

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Tokconf

GIVEN = ("fuzz", "--seed", 3, "--tokenizers", 8, "--texts", 1, "--no-known", "-i", "wrong-type", "sound")
OF_ITS_OWN = {"seconds", "started", "command", "environment", "merged", "shard", "lines", "sha256"}


def lines_in(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a record without what tells when, by which command, and of which part it is."""
    return [
        {name: value for name, value in json.loads(line).items() if name not in OF_ITS_OWN}
        for line in path.read_text().splitlines()
    ]


def part(cli: Tokconf, number: int, of: int) -> str:
    name = f"{number}.jsonl"
    cli(*GIVEN, "--baseline", "keeps-accent", "--shard", f"{number}/{of}", "--json", name)
    return name


@pytest.mark.long
def test_parts_come_to_what_the_whole_does(cli: Tokconf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (random_search, merging):
        monkeypatch.setattr(module, "MOST_REDUCED", 1)
    whole = cli(*GIVEN, "--baseline", "keeps-accent", "--json", "whole.jsonl")
    parts = [part(cli, number, 3) for number in (1, 2, 3)]
    merged = cli("merge", *reversed(parts), "-o", "merged.jsonl")
    found = lines_in(tmp_path / "merged.jsonl")
    assert (merged.exit_code, found) == (whole.exit_code, lines_in(tmp_path / "whole.jsonl"))
    findings = [line for line in found if line["type"] == "finding"]
    assert {line["is_reduced"] for line in findings} == {True, False}
    in_parts = [line for name in parts for line in lines_in(tmp_path / name) if line["type"] == "finding"]
    assert all(line["is_reduced"] for line in in_parts)  # a part cannot know which kinds the whole has most of
    assert "merged    3 parts of 3" in merged.stdout
    validator = validator_of(schema_of(FORMAT))
    for line in (tmp_path / "merged.jsonl").read_text().splitlines():
        validator.validate(json.loads(line))


@pytest.mark.long
def test_a_part_that_was_killed_is_named_and_what_it_found_is_there(cli: Tokconf, tmp_path: Path) -> None:
    parts = [part(cli, number, 2) for number in (1, 2)]
    written = (tmp_path / "2.jsonl").read_text().splitlines(keepends=True)
    kept = next(number for number, line in enumerate(written) if '"type": "result"' in line)
    (tmp_path / "2.jsonl").write_text("".join(written[:kept]))
    told = sum('"type": "difference"' in line for line in written[:kept])
    assert told
    merged = cli("merge", *parts, "-o", "merged.jsonl")
    assert (merged.exit_code, "part 2 of 2, '2.jsonl', is not whole: its run was killed" in merged.stderr) == (3, True)
    ends = {line["type"]: line for line in lines_in(tmp_path / "merged.jsonl") if line.get("complete") is not True}
    assert (ends["result"]["complete"], ends["footer"]["conclusion"]) == (False, "parts are missing")
    whole = [line for line in lines_in(tmp_path / "1.jsonl") if line["type"] == "difference"]
    assert ends["footer"]["differences"] == len(whole) + told
    assert cli("merge", *parts, "--partial").exit_code == 1


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (("--seed", 6), "--seed: 5 there, 6 here"),
        (("--texts", 3), "--texts: 2 there, 3 here"),
        (("--tokenizers", 13), "--tokenizers: 12 there, 13 here"),
    ],
)
def test_parts_of_another_search_are_refused(cli: Tokconf, changed: tuple[str, int], said: str) -> None:
    given = ("fuzz", "--seed", 5, "--tokenizers", 12, "--texts", 2, "-i", "reference", "--shard")
    cli(*given, "1/12", "--json", "1.jsonl")
    cli(*given, "2/12", *changed, "--json", "2.jsonl")
    refused = cli("merge", "1.jsonl", "2.jsonl")
    assert refused.exit_code == 2
    assert said in refused.stderr


def test_what_makes_no_parts_is_refused(cli: Tokconf) -> None:
    assert "--shard needs the --seed that all parts have" in cli("fuzz", "--shard", "1/2").stderr
    assert "--shard is about random tokenizers" in cli("fuzz", "gpt2-mini", "--shard", "1/2", "--seed", 1).stderr


# Sums ----------------------------------------------------------------------------------------------------------------


def result(factor: int, **given: Any) -> lines.Result:
    """Return the result of a part, with so many of all that is counted."""
    counts = {name: factor * place for place, name in enumerate(("tokenizers", "cases", "values", "ambiguous"), 1)}
    more = {"given_up": 5 * factor, "unstable": 6 * factor, "seconds": 7.0 * factor, "differences": 0}
    nothing = {"implementation": "a", "complete": True, "answers": {}, "no_value": ()}
    return lines.Result(**{**nothing, **counts, **more, **given})


def test_the_results_of_parts_are_added() -> None:
    whole = joined("a", [result(1), result(2), result(4)], 3, complete=True)
    assert whole == result(7, differences=3)


@pytest.mark.parametrize(
    ("complete", "parts", "whole"),
    [(True, (True, True), True), (True, (True, False), False), (True, (False, True), False), (False, (True,), False)],
)
def test_a_search_is_complete_where_all_its_parts_are(complete: bool, parts: tuple[bool, ...], whole: bool) -> None:
    assert joined("a", [result(1, complete=each) for each in parts], 0, complete=complete).complete is whole


def known(entry: int, count: int, ledger: str = "a.toml") -> Known:
    return Known(ledger=ledger, entry=entry, reason="it is so", link=None, count=count)


def no_value(where: str, count: int, baseline: str = "ValueError") -> lines.NoValue:
    return lines.NoValue(where=where, baseline=baseline, implementation="TypeError", count=count)


def test_what_is_counted_by_kind_is_added_by_kind() -> None:
    parts = [
        result(1, answers={Stage.MODEL: {Verdict.AGREE: 1}}, known=(known(1, 1),), no_value=(no_value("model", 1),)),
        result(
            1,
            answers={Stage.MODEL: {Verdict.AGREE: 2, Verdict.DIFFER: 1}, Stage.DECODE: {Verdict.AGREE: 5}},
            known=(known(2, 7), known(1, 3), known(1, 9, "b.toml")),
            no_value=(no_value("load", 3), no_value("model", 2)),
        ),
        result(
            1,
            answers={Stage.MODEL: {Verdict.AGREE: 4}},
            known=(known(1, 4),),
            no_value=(no_value("model", 4), no_value("model", 9, "OSError")),
        ),
    ]
    whole = joined("a", parts, 0, complete=True)
    assert whole.answers == {Stage.MODEL: {Verdict.AGREE: 7, Verdict.DIFFER: 1}, Stage.DECODE: {Verdict.AGREE: 5}}
    assert list(whole.answers) == sorted(whole.answers)
    assert whole.known == (known(1, 8), known(2, 7), known(1, 9, "b.toml"))
    assert whole.no_value == (no_value("load", 3), no_value("model", 9, "OSError"), no_value("model", 7))


Records = list[RecordedLines]


@pytest.fixture
def two_parts(recorded: Callable[[str], Path]) -> Records:
    """The record of a small search, twice: as if two parts had found the same."""
    read = read_lines(recorded("fuzz"))
    return [
        RecordedLines(read.path, ({**read.header, "shard": {"part": part, "of": 2}}, *read.lines[1:]), None, "")
        for part in (1, 2)
    ]


def told(parts: Records, *, partial: bool = False) -> list[Any]:
    return list(merged_search([fuzz_of(part) for part in parts], partial=partial))


def test_the_end_has_the_sums_of_all_parts(two_parts: Records) -> None:
    end = told(two_parts)[-1]
    assert isinstance(end, FuzzFinished)
    footer = two_parts[0].footer
    assert footer
    counts = ("tokenizers", "cases", "values", "differences", "known", "seconds")
    assert footer["differences"]
    assert {name: getattr(end, name) for name in counts} == {name: pytest.approx(2 * footer[name]) for name in counts}
    assert (end.conclusion, end.finished) == (Conclusion.DIFFERENCES, True)


def test_one_that_is_missing_in_all_parts_is_told_once_and_fails(two_parts: Records) -> None:
    line = {"type": "implementation_missing", "name": "absent", "reason": "it is not there"}
    parts = [RecordedLines(each.path, (each.header, line, *each.lines[1:]), None, "") for each in two_parts]
    for given in (parts, [two_parts[0], parts[1]], [parts[0], two_parts[1]]):
        events = told(given)
        assert [event.refusal.name for event in events if isinstance(event, ImplementationMissing)] == ["absent"]
        assert events[-1].conclusion is Conclusion.IMPLEMENTATION_FAILED


def test_the_plan_is_that_of_a_part_where_one_is_missing(two_parts: Records) -> None:
    started = [told(parts, partial=True)[0] for parts in (two_parts, two_parts[:1])]
    assert [isinstance(each, Started) and each.plan.shard is None for each in started] == [True, False]
    of_three = [
        RecordedLines(each.path, (each.header | {"shard": {"part": part, "of": 3}}, *each.lines[1:]), None, "")
        for part, each in zip((2, 3), two_parts, strict=True)
    ]
    assert told(of_three, partial=True)[0].plan.shard == Shard(2, 3)


def test_a_part_that_found_nothing_before_it_was_killed_says_nothing(two_parts: Records) -> None:
    killed = [RecordedLines(each.path, (each.header,), "line 1", "") for each in two_parts]
    events = told(killed, partial=True)
    assert not [event for event in events if isinstance(event, lines.Result)]
    assert (events[-1].conclusion, events[-1].finished) == (Conclusion.CONFORM, False)


@pytest.mark.parametrize("is_reduced", [True, False])
def test_a_case_is_small_where_a_part_has_made_it_so(two_parts: Records, is_reduced: bool) -> None:
    def line_of(line: dict[str, Any]) -> dict[str, Any]:
        return line | {"is_reduced": is_reduced} if line["type"] == "finding" else line

    parts = [RecordedLines(each.path, tuple(map(line_of, each.lines)), None, "") for each in two_parts]
    found = [event for event in told(parts) if isinstance(event, lines.Finding)]
    assert found
    assert {each.is_reduced for each in found} == {is_reduced}


@pytest.mark.parametrize("name", ["a", "zz"])
def test_cases_that_another_one_has_small_are_not_taken(two_parts: Records, name: str) -> None:
    def lines_of(line: dict[str, Any]) -> list[dict[str, Any]]:
        return [line | {"is_reduced": False}, line | {"implementation": name}] if line["type"] == "finding" else [line]

    parts = [
        RecordedLines(each.path, tuple(one for line in each.lines for one in lines_of(line)), None, "")
        for each in two_parts
    ]
    assert {each.is_reduced for each in told(parts) if isinstance(each, lines.Finding)} == {False}


@pytest.mark.parametrize("most", [0, 1])
def test_so_many_cases_are_small_as_in_a_whole_search(
    two_parts: Records, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(merging, "MOST_REDUCED", most)
    (found,) = (event for event in told(two_parts) if isinstance(event, lines.Finding))
    assert found.is_reduced is bool(most)


BROKEN = {"conclusion": "internal error", "finished": False}
STOPPED = {"finished": False, "conclusion": "too little was answered"}


def ended(part: RecordedLines, **end: Any) -> RecordedLines:
    """Return a part that has ended otherwise."""
    return RecordedLines(part.path, (*part.lines[:-1], {**part.lines[-1], **end}), None, "")


@pytest.mark.parametrize("number", [0, 1])
def test_how_one_part_ended_is_not_lost(two_parts: Records, number: int) -> None:
    whole = two_parts[number]
    for end, conclusion in ((BROKEN, Conclusion.INTERNAL_ERROR), (STOPPED, Conclusion.DIFFERENCES)):
        two_parts[number] = ended(whole, **end)
        last = told(two_parts)[-1]
        assert (last.conclusion, last.finished) == (conclusion, False)
        assert told([two_parts[number]], partial=True)[-1].conclusion is conclusion
    last = told([whole])[-1]
    assert (last.conclusion, last.finished) == (Conclusion.INCOMPLETE, False)


def test_what_all_parts_have_in_common_is_as_the_first_says_it(
    two_parts: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["tokconf", "merge", "1.jsonl"])
    first, second = two_parts
    header = second.header | {"seed": 99, "baseline": second.header["implementations"][0], "implementations": []}
    started = told([first, RecordedLines(second.path, (header, *second.lines[1:]), None, "")])[0]
    assert isinstance(started, Started)
    plan = started.plan
    assert plan.seed == first.header["seed"] != 99
    assert plan.baseline_info.name == first.header["baseline"]["name"]
    assert [each.name for each in plan.implementations] == [each["name"] for each in first.header["implementations"]]
    assert started.environment.command == plan.command == ("tokconf", "merge", "1.jsonl")
    assert [each.shard.part for each in started.merged] == [1, 2]


@pytest.mark.parametrize("name", ["a", "zz"])
def test_each_of_which_anything_is_said_has_a_result(two_parts: Records, name: str) -> None:
    def parts_with(*more: dict[str, Any]) -> Records:
        headers = [each.header | {"implementations": infos} for each in two_parts]
        return [
            RecordedLines(each.path, (header, *more, *each.lines[1:]), None, "")
            for header, each in zip(headers, two_parts, strict=True)
        ]

    infos = two_parts[0].header["implementations"]
    whole = [event for event in told(two_parts) if isinstance(event, lines.Result)]
    assert [each.implementation for each in whole] == [each["name"] for each in infos]
    assert all(each.differences for each in whole)
    infos = [infos[0] | {"name": name}, *infos]
    assert [event for event in told(parts_with()) if isinstance(event, lines.Result)] == whole
    line = next(line for line in two_parts[0].lines if line["type"] == "result")
    other, *others = (
        event
        for event in told(parts_with(line | {"implementation": name, "cases": 7}))
        if isinstance(event, lines.Result)
    )
    assert (other.implementation, other.cases, other.differences, others) == (name, 14, 0, whole)


def test_a_line_of_another_form_is_named(two_parts: Records) -> None:
    first = two_parts[0]
    with pytest.raises(BadInputError, match="line 2 "):
        fuzz_of(RecordedLines(first.path, (first.header, {"type": "result"}), None, ""))
    broken = fuzz_of(RecordedLines(first.path, (first.header, {"type": "difference", "implementation": "a"}), None, ""))
    assert not list(broken.differences("b"))
    with pytest.raises(BadInputError, match="line 2 "):
        list(broken.differences("a"))
