"""``tokconf environments``: the environments of releases that are kept on this machine."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from tokenizer_adapters.environments.faults import EnvironmentFaultError
from tokenizer_adapters.environments.packages import HEAVY
from tokenizer_adapters.environments.pinned import Pinned, environment_of, pinned
from tokenizer_adapters.environments.store import Environment, Kept, cache_folder, kept, remove
from tokenizer_adapters.environments.words import is_range, is_release
from tokenizer_adapters.registry import RegistryError
from tokenizer_conformance.cli.choosing import releases_in
from tokenizer_conformance.cli.registered import ImplementationError
from tokenizer_conformance.command_io.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.command_io.screen import width_of
from tokenizer_conformance.command_io.standard_streams import complain
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.command_io.tables import laid_out, table
from tokenizer_conformance.escape import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SCHEMA = "tokenizer-conformance-environments"
SCHEMA_VERSION = "1.0"

HALF_MADE = "not complete"
UNITS = ("B", "kB", "MB", "GB", "TB")


def execute_list(*, as_json: bool) -> None:
    """Carry out ``tokconf environments list``."""
    there = _kept()
    click.echo(as_document(there) if as_json else "\n".join(as_table(there, width_of(sys.stdout))))


def execute_create(context: click.Context, *, words: tuple[str, ...]) -> None:
    """Carry out ``tokconf environments create``."""
    _make_all(context, [_release(word) for each in words for word in _spelt_out(each)])


def execute_add(context: click.Context, *, names: tuple[str, ...]) -> None:
    """Carry out ``tokconf environments add``."""
    if unknown := [one_line(name) for name in names if name not in HEAVY]:
        raise click.UsageError(
            f"no heavy implementation is called {' or '.join(map(repr, unknown))}; these can be added: "
            f"{', '.join(sorted(HEAVY))}"
        )
    if not names:
        click.echo("\n".join(as_offer(width_of(sys.stdout))))
        return
    wanted = [_release(name) for name in dict.fromkeys(names)]
    for release, environment in wanted:
        if not environment.is_complete:
            click.echo(f"{release.word}: {HEAVY[release.word].costs} ({environment.label})")
    _make_all(context, wanted)


def _make_all(context: click.Context, wanted: Iterable[tuple[Pinned, Environment]]) -> None:
    """Make the environments that are not there yet, say where each is, and end."""
    failed = False
    for release, environment in wanted:
        was_there = environment.is_complete
        try:
            release.ensure(STATUS.begin)
        except EnvironmentFaultError as error:
            failed = True
            complain(one_line(str(error)))
        else:
            click.echo(f"{one_line(release.word)}: {'was there' if was_there else 'made'}, {environment.python}")
    context.exit(EXIT_STATUS[Conclusion.IMPLEMENTATION_FAILED if failed else Conclusion.CONFORM])


def execute_remove(*, words: tuple[str, ...], every: bool, unused_for: float | None) -> None:
    """Carry out ``tokconf environments remove``."""
    if sum((bool(words), every, unused_for is not None)) != 1:
        raise click.UsageError("say which are to be removed: WORDs, --all, or --unused-for DAYS, one of these")
    there = _kept()
    if words:
        chosen = list(dict.fromkeys(each for word in words for each in _named(word, there)))
    else:
        chosen = there if unused_for is None else list(_unused(there, unused_for))
    freed = 0
    for each in chosen:
        try:
            remove(each.folder)
        except EnvironmentFaultError as error:
            raise ImplementationError(one_line(str(error))) from error
        freed += each.size
        click.echo(f"removed {one_line(each.label)} ({size_in_words(each.size)})")
    click.echo(f"{len(chosen)} of {len(there)} environments removed, {size_in_words(freed)}")


def execute_path(*, word: str) -> None:
    """Carry out ``tokconf environments path``."""
    try:
        release = pinned(word)
        if release.environment is None:
            release.ensure()
    except EnvironmentFaultError as error:
        raise ImplementationError(one_line(str(error))) from error
    except RegistryError as error:
        raise click.UsageError(one_line(str(error))) from error
    if release.environment is not None and not release.environment.is_complete:
        raise ImplementationError(
            f"there is no environment of {one_line(word)} yet; make it: {one_line(release.install)}"
        )
    click.echo(str(release.python))


# What is shown -------------------------------------------------------------------------------------------------------


def as_offer(width: int | None = None) -> list[str]:
    """Return the heavy implementations as lines for people, of ``width`` cells at most, and how to add one."""
    headers = ["name", "release", "size and licence", "state"]
    rows = [
        [name, environment.label, heavy.costs, "there" if environment.is_complete else "not added"]
        for name, heavy in sorted(HEAVY.items())
        for environment in [environment_of(name)]
    ]
    return [*laid_out(table(headers, rows), width), "", "to add one: tokconf environments add NAME"]


def as_table(there: Sequence[Kept], width: int | None = None) -> list[str]:
    """Return the lines for people, of ``width`` cells at most."""
    place = one_line(str(cache_folder()))
    if not there:
        return [f"no environment is kept in {place}"]
    headers = ["release", "size", "packages", "last used (UTC)", "Python", "state"]
    rows = [_row(each) for each in there]
    total = size_in_words(sum(each.size for each in there))
    return [*laid_out(table(headers, rows), width), "", f"{len(there)} in {place}, {total}"]


def _row(each: Kept) -> list[str]:
    return [
        _called(each),
        size_in_words(each.size),
        str(len(each.installed)) if each.complete else "",
        "" if each.last_used is None else each.last_used.removesuffix("+00:00").replace("T", " "),
        one_line(each.python),
        "complete" if each.complete else HALF_MADE,
    ]


def _called(each: Kept) -> str:
    """Return what people call what is kept: its release, after the heavy implementation that is run by it."""
    heavy = next((name for name in HEAVY if environment_of(name).requirements == each.requirements), None)
    return one_line(each.label) if heavy is None else f"{heavy}: {each.label}"


def as_document(there: Sequence[Kept]) -> str:
    """Return everything that is known, as one JSON document."""
    document = {
        "schema": SCHEMA,
        "version": SCHEMA_VERSION,
        "folder": str(cache_folder()),
        "environments": list(map(_entry, there)),
    }
    return json.dumps(document, indent=2)


def _entry(each: Kept) -> dict[str, Any]:
    return {
        "word": each.label,
        "folder": str(each.folder),
        "complete": each.complete,
        "requirements": list(each.requirements),
        "installed": dict(each.installed),
        "size": each.size,
        "made": each.made,
        "last_used": each.last_used,
        "python": each.python or None,
        "by": each.by or None,
    }


def size_in_words(size: int) -> str:
    """Return ``size``, in bytes, as people say it.

    >>> [size_in_words(size) for size in (12, 34_567, 34_567_890, 1_234_567_890)]
    ['12 B', '34.6 kB', '34.6 MB', '1.2 GB']
    """
    amount = float(size)
    for unit in UNITS[:-1]:
        if amount < 1000:
            return f"{size} {unit}" if unit == UNITS[0] else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} {UNITS[-1]}"


# What is named -------------------------------------------------------------------------------------------------------


def _kept() -> list[Kept]:
    try:
        return kept()
    except EnvironmentFaultError as error:
        raise ImplementationError(one_line(str(error))) from error


def _spelt_out(word: str) -> Sequence[str]:
    if word in HEAVY:
        raise click.UsageError(f"{word!r} names no release; to have the one that is run: {pinned(word).install}")
    if not is_release(word):
        raise click.UsageError(
            f"{one_line(word)!r} names no release; write PACKAGE==VERSION, or a range such as 'PACKAGE>=1.2,<2'"
        )
    return releases_in(word) if is_range(word) else (word,)


def _release(word: str) -> tuple[Pinned, Environment]:
    try:
        return pinned(word), environment_of(word)
    except RegistryError as error:
        raise click.UsageError(one_line(str(error))) from error


def _named(word: str, there: Sequence[Kept]) -> Sequence[Kept]:
    """Return those of ``there`` that ``word`` names: of each Python that has one."""
    try:
        label = environment_of(word).label
    except RegistryError:
        label = word
    found = [each for each in there if label == each.label or word == each.folder.name]
    if not found:
        raise click.UsageError(
            f"there is no environment of {one_line(word)!r}; 'tokconf environments list' shows those that are kept"
        )
    return found


def _unused(there: Iterable[Kept], days: float) -> Iterable[Kept]:
    """Yield those that were last used, or else made, more than ``days`` ago; of others, that is not known."""
    since = datetime.now(UTC) - timedelta(days=days)
    for each in there:
        moment = each.last_used or each.made
        when = datetime.fromtimestamp(each.folder.stat().st_mtime, UTC)
        if moment is not None:
            when = datetime.fromisoformat(moment)
        if when <= since:
            yield each
