"""What can be wrong in every command, whatever it compares; what differs has rules of its causes or requirements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.ledger.reader import KNOWN, known_ledger
from tokenizer_conformance.results.ci_results.check import Check, CheckOutcome, Problem, plain_rule
from tokenizer_conformance.results.ci_results.location import located, packaged, tokenizer_location

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.rejected import Rejected
    from tokenizer_conformance.results.ci_results.check import Location, Rule
    from tokenizer_conformance.results.records.headers import Refused

NOT_LOADED = plain_rule(
    "not-loaded",
    "An implementation does not load the tokenizer",
    "Nothing is compared where a side cannot load the file. The message is the implementation's own.",
)
NO_ANSWER = plain_rule(
    "no-answer",
    "An implementation gave no answer",
    "It crashed, gave no answer in time (--timeout), or broke the line protocol. No values stood side by side.",
)
UNSTABLE = plain_rule(
    "unstable",
    "Asked again, an implementation answers otherwise",
    "An answer differed, and was another one when the same question was put again. That is no difference to rely on.",
)
TOO_LITTLE = plain_rule(
    "too-little-answered",
    "Too little was answered",
    "Of the questions about what an implementation says it shows (or --require asks for), 99 % have to be answered.",
)
NOT_SHOWN_ANY_MORE = plain_rule(
    "not-shown-any-more",
    "What was shown is not shown any more",
    "The same implementation answered these questions when the snapshot was made, and now says that it cannot.",
)
STALE = plain_rule(
    "stale-ledger-entry",
    "An entry of a ledger is stale",
    "All that the entry is about was compared, and does not differ as it says. Take the entry out, or narrow its "
    "`version` to what it was true of.",
)
UNUSABLE = plain_rule(
    "unusable",
    "Something that was given cannot be used",
    "The rest of the run was done without it. The message says what is wrong, and what to do.",
)
UNAVAILABLE = plain_rule(
    "implementation-missing",
    "An implementation that was asked for is not there",
    "`tokconf implementations` says why, and how to install it.",
)

OTHER_VOCABULARY = plain_rule(
    "vocabulary-changed",
    "The vocabulary is another one",
    "Tokens, or the ids that they have, are others, added tokens among them: ids that were stored before may mean "
    "something else now.",
)

GIVEN = "what was given"
"""The group of the checks about what was asked for and cannot be used."""


LOAD = "load"
"""The name of the check that an implementation loads a tokenizer."""


def group_of(implementation: str, tokenizer: str) -> str:
    """Return the group of the checks of ``implementation`` on ``tokenizer``."""
    return f"{implementation} on {tokenizer}"


def load_check(
    info: ImplementationInfo,
    baseline: ImplementationInfo,
    tokenizer: TokenizerFile,
    reason: str | None,
    *,
    is_needed: bool = True,
    details: tuple[str, ...] = (),
) -> Check:
    """Return the check that the implementation ``info`` loads ``tokenizer``; ``reason`` says why it does not.

    Where it need not load every tokenizer (``is_needed`` is false), it is skipped. ``details`` are said besides.
    """
    name = tokenizer.source.name
    problem = Problem(rule=NOT_LOADED, message=f"{info.name} {info.version} does not load {name}: {reason}")
    is_wrong = reason is not None and is_needed
    outcome = CheckOutcome.PASSED if reason is None else CheckOutcome.SKIPPED
    return Check(
        group=group_of(info.name, name),
        name=LOAD,
        outcome=CheckOutcome.ERROR if is_wrong else outcome,
        message=reason or "",
        details=details,
        problems=(problem,) if is_wrong else (),
        location=tokenizer_location(tokenizer),
        properties={"version": info.version, "baseline": f"{baseline.name} {baseline.version}"},
    )


def unusable_check(refusal: Rejected | Refused, *, rule: Rule = UNUSABLE, is_asked: bool = True) -> Check:
    """Return the check about something that cannot be used; it fails nothing where nobody asked for it by name."""
    name = f"{refusal.what} {refusal.name}".strip()
    if not is_asked:
        return Check(group=GIVEN, name=name, outcome=CheckOutcome.SKIPPED, message=refusal.reason)
    problem = Problem(rule=rule, message=refusal.reason)
    return Check(group=GIVEN, name=name, outcome=CheckOutcome.ERROR, problems=(problem,))


def stale_check(entry: Entry, message: str) -> Check:
    """Return the failed check about an ``entry`` of a ledger that is stale, which ``message`` says."""
    problem = Problem(rule=STALE, message=message, details=(f"its reason: {entry.reason}",), identity=entry.reason)
    return Check(
        group=f"ledger {entry.place.file}",
        name=f"entry {entry.place.number} ({entry.implementation})",
        outcome=CheckOutcome.FAILED,
        problems=(problem,),
        location=ledger_location(entry),
    )


def ledger_location(entry: Entry) -> Location:
    """Return where ``entry`` stands."""
    if entry.place.file == KNOWN and entry in known_ledger().entries:
        return packaged("ledger", KNOWN, line=entry.place.line)
    return located(entry.place.file, entry.place.line)
