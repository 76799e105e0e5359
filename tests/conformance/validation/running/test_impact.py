"""Of whom no ids were compared it is not said how many inputs get other ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

import fake_implementations as fakes
import pytest

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.validation.running.events import TokenizerFinished

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance import Event

    EventsOf = Callable[..., list[Event]]


class WithSpecialTokensOnly(fakes.WrongSpecialToken):
    stages = frozenset({Stage.POST_PROCESS, Stage.DECODE})


@pytest.mark.parametrize(
    ("implementation", "is_known"),
    [(fakes.WrongSpecialToken, True), (WithSpecialTokensOnly, False), (fakes.Mute, False)],
)
def test_an_impact_is_known_where_ids_were_compared(
    events_of: EventsOf, implementation: type[fakes.Toy], is_known: bool
) -> None:
    (done,) = (event for event in events_of(implementation) if isinstance(event, TokenizerFinished))
    assert (done.results[0].impact is not None) is is_known
