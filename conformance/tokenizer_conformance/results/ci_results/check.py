"""What a command has checked, check by check, in the words that CI systems have for it.

A :class:`Check` is one thing that holds or does not: a stage of an implementation on a tokenizer, a requirement, an
entry of a ledger. Names are the same in every run, so that a CI system can tell what failed before from what fails
anew. What is wrong with a check are its *problems*, each of one :class:`Rule`. All text may be hostile: the writers
escape it (:func:`~tokenizer_conformance.escape.visible`), so nobody has to do so here.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tokenizer_conformance.command_io.environment import Environment
    from tokenizer_conformance.command_io.events import Finished
    from tokenizer_conformance.results.records import headers


class CheckOutcome(StrEnum):
    """The result of a check.

    ``KNOWN``: something is wrong, and a ledger says so; it fails nothing. ``SKIPPED``: nothing can be said, and the
    check's message says why. ``ERROR``: there was no answer to judge.
    """

    ERROR = "error"
    FAILED = "failed"
    KNOWN = "known"
    SKIPPED = "skipped"
    PASSED = "passed"

    @property
    def is_wrong(self) -> bool:
        """Whether the command fails for it."""
        return self in _WRONG


_WRONG = frozenset({CheckOutcome.ERROR, CheckOutcome.FAILED})


class Level(StrEnum):
    """How bad a problem is, as code scanners have it."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Rule:
    """What is broken where a problem is: an ``id`` for ever, a ``title`` in a few words, and lines that ``help``."""

    id: str
    title: str
    help: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Location:
    """A place: ``file`` as :func:`~.location.located` names it, and ``line``, from 1."""

    file: str
    line: int | None = None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong with a check.

    ``message`` is one line, ``details`` are the lines that show it, ``repeat`` is the command that shows it again.
    Without a ``location`` it is at that of its check. Two problems of one check with one rule and one ``identity`` are
    the same problem in two runs; what changes from run to run (counts, times) must not stand in it. By default it is
    empty: of each rule there is one problem in a check. ``level`` is how bad it is.
    """

    rule: Rule
    message: str
    details: tuple[str, ...] = ()
    repeat: str = ""
    location: Location | None = None
    identity: str = ""
    level: Level = Level.ERROR

    def lines(self) -> Iterator[str]:
        """Yield the whole of it: message, details, and how to repeat it."""
        yield self.message
        yield from self.details
        if self.repeat:
            yield f"repeat: {self.repeat}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check, called ``name`` in its ``group``, which together no other check of the command is.

    ``message`` and ``details`` say why it was skipped, or what is known of it. ``problems`` are what is wrong: at least
    one where it failed, and none else. ``remarks`` are what is worth knowing and fails nothing, whatever its outcome.
    ``properties`` are facts about it by name. ``seconds`` it took, where known. Raises ``ValueError`` where outcome and
    problems contradict each other.
    """

    group: str
    name: str
    outcome: CheckOutcome
    message: str = ""
    details: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    remarks: tuple[Problem, ...] = ()
    location: Location | None = None
    properties: Mapping[str, str] = field(default_factory=dict)
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.outcome.is_wrong != bool(self.problems):
            raise ValueError(f"check {self.group!r}, {self.name!r}: {self.outcome} with {len(self.problems)} problems")

    def place_of(self, problem: Problem) -> Location | None:
        """Return where ``problem`` is."""
        return problem.location or self.location

    def lines_of(self, problem: Problem) -> Iterator[str]:
        """Yield all there is to say about ``problem``: its rule, itself, and where it is."""
        yield f"{problem.rule.id}: {problem.rule.title}"
        yield from problem.lines()
        place = self.place_of(problem)
        if place is not None:
            yield f"at {place}"

    def fingerprint(self, problem: Problem) -> str:
        """Return what is the same for ``problem`` in every run, 16 hexadecimal digits."""
        parts = (problem.rule.id, self.group, self.name, problem.identity)
        told = "".join(f"{len(part)}:{part}" for part in parts)
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def judged(
    problems: tuple[Problem, ...], known: tuple[str, ...], skipped: str = ""
) -> tuple[CheckOutcome, str, tuple[str, ...]]:
    """Return the outcome of a check that has ``problems``, its message, and its details.

    What is ``known`` is told beside them, or stands for itself. Where there is neither, the check passes, or is skipped
    for a reason.
    """
    if problems:
        return CheckOutcome.FAILED, "", known
    if known:
        return CheckOutcome.KNOWN, known[0], known[1:]
    return (CheckOutcome.SKIPPED if skipped else CheckOutcome.PASSED), skipped, ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRun:
    """All that one run of a command has checked.

    ``title`` names the command (``tokconf run``). ``conclusion`` is that of the command in words, with its
    ``exit_status``; ``finished`` is false where it was cut short. ``notes`` are lines that belong to no check.
    """

    title: str
    environment: Environment | headers.Environment
    checks: tuple[Check, ...]
    conclusion: str
    exit_status: int
    finished: bool
    seconds: float
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        finished: Finished,
        *,
        title: str,
        environment: Environment | headers.Environment,
        checks: Iterable[Check],
        conclusion: str,
        notes: tuple[str, ...] = (),
    ) -> Self:
        """Return what a command has checked that is ``finished``."""
        return cls(
            title=title,
            environment=environment,
            checks=tuple(checks),
            conclusion=conclusion,
            exit_status=finished.exit_status,
            finished=finished.finished,
            seconds=finished.seconds,
            notes=notes,
        )

    def wrong(self) -> Iterator[Check]:
        """Yield the checks for which the command fails."""
        return (check for check in self.checks if check.outcome.is_wrong)

    def counts(self) -> Counter[CheckOutcome]:
        """Count the checks by outcome."""
        return Counter(check.outcome for check in self.checks)


def plain_rule(id: str, title: str, *help: str) -> Rule:
    """Return a rule with these lines of help."""
    return Rule(id, title, help)


CONCLUSION = "the run and its conclusion"
"""The group of the check that every run has, about the run as a whole."""

_NOT_FINISHED = plain_rule(
    "not-finished",
    "The run was cut short",
    "What was compared until then is reported; of what was not reached nothing is said. Run it again, or go on with it "
    "(--resume) where there is a record.",
)
_NOT_CONFORMING = plain_rule(
    "no-conclusion",
    "The run shows no conformity",
    "Nothing that was checked is wrong, and the run fails all the same: nothing was compared, something that was given "
    "cannot be used, or tokconf itself failed. The conclusion says which.",
)


def with_conclusion(run: CheckedRun) -> CheckedRun:
    """Return ``run`` with a check about its end, so that a run that fails has a check that does, and no other one.

    It is an error where the run was cut short, or fails although no other check does.
    """
    rule = _NOT_FINISHED
    message = f"{run.conclusion}; exit status {run.exit_status}"
    is_wrong = not run.finished
    if run.finished and run.exit_status:
        rule, is_wrong = _NOT_CONFORMING, not any(run.wrong())
    check = Check(
        group=CONCLUSION,
        name="finished",
        outcome=CheckOutcome.ERROR if is_wrong else CheckOutcome.PASSED,
        message=message,
        problems=(Problem(rule=rule, message=message),) if is_wrong else (),
        seconds=run.seconds,
    )
    return replace(run, checks=(*run.checks, check))
