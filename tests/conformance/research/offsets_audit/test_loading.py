"""What a tokenizer is loaded with, and whether an implementation takes notice of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import Encode, EncodeBatch, Encoded, EncodedBatch, Failed, TokenizerSource, Unsupported
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
from tokenizer_conformance.research.offsets_audit.loading import (
    BARE,
    CUT_RIGHT,
    PADDED_LEFT,
    PADDED_RIGHT,
    SETTINGS,
    SHORT,
    PadToken,
    Setting,
    _not_honoured,
    pad_token_of,
    read_document,
)
from tokenizer_conformance.research.offsets_audit.tokenizer_rules import rules_of

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_adapters.contract import Observation, Outcome


class Asked:
    """Makes a token of each character, but no more than ``most``, padded to ``length`` or to the ``longest``."""

    def __init__(self, *, most: int = 1000, length: int = 0, longest: bool = False, batches: Any = None) -> None:
        self._most, self._length, self._longest, self._batches = most, length, longest, batches

    def ask(self, question: Observation) -> Outcome:
        if isinstance(question, EncodeBatch):
            sizes = [self._size(each) for each in question.inputs]
            sizes = [max(sizes)] * len(sizes) if self._longest else sizes
            return self._batches or EncodedBatch(tuple(Encoded((0,) * size) for size in sizes))
        assert isinstance(question, Encode)
        return Encoded((0,) * self._size(question))

    def _size(self, question: Encode) -> int:
        return max(min(len(question.text), self._most), self._length)


IGNORED = "it takes no notice of the {} in the file"


@pytest.mark.parametrize(
    ("setting", "asked", "reason"),
    [
        (CUT_RIGHT, Asked(most=8), ""),
        (CUT_RIGHT, Asked(), IGNORED.format("truncation")),
        (PADDED_RIGHT, Asked(length=32), ""),
        (PADDED_RIGHT, Asked(), IGNORED.format("padding")),
        (PADDED_LEFT, Asked(longest=True), ""),
        (PADDED_LEFT, Asked(), IGNORED.format("padding")),
        (PADDED_LEFT, Asked(batches=Unsupported("one by one")), "it encodes no batches: one by one"),
        (PADDED_LEFT, Asked(batches=Failed("ValueError", "no")), ""),
        (BARE, Asked(), ""),
    ],
)
def test_whether_notice_is_taken_of_a_setting(setting: Setting, asked: Asked, reason: str) -> None:
    assert _not_honoured(setting, asked, Asked()) == reason  # type: ignore[arg-type]  # they have what is asked
    assert {BARE, CUT_RIGHT, PADDED_RIGHT, PADDED_LEFT} <= {*SETTINGS}
    assert len(SHORT) < 32


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ("{", "cannot be read: "),
        ("[]", "is not in its format (AttributeError: "),
        ('{"model": {"type": "BPE", "vocab": {}}, "added_tokens": [{}]}', "is not in its format (KeyError: "),
        ('{"model": {"type": "BPE", "vocab": {}}, "added_tokens": 3}', "is not in its format (TypeError: "),
        ('{"model": {"type": "Unigram", "vocab": [[]]}}', "is not in its format (IndexError: "),
    ],
)
def test_a_file_in_another_format_is_refused(document: str, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_text(document)
    with pytest.raises(BadInputError, match=re.escape(f"mine: its tokenizer.json {reason}")):
        read_document(TokenizerFile(TokenizerSource("mine", str(file)), ""))


@pytest.mark.parametrize(
    ("padding", "tokens", "pad"),
    [
        ({"pad_id": 5, "pad_token": "p", "pad_type_id": 2}, {"a": 0, "[PAD]": 3}, PadToken(5, "p", 2)),
        ({"pad_id": 5, "pad_token": "p"}, {"a": 0}, PadToken(5, "p", 0)),
        ({"pad_id": 5}, {"a": 0, "[PAD]": 3}, PadToken(3, "[PAD]", 0)),
        ({"pad_token": "p"}, {"a": 0, "[PAD]": 3}, PadToken(3, "[PAD]", 0)),
        (None, {"b": 2, "a": 1}, PadToken(1, "a", 0)),
        (None, {}, PadToken(0, "[PAD]", 0)),
    ],
)
def test_what_is_padded_with(padding: dict[str, Any] | None, tokens: dict[str, int], pad: PadToken) -> None:
    document = {"padding": padding, "model": {"type": "WordLevel", "vocab": tokens}}
    assert pad_token_of(document, rules_of(document)) == pad
