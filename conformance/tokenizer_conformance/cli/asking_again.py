"""A finding of a record that is asked again: its tokenizer, and both implementations."""

from __future__ import annotations

import shlex
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.environments.words import is_release
from tokenizer_adapters.selection import is_class, is_command
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.cli.choosing import chosen, isolation_of
from tokenizer_conformance.cli.output_file import target_of
from tokenizer_conformance.cli.recorded_findings import (
    SIDES,
    found_tokenizer,
    recorded_finding,
    refuse_cut_questions,
    refuse_earlier_questions,
)
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.escape import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Implementation, TokenizerSource
    from tokenizer_conformance.cli.choosing import Chosen
    from tokenizer_conformance.cli.recorded_findings import RecordedFinding, Sides


MOST_CHECKS = 20_000


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """A ``finding`` whose two sides can be asked again.

    ``source`` is its tokenizer. ``words`` named both sides, and ``choice`` holds what these selected; ``bench`` asks
    them. ``target`` is the file to write, where one was named. ``notes`` say what else is to be known.
    """

    finding: RecordedFinding
    source: TokenizerSource
    words: tuple[str, str]
    choice: Chosen
    bench: Bench
    target: Path | None
    notes: tuple[str, ...]


@contextmanager
def asked_again(
    record: str, number: int, wanted: tuple[str, ...], elsewhere: str | None, output: str | None, *, force: bool
) -> Iterator[AskedAgain]:
    """Yield finding ``number`` of ``record``, ready to be asked again.

    ``wanted`` are the words for both sides and ``elsewhere`` is where the tokenizer is now, if not those of the record.
    Raises :class:`BadInput` where something of it is not here.
    """
    path = Path(record)
    finding = recorded_finding(path, number)
    refuse_cut_questions(path, finding)
    refuse_earlier_questions(path, finding)
    sides = finding.sides
    STATUS.begin("reading tokenizers", sides.tokenizer)
    source = found_tokenizer(sides, elsewhere)
    target = None if output is None else target_of(output, (path, Path(source.file)), force=force)
    options = sides.options
    isolation = isolation_of(options["isolate"], options["in_process"], options["timeout"], options["memory"])
    words = _words_of(sides, wanted)
    with chosen(words, words[0], isolation) as choice:
        both = _both(choice)
        with Bench(*both, sides.fields) as bench:
            notes = (*finding.notes, *_other_versions(sides, both))
            yield AskedAgain(finding, source, words, choice, bench, target, notes)


def _words_of(sides: Sides, wanted: tuple[str, ...]) -> tuple[str, str]:
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


def _both(choice: Chosen) -> tuple[Implementation, Implementation]:
    """Return the baseline and the other one. Raises :class:`BadInput` where one of them is not installed here."""
    if choice.unavailable:
        raise BadInput(one_line(choice.unavailable[0].reason))
    (first,) = (each for each in choice.implementations if each.info.name == choice.baseline)
    (second,) = (each for each in choice.implementations if each.info.name != choice.baseline)
    return first, second


def _other_versions(sides: Sides, implementations: tuple[Implementation, ...]) -> Iterator[str]:
    """Yield what is to be said where the implementations are of other versions than in the record."""
    for each in implementations:
        version = sides.versions.get(each.info.name)
        if version not in (None, each.info.version):
            now = one_line(each.info.version)
            yield f"{one_line(each.info.name)} is of version {now} now; the record has {one_line(str(version))}"
