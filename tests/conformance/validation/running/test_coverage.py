from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import fake_implementations as fakes
import pytest

from tokenizer_adapters.contract import Encoded, Field, Normalize, PreTokenize, Shows, Stage, Unsupported
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.comparison.differences import compared_fields
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.results.records.run import FooterShare, Result, ResultStage
from tokenizer_conformance.validation.running.concluding import shortfalls
from tokenizer_conformance.validation.running.events import RunFinished, TokenizerFinished
from tokenizer_conformance.validation.running.plan import Requirement

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import CommandLine
    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance import Event

    EventsOf = Callable[..., list[Event]]


def finished(events: list[Event]) -> RunFinished:
    (event,) = (event for event in events if isinstance(event, RunFinished))
    return event


@pytest.mark.parametrize(
    ("fake", "short"),
    [
        (fakes.Boasting, {(Stage.MODEL, Field.OFFSETS), (Stage.POST_PROCESS, Field.OFFSETS)}),
        (fakes.Mute, set()),
    ],
)
def test_who_answers_less_than_it_says_it_shows_does_not_conform(
    events_of: EventsOf, fake: type[fakes.Toy], short: set[tuple[Stage, Field]]
) -> None:
    end = finished(events_of(fake))
    assert {(each.stage, each.field) for each in end.shortfalls} >= short
    assert end.exit_status == 3
    assert end.conclusion is (Conclusion.TOO_LITTLE if short else Conclusion.NOTHING_COMPARED)


def test_an_implementation_that_answers_almost_nothing_does_not_conform(events_of: EventsOf) -> None:
    fakes.Silent.subject.has_answered = False
    end = finished(events_of(fakes.Silent))
    assert end.compared == 1
    assert end.conclusion is Conclusion.TOO_LITTLE
    assert end.shares[Stage.NORMALIZE] == FooterShare(compared=1, of=6)
    assert end.shares[Stage.MODEL].compared == 0


def test_who_says_that_it_shows_little_and_shows_that_conforms(events_of: EventsOf) -> None:
    end = finished(events_of(fakes.IdsOnly))
    assert end.conclusion is Conclusion.CONFORM
    assert end.shares[Stage.NORMALIZE] == FooterShare(compared=0, of=6)
    assert end.shares[Stage.DECODE] == FooterShare(compared=12, of=12)


def test_what_the_baseline_does_not_show_is_nothing_to_answer(events_of: EventsOf) -> None:
    events = events_of(implementations=(fakes.IdsOnly(), fakes.Toy()), baseline="ids-only")
    assert finished(events).conclusion is Conclusion.CONFORM
    (row,) = next(event.results for event in events if isinstance(event, TokenizerFinished))
    normalize, model = row.stages[Stage.NORMALIZE], row.stages[Stage.MODEL]
    assert (normalize.questions, normalize.answerable) == (6, 0)
    assert (model.questions, model.answerable) == (6, 6)
    assert normalize.unsupported_fields == {Field.TEXT: 6}
    assert model.unsupported_fields[Field.OFFSETS] == 6
    assert not any(count.unanswered_fields for count in row.stages.values())


@pytest.mark.parametrize(
    ("fake", "conclusion"),
    [
        (fakes.Modest, Conclusion.CONFORM),
        (fakes.ShowsModelOnly, Conclusion.CONFORM),
        (fakes.Narrowed, Conclusion.CONFORM),
        (fakes.Widened, Conclusion.CONFORM),
        (fakes.Boasting, Conclusion.TOO_LITTLE),
        (fakes.NarrowedAndWrong, Conclusion.DIFFERENCES),
        (fakes.ShowsNonsense, Conclusion.IMPLEMENTATION_FAILED),
    ],
)
def test_who_says_what_it_shows_of_a_tokenizer_is_held_to_that(
    events_of: EventsOf, fake: type[fakes.Toy], conclusion: Conclusion
) -> None:
    end = finished(events_of(fake))
    assert end.conclusion is conclusion
    assert bool(end.shortfalls) is (conclusion is Conclusion.TOO_LITTLE)


