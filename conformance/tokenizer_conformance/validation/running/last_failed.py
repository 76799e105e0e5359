"""What failed in the record of an earlier run, to be compared again, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.validation.running.events import DifferenceFound, InputsFailed, LoadFailed
from tokenizer_conformance.validation.running.repeating import EVERY_ID

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from tokenizer_conformance.inputs.corpus import Inputs
    from tokenizer_conformance.validation.running.recorded_run import RecordedRun

NAMES_ALL_SINCE = (1, 9)
"""The version of records since which they name every input that failed, and not examples only."""

Failed = dict[str, "set[str] | None"]
"""The ids of the inputs that failed, by the name of the tokenizer; ``None``: it could not be compared at all."""


def failed_in(recorded: RecordedRun, implementations: Collection[str]) -> Failed:
    """Return what failed in the run that was ``recorded``, for any of the ``implementations``.

    A tokenizer that was refused, or that an implementation did not load which had to, is to be compared whole.
    """
    failed: Failed = {}
    for event in recorded.events:
        match event:
            case InputRefused(refusal) if refusal.what == "tokenizer":
                failed[refusal.name] = None
            case LoadFailed(tokenizer, name, _) if name in implementations and name not in recorded.started.optional:
                failed[tokenizer] = None
            case InputsFailed(tokenizer, name, ids) if name in implementations:
                _add(failed, tokenizer, ids)
            case DifferenceFound(tokenizer, name, _, example) if name in implementations:
                _add(failed, tokenizer, (example.input.id,))
            case _:
                pass
    return failed


def _add(failed: Failed, tokenizer: str, ids: Collection[str]) -> None:
    there = failed.setdefault(tokenizer, set())
    if there is not None:
        there.update(ids)


def names_all(recorded: RecordedRun) -> bool:
    """Return whether the record names every input that failed, and not only examples of each finding."""
    major, minor = map(int, str(recorded.read.header["version"]).split("."))
    return (major, minor) >= NAMES_ALL_SINCE


def ids_not_there(failed: Mapping[str, set[str] | None], corpus: Inputs, *, with_ids: bool) -> list[str]:
    """Return the ids of inputs that ``failed`` and are not in ``corpus``, in the order in which they stand there.

    ``with_ids`` says that ids of the vocabulary are inputs too. Reads the corpus once.
    """
    wanted = dict.fromkeys(id_ for ids in failed.values() for id_ in sorted(ids or ()))
    for each in corpus:
        wanted.pop(each.input.id, None)
    return [id_ for id_ in wanted if not (with_ids and is_of_vocabulary(id_))]


def is_of_vocabulary(id_: str) -> bool:
    """Return whether ``id_`` is that of an id of the vocabulary that is decoded alone (the category ``EVERY_ID``).

    >>> is_of_vocabulary("id 7"), is_of_vocabulary("ideas.txt:7")
    (True, False)
    """
    word, _, number = id_.partition(" ")
    return word == EVERY_ID.split(" ")[1] and number.isdecimal()
