"""What records are called that are shown together: each by the name of its file, with folders where these are alike."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokenizer_conformance.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def distinct_names(paths: Sequence[Path]) -> list[str]:
    """Return a name for each of ``paths``: its last part, or as many as it takes to tell it from the others.

    ``linux/run.jsonl`` and ``mac/run.jsonl`` keep their folder, of which a site of the records of a CI job has one for
    each. Raises :class:`BadInputError` where two are one file.
    """
    resolved = [path.resolve() for path in paths]
    twice = next((path for path, number in Counter(resolved).items() if number > 1), None)
    if twice is not None:
        given = [repr(str(path)) for path, found in zip(paths, resolved, strict=True) if found == twice]
        raise BadInputError(f"{' and '.join(dict.fromkeys(given))} is given {len(given)} times")
    plain = [path.with_name(record_name(path)) for path in resolved]
    told = plain if len(set(plain)) == len(plain) else resolved
    return [_shortest(path, told) for path in told]


COMPRESSED = (".xz", ".gz")


def record_name(path: Path) -> str:
    """Return what the record at ``path`` is called: its file, without what says that it is compressed.

    >>> from pathlib import Path
    >>> record_name(Path("records/run.jsonl.xz"))
    'run.jsonl'
    """
    return path.stem if path.suffix in COMPRESSED else path.name


def _shortest(path: Path, others: Sequence[Path]) -> str:
    """Return the shortest end of ``path`` that no other of the ``others`` has."""
    parts = path.parts
    for number in range(1, len(parts)):
        end = parts[-number:]
        if sum(other.parts[-number:] == end for other in others) == 1:
            return "/".join(end)
    return str(path)
