"""What every post-processor has in common, their stage, and what happens to inputs where there is none."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final

from tokenizer_reference.arguments import boolean, instance
from tokenizer_reference.component import Component
from tokenizer_reference.stage import Stage
from tokenizer_reference.values.encoding import Encoding

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue


POST_PROCESSOR: Final[Stage[PostProcessor]] = Stage(
    "post-processor",
    "RobertaProcessing",
    "BertProcessing",
    "ByteLevel",
    "TemplateProcessing",
    "Sequence",
    reads_type=False,
)
"""The stage, its classes in the order in which the target tries them: the first whose fields fit is taken.

The ``type`` says only whether ByteLevel and Sequence are among them: a post-processor with ``"type": "BertProcessing"``
and the fields of RoBERTa is RobertaProcessing (observed, tokenizers 0.23.3).
"""


class PostProcessor(Component, ABC):
    """Adds special tokens around the sequences, and may trim offsets."""

    def num_special_tokens_to_add(self, is_pair: bool) -> int:
        """Return how many tokens :meth:`process` adds to a single sequence, or to a pair."""
        return self._number_added(boolean("is_pair", is_pair))

    @abstractmethod
    def _number_added(self, is_pair: bool) -> int:
        """Return how many tokens are added to a single sequence, or to a pair."""

    @abstractmethod
    def _process_encodings(self, encodings: list[Encoding], add_special_tokens: bool) -> list[Encoding]:
        """Return the parts that, merged, are the result. The encodings may be changed.

        There are one or two encodings for the first post-processor; one that follows another gets that one's parts.
        """

    def process(self, encoding: Encoding, pair: Encoding | None = None, add_special_tokens: bool = True) -> Encoding:
        """Return one encoding of the sequence, or of the pair, with special tokens where asked for.

        The arguments stay as they are. Before anything else, sequence and type ids become 0 and 1 whatever they were
        (overflow keeps its type ids).
        """
        instance("encoding", encoding, Encoding)
        given = [encoding] if pair is None else [encoding, instance("pair", pair, Encoding)]
        boolean("add_special_tokens", add_special_tokens)
        if pair is None and not encoding._overflowing and not encoding._sequence_ranges:
            return self._process_alone(encoding, add_special_tokens)
        return self._process_plainly(given, add_special_tokens)

    def _process_plainly(self, given: list[Encoding], add_special_tokens: bool) -> Encoding:
        """Do as the definition says."""
        encodings = [each._copy() for each in given]
        for index, each in enumerate(encodings):
            each._mark_sequence(index)
        return Encoding.merge(self._process_encodings(encodings, add_special_tokens), growing_offsets=False)

    def _process_alone(self, encoding: Encoding, add_special_tokens: bool) -> Encoding:
        """Do the same for one sequence that has neither overflow nor ranges, as nearly all have it."""
        alone = encoding._copy()
        alone._mark_sequence(0)
        parts = self._process_encodings([alone], add_special_tokens)
        return parts[0] if len(parts) == 1 else Encoding.merge(parts, growing_offsets=False)

    @staticmethod
    def _read_any(value: JsonValue) -> PostProcessor:
        return POST_PROCESSOR.read(value)


def merge_unprocessed(encoding: Encoding, pair: Encoding | None) -> Encoding:
    """Return what a tokenizer without post-processor makes of a sequence, or of a pair.

    A single sequence stays as it is, without ranges. A pair is merged and gets ranges 0 and 1, in overflow only where a
    whole sequence went into it. The arguments stay as they are.
    """
    if pair is None:
        return encoding._copy()
    encodings = [encoding._copy(), pair._copy()]
    for index, each in enumerate(encodings):
        each.set_sequence_id(index)
    return Encoding.merge(encodings, growing_offsets=False)
