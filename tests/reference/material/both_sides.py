"""The same component in the reference and in `tokenizers`, made of the same JSON, and what each makes of a text."""

from __future__ import annotations

import json
import os
from functools import cached_property
from typing import TYPE_CHECKING, Any

import tokenizers
from double_array import charsmap_json

import tokenizer_reference
from tokenizer_reference.decoders.base import DECODER
from tokenizer_reference.errors import TokenizerReferenceError, UpstreamPanicError
from tokenizer_reference.json_text.value import JsonValue
from tokenizer_reference.normalizers.base import NORMALIZER
from tokenizer_reference.pre_tokenizers.base import PRE_TOKENIZER
from tokenizer_reference.text.normalized_string import NormalizedString

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_reference.decoders import Decoder
    from tokenizer_reference.normalizers import Normalizer
    from tokenizer_reference.pre_tokenizers import PreTokenizer

os.environ["RUST_BACKTRACE"] = "0"  # read at the first panic; some tests cause hundreds, and a backtrace takes time

Json = dict[str, Any]

SPLIT_INTO_CHARACTERS: Json = {"type": "Split", "pattern": {"String": ""}, "behavior": "Isolated", "invert": False}


def outcome(ask: Callable[[], Any]) -> Any:
    """Return what ``ask`` gives, or "panic"."""
    try:
        return ask()
    except UpstreamPanicError:
        return "panic"
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # of no module that can be imported, and no Exception
            raise
        return "panic"


def outcome_or_error(ask: Callable[[], Any]) -> Any:
    """Return what ``ask`` gives, or "error" or "panic": how a failure is worded is each side's own business."""
    try:
        return outcome(ask)
    except TokenizerReferenceError:
        return "error"
    except Exception as error:
        if type(error) is not Exception:  # what the target raises
            raise
        return "error"


def target_tokenizer(**parts: Json) -> Any:
    """Return a tokenizer of `tokenizers` with a model that makes one token of every piece."""
    document = {
        "version": "1.0",
        "added_tokens": [],
        "model": {"type": "WordLevel", "vocab": {"<unk>": 0}, "unk_token": "<unk>"},
        **parts,
    }
    return tokenizers.Tokenizer.from_str(json.dumps(document))


def written_by_target(part: str, document: Any) -> Any:
    """Return what `tokenizers` writes of a tokenizer that was loaded with ``document`` as its ``part``."""
    return json.loads(target_tokenizer(**{part: document}).to_str())[part]


class NormalizerOnBothSides:
    """A normalizer; an answer is the normalized text and the original range of each of its characters."""

    def __init__(self, document: Json) -> None:
        self.document = document

    @cached_property
    def reference(self) -> Normalizer:
        return NORMALIZER.read(JsonValue(self.document))

    @cached_property
    def target(self) -> Any:
        return target_tokenizer(normalizer=self.document, pre_tokenizer=SPLIT_INTO_CHARACTERS)

    def reference_answer(self, text: str) -> Any:
        return outcome(lambda: self._reference_answer(text))

    def _reference_answer(self, text: str) -> tuple[str, list[tuple[int, int]]]:
        normalized = NormalizedString(text)
        self.reference.normalize(normalized)
        return normalized.normalized, normalized.alignment()

    def target_answer(self, text: str) -> Any:
        return outcome(lambda: (self.target.normalizer.normalize_str(text), self.target.encode(text).offsets))


class PreTokenizerOnBothSides:
    """A pre-tokenizer; an answer is the pieces with their offsets."""

    def __init__(self, document: Json) -> None:
        self.document = document

    @cached_property
    def reference(self) -> PreTokenizer:
        return PRE_TOKENIZER.read(JsonValue(self.document))

    @cached_property
    def target(self) -> Any:
        return target_tokenizer(pre_tokenizer=self.document).pre_tokenizer

    def reference_answer(self, text: str) -> Any:
        return outcome(lambda: self.reference.pre_tokenize_str(text))

    def target_answer(self, text: str) -> Any:
        return outcome(lambda: self.target.pre_tokenize_str(text))


class TokenizerOnBothSides:
    """A tokenizer; an answer is ids, tokens and offsets."""

    def __init__(self, document: Json) -> None:
        self._json = json.dumps(document)

    @cached_property
    def reference(self) -> tokenizer_reference.Tokenizer:
        return tokenizer_reference.Tokenizer.from_str(self._json)

    @cached_property
    def target(self) -> Any:
        return tokenizers.Tokenizer.from_str(self._json)

    def reference_answer(self, text: str) -> Any:
        return outcome(lambda: _columns(self.reference.encode(text)))

    def target_answer(self, text: str) -> Any:
        return outcome(lambda: _columns(self.target.encode(text)))


