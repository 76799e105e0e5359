"""The asynchronous methods of a tokenizer: the others, run in a thread so that an event loop can go on meanwhile.

Arguments are checked at the call, and there has to be a running event loop; what the tokenizer raises comes when the
result is awaited. Observed, tokenizers 0.23.3.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from tokenizer_reference.arguments import boolean, ids, items, string
from tokenizer_reference.pipeline.input_sequences import checked_sequence

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from tokenizer_reference.pipeline.input_sequences import CheckedInput, CheckedSequence, EncodeInput, InputSequence
    from tokenizer_reference.values.encoding import Encoding
    from tokenizer_reference.values.pre_tokenized_string import Detail

T = TypeVar("T")


class AsynchronousMethods(ABC):
    """What `Tokenizer` offers to be awaited."""

    @abstractmethod
    def _encode_input(self, checked: CheckedInput, add_special_tokens: bool, detail: Detail) -> Encoding:
        """Return the encoding of one input."""

    @abstractmethod
    def _encode_inputs(self, batch: list[CheckedInput], add_special_tokens: bool, detail: Detail) -> list[Encoding]:
        """Return the encodings of several inputs, padded alike."""

    @abstractmethod
    def _decode(self, ids: Sequence[int], skip_special_tokens: bool) -> str:
        """Return the text of ``ids``, which have been checked."""

    def async_encode(
        self,
        sequence: InputSequence,
        pair: InputSequence | None = None,
        is_pretokenized: bool = False,
        add_special_tokens: bool = True,
    ) -> Awaitable[Encoding]:
        """Do as :meth:`Tokenizer.encode`, but with offsets that count **UTF-8 bytes** (observed)."""
        boolean("is_pretokenized", is_pretokenized)
        boolean("add_special_tokens", add_special_tokens)
        first = _sequence("sequence", sequence, is_pretokenized)
        second = None if pair is None else _sequence("pair", pair, is_pretokenized)
        return _in_thread(partial(self._encode_input, (first, second), add_special_tokens, "byte"))

    def async_encode_batch(
        self, input: Sequence[EncodeInput], is_pretokenized: bool = False, add_special_tokens: bool = True
    ) -> Awaitable[list[Encoding]]:
        """Do as :meth:`Tokenizer.encode_batch`; offsets count code points.

        A list or tuple of two is a pair and nothing else: with ``is_pretokenized``, a text of two words has to be an
        array of numpy (observed).
        """
        return self._encode_in_thread(input, is_pretokenized, add_special_tokens, "char")

    def async_encode_batch_fast(
        self, input: Sequence[EncodeInput], is_pretokenized: bool = False, add_special_tokens: bool = True
    ) -> Awaitable[list[Encoding]]:
        """Do as :meth:`Tokenizer.encode_batch_fast`."""
        return self._encode_in_thread(input, is_pretokenized, add_special_tokens, "none")

    def _encode_in_thread(
        self, batch: Any, is_pretokenized: bool, add_special_tokens: bool, detail: Detail
    ) -> Awaitable[list[Encoding]]:
        boolean("is_pretokenized", is_pretokenized)
        boolean("add_special_tokens", add_special_tokens)
        checked = [_input(f"input[{at}]", item, is_pretokenized) for at, item in enumerate(items("input", batch))]
        return _in_thread(partial(self._encode_inputs, checked, add_special_tokens, detail))

    def async_decode_batch(
        self, sequences: Sequence[Sequence[int]], skip_special_tokens: bool = True
    ) -> Awaitable[list[str]]:
        """Do as :meth:`Tokenizer.decode_batch`."""
        checked = [ids(f"sequences[{at}]", each) for at, each in enumerate(items("sequences", sequences))]
        boolean("skip_special_tokens", skip_special_tokens)
        return _in_thread(lambda: [self._decode(each, skip_special_tokens) for each in checked])


def _input(name: str, value: Any, is_pretokenized: bool) -> CheckedInput:
    if isinstance(value, list | tuple) and len(value) == 2:
        first, second = (_sequence(f"{name}[{at}]", each, is_pretokenized) for at, each in enumerate(value))
        return first, second
    return _sequence(name, value, is_pretokenized), None


def _sequence(name: str, value: Any, is_pretokenized: bool) -> CheckedSequence:
    if not is_pretokenized:
        return string(name, value)
    if isinstance(value, list | tuple):
        return [string(f"{name}[{at}]", word) for at, word in enumerate(value)]
    return checked_sequence(name, value, is_pretokenized)


def _in_thread(call: Callable[[], T]) -> Awaitable[T]:
    import asyncio  # noqa: PLC0415 - who awaits nothing does not wait for it either

    return asyncio.get_running_loop().run_in_executor(None, call)