def test_what_a_tokenizer_does_not_show_is_counted_all_the_same(events_of: EventsOf) -> None:
    (row,) = next(event.results for event in events_of(fakes.Modest) if isinstance(event, TokenizerFinished))
    (whole,) = next(event.results for event in events_of(fakes.Boasting) if isinstance(event, TokenizerFinished))
    assert row.shows is not None
    assert whole.shows is None
    hidden = row.stages[Stage.MODEL].unanswered_fields
    assert hidden == {Field.OFFSETS: hidden[Field.OFFSETS]}
    assert hidden[Field.OFFSETS] > 0
    assert row.stages[Stage.MODEL].unsupported_fields == hidden


def test_of_less_than_it_says_of_the_tokenizer_it_falls_short(events_of: EventsOf) -> None:
    class HalfMute(fakes.Toy):
        name = "half-mute"

        class subject(fakes.ToySubject):  # noqa: N801
            shows: ClassVar[Shows] = {Stage.NORMALIZE: frozenset({Field.TEXT}), Stage.MODEL: frozenset({Field.IDS})}

            def observe(self, observation: Observation) -> Outcome:
                if isinstance(observation, Normalize | PreTokenize):
                    return Unsupported("shows its model only")
                return super().observe(observation)

    end = finished(events_of(HalfMute))
    assert end.conclusion is Conclusion.TOO_LITTLE
    assert [(each.stage, each.field, each.answered) for each in end.shortfalls] == [(Stage.NORMALIZE, Field.TEXT, 0)]


@pytest.mark.parametrize(
    ("requirement", "conclusion"),
    [
        (Requirement(Stage.MODEL, Field.OFFSETS), Conclusion.TOO_LITTLE),
        (Requirement(Stage.MODEL, Field.IDS), Conclusion.CONFORM),
    ],
)
def test_what_is_required_is_required_of_who_says_it_shows_less(
    events_of: EventsOf, requirement: Requirement, conclusion: Conclusion
) -> None:
    end = finished(events_of(fakes.Modest, required=(requirement,)))
    assert end.conclusion is conclusion
    assert [(each.stage, each.field, each.required) for each in end.shortfalls] == (
        [(Stage.MODEL, Field.OFFSETS, True)] if conclusion is Conclusion.TOO_LITTLE else []
    )


def shortfalls_of(count: ResultStage, *required: Requirement) -> list[tuple[int, int, bool]]:
    row = Result(
        implementation="toy",
        stages={Stage.NORMALIZE: count},
        blamed={},
        failing_inputs=0,
        seconds=0.0,
        load_error=None,
    )
    found = shortfalls("t", row, fakes.Toy().info, frozenset(Field), required)
    return [(each.answered, each.asked, each.required) for each in found]


@pytest.mark.parametrize(
    ("answerable", "unanswered", "is_short"), [(100, 1, False), (100, 2, True), (0, 0, False), (1, 1, True)]
)
def test_of_what_the_baseline_answers_99_per_cent_are_enough(answerable: int, unanswered: int, is_short: bool) -> None:
    count = ResultStage(
        inputs={},
        values={},
        unsupported_fields={},
        questions=2 * answerable,
        answerable=answerable,
        unanswered_fields={Field.TEXT: unanswered},
    )
    expected = [(answerable - unanswered, answerable, False)] if is_short else []
    assert shortfalls_of(count) == expected


@pytest.mark.parametrize(
    ("questions", "hidden", "is_short"), [(100, 1, False), (100, 2, True), (0, 0, True), (100, 0, False)]
)
def test_of_what_is_required_99_per_cent_of_the_questions_are_enough_and_none_are_not(
    questions: int, hidden: int, is_short: bool
) -> None:
    count = ResultStage(
        inputs={},
        values={},
        unsupported_fields={Field.TEXT: hidden},
        questions=questions,
        answerable=questions // 2,
        unanswered_fields={Field.TEXT: hidden},
    )
    expected = [(questions - hidden, questions, True)] if is_short else []
    assert shortfalls_of(count, Requirement(Stage.NORMALIZE)) == expected


