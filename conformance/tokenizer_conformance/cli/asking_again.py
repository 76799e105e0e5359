"""The two implementations of a recorded finding, for commands that ask them again."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.environments.words import is_release
from tokenizer_adapters.selection import is_class, is_command
from tokenizer_conformance.cli.recorded_findings import SIDES
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.escape import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.cli.choosing import Chosen
    from tokenizer_conformance.cli.recorded_findings import Sides


MOST_CHECKS = 20_000


def words_of(sides: Sides, wanted: tuple[str, ...]) -> tuple[str, str]:
    """Return the words that name the two sides: those that are ``wanted``, else those of the record.

    A record may be somebody else's: what it names is not run unless it is installed here. Raises :class:`BadInput`.
    """
    if wanted:
        if len(wanted) != SIDES:
            raise click.UsageError("-i takes two: the baseline, then the implementation")
        return wanted[0], wanted[1]
    foreign = [word for word in sides.words if is_command(word) or is_class(word) or is_release(word)]
    if foreign:
        raise BadInput(
            f"the record names {one_line(foreign[0])!r}, which is run only if you say so: "
            f"give -i {one_line(shlex.join(sides.words))}"
        )
    return sides.words


def both(choice: Chosen) -> tuple[Implementation, Implementation]:
    """Return the baseline and the other one. Raises :class:`BadInput` where one of them is not installed here."""
    if choice.unavailable:
        raise BadInput(one_line(choice.unavailable[0].reason))
    (first,) = (each for each in choice.implementations if each.info.name == choice.baseline)
    (second,) = (each for each in choice.implementations if each.info.name != choice.baseline)
    return first, second


def other_versions(sides: Sides, implementations: tuple[Implementation, ...]) -> Iterator[str]:
    """Yield what is to be said where the implementations are of other versions than in the record."""
    for each in implementations:
        version = sides.versions.get(each.info.name)
        if version not in (None, each.info.version):
            now = one_line(each.info.version)
            yield f"{one_line(each.info.name)} is of version {now} now; the record has {one_line(str(version))}"
