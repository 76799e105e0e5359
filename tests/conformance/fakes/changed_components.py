"""Loaders for the command line: one that replaces what no text shows, and two that load nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted_loaders import Json, PlantedLoader

from tokenizer_adapters.contract import CannotLoadError

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Subject, TokenizerSource


def _byte_fallback(given: Json) -> None:
    given["model"]["byte_fallback"] = True


def _nothing(_given: Json) -> None:
    pass


class Unseen(PlantedLoader):
    """It falls back to bytes, of which the vocabulary has none."""

    def __init__(self) -> None:
        super().__init__(_byte_fallback)


class Refusing(PlantedLoader):
    """It fails."""

    def __init__(self) -> None:
        super().__init__(_nothing)

    def load(self, source: TokenizerSource) -> Subject:
        raise CannotLoadError(f"planted cannot load {source.name}: no such class")


class WithoutAWay(Refusing):
    """It says that it has no way to."""

    def load(self, source: TokenizerSource) -> Subject:
        raise CannotLoadError(f"planted cannot load {source.name}: it loads no folders", unsupported=True)
