"""What may happen in every command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import EXIT_STATUS

if TYPE_CHECKING:
    from tokenizer_conformance.command_io.conclusion import Conclusion
    from tokenizer_conformance.command_io.environment import Environment
    from tokenizer_conformance.command_io.shard import Shard
    from tokenizer_conformance.rejected import Rejected


@dataclass(frozen=True, slots=True)
class InputRefused:
    """A tokenizer or a file of texts that was given cannot be used; the rest is done without it."""

    refusal: Rejected


@dataclass(frozen=True, slots=True)
class ImplementationMissing:
    """An implementation cannot be used on this machine; the run goes on without it.

    ``asked`` tells whether it was asked for by its name: only then is it a failure.
    """

    refusal: Rejected
    asked: bool = True


@dataclass(frozen=True, slots=True)
class MergedPart:
    """A part of a run that was merged into the record: ``name`` is that of its file.

    ``state`` says in words what of the part is missing; ``None`` where it is whole.
    """

    shard: Shard
    name: str
    environment: Environment
    state: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A command is over after ``seconds``; ``finished`` is false where it was stopped early.

    Each command has an event of its own for it, with what it has counted.
    """

    finished: bool
    conclusion: Conclusion
    seconds: float

    @property
    def exit_status(self) -> int:
        """The exit status of the command line."""
        return EXIT_STATUS[self.conclusion]


def is_last(event: object) -> bool:
    """Return whether ``event`` is the last one of a command."""
    return isinstance(event, Finished)
