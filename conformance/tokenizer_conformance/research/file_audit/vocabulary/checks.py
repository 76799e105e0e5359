"""The checks of a vocabulary: what is decided about entries, merges and characters, as findings."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Decode, Text
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.comparison.document_parts import path_text
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.inputs.text_generators.document_parts import is_text
from tokenizer_conformance.research.file_audit.audited import MERGES, VOCABULARY, CutShort
from tokenizer_conformance.research.file_audit.finding import (
    FEW,
    Certainty,
    Example,
    FileCheck,
    FoundDefect,
    Witness,
    gathered,
)
from tokenizer_conformance.research.file_audit.vocabulary import defects
from tokenizer_conformance.research.file_audit.vocabulary.coverage import find_uncovered
from tokenizer_conformance.research.file_audit.vocabulary.entries import Purpose
from tokenizer_conformance.research.file_audit.vocabulary.proofs import Reason
from tokenizer_conformance.research.file_audit.vocabulary.reachability import Reached, reachability
from tokenizer_conformance.research.file_audit.vocabulary.witnesses import AFTER_A_LETTER, TextMaker

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.inputs.text_generators.document_parts import Merge
    from tokenizer_conformance.research.file_audit.audited import AuditedFile
    from tokenizer_conformance.research.file_audit.finding import Defect
    from tokenizer_conformance.research.file_audit.vocabulary.entries import Entry
    from tokenizer_conformance.research.file_audit.vocabulary.proofs import Blocked
    from tokenizer_conformance.research.file_audit.vocabulary.reachability import Decided, Reachability

REPLACEMENT = "\ufffd"
"""What bytes that are no character by themselves decode to: that many do says nothing."""

BATCH = 2000


def find_unreachable(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield what is found about entries and merges that no text needs."""
    if audited.asked is None or not audited.parts.tokens:
        return
    tell = partial(STATUS.begin, audited.tokenizer.source.name)
    found = reachability(
        audited.parts, audited.asked, audited.documents, tell, lambda: time.monotonic() > audited.until
    )
    audited.decided.update(found.counts())
    yield from _of_entries(audited, found)
    if left := found.not_looked_at():
        audited.cut_short.append(CutShort(f"whether a text gives {left:,} of {len(found.decided):,} entries"))
    if audited.is_over("merges that never apply, and entries that decode to one text"):
        return
    yield from _of_merges(audited, found)
    reached = [each for each in found.decided if isinstance(each.decision, Reached) and each.purpose == Purpose.TEXT]
    tell("comparing what entries decode to")
    yield from _of_texts(_same_texts(audited.asked, [each.entry for each in reached]))


# Entries -------------------------------------------------------------------------------------------------------------


def _of_entries(audited: AuditedFile, found: Reachability) -> Iterator[FoundDefect]:
    tell = _Telling(audited.unlimited, TextMaker(audited.parts, found.proofs))
    meant = [(each, blocked) for each, blocked in found.blocked() if each.purpose == Purpose.TEXT]
    reasons = list(Reason)
    meant.sort(key=lambda pair: reasons.index(pair[1].reason))
    for reason, group in groupby(meant, key=lambda pair: pair[1].reason):
        if reason in defects.BY_REASON:
            yield from tell.group(defects.BY_REASON[reason], list(group))
    free = [(each, blocked) for each, blocked in found.blocked() if each.purpose == Purpose.RESERVED]
    if free:
        yield tell.finding(defects.FREE, free)
    if missed := found.not_found():
        examples = tuple(
            Example(each.entry.path, f"none of {searched.tries} texts gives it") for each, searched in missed
        )
        tries = min(searched.tries for _, searched in missed)
        yield FoundDefect(
            defects.NOT_FOUND,
            _common_path(examples, VOCABULARY),
            f"no text was found that gives {_entries(len(missed))}, in {tries:,} tries or more for each",
            Certainty.SEARCHED,
            count=len(missed),
            examples=examples,
        )


