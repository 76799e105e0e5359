"""The page of the casebook: counts, a table with a row a case, and of each case what was asked and what is not told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tabulate import tabulate

from tokenizer_conformance.command_io.markdown import as_code, as_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reported.asking import Asked
    from reported.table import Given

BEGINNING = """# Publicly reported bugs, each in one command

<!-- Written by tools/casebook.py; do not edit. -->

{count} bugs that people have reported in public, in {repositories} projects: {shown} are shown by one command, and of
{explained} the command says the reason that was found. What has to be in its answer is data, with the files that the
commands are given ([tools/reported/bugs](../tools/reported/bugs)); the reason there is what was found out in public.
*Shown*: the difference, error or defect is in the answer. *Explained*: the answer names the component, rule or release
that is the cause.

"""


def page(asked: Sequence[Asked]) -> str:
    """Return the page."""
    repositories = {each.case.reference.partition("#")[0] for each in asked}
    beginning = BEGINNING.format(
        count=len(asked),
        repositories=len(repositories),
        shown=sum(each.is_shown for each in asked),
        explained=sum(each.is_explained for each in asked),
    )
    return "".join([beginning, table(asked), "\n## The cases\n", *map(section, asked)])


def table(asked: Sequence[Asked]) -> str:
    """Return the table, a row a case."""
    rows = [
        [as_words(each.case.reference), as_words(each.case.symptom), verdict(each.is_shown), verdict(each.is_explained)]
        for each in asked
    ]
    return tabulate(rows, ["bug", "symptom", "shown", "explained"], tablefmt="github") + "\n"


def verdict(holds: bool) -> str:
    """Return the cell."""
    return "yes" if holds else "no"


def section(asked: Asked) -> str:
    """Return what is told of one case."""
    case = asked.case
    told = [
        f"Software: {as_words(case.software)}.",
        f"Symptom: {as_words(case.symptom)}",
        f"Cause: {as_words(case.cause)}",
        f"Command: {as_code('tokconf ' + case.command)}",
        *map(file_line, case.files),
        *(f"Not explained: {as_words(text)}" for text in missing(asked)),
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
