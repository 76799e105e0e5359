"""Quirks of models and their files."""

from __future__ import annotations

from typing import Final

from tokenizer_reference.quirks.quirk import RAISES, Kind, Quirk

MODELS: Final = (
    Quirk(
        "bpe-bytes-overtake-unknown-tokens",
        "With byte_fallback, a pending unknown token is put down after the bytes that follow it: order and offsets "
        "are wrong.",
        ("models.BPE",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-unknown-tokens-fuse-across-bytes",
        "With fuse_unk, unknown characters become one token across the bytes between them.",
        ("models.BPE",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-without-unknown-token-slides-offsets",
        "Without unk_token, unknown characters vanish, and all later offsets of the word slide to the left.",
        ("models.BPE",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-bytes-of-affixes-run-off-the-text",
        "byte_fallback gives the bytes of prefix and suffix as well, with offsets beyond the text.",
        ("models.BPE",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-merges-one-occurrence-at-a-time",
        "A new token may merge with its neighbours before the next occurrence of the same pair is merged.",
        ("models.BPE",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-outdated-candidate-merges-if-the-id-fits",
        "A pair that changed while it waited is merged all the same if it still gives the same id, whatever its rank "
        "now.",
        ("models.BPE",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-unknown-token-merges",
        "An unknown token takes part in merges like any other.",
        ("models.BPE",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-prefix-is-cut-from-any-token",
        "The right side of a merge loses as many bytes as the prefix has, whether or not it begins with it.",
        ("models.BPE",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-prefix-longer-than-a-token-panics",
        "A merge whose right side is shorter than the prefix panics when the model is built.",
        ("models.BPE",),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "bpe-prefix-cut-inside-a-character-aborts",
        "A merge whose right side is cut inside a character kills the process.",
        ("models.BPE",),
        Kind.ABORT,
        choice=RAISES,
    ),
    Quirk(
        "bpe-merge-longer-than-the-vocabulary-panics",
        "A merge to a token that is not there panics if no token is as long; else it is refused.",
        ("models.BPE",),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "bpe-dropout-switches-ignore-merges-off",
        "ignore_merges has no effect with dropout.",
        ("models.BPE",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-last-rank-of-a-pair-counts",
        "A merge that is listed twice has the rank of its last occurrence.",
        ("models.BPE", "merges.txt"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-remembers-words-from-before-a-change",
        "Words seen before an option was set keep their old tokens until _clear_cache.",
        ("models.BPE",),
        Kind.STALE_CACHE,
        choice="forgets them when an option is set",
    ),
    Quirk(
        "bpe-dropout-is-single-precision",
        "dropout 0.3 reads back as 0.30000001192092896, and is written as 0.3.",
        ("models.BPE",),
        Kind.API,
    ),
    Quirk(
        "bpe-dropout-can-be-set-to-anything",
        "The constructor refuses a dropout beyond 0 to 1, the attribute takes any number.",
        ("models.BPE",),
        Kind.API,
    ),
    Quirk(
        "vocab-json-passes-over-other-values",
        "BPE.read_file silently leaves out tokens whose value is no number.",
        ("models.BPE", "models.WordLevel", "vocab.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "vocab-json-cuts-ids-to-32-bits",
        "Of an id of more than 32 bits in vocab.json the lowest 32 are taken.",
        ("models.BPE", "models.WordLevel", "vocab.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "merges-txt-version-may-stand-anywhere",
        "Every line of merges.txt that begins with #version is left out, a merge of such a token too.",
        ("models.BPE", "merges.txt"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "merges-in-json-lose-version-lines",
        "In tokenizer.json, too, a merge written as a string is left out if it begins with #version.",
        ("models.BPE", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "vocab-txt-loses-white-space",
        "White space at the end of a line of vocab.txt does not count: a token of spaces becomes the empty token.",
        ("models.WordPiece", "vocab.txt"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "vocab-txt-last-of-equal-lines-counts",
        "A token that stands twice in vocab.txt has the later id; the earlier id has no token.",
        ("models.WordPiece", "vocab.txt"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "vocab-txt-is-saved-without-holes",
        "Ids without a token are not written to vocab.txt, so what is read back has other ids.",
        ("models.WordPiece", "vocab.txt"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "word-level-makes-a-token-of-nothing",
        "WordLevel gives the empty string a token, the unknown one if there is no other.",
        ("models.WordLevel",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unigram-ties-go-to-the-earliest-start",
        "Of cuts with equal scores the one stays whose last piece begins first.",
        ("models.Unigram",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unigram-looks-unknown-runs-up-again",
        "Unknown characters in a row are joined and looked up once more: they can be a token that the best cut "
        "avoided.",
        ("models.Unigram",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unigram-bytes-have-offsets-of-the-run",
        "The bytes of unknown characters all have the offsets of the whole unknown run.",
        ("models.Unigram",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unigram-bytes-all-or-none-of-the-run",
        "Where one byte of an unknown run has no token, all of the run is one unknown token.",
        ("models.Unigram",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unigram-unknown-token-has-the-text-as-value",
        "The value of an unknown token is the text that it stands for, not the name of the unknown token.",
        ("models.Unigram",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unigram-unknown-token-in-the-text-is-unknown",
        "Where the text has the unknown token's own text, it is joined with unknown characters beside it.",
        ("models.Unigram",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unigram-size-counts-equal-pieces",
        "A piece that is listed twice has the later id, and counts twice in the size of the vocabulary.",
        ("models.Unigram",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unigram-sampling-compounds-alpha",
        "alpha is not the exponent of a cut's probability, as published: it is applied again at each step of the sum.",
        ("models.Unigram",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unigram-sampling-needs-an-unknown-token",
        "With alpha, a model without unk_id fails on texts that have nothing unknown.",
        ("models.Unigram",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unigram-sampling-panics-on-extreme-weights",
        "Scores times alpha that no float holds panic.",
        ("models.Unigram",),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "unigram-sampling-is-not-written",
        "alpha and nbest_size are not written to tokenizer.json.",
        ("models.Unigram", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "unigram-infinite-score-is-written-as-null",
        "A score that is not finite is written as null, which cannot be read again.",
        ("models.Unigram", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "one-id-for-two-tokens-is-drawn",
        "Of two tokens with one id, id_to_token and the written file have either.",
        ("models.BPE", "models.WordPiece", "models.WordLevel", "tokenizer.json"),
        Kind.RANDOM,
        choice="has the later one",
    ),
    Quirk(
        "largest-id-empties-the-written-vocabulary",
        "A vocabulary with the id 4294967295 is written as an empty one: ids are counted in 32 bits.",
        ("models.BPE", "models.WordPiece", "models.WordLevel", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "model-offsets-are-bytes",
        "Model.tokenize gives offsets in UTF-8 bytes, where everything else has characters.",
        ("models.BPE", "models.WordPiece", "models.WordLevel", "models.Unigram"),
        Kind.API,
    ),
)
