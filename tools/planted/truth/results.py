"""The results of the truth bench: lines of its record, lines that are shown, sums and the page."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from published.shares import interval
from tabulate import tabulate

from planted.truth.judging import Fresh, Judged, Verdict, verdict_of
from planted.truth.table import CASES
from tokenizer_conformance.causes.record_forms import cause_of, cause_record
from tokenizer_conformance.causes.wording import cause_headline, cause_lines, causes_title, reason_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from planted.truth.case import Case
    from planted.truth.judging import Effort

Json = dict[str, Any]

ENOUGH = 0.9
"""The share of what can be said that must be said."""

LONGEST = 100
"""How many characters of a cell are shown."""

BEGINNING = """# Whether reasons are true

<!-- Written by tools/cause_truth.py; do not edit. -->

Implementations with one known fault each, or two, compared with `tokenizers` as `tokconf run` does it. What may truly
be said of each fault is written in `tools/planted/truth`: most of it before any run, some after a run said what turned
out to be true of the fault. *Right*: a proven cause names the fault, both where there are two. *Wrong*: a proven cause
says what is not the fault. *Unexplained*: neither; for a fault that no class of reasons is about, nothing else can be
right. A fault that changes no answer on a tokenizer is not counted.
"""


@dataclass(frozen=True, slots=True)
class Row:
    """What was said of a case on one tokenizer."""

    case: Case
    tokenizer: str
    judged: Judged

    @property
    def counts(self) -> bool:
        """Whether there was anything to say."""
        return self.judged.verdict not in (Verdict.ALIKE, Verdict.NOT_RUN)

    @property
    def said(self) -> str:
        """What was said, false statements marked, or why nothing was."""
        told = dict.fromkeys(
            f"{'' if self.case.is_true(cause.reason, self.tokenizer) else 'NOT TRUE: '}{reason_in_words(cause)}"
            for cause in self.judged.causes
            if cause.reason.is_proven
        )
        return "; ".join(told) or self.judged.why

    def line(self) -> str:
        """Return the result on a line."""
        mark = {Verdict.WRONG: "! ", Verdict.UNEXPLAINED: "? " if self.case.can_be_said else "  "}
        verdict = self.judged.verdict
        return f"{mark.get(verdict, '  ')}{verdict:<14}{self.case.name:<34} {self.tokenizer:<18} {self.said}"

    def in_full(self) -> str:
        """Return the result with the fault, what may be said of it, and all causes."""
        case, causes = self.case, self.judged.causes
        parts = case.parts or (case,)
        true = [statement for part in parts for statement in (*part.said_on(self.tokenizer), *part.implied)]
        lines = [self.line(), f"    fault: {case.what}", f"    true: {'; '.join(true) or 'nothing is known to say'}"]
        if self.counts:
            fresh = self.judged.fresh
            lines.append(f"    {causes_title(causes, self.judged.uncounted)}")
            lines.append(f"    fresh texts: {fresh.predicted} of {fresh.differ} answers that differ are as predicted")
        for cause in causes:
            is_false = cause.reason.is_proven and not case.is_true(cause.reason, self.tokenizer)
            lines.append(f"    {'NOT TRUE: ' if is_false else ''}{cause_headline(cause)}")
            lines += [f"        {line}" for line in cause_lines(cause, "tokenizers")]
        return "\n".join(lines)


def line_of(fault: str, tokenizer: str, judged: Judged) -> Json:
    """Return the line of the record that :func:`row_of` reads."""
    told = {"verdict": judged.verdict, "uncounted": judged.uncounted, "why": judged.why, "fresh": asdict(judged.fresh)}
    return {"fault": fault, "tokenizer": tokenizer, **told, "causes": list(map(cause_record, judged.causes))}


def row_of(case: Case, line: Json) -> Row:
    """Return the result of ``case`` that ``line`` has.

    What was said is judged anew, for what is true of a fault may have been written down better since.
    """
    causes = tuple(map(cause_of, line["causes"]))
    verdict = Verdict(line["verdict"])
    if verdict not in (Verdict.ALIKE, Verdict.NOT_RUN):
        verdict = verdict_of(case, line["tokenizer"], [cause.reason for cause in causes if cause.reason.is_proven])
    judged = Judged(verdict, causes, line["uncounted"], line["why"], Fresh(**line["fresh"]))
    return Row(case, line["tokenizer"], judged)


def rows_of(lines: Iterable[Json], cases: Sequence[Case] = CASES) -> list[Row]:
    """Return the results that ``lines`` have of ``cases``, in the order of these; the last one of each."""
    by_pair = {(line["fault"], line["tokenizer"]): line for line in lines}
    pairs = ((case, (case.name, tokenizer)) for case in cases for tokenizer in case.on)
    return [row_of(case, by_pair[pair]) for case, pair in pairs if pair in by_pair]


def share_right(rows: Sequence[Row]) -> float:
    """Return the share of what can be said that was said."""
    sayable = [row for row in rows if row.counts and row.case.can_be_said]
    return sum(row.judged.verdict is Verdict.RIGHT for row in sayable) / len(sayable) if sayable else 1.0


def is_enough(rows: Sequence[Row]) -> bool:
    """Return whether nothing is wrong, enough is right, and there was anything to say."""
    counting = [row for row in rows if row.counts]
    is_wrong = any(row.judged.verdict is Verdict.WRONG for row in counting)
    return bool(counting) and not is_wrong and share_right(rows) >= ENOUGH


def summary(rows: Sequence[Row]) -> str:
    """Return the sums on a few lines."""
    counting = [row for row in rows if row.counts]
    sayable = [row for row in counting if row.case.can_be_said]
    found = Counter(row.judged.verdict for row in rows)
    others = Counter(row.judged.verdict for row in counting if not row.case.can_be_said)
    faults = len({row.case.name for row in counting})
    return (
        f"{faults} faults on {len(counting)} tokenizers: {found[Verdict.RIGHT]} right, "
        f"{found[Verdict.UNEXPLAINED]} unexplained, {found[Verdict.WRONG]} wrong "
        f"({found[Verdict.ALIKE]} without a difference, {found[Verdict.NOT_RUN]} not run)\n"
        f"of {len(sayable)} that can be said, {100 * share_right(rows):.1f} % are right; "
        f"of {len(counting) - len(sayable)} that no class is about, "
        f"{others[Verdict.UNEXPLAINED]} are unexplained and {others[Verdict.WRONG]} wrong\n"
        f"where a reason is right, {share_predicted(rows)}"
    )


def share_predicted(rows: Sequence[Row]) -> str:
    """Return how many answers to fresh texts are those that right reasons predict, in words."""
    fresh = [row.judged.fresh for row in rows if row.judged.verdict is Verdict.RIGHT]
    differ = sum(each.differ for each in fresh)
    return (
        f"{sum(each.predicted for each in fresh):,} of {differ:,} answers to fresh texts that differ are as predicted"
    )


def page_of(rows: Sequence[Row], effort: Effort) -> str:
    """Return the page."""
    how = (
        f"Inputs: {effort.of_category} of each category of the built-in inputs, and all of those about added tokens "
        f"and controls (seed {effort.seed}). Time to look for causes: {effort.cause_seconds:g} s."
    )
    said = f"{how}{_drawn(rows)}\n\n{summary(rows)}."
    return f"{BEGINNING}\n{said}\n\n## By group\n\n{_groups(rows)}\n\n## All\n\n{_table(rows)}\n"


def _drawn(rows: Sequence[Row]) -> str:
    """Say how many of all runs were drawn, and between what their shares lie; nothing where all were."""
    total = sum(len(case.on) for case in CASES)
    if len(rows) >= total:
        return ""
    counting = [row for row in rows if row.counts]
    sayable = [row for row in counting if row.case.can_be_said]
    right = sum(row.judged.verdict is Verdict.RIGHT for row in sayable)
    wrong = sum(row.judged.verdict is Verdict.WRONG for row in counting)
    return (
        f"\n\nOf {total:,} pairs of a fault and a tokenizer, {len(rows):,} were drawn at random. For all of them: "
        f"wrong, {interval(wrong, len(counting))}; right, of what can be said, {interval(right, len(sayable))}."
    )


def _groups(rows: Sequence[Row]) -> str:
    verdicts = [Verdict.RIGHT, Verdict.UNEXPLAINED, Verdict.WRONG, Verdict.ALIKE, Verdict.NOT_RUN]
    table = []
    for group in dict.fromkeys(row.case.group for row in rows):
        own = [row for row in rows if row.case.group == group]
        found = Counter(row.judged.verdict for row in own)
        table.append([group, len({row.case.name for row in own}), *(found[verdict] for verdict in verdicts)])
    return tabulate(table, headers=["group", "faults", *map(str, verdicts)], tablefmt="github")


def _table(rows: Sequence[Row]) -> str:
    cells = [
        [row.case.name, _cell(row.case.what), row.tokenizer, str(row.judged.verdict), _cell(row.said)] for row in rows
    ]
    headers = ["fault", "what is wrong", "tokenizer", "verdict", "said"]
    return tabulate(cells, headers=headers, tablefmt="github", disable_numparse=True)


def _cell(text: str) -> str:
    cut = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return "".join(f"\\{each}" if each in "|<>*_`[]#" else each for each in cut)
