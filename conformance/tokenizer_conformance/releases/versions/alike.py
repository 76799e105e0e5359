"""Changes that are one change under many names: the same words became the same others, or JSON got the same fields."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.escape import one_line
from tokenizer_conformance.releases.diff.loading_changes import document_changes
from tokenizer_conformance.releases.versions.sections.table import SuiteCases, requirement_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_conformance.results.records.versions import Fact, SectionChange

LONGEST_FACT = 160
"""So many characters of a name or a value are told on one line."""


@dataclass(frozen=True, slots=True)
class AlikeChanges:
    """Changes of a section between the same two releases, each from the same value to the same value, never none."""

    changes: tuple[SectionChange, ...]

    @property
    def first(self) -> SectionChange:
        """The change whose name comes first; it stands for the others."""
        return self.changes[0]

    @property
    def told(self) -> str:
        """What became what, in words."""
        return told(self.first)

    def line(self, reason: str = "") -> str:
        """Return one line about these changes, with the ``reason`` of the entry that knows them."""
        others = f" and {len(self.changes) - 1:,} more" if len(self.changes) > 1 else ""
        name, words = (one_line(text, limit=LONGEST_FACT) for text in (self.first.name, self.told))
        known = f" (known: {one_line(reason)})" if reason else ""
        return f"since {one_line(self.first.since)}: {name}{others}: {words}{known}"


def alike(section: str, changes: Iterable[SectionChange]) -> tuple[AlikeChanges, ...]:
    """Return ``changes`` of a section in groups of those that are alike, in the order in which their first ones come.

    Facts that came or went are alike only under one name: what came is told whole. What no ledger knows comes first.
    """
    groups: dict[object, list[SectionChange]] = {}
    for change in sorted(changes, key=lambda each: each.known is not None):
        name = change.name if change.old is None or change.new is None else ""
        groups.setdefault((change.until, change.since, _key(section, change), name, change.known), []).append(change)
    return tuple(AlikeChanges(tuple(group)) for group in groups.values())


def told(change: SectionChange) -> str:
    """Say what became what; of two JSON objects, which fields came, went and changed."""
    fields = _changed_fields(change)
    if fields:
        return fields
    old, new = ("nothing" if fact is None else fact.told for fact in (change.old, change.new))
    return f"{old} -> {new}"


def _key(section: str, change: SectionChange) -> str:
    """Return what alike changes share: values, fields that differ, or that a kind of JSON object was no value before.

    What kind that is, the first word of the name says: ``model``. Cases of the suite share requirement and verdicts.
    """
    values = [None if fact is None else fact.value for fact in (change.old, change.new)]
    if section == SuiteCases.name:
        return json.dumps([requirement_of(change.name), *(value and value.partition(":")[0] for value in values)])
    objects = [_object(fact) is not None for fact in (change.old, change.new)]
    if any(objects) and not all(objects):
        kind = change.name.split(" ", maxsplit=1)[0]
        return json.dumps([*("an object" if one else value for one, value in zip(objects, values, strict=True)), kind])
    return _changed_fields(change) or json.dumps(values)


def _changed_fields(change: SectionChange) -> str:
    """Return in words how the fields of two JSON objects differ; nothing, where one is none, or where none differ."""
    items = _changed_items(change)
    if items:
        return items
    old, new = _object(change.old), _object(change.new)
    if old is None or new is None:
        return ""
    came = [f"{name}={_json(new[name])} is new" for name in new if name not in old]
    went = [f"{name} is gone" for name in old if name not in new]
    changed = [
        f"{name}={_json(old[name])} -> {_json(new[name])}" for name in old if old[name] != new.get(name, old[name])
    ]
    return "; ".join([*came, *went, *changed])


def _changed_items(change: SectionChange) -> str:
    """Return in words where two JSON arrays of one length differ; nothing, where one is none."""
    old, new = _value(change.old), _value(change.new)
    if not isinstance(old, list) or not isinstance(new, list) or len(old) != len(new):
        return ""
    return "; ".join(f"{path.removeprefix('$')}={one} -> {other}" for path, one, other in document_changes(old, new))


def _object(fact: Fact | None) -> dict[str, Any] | None:
    value = _value(fact)
    return value if isinstance(value, dict) else None


def _value(fact: Fact | None) -> Any:
    try:
        return json.loads("null" if fact is None else fact.value)
    except ValueError:
        return None


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
