"""Of reasons that predict the same answer, controls tell which is true; what they cannot tell apart is not proven."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from planted.edits import put
from planted.fakes import Fault, Faulty, in_file

from tokenizer_adapters.contract import (
    Decode,
    Encode,
    Encoded,
    Normalize,
    Observation,
    TokenizerSource,
)
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.causes import components, rivals
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.cause import NO_REASON, Reason
from tokenizer_conformance.causes.classes import experiment
from tokenizer_conformance.causes.classes.hypothesis import Candidate, Hypothesis
from tokenizer_conformance.causes.classes.loaded_copies import LoadedCopies
from tokenizer_conformance.causes.classes.probes import Probes
from tokenizer_conformance.causes.collecting import CauseCollector
from tokenizer_conformance.causes.reasons import reason_of
from tokenizer_conformance.causes.rivals import chosen
from tokenizer_conformance.comparison.questions import about_text, texts_of, with_texts
from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Outcome
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.causes.witness import Witness
    from tokenizer_conformance.comparison.reduction import Json

LEFT_OUT = ("component-left-out", "added_tokens left out")


def _ascii_lower(text: str) -> str:
    return "".join(each.lower() if each.isascii() else each for each in text)


def _witness(bench: Bench, tokenizer: str, question: Observation) -> Witness:
    witness = bench.trial(TokenizerSource(tokenizer, str(bundled_file(tokenizer)))).witness(question)
    assert witness is not None, "the fault does not show"
    return witness


def _reason(faulty: Faulty, tokenizer: str, question: Observation) -> tuple[str, str]:
    with Bench(TokenizersImplementation(), faulty) as bench:
        reason = reason_of(bench, _witness(bench, tokenizer, question))
    return reason.name, reason.parameter


def _causes(faulty: Faulty, tokenizer: str, *texts: str) -> tuple[Cause, ...]:
    with Bench(TokenizersImplementation(), faulty) as bench:
        trial = bench.trial(TokenizerSource(tokenizer, str(bundled_file(tokenizer))))
        collector = CauseCollector(bench)
        for text in texts:
            for question in about_text(text, baseline=trial.expected):
                if trial.differs(question):
                    collector.take(trial, question, text)
        return collector.causes()


@pytest.mark.parametrize("question", [Encode("a [MASK] b", add_special_tokens=False), Decode((2, 7))])
def test_added_tokens_that_are_left_out_are_no_other_rule_for_case(question: Observation) -> None:
    assert _reason(Faulty("port", in_file(put("added_tokens", []))), "bert-mini", question) == LEFT_OUT


def test_a_text_that_is_lower_cased_first_is_no_added_token_left_out() -> None:
    def reword(question: Observation) -> Observation:
        return with_texts(question, _ascii_lower) if isinstance(question, Encode) else question

    faulty = Faulty("port", Fault(reword=reword))
    found = _reason(faulty, "bert-mini", Encode("a [MASK] b", add_special_tokens=False))
    assert found[0] == "case-folding"


def test_added_tokens_left_out_are_one_cause_at_all_stages() -> None:
    causes = _causes(Faulty("port", in_file(put("added_tokens", []))), "bert-mini", "[CLS]", "a [MASK] b", "Hello")
    assert [(each.reason.name, each.reason.parameter) for each in causes] == [LEFT_OUT]


@pytest.mark.long
def test_a_cause_that_was_found_first_is_looked_at_again() -> None:
    """What is first met alone, and looks like another rule, is of the cause that explains it, too."""
    causes = _causes(
        Faulty("port", in_file(put("normalizer", None)), ids_only=True), "wordlevel-mini", "i\u0308", "\u212b", "\uff21"
    )
    assert {each.reason.name for each in causes} == {"component-left-out"}


@pytest.mark.long_but(1)
@pytest.mark.parametrize("tokenizer", ["gpt2-mini", "llama-mini"])
def test_a_component_left_out_is_found_on_large_files_too(tokenizer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiment, "SMALL", 0)
    faulty = Faulty(
        "port", in_file(put("pre_tokenizer" if tokenizer == "gpt2-mini" else "normalizer", None)), ids_only=True
    )
    name, parameter = _reason(faulty, tokenizer, Encode("Hello, world", add_special_tokens=False))
    assert name == "component-left-out", parameter


def test_a_large_file_is_never_loaded_whole_for_an_experiment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiment, "SMALL", 0)
    sizes = []
    load = experiment.loaded  # type: ignore[attr-defined]

    def counted(implementation: object, source: TokenizerSource) -> object:
        sizes.append(Path(source.file).stat().st_size)
        return load(implementation, source)  # type: ignore[arg-type]

    monkeypatch.setattr(experiment, "loaded", counted)
    faulty = Faulty("port", in_file(put("pre_tokenizer", None)), ids_only=True)
    assert _reason(faulty, "gpt2-mini", Encode("Hello, world", add_special_tokens=False))[0] == "component-left-out"
    assert sizes
    assert max(sizes) * 2 < bundled_file("gpt2-mini").stat().st_size


def _without_lowercase(document: Json) -> None:
    parts = document["normalizer"].get("normalizers", [document["normalizer"]])
    kept = [each for each in parts if each["type"] != "Lowercase"]
    document["normalizer"] = {"type": "Sequence", "normalizers": kept}


@pytest.mark.parametrize("most", [0, components.MOST_ENTRIES])
def test_the_part_of_a_sequence_that_is_to_blame_is_named(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(components, "MOST_ENTRIES", most)
    faulty = Faulty("port", in_file(_without_lowercase))
    with Bench(TokenizersImplementation(), faulty) as bench:
        witness = _witness(bench, "options-mini", Normalize("A"))
        assert components.component_of(bench, bench.trial(witness.source), witness) == "normalizer: Lowercase"


def _in_bytes(question: Observation, outcome: Outcome) -> Outcome:
    if not isinstance(question, Encode) or not isinstance(question.text, str) or not isinstance(outcome, Encoded):
        return outcome
    text = question.text
    spans = [(len(text[:start].encode()), len(text[:end].encode())) for start, end in outcome.offsets or ()]
    return replace(outcome, offsets=tuple(spans))


def test_what_an_earlier_stage_does_otherwise_speaks_against_no_reason_of_a_later_one() -> None:
    """Accents are kept as well: offsets differ in a third way where the token is the unknown one all the same."""
    change = put("normalizer.strip_accents", False)
    faulty = Faulty("port", Fault(change=change, spoil=_in_bytes))
    assert _reason(faulty, "bert-mini", Encode("\u00aa", add_special_tokens=False)) == ("offset-unit", "UTF-8 bytes")


def test_a_reason_can_be_tried_again_once_the_bench_is_closed() -> None:
    asked = Encode("a [MASK] b", add_special_tokens=False)
    with Bench(TokenizersImplementation(), Faulty("port", in_file(put("added_tokens", [])))) as bench:
        reason = reason_of(bench, _witness(bench, "bert-mini", asked))
    del bench
    explains = reason.explains
    assert explains is not None
    ground = explains.args[1]  # type: ignore[attr-defined]
    ground._copies = LoadedCopies(1)  # as if others had taken the room of what was loaded
    assert explains(asked)


# What nothing tells apart -------------------------------------------------------------------------------------------


def _candidate(name: str, predict: Callable[[Observation], Outcome | None], doubt: int = 0) -> Candidate:
    return Candidate(Reason(name, name, ("said",)), doubt, Hypothesis(name, name, "", predict))


def _port_of_ids() -> Faulty:
    return Faulty("port", Fault(spoil=lambda _question, outcome: _more(outcome)), ids_only=True)


def _more(outcome: Outcome) -> Outcome:
    return replace(outcome, ids=(*outcome.ids, 5)) if isinstance(outcome, Encoded) else outcome


def test_rivals_that_no_question_tells_apart_are_all_named_and_none_is_proven() -> None:
    with Bench(TokenizersImplementation(), _port_of_ids()) as bench:
        witness = _witness(bench, "bert-mini", Encode("a", add_special_tokens=False))
        trial = bench.trial(witness.source)

        def predict(question: Observation) -> Outcome:
            return _more(trial.expected(question))

        reason = chosen(bench, witness, [_candidate("one", predict), _candidate("other", predict)])
    assert not reason.is_proven
    assert reason.parameter == "either one, one; or other, other"


def test_of_rivals_of_one_class_the_class_is_proven_and_all_are_named() -> None:
    with Bench(TokenizersImplementation(), _port_of_ids()) as bench:
        witness = _witness(bench, "bert-mini", Encode("a", add_special_tokens=False))
        trial = bench.trial(witness.source)

        def predict(question: Observation) -> Outcome:
            return _more(trial.expected(question))

        rivals_of_one = [
            replace(each, reason=replace(each.reason, name="class"))
            for each in (_candidate("one", predict), _candidate("other", predict))
        ]
        reason = chosen(bench, witness, rivals_of_one)
    assert (reason.name, reason.parameter, reason.is_proven) == ("class", "either one; or other", True)
    assert reason.proof == ("said", "So would it be for another reason of this class: one; or other.")


@pytest.mark.parametrize("doubt", [0, 1])
def test_what_supposes_a_rival_and_more_is_left_out_where_it_explains_no_more(doubt: int) -> None:
    with Bench(TokenizersImplementation(), _port_of_ids()) as bench:
        witness = _witness(bench, "bert-mini", Encode("a", add_special_tokens=False))
        trial = bench.trial(witness.source)

        def predict(question: Observation) -> Outcome:
            return _more(trial.expected(question))

        simple = _candidate("simple", predict, doubt)
        more = _candidate("more", predict)
        assert more.hypothesis is not None
        more = replace(more, hypothesis=replace(more.hypothesis, includes=frozenset({("simple", "simple")})))
        reason = chosen(bench, witness, [more, simple])
    assert (reason.name, reason.is_proven) == (("more", True) if doubt else ("simple", True))


@pytest.mark.parametrize(
    ("refuted", "kept"), [((), ["other"]), (("other",), ["one"]), (("one",), ["other"]), (("one", "other"), ["other"])]
)
def test_what_questions_of_other_kinds_refute_comes_after_what_explains_fewer_of_them(
    refuted: tuple[str, ...], kept: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = [Encode("a"), Encode("b"), Encode("same")]
    ground = SimpleNamespace(
        probes_of_other_kinds=lambda _question: shown, agrees=lambda question: question == Encode("same")
    )
    monkeypatch.setattr(rivals, "ground_of", lambda _bench, _witness: ground)
    explained = {"one": {Encode("a")}, "other": {Encode("a"), Encode("b")}}

    def candidate(name: str) -> Candidate:
        return Candidate(
            Reason(
                name,
                name,
                ("said",),
                explains=lambda question: question in explained[name],
                is_refuted=lambda question: name in refuted and question != Encode("same"),
            )
        )

    witness = cast("Witness", SimpleNamespace(question=Encode("asked")))
    found = rivals._explaining_most(cast("Bench", None), witness, [candidate("one"), candidate("other")])
    assert [each.reason.name for each in found] == kept


def test_of_rivals_that_say_the_same_of_every_changed_tokenizer_the_first_is_named() -> None:
    with Bench(TokenizersImplementation(), _port_of_ids()) as bench:
        witness = _witness(bench, "bert-mini", Encode("a", add_special_tokens=False))
        trial = bench.trial(witness.source)

        def candidate(name: str, more: Callable[[Outcome], Outcome]) -> Candidate:
            def elsewhere(ground: experiment.Ground) -> Hypothesis:
                return Hypothesis(name, name, "", lambda question: more(ground.expected(question)))

            here = Hypothesis(name, name, "", lambda question: _more(trial.expected(question)), on=elsewhere)
            return Candidate(Reason(name, name, ("said",)), 0, here)

        alike = chosen(bench, witness, [candidate("one", _more), candidate("other", _more)])
        apart = chosen(bench, witness, [candidate("one", _more), candidate("other", lambda outcome: outcome)])
    assert (alike.name, alike.is_proven) == ("one", True)
    assert not apart.is_proven


def test_a_rival_that_an_answer_refutes_is_not_named() -> None:
    with Bench(TokenizersImplementation(), _port_of_ids()) as bench:
        witness = _witness(bench, "bert-mini", Encode("a", add_special_tokens=False))
        trial = bench.trial(witness.source)

        def right(question: Observation) -> Outcome:
            return _more(trial.expected(question))

        def wrong(question: Observation) -> Outcome:
            return right(question) if question == witness.question else trial.expected(question)

        for candidates in (["wrong", "right"], ["right", "wrong"]):
            found = [_candidate(name, right if name == "right" else wrong) for name in candidates]
            assert chosen(bench, witness, found).name == "right"


def test_rivals_are_asked_about_the_first_and_the_last_id_twice() -> None:
    asked = list(rivals._controls(cast("experiment.Ground", MoreTokens()), Decode((4, 5), False)))
    assert asked[:2] == [Decode((4, 5, 5), False), Decode((4, 4, 5), False)]
    assert asked[2:] == [Encode("a probe")]


def test_what_one_text_alone_shows_has_no_reason() -> None:
    asked = Encode("a", add_special_tokens=False)
    faulty = Faulty("port", Fault(spoil=lambda question, outcome: _more(outcome) if question == asked else outcome))
    with Bench(TokenizersImplementation(), faulty) as bench:
        assert not reason_of(bench, _witness(bench, "bert-mini", asked)).is_proven


# Where there are more added tokens ----------------------------------------------------------------------------------


class MoreTokens:
    """A changed tokenizer on which the implementation is right about all texts but those in ``differing``."""

    def __init__(self, *differing: str) -> None:
        self._differing = differing

    def agrees(self, question: Observation) -> bool:
        return texts_of(question)[0] not in self._differing

    def actual(self, question: Observation) -> Encoded:
        return Encoded((1,) if self.agrees(question) else (2,))

    def is_same(self, _question: Observation, one: Outcome, actual: Outcome, _offsets: object) -> bool:
        return one == actual

    def probes_like(self, _question: Observation) -> Probes:
        return Probes((), (Encode("a probe"),))


def _on(predicted: dict[str, Outcome | None]) -> Callable[[object], Hypothesis]:
    return lambda _ground: Hypothesis("a", "b", "", lambda each: predicted.get(texts_of(each)[0], Encoded((1,))))


@pytest.mark.parametrize(
    ("on", "asked", "holds"),
    [
        (_on({}), "a <t> b", True),
        (_on({"Qz": Encoded((2,))}), "a <t> b", False),
        (_on({"a probe": Encoded((2,))}), "a <t> b", False),
        # What differs there, or is not predicted, does not speak against it.
        (_on({"qz": Encoded((2,))}), "a <t> b", True),
        (_on({"qz": Encoded((3,))}), "a <t> b", True),
        (_on({"Qz": None}), "a <t> b", True),
        (_on({"Qz": Encoded((2,))}), "without", True),
        (lambda _ground: None, "a <t> b", True),
        (None, "a <t> b", True),
    ],
    ids=["all", "a control", "a probe", "as it is", "otherwise", "silent", "no token", "not on this", "no hypothesis"],
)
def test_what_more_added_tokens_speak_against_is_no_rival(
    on: Callable[[object], Hypothesis] | None, asked: str, holds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ground = SimpleNamespace(document={"added_tokens": [{"content": "<t>"}]})
    monkeypatch.setattr(rivals, "ground_of", lambda _bench, _witness: ground)
    monkeypatch.setattr(rivals, "_grounds", lambda *_arguments, **_options: iter([ground, MoreTokens("qz")]))
    hypothesis = None if on is None else Hypothesis("a", "b", "", lambda _question: None, on=on)
    candidate = Candidate(Reason("a", "b", ("said",)), 0, hypothesis)
    witness = cast("Witness", SimpleNamespace(question=Encode(asked)))
    found = chosen(cast("Bench", None), witness, [candidate])
    assert found == (candidate.reason if holds else NO_REASON)


def test_changed_tokenizers_have_more_tokens_or_lack_a_component() -> None:
    document = {
        "added_tokens": [{"id": 7, "content": "<t>"}],
        "normalizer": {"type": "NFC"},
        "padding": None,
        "model": {"vocab": {"a": 0, "b": 9}},
    }
    more, without = rivals._changed(document)
    added = more["added_tokens"]
    assert [(each["id"], each["content"]) for each in added] == [
        *((7, "<t>"), (10, "qz"), (11, "Qz"), (12, "\u00e9q"), (13, "\u03c9q"))
    ]
    assert not any(value for each in added[1:] for key, value in each.items() if key not in {"id", "content"})
    assert without == {**document, "normalizer": None}
    (listed,) = rivals._changed({"model": {"vocab": [["a", 0.0], ["b", 0.0]]}})
    assert [each["id"] for each in listed["added_tokens"]] == [2, 3, 4, 5]
    (none,) = rivals._changed({"model": {}})
    assert [each["id"] for each in none["added_tokens"]] == [0, 1, 2, 3]
