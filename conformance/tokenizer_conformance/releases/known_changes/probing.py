"""Asking a probe in the environment of a release: a program of its own, which can reach nothing of this project."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.releases.known_changes.reader import BUNDLED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_conformance.releases.known_changes.change import Answer, Probe

SECONDS = 300.0
"""How long a probe may take; most of it is the import of a library."""

_MARK = "tokconf-answer:"

_RUNNER = f"""
import json, warnings
warnings.simplefilter("ignore")
names = {{}}
try:
    exec(compile(open("probe.py", encoding="utf-8").read(), "probe.py", "exec"), names)
    answer = json.dumps(names["answer"])
except BaseException as error:
    answer = json.dumps({{"error": type(error).__name__ + ": " + " ".join(str(error).split())}})
print({_MARK!r} + answer)
"""

_ENVIRONMENT: Mapping[str, str] = {
    "HF_HUB_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "TRANSFORMERS_VERBOSITY": "error",
    "RUST_BACKTRACE": "0",
    "PYTHONUTF8": "1",
    "PATH": "/usr/bin:/bin",
}


class ProbeError(Exception):
    """A probe gave no answer; the message holds the end of what it wrote."""


def answer_of(probe: Probe, python: Path) -> Answer:
    """Return what ``probe`` finds with ``python``, the interpreter of a release's environment.

    An error of the program is its answer: ``{"error": "KIND: MESSAGE"}``. Raises :class:`ProbeError` where it gave
    none.
    """
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for name, content in {**probe.files, "probe.py": probe.program, "runner.py": _RUNNER}.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(_content(content), encoding="utf-8")
        try:
            done = subprocess.run(  # noqa: S603 - the interpreter that the caller names
                [str(python), "-I", "runner.py"],
                cwd=folder,
                env={**_ENVIRONMENT, "HOME": folder},
                capture_output=True,
                text=True,
                encoding="utf-8",
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise ProbeError(f"no answer within {SECONDS:g} s") from error
    lines = [line for line in done.stdout.splitlines() if line.startswith(_MARK)]
    if not lines:
        raise ProbeError(f"status {done.returncode}: {done.stderr[-500:]}")
    answer: Answer = json.loads(lines[-1].removeprefix(_MARK))
    return answer


def _content(content: str) -> str:
    if content.startswith(BUNDLED):
        return bundled_file(content.removeprefix(BUNDLED)).read_text("utf-8")
    return content
