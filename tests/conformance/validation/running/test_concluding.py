"""What a run shows in the end, by what its implementations and tokenizers came to, one at a time and together."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from msgspec import structs

from tokenizer_adapters.contract import Field, Stage
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.comparison.differences import Difference, DifferenceKind, Excerpt
from tokenizer_conformance.comparison.findings import Example, Finding, Signature
from tokenizer_conformance.comparison.verdicts import NO_ANSWER, Verdict
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.results.records.run import LOST_ANSWERS, LOST_EXTRAS, FooterShare, Result, ResultStage
from tokenizer_conformance.results.records.run import Vocabulary as ShownVocabulary
from tokenizer_conformance.validation.running.concluding import (
    INTERRUPTED,
    Course,
    concluded,
    lost_answers,
    shares,
    shortfalls,
)
from tokenizer_conformance.validation.running.events import RunStarted, TokenizerFinished
from tokenizer_conformance.validation.running.plan import Requirement

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokenizer_conformance import Event
    from tokenizer_conformance.validation.running.events import RunFinished

INPUTS = 900


class Other(fakes.Toy):
    name = "other"


def stage(**given: Any) -> ResultStage:
    nothing: dict[str, Any] = {"inputs": {}, "values": {}, "unsupported_fields": {}, "unanswered_fields": {}}
    return ResultStage(**{**nothing, "questions": 1, "answerable": 0, **given})


def row(name: str, *verdicts: Verdict, **given: Any) -> Result:
    """Return what came of an implementation: one value with each of ``verdicts`` at one stage."""
    nothing = {"load_error": None, "failing_inputs": 0, "blamed": {}, "seconds": 0.0}
    values = {verdict: verdicts.count(verdict) for verdict in verdicts}
    return Result(**{"implementation": name, **nothing, "stages": {Stage.MODEL: stage(values=values)}, **given})


def done(*rows: Result, **given: Any) -> TokenizerFinished:
    nothing = {"findings": (), "inputs": INPUTS, "ids": 5, "baseline_seconds": 1.0, "seconds": 2.0, "complete": True}
    return TokenizerFinished(**{"tokenizer": "a", "results": rows, **nothing, **given})


@pytest.fixture(scope="module")
def started(events_of: Callable[..., list[Event]]) -> RunStarted:
    """The beginning of a run with two implementations beside the baseline."""
    begun = events_of(fakes.Narrowed, Other)[0]
    assert isinstance(begun, RunStarted)
    return replace(begun, inputs=INPUTS)


def ended(
    started: RunStarted, *finished: TokenizerFinished, stale: tuple[Entry, ...] = (), **course: Any
) -> RunFinished:
    good = {"reason": None, "seconds": 1.0, "refused": False, "failed": False, "broken": False}
    return concluded(started, Course(done=finished, **{**good, **course}), stale)


ONE, TWO = (lambda *verdicts, name=name, **given: row(name, *verdicts, **given) for name in ("narrowed", "other"))
GOOD = done(ONE(Verdict.AGREE), TWO(Verdict.AGREE))
UNSTABLE = ShownVocabulary(baseline=3, implementation=3, differing=1, unstable=True)
DIFFERING = ShownVocabulary(baseline=3, implementation=3, differing=1)
KNOWN = ShownVocabulary(baseline=3, implementation=3, differing=1, known=1)

TOKENIZERS: dict[str, tuple[list[TokenizerFinished], Conclusion]] = {
    "all agree": ([GOOD, GOOD], Conclusion.CONFORM),
    "no tokenizer": ([], Conclusion.NOTHING_COMPARED),
    "no implementation": ([done()], Conclusion.NOTHING_COMPARED),
    "the first shows nothing": ([done(ONE(), TWO(Verdict.AGREE))], Conclusion.NOTHING_COMPARED),
    "the second shows nothing": ([done(ONE(Verdict.AGREE), TWO())], Conclusion.NOTHING_COMPARED),
    "one shows nothing of the second": ([GOOD, done(ONE(Verdict.AGREE), TWO())], Conclusion.NOTHING_COMPARED),
    "unsupported and both errors alone": (
        [done(ONE(Verdict.AGREE), TWO(Verdict.UNSUPPORTED, Verdict.BOTH_ERROR))],
        Conclusion.NOTHING_COMPARED,
    ),
    "known alone": ([done(ONE(Verdict.AGREE), TWO(Verdict.KNOWN))], Conclusion.CONFORM),
    "one raises about the second": ([GOOD, done(ONE(Verdict.AGREE), TWO(Verdict.ERROR))], Conclusion.DIFFERENCES),
    "one raises about all": ([done(ONE(Verdict.AGREE), TWO(Verdict.ERROR))] * 2, Conclusion.NOTHING_COMPARED),
    "the first loads nothing": (
        [done(ONE(load_error="no"), TWO(Verdict.AGREE))],
        Conclusion.IMPLEMENTATION_FAILED,
    ),
    "the second loads nothing": (
        [done(ONE(Verdict.AGREE), TWO(load_error="no"))],
        Conclusion.IMPLEMENTATION_FAILED,
    ),
    "the baseline loads one of two": ([GOOD, done(baseline_load_error="no")], Conclusion.IMPLEMENTATION_FAILED),
    "one differs": ([GOOD, done(ONE(Verdict.AGREE), TWO(Verdict.AGREE, Verdict.DIFFER))], Conclusion.DIFFERENCES),
    "one raises": ([GOOD, done(ONE(Verdict.AGREE, Verdict.ERROR), TWO(Verdict.AGREE))], Conclusion.DIFFERENCES),
    "an entry differs": ([done(ONE(Verdict.AGREE), TWO(Verdict.AGREE, vocabulary=DIFFERING))], Conclusion.DIFFERENCES),
    "an entry is known": ([done(ONE(Verdict.AGREE), TWO(Verdict.AGREE, vocabulary=KNOWN))], Conclusion.CONFORM),
    "entries are others each time": (
        [done(ONE(Verdict.AGREE), TWO(Verdict.AGREE, vocabulary=UNSTABLE))],
        Conclusion.IMPLEMENTATION_FAILED,
    ),
    "entries alone": ([done(ONE(vocabulary=KNOWN, stages={}), TWO(vocabulary=KNOWN, stages={}))], Conclusion.CONFORM),
    "entries, and no answers": ([done(ONE(Verdict.AGREE), TWO(vocabulary=KNOWN))], Conclusion.NOTHING_COMPARED),
    **{
        verdict: (
            [GOOD, done(ONE(Verdict.AGREE), TWO(Verdict.AGREE, Verdict.DIFFER, verdict))],
            Conclusion.IMPLEMENTATION_FAILED,
        )
        for verdict in (*sorted(NO_ANSWER), Verdict.UNSTABLE)
    },
}


@pytest.mark.parametrize("name", TOKENIZERS)
def test_one_of_several_decides(started: RunStarted, name: str) -> None:
    finished, conclusion = TOKENIZERS[name]
    assert ended(started, *finished).conclusion is conclusion


@pytest.mark.parametrize(
    ("finished", "conclusion"),
    [
        ([done(ONE(load_error="no"), TWO(Verdict.AGREE))], Conclusion.CONFORM),
        ([done(ONE(), TWO(Verdict.AGREE))], Conclusion.NOTHING_COMPARED),
        ([done(ONE(load_error="no"))], Conclusion.NOTHING_COMPARED),
        ([GOOD, done(ONE(load_error="no"))], Conclusion.NOTHING_COMPARED),
    ],
)
def test_one_that_need_not_load_all_has_to_answer_about_what_it_loads(
    started: RunStarted, finished: Sequence[TokenizerFinished], conclusion: Conclusion
) -> None:
    assert ended(replace(started, optional=frozenset({"narrowed"})), *finished).conclusion is conclusion


@pytest.mark.parametrize(
    ("finished", "conclusion"),
    [
        ([done(ONE(), TWO(), inputs=INPUTS - 1)], Conclusion.CONFORM),
        ([done(ONE(), TWO())], Conclusion.NOTHING_COMPARED),
        ([done(ONE(), TWO(), inputs=INPUTS - 1 + 1)], Conclusion.NOTHING_COMPARED),
        ([done(ONE(), TWO(), inputs=1), GOOD], Conclusion.CONFORM),
        ([GOOD, done(ONE(), TWO(Verdict.AGREE))], Conclusion.NOTHING_COMPARED),
        ([done(ONE(), TWO(), inputs=0)], Conclusion.CONFORM),
    ],
)
def test_a_part_need_not_have_compared_anything_on_tokenizers_that_it_shares(
    started: RunStarted, finished: Sequence[TokenizerFinished], conclusion: Conclusion
) -> None:
    assert ended(replace(started, shard=Shard(1, 2)), *finished).conclusion is conclusion


def test_a_part_without_inputs_has_none_of_a_run_without(started: RunStarted) -> None:
    part = replace(started, shard=Shard(1, 2), inputs=0)
    assert ended(part, done(ONE(), TWO(), inputs=0)).conclusion is Conclusion.CONFORM


@pytest.mark.parametrize(
    ("given", "finished", "conclusion"),
    [
        ({"every_id": True}, [GOOD, replace(GOOD, ids=0)], Conclusion.TOO_LITTLE),
        ({"every_id": True}, [GOOD, GOOD], Conclusion.CONFORM),
        ({"every_id": True}, [GOOD, replace(GOOD, ids=0, complete=False)], Conclusion.CONFORM),
        ({"every_id": False}, [replace(GOOD, ids=0)], Conclusion.CONFORM),
        ({"every_id": True, "stages": (Stage.MODEL,)}, [replace(GOOD, ids=0)], Conclusion.CONFORM),
        ({"every_id": True, "shard": Shard(1, 2)}, [replace(GOOD, ids=0)], Conclusion.CONFORM),
    ],
)
def test_single_ids_that_nobody_shows_are_too_little(
    started: RunStarted, given: dict[str, Any], finished: Sequence[TokenizerFinished], conclusion: Conclusion
) -> None:
    assert ended(replace(started, **given), *finished).conclusion is conclusion


ENTRY = Entry(implementation="other", reason="it is so", place=Place("ledger.toml", 1))


@pytest.mark.parametrize(
    ("course", "conclusion"),
    [
        ({"reason": "".join(INTERRUPTED)}, Conclusion.INTERRUPTED),  # as one that was read
        ({"reason": "TypeError: planted", "broken": True}, Conclusion.INTERNAL_ERROR),
        ({"reason": "--max-fail 1"}, Conclusion.CONFORM),
        ({"refused": True}, Conclusion.BAD_INPUT),
        ({"incomplete": True}, Conclusion.INCOMPLETE),
        ({"failed": True}, Conclusion.IMPLEMENTATION_FAILED),
        ({"stale": (ENTRY,)}, Conclusion.STALE),
    ],
)
def test_what_happens_to_the_run_decides_too(
    started: RunStarted, course: dict[str, Any], conclusion: Conclusion
) -> None:
    end = ended(started, GOOD, **course)
    assert (end.conclusion, end.finished, end.stale) == (
        conclusion,
        "reason" not in course,
        course.get("stale", ()),
    )


# How much was answered -----------------------------------------------------------------------------------------------


def answers(asked: int, missing: int) -> ResultStage:
    """Return the counts of a stage with so many questions, of which so many ids are not shown."""
    lacking = {Field.IDS: missing} if missing else {}
    values = {Verdict.AGREE: 1}
    return stage(
        questions=asked, answerable=asked, unsupported_fields=lacking, unanswered_fields=lacking, values=values
    )


@pytest.mark.parametrize(
    ("counted", "required", "told"),
    [
        (answers(100, 1), (), None),
        (answers(100, 2), (), (98, 100, False)),
        (answers(1000, 10), (), None),
        (answers(1000, 11), (), (989, 1000, False)),
        (answers(0, 0), (), None),
        (answers(100, 1), (Requirement(Stage.MODEL, Field.IDS),), None),
        (answers(100, 2), (Requirement(Stage.MODEL, Field.IDS),), (98, 100, True)),
        (answers(0, 0), (Requirement(Stage.MODEL, Field.IDS),), (0, 0, True)),
        (answers(100, 2), (Requirement(Stage.DECODE),), (98, 100, False)),
        (answers(100, 2), (Requirement(Stage.CHAT, Field.IDS),), (98, 100, False)),
        (answers(100, 2), (Requirement(Stage.POST_PROCESS, Field.IDS),), (98, 100, False)),
        (structs.replace(answers(100, 2), answerable=300), (), None),
        (structs.replace(answers(100, 2), questions=300), (Requirement(Stage.MODEL, Field.IDS),), None),
    ],
)
def test_one_in_a_hundred_answers_may_be_missing(
    counted: ResultStage, required: tuple[Requirement, ...], told: tuple[int, int, bool] | None
) -> None:
    result = row("other", stages={Stage.MODEL: counted})
    found = list(shortfalls("a", result, Other().info, frozenset({Field.IDS}), required))
    assert [(each.answered, each.asked, each.required) for each in found] == ([] if told is None else [told])


def test_what_an_implementation_says_it_lacks_only_the_user_can_require() -> None:
    shows = {Stage.DECODE: (Field.TEXT,)}
    result = row("other", stages={Stage.MODEL: answers(100, 100)}, shows=shows)
    fields = frozenset({Field.IDS})
    assert not list(shortfalls("a", result, Other().info, fields, ()))
    assert len(list(shortfalls("a", result, Other().info, fields, (Requirement(Stage.MODEL),)))) == 1
    some = structs.replace(result, shows={Stage.MODEL: (Field.TYPE_IDS,)})
    lacking = {Field.IDS: 100, Field.TYPE_IDS: 100}
    some.stages[Stage.MODEL] = structs.replace(answers(100, 100), unanswered_fields=lacking)
    assert [each.field for each in shortfalls("a", some, Other().info, frozenset(lacking), ())] == [Field.TYPE_IDS]


@pytest.mark.parametrize(
    ("finished", "shard", "conclusion"),
    [
        ({}, None, Conclusion.TOO_LITTLE),
        ({"complete": False}, None, Conclusion.CONFORM),
        ({}, Shard(1, 2), Conclusion.CONFORM),
    ],
)
def test_too_little_is_told_of_what_was_compared_to_the_end(
    started: RunStarted, finished: dict[str, Any], shard: Shard | None, conclusion: Conclusion
) -> None:
    short = done(ONE(Verdict.AGREE), TWO(stages={Stage.MODEL: answers(100, 2)}), **finished)
    end = ended(replace(started, shard=shard), GOOD, short)
    assert end.conclusion is conclusion
    assert bool(end.shortfalls) is (conclusion is Conclusion.TOO_LITTLE)


def test_answers_that_are_lost_are_told_by_field_however_few() -> None:
    counted = structs.replace(answers(100, 1), extra_answerable=7, extra_unanswered=2)
    found = list(lost_answers("a", row("other", stages={Stage.MODEL: counted}), frozenset({Field.IDS, Field.OFFSETS})))
    assert not any(each.required for each in found)
    assert [(each.lost, each.field, each.answered, each.asked) for each in found] == [
        (LOST_ANSWERS, Field.IDS, 99, 100),
        (LOST_EXTRAS, Field.IDS, 5, 7),
        (LOST_EXTRAS, Field.OFFSETS, 5, 7),
    ]
    assert not list(lost_answers("a", row("other", stages={Stage.MODEL: answers(100, 0)}), frozenset({Field.IDS})))


SHOWN = Excerpt(0, 1, ("a",), is_text=True)
DIFFERENCE = Difference(Verdict.DIFFER, DifferenceKind.VALUES, Field.TEXT, SHOWN, SHOWN)
EXAMPLE = Example(Input("1", "test", "a"), fakes.Decode((1,)), DIFFERENCE, Stage.DECODE, None)


def finding(differences: int) -> Finding:
    signature = Signature("a", "narrowed", Stage.DECODE, Field.TEXT, Verdict.DIFFER, DifferenceKind.VALUES, None, "")
    return Finding(signature, differences, 1, 0, EXAMPLE, EXAMPLE)


def test_counts_are_those_of_all_rows(started: RunStarted) -> None:
    known = ShownVocabulary(baseline=3, implementation=3, differing=5, known=2)
    one = ONE(Verdict.AGREE, Verdict.DIFFER, vocabulary=known)
    two = TWO(Verdict.AGREE, Verdict.UNSUPPORTED, Verdict.UNSUPPORTED)
    first = done(one, two, uncounted=1, findings=(finding(1),), known=(finding(2),))
    end = ended(started, first, done(two, inputs=1, uncounted=2))
    assert (end.tokenizers, end.inputs, end.compared, end.uncounted) == (2, INPUTS + 1, 4, 3)
    assert (end.differences, end.known) == (4, 4)
    assert end.shares == {Stage.MODEL: FooterShare(compared=4, of=8)}
    assert shares([]) == {}


def test_causes_are_those_of_all_tokenizers(started: RunStarted) -> None:
    few, many = (SimpleNamespace(implementation=str(inputs), inputs=inputs) for inputs in (1, 2))
    assert ended(started, done(causes=(few,)), done(causes=(many,))).causes == (many, few)
    assert ended(started, done()).causes == ()
