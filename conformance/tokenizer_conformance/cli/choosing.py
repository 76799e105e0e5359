"""Which implementations a command compares, with which one, and in which processes they run."""

from __future__ import annotations

import difflib
import itertools
import shlex
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.environments.faults import WordError
from tokenizer_adapters.environments.releases import expanded
from tokenizer_adapters.environments.words import is_range, is_release
from tokenizer_adapters.protocol.client import ProcessImplementation
from tokenizer_adapters.protocol.launch import LIMITS_MEMORY
from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.registry import (
    HOW_TO_GIVE,
    RegistryError,
    UnknownImplementationError,
    WrongImplementationError,
    unknown,
)
from tokenizer_adapters.selection import (
    ALL,
    COMMAND,
    Isolation,
    Selected,
    SelectionError,
    is_class,
    is_command,
    name_in,
    select,
)
from tokenizer_conformance.cli.registered import ImplementationError, implementation_names, names_of_all
from tokenizer_conformance.command_io.standard_streams import complain
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.defaults import DEFAULT_BASELINE
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.inputs.bundled import bundled_names
from tokenizer_conformance.inputs.hub import PREFIX
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.validation.running.preparation import MemoryLimit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Implementation

MB = 1 << 20

CLOSE = 0.8
"""How much of a mistyped name is alike: tokenizers of a hub have short names, too."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The implementations of a run, how each was selected, and those that were asked for and are unavailable.

    ``words`` lead from their names to the words that select them. ``optional`` are the names of those that were not
    asked for one by one; ``absent`` are those of them that are unavailable. ``baseline`` is empty where there is none.
    ``memory`` is how many bytes one may take, ``None`` for no limit.
    """

    implementations: tuple[Implementation, ...]
    selected: tuple[Selected, ...]
    baseline: str
    unavailable: tuple[Rejected, ...]
    optional: frozenset[str]
    absent: tuple[Rejected, ...]
    words: Mapping[str, str]
    memory: int | None

    def by_name(self) -> Iterator[tuple[str, Selected]]:
        """Yield the names of the implementations, each with how it was selected."""
        return zip((each.info.name for each in self.implementations), self.selected, strict=True)

    @property
    def limit(self) -> MemoryLimit:
        """How much memory the implementations that answer in this process may take."""
        return MemoryLimit(tuple(each.word for each in self.selected if each.program is None), self.memory)


# Options -------------------------------------------------------------------------------------------------------------


def is_implementation(word: str) -> bool:
    """Return whether ``word`` is an implementation, and nothing else that may follow one on a command line.

    >>> [is_implementation(word) for word in ("command:./mine", "my_package.mine:Mine", "hub:gpt2", "./mine")]
    [True, True, False, False]
    """
    return is_name(word) or is_command(word) or (is_class(word) and not word.startswith(PREFIX)) or is_release(word)


def is_meant_as_implementation(word: str) -> bool:
    """Return whether ``word`` is an implementation, or the name of one mistyped: the error then names the nearest.

    >>> [is_meant_as_implementation(word) for word in ("reference", "refrence", "gpt2", "bert-mini")]
    [True, True, False, False]
    """
    if is_implementation(word):
        return True
    is_tokenizer = word in bundled_names() or Path(word).exists()
    return not is_tokenizer and bool(difflib.get_close_matches(word, implementation_names(), 1, CLOSE))


def limits_of(timeout: float, memory: int) -> Limits:
    """Return what the options of ``--timeout`` and ``--memory`` allow a process.

    A time that was given by the user holds for the start too. What the system cannot limit is said.
    """
    if memory and _is_given("memory") and not LIMITS_MEMORY:
        click.echo("tokconf: --memory is not enforced on this system", err=True)
    limits = Limits(seconds=timeout, train_seconds=timeout, memory=memory * MB or None)
    return replace(limits, start_seconds=timeout) if _is_given("timeout") else limits


def _is_given(option: str) -> bool:
    context = click.get_current_context(silent=True)
    return context is not None and context.get_parameter_source(option) is ParameterSource.COMMANDLINE


def is_name(word: str) -> bool:
    """Return whether ``word`` names registered implementations."""
    return word == ALL or word in implementation_names()


def isolation_of(isolate: Sequence[str], in_process: Sequence[str], timeout: float, memory: int) -> Isolation:
    """Return what the options of ``--isolate``, ``--in-process``, ``--memory`` and ``--timeout`` ask for."""
    for name in (*isolate, *in_process):
        if not is_name(name):
            raise click.UsageError(str(unknown(name)))
    try:
        return Isolation(limits_of(timeout, memory), frozenset(isolate), frozenset(in_process))
    except RegistryError as error:
        raise click.UsageError(str(error)) from error


