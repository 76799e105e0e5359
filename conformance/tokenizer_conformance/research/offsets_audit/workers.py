"""Judging in several processes: each takes a batch of inputs at a time, and what comes of them keeps their order."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.side_by_side import side_by_side
from tokenizer_conformance.research.offsets_audit.gathered import Gathered
from tokenizer_conformance.research.offsets_audit.judge import Judge
from tokenizer_conformance.research.offsets_audit.loading import loaded_under_settings, read_document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokenizer_adapters.contract import Implementation
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.inputs.corpus import PairedInput
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile


@dataclass(frozen=True, slots=True)
class Task:
    """Inputs to ask about, of a ``tokenizer`` and an implementation, which is the one of this ``number``."""

    tokenizer: TokenizerFile
    number: int
    inputs: tuple[PairedInput, ...]


@contextmanager
def judging(selected: Sequence[Selected], jobs: int) -> Iterator[Callable[[Iterator[Task]], Iterator[Gathered]] | None]:
    """Yield what has tasks done in ``jobs`` processes, in order; ``None`` where all is done in this one."""
    if jobs == 1:
        yield None
        return
    with (
        tempfile.TemporaryDirectory() as folder,  # processes that are killed leave their files behind
        side_by_side(partial(_in_worker, selected, folder), jobs, "judges") as done,
    ):
        yield done


def _in_worker(selected: Sequence[Selected], folder: str) -> Callable[[Task], Gathered]:
    return _Judging(selected, folder).done


class _Judging:
    """Has one tokenizer loaded, by one implementation."""

    def __init__(self, selected: Sequence[Selected], folder: str) -> None:
        self._selected = selected
        self._folder = folder
        self._built: dict[int, Implementation] = {}
        self._stack = ExitStack()
        self._judge: tuple[TokenizerFile, int, Judge] | None = None

    def done(self, task: Task) -> Gathered:
        gathered = Gathered()
        gathered.take(task.inputs, self._judge_of(task))
        return gathered

    def _judge_of(self, task: Task) -> Judge:
        if self._judge is None or self._judge[:2] != (task.tokenizer, task.number):
            self._stack.close()
            if task.number not in self._built:
                self._built[task.number] = self._selected[task.number].build()
            document = read_document(task.tokenizer)
            loaded = self._stack.enter_context(loaded_under_settings(self._built[task.number], document, self._folder))
            self._judge = task.tokenizer, task.number, Judge(loaded, document)
        return self._judge[2]
