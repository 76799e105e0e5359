"""Places of components in a tokenizer.json, and changes of them that work on any copy of the file."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.comparison.document_parts import PARTS_OF_SEQUENCE
from tokenizer_conformance.validation.vectors.faults.fault import FaultStage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.validation.vectors.faults.fault import Json

STAGES: tuple[tuple[str, FaultStage], ...] = (
    ("normalizer", FaultStage.NORMALIZER),
    ("pre_tokenizer", FaultStage.PRE_TOKENIZER),
    ("post_processor", FaultStage.POST_PROCESSOR),
    ("decoder", FaultStage.DECODER),
)
"""The members of a tokenizer.json that hold components, with the stage of faults in them."""


def components(document: Json, member: str) -> Iterator[tuple[Path, Json]]:
    """Yield each component of ``member`` with its path, a sequence before its parts."""
    if isinstance(document.get(member), dict):
        yield from _inside(document[member], (member,))


def _inside(component: Json, path: Path) -> Iterator[tuple[Path, Json]]:
    yield path, component
    key = PARTS_OF_SEQUENCE[str(path[0])]
    for number, part in enumerate(component.get(key) or ()):
        yield from _inside(part, (*path, key, number))


def at(document: Json, path: Path) -> Any:
    """Return what is at ``path``."""
    found: Any = document
    for step in path:
        found = found[step]
    return found


def put(path: Path, value: Any) -> Callable[[Json], None]:
    """Return the change that puts ``value`` at ``path``."""

    def change(document: Json) -> None:
        at(document, path[:-1])[path[-1]] = copy.deepcopy(value)

    return change


def drop(path: Path) -> Callable[[Json], None]:
    """Return the change that takes away the component at ``path``: out of its list, or altogether."""

    def change(document: Json) -> None:
        holder, last = at(document, path[:-1]), path[-1]
        if isinstance(last, int):
            del holder[last]
        else:
            holder[last] = None

    return change


def swap(path: Path) -> Callable[[Json], None]:
    """Return the change that exchanges the entry of a list at ``path`` and the next one."""

    def change(document: Json) -> None:
        holder, number = at(document, path[:-1]), int(path[-1])
        holder[number], holder[number + 1] = holder[number + 1], holder[number]

    return change


def double(path: Path) -> Callable[[Json], None]:
    """Return the change that has the entry of a list at ``path`` twice."""

    def change(document: Json) -> None:
        at(document, path[:-1]).insert(path[-1], copy.deepcopy(at(document, path)))

    return change


def name_of(path: Path, component: Json) -> str:
    """Return how a component is called in words: its type, and its number where it is one of several.

    >>> name_of(("normalizer", "normalizers", 2), {"type": "NFKD"})
    'NFKD (normalizer 3)'
    """
    place = str(path[0]).replace("_", "-")
    number = f" {int(path[-1]) + 1}" if isinstance(path[-1], int) else ""
    return f"{component.get('type')} ({place}{number})"
