"""The outcome of one input: its questions put to everybody, and the answers compared.

Inputs come in batches, since some implementations answer many questions at once faster. Who compares them need not be
this process (``workers``): what comes back says all that is counted and told of an input.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Protocol

from tokenizer_adapters.contract import Encode, Field
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.comparison.asking import together
from tokenizer_conformance.comparison.batching import INPUTS_AT_ONCE, Pace, batches, batches_of_ids
from tokenizer_conformance.comparison.findings import near
from tokenizer_conformance.comparison.questions import about_ids, about_pair, about_text, further
from tokenizer_conformance.inputs.asked import ASKED, AskedInput
from tokenizer_conformance.validation.running.plan import nothing_to_reach
from tokenizer_conformance.validation.running.sides import differing
from tokenizer_conformance.validation.running.tally import Shape, shape_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Observation, Stage, TokenizerSource
    from tokenizer_conformance.comparison.asking import AgainCounts
    from tokenizer_conformance.comparison.differences import Difference
    from tokenizer_conformance.comparison.findings import Near
    from tokenizer_conformance.comparison.impact import InputImpact
    from tokenizer_conformance.inputs.corpus import PairedInput
    from tokenizer_conformance.inputs.text import Input
    from tokenizer_conformance.validation.running.plan import Buildable
    from tokenizer_conformance.validation.running.sides import Comparisons, Sides


@dataclass(frozen=True, slots=True)
class Differing:
    """An input on which an implementation differs, or gives no steady answer.

    ``alone`` is the result of its answers about the text, ``pairs`` about its pair, ``neighbour`` about the second text
    of the pair alone, where the pair differs. ``places`` says where in a question a difference is seen, by the question
    and the position of the difference. ``impact`` says what becomes of the ids of the text, where these are others.
    """

    alone: Comparisons
    pairs: Comparisons
    neighbour: Comparisons
    places: Mapping[tuple[Observation, int | None], Near | None] = field(default_factory=dict)
    impact: InputImpact | None = None

    def near(self, question: Observation, difference: Difference) -> Near | None:
        """Return where in ``question`` the ``difference`` is seen, ``None`` where that is not known."""
        return self.places[question, difference.position]


Compared = Shape | Differing
"""The outcome of the answers of an implementation about one input; nothing but a shape where all agree."""


class Comparer(Protocol):
    """Compares inputs on one tokenizer; what comes of each stands under the names of the implementations."""

    def texts(self, inputs: Iterable[PairedInput]) -> Iterator[tuple[PairedInput, Mapping[str, Compared]]]:
        """Yield each of ``inputs``, in order, and its result; those before a place that cannot be read, too."""

    def ids(self, ids: Sequence[int]) -> Iterator[tuple[int, Mapping[str, Compared]]]:
        """Yield each of ``ids``, in order, and the result of decoding it alone."""


class HereComparer:
    """Compares in this process, with ``sides`` that have loaded the tokenizer."""

    def __init__(
        self, sides: Sides, *, asks_further: bool = False, reach: Callable[[PairedInput], None] = nothing_to_reach
    ) -> None:
        """Begin; ``asks_further`` says that more is asked about a few built-in texts.

        ``reach`` is told of each input when its batch is read.
        """
        self._sides = sides
        self._reach = reach
        self._further = further if asks_further else _nothing

    def texts(self, inputs: Iterable[PairedInput]) -> Iterator[tuple[PairedInput, Mapping[str, Compared]]]:
        """Yield each of ``inputs``, in order, and its result; those before a place that cannot be read, too.

        No input is read before the one before it is compared where that makes nobody faster.
        """
        pace = Pace(most=INPUTS_AT_ONCE if self._sides.batching else 1)
        for batch in batches(self.reached(inputs), pace):
            pace.begin()
            self.ask_ahead(batch)
            pace.end()
            for each in batch:
                yield each, self.text(each)

    def ids(self, ids: Sequence[int]) -> Iterator[tuple[int, Mapping[str, Compared]]]:
        """Yield each of ``ids``, in order, and the result of decoding it alone."""
        for batch in batches_of_ids(ids):
            self.ask_ahead_about_ids(batch)
            for number in batch:
                yield number, self.id(number)

    def reached(self, inputs: Iterable[PairedInput]) -> Iterator[PairedInput]:
        """Yield each of ``inputs`` when all that is known of it is at hand. Raises :class:`BadInputError`."""
        for each in inputs:
            self._reach(each)
            yield each

    # Asking ahead

    def ask_ahead(self, batch: Sequence[PairedInput]) -> None:
        """Put all questions about ``batch`` to those that answer many at once faster.

        Some questions depend on the baseline's answers.
        """
        sides, stages = self._sides, self._sides.stages
        batching = sides.forgetful()
        asked = [each.input for each in batch if isinstance(each.input, AskedInput)]
        batch = [each for each in batch if not isinstance(each.input, AskedInput)]
        if batching:  # questions that were stated one by one are asked in their order
            together(batching, [question for each in asked if each.category != ASKED for question in each.questions])
        if batching and batch:
            alone = [question for each in batch for question in about_text(each.input.text, stages)]
            alone += [question for each in batch for question in self._further(each.input)]
            pairs = [
                question for each in batch for question in about_pair(each.input.text, each.following.text, stages)
            ]
            STATUS.at("asking ahead", ", ".join(asked.info.name for asked in batching))
            together(batching, [*alone, *pairs])
            sides.baseline.ask_ahead(alone)
            together(batching, list(chain.from_iterable(map(self._depending, batch))))

    def _depending(self, each: PairedInput) -> Iterator[Observation]:
        text, pair = each.input.text, each.following.text
        yield from about_text(text, self._sides.stages, self._sides.baseline.ask)
        yield from about_pair(text, pair, self._sides.stages, self._sides.baseline.ask)

    def ask_ahead_about_ids(self, batch: Sequence[int]) -> None:
        """Have every id of ``batch`` decoded by those that answer many questions at once faster."""
        batching = self._sides.forgetful()
        if batching:
            together(batching, [question for number in batch for question in about_ids((number,))])

    # One input

    def text(self, each: PairedInput) -> dict[str, Compared]:
        """Return the outcome of an input, alone and in its pair."""
        sides, text, pair = self._sides, each.input.text, each.following.text
        sides.begin(text)
        if isinstance(each.input, AskedInput):
            return self._alone(each.input.questions)
        alone = sides.compared((*about_text(text, sides.stages, sides.expected), *self._further(each.input)))
        pairs = sides.compared(about_pair(text, pair, sides.stages, sides.expected))
        return {name: self._compared(name, alone[name], pairs[name], pair, text) for name in sides.others}

    def id(self, number: int) -> dict[str, Compared]:
        """Return the outcome of decoding the id ``number`` alone."""
        self._sides.begin("")
        return self._alone(about_ids((number,)))

    def _alone(self, questions: Iterable[Observation]) -> dict[str, Compared]:
        compared = self._sides.compared(questions)
        return {name: self._compared(name, alone, [], "") for name, alone in compared.items()}

    def _compared(
        self, name: str, alone: Comparisons, pairs: Comparisons, pair: str, text: str | None = None
    ) -> Compared:
        if not any(comparison.differences or comparison.unstable for _, comparison in (*alone, *pairs)):
            return shape_of([*alone, *pairs])
        neighbour = self._sides.compared_alone(name, pair) if differing(pairs) else []
        found = [
            (question, difference)
            for question, comparison in (*alone, *pairs, *neighbour)
            for difference in (*comparison.differences, *comparison.unstable)
        ]
        places = {
            (question, difference.position): near(question, difference.position, self._sides.expected(question))
            for question, difference in found
        }
        return Differing(alone, pairs, neighbour, places, None if text is None else self._impact(name, text, alone))

    def _impact(self, name: str, text: str, alone: Comparisons) -> InputImpact | None:
        """Return what becomes of the ids of ``text``, where these are others whenever they are asked for.

        They are those without special tokens, or those with them, where none are shown without.
        """
        compared = dict(alone)
        for special_tokens in (False, True):
            found = compared.get(Encode(text, add_special_tokens=special_tokens))
            if found is not None and Field.IDS not in found.unsupported:
                differ = any(each.field is Field.IDS for each in found.differences)
                return self._sides.impact(name, text, special_tokens=special_tokens) if differ else None
        return None


def _nothing(_each: Input) -> tuple[Observation, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Setup:
    """What holds for all tasks: the implementations, the one that others are compared with, and what is compared."""

    selected: tuple[Buildable, ...]
    baseline: str
    stages: frozenset[Stage]
    fields: frozenset[Field]
    asks: Callable[[Observation], bool]
    reach: Callable[[PairedInput], None]
    asks_further: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """Inputs to compare on a tokenizer, or ids; with neither, it is loaded. ``others`` are compared with the baseline.

    A tokenizer is loaded for as long as no task comes with another one.
    """

    source: TokenizerSource
    others: tuple[str, ...] = ()
    texts: tuple[PairedInput, ...] = ()
    ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Done:
    """The outcome of the inputs of a task, in their order, and how many ``seconds`` that took.

    ``waited`` are the seconds that were spent waiting for each implementation, ``again`` says what came of asking them
    again where their answers are kept ones. Where ``unreadable`` is set, the first input that has no outcome cannot be
    read. Where ``error`` is set, a bug has ended the task. Both say what is wrong.
    """

    compared: tuple[Mapping[str, Compared], ...] = ()
    seconds: float = 0.0
    waited: Mapping[str, float] = field(default_factory=dict)
    again: Mapping[str, AgainCounts] = field(default_factory=dict)
    unreadable: str | None = None
    error: str | None = None
