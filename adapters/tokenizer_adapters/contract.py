"""What the harness may ask of an implementation, and what an implementation may answer.

An *implementation* (a class) is described by an :class:`ImplementationInfo` and loads tokenizers. A loaded *subject*
answers :data:`Observation` values, one at a time, with an :data:`Outcome`. Outcomes are types: a value that was
computed, a question that the implementation cannot be asked, and an error that it raised are never told apart by
reading a string.

Offsets in answers are half-open ranges ``(start, end)`` over the *original* text, in the unit that the implementation
declares (:class:`OffsetUnit`); the harness converts them to code points before it compares.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain, islice, repeat, takewhile
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from array import array
    from collections.abc import Collection, Sequence

Span = tuple[int, int]
"""A half-open range over the original text, in the offset unit of the implementation."""


class Stage(StrEnum):
    """The stages of the pipeline, in the order in which text passes through them.

    ``MODEL`` is what ``encode`` gives without special tokens, ``POST_PROCESS`` what it gives with them (and every
    pair): both can be observed on any implementation, also on one that shows nothing of its inside. ``CHAT`` stands
    before them all, as a template that makes one text of a conversation, and last here: most implementations have none.
    """

    NORMALIZE = "normalize"
    PRE_TOKENIZE = "pre_tokenize"
    MODEL = "model"
    POST_PROCESS = "post_process"
    DECODE = "decode"
    CHAT = "chat"

    # That of an enumeration takes its time, and a run asks for millions; this one is that of the text it equals.
    __hash__ = str.__hash__


class Field(StrEnum):
    """One comparable part of an answer. ``TEXT`` belongs to normalize, decode and chat, ``PIECES`` to pre_tokenize."""

    TEXT = "text"
    PIECES = "pieces"
    IDS = "ids"
    TOKENS = "tokens"
    OFFSETS = "offsets"
    WORD_IDS = "word_ids"
    TYPE_IDS = "type_ids"
    ATTENTION_MASK = "attention_mask"
    SPECIAL_TOKENS_MASK = "special_tokens_mask"
    SEQUENCE_IDS = "sequence_ids"
    OVERFLOWING = "overflowing"

    __hash__ = str.__hash__  # as for the stages


PIPELINE_STAGES: tuple[Stage, ...] = tuple(stage for stage in Stage if stage is not Stage.CHAT)
"""The stages that a text passes through; a conversation comes before them."""

ENCODING_FIELDS: tuple[Field, ...] = (
    Field.IDS,
    Field.TOKENS,
    Field.OFFSETS,
    Field.WORD_IDS,
    Field.TYPE_IDS,
    Field.ATTENTION_MASK,
    Field.SPECIAL_TOKENS_MASK,
    Field.SEQUENCE_IDS,
    Field.OVERFLOWING,
)


class OffsetUnit(StrEnum):
    """What one step of an offset counts."""

    CODE_POINTS = "code points"
    UTF8_BYTES = "UTF-8 bytes"
    UTF16_UNITS = "UTF-16 units"


@dataclass(frozen=True, slots=True)
class ImplementationInfo:
    """How an implementation describes itself.

    ``stages`` and ``fields`` are what it can show at best; a single tokenizer may show less (its answers then are
    :class:`Unsupported`, and :func:`shows_of` tells which). ``install`` is the command that installs it. ``note`` is a
    line for its user about how it is asked, where there is something to say.
    """

    name: str
    version: str
    language: str
    home_page: str
    stages: frozenset[Stage]
    fields: frozenset[Field]
    offset_unit: OffsetUnit
    install: str
    note: str = ""


Shows = Mapping[Stage, frozenset[Field]]
"""What is shown of one tokenizer: for each stage the fields that every answer of it has."""


# What can be asked ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Normalize:
    """The normalizer alone, on ``text`` (added tokens are not cut out first)."""

    text: str


@dataclass(frozen=True, slots=True)
class PreTokenize:
    """The pre-tokenizer alone, on ``text`` as it stands (the normalizer is not applied)."""

    text: str


@dataclass(frozen=True, slots=True)
class Encode:
    """The whole pipeline. ``text`` (and ``pair``) is a string, or a tuple of words where the input is pre-split."""

    text: str | tuple[str, ...]
    pair: str | tuple[str, ...] | None = None
    add_special_tokens: bool = True

    @property
    def is_pretokenized(self) -> bool:
        """Whether the input comes as words."""
        return not isinstance(self.text, str)


@dataclass(frozen=True, slots=True)
class Decode:
    """The decoder, on ids."""

    ids: tuple[int, ...]
    skip_special_tokens: bool = True


@dataclass(frozen=True, slots=True)
class EncodeBatch:
    """The whole pipeline on several inputs at once, where padding to the longest sees them all.

    ``inputs`` have one ``add_special_tokens``, and all are pre-split or none is; others raise :class:`ValueError`.
    """

    inputs: tuple[Encode, ...]

    def __post_init__(self) -> None:
        if len({(each.is_pretokenized, each.add_special_tokens) for each in self.inputs}) > 1:
            raise ValueError("the inputs of a batch are all pre-split or all not, and have one add_special_tokens")

    @property
    def is_pretokenized(self) -> bool:
        """Whether the inputs come as words."""
        return any(each.is_pretokenized for each in self.inputs)

    @property
    def add_special_tokens(self) -> bool:
        """Whether special tokens are added; they are, to no input."""
        return all(each.add_special_tokens for each in self.inputs)


@dataclass(frozen=True, slots=True)
class DecodeStream:
    """The decoder, on ids that come in steps: what each step adds to the text.

    The ids of ``prompt`` came before the first step: they are known, and their text is not given out. ``chunks`` are
    how many ids come in each of the first steps, at least one; the ids that these leave come one by one. The last
    step has what the stream gives at its end, too, where an implementation has a way to be told that it ends.

    >>> DecodeStream((1, 2, 3, 4), chunks=(2,)).steps
    ((1, 2), (3,), (4,))
    """

    ids: tuple[int, ...]
    skip_special_tokens: bool = True
    prompt: tuple[int, ...] = ()
    chunks: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.chunks and min(self.chunks) < 1:
            raise ValueError("each step of a stream has an id at least")

    @property
    def steps(self) -> tuple[tuple[int, ...], ...]:
        """The ids of each step."""
        left = iter(self.ids)
        return tuple(takewhile(bool, (tuple(islice(left, size)) for size in chain(self.chunks, repeat(1)))))

    @property
    def all_ids(self) -> tuple[int, ...]:
        """The ids of the prompt and of the steps."""
        return self.prompt + self.ids


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation, through the chat template that belongs to the tokenizer.

    ``messages`` and ``tools`` are the JSON text of arrays: what the template is given, with the order of members kept.
    ``continue_final_message`` leaves the last message open, for a model to go on with it. ``template`` names one of
    several templates; ``None`` is the one that a loader takes by itself.
    """

    messages: str
    tools: str | None = None
    add_generation_prompt: bool = False
    continue_final_message: bool = False
    template: str | None = None


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token that is added to a loaded tokenizer.

    ``normalized`` is ``None`` where the default is to hold: the opposite of ``special``.
    """

    content: str
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool | None = None
    special: bool = False


@dataclass(frozen=True, slots=True)
class AddTokens:
    """Add ``tokens`` to the vocabulary, as special tokens where ``special``."""

    tokens: tuple[NewToken, ...]
    special: bool = False


@dataclass(frozen=True, slots=True)
class EncodeSpecialTokens:
    """From now on, special tokens that stand in a text are text like any other (``value``), or are not."""

    value: bool


Change = AddTokens | EncodeSpecialTokens
"""What can be done to a loaded tokenizer that a tokenizer.json has no word for, or does otherwise."""

PlainObservation = Normalize | PreTokenize | Encode | Decode | EncodeBatch | DecodeStream | Chat


@dataclass(frozen=True, slots=True)
class After:
    """``observation``, asked of the tokenizer as its file has it and after these ``changes``, in their order.

    The changes hold for this one question: the next one is asked of the tokenizer as it was loaded.
    """

    changes: tuple[Change, ...]
    observation: PlainObservation


Observation = PlainObservation | After


def plain_of(observation: Observation) -> PlainObservation:
    """Return ``observation`` without the changes that come before it.

    >>> plain_of(After((EncodeSpecialTokens(True),), Decode((1,))))
    Decode(ids=(1,), skip_special_tokens=True)
    """
    return observation.observation if isinstance(observation, After) else observation


_STAGES = tuple(Stage)

_STAGES_BY_TYPE: dict[type[Observation], Stage] = {
    Normalize: Stage.NORMALIZE,
    PreTokenize: Stage.PRE_TOKENIZE,
    Decode: Stage.DECODE,
    DecodeStream: Stage.DECODE,
    Chat: Stage.CHAT,
}


def stage_of(observation: Observation) -> Stage:
    """Return the stage that ``observation`` shows."""
    match observation:
        case Encode():
            is_of_model = observation.pair is None and not observation.add_special_tokens
            return Stage.MODEL if is_of_model else Stage.POST_PROCESS
        case EncodeBatch(inputs):
            return max(map(stage_of, inputs), key=_STAGES.index, default=Stage.POST_PROCESS)
        case After(observation=observation):
            return stage_of(observation)
    return _STAGES_BY_TYPE[type(observation)]


# What can be answered ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text:
    """Answer to :class:`Normalize` and :class:`Decode`."""

    text: str


@dataclass(frozen=True, slots=True)
class Pieces:
    """Answer to :class:`PreTokenize`: the pieces, each with its span in the original text (``None``: not shown)."""

    pieces: tuple[tuple[str, Span | None], ...]


@dataclass(frozen=True, slots=True)
class Encoded:
    """Answer to :class:`Encode`. All tuples have one entry per token; ``None`` marks a field that is not shown.

    In ``word_ids`` and ``sequence_ids`` an entry is ``None`` for a token that belongs to no word or sequence.
    ``overflowing`` holds the encodings of what truncation cut off.
    """

    ids: tuple[int, ...]
    tokens: tuple[str, ...] | None = None
    offsets: tuple[Span, ...] | None = None
    word_ids: tuple[int | None, ...] | None = None
    type_ids: tuple[int, ...] | None = None
    attention_mask: tuple[int, ...] | None = None
    special_tokens_mask: tuple[int, ...] | None = None
    sequence_ids: tuple[int | None, ...] | None = None
    overflowing: tuple[Encoded, ...] | None = None


@dataclass(frozen=True, slots=True)
class EncodedBatch:
    """Answer to :class:`EncodeBatch`: an encoding for each input, in their order."""

    encodings: tuple[Encoded, ...]


@dataclass(frozen=True, slots=True)
class Chunks:
    """Answer to :class:`DecodeStream`: what each step added to the text, ``None`` where nothing could be told yet."""

    chunks: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Rendered:
    """Answer to :class:`Chat`: the ``text`` of the prompt, and the ``ids`` made of it (``None``: it only renders).

    A message that the template refuses, as by ``raise_exception``, is :class:`Failed`; so is a template that takes too
    long or too much memory, with :data:`LIMIT_KIND`. A tokenizer without a template is :class:`Unsupported`.
    """

    text: str
    ids: tuple[int, ...] | None = None


LIMIT_KIND = "TemplateLimitError"
"""The ``kind`` of a failure where a template was stopped: it took too long, or too much memory."""

Value = Text | Pieces | Encoded | EncodedBatch | Chunks | Rendered

Setting = str | int | bool | tuple[str, ...] | None
"""What a loader keeps under one name; ``None`` is none, or no limit."""


@dataclass(frozen=True, slots=True)
class SpecialToken:
    """A token that a loader has given a ``role``, as it calls it; ``id`` is ``None`` where it knows none for it."""

    role: str
    content: str
    id: int | None


@dataclass(frozen=True, slots=True)
class LoaderDefaults:
    """What a loader keeps beside the pipeline, for calls that say nothing else.

    ``loader`` is the class of the object that it gave. ``settings`` have the names that it calls them by, such as
    ``model_max_length``.
    """

    loader: str
    special_tokens: tuple[SpecialToken, ...] = ()
    settings: Mapping[str, Setting] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Called:
    """What a loader's object gave for texts in a call without any option: the lists in it, by their names."""

    fields: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Unsupported:
    """The implementation has no way to show this; ``reason`` says why, for people."""

    reason: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The implementation raised an error. ``kind`` is the error's class name, ``message`` its text."""

    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Crashed:
    """The process that ran the implementation ended, or a panic crossed its boundary. ``detail`` is what was seen."""

    detail: str


