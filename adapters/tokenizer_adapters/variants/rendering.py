"""The reference with other rules for chat templates: a renderer that does one thing differently, or a few."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING

from tokenizer_adapters.reference import load_with
from tokenizer_reference.chat import CHANGES, CONTRACT, RenderingRules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_adapters.contract import Subject, TokenizerSource

RENDERING_CHANGES: dict[str, str] = {change.name: change.words for change in CHANGES}
"""What a renderer may do differently, by name: what such a renderer does, as a verb and what goes with it."""


def load_renderer(source: TokenizerSource, *names: str) -> Subject:
    """Load ``source`` with a reference that renders with the changes called ``names``; without any, as it is.

    Raises :class:`CannotLoadError`, and :class:`KeyError` for a name that no change has.
    """
    return load_with(source, rules_with(names))


def rules_with(names: Iterable[str]) -> RenderingRules:
    """Return the rules of a renderer with the changes called ``names``."""
    rules = {change.name: change.rules for change in CHANGES}
    changed = {
        field.name: value
        for name in names
        for field in fields(RenderingRules)
        if (value := getattr(rules[name], field.name)) != getattr(CONTRACT, field.name)
    }
    return replace(CONTRACT, **changed)
