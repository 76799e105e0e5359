"""The page of an audit of files: what is wrong with a tokenizer.json, where, and what to do about it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from msgspec.structs import asdict

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.inputs.conversations.conversation import spoken
from tokenizer_conformance.plural import counted, few
from tokenizer_conformance.research.file_audit.finding import Severity
from tokenizer_conformance.results.headlines import MOST_HEADLINES
from tokenizer_conformance.results.outcomes import ON_TOKENIZERS, Outcome, Outcomes, Result, Wording, listed
from tokenizer_conformance.results.page import (
    Answer,
    Cell,
    Compared,
    Drawing,
    Fact,
    Matrix,
    Novelty,
    Page,
    Section,
    Sentence,
    ShownFinding,
    State,
    Subject,
    Table,
)
from tokenizer_conformance.results.plots.plot import Bar, Bars, Tone
from tokenizer_conformance.results.recorded_page import (
    CUT_SHORT,
    STATES,
    PageReader,
    RecordedPage,
    environment_facts,
)
from tokenizer_conformance.results.records import file_audit as lines
from tokenizer_conformance.results.records.headers import Refused
from tokenizer_conformance.results.sentences import said_once

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_conformance.results.records.ending import Ended
    from tokenizer_conformance.results.records.value import Value

IS_OF_CHAT = re.compile("chat-").match
"""Whether a defect, by its id, is one of chat templates."""

OTHERS = "other defects"
"""The group of a defect that no check says it looks for."""


FILES = Wording(
    ("file", "files"),
    {
        **ON_TOKENIZERS.verbs,
        Result.DIFFERS: ("has something to mend", "have something to mend"),
        Result.NOT_LOADED: ("is not loaded", "are not loaded"),
        Result.NOTHING: ("is not looked through", "are not looked through"),
        Result.TOO_LITTLE: (
            "was looked through only in part within --time",
            "were looked through only in part within --time",
        ),
        Result.CONFORMS: ("has nothing to mend", "have nothing to mend"),
    },
)
"""What is said of files; what those have that have nothing to mend, their findings say."""


CELL_WORDS = {
    State.AGREE: ("nothing found", "nothing found"),
    State.ACCEPTABLE: ("", "something was found for which the command does not fail"),
    State.DIFFER: ("", "something was found for which it fails"),
    State.NOT_COMPARED: ("", "not all was looked at"),
}
"""What the signs mean where files are looked into; but for the first, the cells say it in words."""

NOTHING_FAILS = "nothing to fail for"


DECIDED: Final[Mapping[str, tuple[tuple[str, ...], Tone]]] = {
    "a text gives it": (("given",), Tone.AGREE),
    "no text gives it": (("never_given",), Tone.DIFFER),
    "reserved": (("reserved",), Tone.QUIET),
    "not known": (("not_found", "not_looked_at"), Tone.KNOWN),
}
"""What may be found of an entry, in words: the counts of a record that say it, and its colour."""


class FileAuditReader(PageReader[lines.Header]):
    """Reads the record of an audit of files."""

    def __init__(self, name: str, header: lines.Header) -> None:
        super().__init__(name, header)
        self._baseline = header.baseline.name
        self._defects = {each.id: each for each in header.defects}
        self._files: dict[str, lines.File] = {}
        self._audited: dict[str, lines.Audited] = {}
        self._findings: list[ShownFinding] = []
        self._mended: list[Section] = []
        self._footer: lines.Footer | None = None

    def take(self, line: Value) -> None:
        """Take in a ``line``."""
        match line:
            case Refused():
                self.complaints.append(line.reason)
            case lines.File():
                self._files[line.tokenizer] = line
            case lines.Finding():
                self._findings.append(self._finding(line, len(self._findings) + 1))
            case lines.Audited():
                self._take_audited(line)
            case lines.Fixed():
                self._mended.append(_mended(line))
            case lines.Footer():
                self._footer = line

    def _take_audited(self, line: lines.Audited) -> None:
        name = line.tokenizer
        self._audited[name] = line
        self.complaints += [f"{name}: not looked at within --time: {each}" for each in line.cut_short]
        if not line.loaded:
            self.complaints.append(
                f"{name}: the file is not loaded by {self._baseline}, so checks that need answers say nothing"
            )

    def _finding(self, line: lines.Finding, number: int) -> ShownFinding:
        tokenizer, defect = line.tokenizer, line.defect
        about = self._defects.get(defect)
        title = defect if about is None else about.title
        place = line.path
        if line.line is not None:
            place = f"{place}, line {line.line:,}"
        severity, fails = Severity(line.severity), line.fails
        witness = line.witness
        return ShownFinding(
            id=f"finding-{number}",
            group=f"{severity}s",
            headline=f"{severity.value} {defect}: {title}: {line.message}",
            implementation=self._baseline,
            tokenizer=tokenizer,
            reason=defect,
            standing=Novelty.NEW if fails else Novelty.ACCEPTABLE,
            count=line.count,
            impact=counted(line.count, "place") if line.count > 1 else "",
            subjects=() if witness is None else tuple(_subjects(witness)),
            answers=() if witness is None or witness.conversation else (_witnessed(self._baseline, witness),),
            lines=(*_result(line), *_examples(line), *line.details),
            explanation="" if about is None else about.explanation,
            facts=(
                Fact("severity", severity.value, is_detail=True),
                Fact("at", place),
                *(Fact("file", self._files[each].file, is_detail=True) for each in (tokenizer,) if each in self._files),
                Fact("certainty", line.certainty),
                Fact("fix", line.remedy or ("" if about is None else about.remedy)),
            ),
        )

    def page(self, ended: Ended) -> Page:
        """Return the page of the audit."""
        header = self._header
        order = [f"{severity}s" for severity in Severity]
        findings = tuple(sorted(self._findings, key=lambda each: order.index(each.group)))
        borne = dict.fromkeys(each.group for each in findings if each.standing is not Novelty.NEW)
        noted = f"{' or '.join(borne)} only"
        wording = replace(FILES, verbs={**FILES.verbs, Result.KNOWN: (f"has {noted}", f"have {noted}")})
        outcomes = Outcomes(tuple(self._outcomes()), wording)
        is_of_chat = any(map(IS_OF_CHAT, self._defects))
        is_in_part = ended.conclusion is Conclusion.CONFORM and outcomes.gravest is Result.TOO_LITTLE
        return Page(
            name=self._name,
            kind="audit of chat templates" if is_of_chat else "audit of files",
            title=f"{'Chat templates' if is_of_chat else 'Audit of files'}: {few(header.tokenizers, 'tokenizer')}",
            tokenizers=header.tokenizers,
            state=State.NOT_COMPARED if is_in_part else STATES[ended.conclusion],
            conclusion=ended.conclusion.value,
            summary=CUT_SHORT if self._footer is None else summary(self._footer),
            headline=outcomes.headline(ended),
            outcomes=outcomes,
            sentences=tuple(self._sentences()),
            facts=(*environment_facts(header.environment), *self._facts()),
            compared=(
                Compared(header.baseline.name, header.baseline.version, "baseline", header.baseline.language),
                *(Compared(each, role="tokenizer") for each in header.tokenizers),
            ),
            complaints=(*ended.complaints, *self.complaints),
            matrices=tuple(self._matrices()),
            headlines=tuple(each.id for each in findings if each.standing is Novelty.NEW)[:MOST_HEADLINES],
            findings=findings,
            counted="places",
            sections=(*self._pictures(), *self._mended, self._looked_for()),
        )

    def _outcomes(self) -> Iterator[Outcome]:
        """Yield what each file came to; of one whose audit did not finish what was found."""
        failing = {each.tokenizer for each in self._findings if each.standing is Novelty.NEW}
        noted = {each.tokenizer for each in self._findings}
        for name in self._files:
            audited = self._audited.get(name)
            held = {
                Result.DIFFERS: name in failing,
                Result.NOTHING: audited is None or (bool(audited.not_done) and name not in noted),
                Result.NOT_LOADED: audited is not None and not audited.loaded,
                Result.TOO_LITTLE: audited is not None and bool(audited.cut_short),
                Result.KNOWN: name in noted,
            }
            yield Outcome(name, "", next((each for each, holds in held.items() if holds), Result.CONFORMS))

    def _sentences(self) -> Iterator[Sentence]:
        """Say of each file whether it is sound, and what is the matter where it is not; the sound ones together."""
        sound: dict[str, str] = {}
        for name, line in self._audited.items():
            found = severity_counts(asdict(line.counts))
            fails = sum(each.standing is Novelty.NEW for each in self._findings if each.tokenizer == name)
            if line.cut_short or fails:
                verdict = f"{counted(fails, 'finding')} to fail for" if fails else NOTHING_FAILS
                left = ", in what could be looked at within --time" if line.cut_short else ""
                yield Sentence(f"{name}: {verdict} ({found}){left}.", (name,))
            else:
                sound[name] = found
        if sound:
            told = ", ".join(f"{name} ({found})" for name, found in sound.items())
            yield Sentence(f"{NOTHING_FAILS[0].upper()}{NOTHING_FAILS[1:]} in {told}.", tuple(sound))
        yield from (Sentence(reachable_words(name, counts), (name,)) for name, counts in self._vocabularies().items())
        unfinished = [name for name in self._files if name not in self._audited]
        yield from said_once((name, "the audit of this file did not finish.") for name in unfinished)

    def _vocabularies(self) -> dict[str, lines.Vocabulary]:
        """Return what was found of the entries of each vocabulary that has any."""
        found = {name: line.vocabulary for name, line in self._audited.items()}
        return {name: counts for name, counts in found.items() if counts is not None and any(asdict(counts).values())}

    def _pictures(self) -> Iterator[Section]:
        """Yield the picture of how much of each vocabulary a text can give, where that was decided of any."""
        known = {name: asdict(counts) for name, counts in self._vocabularies().items()}
        sums = {name: sum(counts.values()) for name, counts in known.items()}
        series = {
            label: tuple(Bar(100 * sum(counts[key] for key in keys) / sums[name]) for name, counts in known.items())
            for label, (keys, _) in DECIDED.items()
            if any(counts[key] for counts in known.values() for key in keys)
        }
        if series:
            tones = {label: tone for label, (_, tone) in DECIDED.items()}
            bars = Bars(
                "Entries of the vocabulary that a text gives", "% of the entries", tuple(known), series, True, tones
            )
            told = "Reserved are entries that no text is meant to give: slots, control tokens, bytes that no text has."
            yield Section("In pictures", drawings=(Drawing(bars, told),))

    def _facts(self) -> Iterator[Fact]:
        yield Fact("fails for", "nothing" if self._header.fail_on is None else f"{self._header.fail_on} and worse")
        yield Fact("defects looked for", f"{len(self._defects):,} kinds")
        for name, line in self._files.items():
            yield Fact("file", f"{name}: {line.file} (SHA-256 {line.sha256[:16]}…)", is_detail=True)

    # Matrix

    def _matrices(self) -> Iterator[Matrix]:
        groups: dict[str, set[str]] = {}
        for line in self._audited.values():
            named = (*line.checks.items(), *line.unfinished.items(), *((name, ()) for name in line.not_done))
            for name, defects in named:
                groups.setdefault(name, set()).update(defects)
        known = {defect for defects in groups.values() for defect in defects}
        others = {each.reason for each in self._findings} - known
        columns = {**groups, **({OTHERS: others} if others else {})}
        rows = tuple(
            (name, tuple(self._cell(name, group, defects) for group, defects in columns.items()))
            for name in self._files
        )
        if rows and columns:
            matrix = Matrix("Files and checks", "file", tuple(columns), rows, words=CELL_WORDS)
            yield matrix.turned("check") if len(rows) <= len(columns) else matrix

    def _cell(self, tokenizer: str, group: str, defects: set[str]) -> Cell:
        found = [each for each in self._findings if each.tokenizer == tokenizer and each.reason in defects]
        if found:
            fails = any(each.standing is Novelty.NEW for each in found)
            text = severity_counts({each: sum(one.group == f"{each}s" for one in found) for each in Severity})
            of = {"tokenizer": tokenizer} | ({"reason": found[0].reason} if len({e.reason for e in found}) == 1 else {})
            return Cell(State.DIFFER if fails else State.ACCEPTABLE, text, "; ".join(e.headline for e in found), of)
        audited = self._audited.get(tokenizer)
        if group == OTHERS:
            return Cell(State.AGREE, "")
        if audited is not None and group in audited.unfinished and group not in audited.cut_short:
            return Cell(
                State.NOT_COMPARED, "nothing found in a part", f"not looked for {listed(audited.unfinished[group])}"
            )
        if audited is not None and group in audited.not_done:
            return Cell(State.NOT_COMPARED, audited.not_done[group])
        if audited is None or group not in audited.checks:
            return Cell(State.NOT_COMPARED, "not looked at")
        return Cell(State.AGREE, "", f"looked for {counted(len(defects), 'kind')} of defects")

    def _looked_for(self) -> Section:
        rows = tuple(
            (name, each.severity, each.title, sum(one.reason == name for one in self._findings))
            for name, each in self._defects.items()
        )
        table = Table("Kinds of defects", ("defect", "severity", "title", "findings"), rows)
        return Section("What was looked for", tables=(table,), is_detail=True)


def severity_counts(counts: Mapping[str, int]) -> str:
    """Say how many findings there are of each severity.

    >>> severity_counts({"note": 2, "error": 1})
    '1 error, 2 notes'
    """
    found = [counted(counts[severity], severity) for severity in Severity if counts.get(severity)]
    return ", ".join(found) or "nothing found"


def reachable_words(name: str, counts: lines.Vocabulary) -> str:
    """Say how many entries of the vocabulary of the tokenizer called ``name`` a text gives, and what others are.

    >>> reachable_words("a", lines.Vocabulary(given=7, never_given=2, reserved=0, not_found=0, not_looked_at=1))
    'a: a text gives 7 of 10 entries of the vocabulary; no text gives 2; 1 was not looked at.'
    """
    others = (
        f"no text gives {counts.never_given:,}" if counts.never_given else "",
        f"{counts.reserved:,} {'is' if counts.reserved == 1 else 'are'} reserved" if counts.reserved else "",
        f"of {counts.not_found:,} nothing is known" if counts.not_found else "",
        f"{counts.not_looked_at:,} {'was' if counts.not_looked_at == 1 else 'were'} not looked at"
        if counts.not_looked_at
        else "",
    )
    whole = sum(asdict(counts).values())
    told = "every one" if counts.given == whole else f"{counts.given:,}"
    return (
        "; ".join([f"{name}: a text gives {told} of {whole:,} entries of the vocabulary", *filter(None, others)]) + "."
    )


def summary(footer: lines.Footer) -> str:
    """Say how many files were looked into, and what was found."""
    in_part = f" ({footer.in_part:,} of them in part)" if footer.in_part else ""
    files = f"{counted(footer.audited, 'file')} looked into{in_part}, {footer.failing:,} failing"
    return f"{files}; {severity_counts(asdict(footer.counts))}"


def _subjects(witness: lines.Witness) -> Iterator[Subject]:
    if witness.text is not None:
        yield Subject("text", witness.text, length=witness.length or len(witness.text))
    if witness.conversation is not None:
        for label, text in spoken(**json.loads(witness.conversation)):
            yield Subject(label, text, length=len(text))
    if witness.ids is not None:
        yield Subject("ids", ids=witness.ids, length=len(witness.ids))


def _result(line: lines.Finding) -> Iterator[str]:
    """Yield what came of a conversation, where nothing else says it."""
    witness, told = line.witness, (line.message, *(each.message for each in line.examples))
    if witness is not None and witness.conversation is not None and not any(witness.result in each for each in told):
        yield witness.result


def _witnessed(baseline: str, witness: lines.Witness) -> Answer:
    return Answer(baseline, text=witness.result, total=len(witness.result))


def _examples(line: lines.Finding) -> Iterator[str]:
    shown = line.examples
    yield from (each.message if each.path == line.path else f"{each.path}: {each.message}" for each in shown)
    left = line.count - len(shown)
    if shown and left > 0:
        yield f"and {left:,} more"


def _mended(line: lines.Fixed) -> Section:
    """Return what became of the findings when the file was to be mended."""
    tokenizer, target = line.tokenizer, line.target
    if target is None:
        sentence = f"nothing is written: {line.reason or 'there is nothing to mend'}"
    else:
        mended, same = counted(len(line.fixed), "finding"), counted(line.questions, "answer")
        sentence = f"{target} is written: {mended} mended; {same} of both files are the same"
    rows = (
        *(("mended", each.defect, each.path, "") for each in line.fixed),
        *(("left", each.defect, each.path, each.reason) for each in line.left),
    )
    table = Table("Mended and left", ("what", "defect", "path", "why"), rows)
    return Section(f"{tokenizer}, mended", (sentence,), tables=(table,) if rows else ())


FILE_AUDITS = RecordedPage("an audit of files", lines.FORMAT, FileAuditReader)