# Choosing ------------------------------------------------------------------------------------------------------------


@contextmanager
def chosen(
    wanted: Sequence[str], baseline: str | None, isolation: Isolation, hint: str = "", *, alone: bool = False
) -> Iterator[Chosen]:
    """Give the ``wanted`` implementations, and the one that the others are compared with; end their processes at exit.

    ``baseline`` is one of the ``wanted`` words or the name of one, or a further word. The word ``all`` stands for every
    registered implementation. ``hint`` says what else may be wrong where an implementation is not known. ``alone``:
    they are not compared with each other, so that one is enough and none is the baseline.
    """
    words = list(dict.fromkeys(itertools.chain.from_iterable(map(_spelt_out, wanted))))
    optional = frozenset(names_of_all()).difference(wanted) if ALL in wanted else frozenset()
    names = {name_in(word): word for word in words}
    if baseline is not None and names.get(baseline, baseline) not in words:
        words.insert(0, baseline)
    first = DEFAULT_BASELINE if DEFAULT_BASELINE in words else words[0]
    selected = {word: _selected(word, isolation, hint) for word in words}
    if len(words) == 1 and not alone:
        raise click.UsageError(_nothing_to_compare(words[0]))
    building = _Building(None if alone else first if baseline is None else names.get(baseline, baseline), optional)
    try:
        for word, each in selected.items():
            building.build(word, each)
        yield building.chosen(isolation.limits.memory)
    finally:
        building.close()


def _nothing_to_compare(only: str) -> str:
    other = "reference" if only == DEFAULT_BASELINE else DEFAULT_BASELINE
    return (
        f"nothing to compare {only} with: give a second implementation with -i, as in "
        f"'-i {shlex.quote(only)} {other}'; implementations are compared with each other on each tokenizer, tokenizers "
        f"are not; {HOW_TO_GIVE}"
    )


def _spelt_out(word: str) -> Sequence[str]:
    if word == ALL:
        return names_of_all()
    return releases_in(word) if is_range(word) else (word,)


def releases_in(word: str) -> list[str]:
    """Return the words of the releases that the range ``word`` stands for, the oldest first."""
    STATUS.begin(f"asking which releases {one_line(word)} stands for")
    try:
        return expanded(word)
    except WordError as error:
        raise click.UsageError(one_line(str(error))) from error
    except RegistryError as error:
        raise ImplementationError(one_line(str(error))) from error


def _selected(word: str, isolation: Isolation, hint: str) -> Selected:
    try:
        return select(word, isolation)
    except (UnknownImplementationError, SelectionError, WordError) as error:
        raise click.UsageError(f"{error}{hint}") from error
    except RegistryError as error:
        raise ImplementationError(one_line(str(error))) from error


class _Building:
    """Implementations being built.

    ``baseline`` is the word of the one that has to be there, ``optional`` need not.
    """

    def __init__(self, baseline: str | None, optional: frozenset[str]) -> None:
        self._baseline = baseline
        self._optional = optional
        self._built: dict[str, tuple[Selected, Implementation]] = {}
        self._unavailable: list[Rejected] = []
        self._absent: list[Rejected] = []

    def build(self, word: str, selected: Selected) -> None:
        try:
            selected.prepare(STATUS.begin)
            STATUS.begin("starting implementations", word)
            implementation = selected.build()
        except WrongImplementationError as error:
            raise click.UsageError(one_line(str(error))) from error
        except (UnavailableError, RegistryError) as error:
            if word == self._baseline:
                raise ImplementationError(f"the baseline cannot be used: {one_line(str(error))}") from error
            missing = self._absent if word in self._optional else self._unavailable
            missing.append(Rejected("implementation", selected.name or word, str(error)))
            return
        if implementation.info.note:
            complain(one_line(implementation.info.note))
        name = implementation.info.name
        others = [each.info.name for _, each in self._built.values()]
        self._built[word] = replace(selected, name=name), implementation
        if name in others:
            raise click.UsageError(
                f"two implementations are called {name!r}; give a program another name: 'other={COMMAND}…'"
            )

    def chosen(self, memory: int | None) -> Chosen:
        return Chosen(
            implementations=tuple(implementation for _, implementation in self._built.values()),
            selected=tuple(selected for selected, _ in self._built.values()),
            baseline="" if self._baseline is None else self._built[self._baseline][1].info.name,
            unavailable=tuple(self._unavailable),
            optional=self._optional,
            absent=tuple(self._absent),
            words={implementation.info.name: word for word, (_, implementation) in self._built.items()},
            memory=memory,
        )

    def close(self) -> None:
        """Have the processes end."""
        for _, implementation in self._built.values():
            if isinstance(implementation, ProcessImplementation):
                implementation.close()
