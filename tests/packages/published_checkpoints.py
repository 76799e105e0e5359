"""The published checkpoints as parameters of tests: one of each kind by default, and in CI the others, too.

To load one takes up to a second on each side.
"""

from __future__ import annotations

import pytest

BY_DEFAULT = frozenset({"albert-base-v1", "bert-base-uncased", "gpt2", "t5-small"})

PUBLISHED = tuple(
    name if name in BY_DEFAULT else pytest.param(name, marks=pytest.mark.long)
    for name in (
        *("albert-base-v1", "bert-base-cased", "bert-base-uncased", "camembert-base", "google-fnet-base", "gpt2"),
        *("roberta-base", "t5-small", "xlnet-base-cased"),
    )
)
