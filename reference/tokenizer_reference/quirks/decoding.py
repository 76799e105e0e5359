"""Quirks of decoders."""

from __future__ import annotations

from typing import Final

from tokenizer_reference.quirks.quirk import RAISES, Kind, Quirk

DECODERS: Final = (
    Quirk(
        "metaspace-decoder-drops-all-marks-of-the-first-token",
        "In the first token every replacement character is dropped, also inside and at the end.",
        ("decoders.Metaspace",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-decoder-replaces-suffix-anywhere",
        "BPEDecoder takes its suffix for a space wherever it stands in a token.",
        ("decoders.BPEDecoder",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-decoder-spaces-out-characters",
        "BPEDecoder with an empty suffix puts a space between all characters.",
        ("decoders.BPEDecoder",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "byte-fallback-takes-a-plus-sign",
        "ByteFallback takes <0x+1> for byte 1.",
        ("decoders.ByteFallback",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "byte-fallback-gives-up-a-whole-run",
        "One ill-formed byte turns its whole run into U+FFFD, one for each byte, ASCII too.",
        ("decoders.ByteFallback",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "ctc-keeps-delimiters-without-cleanup",
        "The word delimiter becomes a space only with cleanup.",
        ("decoders.CTC",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "ctc-removes-padding-inside-tokens",
        "The text of the padding token is removed wherever it stands in a token.",
        ("decoders.CTC",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "cleanup-sees-one-token-at-a-time",
        "Clean-up of blanks never sees across tokens.",
        ("decoders.WordPiece", "decoders.CTC"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "cleanup-contracts-do-not",
        "Clean-up writes don't for do not.",
        ("decoders.WordPiece", "decoders.CTC"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "wordpiece-decoder-keeps-the-first-prefix",
        "The first token keeps its continuation prefix.",
        ("decoders.WordPiece",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "strip-decoder-panics-on-short-tokens",
        "Strip measures both ends without regard to each other, and panics where the cuts overlap.",
        ("decoders.Strip",),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "byte-level-decoder-takes-foreign-tokens-as-text",
        "A token with any character outside the byte alphabet stands for itself as a whole, Ġ and all.",
        ("decoders.ByteLevel",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "decoder-sequence-has-copies",
        "A Sequence of decoders copies its members; other sequences share them with their makers.",
        ("decoders.Sequence", "normalizers.Sequence", "pre_tokenizers.Sequence"),
        Kind.API,
    ),
    Quirk(
        "custom-decoder-in-a-sequence-panics",
        "A custom decoder cannot be part of a Sequence, as custom normalizers and pre-tokenizers can.",
        ("decoders.Sequence", "decoders.Custom"),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "stream-gives-dangling-bytes-late",
        "DecodeStream holds back a dangling byte, and gives it out as U+FFFD with the next character.",
        ("decoders.DecodeStream",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "stream-is-silent-where-text-does-not-grow",
        "DecodeStream gives nothing while the text does not get longer, even if it changed.",
        ("decoders.DecodeStream",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "decoding-passes-over-unknown-ids",
        "decode leaves out ids that have no token.",
        ("Tokenizer",),
        Kind.BEHAVIOUR,
    ),
)
