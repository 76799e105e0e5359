"""Mending a file where what it means provably stays: older forms, what is ignored, what is done already.

The file is written again by the baseline, which brings all forms up to date, leaves out what it ignores, and keeps of
merges that are there twice the one that counts; parts of a normalizer that repeat the one before are taken out first.
Then the baseline is asked about both files whatever a run asks, on the built-in inputs and on tokens of the vocabulary.
Unless all answers, vocabularies, and saved documents are the same, nothing is written.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.command_io.sinks import write_atomically
from tokenizer_conformance.comparison.document_parts import at, path_text, with_part
from tokenizer_conformance.comparison.loaded_documents import written
from tokenizer_conformance.comparison.questions import about_pair, about_text
from tokenizer_conformance.comparison.wording import describe
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.file_audit import added_tokens, forms, ids, model, normalizers, reading
from tokenizer_conformance.research.file_audit.audited import JsonText
from tokenizer_conformance.results.records import file_audit as lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.research.file_audit.audited import AuditedFile
    from tokenizer_conformance.research.file_audit.finding import Defect, FoundDefect

FIXED: tuple[Defect, ...] = (
    forms.LEGACY,
    forms.DEFAULTED,
    forms.IGNORED,
    forms.MISSING_MEMBER,
    model.DUPLICATE,
    normalizers.REPEATED,
    ids.ADDED_TOKEN_ID,
    ids.DUPLICATE_ADDED_TOKEN,
    reading.REPEATED_KEY,
)
"""What writing the file again mends."""

SAMPLED = 300
"""How many tokens of the vocabulary are texts that both files are asked about."""


class NotMendedError(Exception):
    """The file cannot be mended, as the message says; so many answers of both files were compared before."""

    def __init__(self, reason: str, questions: int = 0) -> None:
        super().__init__(reason)
        self.questions = questions


def fix(audited: AuditedFile, findings: Sequence[FoundDefect], target: Path) -> lines.Fixed:
    """Write the file of ``audited``, in which there are ``findings``, mended to ``target``; return what came of it."""
    name = audited.tokenizer.source.name
    try:
        text, fixed, questions = _mended(audited, findings)
    except NotMendedError as error:
        left, reason = _left(findings, set()), str(error)
        return lines.Fixed(tokenizer=name, target=None, reason=reason, questions=error.questions, fixed=(), left=left)
    write_atomically(target, text.encode("utf-8", "surrogatepass"))
    return lines.Fixed(
        tokenizer=name,
        target=str(target),
        reason=None,
        questions=questions,
        fixed=tuple(
            lines.FixedFixed(defect=each.defect.id, path=path_text(each.path))
            for each in findings
            if each.defect in fixed
        ),
        left=_left(findings, fixed),
    )


def _left(findings: Sequence[FoundDefect], fixed: set[Defect]) -> tuple[lines.Left, ...]:
    return tuple(
        lines.Left(defect=each.defect.id, path=path_text(each.path), reason=_why_left(each))
        for each in findings
        if each.defect not in fixed
    )


def _why_left(finding: FoundDefect) -> str:
    if finding.defect in FIXED:
        return "the file, written again, still has it"
    if finding.defect in added_tokens.DEFECTS:
        return "which of the two is meant is for you to say: other texts would become it"
    return "mending it changes what texts become, or needs to know what is meant"


def _mended(audited: AuditedFile, findings: Sequence[FoundDefect]) -> tuple[str, set[Defect], int]:
    """Return the mended file, the kinds of defects that it does not have any more, and how many answers are the same.

    Raises :class:`NotMendedError`.
    """
    fixable = [finding for finding in findings if finding.defect in FIXED]
    if not fixable:
        raise NotMendedError("there is nothing to mend whose meaning provably stays")
    if audited.asked is None:
        raise NotMendedError("the file is not loaded, so that nothing can be proven about it")
    if audited.parts.model.get("dropout"):
        raise NotMendedError("its answers are random (dropout), so that nothing can be proven")
    document = _without_repeats(audited, fixable)
    try:
        current = written(audited.documents.loaded(document, "the mended file"))
        mended = audited.documents.loaded(current, "the mended file")
        same_text = written(mended) == current
    except CannotLoadError as error:
        raise NotMendedError(f"the mended file is not loaded: {error}") from error
    if not same_text or mended.vocabulary() != audited.asked.vocabulary():
        raise NotMendedError("the mended file, saved again, is another one")
    asked, difference = _compared(audited, mended)
    if difference is not None:
        raise NotMendedError(f"the mended file answers otherwise: {difference}", asked)
    text = json.dumps(current, ensure_ascii=False, indent=2) + "\n"
    fixed = {finding.defect for finding in fixable} - _still_in(audited, text, current, mended)
    if not fixed:
        raise NotMendedError("the file, written again, has the same findings", asked)
    return text, fixed, asked


def _still_in(audited: AuditedFile, text: str, document: Json, asked: Asked) -> set[Defect]:
    """Return the kinds of defects that the mended ``document`` still has."""
    mended = replace(audited, text=JsonText(text), document=document, asked=asked, saved=document)
    checks = (
        forms.check_forms,
        model.check_merges,
        normalizers.check_normalizers,
        ids.check_ids,
        reading.check_repeated_keys,
    )
    return {finding.defect for check in checks for finding in check(mended)}


def _without_repeats(audited: AuditedFile, findings: Sequence[FoundDefect]) -> Json:
    """Return the document without the parts of its normalizer that repeat the one before."""
    document = audited.document
    # From the last on, so that the places of the others stay.
    for finding in reversed(findings):
        if finding.defect is normalizers.REPEATED:
            *sequence, index = finding.path
            parts = at(document, tuple(sequence))
            rest = [part for place, part in enumerate(parts) if place != index]
            document = with_part(document, tuple(sequence), rest)
    return document


def _compared(audited: AuditedFile, mended: Asked) -> tuple[int, str | None]:
    """Return how many answers of both were compared, and what the first is that differs."""
    count = 0
    for question in _questions(audited):
        count += 1
        if audited.answer(question) != mended.ask(question):
            text = getattr(question, "text", None)
            about = f" of {quoted(text[:60])}" if isinstance(text, str) else ""
            return count, f"{describe(question)}{about} (after {counted(count, 'question')})"
    return count, None


def _questions(audited: AuditedFile) -> Iterator[Observation]:
    tokens = list(audited.vocabulary)
    texts = [each.text for each in builtin_inputs()] + tokens[:: max(1, len(tokens) // SAMPLED)]
    before = ""
    for text in texts:
        yield from about_text(text, baseline=audited.answer)
        yield from about_pair(text, before, baseline=audited.answer)
        before = text
