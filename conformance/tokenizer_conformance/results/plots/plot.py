"""What plots show: values alone, whoever draws them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Bar:
    """A value with its interval; ``None`` where there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None


class Tone(StrEnum):
    """What a series of bars says of those it counts; each has the colour that pages have for it."""

    AGREE = "agree"
    DIFFER = "differ"
    ERROR = "error"
    KNOWN = "known"
    QUIET = "quiet"


STEPS = 11
"""How many colours a heat map has: one for each tenth, and one for 1 alone."""


def step_of(share: float) -> int:
    """Return which of the :data:`STEPS` colours a ``share`` has; only a share of 1 has the last.

    >>> [step_of(share) for share in (0, 0.05, 0.3, 0.999, 1)]
    [0, 0, 3, 9, 10]
    """
    return STEPS - 1 if share >= 1 else min(max(int(share * 10 + 1e-9), 0), STEPS - 2)


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A matrix of shares from 0 to 1, a row for each of ``names``; ``None`` where a share is not known.

    ``columns`` are named as the rows are where they have no names of their own. One that ``judges`` goes from red to
    green: 1 is good; any other has one hue. The cells say the shares, or their ``texts`` where there are any.
    """

    title: str
    names: tuple[str, ...]
    shares: tuple[tuple[float | None, ...], ...]
    columns: tuple[str, ...] | None = None
    judges: bool = False
    texts: tuple[tuple[str, ...], ...] | None = None

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self.names if self.columns is None else self.columns


@dataclass(frozen=True, slots=True)
class Bars:
    """For each of ``groups`` a bar of each of the ``series``, by its name. Bars begin at 0: they are for counts.

    ``stacked`` puts the bars of a group end to end, as parts of a whole; their intervals are not drawn then. Series
    that are among the ``tones`` have their colours.
    """

    title: str
    axis: str
    groups: tuple[str, ...]
    series: Mapping[str, tuple[Bar, ...]]
    stacked: bool = False
    tones: Mapping[str, Tone] = field(default_factory=dict)

    def bases(self, number: int) -> list[float]:
        """Return for each group where the bar of series ``number`` begins: where those before it end, or at 0."""
        before = list(self.series.values())[: number if self.stacked else 0]
        return [sum(bars[place].value or 0.0 for bars in before) for place in range(len(self.groups))]


@dataclass(frozen=True, slots=True)
class Dots:
    """For each of ``groups`` a dot with its interval of each of the ``series``, by its name.

    Their axis begins where they do: dots are for estimates, which bars from 0 would show as all alike.
    """

    title: str
    axis: str
    groups: tuple[str, ...]
    series: Mapping[str, tuple[Bar, ...]]


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


Plot = HeatMap | Bars | Dots | Lines | Points


MOST_VALUES = 60
"""With more dots than these, and more than three on a line, lines are too close for values: tables have them."""


def has_values(plot: Bars | Dots) -> bool:
    """Return whether values are written at the dots of ``plot``."""
    return len(plot.series) <= 3 or len(plot.series) * len(plot.groups) <= MOST_VALUES


def axis_of(axis: str, series: Collection[str]) -> str:
    """Return what an ``axis`` is called: with the name of its ``series`` where that is one, which has no legend.

    >>> axis_of("inputs", ["gpt2"]), axis_of("fertility, tokens per word", ["fertility"]), axis_of("ids", ["a", "b"])
    ('inputs, gpt2', 'fertility, tokens per word', 'ids')
    """
    name = next(iter(series), "") if len(series) == 1 else ""
    return axis if name in axis else f"{axis}, {name}"


def below_and_above(bars: Sequence[Bar]) -> tuple[list[float], list[float]]:
    """Return how far below and above their values the intervals of ``bars`` reach; 0 where there is none."""
    below, above = [], []
    for bar in bars:
        value = bar.value or 0.0
        below.append(0.0 if bar.low is None else max(value - bar.low, 0.0))
        above.append(0.0 if bar.high is None else max(bar.high - value, 0.0))
    return below, above
