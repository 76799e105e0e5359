"""What a run is to do: which tokenizers, implementations and inputs, which stages and fields, and when to stop.

A run may compare a portion of the inputs on each tokenizer: one of several parts, or those that failed once. The work
of a whole run is a row: the tokenizers one after the other, and of each all inputs. A part is a stretch of that row, so
most tokenizers are loaded in one part only. A text keeps the pair that it has in the whole run.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING, Protocol

from tokenizer_adapters.contract import PIPELINE_STAGES, Field, Implementation, Stage
from tokenizer_conformance.command_io.pools import Engine, is_done_here
from tokenizer_conformance.command_io.shard import Shard, overlaps, work_before
from tokenizer_conformance.comparison.blame import STAGE_ORDER
from tokenizer_conformance.comparison.differences import compared_fields
from tokenizer_conformance.defaults import CAUSE_SECONDS
from tokenizer_conformance.inputs.asked import AskedInput, words_of_question
from tokenizer_conformance.ledger.matching import Ledger

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.inputs.asked import Question
    from tokenizer_conformance.inputs.corpus import Inputs, PairedInput
    from tokenizer_conformance.inputs.text import Input
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.rejected import Rejected

EXAMPLES_PER_FINDING = 100
"""How many differences of one finding are reported one by one; all are counted."""


CHECKPOINT_SECONDS = 10.0
"""How much work a run that is killed can lose at most, in seconds; nothing that was found is lost."""


def everything(_question: Observation) -> bool:
    """Leave no question out."""
    return True


def nothing_to_reach(_each: PairedInput) -> None:
    """Do nothing: who is asked needs nothing at hand."""


class Buildable(Protocol):
    """Builds an implementation, here or in another process."""

    def build(self) -> Implementation:
        """Build it."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """What the user wants to have been compared: a stage, and one field of its answers or all of them (``None``)."""

    stage: Stage
    field: Field | None = None

    def __str__(self) -> str:
        return self.stage if self.field is None else f"{self.stage}:{self.field}"

    def fields(self) -> tuple[Field, ...]:
        """Return the fields that are required."""
        return compared_fields(self.stage) if self.field is None else (self.field,)


@dataclass(frozen=True, slots=True)
class LastFailed:
    """The record of which the failed inputs are repeated: the ``name`` of its file, and its SHA-256."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Portion:
    """The inputs that are compared on one tokenizer.

    Of the texts, those with the numbers (from 0) in ``texts`` (``None``: all), and of these those called by ``names``
    (``None``: all), ``count`` in number. Of the ids that are decoded alone, those called by ``names`` too, and of them
    those in ``shard``, where the tokenizer is number ``place[0]`` (from 0) of ``place[1]``.
    """

    count: int
    texts: range | None = None
    names: frozenset[str] | None = None
    shard: Shard | None = None
    place: tuple[int, int] = (0, 1)

    def of(self, corpus: Inputs) -> Iterator[PairedInput]:
        """Yield the inputs in their order."""
        inputs: Iterable[PairedInput] = corpus
        if self.texts is not None:
            inputs = islice(inputs, self.texts.start, self.texts.stop)
        names = self.names
        return (each for each in inputs if names is None or each.input.id in names)

    def of_ids(self, ids: Sequence[int], called: Mapping[int, str]) -> list[int]:
        """Return those of ``ids`` that are decoded; ``called`` leads from them to the names of the inputs."""
        named = [number for number in ids if self.names is None or called[number] in self.names]
        if self.shard is None:
            return named
        tokenizer, tokenizers = self.place
        before = [tokenizer * len(named) + number for number in range(len(named))]
        stretch = self.shard.stretch(before, tokenizers * len(named)) if named else range(0)
        return named[stretch.start : stretch.stop]

    @property
    def has_vocabulary(self) -> bool:
        """Whether the vocabulary is compared, where that is wanted."""
        return self.names is None or VOCABULARY_INPUT in self.names

    def is_empty(self, *, with_ids: bool) -> bool:
        """Return whether there is nothing to compare; ``with_ids`` says that ids are decoded alone too."""
        if self.count:
            return False
        if self.shard is not None:
            return not (with_ids and overlaps(self.shard, *self.place))
        return self.names is not None and not self.names


