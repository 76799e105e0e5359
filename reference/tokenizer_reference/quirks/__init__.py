"""The quirk register: every oddity of the target that the reference knows of, one entry each, grouped by stage.

A quirk is what a reader of the documentation would not expect. The reference does the same as the target, unless
``choice`` says otherwise: where the target panics, dies or answers at random there is nothing to do the same as.

Each entry is pinned by the test that it names, which asks the target and the reference. ``reference/COMPONENTS.md`` is
generated from this table.

>>> [quirk.id for quirk in quirks_of("pre_tokenizers.FixedLength")]
['fixed-length-zero-panics']
"""

from __future__ import annotations

from typing import Final

from tokenizer_reference.quirks.cutting import ADDED_TOKENS, PRE_TOKENIZERS
from tokenizer_reference.quirks.decoding import DECODERS
from tokenizer_reference.quirks.encodings import ENCODINGS, PROCESSORS, TRUNCATION_AND_PADDING
from tokenizer_reference.quirks.files_and_python import FILES, PYTHON
from tokenizer_reference.quirks.models import MODELS
from tokenizer_reference.quirks.normalization import ALIGNED_TEXT, NORMALIZERS
from tokenizer_reference.quirks.quirk import SAME, Kind, Quirk
from tokenizer_reference.quirks.regular_expressions import REGULAR_EXPRESSIONS
from tokenizer_reference.quirks.training import TRAINERS

__all__ = ["QUIRKS", "SAME", "Kind", "Quirk", "quirks_of"]

QUIRKS: Final[tuple[Quirk, ...]] = (
    *ALIGNED_TEXT,
    *NORMALIZERS,
    *ADDED_TOKENS,
    *PRE_TOKENIZERS,
    *REGULAR_EXPRESSIONS,
    *MODELS,
    *ENCODINGS,
    *TRUNCATION_AND_PADDING,
    *PROCESSORS,
    *DECODERS,
    *TRAINERS,
    *FILES,
    *PYTHON,
)
"""All quirks, in the order of the pipeline; files and the Python interface come last."""


def quirks_of(component: str) -> tuple[Quirk, ...]:
    """Return the quirks of a component, which is named as in ``normalizers.Replace``; none for a name without any."""
    return tuple(quirk for quirk in QUIRKS if component in quirk.components)
