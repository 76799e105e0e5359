"""What plots show: values alone, whoever draws them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Bar:
    """A value with its interval; ``None`` where there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A matrix of shares from 0 to 1, a row for each of ``names``; ``None`` where a share is not known.

    ``columns`` are named as the rows are where they have no names of their own.
    """

    title: str
    names: tuple[str, ...]
    shares: tuple[tuple[float | None, ...], ...]
    columns: tuple[str, ...] | None = None

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self.names if self.columns is None else self.columns


@dataclass(frozen=True, slots=True)
class Bars:
    """For each of ``groups`` a bar of each of the ``series``, by its name.

    ``stacked`` puts the bars of a group end to end, as parts of a whole; their intervals are not drawn then.
    """

    title: str
    axis: str
    groups: tuple[str, ...]
    series: Mapping[str, tuple[Bar, ...]]
    stacked: bool = False

    def bases(self, number: int) -> list[float]:
        """Return for each group where the bar of series ``number`` begins: where those before it end, or at 0."""
        before = list(self.series.values())[: number if self.stacked else 0]
        return [sum(bars[place].value or 0.0 for bars in before) for place in range(len(self.groups))]


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines through points; with ``logarithmic`` both axes are.

    With ``steps`` a line stays at the height of a point until half-way to the next, as that of a distribution does.
    """

    title: str
    horizontal: str
    vertical: str
    series: Mapping[str, tuple[tuple[float, float], ...]]
    logarithmic: bool = False
    steps: bool = False


@dataclass(frozen=True, slots=True)
class Points:
    """A named point each, with an interval of its height; the horizontal axis is logarithmic."""

    title: str
    horizontal: str
    vertical: str
    points: Mapping[str, tuple[float, Bar]]


Plot = HeatMap | Bars | Lines | Points


def below_and_above(bars: Sequence[Bar]) -> tuple[list[float], list[float]]:
    """Return how far below and above their values the intervals of ``bars`` reach; 0 where there is none."""
    below, above = [], []
    for bar in bars:
        value = bar.value or 0.0
        below.append(0.0 if bar.low is None else max(value - bar.low, 0.0))
        above.append(0.0 if bar.high is None else max(bar.high - value, 0.0))
    return below, above
