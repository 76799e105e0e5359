"""Records of runs compared: planted faults that come, go, grow and change, and what was not compared."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from record_pairs import SOUND, Compared, CrashesOnZ, LossierDecode, NoDecode, called, lawful

from tokenizer_adapters.contract import Field, Stage, Unsupported
from tokenizer_conformance import Corpus, Input, read_corpus
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.ledger.matching import Ledger, LedgerFile
from tokenizer_conformance.releases.diff.records.changes import Change
from tokenizer_conformance.releases.diff.records.checks import summary

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Recorded = Callable[..., Path]

LOSSY = fakes.LossyDecode

# Faults ---------------------------------------------------------------------------------------------------------------

PAIRS: dict[str, tuple[Any, Any, dict[str, set[str]], int]] = {
    "the same": (LOSSY, LOSSY, {}, 0),
    "nothing wrong": (SOUND, SOUND, {}, 0),
    "a new fault": (SOUND, LOSSY, {"new": {"finding decode", "input text 4", "cause unexplained"}}, 1),
    "fixed": (LOSSY, SOUND, {"fixed": {"finding decode", "input text 4", "cause unexplained"}}, 0),
    "another fault": (
        LOSSY,
        fakes.WrongNormalization,
        {"fixed": {"finding decode", "input text 4"}, "new": {"finding normalize", "input text 1"}},
        1,
    ),
    "worse": (LOSSY, LossierDecode, {"worse": {"finding decode"}, "new": {"input text 2"}}, 1),
    "better": (LossierDecode, LOSSY, {"better": {"finding decode"}, "fixed": {"input text 2"}}, 0),
    "refused": (SOUND, fakes.CannotLoad, {"new": {"loading toy-tokenizer"}, "not compared now": {"stage model"}}, 1),
    "loaded again": (
        fakes.CannotLoad,
        LOSSY,
        {"fixed": {"loading toy-tokenizer"}, "not compared then": {"finding decode", "input text 4"}},
        0,
    ),
    "not shown": (LOSSY, NoDecode, {"not compared now": {"finding decode", "input text 4", "stage decode"}}, 0),
    "an error now": (
        LOSSY,
        CrashesOnZ,
        {"not compared now": {"finding decode"}, "new": {"finding decode"}},
        1,
    ),
    "unstable": (SOUND, fakes.Flaky, {}, 0),
}


@pytest.mark.parametrize("name", PAIRS)
def test_what_becomes_of_faults(recorded: Recorded, name: str) -> None:
    then, now, expected, status = PAIRS[name]
    old, new = recorded(called(then)), recorded(called(now))
    compared = Compared(old, new)
    assert {change: found & set(compared.told(change)) for change, found in expected.items()} == expected
    for change in ("new", "fixed", "worse", "better"):
        assert change in expected or not compared.told(change)
    assert compared.last.exit_status == status


@pytest.mark.long_but(8)
@pytest.mark.parametrize("name", PAIRS)
def test_a_record_beside_itself_has_nothing_new_and_exchanged_records_mirror_each_other(
    recorded: Recorded, name: str
) -> None:
    lawful(*(recorded(called(fake)) for fake in PAIRS[name][:2]))


def test_a_new_finding_has_its_example_and_the_command_that_repeats_it(recorded: Recorded) -> None:
    compared = Compared(recorded(called(SOUND)), recorded(called(LOSSY)))
    (finding,) = (each for each in compared.found if each.key.aspect == "finding")
    assert finding.outcome.title == "mine on toy-tokenizer at decode: text: other values"
    assert any('"z' in line for line in finding.outcome.lines)


def test_a_loading_has_its_verdict_in_both_records(recorded: Recorded) -> None:
    sound, refusing = recorded(called(SOUND)), recorded(called(fakes.CannotLoad))
    for old, new, verdicts in ((sound, refusing, {"refused"}), (refusing, sound, {"loaded"})):
        told = [each for each in Compared(old, new).found if each.key.aspect == "loading"]
        assert {each.outcome.verdict for each in told} == verdicts


class OtherVocabulary(fakes.Toy):
    class subject(fakes.ToySubject):  # noqa: N801
        def vocabulary(self) -> Any:
            shown = super().vocabulary()
            assert isinstance(shown, dict)
            return shown | {"a": 1000}


class NoVocabulary(fakes.Toy):
    class subject(fakes.ToySubject):  # noqa: N801
        def vocabulary(self) -> Unsupported:
            return Unsupported("it has none")


def test_a_vocabulary_that_differs_now_is_new_and_one_that_was_not_asked_for_is_neither(recorded: Recorded) -> None:
    sound, other, none = (recorded(called(each), vocabulary=True) for each in (SOUND, OtherVocabulary, NoVocabulary))
    unasked = recorded(called(OtherVocabulary))
    expected = {
        (sound, other): ("new", 1),
        (other, sound): ("fixed", 0),
        (other, other): ("same", 0),
        (other, none): ("not compared now", 0),
        (other, unasked): ("not compared now", 0),
        (unasked, other): ("not compared then", 0),
    }
    for (old, new), (change, status) in expected.items():
        compared = Compared(old, new)
        (told,) = (each for each in compared.found if each.key.parts == ("vocabulary",))
        assert (told.change, compared.last.exit_status) == (change, status)
        lawful(old, new)


def test_what_a_ledger_knows_is_told_apart(recorded: Recorded) -> None:
    entry = Entry(implementation="mine", baselines=("toy",), reason="it is known", place=Place("a ledger", 1))
    known = recorded(called(LOSSY), ledger=Ledger((entry,), (LedgerFile("a ledger", "0" * 64),)))
    sound, unknown = recorded(called(SOUND)), recorded(called(LOSSY))
    for old, new, change, status in (
        (sound, known, "new and known", 0),
        (known, sound, "fixed, known then", 0),
        (unknown, known, "known now", 0),
        (known, unknown, "no longer known", 1),
        (known, known, "same", 0),
    ):
        compared = Compared(old, new)
        assert {"finding decode", "input text 4"} <= set(compared.told(change))
        assert compared.last.exit_status == status
        assert not compared.told("fixed")


# What was not compared ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"stages": (Stage.MODEL,)}, "decode was left out (--stage or --field)"),
        ({"fields": frozenset({Field.IDS})}, "text was left out (--field)"),
        ({"texts": ("abc", "x")}, "the inputs are others"),
        ({"max_failing": 1}, "the run was cut short on toy-tokenizer, after 1 inputs"),
    ],
)
def test_what_was_not_asked_now_is_not_fixed_and_then_not_new(
    recorded: Recorded, options: dict[str, Any], why: str
) -> None:
    whole = recorded(called(LOSSY))
    fault = fakes.WrongSpecialToken if "max_failing" in options else SOUND
    part = recorded(called(fault), **options)
    gone = {(each.change, each.why) for each in Compared(whole, part).found if each.key.aspect == "finding"}
    assert (Change.NOT_COMPARED_NOW, why) in gone
    assert not Compared(whole, part).told("fixed")
    came = {(each.change, each.why) for each in Compared(part, whole).found if each.key.aspect == "finding"}
    assert (Change.NOT_COMPARED_THEN, why) in came


def test_other_inputs_alone_leave_nothing_to_compare(recorded: Recorded) -> None:
    compared = Compared(recorded(called(SOUND)), recorded(called(SOUND), texts=("abc",)))
    assert compared.last.conclusion is Conclusion.NOTHING_COMPARED
    assert "other inputs: 6 then, 1 now" in compared.plan.remarks[0]


def test_another_baseline_is_another_question(recorded: Recorded) -> None:
    old = recorded(called(LOSSY))
    compared = Compared(old, recorded(called(LOSSY), baseline=called(fakes.SwappedMerge, "other")))
    assert compared.last.exit_status == 3
    assert any("another baseline" in remark for remark in compared.plan.remarks)


def test_versions_in_names_are_matched_and_said_so(recorded: Recorded) -> None:
    old = recorded(called(LOSSY, "mine==0.19.1", "0.19.1"))
    new = recorded(called(SOUND, "mine==0.23.3", "0.23.3"))
    compared = Compared(old, new)
    assert "mine==0.19.1 0.19.1 then is taken for mine==0.23.3 0.23.3 now" in compared.plan.matching.said
    assert "finding decode" in compared.told("fixed")


def test_a_killed_run_is_compared_as_far_as_it_came(recorded: Recorded) -> None:
    old, new = recorded(called(LOSSY)), recorded(called(LOSSY))
    lines = new.read_bytes().splitlines(keepends=True)
    new.write_bytes(b"".join(line for line in lines if b'"type": "tokenizer"' not in line)[:-30])
    compared = Compared(old, new)
    assert "the command was killed: there is no footer, and line" in compared.plan.now.ending.words
    assert not compared.told("fixed")
    assert "finding decode" in compared.told("not compared now")


def test_a_shard_is_no_whole_run(recorded: Recorded) -> None:
    old, new = recorded(called(LOSSY)), recorded(called(SOUND))
    lines = new.read_text().splitlines()
    header = json.loads(lines[0]) | {"shard": {"part": 1, "of": 2}}
    new.write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n")
    compared = Compared(old, new)
    assert not compared.told("fixed")
    assert {each.why for each in compared.found if each.key.aspect == "finding"} == {
        "other parts of the inputs were asked about (--shard)"
    }


# Other orders, and what cannot be said --------------------------------------------------------------------------------

HALVES = (("abc", "aBc d", "x"), ("a-b", "zebra crossing", "éa 🎉b"))


def corpus_in_parts(*parts: tuple[str, ...]) -> Corpus:
    """Return a corpus with a source for each of ``parts``, of which each text has the same id wherever it stands."""
    corpus, refusals = read_corpus(
        (part[0], tuple(Input(f"{part[0]} {number}", "test", text) for number, text in enumerate(part)))
        for part in parts
    )
    assert not refusals
    return corpus


@pytest.mark.parametrize("fault", [LOSSY, fakes.WrongSpecialToken])
def test_the_same_sources_in_another_order_are_the_same_inputs(recorded: Recorded, fault: type) -> None:
    old = recorded(called(fakes.WrongNormalization), corpus=corpus_in_parts(*HALVES))
    new = recorded(called(fault), corpus=corpus_in_parts(*reversed(HALVES)))
    straight = recorded(called(fault), corpus=corpus_in_parts(*HALVES))
    compared, expected = Compared(old, new), Compared(old, straight)
    assert compared.told("new")
    for change in Change:
        assert compared.told(change) == expected.told(change)
    assert compared.last.exit_status == 1
    assert compared.plan.remarks == ("the same inputs, whose sources were given in another order",)


def test_texts_that_changed_their_source_are_other_inputs(recorded: Recorded) -> None:
    """They are asked about in other pairs."""
    old = recorded(called(SOUND), corpus=corpus_in_parts(*HALVES))
    new = recorded(called(SOUND), corpus=corpus_in_parts(HALVES[0], HALVES[1][::-1]))
    assert Compared(old, new).last.conclusion is Conclusion.NOTHING_COMPARED


def test_parts_of_inputs_in_another_order_are_other_parts(recorded: Recorded) -> None:
    paths = [recorded(called(LOSSY), corpus=corpus_in_parts(*order)) for order in (HALVES, HALVES[::-1])]
    for path in paths:
        lines = path.read_text().splitlines()
        header = json.loads(lines[0]) | {"shard": {"part": 1, "of": 2}}
        path.write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n")
    compared = Compared(*paths)
    assert {each.why for each in compared.found if each.key.aspect == "stage"} == {
        "other parts of the inputs were asked about (--shard)"
    }


def without_sources(path: Path) -> Path:
    """Make the record at ``path`` one of an earlier release, which says nothing of sources."""
    lines = path.read_text().splitlines()
    header = json.loads(lines[0])
    del header["inputs"]["sources"]
    path.write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n")
    return path


def test_what_is_the_same_beside_all_that_was_not_compared_is_not_enough(recorded: Recorded) -> None:
    old = without_sources(recorded(called(LOSSY), corpus=corpus_in_parts(*HALVES)))
    new = without_sources(recorded(called(LOSSY), corpus=corpus_in_parts(*reversed(HALVES))))
    compared = Compared(old, new)
    assert compared.told("not comparable")
    assert compared.told("same")
    assert (compared.last.conclusion, compared.last.exit_status) == (Conclusion.TOO_LITTLE, 3)
    assert summary(compared.last).startswith("of a tokenizer that both records have, no stage could be compared; ")


@pytest.mark.parametrize("is_old", [True, False])
def test_nothing_new_in_a_record_that_is_cut_short_is_no_success(recorded: Recorded, *, is_old: bool) -> None:
    whole, cut = recorded(called(SOUND)), recorded(called(SOUND))
    lines = cut.read_text().splitlines()
    footer = json.loads(lines[-1]) | {"finished": False, "reason": "interrupted", "conclusion": "interrupted"}
    cut.write_text("\n".join([*lines[:-1], json.dumps(footer)]) + "\n")
    compared = Compared(cut, whole) if is_old else Compared(whole, cut)
    assert (compared.last.conclusion, compared.last.exit_status) == (Conclusion.INCOMPLETE, 3)
    assert summary(compared.last).startswith("a record did not finish, so that more may be new; 0 new")


def test_what_is_new_in_a_record_that_is_cut_short_may_not_be_all(recorded: Recorded) -> None:
    old, new = recorded(called(SOUND)), recorded(called(LOSSY))
    new.write_bytes(b"".join(new.read_bytes().splitlines(keepends=True)[:-1]))
    last = Compared(old, new).last
    assert (last.conclusion, last.exit_status) == (Conclusion.INCOMPLETE, 3)
    assert last.counts[Change.NEW]


def test_a_stage_with_too_few_answers_is_new_and_counts_what_is_missing(recorded: Recorded) -> None:
    whole, lacking = recorded(called(SOUND)), recorded(called(SOUND))
    *lines, footer = (json.loads(line) for line in lacking.read_text("ascii").splitlines())
    place = {"tokenizer": "toy-tokenizer", "implementation": "mine", "stage": "decode", "field": "text"}
    footer["shortfalls"] = [place | {"answered": 1000, "asked": 1007, "required": True}]
    lacking.write_text("".join(json.dumps(line) + "\n" for line in (*lines, footer)), "ascii")
    (found,) = Compared(whole, lacking).found
    assert (found.change, found.key.aspect, found.key.parts) == (Change.NEW, "shortfall", ("decode", "text"))
    outcome = found.outcome
    assert outcome.title == "mine on toy-tokenizer: decode has too few text"
    assert (outcome.counts, outcome.lines) == ({"unanswered": 7}, ("1,000 of 1,007 questions answered",))
    (fixed,) = Compared(lacking, whole).found
    assert fixed.change is Change.FIXED
