"""Loaders with one thing replaced: each must be named, with a witness that is shown by nothing else."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from planted.edits import drop, put
from planted_loaders import CallingLoader, PlainLoader, PlantedLoader, added, document

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import CannotLoadError, Crashed, Decode, Encode, SpecialToken
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer
from tokenizer_conformance.releases.loader_audit.defaults import CallWitness
from tokenizer_conformance.releases.loader_audit.engine import audit
from tokenizer_conformance.releases.loader_audit.events import (
    DifferenceJudged,
    LoaderAudited,
    LoaderAuditFinished,
)
from tokenizer_conformance.releases.loader_audit.plan import LoaderAuditPlan
from tokenizer_conformance.releases.loader_audit.witness import Budget, ComponentWitness, Confirmation, NoWitness
from tokenizer_conformance.releases.loader_audit.wording import ending
from tokenizer_conformance.results.records.loader_audit import Loaded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.releases.loader_audit.events import LoaderAuditEvent

Json = dict[str, Any]

TEXTS = ("abc", "The Zq .", "a b", "é e\u0301", "")
PADDING = {
    "strategy": {"Fixed": 6},
    "direction": "Right",
    "pad_to_multiple_of": None,
    "pad_id": 0,
    "pad_type_id": 0,
    "pad_token": "<unk>",
}
TRUNCATION = {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0}


def plan_of(
    folder: Path, loader: Implementation, given: Json, cases: int = 150, texts: Sequence[str] = TEXTS
) -> LoaderAuditPlan:
    file = folder / "tokenizer.json"
    file.write_text(json.dumps(given), "utf-8")
    return LoaderAuditPlan(
        tokenizers=(read_tokenizer(find_tokenizer(str(folder))),),
        baseline=load_implementation("tokenizers"),
        loaders=(loader,),
        inputs=tuple(texts),
        budget=Budget(cases, 60.0),
    )


def events(folder: Path, loader: Implementation, given: Json, **options: Any) -> list[LoaderAuditEvent]:
    found = list(audit(plan_of(folder, loader, given, **options)))
    assert isinstance(found[-1], LoaderAuditFinished)
    assert found[-1].finished
    return found  # type: ignore[return-value]  # there was no internal error: it has finished


def differences(found: Sequence[LoaderAuditEvent]) -> list[DifferenceJudged]:
    return [each for each in found if isinstance(each, DifferenceJudged)]


def conclusion(found: Sequence[LoaderAuditEvent]) -> Conclusion:
    last = found[-1]
    assert isinstance(last, LoaderAuditFinished)
    return last.conclusion


# Each component, each flag -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Planted:
    """A ``change``, what it is called, and what of the file must be in place (``given``) for it to show."""

    name: str
    change: Callable[[Json], None]
    given: Callable[[Json], None] = lambda _document: None


def _another_id(document: Json) -> None:
    vocabulary = document["model"]["vocab"]
    vocabulary["x"], vocabulary["y"] = vocabulary["y"], vocabulary["x"]


def _without_entry(document: Json) -> None:
    document["model"]["vocab"]["THE"] = document["model"]["vocab"].pop("1")


PLANTED = (
    Planted("normalizer", put("normalizer", {"type": "NFC"})),
    Planted("normalizer", put("normalizer", None)),
    Planted("pre_tokenizer", put("pre_tokenizer", {"type": "WhitespaceSplit"})),
    Planted("post_processor", drop("post_processor.single.-1")),
    Planted("post_processor", drop("post_processor.pair.1")),
    Planted("decoder", put("decoder.cleanup", True)),
    Planted("decoder", put("decoder", None)),
    Planted("truncation", put("truncation", TRUNCATION)),
    Planted("truncation", put("truncation", None), put("truncation", TRUNCATION)),
    Planted("truncation", put("truncation", {**TRUNCATION, "direction": "Left"}), put("truncation", TRUNCATION)),
    Planted("padding", put("padding", PADDING)),
    Planted("padding", put("padding", {**PADDING, "direction": "Left"}), put("padding", PADDING)),
    Planted("padding", put("padding", {**PADDING, "pad_id": 2}), put("padding", PADDING)),
    Planted("padding", put("padding", {**PADDING, "strategy": "BatchLongest"})),
    Planted("model.unk_token", put("model.unk_token", "</s>")),
    Planted("model.fuse_unk", put("model.fuse_unk", True)),
    Planted("model.end_of_word_suffix", put("model.end_of_word_suffix", "x")),
    Planted("model.vocab", _another_id),
    Planted("model.vocab", _without_entry),
    Planted("model.merges", lambda document: document["model"]["merges"].reverse()),
    Planted("model.merges", drop("model.merges.-1")),
    Planted("added_tokens.special", put("added_tokens.Zq.special", True)),
    Planted("added_tokens.special", put("added_tokens.</s>.special", False)),
    Planted("added_tokens.single_word", put("added_tokens.Zq.single_word", True)),
    Planted("added_tokens.lstrip", put("added_tokens.Zq.lstrip", True)),
    Planted("added_tokens.rstrip", put("added_tokens.Zq.rstrip", True)),
    Planted("added_tokens.normalized", put("added_tokens.Zq.normalized", True)),
    Planted("added_tokens.missing", drop("added_tokens.-1")),
    Planted("added_tokens.further", lambda document: document["added_tokens"].append(added("Qz", 63))),
)
"""What is replaced, and the name under which it must be told."""


@pytest.mark.long_but(2)
@pytest.mark.parametrize("planted", PLANTED, ids=[f"{number}-{each.name}" for number, each in enumerate(PLANTED)])
def test_what_is_replaced_is_named_with_a_witness(planted: Planted, tmp_path: Path) -> None:
    given = document()
    planted.given(given)
    found = events(tmp_path, PlantedLoader(planted.change), given)
    (difference,) = differences(found)
    assert difference.difference.name == planted.name
    witness = difference.witness
    assert isinstance(witness, ComponentWitness), witness
    assert witness.confirmation is Confirmation.SAME
    assert witness.raw != witness.replaced == witness.loaded
    assert conclusion(found) is Conclusion.DIFFERENCES


def test_it_is_told_which_inputs_are_counted(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, PlantedLoader(put("normalizer", None)), document(), cases=10, texts=("ABC",))
    (said,) = (STATUS.line() for event in audit(plan) if isinstance(event, DifferenceJudged))
    assert said is not None
    assert said.startswith(f"{tmp_path.name}: counting the inputs that normalizer touches")


def test_a_witness_is_small(tmp_path: Path) -> None:
    (merges,) = differences(
        events(tmp_path, PlantedLoader(lambda given: given["model"]["merges"].reverse()), document())
    )
    assert isinstance(merges.witness, ComponentWitness)
    assert merges.witness.question == Encode("abc", add_special_tokens=False)
    (flag,) = differences(events(tmp_path, PlantedLoader(put("added_tokens.Zq.special", True)), document()))
    assert isinstance(flag.witness, ComponentWitness)
    assert flag.witness.question == Decode((len(document()["model"]["vocab"]),))


def test_each_of_several_components_is_attributed_to_itself(tmp_path: Path) -> None:
    def change(given: Json) -> None:
        given["normalizer"] = None
        given["decoder"] = None
        given["added_tokens"][3]["rstrip"] = True

    found = differences(events(tmp_path, PlantedLoader(change), document()))
    assert [each.difference.name for each in found] == ["added_tokens.rstrip", "normalizer", "decoder"]
    assert all(isinstance(each.witness, ComponentWitness) for each in found)


def test_ids_of_added_tokens_are_replaced_with_the_vocabulary_that_they_follow(tmp_path: Path) -> None:
    found = differences(events(tmp_path, PlantedLoader(put("model.vocab.new", 62)), document()))
    assert [each.difference.name for each in found] == ["added_tokens.id", "model.vocab"]
    assert isinstance(found[0].witness, ComponentWitness)
    assert found[0].difference.changes[0].raw == 62
    assert found[0].difference.changes[0].loaded == 63


def unigram() -> Json:
    """A tokenizer.json whose model has scores."""
    vocabulary = [["<unk>", 0.0], ["a", -1.0], ["b", -1.0], ["ab", -1.5], ["ba", -2.5], ["c", -3.0]]
    return {"version": "1.0", "model": {"type": "Unigram", "unk_id": 0, "vocab": vocabulary, "byte_fallback": False}}


def _another_score(given: Json) -> None:
    given["model"]["vocab"][3][1] = -9.0


def _another_order(given: Json) -> None:
    vocabulary = given["model"]["vocab"]
    vocabulary[1], vocabulary[5] = vocabulary[5], vocabulary[1]


@pytest.mark.parametrize(
    ("change", "words"),
    [(_another_score, "1 token with another score"), (_another_order, "2 tokens with another id")],
)
def test_scores_and_order_of_a_unigram_model_are_told(
    change: Callable[[Json], None], words: str, tmp_path: Path
) -> None:
    (difference,) = differences(events(tmp_path, PlantedLoader(change), unigram()))
    assert difference.difference.name == "model.vocab"
    assert difference.difference.words == words
    assert isinstance(difference.witness, ComponentWitness)


def test_another_model_is_told_as_one(tmp_path: Path) -> None:
    def change(given: Json) -> None:
        vocabulary = given["model"]["vocab"]
        given["model"] = {"type": "WordLevel", "unk_token": "<unk>", "vocab": vocabulary}

    (difference,) = differences(events(tmp_path, PlantedLoader(change), document()))
    assert difference.difference.words == "BPE in the file, WordLevel as loaded"
    assert isinstance(difference.witness, ComponentWitness)


def test_what_another_component_hides_is_said(tmp_path: Path) -> None:
    def change(given: Json) -> None:
        given["normalizer"] = {"type": "Lowercase"}
        given["pre_tokenizer"] = {
            "type": "Split",
            "pattern": {"Regex": "^.*$"},
            "behavior": "Removed",
            "invert": False,
        }

    normalizer, pre_tokenizer = differences(events(tmp_path, PlantedLoader(change), document()))
    assert isinstance(normalizer.witness, ComponentWitness)
    assert normalizer.witness.confirmation is Confirmation.OTHER
    assert isinstance(pre_tokenizer.witness, ComponentWitness)
    assert pre_tokenizer.witness.confirmation is Confirmation.SAME


def test_inputs_that_are_touched_are_counted(tmp_path: Path) -> None:
    found = events(tmp_path, PlantedLoader(put("normalizer", {"type": "NFC"})), document())
    (difference,) = differences(found)
    assert difference.impact is not None
    assert (difference.impact.inputs, difference.impact.ids) == (5, 1)
    (audited,) = [each for each in found if isinstance(each, LoaderAudited)]
    assert audited.behaviour.differing == audited.behaviour.explained == 1
    assert audited.behaviour.findings == ()


# What is equal -------------------------------------------------------------------------------------------------------


def _in_another_order(given: Json) -> None:
    for name in reversed(list(given)):
        given[name] = given.pop(name)
    given["added_tokens"] = [dict(reversed(token.items())) for token in given["added_tokens"]]
    given["model"]["vocab"] = dict(reversed(given["model"]["vocab"].items()))


def _without_defaults(given: Json) -> None:
    for name in ("dropout", "continuing_subword_prefix", "end_of_word_suffix", "byte_fallback", "ignore_merges"):
        del given["model"][name]
    del given["truncation"], given["padding"]


def _in_older_forms(given: Json) -> None:
    given["model"]["merges"] = [" ".join(merge) for merge in given["model"]["merges"]]
    del given["model"]["type"]


@pytest.mark.parametrize("change", [_in_another_order, _without_defaults, _in_older_forms])
def test_other_forms_of_the_same_are_no_differences(change: Callable[[Json], None], tmp_path: Path) -> None:
    found = events(tmp_path, PlantedLoader(change), document())
    assert differences(found) == []
    assert conclusion(found) is Conclusion.CONFORM


def test_what_cannot_be_told_apart_has_no_witness(tmp_path: Path) -> None:
    one = {"type": "Sequence", "pretokenizers": [{"type": "Whitespace"}]}
    found = events(tmp_path, PlantedLoader(put("pre_tokenizer", one)), document(), cases=40)
    (difference,) = differences(found)
    assert difference.witness == NoWitness(40)
    assert difference.impact is not None
    assert difference.impact.any == 0
    assert conclusion(found) is Conclusion.DIFFERENCES


# Without a pipeline --------------------------------------------------------------------------------------------------


def test_a_plain_class_is_judged_by_its_answers(tmp_path: Path) -> None:
    found = events(tmp_path, PlainLoader(put("normalizer", {"type": "NFC"})), document())
    assert differences(found) == []
    (opened,) = [each for each in found if isinstance(each, Loaded)]
    assert opened.no_structure == "planted writes no tokenizer.json"
    (audited,) = [each for each in found if isinstance(each, LoaderAudited)]
    (finding,) = audited.behaviour.findings
    assert finding.manner.stage == "normalize"
    assert finding.inputs == 1
    assert conclusion(found) is Conclusion.DIFFERENCES


def test_a_plain_class_that_answers_alike_conforms(tmp_path: Path) -> None:
    found = events(tmp_path, PlainLoader(lambda _document: None), document())
    assert conclusion(found) is Conclusion.CONFORM


# Defaults ------------------------------------------------------------------------------------------------------------


def nothing(_document: Json) -> None:
    """Change nothing."""


@pytest.mark.parametrize(("section", "value"), [("truncation", TRUNCATION), ("padding", PADDING)])
def test_what_a_call_leaves_out_is_told(section: str, value: Json, tmp_path: Path) -> None:
    found = events(tmp_path, CallingLoader(nothing, {}), {**document(), section: value})
    (difference,) = differences(found)
    assert difference.difference.name == f"defaults.{section}"
    assert isinstance(difference.witness, ComponentWitness)
    assert difference.witness.confirmation is Confirmation.SAME


def test_types_that_a_call_does_not_give_are_told(tmp_path: Path) -> None:
    found = events(tmp_path, CallingLoader(nothing, {}, names=("input_ids",)), document())
    (difference,) = differences(found)
    assert difference.difference.name == "defaults.model_input_names"
    assert isinstance(difference.witness, CallWitness)
    assert list(difference.witness.called.fields) == ["input_ids"]


def test_settings_that_contradict_the_file_are_told(tmp_path: Path) -> None:
    settings = {"model_max_length": 8, "truncation_side": "left", "padding_side": "left"}
    given = {**document(), "truncation": TRUNCATION, "padding": PADDING}
    names = [each.difference.name for each in differences(events(tmp_path, CallingLoader(nothing, settings), given))]
    assert names == [
        "defaults.truncation",
        "defaults.padding",
        "defaults.model_max_length",
        "defaults.truncation_side",
        "defaults.padding_side",
    ]


def test_roles_with_other_tokens_or_ids_are_told(tmp_path: Path) -> None:
    tokens = (
        SpecialToken("bos_token", "<s>", 1),
        SpecialToken("eos_token", "</s>", 5),
        SpecialToken("unk_token", "<s>", 1),
        SpecialToken("mask_token", "<mask>", None),
    )
    found = events(tmp_path, CallingLoader(nothing, {}, tokens), document())
    told = {each.difference.name: each.difference.changes[0] for each in differences(found)}
    assert {name: (change.raw, change.loaded) for name, change in told.items()} == {
        "defaults.special_tokens.eos_token": (2, 5),
        "defaults.special_tokens.unk_token": ("<unk>", "<s>"),
    }


def test_a_clean_up_after_the_decoder_is_told_with_ids(tmp_path: Path) -> None:
    settings = {"clean_up_tokenization_spaces": True}
    found = events(tmp_path, CallingLoader(nothing, settings, cleans_up=True), document())
    (difference,) = differences(found)
    assert difference.difference.name == "defaults.clean_up_tokenization_spaces"
    assert isinstance(difference.witness, ComponentWitness)
    assert isinstance(difference.witness.question, Decode)


def test_a_loader_that_keeps_to_the_file_conforms(tmp_path: Path) -> None:
    settings = {"model_max_length": 512, "padding_side": "left", "clean_up_tokenization_spaces": True}
    found = events(tmp_path, CallingLoader(nothing, settings), document())
    assert conclusion(found) is Conclusion.CONFORM


# What goes wrong -----------------------------------------------------------------------------------------------------


class Refusing(PlantedLoader):
    def load(self, source: Any) -> Any:
        raise CannotLoadError(f"planted cannot load {source.name}: no", unsupported=self._is_unsupported)

    def __init__(self, *, is_unsupported: bool) -> None:
        super().__init__(nothing)
        self._is_unsupported = is_unsupported


@pytest.mark.parametrize(
    ("is_unsupported", "expected"), [(True, Conclusion.NOTHING_COMPARED), (False, Conclusion.IMPLEMENTATION_FAILED)]
)
def test_a_loader_that_refuses_is_told(*, is_unsupported: bool, expected: Conclusion, tmp_path: Path) -> None:
    assert conclusion(events(tmp_path, Refusing(is_unsupported=is_unsupported), document())) is expected


class Speechless(fakes.Toy):
    """Loads everything, and has no answer to anything."""

    name = "speechless"

    class subject(fakes.ToySubject):  # noqa: N801 - stands for the attribute
        def observe(self, observation: Any) -> Any:
            del observation
            return Crashed("gone")

    def load(self, source: Any) -> Any:
        del source
        return self.subject()


def test_a_loader_that_loads_and_answers_nothing_has_failed(tmp_path: Path) -> None:
    found = events(tmp_path, Speechless(), document(), cases=5, texts=("abc",))
    (audited,) = (each for each in found if isinstance(each, LoaderAudited))
    assert audited.behaviour.values == 0
    assert conclusion(found) is Conclusion.IMPLEMENTATION_FAILED


def test_a_document_that_nobody_can_load_alone_is_said_to_be_so(tmp_path: Path) -> None:
    def change(given: Json) -> None:
        given["model"]["vocab"]["Bc"] = given["model"]["vocab"].pop("bc")
        given["model"]["merges"].pop()

    vocabulary, merges = differences(events(tmp_path, PlantedLoader(change), document()))
    assert [vocabulary.difference.name, merges.difference.name] == ["model.vocab", "model.merges"]
    assert isinstance(vocabulary.witness, ComponentWitness)
    assert isinstance(merges.witness, ComponentWitness)


class Interrupting(PlantedLoader):
    """It is interrupted when it loads for the second time."""

    def __init__(self) -> None:
        super().__init__(put("normalizer", None))
        self._asked = False

    def load(self, source: Any) -> Any:
        if self._asked:
            raise KeyboardInterrupt
        self._asked = True
        return super().load(source)


def test_what_was_found_before_an_interrupt_is_told(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "tokenizer.json").write_text(json.dumps(document()), "utf-8")
    plan = LoaderAuditPlan(
        tokenizers=tuple(read_tokenizer(find_tokenizer(str(tmp_path / name))) for name in ("one", "two")),
        baseline=load_implementation("tokenizers"),
        loaders=(Interrupting(),),
        inputs=TEXTS,
        budget=Budget(20, 60.0),
    )
    *found, last = audit(plan)
    assert isinstance(last, LoaderAuditFinished)
    assert not last.finished
    assert last.conclusion is Conclusion.INTERRUPTED
    assert last.differences == sum(isinstance(each, DifferenceJudged) for each in found) == 1


def test_an_internal_error_is_not_called_an_interrupt() -> None:
    finished = LoaderAuditFinished(
        finished=False,
        conclusion=Conclusion.INTERNAL_ERROR,
        seconds=1.0,
        audited=1,
        differing=0,
        differences=0,
        witnessed=0,
        known=0,
        stale=(),
    )
    assert ending(finished).startswith("internal error; ")
