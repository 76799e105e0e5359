"""Sixty faults, as data: on which tokenizer, at which stage a search must lay the blame, and for which reason."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from planted.edits import put
from planted.fakes import Fault, character_read_as, character_split_as, decoding, in_file, reading, spoiling
from tokenizer_adapters.contract import Decode, DecodeStream, Observation, Stage
from tokenizer_conformance.comparison.mistakes import (
    cut_to,
    in_bytes,
    in_utf16,
    mask_inverted,
    spans_changed,
    types_zero,
    unix_lines,
    until_nul,
    without_mark,
    words_from_one,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from planted.edits import Json
    from tokenizer_adapters.contract import Span
    from tokenizer_conformance.comparison.mistakes import OfEncoding

UNEXPLAINED = "unexplained"


@dataclass(frozen=True, slots=True)
class Planted:
    """A fault on the tokenizer of a ``family`` (gpt2, bert, xlnet, t5).

    ``stage`` is where it is first seen; ``reasons`` are the classes that are right, none of which another explains.
    ``is_one_character``: texts without that character are answered well.
    """

    name: str
    family: str
    stage: Stage
    fault: Fault
    reasons: tuple[str, ...] = (UNEXPLAINED,)
    is_one_character: bool = False


def _file(name: str, family: str, stage: Stage, path: str, value: object, *reasons: str) -> Planted:
    """Return the fault of reading ``value`` at ``path`` of the tokenizer.json."""
    return Planted(name, family, stage, in_file(put(path, value)), reasons)


# One character each --------------------------------------------------------------------------------------------------

_READ: tuple[tuple[str, str, str, str], ...] = (
    ("j-with-caron", "bert", "\u01f0", "x"),
    ("capital-i-with-dot", "bert", "\u0130", "x"),
    ("sharp-s", "bert", "\u00df", "s"),
    ("no-break-space", "bert", "\u00a0", "x"),
    ("line-separator", "bert", "\u2028", "x"),
    ("last-unified-ideograph", "bert", "\u9fa5", "x"),
    ("zero-width-space", "bert", "\u200b", "x"),
    ("replacement-character", "bert", "\ufffd", "x"),
    ("devanagari-vowel-sign", "bert", "\u0947", "x"),
    ("ligature-fi", "xlnet", "\ufb01", "f"),
    ("one-half", "xlnet", "\u00bd", "1"),
    ("fullwidth-a", "xlnet", "\uff21", "B"),
    ("combining-tilde", "xlnet", "\u0303", "~"),
    ("angstrom", "xlnet", "\u212b", "O"),
)
"""Characters that are read as others: the name of the fault, the tokenizer, the character, and as what it is read."""

_SPLIT: tuple[tuple[str, str, str, str], ...] = (
    ("curly-apostrophe", "gpt2", "\u2019", "a"),
    ("arabic-digit", "gpt2", "\u0660", "a"),
    ("ideographic-space", "gpt2", "\u3000", "a"),
    ("titlecase-letter", "gpt2", "\u01c5", "."),
    ("roman-numeral", "gpt2", "\u2167", "."),
    ("katakana-middle-dot", "bert", "\u30fb", "a"),
)
"""Characters that are split as others."""

ONE_CHARACTER: tuple[Planted, ...] = (
    *(
        Planted(name, family, Stage.NORMALIZE, character_read_as(character, other), is_one_character=True)
        for name, family, character, other in _READ
    ),
    *(
        Planted(name, family, Stage.PRE_TOKENIZE, character_split_as(character, other), is_one_character=True)
        for name, family, character, other in _SPLIT
    ),
)


# Entries of models ---------------------------------------------------------------------------------------------------


def _drop_merge(number: int) -> Callable[[Json], None]:
    return lambda document: document["model"]["merges"].pop(number)


def _late_merge(number: int) -> Callable[[Json], None]:
    def change(document: Json) -> None:
        merges = document["model"]["merges"]
        merges.append(merges.pop(number))

    return change


def _drop_entry(number: int) -> Callable[[Json], None]:
    """Return the change that takes away the entry ``number`` of the vocabulary, in the order of ids."""

    def change(document: Json) -> None:
        vocab = document["model"]["vocab"]
        if isinstance(vocab, list):
            vocab[number] = [f"\u0001{number}", vocab[number][1]]
            return
        token = sorted(vocab, key=lambda each: vocab[each])[number]
        vocab[f"\u0001{number}"] = vocab.pop(token)

    return change


def _score(number: int, by: float) -> Callable[[Json], None]:
    def change(document: Json) -> None:
        document["model"]["vocab"][number][1] += by

    return change


MODEL: tuple[Planted, ...] = (
    Planted("merge-missing", "gpt2", Stage.MODEL, in_file(_drop_merge(40)), ("model-entry",)),
    Planted("merge-late", "gpt2", Stage.MODEL, in_file(_late_merge(60)), ("model-entry",)),
    Planted("rare-merge-missing", "gpt2", Stage.MODEL, in_file(_drop_merge(1500)), ("model-entry",)),
    Planted("word-missing", "bert", Stage.MODEL, in_file(_drop_entry(300)), ("model-entry",)),
    Planted("rare-word-missing", "bert", Stage.MODEL, in_file(_drop_entry(-10)), ("model-entry",)),
    Planted("piece-missing", "xlnet", Stage.MODEL, in_file(_drop_entry(300)), ("model-entry",)),
    Planted("score-lower", "xlnet", Stage.MODEL, in_file(_score(200, -3.0)), ("model-entry",)),
    Planted("score-higher", "t5", Stage.MODEL, in_file(_score(400, 3.0)), ("model-entry",)),
    _file("other-prefix", "bert", Stage.MODEL, "model.continuing_subword_prefix", "@@", "word-affixes", "model-entry"),
    _file("short-words-only", "bert", Stage.MODEL, "model.max_input_chars_per_word", 12, "length-limit"),
    _file("long-words-too", "bert", Stage.MODEL, "model.max_input_chars_per_word", 10**6, "length-limit"),
    _file("other-unknown-token", "bert", Stage.MODEL, "model.unk_token", "[MASK]", "unknown-token-policy"),
)


# Flags and components ------------------------------------------------------------------------------------------------


COMPONENTS: tuple[Planted, ...] = (
    _file("cased", "bert", Stage.NORMALIZE, "normalizer.lowercase", False, "case-folding", "normalizer-flags"),
    _file(
        "accents-kept",
        "bert",
        Stage.NORMALIZE,
        "normalizer.strip_accents",
        False,
        "normalization-form",
        "normalizer-flags",
    ),
    _file(
        "ideographs-together",
        "bert",
        Stage.NORMALIZE,
        "normalizer.handle_chinese_chars",
        False,
        "ideograph-spacing",
        "normalizer-flags",
    ),
    _file(
        "controls-kept",
        "bert",
        Stage.NORMALIZE,
        "normalizer.clean_text",
        False,
        "control-characters",
        "normalizer-flags",
    ),
    _file("prefix-space", "gpt2", Stage.PRE_TOKENIZE, "pre_tokenizer.add_prefix_space", True, "prefix-space-policy"),
    _file(
        "no-pattern",
        "gpt2",
        Stage.PRE_TOKENIZE,
        "pre_tokenizer.use_regex",
        False,
        "regex-class-approximation",
        "component-left-out",
        "pre-tokenizer-flags",
    ),
    _file("trimmed-offsets", "gpt2", Stage.MODEL, "post_processor.trim_offsets", True, "offset-convention"),
    _file(
        "no-special-tokens",
        "bert",
        Stage.POST_PROCESS,
        "post_processor",
        None,
        "special-token-handling",
        "component-left-out",
    ),
    _file("other-clean-up", "bert", Stage.DECODE, "decoder.cleanup", False, "decode-clean-up"),
    _file("mask-takes-space", "bert", Stage.MODEL, "added_tokens.[MASK].lstrip", True, "added-token-flags"),
    _file("mask-in-words", "bert", Stage.MODEL, "added_tokens.[MASK].single_word", True, "added-token-flags"),
    _file(
        "end-of-text-not-found",
        "gpt2",
        Stage.MODEL,
        "added_tokens",
        [],
        "added-token-flags",
        "special-token-handling",
        "component-left-out",
    ),
)


# Texts and answers ---------------------------------------------------------------------------------------------------


def _of_one_text(change: OfEncoding) -> Fault:
    """Return the fault of giving ``change`` of the encoding of a text; pairs and words are left alone."""
    return spoiling(
        lambda question, encoded: (
            change(question, encoded) if isinstance(question.text, str) and question.pair is None else encoded
        )
    )


def _late_after_astral(text: str, span: Span) -> Span:
    """Return the span with an end that is one too large after a character outside the plane that has most."""
    astral = next((at for at, character in enumerate(text) if ord(character) > 0xFFFF), len(text))
    return span[0], span[1] + (span[0] > astral)


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _with_final_sigma(text: str) -> str:
    """Return ``text`` with the sigma at the end of a word in its final form, as lowercasing a whole text gives it."""
    return re.sub(r"(?<=[^\W\d_])\u03a3(?!\w)", "\u03c2", text)


def _folded(text: str) -> str:
    """Return ``text`` with the characters folded that case folding maps to one other character."""
    return "".join(each.casefold() if len(each.casefold()) == 1 else each for each in text)


def _without_unassigned(text: str) -> str:
    return "".join(each for each in text if unicodedata.category(each) != "Cn")


def _without_skipping(question: Observation) -> Observation:
    match question:
        case Decode() | DecodeStream():
            return replace(question, skip_special_tokens=False)
    return question


TEXTS_AND_ANSWERS: tuple[Planted, ...] = (
    Planted("ends-at-nul", "gpt2", Stage.NORMALIZE, reading(until_nul), ("text-ends-at-nul",)),
    Planted("mark-dropped", "gpt2", Stage.NORMALIZE, reading(without_mark), ("byte-order-mark",)),
    Planted("composed", "gpt2", Stage.NORMALIZE, reading(_composed), ("normalization-form",)),
    Planted("lines-joined", "gpt2", Stage.NORMALIZE, reading(unix_lines), ("characters-dropped",)),
    Planted("offsets-in-bytes", "gpt2", Stage.MODEL, _of_one_text(spans_changed(in_bytes)), ("offset-unit",)),
    Planted("offsets-in-units", "gpt2", Stage.MODEL, _of_one_text(spans_changed(in_utf16)), ("offset-unit",)),
    Planted("offsets-late", "bert", Stage.MODEL, _of_one_text(spans_changed(_late_after_astral))),
    Planted("first-hundred", "gpt2", Stage.MODEL, spoiling(cut_to(100)), ("length-limit",)),
    Planted(
        "types-all-zero", "bert", Stage.POST_PROCESS, spoiling(types_zero), ("special-token-handling", "pair-handling")
    ),
    Planted("words-from-one", "gpt2", Stage.MODEL, spoiling(words_from_one)),
    Planted("mask-inverted", "bert", Stage.MODEL, spoiling(mask_inverted), ("special-token-handling",)),
    Planted("decoded-stripped", "gpt2", Stage.DECODE, decoding(str.strip), ("decode-clean-up",)),
    Planted(
        "special-tokens-shown",
        "bert",
        Stage.DECODE,
        Fault(reword=_without_skipping),
        ("special-token-handling", "added-token-flags"),
    ),
    Planted("final-sigma", "bert", Stage.NORMALIZE, reading(_with_final_sigma), ("final-sigma",)),
    Planted("case-folded", "bert", Stage.NORMALIZE, reading(_folded), ("case-folding",)),
    Planted(
        "new-characters-dropped",
        "bert",
        Stage.NORMALIZE,
        reading(_without_unassigned),
        ("unicode-version", "characters-dropped", UNEXPLAINED),
    ),
)

FAULTS: tuple[Planted, ...] = (*ONE_CHARACTER, *MODEL, *COMPONENTS, *TEXTS_AND_ANSWERS)
