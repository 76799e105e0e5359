"""Numbers as people read them."""

from __future__ import annotations

import math

NONE = "–"
"""Stands where there is no value."""


def figure(value: float) -> str:
    """Return ``value`` with four significant digits or so; whole numbers whole, in groups of three.

    >>> [figure(value) for value in (0, 1, 50257, 4.43912, 0.98765, 0.00012346, 123.456, 0.99996)]
    ['0', '1', '50,257', '4.439', '0.9877', '0.0001235', '123.5', '0.99996']
    """
    if not math.isfinite(value):
        return str(value)
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    size = abs(value)
    if size >= 1000:
        return f"{value:,.0f}"
    if 0.999 <= size < 1:
        return f"{value:.5g}"  # a share that is nearly all is not shown as all
    return f"{value:.4g}"


def signed(value: float) -> str:
    """Return ``value`` with its sign, as differences are told.

    >>> [signed(value) for value in (0.25, 0, -3)]
    ['+0.25', '0', '-3']
    """
    return f"+{figure(value)}" if value > 0 else figure(value)