@pytest.mark.parametrize(
    ("requirement", "conclusion"),
    [
        (Requirement(Stage.MODEL, Field.IDS), Conclusion.CONFORM),
        (Requirement(Stage.DECODE), Conclusion.CONFORM),
        (Requirement(Stage.MODEL, Field.OFFSETS), Conclusion.TOO_LITTLE),
        (Requirement(Stage.MODEL), Conclusion.TOO_LITTLE),
        (Requirement(Stage.NORMALIZE), Conclusion.TOO_LITTLE),
    ],
)
def test_what_is_required_must_have_been_compared(
    events_of: EventsOf, requirement: Requirement, conclusion: Conclusion
) -> None:
    end = finished(events_of(fakes.IdsOnly, required=(requirement,)))
    assert end.conclusion is conclusion
    assert all(each.required for each in end.shortfalls)


def test_what_was_not_answered_outweighs_a_difference(events_of: EventsOf) -> None:
    end = finished(events_of(fakes.IdsOnly, fakes.LossyDecode, required=(Requirement(Stage.NORMALIZE),)))
    assert (end.conclusion, end.exit_status) == (Conclusion.TOO_LITTLE, 3)
    assert end.differences


@pytest.mark.long
def test_the_command_says_how_much_was_compared(tokconf: CommandLine, toy_tokenizer: object) -> None:
    arguments = ("run", str(toy_tokenizer), "-i", "toy", "ids-only", "-k", "contractions")
    good = tokconf.run(*arguments)
    assert good.status == 0
    assert "Compared, of all values: normalize 0 %, pre_tokenize 0 %, model " in good.out
    bad = tokconf.run(*arguments, "--require", "decode", "model:offsets")
    assert bad.status == 3
    assert "ids-only answered 0 % of " in bad.out
    assert " questions about offsets at model, which --require asks for (99 % are needed)" in bad.out
    assert "too little was answered" in bad.out


@pytest.mark.long_but(1)
@pytest.mark.parametrize("way", ["in-process", "isolate"])
def test_what_a_tokenizer_shows_is_told_over_the_protocol_too(
    tokconf: CommandLine, toy_tokenizer: object, way: str
) -> None:
    arguments = ("run", str(toy_tokenizer), "-k", "contractions", "-i", "toy")
    where = {"TOKCONF_IN_PROCESS": "", "TOKCONF_ISOLATE": "all"} if way == "isolate" else {}
    good = tokconf.run(*arguments, "modest", **where)
    assert (good.status, good.err) == (0, "")
    assert "modest: missing in some answers or in all, and not compared there: offsets" in " ".join(good.out.split())
    assert tokconf.run(*arguments, "modest", "--require", "model:offsets", **where).status == 3
    bad = tokconf.run(*arguments, "boasting", **where)
    assert bad.status == 3
    assert "about offsets at model, which it says it shows (99 % are needed)" in " ".join(bad.out.split())


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("model:spelling",), "'model:spelling' is no STAGE or STAGE:FIELD"),
        (("normalize:ids",), "'normalize:ids' is no STAGE or STAGE:FIELD; choose from normalize: text;"),
        (("model", "--stage", "decode"), "--require model: --stage or --field leaves that out"),
    ],
)
def test_what_cannot_be_required_is_said(
    tokconf: CommandLine, toy_tokenizer: object, words: tuple[str, ...], message: str
) -> None:
    result = tokconf.run("run", str(toy_tokenizer), "-i", "toy", "ids-only", "--require", *words)
    assert result.status == 2
    assert message in " ".join(result.err.split())


# Extra questions -----------------------------------------------------------------------------------------------------

TEXTS = ("abc", "aBc d", "zebra crossing")


def results(events: list[Event]) -> dict[Stage, ResultStage]:
    (event,) = (event for event in events if isinstance(event, TokenizerFinished))
    (result,) = event.results
    return dict(result.stages)