@dataclass(frozen=True, slots=True)
class TimedOut:
    """No answer came within ``seconds``."""

    seconds: float


@dataclass(frozen=True, slots=True)
class BrokeProtocol:
    """The program answered with something that the line protocol does not allow. ``detail`` is what, and where."""

    detail: str


Fault = Crashed | TimedOut | BrokeProtocol
"""No answer at all: what an implementation did in its place."""

WithoutValue = Unsupported | Failed | Fault
"""What comes in place of a value."""

Outcome = Value | WithoutValue


class CannotLoadError(Exception):
    """An implementation cannot load a tokenizer. The message says why and, where it can, at which place of the file.

    ``fault`` is what it did instead, where it gave no answer at all; ``unsupported``: it says that it has no way to
    load such a tokenizer.
    """

    def __init__(self, message: str, fault: Fault | None = None, *, unsupported: bool = False) -> None:
        super().__init__(message)
        self.fault = fault
        self.unsupported = unsupported


class UnavailableError(Exception):
    """An implementation is not usable on this machine. The message gives the command that installs it."""


# Who answers ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TokenizerSource:
    """A tokenizer to load: its display ``name`` and the path of its ``tokenizer.json`` (``file``).

    ``folder`` is the folder of a whole checkpoint (with ``tokenizer_config.json`` and others) where there is one.
    """

    name: str
    file: str
    folder: str | None = None


