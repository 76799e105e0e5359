"""The experiments with variants of the reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.causes.classes.replaced_rules import replaced_rule
from tokenizer_conformance.causes.classes.score_ties import score_tie
from tokenizer_conformance.causes.classes.unicode_versions import unicode_version
from tokenizer_conformance.causes.classes.variant_study import Study

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.cause import Reason
    from tokenizer_conformance.causes.witness import Witness

STUDIES: tuple[Callable[[Study], Reason | None], ...] = (score_tie, unicode_version, replaced_rule)
"""What is looked for in the study of a witness, in this order."""


def explained_by_variant(bench: Bench, witness: Witness) -> Reason | None:
    """Prove that a variant of the reference is what the implementation does; the tokenizer is loaded once for all."""
    study = Study.of(bench, witness)
    found = () if study is None else (look(study) for look in STUDIES)
    return next((reason for reason in found if reason is not None), None)


VARIANT_EXPERIMENTS: tuple[Callable[[Bench, Witness], Reason | None], ...] = (explained_by_variant,)
