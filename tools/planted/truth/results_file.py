"""A file of results, a line each: a bench that takes an hour goes on where it was left."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from planted.truth.judging import Fresh, Judged, Verdict, verdict_of
from planted.truth.results import Row
from tokenizer_conformance.causes.record_forms import cause_of, cause_record

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from planted.truth.case import Case


def line_of(row: Row) -> str:
    """Return the line of a result."""
    found = row.judged
    causes = list(map(cause_record, found.causes))
    told = {"verdict": found.verdict, "uncounted": found.uncounted, "why": found.why, "fresh": asdict(found.fresh)}
    return json.dumps({"fault": row.case.name, "tokenizer": row.tokenizer, **told, "causes": causes})


def read_results(file: Path, cases: Iterable[Case]) -> list[Row]:
    """Return the results in ``file``, none where there is none, of those ``cases`` that there are.

    What was said is judged anew, for what is true of a fault may have been written down better since.
    """
    by_name = {case.name: case for case in cases}
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return [_row(by_name[each["fault"]], each) for each in map(json.loads, lines) if each["fault"] in by_name]


def _row(case: Case, record: dict[str, Any]) -> Row:
    causes = tuple(map(cause_of, record["causes"]))
    verdict = Verdict(record["verdict"])
    if verdict not in (Verdict.ALIKE, Verdict.NOT_RUN):
        verdict = verdict_of(case, record["tokenizer"], [cause.reason for cause in causes if cause.reason.is_proven])
    judged = Judged(verdict, causes, record["uncounted"], record["why"], Fresh(**record["fresh"]))
    return Row(case, record["tokenizer"], judged)
