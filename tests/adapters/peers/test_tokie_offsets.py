"""Offsets of another call of ``tokie`` stand beside ids only where that call gives these ids; a fake stands for it."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import Encoded, TokenizerSource
from tokenizer_adapters.peers.tokie import TokieImplementation

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tokenizer_adapters.peers.package import Calls

FILE: dict[str, Any] = {
    "normalizer": None,
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
    "model": {"type": "BPE", "vocab": {}, "merges": []},
}


def encoding(ids: Sequence[int], **offsets: Any) -> SimpleNamespace:
    ones = [1] * len(ids)
    masks = {"type_ids": ones, "attention_mask": ones, "special_tokens_mask": ones}
    return SimpleNamespace(ids=list(ids), tokens=list(map(str, ids)), **masks, **offsets)


class Fake:
    """Gives ``located`` where it is asked for offsets, and the ids 1 and 2 elsewhere."""

    padding = None
    located: tuple[int, ...] = ()

    @classmethod
    def from_json(cls, _file: str) -> Fake:
        return cls()

    def encode(self, _text: str, _special: bool) -> SimpleNamespace:
        return encoding((1, 2))

    def encode_with_offsets(self, _text: str, _special: bool) -> SimpleNamespace:
        return encoding(self.located, offsets=[(place, place + 1) for place in range(len(self.located))])

    def decode(self, _ids: list[int]) -> str:
        return ""

    decode_bytes = decode


def calls_of(folder: Path, document: dict[str, Any], located: tuple[int, ...]) -> Calls:
    """Return how a tokenizer of ``document`` is asked, which gives these ids where it is asked for offsets."""
    file = folder / "tokenizer.json"
    file.write_text(json.dumps(document))
    fake = type("Located", (Fake,), {"located": located})
    peer = TokieImplementation.__new__(TokieImplementation)
    return peer.calls(SimpleNamespace(Tokenizer=fake), TokenizerSource("fake", str(file)))


@pytest.mark.parametrize(
    ("located", "offsets"),
    [((1, 2), ((0, 1), (1, 2))), ((1, 3), None), ((2, 1), None), ((1, 2, 3), None), ((), None)],
)
def test_offsets_stand_beside_their_own_ids(
    tmp_path: Path, located: tuple[int, ...], offsets: tuple[tuple[int, int], ...] | None
) -> None:
    calls = calls_of(tmp_path, FILE, located)
    for call in (calls.encode, calls.encode_special):
        assert not isinstance(call, str)
        answer = call("ab")
        assert isinstance(answer, Encoded)
        assert (answer.ids, answer.offsets) == ((1, 2), offsets)


@pytest.mark.parametrize(
    "changed",
    [
        {"normalizer": {"type": "NFC"}},
        {"pre_tokenizer": {**FILE["pre_tokenizer"], "add_prefix_space": True}},
        {"pre_tokenizer": {"type": "Metaspace"}},
    ],
)
def test_offsets_in_another_text_are_not_shown(tmp_path: Path, changed: dict[str, Any]) -> None:
    calls = calls_of(tmp_path, {**FILE, **changed}, (1, 2))
    assert not isinstance(calls.encode, str)
    assert calls.encode("ab").offsets is None
