"""What a tokenizer.json is made of, read without trust: what is missing or odd is left out."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeGuard

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

STAGES = ("normalizer", "pre_tokenizer", "post_processor", "decoder")
MEMBERS = ("normalizers", "pretokenizers", "processors", "decoders")
"""The members that hold the components of a sequence, stage by stage."""

MOST_KEPT = 4
"""How many documents are kept with what was read of them."""

Merge = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Component:
    """A component with the ``stage`` it stands in, its ``type``, and its ``members`` as they stand."""

    stage: str
    type: str
    members: Mapping[str, Any]


class DocumentParts:
    """The parts of one ``document``. It is not changed while this is in use."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document

    @cached_property
    def components(self) -> tuple[Component, ...]:
        """All components in their order, those of sequences one by one."""
        return tuple(each for stage in STAGES for each in _components(stage, self.document.get(stage)))

    def of_type(self, *types: str) -> tuple[Component, ...]:
        """Return the components of ``types``."""
        return tuple(component for component in self.components if component.type in types)

    @cached_property
    def model(self) -> Mapping[str, Any]:
        """The model; empty without one."""
        return _mapping(self.document.get("model"))

    @cached_property
    def model_type(self) -> str:
        """The type of the model; older files do not name it, and it is told by what else is there."""
        named = self.model.get("type")
        if isinstance(named, str):
            return named
        if "merges" in self.model:
            return "BPE"
        if isinstance(self.model.get("vocab"), list):
            return "Unigram"
        return "WordPiece" if "max_input_chars_per_word" in self.model else "WordLevel"

    @cached_property
    def scores(self) -> dict[str, float]:
        """The pieces of a Unigram model with their scores; empty for other models."""
        vocabulary = self.model.get("vocab")
        if not isinstance(vocabulary, list):
            return {}
        scores: dict[str, float] = {}
        for row in vocabulary:
            if isinstance(row, list | tuple) and len(row) == 2 and is_text(row[0]) and _is_number(row[1]):
                scores.setdefault(row[0], float(row[1]))
        return scores

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The entries of the model's vocabulary, as they stand."""
        vocabulary = self.model.get("vocab")
        if isinstance(vocabulary, list):
            return tuple(self.scores)
        return tuple(token for token in _mapping(vocabulary) if is_text(token))

    @cached_property
    def ranks(self) -> dict[Merge, int]:
        """The merges of a BPE model with their ranks, in order."""
        merges = self.model.get("merges")
        rows = enumerate(merges if isinstance(merges, list) else ())
        return {merge: rank for rank, row in rows for merge in _merge(row)}

    @cached_property
    def added_tokens(self) -> tuple[Mapping[str, Any], ...]:
        """The added tokens that have a content, as they stand."""
        rows = self.document.get("added_tokens")
        return tuple(
            row
            for row in (rows if isinstance(rows, list) else ())
            if isinstance(row, dict) and is_text(row.get("content")) and row["content"]
        )

    def text_option(self, name: str) -> str:
        """Return the text that the model has as ``name``; an empty one where it has none."""
        value = self.model.get(name)
        return value if is_text(value) else ""


_kept: OrderedDict[int, DocumentParts] = OrderedDict()


def parts_of(document: Mapping[str, Any]) -> DocumentParts:
    """Return the parts of ``document``; those of the last few documents are kept, and taken for unchanged."""
    kept = _kept.get(id(document))
    # An id is given again when its object is gone; what is kept holds its document, so that it is the same one.
    if kept is None or kept.document is not document:
        kept = _kept[id(document)] = DocumentParts(document)
    _kept.move_to_end(id(document))
    while len(_kept) > MOST_KEPT:
        _kept.popitem(last=False)
    return kept


def is_text(value: object) -> TypeGuard[str]:
    """Return whether ``value`` is a text that an implementation can be asked about: one without lone surrogates."""
    return isinstance(value, str) and (value.isascii() or not any("\ud800" <= each <= "\udfff" for each in value))


def count_in(member: object, most: int) -> int | None:
    """Return ``member`` if it is a whole number from 1 to ``most``."""
    return member if isinstance(member, int) and not isinstance(member, bool) and 1 <= member <= most else None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _components(stage: str, value: object) -> Iterator[Component]:
    waiting = [value]
    while waiting:
        members = _mapping(waiting.pop())
        if isinstance(members.get("type"), str):
            yield Component(stage, members["type"], members)
        for name in MEMBERS:
            inner = members.get(name)
            if isinstance(inner, list):
                waiting.extend(reversed(inner))


def _merge(row: object) -> Iterator[Merge]:
    """Yield the two parts of a merge, written as a list or as text with a space between; nothing if it is neither."""
    parts = row.split(" ") if isinstance(row, str) else row
    if isinstance(parts, list | tuple) and len(parts) == 2 and all(is_text(part) and part for part in parts):
        yield parts[0], parts[1]
