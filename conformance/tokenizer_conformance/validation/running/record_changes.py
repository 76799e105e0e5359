"""What is not the same in two headers of records, in words: why a run cannot go on with the record of another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Json = dict[str, Any]

ABSENT = "none"


def changes(then: Json, now: Json) -> list[str]:
    """Return what has changed from the header ``then`` to the header ``now``, a phrase for each change.

    >>> then = {"inputs": {"count": 1232, "sha256": "a"}, "seed": 0}
    >>> changes(then, {"inputs": {"count": 1240, "sha256": "b"}, "seed": 0})
    ['inputs: 1,232 then, 1,240 now']
    >>> changes(then, {"inputs": {"count": 1232, "sha256": "a", "sources": ["c"]}, "seed": 0})
    []

    Raises ``KeyError``, ``TypeError``, ``ValueError`` or ``AttributeError`` where ``then`` is no header.
    """
    return _told(CHANGES, then, now)


def changes_of_parts(one: Json, other: Json) -> list[str]:
    """Return what is not the same in the headers of two parts of a run, a phrase for each: none where they are of one.

    Raises what :func:`changes` does.
    """
    return _told(OF_PARTS, one, other)


def _told(table: Mapping[str, Callable[[Any, Any], Iterator[str]]], then: Json, now: Json) -> list[str]:
    then = {**OF_EARLIER_RELEASES, **then}
    return [
        phrase
        for key, phrases in table.items()
        if key in now and then.get(key) != now[key]
        for phrase in phrases(then[key], now[key])
    ]


OF_EARLIER_RELEASES: Json = {"ledgers": [], "shard": None, "repeats": None, "optional": [], "options": {}}
"""What the headers of earlier releases do not say."""


def _of_environment(then: Json, now: Json) -> Iterator[str]:
    if then["tokconf"] != now["tokconf"]:
        yield f"tokconf {then['tokconf']} then, {now['tokconf']} now"


def _of_implementations(then: list[Json], now: list[Json]) -> Iterator[str]:
    former, present = _by_name(then), _by_name(now)
    if list(former) != list(present):
        yield f"implementations: {_listed(former)} then, {_listed(present)} now"
    for name, is_ in present.items():
        was = former.get(name, is_)
        if was["version"] != is_["version"]:
            yield f"{name} {was['version']} then, {is_['version']} now"
        elif was != is_:
            shown = [key for key in is_ if was.get(key) != is_[key]]
            yield f"{name}: it shows other {_listed(shown)} now"


def _of_tokenizers(then: list[Json], now: list[Json]) -> Iterator[str]:
    former, present = _by_name(then), _by_name(now)
    if list(former) != list(present):
        yield f"tokenizers: {_listed(former)} then, {_listed(present)} now"
    for name, tokenizer in present.items():
        if name in former and former[name]["sha256"] != tokenizer["sha256"]:
            yield f"tokenizer {name}: its file has changed"


def _of_ledgers(then: list[Json], now: list[Json]) -> Iterator[str]:
    former, present = ([each["name"] for each in ledgers] for ledgers in (then, now))
    if former != present:
        yield f"ledgers: {_listed(former)} then, {_listed(present)} now"
        return
    for was, is_ in zip(then, now, strict=True):
        if was["sha256"] != is_["sha256"]:
            yield f"ledger {is_['name']}: its file has changed"


def _of_inputs(then: Json, now: Json) -> Iterator[str]:
    if (then["count"], then["sha256"]) == (now["count"], now["sha256"]):
        return  # an earlier release did not write down more
    if then["count"] == now["count"]:
        yield f"inputs: {now['count']:,} then and now, but not the same texts"
    else:
        yield f"inputs: {then['count']:,} then, {now['count']:,} now"


def _of_list(key: str) -> Callable[[Any, Any], Iterator[str]]:
    def phrases(then: list[str], now: list[str]) -> Iterator[str]:
        yield f"{key}: {_listed(then)} then, {_listed(now)} now"

    return phrases


def _of_value(key: str) -> Callable[[Any, Any], Iterator[str]]:
    def phrases(then: object, now: object) -> Iterator[str]:
        yield f"{key}: {then} then, {now} now"

    return phrases


def _of_flag(key: str) -> Callable[[Any, Any], Iterator[str]]:
    def phrases(then: object, _now: object) -> Iterator[str]:
        yield f"{key} then, not now" if then else f"{key} now, not then"

    return phrases


def _of_shard(then: Json | None, now: Json | None) -> Iterator[str]:
    yield f"{_part(then)} then, {_part(now)} now"


def _part(shard: Json | None) -> str:
    return "all inputs" if shard is None else f"part {shard['part']} of {shard['of']}"


def _of_repeats(then: Json | None, now: Json | None) -> Iterator[str]:
    names = [ABSENT if each is None else each["name"] for each in (then, now)]
    if names[0] == names[1]:
        yield f"--last-failed: {names[0]} has changed"
    else:
        yield f"--last-failed: {names[0]} then, {names[1]} now"


def _of_options(then: Json, now: Json) -> Iterator[str]:
    for name in dict.fromkeys((*then, *now)):
        if then.get(name) != now.get(name):
            yield f"--{name}: {_value(then.get(name))} then, {_value(now.get(name))} now"


def _value(value: object) -> str:
    if isinstance(value, list):
        return _listed(value)
    return ABSENT if value is None else str(value)


CHANGES: Mapping[str, Callable[[Any, Any], Iterator[str]]] = {
    "environment": _of_environment,
    "baseline": _of_value("baseline"),
    "implementations": _of_implementations,
    "tokenizers": _of_tokenizers,
    "inputs": _of_inputs,
    "ledgers": _of_ledgers,
    "stages": _of_list("stages"),
    "fields": _of_list("fields"),
    "every_id": _of_flag("--every-id"),
    "seed": _of_value("seed"),
    "shard": _of_shard,
    "repeats": _of_repeats,
}
"""What a run and the record it goes on with have in common, by the key of the header, and how its change is told."""

OF_PARTS: Mapping[str, Callable[[Any, Any], Iterator[str]]] = {
    **{key: phrases for key, phrases in CHANGES.items() if key != "shard"},
    "required": _of_list("--require"),
    "optional": _of_list("optional implementations"),
    "options": _of_options,
}
"""What all parts of a run have in common."""


def _by_name(entries: list[Json]) -> dict[str, Json]:
    return {str(entry["name"]): entry for entry in entries}


def _listed(names: Any) -> str:
    return ", ".join(map(str, names)) or ABSENT
