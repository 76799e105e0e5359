"""Random tokenizer.json documents: every component and option, in small, and valid.

A document is a plain ``dict``. It is *valid* in that ``tokenizers`` loads it; what it then does may still be to raise an
error, or to panic: those answers are compared as well. Left out is only what the target answers at random, since there is
nothing to compare with: a dropout between 0 and 1, two vocabulary entries with one id, special tokens of a template that are
missing (several of them are listed in random order).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

Json = dict[str, Any]

BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")

REGEXES = (
    r"\s+", r"\s", r" {2,}", r"\d+", r"\d", r"\w+", r"\W", r"[^\w\s]", r"\p{L}+|\p{N}", r"\p{P}", r"a|b", r"(?i:AB)", r"^",
    r"$", r"x*", r"", r".", r"(?=a)", r"(?<=b)", r"\p{M}+", r"[a-c&&[^b]]", r"(?:ab)+", r"\s+(?!\S)|\s+", r"[[:punct:]]",
    r"\p{Han}|\p{Hiragana}", r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+", r"\b", r"(a)(b)?", r"\R",
)  # fmt: skip

STRINGS = (" ", "a", "ab", "``", "''", "▁", "é", "\u0301", "", "A", ".", "京", "  ", "e\u0301", "\n")

CONTENTS = ("", " ", "▁", '"', "x", "ab", "京", "é", "-", "\u0301", "XYZ")

ADDED = (
    "<m>", "[CLS]", "[SEP]", "<pad>", "<unk>", "abc", "AB", "é", " b", "b ", "##a", "Ġ", "▁", "京都", "don", "12", "<|end|>",
    "[MASK]", "a", "\u0301", "😀", "\n", "  ", "İ", "ß", "x y",
)  # fmt: skip
"""Contents of added tokens."""

BYTE_LEVEL_CHARACTERS = "ĠĊÃ©äº¬ðŁĺĢ"
"""A few characters of the byte-level alphabet, for the vocabularies of models behind it."""


@dataclass(frozen=True, slots=True)
class Document:
    """A tokenizer.json, and the strings that a text should hold now and then: vocabulary entries and added tokens."""

    json: Json
    strings: tuple[str, ...]


def random_document(rng: Random) -> Document:
    """Return a random document."""
    model, vocabulary = rng.choice(MODELS)(rng)
    added = random_added_tokens(rng)
    json: Json = {
        "version": "1.0",
        "truncation": _maybe(rng, 0.2, random_truncation),
        "padding": _maybe(rng, 0.2, random_padding),
        "added_tokens": added,
        "normalizer": _maybe(rng, 0.75, random_normalizer),
        "pre_tokenizer": _maybe(rng, 0.8, random_pre_tokenizer),
        "post_processor": _maybe(rng, 0.6, random_processor),
        "decoder": _maybe(rng, 0.8, random_decoder),
        "model": model,
    }
    return Document(json, tuple(vocabulary) + tuple(token["content"] for token in added))


def _maybe(rng: Random, probability: float, make: Callable[[Random], Json]) -> Json | None:
    return make(rng) if rng.random() < probability else None


def _flag(rng: Random) -> bool:
    return rng.random() < 0.5


# Added tokens, truncation, padding -----------------------------------------------------------------------------------


def random_added_tokens(rng: Random) -> list[Json]:
    """Return up to five added tokens with random flags, special and normalized among them."""
    contents = rng.sample(ADDED, k=rng.choice((0, 0, 1, 2, 3, 5)))
    flags = ("single_word", "lstrip", "rstrip", "normalized", "special")
    return [
        {"id": index, "content": content, **{flag: rng.random() < 0.35 for flag in flags}}
        for index, content in enumerate(contents)
    ]


def random_truncation(rng: Random) -> Json:
    """Return a truncation, of lengths that are too short as well."""
    return {
        "direction": rng.choice(("Left", "Right")),
        "max_length": rng.choice((0, 1, 2, 3, 4, 5, 8)),
        "strategy": rng.choice(("LongestFirst", "LongestFirst", "OnlyFirst", "OnlySecond")),
        "stride": rng.choice((0, 0, 0, 1, 2)),
    }


def random_padding(rng: Random) -> Json:
    """Return a padding."""
    return {
        "strategy": rng.choice(("BatchLongest", {"Fixed": rng.choice((0, 3, 9))})),
        "direction": rng.choice(("Left", "Right")),
        "pad_to_multiple_of": rng.choice((None, None, 1, 4)),
        "pad_id": rng.choice((0, 7)),
        "pad_type_id": rng.choice((0, 3)),
        "pad_token": "[PAD]",
    }


# Normalizers ---------------------------------------------------------------------------------------------------------


def _pattern(rng: Random) -> Json:
    return {"Regex": rng.choice(REGEXES)} if rng.random() < 0.5 else {"String": rng.choice(STRINGS)}


def _bert_normalizer(rng: Random) -> Json:
    return {
        "type": "BertNormalizer",
        "clean_text": _flag(rng),
        "handle_chinese_chars": _flag(rng),
        "strip_accents": rng.choice((None, True, False)),
        "lowercase": _flag(rng),
    }


def _bare(name: str) -> Callable[[Random], Json]:
    return lambda _: {"type": name}


NORMALIZERS: tuple[Callable[[Random], Json], ...] = (
    _bert_normalizer,
    *map(_bare, ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt", "ByteLevel")),
    lambda rng: {"type": "Strip", "strip_left": _flag(rng), "strip_right": _flag(rng)},
    lambda rng: {"type": "Replace", "pattern": _pattern(rng), "content": rng.choice(CONTENTS)},
    lambda rng: {"type": "Replace", "pattern": _pattern(rng), "content": rng.choice(CONTENTS)},
    lambda rng: {"type": "Prepend", "prepend": rng.choice(("▁", "a", "", "xy"))},
)


def random_normalizer(rng: Random) -> Json:
    """Return a normalizer, or a sequence of up to four."""
    if rng.random() < 0.5:
        return rng.choice(NORMALIZERS)(rng)
    return {"type": "Sequence", "normalizers": [rng.choice(NORMALIZERS)(rng) for _ in range(rng.randint(0, 4))]}


# Pre-tokenizers ------------------------------------------------------------------------------------------------------


def _byte_level(rng: Random) -> Json:
    return {"type": "ByteLevel", "add_prefix_space": _flag(rng), "trim_offsets": _flag(rng), "use_regex": rng.random() < 0.8}


def _metaspace(rng: Random) -> Json:
    return {
        "type": "Metaspace",
        "replacement": rng.choice(("▁", "▁", "_")),
        "prepend_scheme": rng.choice(("always", "first", "never")),
        "split": rng.random() < 0.8,
    }


PRE_TOKENIZERS: tuple[Callable[[Random], Json], ...] = (
    _byte_level,
    _byte_level,
    _metaspace,
    _metaspace,
    *map(_bare, ("BertPreTokenizer", "Whitespace", "WhitespaceSplit", "UnicodeScripts")),
    lambda rng: {"type": "CharDelimiterSplit", "delimiter": rng.choice(" a-京")},
    lambda rng: {"type": "Digits", "individual_digits": _flag(rng)},
    lambda rng: {"type": "FixedLength", "length": rng.randint(1, 4)},
    lambda rng: {"type": "Punctuation", "behavior": rng.choice(BEHAVIORS)},
    lambda rng: {"type": "Split", "pattern": _pattern(rng), "behavior": rng.choice(BEHAVIORS), "invert": _flag(rng)},
    lambda rng: {"type": "Split", "pattern": _pattern(rng), "behavior": rng.choice(BEHAVIORS), "invert": _flag(rng)},
)


def random_pre_tokenizer(rng: Random) -> Json:
    """Return a pre-tokenizer, or a sequence of up to three."""
    if rng.random() < 0.6:
        return rng.choice(PRE_TOKENIZERS)(rng)
    return {"type": "Sequence", "pretokenizers": [rng.choice(PRE_TOKENIZERS)(rng) for _ in range(rng.randint(0, 3))]}


# Models --------------------------------------------------------------------------------------------------------------

CHARACTERS = "abcdeABéı\u0301京ひ1.▁_ '" + BYTE_LEVEL_CHARACTERS
BYTE_TOKENS = tuple(f"<0x{byte:02X}>" for byte in (0x61, 0x41, 0x20, 0xC3, 0xA9, 0xE4, 0xBA, 0xAC, 0xCC, 0x81, 0xF0, 0x9F, 0x98, 0x80))


def _strings(rng: Random, count: int, longest: int = 4) -> list[str]:
    return ["".join(rng.choices(CHARACTERS, k=rng.randint(1, longest))) for _ in range(count)]


def _numbered(rng: Random, tokens: list[str]) -> dict[str, int]:
    """Return distinct tokens with ids, which have a hole now and then."""
    ids: dict[str, int] = {}
    next_id = 0
    for token in dict.fromkeys(tokens):
        ids[token] = next_id
        next_id += 2 if rng.random() < 0.02 else 1
    return ids


def word_level(rng: Random) -> tuple[Json, list[str]]:
    """Return a WordLevel model and its tokens; the unknown token may be missing from the vocabulary."""
    tokens = [*_strings(rng, rng.randint(0, 25)), "ab", "hello", "a"]
    if rng.random() < 0.85:
        tokens.insert(0, "[UNK]")
    return {"type": "WordLevel", "vocab": _numbered(rng, tokens), "unk_token": "[UNK]"}, tokens


def word_piece(rng: Random) -> tuple[Json, list[str]]:
    """Return a WordPiece model and its tokens."""
    prefix = rng.choice(("##", "##", "", "▁"))
    tokens = _strings(rng, rng.randint(3, 25), 3)
    tokens += [prefix + token for token in _strings(rng, rng.randint(3, 25), 2)]
    if rng.random() < 0.9:
        tokens.insert(0, "[UNK]")
    model = {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": prefix,
        "max_input_chars_per_word": rng.choice((100, 100, 5, 0)),
        "vocab": _numbered(rng, tokens),
    }
    return model, tokens


def bpe(rng: Random) -> tuple[Json, list[str]]:
    """Return a BPE model and its tokens: merges of tokens that exist, in random order."""
    prefix = rng.choice((None, None, None, "", "##"))
    suffix = rng.choice((None, None, None, "", "</w>"))
    characters = rng.sample(CHARACTERS, k=rng.randint(4, 18))
    tokens = list(characters)
    tokens += [(prefix or "") + character for character in characters]
    tokens += [character + (suffix or "") for character in characters]
    tokens += [(prefix or "") + character + (suffix or "") for character in characters]
    tokens = list(dict.fromkeys(tokens))
    merges: list[list[str]] = []
    for _ in range(rng.randint(0, 30)):
        left, right = rng.choice(tokens), rng.choice(tokens)
        # The target cuts the prefix's bytes from the right part, whatever they are; inside a character it aborts.
        cut = len(prefix or "")
        if len(right) < cut or not right[:cut].isascii() or [left, right] in merges:
            continue
        merged = left + right[cut:]
        if len(merged) <= 12:
            merges.append([left, right])
            tokens.append(merged)
    rng.shuffle(merges)
    byte_fallback = rng.random() < 0.3
    if byte_fallback:
        tokens += rng.sample(BYTE_TOKENS, k=rng.randint(1, len(BYTE_TOKENS)))
    unk = rng.choice((None, None, "[UNK]"))
    if unk is not None and rng.random() < 0.9:
        tokens.append(unk)
    model = {
        "type": "BPE",
        "dropout": rng.choice((None, None, None, 0.0, 1.0)),
        "unk_token": unk,
        "continuing_subword_prefix": prefix,
        "end_of_word_suffix": suffix,
        "fuse_unk": _flag(rng),
        "byte_fallback": byte_fallback,
        "ignore_merges": rng.random() < 0.2,
        "vocab": _numbered(rng, tokens),
        "merges": merges,
    }
    return model, tokens


def unigram(rng: Random) -> tuple[Json, list[str]]:
    """Return a Unigram model and its tokens; scores are few, so that ties are many."""
    tokens = [*rng.sample(CHARACTERS, k=rng.randint(2, 15)), *_strings(rng, rng.randint(2, 25))]
    byte_fallback = rng.random() < 0.3
    if byte_fallback:
        tokens += rng.sample(BYTE_TOKENS, k=rng.randint(1, len(BYTE_TOKENS)))
    tokens = list(dict.fromkeys(tokens))
    rng.shuffle(tokens)
    scores = (-1.0, -2.0, -3.0, -4.0, -2.5, rng.uniform(-9, 0))
    unk_id = rng.choice((0, 0, 0, len(tokens) - 1, None))
    if unk_id == 0:
        tokens.insert(0, "<unk>")
    model = {
        "type": "Unigram",
        "unk_id": unk_id,
        "vocab": [[token, rng.choice(scores)] for token in tokens],
        "byte_fallback": byte_fallback,
    }
    return model, tokens


MODELS: tuple[Callable[[Random], tuple[Json, list[str]]], ...] = (word_level, word_piece, bpe, bpe, unigram, unigram)


# Post-processors -----------------------------------------------------------------------------------------------------

SPECIALS = ("[CLS]", "[SEP]", "<s>", "</s>")


def _bert_processing(_: Random) -> Json:
    return {"type": "BertProcessing", "sep": ["[SEP]", 102], "cls": ["[CLS]", 101]}


def _roberta_processing(rng: Random) -> Json:
    return {
        "type": "RobertaProcessing",
        "sep": ["</s>", 2],
        "cls": ["<s>", 0],
        "trim_offsets": _flag(rng),
        "add_prefix_space": _flag(rng),
    }


def _template(rng: Random) -> Json:
    """Return a template: special tokens anywhere, of one id or two, types at random."""

    def special() -> Json:
        return {"SpecialToken": {"id": rng.choice(SPECIALS), "type_id": rng.choice((0, 0, 1, 2))}}

    def sequence(name: str) -> Json:
        return {"Sequence": {"id": name, "type_id": rng.choice((0, 0, 1, 2))}}

    def around(names: str) -> list[Json]:
        pieces = [special() for _ in range(rng.randint(0, 2))]
        for name in names:
            pieces += [sequence(name), *(special() for _ in range(rng.randint(0, 2)))]
        return pieces

    ids = {token: [100 + index, *([200 + index] if rng.random() < 0.2 else [])] for index, token in enumerate(SPECIALS)}
    return {
        "type": "TemplateProcessing",
        "single": around("A"),
        "pair": around(rng.choice(("AB", "AB", "AB", "BA"))),
        "special_tokens": {
            token: {"id": token, "ids": ids[token], "tokens": [token] * len(ids[token])} for token in sorted(SPECIALS)
        },
    }


PROCESSORS: tuple[Callable[[Random], Json], ...] = (
    _bert_processing,
    _roberta_processing,
    _template,
    _template,
    _byte_level,
)


def random_processor(rng: Random) -> Json:
    """Return a post-processor, or a sequence of up to two."""
    if rng.random() < 0.8:
        return rng.choice(PROCESSORS)(rng)
    return {"type": "Sequence", "processors": [rng.choice(PROCESSORS)(rng) for _ in range(rng.randint(0, 2))]}


# Decoders ------------------------------------------------------------------------------------------------------------

DECODERS: tuple[Callable[[Random], Json], ...] = (
    _byte_level,
    _metaspace,
    *map(_bare, ("Fuse", "ByteFallback")),
    lambda rng: {"type": "WordPiece", "prefix": rng.choice(("##", "", "▁")), "cleanup": _flag(rng)},
    lambda rng: {"type": "BPEDecoder", "suffix": rng.choice(("</w>", "", "a"))},
    lambda rng: {"type": "CTC", "pad_token": rng.choice(("<pad>", "a")), "word_delimiter_token": "|", "cleanup": _flag(rng)},
    lambda rng: {"type": "Replace", "pattern": _pattern(rng), "content": rng.choice(CONTENTS)},
    lambda rng: {"type": "Strip", "content": rng.choice(" a▁"), "start": rng.randint(0, 2), "stop": rng.randint(0, 2)},
)


def random_decoder(rng: Random) -> Json:
    """Return a decoder, or a sequence of up to four."""
    if rng.random() < 0.6:
        return rng.choice(DECODERS)(rng)
    return {"type": "Sequence", "decoders": [rng.choice(DECODERS)(rng) for _ in range(rng.randint(0, 4))]}
