"""The checks of a vocabulary: what is decided about entries, merges and characters, as findings."""

from __future__ import annotations

from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.file_audit.file_check import FileCheck
from tokenizer_conformance.research.file_audit.finding import FEW, Certainty, Example, Finding, Witness, path_text
from tokenizer_conformance.research.file_audit.vocabulary import defects
from tokenizer_conformance.research.file_audit.vocabulary.coverage import missing_bytes, unknown
from tokenizer_conformance.research.file_audit.vocabulary.entries import Purpose
from tokenizer_conformance.research.file_audit.vocabulary.proofs import Reason
from tokenizer_conformance.research.file_audit.vocabulary.reachability import Reached, reachability
from tokenizer_conformance.research.file_audit.vocabulary.same_text import same_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.inputs.text_generators.document_parts import Merge
    from tokenizer_conformance.research.file_audit.audited import AuditedFile
    from tokenizer_conformance.research.file_audit.finding import Defect
    from tokenizer_conformance.research.file_audit.vocabulary.proofs import Blocked
    from tokenizer_conformance.research.file_audit.vocabulary.reachability import Decided, Reachability

VOCABULARY: Path = ("model", "vocab")
MERGES: Path = ("model", "merges")


def find_unreachable(audited: AuditedFile) -> Iterator[Finding]:
    """Yield what is found about entries and merges that no text needs."""
    if audited.asked is None or not audited.parts.tokens:
        return
    tell = partial(STATUS.begin, audited.tokenizer.source.name)
    found = reachability(audited.parts, audited.asked, audited.documents, tell)
    yield from _of_entries(audited, found)
    yield from _of_merges(found)
    reached = [each for each in found.decided if isinstance(each.decision, Reached) and each.purpose == Purpose.TEXT]
    tell("comparing what entries decode to")
    yield from _of_texts(same_texts(audited.asked, [each.entry for each in reached]))


# Entries -------------------------------------------------------------------------------------------------------------


def _of_entries(audited: AuditedFile, found: Reachability) -> Iterator[Finding]:
    meant = [(each, blocked) for each, blocked in found.blocked() if each.purpose == Purpose.TEXT]
    others = [(each, blocked) for each, blocked in found.blocked() if each.purpose != Purpose.TEXT]
    texts = sum(each.purpose == Purpose.TEXT for each in found.decided)
    reasons = list(Reason)
    meant.sort(key=lambda pair: reasons.index(pair[1].reason))
    for reason, group in groupby(meant, key=lambda pair: pair[1].reason):
        yield from _of_reason(audited, reason, list(group), texts)
    if others:
        yield _finding(defects.NOT_MEANT, others, "no text gives", details=_purposes(others))
    if missed := found.not_found():
        examples = tuple(
            Example(each.entry.path, f"none of {searched.tries} texts gives it") for each, searched in missed
        )
        tries = min(searched.tries for _, searched in missed)
        yield Finding(
            defects.NOT_FOUND,
            _common_path(examples, VOCABULARY),
            f"no text was found that gives {_entries(len(missed))}, in {tries:,} tries or more for each",
            Certainty.SEARCHED,
            count=len(missed),
            examples=examples,
        )


def _of_reason(
    audited: AuditedFile, reason: Reason, group: list[tuple[Decided, Blocked]], texts: int
) -> Iterator[Finding]:
    if reason in defects.UNFIT and len(group) >= max(2, defects.UNFIT_SHARE * texts):
        defect, stage = defects.UNFIT[reason]
        if audited.document.get(stage) is not None:
            share = f"{len(group) / texts:.0%} of the entries for texts: no text gives"
            yield _finding(defect, group, share, path=(stage,))
            return
    if reason not in defects.BY_REASON:
        return
    if len(group) > FEW:
        yield _finding(defects.BY_REASON[reason], group, "no text gives")
    else:
        yield from (_finding(defects.BY_REASON[reason], [each], "no text gives") for each in group)


