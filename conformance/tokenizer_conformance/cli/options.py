"""Values of options: several after one flag, as a shell expands ``--inputs texts/*.txt`` to, and numbers."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from tokenizer_conformance.cli.option_groups import GroupedCommand
from tokenizer_conformance.command_io.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.command_io.standard_streams import discard

if TYPE_CHECKING:
    from collections.abc import Iterable
    from enum import StrEnum

Takes = Callable[[str], bool]
"""Says whether a word that follows the values of an option is a value of it too."""


ALL = "all"


class NumberRange(click.FloatRange):
    """A number in a range; "nan", which click takes for one, is in none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number. Raises :class:`click.BadParameter`."""
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{number} is not in the range {self._describe_range()}.", param, ctx)
        return number


class SpreadOption(click.Option):
    """An option whose flag may be followed by several values; it can be repeated as well.

    Its first value is whatever follows the flag; further words belong to it as long as they are no options and
    ``takes`` accepts them.
    """

    def __init__(self, *args: Any, takes: Takes = lambda word: True, **kwargs: Any) -> None:  # noqa: ARG005
        kwargs["multiple"] = True
        super().__init__(*args, **kwargs)
        self.takes = takes


class SpreadCommand(GroupedCommand):
    """A command that understands :class:`SpreadOption`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the flag of a spread option before each of its values, then parse as ever."""
        flags = {
            flag: parameter
            for parameter in self.get_params(ctx)
            if isinstance(parameter, SpreadOption)
            for flag in parameter.opts
        }
        return super().parse_args(ctx, spread(args, {flag: option.takes for flag, option in flags.items()}))


class ConcludingCommand(SpreadCommand):
    """A command whose exit status says what it found: where nobody reads that to its end, it is not reported."""

    def invoke(self, ctx: click.Context) -> Any:
        """Carry the command out."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            discard(sys.stdout)
            raise click.exceptions.Exit(EXIT_STATUS[Conclusion.INTERNAL_ERROR]) from None


def spread(args: list[str], flags: dict[str, Takes]) -> list[str]:
    """Return ``args`` with each of the ``flags`` repeated before every one of its values.

    >>> spread(["a", "--inputs", "x", "y", "-k", "z"], {"--inputs": lambda word: True})
    ['a', '--inputs', 'x', '--inputs', 'y', '-k', 'z']

    Raises :class:`click.BadOptionUsage` where no value follows a flag.
    """
    result: list[str] = []
    rest = list(args)
    while rest:
        word = rest.pop(0)
        if word == "--":
            return [*result, word, *rest]
        if word not in flags:
            result.append(word)
            continue
        if not rest or _is_option(rest[0]):
            raise click.BadOptionUsage(word, f"Option {word!r} requires at least one value.")
        result += [word, rest.pop(0)]
        while rest and not _is_option(rest[0]) and flags[word](rest[0]):
            result += [word, rest.pop(0)]
    return result


def _is_option(word: str) -> bool:
    return word.startswith("-") and word != "-"


def comma_list(
    allowed: Iterable[StrEnum],
) -> Callable[[click.Context, click.Parameter, tuple[str, ...]], tuple[StrEnum, ...]]:
    """Return a callback that reads the ``allowed`` values, separated by commas or given repeatedly.

    ``all`` stands for every value.
    """
    known = {each.value: each for each in allowed}
    kind = type(next(iter(known.values()))).__name__

    def read(_context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[StrEnum, ...]:
        words = [word.strip() for value in values for word in value.split(",")]
        if ALL in words:
            return tuple(known.values())
        for word in words:
            if word not in known:
                problem = f"{word!r} is not a valid {kind}; choose from {', '.join(known)}"
                raise click.BadParameter(problem, param=parameter)
        return tuple(dict.fromkeys(known[word] for word in words))

    return read
