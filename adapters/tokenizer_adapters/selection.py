"""What a user selects to be compared: a registered implementation or a program, in this process or in one of its own.

A *word* names an implementation:

=========================== ===========================================================================================
``tokie``                   the implementation that is registered as ``tokie``
``command:./mine --flag``   the program ``./mine`` with its argument, which speaks the line protocol (``protocol``)
``new=command:./mine``      the same, called ``new``; without that a program is called what it calls itself
``my_package.mine:Mine``    the class ``Mine`` of the module ``my_package.mine`` (``given_class``), not registered
``tokie==0.1.3``            that release of its package, in an environment of its own (``environments.words``)
``tokie@.venv-old``         what the environment in that folder has of it
``llama.cpp@model.gguf``    ``llama-cpp``, with that GGUF file in the place of each tokenizer.json
=========================== ===========================================================================================

A program always runs in a process of its own. What is registered does so too, since a peer may crash, hang or take all
memory; all but those in :data:`TRUSTED`, which answer in this process, where that is faster. Either can be asked for. A
class goes by the name that it gives itself. A release, too, always runs in a process of its own; its environment is
made when it is first built, which takes a while. What is given a file runs in a process of its own, too.

Trainers are selected by the same words (:func:`select_trainer`), and always run in processes of their own.
"""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.environments.packages import implementation_of
from tokenizer_adapters.environments.pinned import Pinned, pinned, pinned_trainer
from tokenizer_adapters.environments.store import Tell, silent
from tokenizer_adapters.environments.words import ModelFile, is_model_file, is_release, name_of, read
from tokenizer_adapters.given_class import build_named
from tokenizer_adapters.protocol.client import ProcessImplementation, ProgramImplementation
from tokenizer_adapters.protocol.launch import Program
from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.protocol.server import TRAINER
from tokenizer_adapters.protocol.trainer_client import ProcessTrainer
from tokenizer_adapters.registry import RegistryError, load_implementation, selectable, unknown
from tokenizer_adapters.trainers import registered_trainers, unknown_trainer

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Implementation

COMMAND = "command:"
"""What a word that gives a program begins with, after the name where there is one."""

TRUSTED = frozenset({"reference", "tokenizers", "transformers"})
"""The registered implementations that run in this process where nothing else is asked for."""

MEMORY = 4 << 30
"""How much memory a process of its own may take where nothing else is asked for, in bytes."""

READING_GGUF = frozenset({"llama-cpp"})
"""The registered implementations that can be given a GGUF file."""

ALL = "all"
"""Stands for every registered implementation where it is said which run in which process."""


class SelectionError(RegistryError):
    """A word selects nothing. The message says why, and what to write instead."""


@dataclass(frozen=True, slots=True)
class Isolation:
    """Which registered implementations run in a process of their own, and what such a process may take.

    ``isolated`` and ``in_process`` are names, or :data:`ALL`; a name counts more than that, and what stands in neither
    is isolated unless it is :data:`TRUSTED`. Raises :class:`SelectionError` where one name stands in both.
    """

    limits: Limits = field(default_factory=lambda: Limits(memory=MEMORY))
    isolated: frozenset[str] = frozenset()
    in_process: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for name in sorted(self.isolated & self.in_process):
            raise SelectionError(
                f"{name!r} is asked to run in this process and in one of its own; choose one of the two"
            )

    def isolates(self, name: str) -> bool:
        """Return whether the implementation that is registered as ``name`` runs in a process of its own.

        >>> isolation = Isolation(isolated=frozenset({ALL}), in_process=frozenset({"tokie"}))
        >>> [isolation.isolates(name) for name in ("tokie", "reference")]
        [False, True]
        >>> [Isolation().isolates(name) for name in ("tokie", "reference")]
        [True, False]
        """
        if name in self.isolated or name in self.in_process:
            return name in self.isolated
        if ALL in self.isolated or ALL in self.in_process:
            return ALL in self.isolated
        return name not in TRUSTED


