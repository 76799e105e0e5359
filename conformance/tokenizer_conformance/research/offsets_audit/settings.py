"""The settings under which a tokenizer is asked: as its file has it but for truncation and padding, and with these.

Truncation and padding are members of the tokenizer.json. Each setting is the user's document with both of them
replaced, so no implementation needs a way to set them. Lengths are small, so that short texts are cut and padded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.research.offsets_audit.tokenizer_rules import TokenizerRules

PAD_NAMES = ("[PAD]", "<pad>", "<PAD>", "<|endoftext|>", "</s>")
"""Tokens that are padded with, where the file says nothing of padding and has one of them."""


@dataclass(frozen=True, slots=True)
class Truncation:
    """How encodings are cut: to ``body`` tokens of one text beside special ones, which share ``stride`` tokens."""

    body: int
    stride: int
    direction: str

    def max_length(self, added: int) -> int:
        """Return ``max_length`` where ``added`` special tokens stand beside the tokens of a text."""
        return self.body + added


@dataclass(frozen=True, slots=True)
class Padding:
    """How encodings are padded: to a ``length``, or to the longest of a batch (``None``)."""

    length: int | None
    direction: str


@dataclass(frozen=True, slots=True)
class Setting:
    """A ``name`` for people, and what a tokenizer.json says of truncation and padding."""

    name: str
    truncation: Truncation | None = None
    padding: Padding | None = None


BARE = Setting("neither truncated nor padded")
CUT_RIGHT = Setting("truncated on the right, stride 2", truncation=Truncation(8, 2, "Right"))
CUT_LEFT = Setting("truncated on the left, stride 1", truncation=Truncation(6, 1, "Left"))
PADDED_RIGHT = Setting("padded on the right to 32", padding=Padding(32, "Right"))
PADDED_LEFT = Setting("padded on the left to the longest", padding=Padding(None, "Left"))

SETTINGS: tuple[Setting, ...] = (BARE, CUT_RIGHT, CUT_LEFT, PADDED_RIGHT, PADDED_LEFT)
"""All settings; :data:`BARE` is what the others are compared with."""


@dataclass(frozen=True, slots=True)
class PadToken:
    """What is padded with."""

    id: int
    token: str
    type_id: int


def pad_token_of(document: Json, rules: TokenizerRules) -> PadToken:
    """Return what the file pads with; else a token of a usual name, else the one with the lowest id."""
    given = document.get("padding") or {}
    if "pad_id" in given and "pad_token" in given:
        return PadToken(given["pad_id"], given["pad_token"], given.get("pad_type_id", 0))
    ids = {token: id for id, tokens in rules.tokens.items() for token in tokens}
    name = next((name for name in PAD_NAMES if name in ids), None)
    if name is not None:
        return PadToken(ids[name], name, 0)
    lowest = min(rules.tokens, default=0)
    return PadToken(lowest, min(rules.tokens.get(lowest, {"[PAD]"})), 0)


def document_with(document: Json, setting: Setting, added: int, pad: PadToken) -> Json:
    """Return ``document`` with what ``setting`` says in place of its own truncation and padding."""
    return {
        **document,
        "truncation": None if setting.truncation is None else _truncation(setting.truncation, added),
        "padding": None if setting.padding is None else _padding(setting.padding, pad),
    }


def _truncation(truncation: Truncation, added: int) -> Mapping[str, Any]:
    return {
        "direction": truncation.direction,
        "max_length": truncation.max_length(added),
        "strategy": "LongestFirst",
        "stride": truncation.stride,
    }


def _padding(padding: Padding, pad: PadToken) -> Mapping[str, Any]:
    return {
        "strategy": "BatchLongest" if padding.length is None else {"Fixed": padding.length},
        "direction": padding.direction,
        "pad_to_multiple_of": None,
        "pad_id": pad.id,
        "pad_type_id": pad.type_id,
        "pad_token": pad.token,
    }
