"""The page of the casebook: counts, a table with a row a case, and of each case what was asked and what is not told."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from published.measuring import read_measured
from published.records import RecordError
from tabulate import tabulate

from reported.table import read_cases
from tokenizer_conformance.command_io.markdown import as_code, as_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from reported.asking import Asked
    from reported.table import Case, Given, Json

TOOL = "casebook"

BEGINNING = """# Publicly reported bugs, each in one command

<!-- Written by tools/casebook.py; do not edit. -->

{count} bugs that people have reported in public, in {repositories} projects: {shown} are shown by one command, and of
{explained} the command says the reason that was found. What has to be in its answer is data, with the files that the
commands are given ([tools/reported/bugs](../tools/reported/bugs)); the reason there is what was found out in public.
*Shown*: the difference, error or defect is in the answer. *Explained*: the answer names the component, rule or release
that is the cause.

"""


def line_of(asked: Asked) -> Json:
    """Return what is kept of a case that was asked; of the case itself, which is in the tree, only the digest."""
    return {
        "reference": asked.case.reference,
        "case": digest_of(asked.case),
        "run": asked.judgement is not None,
        "shown": asked.is_shown,
        "explained": asked.is_explained,
        "missing": missing(asked),
        "seconds": round(asked.seconds, 1),
    }


def digest_of(case: Case) -> str:
    """Return the digest of all that what comes of a case depends on."""
    judged = case.shown, case.explained, case.never, case.unexplained, case.status
    of = case.reference, case.command, case.files, judged
    return hashlib.sha256(ascii(of).encode()).hexdigest()


def page(records: Sequence[Path], cases: Sequence[Case] | None = None) -> str:
    """Return the page that the record gives of ``cases``, by default of those in the tree.

    Raises :class:`RecordError` where the record is not of these.
    """
    (record,) = records
    lines = {line["reference"]: line for line in read_measured(record, TOOL).lines}
    told = {case.reference: case for case in (read_cases() if cases is None else cases)}
    if others := sorted(
        {name for name, case in told.items() if lines.get(name, {}).get("case") != digest_of(case)}
        | lines.keys() - told.keys()
    ):
        raise RecordError(f"{record} is not of the cases as they are now: {', '.join(others)}; run 'make casebook'")
    beginning = BEGINNING.format(
        count=len(told),
        repositories=len({name.partition("#")[0] for name in told}),
        shown=sum(line["shown"] for line in lines.values()),
        explained=sum(line["explained"] for line in lines.values()),
    )
    rows = [
        [as_words(name), as_words(case.symptom), verdict(lines[name]["shown"]), verdict(lines[name]["explained"])]
        for name, case in told.items()
    ]
    table = tabulate(rows, ["bug", "symptom", "shown", "explained"], tablefmt="github")
    sections = [section(case, lines[name]["missing"]) for name, case in told.items()]
    return "".join([beginning, table, "\n\n## The cases\n", *sections])


def verdict(holds: bool) -> str:
    """Return the cell."""
    return "yes" if holds else "no"


def section(case: Case, missing: Sequence[str]) -> str:
    """Return what is told of one case; ``missing`` says what its answer lacks."""
    told = [
        f"Software: {as_words(case.software)}.",
        f"Symptom: {as_words(case.symptom)}",
        f"Cause: {as_words(case.cause)}",
        f"Command: {as_code('tokconf ' + case.command)}",
        *map(file_line, case.files),
        *(f"Not explained: {as_words(text)}" for text in missing),
    ]
    return f"\n### {as_words(case.reference)}\n\n" + "".join(f"- {line}\n" for line in told)


def file_line(given: Given) -> str:
    """Return how a file is made."""
    if given.source is None:
        return f"File {as_code(given.name)}: {as_code(shortened(given.text or json.dumps(given.json)))}"
    edits = {key: value for key, value in (("replace", given.replace), ("append", given.append)) if value}
    changes = "; ".join(f"{key} {as_code(shortened(json.dumps(value)))}" for key, value in edits.items())
    changes += "; merges as texts" if given.older else ""
    return f"File {as_code(given.name)}: the bundled {given.source}{', ' + changes if changes else ''}"


def missing(asked: Asked) -> list[str]:
    """Return what the answer lacks, in words."""
    case, judged = asked.case, asked.judgement
    if judged is None:
        return [f"not run: {asked.not_run}"]
    lines = [*judged.not_shown, *judged.not_explained]
    told = [case.unexplained] if case.unexplained else []
    told += [f"the answer lacks {json.dumps(line)}" for line in lines]
    told += [f"the answer says {json.dumps(line)}" for line in judged.wrong]
    return told + ([judged.status] if judged.status else [])


def shortened(text: str, most: int = 300) -> str:
    """Return ``text``, cut where it is long."""
    return text if len(text) <= most else f"{text[:most]}…"
