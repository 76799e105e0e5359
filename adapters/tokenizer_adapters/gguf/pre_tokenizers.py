"""What the pre-tokenizers of llama.cpp are called, and the ``pre_tokenizer`` of a tokenizer.json that each stands for.

A GGUF file of a byte-level BPE has no pattern: it has a name (``tokenizer.ggml.pre``), and llama.cpp has a pattern for
each. A row of the table is here only where the component that the name was made for is known: from the checkpoint that
llama.cpp lists for it in ``convert_hf_to_gguf_update.py``, or from the pattern that its ``src/llama-vocab.cpp`` quotes
as the one of the tokenizer.json. llama.cpp's own patterns are not always the same as these, which is its difference.

Several names share one component, and differ in more than it: whether merges are ignored for whole tokens, whether a
bos is added, and whether spaces before punctuation are removed in decoding.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.gguf.settings import IGNORING_MERGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Component = dict[str, Any]

# Patterns -------------------------------------------------------------------------------------------------------------

CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
END = r"\s*[\r\n]+|\s+(?!\S)|\s+"
PUNCTUATION = r" ?[^\s\p{L}\p{N}]+"
BEFORE_WORD = r"[^\r\n\p{L}\p{N}]?"

LLAMA_3 = rf"{CONTRACTIONS}|{BEFORE_WORD}\p{{L}}+|\p{{N}}{{1,3}}|{PUNCTUATION}[\r\n]*|{END}"
QWEN_2 = rf"{CONTRACTIONS}|{BEFORE_WORD}\p{{L}}+|\p{{N}}|{PUNCTUATION}[\r\n]*|{END}"
QWEN_35 = rf"{CONTRACTIONS}|{BEFORE_WORD}[\p{{L}}\p{{M}}]+|\p{{N}}| ?[^\s\p{{L}}\p{{M}}\p{{N}}]+[\r\n]*|{END}"
MINICPM_5 = rf"{CONTRACTIONS}|{BEFORE_WORD}\p{{L}}+|\p{{N}}+|{PUNCTUATION}[\r\n]*|{END}"
SEED_CODER = rf"{CONTRACTIONS}|{BEFORE_WORD}\p{{L}}+|\p{{N}}{{1}}| ?[^\s\p{{L}}\p{{N}}\r\n]+|{END}"
BAILING = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
GPT_4O = (
    rf"{BEFORE_WORD}{UPPER}*{LOWER}+{CONTRACTIONS}?|{BEFORE_WORD}{UPPER}+{LOWER}*{CONTRACTIONS}?"
    rf"|\p{{N}}{{1,3}}|{PUNCTUATION}[\r\n/]*|{END}"
)
TEKKEN = rf"{BEFORE_WORD}{UPPER}*{LOWER}+|{BEFORE_WORD}{UPPER}+{LOWER}*|\p{{N}}|{PUNCTUATION}[\r\n/]*|{END}"

CHINESE = "[一-龥ࠀ-一가-퟿]+"
CHINESE_AND_KANA = "[一-龥぀-ゟ゠-ヿ]+"
DEEPSEEK_V3 = (
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"
    "| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+"
)
DEEPSEEK_LETTERS = (
    "\\s?["
    "A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ"
    "-Ὅὐ-ὗὙὛὝὟ-\u1f7dᾀ-ᾴᾶ-ᾼ\u1fbeῂ-ῄῆ-ῌῐ-\u1fd3ῖ-\u1fdbῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤ\u2126ℨ\u212a-ℭℯ-ℴℹ"
    "ℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃"
    "]+"
)
DEEPSEEK_PUNCTUATION = "\\s?[!-/:-~！-／：-～‘-‟　-。]+"

# Components -----------------------------------------------------------------------------------------------------------

GPT_2: Component = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
BYTES: Component = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
EACH_DIGIT: Component = {"type": "Digits", "individual_digits": True}


def _sequence(*steps: Component) -> Component:
    return {"type": "Sequence", "pretokenizers": list(steps)}


def _split(pattern: str) -> Component:
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}


def _patterns(*patterns: str) -> Component:
    return _sequence(*map(_split, patterns), BYTES)


ROWS: tuple[tuple[Component, tuple[str, ...]], ...] = (
    # Of several names that suit a document, the first is taken.
    (
        GPT_2,
        ("gpt-2", "phi-2", "mpt", "olmo", "roberta-bpe", "jina-v2-es", "jina-v2-de", "jina-v2-code", "modern-bert"),
    ),
    (_sequence(EACH_DIGIT, GPT_2), ("smollm", "starcoder", "refact", "command-r")),
    (_patterns(LLAMA_3), ("llama-bpe", "dbrx", "smaug-bpe", "llama3", "llama-v3")),
    (_patterns(QWEN_2), ("qwen2", "stablelm2", "deepseek-r1-qwen", "megrez", "grok-2")),
    (_patterns(QWEN_35), ("qwen35",)),
    (_patterns(GPT_4O), ("gpt-4o", "llama4")),
    (_patterns(TEKKEN), ("tekken",)),
    (_patterns(r"\p{N}{1,3}", CHINESE_AND_KANA, DEEPSEEK_V3), ("deepseek-v3",)),
    (
        _sequence(
            *map(_split, ("[\r\n]", DEEPSEEK_LETTERS, DEEPSEEK_PUNCTUATION, r"\s+$", CHINESE)), EACH_DIGIT, BYTES
        ),
        ("deepseek-llm",),
    ),
    (
        _sequence(*map(_split, ("[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", CHINESE)), EACH_DIGIT, BYTES),
        ("deepseek-coder",),
    ),
    (
        _sequence(
            {"type": "Punctuation", "behavior": "Contiguous"},
            GPT_2,
            {"type": "Digits", "individual_digits": False},
            _split("[0-9][0-9][0-9]"),
        ),
        ("falcon",),
    ),
    (_patterns(r" ?[^(\s|[.,!?…。，、।۔،])]+"), ("bloom",)),
    (_patterns(r"\p{N}{1,3}", MINICPM_5), ("minicpm5",)),
    (_patterns(SEED_CODER), ("seed-coder",)),
    (_patterns(BAILING), ("bailingmoe", "bailingmoe2", "llada-moe")),
    (_patterns(r"\d{1,3}(?=(?:\d{3})*\b)", GPT_4O), ("tiny_aya", "cohere2moe")),
)
"""Each component with the names that stand for it."""

UNNAMED = "default"
"""What llama.cpp takes where no pre-tokenizer is named: no checkpoint has it, so no document is given this name."""

PRE_TOKENIZERS: Mapping[str, Component] = {
    **{name: component for component, names in ROWS for name in names},
    UNNAMED: _patterns(
        r"[\p{P}\$\+<=>\^~\|]+",
        r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)",
        r"\p{N}+",
        "[0-9][0-9][0-9]",
    ),
}
"""The component that each name stands for."""

LINE_BREAKS = {"r": "\r", "n": "\n"}

SEPARATING = "roberta-bpe"
"""The name of the pre-tokenizer of GPT-2 with two separators between two texts."""


def name_of(document: Mapping[str, Any]) -> str | None:
    """Return the name of the pre-tokenizer of ``document``, a parsed tokenizer.json; ``None`` where it has none.

    Of several names for its component that one is taken whose pre-tokenizer ignores merges where the document does, if
    there is one. (llama.cpp's converter tells names by the ids of one text, so for the checkpoints that it lists.)
    """
    wanted = list(steps_of(document.get("pre_tokenizer")))
    names = next((names for component, names in ROWS if list(steps_of(component)) == wanted), ())
    if SEPARATING in names and (document.get("post_processor") or {}).get("type") == "RobertaProcessing":
        return SEPARATING
    ignoring = bool(document["model"].get("ignore_merges"))
    suited = (name for name in names if (name in IGNORING_MERGES) == ignoring)
    return next(suited, names[0] if names else None)


def steps_of(component: Component | None) -> Iterator[tuple[Any, ...]]:
    """Yield what each step of ``component`` does to a text; what only moves offsets is left out."""
    if component is None:
        return
    match component:
        case {"type": "Sequence", "pretokenizers": [*parts]}:
            for part in parts:
                yield from steps_of(part)
        case {"type": "ByteLevel"}:
            yield ("ByteLevel", component.get("add_prefix_space", True), component.get("use_regex", True))
        case {"type": "Split", "pattern": pattern, "behavior": "Removed", "invert": True}:
            # What matches is kept, and these patterns leave nothing between their matches.
            yield ("Split", _spelled(pattern), "Isolated", False)
        case {"type": "Split", "pattern": pattern, "behavior": behavior}:
            yield ("Split", _spelled(pattern), behavior, component.get("invert", False))
        case {"type": type_}:
            yield (type_, *sorted((key, value) for key, value in component.items() if key != "type"))


def _spelled(pattern: Mapping[str, str]) -> tuple[str, ...]:
    """Return ``pattern`` in one spelling: some files escape a line break, others have it as it is."""
    kind, text = next(iter(pattern.items()))
    return kind, re.sub(r"\\(.)", lambda found: LINE_BREAKS.get(found[1], found[0]), text)
