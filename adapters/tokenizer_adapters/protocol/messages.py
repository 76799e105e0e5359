r"""The messages of the protocol.

A request is one of :data:`Request`, an answer one of :data:`Answer`; both travel with a number, ``id``, and an answer
carries the number of its request. Each message is one line of JSON, UTF-8, ended by ``\n``: ``request_lines`` and
``answer_lines`` write and read them, ``schemas/protocol-1.json`` describes them as a JSON Schema.
"""

from __future__ import annotations

import importlib.resources
import json
from dataclasses import dataclass
from typing import Any

from tokenizer_adapters.contract import (
    After,
    Called,
    Chat,
    Chunks,
    Crashed,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Failed,
    ImplementationInfo,
    LoaderDefaults,
    Measured,
    Normalize,
    Observation,
    Pieces,
    PreTokenize,
    Rendered,
    Shows,
    Text,
    TokenizerSource,
    Unsupported,
    plain_of,
)
from tokenizer_adapters.training import CountedWords, PreTokenizer, TrainedModel, TrainerInfo, TrainingRequest

VERSION = 1
"""The version of the protocol that this module speaks."""


def schema() -> dict[str, Any]:
    """Return the JSON Schema of one line, request or answer; its definitions have one for each message."""
    file = importlib.resources.files("tokenizer_adapters.protocol") / "schemas" / "protocol-1.json"
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


class MessageError(Exception):
    """A line is no message of the protocol. The text says which message, which field, and what is wrong with it.

    ``number`` is that of the message, where it could be read.
    """

    def __init__(self, text: str, number: int | None = None) -> None:
        super().__init__(text)
        self.number = number


class UnknownRequestError(MessageError):
    """A request asks for what this version of the protocol does not have; the answer to it is ``unsupported``."""


# What is asked -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Start:
    """The first request: which version of the protocol is spoken."""

    protocol: int = VERSION


@dataclass(frozen=True, slots=True)
class Load:
    """Load a tokenizer; it takes the place of the one that was loaded before."""

    source: TokenizerSource


@dataclass(frozen=True, slots=True)
class Observe:
    """Answer one observation with the loaded tokenizer."""

    observation: Observation


@dataclass(frozen=True, slots=True)
class ShowVocabulary:
    """Show every token with its id."""


@dataclass(frozen=True, slots=True)
class Save:
    """Show the loaded tokenizer as a tokenizer.json."""


@dataclass(frozen=True, slots=True)
class ShowDefaults:
    """Show what the loaded object keeps beside its pipeline, for calls that say nothing else."""


@dataclass(frozen=True, slots=True)
class Call:
    """Call the loaded object, as it was loaded, with ``text`` (and ``pair``) and no option."""

    text: str
    pair: str | None = None


@dataclass(frozen=True, slots=True)
class Measure:
    """Encode ``texts`` once and then again for ``seconds``, and tell how long it took: nothing but that is measured.

    They are encoded without special tokens, one by one, or with ``batch`` all at once.
    """

    texts: tuple[str, ...]
    seconds: float
    batch: bool = False


@dataclass(frozen=True, slots=True)
class CountWords:
    """Count the words that the trainer's own pre-tokenizer of that kind cuts ``files`` (paths) into."""

    pre_tokenizer: PreTokenizer
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Train:
    """Learn a vocabulary; what was loaded stays as it is."""

    training: TrainingRequest


@dataclass(frozen=True, slots=True)
class Stop:
    """The last request: answer and end."""


Request = Start | Load | Observe | ShowVocabulary | Save | ShowDefaults | Call | Measure | CountWords | Train | Stop


# What is answered ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Started:
    """Answer to :class:`Start`: who answers, as an ``implementation``, as a ``trainer``, or as both.

    Where it is both, the two descriptions have one name, version, language, home page and way to install.
    """

    implementation: ImplementationInfo | None = None
    trainer: TrainerInfo | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """Answer to :class:`Load`.

    ``files`` are the paths of the files used; ``None``: the ``tokenizer.json``. ``shows`` is what is shown of this
    tokenizer, where that is less than the answer to :class:`Start` says.
    """

    files: tuple[str, ...] | None = None
    shows: Shows | None = None


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Answer to :class:`ShowVocabulary`."""

    tokens: dict[str, int]


@dataclass(frozen=True, slots=True)
class Saved:
    """Answer to :class:`Save`: the text of a tokenizer.json."""

    document: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """Answer to :class:`Stop`."""


AnswerValue = (
    Started
    | Loaded
    | Text
    | Pieces
    | Encoded
    | EncodedBatch
    | Chunks
    | Rendered
    | Vocabulary
    | Saved
    | LoaderDefaults
    | Called
    | Measured
    | CountedWords
    | TrainedModel
    | Stopped
)
Answer = AnswerValue | Unsupported | Failed | Crashed
"""A value, or none: the program cannot show this, its library raised an error, or panicked and the program lived on."""


ASKS: dict[type[Observation], str] = {
    Normalize: "normalize",
    PreTokenize: "pre_tokenize",
    Encode: "encode",
    Decode: "decode",
    EncodeBatch: "encode_batch",
    DecodeStream: "decode_stream",
    Chat: "chat",
    After: "after",
}
"""What each observation is called in the field ``ask``; a stream in :data:`STEPS` is called so."""

STEPS = "decode_steps"
"""What a stream with a prompt, or of several ids in a step, is called: a program that knows single ids declines it."""

DOES: dict[type[Request], str] = {
    Start: "start",
    Load: "load",
    Observe: "observe",
    ShowVocabulary: "vocabulary",
    Save: "save",
    ShowDefaults: "defaults",
    Call: "call",
    Measure: "measure",
    CountWords: "count",
    Train: "train",
    Stop: "stop",
}
"""What each request is called in the field ``do``."""


def name_of(request: Request) -> str:
    """Return what ``request`` is called in messages for people.

    >>> name_of(Observe(Decode((1,)))), name_of(Observe(After((), Decode((1,))))), name_of(Stop())
    ('observe decode', 'observe after, decode', 'stop')
    """
    match request:
        case Observe(After() as after):
            return f"{DOES[Observe]} {ASKS[After]}, {ask_of(plain_of(after))}"
        case Observe(observation):
            return f"{DOES[Observe]} {ask_of(observation)}"
        case _:
            return DOES[type(request)]


def value_name_of(request: Request) -> str:
    """Return what names the form of the values that answer ``request``; the schema has an ``answer_to_…`` for each.

    >>> value_name_of(Observe(After((), Decode((1,))))), value_name_of(Stop())
    ('decode', 'stop')
    """
    return ask_of(plain_of(request.observation)) if isinstance(request, Observe) else DOES[type(request)]


def ask_of(observation: Observation) -> str:
    """Return what ``observation`` is called in the field ``ask``.

    >>> ask_of(DecodeStream((1, 2))), ask_of(DecodeStream((1, 2), prompt=(3,)))
    ('decode_stream', 'decode_steps')
    """
    is_in_steps = isinstance(observation, DecodeStream) and (observation.prompt or observation.chunks)
    return STEPS if is_in_steps else ASKS[type(observation)]
