"""Requirements, cases and steps as values.

A *requirement* is one rule of the pipeline. Its *cases* show it: each is one tokenizer with *steps*, questions with the
answers that are expected, which pass together or not at all. Offsets are code points of the original text, end
exclusive.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import (
    After,
    DecodeStream,
    Encode,
    EncodeBatch,
    Stage,
    plain_of,
    stage_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tokenizer_adapters.contract import Observation, Value

Document = dict[str, Any]
"""A tokenizer.json, as JSON has it."""


class Place(StrEnum):
    """Where an answer comes from, in the order in which a mistake is looked for: the stages and what surrounds them."""

    LOAD = "load"
    VOCABULARY = "vocabulary"
    ADDED_TOKENS = "added_tokens"
    NORMALIZE = "normalize"
    PRE_TOKENIZE = "pre_tokenize"
    MODEL = "model"
    POST_PROCESS = "post_process"
    DECODE = "decode"
    SAVE = "save"
    CHAT = "chat"


PLACE_OF_STAGE: dict[Stage, Place] = {stage: Place(stage.value) for stage in Stage}


class Importance(StrEnum):
    """How much a requirement matters.

    ``CORE``: what everyday text and common tokenizers need. ``EDGE``: rare text or options. ``QUIRK``: an oddity of the
    target that nobody would guess; an implementation may choose to do better, and says so in a ledger.
    """

    CORE = "core"
    EDGE = "edge"
    QUIRK = "quirk"


class Feature(StrEnum):
    """What a requirement may need an implementation to show: a place, a field, or a way of asking."""

    LOAD = "load"
    VOCABULARY = "vocabulary"
    NORMALIZE = "normalize"
    PRE_TOKENIZE = "pre_tokenize"
    MODEL = "model"
    POST_PROCESS = "post_process"
    DECODE = "decode"
    SAVE = "save"
    CHAT = "chat"
    OFFSETS = "offsets"
    TOKENS = "tokens"
    WORD_IDS = "word_ids"
    TYPE_IDS = "type_ids"
    ATTENTION_MASK = "attention_mask"
    SPECIAL_TOKENS_MASK = "special_tokens_mask"
    SEQUENCE_IDS = "sequence_ids"
    OVERFLOWING = "overflowing"
    SPECIAL_TOKENS = "special_tokens"
    PAIR = "pair"
    PRE_SPLIT = "pre_split"
    BATCH = "batch"
    STREAM = "stream"
    CHANGES = "changes"


@dataclass(frozen=True, slots=True)
class RaisesError:
    """No value is expected: the implementation says that it has none, with an error."""


@dataclass(frozen=True, slots=True)
class Observed:
    """``observation`` is answered with ``expected``."""

    observation: Observation
    expected: Value | RaisesError

    @property
    def place(self) -> Place:
        """The place that the question shows."""
        return PLACE_OF_STAGE[stage_of(self.observation)]


@dataclass(frozen=True, slots=True)
class VocabularyShown:
    """The vocabulary, added tokens included, is ``expected``."""

    expected: Mapping[str, int]

    @property
    def place(self) -> Place:
        """The place that the question shows."""
        return Place.VOCABULARY


@dataclass(frozen=True, slots=True)
class FileWritten:
    """The tokenizer is written as ``expected``; the order of the fields, and how JSON is laid out, are free."""

    expected: Document

    @property
    def place(self) -> Place:
        """The place that the question shows."""
        return Place.SAVE


@dataclass(frozen=True, slots=True)
class TextWritten:
    """The tokenizer is written as the text ``expected``, on one line, without white space between values."""

    expected: str

    @property
    def place(self) -> Place:
        """The place that the question shows."""
        return Place.SAVE


@dataclass(frozen=True, slots=True)
class FileRefused:
    """``document``, which is no tokenizer, is not loaded."""

    document: Document

    @property
    def place(self) -> Place:
        """The place that the question shows."""
        return Place.LOAD


Step = Observed | VocabularyShown | FileWritten | TextWritten | FileRefused


@dataclass(frozen=True, slots=True)
class Case:
    """Steps on one tokenizer. ``tokenizer`` is its name in the area, ``releases`` those of the target that agree."""

    name: str
    tokenizer: str
    steps: tuple[Step, ...]
    releases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Requirement:
    """One rule, and the cases that show it.

    ``id`` is stable. ``why`` is the class of mistakes that it finds, ``links`` are public pages where a port made them.
    ``features`` are what an implementation must be able to show, or nothing is said about it. ``since`` and ``until``
    are the first and the last of the releases checked that have the rule, ``None`` where the oldest and the newest do.
    Releases ``not_in`` lack it again in between; ``refused_before``: the release before ``since`` refuses tokenizers of
    the cases, and answers the others rightly. ``not_asked`` is the reason why there are no cases.
    """

    id: str
    title: str
    rule: str
    why: str
    links: tuple[str, ...]
    features: frozenset[Feature]
    importance: Importance
    since: str | None
    until: str | None
    cases: tuple[Case, ...]
    not_asked: str = ""
    not_in: tuple[str, ...] = ()
    refused_before: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """The requirements of one component, or of another part of tokenizer.json with rules of its own.

    ``stage`` is where a mistake in this area belongs. ``tokenizers`` are the documents that cases name;
    ``configurations`` have the tokenizer_config.json that lies beside one, by the same name.
    """

    name: str
    title: str
    stage: Place
    about: str
    tokenizers: Mapping[str, Document]
    requirements: tuple[Requirement, ...]
    configurations: Mapping[str, Document] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CaseInPlace:
    """A case with the requirement and the area that it belongs to."""

    area: Area
    requirement: Requirement
    case: Case

    @property
    def id(self) -> str:
        """The id of the case: that of its requirement, and its name."""
        return f"{self.requirement.id}/{self.case.name}"


@dataclass(frozen=True, slots=True)
class Suite:
    """All areas, in the order in which they are read."""

    areas: tuple[Area, ...]

    def cases(self) -> Iterator[CaseInPlace]:
        """Yield every case in its place."""
        for area in self.areas:
            for requirement in area.requirements:
                for case in requirement.cases:
                    yield CaseInPlace(area, requirement, case)

    def requirements(self) -> Iterator[tuple[Area, Requirement]]:
        """Yield every requirement with its area."""
        for area in self.areas:
            for requirement in area.requirements:
                yield area, requirement


def features_of(steps: Iterable[Step]) -> frozenset[str]:
    """Return the features that ``steps`` ask for, and the fields that have anything in what is expected."""
    return frozenset(feature for step in steps for feature in _features_of_step(step))


def _features_of_step(step: Step) -> Iterator[str]:
    if not isinstance(step, Observed):
        yield step.place.value
        return
    yield from asked_features(step.observation)
    yield from _fields_in(step.expected)


def _fields_in(expected: Value | RaisesError) -> Iterator[str]:
    """Yield the fields that have anything in ``expected``, or in one of its encodings."""
    for value in (expected, *getattr(expected, "encodings", ())):
        yield from (name for name in Feature if getattr(value, name, None))


def asked_features(observation: Observation) -> Iterator[str]:
    """Yield the features that ``observation`` asks for, whatever comes back."""
    yield PLACE_OF_STAGE[stage_of(observation)].value
    if isinstance(observation, After):
        yield "changes"
    match plain := plain_of(observation):
        case EncodeBatch(inputs):
            yield "batch"
            for input_ in inputs:
                yield from _input_features(input_)
        case DecodeStream():
            yield "stream"
        case Encode():
            yield from _input_features(plain)


def _input_features(input_: Encode) -> Iterator[str]:
    if input_.pair is not None:
        yield "pair"
    if input_.is_pretokenized:
        yield "pre_split"
    if input_.add_special_tokens:
        yield "special_tokens"