@dataclass(frozen=True, slots=True)
class Selected:
    """An implementation that was selected, and can be built here or in another process of the harness.

    ``name`` is what it goes by; a program that was given no name has ``None`` until it was asked for its own.
    ``program`` is what runs it, ``None`` where it answers in the process that builds it. ``pinned`` is the release that
    was selected, ``None`` where none was.
    """

    word: str
    name: str | None
    program: Program | None
    limits: Limits
    pinned: Pinned | None = None

    def prepare(self, tell: Tell = silent) -> None:
        """Have all be there that it needs: of a release, its environment, which is made where it is not there yet.

        ``tell`` is given words about what is being done. Raises
        :class:`tokenizer_adapters.environments.faults.EnvironmentFaultError`.
        """
        if self.pinned is not None:
            self.pinned.ensure(tell)

    def build(self) -> Implementation:
        """Build the implementation; it is called ``name`` where there is one.

        Raises :class:`UnavailableError` where the library it needs is not installed, and :class:`RegistryError` where
        it is at fault.
        """
        if self.program is not None:
            return self.start(self.limits)
        return build_named(self.word) if is_class(self.word) else load_implementation(self.word)

    def start(self, limits: Limits) -> ProcessImplementation:
        """Build the implementation in a process of its own, whatever was asked for, under ``limits``.

        Raises as :meth:`build` does.
        """
        own = self._own_program()
        if own is not None:
            return own(limits, self.name)
        if self.pinned is None:
            return ProcessImplementation(self.runs(), limits, self.name)
        name = self.pinned.ensure()
        try:
            implementation = ProcessImplementation(self.pinned.program, limits)
        except UnavailableError as error:
            raise UnavailableError(self.pinned.damage(str(error))) from error
        implementation.go_by(self.name or name, self.pinned.install)
        return implementation

    def runs(self) -> Program:
        """Return the program that a process of its own runs.

        Raises :class:`UnavailableError` where what it needs is not installed.
        """
        self.prepare()
        own = self._own_program()
        return (own and own.program()) or self.program or served(self.word)

    def _own_program(self) -> type[ProgramImplementation] | None:
        if self.pinned is not None or is_command(self.word) or is_class(self.word) or self.word not in selectable():
            return None
        return _program_of_this_package(self.word)


def select(word: str, isolation: Isolation) -> Selected:
    """Return what ``word`` selects. Nothing is started or imported.

    >>> select("new=command:./mine --flag 'a b'", Isolation()).program.command
    ('./mine', '--flag', 'a b')

    Raises :class:`SelectionError` where no command can be read after ``command:`` and where a file is not there or not
    for this implementation, :class:`UnknownImplementationError`, and :class:`DuplicateImplementationError`.
    """
    if not is_command(word):
        if is_class(word):
            return Selected(word, None, served(word) if isolation.isolates(word) else None, isolation.limits)
        if word not in selectable() and is_model_file(word):
            return Selected(word, name_of(word), _given_file(word), isolation.limits)
        if word not in selectable() and is_release(word):
            release = pinned(word)
            return Selected(word, release.name, release.program, isolation.limits, release)
        if word not in selectable():
            raise unknown(word)
        return Selected(word, word, served(word) if isolation.isolates(word) else None, isolation.limits)
    command = word.partition(COMMAND)[2]
    return Selected(word, name_in(word), _program(word, command), isolation.limits)


@dataclass(frozen=True, slots=True)
class SelectedTrainer:
    """A trainer that was selected. ``name`` is what it goes by, ``None`` where that is left to the ``program``."""

    word: str
    name: str | None
    program: Program
    pinned: Pinned | None = None

    def prepare(self, tell: Tell = silent) -> None:
        """Have all be there that it needs, as :meth:`Selected.prepare` does."""
        if self.pinned is not None:
            self.pinned.ensure(tell)

    def start(self, limits: Limits) -> ProcessTrainer:
        """Build the trainer, whose processes are held to ``limits``.

        Raises :class:`UnavailableError` where the library it needs is not installed, and :class:`RegistryError` where
        it is at fault.
        """
        name = self.name if self.pinned is None else self.pinned.ensure()
        return ProcessTrainer(self.program, limits, name)


