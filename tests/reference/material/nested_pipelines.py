"""Random tokenizer.json documents for the fast way of encoding: nested sequences of mostly local components.

A file keeps a sequence inside another one; a constructor would dissolve it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from published_regexes import PUBLISHED

from tokenizer_conformance.inputs.random_tokenizers.components import (
    NORMALIZERS,
    random_pre_tokenizer,
    random_processor,
)
from tokenizer_conformance.inputs.random_tokenizers.documents import (
    random_added_tokens,
    random_padding,
    random_truncation,
)
from tokenizer_conformance.inputs.random_tokenizers.models import random_model
from tokenizer_reference import pre_tokenizers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

Json = dict[str, Any]

# Pipelines -----------------------------------------------------------------------------------------------------------

LITERALS = ("ab", "\n", "b\nc", "``", "xc", "a", " ", "\r\n", "é", "ba", "\u0301", "b ")
CONTENTS = ("", "x", " ", "\n", "ab", "a", "\u0301", "c\n", "▁", "  ")

DEEPEST = 3


NEWLINE_RULES = (("\n", ""), ("\n", ""), ("\n", ""), ("\n", "a"), ("\n", " "), (" ", ""), (" ", "\n"), ("c", "\n"))


def _replace(rng: Random) -> Json:
    pattern, content = rng.choice(NEWLINE_RULES) if rng.random() < 0.4 else (rng.choice(LITERALS), rng.choice(CONTENTS))
    return {"type": "Replace", "pattern": {"String": pattern}, "content": content}


NORMALIZER_MAKERS = (*NORMALIZERS, *[_replace] * 7)


def nested_normalizer(rng: Random, share: float = 0.7, depth: int = 0) -> Json:
    """Return a normalizer, or a sequence of up to three; with the probability of ``share``, less further in."""
    if depth == DEEPEST or rng.random() > share:
        return rng.choice(NORMALIZER_MAKERS)(rng)
    size = rng.choice((0, 1, 2, 2, 3, 3))
    return {"type": "Sequence", "normalizers": [nested_normalizer(rng, share * 0.6, depth + 1) for _ in range(size)]}


BYTES: Json = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}

CUTTERS: tuple[Json, ...] = (
    {"type": "BertPreTokenizer"},
    {"type": "Whitespace"},
    {"type": "WhitespaceSplit"},
    {"type": "Digits", "individual_digits": True},
    {**BYTES, "use_regex": True},
)
"""Those that know how to cut a text into words."""


def _split(rng: Random) -> Json:
    """Return a Split by a pattern of a published tokenizer, mostly one that keeps all of the text."""
    behavior, invert = rng.choice((("Isolated", False), ("Removed", True), ("MergedWithNext", rng.random() < 0.5)))
    pattern = {"Regex": rng.choice(list(PUBLISHED.values()))}
    return {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert}


def nested_pre_tokenizer(rng: Random) -> Json:
    """Return mostly one that cuts a text into words, alone or before others, each of them nested now and then."""
    if rng.random() < 0.1:
        return random_pre_tokenizer(rng)
    others = [random_pre_tokenizer(rng) for _ in range(rng.choice((0, 0, 1, 2)))]
    if rng.random() < 0.3:
        cutters = [rng.choice((_split(rng), _split(rng), rng.choice(CUTTERS))) for _ in range(rng.choice((1, 2, 3)))]
        made = {"type": "Sequence", "pretokenizers": [*cutters, *rng.choice(([BYTES], [BYTES], others))]}
    else:
        made = {"type": "Sequence", "pretokenizers": [rng.choice(CUTTERS), *others]}
    for _ in range(rng.choice((0, 0, 1, 2))):
        made = {
            "type": "Sequence",
            "pretokenizers": [made, *([random_pre_tokenizer(rng)] if rng.random() < 0.3 else [])],
        }
    return made


PIECES = (
    "a", "b", "c", "x", "A", "AB", "ab", "abc", "é", "e\u0301", "\u0301", "\u0903", "\u1161", "\u1112\u1161", "한", " ",
    "  ", "\n", "\n\n", "\r\n", "\t", "\u2028", "\x0b", "\x00", "\u200b", "\xad", "\ufeff", "▁", "_", "``", "''", "-",
    ".", "1", "½", "Ⅷ", "ﬁ", "ｶﾞ", "\uffc2", "İ", "Σ", "ς", "\U00010d50", "京", "\u3000", "\U0001d400", "👩\u200d👩",
    "🇫", "12345", "it's", "Ab", "ß", "^", "]", "\\", "㎏", "\u0344", "\u0345", "\U0001d16d\U0001d165", "\u302f",
)  # fmt: skip
"""What texts are made of; a pipeline has a few of them."""

ALWAYS = ("a", "b", "c", " ", "\n")


def _speller(rng: Random) -> Json:
    """Return a model that shows nearly every character of its pieces in the ids."""
    characters = sorted({*"".join(PIECES), *"".join(LITERALS), *pre_tokenizers.ByteLevel.alphabet()})
    merges = [["a", "b"], ["ab", "c"], ["x", "c"]]
    vocab = [*characters, *("".join(merge) for merge in merges)]
    options = {"unk_token": "?" if rng.random() < 0.9 else None, "fuse_unk": rng.random() < 0.5}
    if rng.random() < 0.3:
        vocab, merges = _of_sentences(rng)
        options["byte_fallback"] = True
    return {"type": "BPE", "vocab": {token: id for id, token in enumerate(vocab)}, "merges": merges, **options}


def _of_sentences(rng: Random) -> tuple[list[str], list[list[str]]]:
    """Return tokens and merges as SentencePiece learns them: few characters, all bytes, and blanks as U+2581."""
    characters = rng.sample(("▁", "a", "b", "c", "x", "é", "\n", "?", ">"), k=rng.choice((4, 8, 9)))
    tokens = [*characters, *(f"<0x{byte:02X}>" for byte in range(256))]
    merges = []
    for _ in range(rng.choice((0, 3, 9))):
        merges.append([rng.choice(characters), rng.choice(characters)])
        characters.append("".join(merges[-1]))
    return list(dict.fromkeys([*tokens, *characters])), merges


def random_pipeline(rng: Random) -> tuple[Json, list[str]]:
    """Return a tokenizer.json, and strings that its texts are to be made of."""
    model, own = (_speller(rng), []) if rng.random() < 0.6 else random_model(rng)
    normalizer = nested_normalizer(rng) if rng.random() < 0.9 else None
    added = random_added_tokens(rng, own) if rng.random() < 0.4 else []
    document = {
        "version": "1.0",
        "truncation": random_truncation(rng) if rng.random() < 0.2 else None,
        "padding": random_padding(rng) if rng.random() < 0.1 else None,
        "added_tokens": added,
        "normalizer": normalizer,
        "pre_tokenizer": nested_pre_tokenizer(rng) if rng.random() < 0.85 else None,
        "post_processor": random_processor(rng) if rng.random() < 0.2 else None,
        "decoder": None,
        "model": model,
    }
    strings = [*ALWAYS, *rng.sample(PIECES, 6), *replaced_strings(normalizer), *(token["content"] for token in added)]
    return document, [*strings, *rng.sample(list(own), min(3, len(own)))]


def replaced_strings(normalizer: Json | None) -> Iterator[str]:
    """Give what the normalizer looks for literally, and what it puts in."""
    if normalizer is not None:
        for member in normalizer.get("normalizers", ()):
            yield from replaced_strings(member)
        if normalizer["type"] == "Replace":
            yield from (normalizer["pattern"].get("String", ""), normalizer["content"])


# Texts ---------------------------------------------------------------------------------------------------------------


def text_of(rng: Random, strings: list[str], longest: int) -> str:
    """Return a text of up to twelve of ``strings``; one in a hundred is repeated up to about ``longest`` characters."""
    text = "".join(rng.choice(strings) for _ in range(rng.randint(0, 12)))
    if text and rng.random() < 0.01:  # long even for the limits as they are; the end may be as nothing before it
        size = rng.randint(min(200, longest), longest)
        text = text * (size // len(text)) + "".join(rng.choice(strings) for _ in range(4))
    return text