@runtime_checkable
class Subject(Protocol):
    """A tokenizer that an implementation has loaded."""

    def observe(self, observation: Observation) -> Outcome:
        """Answer one observation. Never raises for an error of the implementation: that is a :class:`Failed`."""

    def vocabulary(self) -> dict[str, int] | Unsupported:
        """Return every token, added ones included, with its id."""


@runtime_checkable
class BatchSubject(Subject, Protocol):
    """A subject that answers many observations at once faster than one by one."""

    def observe_all(self, observations: Sequence[Observation]) -> list[Outcome]:
        """Answer all ``observations`` in order, as :meth:`observe` would answer each."""


@dataclass(frozen=True, slots=True)
class EncodedColumns:
    """Answers about many texts, text after text in columns: how many tokens each has, and the ``ids`` of all.

    ``offsets`` are the start and the end of each token in turn, ``texts`` what the ids of each text are decoded to,
    special tokens included; ``None`` where they were not asked for.
    """

    counts: array[int]
    ids: array[int]
    offsets: array[int] | None = None
    texts: tuple[str, ...] | None = None


@runtime_checkable
class ColumnsSubject(Subject, Protocol):
    """A subject that tells how texts are encoded without an object for each token, which is faster."""

    def encode_columns(self, texts: Sequence[str], *, offsets: bool, decoded: bool) -> EncodedColumns | None:
        """Answer ``Encode(text, add_special_tokens=False)`` for each of ``texts``, and decode the ids again.

        The answers are those of :meth:`observe`. ``None`` where one of them is no value: it has to be asked for there.
        """


