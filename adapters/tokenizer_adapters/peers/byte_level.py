"""Byte-level BPE as the peers want it: ranks of byte strings with a split pattern, or the split of GPT-2 alone.

A rank file says nothing of merges: any two neighbours whose bytes together have a rank may merge, lowest rank first.
That is the same as a list of merges where each merge makes a token of its own and the merges make every such token of
its characters, so the ranks of the merges' results, in the order of the merges, say all. Ids that follow another order
(RoBERTa's) are put back afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tokenizer_adapters.documents import model_kind
from tokenizer_adapters.pipeline import UnfitTokenizerError

GPT2_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
"""Where a ``ByteLevel`` pre-tokenizer with ``use_regex`` splits (the pattern of ``tokenizers``)."""

UNSAYABLE = ("dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix", "byte_fallback")
"""Settings of a BPE model that ranks have no word for."""


@dataclass(frozen=True, slots=True)
class ByteLevelRanks:
    """A byte-level BPE as ranks.

    ``ranks`` are 0 to n - 1: first the 256 bytes in order of their values, then the merges. ``ids`` gives the token's
    id for each rank. ``special_tokens`` are the added tokens with their ids.
    """

    ranks: dict[bytes, int]
    ids: tuple[int, ...]
    pattern: str
    special_tokens: dict[str, int]


def byte_level_ranks(document: dict[str, Any]) -> ByteLevelRanks:
    """Return the BPE of ``document``, a parsed ``tokenizer.json``, as ranks.

    Raises :class:`UnfitTokenizerError` where ranks cannot say the same.
    """
    _check_plain_bpe(document)
    pattern = split_pattern(document)
    vocab: dict[str, int] = document["model"]["vocab"]
    characters = byte_characters()
    merges = merge_pairs(document["model"]["merges"])
    tokens = [*characters, *(left + right for left, right in merges)]
    if len(set(tokens)) != len(tokens):
        raise UnfitTokenizerError("two merges make one token, which ranks cannot say")
    unmade = _first_unmade(merges)
    if unmade is not None:
        raise UnfitTokenizerError(f"its merges do not make {unmade!r} of its characters, and ranks do")
    missing = next((token for token in tokens if token not in vocab), None)
    if missing is not None:
        raise UnfitTokenizerError(f"its vocabulary lacks {missing!r}, one of the 256 bytes or the result of a merge")
    values = {character: value for value, character in enumerate(characters)}
    try:
        ranks = {bytes(values[character] for character in token): rank for rank, token in enumerate(tokens)}
    except KeyError as error:
        raise UnfitTokenizerError(f"its merges hold {error}, which stands for no byte") from error
    added = {token["content"]: token["id"] for token in document.get("added_tokens", [])}
    return ByteLevelRanks(ranks, tuple(vocab[token] for token in tokens), pattern, added)


def split_pattern(document: dict[str, Any]) -> str:
    """Return the pattern whose matches are the pieces of a byte-level pre-tokenizer.

    Raises :class:`UnfitTokenizerError` for any other pre-tokenizer.
    """
    match document.get("pre_tokenizer"):
        case {"type": "ByteLevel", "add_prefix_space": False, **rest} if rest.get("use_regex", True):
            return GPT2_PATTERN
        case {
            "type": "Sequence",
            "pretokenizers": [
                {"type": "Split", "pattern": {"Regex": str(pattern)}, "behavior": "Isolated", "invert": False},
                {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False},
            ],
        }:
            return pattern
    raise UnfitTokenizerError(
        "it splits as one pattern does, on bytes, without a prefix space; this pre-tokenizer differs"
    )


def check_gpt2_split(document: dict[str, Any]) -> None:
    """Raise :class:`UnfitTokenizerError` where ``document`` is not a byte-level BPE that splits as GPT-2 does."""
    _check_plain_bpe(document)
    if split_pattern(document) != GPT2_PATTERN:
        raise UnfitTokenizerError("it splits as GPT-2 does; this pre-tokenizer has another pattern")


def merge_pairs(merges: list[Any]) -> list[tuple[str, str]]:
    """Return the ``merges`` of a model as pairs; a file writes each as a list of two or as text with a space."""
    return [_pair(merge) for merge in merges]


def byte_characters() -> list[str]:
    """Return the character that stands for each byte in byte-level tokens, by the byte's value.

    Printable bytes of Latin-1 stand for themselves, all others for U+0100 and what follows, in order (GPT-2's table).
    """
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = iter(range(0x100, 0x200))
    return [chr(value if value in printable else next(others)) for value in range(0x100)]


def _check_plain_bpe(document: dict[str, Any]) -> None:
    kind = model_kind(document)
    if kind != "BPE":
        raise UnfitTokenizerError(f"it reads byte-level BPE; this model is {kind}")
    if document.get("normalizer") is not None:
        raise UnfitTokenizerError("it has no normalizer; this tokenizer has one")
    if document.get("truncation") is not None or document.get("padding") is not None:
        raise UnfitTokenizerError("it neither truncates nor pads; this file does")
    if (document.get("decoder") or {}).get("type") != "ByteLevel":
        raise UnfitTokenizerError("it decodes bytes; the decoder of this file does not")
    made = {left + right for left, right in merge_pairs(document["model"]["merges"])}
    if document["model"].get("ignore_merges") and not document["model"]["vocab"].keys() <= made | set(
        byte_characters()
    ):
        raise UnfitTokenizerError("it takes no whole words from the vocabulary, as ignore_merges does")
    setting = next((name for name in UNSAYABLE if document["model"].get(name)), None)
    if setting is not None:
        raise UnfitTokenizerError(f"it has nothing like this model's {setting}")


def _first_unmade(merges: list[tuple[str, str]]) -> str | None:
    """Return the first result of a merge that the ``merges``, in their order, do not make of its characters.

    Of "abc" the merges a b, b c, a bc make "ab" and "c"; by ranks the two would merge, since "abc" has one.
    """
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    return next((left + right for left, right in merges if len(_merged(left + right, ranks)) > 1), None)


def _merged(token: str, ranks: dict[tuple[str, str], int]) -> list[str]:
    """Return what the merges make of ``token``: the first of the lowest rank merges, until none is left."""
    parts = list(token)
    while len(parts) > 1:
        pairs = [ranks.get(pair, len(ranks)) for pair in pairwise(parts)]
        lowest = min(pairs)
        if lowest == len(ranks):
            break
        place = pairs.index(lowest)
        parts[place : place + 2] = [parts[place] + parts[place + 1]]
    return parts


def _pair(merge: Any) -> tuple[str, str]:
    left, right = merge.split(" ") if isinstance(merge, str) else merge
    return left, right
