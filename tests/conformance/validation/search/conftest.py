"""Searches of fakes that ask in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from searching import WORDS, here, side_of

from tokenizer_conformance.validation.search.engine import search
from tokenizer_conformance.validation.search.plan import Pairing, SearchPlan

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_implementations import Toy

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile


@pytest.fixture
def plan_of(toy_file: TokenizerFile) -> Callable[..., SearchPlan]:
    """A function that makes the plan of a search with fakes against the toy."""

    def plan(*implementations: type[Toy], **options: Any) -> SearchPlan:
        usual = {
            "baseline": side_of(fakes.Toy),
            "pairings": tuple(Pairing(toy_file, side_of(fake)) for fake in implementations),
            "seed": 1,
            "patience": 5.0,
            "cases": 400,
            "generators": (WORDS,),
        }
        return SearchPlan(**(usual | options))

    return plan


@pytest.fixture
def searched(plan_of: Callable[..., SearchPlan]) -> Callable[..., list[Any]]:
    """A function that searches with fakes, and returns all events."""

    def events(*implementations: type[Toy], **options: Any) -> list[Any]:
        return list(search(plan_of(*implementations, **options), here))

    return events
