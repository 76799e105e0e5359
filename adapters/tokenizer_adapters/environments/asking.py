"""Asking the package of a release itself, by a program that its own Python runs in isolation, without the protocol.

The programs (:class:`Asks`) lie in ``programs`` and import nothing of this project.
"""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.environments.commands import carried_out
from tokenizer_adapters.environments.faults import EnvironmentFaultError, InstallerError, WordError
from tokenizer_adapters.environments.packages import HEAVY, served
from tokenizer_adapters.environments.pinned import VARIABLES, pinned
from tokenizer_adapters.environments.words import is_range, is_release
from tokenizer_adapters.protocol.launch import ending
from tokenizer_adapters.registry import selectable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PROGRAMS = Path(__file__).with_name("programs")

DETERMINED = {**VARIABLES, "PYTHONHASHSEED": "0", "TOKENIZERS_PARALLELISM": "true", "TRANSFORMERS_VERBOSITY": "error"}
"""What is set for the programs, so that they say the same again."""


class Asks(StrEnum):
    """What a program asks for."""

    INTERFACE = "interface"
    SPEED = "speed"


class NoAnswerError(EnvironmentFaultError):
    """A program ended without an answer. The message is one line that says how."""


def module_of(word: str) -> str:
    """Return the module that is imported of the package that ``word``, a release or a registered name, belongs to.

    Raises :class:`WordError` where it belongs to no package that has releases.
    """
    if word in selectable():
        return served(word).module
    if not is_release(word) or is_range(word):
        raise WordError(f"{word!r} is no release of a package, nor an implementation of one that is installed")
    return pinned(word).served.module


def python_of(word: str) -> Path:
    """Return the Python that has the release ``word``: that of its environment, which has to be there; else this one.

    Raises :class:`WordError`.
    """
    module_of(word)
    return Path(sys.executable) if word in selectable() and word not in HEAVY else pinned(word).python


def asked(
    word: str,
    asks: Asks,
    arguments: Sequence[str],
    seconds: float,
    variables: Mapping[str, str] | None = None,
) -> Any:
    """Return the JSON that a program prints, run by the Python of the release ``word``, for ``seconds`` at most.

    ``variables`` are set for it. Raises :class:`NoAnswerError`, and :class:`WordError` where no Python belongs to
    ``word``.
    """
    python = python_of(word)
    command = [str(python), "-I", str(PROGRAMS / f"{asks}.py"), *arguments]
    try:
        done = carried_out(command, seconds, {**DETERMINED, **(variables or {})})
    except InstallerError as error:
        raise NoAnswerError(f"{word} gave no answer within {seconds:g} s") from error
    if done.status != 0:
        raise NoAnswerError(f"{word} {ending(done.status)}: {_last_line(done.errors) or 'it says nothing'}")
    try:
        return json.loads(_last_line(done.output))
    except ValueError as error:
        raise NoAnswerError(f"{word} printed no JSON, but {_last_line(done.output)!r}") from error


def _last_line(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
