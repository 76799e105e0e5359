"""The hypothesis that a loader runs another pipeline than that of the file: it saves what it runs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import SavingSubject
from tokenizer_conformance.causes.classes.experiment import Offsets
from tokenizer_conformance.causes.classes.hypothesis import Hypothesis

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.causes.classes.experiment import Ground
    from tokenizer_conformance.causes.witness import Witness
    from tokenizer_conformance.comparison.reduction import Json

NAME = "pipeline-rebuilt-by-loader"

PARAMETERS = ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")

MOST_NAMED = 6
"""How many members are named in a parameter."""


def saved_pipelines(ground: Ground, witness: Witness) -> Iterator[Hypothesis]:
    """Suppose that the file that the implementation saves gives its answer in the reference."""
    subject = ground.trial.implementation.subject
    if not isinstance(subject, SavingSubject) or not ground.reference_is_baseline(witness.question):
        return
    if ground.saved is None:
        ground.saved = _saved(ground, subject)
    document, members = ground.saved
    if not members:
        return
    parameter = ", ".join(members[:MOST_NAMED]) + (", …" if len(members) > MOST_NAMED else "")
    reference = ground.reference((NAME, parameter), document)
    if reference is not None:
        yield Hypothesis(
            NAME,
            parameter,
            f"The implementation saves a tokenizer.json that differs in {parameter}; with this file in the reference",
            reference.ask,
            Offsets.OF_REFERENCE,
        )


def _saved(ground: Ground, subject: SavingSubject) -> tuple[Json, tuple[str, ...]]:
    """Return the document that ``subject`` saves, with the members in which it differs; none where it saves nothing."""
    try:
        text = subject.saved()
    except Exception:  # noqa: BLE001 - an adapter that breaks its contract saves nothing
        return {}, ()
    if not isinstance(text, str):
        return {}, ()
    unchanged = ground.whole_reference()
    own = unchanged.subject.saved() if unchanged is not None and isinstance(unchanged.subject, SavingSubject) else None
    if not isinstance(own, str):
        return {}, ()
    try:
        document, as_loaded = json.loads(text), json.loads(own)
    except ValueError:
        return {}, ()
    if not isinstance(document, dict):
        return {}, ()
    return document, tuple(differing_members(as_loaded, document))


def differing_members(one: Json, other: Json) -> Iterator[str]:
    """Give the names of the members in which two tokenizer.json differ, the options of a model one by one.

    >>> list(differing_members({"normalizer": None, "model": {"a": 1}}, {"normalizer": {}, "model": {"a": 2}}))
    ['normalizer', 'model.a']
    """
    yield from (key for key in (*PARAMETERS, "added_tokens") if _plain(one.get(key)) != _plain(other.get(key)))
    first, second = one.get("model") or {}, other.get("model") or {}
    for key in dict.fromkeys([*first, *second]):
        if _plain(first.get(key)) != _plain(second.get(key)):
            yield f"model.{key}"


def _plain(value: Any) -> Any:
    """Return ``value`` with merges as pairs: both forms of these say the same."""
    if isinstance(value, list) and value and isinstance(value[0], str):
        return [each.split(" ") if isinstance(each, str) else each for each in value]
    return value
