"""One finding, asked for again and made small."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_conformance.causes.minimizing import Budget, minimized_document, minimized_question

if TYPE_CHECKING:
    from collections.abc import Collection

    from tokenizer_adapters.contract import Observation, TokenizerSource
    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.witness import Manner, Witness
    from tokenizer_conformance.comparison.reduction import Json


@dataclass(frozen=True, slots=True)
class SmallFinding:
    """A witness ``before``, with its question made small (``asked``), and with a small tokenizer.json too (``after``).

    ``takes_documents`` is false where the implementation reads other files than the tokenizer.json, which then stays as
    it is. ``bytes_before`` is the size of the user's tokenizer.json. ``is_another``: the answers differ, but in another
    manner than in the record.
    """

    before: Witness
    asked: Witness
    after: Witness
    takes_documents: bool
    bytes_before: int
    checks: int
    seconds: float
    is_another: bool = False


@dataclass(frozen=True, slots=True)
class Gone:
    """The answers to the question do not differ any more, or not for their own sake."""

    question: Observation


def minimize(
    bench: Bench,
    source: TokenizerSource,
    question: Observation,
    manners: Collection[Manner],
    budget: Budget,
    document: Json | None = None,
) -> SmallFinding | Gone:
    """Ask ``question`` about the tokenizer of ``source`` again, and make what it shows small.

    Where a ``document`` is given, the question is about that in the place of the file.

    ``manners`` are those in which the answers differed. Half of the ``budget`` is for the question, and what is left
    for the tokenizer.json. Raises :class:`CannotLoadError` where a side refuses the tokenizer, and ``OSError``.
    """
    began = time.monotonic()
    checks = 0

    def count() -> None:
        nonlocal checks
        checks += 1

    trial = bench.trial(source) if document is None else bench.trial_of(source, document)
    seen = None if trial is None else trial.witness(question)
    if trial is None or seen is None:
        return Gone(question)
    before = replace(seen, source=source, document=document)
    asked = minimized_question(trial, before, Budget(budget.seconds / 2, budget.checks), count)
    left = budget.seconds - (time.monotonic() - began)
    after = asked
    if trial.takes_documents and left > 0:
        after = minimized_document(bench, asked, Budget(left, budget.checks), count)
    return SmallFinding(
        before,
        asked,
        after,
        trial.takes_documents,
        Path(source.file).stat().st_size,
        checks,
        time.monotonic() - began,
        before.manner not in manners,
    )
