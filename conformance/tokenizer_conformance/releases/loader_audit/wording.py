"""The words in which an audit is told, on a terminal and on a page. All that comes from tokenizers is escaped here."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import (
    Called,
    Crashed,
    Decode,
    DecodeStream,
    Encoded,
    EncodedBatch,
    Failed,
    Field,
    Pieces,
    Text,
    plain_of,
)
from tokenizer_adapters.protocol.client import in_words
from tokenizer_conformance.comparison.component_differences import ABSENT
from tokenizer_conformance.comparison.wording import aligned, describe, subject_lines, window
from tokenizer_conformance.escape import escape, one_line, quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.releases.loader_audit.defaults import CallWitness
from tokenizer_conformance.releases.loader_audit.witness import ComponentWitness, Confirmation, NoWitness

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.comparison.component_differences import Change, Replacement
    from tokenizer_conformance.comparison.differences import Difference
    from tokenizer_conformance.releases.loader_audit.behaviour import Behaviour, BehaviourFinding
    from tokenizer_conformance.releases.loader_audit.events import DifferenceJudged, LoaderAuditFinished
    from tokenizer_conformance.releases.loader_audit.witness import Impact

LONGEST_VALUE = 200
"""How many characters of a JSON value are shown."""

LONGEST_TEXT, SHORT_TEXT = 60, 12
"""Texts in it of more characters are cut, to so many."""

LONG_ROW = 4
"""So many equal entries in a row are shown once."""

MOST_ENTRIES = 16
"""How many ids, tokens or offsets of an answer are shown."""

CONFIRMED: dict[Confirmation, str] = {
    Confirmation.SAME: "answers so",
    Confirmation.OTHER: "answers in a third way: other components that it has replaced act on this, too",
    Confirmation.HIDDEN: "answers as the file: something else that it does hides this",
    Confirmation.NOT_SHOWN: "does not show this",
}


def value_text(value: Any) -> str:
    """Return a JSON value on one line, made safe and cut.

    >>> value_text({"type": "NFC"}), value_text(ABSENT)
    ('{"type": "NFC"}', 'nothing')
    """
    if value is ABSENT:
        return "nothing"
    return one_line(json.dumps(_with_short_texts(value), ensure_ascii=False), LONGEST_VALUE)


def _with_short_texts(value: Any) -> Any:
    """Return a JSON value in which long texts, such as character maps, are cut."""
    match value:
        case str() if len(value) > LONGEST_TEXT:
            return f"{value[:SHORT_TEXT]}… ({len(value):,} characters)"
        case dict():
            return {name: _with_short_texts(each) for name, each in value.items()}
        case list() | tuple():
            return list(map(_with_short_texts, value))
        case _:
            return value


def change_lines(difference: Replacement) -> list[str]:
    """Return a line for each place that is kept, and one that counts the others."""
    shown = [_change_line(change) for change in difference.changes]
    left = difference.count - len(shown)
    return [*shown, f"and {counted(left, 'place')} more"] if left > 0 else shown


def _change_line(change: Change) -> str:
    return f"{one_line(change.path)}: {value_text(change.raw)} -> {value_text(change.loaded)}"


def headline(event: DifferenceJudged) -> str:
    """Name a difference, and say what was replaced."""
    known = "" if event.known is None else " (known)"
    return f"{one_line(event.difference.name)}: {one_line(event.difference.words)}{known}"


def witness_lines(event: DifferenceJudged) -> list[str]:
    """Return what shows a difference, both answers, and what the loader itself answers."""
    witness = event.witness
    loader = escape(event.loader.name)
    match witness:
        case NoWitness(_, reason) if reason:
            return [f"no witness: {one_line(reason)}"]
        case NoWitness(inputs):
            return [f"no witness in {counted(inputs, 'input')}"]
        case CallWitness(question, raw, called):
            return [
                f"witness: {describe(question)}",
                *(f"  {line}" for line in subject_lines(question)),
                *_answers(("the file", _encoded_text(raw, Field.TYPE_IDS)), (loader, _called_text(called))),
            ]
        case ComponentWitness():
            return _component_witness(witness, loader)


def _component_witness(witness: ComponentWitness, loader: str) -> list[str]:
    field = witness.difference.field
    answers = [("the file", outcome_text(witness.raw, field))]
    if witness.confirmation is not Confirmation.SAME:
        answers.append(("the file so changed", outcome_text(witness.replaced, field)))
    answers.append((loader, outcome_text(witness.loaded, field)))
    lines = [
        f"witness: {describe(witness.question)}{_field_words(field, witness.question)}",
        *(f"  {line}" for line in subject_lines(witness.question)),
        *_answers(*answers),
    ]
    if witness.confirmation is not Confirmation.SAME:
        lines.append(f"  {loader} {CONFIRMED[witness.confirmation]}")
    return lines


def _field_words(field: Field | None, question: Observation) -> str:
    if field is None or isinstance(plain_of(question), Decode | DecodeStream):
        return ""
    return f": {field} differ"


def _answers(*answers: tuple[str, str]) -> list[str]:
    return aligned([[f"  {name}", answer] for name, answer in answers])


def outcome_text(outcome: Outcome, field: Field | None) -> str:
    """Return one answer on one line: the ``field`` of it that differs, with the tokens where these are ids."""
    match outcome:
        case Text(text):
            return quoted(text[:LONGEST_VALUE])
        case Pieces(pieces):
            shown = [f"{quoted(piece)} {span}" if field is Field.OFFSETS else quoted(piece) for piece, span in pieces]
            return _list(shown)
        case Encoded():
            return _encoded_text(outcome, field)
        case EncodedBatch(encodings):
            return " and ".join(_encoded_text(each, field) for each in encodings)
        case Failed(kind, message):
            return one_line(f"raised {kind}: {message}", LONGEST_VALUE)
        case Crashed(detail):
            return one_line(f"crashed: {detail}", LONGEST_VALUE)
        case _:
            return one_line(in_words(outcome), LONGEST_VALUE)


def _encoded_text(encoded: Encoded, field: Field | None) -> str:
    values = getattr(encoded, field or Field.IDS, None)
    if field is Field.OVERFLOWING and encoded.overflowing is not None:
        return counted(len(encoded.overflowing), "overflowing encoding")
    if values is None:
        return "not given"
    if field in (None, Field.IDS) and encoded.tokens is not None:
        tokens = encoded.tokens
        return _list([f"{id_} {quoted(token)}" for id_, token in zip(encoded.ids, tokens, strict=False)])
    return _list([quoted(value) if isinstance(value, str) else str(value) for value in values])


def _called_text(called: Called) -> str:
    return "; ".join(f"{one_line(name)} {_list([*map(str, values)])}" for name, values in called.fields.items())


def _list(entries: list[str]) -> str:
    """Return entries as a list; a row of equal ones, as padding is, stands once with its length.

    >>> _list(["1", "0", "0", "0", "0"])
    '[1, 4 × 0]'
    """
    rows = [(entry, len(list(row))) for entry, row in groupby(entries)]
    shown = [
        each for entry, count in rows for each in ([f"{count:,} × {entry}"] if count >= LONG_ROW else count * [entry])
    ]
    more = f", … ({len(entries):,})" if len(shown) > MOST_ENTRIES else ""
    return f"[{', '.join(shown[:MOST_ENTRIES])}{more}]"


def impact_line(impact: Impact) -> str:
    """Say how many inputs a replaced component touches."""
    others = f"; any field of {impact.any:,}" if impact.any > impact.ids else ""
    return f"touches the ids or text of {impact.ids:,} of {counted(impact.inputs, 'input')}{others}"


# What was loaded -----------------------------------------------------------------------------------------------------


def behaviour_line(behaviour: Behaviour, *, has_structure: bool) -> str:
    """Say the result of the answers about the inputs."""
    if not behaviour.values:
        return f"answers: nothing could be compared on {counted(behaviour.inputs, 'input')}"
    line = f"answers: {behaviour.differing:,} of {counted(behaviour.inputs, 'input')} differ"
    if has_structure and behaviour.differing:
        explained = behaviour.explained
        everything = "all" if explained == behaviour.differing else f"{explained:,} of them"
        return f"{line}; {everything} as the pipeline that was loaded gives them"
    return line


def finding_headline(finding: BehaviourFinding) -> str:
    """Say how answers differ that nothing explains, and on how many inputs."""
    manner = finding.manner
    what = str(manner.kind) if manner.field is None else f"{manner.field} {manner.kind}"
    return f"{manner.stage}: {what} on {counted(finding.inputs, 'input')}; {describe(finding.question)}"


def finding_lines(finding: BehaviourFinding, baseline: str, loader: str) -> list[str]:
    """Return the example of a finding, with both answers around the first difference."""
    difference: Difference = finding.difference
    return [*subject_lines(finding.question), *window(difference, escape(baseline), escape(loader))]


def ending(event: LoaderAuditFinished) -> str:
    """Sum up the audit."""
    without = event.differences - event.witnessed
    parts = [
        str(event.conclusion),
        f"{counted(event.audited, 'loaded tokenizer')} audited, {event.differing:,} with differences",
        counted(event.differences, "difference")
        + (f" ({event.witnessed:,} with a witness, {without:,} without)" if event.differences else ""),
    ]
    if event.known:
        parts.append(f"{event.known:,} known")
    return "; ".join(parts)
