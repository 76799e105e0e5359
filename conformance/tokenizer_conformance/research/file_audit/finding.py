"""What the lint of a tokenizer.json finds: kinds of defects, and single findings with what shows them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.research.file_audit.audited import AuditedFile


class Severity(StrEnum):
    """How bad a defect is.

    ``ERROR``: the file cannot be loaded, or texts become other ids or text than the file itself says they do.
    ``WARNING``: something in the file does nothing, or surprises whoever relies on it. ``NOTE``: worth knowing, and may
    well be meant.
    """

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """The place among all, the worst first."""
        return _RANKS.index(self)

    def reaches(self, threshold: Severity) -> bool:
        """Return whether this is as bad as ``threshold``, or worse."""
        return self.rank <= threshold.rank


_RANKS = tuple(Severity)


class Certainty(StrEnum):
    """How a finding is known.

    ``PROVEN``: the file alone, a rule of the pipeline or a witness shows it. ``SEARCHED``: a search found nothing to
    the contrary; the finding's message says among how much it searched.
    """

    PROVEN = "proven"
    SEARCHED = "searched"


@dataclass(frozen=True, slots=True)
class Defect:
    """A kind of defect: an ``id`` for ever, a ``title`` in a few words, how bad it is, and what to know about it.

    ``explanation`` says what it means for users of the file, ``remedy`` what to do.
    """

    id: str
    title: str
    severity: Severity
    explanation: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Witness:
    """What shows a finding when the tokenizer is asked: ``text`` (or ``ids``) that it is given, and what comes of it.

    ``conversation`` is what a chat template is given, as JSON. ``result`` is a sentence for people. Texts and tokens in
    it are hostile, and quoted (:func:`~tokenizer_conformance.escape.quoted`).
    """

    result: str
    text: str | None = None
    ids: tuple[int, ...] | None = None
    conversation: str | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """One of the many places that a finding is about: its path, and what is to be said of it alone.

    ``witness`` and ``to_do`` are told where it is a finding of its own; the first witness is that of all.
    """

    path: Path
    message: str
    witness: Witness | None = None
    to_do: str = ""


@dataclass(frozen=True, slots=True)
class FoundDefect:
    """One finding: a ``defect`` at ``path``, the keys and indexes that lead to it from the top of the document.

    ``message`` is one sentence about this place. Where one cause has many places, there is one finding: ``count`` says
    how many, ``examples`` are the first of them, and ``path`` leads to what holds them all. ``details`` are further
    lines. ``line`` is where it is in the file, from 1, where the path cannot tell. ``to_do`` is what to do about this
    one, where more is known than the defect's remedy.
    """

    defect: Defect
    path: Path
    message: str
    certainty: Certainty = Certainty.PROVEN
    witness: Witness | None = None
    count: int = 1
    examples: tuple[Example, ...] = ()
    details: tuple[str, ...] = ()
    line: int | None = None
    to_do: str = ""


@dataclass(frozen=True, slots=True)
class FileCheck:
    """A check: what it is called for people who wait, the ``defects`` that it finds, and what finds them.

    ``find`` yields findings as it comes upon them, of these defects alone. It needs nothing but the document; where it
    asks the implementation, and that has not loaded the file, it yields nothing. ``in_file``: their paths lead into the
    tokenizer.json, and not into a file beside it.
    """

    name: str
    defects: tuple[Defect, ...]
    find: Callable[[AuditedFile], Iterator[FoundDefect]]
    in_file: bool = True


FEW = 5
"""Up to so many places of one cause are findings of their own."""

MOST_EXAMPLES = 10
"""How many places of one cause are kept as examples."""


def gathered(
    defect: Defect, holder: Path, places: Sequence[Example], message: str, most: int | None = MOST_EXAMPLES
) -> Iterator[FoundDefect]:
    """Yield a finding for each of ``places``, or a single one at ``holder``, which holds them all, where they are many.

    ``message`` is what the single one says, with ``most`` examples, or all.
    """
    if len(places) <= FEW:
        for place in places:
            yield FoundDefect(defect, place.path, place.message, witness=place.witness, to_do=place.to_do)
    else:
        witness, examples = places[0].witness, tuple(places[:most])
        yield FoundDefect(defect, holder, message, witness=witness, count=len(places), examples=examples)
