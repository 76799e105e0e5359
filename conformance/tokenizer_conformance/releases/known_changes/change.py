"""Known changes as values: what changed, how a difference that comes of it looks, and the probe that shows it.

These types are the form of the files: a key is a member, and there are no others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct
from packaging.version import InvalidVersion, Version

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation, Outcome

Answer = Any
"""What a probe answers: a value of JSON, or a table with the key ``error`` and the words of an error."""

Words = Annotated[str, Meta(pattern=r"\S")]
Id = Annotated[str, Meta(pattern="^[a-z0-9]+(-[a-z0-9]+)*$")]
Link = Annotated[str, Meta(pattern=r"^[\w.-]+/[\w.-]+(#\d+|@[\w.-]+)$")]
"""A pull request or a release: huggingface/tokenizers#1234, huggingface/tokenizers@v0.20.0."""


@dataclass(frozen=True, slots=True)
class Having:
    """A component that a tokenizer.json must have for a change to matter.

    ``part`` is the member of tokenizer.json that it stands in, also inside a ``Sequence``; ``type`` its type. An added
    token stands in ``added_tokens``, and has the type ``AddedToken``; truncation and padding have their part's name for
    a type. ``members`` are what else it must say.
    """

    part: str
    type: str
    members: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Characters:
    """The characters that a release sees otherwise.

    ``becomes`` says what a normalizer makes of each of them since then, which it left alone before; empty where nothing
    is rewritten.
    """

    all: frozenset[str]
    becomes: Mapping[str, str]


class Selector(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a difference must look like for a change to explain it; all of it must hold.

    ``stages``, ``fields``, ``kinds`` and ``asks`` are words; of ``fields`` the difference may have no other. The
    tokenizer must have any of ``having``. ``text`` is a pattern that must be found in the text or the pair. ``old`` and
    ``new`` are patterns of the words with which the two releases refuse: the whole words must fit, and a release for
    which none is given must not refuse; the words of one that does not refuse are the empty text. ``relation`` names a
    rule that the two answers must keep (:mod:`relations`).
    """

    stages: frozenset[str] = frozenset()
    fields: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    asks: frozenset[str] = frozenset()
    having: tuple[Having, ...] = ()
    characters: Characters | None = None
    text: str | None = None
    old: str | None = None
    new: str | None = None
    relation: str | None = None

    def __post_init__(self) -> None:
        """Raise ``ValueError`` where it would explain too much."""
        if not self.stages:
            raise ValueError("`stages` is missing: a change explains differences of stages that it names")
        if not (self.characters or self.relation or self.old or self.new):
            raise ValueError("it says nothing of the answers; give `characters`, `relation`, `old` or `new`")


class Probe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A program that shows a change.

    It runs in the environment of a release, in a folder with ``files`` (name to content; ``bundled:NAME`` stands for
    the tokenizer.json of a bundled tokenizer), and leaves what it has found in its variable ``answer``: ``old`` in
    releases without the change, ``new`` in those with it.
    """

    program: str
    old: Answer
    new: Answer
    files: Mapping[str, str] = {}

    def __post_init__(self) -> None:
        """Raise ``ValueError`` where it can show nothing."""
        if "answer" not in self.program:
            raise ValueError("`program` does not set `answer`")
        if self.old == self.new and type(self.old) is type(self.new):
            raise ValueError("`old` and `new` are the same answer")


class KnownChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A change of ``package``, whose ``id`` is for ever.

    ``before`` is the last release without it, ``since`` the first with it; ``until`` is the first that is again as
    before, and ``last`` the one before that. ``component`` is the type of tokenizer.json, or the part of the API, that
    changed. ``links`` are releases and pull requests, ``requirements`` those of the suite that describe the same. A
    change without a ``selector`` explains no difference: only users of the Python API see it.
    """

    id: Id
    package: str
    before: str
    since: str
    last: str | None = None
    until: str | None = None
    component: Words
    title: Words
    description: Words
    links: tuple[Link, ...] = ()
    requirements: tuple[Words, ...] = ()
    selector: Selector | None = None
    probe: Probe

    @property
    def holds(self) -> str:
        """The releases that have it, in words: the first, and the last where it was taken back."""
        return self.since if self.last in (None, self.since) else f"{self.since} to {self.last}"

    def holds_in(self, version: str) -> bool:
        """Return whether ``version`` behaves in the new way; raises :class:`InvalidVersion` for what is no version."""
        asked = Version(version)
        return Version(self.since) <= asked and (self.until is None or asked < Version(self.until))

    def lies_between(self, old: str, new: str) -> bool:
        """Return whether ``old`` and ``new`` differ by this change; never where one is no version of PEP 440."""
        try:
            return self.holds_in(old) != self.holds_in(new)
        except InvalidVersion:
            return False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedAnswer:
    """One difference between two releases, as :meth:`KnownChanges.explaining` takes it.

    ``stage``, ``fields`` and ``kind`` are in the words of ledgers (``ledger/entry.py``; ``load`` and ``save`` are
    stages too, and ``refused`` is a kind). ``question`` is what was asked, ``None`` for loading and saving.
    ``document`` is the tokenizer.json as JSON. ``old`` and ``new`` are both answers in full, offsets in code points;
    for loading, the words of a refusal (``None`` where there was none), for saving, the text that was written. Where an
    answer is not at hand, leave it ``None``: changes that are told by the answers then explain nothing.
    """

    stage: str
    fields: tuple[str, ...] = ()
    kind: str = "other values"
    question: Observation | None = None
    document: Mapping[str, Any] | None = None
    old: Outcome | str | None = None
    new: Outcome | str | None = None
