"""A process that looks at probes, ``python -m tokenizer_conformance.research.unicode_audit.worker``.

It is the other end of a pool (``command_io/worker_process.py``): set up with the implementation that is selected, and
each task is the number of a probe in the table of all.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.pickled_lines import program_of
from tokenizer_conformance.command_io.worker_process import serve
from tokenizer_conformance.research.unicode_audit.asking import Asking
from tokenizer_conformance.research.unicode_audit.behaviours import PROBES
from tokenizer_conformance.research.unicode_audit.looking import safely

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.protocol.launch import Program
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.research.unicode_audit.looking import Broken, CannotTell, Found


def program() -> Program:
    """Return the program that looks at probes."""
    return program_of("tokenizer_conformance.research.unicode_audit.worker", "a process that looks at characters")


def begin(selected: Selected) -> Callable[[int], Found | CannotTell | Broken]:
    """Return what looks at the probe of a number."""
    # The folder that documents are written to stays until this process ends.
    asking = ExitStack().enter_context(Asking(selected.build()))
    return lambda number: safely(asking, PROBES[number])


if __name__ == "__main__":
    serve(begin)
