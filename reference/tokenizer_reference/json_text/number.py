"""Numbers of JSON as the target reads them: quickly, not exactly.

The target's JSON reader gathers up to 64 bits of decimal digits in an integer, and multiplies or divides that once by a
power of ten. With more than 15 digits the result can be one unit in the last place beside the nearest float:
``-3.9131507873535156`` is read as -3.913150787353515. A quarter of the scores of the real Unigram checkpoints are such,
so a tokenizer with the nearest floats would score segmentations differently, and write another file. Observed,
tokenizers 0.23.3.
"""

from __future__ import annotations

import re

_U64_MAX = 2**64 - 1
_I64_MIN = -(2**63)
_LARGEST_POWER = 308
_NUMBER = re.compile(r"(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?")
_POWERS_OF_TEN = tuple(float(f"1e{exponent}") for exponent in range(_LARGEST_POWER + 1))
_ALWAYS_FITS = 19
"""So many decimal digits are always less than 64 bits hold."""

_LONGEST_INTEGER = 310
"""An integer of more characters is out of range, whatever its digits."""

_EXPONENT_DIGITS = 18
"""An exponent of more digits is as good as one of so many."""


def read_integer(text: str) -> float:
    """Return the number that the target reads from ``text``, a JSON number without fraction and exponent.

    It is an ``int`` if it fits 64 bits, else a ``float``; ``-0`` is one, too.

    >>> read_integer("18446744073709551615"), read_integer("18446744073709551616"), read_integer("-0")
    (18446744073709551615, 1.8446744073709552e+19, -0.0)

    Raises :class:`ValueError` for a number beyond the largest float.
    """
    if len(text) < _ALWAYS_FITS and text != "-0":
        return int(text)
    if len(text) > _LONGEST_INTEGER:
        raise _out_of_range(text)
    number = int(text)
    return number if _I64_MIN <= number <= _U64_MAX and text != "-0" else read_float(text)


def _gather(digits: str, number: int) -> tuple[int, int]:
    """Append ``digits`` to ``number`` while it fits 64 bits; return it and how many digits were appended."""
    for count, digit in enumerate(digits):
        longer = number * 10 + int(digit)
        if longer > _U64_MAX:
            return number, count
        number = longer
    return number, len(digits)


def read_float(text: str) -> float:
    """Return the number that the target reads from ``text``, a JSON number with a fraction or an exponent.

    >>> read_float("-3.9131507873535156"), float("-3.9131507873535156")
    (-3.913150787353515, -3.9131507873535156)

    Raises :class:`ValueError` for a number beyond the largest float.
    """
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a JSON number")
    sign, whole, fraction, power = match.groups(default="")
    exponent = _exponent(power)
    if len(whole) + len(fraction) <= _ALWAYS_FITS:
        number, used = int(whole + fraction), len(fraction)
    else:
        number, used = _gather(whole, 0)
        exponent += len(whole) - used
        number, used = _gather(fraction, number)
    value = _scaled(number, exponent - used, text)
    return -value if sign else value


def _exponent(power: str) -> int:
    sign, digits = power[:1].strip("0123456789"), power.lstrip("+-0")
    return int(f"{sign}{digits[:_EXPONENT_DIGITS] or 0}")


def _out_of_range(text: str) -> ValueError:
    shown = text if len(text) < 40 else f"{text[:20]}… of {len(text)} characters"
    return ValueError(f"the number {shown}, which is out of range,")


def _scaled(number: int, exponent: int, text: str) -> float:
    """Return ``number`` times ten to ``exponent``, scaled in steps of at most 308 powers, each of which rounds."""
    value = float(number)
    while value and exponent < -_LARGEST_POWER:
        value /= _POWERS_OF_TEN[-1]
        exponent += _LARGEST_POWER
    if not value:
        return value
    if exponent > _LARGEST_POWER:
        value = float("inf")
    elif exponent >= 0:
        value *= _POWERS_OF_TEN[exponent]
    else:
        value /= _POWERS_OF_TEN[-exponent]
    if value == float("inf"):
        raise _out_of_range(text)
    return value
