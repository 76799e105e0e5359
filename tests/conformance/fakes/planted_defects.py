"""Defects planted into bundled tokenizers, one at a time: what is changed, and what has to be found, at which place.

Everything else that the lint says of the changed file it says of the unchanged one, too.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from planted.edits import Edit, drop, insert, put

from tokenizer_conformance.comparison.document_parts import path_text


@dataclass(frozen=True)
class Planted:
    """A change to a bundled tokenizer, and the ids and paths of the findings that it brings about, no more and no less.

    One called ``refused``: the implementation does not load the file.
    """

    name: str
    tokenizer: str
    edits: tuple[Edit, ...]
    expected: frozenset[tuple[str, str]]
    is_measured: bool = False

    def document(self, original: dict[str, Any]) -> dict[str, Any]:
        """Return ``original`` with the change."""
        changed = copy.deepcopy(original)
        for edit in self.edits:
            edit(changed)
        return changed


def planted(
    name: str, tokenizer: str, edits: Edit | tuple[Edit, ...], *found: str, is_measured: bool = False
) -> Planted:
    """Return a defect; of each finding the id is given, and its path where that is not the one of the first edit."""
    edits = (edits,) if isinstance(edits, Edit) else edits

    def expected(finding: str) -> tuple[str, str]:
        id_, _, path = finding.partition(" ")
        keys = (path or edits[0].path).split(".")
        return id_, path_text(tuple(int(key) if key.isdecimal() else key for key in keys))

    return Planted(name, tokenizer, edits, frozenset(map(expected, found)), is_measured)


def regex(name: str, pattern: str, *ids: str, is_measured: bool = False) -> Planted:
    """Return the defect of a pre-tokenizer that cuts with ``pattern``."""
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    place = "pre_tokenizer.pretokenizers.0"
    found = (f"{id_} {place}.pattern.Regex" for id_ in ids)
    return planted(name, "wordlevel-mini", insert(place, split), *found, is_measured=is_measured)


def added(content: str, **options: Any) -> dict[str, Any]:
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False}
    return {"id": 9_999, "content": content, **flags, **options}


PLANTED: tuple[Planted, ...] = (
    # Reading
    planted("an unknown section", "bert-mini", put("postprocessor", None), "refused"),
    planted(
        "a component of an unknown type",
        "t5-mini",
        put("normalizer.normalizers.1.type", "Stripped"),
        "read-as-other-type",
    ),
    planted(
        "an option that is no option's value",
        "t5-mini",
        put("normalizer.normalizers.1.strip_left", "no"),
        "refused",
    ),
    planted(
        "a regex that is none",
        "wordlevel-mini",
        put("pre_tokenizer.pretokenizers.4.pattern.Regex", "(ing"),
        "refused",
    ),
    planted("an added token without a flag", "bert-mini", drop("added_tokens.2.lstrip"), "refused added_tokens.2"),
    # Ids
    planted(
        "an id below zero",
        "bert-mini",
        put("model.vocab.the", -1),
        "id-out-of-range",
        "id-gap model.vocab",
        "refused",
    ),
    planted(
        "an id of 33 bits",
        "wordlevel-mini",
        put("model.vocab.the", 2**32),
        "id-out-of-range",
        "id-gap model.vocab",
        "refused",
    ),
    planted("an id twice", "bert-mini", put("model.vocab.zzz", 7), "duplicate-id"),
    planted("a gap in the ids", "wordlevel-mini", drop("model.vocab.the"), "id-gap model.vocab"),
    planted(
        "a piece twice",
        "t5-mini",
        insert("model.vocab.903", ["▁the", -20.0]),
        "duplicate-piece",
        "added-token-id added_tokens.3.id",
        "added-token-id added_tokens.4.id",
    ),
    planted("an added token with the id of another token", "bert-mini", put("added_tokens.4.id", 7), "added-token-id"),
    planted(
        "an added token that is numbered otherwise",
        "bert-mini",
        insert("added_tokens.5", added("<new>")),
        "added-token-id added_tokens.5.id",
    ),
    planted(
        "an added token twice",
        "bert-mini",
        insert("added_tokens.5", added("[MASK]", special=True, id=4)),
        "duplicate-added-token",
    ),
    # Merges
    planted("a merge of three", "gpt2-mini", insert("model.merges.40", ["a", "b", "c"]), "merge-malformed", "refused"),
    planted(
        "a merge of a part that is no token",
        "gpt2-mini",
        insert("model.merges.40", ["qqq", "t"]),
        "merge-part-missing",
        "refused",
    ),
    planted(
        "a merge whose result is no token",
        "roberta-mini",
        insert("model.merges.40", ["z", "q"]),
        "merge-result-missing",
        "refused",
    ),
    planted("a merge twice", "gpt2-mini", insert("model.merges.1743", ["Ġ", "t"]), "duplicate-merge"),
    # Scores
    planted("a score above zero", "t5-mini", put("model.vocab.50.1", 3.5), "score-positive"),
    planted("an infinite score", "xlnet-mini", put("model.vocab.50.1", float("inf")), "score-not-finite", "refused"),
    planted(
        "a score that is the sum of two others",
        "t5-mini",
        put("model.vocab.248.1", -7.021153 + -6.59037),
        "score-tie model.vocab",
    ),
    planted("a letter that is no piece", "t5-mini", put("model.vocab.9.0", "<gone>"), "character-missing model.vocab"),
    planted("an unknown piece that is another one", "t5-mini", put("model.unk_id", 0), "unk-other-entry"),
    # Tokens of the model
    planted(
        "an unknown token that is no token, of words",
        "wordlevel-mini",
        put("model.unk_token", "[UNK]"),
        "unk-token-missing",
    ),
    planted(
        "an unknown token that is no token, of word parts",
        "bert-mini",
        put("model.unk_token", "<unk>"),
        "unk-token-missing",
    ),
    planted(
        "an unknown piece that is not there",
        "t5-mini",
        put("model.unk_id", 4_000),
        "unk-id-out-of-range",
        "refused",
    ),
    planted("no unknown piece", "xlnet-mini", put("model.unk_id", None), "no-unknown-token model"),
    planted("bytes without tokens", "t5-mini", put("model.byte_fallback", True), "byte-fallback-incomplete"),
    planted(
        "bytes with tokens that are not used",
        "llama-mini",
        (
            put("model.byte_fallback", False),
            *(put(f"model.vocab.<0x{0xF0 + number:X}>", 643 + number) for number in range(5)),
        ),
        "byte-tokens-unused",
    ),
    planted(
        "a prefix that no token has",
        "bert-mini",
        (put("model.continuing_subword_prefix", "@@"), put("decoder.prefix", "@@")),
        "subword-prefix-unused",
    ),
    planted(
        "a suffix that no token has",
        "gpt2-mini",
        put("model.end_of_word_suffix", "</w>"),
        "word-suffix-unused",
        "no-unknown-token model",
    ),
    # Options of the model
    planted("merges left out at random", "gpt2-mini", put("model.dropout", 0.5), "dropout-on"),
    planted("words of ten characters", "bert-mini", put("model.max_input_chars_per_word", 10), "long-words-unknown"),
    planted("merges ignored", "gpt2-mini", put("model.ignore_merges", True), "merges-ignored"),
    # Added tokens
    planted("an added token without content", "xlnet-mini", put("added_tokens.8.content", ""), "added-token-empty"),
    planted(
        "an added token that the normalizer takes away",
        "t5-mini",
        (
            insert("added_tokens.5", added("  ", normalized=True, id=905)),
            insert("normalizer.normalizers.0", {"type": "Strip", "strip_left": True, "strip_right": True}),
        ),
        "added-token-normalized-away added_tokens.5.normalized",
    ),
    planted(
        "two added tokens that are one when normalized",
        "bert-mini",
        (
            insert("added_tokens.5", added("<A>", normalized=True, id=1985)),
            insert("added_tokens.6", added("<a>", normalized=True, id=1986)),
        ),
        "added-token-collision added_tokens.6",
    ),
    planted(
        "an added token of which another one takes the beginning",
        "bert-mini",
        (
            insert("added_tokens.5", added("<x", id=1985)),
            insert("added_tokens.6", added("<x>", normalized=True, id=1986)),
        ),
        "added-token-shadowed added_tokens.6",
    ),
    planted(
        "a special token that other text becomes",
        "bert-mini",
        put("added_tokens.4.normalized", True),
        "added-token-matches-more",
    ),
    planted(
        "a special token that is looked for behind what the normalizer puts first",
        "llama-mini",
        put("added_tokens.1.normalized", True),
        "added-token-not-everywhere added_tokens.1",
    ),
    planted(
        "an added word",
        "bert-mini",
        insert("added_tokens.5", added("cat", id=1985)),
        "added-token-in-words added_tokens.5.single_word",
    ),
    # Normalizers
    planted(
        "a normal form twice", "xlnet-mini", insert("normalizer.normalizers.3", {"type": "NFKD"}), "normalizer-repeated"
    ),
    planted(
        "a normal form before another one",
        "xlnet-mini",
        insert("normalizer.normalizers.2", {"type": "NFC"}),
        "normalizer-undone",
    ),
    planted(
        "accents that are never separated",
        "xlnet-mini",
        drop("normalizer.normalizers.2"),
        "strip-accents-without-decomposition",
    ),
    # Special tokens
    planted(
        "a mask token that is no added token",
        "bert-mini",
        drop("added_tokens.4"),
        "special-token-not-added added_tokens",
    ),
    planted(
        "a separator that is not special",
        "bert-mini",
        put("added_tokens.3.special", False),
        "special-token-not-special",
    ),
    planted(
        "a mask token as a word alone",
        "bert-mini",
        put("added_tokens.4.single_word", True),
        "special-token-single-word",
    ),
    planted(
        "parts of words under a model of whole words",
        "bert-mini",
        put("model.type", "WordLevel"),
        "model-unfit",
        "member-ignored model.continuing_subword_prefix",
        "member-ignored model.max_input_chars_per_word",
    ),
    planted("no post-processor", "bert-mini", put("post_processor", None), "special-tokens-not-given"),
    planted(
        "an opening and a closing token that are exchanged",
        "roberta-mini",
        (put("post_processor.sep", ["<s>", 0]), put("post_processor.cls", ["</s>", 2])),
        "template-order post_processor",
    ),
    planted(
        "a template for one text without a separator",
        "bert-mini",
        drop("post_processor.single.2"),
        "template-other-tokens post_processor.single",
    ),
    planted(
        "a second text of the type of the first",
        "bert-mini",
        put("post_processor.pair.3.Sequence.type_id", 0),
        "template-type-ids",
    ),
    planted(
        "an added token of letters that stand for bytes",
        "gpt2-mini",
        insert("added_tokens.1", added("né", id=2000)),
        "added-token-decoded-otherwise added_tokens.1.content",
        "added-token-in-words added_tokens.1.single_word",
    ),
    # Fit of vocabulary and pipeline
    planted("capital letters that are kept", "bert-mini", put("normalizer.lowercase", False), "normalizer-unfit"),
    planted(
        "punctuation that is not split off",
        "bert-mini",
        put("pre_tokenizer", {"type": "WhitespaceSplit"}),
        "pre-tokenizer-unfit",
    ),
    planted("no prefix for parts of words", "bert-mini", put("model.continuing_subword_prefix", ""), "model-unfit"),
    # Post-processors
    planted(
        "a separator that is no token", "roberta-mini", put("post_processor.sep.0", "[SEP]"), "processor-token-missing"
    ),
    planted("a separator with another id", "wordlevel-mini", put("post_processor.sep.1", 3), "processor-id"),
    planted(
        "a token of a template with another id",
        "bert-mini",
        put("post_processor.special_tokens.[SEP].ids.0", 5),
        "processor-id",
    ),
    planted(
        "a template without the second text",
        "bert-mini",
        drop("post_processor.pair.3"),
        "template-without-sequence post_processor.pair",
    ),
    planted(
        "a template without the text",
        "xlnet-mini",
        drop("post_processor.single.0"),
        "template-without-sequence post_processor.single",
    ),
    planted(
        "a template with a token that is not defined",
        "xlnet-mini",
        put("post_processor.single.1.SpecialToken.id", "<end>"),
        "template-undefined-token post_processor.single.1",
    ),
    planted(
        "a template with a token that is not used",
        "t5-mini",
        put("post_processor.special_tokens.<pad>", {"id": "<pad>", "ids": [0], "tokens": ["<pad>"]}),
        "template-unused-token",
    ),
    planted(
        "a space that the post-processor does not know of",
        "roberta-mini",
        put("post_processor.add_prefix_space", False),
        "processor-prefix-space",
    ),
    # Decoders
    planted("no decoder", "bert-mini", put("decoder", None), "decoder-missing"),
    planted("bytes that are not decoded", "gpt2-mini", put("decoder", {"type": "Fuse"}), "decoder-byte-level"),
    planted(
        "characters that are decoded as bytes",
        "t5-mini",
        put("decoder", {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}),
        "decoder-byte-level",
        "decoder-space-mark",
    ),
    planted("another mark for a space", "t5-mini", put("decoder.replacement", "_"), "decoder-space-mark"),
    planted(
        "a space that is left in front", "xlnet-mini", put("decoder.prepend_scheme", "never"), "decoder-prepend-scheme"
    ),
    planted("another prefix of word parts", "bert-mini", put("decoder.prefix", "@@"), "decoder-subword-prefix"),
    planted(
        "bytes that are not put together", "llama-mini", drop("decoder.decoders.1"), "decoder-byte-fallback decoder"
    ),
    planted(
        "a space that is taken away and was not put there",
        "llama-mini",
        drop("normalizer.normalizers.0"),
        "decoder-prepend-scheme decoder.decoders.3",
    ),
    planted(
        "bytes that are put together too late",
        "llama-mini",
        (put("decoder.decoders.1", {"type": "Fuse"}), put("decoder.decoders.2", {"type": "ByteFallback"})),
        "decoding-changes-words decoder",
    ),
    planted(
        "a space that comes back too many",
        "gpt2-mini",
        put("pre_tokenizer.add_prefix_space", True),
        "decoding-changes-text decoder",
    ),
    # Truncation and padding
    planted(
        "truncation to the special tokens",
        "options-mini",
        (put("truncation.max_length", 3), put("truncation.stride", 0)),
        "truncation-too-short",
    ),
    planted("a stride that is too long", "options-mini", put("truncation.stride", 29), "truncation-stride"),
    planted(
        "truncation",
        "bert-mini",
        put("truncation", {"direction": "Right", "max_length": 128, "strategy": "LongestFirst", "stride": 0}),
        "truncation-on",
    ),
    planted(
        "padding",
        "bert-mini",
        put(
            "padding",
            {
                "strategy": "BatchLongest",
                "direction": "Right",
                "pad_to_multiple_of": None,
                "pad_id": 0,
                "pad_type_id": 0,
                "pad_token": "[PAD]",
            },
        ),
        "padding-on",
    ),
    planted(
        "padding with a token that is not there", "options-mini", put("padding.pad_token", "<pad>"), "pad-token-missing"
    ),
    planted("padding with another id", "options-mini", put("padding.pad_id", 5), "pad-id"),
    planted(
        "padding to a multiple of nothing, on the other side",
        "options-mini",
        (put("padding.pad_to_multiple_of", 0), put("padding.direction", "Right")),
        "pad-to-multiple-of-zero",
        "padding-truncation-directions padding.direction",
    ),
    # Forms
    planted("an option that is none", "bert-mini", put("normalizer.lower_case", False), "member-ignored"),
    planted(
        "an option of older files",
        "t5-mini",
        (drop("decoder.prepend_scheme"), put("decoder.add_prefix_space", True)),
        "legacy-form decoder.add_prefix_space",
    ),
    planted("a model without a type", "bert-mini", drop("model.type"), "legacy-form model"),
    planted("an option left out", "gpt2-mini", drop("model.byte_fallback"), "option-left-out model"),
    planted("no version", "gpt2-mini", drop("version"), "member-missing"),
    # Regexes
    regex("a repeat in a repeat", "(a+)+b", "regex-gives-up", is_measured=True),
    regex("a search to the end from each place", r"x+\d", "regex-slow", is_measured=True),
    regex("a beginning of lines", "^[ab]", "regex-means-otherwise"),
    regex("a possessive repeat", r"[ab]++", "regex-not-portable"),
    planted(
        "a regex written as a text",
        "gpt2-mini",
        put("normalizer", {"type": "Replace", "pattern": {"String": r"\s+"}, "content": " "}),
        "pattern-taken-literally normalizer.pattern.String",
    ),
)
