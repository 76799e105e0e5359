"""`tokenizers` with the faults that ports of it have: each is found by what a plain `tokconf run` asks.

Most are an option that a port overlooks, and stand here as what it takes the file for; the others spoil answers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from planted.edits import put
from planted.fakes import Fault, Faulty
from planted_faults import KeepsAccent, LatePieces, NoOverflow, ShortDecode, WrongType, answering, telling

from tokenizer_adapters.contract import (
    PIPELINE_STAGES,
    Chunks,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Normalize,
    Stage,
)
from tokenizer_conformance.comparison.mistakes import batch_reversed, chunks_too_early, in_bytes, in_pieces, in_utf16

if TYPE_CHECKING:
    from planted.edits import Json
    from planted.fakes import FaultySubject

    from tokenizer_adapters.contract import Observation, Outcome, TokenizerSource


@dataclass(frozen=True)
class Overlooked:
    """In the file of ``tokenizer`` the port takes ``value`` to stand at ``path``. Found at ``stage`` first."""

    tokenizer: str
    path: str
    value: Any
    stage: Stage

    @property
    def name(self) -> str:
        return f"{self.tokenizer}: {self.path} = {json.dumps(self.value)[:40]}"

    def __call__(self, document: Json) -> None:
        edit = put(self.path, self.value)
        if edit.says_the_same(document):
            raise ValueError("this is no fault: the file says the same")
        edit(document)


NORMALIZE, PRE_TOKENIZE, MODEL, POST_PROCESS, DECODE = PIPELINE_STAGES

OVERLOOKED = (
    # Normalizers
    Overlooked("bert-mini", "normalizer.strip_accents", False, NORMALIZE),
    Overlooked("bert-mini", "normalizer.handle_chinese_chars", False, NORMALIZE),
    Overlooked("bert-mini", "normalizer.clean_text", False, NORMALIZE),
    Overlooked("llama-mini", "normalizer.normalizers.0.prepend", "", NORMALIZE),
    Overlooked("t5-mini", "normalizer.normalizers.0", {"type": "NFKC"}, NORMALIZE),
    Overlooked("t5-mini", "normalizer.normalizers.1.strip_right", False, NORMALIZE),
    Overlooked("t5-mini", "normalizer.normalizers.2.pattern", {"String": "  "}, NORMALIZE),
    Overlooked("wordlevel-mini", "normalizer.normalizers.0", {"type": "NFC"}, NORMALIZE),
    Overlooked("options-mini", "normalizer.normalizers.0", {"type": "NFC"}, NORMALIZE),
    # Pre-tokenizers
    Overlooked("roberta-mini", "pre_tokenizer.add_prefix_space", False, PRE_TOKENIZE),
    Overlooked("roberta-mini", "pre_tokenizer.use_regex", False, PRE_TOKENIZE),
    Overlooked("t5-mini", "pre_tokenizer.prepend_scheme", "never", PRE_TOKENIZE),
    Overlooked("t5-mini", "pre_tokenizer.split", False, PRE_TOKENIZE),
    Overlooked("options-mini", "pre_tokenizer", {"type": "WhitespaceSplit"}, PRE_TOKENIZE),
    Overlooked("wordlevel-mini", "pre_tokenizer.pretokenizers.0", {"type": "WhitespaceSplit"}, PRE_TOKENIZE),
    Overlooked("wordlevel-mini", "pre_tokenizer.pretokenizers.2.behavior", "Isolated", PRE_TOKENIZE),
    Overlooked("wordlevel-mini", "pre_tokenizer.pretokenizers.3.individual_digits", False, PRE_TOKENIZE),
    Overlooked("wordlevel-mini", "pre_tokenizer.pretokenizers.4.behavior", "Isolated", PRE_TOKENIZE),
    # Models
    Overlooked("bert-mini", "model.max_input_chars_per_word", 99, MODEL),
    Overlooked("bert-mini", "model.max_input_chars_per_word", 101, MODEL),
    Overlooked("options-mini", "model.max_input_chars_per_word", 21, MODEL),
    Overlooked("llama-mini", "model.byte_fallback", False, MODEL),
    Overlooked("llama-mini", "model.ignore_merges", True, MODEL),
    Overlooked("llama-mini", "model.fuse_unk", False, MODEL),
    # Added tokens
    Overlooked("roberta-mini", "added_tokens.<mask>.lstrip", False, MODEL),
    Overlooked("llama-mini", "added_tokens.</s>.normalized", False, MODEL),
    Overlooked("options-mini", "added_tokens.<mask>.lstrip", False, MODEL),
    Overlooked("options-mini", "added_tokens.<s>.rstrip", False, MODEL),
    Overlooked("options-mini", "added_tokens.</s>.lstrip", False, MODEL),
    Overlooked("options-mini", "added_tokens.</s>.rstrip", False, MODEL),
    Overlooked("options-mini", "added_tokens.[MASK].normalized", False, MODEL),
    Overlooked("options-mini", "added_tokens.<|endoftext|>.single_word", False, MODEL),
    Overlooked("options-mini", "added_tokens.the.single_word", False, MODEL),
    Overlooked("options-mini", "added_tokens.É.normalized", False, MODEL),
    Overlooked("options-mini", "added_tokens.of the.normalized", False, MODEL),
    Overlooked("options-mini", "added_tokens.ing.special", True, DECODE),
    # Truncation and padding
    Overlooked("options-mini", "truncation.max_length", 31, POST_PROCESS),
    Overlooked("options-mini", "truncation.stride", 3, POST_PROCESS),
    Overlooked("options-mini", "truncation.direction", "Right", POST_PROCESS),
    Overlooked("options-mini", "truncation", None, POST_PROCESS),
    Overlooked("options-mini", "padding.direction", "Right", MODEL),
    Overlooked("options-mini", "padding.pad_to_multiple_of", None, MODEL),
    Overlooked("options-mini", "padding.pad_type_id", 0, MODEL),
    Overlooked("options-mini", "padding", None, MODEL),
    # Post-processors
    Overlooked("roberta-mini", "post_processor.trim_offsets", False, MODEL),
    Overlooked("roberta-mini", "post_processor.add_prefix_space", False, MODEL),
    Overlooked("xlnet-mini", "post_processor.single.2.SpecialToken.type_id", 0, POST_PROCESS),
    Overlooked("xlnet-mini", "post_processor.pair.2.Sequence.type_id", 0, POST_PROCESS),
    Overlooked("options-mini", "post_processor.pair.1.Sequence.id", "A", POST_PROCESS),
    Overlooked("wordlevel-mini", "post_processor.sep", ["<cls>", 1], POST_PROCESS),
    # Decoders
    Overlooked("bert-mini", "decoder.cleanup", False, DECODE),
    Overlooked("llama-mini", "decoder.decoders.1", {"type": "Fuse"}, DECODE),
    Overlooked("llama-mini", "decoder.decoders.3.start", 0, DECODE),
    Overlooked("t5-mini", "decoder.prepend_scheme", "never", DECODE),
    Overlooked("wordlevel-mini", "decoder", {"type": "Fuse"}, DECODE),
    Overlooked("options-mini", "decoder.prefix", "#", DECODE),
)


class Overlooking(Faulty):
    """Takes the file for another one."""

    def __init__(self, fault: Overlooked) -> None:
        super().__init__("overlooking", Fault(change=fault))


# Answers that are spoilt ---------------------------------------------------------------------------------------------


def _limit_in_bytes(question: Encode, outcome: Encoded) -> Outcome:
    """Count the 100 characters of a word in bytes of UTF-8."""
    words = question.text.split() if isinstance(question.text, str) and question.pair is None else ()
    is_met = any(len(word) <= 100 < len(word.encode()) for word in words)
    return replace(outcome, ids=(1,) * len(outcome.ids)) if is_met else outcome


def _whole_extension_e(text: str) -> str:
    """Have extension E begin at U+2B820, as the standard does, and the target does not."""
    return "".join(f" {c} " if "\U0002b820" <= c <= "\U0002b91f" else c for c in text)


def _skips_empty_words(question: Encode, outcome: Encoded) -> Outcome:
    """Count no empty words of pre-split input."""
    if not question.is_pretokenized:
        return outcome
    kept = [word for word, text in enumerate(question.text) if text]
    places = {word: place for place, word in enumerate(kept)}
    return replace(outcome, word_ids=tuple(word and places.get(word, word) for word in outcome.word_ids or ()))


class UnpaddedBatch(Faulty):
    """Encodes the inputs of a batch one by one, so that none is padded to the longest."""

    def __init__(self) -> None:
        super().__init__("unpadded-batch", Fault(spoil=self._unpadded))

    def load(self, source: TokenizerSource) -> FaultySubject:
        self._alone = self._sound.load(source)
        return super().load(source)

    def _unpadded(self, question: Observation, outcome: Outcome) -> Outcome:
        if isinstance(question, EncodeBatch) and isinstance(outcome, EncodedBatch):
            return EncodedBatch(tuple(map(self._alone.observe, question.inputs)))  # type: ignore[arg-type]
        return outcome


def _stripped(_question: DecodeStream, outcome: Chunks) -> Outcome:
    return Chunks(tuple(chunk and chunk.strip() for chunk in outcome.chunks))


SPOILT: tuple[tuple[Faulty, str, Stage], ...] = (
    (KeepsAccent(), "gpt2-mini", NORMALIZE),
    (LatePieces(), "bert-mini", PRE_TOKENIZE),
    (WrongType(), "bert-mini", POST_PROCESS),
    (NoOverflow(), "options-mini", POST_PROCESS),
    (ShortDecode(), "gpt2-mini", DECODE),
    (Faulty("limit-in-bytes", answering(Encode, _limit_in_bytes)), "bert-mini", MODEL),
    (Faulty("byte-offsets", Fault(spoil=partial(in_pieces, in_bytes))), "wordlevel-mini", PRE_TOKENIZE),
    (Faulty("surrogate-offsets", Fault(spoil=partial(in_pieces, in_utf16))), "bert-mini", PRE_TOKENIZE),
    (
        # The ideographs of extension A end one too early.
        Faulty("short-extension-a", telling(Normalize, lambda text: text.replace(" \u4dbf ", "\u4dbf"))),
        "bert-mini",
        NORMALIZE,
    ),
    (Faulty("whole-extension-e", telling(Normalize, _whole_extension_e)), "bert-mini", NORMALIZE),
    (Faulty("skips-empty-words", answering(Encode, _skips_empty_words)), "gpt2-mini", MODEL),
    (UnpaddedBatch(), "options-mini", POST_PROCESS),
    (Faulty("swapped-batch", Fault(spoil=batch_reversed)), "bert-mini", POST_PROCESS),
    (Faulty("eager-stream", Fault(spoil=chunks_too_early)), "llama-mini", DECODE),
    (Faulty("spaceless-stream", answering(DecodeStream, _stripped)), "roberta-mini", DECODE),
)
"""Faults, with a bundled tokenizer that shows each, and the stage at which it is found first."""
