"""Lines between processes of one installation: a value each, pickled, in base64.

What reads them is a module of this package that runs as a program of its own (:func:`program_of`).
"""

from __future__ import annotations

import base64
import os
import pickle
import sys
from typing import Any

from tokenizer_adapters.protocol.launch import Program


def program_of(module: str, label: str) -> Program:
    """Return the program that runs ``module``, where all can be imported that can be imported here."""
    return Program(
        command=(sys.executable, "-P", "-m", module),
        label=label,
        # The backtraces of panics take longer to make than the work itself.
        environment={"PYTHONPATH": os.pathsep.join(sys.path), "RUST_BACKTRACE": "0"},
    )


def line_of(value: object) -> bytes:
    """Return the line that holds ``value``."""
    return line_of_pickled(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))


def line_of_pickled(pickled: bytes) -> bytes:
    """Return the line that holds a value which is ``pickled``."""
    return base64.b64encode(pickled) + b"\n"


def value_of(line: bytes) -> Any:
    """Return the value that ``line`` holds."""
    return pickle.loads(pickled_in(line))  # noqa: S301 - written by a process of this one


def pickled_in(line: bytes) -> bytes:
    """Return the value that ``line`` holds, pickled."""
    return base64.b64decode(line)
