"""A diff that was interrupted before it began: its reports say so, and none of an earlier diff stays."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.releases.diff.events import Ending, Event, SidesCompared
from tokenizer_conformance.validation.running.concluding import INTERRUPTED
from tokenizer_conformance.validation.running.events import RunFinished, RunStarted

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

NOT_READ = "not read: the diff was interrupted before"
"""How a side is described of which nothing is known yet."""


def cut_short_diff(old: str, new: str | None, command: Sequence[str], seconds: float) -> Generator[Event]:
    """Yield what happens in a diff of ``old`` and ``new`` that an interrupt ends before it compares anything.

    Nothing is known of the sides, so the run has no implementations, tokenizers and inputs. It took ``seconds``.
    """
    yield Ending()
    yield SidesCompared(f"{old}: {NOT_READ}", f"{new or 'what answers now'}: {NOT_READ}")
    yield RunStarted(
        environment=current_environment(command),
        baseline="",
        implementations=(),
        tokenizers=(),
        inputs=0,
        inputs_sha256=hashlib.sha256().hexdigest(),
        stages=(),
        fields=(),
        every_id=False,
        seed=0,
    )
    yield RunFinished(
        finished=False,
        reason=INTERRUPTED,
        conclusion=Conclusion.INTERRUPTED,
        tokenizers=0,
        inputs=0,
        compared=0,
        differences=0,
        seconds=seconds,
    )
