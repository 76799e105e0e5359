"""How a record ends."""

from __future__ import annotations

from dataclasses import dataclass

from tokenizer_conformance.command_io.conclusion import Conclusion


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: whether it came to its end, and its ``conclusion``; ``complaints`` say where it did not.

    A command that was killed, or is still at work, has not ended.
    """

    finished: bool = False
    conclusion: Conclusion = Conclusion.INTERRUPTED
    complaints: tuple[str, ...] = ()
