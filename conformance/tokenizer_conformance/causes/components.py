"""Which component of a tokenizer.json is to blame: the part of it that alone shows the difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encode, Stage, plain_of
from tokenizer_conformance.causes.classes.cutting import cut_for_texts, entries_of
from tokenizer_conformance.comparison.document_parts import PARTS_OF_SEQUENCE, type_of_model
from tokenizer_conformance.comparison.questions import texts_in
from tokenizer_conformance.comparison.verdicts import NO_ANSWER

if TYPE_CHECKING:
    from tokenizer_conformance.causes.bench import Bench, Trial
    from tokenizer_conformance.causes.witness import Witness
    from tokenizer_conformance.comparison.reduction import Json

MEMBER: dict[Stage, str] = {
    Stage.NORMALIZE: "normalizer",
    Stage.PRE_TOKENIZE: "pre_tokenizer",
    Stage.MODEL: "model",
    Stage.POST_PROCESS: "post_processor",
    Stage.DECODE: "decoder",
}
"""The member of a tokenizer.json that does the work of a stage."""

UNSEEN = "normalizer, pre_tokenizer or model"
"""What is to blame where an implementation shows nothing before its model."""

MOST_ENTRIES = 20_000
"""Of larger vocabularies each part is tried with what the texts need; where ids are asked about, none is tried."""


def component_of(bench: Bench, trial: Trial, witness: Witness) -> str:
    """Return the component to blame, as ``member: type``; of a Sequence the part that shows a difference alone.

    Where no part does, or none can be tried, it is the whole Sequence.
    """
    if witness.stage is Stage.CHAT:
        return "chat template"
    document = trial.read()
    content = _added_token_in(document, witness)
    if content:
        return "added_tokens"
    member = MEMBER[witness.stage]
    if witness.stage is Stage.MODEL and not {Stage.NORMALIZE, Stage.PRE_TOKENIZE} & trial.implementation.shows.keys():
        return UNSEEN
    component = document.get(member)
    if not isinstance(component, dict):
        return "added_tokens" if witness.stage is Stage.MODEL else f"{member}: none"
    if component.get("type") == "Sequence" and trial.takes_documents:
        alone = _part_alone(bench, trial, witness, document, member)
        if alone is not None:
            return f"{member}: {alone}"
    return f"{member}: {_type_in(component)}"


def _type_in(component: Json) -> str:
    parts = next((component[key] for key in PARTS_OF_SEQUENCE.values() if isinstance(component.get(key), list)), None)
    if parts:
        return " + ".join(_type_in(part) for part in parts)
    return str(component.get("type") or type_of_model(component))


def _added_token_in(document: Json, witness: Witness) -> bool:
    """Return whether an added token stands in a text that is encoded."""
    if not isinstance(plain_of(witness.question), Encode):
        return False
    texts = texts_in(witness.question)
    return any(
        isinstance(token, dict) and token.get("content") and any(token["content"] in text for text in texts)
        for token in document.get("added_tokens") or ()
    )


def _part_alone(bench: Bench, trial: Trial, witness: Witness, document: Json, member: str) -> str | None:
    """Return the type of the only part with which alone, in the place of the Sequence, the question shows a difference.

    A part is given what the parts before it make of the text, where that can be seen; else the text itself.
    """
    parts = document[member].get(PARTS_OF_SEQUENCE.get(member, ""), [])
    is_large, texts = len(document.get("model", {}).get("vocab", ())) > MOST_ENTRIES, texts_in(witness.question)
    if witness.difference.verdict in NO_ANSWER or (is_large and not texts):
        return None
    entries = entries_of(document) if is_large else None
    guilty: list[str] = []
    for part in parts:
        changed = {**document, member: part}
        alone = bench.trial_of(trial.source, cut_for_texts(changed, texts, entries) if is_large else changed)
        if alone is not None and alone.differs(witness.question):
            guilty.append(_type_in(part))
    return guilty[0] if len(guilty) == 1 else None
