"""Records of fuzzing and of searches compared: what is new and fixed only where the same was asked."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from altered_records import written
from click.testing import CliRunner
from record_pairs import MIRRORED, Compared, called

from tokenizer_conformance.cli import main
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.comparison.differences import Party
from tokenizer_conformance.releases.diff.records.changes import Change
from tokenizer_conformance.results.records import fuzz, headers, search
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.making import header_of, implementation_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Fuzzed = Callable[..., Path]

RANDOM = ("--tokenizers", "4", "--texts", "3", "--seed", "1")
SEARCH = ("bert-mini", "--cases", "12", "--seed", "1")


@pytest.fixture
def fuzzed(plugin: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Fuzzed:
    """A function that writes the record of ``tokconf fuzz`` on a planted fault."""
    monkeypatch.syspath_prepend(str(plugin))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")
    numbers = iter(range(100))

    def write(fault: str, *options: str) -> Path:
        path = tmp_path / f"fuzz-{next(numbers)}.jsonl"
        arguments = ["fuzz", *options, "-i", fault, "--baseline", "tokenizers", "--json", str(path)]
        monkeypatch.setattr(sys, "argv", ["tokconf", *arguments])
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code in (0, 1), result.output
        return path

    return write


@pytest.mark.long
@pytest.mark.parametrize(
    ("options", "fault"), [pytest.param(RANDOM, "no-overflow", marks=pytest.mark.slow), (SEARCH, "wrong-type")]
)
def test_faults_that_come_and_go(fuzzed: Fuzzed, options: tuple[str, ...], fault: str) -> None:
    sound, faulty = fuzzed("sound", *options), fuzzed(fault, *options)
    forth, back = Compared(sound, faulty, [f"sound={fault}"]), Compared(faulty, sound, [f"{fault}=sound"])
    assert forth.told("new")
    assert forth.last.exit_status == 1
    assert back.last.exit_status == 0
    assert sorted(MIRRORED[each.change] for each in forth.found) == sorted(each.change for each in back.found)
    assert {each.change for each in Compared(faulty, faulty).found} <= {Change.SAME}


def test_another_seed_asks_something_else(fuzzed: Fuzzed) -> None:
    sound = fuzzed("sound", *RANDOM)
    other = sound.with_name("other.jsonl")
    other.write_text(sound.read_text("ascii").replace('"seed": 1', '"seed": 2', 1), "ascii")
    compared = Compared(sound, other)
    assert compared.plan.remarks == ("--seed: 1 then, 2 now",)
    assert compared.last.exit_status == 3


TOY, MINE = (implementation_of(called(fakes.Toy, name).info) for name in ("toy", "mine"))
BEGINNING = fuzz.Header(
    **header_of(fuzz.FORMAT, current_environment(())),
    baseline=TOY,
    implementations=(MINE,),
    seed=1,
    start=0,
    tokenizers=4,
    texts=3,
)
FOUND = fuzz.Finding(
    implementation="mine",
    signature=("refused", "BPE"),
    tokenizers=1,
    first=2,
    is_reduced=True,
    smallest=fuzz.Case(
        number=2, tokenizer_json={}, question=None, found=fuzz.Found(refused_by=Party.IMPLEMENTATION, reason="no")
    ),
    repeat="tokconf fuzz",
)


def fuzzed_by_hand(
    path: Path, *findings: fuzz.Finding, values: int = 40, known: int = 0, lost: int = 0, unstable: int = 0
) -> Path:
    """Write the record of a fuzzing of two implementations, with these numbers; answers that were ``lost`` too."""
    result = fuzz.Result(
        implementation="mine",
        complete=True,
        tokenizers=4,
        cases=12,
        values=values,
        ambiguous=0,
        given_up=lost,
        answers={},
        no_value=(),
        differences=len(findings),
        seconds=1.0,
        unstable=unstable,
        known=(headers.Known(ledger="known.toml", entry=1, reason="so", link=None, count=known),) if known else (),
    )
    end = fuzz.Footer(
        finished=True,
        conclusion=Conclusion.DIFFERENCES if findings else Conclusion.CONFORM,
        exit_status=1 if findings else 0,
        seconds=1.0,
        tokenizers=4,
        cases=12,
        values=values,
        differences=len(findings),
        known=known,
    )
    return written(path, [json_of(line) for line in (BEGINNING, *findings, result, end)])


KNOWS = "a ledger knows more differences, which are no findings"
GIVEN_UP = "more answers were given up, or unstable"


@pytest.mark.parametrize(
    ("then", "now", "change", "why"),
    [
        ({}, {}, Change.FIXED, ""),
        ({}, {"values": 41}, Change.FIXED, ""),
        ({}, {"values": 39}, Change.NOT_COMPARED_NOW, "fewer values were compared"),
        ({}, {"known": 1}, Change.NOT_COMPARED_NOW, KNOWS),
        ({"known": 1}, {"known": 1}, Change.FIXED, ""),
        ({"known": 1}, {}, Change.FIXED, ""),
        ({"known": 1}, {"known": 2}, Change.NOT_COMPARED_NOW, KNOWS),
        ({"known": 2}, {"known": 1}, Change.FIXED, ""),
        ({}, {"lost": 1}, Change.NOT_COMPARED_NOW, GIVEN_UP),
        ({}, {"unstable": 1}, Change.NOT_COMPARED_NOW, GIVEN_UP),
        ({"lost": 1}, {"unstable": 1}, Change.FIXED, ""),
        ({"lost": 1}, {"unstable": 2}, Change.NOT_COMPARED_NOW, GIVEN_UP),
        ({"unstable": 2}, {"lost": 1}, Change.FIXED, ""),
    ],
)
def test_what_is_found_no_more_is_fixed_where_as_much_was_compared(
    then: dict[str, int], now: dict[str, int], change: Change, why: str, tmp_path: Path
) -> None:
    old, new = fuzzed_by_hand(tmp_path / "old", FOUND, **then), fuzzed_by_hand(tmp_path / "new", **now)
    for compared, became in ((Compared(old, new), change), (Compared(new, old), MIRRORED[change])):
        (found,) = (each for each in compared.found if each.key.aspect == "finding")
        assert (found.change, found.outcome.title, found.why) == (became, "mine: refused, BPE", why)
        assert found.outcome.lines == ("tokenizer number 2", "refused by implementation: no")


def test_where_no_value_agrees_nothing_was_compared(tmp_path: Path) -> None:
    some, none = fuzzed_by_hand(tmp_path / "some"), fuzzed_by_hand(tmp_path / "none", values=0)
    (lost,) = Compared(some, none).found
    assert (lost.key.aspect, lost.change, lost.why) == ("stage", Change.NOT_COMPARED_NOW, "nothing was compared")
    assert lost.outcome.title == "mine: 40 values of 12 cases"
    (gained,) = Compared(none, some).found
    assert (gained.change, gained.outcome.title) == (Change.NOT_COMPARED_THEN, "mine: 40 values of 12 cases")
    assert Compared(some, some).found == []
    assert Compared(some, some).last.sound == 1


# Searches ------------------------------------------------------------------------------------------------------------


def searched_by_hand(path: Path, *, is_found: bool = False, complete: bool = True, **counts: int) -> Path:
    """Write the record of a search of a pairing, with these ``counts``, which ends with a cause where ``is_found``."""
    beginning = search.Header(
        **header_of(search.FORMAT, current_environment(())),
        baseline=TOY,
        implementations=(MINE,),
        tokenizers=(search.Tokenizer(name="bert", sha256="0" * 64),),
        seed=1,
        jobs=1,
        limit=search.Limit(seconds=None, cases=12),
        generators=("mutations",),
    )
    known = counts.pop("known", 0)
    of_pairing = {
        "questions": 20,
        "values": 40,
        "differing": 0,
        "unstable": 0,
        "skipped": 0,
        "lost": 0,
        "unexamined": 0,
    }
    result = {
        "type": "result",
        "tokenizer": "bert",
        "implementation": "mine",
        "cases": 12,
        **of_pairing,
        **counts,
        "known": [{"ledger": "known.toml", "entry": 1, "reason": "so", "link": None, "count": known}] if known else [],
        "seconds": 1.0,
        "positions": {},
        "complete": complete,
        "exhausted": False,
        "kept": 0,
        "gone": 0,
        "generators": [],
    }
    values = {"position": 0, "baseline": {"excerpt": {"start": 0, "total": 1, "text": "a"}}}
    values |= {"implementation": {"excerpt": {"start": 0, "total": 1, "text": "A"}}, "party": None, "part": None}
    cause = {
        "type": "cause",
        "number": 1,
        "implementation": "mine",
        "tokenizer": "bert",
        "stage": "normalize",
        "component": "Lowercase",
        "characters": "Lu",
        "context": "",
        "question": {"ask": "normalize", "text": {"value": "A", "length": 1}},
        "tokenizer_json": None,
        "difference": values | {"verdict": "differ", "kind": "other values", "field": "text", "detail": ""},
        "reason": {"name": "unexplained", "parameter": "", "proof": []},
        "differences": 1,
        "inputs": 1,
        "tokenizers": {"bert": 1},
        "examples": ["mutations-1"],
    }
    end = search.Footer(
        finished=True,
        conclusion=Conclusion.DIFFERENCES if is_found else Conclusion.CONFORM,
        exit_status=1 if is_found else 0,
        seconds=1.0,
        pairings=1,
        cases=12,
        questions=20,
        values=40,
        findings=int(is_found),
        known=0,
        unexamined=0,
        failed=0,
    )
    return written(path, [json_of(beginning), result, *([cause] if is_found else []), json_of(end)])


FEWER_LOOKED_AT = "on bert more differences were known, unstable, lost, or not looked at"


@pytest.mark.parametrize(
    ("then", "now", "change", "why"),
    [
        ({}, {}, Change.FIXED, ""),
        ({}, {"values": 41}, Change.FIXED, ""),
        ({}, {"values": 39}, Change.NOT_COMPARED_NOW, "on bert fewer values agree"),
        ({}, {"known": 1}, Change.NOT_COMPARED_NOW, FEWER_LOOKED_AT),
        ({"known": 1}, {"known": 1}, Change.FIXED, ""),
        ({"known": 1}, {"unstable": 1}, Change.NOT_COMPARED_NOW, FEWER_LOOKED_AT),
        ({"lost": 1}, {"unstable": 1}, Change.FIXED, ""),
        ({"skipped": 1}, {"unexamined": 1}, Change.FIXED, ""),
        ({"lost": 1}, {"skipped": 1, "unexamined": 1}, Change.NOT_COMPARED_NOW, FEWER_LOOKED_AT),
        ({}, {"complete": False}, Change.NOT_COMPARED_NOW, "the search did not finish on bert"),
    ],
)
def test_a_cause_that_a_search_finds_no_more_is_fixed_where_as_much_was_compared(
    then: dict[str, Any], now: dict[str, Any], change: Change, why: str, tmp_path: Path
) -> None:
    old = searched_by_hand(tmp_path / "old", is_found=True, **then)
    new = searched_by_hand(tmp_path / "new", **now)
    for compared, became in ((Compared(old, new), change), (Compared(new, old), MIRRORED[change])):
        (found,) = (each for each in compared.found if each.key.aspect == "cause")
        assert (found.change, found.why) == (became, why)
