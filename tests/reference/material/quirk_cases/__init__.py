"""What shows each quirk, by the id of its requirement in the suite. Each case is asked of the target and the reference.

``python -m quirk_cases <id>`` asks the target in a process of its own, for quirks that kill it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from quirk_cases.cutting import ADDED_TOKENS, PRE_TOKENIZERS
from quirk_cases.decoding import DECODERS
from quirk_cases.encodings import ENCODINGS, PROCESSORS, TRUNCATION_AND_PADDING
from quirk_cases.files_and_python import FILES, PYTHON
from quirk_cases.models import MODELS
from quirk_cases.normalization import ALIGNED_TEXT, NORMALIZERS
from quirk_cases.regular_expressions import REGULAR_EXPRESSIONS
from quirk_cases.training import TRAINERS

if TYPE_CHECKING:
    from quirk_cases.case import Case

GROUPS: tuple[dict[str, Case], ...] = (
    ALIGNED_TEXT,
    NORMALIZERS,
    ADDED_TOKENS,
    PRE_TOKENIZERS,
    REGULAR_EXPRESSIONS,
    MODELS,
    ENCODINGS,
    TRUNCATION_AND_PADDING,
    PROCESSORS,
    DECODERS,
    TRAINERS,
    FILES,
    PYTHON,
)
CASES: dict[str, Case] = {id_: case for group in GROUPS for id_, case in group.items()}
