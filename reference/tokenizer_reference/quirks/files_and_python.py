"""Quirks of tokenizer.json and of what Python sees."""

from __future__ import annotations

from typing import Final

from tokenizer_reference.quirks.quirk import Kind, Quirk

FILES: Final = (
    Quirk(
        "unknown-key-at-the-top-is-refused",
        "An unknown key at the top level makes the file unreadable; inside components it is ignored.",
        ("tokenizer.json",),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "added-token-ids-in-a-file-are-ignored",
        "The ids of added_tokens are read and ignored: tokens are numbered again in the order of the list.",
        ("added_tokens", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "added-tokens-cannot-be-null",
        "added_tokens may be missing but not null, as the other parts may.",
        ("added_tokens", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "last-of-equal-keys-counts",
        "Of equal keys in the file the last counts, at the top and in components.",
        ("tokenizer.json",),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "equal-keys-in-truncation-are-refused",
        "A key that truncation or padding has twice is refused.",
        ("truncation", "padding", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "unknown-type-is-guessed-from-fields",
        "A component of unknown type is taken for the first one whose fields fit.",
        ("normalizers.Prepend", "decoders.BPEDecoder", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "model-without-type-is-guessed",
        "A model without type is taken for the first of BPE, WordPiece, WordLevel and Unigram whose fields fit.",
        ("models.BPE", "models.WordPiece", "models.WordLevel", "models.Unigram", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "pre-tokenizer-without-type-is-refused",
        "A pre-tokenizer without type is never guessed: all of them ask for their type.",
        ("pre_tokenizers.Digits", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "bert-normalizer-has-a-second-name",
        "BertNormalizer is also read as Bert, which is never written.",
        ("normalizers.BertNormalizer", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "pre-tokenizers-of-a-sequence-have-no-underscore",
        "The member is pretokenizers in a Sequence and pre_tokenizer at the top.",
        ("pre_tokenizers.Sequence", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "byte-level-decoder-needs-useless-fields",
        "The decoder ByteLevel is read only with add_prefix_space and trim_offsets, which mean nothing to it.",
        ("decoders.ByteLevel", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "objects-may-be-arrays",
        "Some objects may be written as arrays of their values: truncation, BertProcessing, Prepend.",
        ("truncation", "processors.BertProcessing", "normalizers.Prepend", "decoders.BPEDecoder", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "names-may-be-objects",
        'A name such as Left may be written as an object with null, {"Left": null}.',
        ("truncation", "padding", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "json-numbers-are-read-inexactly",
        "Numbers of many digits are read one unit in the last place beside the nearest float.",
        ("models.Unigram", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "minus-zero-is-no-whole-number",
        "-0 is read as a floating-point number, and so is no id.",
        ("tokenizer.json",),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "json-is-nested-127-deep-at-most",
        "A file of more than 127 arrays and objects in each other is refused, also where the value is ignored.",
        ("tokenizer.json",),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "sequences-flatten-in-code-only",
        "The constructor of a Sequence dissolves sequences in it; those in a file stay.",
        ("normalizers.Sequence", "pre_tokenizers.Sequence", "processors.Sequence"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "custom-components-cannot-be-written",
        "A tokenizer with a custom component works, and cannot be saved.",
        ("normalizers.Custom", "pre_tokenizers.Custom", "decoders.Custom", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
)

PYTHON: Final = (
    Quirk(
        "panics-are-no-exceptions",
        "A panic is a BaseException: except Exception does not catch it.",
        ("Tokenizer",),
        Kind.PANIC,
        choice="raises UpstreamPanicError, which is an Exception",
    ),
    Quirk(
        "errors-have-no-class-of-their-own",
        "What from_file and from_str raise is a bare Exception, a missing file as well; from_buffer raises ValueError.",
        ("Tokenizer", "tokenizer.json"),
        Kind.API,
        choice="raises TokenizerFileError, which is a ValueError, and FileNotFoundError",
    ),
    Quirk(
        "options-without-effect",
        "ByteLevel as a pre-tokenizer ignores trim_offsets, as a processor use_regex; the decoder Metaspace ignores "
        "split.",
        ("pre_tokenizers.ByteLevel", "processors.ByteLevel", "decoders.Metaspace"),
        Kind.API,
    ),
    Quirk(
        "some-components-cannot-be-copied",
        "Replace and Precompiled can be neither pickled nor copied, as all others can; a tokenizer that has them can.",
        ("normalizers.Replace", "normalizers.Precompiled", "decoders.Replace"),
        Kind.API,
        choice="copies them as all others",
    ),
    Quirk(
        "parts-are-new-objects-each-time",
        "tokenizer.normalizer is another object each time, and yet setting its options changes the tokenizer.",
        ("Tokenizer",),
        Kind.API,
        choice="the same object each time",
    ),
    Quirk(
        "base-class-of-models-is-a-bpe",
        "Model can be made, and is an empty BPE; the base classes of the other stages cannot.",
        ("models.BPE",),
        Kind.API,
    ),
    Quirk(
        "repr-writes-whole-numbers-without-point",
        "repr shows the score 1.0 as 1.",
        ("models.Unigram", "models.BPE"),
        Kind.API,
    ),
    Quirk(
        "str-cuts-long-values",
        "str shows five items of a list and 100 bytes of a text; repr shows more.",
        ("normalizers.Sequence", "models.WordLevel", "processors.TemplateProcessing"),
        Kind.API,
    ),
    Quirk(
        "negative-index-overflows",
        "A Sequence of components cannot be indexed from its end: OverflowError.",
        ("normalizers.Sequence", "pre_tokenizers.Sequence", "processors.Sequence"),
        Kind.API,
    ),
    Quirk(
        "numpy-strings-are-read-as-bytes",
        "numpy arrays of str are read by their memory: every word ends in NULs, and is unknown.",
        ("Tokenizer",),
        Kind.API,
    ),
)
