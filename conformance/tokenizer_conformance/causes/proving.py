"""What tries to prove why two answers differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.classes.hypothesis import Candidate
    from tokenizer_conformance.causes.witness import Witness


Experiment = Callable[["Bench", "Witness"], "Iterable[Candidate]"]
"""Gives the reasons of one kind that are borne out for a witness, the simplest first."""
