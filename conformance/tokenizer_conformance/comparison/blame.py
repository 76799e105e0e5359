"""Which stage is to blame: the first one at which an implementation differs from the baseline on a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Stage

if TYPE_CHECKING:
    from collections.abc import Collection

STAGE_ORDER: tuple[Stage, ...] = tuple(Stage)
"""The stages in the order in which text passes through them."""

BUILDS_ON: dict[Stage, frozenset[Stage]] = {
    Stage.NORMALIZE: frozenset(),
    Stage.PRE_TOKENIZE: frozenset(),
    Stage.MODEL: frozenset({Stage.NORMALIZE, Stage.PRE_TOKENIZE}),
    Stage.POST_PROCESS: frozenset({Stage.NORMALIZE, Stage.PRE_TOKENIZE, Stage.MODEL}),
    Stage.DECODE: frozenset(),
    Stage.CHAT: frozenset(),
}
"""The stages that an observation of each stage passed through before it.

The pre-tokenizer is asked about a text as it stands, and the decoder about the ids of the baseline: a difference there
is never the consequence of an earlier one.
"""


def first_differing(differing: Collection[Stage]) -> Stage | None:
    """Return the first of the stages that differ, ``None`` where none does.

    >>> first_differing({Stage.POST_PROCESS, Stage.MODEL})
    <Stage.MODEL: 'model'>
    """
    return next((stage for stage in STAGE_ORDER if stage in differing), None)


def consequence_of(stage: Stage, differing: Collection[Stage]) -> Stage | None:
    """Return the earlier stage of which a difference at ``stage`` is a consequence, ``None`` where it is its own.

    ``differing`` are the stages that differ on the texts of the observation.

    >>> consequence_of(Stage.POST_PROCESS, {Stage.NORMALIZE, Stage.POST_PROCESS})
    <Stage.NORMALIZE: 'normalize'>
    >>> consequence_of(Stage.DECODE, {Stage.NORMALIZE, Stage.DECODE}) is None
    True
    """
    return first_differing(BUILDS_ON[stage].intersection(differing))