@dataclass(frozen=True, slots=True)
class _Telling:
    """Makes findings of entries that no text gives, each with what comes of a text that has the characters of one."""

    audited: AuditedFile
    maker: TextMaker

    def group(self, defect: Defect, group: list[tuple[Decided, Blocked]]) -> Iterator[FoundDefect]:
        """Yield a finding for each of ``group``, or one for all where they are many."""
        yield from (
            [self.finding(defect, group)] if len(group) > FEW else (self.finding(defect, [each]) for each in group)
        )

    def finding(self, defect: Defect, group: Sequence[tuple[Decided, Blocked]]) -> FoundDefect:
        """Return one finding for all of ``group``."""
        examples = tuple(Example(each.entry.path, f"{quoted(each.entry.token)}: {why.because}") for each, why in group)
        is_one, witness = len(group) == 1, self._witness(group[0][0].entry)
        said = examples[0].message if is_one else _entries(len(group))
        return FoundDefect(
            defect,
            examples[0].path if is_one else defects.HOLDERS.get(defect, VOCABULARY),
            f"no text gives {said}",
            witness=witness,
            count=len(group),
            examples=() if is_one else examples,
        )

    def _witness(self, entry: Entry) -> Witness | None:
        """Return a text with the characters of ``entry``, rather one that is cut between them."""
        found = None
        for number in (0, AFTER_A_LETTER):
            text = next(iter(self.maker.first_texts(entry, number)), "")
            answer = self.audited.encoded(text) if text and is_text(text) else None
            tokens = () if answer is None else answer.tokens or ()
            if tokens and (found is None or len(tokens) > 1):
                found = Witness(f"{quoted(text)} becomes {' '.join(map(quoted, tokens))}", text)
            if len(tokens) > 1:
                break
        return found


def _common_path(examples: Sequence[Example], whole: Path) -> Path:
    """Return the path of the one example, or that of the ``whole`` where there are more."""
    return examples[0].path if len(examples) == 1 else whole


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count:,} entries"


# Merges --------------------------------------------------------------------------------------------------------------


def _of_merges(audited: AuditedFile, found: Reachability) -> Iterator[FoundDefect]:
    merging = found.proofs.merging
    if merging is None:
        return
    dead = []
    for pair, living in merging.dead():
        if audited.is_over(f"which merges never apply, from number {merging.ranks[pair]:,} on"):
            break
        dead.append((pair, living))
    for defect, group in (
        (defects.DEAD_MERGES, [(pair, living) for pair, living in dead if not living]),
        (defects.REDUNDANT_MERGES, [(pair, living) for pair, living in dead if living]),
    ):
        examples = [Example((*MERGES, merging.ranks[pair]), _dead_merge(pair, living)) for pair, living in group]
        yield from gathered(defect, MERGES, examples, f"{len(examples):,} merges never apply", most=None)


def _dead_merge(pair: Merge, living: list[Merge]) -> str:
    named = " + ".join(map(quoted, pair))
    if not living:
        return f"{named} never applies: earlier merges take its parts in every word"
    return f"{named} never applies: {' + '.join(map(quoted, living[0]))} always comes before it"


# Texts ---------------------------------------------------------------------------------------------------------------


def _of_texts(groups: Sequence[tuple[str, tuple[Path, ...]]]) -> Iterator[FoundDefect]:
    if not groups:
        return
    examples = tuple(Example(paths[0], _same_text(text, paths)) for text, paths in groups)
    count, said = len(groups), examples[0].message
    message = said if count == 1 else f"{count:,} texts have more than one entry, such as: {said}"
    yield FoundDefect(defects.SAME_TEXT, _common_path(examples, VOCABULARY), message, count=count, examples=examples)


def _same_text(text: str, paths: Sequence[Path]) -> str:
    return f"{len(paths)} entries decode to {quoted(text)}: {', '.join(map(path_text, paths))}"


def _same_texts(asked: Asked, entries: Sequence[Entry]) -> list[tuple[str, tuple[Path, ...]]]:
    """Return the texts that more than one of ``entries`` decode to, each with the places of these.

    Each is decoded after another one, for decoders treat the first token of a text in ways of their own.
    """
    by_text: defaultdict[str, list[Path]] = defaultdict(list)
    for begin in range(0, len(entries), BATCH):
        batch = entries[begin : begin + BATCH]
        questions = [Decode((entries[0].id, entry.id), skip_special_tokens=False) for entry in batch]
        asked.ask_ahead(questions)
        for question, entry in zip(questions, batch, strict=True):
            answer = asked.ask(question)
            if isinstance(answer, Text) and REPLACEMENT not in answer.text:
                by_text[answer.text].append(entry.path)
        asked.forget()
    first = asked.ask(Decode((entries[0].id,), skip_special_tokens=False)) if entries else None
    before = first.text if isinstance(first, Text) else ""
    return [(text.removeprefix(before), tuple(paths)) for text, paths in by_text.items() if len(paths) > 1]


CHECKS: tuple[FileCheck, ...] = (
    FileCheck("characters without an entry", (defects.MISSING_BYTES, defects.COVERAGE), find_uncovered),
    FileCheck("entries that no text gives", defects.OF_ENTRIES, find_unreachable),
)
"""What is looked for in a vocabulary."""
