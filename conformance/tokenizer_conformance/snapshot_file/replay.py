"""A snapshot as an implementation that answers what it answered then, so that everything that compares compares it.

Answers are read in the order of the file, and the few around the input at work are kept: whatever the size of the
snapshot, memory is that of a few hundred inputs. A :class:`Position` says which input is at work; a
:class:`ReplayedCorpus` moves it on, so corpus and implementations of one comparison share one. What was not asked then
is ``Unsupported``.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

from tokenizer_adapters.contract import CannotLoadError, Encode, TokenizerSource, Unsupported
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.corpus import EVERYTHING, paired
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
from tokenizer_conformance.snapshot_file.parts import Answers, LoadedTokenizer
from tokenizer_conformance.snapshot_file.questions import QUESTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import ImplementationInfo, Observation, Outcome, Shows
    from tokenizer_conformance.inputs.corpus import PairedInput, Selection
    from tokenizer_conformance.snapshot_file.reader import Snapshot

KEPT = 256
"""Answers to so many inputs are kept: more than are compared at once."""

NOT_ASKED = Unsupported("the snapshot does not hold this question")


class Position:
    """The number of the input that was taken last, from 0, and those of the :data:`KEPT` ones before it.

    Inputs are taken some time before they are compared.
    """

    def __init__(self) -> None:
        self.number = -1
        self.taken: deque[int] = deque(maxlen=KEPT)

    def take(self, number: int) -> None:
        """Take the input called ``number``."""
        self.number = number
        self.taken.append(number)

    def wants(self, number: int) -> bool:
        """Tell whether answers about the input ``number`` are needed: it was taken, or follows one that was."""
        return number in self.taken or number - 1 in self.taken


class Taken(Protocol):
    """What knows which inputs were taken."""

    @property
    def number(self) -> int:
        """The number of the last one, from 0; less where the snapshot does not have it."""

    def wants(self, number: int) -> bool:
        """Tell whether answers about the input ``number`` are needed."""


@dataclass(frozen=True, slots=True)
class ReplayedCorpus:
    """The inputs of ``snapshot``, those that ``selection`` takes; iterating moves the ``position`` on.

    ``numbers`` has for each input whether it takes part at all: not where it is less than 0. ``count`` is how many
    iterating yields, ``sha256`` the digest of all inputs of the snapshot.
    """

    snapshot: Snapshot
    position: Position
    count: int
    sha256: str
    selection: Selection = EVERYTHING
    numbers: Sequence[int] | None = None

    def __iter__(self) -> Iterator[PairedInput]:
        number = 0
        for _, group in groupby(self.snapshot.inputs(), key=lambda each: each.source):
            for each in paired(Input(one.id, one.category, one.text) for one in group):
                if self.selection.takes(each.input) and (self.numbers is None or self.numbers[number] >= 0):
                    self.position.take(number)
                    yield each
                number += 1


class ReplayedImplementation:
    """What answered in ``snapshot``, called ``name``; ``position`` says which input is at work."""

    def __init__(self, snapshot: Snapshot, info: ImplementationInfo, position: Taken) -> None:
        self.info = info
        self._snapshot = snapshot
        self._position = position

    def load(self, source: TokenizerSource) -> ReplayedSubject:
        """Return what answered about the tokenizer called as ``source`` is.

        Raises :class:`CannotLoadError` where it was not loaded then, in the words of then.
        """
        found = next((each for each in self._snapshot.loaded() if each.name == source.name), None)
        if found is None:
            raise CannotLoadError(f"the snapshot {str(self._snapshot.path)!r} has no tokenizer {source.name!r}")
        if found.error is not None:
            raise CannotLoadError(found.error)
        return ReplayedSubject(self._snapshot, found, self._position)


class ReplayedSubject:
    """The answers about one tokenizer, ``loaded`` as it was then."""

    def __init__(self, snapshot: Snapshot, loaded: LoadedTokenizer, position: Taken) -> None:
        self.loaded = loaded
        if loaded.shows is not None:
            self.shows: Shows = loaded.shows
        if loaded.files:
            self.files = loaded.files
        self._position = position
        self._reading = _answers(snapshot, loaded.name)
        self._read = -1
        self._kept: dict[Observation, tuple[int, Outcome]] = {}
        self._numbers: deque[tuple[int, Mapping[Observation, Outcome]]] = deque()
        self._first_of_source: dict[Observation, Outcome] = {}

    def observe(self, observation: Observation) -> Outcome:
        """Return what was answered to ``observation``, asked about an input near the one at work."""
        outcome = self._found(observation)
        if outcome is None and self._read <= self._position.number:
            self._read_on()
            outcome = self._found(observation)
        return NOT_ASKED if outcome is None else outcome

    def holds(self, observation: Observation) -> bool:
        """Tell whether ``observation`` was answered, with a value or an error."""
        return not isinstance(self.observe(observation), Unsupported)

    def vocabulary(self) -> Unsupported:
        """Show no vocabulary: the snapshot has its digest alone."""
        return Unsupported("a snapshot holds the digest of the vocabulary alone")

    def _found(self, observation: Observation) -> Outcome | None:
        found = self._kept.get(observation)
        return self._first_of_source.get(observation) if found is None else found[1]

    def _read_on(self) -> None:
        """Read up to the input after the one that was taken last: its text is the second one of a pair.

        What nobody took is passed by.
        """
        for number, is_first, read in self._reading:
            self._read = number
            if is_first or self._position.wants(number):
                answers = read()
                self._keep(number, answers)
                if is_first:  # it follows the last one of its source
                    self._first_of_source |= {
                        question: outcome for question, outcome in answers.items() if _is_about_one_text(question)
                    }
            if number > self._position.number:
                return
        self._read = max(self._read, self._position.number + 1)

    def _keep(self, number: int, answers: Mapping[Observation, Outcome]) -> None:
        self._kept |= {question: (number, outcome) for question, outcome in answers.items()}
        self._numbers.append((number, answers))
        if len(self._numbers) > KEPT:
            gone, questions = self._numbers.popleft()
            for question in questions:
                if self._kept[question][0] == gone:  # and not of the same text, further down
                    del self._kept[question]


def _is_about_one_text(question: Observation) -> bool:
    return not isinstance(question, Encode) or question.pair is None


ANSWERS, TOKENIZER = b'{"type":"answers"', b'{"type":"tokenizer"'
"""How the lines of answers and of tokenizers begin."""


def _answers(snapshot: Snapshot, name: str) -> Iterator[tuple[int, bool, Callable[[], Mapping[Observation, Outcome]]]]:
    """Yield the lines of answers about the tokenizer called ``name``, each to be read or not.

    With them come the number of the input, and whether it is the first of its source.
    """
    inputs = enumerate(_with_following(snapshot))
    is_wanted = False
    for line_number, line in snapshot.written():
        if line.startswith(TOKENIZER):
            if is_wanted:
                return
            part = snapshot.part(line_number, line)
            is_wanted = isinstance(part, LoadedTokenizer) and part.name == name
        elif is_wanted and line.startswith(ANSWERS):
            number, (each, is_first) = next(inputs, (-1, (None, False)))
            if each is None:
                raise BadInputError(f"snapshot {str(snapshot.path)!r} has answers to more inputs than it has inputs")
            yield number, is_first, partial(_read_answers, snapshot, line_number, line, each)


def _read_answers(snapshot: Snapshot, number: int, line: bytes, each: PairedInput) -> Mapping[Observation, Outcome]:
    part = snapshot.part(number, line)
    outcomes = part.outcomes if isinstance(part, Answers) else {}
    return answers_by_question(each.input.text, each.following.text, outcomes)


def _with_following(snapshot: Snapshot) -> Iterator[tuple[PairedInput, bool]]:
    for _, group in groupby(snapshot.inputs(), key=lambda each: each.source):
        for number, each in enumerate(paired(Input(one.id, one.category, one.text) for one in group)):
            yield each, number == 0


def answers_by_question(text: str, following: str, outcomes: Mapping[str, Outcome]) -> dict[Observation, Outcome]:
    """Return ``outcomes``, which stand under the names of questions, by the questions themselves.

    A question that follows from an answer which is not there is left out; so is one with a name that nobody knows.
    """
    found: dict[Observation, Outcome] = {}
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
