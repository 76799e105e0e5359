"""Which place in tokenizer.json a difference comes from: found by leaving things out of the file, for both sides.

A part of the pipeline is cut short, or taken out, and the question put again. In a sequence of components the first one
is to blame with which both sides differ; of what stands beside the model, that without which they no longer do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encode, Field, Stage
from tokenizer_conformance.causes.explain.merge_search import first_parting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.causes.bench import Bench, Trial
    from tokenizer_conformance.causes.explain.events import MergeParting
    from tokenizer_conformance.causes.witness import Witness

Json = dict[str, Any]

COMPONENTS: dict[Stage, tuple[str, str]] = {
    Stage.NORMALIZE: ("normalizer", "normalizers"),
    Stage.PRE_TOKENIZE: ("pre_tokenizer", "pretokenizers"),
    Stage.POST_PROCESS: ("post_processor", "processors"),
    Stage.DECODE: ("decoder", "decoders"),
}
"""The key of the component of each stage, and that of its members where it is a sequence."""

LENGTHS: tuple[tuple[str, Any], ...] = (("padding", None), ("truncation", None))
ADDED_TOKENS: tuple[tuple[str, Any], ...] = (("added_tokens", []),)
BESIDE_THE_MODEL: tuple[tuple[str, Any], ...] = (*LENGTHS, ("post_processor", None), *ADDED_TOKENS)
"""What is taken out before the model is blamed, and what stands there then.

A post-processor can change offsets where it adds nothing.
"""

MERGED_FIELDS = frozenset({Field.IDS, Field.TOKENS})
"""Where a merge is to blame, one of these differs."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The ``place`` that is to blame, ``None`` where none was found; ``how`` that was told; the ``merge`` to blame."""

    place: str | None
    how: str
    merge: MergeParting | None = None


def narrowed(bench: Bench, trial: Trial, witness: Witness, model: str, alone: str | None = None) -> Narrowed:
    """Return the place of the tokenizer.json to which the difference of ``witness``, seen in ``trial``, comes down.

    ``model`` is the type of the model; ``alone`` is the text of the word in which they differ there, where it is known.
    """
    if not trial.takes_documents:
        return Narrowed(None, "it reads other files than tokenizer.json, so that no changed one reaches it")
    document = trial.read()
    if witness.stage is Stage.MODEL:
        return _beside(bench, witness, document, BESIDE_THE_MODEL, alone) or _in_model(bench, witness, document, model)
    if witness.stage is Stage.POST_PROCESS:
        return _beside(bench, witness, document, LENGTHS) or _in_sequence(bench, witness, document)
    if witness.stage is Stage.DECODE:
        without = bench.trial_of(witness.source, {**document, "decoder": None})
        if without is not None and without.differs(witness.question):
            return _beside(bench, witness, document, ADDED_TOKENS) or _in_sequence(bench, witness, document)
    return _in_sequence(bench, witness, document)


def _beside(
    bench: Bench, witness: Witness, document: Json, parts: tuple[tuple[str, Any], ...], alone: str | None = None
) -> Narrowed | None:
    """Return which of the ``parts`` of the file is to blame: without it both agree, on the word ``alone`` too.

    Without added tokens a text may be cut into other words, so that agreement there could be chance.
    """
    for key, nothing in parts:
        trial = bench.trial_of(witness.source, {**document, key: nothing}) if document.get(key) else None
        if trial is None or trial.differs(witness.question):
            continue
        if alone is None or not trial.differs(Encode(alone, add_special_tokens=False)):
            return Narrowed(key, f"without {key} both agree")
    return None


def _in_model(bench: Bench, witness: Witness, document: Json, model: str) -> Narrowed:
    place = f"model: {model}"
    told = "the stages before it agree, and without what stands beside it (added tokens, truncation) they still differ"
    if witness.difference.field not in MERGED_FIELDS or not document["model"].get("merges"):
        return Narrowed(place, told)
    return Narrowed(place, told, first_parting(bench, witness, document))


def _in_sequence(bench: Bench, witness: Witness, document: Json) -> Narrowed:
    """Return the first member of a sequence with which both differ; else the component as it is."""
    key, members = COMPONENTS[witness.stage]
    component = document.get(key)
    if not isinstance(component, dict):
        return Narrowed(key, f"there is no {key}")
    for place, kind, shorter in shortened(component, members, key):
        trial = bench.trial_of(witness.source, {**document, key: shorter})
        if trial is not None and trial.differs(witness.question):
            return Narrowed(f"{place}: {kind}", "with the components before it alone both agree")
    return Narrowed(f"{key}: {component.get('type', '?')}", "it is the component of this stage")


def shortened(component: Json, members: str, place: str) -> Iterator[tuple[str, str, Json]]:
    """Yield for each member of a sequence its place, its type, and the sequence that ends with it.

    >>> component = {"decoders": [{"type": "Fuse"}, {"type": "Strip"}]}
    >>> [(place, len(made["decoders"])) for place, _, made in shortened(component, "decoders", "decoder")]
    [('decoder.decoders[0]', 1), ('decoder.decoders[1]', 2)]
    """
    listed = component.get(members)
    if not isinstance(listed, list):
        return
    for number, member in enumerate(listed):
        kind = str(member.get("type", "?")) if isinstance(member, dict) else "?"
        yield f"{place}.{members}[{number}]", kind, {**component, members: listed[: number + 1]}