@runtime_checkable
class SavingSubject(Subject, Protocol):
    """A subject that can write the tokenizer that it loaded."""

    def saved(self) -> str | WithoutValue:
        """Return the tokenizer, as it was loaded, as the text of a tokenizer.json."""


@runtime_checkable
class LoaderSubject(Subject, Protocol):
    """A subject that is more than a pipeline: the object of a loader, which has defaults of its own."""

    def defaults(self) -> LoaderDefaults | WithoutValue:
        """Return what the object keeps beside the pipeline, as it was loaded."""

    def called(self, text: str, pair: str | None = None) -> Called | WithoutValue:
        """Return what a call of the object, as it was loaded, gives for ``text`` (and ``pair``) without any option."""


@dataclass(frozen=True, slots=True)
class OwnCall:
    """A call of an implementation's library, with nothing of its adapter around it: what its speed is measured by.

    ``name`` is what it is called there. ``run`` takes a text, or the texts of a batch, and ends when their ids are at
    hand, without special tokens, in whatever form the library gives them. ``fields`` are those that it makes for that.
    """

    name: str
    run: Callable[[Any], object]
    fields: frozenset[Field] = frozenset({Field.IDS})


@dataclass(frozen=True, slots=True)
class OwnCalls:
    """The calls that encode ``one`` text and ``many`` at once; ``None`` where the library has no call for many."""

    one: OwnCall
    many: OwnCall | None = None


