"""The command that repeats one input of a run alone, so that whoever reads a finding can see it happen."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_conformance.inputs.text import Input

EVERY_ID = "every id"
"""The category of ids that are decoded alone."""


@dataclass(frozen=True, slots=True)
class Call:
    """How a run was called, as far as it matters for one input.

    ``tokenizers`` and ``implementations`` lead from names to the words that name them on a command line, ``sources``
    from the categories of inputs to the options that give them; the inputs of all other categories are built in.
    ``options`` are those that hold for every input.
    """

    tokenizers: Mapping[str, str] = field(default_factory=dict)
    implementations: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    options: tuple[str, ...] = ()

    def repeat(self, tokenizer: str, baseline: str, implementation: str, each: Input) -> str:
        """Return the command line that compares ``implementation`` with ``baseline`` on the input ``each`` alone."""
        words = ["tokconf", "run", self.tokenizers.get(tokenizer, tokenizer), "-i"]
        sides = [self.implementations.get(name, name) for name in (baseline, implementation)]
        words += [*sides, "--baseline", sides[0], *self.options]  # a class has no name before it is built
        if each.category == EVERY_ID:
            words.append("--every-id")
        elif each.category in self.sources:
            words += ["--no-builtin", *self.sources[each.category]]
        return shlex.join([*words, "--only", each.id])


@dataclass(frozen=True, slots=True)
class RepeatedDiff:
    """How a diff was called: the ``words`` of a command line that compares the same two sides."""

    words: tuple[str, ...]

    def repeat(self, _tokenizer: str, _baseline: str, _implementation: str, each: Input) -> str:
        """Return the command line that compares them on the input ``each`` alone."""
        return shlex.join([*self.words, "--only", each.id])


class Repeats(Protocol):
    """Knows the command line that shows a finding again."""

    def repeat(self, tokenizer: str, baseline: str, implementation: str, each: Input, /) -> str:
        """Return it."""
