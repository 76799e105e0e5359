"""Faults of tokens that are added to a loaded tokenizer: flags that are not kept."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tokenizer_conformance.validation.vectors.faults.fault import AddedFault, FaultStage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import NewToken
    from tokenizer_conformance.validation.vectors.candidate import AboutAdded

TOKENS: tuple[tuple[str, Callable[[NewToken], NewToken]], ...] = (
    ("lstrip", lambda token: replace(token, lstrip=False)),
    ("rstrip", lambda token: replace(token, rstrip=False)),
    ("single_word", lambda token: replace(token, single_word=False)),
    ("normalized, where it is false,", lambda token: replace(token, normalized=True)),
    ("normalized, where it is true,", lambda token: replace(token, normalized=False)),
)


def _each(change: Callable[[NewToken], NewToken], asks: AboutAdded) -> AboutAdded:
    return replace(asks, added=tuple(map(change, asks.added)))


def added_faults() -> Iterator[AddedFault]:
    """Yield faults of tokens that are added later."""
    stage = FaultStage.ADDED_TOKENS
    for flag, change in TOKENS:
        yield AddedFault(stage, f"{flag} of a token that is added later is lost", partial(_each, change))
    yield AddedFault(stage, "tokens that are added later are not cut out", lambda asks: replace(asks, added=()))
    yield AddedFault(stage, "tokens that are added later are all special", lambda asks: replace(asks, special=True))
    yield AddedFault(stage, "no token that is added later is special", lambda asks: replace(asks, special=False))
    yield AddedFault(
        stage,
        "of tokens that are added later the last one goes first",
        lambda asks: replace(asks, added=asks.added[::-1]),
    )
    yield AddedFault(
        stage, "of tokens that are added later only the first is kept", lambda asks: replace(asks, added=asks.added[:1])
    )
