"""The engine finds every planted fault at its own stage, counts honestly, and survives whatever implementations do."""

from __future__ import annotations

import gc
import io
import weakref
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

import fake_implementations as fakes
import pytest
from rich.console import Console

from tokenizer_adapters.contract import (
    ENCODING_FIELDS,
    PIPELINE_STAGES,
    CannotLoadError,
    Decode,
    Encode,
    Field,
    PreTokenize,
    Stage,
    Text,
    Unsupported,
)
from tokenizer_conformance import BadInputError, Conclusion, Input, RunPlan, Verdict, read_corpus, run
from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.comparison.differences import DifferenceKind
from tokenizer_conformance.comparison.record_forms import question_of
from tokenizer_conformance.inputs.corpus import EVERYTHING, Corpus, sampled
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.results.page_reports import PageMarkdown
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.run import Difference, Loaded, LoadFailed
from tokenizer_conformance.results.terminal import PageTerminal
from tokenizer_conformance.validation.running import engine, shrinking
from tokenizer_conformance.validation.running.events import (
    InputCompared,
    RunFinished,
    RunStarted,
    TokenizerFinished,
)
from tokenizer_conformance.validation.running.page import RUNS
from tokenizer_conformance.validation.running.plan import EXAMPLES_PER_FINDING
from tokenizer_conformance.validation.running.record import lines_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokenizer_adapters.contract import Observation, Outcome, TokenizerSource
    from tokenizer_conformance import Event
    from tokenizer_conformance.comparison.findings import Finding
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.results.records.run import Result

    EventsOf = Callable[..., list[Event]]

T = TypeVar("T")


def of_type(events: list[Event], kind: type[T]) -> list[T]:
    return [event for event in events if isinstance(event, kind)]


def question_in(line: Difference) -> Observation:
    return question_of(json_of(line.question))


def only_row(events: list[Event]) -> Result:
    (finished,) = of_type(events, TokenizerFinished)
    (row,) = finished.results
    return row


def conclusion(events: list[Event]) -> RunFinished:
    last = events[-1]
    assert isinstance(last, RunFinished)
    return last


PLANTED: list[tuple[type[fakes.Toy], Stage, set[Field], set[Stage]]] = [
    (fakes.WrongNormalization, Stage.NORMALIZE, {Field.TEXT}, {Stage.MODEL, Stage.POST_PROCESS}),
    (fakes.WrongPieces, Stage.PRE_TOKENIZE, {Field.PIECES, Field.OFFSETS}, {Stage.MODEL, Stage.POST_PROCESS}),
    (fakes.ShiftedOffset, Stage.MODEL, {Field.OFFSETS}, {Stage.POST_PROCESS}),
    (fakes.SwappedMerge, Stage.MODEL, {*ENCODING_FIELDS} - {Field.OVERFLOWING}, {Stage.POST_PROCESS}),
    (fakes.WrongSpecialToken, Stage.POST_PROCESS, {Field.IDS, Field.TOKENS}, set()),
    (fakes.LossyDecode, Stage.DECODE, {Field.TEXT}, set()),
]
"""Each fault with its stage, the fields it shows in there, and the stages that suffer from it."""


@pytest.mark.parametrize(("fake", "stage", "fields", "later"), PLANTED, ids=[fake.__name__ for fake, *_ in PLANTED])
def test_a_planted_fault_is_reported_at_its_stage_and_nowhere_earlier(
    events_of: EventsOf,
    fake: type[fakes.Toy],
    stage: Stage,
    fields: set[Field],
    later: set[Stage],
) -> None:
    events = events_of(fake)
    (finished,) = of_type(events, TokenizerFinished)
    own = {finding.signature.field for finding in finished.findings if finding.signature.stage is stage}
    row = only_row(events)

    assert own == fields
    assert {finding.signature.stage for finding in finished.findings} == {stage} | later
    assert all(finding.is_consequence for finding in finished.findings if finding.signature.stage is not stage), (
        "what follows from the fault is marked as its consequence"
    )
    assert not any(finding.consequences for finding in finished.findings if finding.signature.stage is stage)
    assert set(row.blamed) == {stage}
    assert 0 < sum(row.blamed.values()) <= row.failing_inputs
    assert all(found.differs_at is stage for found in of_type(events, Difference))
    assert conclusion(events).conclusion is Conclusion.DIFFERENCES


