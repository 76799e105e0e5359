"""The options of trainers that were given, for each algorithm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tokenizer_adapters.training import OPTIONS, WORDPIECE_PREFIX, Algorithm, TrainingOptions
from tokenizer_conformance.cli.training_options import those_with
from tokenizer_conformance.research.training.preparation import refuse_clashes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def options_of(
    algorithms: Sequence[Algorithm], vocab_size: int, given: Mapping[str, Any]
) -> dict[Algorithm, TrainingOptions]:
    """Return the options of each algorithm: those of the ``given`` that it has.

    Raises :class:`click.UsageError` for one that none of the algorithms has, and :class:`BadInputError` for special
    tokens that clash.
    """
    values = {name: _value(name, value) for name, value in given.items() if value is not None and value != ()}
    for name in values:
        if not any(name in OPTIONS[algorithm] for algorithm in algorithms):
            raise click.UsageError(
                f"--{name.replace('_', '-')} is an option for {those_with(name)}, not for {', '.join(algorithms)}"
            )
    return {algorithm: _of_algorithm(algorithm, vocab_size, values) for algorithm in algorithms}


def _of_algorithm(algorithm: Algorithm, vocab_size: int, values: Mapping[str, Any]) -> TrainingOptions:
    own = {name: value for name, value in values.items() if name in OPTIONS[algorithm]}
    if algorithm is Algorithm.WORDPIECE:
        own.setdefault("continuing_subword_prefix", WORDPIECE_PREFIX)
    options = TrainingOptions(vocab_size=vocab_size, **own)
    refuse_clashes(options)
    return options


def _value(name: str, value: Any) -> Any:
    """Return the value of an option as :class:`TrainingOptions` has it: the characters of an alphabet one by one."""
    return tuple(dict.fromkeys(value)) if name == "initial_alphabet" else value
