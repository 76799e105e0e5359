"""The tokenizer.json documents that ask about one component: it stands before a model that spells bytes.

The model is a byte-level BPE whose vocabulary is the 256 bytes, so that an implementation that shows nothing but ids
shows by these what its normalizer made of a text, and which characters its pre-tokenizer left out. Where pieces begin
and end is shown by merges: the last byte of a character and the first one of the next become one token where both stand
in one piece, and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Json = dict[str, Any]

LEADING: Final = range(0xC2, 0xF5)
TRAILING: Final = range(0x80, 0xC0)
ASCII: Final = range(0x80)

BYTE_LEVEL: Final[Json] = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
"""The pre-tokenizer that spells bytes and cuts nothing."""


def _byte_characters() -> tuple[str, ...]:
    """Return the character that stands for each byte: itself where it is a visible one, else one from U+0100 on.

    The rule is that of ``bytes_to_unicode`` in GPT-2's encoder.
    """
    visible = {*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = iter(range(0x100, 0x200))
    return tuple(chr(byte if byte in visible else next(others)) for byte in range(256))


BYTE_CHARACTERS: Final = _byte_characters()
BYTES: Final = {char: byte for byte, char in enumerate(BYTE_CHARACTERS)}


@dataclass(frozen=True, slots=True)
class Added:
    """An added token of a document."""

    content: str
    lstrip: bool = False
    rstrip: bool = False
    single_word: bool = False


@dataclass(frozen=True, slots=True)
class Sentinels:
    """ASCII characters that stand before and after a character that is asked about, and between two such blocks.

    All three are different.
    """

    left: str
    right: str
    between: str


@dataclass(frozen=True, slots=True)
class Document:
    """A document, and the bytes that each id of it stands for."""

    text: Json
    spelling: tuple[bytes, ...]


def document(
    normalizer: Json | None = None,
    pre_tokenizer: Json | None = None,
    *,
    spells_bytes: bool = False,
    sentinels: Sentinels | None = None,
) -> Document:
    """Return the document with these components.

    Where it ``spells_bytes``, the pre-tokenizer is followed by the one that does; the ids of a text then are those of
    its bytes, two in one where that is a part of a character. With ``sentinels`` boundaries of pieces are shown.
    """
    merges = list(_merges(sentinels) if sentinels is not None else _shortening() if spells_bytes else ())
    tokens = [bytes([byte]) for byte in range(256)]
    tokens += dict.fromkeys(left + right for left, right in merges)
    text: Json = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": normalizer,
        "pre_tokenizer": _followed_by_bytes(pre_tokenizer) if spells_bytes else pre_tokenizer,
        "post_processor": None,
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": {_spelled(token): number for number, token in enumerate(tokens)},
            "merges": [f"{_spelled(left)} {_spelled(right)}" for left, right in merges],
        },
    }
    return Document(text, tuple(tokens))


UNKNOWN: Final = "[UNK]"
"""The token of a word that a document of words does not have."""


def document_of_words(normalizer: Json | None, words: Sequence[str], added: Sequence[Added]) -> tuple[Json, list[str]]:
    """Return a document whose vocabulary are the ``words``, and what each of its ids stands for.

    It cuts nothing: what stands between two added tokens is one word, which it knows or not.
    """
    tokens = [UNKNOWN, *words]
    made = document(normalizer).text
    made["decoder"] = None
    made["model"] = {"type": "WordLevel", "vocab": {token: at for at, token in enumerate(tokens)}, "unk_token": UNKNOWN}
    made["added_tokens"] = [_added_token(token, len(tokens) + number) for number, token in enumerate(added)]
    return made, [*tokens, *(token.content for token in added)]


def _spelled(token: bytes) -> str:
    return "".join(BYTE_CHARACTERS[byte] for byte in token)


def _followed_by_bytes(pre_tokenizer: Json | None) -> Json:
    match pre_tokenizer:
        case None:
            return BYTE_LEVEL
        case {"type": "ByteLevel"}:  # it spells bytes itself
            return pre_tokenizer
    return {"type": "Sequence", "pretokenizers": [pre_tokenizer, BYTE_LEVEL]}


def _added_token(token: Added, number: int) -> Json:
    return {
        "id": number,
        "content": token.content,
        "single_word": token.single_word,
        "lstrip": token.lstrip,
        "rstrip": token.rstrip,
        "normalized": False,
        "special": False,
    }


def _shortening() -> Iterator[tuple[bytes, bytes]]:
    """Yield merges inside of characters: they make half as many ids of a text, which spell the same."""
    for first in (LEADING, TRAILING):
        yield from ((bytes([byte]), bytes([last])) for byte in first for last in TRAILING)


def _merges(sentinels: Sentinels) -> Iterator[tuple[bytes, bytes]]:
    """Yield the merges over the boundaries of characters: none of them shares a byte with another in one text."""
    left, right = sentinels.left.encode(), sentinels.right.encode()
    yield from ((left, bytes([byte])) for byte in LEADING)
    yield from ((bytes([byte]), right) for byte in TRAILING)
    yield from ((bytes([last]), bytes([first])) for last in TRAILING for first in LEADING)
    others = [bytes([byte]) for byte in ASCII]
    yield from ((left, each) for each in others)
    yield from ((left + each, right) for each in others)
    yield from ((each, right) for each in others)