@pytest.mark.parametrize("fake", [fakes.Utf8, fakes.IdsOnly], ids=lambda fake: fake.__name__)
def test_a_correct_implementation_conforms(events_of: EventsOf, fake: type[fakes.Toy]) -> None:
    events = events_of(fake)
    assert not of_type(events, Difference)
    assert conclusion(events).conclusion is Conclusion.CONFORM
    assert conclusion(events).exit_status == 0


def test_the_pair_of_a_text_with_a_faulty_neighbour_is_a_consequence(events_of: EventsOf) -> None:
    events = events_of(fakes.SwappedMerge, texts=("d", "abc", "d", "d"))
    differences = of_type(events, Difference)
    in_neighbour = [each for each in differences if each.input.id == "text 0"]
    assert in_neighbour
    assert {each.consequence_of for each in in_neighbour} == {Stage.MODEL}
    assert {each.input.id for each in differences} == {"text 0", "text 1"}
    row = only_row(events)
    assert row.failing_inputs == 2
    assert row.blamed == {Stage.MODEL: 1}, "the neighbour is not to blame"


class WrongPiecesAndSpecialToken(fakes.Toy):
    """Splits at hyphens where it is asked for pieces and nowhere else, and ends with another special token."""

    name = "wrong-pieces-and-special-token"

    class subject(fakes.WrongSpecialToken.subject):  # noqa: N801
        def observe(self, observation: Observation) -> Outcome:
            if isinstance(observation, PreTokenize):
                return fakes.WrongPieces.subject().observe(observation)
            return super().observe(observation)


def test_blame_falls_on_pre_tokenization_where_only_post_processing_differs_after_it(events_of: EventsOf) -> None:
    events = events_of(WrongPiecesAndSpecialToken, texts=("a-b", "c-d"))
    row = only_row(events)
    assert row.stages[Stage.MODEL].inputs == {Verdict.AGREE: 2}
    assert row.stages[Stage.POST_PROCESS].inputs == {Verdict.DIFFER: 2}
    assert row.blamed == {Stage.PRE_TOKENIZE: 2}
    (finished,) = of_type(events, TokenizerFinished)
    at_end = [finding for finding in finished.findings if finding.signature.stage is Stage.POST_PROCESS]
    assert at_end
    assert all(finding.is_consequence for finding in at_end)
    assert {each.differs_at for each in of_type(events, Difference)} == {Stage.PRE_TOKENIZE}
    name = WrongPiecesAndSpecialToken.name
    assert f"{name}: 2 inputs differ, first at pre_tokenize 2\n" in shown(events)
    assert f"{name}: consequences of earlier stages: post_process (ids, tokens)\n" in shown(events)


def test_each_input_is_blamed_on_its_own_first_stage(events_of: EventsOf) -> None:
    events = events_of(WrongPiecesAndSpecialToken, texts=("a-b", "c", "d"))
    assert only_row(events).blamed == {Stage.PRE_TOKENIZE: 1, Stage.POST_PROCESS: 2}
    assert "3 inputs differ, first at pre_tokenize 1, post_process 2\n" in shown(events)
    explained = {
        (each.input.id, question.pair): each.consequence_of
        for each in of_type(events, Difference)
        if isinstance(question := question_in(each), Encode)
    }
    assert explained == {
        ("text 0", None): Stage.PRE_TOKENIZE,
        ("text 0", "c"): Stage.PRE_TOKENIZE,
        ("text 1", None): None,
        ("text 1", "d"): None,
        ("text 2", None): None,
        ("text 2", "a-b"): Stage.PRE_TOKENIZE,
    }


