"""What `Tokenizer.encode` and its batches take: texts, texts already cut into words, and pairs of either.

The names of the types are those of ``tokenizers``. Rules observed, tokenizers 0.23.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from tokenizer_reference.arguments import is_text, items, shown_type
from tokenizer_reference.errors import with_note

Offsets = tuple[int, int]
"""Start and end, end exclusive."""

TextInputSequence = str
"""A text."""

PreTokenizedInputSequence = list[str] | tuple[str, ...]
"""A text as its words; arrays of numpy with one dimension are taken, too."""

InputSequence = TextInputSequence | PreTokenizedInputSequence
"""What `encode` takes: words if it is told ``is_pretokenized``, else a text."""

TextEncodeInput = TextInputSequence | tuple[TextInputSequence, TextInputSequence] | list[TextInputSequence]
"""An item of a batch: a text, or two of them."""

PreTokenizedEncodeInput = (
    PreTokenizedInputSequence
    | tuple[PreTokenizedInputSequence, PreTokenizedInputSequence]
    | list[PreTokenizedInputSequence]
)
"""An item of a batch of texts that are cut into words: the words of one text, or of two."""

EncodeInput = TextEncodeInput | PreTokenizedEncodeInput
"""An item of a batch."""

# The target's words, which users look for.
_TEXT = "TextInputSequence must be str"
_WORDS = "PreTokenizedInputSequence must be Union[List[str], Tuple[str]]"
_TEXT_OR_PAIR = "TextEncodeInput must be Union[TextInputSequence, Tuple[InputSequence, InputSequence]]"
_WORDS_OR_PAIR = (
    "PreTokenizedEncodeInput must be Union[PreTokenizedInputSequence, Tuple[PreTokenizedInputSequence, "
    "PreTokenizedInputSequence]]"
)

CheckedSequence = str | Sequence[str]
"""A text, or words, that have been checked."""

CheckedInput = tuple[CheckedSequence, CheckedSequence | None]
"""An item of a batch as it has been checked: a sequence, and its pair if it has one."""


def checked_sequence(name: str, value: Any, is_pretokenized: bool) -> CheckedSequence:
    """Return a text, or with ``is_pretokenized`` its words. Raises :class:`TypeError`."""
    if is_pretokenized:
        words = _words(value)
        return _refused(name, _WORDS, value) if words is None else words
    return str(value) if is_text(value) else _refused(name, _TEXT, value)


def checked_batch(value: Any, is_pretokenized: bool) -> list[CheckedInput]:
    """Return the inputs of a batch, any sequence but a str. Raises :class:`TypeError`."""
    return [_checked_item(f"input[{at}]", item, is_pretokenized) for at, item in enumerate(items("input", value))]


def _checked_item(name: str, value: Any, is_pretokenized: bool) -> CheckedInput:
    if is_pretokenized:
        if (words := _words(value)) is not None:
            return words, None
    elif is_text(value):
        return value, None
    if not _is_pair(value):
        _refused(name, _WORDS_OR_PAIR if is_pretokenized else _TEXT_OR_PAIR, value)
    first, second = (checked_sequence(f"{name}[{at}]", value[at], is_pretokenized) for at in (0, 1))
    return first, second


def _refused(name: str, rule: str, value: Any) -> NoReturn:
    is_no_text = isinstance(value, str) and not is_text(value)
    given = "a str with a lone surrogate, which is no text" if is_no_text else shown_type(value)
    raise with_note(TypeError(rule), f"{name}: got {given}")


def _is_pair(value: Any) -> bool:
    """Return whether ``value`` has two items by number, of whatever type."""
    kind = type(value)
    is_sequence = hasattr(kind, "__getitem__") and hasattr(kind, "__len__") and not isinstance(value, dict)
    return is_sequence and not _is_scalar_array(value) and len(value) == 2


def _words(value: Any) -> Sequence[str] | None:
    """Return the words of a list, a tuple or an array of numpy, or ``None`` for anything else."""
    if isinstance(value, list | tuple):
        return value if all(map(is_text, value)) else None
    return _words_of_array(value) if _is_array(value) else None


# Arrays of numpy -----------------------------------------------------------------------------------------------------


def _is_array(value: Any) -> bool:
    """Return whether ``value`` is an array of numpy, without importing it."""
    return type(value).__module__ == "numpy" and type(value).__name__ == "ndarray"


def _is_scalar_array(value: Any) -> bool:
    return _is_array(value) and value.ndim == 0


def _words_of_array(array: Any) -> list[str] | None:
    """Return the words of an array, or ``None`` for one that does not hold any.

    Of Python objects, lone surrogates are replaced, by one U+FFFD for each of the three bytes that they would have in
    UTF-8. Of numpy's own strings the memory, four bytes a character, is read as UTF-8 (observed): hardly any of them
    stays what it is.
    """
    if array.ndim != 1:
        return None
    match array.dtype.kind:
        case "O":
            words = array.tolist()
            if not all(isinstance(word, str) for word in words):
                return None
            return [word.encode(errors="surrogatepass").decode(errors="replace") for word in words]
        case "U" if array.flags.contiguous:
            data, size = array.tobytes(), array.itemsize
            try:
                return [data[at * size : (at + 1) * size].decode() for at in range(len(array))]
            except UnicodeDecodeError:
                return None
        case _:
            return None
