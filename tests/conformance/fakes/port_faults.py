"""`tokenizers` with the faults that ports of it have: each is found by what a plain `tokconf run` asks.

Most are an option that a port overlooks, and stand here as what it takes the file for; the others spoil answers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from planted_faults import KeepsAccent, LatePieces, NoOverflow, Planted, ShortDecode, WrongType

from tokenizer_adapters.contract import (
    Chunks,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Normalize,
    Pieces,
    PreTokenize,
    Stage,
    Text,
    TokenizerSource,
)

if TYPE_CHECKING:
    from planted_faults import PlantedSubject

    from tokenizer_adapters.contract import Observation, Outcome

Path_ = tuple[str | int, ...]


@dataclass(frozen=True)
class Overlooked:
    """In the file of ``tokenizer`` the port takes ``value`` to stand at ``path``. Found at ``stage`` first."""

    tokenizer: str
    path: Path_
    value: Any
    stage: Stage

    @property
    def name(self) -> str:
        return f"{self.tokenizer}: {'.'.join(map(str, self.path))} = {json.dumps(self.value)[:40]}"


def added(content: str, flag: str) -> Path_:
    """Return the path of a flag of an added token; in place of its number in the list stands its content."""
    return ("added_tokens", content, flag)


NORMALIZE, PRE_TOKENIZE, MODEL, POST_PROCESS, DECODE = Stage

OVERLOOKED = (
    # Normalizers
    Overlooked("bert-mini", ("normalizer", "strip_accents"), False, NORMALIZE),
    Overlooked("bert-mini", ("normalizer", "handle_chinese_chars"), False, NORMALIZE),
    Overlooked("bert-mini", ("normalizer", "clean_text"), False, NORMALIZE),
    Overlooked("llama-mini", ("normalizer", "normalizers", 0, "prepend"), "", NORMALIZE),
    Overlooked("t5-mini", ("normalizer", "normalizers", 0), {"type": "NFKC"}, NORMALIZE),
    Overlooked("t5-mini", ("normalizer", "normalizers", 1, "strip_right"), False, NORMALIZE),
    Overlooked("t5-mini", ("normalizer", "normalizers", 2, "pattern"), {"String": "  "}, NORMALIZE),
    Overlooked("wordlevel-mini", ("normalizer", "normalizers", 0), {"type": "NFC"}, NORMALIZE),
    Overlooked("options-mini", ("normalizer", "normalizers", 0), {"type": "NFC"}, NORMALIZE),
    # Pre-tokenizers
    Overlooked("roberta-mini", ("pre_tokenizer", "add_prefix_space"), False, PRE_TOKENIZE),
    Overlooked("roberta-mini", ("pre_tokenizer", "use_regex"), False, PRE_TOKENIZE),
    Overlooked("t5-mini", ("pre_tokenizer", "prepend_scheme"), "never", PRE_TOKENIZE),
    Overlooked("t5-mini", ("pre_tokenizer", "split"), False, PRE_TOKENIZE),
    Overlooked("options-mini", ("pre_tokenizer",), {"type": "WhitespaceSplit"}, PRE_TOKENIZE),
    Overlooked("wordlevel-mini", ("pre_tokenizer", "pretokenizers", 0), {"type": "WhitespaceSplit"}, PRE_TOKENIZE),
    Overlooked("wordlevel-mini", ("pre_tokenizer", "pretokenizers", 2, "behavior"), "Isolated", PRE_TOKENIZE),
    Overlooked("wordlevel-mini", ("pre_tokenizer", "pretokenizers", 3, "individual_digits"), False, PRE_TOKENIZE),
    Overlooked("wordlevel-mini", ("pre_tokenizer", "pretokenizers", 4, "behavior"), "Isolated", PRE_TOKENIZE),
    # Models
    Overlooked("bert-mini", ("model", "max_input_chars_per_word"), 99, MODEL),
    Overlooked("bert-mini", ("model", "max_input_chars_per_word"), 101, MODEL),
    Overlooked("options-mini", ("model", "max_input_chars_per_word"), 21, MODEL),
    Overlooked("llama-mini", ("model", "byte_fallback"), False, MODEL),
    Overlooked("llama-mini", ("model", "ignore_merges"), True, MODEL),
    Overlooked("llama-mini", ("model", "fuse_unk"), False, MODEL),
    # Added tokens
    Overlooked("roberta-mini", added("<mask>", "lstrip"), False, MODEL),
    Overlooked("llama-mini", added("</s>", "normalized"), False, MODEL),
    Overlooked("options-mini", added("<mask>", "lstrip"), False, MODEL),
    Overlooked("options-mini", added("<s>", "rstrip"), False, MODEL),
    Overlooked("options-mini", added("</s>", "lstrip"), False, MODEL),
    Overlooked("options-mini", added("</s>", "rstrip"), False, MODEL),
    Overlooked("options-mini", added("[MASK]", "normalized"), False, MODEL),
    Overlooked("options-mini", added("<|endoftext|>", "single_word"), False, MODEL),
    Overlooked("options-mini", added("the", "single_word"), False, MODEL),
    Overlooked("options-mini", added("É", "normalized"), False, MODEL),
    Overlooked("options-mini", added("of the", "normalized"), False, MODEL),
    Overlooked("options-mini", added("ing", "special"), True, DECODE),
    # Truncation and padding
    Overlooked("options-mini", ("truncation", "max_length"), 31, POST_PROCESS),
    Overlooked("options-mini", ("truncation", "stride"), 3, POST_PROCESS),
    Overlooked("options-mini", ("truncation", "direction"), "Right", POST_PROCESS),
    Overlooked("options-mini", ("truncation",), None, POST_PROCESS),
    Overlooked("options-mini", ("padding", "direction"), "Right", MODEL),
    Overlooked("options-mini", ("padding", "pad_to_multiple_of"), None, MODEL),
    Overlooked("options-mini", ("padding", "pad_type_id"), 0, MODEL),
    Overlooked("options-mini", ("padding",), None, MODEL),
    # Post-processors
    Overlooked("roberta-mini", ("post_processor", "trim_offsets"), False, MODEL),
    Overlooked("roberta-mini", ("post_processor", "add_prefix_space"), False, MODEL),
    Overlooked("xlnet-mini", ("post_processor", "single", 2, "SpecialToken", "type_id"), 0, POST_PROCESS),
    Overlooked("xlnet-mini", ("post_processor", "pair", 2, "Sequence", "type_id"), 0, POST_PROCESS),
    Overlooked("options-mini", ("post_processor", "pair", 1, "Sequence", "id"), "A", POST_PROCESS),
    Overlooked("wordlevel-mini", ("post_processor", "sep"), ["<cls>", 1], POST_PROCESS),
    # Decoders
    Overlooked("bert-mini", ("decoder", "cleanup"), False, DECODE),
    Overlooked("llama-mini", ("decoder", "decoders", 1), {"type": "Fuse"}, DECODE),
    Overlooked("llama-mini", ("decoder", "decoders", 3, "start"), 0, DECODE),
    Overlooked("t5-mini", ("decoder", "prepend_scheme"), "never", DECODE),
    Overlooked("wordlevel-mini", ("decoder",), {"type": "Fuse"}, DECODE),
    Overlooked("options-mini", ("decoder", "prefix"), "#", DECODE),
)


class Overlooking(Planted):
    """Takes the file for another one."""

    name = "overlooking"

    def __init__(self, fault: Overlooked) -> None:
        super().__init__()
        self._overlooked = fault

    def load(self, source: TokenizerSource) -> PlantedSubject:
        document = json.loads(Path(source.file).read_text(encoding="utf-8"))
        at = document
        for key in self._overlooked.path[:-1]:
            at = next(token for token in at if token["content"] == key) if at is document["added_tokens"] else at[key]
        if at[self._overlooked.path[-1]] == self._overlooked.value:
            raise ValueError("this is no fault: the file says the same")
        at[self._overlooked.path[-1]] = self._overlooked.value
        with TemporaryDirectory() as folder:
            file = Path(folder) / "tokenizer.json"
            file.write_text(json.dumps(document), encoding="utf-8")
            return super().load(TokenizerSource(source.name, str(file)))


# Answers that are spoilt ---------------------------------------------------------------------------------------------


class LimitInBytes(Planted):
    """Counts the 100 characters of a word in bytes of UTF-8."""

    name = "limit-in-bytes"

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        if isinstance(question, Encode) and isinstance(question.text, str) and isinstance(outcome, Encoded):
            words = question.text.split()
            if any(len(word) <= 100 < len(word.encode()) for word in words) and question.pair is None:
                return replace(outcome, ids=(1,) * len(outcome.ids))
        return outcome


class ByteOffsets(Planted):
    """Counts offsets of pieces in bytes."""

    name = "byte-offsets"

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        if isinstance(question, PreTokenize) and isinstance(outcome, Pieces):
            return Pieces(
                tuple(
                    (piece, span and tuple(len(question.text[:at].encode()) for at in span))  # type: ignore[misc]
                    for piece, span in outcome.pieces
                )
            )
        return outcome


class SurrogateOffsets(Planted):
    """Counts what lies beyond U+FFFF twice in offsets of pieces."""

    name = "surrogate-offsets"

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        if isinstance(question, PreTokenize) and isinstance(outcome, Pieces):
            return Pieces(
                tuple(
                    (piece, span and tuple(at + sum(c > "\uffff" for c in question.text[:at]) for at in span))  # type: ignore[misc]
                    for piece, span in outcome.pieces
                )
            )
        return outcome


class ShortExtensionA(Planted):
    """Lets the ideographs of extension A end one too early."""

    name = "short-extension-a"

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        if isinstance(question, Normalize) and isinstance(outcome, Text):
            return Text(outcome.text.replace(" \u4dbf ", "\u4dbf"))
        return outcome


class WholeExtensionE(Planted):
    """Has extension E begin at U+2B820, as the standard does, and the target does not."""

    name = "whole-extension-e"

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        if isinstance(question, Normalize) and isinstance(outcome, Text):
            return Text("".join(f" {c} " if "\U0002b820" <= c <= "\U0002b91f" else c for c in outcome.text))
        return outcome


class SkipsEmptyWords(Planted):
    """Does not count empty words of pre-split input."""

    name = "skips-empty-words"

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        if isinstance(question, Encode) and question.is_pretokenized and isinstance(outcome, Encoded):
            kept = [word for word, text in enumerate(question.text) if text]
            places = {word: place for place, word in enumerate(kept)}
            return replace(outcome, word_ids=tuple(word and places.get(word, word) for word in outcome.word_ids or ()))
        return outcome


class UnpaddedBatch(Planted):
    """Encodes the inputs of a batch one by one, so that none is padded to the longest."""

    name = "unpadded-batch"

    def load(self, source: TokenizerSource) -> PlantedSubject:
        self._alone = self._sound.load(source)
        return super().load(source)

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        if isinstance(question, EncodeBatch) and isinstance(outcome, EncodedBatch):
            return EncodedBatch(tuple(map(self._alone.observe, question.inputs)))  # type: ignore[arg-type]
        return outcome


class SwappedBatch(Planted):
    """Gives the encodings of a batch in the order in which they were done."""

    name = "swapped-batch"

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        del question
        return EncodedBatch(outcome.encodings[::-1]) if isinstance(outcome, EncodedBatch) else outcome


class EagerStream(Planted):
    """Gives out half a character as U+FFFD."""

    name = "eager-stream"

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        if isinstance(question, DecodeStream) and isinstance(outcome, Chunks):
            return Chunks(tuple("\ufffd" if chunk is None else chunk for chunk in outcome.chunks))
        return outcome


class SpacelessStream(Planted):
    """Strips each piece of a stream."""

    name = "spaceless-stream"

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        if isinstance(question, DecodeStream) and isinstance(outcome, Chunks):
            return Chunks(tuple(chunk and chunk.strip() for chunk in outcome.chunks))
        return outcome


SPOILT: tuple[tuple[type[Planted], str, Stage], ...] = (
    (KeepsAccent, "gpt2-mini", NORMALIZE),
    (LatePieces, "bert-mini", PRE_TOKENIZE),
    (WrongType, "bert-mini", POST_PROCESS),
    (NoOverflow, "options-mini", POST_PROCESS),
    (ShortDecode, "gpt2-mini", DECODE),
    (LimitInBytes, "bert-mini", MODEL),
    (ByteOffsets, "wordlevel-mini", PRE_TOKENIZE),
    (SurrogateOffsets, "bert-mini", PRE_TOKENIZE),
    (ShortExtensionA, "bert-mini", NORMALIZE),
    (WholeExtensionE, "bert-mini", NORMALIZE),
    (SkipsEmptyWords, "gpt2-mini", MODEL),
    (UnpaddedBatch, "options-mini", POST_PROCESS),
    (SwappedBatch, "bert-mini", POST_PROCESS),
    (EagerStream, "llama-mini", DECODE),
    (SpacelessStream, "roberta-mini", DECODE),
)
"""Faults, with a bundled tokenizer that shows each, and the stage at which it is found first."""