def test_what_several_stages_explain_is_a_consequence_of_the_first(events_of: EventsOf) -> None:
    events = events_of(fakes.WrongNormalization, texts=("aBc",))
    after = [each for each in of_type(events, Difference) if each.stage is Stage.POST_PROCESS]
    assert after
    assert {each.consequence_of for each in after} == {Stage.NORMALIZE}


class WrongInTwoPlaces(fakes.Toy):
    """Leaves a capital B as it is, and ends with another special token."""

    name = "wrong-in-two-places"

    class subject(fakes.WrongNormalization.subject, fakes.WrongSpecialToken.subject):  # noqa: N801
        pass


@pytest.mark.parametrize("texts", [("B", "abcdef"), ("abcdef", "B")])
def test_the_smallest_example_is_no_consequence_of_an_earlier_stage(
    events_of: EventsOf, monkeypatch: pytest.MonkeyPatch, texts: tuple[str, ...]
) -> None:
    """However short one is: what it shows is another fault."""
    monkeypatch.setattr(shrinking, "MOST_SHRUNK", 0)
    (finished,) = of_type(events_of(WrongInTwoPlaces, texts=texts), TokenizerFinished)
    at_end = [finding for finding in finished.findings if finding.signature.stage is Stage.POST_PROCESS]
    own = [finding for finding in at_end if not finding.is_consequence]
    assert {finding.signature.field for finding in own} == {Field.IDS, Field.TOKENS}
    for finding in own:
        assert 0 < finding.consequences < finding.differences
        assert finding.smallest.input.text == "abcdef"
        assert finding.smallest.consequence_of is None
        assert finding.smallest.differs_at is Stage.POST_PROCESS
        assert finding.first.input.text == texts[0]


def test_a_text_that_differs_beside_one_of_a_sample_is_reported(events_of: EventsOf) -> None:
    """The pair in the sample differs since its second text does, which is no input of the sample itself."""
    texts = [Input(f"text {number}", "a", text) for number, text in enumerate(("d", "d", "abc", "d"))]
    corpus, _ = read_corpus([("texts", texts)])
    events = events_of(fakes.SwappedMerge, corpus=sampled(corpus, 2))
    assert {each.input.id for each in of_type(events, Difference)} == {"text 1", "text 2"}
    assert only_row(events).failing_inputs == 1
    of_sample, of_all = map(in_model, (events, events_of(fakes.SwappedMerge, corpus=corpus)))
    assert {each.smallest.input.text for each in of_sample} == {"abc"}
    assert [(each.signature, each.inputs, each.differences, each.consequences) for each in of_sample] == [
        (each.signature, each.inputs, each.differences, each.consequences) for each in of_all
    ], "a neighbour that is an input is reported once"


def in_model(events: list[Event]) -> list[Finding]:
    (finished,) = of_type(events, TokenizerFinished)
    return [each for each in finished.findings if each.signature.stage is Stage.MODEL]


def test_the_last_text_is_paired_with_the_first(events_of: EventsOf) -> None:
    events = events_of(fakes.SwappedMerge, texts=("abc", "d", "e"))
    pairs = {
        question.pair
        for each in of_type(events, Difference)
        if each.input.id == "text 2" and isinstance(question := question_in(each), Encode)
    }
    assert pairs == {"abc"}


def test_a_single_text_is_paired_with_itself(events_of: EventsOf) -> None:
    events = events_of(fakes.WrongSpecialToken, texts=("abc",))
    asked = map(question_in, of_type(events, Difference))
    assert "abc" in {question.pair for question in asked if isinstance(question, Encode)}


def test_the_pre_tokenizer_is_also_asked_about_normalized_text(events_of: EventsOf) -> None:
    asked = [
        question.text
        for question in map(question_in, of_type(events_of(fakes.WrongPieces, texts=("A-B",)), Difference))
        if isinstance(question, PreTokenize)
    ]
    assert set(asked) == {"A-B", "a-b"}


