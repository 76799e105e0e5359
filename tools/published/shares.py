"""Shares of samples, with what a sample can say of the whole."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

LEVEL = 0.95


def percent(part: int, whole: int) -> float:
    """Return ``part`` of ``whole`` in percent; 100 of nothing."""
    return 100.0 * part / whole if whole else 100.0


def interval(part: int, whole: int) -> str:
    """Return between which shares that of all lies, where ``part`` of a sample of ``whole`` has it: Wilson's interval.

    >>> interval(45, 50)
    '95 % interval: 78.6 to 95.7 %'
    """
    if not whole:
        return "none was drawn"
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    middle = part + z * z / 2
    half = z * sqrt(part * (whole - part) / whole + z * z / 4)
    low, high = (100 * (middle + side) / (whole + z * z) for side in (-half, half))
    return f"{100 * LEVEL:g} % interval: {low:.1f} to {high:.1f} %"
