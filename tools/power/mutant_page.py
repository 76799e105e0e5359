"""The page of what the suite sees of the mutants of the reference: `mutant_page.md.jinja`, filled."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import jinja2
from published.measuring import read_measured
from tabulate import tabulate

from power.explanations import OF_REFERENCE, read_explanations
from power.mutant_results import (
    COLUMNS,
    FUZZED,
    LEAST_POWER,
    LEAST_RIGHT_BLAME,
    PARTS,
    TOOL,
    Unseen,
    by_module,
    explanation_of,
    results_in,
    shares,
    shown_in,
    tally,
)
from power.packages import NOT_OF_THE_SUITE
from tokenizer_conformance.escape import escape

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from power.explanations import Explanation
    from power.mutant_results import Result

TEMPLATE = Path(__file__).with_suffix(".md.jinja")
LONGEST_QUESTION = 160


def page(records: Sequence[Path]) -> str:
    """Return the page of a record: by module, what is not seen, and what two commands show in a minute, if measured."""
    (record,) = records
    measured = read_measured(record, TOOL, {"module": "*"})
    results, minute = results_in(measured.lines), shown_in(measured.lines)
    explanations = read_explanations(OF_REFERENCE)
    whole = tally(results, explanations)
    template = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False).from_string(
        TEMPLATE.read_text(encoding="utf-8")
    )
    shown = ((part, count, *(f"{share:.1f} %" for share in found)) for part, count, found in shares(minute))
    return template.render(
        whole=whole,
        seed=measured.parameters["seed"],
        cases=measured.parameters["cases"],
        least_power=f"{LEAST_POWER:g}",
        least_right_blame=f"{LEAST_RIGHT_BLAME:g}",
        modules=_table(by_module(results, explanations), COLUMNS),
        unseen=[_unseen(result, explanations) for result in whole.unseen],
        minute=_table(shown, PARTS) if minute else "",
        fuzzed=FUZZED,
        left_out=_table(((f"`{pattern}`", reason) for pattern, reason in NOT_OF_THE_SUITE.items()), ("modules", "why")),
    )


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
