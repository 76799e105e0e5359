"""Which documents `tokenizers` loads, asked in a process that may die of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import tokenizers
from lone_process import LoneProcess, ProcessLostError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DOCUMENTS_PER_CALL = 500
SECONDS_PER_CALL = 60.0


def loaded_by_target(documents: Sequence[bytes]) -> Iterator[bool]:
    """Tell of each of ``documents`` whether the target loads it; to panic, to die or never to end is to refuse."""
    with LoneProcess(SECONDS_PER_CALL) as process:
        for at in range(0, len(documents), DOCUMENTS_PER_CALL):
            yield from _answers(process, documents[at : at + DOCUMENTS_PER_CALL])


def _answers(process: LoneProcess, documents: Sequence[bytes]) -> list[bool]:
    """Return the answers; where the process is lost, the document at which that happens is found by halving."""
    try:
        return process.call(_all_loaded, documents)
    except ProcessLostError:
        if len(documents) == 1:
            return [False]
        middle = len(documents) // 2
        return _answers(process, documents[:middle]) + _answers(process, documents[middle:])


# In the process ------------------------------------------------------------------------------------------------------


def _all_loaded(documents: Sequence[bytes]) -> list[bool]:
    return [_is_loaded(document) for document in documents]


def _is_loaded(document: bytes) -> bool:
    try:
        tokenizers.Tokenizer.from_buffer(document)
    except Exception:
        return False
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # of no module that can be imported, and no Exception
            raise
        return False
    return True
