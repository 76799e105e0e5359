"""The recipes of the suite, a module for each part of the pipeline; :data:`AREAS` has them in the order of reading."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from requirements.recipe import Area

MODULES = (
    "normalizers",
    "precompiled",
    "pre_tokenizers",
    "split_patterns",
    "models",
    "unigram",
    "added_tokens",
    "processors",
    "truncation",
    "padding",
    "inputs",
    "decoders",
    "files",
    "pipelines",
    "combined",
    "chats",
)
"""The modules with recipes, in the order in which the specification reads."""


def areas(modules: tuple[str, ...] = MODULES) -> tuple[Area, ...]:
    """Return the areas of ``modules``, each of which names its own in ``AREAS``."""
    return tuple(area for module in modules for area in importlib.import_module(f"requirements.{module}").AREAS)
