"""What both sides answered to a question, in a few letters: an entry that has these is about no other answers.

Names of stages, fields and inputs say where answers differ, and another fault may differ in just these places. What
was answered is another thing then, so its digest is another one. A digest is of the values in which the two answers
differ: it stays whatever else is asked, in whatever order and by how many processes, and whether anybody looks for
causes or not.
"""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

LETTERS = 4
"""How many letters stand for an answer: among a thousand known ones, one new answer of 16,000 is taken for one."""

PER_LINE = 26
"""How many answers stand on a line of a ledger."""

_WRITTEN = re.compile(rf"(?:[A-Za-z0-9_-]{{{LETTERS}}})+")


@dataclass(frozen=True, slots=True)
class Answered:
    """Digests of what two sides answered to one question, by the fields in which they differ; ``""`` is of errors."""

    digests: Mapping[str, bytes]

    def letters(self, fields: Collection[str] = ()) -> str:
        """Return the letters for all that differs, or for what does of ``fields``; empty where nothing does."""
        told = [self.digests[field] for field in sorted(self.digests) if not fields or field in fields]
        if not told:
            return ""
        digest = hashlib.blake2b(b"".join(told), digest_size=LETTERS * 3 // 4).digest()
        return base64.urlsafe_b64encode(digest).decode("ascii")


def are_answers(line: str) -> bool:
    """Return whether ``line`` is written as :func:`written` does.

    >>> are_answers("aB3_"), are_answers("aB3_-x"), are_answers("")
    (True, False, False)
    """
    return _WRITTEN.fullmatch(line) is not None


def written(answers: Collection[str]) -> Iterator[str]:
    """Yield ``answers`` as they stand in a ledger: some on a line, without anything between them.

    >>> list(written({"bbbb", "aaaa"})), sorted(read(["aaaabbbb"]))
    (['aaaabbbb'], ['aaaa', 'bbbb'])
    """
    ordered = sorted(answers)
    for start in range(0, len(ordered), PER_LINE):
        yield "".join(ordered[start : start + PER_LINE])


def read(lines: Iterable[str]) -> frozenset[str]:
    """Return the answers that :func:`written` made ``lines`` of."""
    return frozenset(line[at : at + LETTERS] for line in lines for at in range(0, len(line), LETTERS))
