"""An entry of a ledger: which differences it is about, and why they are known; and a difference as a ledger sees it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Field, Stage
from tokenizer_adapters.environments.words import known_as

if TYPE_CHECKING:
    from tokenizer_conformance.ledger.answers import Answered

TARGET = "tokenizers"
"""The baseline of an entry that names none."""

VERDICTS: tuple[str, ...] = ("crash", "timeout", "protocol", "error", "differ")
"""The verdicts that can be known. What is unstable cannot: nobody can say what to expect."""

KINDS: tuple[str, ...] = (
    "other length",
    "other values",
    "offset inside a character",
    "offset outside the text",
    "raised an error",
    "crashed",
    "timed out",
    "broke the protocol",
    "refused",
)
"""How two answers differ, in the words of reports; ``refused``: one side does not load a tokenizer."""

CLASSES: tuple[str, ...] = (*VERDICTS, *KINDS)
"""What ``class`` selects by: verdicts, and the kinds of finding."""

LOAD, VOCABULARY, SAVE = "load", "vocabulary", "save"

STAGES: tuple[str, ...] = (*Stage, LOAD, VOCABULARY, SAVE)
"""What ``stage`` selects by: the stages, and what is asked of a tokenizer beside them, by ``fuzz`` and suites."""

FIELDS: tuple[str, ...] = (*Field, "encodings", "chunks", "document")
"""What ``field`` selects by: the fields of answers, those that only suites ask about too."""

SECTIONS: tuple[str, ...] = ("defaults", "refusals", "saved", "suite", "training")
"""What ``section`` selects by: kinds of facts about a release that are no answers to texts (``tokconf versions``)."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry stands: in a ``file``, as number ``number`` (from 1), on line ``line`` where that is known.

    ``ledger`` is the number of the file (from 0) among those that were read together.
    """

    file: str
    number: int
    line: int | None = None
    ledger: int = 0

    def __str__(self) -> str:
        line = "" if self.line is None else f" (line {self.line})"
        return f"{self.file!r} entry {self.number}{line}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Differences that are known. What an entry does not name, it does not ask for.

    It is about ``implementation`` in a ``version`` of this range (PEP 440), compared with one of the ``baselines``,
    whose version is at least ``since`` and less than ``until``. ``tokenizers``, ``requirements`` and ``inputs`` are
    names or patterns (``*``, ``?``, ``[…]``) of names; ``stages``, ``fields`` and ``classes`` are words. ``text`` and
    ``pair`` are those of the question, whole. ``answers`` are what was answered (:mod:`.answers`): where an entry has
    any, it is about these alone, and about those that follow from them. ``reason`` says why the difference is known,
    ``link`` where the world knows of it, ``finding`` where it is described in this project; ``cause`` and ``component``
    are what was found to be the cause, and in which component: these select nothing.

    An entry that names ``sections`` is about facts of these kinds that changed from a release (the baseline) to the
    next one, and about no answer; ``facts`` are names or patterns of names. Every other entry is about no fact.
    """

    implementation: str
    reason: str
    place: Place
    version: str | None = None
    baselines: tuple[str, ...] = (TARGET,)
    since: str | None = None
    until: str | None = None
    tokenizers: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    text: str | None = None
    pair: str | None = None
    link: str | None = None
    finding: str | None = None
    sections: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    cause: str | None = None
    component: str | None = None
    answers: frozenset[str] = frozenset()

    @property
    def selector(self) -> Entry:
        """The entry without what is said about the differences: two entries are about the same where this is equal."""
        return replace(self, reason="", link=None, finding=None, cause=None, component=None, place=Place("", 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class FactDifference:
    """A fact about a release that is another one than before, as a ledger sees it.

    The fact called ``name`` of a ``section`` is another one in ``version`` of ``implementation`` than in
    ``baseline_version`` of ``baseline``. Releases go by the names of their implementations, as in a
    :class:`Difference`.
    """

    implementation: str
    version: str
    baseline: str
    baseline_version: str
    section: str
    name: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "implementation", known_as(self.implementation))
        object.__setattr__(self, "baseline", known_as(self.baseline))


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference as a ledger sees it.

    ``implementation`` in ``version`` differs on ``tokenizer`` (which may have further names, ``also_called``) at
    ``stage``, in all of ``fields`` (none where there was no value), in the manner ``kind``, on which ``verdict`` was
    reached. ``requirement`` is that of a suite, ``input`` the id of an input; ``text`` and ``pair`` are what was asked
    about, ``answered`` what was answered. ``baseline`` and its version are what it was compared with; where no version
    is given, any fits. A release that goes by the word that selects it (``tokenizers==0.19.1``) is, like its entries,
    the implementation ``tokenizers`` in that version.
    """

    implementation: str
    version: str
    tokenizer: str
    stage: str
    fields: tuple[str, ...]
    requirement: str | None
    kind: str
    input: str | None
    verdict: str = "differ"
    text: str | None = None
    pair: str | None = None
    baseline: str = TARGET
    baseline_version: str | None = None
    also_called: tuple[str, ...] = ()
    answered: Answered | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "implementation", known_as(self.implementation))
        object.__setattr__(self, "baseline", known_as(self.baseline))