def test_everybody_decodes_the_ids_of_the_baseline(events_of: EventsOf) -> None:
    events = events_of(fakes.SwappedMerge, texts=("abc",))
    row = only_row(events)
    assert row.stages[Stage.MODEL].inputs == {Verdict.DIFFER: 1}
    assert row.stages[Stage.DECODE].inputs == {Verdict.AGREE: 1}


def test_counts_add_up(events_of: EventsOf) -> None:
    row = only_row(events_of(fakes.SwappedMerge))
    for stage, count in row.stages.items():
        assert sum(count.inputs.values()) == 6, stage
    # Nine fields: six texts alone at the model; with special tokens, and two pairs of each, after it.
    assert sum(row.stages[Stage.MODEL].values.values()) == 6 * 9
    assert sum(row.stages[Stage.POST_PROCESS].values.values()) == 6 * 3 * 9
    assert sum(row.stages[Stage.DECODE].values.values()) == 6 * 2


VERDICTS: list[tuple[type[fakes.Toy], Verdict, Conclusion]] = [
    (fakes.Raising, Verdict.ERROR, Conclusion.DIFFERENCES),
    (fakes.Crashing, Verdict.CRASH, Conclusion.IMPLEMENTATION_FAILED),
    (fakes.Hanging, Verdict.TIMEOUT, Conclusion.IMPLEMENTATION_FAILED),
    (fakes.Garbling, Verdict.PROTOCOL, Conclusion.IMPLEMENTATION_FAILED),
]


@pytest.mark.parametrize(("fake", "verdict", "expected"), VERDICTS, ids=[fake.__name__ for fake, *_ in VERDICTS])
def test_missing_answers_have_verdicts_of_their_own(
    events_of: EventsOf,
    fake: type[fakes.Toy],
    verdict: Verdict,
    expected: Conclusion,
) -> None:
    events = events_of(fake, texts=("abc", "x", "ab"))
    row = only_row(events)
    assert row.stages[Stage.NORMALIZE].inputs == {verdict: 1, Verdict.AGREE: 2}
    assert row.stages[Stage.DECODE].inputs == {Verdict.AGREE: 3}
    assert conclusion(events).conclusion is expected


def test_errors_on_both_sides_are_no_agreement(toy_file: TokenizerFile, events_of: EventsOf) -> None:
    events = events_of(
        implementations=(fakes.Raising(), fakes.AlsoRaising()),
        baseline="raising",
        texts=("abc", "x"),
    )
    row = only_row(events)
    assert row.stages[Stage.NORMALIZE].inputs == {Verdict.AGREE: 1, Verdict.BOTH_ERROR: 1}
    assert row.stages[Stage.MODEL].values[Verdict.BOTH_ERROR] == 1
    assert conclusion(events).conclusion is Conclusion.CONFORM
    # Where the baseline has no ids, there is nothing to decode.
    assert row.stages[Stage.DECODE].inputs == {Verdict.AGREE: 1}
    assert toy_file.source.name == "toy-tokenizer"


def test_a_run_in_which_both_sides_only_fail_has_compared_nothing(events_of: EventsOf) -> None:
    events = events_of(implementations=(fakes.Raising(), fakes.AlsoRaising()), baseline="raising", texts=("x",))
    assert conclusion(events).conclusion is Conclusion.NOTHING_COMPARED
    assert conclusion(events).exit_status == 3


def test_an_implementation_that_shows_nothing_does_not_conform(events_of: EventsOf) -> None:
    events = events_of(fakes.Mute)
    assert only_row(events).stages[Stage.MODEL].inputs == {Verdict.UNSUPPORTED: 6}
    assert conclusion(events).conclusion is Conclusion.NOTHING_COMPARED


def test_one_implementation_that_shows_nothing_spoils_a_run_with_others(events_of: EventsOf) -> None:
    assert conclusion(events_of(fakes.Utf8, fakes.Mute)).conclusion is Conclusion.NOTHING_COMPARED


