"""``tokconf changes``: what releases of tokenizers and transformers answer otherwise than those before."""

from __future__ import annotations

import difflib
import sys

import click
from packaging.version import InvalidVersion, Version

from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.screen import width_of
from tokenizer_conformance.command_io.wrapping import wrapped
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.releases.known_changes.listing import (
    ListedRequirement,
    as_document,
    page,
    told,
    unseen_changes,
)
from tokenizer_conformance.releases.known_changes.reader import PACKAGES, known_changes
from tokenizer_conformance.validation.suite.reader import read_rules

COMMAND = "tokconf changes"


def execute(*, package: str | None, old: str | None, new: str | None, as_json: bool, as_markdown: bool) -> None:
    """Carry out ``tokconf changes``."""
    if as_json and as_markdown:
        raise click.UsageError("--json and --markdown are two forms of one list; give one of them")
    if package is not None and package not in PACKAGES:
        raise BadInput(_unknown(package))
    if (old is None) != (new is None):
        raise click.UsageError("FROM is a release, and TO another one; give both or none")
    for release in (old, new):
        _check_version(release)
    known = known_changes()
    if package is None:
        changes = known.changes
    elif old is None or new is None:
        changes = tuple(change for change in known.changes if change.package == package)
    else:
        changes = known.between(package, old, new)
    told_by_changes = {id_ for change in changes for id_ in change.requirements}
    requirements = () if package == "transformers" else _requirements(old, new, told_by_changes)
    if as_json:
        click.echo(as_document(changes, requirements, {"package": package, "from": old, "to": new}))
    elif as_markdown:
        words = " ".join(filter(None, (COMMAND, package, old, new, "--markdown")))
        unseen = tuple(each for each in unseen_changes() if old is None and package in (None, each.package))
        click.echo(page(changes, requirements, unseen, words), nl=False)
    else:
        width = width_of(sys.stdout)
        for line, indent in told(changes, requirements):
            click.echo("\n".join(wrapped(line, width, indent)))
        click.echo(f"{len(changes)} changes, and {len(requirements)} more requirements that older releases do not meet")


def _requirements(old: str | None, new: str | None, without: set[str]) -> tuple[ListedRequirement, ...]:
    """Return the requirements, but those ``without``, that came between ``old`` and ``new``, in the releases' order."""
    found = [
        ListedRequirement(requirement.since, requirement.id, requirement.title, area.name, requirement.refused_before)
        for area, requirement in read_rules().requirements()
        if requirement.since is not None and requirement.id not in without and _is_between(requirement.since, old, new)
    ]
    return tuple(sorted(found, key=lambda each: (Version(each.since), each.area, each.id)))


def _is_between(since: str, old: str | None, new: str | None) -> bool:
    if old is None or new is None:
        return True
    first, last = sorted((Version(old), Version(new)))
    return first < Version(since) <= last


def _check_version(release: str | None) -> None:
    try:
        Version(release or "0")
    except InvalidVersion as error:
        raise BadInput(f"{one_line(repr(release))} is no version; write one as in 0.23.3") from error


def _unknown(package: str) -> str:
    close = difflib.get_close_matches(package, PACKAGES, n=1)
    suggestion = f"; did you mean {close[0]}?" if close else f"; changes are known of {' and '.join(PACKAGES)}"
    return f"no changes are known of {one_line(package)!r}{suggestion}"
