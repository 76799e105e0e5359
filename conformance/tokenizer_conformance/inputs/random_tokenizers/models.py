"""Random models of tokenizer.json, small enough that each of their rules shows in a text of a few characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from random import Random

Json = dict[str, Any]

CHARACTERS = "abcdeABéı\u0301京ひ1.▁_ '" + "ĠĊÃ©äº¬ðŁĺĢ"
"""What tokens are made of; the last ones are of the byte-level alphabet."""

COMMON_BYTES = (0x61, 0x41, 0x20, 0xC3, 0xA9, 0xE4, 0xBA, 0xAC, 0xCC, 0x81, 0xF0, 0x9F, 0x98, 0x80)
"""The bytes of a few characters, for vocabularies that know some bytes and not others."""

LONGEST_MERGED = 12

UNKNOWN = ("[UNK]", "[UNK]", "<unk>", "a")
"""Unknown tokens."""


def random_model(rng: Random) -> tuple[Json, list[str]]:
    """Return a model and its tokens."""
    return rng.choice(MODELS)(rng)


def _strings(rng: Random, count: int, longest: int = 4) -> list[str]:
    return ["".join(rng.choices(CHARACTERS, k=rng.randint(1, longest))) for _ in range(count)]


def _byte_tokens(rng: Random) -> list[str]:
    """Return the tokens of all bytes, or of some."""
    chosen = range(256) if rng.random() < 0.3 else rng.sample(COMMON_BYTES, k=rng.randint(1, len(COMMON_BYTES)))
    return [f"<0x{byte:02X}>" for byte in chosen]


def _numbered(rng: Random, tokens: Iterable[str]) -> dict[str, int]:
    """Return distinct tokens with ids, which have a hole now and then."""
    ids: dict[str, int] = {}
    next_id = 0
    for token in dict.fromkeys(tokens):
        ids[token] = next_id
        next_id += rng.choice((2, 100)) if rng.random() < 0.02 else 1
    return ids


def _with_share(rng: Random, share: float, tokens: list[str]) -> list[str]:
    """Return ``tokens`` for that share of the cases, and none else."""
    return tokens if rng.random() < share else []


# WordLevel, WordPiece ------------------------------------------------------------------------------------------------


def word_level(rng: Random) -> tuple[Json, list[str]]:
    """Return a WordLevel model; the unknown token may be missing from the vocabulary."""
    unk = rng.choice(UNKNOWN)
    tokens = [*_with_share(rng, 0.93, [unk]), *_strings(rng, rng.randint(0, 25)), "ab", "hello", "a"]
    tokens += _with_share(rng, 0.05, [""])
    return {"type": "WordLevel", "vocab": _numbered(rng, tokens), "unk_token": unk}, tokens


def word_piece(rng: Random) -> tuple[Json, list[str]]:
    """Return a WordPiece model; the unknown token may be missing from the vocabulary."""
    prefix = rng.choice(("##", "##", "", "▁"))
    unk = rng.choice(UNKNOWN)
    tokens = [*_with_share(rng, 0.93, [unk]), *_strings(rng, rng.randint(3, 25), 3)]
    tokens += [prefix + token for token in _strings(rng, rng.randint(3, 25), 2)]
    model = {
        "type": "WordPiece",
        "unk_token": unk,
        "continuing_subword_prefix": prefix,
        "max_input_chars_per_word": rng.choice((100, 100, 5, 1, 0)),
        "vocab": _numbered(rng, tokens),
    }
    return model, tokens


# BPE -----------------------------------------------------------------------------------------------------------------


def bpe(rng: Random) -> tuple[Json, list[str]]:
    """Return a BPE model: merges of tokens that exist, in random order."""
    prefix = rng.choice((None, None, None, "", "##"))
    suffix = rng.choice((None, None, None, "", "</w>"))
    tokens = _alphabet(rng, prefix or "", suffix or "")
    merges = _merges(rng, tokens, prefix or "")
    byte_fallback = rng.random() < 0.3
    if byte_fallback:
        tokens += _byte_tokens(rng)
    unk = rng.choice((None, *UNKNOWN))
    if unk is not None:
        tokens += _with_share(rng, 0.95, [unk])
    model = {
        "type": "BPE",
        "dropout": rng.choice((None, None, None, 0.0, 1.0)),
        "unk_token": unk,
        "continuing_subword_prefix": prefix,
        "end_of_word_suffix": suffix,
        "fuse_unk": rng.random() < 0.5,
        "byte_fallback": byte_fallback,
        "ignore_merges": rng.random() < 0.2,
        "vocab": _numbered(rng, tokens),
        "merges": merges,
    }
    return model, tokens


def _alphabet(rng: Random, prefix: str, suffix: str) -> list[str]:
    """Return a few characters as they stand inside a word, at its start, at its end, and alone."""
    characters = rng.sample(CHARACTERS, k=rng.randint(4, 18))
    forms = (("", ""), (prefix, ""), ("", suffix), (prefix, suffix))
    return list(dict.fromkeys(before + character + after for before, after in forms for character in characters))


def _merges(rng: Random, tokens: list[str], prefix: str) -> list[list[str]]:
    """Return merges in random order, one of them twice now and then; ``tokens`` grows by what they give."""
    merges: list[list[str]] = []
    cut = len(prefix)
    for _ in range(rng.randint(0, 30)):
        left, right = rng.choice(tokens), rng.choice(tokens)
        # The target cuts the prefix's bytes from the right part, whatever they are; inside a character it panics.
        if len(right) < cut or not right[:cut].isascii() or [left, right] in merges:
            continue
        merged = left + right[cut:]
        if len(merged) <= LONGEST_MERGED:
            merges.append([left, right])
            tokens.append(merged)
    rng.shuffle(merges)
    if merges and rng.random() < 0.05:
        merges.append(rng.choice(merges))
    return merges


# Unigram -------------------------------------------------------------------------------------------------------------


def unigram(rng: Random) -> tuple[Json, list[str]]:
    """Return a Unigram model; scores are few, so that ties are many, and a piece stands twice now and then."""
    tokens = [*rng.sample(CHARACTERS, k=rng.randint(2, 15)), *_strings(rng, rng.randint(2, 25))]
    byte_fallback = rng.random() < 0.3
    if byte_fallback:
        tokens += _byte_tokens(rng)
    tokens = list(dict.fromkeys(tokens))
    tokens += _with_share(rng, 0.05, [rng.choice(tokens)])
    rng.shuffle(tokens)
    scores = (-1.0, -2.0, -3.0, -4.0, -2.5, 0.0, rng.uniform(-9, 0), *_scores_of_note(rng))
    unk_id = rng.choice((0, 0, 0, 0, 0, 0, len(tokens) - 1, None))
    if unk_id == 0:
        tokens.insert(0, "<unk>")
    model = {
        "type": "Unigram",
        "unk_id": unk_id,
        "vocab": [[token, rng.choice(scores)] for token in tokens],
        "byte_fallback": byte_fallback,
    }
    return model, tokens


def _scores_of_note(rng: Random) -> tuple[float, ...]:
    """Return scores, now and then, of which some sums are rounded and others are not."""
    return (-1e-7, 3.5, -1e16) if rng.random() < 0.1 else ()


MODELS: tuple[Callable[[Random], tuple[Json, list[str]]], ...] = (word_level, word_piece, bpe, bpe, unigram, unigram)
