"""How ``tokenizers`` reads the numbers of a JSON document that are not whole.

It does not round correctly: the digits become a whole number, that a float, and the float is multiplied or divided by
a power of ten, so two or three roundings add up. About a quarter of the scores of published Unigram vocabularies (17
digits) come out one unit in the last place off, and are written so. Observed, tokenizers 0.23.3; it is what its JSON
library does unless told otherwise.
"""

from __future__ import annotations

import math

_U64 = 2**64
_ALWAYS_FITS = 19
"""So many decimal digits are always less than ``_U64``."""

_LARGEST_POWER = 308
_POWERS_OF_TEN = tuple(float(f"1e{exponent}") for exponent in range(_LARGEST_POWER + 1))


def read_float(text: str) -> float:
    """Return the number that ``text``, a JSON number with a fraction or an exponent, stands for in the target.

    >>> read_float("-3.9756550788879395"), float("-3.9756550788879395")
    (-3.975655078887939, -3.9756550788879395)

    Raises :class:`ValueError` where it is too large for a float.
    """
    mantissa, _, exponent = text.lower().partition("e")
    whole, _, fraction = mantissa.removeprefix("-").partition(".")
    if len(whole) + len(fraction) <= _ALWAYS_FITS:
        value = _scaled(float(int(whole + fraction)), int(exponent or 0) - len(fraction))
    else:
        significand, read = _leading_digits(0, whole)
        power = len(whole) - read
        significand, read = _leading_digits(significand, fraction)
        value = _scaled(float(significand), int(exponent or 0) + power - read)
    if math.isinf(value):
        raise ValueError(f"the number {text} is out of range")
    return -value if mantissa.startswith("-") else value


def _leading_digits(significand: int, digits: str) -> tuple[int, int]:
    """Return ``significand`` with ``digits`` appended, as many as 64 bits hold, and how many that are."""
    for read, digit in enumerate(digits):
        longer = significand * 10 + int(digit)
        if longer >= _U64:
            return significand, read
        significand = longer
    return significand, len(digits)


def _scaled(value: float, power: int) -> float:
    """Return ``value`` times ten to the ``power``, rounded at every step."""
    while power < -_LARGEST_POWER and value:
        value /= _POWERS_OF_TEN[-1]
        power += _LARGEST_POWER
    if not value:
        return value
    if power > _LARGEST_POWER:
        return math.inf
    return value * _POWERS_OF_TEN[power] if power >= 0 else value / _POWERS_OF_TEN[-power]