def test_extra_questions_need_no_answer(events_of: EventsOf) -> None:
    """The baseline has words, batches and streams; an implementation without them conforms, and that is counted."""
    events = events_of(
        fakes.Utf8, baseline=fakes.Generous.name, implementations=(fakes.Generous(), fakes.Utf8()), texts=TEXTS
    )
    stages = results(events)
    end = finished(events)
    assert end.conclusion is Conclusion.CONFORM
    assert all(share.compared == share.of for share in end.shares.values())
    assert stages[Stage.POST_PROCESS].questions == 3 * len(TEXTS)
    assert stages[Stage.POST_PROCESS].extra_answerable == len(TEXTS) + 2, "a batch for each, words of two"
    assert stages[Stage.POST_PROCESS].extra_unanswered == len(TEXTS) + 2
    assert stages[Stage.DECODE].extra_unanswered == stages[Stage.DECODE].extra_answerable > 0
    assert not any(count.unsupported_fields for count in stages.values())


def test_extra_questions_that_are_answered_count_like_others(events_of: EventsOf) -> None:
    events = events_of(
        implementations=(fakes.Generous(), fakes.AlsoGenerous()), baseline=fakes.Generous.name, texts=TEXTS
    )
    few = results(events_of(fakes.Utf8, texts=TEXTS))
    stages = results(events)
    assert finished(events).conclusion is Conclusion.CONFORM
    assert stages[Stage.POST_PROCESS].extra_answerable == len(TEXTS) + 2
    assert stages[Stage.POST_PROCESS].extra_unanswered == 0
    assert stages[Stage.POST_PROCESS].compared > few[Stage.POST_PROCESS].compared


def test_an_extra_question_whose_answer_differs_is_a_difference(events_of: EventsOf) -> None:
    events = events_of(
        implementations=(fakes.Generous(), fakes.WrongBatch()), baseline=fakes.Generous.name, texts=TEXTS
    )
    assert finished(events).conclusion is Conclusion.DIFFERENCES
    assert results(events)[Stage.POST_PROCESS].inputs[Verdict.DIFFER] == len(TEXTS)


def test_the_baseline_need_not_answer_extra_questions(events_of: EventsOf) -> None:
    events = events_of(implementations=(fakes.Toy(), fakes.Generous()), baseline=fakes.Toy.name, texts=TEXTS)
    assert finished(events).conclusion is Conclusion.CONFORM
    assert results(events)[Stage.DECODE].extra_answerable == 0


@pytest.mark.long
def test_the_command_says_which_extra_questions_had_no_answer(tokconf: CommandLine, toy_tokenizer: object) -> None:
    result = tokconf.run("run", str(toy_tokenizer), "-i", "generous", "toy", "--baseline", "generous", "-k", "digits")
    assert result.status == 0
    assert "toy: no answer about words, batches, streams, changes and answers to continue: model " in result.out


# Fields that differ ---------------------------------------------------------------------------------------------------


def test_fields_that_differ_are_counted_by_input_apart_from_pairs(events_of: EventsOf) -> None:
    """The fake gives the second text of a pair the type of the first, and does nothing else wrong."""

    class OneType(fakes.Toy):
        name = "one-type"

        class subject(fakes.ToySubject):  # noqa: N801
            def encode(self, text: str, pair: str | None, add_special_tokens: bool) -> Outcome:
                answer = super().encode(text, pair, add_special_tokens)
                return replace(answer, type_ids=(0,) * len(answer.ids)) if isinstance(answer, Encoded) else answer

    stages = results(events_of(OneType, texts=TEXTS))
    assert stages[Stage.MODEL].differing_fields == {}
    assert stages[Stage.POST_PROCESS].differing_fields == {}
    assert stages[Stage.POST_PROCESS].differing_pairs == {Field.TYPE_IDS: len(TEXTS)}


def test_an_error_differs_in_every_field_and_an_extra_question_in_none(events_of: EventsOf) -> None:
    raising = results(events_of(fakes.Raising, texts=("abc", "x")))
    failed = {field: count for field, count in raising[Stage.MODEL].differing_fields.items() if count}
    assert failed == dict.fromkeys(compared_fields(Stage.MODEL), raising[Stage.MODEL].inputs[Verdict.ERROR])
    batch = results(
        events_of(implementations=(fakes.Generous(), fakes.WrongBatch()), baseline=fakes.Generous.name, texts=TEXTS)
    )
    assert batch[Stage.POST_PROCESS].differing_fields == batch[Stage.POST_PROCESS].differing_pairs == {}