def test_fields_that_one_side_lacks_are_counted_as_unsupported(events_of: EventsOf) -> None:
    row = only_row(events_of(fakes.IdsOnly))
    count = row.stages[Stage.MODEL]
    assert row.stages[Stage.NORMALIZE].inputs == {Verdict.UNSUPPORTED: 6}
    assert count.inputs == {Verdict.AGREE: 6}
    assert count.values == {Verdict.AGREE: 6, Verdict.UNSUPPORTED: 6 * 8}
    assert count.unsupported_fields[Field.OFFSETS] == 6


def test_an_adapter_that_breaks_its_contract_has_crashed(events_of: EventsOf) -> None:
    events = events_of(fakes.Unruly)
    row = only_row(events)
    assert row.stages[Stage.NORMALIZE].inputs == {Verdict.CRASH: 6}
    assert row.stages[Stage.PRE_TOKENIZE].inputs == {Verdict.CRASH: 6}
    assert conclusion(events).conclusion is Conclusion.IMPLEMENTATION_FAILED


def test_offsets_inside_characters_are_differences(events_of: EventsOf) -> None:
    (finished,) = of_type(events_of(fakes.InsideCharacter), TokenizerFinished)
    kinds = {finding.signature.kind.value for finding in finished.findings}
    assert kinds == {"offset inside a character", "other values"}


# Loading -------------------------------------------------------------------------------------------------------------


def test_a_tokenizer_that_one_implementation_refuses_is_its_failure(events_of: EventsOf) -> None:
    events = events_of(fakes.CannotLoad, fakes.Utf8)
    (failed,) = of_type(events, LoadFailed)
    (finished,) = of_type(events, TokenizerFinished)
    assert failed.implementation == "cannot-load"
    assert [row.load_error is None for row in finished.results] == [False, True]
    assert finished.results[1].compared > 0, "the others are compared all the same"
    assert conclusion(events).exit_status == 3


def test_a_tokenizer_that_the_baseline_refuses_cannot_be_compared(events_of: EventsOf) -> None:
    events = events_of(implementations=(fakes.CannotLoad(), fakes.Toy()), baseline="cannot-load")
    (finished,) = of_type(events, TokenizerFinished)
    assert finished.baseline_load_error is not None
    assert only_row(events).compared == 0
    assert conclusion(events).exit_status == 3


def test_a_tokenizer_that_nobody_was_compared_on_is_no_success(toy_file: TokenizerFile, events_of: EventsOf) -> None:
    """Whoever was not asked for by name need not load every tokenizer; somebody has to."""

    class Choosy(fakes.Toy):
        name = "choosy"

        def load(self, source: TokenizerSource) -> fakes.ToySubject:
            if source.name == "again":
                raise CannotLoadError("choosy cannot load again: it has had enough")
            return super().load(source)

    two = (toy_file, replace(toy_file, source=replace(toy_file.source, name="again")))
    optional = frozenset({"choosy", "utf8"})
    alone = events_of(Choosy, tokenizers=two, optional=optional)
    assert conclusion(alone).conclusion is Conclusion.NOTHING_COMPARED
    beside_another = events_of(Choosy, fakes.Utf8, tokenizers=two, optional=optional)
    assert conclusion(beside_another).conclusion is Conclusion.CONFORM


def test_a_tokenizer_that_all_refuse_is_bad_input(events_of: EventsOf) -> None:
    class AlsoRefusing(fakes.CannotLoad):
        name = "also-refusing"

    events = events_of(implementations=(fakes.CannotLoad(), AlsoRefusing()), baseline="cannot-load")
    (refused,) = of_type(events, InputRefused)
    assert "it never does (refused by also-refusing too)" in refused.refusal.reason
    assert not of_type(events, TokenizerFinished)
    assert conclusion(events).exit_status == 2


def test_what_was_given_and_is_no_good_outweighs_what_is_not_installed(events_of: EventsOf) -> None:
    bad = Rejected("inputs file", "x.txt", "is no text")
    missing = Rejected("implementation", "missing", "pip install missing")
    for options, expected in (
        ({"refusals": (bad,), "unavailable": (missing,)}, Conclusion.BAD_INPUT),
        ({"refusals": (bad,)}, Conclusion.BAD_INPUT),
        ({"unavailable": (missing,)}, Conclusion.IMPLEMENTATION_FAILED),
    ):
        assert conclusion(events_of(fakes.LossyDecode, **options)).conclusion is expected


