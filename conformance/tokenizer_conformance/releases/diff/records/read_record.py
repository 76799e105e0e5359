"""A record that is compared with another one of its kind, read; each kind is a class."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

from tokenizer_conformance.causes.cause import UNEXPLAINED
from tokenizer_conformance.causes.record_forms import cause_of
from tokenizer_conformance.causes.wording import cause_headline, cause_lines
from tokenizer_conformance.comparison.record_forms import difference_of, question_of
from tokenizer_conformance.comparison.wording import describe, subject_lines, window
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.releases.diff.records.changes import Aspect, Key, Outcome, State
from tokenizer_conformance.releases.diff.records.matching import Party
from tokenizer_conformance.results.records.ending import Ending
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.headers import Header
from tokenizer_conformance.results.records.lines import ShapeError, read_lines
from tokenizer_conformance.results.records.record_diff import ComparedRecord

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Self

    from tokenizer_conformance.releases.diff.records.matching import Matching
    from tokenizer_conformance.results.records.answers import DifferenceOfSides, Question
    from tokenizer_conformance.results.records.causes import SearchedCause
    from tokenizer_conformance.results.records.format import Format
    from tokenizer_conformance.results.records.headers import Implementation, Shard
    from tokenizer_conformance.results.records.lines import Opening
    from tokenizer_conformance.results.records.run import HeaderTokenizer
    from tokenizer_conformance.results.records.search import Tokenizer
    from tokenizer_conformance.results.records.training import TrainerInfo
    from tokenizer_conformance.results.records.value import Value

H = TypeVar("H", bound=Header)

LONGEST_VALUE = 120
"""How many characters of what a header says are shown."""


class Figure(NamedTuple):
    """A number that a record has, of whom and about what; it is told, and nothing is called new for it."""

    implementation: str
    subject: str
    name: str


class ReadRecord(ABC, Generic[H]):
    """One of two records that are compared: its ``outcomes``, and its ``figures``, which are told and judge nothing.

    ``noun`` is what it is the record of, ``format`` its format. ``options`` are what headers may have another value of,
    with the words for it, and ``asked`` their values. ``other_release`` and ``other_baseline`` say what follows where
    these are others. ``names`` are those of the new record by those of this one.
    """

    noun: ClassVar[str]
    format: ClassVar[Format]
    options: ClassVar[Mapping[str, str]]
    other_release: ClassVar[str] = ""
    other_baseline: ClassVar[str] = ""

    def __init__(self, opening: Opening, header: H, matching: Matching) -> None:
        self.header = header
        self.ending = Ending()
        self.path = str(opening.path)
        self._opening = opening
        self.asked = tuple(getattr(header, key) for key in self.options)
        parties = self.parties(header)
        self.own_baseline = next((each.name for each in parties if each.is_baseline), "")
        self.baseline = matching.name(self.own_baseline)
        self.names = {each.name: matching.name(each.name) for each in parties}
        self.outcomes: dict[Key, Outcome] = {}
        self.figures: dict[Figure, float] = {}
        self.refused: dict[str, str] = {}
        self._begin()

    def described(self) -> ComparedRecord:
        """Return what the header of the comparison says of it."""
        made_by = self.header.environment
        return ComparedRecord(
            path=self.path,
            started=made_by.started,
            tokconf=made_by.tokconf,
            command=made_by.command,
            ended=self.ending.words,
            is_whole=self.ending.is_whole,
        )

    @staticmethod
    @abstractmethod
    def parties(header: H) -> list[Party]:
        """Return who was asked. Raises :class:`ShapeError` for a name that stands there twice."""

    # Reading

    def read(self) -> None:
        """Read all lines. Raises :class:`BadInputError`."""
        read_lines(self._opening, self.format, self.ending, self._take)
        if self.ending.footer is not None:
            self.figure("seconds", self.ending.footer.seconds)
        self._end()

    def _begin(self) -> None:
        """Set up what is kept beside that."""

    @abstractmethod
    def _take(self, line: Value) -> None:
        """Take in a ``line``. Raises :class:`ShapeError`."""

    def _end(self) -> None:
        """Take in what is only known at the end."""

    def name(self, name: str) -> str:
        """Return the name in the new record. Raises :class:`ShapeError` where the header has none such."""
        if name not in self.names:
            raise ShapeError(f"{one_line(name, 60)!r} is not in the header")
        return self.names[name]

    def refuse(self, name: str, reason: str) -> None:
        """Note that what is called ``name`` could not be used."""
        self.refused[self.names.get(name, name)] = reason

    def figure(self, name: str, value: float, implementation: str = "", subject: str = "") -> None:
        """Take in a number."""
        self.figures[Figure(implementation, subject, name)] = value

    def add(self, outcome: Outcome) -> None:
        """Take in an outcome. Raises :class:`ShapeError` where there is one under its key."""
        key = outcome.key
        if key in self.outcomes:
            which = one_line(", ".join((key.implementation, key.subject, *key.parts)), 80)
            raise ShapeError(f"{key.aspect} of {which!r} stands there twice")
        self.outcomes[key] = outcome

    def join(self, outcome: Outcome) -> None:
        """Take in an outcome, whose counts are added to those of the one that is there under its key."""
        was = self.outcomes.get(outcome.key)
        if was is not None:
            counts = {name: count + was.counts[name] for name, count in outcome.counts.items()}
            outcome = replace(was, counts=counts)
        self.outcomes[outcome.key] = outcome

    def cause(self, recorded: SearchedCause, counts: Sequence[str], repeat: str) -> Outcome:
        """Return a cause as an outcome; ``counts`` are those of its members that decide whether it is worse.

        Its key is the class and the parameter of a proven one, and what an unexplained one looks like.
        """
        found = cause_of(json_of(recorded))
        found = replace(found, implementation=self.name(found.implementation))
        signature, reason = found.signature, found.reason
        manner = signature.manner
        parts: tuple[str, ...] = (reason.name, reason.parameter)
        if not reason.is_proven:
            parts = (UNEXPLAINED, manner.stage.value, manner.field or "", manner.kind.value)
            parts = (*parts, signature.component, signature.characters, signature.context)
        return Outcome(
            Key(Aspect.CAUSE, found.implementation, "", parts, self.baseline),
            State.FAILS,
            cause_headline(found),
            reason.name,
            {name: getattr(found, name) for name in counts},
            lines=tuple(cause_lines(found, self.own_baseline)),
            repeat=repeat,
            places=((manner.stage, manner.field),),
            tokenizers=tuple(found.tokenizers),
        )

    def question_lines(self, question: Question, difference: DifferenceOfSides, implementation: str) -> tuple[str, ...]:
        """Return lines that show what was asked and both answers, all made safe."""
        asked = question_of(json_of(question))
        found = difference_of(json_of(difference))
        names = (one_line(self.own_baseline, 60), one_line(implementation, 60))
        return (f"{describe(asked)}:", *subject_lines(asked), *window(found, *names))

    # Beside the other record

    def remarks(self, then: Self) -> Iterator[str]:
        """Say what the two do not have in common; this is the new one."""
        old, new = then.header, self.header
        was, is_ = (each.environment.tokconf for each in (old, new))
        if was != is_:
            yield f"tokconf {one_line(was, 40)} then, {one_line(is_, 40)} now{self.other_release}"
        if then.baseline != self.baseline:
            names = f"{shown(then.own_baseline)} then, {shown(self.own_baseline)} now"
            yield f"another baseline: {names}{self.other_baseline}"
        yield from self._further_remarks(then)
        yield from value_remarks(old, new, self.options)

    def _further_remarks(self, then: Self) -> Iterator[str]:
        """Say what else the two do not have in common."""
        del then
        return iter(())

    def lacks(self, other: Self, outcome: Outcome) -> str:
        """Say why this side could not have found ``outcome``, which ``other`` may have; empty where it would have."""
        name = outcome.key.implementation
        if name in self.refused:
            return self.refusal(name)
        if name not in self.names.values():
            return f"{one_line(name)} was not asked"
        if outcome.key.against and self.baseline != other.baseline:
            return "the baseline is another one"
        return self._lacks(other, outcome)

    def refusal(self, name: str) -> str:
        """Say why what is called ``name`` was refused."""
        return one_line(self.refused[name])

    @abstractmethod
    def _lacks(self, other: Self, outcome: Outcome) -> str:
        """Say the same of an implementation that was asked, beside the same baseline."""


def parties_in(listed: Iterable[Implementation | TrainerInfo], baseline: str | None = None) -> list[Party]:
    """Return the implementations or trainers that a header lists.

    Raises :class:`ShapeError` for a name that stands there twice.
    """
    found = [Party(each.name, each.version, each.name == baseline) for each in listed]
    names = [each.name for each in found]
    if len(set(names)) != len(names):
        raise ShapeError("a name stands twice among those that were compared")
    return found


def digests(listed: Iterable[HeaderTokenizer | Tokenizer]) -> dict[str, str]:
    """Return the digests of the tokenizers of a header, by name."""
    return {each.name: each.sha256 for each in listed}


def tokenizer_remarks(then: Mapping[str, str], now: Mapping[str, str], was: str) -> Iterator[str]:
    """Say which tokenizers only one record has, or has another file of; ``was`` is what was done with them."""
    for names, others, when in ((then, now, "now"), (now, then, "then")):
        yield from (f"tokenizer {one_line(name)} was not {was} {when}" for name in names if name not in others)
    for name, sha256 in then.items():
        if now.get(name, sha256) != sha256:
            yield f"tokenizer {one_line(name)}: its tokenizer.json is another one now"


def value_remarks(then: Value, now: Value, keys: Mapping[str, str]) -> Iterator[str]:
    """Say which of ``keys``, each with the words for it, have another value now."""
    old, new = (json_of(each) for each in (then, now))
    for key, words in keys.items():
        was, is_ = (each.get(key) for each in (old, new))
        if was != is_:
            yield f"{words}: {shown(was)} then, {shown(is_)} now"


def shard_remarks(then: Shard | None, now: Shard | None, whole: str) -> Iterator[str]:
    """Say which of two records is that of a part of the ``whole``."""
    for when, shard in (("then", then), ("now", now)):
        if shard is not None:
            yield f"a part of {whole} {when} (--shard {shown(json_of(shard))})"


def shown(value: Any) -> str:
    """Return a value of a header in words, made safe."""
    match value:
        case None | [] | "" | {}:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list():
            return one_line(", ".join(map(str, value)), LONGEST_VALUE)
        case _:
            return one_line(str(value), LONGEST_VALUE)
