"""What is said of vectors: what was made, and their results with an implementation; as lines, and as JSON."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.tables import table
from tokenizer_conformance.comparison.record_forms import difference_record
from tokenizer_conformance.comparison.wording import describe, subject_lines, window
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.validation.vectors.checking import VectorVerdict

if TYPE_CHECKING:
    from tokenizer_conformance.command_io.tables import Table
    from tokenizer_conformance.validation.vectors.checking import VectorResult, VectorsResult, Wrong

Json = dict[str, Any]

SCHEMA = "tokenizer-conformance-vectors-check"
SCHEMA_VERSION = "1.0"

MOST_SHOWN = 10
"""How many wrong vectors are shown at length; the others are named."""

HUNTS_SHOWN = 3


# Made -----------------------------------------------------------------------------------------------------------------


def made_lines(document: Json, file: str) -> list[str]:
    """Return what is said once the file is written."""
    power = document["power"]
    planted = counted(power["faults"], "planted fault")
    caught = f"they catch {power['caught']:,} of {planted} that any of {power['inputs_tried']:,} inputs shows"
    others = f"tell {power['told_apart']:,} apart; twenty plain texts catch {power['caught_by_plain_texts']:,}"
    return [
        f"wrote {counted(len(document['vectors']), 'vector')} of {one_line(document['tokenizer']['name'])} to {file!r}",
        f"{caught}, and {others}",
    ]


def power_table(document: Json) -> Table:
    """Return how many planted faults of each stage are caught."""
    rows = [
        [row["stage"], f"{row['faults']:,}", f"{row['caught']:,}", f"{row['caught_by_plain_texts']:,}"]
        for row in document["power"]["by_stage"]
    ]
    return table(["faults in", "planted", "caught", "by 20 plain texts"], rows, right=frozenset({1, 2, 3}))


# Checked --------------------------------------------------------------------------------------------------------------


def checked_lines(result: VectorsResult) -> list[str]:
    """Return the result of the vectors, for people."""
    wrong = [each for each in result.results if each.wrong]
    lines = [line for each in wrong[:MOST_SHOWN] for line in (*wrong_lines(each, result), "")]
    if wrong[MOST_SHOWN:]:
        others = ", ".join(one_line(each.vector.id, 20) for each in wrong[MOST_SHOWN : MOST_SHOWN + 100])
        lines += [f"also wrong: {others}{' …' if wrong[MOST_SHOWN + 100 :] else ''}", ""]
    return [*lines, *_by_stage(wrong), *_not_shown(result), summary(result)]


def wrong_lines(each: VectorResult, result: VectorsResult) -> list[str]:
    """Return what is wrong with one vector: what it hunts, what was asked, and both sides where they part first."""
    first = each.first
    difference = first.difference
    field = f", {difference.part or difference.field.value}" if difference.field else ""
    others = f" ({len(each.wrong) - 1} more answers differ)" if len(each.wrong) > 1 else ""
    backwards = ", only when the vectors are asked backwards: it depends on what was asked before"
    asked = f"{first.expected.name.value}, {describe(first.expected.question)}{field}"
    return [
        f"vector {one_line(each.vector.id, 20)}: {asked}{backwards if first.backwards else ''}{others}",
        *(f"  hunts {one_line(hunted, 160)}" for hunted in each.vector.hunts[:HUNTS_SHOWN]),
        *(f"  {line}" for line in subject_lines(first.expected.question)),
        *window(difference, "expected", one_line(result.implementation.partition(" ")[0], 30)),
    ]


def _by_stage(wrong: list[VectorResult]) -> list[str]:
    stages: dict[str, int] = defaultdict(int)
    for each in wrong:
        stages[each.first.stage.value] += 1
    return [f"first wrong at: {', '.join(f'{stage} {count:,}' for stage, count in stages.items())}"] if stages else []


def _not_shown(result: VectorsResult) -> list[str]:
    counts = result.not_shown
    if not counts:
        return []
    return [f"not shown: {', '.join(f'{name} {count:,}' for name, count in counts.most_common())}"]


def summary(result: VectorsResult) -> str:
    """Return the result in a line."""
    passed, failed, not_shown = map(result.count, VectorVerdict)
    name = one_line(result.implementation)
    if not result.compared:
        return f"{name}: nothing was compared, it shows none of what {counted(len(result.results), 'vector')} expect"
    said = f"{passed:,} of {counted(len(result.results), 'vector')} passed, {failed:,} failed, {not_shown:,} not shown"
    verdict = "conforms" if result.conforms else "DOES NOT CONFORM"
    return f"{name}: {verdict}; {said}; {counted(result.compared, 'value')} compared"


def checked_document(result: VectorsResult) -> Json:
    """Return the result of the vectors, as JSON."""
    return {
        "schema": SCHEMA,
        "version": SCHEMA_VERSION,
        "tokenizer": {"name": result.file.name, "sha256": result.file.sha256},
        "baseline": result.file.baseline,
        "implementation": result.implementation,
        "conforms": result.conforms,
        "values_compared": result.compared,
        "vectors": {verdict.value: result.count(verdict) for verdict in VectorVerdict},
        "not_shown": dict(result.not_shown),
        "wrong": [_wrong_document(each) for each in result.results if each.wrong],
    }


def _wrong_document(each: VectorResult) -> Json:
    return {
        "vector": each.vector.id,
        "hunts": list(each.vector.hunts),
        "ask": each.vector.asks,
        "first": each.first.stage.value,
        "differences": [_difference_document(wrong) for wrong in each.wrong],
    }


def _difference_document(wrong: Wrong) -> Json:
    return {
        "answer": wrong.expected.name.value,
        "stage": wrong.stage.value,
        "only_backwards": wrong.backwards,
        **difference_record(wrong.difference),
    }
