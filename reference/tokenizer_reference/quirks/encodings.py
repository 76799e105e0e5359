"""Quirks of encodings, truncation, padding and post-processors."""

from __future__ import annotations

from typing import Final

from tokenizer_reference.quirks.quirk import RAISES, Kind, Quirk

ENCODINGS: Final = (
    Quirk(
        "single-input-has-no-range",
        "Without post-processor a single input has no sequence range: token_to_sequence answers one token too far.",
        ("Encoding", "Tokenizer"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unknown-sequence-is-the-whole-encoding",
        "A sequence index that does not exist stands for the whole encoding.",
        ("Encoding",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "search-for-a-word-ends-at-a-later-word",
        "word_to_tokens stops at the first word of a higher number, and misses words after it.",
        ("Encoding",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "merged-offsets-grow-by-default",
        "Encoding.merge shifts offsets, so they no longer point into any of the texts.",
        ("Encoding",),
        Kind.API,
    ),
    Quirk(
        "offsets-restart-in-every-word",
        "With is_pretokenized, offsets count from the start of each word.",
        ("Encoding", "Tokenizer"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "range-past-the-end-panics",
        "sequence_ids panics for a sequence range that is longer than the encoding, which a state may hold.",
        ("Encoding",),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "overlapping-ranges-are-drawn",
        "Where sequence ranges overlap, token_to_sequence answers with any of them.",
        ("Encoding",),
        Kind.RANDOM,
        choice="answers with the lowest",
    ),
    Quirk(
        "batch-fast-has-ids-only",
        "encode_batch_fast leaves out tokens and offsets: they are there, and empty.",
        ("Tokenizer", "Encoding"),
        Kind.API,
    ),
    Quirk(
        "async-encode-has-byte-offsets",
        "async_encode gives offsets in UTF-8 bytes, async_encode_batch and all others in characters.",
        ("Tokenizer", "Encoding"),
        Kind.API,
    ),
)

TRUNCATION_AND_PADDING: Final = (
    Quirk(
        "truncation-wraps-around-below-zero",
        "If special tokens alone are more than max_length, nothing is truncated at all.",
        ("truncation",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "truncation-takes-a-stride-that-is-too-long",
        "enable_truncation refuses a stride above the length that is left, and takes an equal one, which cannot work.",
        ("truncation",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "truncation-without-progress-panics",
        "A stride equal to the length that is left panics as soon as something has to be cut.",
        ("truncation", "Encoding"),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "truncation-in-a-file-is-not-checked",
        "A file may hold a stride above max_length.",
        ("truncation", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "truncation-to-zero-overflows-in-one-piece",
        "With max_length 0 all text is one overflowing part, however long.",
        ("truncation", "Encoding"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "truncated-parts-lose-their-sequence",
        "Without post-processor, overflowing parts of a pair say sequence 0 for tokens of the second text.",
        ("truncation", "Encoding"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "overflow-has-overflow",
        "Of a pair in which both are cut, overflowing parts have overflowing parts of their own.",
        ("truncation", "Encoding"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "padding-belongs-to-the-sequence",
        "Padding of an encoding without sequence range counts as sequence 0, while padding of a pair belongs to none.",
        ("padding", "Encoding"),
        Kind.BEHAVIOUR,
    ),
)

PROCESSORS: Final = (
    Quirk(
        "processor-type-is-guessed",
        "The type of a post-processor is not looked at: BertProcessing with the fields of RoBERTa is "
        "RobertaProcessing.",
        (
            "processors.BertProcessing",
            "processors.RobertaProcessing",
            "processors.TemplateProcessing",
            "tokenizer.json",
        ),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "bert-and-roberta-reset-masks",
        "Existing tokens lose their special mask and get attention, whatever they had.",
        ("processors.BertProcessing", "processors.RobertaProcessing"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "roberta-works-without-special-tokens",
        "RobertaProcessing trims offsets and sets type ids to 0 with add_special_tokens=False, too.",
        ("processors.RobertaProcessing",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "trimming-keeps-one-blank-at-offset-zero",
        "With add_prefix_space, a single leading blank is left in the offsets of every token that begins at 0, not "
        "only the first.",
        ("processors.ByteLevel", "processors.RobertaProcessing"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "byte-level-processor-renumbers-sequences",
        "After a template, ByteLevel numbers its parts as sequences, the special tokens among them.",
        ("processors.ByteLevel", "processors.Sequence"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bert-surrounds-every-part-of-a-template",
        "After a template, BertProcessing puts its tokens around each part, the special tokens among them.",
        ("processors.BertProcessing", "processors.RobertaProcessing", "processors.Sequence"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "template-after-a-template-panics",
        "A template that gets the parts of another one panics.",
        ("processors.TemplateProcessing", "processors.Sequence"),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "template-splits-at-every-space",
        "Two spaces in a template hold an empty special token between them, which is missing.",
        ("processors.TemplateProcessing",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "template-second-sequence-has-type-0",
        "$B has type 0 unless it is written $B:1.",
        ("processors.TemplateProcessing",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "template-number-is-a-type-of-the-first-sequence",
        "$2 is not the second sequence but the first one, with type 2.",
        ("processors.TemplateProcessing",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "template-leaves-types-of-overflow",
        "Overflowing parts keep the type ids of tokenization, beside special tokens with the types of the template.",
        ("processors.TemplateProcessing", "truncation"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "template-set-later-is-not-counted",
        "single can be set to a template with unknown special tokens, and num_special_tokens_to_add keeps its answer.",
        ("processors.TemplateProcessing",),
        Kind.STALE_CACHE,
    ),
    Quirk(
        "template-reads-as-debug-text",
        "single reads as a debugging text of Rust, which cannot be set.",
        ("processors.TemplateProcessing",),
        Kind.API,
    ),
    Quirk(
        "template-of-one-with-second-sequence-panics",
        "A template for one sequence may use $B, and panics when it is used.",
        ("processors.TemplateProcessing",),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "template-in-a-file-is-not-checked",
        "A template in a file may lack its special tokens, and panics when it is used.",
        ("processors.TemplateProcessing", "tokenizer.json"),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "template-in-a-file-may-have-columns-of-unequal-length",
        "A special token in a file may have more ids than tokens: so has the encoding then.",
        ("processors.TemplateProcessing", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "template-names-missing-tokens-in-any-order",
        "The error for missing special tokens lists them in another order each time.",
        ("processors.TemplateProcessing",),
        Kind.RANDOM,
        choice="lists them in the order of the template",
    ),
    Quirk(
        "processor-overrides-type-ids",
        "Before a post-processor works, type ids become the number of the sequence, whatever they were.",
        ("processors.BertProcessing", "processors.ByteLevel", "processors.TemplateProcessing"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "special-tokens-lose-nested-overflow",
        "Special tokens are put around overflowing parts, whose own overflow is lost.",
        ("processors.BertProcessing", "processors.RobertaProcessing"),
        Kind.BEHAVIOUR,
    ),
)
