"""What a case of the truth bench is: a fault, the tokenizers that it reaches, and what may truly be said of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from planted.fakes import Fault, at_once

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_conformance.causes.cause import Reason

Statements = tuple[str, ...]
"""What is true of a fault: each is a class of reasons, or ``class: PATTERN`` for what the parameter must look like."""


@dataclass(frozen=True, slots=True)
class Case:
    """An implementation with the ``fault``, which is told in ``what``, on the tokenizers it is planted ``on``.

    ``said`` are the statements that name the fault; where there are none, no class of reasons is about it, and
    *unexplained* is the right answer. What is ``implied`` is true of it too, but does not name it: saying that is
    neither right nor wrong. On some tokenizers something else comes to the same (``same_on``). An implementation with
    two faults has both in ``parts``, and each must be named.

    One of ``ids_only`` shows nothing else; one that ``saves`` writes the tokenizer.json that it runs.
    """

    name: str
    group: str
    what: str
    fault: Fault
    on: tuple[str, ...]
    said: Statements = ()
    implied: Statements = ()
    ids_only: bool = False
    saves: bool = False
    parts: tuple[Case, ...] = ()
    same_on: Mapping[str, Statements] = field(default_factory=dict)

    @property
    def can_be_said(self) -> bool:
        """Whether any class of reasons is about the fault, or about each of both."""
        return all(part.said for part in self.parts or (self,))

    def said_on(self, tokenizer: str) -> Statements:
        """Return the statements that name the fault on ``tokenizer``."""
        return (*self.said, *self.same_on.get(tokenizer, ()))

    def is_true(self, reason: Reason, tokenizer: str) -> bool:
        """Return whether what ``reason`` says is true of the fault on ``tokenizer``."""
        parts = self.parts or (self,)
        return any(_says(each, reason) for part in parts for each in (*part.said_on(tokenizer), *part.implied))

    def is_named(self, reasons: list[Reason], tokenizer: str) -> bool:
        """Return whether ``reasons`` name the fault on ``tokenizer``, and both where there are two."""
        return all(
            any(_says(each, reason) for each in part.said_on(tokenizer) for reason in reasons)
            for part in self.parts or (self,)
        )


def pair_of(first: Case, second: Case, *on: str) -> Case:
    """Return the case of both faults in one implementation."""
    return Case(
        f"{first.name}+{second.name}",
        "pairs of faults",
        f"{first.what} {second.what}",
        at_once(first.fault, second.fault),
        on,
        parts=(first, second),
    )


def _says(statement: str, reason: Reason) -> bool:
    name, _, pattern = statement.partition(": ")
    return reason.name == name and (not pattern or fnmatchcase(reason.parameter.casefold(), pattern.casefold()))
