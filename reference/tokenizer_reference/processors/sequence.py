"""Sequence: post-processors one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.processors.base import PostProcessor

if TYPE_CHECKING:
    from tokenizer_reference.encoding import Encoding
    from tokenizer_reference.formats.json_value import JsonValue


class Sequence(PostProcessor):
    """Applies post-processors in order, each to the parts that the one before it made. Sequences among them dissolve.

    What is handed on is not the merged result but its parts, so that a template must come first: one that gets the three
    parts of another fails.
    """

    def __init__(self, processors: list[PostProcessor]) -> None:
        if not isinstance(processors, list):
            raise TypeError(f"'{type(processors).__name__}' object is not an instance of 'list'")
        self._processors: list[PostProcessor] = []
        for processor in map(_checked, processors):
            self._processors += processor._processors if isinstance(processor, Sequence) else [processor]

    def __getitem__(self, index: int) -> PostProcessor:
        return self._processors[self._checked_index(index)]

    def __setitem__(self, index: int, processor: PostProcessor) -> None:
        if isinstance(processor, Sequence):
            raise TokenizerReferenceError("processor should not be a sequence")
        self._processors[self._checked_index(index)] = _checked(processor)

    def _checked_index(self, index: int) -> int:
        if index < 0:
            raise OverflowError("can't convert negative int to unsigned")
        if index >= len(self._processors):
            raise IndexError("Index not found")
        return index

    def num_special_tokens_to_add(self, is_pair: bool) -> int:
        """Return the sum over all post-processors."""
        return sum(processor.num_special_tokens_to_add(is_pair) for processor in self._processors)

    def _process_encodings(self, encodings: list[Encoding], add_special_tokens: bool) -> list[Encoding]:
        for processor in self._processors:
            encodings = processor._process_encodings(encodings, add_special_tokens)
        return encodings

    def _to_json(self) -> dict[str, Any]:
        return {"type": "Sequence", "processors": [processor._to_json() for processor in self._processors]}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        """Read the sequence; sequences inside it stay as they are."""
        from tokenizer_reference.formats.components import load_processor  # noqa: PLC0415 - it imports this package

        sequence = cls([])
        sequence._processors = [load_processor(item) for item in value["processors"].items()]
        return sequence


def _checked(processor: PostProcessor) -> PostProcessor:
    if not isinstance(processor, PostProcessor):
        raise TypeError(f"'{type(processor).__name__}' object is not an instance of 'PostProcessor'")
    return processor