def select_trainer(word: str) -> SelectedTrainer:
    """Return the trainer that ``word`` selects. Nothing is started or imported.

    >>> select_trainer("mine=command:./mine --flag").name
    'mine'

    Raises :class:`SelectionError` where no command can be read after ``command:``, and errors of
    :mod:`tokenizer_adapters.registry` where no trainer has that name.
    """
    if is_command(word):
        return SelectedTrainer(word, name_in(word), _program(word, word.partition(COMMAND)[2]))
    if word not in registered_trainers() and is_release(word):
        release = pinned_trainer(word)
        return SelectedTrainer(word, release.name, release.program, release)
    if word not in registered_trainers():
        raise unknown_trainer(word)
    return SelectedTrainer(word, word, served_trainer(word))


def is_command(word: str) -> bool:
    """Return whether ``word`` gives a program, with or without a name.

    >>> [is_command(word) for word in ("command:./mine", "new=command:./mine", "tokie")]
    [True, True, False]
    """
    name, colon, _ = word.partition(COMMAND)
    return bool(colon) and (not name or name.endswith("="))


def is_class(word: str) -> bool:
    """Return whether ``word`` is the path of a class, ``package.module:Class``.

    >>> [is_class(word) for word in ("my_package.mine:Mine", "mine:Mine", "tokie", "command:mine", "./mine:Mine")]
    [True, True, False, False, False]
    """
    module, _, name = word.partition(":")
    return not is_command(word) and name.isidentifier() and all(part.isidentifier() for part in module.split("."))


def name_in(word: str) -> str | None:
    """Return the name that ``word`` gives; ``None`` where it leaves that to the program, or to the class.

    >>> [name_in(word) for word in ("new=command:./mine", "command:./mine", "tokie", "old=tokie==0.1.3")]
    ['new', None, 'tokie', 'old']
    """
    if is_class(word):
        return None
    if is_release(word):
        return name_of(word)
    return word.partition(COMMAND)[0].removesuffix("=") or None if is_command(word) else word


def _program(word: str, command: str) -> Program:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise SelectionError(f"{word!r} gives no command: {error}; quote it as for a shell") from error
    if not words:
        raise SelectionError(f"{word!r} gives no command: write the program and its arguments after {COMMAND!r}")
    return Program(tuple(words), shlex.join(words))


def _given_file(word: str) -> Program:
    """Return the program that serves an implementation with the file that ``word`` names."""
    given = read(word)
    if not isinstance(given, ModelFile):
        raise TypeError(f"{word!r} names no file")
    implementation = implementation_of(given.package) or given.package
    if implementation not in READING_GGUF:
        raise SelectionError(
            f"{word!r}: {implementation} reads no GGUF files; {', '.join(sorted(READING_GGUF))} does, as in "
            f"'llama.cpp@{given.file}'"
        )
    file = Path(given.file).expanduser().absolute()
    if not file.is_file():
        raise SelectionError(f"{word!r}: there is no file {str(file)!r}")
    return _served(name_of(word) or word, implementation, str(file))


def _program_of_this_package(name: str) -> type[ProgramImplementation] | None:
    """Return the class that is registered as ``name`` if it stands for a program, and is of this package.

    What is not of this package is imported in the process apart, and nowhere else.
    """
    entry = selectable()[name]
    implementation = entry.load() if entry.module.startswith(f"{__package__}.") else None
    if isinstance(implementation, type) and issubclass(implementation, ProgramImplementation):
        return implementation
    return None


def served(name: str) -> Program:
    """Return the program that serves the implementation registered as ``name``, or the class of that path."""
    return _served(name, name)


def served_trainer(name: str) -> Program:
    """Return the program that serves the trainer registered as ``name``, or the class of that path."""
    return _served(name, TRAINER, name)


def _served(name: str, *arguments: str) -> Program:
    """Return the server with ``arguments``, for what is called ``name``: this Python, with the same packages."""
    return Program(
        command=(sys.executable, "-P", "-m", "tokenizer_adapters.protocol.server", *arguments),
        label=name,
        # What can be imported here can be imported there. Panics come by the thousand, and their backtraces take
        # longer to make than the work itself.
        environment={"PYTHONPATH": os.pathsep.join(sys.path), "RUST_BACKTRACE": "0"},
    )
