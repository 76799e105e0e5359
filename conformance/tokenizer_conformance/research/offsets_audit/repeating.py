"""The command that repeats one input of an audit alone, so that whoever reads a finding can see it happen."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Call:
    """How an audit was called, as far as it matters for one input.

    ``tokenizers`` and ``implementations`` lead from names to the words that name them on a command line; ``options``
    are those that say where inputs come from.
    """

    tokenizers: Mapping[str, str] = field(default_factory=dict)
    implementations: Mapping[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()

    def repeat(self, tokenizer: str, implementation: str, input_id: str) -> str:
        """Return the command line that audits ``implementation`` on one input alone."""
        words = ["tokconf", "audit", "offsets", self.tokenizers.get(tokenizer, tokenizer)]
        words += ["-i", self.implementations.get(implementation, implementation)]
        return shlex.join([*words, *self.options, "--only", input_id])
