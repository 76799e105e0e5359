"""Sixty faults, as data: on which tokenizer, at which stage a search must lay the blame, and for which reason."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from planted.fakes import Fault, Json, character_read_as, character_split_as, in_encodings, in_file, reworded
from tokenizer_adapters.contract import Decode, DecodeStream, Encode, Encoded, Observation, Outcome, Stage, Text

if TYPE_CHECKING:
    from collections.abc import Callable

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


def _set(path: str, value: object) -> Callable[[Json], None]:
    """Return the change that puts ``value`` at ``path``, whose parts are joined by full stops."""

    def change(document: Json) -> None:
        at: Any = document
        *way, last = path.split(".")
        for key in way:
            at = at[int(key) if isinstance(at, list) else key]
        at[int(last) if isinstance(at, list) else last] = value

    return change


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
    Planted(
        "other-prefix",
        "bert",
        Stage.MODEL,
        in_file(_set("model.continuing_subword_prefix", "@@")),
        ("word-affixes", "model-entry"),
    ),
    Planted(
        "short-words-only",
        "bert",
        Stage.MODEL,
        in_file(_set("model.max_input_chars_per_word", 12)),
        ("length-limit",),
    ),
    Planted(
        "long-words-too",
        "bert",
        Stage.MODEL,
        in_file(_set("model.max_input_chars_per_word", 10**6)),
        ("length-limit",),
    ),
    Planted(
        "other-unknown-token",
        "bert",
        Stage.MODEL,
        in_file(_set("model.unk_token", "[MASK]")),
        ("unknown-token-policy",),
    ),
)


# Flags and components ------------------------------------------------------------------------------------------------


def _flag(token: int, flag: str, value: bool) -> Callable[[Json], None]:
    return _set(f"added_tokens.{token}.{flag}", value)


COMPONENTS: tuple[Planted, ...] = (
    Planted(
        "cased",
        "bert",
        Stage.NORMALIZE,
        in_file(_set("normalizer.lowercase", False)),
        ("case-folding", "normalizer-flags"),
    ),
    Planted(
        "accents-kept",
        "bert",
        Stage.NORMALIZE,
        in_file(_set("normalizer.strip_accents", False)),
        ("normalization-form", "normalizer-flags"),
    ),
    Planted(
        "ideographs-together",
        "bert",
        Stage.NORMALIZE,
        in_file(_set("normalizer.handle_chinese_chars", False)),
        ("ideograph-spacing", "normalizer-flags"),
    ),
    Planted(
        "controls-kept",
        "bert",
        Stage.NORMALIZE,
        in_file(_set("normalizer.clean_text", False)),
        ("control-characters", "normalizer-flags"),
    ),
    Planted(
        "prefix-space",
        "gpt2",
        Stage.PRE_TOKENIZE,
        in_file(_set("pre_tokenizer.add_prefix_space", True)),
        ("prefix-space-policy",),
    ),
    Planted(
        "no-pattern",
        "gpt2",
        Stage.PRE_TOKENIZE,
        in_file(_set("pre_tokenizer.use_regex", False)),
        ("regex-class-approximation", "component-left-out", "pre-tokenizer-flags"),
    ),
    Planted(
        "trimmed-offsets",
        "gpt2",
        Stage.MODEL,
        in_file(_set("post_processor.trim_offsets", True)),
        ("offset-convention",),
    ),
    Planted(
        "no-special-tokens",
        "bert",
        Stage.POST_PROCESS,
        in_file(_set("post_processor", None)),
        ("special-token-handling", "component-left-out"),
    ),
    Planted("other-clean-up", "bert", Stage.DECODE, in_file(_set("decoder.cleanup", False)), ("decode-clean-up",)),
    Planted(
        "mask-takes-space",
        "bert",
        Stage.MODEL,
        in_file(_flag(4, "lstrip", True)),
        ("added-token-flags",),
    ),
    Planted("mask-in-words", "bert", Stage.MODEL, in_file(_flag(4, "single_word", True)), ("added-token-flags",)),
    Planted(
        "end-of-text-not-found",
        "gpt2",
        Stage.MODEL,
        in_file(_set("added_tokens", [])),
        ("added-token-flags", "special-token-handling"),
    ),
)


# Texts and answers ---------------------------------------------------------------------------------------------------


def _utf8(text: str, position: int) -> int:
    return len(text[:position].encode())


def _utf16(text: str, position: int) -> int:
    return len(text[:position].encode("utf-16-le")) // 2


def _measured(measure: Callable[[str, int], int]) -> Fault:
    """Return the fault of counting offsets in another unit than is said."""

    def spoil(question: Encode, encoded: Encoded) -> Encoded:
        text = question.text
        if question.pair is not None or not isinstance(text, str) or encoded.offsets is None:
            return encoded
        spans = tuple((measure(text, start), measure(text, end)) for start, end in encoded.offsets)
        return replace(encoded, offsets=spans)

    return in_encodings(spoil)


def _reads(read: Callable[[str], str]) -> Fault:
    """Return the fault of normalizing and encoding ``read`` of each text."""
    return Fault(reword=lambda question: reworded(question, read))


def _until_nul(text: str) -> str:
    return text.partition("\0")[0]


def _without_mark(text: str) -> str:
    return text.removeprefix("\ufeff")


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


def _one_line(text: str) -> str:
    return text.replace("\r\n", "\n")


def _first(number: int) -> Fault:
    """Return the fault of giving no more than ``number`` tokens."""

    def spoil(_question: Encode, encoded: Encoded) -> Encoded:
        cut: dict[str, Any] = {
            name: None if value is None else value[:number]
            for name, value in (
                ("tokens", encoded.tokens),
                ("offsets", encoded.offsets),
                ("word_ids", encoded.word_ids),
                ("type_ids", encoded.type_ids),
                ("attention_mask", encoded.attention_mask),
                ("special_tokens_mask", encoded.special_tokens_mask),
                ("sequence_ids", encoded.sequence_ids),
            )
        }
        return replace(encoded, ids=encoded.ids[:number], **cut)

    return in_encodings(spoil)


def _types(_question: Encode, encoded: Encoded) -> Encoded:
    return replace(encoded, type_ids=None if encoded.type_ids is None else (0,) * len(encoded.type_ids))


def _words_from_one(_question: Encode, encoded: Encoded) -> Encoded:
    words = encoded.word_ids
    return replace(
        encoded, word_ids=None if words is None else tuple(None if each is None else each + 1 for each in words)
    )


def _mask_inverted(_question: Encode, encoded: Encoded) -> Encoded:
    mask = encoded.special_tokens_mask
    return replace(encoded, special_tokens_mask=None if mask is None else tuple(1 - each for each in mask))


def _late_ends(question: Encode, encoded: Encoded) -> Encoded:
    """Return the encoding with ends that are one too large after a character outside the plane that has most."""
    text = question.text
    if not isinstance(text, str) or question.pair is not None or encoded.offsets is None:
        return encoded
    astral = next((at for at, character in enumerate(text) if ord(character) > 0xFFFF), len(text))
    spans = tuple((start, end + (start > astral)) for start, end in encoded.offsets)
    return replace(encoded, offsets=spans)


def _decoding(spoil: Callable[[str], str]) -> Fault:
    def spoiled(question: Observation, outcome: Outcome) -> Outcome:
        match question, outcome:
            case Decode(), Text(text):
                return Text(spoil(text))
        return outcome

    return Fault(spoil=spoiled)


def _without_skipping(question: Observation) -> Observation:
    match question:
        case Decode() | DecodeStream():
            return replace(question, skip_special_tokens=False)
    return question


TEXTS_AND_ANSWERS: tuple[Planted, ...] = (
    Planted("ends-at-nul", "gpt2", Stage.NORMALIZE, _reads(_until_nul), ("text-ends-at-nul",)),
    Planted("mark-dropped", "gpt2", Stage.NORMALIZE, _reads(_without_mark), ("byte-order-mark",)),
    Planted("composed", "gpt2", Stage.NORMALIZE, _reads(_composed), ("normalization-form",)),
    Planted("lines-joined", "gpt2", Stage.NORMALIZE, _reads(_one_line), ("characters-dropped",)),
    Planted("offsets-in-bytes", "gpt2", Stage.MODEL, _measured(_utf8), ("offset-unit",)),
    Planted("offsets-in-units", "gpt2", Stage.MODEL, _measured(_utf16), ("offset-unit",)),
    Planted("offsets-late", "bert", Stage.MODEL, in_encodings(_late_ends)),
    Planted("first-hundred", "gpt2", Stage.MODEL, _first(100), ("length-limit",)),
    Planted(
        "types-all-zero", "bert", Stage.POST_PROCESS, in_encodings(_types), ("special-token-handling", "pair-handling")
    ),
    Planted("words-from-one", "gpt2", Stage.MODEL, in_encodings(_words_from_one)),
    Planted("mask-inverted", "bert", Stage.MODEL, in_encodings(_mask_inverted)),
    Planted("decoded-stripped", "gpt2", Stage.DECODE, _decoding(str.strip), ("decode-clean-up",)),
    Planted("special-tokens-shown", "bert", Stage.DECODE, Fault(reword=_without_skipping), ("special-token-handling",)),
    Planted("final-sigma", "bert", Stage.NORMALIZE, _reads(_with_final_sigma), ("final-sigma",)),
    Planted("case-folded", "bert", Stage.NORMALIZE, _reads(_folded), ("case-folding",)),
    Planted(
        "new-characters-dropped",
        "bert",
        Stage.NORMALIZE,
        _reads(_without_unassigned),
        ("unicode-version", "characters-dropped", UNEXPLAINED),
    ),
)

FAULTS: tuple[Planted, ...] = (*ONE_CHARACTER, *MODEL, *COMPONENTS, *TEXTS_AND_ANSWERS)