@runtime_checkable
class TimedSubject(Subject, Protocol):
    """A subject that shows the calls of its library, so that these can be timed without its own work."""

    def own_calls(self) -> OwnCalls | None:
        """Return them; ``None`` where this tokenizer is not asked by such calls."""


class Clocked(StrEnum):
    """Around what the time of a measurement was taken; of the last two there is work of this project in it."""

    CALL = "call"
    """The library's own call, in its process."""
    ADAPTER = "adapter"
    """The adapter's answer, in its process: its conversions count."""
    PROTOCOL = "protocol"
    """A program's answers, seen from outside: its reading and writing of lines counts."""


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds by the clock (``wall``), and of ``processor`` time of all threads; ``None`` where it is not known."""

    wall: float
    processor: float | None


@dataclass(frozen=True, slots=True)
class Measured:
    """How long texts took to be encoded.

    ``first`` is the first pass over all of them, ``later`` what ``passes`` more took together. ``call`` is the name of
    the call that was made, and ``fields`` what it makes.
    """

    call: str
    fields: frozenset[Field]
    clocked: Clocked
    first: Spent
    later: Spent
    passes: int


@runtime_checkable
class MeasuringSubject(Subject, Protocol):
    """A subject in a process of its own, which can be told to measure there."""

    def measured(self, texts: Sequence[str], seconds: float, *, batch: bool) -> Measured | WithoutValue:
        """Encode ``texts`` without special tokens, once and then again for ``seconds``, once more at least.

        ``batch`` has them encoded all at once, where there is a call for that.
        """


@runtime_checkable
class InterruptibleSubject(Subject, Protocol):
    """A subject that another thread can keep from finishing."""

    def interrupt(self) -> None:
        """Have what is being asked in another thread end soon, in a ``KeyboardInterrupt``."""


@runtime_checkable
class Implementation(Protocol):
    """Something that loads tokenizers. Built without arguments; building raises :class:`UnavailableError`."""

    @property
    def info(self) -> ImplementationInfo:
        """Return the description."""

    def load(self, source: TokenizerSource) -> Subject:
        """Load a tokenizer.

        Raises :class:`CannotLoadError`.
        """


def observe_all(subject: Subject, observations: Sequence[Observation]) -> list[Outcome]:
    """Ask ``subject`` all ``observations``, at once where it can; answers come in the order of the questions."""
    if isinstance(subject, BatchSubject):
        return subject.observe_all(observations)
    return [subject.observe(observation) for observation in observations]


GUESSED = "a guess of the adapter in its place"
"""What ``files`` says of one that is not there, and that the adapter has made up: a difference may come of it."""


def files_of(subject: Subject, source: TokenizerSource) -> tuple[str, ...]:
    """Return the paths of the files that ``subject`` was given of ``source``.

    A subject that was given others than the ``tokenizer.json`` says so in an attribute ``files``.
    """
    files: tuple[str, ...] = getattr(subject, "files", (source.file,))
    return files


def shows_of(subject: Subject, info: ImplementationInfo) -> Shows:
    """Return what ``subject``, loaded by the implementation that ``info`` describes, shows of its tokenizer.

    A subject that shows less than its implementation at best says so in an attribute ``shows``: the fields that it
    shows in every answer, for each stage of which it shows any. Answers of :attr:`Stage.POST_PROCESS` are those to
    pairs too, answers of :attr:`Stage.DECODE` those with special tokens and without. What is not named there may be
    shown all the same, and is compared where it is.
    """
    return shown_of(getattr(subject, "shows", None), info)


def shown_of(shows: Mapping[Stage, Collection[Field]] | None, info: ImplementationInfo) -> Shows:
    """Return what of ``shows`` the implementation that ``info`` describes has; without it (``None``) all that it has.

    Stages of which no field is shown are left out.
    """
    stages = [stage for stage in Stage if stage in info.stages]
    if shows is None:
        return dict.fromkeys(stages, info.fields)
    found = {stage: info.fields.intersection(shows.get(stage, ())) for stage in stages}
    return {stage: fields for stage, fields in found.items() if fields}