def _finding(
    defect: Defect,
    group: Sequence[tuple[Decided, Blocked]],
    says: str,
    *,
    path: Path | None = None,
    details: tuple[str, ...] = (),
) -> Finding:
    examples = tuple(Example(each.entry.path, f"{quoted(each.entry.token)}: {why.because}") for each, why in group)
    if len(group) == 1:
        return Finding(defect, path or examples[0].path, f"{says} {examples[0].message}", details=details)
    message = f"{says} {_entries(len(group))}"
    return Finding(defect, path or VOCABULARY, message, count=len(group), examples=examples, details=details)


def _common_path(examples: Sequence[Example], whole: Path) -> Path:
    """Return the path of the one example, or that of the ``whole`` where there are more."""
    return examples[0].path if len(examples) == 1 else whole


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count:,} entries"


def _purposes(group: Sequence[tuple[Decided, Blocked]]) -> tuple[str, ...]:
    """Say how many there are of each purpose."""
    named = sorted(str(each.purpose) for each, _ in group)
    return tuple(f"{purpose}: {len(list(same)):,}" for purpose, same in groupby(named))


# Merges --------------------------------------------------------------------------------------------------------------


def _of_merges(found: Reachability) -> Iterator[Finding]:
    merging = found.proofs.merging
    if merging is None:
        return
    dead = list(merging.dead())
    for defect, group in (
        (defects.DEAD_MERGES, [(pair, living) for pair, living in dead if not living]),
        (defects.REDUNDANT_MERGES, [(pair, living) for pair, living in dead if living]),
    ):
        examples = [Example((*MERGES, merging.ranks[pair]), _dead_merge(pair, living)) for pair, living in group]
        if len(examples) > FEW:
            message = f"{len(examples):,} merges never apply"
            yield Finding(defect, MERGES, message, count=len(examples), examples=tuple(examples))
        else:
            yield from (Finding(defect, example.path, example.message) for example in examples)


def _dead_merge(pair: Merge, living: list[Merge]) -> str:
    named = " + ".join(map(quoted, pair))
    if not living:
        return f"{named} never applies: earlier merges take its parts in every word"
    return f"{named} never applies: {' + '.join(map(quoted, living[0]))} always comes before it"


# Texts and characters ------------------------------------------------------------------------------------------------


def _of_texts(groups: Sequence[tuple[str, tuple[Path, ...]]]) -> Iterator[Finding]:
    if not groups:
        return
    examples = tuple(Example(paths[0], _same_text(text, paths)) for text, paths in groups)
    count, said = len(groups), examples[0].message
    message = said if count == 1 else f"{count:,} texts have more than one entry, such as: {said}"
    yield Finding(defects.SAME_TEXT, _common_path(examples, VOCABULARY), message, count=count, examples=examples)


def _same_text(text: str, paths: Sequence[Path]) -> str:
    return f"{len(paths)} entries decode to {quoted(text)}: {', '.join(map(path_text, paths))}"


def find_uncovered(audited: AuditedFile) -> Iterator[Finding]:
    """Yield what is found about bytes and characters that have no entry."""
    if audited.asked is None or not audited.parts.tokens:
        return
    parts, asked = audited.parts, audited.asked
    STATUS.begin(audited.tokenizer.source.name, "asking for characters without an entry")
    lost = missing_bytes(parts, asked)
    if lost is not None:
        witness = Witness(lost.result, lost.text)
        yield Finding(defects.MISSING_BYTES, VOCABULARY, lost.message, witness=witness, count=lost.count)
    shares = unknown(parts, asked)
    if shares is not None:
        yield Finding(defects.COVERAGE, VOCABULARY, shares.message, count=shares.unknown, details=shares.details)


CHECKS: tuple[FileCheck, ...] = (
    FileCheck(
        "entries that no text gives",
        tuple(
            dict.fromkeys(
                (
                    *defects.BY_REASON.values(),
                    *(defect for defect, _ in defects.UNFIT.values()),
                    defects.NOT_FOUND,
                    defects.DEAD_MERGES,
                    defects.REDUNDANT_MERGES,
                    defects.SAME_TEXT,
                )
            )
        ),
        find_unreachable,
    ),
    FileCheck("characters without an entry", (defects.MISSING_BYTES, defects.COVERAGE), find_uncovered),
)
"""What is looked for in a vocabulary."""
