"""Running many cases, each in a process of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from power.children import Died, each_in_child

from planted.truth.judging import Judged, Verdict, judged
from planted.truth.results import Row
from planted.truth.tokenizers import file_of
from tokenizer_conformance.causes.record_forms import cause_of, cause_record
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.lazy import imported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import Any

    from planted.truth.case import Case
    from planted.truth.judging import Effort

SECONDS = 300.0
"""How much processor time a run may take."""

_Sent = tuple[Judged, "list[dict[str, Any]]"]
"""What is judged, as it goes from one process to another: its causes apart, as records have them."""


def results_of(pairs: Sequence[tuple[Case, str]], folder: Path, effort: Effort, jobs: int) -> Iterator[Row]:
    """Run each case on its tokenizer, ``jobs`` at a time, and yield the results as they come.

    Copies of tokenizers are made in ``folder``.
    """
    imported("tokenizer_conformance.causes.experiments:EXPERIMENTS")  # once, and not in each process
    builtin_inputs()
    files = {tokenizer: file_of(tokenizer, folder) for tokenizer in dict.fromkeys(name for _, name in pairs)}

    def sent(pair: tuple[Case, str]) -> _Sent:
        case, tokenizer = pair
        file = files[tokenizer]
        if file is None:
            return Judged(Verdict.NOT_RUN, why="the checkpoint is not here"), []
        try:
            found = judged(case, file, effort)
        except Exception as error:  # noqa: BLE001 - a bug of a case costs itself alone, and is said
            return Judged(Verdict.NOT_RUN, why=f"{type(error).__name__}: {error}"), []
        return replace(found, causes=()), list(map(cause_record, found.causes))

    for index, result in each_in_child(sent, pairs, jobs, SECONDS):
        yield Row(*pairs[index], _read(result))


def _read(result: _Sent | Died) -> Judged:
    if isinstance(result, Died):
        return Judged(Verdict.NOT_RUN, why=f"the process died: {result.how}")
    found, causes = result
    return replace(found, causes=tuple(map(cause_of, causes)))
