"""Defects planted into bundled tokenizers, one at a time: what is changed, and what has to be found, at which place.

Everything else that the lint says of the changed file it says of the unchanged one, too.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

Path = tuple[str | int, ...]
Edit = tuple[Any, ...]
"""``("set", path, value)``, ``("drop", path)``, ``("insert", path, value)``: before the item of a list, or
at its end."""

VOCAB: Path = ("model", "vocab")
MERGES: Path = ("model", "merges")
ADDED: Path = ("added_tokens",)
NORMALIZERS: Path = ("normalizer", "normalizers")


@dataclass(frozen=True)
class Planted:
    """A change to a bundled tokenizer, and the ids and paths of the findings that it brings about, no more and no less.

    ``refused``: the implementation does not load the file, at this path.
    """

    name: str
    tokenizer: str
    edits: tuple[Edit, ...]
    found: tuple[tuple[str, str], ...]
    refused: str | None = None
    is_measured: bool = False

    def document(self, original: dict[str, Any]) -> dict[str, Any]:
        """Return ``original`` with the change."""
        changed = copy.deepcopy(original)
        for kind, path, *value in self.edits:
            holder: Any = changed
            for key in path[:-1]:
                holder = holder[key]
            if kind == "set":
                holder[path[-1]] = value[0]
            elif kind == "drop":
                del holder[path[-1]]
            else:
                holder.insert(path[-1], value[0])
        return changed

    @property
    def expected(self) -> set[tuple[str, str]]:
        """All that is to be found."""
        return {*self.found, *([] if self.refused is None else [("refused", self.refused)])}


def added(content: str, **options: Any) -> dict[str, Any]:
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False}
    return {"id": 9_999, "content": content, **flags, **options}


def split(pattern: str) -> dict[str, Any]:
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}


def planted_regex(name: str, pattern: str, *ids: str, is_measured: bool = False) -> Planted:
    path = ("pre_tokenizer", "pretokenizers", 0)
    found = tuple((id, "$.pre_tokenizer.pretokenizers[0].pattern.Regex") for id in ids)
    return Planted(name, "wordlevel-mini", (("insert", path, split(pattern)),), found, is_measured=is_measured)


PLANTED: tuple[Planted, ...] = (
    # Reading
    Planted(
        "an unknown section",
        "bert-mini",
        (("set", ("postprocessor",), None),),
        (),
        refused="$.postprocessor",
    ),
    Planted(
        "a component of an unknown type",
        "t5-mini",
        (("set", (*NORMALIZERS, 1, "type"), "Stripped"),),
        (("read-as-other-type", "$.normalizer.normalizers[1].type"),),
    ),
    Planted(
        "an option that is no option's value",
        "t5-mini",
        (("set", (*NORMALIZERS, 1, "strip_left"), "no"),),
        (),
        refused="$.normalizer.normalizers[1]",
    ),
    Planted(
        "a regex that is none",
        "wordlevel-mini",
        (("set", ("pre_tokenizer", "pretokenizers", 4, "pattern", "Regex"), "(ing"),),
        (),
        refused="$.pre_tokenizer.pretokenizers[4]",
    ),
    Planted(
        "an added token without a flag",
        "bert-mini",
        (("drop", (*ADDED, 2, "lstrip")),),
        (),
        refused="$.added_tokens[2]",
    ),
    # Ids
    Planted(
        "an id below zero",
        "bert-mini",
        (("set", (*VOCAB, "the"), -1),),
        (("id-out-of-range", "$.model.vocab.the"), ("id-gap", "$.model.vocab")),
        refused="$.model",
    ),
    Planted(
        "an id of 33 bits",
        "wordlevel-mini",
        (("set", (*VOCAB, "the"), 2**32),),
        (("id-out-of-range", "$.model.vocab.the"), ("id-gap", "$.model.vocab")),
        refused="$.model",
    ),
    Planted(
        "an id twice",
        "bert-mini",
        (("set", (*VOCAB, "zzz"), 7),),
        (("duplicate-id", "$.model.vocab.zzz"),),
    ),
    Planted(
        "a gap in the ids",
        "wordlevel-mini",
        (("drop", (*VOCAB, "the")),),
        (("id-gap", "$.model.vocab"),),
    ),
    Planted(
        "a piece twice",
        "t5-mini",
        (("insert", (*VOCAB, 903), ["▁the", -20.0]),),
        (
            ("duplicate-piece", "$.model.vocab[903]"),
            ("added-token-id", "$.added_tokens[3].id"),
            ("added-token-id", "$.added_tokens[4].id"),
        ),
    ),
    Planted(
        "an added token with the id of another token",
        "bert-mini",
        (("set", (*ADDED, 4, "id"), 7),),
        (("added-token-id", "$.added_tokens[4].id"),),
    ),
    Planted(
        "an added token that is numbered otherwise",
        "bert-mini",
        (("insert", (*ADDED, 5), added("<new>")),),
        (("added-token-id", "$.added_tokens[5].id"),),
    ),
    Planted(
        "an added token twice",
        "bert-mini",
        (("insert", (*ADDED, 5), {**added("[MASK]", special=True), "id": 4}),),
        (("duplicate-added-token", "$.added_tokens[5]"),),
    ),
    # Merges
    Planted(
        "a merge of three",
        "gpt2-mini",
        (("insert", (*MERGES, 40), ["a", "b", "c"]),),
        (("merge-malformed", "$.model.merges[40]"),),
        refused="$.model",
    ),
    Planted(
        "a merge of a part that is no token",
        "gpt2-mini",
        (("insert", (*MERGES, 40), ["qqq", "t"]),),
        (("merge-part-missing", "$.model.merges[40]"),),
        refused="$.model",
    ),
    Planted(
        "a merge whose result is no token",
        "roberta-mini",
        (("insert", (*MERGES, 40), ["z", "q"]),),
        (("merge-result-missing", "$.model.merges[40]"),),
        refused="$.model",
    ),
    Planted(
        "a merge twice",
        "gpt2-mini",
        (("insert", (*MERGES, 1_743), ["Ġ", "t"]),),
        (("duplicate-merge", "$.model.merges[1743]"),),
    ),
    # Scores
    Planted(
        "a score above zero",
        "t5-mini",
        (("set", (*VOCAB, 50, 1), 3.5),),
        (("score-positive", "$.model.vocab[50][1]"),),
    ),
    Planted(
        "an infinite score",
        "xlnet-mini",
        (("set", (*VOCAB, 50, 1), float("inf")),),
        (("score-not-finite", "$.model.vocab[50][1]"),),
        refused="$.model",
    ),
    Planted(
        "a score that is the sum of two others",
        "t5-mini",
        (("set", (*VOCAB, 248, 1), -7.021153 + -6.59037),),
        (("score-tie", "$.model.vocab"),),
    ),
    # Tokens of the model
    Planted(
        "an unknown token that is no token, of words",
        "wordlevel-mini",
        (("set", ("model", "unk_token"), "[UNK]"),),
        (("unk-token-missing", "$.model.unk_token"),),
    ),
    Planted(
        "an unknown token that is no token, of word parts",
        "bert-mini",
        (("set", ("model", "unk_token"), "<unk>"),),
        (("unk-token-missing", "$.model.unk_token"),),
    ),
    Planted(
        "an unknown piece that is not there",
        "t5-mini",
        (("set", ("model", "unk_id"), 4_000),),
        (("unk-id-out-of-range", "$.model.unk_id"),),
        refused="$.model",
    ),
    Planted(
        "no unknown piece",
        "xlnet-mini",
        (("set", ("model", "unk_id"), None),),
        (("no-unknown-token", "$.model"),),
    ),
    Planted(
        "bytes without tokens",
        "t5-mini",
        (("set", ("model", "byte_fallback"), True),),
        (("byte-fallback-incomplete", "$.model.byte_fallback"),),
    ),
    Planted(
        "bytes with tokens that are not used",
        "llama-mini",
        (
            ("set", ("model", "byte_fallback"), False),
            *(("set", (*VOCAB, f"<0x{0xF0 + number:X}>"), 643 + number) for number in range(5)),
        ),
        (("byte-tokens-unused", "$.model.byte_fallback"),),
    ),
    Planted(
        "a prefix that no token has",
        "bert-mini",
        (("set", ("model", "continuing_subword_prefix"), "@@"), ("set", ("decoder", "prefix"), "@@")),
        (("subword-prefix-unused", "$.model.continuing_subword_prefix"),),
    ),
    Planted(
        "a suffix that no token has",
        "gpt2-mini",
        (("set", ("model", "end_of_word_suffix"), "</w>"),),
        (("word-suffix-unused", "$.model.end_of_word_suffix"), ("no-unknown-token", "$.model")),
    ),
    # Options of the model
    Planted(
        "merges left out at random",
        "gpt2-mini",
        (("set", ("model", "dropout"), 0.5),),
        (("dropout-on", "$.model.dropout"),),
    ),
    Planted(
        "words of ten characters",
        "bert-mini",
        (("set", ("model", "max_input_chars_per_word"), 10),),
        (("long-words-unknown", "$.model.max_input_chars_per_word"),),
    ),
    Planted(
        "merges ignored",
        "gpt2-mini",
        (("set", ("model", "ignore_merges"), True),),
        (("merges-ignored", "$.model.ignore_merges"),),
    ),
    # Added tokens
    Planted(
        "an added token without content",
        "xlnet-mini",
        (("set", (*ADDED, 8, "content"), ""),),
        (("added-token-empty", "$.added_tokens[8].content"),),
    ),
    Planted(
        "an added token that the normalizer takes away",
        "t5-mini",
        (
            ("insert", (*ADDED, 5), {**added("  ", normalized=True), "id": 905}),
            ("insert", (*NORMALIZERS, 0), {"type": "Strip", "strip_left": True, "strip_right": True}),
        ),
        (("added-token-normalized-away", "$.added_tokens[5].normalized"),),
    ),
    Planted(
        "two added tokens that are one when normalized",
        "bert-mini",
        (
            ("insert", (*ADDED, 5), {**added("<A>", normalized=True), "id": 1985}),
            ("insert", (*ADDED, 6), {**added("<a>", normalized=True), "id": 1986}),
        ),
        (("added-token-collision", "$.added_tokens[6]"),),
    ),
    Planted(
        "an added token of which another one takes the beginning",
        "bert-mini",
        (
            ("insert", (*ADDED, 5), {**added("<x"), "id": 1985}),
            ("insert", (*ADDED, 6), {**added("<x>", normalized=True), "id": 1986}),
        ),
        (("added-token-shadowed", "$.added_tokens[6]"),),
    ),
    Planted(
        "a special token that other text becomes",
        "bert-mini",
        (("set", (*ADDED, 4, "normalized"), True),),
        (("added-token-matches-more", "$.added_tokens[4].normalized"),),
    ),
    Planted(
        "a special token that is looked for behind what the normalizer puts first",
        "llama-mini",
        (("set", (*ADDED, 1, "normalized"), True),),
        (("added-token-not-everywhere", "$.added_tokens[1]"),),
    ),
    Planted(
        "an added word",
        "bert-mini",
        (("insert", (*ADDED, 5), {**added("cat"), "id": 1985}),),
        (("added-token-in-words", "$.added_tokens[5].single_word"),),
    ),
    # Normalizers
    Planted(
        "a normal form twice",
        "xlnet-mini",
        (("insert", (*NORMALIZERS, 3), {"type": "NFKD"}),),
        (("normalizer-repeated", "$.normalizer.normalizers[3]"),),
    ),
    Planted(
        "a normal form before another one",
        "xlnet-mini",
        (("insert", (*NORMALIZERS, 2), {"type": "NFC"}),),
        (("normalizer-undone", "$.normalizer.normalizers[2]"),),
    ),
    Planted(
        "accents that are never separated",
        "xlnet-mini",
        (("drop", (*NORMALIZERS, 2)),),
        (("strip-accents-without-decomposition", "$.normalizer.normalizers[2]"),),
    ),
    # Post-processors
    Planted(
        "a separator that is no token",
        "roberta-mini",
        (("set", ("post_processor", "sep", 0), "[SEP]"),),
        (("processor-token-missing", "$.post_processor.sep[0]"),),
    ),
    Planted(
        "a separator with another id",
        "wordlevel-mini",
        (("set", ("post_processor", "sep", 1), 3),),
        (("processor-id", "$.post_processor.sep[1]"),),
    ),
    Planted(
        "a token of a template with another id",
        "bert-mini",
        (("set", ("post_processor", "special_tokens", "[SEP]", "ids", 0), 5),),
        (("processor-id", '$.post_processor.special_tokens["[SEP]"].ids[0]'),),
    ),
    Planted(
        "a template without the second text",
        "bert-mini",
        (("drop", ("post_processor", "pair", 3)),),
        (("template-without-sequence", "$.post_processor.pair"),),
    ),
    Planted(
        "a template without the text",
        "xlnet-mini",
        (("drop", ("post_processor", "single", 0)),),
        (("template-without-sequence", "$.post_processor.single"),),
    ),
    Planted(
        "a template with a token that is not defined",
        "xlnet-mini",
        (("set", ("post_processor", "single", 1, "SpecialToken", "id"), "<end>"),),
        (("template-undefined-token", "$.post_processor.single[1]"),),
    ),
    Planted(
        "a template with a token that is not used",
        "t5-mini",
        (("set", ("post_processor", "special_tokens", "<pad>"), {"id": "<pad>", "ids": [0], "tokens": ["<pad>"]}),),
        (("template-unused-token", '$.post_processor.special_tokens["<pad>"]'),),
    ),
    Planted(
        "a space that the post-processor does not know of",
        "roberta-mini",
        (("set", ("post_processor", "add_prefix_space"), False),),
        (("processor-prefix-space", "$.post_processor.add_prefix_space"),),
    ),
    # Decoders
    Planted("no decoder", "bert-mini", (("set", ("decoder",), None),), (("decoder-missing", "$.decoder"),)),
    Planted(
        "bytes that are not decoded",
        "gpt2-mini",
        (("set", ("decoder",), {"type": "Fuse"}),),
        (("decoder-byte-level", "$.decoder"),),
    ),
    Planted(
        "characters that are decoded as bytes",
        "t5-mini",
        (
            (
                "set",
                ("decoder",),
                {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
            ),
        ),
        (("decoder-byte-level", "$.decoder"), ("decoder-space-mark", "$.decoder")),
    ),
    Planted(
        "another mark for a space",
        "t5-mini",
        (("set", ("decoder", "replacement"), "_"),),
        (("decoder-space-mark", "$.decoder.replacement"),),
    ),
    Planted(
        "a space that is left in front",
        "xlnet-mini",
        (("set", ("decoder", "prepend_scheme"), "never"),),
        (("decoder-prepend-scheme", "$.decoder.prepend_scheme"),),
    ),
    Planted(
        "another prefix of word parts",
        "bert-mini",
        (("set", ("decoder", "prefix"), "@@"),),
        (("decoder-subword-prefix", "$.decoder.prefix"),),
    ),
    Planted(
        "bytes that are not put together",
        "llama-mini",
        (("drop", ("decoder", "decoders", 1)),),
        (("decoder-byte-fallback", "$.decoder"),),
    ),
    Planted(
        "a space that comes back too many",
        "gpt2-mini",
        (("set", ("pre_tokenizer", "add_prefix_space"), True),),
        (("decoding-changes-text", "$.decoder"),),
    ),
    # Truncation and padding
    Planted(
        "truncation to the special tokens",
        "options-mini",
        (("set", ("truncation", "max_length"), 3), ("set", ("truncation", "stride"), 0)),
        (("truncation-too-short", "$.truncation.max_length"),),
    ),
    Planted(
        "a stride that is too long",
        "options-mini",
        (("set", ("truncation", "stride"), 29),),
        (("truncation-stride", "$.truncation.stride"),),
    ),
    Planted(
        "truncation",
        "bert-mini",
        (("set", ("truncation",), {"direction": "Right", "max_length": 128, "strategy": "LongestFirst", "stride": 0}),),
        (("truncation-on", "$.truncation"),),
    ),
    Planted(
        "padding",
        "bert-mini",
        (
            (
                "set",
                ("padding",),
                {
                    "strategy": "BatchLongest",
                    "direction": "Right",
                    "pad_to_multiple_of": None,
                    "pad_id": 0,
                    "pad_type_id": 0,
                    "pad_token": "[PAD]",
                },
            ),
        ),
        (("padding-on", "$.padding"),),
    ),
    Planted(
        "padding with a token that is not there",
        "options-mini",
        (("set", ("padding", "pad_token"), "<pad>"),),
        (("pad-token-missing", "$.padding.pad_token"),),
    ),
    Planted(
        "padding with another id",
        "options-mini",
        (("set", ("padding", "pad_id"), 5),),
        (("pad-id", "$.padding.pad_id"),),
    ),
    Planted(
        "padding to a multiple of nothing, on the other side",
        "options-mini",
        (("set", ("padding", "pad_to_multiple_of"), 0), ("set", ("padding", "direction"), "Right")),
        (
            ("pad-to-multiple-of-zero", "$.padding.pad_to_multiple_of"),
            ("padding-truncation-directions", "$.padding.direction"),
        ),
    ),
    # Forms
    Planted(
        "an option that is none",
        "bert-mini",
        (("set", ("normalizer", "lower_case"), False),),
        (("member-ignored", "$.normalizer.lower_case"),),
    ),
    Planted(
        "an option of older files",
        "t5-mini",
        (("drop", ("decoder", "prepend_scheme")), ("set", ("decoder", "add_prefix_space"), True)),
        (("legacy-form", "$.decoder.add_prefix_space"),),
    ),
    Planted(
        "a model without a type",
        "bert-mini",
        (("drop", ("model", "type")),),
        (("legacy-form", "$.model"),),
    ),
    Planted(
        "an option left out",
        "gpt2-mini",
        (("drop", ("model", "byte_fallback")),),
        (("option-left-out", "$.model"),),
    ),
    Planted(
        "no version",
        "gpt2-mini",
        (("drop", ("version",)),),
        (("member-missing", "$.version"),),
    ),
    # Regexes
    planted_regex("a repeat in a repeat", "(a+)+b", "regex-gives-up", is_measured=True),
    planted_regex("a search to the end from each place", r"x+\d", "regex-slow", is_measured=True),
    planted_regex("a beginning of lines", "^[ab]", "regex-means-otherwise"),
    planted_regex("a possessive repeat", r"[ab]++", "regex-not-portable"),
)
