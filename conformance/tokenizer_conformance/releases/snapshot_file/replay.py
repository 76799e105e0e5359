"""A snapshot as an implementation that answers what it answered then, so that everything that compares compares it.

Answers are read in the order of the inputs, and those about the batch of inputs at work are kept: one input where
nobody is asked ahead. So memory depends on how long texts are, and never on how many. Who compares moves a
:class:`Position` on to each input of a :class:`ReplayedCorpus` before it is compared, and the implementations of one
comparison, which share it, read on with it: answers about other inputs are passed over unread. So a line that cannot be
read is met where inputs are read, and is no answer of an implementation. What was not asked then is :data:`NOT_ASKED`.

All of it can be sent to another process, which reads the file for itself, as long as no tokenizer is loaded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from itertools import groupby, islice, pairwise
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError, TokenizerSource, Unsupported
from tokenizer_adapters.protocol.json_fields import FieldError
from tokenizer_conformance.comparison.batching import CHARACTERS_AT_ONCE, INPUTS_AT_ONCE
from tokenizer_conformance.inputs.corpus import EVERYTHING, PairedInput, paired
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
from tokenizer_conformance.releases.snapshot_file.answer_order import InAnyOrder, InOrder
from tokenizer_conformance.releases.snapshot_file.lines import answers_in
from tokenizer_conformance.releases.snapshot_file.questions import QUESTIONS
from tokenizer_conformance.releases.snapshot_file.reader import parsed_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import ImplementationInfo, Observation, Outcome, Shows
    from tokenizer_conformance.inputs.corpus import Selection
    from tokenizer_conformance.releases.snapshot_file.answer_order import AnswerOrder, Entry
    from tokenizer_conformance.releases.snapshot_file.parts import LoadedTokenizer
    from tokenizer_conformance.releases.snapshot_file.reader import Snapshot

ALWAYS_KEPT = 3
"""Answers about the last inputs that were read are kept however long these are: one, and the text that follows it."""

MOST_INPUTS = INPUTS_AT_ONCE + ALWAYS_KEPT
MOST_CHARACTERS = CHARACTERS_AT_ONCE
"""Answers about so many inputs are kept, or about texts of so many characters before the last ones: those that are
compared at once (:func:`~tokenizer_conformance.comparison.batching.batches`) are among them."""

NOT_ASKED = Unsupported("the snapshot does not hold this question")

Answered = dict["Observation", "Outcome"]


@dataclass(frozen=True, slots=True)
class NumberedInput(PairedInput):
    """An input of a snapshot: it is the one of this ``number``, from 0."""

    number: int = 0


@dataclass(slots=True)
class Position:
    """The input at work. Its ``followers`` are told of every move."""

    followers: list[Callable[[int], None]] = field(default_factory=list)

    def reach(self, each: PairedInput) -> None:
        """Go to an input of a snapshot. Raises what a follower raises."""
        if isinstance(each, NumberedInput):
            for follower in self.followers:
                follower(each.number)


@dataclass(frozen=True, slots=True)
class ReplayedCorpus:
    """The inputs of ``snapshot``, those that ``selection`` takes.

    ``numbers`` has for each input whether it takes part at all: not where it is less than 0. ``count`` is how many
    iterating yields, ``sha256`` the digest of all inputs of the snapshot, which has none of its sources.
    """

    snapshot: Snapshot
    count: int
    sha256: str
    selection: Selection = EVERYTHING
    numbers: Sequence[int] | None = None
    sources_sha256: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[NumberedInput]:
        number = 0
        for _, group in groupby(self.snapshot.inputs(), key=lambda each: each.source):
            for each in paired(Input(one.id, one.category, one.text) for one in group):
                if self.selection.takes(each.input) and (self.numbers is None or self.numbers[number] >= 0):
                    yield NumberedInput(each.input, each.following, each.is_asked_alone, number)
                number += 1


class ReplayedImplementation:
    """What answered in ``snapshot``, called ``name``; it follows ``position``.

    ``numbers`` has for each input of that its number in ``snapshot``, less than 0 where it is not there; ``None`` where
    the numbers are the same.
    """

    def __init__(
        self, snapshot: Snapshot, info: ImplementationInfo, position: Position, numbers: Sequence[int] | None = None
    ) -> None:
        self.info = info
        self._snapshot = snapshot
        self._numbers = numbers
        self._is_in_order = numbers is None or is_rising(numbers)
        self._subject: ReplayedSubject | None = None
        position.followers.append(self._reach)

    def load(self, source: TokenizerSource) -> ReplayedSubject:
        """Return what answered about the tokenizer called as ``source`` is.

        Raises :class:`CannotLoadError` where it was not loaded then, in the words of then.
        """
        self._subject = None
        found = next((each for each in self._snapshot.tokenizers if each.name == source.name), None)
        if found is None:
            raise CannotLoadError(f"the snapshot {str(self._snapshot.path)!r} has no tokenizer {source.name!r}")
        if found.error is not None:
            raise CannotLoadError(found.error)
        begin = partial(InOrder if self._is_in_order else InAnyOrder, self._snapshot, found.name)
        self._subject = ReplayedSubject(self._snapshot, found, begin)
        return self._subject

    def holds(self, question: Observation) -> bool:
        """Return whether ``question``, about an input near the one at work, was asked."""
        return self._subject is None or self._subject.holds(question)

    def _reach(self, number: int) -> None:
        at = number if self._numbers is None else self._numbers[number]
        if self._subject is not None and at >= 0:
            self._subject.reach(at)


def is_rising(numbers: Sequence[int]) -> bool:
    """Return whether those of ``numbers`` that are not negative rise.

    >>> is_rising([0, -1, 3, 4]), is_rising([1, -1, 0])
    (True, False)
    """
    return all(first < second for first, second in pairwise(number for number in numbers if number >= 0))


class ReplayedSubject:
    """The answers about one tokenizer, ``loaded`` as it was then; ``begin`` begins to read them when one is wanted."""

    def __init__(self, snapshot: Snapshot, loaded: LoadedTokenizer, begin: Callable[[], AnswerOrder]) -> None:
        self.loaded = loaded
        if loaded.shows is not None:
            self.shows: Shows = loaded.shows
        if loaded.files:
            self.files = loaded.files
        self._snapshot = snapshot
        self._begin = begin
        self._kept: dict[Observation, tuple[int, Outcome]] = {}
        self._inputs: dict[int, tuple[int, Answered]] = {}
        self._batch: set[int] = set()
        self._characters = 0

    @cached_property
    def _order(self) -> AnswerOrder:
        return self._begin()

    def reach(self, number: int) -> None:
        """Have the answers about an input at hand, and about the one after it: its text is the second one of a pair.

        Raises :class:`BadInputError` where they cannot be read.
        """
        entry = self._order.at(number)
        if entry is not None:
            self._keep(entry)
            following = self._order.at(entry.numbers[1])
            if following is not None:
                self._keep(following)

    def observe(self, observation: Observation) -> Outcome:
        """Return what was answered to ``observation``, asked about an input near the one at work."""
        found = self._kept.get(observation)
        return NOT_ASKED if found is None else found[1]

    def holds(self, observation: Observation) -> bool:
        """Return whether ``observation`` was asked."""
        return observation in self._kept

    def vocabulary(self) -> Unsupported:
        """Show no vocabulary: the snapshot has its digest alone."""
        return Unsupported("a snapshot holds the digest of the vocabulary alone")

    def _keep(self, entry: Entry) -> None:
        number = entry.numbers[0]
        self._batch.add(number)
        if number in self._inputs:
            return
        text, line = entry.each.input.text, entry.line
        answered = _answered(line.content, text, entry.each.following.text)
        if answered is None:  # it is read again, to say what is wrong with it
            self._snapshot.read(line, answers_in)
            self._snapshot.refuse(f"has a line {line.number:,} that cannot be read")
        asked_of, outcomes = answered
        if asked_of != number:
            self._snapshot.refuse(f"has a line {line.number:,} about input {asked_of:,}, where {number:,} is due")
        self._kept |= {question: (number, outcome) for question, outcome in outcomes.items()}
        self._inputs[number] = len(text), outcomes
        self._characters += len(text)
        while len(self._inputs) > MOST_INPUTS or self._characters_before_the_last() > MOST_CHARACTERS:
            self._drop()

    def forget(self) -> None:
        """Let go of what is not about the inputs that were reached since this was called last."""
        self._inputs = {number: held for number, held in self._inputs.items() if number in self._batch}
        self._characters = sum(characters for characters, _ in self._inputs.values())
        self._kept = {
            question: (number, outcome)
            for number, (_, outcomes) in self._inputs.items()
            for question, outcome in outcomes.items()
        }
        self._batch.clear()

    def _characters_before_the_last(self) -> int:
        last = islice(reversed(self._inputs.values()), ALWAYS_KEPT)
        return self._characters - sum(characters for characters, _ in last)

    def _drop(self) -> None:
        number = next(iter(self._inputs))
        characters, outcomes = self._inputs.pop(number)
        self._characters -= characters
        for question in outcomes:
            if self._kept[question][0] == number:  # and not of the same text, further down
                del self._kept[question]


@lru_cache(maxsize=2)
def _answered(content: bytes, text: str, following: str) -> tuple[int, Answered] | None:
    """Return the number of an input, and what the line ``content`` has of it by question; ``None`` if it is malformed.

    Where both sides of a comparison are snapshots, their lines are mostly the same, and are read once.
    """
    try:
        found = answers_in(parsed_line(content))
    except (FieldError, ValueError, RecursionError):
        return None
    return found.number, answers_by_question(text, following, found.outcomes)


def answers_by_question(text: str, following: str, outcomes: Mapping[str, Outcome]) -> Answered:
    """Return ``outcomes``, which stand under the names of questions, by the questions themselves.

    A question that follows from an answer which is not there is left out; so is one with a name that nobody knows.
    """
    found: Answered = {}
    for name, outcome in outcomes.items():
        asks = QUESTIONS.get(name)
        question = None if asks is None else asks(text, following, outcomes)
        if question is not None:
            found[question] = outcome
    return found


def files_of_snapshot(snapshot: Snapshot) -> tuple[TokenizerFile, ...]:
    """Return the tokenizers of ``snapshot`` as a run has them; the files need not be there any more."""
    return tuple(
        TokenizerFile(TokenizerSource(each.name, each.word), each.sha256, each.size)
        for each in snapshot.header.tokenizers
    )
