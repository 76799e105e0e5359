"""Where there is nothing that only POSIX has, everything can be imported, and programs run as they do elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tokenizer_adapters.contract import TokenizerSource

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples" / "protocol"

IMPORT_ALL = """
import importlib, pkgutil, tokenizer_adapters
for module in pkgutil.walk_packages(tokenizer_adapters.__path__, "tokenizer_adapters."):
    if not module.name.endswith("__main__") and "transformers" not in module.name:
        importlib.import_module(module.name)
"""

RUN = """
import sys
from tokenizer_adapters.contract import *
from tokenizer_adapters.protocol.client import ProcessImplementation
from tokenizer_adapters.protocol.launch import GUARDS, LIMITS_MEMORY, Program
from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.selection import Isolation, select
assert not GUARDS
assert not LIMITS_MEMORY
source = TokenizerSource("toy", sys.argv[1])
questions = [Encode("a b " * number, add_special_tokens=False) for number in range(300)]
here = select("tokenizers", Isolation()).build().load(source)
with select("tokenizers", Isolation()).start(Limits(memory=1 << 30)) as apart:
    assert observe_all(apart.load(source), questions) == observe_all(here, questions)
with ProcessImplementation(Program((sys.executable, "-I", "-S", sys.argv[2]), "words"), Limits(seconds=5)) as words:
    (answer,) = words.load(source).observe_all(questions[2:3])
    assert answer.ids == (6, 7, 6, 7), answer
hanging = "import sys, time; print(sys.stdin.readline()[:0] + 'x'); time.sleep(60)"
try:
    ProcessImplementation(Program((sys.executable, "-c", hanging), "it"), Limits(seconds=5))
except Exception as error:
    assert "a line that is not JSON" in str(error), error
"""


def without_posix(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``program`` in a Python that lacks what only POSIX has."""
    path = os.pathsep.join([str(HERE), *sys.path])
    return subprocess.run(
        [sys.executable, "-c", f"import hidden_posix\n{program}", *arguments],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.long
def test_every_module_can_be_imported() -> None:
    done = without_posix(IMPORT_ALL)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.long
def test_implementations_answer_here_and_in_processes_of_their_own(toy_source: TokenizerSource) -> None:
    done = without_posix(RUN, toy_source.file, str(EXAMPLES / "words.py"))
    assert (done.returncode, done.stderr) == (0, "")