def _columns(encoding: Any) -> tuple[Any, ...]:
    return encoding.ids, encoding.tokens, encoding.offsets


class DecoderOnBothSides:
    """A decoder; an answer is what becomes of a text as a token: alone, at the start and at the end of one."""

    def __init__(self, document: Json) -> None:
        self.document = document

    @cached_property
    def reference(self) -> Decoder:
        return DECODER.read(JsonValue(self.document))

    @cached_property
    def target(self) -> Any:
        return target_tokenizer(decoder=self.document).decoder

    def reference_answer(self, text: str) -> Any:
        return outcome(lambda: self.reference.decode(_around(text)))

    def target_answer(self, text: str) -> Any:
        return outcome(lambda: self.target.decode(_around(text)))


def _around(text: str) -> list[str]:
    return [text, "a", text, text + "a", "a" + text + "a", "a" + text, "<0xC3>", text]


def reads(load: Callable[[JsonValue], Any], document: Any) -> bool:
    """Tell whether the reference reads ``document`` as a component."""
    try:
        load(JsonValue(document))
    except TokenizerReferenceError:
        return False
    return True


def target_reads(part: str, document: Any) -> bool:
    """Tell whether `tokenizers` reads ``document`` as the ``part`` of a tokenizer."""
    try:
        target_tokenizer(**{part: document})
    except BaseException as error:
        if type(error).__name__ not in ("Exception", "PanicException"):
            raise
        return False
    return True


# Components -----------------------------------------------------------------------------------------------------------


def _plain(*names: str) -> dict[str, Json]:
    return {name: {"type": name} for name in names}


def bert(clean_text: bool, handle_chinese_chars: bool, strip_accents: bool | None, lowercase: bool) -> Json:
    return {
        "type": "BertNormalizer",
        "clean_text": clean_text,
        "handle_chinese_chars": handle_chinese_chars,
        "strip_accents": strip_accents,
        "lowercase": lowercase,
    }


def replace(kind: str, pattern: str, content: str) -> Json:
    return {"type": "Replace", "pattern": {kind: pattern}, "content": content}


def prepend(text: str) -> Json:
    return {"type": "Prepend", "prepend": text}


def normalizers_in_a_row(*documents: Json) -> Json:
    return {"type": "Sequence", "normalizers": list(documents)}


INSERTION_AT_START = replace("Regex", "^", "A")
"""After it, whole-text changes go wrong in the target, and mostly panic."""

CHARSMAP = charsmap_json(
    {
        "\n": " ",
        "\r": " ",
        "\x01": "",
        "\u200b": "",
        "\ufeff": "",
        "①": "1",
        "０": "0",
        "½": "1/2",
        "ﬁ": "fi",
        "㈱": "(株)",
        "e\u0301": "é",
        "A\u030a": "Å",
        "か\u3099": "が",
        "\u0301": "´",
        "\u0323": "",
        "ab": "X",
        "é": "",
        "\u0600": "0",
        "가": "\u1100\u1161",
        "\U0001f600": ":-)",
        "b\u0301\u0302": "β",
    }
)

