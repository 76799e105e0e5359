"""An audit of files as checks: of each file every check, which fails for what the command fails for."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.escape import visible
from tokenizer_conformance.research.file_audit.checks_table import OF_CHAT, OF_FILES, READING
from tokenizer_conformance.research.file_audit.page import summary
from tokenizer_conformance.results.ci_results.check import Check, CheckOutcome, Level, Location, Problem, plain_rule
from tokenizer_conformance.results.ci_results.location import tokenizer_location
from tokenizer_conformance.results.records import file_audit as lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.research.file_audit.checks_table import Audit

CHECK_OF = {defect.id: check.name for check in (*OF_FILES.checks, *OF_CHAT.checks) for defect in check.defects}
"""The check that finds each kind of defect; those that are not here are found on reading."""

RULES = {
    each.id: plain_rule(each.id, each.title, each.explanation, each.remedy)
    for each in (*OF_FILES.defects, *OF_CHAT.defects)
}

NOT_DONE = "not done: not selected, not reached, or the file is no tokenizer"
UNFINISHED = "not looked at, or not to the end, within --time"

MOST_EXAMPLES = 5
"""How many places of a finding with many are shown; the record has more."""

LONGEST_WITNESS = 400
"""How many characters of a witness are shown."""


def checks_of(audit: Audit, tokenizers: Sequence[TokenizerFile], told: Sequence[object]) -> Iterator[Check]:
    """Yield the checks of ``tokenizers``, of which the lines of the record of ``audit`` have ``told``."""
    files: defaultdict[str, list[object]] = defaultdict(list)
    file = ""
    for line in told:
        if isinstance(line, lines.File):
            file = line.file
        files[file].append(line)
    for tokenizer in tokenizers:
        yield from _of_file(audit, tokenizer, files[tokenizer.source.file])


def _of_file(audit: Audit, tokenizer: TokenizerFile, told: Sequence[object]) -> Iterator[Check]:
    location = tokenizer_location(tokenizer)
    findings = [line for line in told if isinstance(line, lines.Finding)]
    audited = [line for line in told if isinstance(line, lines.Audited)]
    unfinished = {name for line in audited for name in line.unfinished}
    not_done = {name: why for line in audited for name, why in line.not_done.items()}
    done = {name for line in audited for name in line.checks} - unfinished - not_done.keys()
    for name in (READING, *(check.name for check in audit.checks)):
        found = [each for each in findings if CHECK_OF.get(each.defect, READING) == name]
        problems = tuple(_problem(each, location) for each in found if each.fails)
        outcome = CheckOutcome.PASSED if name in done else CheckOutcome.SKIPPED
        why = UNFINISHED if name in unfinished else not_done.get(name, NOT_DONE)
        yield Check(
            group=tokenizer.source.name,
            name=name,
            outcome=CheckOutcome.FAILED if problems else outcome,
            message="" if name in done or problems else why,
            problems=problems,
            remarks=tuple(_problem(each, location) for each in found if not each.fails),
            location=location,
        )


def _problem(line: lines.Finding, location: Location) -> Problem:
    said = visible(line.message) + (f" ({line.certainty})" if line.certainty == "searched" else "")
    return Problem(
        rule=RULES[line.defect],
        message=f"{line.path}: {said}",
        details=(*_details(line), f"fix: {visible(line.remedy)}"),
        location=Location(location.file, line.line),
        identity=line.path,
        level=Level(line.severity),
    )


def _details(line: lines.Finding) -> Iterator[str]:
    yield from (f"- {visible(example.path)}: {visible(example.message)}" for example in line.examples[:MOST_EXAMPLES])
    left = line.count - min(MOST_EXAMPLES, len(line.examples))
    if line.examples and left > 0:
        yield f"- and {left:,} more"
    yield from map(visible, line.details)
    if line.witness is not None:
        shown = visible(line.witness.result)
        yield f"witness: {shown if len(shown) <= LONGEST_WITNESS else f'{shown[:LONGEST_WITNESS]}…'}"


def ending(footer: lines.Footer) -> str:
    """Sum up the audit."""
    words = {
        Conclusion.CONFORM: "nothing to fail for",
        Conclusion.DIFFERENCES: "defects were found",
        Conclusion.INCOMPLETE: "not all that it fails for could be looked for",
    }
    return f"{words.get(footer.conclusion, footer.conclusion)}; {summary(footer)}"
