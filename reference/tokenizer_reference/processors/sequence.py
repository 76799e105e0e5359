"""Sequence: several post-processors in order, as one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, Self

from tokenizer_reference.arguments import index_of, instance, list_of, unsigned_64
from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.processors.base import POST_PROCESSOR, PostProcessor
from tokenizer_reference.stage import Form

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.values.encoding import Encoding


@POST_PROCESSOR.component(Form(("type", "processors")))
class Sequence(PostProcessor):
    """Applies post-processors in order, each to the parts that the one before it made. Sequences among them dissolve.

    A member is shared: who changes its options changes the sequence. To put a component in the place of a member turns
    that member, wherever else it is held, into a copy of the component (observed, tokenizers 0.23.3).

    What is handed on is not the merged result but its parts, so that a template must come first: one that gets the
    three parts of another fails.
    """

    # Whether it is part of another sequence of a file: such a one is a member as any other, and stays as it is.
    _is_inner = False

    def __init__(self, processors_py: list[PostProcessor]) -> None:
        self._processors: list[PostProcessor] = []
        for processor in list_of("processors_py", processors_py, PostProcessor):
            self._processors += processor._dissolved() if isinstance(processor, Sequence) else [processor]

    def _dissolved(self) -> list[PostProcessor]:
        """Return what a sequence that is made of this one has in its place."""
        return [self] if self._is_inner else self._processors

    def __getitem__(self, index: int) -> PostProcessor:
        return self._processors[index_of(len(self._processors), index)]

    def __setitem__(self, index: int, processor: PostProcessor) -> None:
        at = unsigned_64("index", index)
        instance("processor", processor, PostProcessor)
        if isinstance(processor, Sequence) and not processor._is_inner:
            raise TokenizerReferenceError("processor should not be a sequence")
        self._processors[index_of(len(self._processors), at)]._become(processor)

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
        for member in sequence._processors:
            if isinstance(member, Sequence):
                member._is_inner = True
        return sequence