# What is asked -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", PIPELINE_STAGES)
def test_only_the_wanted_stage_is_compared(events_of: EventsOf, stage: Stage) -> None:
    row = only_row(events_of(fakes.Utf8, stages=(stage,)))
    assert set(row.stages) == {stage}
    assert row.stages[stage].compared > 0


def test_only_the_wanted_fields_are_compared(events_of: EventsOf) -> None:
    row = only_row(events_of(fakes.ShiftedOffset, fields=frozenset({Field.IDS})))
    assert set(row.stages) == {Stage.MODEL, Stage.POST_PROCESS}
    assert not row.has(Verdict.DIFFER)
    assert row.stages[Stage.MODEL].values == {Verdict.AGREE: 6}


def test_every_id_is_decoded_alone(events_of: EventsOf) -> None:
    events = events_of(fakes.LossyDecode, texts=("abc",), every_id=True)
    (finished,) = of_type(events, TokenizerFinished)
    assert finished.ids == len(fakes.VOCABULARY)
    assert only_row(events).stages[Stage.DECODE].inputs == {
        Verdict.AGREE: len(fakes.VOCABULARY),
        Verdict.DIFFER: 1,
    }
    z = fakes.VOCABULARY["z"]
    assert {question_in(each) for each in of_type(events, Difference)} == {
        Decode((z,), skip_special_tokens=False),
        Decode((z,), skip_special_tokens=True),
    }


def test_each_id_that_differs_is_an_input_of_its_own(events_of: EventsOf) -> None:
    class LosesLetters(fakes.Toy):
        name = "loses-letters"

        class subject(fakes.ToySubject):  # noqa: N801
            def decode(self, ids: Sequence[int], skip_special_tokens: bool) -> Outcome:  # noqa: ARG002
                return Text("".join(fakes.TOKENS[number] for number in ids).translate(dict.fromkeys(map(ord, "xyz"))))

    events = events_of(LosesLetters, texts=("x", "abc", "z"), every_id=True, stages=(Stage.DECODE,))
    found = {
        finding.signature.kind: (finding.inputs, finding.differences)
        for finding in of_type(events, TokenizerFinished)[0].findings
    }
    letters, special = 2 + 3, len(fakes.SPECIAL)
    # A letter is lost whether special tokens are kept or not; these are shown where they are to be skipped.
    assert found == {DifferenceKind.VALUES: (3 + 3 + special, 2 * letters + special + 1)}
    assert only_row(events).failing_inputs == 3 + 3 + special


def test_every_id_needs_a_vocabulary(events_of: EventsOf) -> None:
    class MuteBaseline(fakes.Toy):
        name = "mute-baseline"

        class subject(fakes.ToySubject):  # noqa: N801
            def vocabulary(self) -> dict[str, int]:
                raise RuntimeError

    events = events_of(implementations=(MuteBaseline(), fakes.Mute()), baseline="mute-baseline", every_id=True)
    assert of_type(events, TokenizerFinished)[0].ids == 0
    assert conclusion(events).conclusion is Conclusion.NOTHING_COMPARED


NO_VOCABULARY = "no id was decoded alone, which --every-id asks for: no implementation shows a vocabulary that has one"


