"""Which trainers a command compares, and with which one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.registry import RegistryError
from tokenizer_adapters.trainers import build_trainer, registered_trainers
from tokenizer_conformance.cli.choosing import DEFAULT_BASELINE
from tokenizer_conformance.cli.implementations import ImplementationError
from tokenizer_conformance.cli.options import ALL
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.train.plan import ChosenTrainer
from tokenizer_conformance.unusable import Unusable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.metadata import EntryPoint

DEFAULT_TRAINERS = ("reference", "tokenizers")


@dataclass(frozen=True, slots=True)
class ChosenTrainers:
    """The trainers to compare, the baseline first, and those that were asked for and are unavailable.

    ``counters`` are trainers that can cut a corpus into words, those that take part first.
    """

    trainers: tuple[ChosenTrainer, ...]
    unavailable: tuple[Unusable, ...]
    counters: tuple[ChosenTrainer, ...]


def trainer_names() -> list[str]:
    """Return the names of all registered trainers; whether they can be used is not tried."""
    try:
        return sorted(registered_trainers())
    except RegistryError as error:
        raise click.ClickException(one_line(str(error))) from error


def choose_trainers(wanted: Sequence[str], baseline: str | None) -> ChosenTrainers:
    """Return the ``wanted`` trainers, the one that the others are compared with first.

    The word ``all`` stands for every registered trainer; those of them that are unavailable are left out.
    """
    known = trainer_names()
    asked = list(dict.fromkeys(name for word in wanted for name in (known if word == ALL else (word,))))
    if baseline is not None and baseline not in asked:
        asked.insert(0, baseline)
    for name in asked:
        if name not in known:
            raise click.UsageError(f"no trainer is called {name!r} (known: {', '.join(known)})")
    if len(asked) == 1:
        raise click.UsageError(
            f"nothing to compare {asked[0]} with: give a second trainer with -i (known: {', '.join(known)})"
        )
    first = baseline or (DEFAULT_BASELINE if DEFAULT_BASELINE in asked else asked[0])
    asked.sort(key=lambda name: name != first)
    return _built(asked, known, frozenset(known).difference(wanted))


def _built(asked: Sequence[str], known: Sequence[str], optional: frozenset[str]) -> ChosenTrainers:
    entries = registered_trainers()
    trainers: list[ChosenTrainer] = []
    unavailable: list[Unusable] = []
    for name in asked:
        try:
            trainers.append(_chosen(entries[name]))
        except (UnavailableError, RegistryError) as error:
            if name == asked[0]:
                raise ImplementationError(f"the baseline cannot be used: {one_line(str(error))}") from error
            if name not in optional:
                unavailable.append(Unusable("implementation", name, str(error)))
    counters = [trainer for trainer in trainers if not trainer.info.takes_words]
    for name in known:
        if not counters:
            counters += _counter(entries[name])
    return ChosenTrainers(tuple(trainers), tuple(unavailable), tuple(counters))


def _chosen(entry: EntryPoint) -> ChosenTrainer:
    return ChosenTrainer(build_trainer(entry).info, entry.value)


def _counter(entry: EntryPoint) -> list[ChosenTrainer]:
    """Return the trainer of ``entry`` if it is available, and can cut a corpus into words."""
    try:
        trainer = _chosen(entry)
    except (UnavailableError, RegistryError):
        return []
    return [] if trainer.info.takes_words else [trainer]
