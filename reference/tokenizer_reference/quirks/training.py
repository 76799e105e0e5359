"""Quirks of trainers."""

from __future__ import annotations

from typing import Final

from tokenizer_reference.quirks.quirk import Kind, Quirk

TRAINERS: Final = (
    Quirk(
        "trained-length-limit-is-exclusive",
        "max_token_length is one more than the longest token has: with 3, tokens of two characters are learned.",
        ("trainers.BpeTrainer",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "trained-length-limit-spares-first-pairs",
        "Pairs of single characters are merged whatever max_token_length says.",
        ("trainers.BpeTrainer",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "trained-alphabet-exceeds-the-size",
        "All characters are in the vocabulary, even if they are more than vocab_size.",
        ("trainers.BpeTrainer", "trainers.WordPieceTrainer"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "characters-beyond-the-alphabet-leave-no-gap",
        "What limit_alphabet leaves out is cut out of the words: aa is learned from axa.",
        ("trainers.BpeTrainer", "trainers.WordPieceTrainer"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "initial-alphabet-has-first-characters",
        "Of a string in initial_alphabet only the first character counts.",
        ("trainers.BpeTrainer", "trainers.WordPieceTrainer"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "ids-of-continuations-are-drawn",
        "Characters with a prefix or suffix get their ids in random order, on which later ties depend.",
        ("trainers.WordPieceTrainer", "trainers.BpeTrainer"),
        Kind.RANDOM,
        choice="numbers them in the order of the words",
    ),
    Quirk(
        "wordpiece-trainer-adds-no-unknown-token",
        "The unknown token of the model is not learned: what is trained cannot encode an unknown word.",
        ("trainers.WordPieceTrainer",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "wordlevel-trainer-leaves-holes",
        "A word that is also a special token moves to its place among the words; the other id stays without a token.",
        ("trainers.WordLevelTrainer",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "training-resets-options-of-the-model",
        "A trained model has the affixes of its trainer, none by default, and no byte_fallback, whatever it had "
        "before.",
        ("trainers.BpeTrainer", "trainers.UnigramTrainer"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "progress-format-takes-anything",
        "An unknown progress_format is no error, and reads back as indicatif.",
        ("trainers.BpeTrainer",),
        Kind.API,
    ),
)
