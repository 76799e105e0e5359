"""Recording which lines of the packages a process runs, by ``coverage``.

Each process that has ``power/at_start`` on its path starts a recorder of its own. A process that a test starts or forks
writes what it has run as it ends, for the part of a test that its environment names at that time. A process that is
killed, or that Python is started for without its environment, tells nothing.
"""

from __future__ import annotations

import atexit
import json
import os
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn
from uuid import uuid4

import coverage

from power.process_lines import CONTEXT, FOLDER, SOURCES, recorders

if TYPE_CHECKING:
    from power.process_lines import Lines

_FORKED = "forked"


class Recorder:
    """Records the lines of the files below ``folders`` that this process runs, by contexts."""

    def __init__(self, folders: list[str]) -> None:
        include = [f"{folder}/*" for folder in folders]
        self._coverage = coverage.Coverage(data_file=None, config_file=False, include=include)
        self._coverage.set_option("run:core", "ctrace")  # the other one knows no contexts
        self._writes = True
        self._context = ""

    def start(self) -> None:
        """Record from now on, in processes that are forked as well."""
        self._coverage.start()
        os.register_at_fork(after_in_child=self._forked)
        atexit.register(self._write)
        end = os._exit

        def written(status: int) -> NoReturn:
            self._write()
            end(status)

        os._exit = written

    def record_for(self, context: str) -> None:
        """Have what is run from now on recorded for ``context``."""
        self._context = context
        self._coverage.switch_context(context)

    def by_context(self) -> dict[str, Lines]:
        """Return the lines that were run for each context; this process has to tell them then."""
        self._writes = False
        data = self._coverage.get_data()
        found: dict[str, Lines] = defaultdict(dict)
        for file in data.measured_files():
            for line, contexts in data.contexts_by_lineno(file).items():
                for context in contexts:
                    found[context].setdefault(file, []).append(line)
        return found

    def _forked(self) -> None:
        # What was recorded before stays with the process that it was forked from.
        self._writes = True
        self.record_for(_FORKED)

    def _write(self) -> None:
        if not self._writes:
            return
        with suppress(Exception):  # a process ends as it would without this
            found = self.by_context()
            lines = found.get(_FORKED if self._context == _FORKED else "", {})
            file = Path(os.environ[FOLDER], f"{os.getpid()}-{uuid4().hex}.part")
            file.write_text(json.dumps([os.environ.get(CONTEXT, ""), lines]), encoding="utf-8")
            file.rename(file.with_suffix(".json"))


def start() -> None:
    """Start the recorder of this process."""
    recorder = Recorder(os.environ[SOURCES].split(os.pathsep))
    recorder.start()
    recorders.append(recorder)
