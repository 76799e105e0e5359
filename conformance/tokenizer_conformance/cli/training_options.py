"""The options of trainers on the command line, by their names in ``tokenizers.trainers``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from tokenizer_adapters.training import OPTIONS
from tokenizer_conformance.cli.options import NumberRange, SpreadOption

if TYPE_CHECKING:
    from collections.abc import Callable

C = TypeVar("C", bound="Callable[..., object]")


def those_with(name: str) -> str:
    """Return the algorithms that have the option ``name``, as words."""
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
        shown = f"{settings['help']} For {those_with(name)}."
        command = click.option(f"--{name.replace('_', '-')}", name, **{**settings, "help": shown})(command)
    return command
