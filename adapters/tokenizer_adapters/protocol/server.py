"""The program's side of the protocol, for an implementation or a trainer written in Python.

It is run by ``python -m tokenizer_adapters.protocol.server [--trainer] NAME``, where NAME is the name under which an
implementation, or a trainer, is registered, or its class, ``package.module:Class``. Only the standard library and this
package are imported, so that the Python of another environment can run this with this package's folder in
``PYTHONPATH``.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, BinaryIO, cast

from tokenizer_adapters.contract import (
    Called,
    CannotLoadError,
    Chunks,
    Crashed,
    Encoded,
    EncodedBatch,
    Failed,
    LoaderDefaults,
    LoaderSubject,
    Pieces,
    Rendered,
    SavingSubject,
    Text,
    UnavailableError,
    Unsupported,
    files_of,
)
from tokenizer_adapters.given_class import build_named
from tokenizer_adapters.protocol.answer_lines import surrogate_in_value, write_answer
from tokenizer_adapters.protocol.measuring import measured
from tokenizer_adapters.protocol.messages import (
    VERSION,
    Call,
    CountWords,
    Load,
    Loaded,
    Measure,
    MessageError,
    Observe,
    Save,
    Saved,
    ShowDefaults,
    ShowVocabulary,
    Start,
    Started,
    Stop,
    Stopped,
    Train,
    UnknownRequestError,
    Vocabulary,
)
from tokenizer_adapters.protocol.request_lines import read_request
from tokenizer_adapters.registry import load_implementation
from tokenizer_adapters.trainers import build_named_trainer, load_trainer
from tokenizer_adapters.training import CountedWords, TrainedModel, TrainerInfo

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Implementation, Outcome, Subject, TokenizerSource
    from tokenizer_adapters.protocol.messages import Answer, Request
    from tokenizer_adapters.training import CountingOutcome, Trainer, TrainingOutcome

TRAINER = "--trainer"
"""The argument that says that NAME is a trainer."""

BAD_REQUEST = 2
"""The exit status after a line that is no request: what comes after it cannot be trusted."""


ESCAPED = b"\\ud"
"""What stands in each line with a surrogate, or with a character that JSON writes as two of them."""


class Server:
    """Answers requests with the implementation or trainer that ``make`` gives; the first :class:`Start` makes it."""

    def __init__(self, make: Callable[[], Implementation | Trainer]) -> None:
        self._make = make
        self._implementation: Implementation | None = None
        self._trainer: Trainer | None = None
        self._subject: Subject | None = None

    def answer(self, request: Request) -> Answer:
        """Return the answer to ``request``. What the implementation raises is an answer too."""
        try:
            return self._answer(request)
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is
            return Failed(type(error).__name__, str(error))
        except BaseException as error:  # noqa: BLE001 - a panic of a Rust library derives from BaseException
            return Crashed(f"{type(error).__name__}: {error}")

    def _answer(self, request: Request) -> Answer:
        match request:
            case Start(protocol):
                return self._start(protocol)
            case Load(source):
                return self._load(source)
            case Observe() | ShowVocabulary() | Save() | ShowDefaults() | Call() | Measure():
                return self._asked(request)
            case CountWords() | Train():
                return self._trained(request)
            case Stop():
                return Stopped()

    def _start(self, protocol: int) -> Answer:
        if protocol != VERSION:
            return Failed("ProtocolError", f"version {protocol} is spoken there, and version {VERSION} here")
        try:
            served = self._make()
        except UnavailableError as error:
            return Unsupported(str(error))
        if isinstance(served.info, TrainerInfo):
            self._trainer = served
            return Started(trainer=served.info)
        self._implementation = served
        return Started(implementation=served.info)

    def _load(self, source: TokenizerSource) -> Answer:
        if self._trainer is not None:
            return Unsupported("a trainer loads no tokenizer")
        if self._implementation is None:
            return Failed("ProtocolError", "the first request is start")
        self._subject = None
        try:
            self._subject = self._implementation.load(source)
        except CannotLoadError as error:
            if error.unsupported:
                return Unsupported(str(error))
            raise
        return Loaded(files_of(self._subject, source), getattr(self._subject, "shows", None))

    def _asked(self, request: Observe | ShowVocabulary | Save | ShowDefaults | Call | Measure) -> Answer:
        if self._subject is None:
            return Failed("ProtocolError", "no tokenizer is loaded")
        match request:
            case Observe(observation):
                return _answered(self._subject.observe(observation))
            case ShowVocabulary():
                tokens = self._subject.vocabulary()
                return tokens if isinstance(tokens, Unsupported) else Vocabulary(tokens)
            case Save():
                return _saved(self._subject)
            case ShowDefaults() | Call():
                return _of_loader(self._subject, request)
            case Measure():
                return measured(self._subject, request)

    def _trained(self, request: CountWords | Train) -> Answer:
        if self._implementation is not None:
            return Unsupported("this implementation does not train")
        if self._trainer is None:
            return Failed("ProtocolError", "the first request is start")
        if isinstance(request, Train):
            return _answered(self._trainer.train(request.training))
        return _answered(self._trainer.count_words(request.pre_tokenizer, request.files))


def _saved(subject: Subject) -> Answer:
    if not isinstance(subject, SavingSubject):
        return Unsupported("this implementation writes no tokenizer.json")
    document = subject.saved()
    return Saved(document) if isinstance(document, str) else _answered(document)


def _of_loader(subject: Subject, request: ShowDefaults | Call) -> Answer:
    if not isinstance(subject, LoaderSubject):
        return Unsupported("this implementation is a pipeline, and no loader with defaults of its own")
    if isinstance(request, Call):
        return _answered(subject.called(request.text, request.pair))
    return _answered(subject.defaults())


_ANSWERS = (
    Text,
    Pieces,
    Encoded,
    EncodedBatch,
    Chunks,
    Rendered,
    LoaderDefaults,
    Called,
    CountedWords,
    TrainedModel,
    Unsupported,
    Failed,
    Crashed,
)
"""What an adapter may answer that the protocol has a form for."""


def _answered(outcome: Outcome | LoaderDefaults | Called | CountingOutcome | TrainingOutcome) -> Answer:
    """Return ``outcome`` as an answer. One that the protocol has no form for comes of a broken adapter."""
    if isinstance(outcome, _ANSWERS):
        return outcome
    return Crashed(f"the adapter answered with {type(outcome).__name__}")


# Lines in, lines out -------------------------------------------------------------------------------------------------


def serve(server: Server, requests: BinaryIO, answers: BinaryIO) -> int:
    """Answer all lines of ``requests`` on ``answers``, each at once, and return the exit status."""
    for line in requests:
        try:
            number, request = read_request(line)
        except MessageError as error:
            if error.number is None:
                return _complain(str(error))
            answers.write(write_answer(error.number, _refused(error)))
        else:
            answers.write(_line(number, server.answer(request)))
            if isinstance(request, Stop):
                break
        answers.flush()
    return 0


def _complain(reason: str) -> int:
    print(f"tokenizer_adapters.protocol.server: {reason}", file=sys.stderr)  # noqa: T201 - whoever started it reads this
    return BAD_REQUEST


def _refused(error: MessageError) -> Answer:
    return Unsupported(str(error)) if isinstance(error, UnknownRequestError) else Failed("ProtocolError", str(error))


def _line(number: int, answer: Answer) -> bytes:
    try:
        line = write_answer(number, answer)
        if ESCAPED not in line or isinstance(answer, Unsupported | Failed | Crashed):
            return line
        surrogate = surrogate_in_value(answer)
    except (TypeError, ValueError, RecursionError) as error:
        reason = f"the adapter answered with what JSON has no form for: {type(error).__name__}: {error}"
        return write_answer(number, Crashed(reason))
    if surrogate is None:
        return line
    reason = f"the answer has the surrogate U+{ord(surrogate):04X} in a string, which is no character"
    return write_answer(number, Failed("UnicodeError", reason))


def main(arguments: list[str]) -> int:
    """Serve what ``arguments`` name on this process's standard input and output."""
    match arguments:
        case [name] if name != TRAINER:
            server = Server(lambda: build_named(name) if ":" in name else load_implementation(name))
        case [option, name] if option == TRAINER:
            server = Server(lambda: build_named_trainer(name) if ":" in name else load_trainer(name))
        case [name, file]:
            server = Server(lambda: load_implementation(name, file))
        case _:
            return _complain(f"expected [{TRAINER}] NAME, the name of an implementation or a trainer, or NAME FILE")
    nothing = os.open(os.devnull, os.O_RDONLY)
    with taken_over(0, nothing, "rb") as requests, taken_over(1, 2, "wb") as answers:
        return serve(server, requests, answers)


def taken_over(descriptor: int, substitute: int, mode: str) -> BinaryIO:
    """Return a stream on what ``descriptor`` is, which becomes ``substitute`` for everybody else.

    So what the implementation prints goes to standard error, and what it reads is empty.
    """
    ours = os.dup(descriptor)
    os.dup2(substitute, descriptor)
    return cast("BinaryIO", os.fdopen(ours, mode))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
