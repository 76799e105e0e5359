"""Tokenizers in whose tokens the pieces of the text are seen, so that ids alone tell how a text was cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from requirements.recipe import case, text, tokenizer, word_piece

if TYPE_CHECKING:
    from collections.abc import Sequence

    from requirements.recipe import CaseRecipe, Document

LONGEST_PIECE = 1000


def showing(alphabet: str, **parts: Any) -> Document:
    """Return a tokenizer of single characters with these other ``parts``.

    The first character of a piece is a token as it stands, every other one comes after ``##``. A piece with a character
    outside of ``alphabet`` is unknown.
    """
    listed = tuple(dict.fromkeys(alphabet))
    tokens = [*listed, *(f"##{character}" for character in listed)]
    return tokenizer(word_piece(tokens, max_input_chars_per_word=LONGEST_PIECE), **parts)


Texts = str | tuple[str, ...]
"""A text, or several that belong to one case."""


def cut(
    pre_tokenizer: Document | Sequence[Document] | None, *texts: Texts, also: str = "", **parts: Any
) -> list[CaseRecipe]:
    """Return a case for each of ``texts``, all with one tokenizer that knows their characters and those of ``also``."""
    grouped = [(each,) if isinstance(each, str) else each for each in texts]
    alphabet = "".join(sorted({*"".join("".join(group) for group in grouped), *also}))
    shown = showing(alphabet, pre_tokenizer=pre_tokenizer, **parts)
    return [case(shown, text(*group)) for group in grouped]


def twice(characters: str) -> str:
    """Return each of ``characters`` two times: where single characters are cut off, it is seen which.

    >>> twice("ab")
    'aabb'
    """
    return "".join(character * 2 for character in characters)
