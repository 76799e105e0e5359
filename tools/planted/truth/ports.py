"""Mistakes of ports, each the reference with one of ``tools/power/faults`` in it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from planted.fakes import Fault
from planted.ports import what_is_wrong
from planted.truth.case import Case

if TYPE_CHECKING:
    from planted.truth.case import Statements

_BERT = ("bert-mini", "bert-cut", "bert-base-uncased")
_CASED = ("bert-base-cased",)
_BPE = ("llama-mini", "gpt2", "google-fnet-base")
_BYTES = ("gpt2-mini", "roberta-mini", "gpt2-added")
_LLAMA = ("llama-mini", "llama-first", "llama-cut")
_UNIGRAM = ("xlnet-mini", "t5-mini", "xlnet-whole")
_LOWER = ("bert-mini", "options-mini", "wordlevel-plain")
_FLAGGED = ("options-mini", "bert-added", "gpt2-added")
_PARTS = ("wordlevel-mini", "bert-parts", "wordlevel-plain")


def _port(id: str, on: tuple[str, ...], *said: str, implied: Statements = ()) -> Case:
    return Case(id, "mistakes of ports", what_is_wrong(id), Fault(port=id), on, said, implied)


CASES: tuple[Case, ...] = (
    # Models
    _port("bpe-merges-by-token-id", _BPE, "merge-order: *id*"),
    _port("bpe-tie-from-the-right", _BPE, "merge-order: *rightmost*"),
    _port("bpe-all-occurrences-at-once", _BPE, "merge-order: *all its occurrences*"),
    _port("bpe-greedy-from-the-left", _BPE, "merge-order: *leftmost*"),
    _port("bpe-unknown-dropped", ("llama-mini", "google-fnet-base"), "unknown-token-policy"),
    _port("bpe-byte-fallback-ignored", _LLAMA, "byte-fallback"),
    _port("bpe-byte-tokens-lowercase", _LLAMA, implied=("model-entry: *0x*",)),
    _port("bpe-ignore-merges-always", _BPE, "whole-words"),
    _port("bpe-unknown-always-fused", ("google-fnet-base",), "unknown-token-policy"),
    _port("word-piece-length-in-bytes", ("options-mini", "bert-mini", "bert-base-uncased"), "length-limit"),
    _port("word-piece-length-off-by-one", ("bert-mini", "options-mini", "bert-base-uncased"), "length-limit"),
    _port("word-piece-unknown-rest", _BERT, "unknown-token-policy: *left of a word*"),
    _port("word-piece-shortest-first", _BERT, "greedy-against-ranked"),
    _port("word-piece-continuing-without-prefix", _BERT, "word-affixes"),
    _port("word-piece-value-without-prefix", _BERT, "token-names", "word-affixes"),
    _port("word-level-lowercases", ("wordlevel-mini",), implied=("case-folding",)),
    _port("unigram-longest-match", _UNIGRAM, "greedy-against-ranked"),
    _port("unigram-unknown-not-joined", _UNIGRAM, "unknown-token-policy: *of their own*"),
    _port("unigram-unknown-name", _UNIGRAM, "unknown-token-policy", "token-names"),
    # Offsets and words
    _port("offsets-in-normalized-text", ("bert-mini", "t5-mini", "options-mini"), "offset-convention: *normalized*"),
    _port("offsets-end-inclusive", ("bert-mini", "t5-mini", "options-mini")),
    _port("offsets-after-removed-text", ("bert-mini", "options-mini", "xlnet-mini")),
    _port(
        "offsets-of-prepended-text",
        ("llama-mini", "t5-mini", "roberta-mini"),
        implied=("offset-convention: empty prefix",),
    ),
    _port("word-ids-of-each-token", _BERT),
    _port("fast-word-numbers-stand", _BERT),
    _port("words-offsets-grow", ("bert-mini", "roberta-mini", "t5-mini"), "offset-convention"),
    _port("trim-leading-only", ("roberta-mini", "roberta-cut", "roberta-padded")),
    _port("trim-first-token-whole", ("roberta-mini", "roberta-cut", "roberta-padded")),
    # Added tokens
    _port("added-token-lstrip-ignored", ("options-mini", "roberta-mini", "bert-added"), "added-token-flags: *lstrip*"),
    _port("added-token-rstrip-ignored", _FLAGGED, "added-token-flags: *rstrip*"),
    _port("added-token-strips-one-space", ("roberta-mini", "bert-added", "gpt2-added")),
    _port("added-token-single-word-ascii", _FLAGGED, implied=("added-token-flags: *single_word*",)),
    _port("added-token-single-word-white-space", _FLAGGED, implied=("added-token-flags: *single_word*",)),
    _port(
        "added-token-normalized-ignored",
        ("options-mini", "bert-added", "llama-mini"),
        "added-token-flags: *normalized*",
    ),
    replace(
        _port(
            "added-token-special-only",
            _FLAGGED,
            "special-token-handling: *added tokens that are not special*",
            "component-left-out: added_tokens that are not special left out",
        ),
        # The other one that is not special is a word of its vocabulary.
        same_on={"bert-added": ('component-left-out: added token "ing" left out',)},
    ),
    _port("added-token-not-special-only", ("bert-mini", "roberta-mini", "t5-mini"), "special-token-handling"),
    _port("added-token-second-in-a-row", ("bert-mini", "roberta-mini", "gpt2-added")),
    _port("added-token-rest-of-text", ("bert-mini", "roberta-mini", "t5-mini")),
    _port("added-token-any-case", ("bert-mini", "roberta-mini", "t5-mini"), implied=("case-folding",)),
    # Normalizers
    _port("lowercase-ascii-only", _LOWER, "case-folding: *ASCII*"),
    _port("lowercase-final-sigma", _LOWER, "final-sigma"),
    _port("lowercase-case-folding", _LOWER, "case-folding: *fold*"),
    _port("lowercase-latin-1-only", _LOWER),
    _port(
        "strip-accents-nonspacing-only",
        ("xlnet-mini", "options-mini", "bert-parts"),
        "normalization-form: *nonspacing*",
        "normalizer-flags: *nonspacing*",
        "regex-class-approximation: *nonspacing marks only*",
        implied=("unicode-version: older categories",),  # of Unicode 8
    ),
    _port("strip-accents-latin-block-only", ("xlnet-mini", "options-mini", "bert-parts")),
    _port("bert-chinese-basic-plane", _BERT, "regex-class-approximation: *below U+10000*"),
    _port("bert-chinese-and-kana", _BERT),
    _port("bert-chinese-and-hangul", _BERT),
    _port("bert-chinese-space-before-only", _BERT),
    _port("bert-accents-not-decomposed", _BERT, implied=("normalizer-flags: *accents*", "normalization-form")),
    _port("bert-accents-default-false", _BERT, "normalizer-flags: *accents*"),
    _port("bert-accents-default-true", _CASED, "normalizer-flags: *accents*"),
    _port("bert-clean-removes-tabs", _BERT, implied=("characters-dropped",)),
    _port("bert-clean-keeps-format", _BERT, implied=("normalizer-flags: *clean_text*",)),
    _port("bert-clean-ascii-blanks", _BERT),
    _port(
        "bert-clean-unassigned",
        _BERT,
        "normalizer-flags: *unassigned*",
        "characters-dropped: *unassigned*",
        "unicode-version",
    ),
    _port("nfkc-is-nfc", ("wordlevel-mini", "wordlevel-plain"), "normalization-form: *NFC*"),
    _port("nfd-marks-not-sorted", ("options-mini", "xlnet-mini", "bert-parts"), "normalization-form: *order*"),
    _port("nfkc-does-not-compose", ("wordlevel-mini", "wordlevel-plain"), "normalization-form: *NFKD*"),
    _port("replace-first-match-only", ("bert-strip", "xlnet-mini", "camembert-base")),
    _port("precompiled-characters-only", ("t5-mini", "t5-small", "camembert-base"), "grapheme-against-code-point"),
    _port("precompiled-clusters-only", ("t5-mini", "t5-small", "camembert-base"), "grapheme-against-code-point"),
    # Pre-tokenizers
    _port(
        "punctuation-ascii-only",
        ("bert-mini", "wordlevel-mini", "bert-parts"),
        "regex-class-approximation: *ASCII punctuation*",
    ),
    _port(
        "punctuation-and-symbols",
        ("bert-mini", "wordlevel-mini", "bert-parts"),
        "regex-class-approximation: *-> punctuation and symbols",
    ),
    _port("bert-punctuation-runs", _BERT, implied=("pre-tokenizer-flags",)),
    _port("gpt2-letters-ascii", _BYTES, "regex-class-approximation: *L* -> *A-Za-z*"),
    _port("gpt2-contractions-any-case", _BYTES),
    _port("gpt2-contraction-missing", _BYTES),
    _port("gpt2-digits-in-threes", _BYTES, "regex-class-approximation: *N* -> *{1,3}"),
    _port("gpt2-no-look-ahead", _BYTES, "regex-class-approximation: *(?!*-> nothing"),
    _port(
        "gpt2-decimal-digits", _BYTES, "regex-class-approximation: *N* -> ?d", "regex-class-approximation: *N* -> *Nd*"
    ),
    _port(
        "byte-level-prefix-space-twice",
        ("roberta-mini", "roberta-cut", "roberta-padded"),
        implied=("prefix-space-policy",),
    ),
    _port(
        "metaspace-all-white-space",
        ("xlnet-whole", "llama-first", "camembert-base"),
        implied=("characters-dropped: U+0009 becomes U+0020", "characters-dropped: U+000A becomes U+0020"),
    ),
    _port("metaspace-runs-stay", ("t5-mini", "xlnet-whole", "camembert-base")),
    _port("metaspace-first-is-always", ("llama-first",), "prefix-space-policy"),
    _port(
        "white-space-ascii",
        ("options-mini", "bert-strip", "wordlevel-plain"),
        implied=("regex-class-approximation: *U+0085*",),
    ),
    _port(
        "word-characters-without-marks",
        ("options-mini", "bert-strip", "wordlevel-plain"),
        "regex-class-approximation: *has no marks*",
    ),
    _port("digits-ascii", _PARTS, "regex-class-approximation: *0-9*"),
    _port("scripts-kana-apart", ("wordlevel-mini",)),
    _port("split-first-match-only", ("wordlevel-mini", "gpt2-parts")),
    # Post-processors, truncation and padding
    _port(
        "template-type-ids-ignored",
        ("options-mini", "bert-mini", "xlnet-mini"),
        "pair-handling",
        "special-token-handling",
    ),
    _port(
        "template-special-type-ids-ignored",
        ("xlnet-mini", "bert-mini", "options-mini"),
        "pair-handling: *type ids by text*",
        "pair-handling: *special tokens have type 0*",
    ),
    _port("template-special-several-ids", ("options-mini",)),
    _port(
        "roberta-one-sep-between",
        ("roberta-mini", "roberta-cut", "roberta-padded"),
        "pair-handling: *of a pair is missing*",
    ),
    _port(
        "roberta-type-ids",
        ("roberta-mini", "roberta-cut", "roberta-padded"),
        "pair-handling: *type ids by text*",
        "pair-handling: *type 1*",
    ),
    _port("pair-sequence-ids", ("gpt2-mini", "wordlevel-mini", "t5-mini"), "pair-handling"),
    _port("pair-offsets-grow", ("bert-mini", "gpt2-mini", "t5-mini"), "pair-handling", "offset-convention"),
    _port("special-mask", ("roberta-mini", "wordlevel-mini", "t5-mini"), "special-token-handling"),
    _port("special-offsets", ("roberta-mini", "wordlevel-mini", "t5-mini"), implied=("special-token-handling",)),
    _port("special-word-ids", ("roberta-mini", "wordlevel-mini", "t5-mini")),
    _port("overflow-dropped", ("bert-cut", "options-mini", "llama-cut"), "length-limit: *no overflowing parts*"),
    _port("overflow-one-part", ("bert-cut", "options-mini", "llama-cut")),
    _port("overflow-without-special", ("options-mini", "bert-cut", "roberta-cut")),
    _port("truncation-special-not-counted", ("bert-cut", "options-mini", "roberta-cut"), implied=("length-limit",)),
    _port("truncation-direction-ignored", ("options-mini", "roberta-cut"), "length-limit: *direction*"),
    _port("truncation-stride-off-by-one", ("bert-cut", "options-mini"), "length-limit: *stride*"),
    _port("truncation-each-text", ("bert-cut", "llama-cut", "roberta-cut")),
    _port("padding-direction-ignored", ("options-mini", "bert-padded", "llama-padded"), "padding-policy: *direction*"),
    _port("padding-multiple-adds-one-more", ("options-mini",)),
    _port("padding-attention", ("options-mini", "bert-padded", "roberta-padded")),
    _port("padding-left-sequence-ids", ("options-mini", "bert-padded", "llama-padded")),
    # Decoders
    _port("word-piece-decode-first-token", _BERT),
    _port("word-piece-decode-cleanup-of-text", _BERT, "decode-clean-up: *of the whole text*"),
    _port("word-piece-decode-cleanup-do-not", _BERT),
    _port("byte-fallback-decode-one-replacement", _LLAMA, "ill-formed-bytes"),
    _port("byte-fallback-decode-each", _LLAMA, "ill-formed-bytes: *each token*"),
    _port("byte-level-decode-each-token", _BYTES, "ill-formed-bytes: *each token*"),
    _port(
        "byte-level-decode-strips-space", _BYTES, "decode-clean-up: *strip*", "prefix-space-policy: *Strip one space*"
    ),
    _port("strip-decode-all", _LLAMA, "decode-clean-up: *head stripped*"),
    _port("metaspace-decode-every-token", ("t5-mini", "xlnet-mini", "xlnet-whole"), "decode-clean-up: *Fuse first*"),
    _port(
        "decode-skips-all-added",
        ("options-mini", "bert-added", "gpt2-added"),
        "added-token-flags: *special*",
        "special-token-handling",
    ),
    # What is special matters to nothing else.
    _port(
        "decode-skip-ignored",
        ("bert-mini", "roberta-mini", "t5-mini"),
        "special-token-handling: *always kept*",
        "added-token-flags: special is false",
    ),
    _port(
        "decode-without-decoder-joins",
        ("wordlevel-mini", "wordlevel-plain"),
        "component-left-out: *joined as they are*",
        "decode-clean-up: decoder: none -> Fuse",
        implied=("stream-steps: *each id alone*",),
    ),
    _port("stream-each-id", ("bert-mini", "t5-mini", "llama-mini"), "stream-steps"),
    _port("stream-broken-characters", ("gpt2-mini", "llama-mini", "roberta-mini"), "stream-steps"),
)
