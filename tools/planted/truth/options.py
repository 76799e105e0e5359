"""Options of components that are overlooked, or taken for another value."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from planted.edits import in_turn, of_added_tokens, option, put
from planted.fakes import in_file
from planted.truth.case import Case

if TYPE_CHECKING:
    from planted.edits import Json
    from planted.fakes import Change
    from planted.truth.case import Statements

_CASED_BERT = ("bert-base-cased",)
_BERT = ("bert-mini", "bert-base-uncased", "bert-cut")
_BYTES = ("gpt2-mini", "gpt2", "gpt2-added")
_MARKS = ("t5-mini", "xlnet-mini", "llama-first")
_LLAMA = ("llama-mini", "llama-first", "llama-cut")


def _case(
    group: str, name: str, change: Change, on: tuple[str, ...], said: Statements, implied: Statements = ()
) -> Case:
    what = f"{name.replace('-', ' ')}."
    return Case(name, group, what[0].upper() + what[1:], in_file(change), on, said, implied)


def _option(name: str, where: str, value: Any, on: tuple[str, ...], *said: str, implied: Statements = ()) -> Case:
    """Return the case of reading ``value`` for an option, which is named ``stage.Type.option``."""
    place, _, key = where.rpartition(".")
    return _case("options of components", name, option(place, key, value), on, said, implied)


COMPONENTS: tuple[Case, ...] = (
    _option(
        "bert-lowercase-off",
        "normalizer.BertNormalizer.lowercase",
        False,
        _BERT,
        "normalizer-flags: *lowercase false*",
        "case-folding: *no*",
        implied=("normalizer-flags: *accents*",),
    ),
    _option(
        "bert-lowercase-on",
        "normalizer.BertNormalizer.lowercase",
        True,
        _CASED_BERT,
        "normalizer-flags: *lowercase true*",
        "case-folding: *the text is lower-cased first*",
        implied=("normalizer-flags: *accents*",),
    ),
    _option(
        "bert-clean-text-off", "normalizer.BertNormalizer.clean_text", False, _BERT, "normalizer-flags: *clean_text*"
    ),
    _option(
        "bert-chinese-off",
        "normalizer.BertNormalizer.handle_chinese_chars",
        False,
        _BERT,
        "normalizer-flags: *handle_chinese_chars*",
    ),
    _option(
        "bert-accents-kept", "normalizer.BertNormalizer.strip_accents", False, _BERT, "normalizer-flags: *accents*"
    ),
    _option(
        "bert-accents-stripped",
        "normalizer.BertNormalizer.strip_accents",
        True,
        _CASED_BERT,
        "normalizer-flags: *accents*",
    ),
    _option("strip-left-off", "normalizer.Strip.strip_left", False, ("bert-strip",), "normalizer-flags: *strip*left*"),
    _option(
        "strip-right-off", "normalizer.Strip.strip_right", False, ("bert-strip",), "normalizer-flags: *strip*right*"
    ),
    _option("prepended-space", "normalizer.Prepend.prepend", " ", ("llama-mini",), "prefix-space-policy"),
    replace(
        _option(
            "replace-by-nothing",
            "normalizer.Replace.content",
            "",
            ("llama-mini", "bert-strip", "camembert-base"),
            "normalizer-flags: *Replace content *",
        ),
        same_on={"bert-strip": ("characters-dropped: U+0026",)},
    ),
    _option("replace-by-two", "normalizer.Replace.content", "--", ("llama-mini", "bert-strip", "xlnet-mini")),
    _option(
        "other-space-mark",
        "pre_tokenizer.Metaspace.replacement",
        "_",
        _MARKS,
        "pre-tokenizer-flags: *replacement*",
        "prefix-space-policy: *replacement*",
    ),
    replace(
        _option(
            "mark-never-put-first",
            "pre_tokenizer.Metaspace.prepend_scheme",
            "never",
            _MARKS,
            "prefix-space-policy: *-> never*",
        ),
        # Its words have no spaces left in them when they come to the Metaspace.
        same_on={"xlnet-mini": ("component-left-out: pre_tokenizer: Metaspace left out",)},
    ),
    _option(
        "mark-always-put-first",
        "pre_tokenizer.Metaspace.prepend_scheme",
        "always",
        ("llama-first",),
        "prefix-space-policy: *-> always*",
    ),
    _option(
        "mark-put-first-only",
        "pre_tokenizer.Metaspace.prepend_scheme",
        "first",
        ("t5-mini", "xlnet-mini", "xlnet-whole"),
        "prefix-space-policy: *-> first*",
    ),
    _option(
        "marks-do-not-split",
        "pre_tokenizer.Metaspace.split",
        False,
        ("t5-mini", "xlnet-mini", "xlnet-whole"),
        "pre-tokenizer-flags: *split*",
    ),
    _option("marks-split", "pre_tokenizer.Metaspace.split", True, ("llama-first",), "pre-tokenizer-flags: *split*"),
    _option(
        "bytes-after-a-space",
        "pre_tokenizer.ByteLevel.add_prefix_space",
        True,
        _BYTES,
        "prefix-space-policy: *add_prefix_space true*",
        implied=("prefix-space-policy: *put before each text*",),
    ),
    _option(
        "bytes-without-a-space",
        "pre_tokenizer.ByteLevel.add_prefix_space",
        False,
        ("roberta-mini",),
        "prefix-space-policy: *add_prefix_space false*",
    ),
    _option(
        "bytes-without-pattern",
        "pre_tokenizer.ByteLevel.use_regex",
        False,
        ("gpt2-mini", "roberta-mini", "gpt2"),
        "pre-tokenizer-flags: *use_regex*",
        "component-left-out: *regex*",
    ),
    _option(
        "bytes-with-a-pattern-too",
        "pre_tokenizer.ByteLevel.use_regex",
        True,
        ("gpt2-parts",),
        "pre-tokenizer-flags: *use_regex*",
    ),
    _option(
        "bytes-trimmed", "post_processor.ByteLevel.trim_offsets", True, _BYTES, "offset-convention: *trim_offsets true*"
    ),
    _option(
        "bytes-not-trimmed",
        "post_processor.RobertaProcessing.trim_offsets",
        False,
        ("roberta-mini", "roberta-base", "roberta-cut"),
        "offset-convention: *trim_offsets false*",
    ),
    _option(
        "roberta-order",
        "post_processor.RobertaProcessing.sep",
        ["<s>", 0],
        ("roberta-mini", "roberta-base"),
        "special-token-handling",
    ),
    _option(
        "split-removes",
        "pre_tokenizer.Split.behavior",
        "Removed",
        ("wordlevel-mini", "gpt2-parts"),
        "pre-tokenizer-flags: *behavior*",
    ),
    _option(
        "split-merges-previous",
        "pre_tokenizer.Split.behavior",
        "MergedWithPrevious",
        ("wordlevel-mini", "gpt2-parts"),
        "pre-tokenizer-flags: *behavior*",
    ),
    _option(
        "split-inverted",
        "pre_tokenizer.Split.invert",
        True,
        ("wordlevel-mini", "gpt2-parts"),
        "pre-tokenizer-flags: *invert*",
        "pre-tokenizer-flags: *MergedWithNext -> MergedWithPrevious*",
        "pre-tokenizer-flags: *behavior MergedWithPrevious*",  # the same cuts
    ),
    _case(
        "options of components",
        "split-drops-what-is-not-matched",
        in_turn(option("pre_tokenizer.Split", "behavior", "Removed"), option("pre_tokenizer.Split", "invert", True)),
        ("gpt2-letters", "bert-letters", "wordlevel-mini"),
        ("pre-tokenizer-flags: *what the pattern does not match is left out*",),
    ),
    _option(
        "split-by-older-pattern",
        "pre_tokenizer.Split.pattern",
        {"Regex": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"},
        ("gpt2-parts",),
        "regex-class-approximation: *that of GPT-2",
    ),
    _option("split-by-ascii", "pre_tokenizer.Split.pattern", {"Regex": "[A-Za-z]+|[0-9]+"}, ("gpt2-parts",)),
    _option(
        "punctuation-isolated",
        "pre_tokenizer.Punctuation.behavior",
        "Isolated",
        ("wordlevel-mini", "wordlevel-plain"),
        "pre-tokenizer-flags: *behavior*",
    ),
    _option(
        "punctuation-removed",
        "pre_tokenizer.Punctuation.behavior",
        "Removed",
        ("wordlevel-mini", "wordlevel-plain", "bert-parts"),
        "pre-tokenizer-flags: *behavior*",
    ),
    _option(
        "digits-together",
        "pre_tokenizer.Digits.individual_digits",
        False,
        ("wordlevel-mini", "bert-parts"),
        "pre-tokenizer-flags: *individual_digits*",
    ),
    _option(
        "digits-apart",
        "pre_tokenizer.Digits.individual_digits",
        True,
        ("wordlevel-plain",),
        "pre-tokenizer-flags: *individual_digits*",
    ),
    _option("clean-up-off", "decoder.WordPiece.cleanup", False, _BERT, "decode-clean-up: *cleanup false*"),
    _option("clean-up-on", "decoder.WordPiece.cleanup", True, ("options-mini",), "decode-clean-up: *cleanup true*"),
    _option(
        "decoder-of-another-prefix",
        "decoder.WordPiece.prefix",
        "@@",
        _BERT,
        "word-affixes",
        "decode-clean-up: *prefix*",
    ),
    _option(
        "decoded-space-kept",
        "decoder.Metaspace.prepend_scheme",
        "never",
        ("t5-mini", "xlnet-mini", "xlnet-whole"),
        "prefix-space-policy",
        "decode-clean-up",
    ),
    _option(
        "decoded-mark-kept",
        "decoder.Metaspace.replacement",
        "_",
        ("t5-mini", "xlnet-mini", "xlnet-whole"),
        "decode-clean-up: decoder: Metaspace replacement _",
    ),
    # A Strip of nothing is one that is not there.
    _option(
        "nothing-stripped",
        "decoder.Strip.start",
        0,
        _LLAMA,
        "prefix-space-policy",
        "decode-clean-up",
        "component-left-out: decoder: Strip left out",
    ),
    _option("two-stripped", "decoder.Strip.start", 2, _LLAMA, "decode-clean-up", "prefix-space-policy"),
)


def _template(change: Change, name: str, on: tuple[str, ...], *said: str, implied: Statements = ()) -> Case:
    return _case("templates", name, change, on, said, implied)


def _first_gone(document: Json) -> None:
    for kind in ("single", "pair"):
        document["post_processor"][kind].pop(0)


def _last_gone(document: Json) -> None:
    for kind in ("single", "pair"):
        document["post_processor"][kind].pop()


def _types_zero(document: Json) -> None:
    for piece in document["post_processor"]["pair"]:
        next(iter(piece.values()))["type_id"] = 0


def _second_type_one(document: Json) -> None:
    for piece in document["post_processor"]["pair"]:
        if piece.get("Sequence", {}).get("id") == "B":
            piece["Sequence"]["type_id"] = 1


def _sides_swapped(document: Json) -> None:
    for piece in document["post_processor"]["pair"]:
        if "Sequence" in piece:
            piece["Sequence"]["id"] = {"A": "B", "B": "A"}[piece["Sequence"]["id"]]


def _other_id(document: Json) -> None:
    for token in document["post_processor"]["special_tokens"].values():
        token["ids"] = [id + 1 for id in token["ids"]]


_TEMPLATED = ("bert-mini", "bert-base-uncased", "xlnet-mini")

TEMPLATES: tuple[Case, ...] = (
    _template(
        _first_gone,
        "first-special-token-missing",
        ("bert-mini", "llama-mini", "bert-base-cased"),
        "special-token-handling: *nothing before*",
        "special-token-handling: *nothing at the beginning*",
    ),
    _template(
        _last_gone,
        "last-special-token-missing",
        ("bert-mini", "t5-mini", "xlnet-mini"),
        "special-token-handling: *nothing behind*",
        "special-token-handling: *nothing at the end*",
        implied=("special-token-handling: *none put behind*",),
    ),
    _template(
        _types_zero, "second-text-of-type-0", _TEMPLATED, "pair-handling: *type ids all 0*", "pair-handling: *type 0*"
    ),
    _template(
        _second_type_one, "second-text-of-type-1", ("t5-mini", "llama-mini", "t5-small"), "pair-handling: *type 1*"
    ),
    _template(_sides_swapped, "second-text-first", _TEMPLATED, "pair-handling"),
    _template(
        _other_id,
        "special-token-of-another-id",
        ("bert-mini", "llama-mini", "t5-mini"),
        implied=("special-token-handling",),
    ),
    _template(
        put("post_processor", {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]}),
        "plain-bert-template",
        ("options-mini",),
        implied=("special-token-handling", "pair-handling"),
    ),
)


def _added(name: str, change: Change, on: tuple[str, ...], *said: str) -> Case:
    return _case("added tokens", name, change, on, said)


_FLAGGED = ("options-mini", "bert-added", "gpt2-added")

ADDED: tuple[Case, ...] = (
    _added(
        "lstrip-off",
        of_added_tokens("lstrip", False),
        ("bert-added", "roberta-mini", "gpt2-added"),
        "added-token-flags: *lstrip*",
    ),
    _added("rstrip-off", of_added_tokens("rstrip", False), _FLAGGED, "added-token-flags: *rstrip*"),
    _added("single-word-off", of_added_tokens("single_word", False), _FLAGGED, "added-token-flags: *single_word*"),
    _added(
        "lstrip-on",
        of_added_tokens("lstrip", True),
        ("bert-mini", "t5-mini", "gpt2-mini"),
        "added-token-flags: *lstrip*",
    ),
    _added(
        "rstrip-on",
        of_added_tokens("rstrip", True),
        ("bert-mini", "t5-mini", "gpt2-mini"),
        "added-token-flags: *rstrip*",
    ),
    _added(
        "single-word-on",
        of_added_tokens("single_word", True),
        ("bert-mini", "roberta-mini", "xlnet-mini"),
        "added-token-flags: *single_word*",
    ),
    _added(
        "one-added-token-missing",
        lambda document: document["added_tokens"].pop(),
        ("bert-mini", "roberta-mini", "options-mini"),
        "added-token-flags: *",
        "special-token-handling: *not looked for*",
        "ids-without-value",
        "component-left-out: *added*",
    ),
)


def _size(name: str, where: str, value: Any, on: tuple[str, ...], *said: str, implied: Statements = ()) -> Case:
    return _case("truncation and padding", name, put(where, value), on, said, implied)


SIZES: tuple[Case, ...] = (
    _size(
        "cut-at-the-other-end", "truncation.direction", "Left", ("bert-cut", "llama-cut"), "length-limit: *direction*"
    ),
    _size(
        "cut-at-the-end", "truncation.direction", "Right", ("options-mini", "roberta-cut"), "length-limit: *direction*"
    ),
    _size(
        "cut-later",
        "truncation.max_length",
        20,
        ("bert-cut", "llama-cut", "roberta-cut"),
        "length-limit: *20*",
        "length-limit: *max_length*",
    ),
    _size(
        "cut-sooner",
        "truncation.max_length",
        8,
        ("bert-cut", "llama-cut", "roberta-cut"),
        "length-limit: *8*",
        "length-limit: *max_length*",
    ),
    _size("no-stride", "truncation.stride", 0, ("bert-cut", "options-mini"), "length-limit: *stride*"),
    _size("wider-stride", "truncation.stride", 3, ("bert-cut", "llama-cut"), "length-limit: *stride*"),
    _size("only-first-cut", "truncation.strategy", "OnlyFirst", ("bert-cut", "llama-cut"), "length-limit: *strategy*"),
    _size(
        "padded-at-the-end",
        "padding.direction",
        "Right",
        ("options-mini", "bert-padded", "llama-padded"),
        "padding-policy: *direction*",
    ),
    _size(
        "padded-with-another-id",
        "padding.pad_id",
        5,
        ("options-mini", "bert-padded", "roberta-padded"),
        "padding-policy: *id*",
    ),
    _size(
        "padded-with-another-type",
        "padding.pad_type_id",
        1,
        ("options-mini", "bert-padded", "roberta-padded"),
        "padding-policy: *type*",
    ),
    _size("padded-to-no-multiple", "padding.pad_to_multiple_of", None, ("options-mini",), "padding-policy: *multiple*"),
    _size(
        "padded-to-24",
        "padding.strategy",
        {"Fixed": 24},
        ("bert-padded", "roberta-padded", "llama-padded"),
        "padding-policy: *24*",
    ),
    _size(
        "padded-to-the-longest",
        "padding.strategy",
        "BatchLongest",
        ("bert-padded", "roberta-padded", "llama-padded"),
        "padding-policy: *BatchLongest*",
    ),
    _size(
        "padded-by-default",
        "padding",
        {
            "strategy": "BatchLongest",
            "direction": "Right",
            "pad_to_multiple_of": None,
            "pad_id": 0,
            "pad_type_id": 0,
            "pad_token": "[PAD]",
        },
        ("bert-mini", "t5-mini", "gpt2-mini"),
        implied=("padding-policy",),
    ),
    _size(
        "cut-to-512",
        "truncation",
        {"direction": "Right", "max_length": 60, "strategy": "LongestFirst", "stride": 0},
        ("bert-mini", "gpt2-mini", "t5-mini"),
        "length-limit: *60*",
        "length-limit: *max_length*",
    ),
)


def _model(name: str, change: Change, on: tuple[str, ...], *said: str, implied: Statements = ()) -> Case:
    return _case("options of models", name, change, on, said, implied)


MODELS: tuple[Case, ...] = (
    _model("no-byte-fallback", put("model.byte_fallback", False), _LLAMA, "byte-fallback"),
    _model(
        "unknown-not-fused",
        put("model.fuse_unk", False),
        ("llama-mini", "google-fnet-base"),
        "unknown-token-policy: *fuse*",
    ),
    _model(
        "no-unknown-token",
        put("model.unk_token", None),
        ("google-fnet-base",),
        "unknown-token-policy: *unk_token*null*",
    ),
    _model(
        "words-taken-whole",
        put("model.ignore_merges", True),
        ("gpt2-mini", "gpt2", "roberta-mini"),
        "whole-words",
    ),
    _model("other-continuing-prefix", put("model.continuing_subword_prefix", "@@"), _BERT, "word-affixes"),
    _model("continuing-prefix-missing", put("model.continuing_subword_prefix", ""), _BERT, "word-affixes"),
    _model(
        "short-words",
        put("model.max_input_chars_per_word", 8),
        ("bert-mini", "bert-base-uncased", "options-mini"),
        "length-limit: *max_input_chars_per_word*",
    ),
    _model("other-unknown", put("model.unk_token", "[PAD]"), _BERT, "unknown-token-policy: *unk_token*"),
    _model(
        "other-unknown-piece", put("model.unk_id", 1), ("t5-mini", "xlnet-mini", "t5-small"), "unknown-token-policy"
    ),
    _model(
        "word-suffix", put("model.end_of_word_suffix", "</w>"), ("gpt2-mini", "roberta-mini", "gpt2"), "word-affixes"
    ),
    _model(
        "bytes-for-the-unknown",
        in_turn(put("model.byte_fallback", True)),
        ("t5-mini", "xlnet-mini", "google-fnet-base"),
        implied=("byte-fallback",),
    ),
)

CASES = (*COMPONENTS, *TEMPLATES, *ADDED, *SIZES, *MODELS)
