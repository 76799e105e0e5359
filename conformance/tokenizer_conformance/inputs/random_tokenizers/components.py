"""Random components of tokenizer.json: normalizers, pre-tokenizers, post-processors, decoders, sequences of them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from tokenizer_conformance.inputs.random_tokenizers.charsmaps import charsmap

Json = dict[str, Any]

Maker = Callable[[Random], Json]
"""Returns a random component."""

BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")

REGEXES = (
    r"\s+", r"\s", r" {2,}", r"\d+", r"\d", r"\w+", r"\W", r"[^\w\s]", r"\p{L}+|\p{N}", r"\p{P}", r"a|b", r"(?i:AB)", r"^",
    r"$", r"x*", r"", r".", r"(?=a)", r"(?<=b)", r"\p{M}+", r"[a-c&&[^b]]", r"(?:ab)+", r"\s+(?!\S)|\s+", r"[[:punct:]]",
    r"\p{Han}|\p{Hiragana}", r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+", r"\b", r"(a)(b)?", r"\R",
    r"(?i)'(?:s|t|re)|[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|\p{N}{1,3}|\s+", r"\X", r"\K", r"a\Kb", r"(a)\1",
    r"(?<n>[ab])\k<n>", r"(?>a+)b?", r"a++", r"a+?", r"a{,2}", r"b{1,3}?", r"\h", r"\H+", r"(?m:.+)", r"(?x) a b # c", r"(?<=a|bc)",
    r"(?<!a)b", r"(?!\s)", r"\B", r"\A", r"\z|\Z", r"\G", r"[[:alpha:]]", r"[[:^space:]&&[:^alpha:]]", r"\p{^L}", r"\P{Ll}+",
    r"\x{301}", r"\u00e9", r"[\x{4e00}-\x{9fff}]", r"(?i)ß|İ", r"(a)?(?(1)b|c)", r"\t|\n", r"[\p{Nd}\p{Sc}]", r"(?i:[k-s])", r"京|都",
    r"\p{Greek}|\p{Cyrillic}", r"\p{Emoji}", r"[^a]", r"(?:a|ab)(?:c|bcd)?", r"\O", r"\N+", r"(?=\p{Lu})", r"_+|▁", r"(?:x?)*", r"a??b",
)  # fmt: skip
"""Regular expressions of Oniguruma; the target and the reference know all of them."""

STRINGS = (" ", "a", "ab", "``", "''", "▁", "é", "\u0301", "", "A", ".", "京", "  ", "e\u0301", "\n", "(", "a+", "\\")

CONTENTS = ("", " ", "▁", '"', "x", "ab", "京", "é", "-", "\u0301", "XYZ", r"\1$0")

DEEPEST_SEQUENCE = 3
"""How deep sequences of components are nested in one another."""


# Sequences of components ---------------------------------------------------------------------------------------------


def _component(rng: Random, makers: Sequence[Maker], key: str, longest: int, depth: int = 0) -> Json:
    """Return a component of ``makers``, or a sequence of up to ``longest`` under ``key``; nested now and then."""
    share_of_sequences = (0.4, 0.15, 0.1)
    if depth >= DEEPEST_SEQUENCE or rng.random() >= share_of_sequences[depth]:
        return rng.choice(makers)(rng)
    parts = [_component(rng, makers, key, longest, depth + 1) for _ in range(rng.randint(0, longest))]
    return {"type": "Sequence", key: parts}


def _flag(rng: Random) -> bool:
    return rng.random() < 0.5


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


def _precompiled(rng: Random) -> Json:
    keys = rng.sample(CHARSMAP_KEYS, k=rng.randint(1, 8))
    replacements = {key: rng.choice(CHARSMAP_CONTENTS) for key in keys}
    return {"type": "Precompiled", "precompiled_charsmap": b64encode(charsmap(replacements)).decode()}


def _bare(name: str) -> Maker:
    return lambda _: {"type": name}


CHARSMAP_KEYS = (
    "a", "ab", "A", " ", "\t", "é", "e", "e\u0301", "\u0301", "①", "ﬁ", "京", "京都", "\u3000", "\r\n", "😀", "1\ufe0f", "한", "\u1112\u1161",
    "\u200d", "▁", "\ufeff",
)  # fmt: skip
"""Keys of character maps: of one byte to four, some of them the beginning of another, some grapheme clusters."""

CHARSMAP_CONTENTS = ("", "", "x", "(1)", " ", "é", "e\u0301", "\u0301", "大学", "ab")

NORMALIZERS: tuple[Maker, ...] = (
    _bert_normalizer,
    _precompiled,
    *map(_bare, ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt", "ByteLevel")),
    lambda rng: {"type": "Strip", "strip_left": _flag(rng), "strip_right": _flag(rng)},
    lambda rng: {"type": "Replace", "pattern": _pattern(rng), "content": rng.choice(CONTENTS)},
    lambda rng: {"type": "Replace", "pattern": _pattern(rng), "content": rng.choice(CONTENTS)},
    lambda rng: {"type": "Prepend", "prepend": rng.choice(("▁", "a", "", "xy", "é"))},
)


def random_normalizer(rng: Random) -> Json:
    """Return a normalizer, or a sequence of up to four; sequences may be nested."""
    return _component(rng, NORMALIZERS, "normalizers", 4)


# Pre-tokenizers ------------------------------------------------------------------------------------------------------


def _byte_level(rng: Random) -> Json:
    return {
        "type": "ByteLevel",
        "add_prefix_space": _flag(rng),
        "trim_offsets": _flag(rng),
        "use_regex": rng.random() < 0.8,
    }


def _metaspace(rng: Random) -> Json:
    return {
        "type": "Metaspace",
        "replacement": rng.choice(("▁", "▁", "_")),
        "prepend_scheme": rng.choice(("always", "first", "never")),
        "split": rng.random() < 0.8,
    }


PRE_TOKENIZERS: tuple[Maker, ...] = (
    _byte_level,
    _byte_level,
    _metaspace,
    _metaspace,
    *map(_bare, ("BertPreTokenizer", "Whitespace", "WhitespaceSplit", "UnicodeScripts")),
    lambda rng: {"type": "CharDelimiterSplit", "delimiter": rng.choice(" a-京")},
    lambda rng: {"type": "Digits", "individual_digits": _flag(rng)},
    lambda rng: {"type": "FixedLength", "length": rng.choice((1, 2, 3, 4, 4, 0))},
    lambda rng: {"type": "Punctuation", "behavior": rng.choice(BEHAVIORS)},
    lambda rng: {"type": "Split", "pattern": _pattern(rng), "behavior": rng.choice(BEHAVIORS), "invert": _flag(rng)},
    lambda rng: {"type": "Split", "pattern": _pattern(rng), "behavior": rng.choice(BEHAVIORS), "invert": _flag(rng)},
)


MOST_BYTE_LEVELS = 2
"""How many times a text is written in bytes at most: each time makes it longer."""


def random_pre_tokenizer(rng: Random) -> Json:
    """Return a pre-tokenizer, or a sequence of up to three; sequences may be nested."""
    while True:
        component = _component(rng, PRE_TOKENIZERS, "pretokenizers", 3)
        if _byte_levels(component) <= MOST_BYTE_LEVELS:
            return component


def _byte_levels(component: Json) -> int:
    return int(component["type"] == "ByteLevel") + sum(map(_byte_levels, component.get("pretokenizers", ())))


# Post-processors -----------------------------------------------------------------------------------------------------

SPECIALS = ("[CLS]", "[SEP]", "<s>", "</s>")


def _bert_processing(rng: Random) -> Json:
    return {"type": "BertProcessing", "sep": [rng.choice(SPECIALS), 102], "cls": ["[CLS]", rng.choice((101, 0))]}


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


PROCESSORS: tuple[Maker, ...] = (
    _bert_processing,
    _roberta_processing,
    _template,
    _template,
    _byte_level,
)


def random_processor(rng: Random) -> Json:
    """Return a post-processor, or a sequence of up to two; sequences may be nested."""
    return _component(rng, PROCESSORS, "processors", 2)


# Decoders ------------------------------------------------------------------------------------------------------------


def _ctc(rng: Random) -> Json:
    return {
        "type": "CTC",
        "pad_token": rng.choice(("<pad>", "a", "")),
        "word_delimiter_token": rng.choice(("|", "b", "")),
        "cleanup": _flag(rng),
    }


DECODERS: tuple[Maker, ...] = (
    _byte_level,
    _metaspace,
    *map(_bare, ("Fuse", "ByteFallback")),
    lambda rng: {"type": "WordPiece", "prefix": rng.choice(("##", "", "▁")), "cleanup": _flag(rng)},
    lambda rng: {"type": "BPEDecoder", "suffix": rng.choice(("</w>", "", "a"))},
    _ctc,
    lambda rng: {"type": "Replace", "pattern": _pattern(rng), "content": rng.choice(CONTENTS)},
    lambda rng: {"type": "Strip", "content": rng.choice(" a▁"), "start": rng.randint(0, 2), "stop": rng.randint(0, 2)},
)


def random_decoder(rng: Random) -> Json:
    """Return a decoder, or a sequence of up to four; sequences may be nested."""
    return _component(rng, DECODERS, "decoders", 4)