@pytest.mark.parametrize("vocabulary", [Unsupported("none"), {}], ids=["unsupported", "empty"])
def test_what_agrees_in_all_but_has_no_ids_to_decode_does_not_conform(
    events_of: EventsOf, vocabulary: dict[str, int] | Unsupported
) -> None:
    class WithoutVocabulary(fakes.Toy):
        name = "without-vocabulary"

        class subject(fakes.ToySubject):  # noqa: N801
            def vocabulary(self) -> dict[str, int] | Unsupported:
                return vocabulary

    class AlsoWithout(WithoutVocabulary):
        name = "also-without"

    both = {"implementations": (WithoutVocabulary(), AlsoWithout()), "baseline": "without-vocabulary"}
    events = events_of(**both, every_id=True)
    assert conclusion(events).conclusion is Conclusion.TOO_LITTLE
    assert conclusion(events).exit_status == 3
    assert NO_VOCABULARY in shown(events)
    # Either side's vocabulary is enough, and decoding has to be wanted.
    for others in (
        {"implementations": (WithoutVocabulary(), fakes.Toy()), "baseline": "without-vocabulary", "every_id": True},
        {"implementations": (fakes.Toy(), WithoutVocabulary()), "baseline": "toy", "every_id": True},
        {**both, "every_id": False},
        {**both, "every_id": True, "stages": (Stage.MODEL,)},
    ):
        events = events_of(**others)
        assert conclusion(events).conclusion is Conclusion.CONFORM
        assert NO_VOCABULARY not in shown(events)


def shown(events: list[Event]) -> str:
    """Return what the terminal shows; what it says of ids that were not decoded, the Markdown report says too."""
    console, written = Console(file=io.StringIO(), width=1000), io.BytesIO()
    reports = PageTerminal(RUNS, lines_of, console, console), PageMarkdown(RUNS, lines_of, written)
    for event in events:
        for report in reports:
            report.handle(event)
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert (b"no id was decoded alone" in written.getvalue()) == (NO_VOCABULARY in text)
    return text


def test_an_id_that_two_tokens_have_is_decoded_once(events_of: EventsOf) -> None:
    class Doubled(fakes.Toy):
        name = "doubled"

        class subject(fakes.ToySubject):  # noqa: N801
            def vocabulary(self) -> dict[str, int]:
                return {"a": 4, "A": 4, "b": 5}

    events = events_of(implementations=(Doubled(), fakes.Utf8()), baseline="doubled", texts=("abc",), every_id=True)
    assert [(each.done, each.total) for each in of_type(events, InputCompared)] == [(1, 3), (2, 3), (3, 3)]


# Events --------------------------------------------------------------------------------------------------------------


def test_events_come_in_order(events_of: EventsOf) -> None:
    events = events_of(fakes.Utf8)
    assert [kind for kind, _ in Counter(type(event).__name__ for event in events).items()] == [
        kind.__name__ for kind in (RunStarted, Loaded, InputCompared, TokenizerFinished, RunFinished)
    ]
    progress = of_type(events, InputCompared)
    assert [(each.done, each.total) for each in progress] == [(number, 6) for number in range(1, 7)]


def test_reported_differences_are_bounded_and_counted_ones_are_not(events_of: EventsOf) -> None:
    count = EXAMPLES_PER_FINDING + 50
    events = events_of(fakes.LossyDecode, texts=("z",) * count, stages=(Stage.DECODE,))
    (finding,) = of_type(events, TokenizerFinished)[0].findings
    assert len(of_type(events, Difference)) == EXAMPLES_PER_FINDING
    assert finding.differences == 2 * count
    assert finding.inputs == count


def test_a_finding_keeps_its_first_and_its_smallest_example(events_of: EventsOf) -> None:
    events = events_of(fakes.LossyDecode, texts=("zebra", "abc", "z", "zoo"), stages=(Stage.DECODE,))
    (finding,) = of_type(events, TokenizerFinished)[0].findings
    assert finding.first.input.text == "zebra"
    assert finding.smallest.input.text == "z"


# Stopping ------------------------------------------------------------------------------------------------------------


def test_max_fail_stops_the_run_and_says_so(events_of: EventsOf) -> None:
    events = events_of(fakes.LossyDecode, texts=("z",) * 9, max_failing=2)
    (finished,) = of_type(events, TokenizerFinished)
    assert finished.inputs == 2
    assert not finished.complete
    assert conclusion(events).finished is False
    assert conclusion(events).reason == "stopped at failing input number 2, as asked"
    assert conclusion(events).conclusion is Conclusion.DIFFERENCES


