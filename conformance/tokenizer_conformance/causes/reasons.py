"""Reasons: the class that explains a witness, with its proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.causes.cause import NO_REASON, Reason

if TYPE_CHECKING:
    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.witness import Witness


def reason_of(bench: Bench, witness: Witness) -> Reason:
    """Return the reason of ``witness``: the first class whose experiment proves it."""
    return NO_REASON
