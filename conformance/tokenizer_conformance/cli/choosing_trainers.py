"""Which trainers a command compares, and with which one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.environments.faults import WordError
from tokenizer_adapters.environments.words import is_range, is_release
from tokenizer_adapters.registry import RegistryError, UnknownImplementationError
from tokenizer_adapters.selection import (
    COMMAND,
    SelectedTrainer,
    SelectionError,
    is_command,
    name_in,
    select_trainer,
)
from tokenizer_adapters.trainers import registered_trainers
from tokenizer_conformance.cli.choosing import releases_in
from tokenizer_conformance.cli.options import ALL
from tokenizer_conformance.cli.registered import ImplementationError
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.defaults import DEFAULT_BASELINE
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.rejected import Rejected

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.protocol.process import Limits
    from tokenizer_adapters.training import Trainer


@dataclass(frozen=True, slots=True)
class ChosenTrainers:
    """The trainers to compare, the baseline first, and those that were asked for and are unavailable.

    ``optional`` are the names of trainers that nobody named: they stand for the word ``all``. ``counters`` are trainers
    that can cut a corpus into words, those that take part first.
    """

    trainers: tuple[Trainer, ...]
    unavailable: tuple[Rejected, ...]
    optional: frozenset[str]
    counters: tuple[Trainer, ...]


def trainer_names() -> list[str]:
    """Return the names of all registered trainers; whether they can be used is not tried."""
    try:
        return sorted(registered_trainers())
    except RegistryError as error:
        raise ImplementationError(one_line(str(error))) from error


def is_trainer(word: str) -> bool:
    """Return whether ``word`` is a trainer, and nothing else that may follow one on a command line."""
    return word == ALL or word in trainer_names() or is_command(word) or is_release(word)


def choose_trainers(wanted: Sequence[str], baseline: str | None, limits: Limits) -> ChosenTrainers:
    """Return the ``wanted`` trainers, the one that the others are compared with first; ``limits`` hold their processes.

    ``baseline`` is one of the ``wanted`` words or the name of one, or a further word. The word ``all`` stands for every
    registered trainer; those of them that are unavailable are left out.
    """
    known = trainer_names()
    words = list(dict.fromkeys(each for word in wanted for each in _spelt_out(word, known)))
    if baseline is not None:
        baseline = {name_in(word): word for word in words}.get(baseline, baseline)
        if baseline not in words:
            words.insert(0, baseline)
    selected = {word: _selected(word) for word in words}
    if len(words) == 1:
        raise click.UsageError(
            f"nothing to compare {words[0]} with: give a second trainer with -i (known: {', '.join(known)}; a program "
            f"is given as '{COMMAND}PROGRAM')"
        )
    first = baseline or (DEFAULT_BASELINE if DEFAULT_BASELINE in words else words[0])
    words.sort(key=lambda word: word != first)
    return _built([selected[word] for word in words], known, frozenset(known).difference(wanted), limits)


def _spelt_out(word: str, known: Sequence[str]) -> Sequence[str]:
    if word == ALL:
        return known
    return releases_in(word) if is_range(word) else (word,)


def _selected(word: str) -> SelectedTrainer:
    try:
        return select_trainer(word)
    except (UnknownImplementationError, SelectionError, WordError) as error:
        raise click.UsageError(str(error)) from error


def _built(
    selected: Sequence[SelectedTrainer], known: Sequence[str], optional: frozenset[str], limits: Limits
) -> ChosenTrainers:
    trainers: dict[str, Trainer] = {}
    unavailable: list[Rejected] = []
    for each in selected:
        try:
            each.prepare(STATUS.begin)
            trainer = each.start(limits)
        except (UnavailableError, RegistryError) as error:
            if each is selected[0]:
                raise ImplementationError(f"the baseline cannot be used: {one_line(str(error))}") from error
            if each.word not in optional:
                unavailable.append(Rejected("implementation", each.name or each.word, str(error)))
            continue
        name = trainer.info.name
        if name in trainers:
            raise click.UsageError(f"two trainers are called {name!r}; give a program another name: 'other={COMMAND}…'")
        trainers[name] = trainer
    counters = [trainer for trainer in trainers.values() if not trainer.info.takes_words]
    for name in known:
        if not counters:
            counters += _counter(name, limits)
    return ChosenTrainers(tuple(trainers.values()), tuple(unavailable), optional, tuple(counters))


def _counter(name: str, limits: Limits) -> list[Trainer]:
    """Return the trainer called ``name`` if it is available, and can cut a corpus into words."""
    try:
        trainer = select_trainer(name).start(limits)
    except (UnavailableError, RegistryError):
        return []
    return [] if trainer.info.takes_words else [trainer]
