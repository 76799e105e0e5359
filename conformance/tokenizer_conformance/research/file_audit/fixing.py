"""Mending a file where what it means provably stays: older forms, what is ignored, what is done already.

The file is written again by the baseline, which brings all forms up to date, leaves out what it ignores, and keeps of
merges that are there twice the one that counts; parts of a normalizer that repeat the one before are taken out first.
Then the baseline is asked about both files whatever a run asks, on the built-in inputs and on tokens of the vocabulary.
Unless all answers, vocabularies, and saved documents are the same, nothing is written.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.comparison.document_parts import at, with_part
from tokenizer_conformance.comparison.loaded_documents import written
from tokenizer_conformance.comparison.questions import about_pair, about_text
from tokenizer_conformance.comparison.wording import describe
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.file_audit import added_tokens, forms, ids, merges, normalizers, reading
from tokenizer_conformance.research.file_audit.json_text import JsonText

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.research.file_audit.audited import AuditedFile
    from tokenizer_conformance.research.file_audit.finding import Defect, Finding

FIXED: tuple[Defect, ...] = (
    forms.LEGACY,
    forms.DEFAULTED,
    forms.IGNORED,
    forms.MISSING_MEMBER,
    merges.DUPLICATE,
    normalizers.REPEATED,
    ids.ADDED_TOKEN_ID,
    ids.DUPLICATE_ADDED_TOKEN,
    reading.REPEATED_KEY,
)
"""What writing the file again mends."""

SAMPLED = 300
"""How many tokens of the vocabulary are texts that both files are asked about."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A mended file: its ``text``, the findings that it does not have any more, and those that it still has.

    ``questions`` is how many answers of both files were compared, and are the same. Where the file cannot be mended,
    ``reason`` says why, and ``text`` is empty.
    """

    text: str = ""
    fixed: tuple[Finding, ...] = ()
    left: tuple[Finding, ...] = ()
    questions: int = 0
    reason: str = ""


def why_left(finding: Finding) -> str:
    """Say why ``finding`` is not mended."""
    if finding.defect in FIXED:
        return "the file, written again, still has it"
    if finding.defect in added_tokens.DEFECTS:
        return "which of the two is meant is for you to say: other texts would become it"
    return "mending it changes what texts become, or needs to know what is meant"


def fix(audited: AuditedFile, findings: Sequence[Finding]) -> Fix:
    """Return the file of ``audited``, in which there are ``findings``, mended."""
    fixable = [finding for finding in findings if finding.defect in FIXED]
    if not fixable:
        return Fix(left=tuple(findings), reason="there is nothing to mend whose meaning provably stays")
    if audited.asked is None:
        return Fix(left=tuple(findings), reason="the file is not loaded, so that nothing can be proven about it")
    if audited.parts.model.get("dropout"):
        return Fix(left=tuple(findings), reason="its answers are random (dropout), so that nothing can be proven")
    document = _without_repeats(audited, fixable)
    try:
        current = written(audited.documents.loaded(document, "the mended file"))
        mended = audited.documents.loaded(current, "the mended file")
        same_text = written(mended) == current
    except CannotLoadError as error:
        return Fix(left=tuple(findings), reason=f"the mended file is not loaded: {error}")
    if not same_text or mended.vocabulary() != audited.asked.vocabulary():
        return Fix(left=tuple(findings), reason="the mended file, saved again, is another one")
    asked, difference = _compared(audited, mended)
    if difference is not None:
        return Fix(left=tuple(findings), questions=asked, reason=f"the mended file answers otherwise: {difference}")
    text = json.dumps(current, ensure_ascii=False, indent=2) + "\n"
    still = _still_in(audited, text, current, mended)
    fixed = tuple(finding for finding in fixable if finding.defect not in still)
    left = tuple(finding for finding in findings if finding not in fixed)
    if not fixed:
        return Fix(left=left, questions=asked, reason="the file, written again, has the same findings")
    return Fix(text, fixed, left, asked)


def _still_in(audited: AuditedFile, text: str, document: Json, asked: Asked) -> set[Defect]:
    """Return the kinds of defects that the mended ``document`` still has."""
    mended = replace(audited, text=JsonText(text), document=document, asked=asked, saved=document)
    checks = (
        forms.check_forms,
        merges.check_merges,
        normalizers.check_normalizers,
        ids.check_ids,
        reading.check_repeated_keys,
    )
    return {finding.defect for check in checks for finding in check(mended)}


def _without_repeats(audited: AuditedFile, findings: Sequence[Finding]) -> Json:
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