def test_a_run_that_stops_at_its_last_input_is_complete(events_of: EventsOf) -> None:
    for texts, is_complete in ((("abc", "z"), True), (("abc", "z", "abc"), False)):
        events = events_of(fakes.LossyDecode, texts=texts, max_failing=1, stages=(Stage.DECODE,))
        (finished,) = of_type(events, TokenizerFinished)
        assert (finished.inputs, finished.complete) == (2, is_complete)


def test_of_a_tokenizer_that_was_not_done_it_is_not_said_that_too_little_was_answered(events_of: EventsOf) -> None:
    for texts, are_told in ((("abc", "zebra"), True), (("zebra", "abc"), False)):
        events = events_of(fakes.Boasting, fakes.LossyDecode, texts=texts, max_failing=1)
        assert bool(conclusion(events).shortfalls) is are_told


def test_an_interrupt_in_the_engine_leaves_a_partial_result(events_of: EventsOf) -> None:
    events = events_of(fakes.Interrupted)
    (finished,) = of_type(events, TokenizerFinished)
    assert (finished.inputs, finished.complete) == (2, False)
    assert finished.results[0].stages[Stage.POST_PROCESS].inputs == {Verdict.AGREE: 2}
    assert conclusion(events).reason == "interrupted"
    assert conclusion(events).exit_status == 130


def test_an_interrupt_thrown_at_any_event_leaves_a_partial_result(toy_file: TokenizerFile) -> None:
    def plan() -> RunPlan:
        implementations = (fakes.Toy(), fakes.LossyDecode())
        corpus, _ = read_corpus([("test", (Input("z", "test", "z"),) * 3)])
        return RunPlan(tokenizers=(toy_file,), implementations=implementations, baseline="toy", corpus=corpus)

    for place in range(len(list(run(plan()))) - 1):
        engine = run(plan())
        seen = [next(engine) for _ in range(place + 1)]
        seen.append(engine.throw(KeyboardInterrupt()))
        seen += list(engine)
        assert isinstance(seen[-1], RunFinished), place
        assert seen[-1].conclusion is Conclusion.INTERRUPTED, place
        assert [type(event) for event in seen].count(RunFinished) == 1, place
        assert len(of_type(seen, TokenizerFinished)) <= 1, place


def test_a_file_that_becomes_unreadable_during_the_run_loses_nothing_before(toy_file: TokenizerFile) -> None:
    class Vanishing:
        def __iter__(self) -> Iterator[Input]:
            yield Input("a", "test", "abc")
            yield Input("b", "test", "abc")
            raise BadInputError("gone")

    corpus = Corpus((Vanishing(),), EVERYTHING, 3, "0" * 64)
    events = list(
        run(
            RunPlan(
                tokenizers=(toy_file,),
                implementations=(fakes.Toy(), fakes.Utf8()),
                baseline="toy",
                corpus=corpus,
            )
        )
    )
    (finished,) = of_type(events, TokenizerFinished)
    assert (finished.inputs, finished.complete) == (1, False)
    assert conclusion(events).exit_status == 2


def test_a_tokenizer_is_let_go_before_the_next_one_is_loaded(
    toy_file: TokenizerFile, events_of: EventsOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_cause_search", lambda _: SimpleNamespace(found=lambda _: ()))
    subjects: list[tuple[str, weakref.ref[object]]] = []
    still_there: dict[str, set[str]] = {}

    class Remembered(fakes.WrongNormalization):
        name = "remembered"

        def load(self, source: TokenizerSource) -> Any:
            if source.name not in still_there:
                gc.collect()
                still_there[source.name] = {name for name, each in subjects if each() is not None}
            subject = super().load(source)
            subjects.append((source.name, weakref.ref(subject)))
            return subject

    names = ("first", "second", "third")
    tokenizers = tuple(replace(toy_file, source=replace(toy_file.source, name=name)) for name in names)
    events_of(Remembered, tokenizers=tokenizers, texts=("aBc",), cause_seconds=1.0)
    assert still_there == {name: set() for name in names}
