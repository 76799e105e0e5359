"""What ranks of tiktoken or a tekken.json say, put into a tokenizer.json of a byte-level BPE.

Ranks are ids, and what is merged first is what makes the lowest id: so merges are put in the order of what they make.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.gguf.settings import Settings
from tokenizer_adapters.gguf.vocabulary import GgufVocabulary, TokenType
from tokenizer_conformance.comparison.component_differences import Component
from tokenizer_conformance.inputs.text_generators.entries import byte_of_character
from tokenizer_conformance.releases.conversions import steps
from tokenizer_conformance.releases.conversions.overlay import ConversionError, mapped, members_of
from tokenizer_conformance.releases.conversions.steps import Kind, Side, put_in

if TYPE_CHECKING:
    from tokenizer_adapters.formats import Ranks
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.releases.conversions.overlay import Overlay

TEKKEN = Kind(type="BPE", steps=(steps.put_added_tokens, steps.put_vocabulary, steps.put_merges_by_score))
TIKTOKEN = Kind(type="BPE", steps=(steps.put_vocabulary, steps.put_merges_by_score))


def overlay_of(document: Json, configuration: Json, ranks: Ranks) -> Overlay:
    """Return ``document`` with what ``ranks`` say. Raises :class:`ConversionError`."""
    if not any(each.get("type") == "ByteLevel" for each in members_of(document.get("pre_tokenizer"))):
        raise ConversionError("ranks are those of a byte-level BPE, and the tokenizer.json has none of ByteLevel")
    kind = TIKTOKEN if ranks.special is None else TEKKEN
    made = put_in(Side(document, configuration, _vocabulary(document, ranks), Settings(), kind))
    if ranks.special is None:
        made.unsaid.append("special tokens and the pattern, of which ranks say nothing")
    if ranks.pattern is not None:
        _put_pattern(made, ranks.pattern)
    return made


def _vocabulary(document: Json, ranks: Ranks) -> GgufVocabulary:
    """Return what ``ranks`` say, in the words of a GGUF file; where they have no special tokens, those of the file."""
    characters = {byte: character for character, byte in byte_of_character().items()}
    tokens = {id_: "".join(map(characters.__getitem__, token)) for token, id_ in ranks.tokens.items()}
    special = (
        {str(each["content"]): int(each["id"]) for each in document.get("added_tokens") or ()}
        if ranks.special is None
        else ranks.special
    )
    tokens |= {id_: token for token, id_ in special.items()}
    types = dict.fromkeys(special.values(), TokenType.CONTROL)
    ids = range(max(tokens, default=-1) + 1)
    return GgufVocabulary(
        model="ranks",
        tokens=tuple(tokens.get(id_, f"{steps.PLACEHOLDER}{id_}]") for id_ in ids),
        types=tuple(types.get(id_, TokenType.NORMAL if id_ in tokens else TokenType.UNUSED) for id_ in ids),
        scores=tuple(-float(id_) for id_ in ids),
    )


def _put_pattern(made: Overlay, pattern: str) -> None:
    """Put in the ``pattern`` that splits a text, in the place of that of the only Split by one."""
    splits = [each for each in members_of(made.document["pre_tokenizer"]) if each.get("type") == "Split"]
    if len(splits) != 1:
        made.unsaid.append("the pattern, in whose place the tokenizer.json has other components than one Split")
        return
    made.compared.add(Component.PRE_TOKENIZER)
    if splits[0]["pattern"].get("Regex") == pattern:
        return
    made.note(Component.PRE_TOKENIZER, "the pattern is another one")

    def changed(each: Json) -> Json:
        return {**each, "pattern": {"Regex": pattern}} if each.get("type") == "Split" else each

    made.change(pre_tokenizer=mapped(made.document["pre_tokenizer"], changed))
