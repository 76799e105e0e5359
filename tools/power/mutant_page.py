"""The page of what the suite sees of the mutants of the reference: `mutant_page.md.jinja`, filled."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import jinja2
from tabulate import tabulate

from power.first_minute import FUZZED, PARTS, shares
from power.mutant_run import LEAST_POWER, LEAST_RIGHT_BLAME, Unseen, explanation_of, tally
from power.packages import NOT_OF_THE_SUITE
from tokenizer_conformance.escape import escape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from power.explanations import Explanation
    from power.first_minute import Shown
    from power.mutant_run import Result

TEMPLATE = Path(__file__).with_suffix(".md.jinja")
LONGEST_QUESTION = 160


def page(
    results: Sequence[Result], explanations: Sequence[Explanation], minute: Sequence[Shown], *, seed: int, cases: int
) -> str:
    """Return the page: by module, what is not seen, and what two commands show in a minute (where it was measured)."""
    whole = tally(results, explanations)
    template = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False).from_string(
        TEMPLATE.read_text(encoding="utf-8")
    )
    shown = ((part, count, *(f"{share:.1f} %" for share in found)) for part, count, found in shares(minute))
    return template.render(
        whole=whole,
        seed=seed,
        cases=cases,
        least_power=f"{LEAST_POWER:g}",
        least_right_blame=f"{LEAST_RIGHT_BLAME:g}",
        modules=_table(_rows(results, explanations), _COLUMNS),
        unseen=[_unseen(result, explanations) for result in whole.unseen],
        minute=_table(shown, PARTS) if minute else "",
        fuzzed=FUZZED,
        left_out=_table(((f"`{pattern}`", reason) for pattern, reason in NOT_OF_THE_SUITE.items()), ("modules", "why")),
    )


_COLUMNS = ("module", "mutants", "seen", "not seen", "seen, %", "blamed rightly", "change nothing", "not reached")


def _rows(results: Sequence[Result], explanations: Sequence[Explanation]) -> Iterator[tuple[object, ...]]:
    by_module: dict[str, list[Result]] = {}
    for result in results:
        by_module.setdefault(result.module, []).append(result)
    for name, found in [*sorted(by_module.items()), ("all", list(results))]:
        own = tally(found, explanations)
        power = f"{own.power:.1f}" if own.changing else ""
        blamed = f"{own.blamed_rightly} of {own.placed}" if own.placed else ""
        idle = own.unchanged - own.not_reached
        yield name, own.mutants, own.seen, len(own.unseen), power, blamed, idle, own.not_reached


def _table(rows: Iterable[tuple[object, ...]], columns: Sequence[str]) -> str:
    return tabulate(list(rows), headers=columns, tablefmt="github", disable_numparse=True)


def _unseen(result: Result, explanations: Sequence[Explanation]) -> dict[str, object]:
    assert isinstance(result.outcome, Unseen)
    explanation = explanation_of(result, explanations)
    question = escape(result.outcome.question).replace("`", "'")
    shown = question if len(question) <= LONGEST_QUESTION else f"{question[:LONGEST_QUESTION]}…"
    return {
        "module": result.module,
        "line": result.line,
        "diff": "\n".join(f"    {line}" for line in result.diff.splitlines()),
        "why": f"Shown by {result.outcome.name}: `{shown}`" if explanation is None else explanation.reason,
    }
