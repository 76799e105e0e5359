"""What a kind of record is to a page, and what pages of all kinds have in common."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.comparison.blame import STAGE_ORDER
from tokenizer_conformance.results.page import Compared, Fact, State

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Stage
    from tokenizer_conformance.results.page import Page
    from tokenizer_conformance.results.records.format import Format
    from tokenizer_conformance.results.records.lines import Ending, Opening
    from tokenizer_conformance.results.records.node import Node


class PageReader(Protocol):
    """Makes a page of the lines of one record."""

    def take(self, kind: str, line: Node) -> None:
        """Take in a ``line`` of that ``kind``. Raises one of ``MALFORMED`` where it is not as it is written."""

    def page(self, ending: Ending) -> Page:
        """Return the page, once all lines are in; ``ending`` is how the record ends. Raises the same."""


@dataclass(frozen=True, slots=True)
class PageKind:
    """A kind of record: ``noun`` is what it is the record of, ``format`` its format; ``reader`` reads one."""

    noun: str
    format: Format
    reader: Callable[[Opening], PageReader]


STATES: dict[Conclusion, State] = {
    Conclusion.CONFORM: State.AGREE,
    Conclusion.DIFFERENCES: State.DIFFER,
    Conclusion.STALE: State.DIFFER,
    Conclusion.BAD_INPUT: State.ERROR,
    Conclusion.IMPLEMENTATION_FAILED: State.ERROR,
    Conclusion.NOTHING_COMPARED: State.NOT_COMPARED,
    Conclusion.TOO_LITTLE: State.NOT_COMPARED,
    Conclusion.INCOMPLETE: State.NOT_COMPARED,
    Conclusion.INTERNAL_ERROR: State.ERROR,
    Conclusion.INTERRUPTED: State.NOT_COMPARED,
}
"""What a page comes to, by what the command came to."""

CUT_SHORT = "the record ends before the command did"
"""What is said of a record without a footer."""


def conclusion_in(ending: Ending) -> Conclusion:
    """Return what the command came to; of a record without a footer, that it was interrupted."""
    return Conclusion.INTERRUPTED if ending.footer is None else Conclusion(ending.footer.text("conclusion"))


def ending_complaints(ending: Ending) -> tuple[str, ...]:
    """Say where a record is not whole."""
    return () if ending.is_whole else (ending.words,)


def environment_facts(header: Node) -> tuple[Fact, ...]:
    """Return the command of a record with this ``header``, and where and when it ran."""
    environment = header.node("environment")
    return (
        Fact("command", shlex.join(environment.texts("command"))),
        Fact(
            "made by",
            f"tokconf {environment.text('tokconf')}, {environment.text('python')}, {environment.text('platform')}",
        ),
        Fact("started", environment.text("started")),
    )


def hidden_stages(info: Node) -> tuple[Stage, ...]:
    """Return the stages that the implementation with this ``info`` in a header does not show."""
    shown = info.texts("stages")
    return tuple(stage for stage in STAGE_ORDER if stage.value not in shown)


def compared_implementations(
    header: Node, baseline: str | None = None, key: str = "implementations"
) -> tuple[Compared, ...]:
    """Return the implementations in ``header``, the one called ``baseline`` first and named as that."""
    found = [
        Compared(
            each.text("name"),
            each.text("version"),
            "baseline" if each.text("name") == baseline else "compared",
            each.text("language") if each.has("language") else "",
        )
        for each in header.nodes(key)
    ]
    return tuple(sorted(found, key=lambda each: each.role != "baseline"))


def compared_baseline(header: Node) -> Compared:
    """Return the baseline that stands in ``header`` under a key of its own."""
    baseline = header.node("baseline")
    return Compared(baseline.text("name"), baseline.text("version"), "baseline", baseline.text("language"))
