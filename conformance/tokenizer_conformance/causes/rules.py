"""The classes of reasons as rules of checks: what a CI system shows beside a problem that is in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.causes.cause import UNEXPLAINED
from tokenizer_conformance.causes.classes.table import CLASSES_BY_NAME
from tokenizer_conformance.causes.wording import cause_lines, explained_in_short, titled, what_differs
from tokenizer_conformance.plural import counted
from tokenizer_conformance.results.ci_results.check import Problem, Rule

if TYPE_CHECKING:
    from tokenizer_conformance.causes.cause import Cause, Reason
    from tokenizer_conformance.results.ci_results.check import Location

UNEXPLAINED_RULE = Rule(
    UNEXPLAINED,
    "A difference that no class of reasons explains",
    (
        "No experiment proves why the answers differ.",
        "`tokconf explain` and `tokconf minimize` show more of an example.",
    ),
)


KNOWN_CHANGE_RULE = Rule(
    "known-change",
    "A difference between releases that a known change explains",
    ("`tokconf changes` lists the known changes, each with a program that shows it.",),
)


def rule_of(reason: Reason) -> Rule:
    """Return the rule for ``reason``: its class, with what that means, what proves it, and whose it is."""
    found = CLASSES_BY_NAME.get(reason.name)
    if found is None:
        return UNEXPLAINED_RULE
    acceptable = ("Both answers are right.",) if found.is_acceptable else ()
    help_lines = (found.meaning, *acceptable, f"Proven by: {found.proven_by}", f"It is {found.whose}.")
    return Rule(found.name, found.title, (*help_lines, f"More: tokconf classes {found.name}"))


def cause_problem(
    cause: Cause, baseline: str, repeat: str = "", *, location: Location | None = None, rule: Rule | None = None
) -> Problem:
    """Return ``cause`` as a problem of a check; ``repeat`` is the command that shows it again, where there is one.

    It is at ``location``, or where its check is. A ``rule`` goes before the class of its reason.
    """
    is_told = bool(cause.explained_by) and not cause.reason.is_proven  # by the known change, in place of a class
    told = titled(f"{what_differs(cause)} ({counted(cause.inputs, 'input')})", cause)
    known = "" if is_told else explained_in_short(cause.explained_by)
    return Problem(
        rule=rule or (KNOWN_CHANGE_RULE if is_told else rule_of(cause.reason)),
        message="; ".join(filter(None, (told, known))),
        details=tuple(cause_lines(cause, baseline)),
        repeat=repeat,
        location=location,
        identity=identity_of(cause),
    )


def identity_of(cause: Cause) -> str:
    """Return what ``cause`` has in every run: where its reason is proven that, else what its differences share."""
    if cause.reason.is_proven:
        return cause.reason.parameter
    signature = cause.signature
    manner = signature.manner
    parts = (manner.stage, manner.field, manner.verdict, manner.kind, manner.party, manner.detail)
    return "; ".join(str(part) for part in (*parts, signature.component, signature.characters, signature.context))
