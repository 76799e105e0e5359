"""Entries of ledgers as they stand in records: whole, so that a record can be understood without its ledger."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.ledger.answers import read, written
from tokenizer_conformance.ledger.entry import Entry, Place

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

Json = dict[str, Any]


def entry_record(entry: Entry) -> Json:
    """Return ``entry`` as it stands in a record; of the path of its file the name alone."""
    record = asdict(entry)
    place = record.pop("place")
    return {**record, "answers": list(written(entry.answers)), "place": {**place, "file": Path(place["file"]).name}}


def entries_in_play_record(entries: Iterable[Entry], reachable: Collection[Entry]) -> list[Json]:
    """Return ``entries`` as they stand in the record of a part of a run, with those that are ``reachable`` marked."""
    return [{**entry_record(entry), "is_reachable": entry in reachable} for entry in entries]


def entries_in_play_of(records: Iterable[Json]) -> tuple[tuple[Entry, ...], frozenset[Entry]]:
    """Return what :func:`entries_in_play_record` wrote. Raises ``KeyError`` or ``TypeError`` for anything else."""
    told = [(entry_of(record), bool(record["is_reachable"])) for record in records]
    return tuple(entry for entry, _ in told), frozenset(entry for entry, is_reachable in told if is_reachable)


def entry_of(record: Json) -> Entry:
    """Return the entry that :func:`entry_record` wrote. Raises ``KeyError`` or ``TypeError`` for anything else."""
    # What later releases have added to entries is missing in earlier records.
    values = {each.name: record[each.name] for each in fields(Entry) if each.name in record and each.name != "place"}
    lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    answers = read(record.get("answers", ()))
    return Entry(**{**values, **lists, "answers": answers}, place=Place(**record["place"]))
