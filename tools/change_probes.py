"""Ask the probes of the known changes in the releases around them, and say which do not give what is written.

    python tools/change_probes.py [PACKAGE…] [--id ID…] [--all]

A probe is asked in the last release before its change and in the first with it, and, where the change was taken back,
in the last with it and the first without; ``--all`` asks it in every release that the file lists. What answers
otherwise is printed; exit status 1 where anything does, 2 where nothing can be asked. Environments are made where they
are missing (``releases.py``).
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from releases import ReleaseError, python_of

from tokenizer_conformance.releases.known_changes.probing import ProbeError, answer_of
from tokenizer_conformance.releases.known_changes.reader import PACKAGES, ChangesError, known_changes, releases_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_conformance.releases.known_changes.change import KnownChange


def releases_around(change: KnownChange) -> tuple[str, ...]:
    """Return the releases in which ``change`` has to be seen coming, and going where it went."""
    around = (change.before, change.since, change.last, change.until)
    return tuple(dict.fromkeys(release for release in around if release is not None))


def faults_of(change: KnownChange, releases: tuple[str, ...]) -> Iterator[str]:
    """Yield the releases whose answer is not the one that ``change`` says, and what it is."""
    for release in releases:
        expected = change.probe.new if change.holds_in(release) else change.probe.old
        try:
            found = answer_of(change.probe, python_of(change.package, release))
        except ProbeError as error:
            yield f"{change.id}: {change.package} {release} gives no answer: {error}"
            continue
        if found != expected:
            yield f"{change.id}: {change.package} {release} answers {found!r}, where {expected!r} is written"


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments say; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"{' or '.join(PACKAGES)}; both without any")
    parser.add_argument("--id", action="append", dest="ids", help="ask this probe alone; repeatable")
    parser.add_argument("--all", action="store_true", help="ask in every release that the file lists")
    given = parser.parse_args(arguments)
    if unknown := sorted(set(given.packages) - set(PACKAGES)):
        parser.error(f"no such package: {', '.join(unknown)}; choose from {', '.join(PACKAGES)}")
    try:
        changes = [each for each in known_changes().changes if not given.packages or each.package in given.packages]
        if unknown := sorted(set(given.ids or ()) - {each.id for each in changes}):
            parser.error(f"no known change has the id {', '.join(unknown)}; `tokconf changes` lists them")
        faults = 0
        asked = 0
        for change in changes:
            if given.ids and change.id not in given.ids:
                continue
            releases = releases_of(change.package) if given.all else releases_around(change)
            asked += len(releases)
            for fault in faults_of(change, releases):
                faults += 1
                print(fault, flush=True)
    except (ChangesError, ReleaseError) as error:
        print(f"change_probes: {error}", file=sys.stderr)
        return 2
    print(f"{asked} answers, {faults} other than written")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
