"""Cases of normalizers: tokenizers whose vocabulary has all that the texts of a case hold and become.

So a character that a normalizer keeps, changes, adds or leaves out is seen in ids and tokens too, not in the
normalized text alone. The reference is asked what texts become, for the vocabulary only; the expected answers come
later, from both sides.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from requirements.recipe import CaseRecipe, case, characters, encode, normalize, tokenizer, word_level
from tokenizer_reference import Tokenizer
from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.text.code_point_sets import contains

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from requirements.recipe import Document, Questions
    from tokenizer_reference.text.code_point_sets import Ranges

Texts = str | tuple[str, ...]
"""A text, or several that make one case."""

WIDTHS = ("\x7f", "\x80", "\u07ff", "\u0800", "\uffff", "\U00010000")
"""The last and the first character of every width in UTF-8: 1 and 2, 2 and 3, 3 and 4 bytes."""

_SURROGATES = ((0xD800, 0xDFFF),)
_LAST = 0x10FFFF


# Questions -----------------------------------------------------------------------------------------------------------


def asked(*texts: str) -> Questions:
    """Ask what each of ``texts`` becomes, and for its encoding without special tokens."""
    return tuple(question for text in texts for question in (*normalize(text), *encode(text, special=False)))


def normalizing(normalizer: Document | Sequence[Document], *texts: Texts, **parts: Any) -> list[CaseRecipe]:
    """Return a case for each of ``texts``; one tokenizer, with further ``parts``, gives every character as a token."""
    document = lettered(normalizer, *texts, **parts)
    return [case(document, asked(*([each] if isinstance(each, str) else each))) for each in texts]


def lettered(normalizer: Document | Sequence[Document], *texts: Texts, **parts: Any) -> Document:
    """Return a tokenizer that gives every character of normalized ``texts`` as a token."""
    flat = [text for each in texts for text in ([each] if isinstance(each, str) else each)]
    alphabet = {*"".join(flat), *"".join(_normalized(normalizer, text) for text in flat)}
    return tokenizer(characters("".join(sorted(alphabet))), normalizer=normalizer, **parts)


def whole(normalizer: Document, *texts: str, **parts: Any) -> list[CaseRecipe]:
    """Return a case for each of ``texts``, whose vocabulary has one word: what the whole text becomes."""
    return [
        case(tokenizer(word_level([_normalized(normalizer, text)]), normalizer=normalizer, **parts), asked(text))
        for text in texts
    ]


def _normalized(normalizer: Document | Sequence[Document], text: str) -> str:
    """Return what ``text`` becomes; nothing where the target panics."""
    document = tokenizer(characters("a"), normalizer=normalizer)
    try:
        return Tokenizer.from_str(json.dumps(document)).normalizer.normalize_str(text)
    except TokenizerReferenceError:
        return ""


# Characters ----------------------------------------------------------------------------------------------------------


def edges(first: int, last: int) -> list[str]:
    """Return the ends of a range of code points, between the neighbours outside of it.

    >>> edges(0x61, 0x63)
    ['`', 'a', 'c', 'd']
    """
    return [chr(code_point) for code_point in sorted({first - 1, first, last, last + 1}) if _is_scalar(code_point)]


def edges_of(ranges: Ranges) -> list[str]:
    """Return the ends and the outside neighbours of all ``ranges``, each once, in order."""
    return sorted({char for each in ranges for char in edges(*each)})


def _is_scalar(code_point: int) -> bool:
    return 0 <= code_point <= _LAST and not contains(_SURROGATES, code_point)


def chunks(chars: Iterable[str], size: int, between: str) -> Iterator[str]:
    """Give texts of up to ``size`` of ``chars``, which stand between ``between``.

    >>> list(chunks("abc", 2, "|"))
    ['|a|b|', '|c|']
    """
    listed = list(chars)
    for at in range(0, len(listed), size):
        yield between + "".join(char + between for char in listed[at : at + size])