def portions_of_shard(shard: Shard, tokenizers: Sequence[str], corpus: Inputs) -> dict[str, Portion]:
    """Return what is in ``shard``, by the names of all ``tokenizers``. Reads the corpus once.

    Raises :class:`~tokenizer_conformance.errors.BadInputError` where a file of inputs can no longer be read.
    """
    before, work = work_before(corpus)
    portions = {}
    for number, name in enumerate(tokenizers):
        begins = number * work
        texts = (
            shard.stretch([begins + each for each in before], len(tokenizers) * work)
            if overlaps(shard, number, len(tokenizers)) and before
            else range(0)
        )
        portions[name] = Portion(len(texts), texts=texts, shard=shard, place=(number, len(tokenizers)))
    return portions


def portions_of_names(names: Mapping[str, Collection[str] | None], corpus: Inputs) -> dict[str, Portion]:
    """Return the inputs with these ``names``, by the name of the tokenizer; ``None`` stands for all inputs.

    Reads the corpus once. Raises :class:`~tokenizer_conformance.errors.BadInputError` where a file of inputs can no
    longer be read.
    """
    wanted = {tokenizer: None if ids is None else frozenset(ids) for tokenizer, ids in names.items()}
    counts = dict.fromkeys(wanted, 0)
    for each in corpus:
        for tokenizer, ids in wanted.items():
            counts[tokenizer] += ids is None or each.input.id in ids
    return {tokenizer: Portion(counts[tokenizer], names=ids) for tokenizer, ids in wanted.items()}


EVERY_ID = "every id"
"""The category of ids that are decoded alone."""

VOCABULARY_INPUT = "vocabulary"
"""The id under which a portion of the inputs has the vocabulary."""


def is_text(each: Input) -> bool:
    """Return whether ``each`` is a text that people have, and does not stand for questions."""
    return each.category != EVERY_ID and not isinstance(each, AskedInput)


