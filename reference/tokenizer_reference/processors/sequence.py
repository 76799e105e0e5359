"""Sequence: several post-processors in order, as one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, Self

from tokenizer_reference.arguments import index_of, instance, list_of
from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.processors.base import POST_PROCESSOR, PostProcessor
from tokenizer_reference.stage import Form

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.values.encoding import Encoding


@POST_PROCESSOR.component(Form(("type", "processors")))
class Sequence(PostProcessor):
    """Applies post-processors in order, each to the parts that the one before it made. Sequences among them dissolve.

    What is handed on is not the merged result but its parts, so that a template must come first: one that gets the
    three parts of another fails.
    """

    def __init__(self, processors_py: list[PostProcessor]) -> None:
        self._processors: list[PostProcessor] = []
        for processor in list_of("processors_py", processors_py, PostProcessor):
            self._processors += processor._processors if isinstance(processor, Sequence) else [processor]

    def __getitem__(self, index: int) -> PostProcessor:
        return self._processors[index_of(len(self._processors), index)]

    def __setitem__(self, index: int, processor: PostProcessor) -> None:
        if isinstance(processor, Sequence):
            raise TokenizerReferenceError("processor should not be a sequence")
        at = index_of(len(self._processors), index)
        self._processors[at] = instance("value", processor, PostProcessor)

    def __delitem__(self, index: int) -> NoReturn:
        raise NotImplementedError("items of a Sequence can be replaced but not deleted: make a new Sequence")

    def __getnewargs__(self) -> tuple[list[PostProcessor]]:
        """Return the arguments of a constructor that makes an empty sequence, to be filled by :meth:`__setstate__`."""
        return ([],)

    def _number_added(self, is_pair: bool) -> int:
        return sum(processor._number_added(is_pair) for processor in self._processors)

    def _process_encodings(self, encodings: list[Encoding], add_special_tokens: bool) -> list[Encoding]:
        for processor in self._processors:
            encodings = processor._process_encodings(encodings, add_special_tokens)
        return encodings

    def _to_json(self) -> dict[str, Any]:
        return {"type": "Sequence", "processors": [processor._to_json() for processor in self._processors]}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        """Read the sequence; sequences inside it stay as they are."""
        sequence = cls([])
        sequence._processors = [POST_PROCESSOR.read(item) for item in value["processors"].items()]
        return sequence
