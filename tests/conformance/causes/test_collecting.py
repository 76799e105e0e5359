"""Differences become causes: as many as there are faults, whatever number of inputs shows them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from planted.fakes import Fault, Faulty, reading
from planted.faults import FAULTS

from tokenizer_adapters.contract import After, Encode, Encoded, Normalize, PreTokenize, Stage, TokenizerSource
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.cause import NO_REASON, UNEXPLAINED, Reason
from tokenizer_conformance.causes.classes.entries import explained_by_an_entry
from tokenizer_conformance.causes.collecting import (
    MANY_CHARACTERS,
    OTHER_RULE,
    CauseCollector,
    Effort,
    merged,
)
from tokenizer_conformance.causes.minimizing import Budget
from tokenizer_conformance.causes.reasons import reason_of
from tokenizer_conformance.causes.record_forms import cause_of, cause_record
from tokenizer_conformance.comparison.questions import about_text
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from planted.faults import Planted

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.causes.witness import Witness

QUICK = Effort(minimizing=Budget(seconds=20.0, checks=600), cutting_down=Budget(seconds=0.0, checks=0))


def no_reason(_bench: Bench, _witness: Witness) -> Reason:
    return NO_REASON


def collected(
    faulty: Any,
    family: str,
    texts: list[tuple[str, str]],
    explain: Callable[[Bench, Witness], Reason] = no_reason,
    effort: Effort = QUICK,
) -> CauseCollector:
    """Return what comes of all differences of ``faulty`` on texts with ids."""
    with Bench(TokenizersImplementation(), faulty) as bench:
        trial = bench.trial(TokenizerSource(family, str(bundled_file(f"{family}-mini"))))
        collector = CauseCollector(bench, effort, explain)
        for name, text in texts:
            for question in about_text(text, baseline=trial.expected):
                if trial.differs(question):
                    collector.take(trial, question, name)
        return collector


def fault_called(name: str) -> Planted:
    return next(each for each in FAULTS if each.name == name)


TEXTS = [(each.id, each.text) for each in builtin_inputs()[::6]]
"""Every sixth built-in input; words with the culprits are put beside them."""


@pytest.mark.long_but(4)
@pytest.mark.parametrize(
    ("name", "text", "smallest"),
    [
        ("sharp-s", "Die Straße nach Gießen", Normalize("\u00df")),
        ("j-with-caron", "abc \u01f0def g", Normalize("\u01f0")),
        ("ligature-fi", "of \ufb01ne", Normalize("\ufb01")),
        ("titlecase-letter", "x \u01c5 y", PreTokenize("\u01c5")),
        ("prefix-space", "x y", PreTokenize("a")),
        ("merge-missing", "a   b", Encode("  ", add_special_tokens=False)),
        ("types-all-zero", "", None),
        ("words-from-one", "some words", None),
        ("no-special-tokens", "", Encode("")),
        ("offsets-in-units", "a \U0001f600 b", None),
        ("decoded-stripped", " a", None),
        ("short-words-only", "aaaaaaaaaaaaaaaaaaaaa b", None),
    ],
)
def test_a_fault_is_one_cause(name: str, text: str, smallest: object) -> None:
    fault = fault_called(name)
    faulty = Faulty(name, fault.fault)
    causes = collected(faulty, fault.family, [*TEXTS[::4], ("planted", text)]).causes()
    if name == "types-all-zero":  # no single text shows it
        assert not causes
        return
    if name == "decoded-stripped":  # where a text begins or ends with white space: no class of ids says so
        assert {cause.signature.manner.stage for cause in causes} == {Stage.DECODE}
        return
    assert len(causes) == 1
    assert causes[0].signature.manner.stage is fault.stage
    assert smallest is None or causes[0].witness.question == smallest
    assert "planted" in causes[0].examples or causes[0].inputs > len(causes[0].examples)


@pytest.mark.long
def test_many_differences_make_as_many_causes_as_there_are_faults() -> None:
    """Five faults on characters, one on pieces and one on encodings; thousands of differences."""
    wanted = ["sharp-s", "j-with-caron", "capital-i-with-dot", "no-break-space", "zero-width-space"]
    reads = {fault_called(name).fault for name in wanted}

    def spoil(question: object, outcome: object) -> object:
        if isinstance(question, Encode) and isinstance(outcome, Encoded) and outcome.special_tokens_mask:
            mask = tuple(1 - each for each in outcome.special_tokens_mask)
            return replace(outcome, special_tokens_mask=mask)
        return outcome

    def reword(question: Any) -> Any:
        for each in reads:
            question = each.reword(question)
        return question

    faulty = Faulty("seven", Fault(reword=reword, spoil=spoil))
    culprits = ["\u00df", "\u01f0", "\u0130", "\u00a0", "\u200b"]
    words = [f"w{number}{[*culprits, ''][number % 6]}x y{number}" for number in range(600)]
    collector = collected(faulty, "bert", [(f"text {number}", word) for number, word in enumerate(words)])
    causes = collector.causes()
    assert sum(cause.differences for cause in causes) + collector.consequences > 2000
    characters = {cause.signature.characters[:6] for cause in causes if cause.signature.manner.stage is Stage.NORMALIZE}
    assert characters == {f"U+{ord(each):04X}" for each in culprits}
    assert len(causes) in (6, 7)  # the mask of a text without special tokens and with them may be two


def test_what_is_left_when_known_culprits_are_harmless_is_another_cause() -> None:
    both = [fault_called(name).fault for name in ("sharp-s", "capital-i-with-dot")]
    faulty = Faulty("both", Fault(reword=lambda question: both[0].reword(both[1].reword(question))))
    causes = collected(faulty, "bert", [("one", "a\u00df"), ("two", "\u00df \u0130 \u00df")]).causes()
    assert sorted(cause.signature.characters[:6] for cause in causes) == ["U+00DF", "U+0130"]


@pytest.mark.long
def test_a_missing_entry_is_proven_and_a_limit_of_length_is_not_taken_for_one() -> None:
    def explain(bench: Bench, witness: Witness) -> Reason:
        return explained_by_an_entry(bench, witness) or NO_REASON

    fault = fault_called("merge-late")
    (cause,) = collected(Faulty("late", fault.fault), "gpt2", [("one", "the one")], explain).causes()
    assert cause.reason.name == "model-entry"
    assert "'n'" in cause.reason.parameter
    limit = fault_called("short-words-only")
    (cause,) = collected(Faulty("short", limit.fault), "bert", [("one", "abcabcabcabcabcabc")], explain).causes()
    assert cause.reason.name == UNEXPLAINED


def test_what_looks_like_a_proven_cause_is_explained_by_itself_or_not_at_all() -> None:
    """Two letters are read as others: that of the first is said to have a reason, and the second only looks like it."""

    def explain(_bench: Bench, witness: Witness) -> Reason:
        text = getattr(witness.question, "text", "")
        return Reason("case-folding", "of one letter", ("proven",)) if "\u00e9" in text else NO_REASON

    def read(text: str) -> str:
        return text.replace("\u00e9", "x").replace("\u00e8", "x")

    faulty = Faulty("letters", reading(read))
    causes = collected(faulty, "bert", [("one", "\u00e9"), ("two", "\u00e8")], explain).causes()
    assert sorted((cause.reason.name, cause.signature.characters[:6]) for cause in causes) == [
        ("case-folding", "U+00E9"),
        (UNEXPLAINED, "U+00E8"),
    ]


def test_what_each_place_may_be_alone_is_not_what_all_may_be() -> None:
    """Each of two characters may be any, as long as the other is a letter: that is not any text, nor the ideograph."""

    def spoil(question: object, outcome: object) -> object:
        if isinstance(question, Encode) and isinstance(outcome, Encoded) and isinstance(question.text, str):
            has_letter = any("a" <= each <= "z" for each in question.text)
            if (has_letter and len(question.text) > 1) or "\u4e2d" in question.text:
                return replace(outcome, ids=tuple(id_ + 1 for id_ in outcome.ids), tokens=None)
        return outcome

    texts = [(text, text) for text in ("word", "\u4e2d", "5.", "\u4e2d5")]
    causes = collected(Faulty("letters", Fault(spoil=spoil)), "bert", texts).causes()
    found = [cause.signature.characters for cause in causes if cause.signature.manner.stage is Stage.MODEL]
    assert sorted(found) == ["U+4E2D CJK UNIFIED IDEOGRAPH-4E2D", "any character + any character"]


def test_what_any_text_shows_explains_no_other_difference_in_the_same_field() -> None:
    """All ids are one more, which the reason says; and of one letter they are two more, which it does not."""

    def spoil(question: object, outcome: object) -> object:
        if isinstance(question, Encode) and isinstance(outcome, Encoded):
            more = 2 if question.text == "b" else 1
            return replace(outcome, ids=tuple(id_ + more for id_ in outcome.ids), tokens=None)
        return outcome

    def explain(bench: Bench, witness: Witness) -> Reason:
        trial = bench.trial_for(witness)
        assert trial is not None

        def explains(question: Any) -> bool:
            expected, actual = trial.expected(question), trial.actual(question)
            assert isinstance(expected, Encoded)
            assert isinstance(actual, Encoded)
            return tuple(id_ + 1 for id_ in expected.ids) == actual.ids

        if not isinstance(witness.question, Encode) or not explains(witness.question):
            return NO_REASON
        return Reason("merge-order", "one more", ("proven",), explains)

    texts = [(text, text) for text in ("a", "b", "c", "d e")]
    collector = collected(Faulty("more", Fault(spoil=spoil)), "bert", texts, explain)
    reasons = {cause.reason.name: cause for cause in collector.causes() if cause.signature.manner.stage is Stage.MODEL}
    assert set(reasons) == {"merge-order", UNEXPLAINED}
    assert reasons[UNEXPLAINED].examples == ("b",)


def test_characters_that_share_a_byte_are_one_cause() -> None:
    """A port that looks for white space among bytes takes 0xA0 for a no-break space."""

    def read(text: str) -> str:
        return "".join("x" if ord(each) > 0x7F and 0xA0 in each.encode() else each for each in text)

    faulty = Faulty("bytes", reading(read))
    texts = tuple("àƠݠአሠበⅠ■Ꭰ你𠀀ꚠé中")
    causes = collected(faulty, "bert", [(text, text) for text in texts]).causes()
    assert [cause.signature.characters for cause in causes] == ["characters with the byte 0xA0 in UTF-8"]


@pytest.mark.long
def test_of_many_missing_entries_none_is_proven_alone() -> None:
    def explain(bench: Bench, witness: Witness) -> Reason:
        return explained_by_an_entry(bench, witness) or NO_REASON

    words = [
        "about",
        "added",
        "after",
        "again",
        "beach",
        "books",
        "bread",
        "bridge",
        "clock",
        "copper",
        "dough",
        "eleven",
        "ferry",
    ]

    def without_words(document: dict[str, Any]) -> None:
        vocab = document["model"]["vocab"]
        document["model"]["vocab"] = {f"\ue000{word}" if word in words else word: at for word, at in vocab.items()}

    faulty = Faulty("words", Fault(change=without_words))
    found = collected(faulty, "bert", [(word, word) for word in words], explain).causes()
    causes = [cause for cause in found if cause.signature.manner.stage is Stage.MODEL]
    assert len(causes) == len(words)
    assert not any(cause.reason.is_proven for cause in causes)


def test_encoding_with_special_tokens_has_the_cause_that_encoding_without_them_has() -> None:
    fault = fault_called("mask-inverted")
    causes = collected(Faulty("mask", fault.fault), "bert", [("one", "a b"), ("none", "")]).causes()
    assert [cause.signature.manner.stage for cause in causes] == [Stage.MODEL]


@pytest.fixture
def cause() -> Cause:
    fault = fault_called("sharp-s")
    (cause,) = collected(Faulty("sharp", fault.fault), "bert", [("one", "a\u00df")]).causes()
    return cause


def test_a_cause_is_read_back_as_it_was_written(cause: Cause) -> None:
    record = cause_record(cause)
    assert record["answers"]["baseline"] != record["answers"]["implementation"]
    read = cause_of(json.loads(json.dumps(record)))
    assert read == cause
    assert cause_record(read) == record  # answers, too, which two equal causes need not have in common


def test_a_record_of_a_cause_without_answers_is_read(cause: Cause) -> None:
    record = cause_record(cause)
    del record["answers"]
    read = cause_of(record)
    assert read == cause
    assert cause_record(read) == record


def test_causes_that_are_one_keep_the_answers_of_the_smaller_witness(cause: Cause) -> None:
    larger = replace(cause, witness=replace(cause.witness, question=Normalize("a longer text"), answers=None))
    for causes in ([cause, larger], [larger, cause]):
        (joined,) = merged(causes)
        assert cause_record(joined)["answers"] == cause_record(cause)["answers"]


def test_causes_of_several_tokenizers_are_one_where_they_look_the_same(cause: Cause) -> None:
    other = replace(cause, tokenizers={"other": 2}, inputs=2, differences=3, examples=("two",))
    (joined,) = merged([cause, other])
    assert (joined.inputs, joined.differences) == (cause.inputs + 2, cause.differences + 3)
    assert dict(joined.tokenizers) == {"bert": 1, "other": 2}
    proven = replace(other, reason=Reason("offset-unit", "UTF-8 bytes", ("said",)))
    assert len(merged([cause, proven])) == 2
    elsewhere = replace(proven, signature=replace(cause.signature, component="decoder: Fuse"))
    assert len(merged([proven, elsewhere])) == 1
    assert len(merged([cause, replace(other, implementation="another")])) == 2


def test_a_restored_cause_goes_on_counting(cause: Cause) -> None:
    fault = fault_called("sharp-s")
    with Bench(TokenizersImplementation(), Faulty("sharp", fault.fault)) as bench:
        trial = bench.trial(TokenizerSource("bert", str(bundled_file("bert-mini"))))
        collector = CauseCollector(bench, QUICK, no_reason)
        collector.restore([cause])
        collector.take(trial, Normalize("Stra\u00dfe"), "two")
        (after,) = collector.causes()
    assert after.inputs == cause.inputs + 1
    assert after.examples == ("one", "two")
    assert cause_record(after)["answers"] == cause_record(cause)["answers"]


LETTERS = "\u00fe\u00f0\u0142\u0153\u00e6\u00f8\u0127"


def without(letters: str) -> Faulty:
    """Return an implementation that drops these letters."""
    return Faulty("dropping", reading(lambda text: text.translate(dict.fromkeys(map(ord, letters)))), ids_only=True)


def test_a_reason_that_says_nothing_of_an_input_is_not_its_cause() -> None:
    """What is true of a small question need not be so of the text that it was made of."""

    def about_thorn(_bench: Bench, _witness: Witness) -> Reason:
        return Reason("of-thorn", "", ("proof",), lambda _: False, concerns=lambda question: "\u00fe" in str(question))

    texts = [(each, f"a{each}b") for each in LETTERS[:2]]
    found = collected(without(LETTERS[:2]), "gpt2", texts, about_thorn).causes()
    assert {(cause.reason.is_proven, cause.examples) for cause in found} == {(True, ("\u00fe",)), (False, ("\u00f0",))}


def test_what_a_proven_reason_explains_is_counted_without_another_experiment() -> None:
    explained: list[Observation] = []

    def of_thorn(_bench: Bench, _witness: Witness) -> Reason:
        return Reason("of-thorn", "", ("proof",), lambda each: explained.append(each) or "\u00fe" in str(each))

    with Bench(TokenizersImplementation(), without(LETTERS[0])) as bench:
        trial = bench.trial(TokenizerSource("gpt2", str(bundled_file("gpt2-mini"))))
        collector = CauseCollector(bench, QUICK, of_thorn)
        assert (collector.explaining(trial), collector.has_news()) == ([], False)
        questions = [Encode(f"{each}\u00fe", add_special_tokens=False) for each in "ab"]
        collector.take(trial, questions[0], "one")
        assert [collector.has_news(), collector.has_news()] == [True, False]
        assert len(collector.explaining(trial)) == 1
        explained.clear()
        seen = []
        collector.take(trial, questions[1], "two", coming=lambda: seen.append(1) or questions)
        assert explained == [questions[1]]
        assert list(trial.coming()) == []
        (cause,) = collector.causes()
    assert cause.examples == ("one", "two")


def test_an_input_is_counted_once_however_often_it_shows_a_cause() -> None:
    with Bench(TokenizersImplementation(), without(LETTERS[0])) as bench:
        trial = bench.trial(TokenizerSource("gpt2", str(bundled_file("gpt2-mini"))))
        collector = CauseCollector(bench, QUICK, lambda *_: Reason("of-thorn", "", ("proof",), lambda _: True))
        for name in ("one", "two", "one"):
            collector.take(trial, Encode(f"{name}\u00fe", add_special_tokens=False), name)
        (cause,) = collector.causes()
    assert (cause.differences, cause.inputs, dict(cause.tokenizers)) == (3, 2, {"gpt2": 2})


def test_a_later_difference_takes_a_reason_away_that_says_otherwise_of_it() -> None:
    def of_all(_bench: Bench, _witness: Witness) -> Reason:
        return Reason("of-all", "", ("proof",), lambda _: False, lambda question: "\u00f0" in str(question))

    texts = [(each, f"a{each}b") for each in LETTERS[:2]]
    faulty = without(LETTERS[:2])
    assert {cause.reason.is_proven for cause in collected(faulty, "gpt2", texts[:1], of_all).causes()} == {True}
    first = next(each for each in collected(faulty, "gpt2", texts, of_all).causes() if LETTERS[0] in each.examples)
    assert not first.reason.is_proven


@pytest.mark.long
def test_where_many_characters_would_be_reasons_there_is_another_one() -> None:
    texts = [(each, f"a{each}b") for each in LETTERS]
    found = collected(without(LETTERS), "gpt2", texts, reason_of).causes()
    assert {each.reason.parameter for each in found} == {OTHER_RULE[MANY_CHARACTERS]}


def test_a_difference_without_any_change_is_that_of_the_plain_question() -> None:
    question = Encode("a\u00feb", add_special_tokens=False)
    faulty = Faulty("dropping", Fault(spoil=without_last_token))
    with Bench(TokenizersImplementation(), faulty) as bench:
        trial = bench.trial(TokenizerSource("gpt2", str(bundled_file("gpt2-mini"))))
        found, plain = trial.witness(After((), question)), trial.witness(question)
    assert found == plain
    assert found is not None


def without_last_token(_question: Observation, outcome: Outcome) -> Outcome:
    return Encoded(outcome.ids[:-1]) if isinstance(outcome, Encoded) else outcome