NORMALIZERS: dict[str, Json] = {
    **_plain("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "Nmt", "StripAccents", "ByteLevel"),
    "BERT, uncased": bert(True, True, None, True),
    "BERT, cased": bert(True, True, None, False),
    "BERT, clean_text": bert(True, False, False, False),
    "BERT, handle_chinese_chars": bert(False, True, False, False),
    "BERT, strip_accents": bert(False, False, True, False),
    "BERT, lowercase": bert(False, False, False, True),
    "BERT, all but clean_text": bert(False, True, True, True),
    "BERT, nothing": bert(False, False, False, False),
    "Strip": {"type": "Strip", "strip_left": True, "strip_right": True},
    "Strip, left": {"type": "Strip", "strip_left": True, "strip_right": False},
    "Strip, right": {"type": "Strip", "strip_left": False, "strip_right": True},
    "Prepend": prepend("▁"),
    "Prepend, two characters": prepend("é "),
    "Prepend, nothing": prepend(""),
    "Precompiled": CHARSMAP,
    "Replace, character": replace("String", " ", "▁"),
    "Replace, longer": replace("String", "ab", "éxyz"),
    "Replace, removed": replace("String", "\u0301", ""),
    "Replace, empty literal": replace("String", "", "-"),
    "Replace, runs": replace("Regex", " +", " "),
    "Replace, empty matches": replace("Regex", "a*", "Q"),
    "Replace, start": INSERTION_AT_START,
    "Sequence, accents": normalizers_in_a_row({"type": "NFD"}, {"type": "StripAccents"}, {"type": "Lowercase"}),
    "Sequence, of sequences": normalizers_in_a_row(
        normalizers_in_a_row({"type": "NFKC"}, prepend("a")), {"type": "ByteLevel"}, bert(True, True, None, True)
    ),
    "Sequence, empty": normalizers_in_a_row(),
    "Sequence, charsmap": normalizers_in_a_row(CHARSMAP, {"type": "NFKC"}, replace("Regex", r"\s+", " ")),
}

ON_INSERTED_TEXT: dict[str, Json] = {
    f"insertion, {name}": normalizers_in_a_row(INSERTION_AT_START, document) for name, document in NORMALIZERS.items()
}


def split(kind: str, pattern: str, behavior: str, invert: bool = False) -> Json:
    return {"type": "Split", "pattern": {kind: pattern}, "behavior": behavior, "invert": invert}


def byte_level(add_prefix_space: bool, use_regex: bool) -> Json:
    return {
        "type": "ByteLevel",
        "add_prefix_space": add_prefix_space,
        "trim_offsets": True,
        "use_regex": use_regex,
    }


def metaspace(scheme: str, split: bool = True, replacement: str = "▁") -> Json:
    return {"type": "Metaspace", "replacement": replacement, "prepend_scheme": scheme, "split": split}


def pre_tokenizers_in_a_row(*documents: Json) -> Json:
    return {"type": "Sequence", "pretokenizers": list(documents)}


BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")

PRE_TOKENIZERS: dict[str, Json] = {
    **_plain("BertPreTokenizer", "Whitespace", "WhitespaceSplit", "UnicodeScripts"),
    "Digits": {"type": "Digits", "individual_digits": False},
    "Digits, individual": {"type": "Digits", "individual_digits": True},
    "FixedLength, 1": {"type": "FixedLength", "length": 1},
    "FixedLength, 3": {"type": "FixedLength", "length": 3},
    "CharDelimiterSplit": {"type": "CharDelimiterSplit", "delimiter": " "},
    "CharDelimiterSplit, é": {"type": "CharDelimiterSplit", "delimiter": "é"},
    "ByteLevel": byte_level(True, True),
    "ByteLevel, no prefix": byte_level(False, True),
    "ByteLevel, no regex": byte_level(True, False),
    "ByteLevel, neither": byte_level(False, False),
    "Metaspace": metaspace("always"),
    "Metaspace, first": metaspace("first"),
    "Metaspace, never": metaspace("never"),
    "Metaspace, no split": metaspace("always", split=False),
    "Metaspace, a": metaspace("first", replacement="a"),
    **{f"Punctuation, {behavior}": {"type": "Punctuation", "behavior": behavior} for behavior in BEHAVIORS},
    **{f"Split, {behavior}": split("Regex", "a+| ", behavior) for behavior in BEHAVIORS},
    **{f"Split, inverted, {behavior}": split("Regex", "a+| ", behavior, invert=True) for behavior in BEHAVIORS},
    "Split, literal": split("String", "ab", "MergedWithNext"),
    "Split, empty literal": split("String", "", "Isolated"),
    "Split, empty literal, inverted": split("String", "", "Removed", invert=True),
    "Split, empty matches": split("Regex", "a*", "MergedWithPrevious"),
    "Sequence, T5": pre_tokenizers_in_a_row({"type": "WhitespaceSplit"}, metaspace("always")),
    "Sequence, first": pre_tokenizers_in_a_row({"type": "WhitespaceSplit"}, metaspace("first")),
    "Sequence, of sequences": pre_tokenizers_in_a_row(
        pre_tokenizers_in_a_row(metaspace("always"), {"type": "Punctuation", "behavior": "Isolated"}),
        {"type": "Digits", "individual_digits": True},
        byte_level(True, True),
    ),
    "Sequence, empty": pre_tokenizers_in_a_row(),
}
