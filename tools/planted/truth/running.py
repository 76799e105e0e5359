"""Running many cases, each in a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from power.children import Died, each_in_child

from planted.truth.judging import Judged, Verdict, judged
from planted.truth.results import line_of
from planted.truth.tokenizers import file_of
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.lazy import imported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from planted.truth.case import Case
    from planted.truth.judging import Effort
    from planted.truth.results import Json

SECONDS = 300.0
"""How much processor time a run may take."""


def lines_of_runs(pairs: Sequence[tuple[Case, str]], folder: Path, effort: Effort, jobs: int) -> Iterator[Json]:
    """Run each case on its tokenizer, ``jobs`` at a time, and yield the lines of the record as they come.

    Copies of tokenizers are made in ``folder``.
    """
    imported("tokenizer_conformance.causes.experiments:EXPERIMENTS")  # once, and not in each process
    builtin_inputs()
    files = {tokenizer: file_of(tokenizer, folder) for tokenizer in dict.fromkeys(name for _, name in pairs)}

    def line(pair: tuple[Case, str]) -> Json:
        case, tokenizer = pair
        file = files[tokenizer]
        if file is None:
            found = Judged(Verdict.NOT_RUN, why="the checkpoint is not here")
        else:
            try:
                found = judged(case, file, effort)
            except Exception as error:  # noqa: BLE001 - a bug of a case costs itself alone, and is said
                found = Judged(Verdict.NOT_RUN, why=f"{type(error).__name__}: {error}")
        return line_of(case.name, tokenizer, found)

    for index, result in each_in_child(line, pairs, jobs, SECONDS):
        if isinstance(result, Died):
            case, tokenizer = pairs[index]
            yield line_of(case.name, tokenizer, Judged(Verdict.NOT_RUN, why=f"the process died: {result.how}"))
        else:
            yield result
