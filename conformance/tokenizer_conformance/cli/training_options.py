"""The options of trainers on the command line, by their names in ``tokenizers.trainers``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from tokenizer_adapters.training import OPTIONS, WORDPIECE_PREFIX, Algorithm, TrainingOptions
from tokenizer_conformance.cli.options import NumberRange, SpreadOption
from tokenizer_conformance.train.corpus import refuse_clashes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

C = TypeVar("C", bound="Callable[..., object]")


def _those_with(name: str) -> str:
    return ", ".join(algorithm for algorithm, names in OPTIONS.items() if name in names)


_COUNT = click.IntRange(min=0)

_OPTIONS: dict[str, dict[str, Any]] = {
    "special_tokens": {"cls": SpreadOption, "metavar": "TOKEN...", "help": "Tokens with the first ids, in this order."},
    "min_frequency": {
        "type": _COUNT,
        "metavar": "N",
        "help": "How often a pair, or a word, has to occur to be learned.",
    },
    "limit_alphabet": {"type": _COUNT, "metavar": "N", "help": "How many different characters to keep."},
    "initial_alphabet": {"metavar": "CHARACTERS", "help": "Characters to keep whether they occur or not."},
    "max_token_length": {"type": _COUNT, "metavar": "N", "help": "Merge only what is shorter, in characters."},
    "continuing_subword_prefix": {"metavar": "TEXT", "help": "What marks characters that do not begin a word."},
    "end_of_word_suffix": {"metavar": "TEXT", "help": "What marks the last character of a word."},
    "unk_token": {"metavar": "TOKEN", "help": "The token of what is unknown."},
    "max_piece_length": {"type": click.IntRange(min=1), "metavar": "N", "help": "The longest piece, in characters."},
    "shrinking_factor": {
        "type": NumberRange(0, 1, min_open=True, max_open=True),
        "metavar": "X",
        "help": "Which part of the pieces a round of pruning keeps.",
    },
    "n_sub_iterations": {
        "type": click.IntRange(min=1),
        "metavar": "N",
        "help": "How often scores are estimated in a round.",
    },
}
"""The options by their names in ``tokenizers.trainers``, in the order of the help page."""


def training_options(command: C) -> C:
    """Give ``command`` the options of trainers; none that is not given has a value."""
    for name, settings in reversed(_OPTIONS.items()):
        shown = f"{settings['help']} For {_those_with(name)}."
        command = click.option(f"--{name.replace('_', '-')}", name, **{**settings, "help": shown})(command)
    return command


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
                f"--{name.replace('_', '-')} is an option for {_those_with(name)}, not for {', '.join(algorithms)}"
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
