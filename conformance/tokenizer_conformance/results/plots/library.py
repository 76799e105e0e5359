"""The library that draws, ``matplotlib``, where it is installed; its settings make one plot the same each time."""

from __future__ import annotations

import importlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

INSTALL = "pip install 'tokenizer-conformance[plots]'"

FONT = "DejaVu Sans"
"""Comes with the library, so a plot does not depend on the fonts of a machine."""

SETTINGS: dict[str, object] = {
    "font.family": FONT,
    "svg.hashsalt": "tokconf",
    "svg.fonttype": "path",
    "text.parse_math": False,
    "text.usetex": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": False,
}


def require_matplotlib() -> None:
    """Raise :class:`BadInputError` where ``matplotlib`` is not installed."""
    part("matplotlib")


@contextmanager
def settings(more: Mapping[str, object]) -> Iterator[None]:
    """Draw inside with :data:`SETTINGS` and ``more``. Raises :class:`BadInputError` without ``matplotlib``."""
    library = part("matplotlib")
    with library.rc_context():
        library.rcdefaults()  # what stands in a matplotlibrc of the user makes no other file
        library.rcParams.update(SETTINGS)
        library.rcParams.update(more)
        yield


def part(name: str) -> Any:
    """Return the module ``name`` of ``matplotlib``. Raises :class:`BadInputError` where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise BadInputError(f"plots need matplotlib, which is not installed; install it with: {INSTALL}") from error
