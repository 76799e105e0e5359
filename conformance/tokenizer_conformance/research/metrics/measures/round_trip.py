"""Whether a text comes back from its tokens, and if not, after which normalization of both it would be the same."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

NORMALIZATIONS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("nothing", lambda text: text),
    ("NFC", lambda text: unicodedata.normalize("NFC", text)),
    ("NFKC", lambda text: unicodedata.normalize("NFKC", text)),
    ("NFKC and white space", lambda text: "".join(unicodedata.normalize("NFKC", text).split())),
    ("NFKC, white space and case", lambda text: "".join(unicodedata.normalize("NFKC", text).casefold().split())),
)
"""What is done to both texts, each more than the one before; the first that makes them equal is the one that counts.

White space is left out altogether, since decoders put spaces around punctuation."""


def level(text: str, decoded: str) -> int | None:
    """Return the index of the first of :data:`NORMALIZATIONS` that makes ``decoded`` equal ``text``, if one does.

    >>> level("Ab", "Ab"), level("Don't go", "don ' t go"), level("naïve", "naive")
    (0, 4, None)
    """
    return next((index for index, (_, of) in enumerate(NORMALIZATIONS) if of(text) == of(decoded)), None)
