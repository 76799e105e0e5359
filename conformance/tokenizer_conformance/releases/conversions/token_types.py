"""Types of tokens in a GGUF file by which llama.cpp decodes them to nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.gguf.vocabulary import TokenType
from tokenizer_conformance.comparison.component_differences import MOST_CHANGES, Change, Component, Replacement
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.releases.conversions.overlay import ids_of
from tokenizer_conformance.releases.loader_audit.witness import NoWitness

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.releases.loader_audit.witness import Shown

DECODED = frozenset(TokenType) - {TokenType.UNUSED}
"""Types of tokens that have a text for llama.cpp (``llama_vocab::impl::token_to_piece``)."""

NO_PART = "it is no part of a tokenizer.json, in which each token has its text"


def unused_tokens(document: Json, types: Sequence[int]) -> Iterator[tuple[Replacement, Shown]]:
    """Yield that the model of ``document`` has tokens which the ``types`` of a file, by id, give no text.

    Of added tokens it is told that they are none.
    """
    ids = ids_of(document)
    tokens = sorted((id_, token) for id_, token in ids.model.items() if token not in ids.added)
    without = [(id_, token) for id_, token in tokens if id_ < len(types) and types[id_] not in DECODED]
    if not without:
        return
    named = ", ".join(f"{quoted(token)} ({id_}) has the type {types[id_]}" for id_, token in without[:3])
    words = f"{counted(len(without), 'token')} that llama.cpp decodes to nothing: {named}"
    changes = tuple(Change(f"types[{id_}]", int(TokenType.NORMAL), types[id_]) for id_, _ in without[:MOST_CHANGES])
    found = Replacement(Component.VOCABULARY, "model.vocab.types", words, changes, len(without), document)
    yield found, NoWitness(0, NO_PART)
