"""The experiments with variants of the reference, in the order in which they are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.causes.classes.replaced_rules import replaced_rule
from tokenizer_conformance.causes.classes.score_ties import score_tie
from tokenizer_conformance.causes.classes.unicode_versions import unicode_version

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.cause import Reason
    from tokenizer_conformance.causes.witness import Witness

VARIANT_EXPERIMENTS: tuple[Callable[[Bench, Witness], Reason | None], ...] = (
    score_tie,
    unicode_version,
    replaced_rule,
)