LONGEST_QUESTION = 600
"""A question of more characters than these is not put on a command line; the input that shows it is named instead."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """What is to be shown again: ``questions`` to the two sides about a tokenizer, in their order.

    An answer to the last one shows it, and so does one about the input called ``input_id``, of that ``category``; where
    that is empty, all inputs.
    """

    tokenizer: str
    baseline: str
    implementation: str
    input_id: str
    category: str
    questions: tuple[Question, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """How a run was called, as far as it matters for one input.

    ``tokenizers`` and ``implementations`` lead from names to the words that name them on a command line, ``sources``
    from the categories of inputs to the options that give them; the inputs of all other categories are built in.
    ``options`` are those that hold for every input.
    """

    tokenizers: Mapping[str, str] = field(default_factory=dict)
    implementations: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    options: tuple[str, ...] = ()

    def repeat(self, asked: Repeated) -> str:
        """Return the command line that asks the two sides of ``asked`` just its questions.

        Where these are too long for that, it asks about the input alone.
        """
        words = ["tokconf", "run", self.tokenizers.get(asked.tokenizer, asked.tokenizer), "-i"]
        sides = [self.implementations.get(name, name) for name in (asked.baseline, asked.implementation)]
        words += [*sides, "--baseline", sides[0], *self.options]  # a class has no name before it is built
        questions = [words_of_question(each) for each in asked.questions]
        if questions and sum(map(len, questions)) <= LONGEST_QUESTION:
            return shlex.join([*words, *chain.from_iterable(("--ask", each) for each in questions)])
        if asked.category == EVERY_ID:
            words.append("--every-id")
        elif asked.category in self.sources:
            words += ["--no-builtin", *self.sources[asked.category]]
        return shlex.join([*words, *(("--only", asked.input_id) if asked.input_id else ())])


@dataclass(frozen=True, slots=True)
class RepeatedDiff:
    """How a diff was called: the ``words`` of a command line that compares the same two sides."""

    words: tuple[str, ...]

    def repeat(self, asked: Repeated) -> str:
        """Return the command line that compares them on the input of ``asked`` alone."""
        return shlex.join([*self.words, "--only", asked.input_id])


class Repeats(Protocol):
    """Knows the command line that shows a finding again."""

    def repeat(self, asked: Repeated, /) -> str:
        """Return it."""


class InItsProcess(Implementation, Protocol):
    """An implementation in a process of its own, which can be ended."""

    def close(self) -> None:
        """Have the process end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedPlan:
    """What is measured: each implementation for about ``seconds``, with one processor and again with all.

    ``starts`` start the implementations, by their names, in processes of their own. Texts are those of the ``sources``,
    categories of inputs; where there are none, all.
    """

    seconds: float
    starts: Mapping[str, Callable[[], InItsProcess]]
    sources: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """One run.

    ``implementations`` include the one named ``baseline``, with which all others are compared. ``refusals`` are those
    of things that the user asked for and that cannot be used, to be reported with the run. ``optional`` implementations
    were not asked for one by one: they may be ``absent`` and need not read every tokenizer. ``max_failing`` is the
    number of failing inputs (per tokenizer and implementation) after which the run ends. ``seed`` is recorded; nothing
    in a run is drawn at random yet. ``checkpoint_seconds`` pass between two checkpoints of a tokenizer at work.
    ``required`` is what has to be compared, ``call`` how the command was called. ``ledger`` says which differences are
    known. ``asks`` tells of a question whether it is compared at all; ``asks_further``: of a few built-in texts more is
    asked (:func:`~tokenizer_conformance.comparison.questions.further`). ``reach`` is told of each input before it is
    compared, by whoever compares it; it raises :class:`~tokenizer_conformance.errors.BadInputError` where what is known
    of that input cannot be read. With more than one of ``jobs``, so many
    processes of the ``engine`` compare; they build the implementations that were ``selected``, those of this plan, each
    for itself.
    Causes of differences are looked for during ``cause_seconds`` of processor time in all; 0: not at all.
    ``portions`` say what of the corpus is compared on each tokenizer, where that is not all: in the ``shard`` of a
    run that several machines share, or where the run repeats what failed in the record called ``repeats``.
    ``options`` are further ones on which what is found hangs, for the record. With ``vocabulary`` the vocabularies that
    implementations show are compared too. ``speed`` says what is measured in the end, if anything.
    """

    tokenizers: tuple[TokenizerFile, ...]
    implementations: tuple[Implementation, ...]
    baseline: str
    corpus: Inputs
    refusals: tuple[Rejected, ...] = ()
    unavailable: tuple[Rejected, ...] = ()
    optional: frozenset[str] = frozenset()
    absent: tuple[Rejected, ...] = ()
    stages: tuple[Stage, ...] = PIPELINE_STAGES
    fields: frozenset[Field] = field(default_factory=lambda: frozenset(Field))
    every_id: bool = False
    max_failing: int | None = None
    seed: int = 0
    checkpoint_seconds: float = CHECKPOINT_SECONDS
    required: tuple[Requirement, ...] = ()
    call: Repeats = field(default_factory=Call)
    ledger: Ledger = field(default_factory=Ledger)
    asks: Callable[[Observation], bool] = everything
    reach: Callable[[PairedInput], None] = nothing_to_reach
    asks_further: bool = False
    command: tuple[str, ...] = ()
    jobs: int = 1
    engine: Engine = Engine.LOCAL
    cause_seconds: float = CAUSE_SECONDS
    selected: tuple[Buildable, ...] = ()
    portions: Mapping[str, Portion] = field(default_factory=dict)
    shard: Shard | None = None
    repeats: LastFailed | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    vocabulary: bool = False
    speed: SpeedPlan | None = None

    def __post_init__(self) -> None:
        if self.has_workers and len(self.selected) != len(self.implementations):
            raise ValueError("several jobs build the implementations again: a plan has to say how they were selected")

    @property
    def has_workers(self) -> bool:
        """Whether other processes than this one compare."""
        return not is_done_here(self.engine, self.jobs)

    def portion_of(self, tokenizer: str) -> Portion:
        """Return which inputs are compared on the tokenizer of that name."""
        return self.portions.get(tokenizer) or Portion(self.corpus.count)

    def decodes_ids(self) -> bool:
        """Return whether single ids are decoded too."""
        return self.every_id and Stage.DECODE in self.observed_stages()

    def observed_stages(self) -> tuple[Stage, ...]:
        """Return the wanted stages that have any wanted field, in pipeline order."""
        return tuple(stage for stage in STAGE_ORDER if stage in self.stages and compared_fields(stage, self.fields))
