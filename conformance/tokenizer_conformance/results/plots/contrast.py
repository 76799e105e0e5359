"""How well one colour is seen on another, as the Web Content Accessibility Guidelines define it (2.2, 1.4.3)."""

from __future__ import annotations

BLACK = "#000000"
WHITE = "#ffffff"


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours written as ``#rrggbb``: from 1 (the same) to 21 (black and white).

    >>> round(contrast("#000000", "#ffffff"), 2)
    21.0
    """
    dark, light = sorted((_luminance(first), _luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def text_on(ground: str) -> str:
    """Return black or white, whichever is read better on ``ground``; its contrast is 4.58 at least.

    >>> text_on("#440154"), text_on("#fde725")
    ('#ffffff', '#000000')
    """
    return max((BLACK, WHITE), key=lambda colour: contrast(colour, ground))


def _luminance(colour: str) -> float:
    """Return the relative luminance: from 0 (black) to 1 (white)."""
    red, green, blue = (_linear(int(colour[start : start + 2], 16) / 255) for start in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
