"""Plays the protocol with a program and says what is wrong with it: whether the adapter is at fault, not the tokenizer.

Every line of either side is judged twice, by this package's own reader and by the published JSON Schema. What the
program says of a text is judged only as far as the protocol goes: lists of one length, spans inside the text, fields
and stages that were announced, the same answer to the same question. So is what it learns, if it says that it trains:
words in their order, an id for each token, merges and scores of tokens.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
from jsonschema.exceptions import best_match

from tokenizer_adapters.contract import (
    AddTokens,
    After,
    Called,
    Chat,
    Crashed,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    EncodeSpecialTokens,
    Failed,
    LoaderDefaults,
    Measured,
    NewToken,
    Normalize,
    Observation,
    PreTokenize,
    Stage,
    TimedOut,
    TokenizerSource,
    Unsupported,
    plain_of,
    shown_of,
    stage_of,
)
from tokenizer_adapters.protocol.answer_lines import read_answer, write_answer
from tokenizer_adapters.protocol.client import in_words
from tokenizer_adapters.protocol.json_fields import FieldError, line_of, parsed, shown, shown_line
from tokenizer_adapters.protocol.judgement import (
    WrongAnswerError,
    judge,
    judge_called,
    judge_document,
    judge_model,
    judge_words,
)
from tokenizer_adapters.protocol.launch import CannotStartError, ending
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
    Train,
    name_of,
    schema,
    value_name_of,
)
from tokenizer_adapters.protocol.process import FaultError, Limits, Process
from tokenizer_adapters.protocol.request_lines import write_request
from tokenizer_adapters.training import (
    WORDPIECE_PREFIX,
    Algorithm,
    CountedWords,
    PreTokenizer,
    TextFiles,
    TrainedModel,
    TrainingOptions,
    TrainingRequest,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokenizer_adapters.contract import ImplementationInfo, Shows
    from tokenizer_adapters.protocol.launch import Program
    from tokenizer_adapters.protocol.messages import Answer, Request
    from tokenizer_adapters.training import TrainerInfo

ENDING_SECONDS = 5.0
"""How long a program may take to end."""

TEXTS = (
    "Hello, how are  you?",
    "",
    " e\u0301É ß \ufb01 ",
    "日本語とかな",
    "👩\u200d🔬🎉 \U0001f1e9\U0001f1ea",
    "\0\t\r\n\u2028\u200b\ufeff",
    "\ud800",
)
"""What every stage is asked about: texts that an adapter may garble, whatever its tokenizer makes of them."""

CHATS = tuple(
    json.dumps([{"role": "user", "content": text}, {"role": "assistant", "content": "b"}][:most])
    for text in TEXTS
    for most in (1, 2)
)
"""Conversations, as JSON."""

LONG = "x" * 5000
"""A text whose answer is longer than a pipe holds, in most implementations."""

REPETITIONS = 40
"""How often a stage's questions are put at once: more of them than the harness ever leaves unanswered."""

CORPUS = "hug hug pug hugs bun\r\n\nhug pun 12 7 12 日本 é hug\n"
"""A small text to learn from; words of digits, since some languages sort these before all others."""

WORDS = CountedWords({"hug": 4, "pug": 1, "hugs": 1, "bun": 1, "pun": 1, "12": 2, "7": 1, "日本": 1, "é": 1})
"""The words of it, cut at white space."""

VOCABULARY = 40

_REFUSALS = ("unsupported", "error")


@dataclass(frozen=True, slots=True)
class Passed:
    """The program did well at ``step``; ``words`` say what it showed."""

    step: str
    words: str


@dataclass(frozen=True, slots=True)
class Noted:
    """Nothing is wrong at ``step``, and ``words`` say what the author may want to know."""

    step: str
    words: str


@dataclass(frozen=True, slots=True)
class Faulty:
    """Something is wrong at ``step``. ``sent`` and ``received`` are the lines that show it, where there are any."""

    step: str
    words: str
    sent: bytes | None = None
    received: bytes | None = None


Result = Passed | Noted | Faulty


def check(program: Program, sources: Sequence[TokenizerSource], limits: Limits) -> Iterator[Result]:
    """Play the protocol with ``program`` and yield a result for each step; the first fault ends it.

    An implementation has to load one of ``sources``. The program is started three times; each answer may take
    ``limits.seconds``.
    """
    for play in (_whole_life, _another_version, _end_of_input):
        conversation = None
        try:
            conversation = _Conversation(program, limits)
            yield from play(conversation, sources)
        except CannotStartError as error:
            yield Faulty("start", str(error))
            return
        except _WrongError as error:
            step = conversation.step if conversation is not None else "start"
            yield Faulty(step, error.words, error.sent, error.received)
            return
        finally:
            if conversation is not None:
                conversation.kill()


class _WrongError(Exception):
    """The program does not do as the protocol says."""

    def __init__(self, words: str, sent: bytes | None = None, received: bytes | None = None) -> None:
        super().__init__(words)
        self.words = words
        self.sent = sent
        self.received = received


# Talking -------------------------------------------------------------------------------------------------------------


class _Conversation:
    """One life of a program. ``step`` is what is being played, for messages."""

    def __init__(self, program: Program, limits: Limits) -> None:
        self.step = "start"
        self._limits = limits
        self._process = Process(program, replace(limits, start_seconds=limits.seconds))
        self._number = 0

    def ask(self, *requests: Request) -> list[Answer]:
        """Send all ``requests`` at once, and return their answers."""
        numbers = range(self._number + 1, self._number + 1 + len(requests))
        lines = [write_request(number, request) for number, request in zip(numbers, requests, strict=True)]
        return [
            _read(number, request, sent, received)
            for number, request, sent, received in zip(numbers, requests, lines, self._exchange(lines), strict=True)
        ]

    def ask_wrongly(self, message: dict[str, Any], allowed: Sequence[str]) -> None:
        """Send what is no request; the answer has to be of one of the ``allowed`` kinds."""
        sent = line_of({"id": self._number + 1, **message})
        (received,) = self._exchange([sent])
        _read_refusal(self._number, sent, received, allowed)

    def _exchange(self, lines: list[bytes]) -> Iterator[bytes]:
        self._number += len(lines)
        unanswered = iter(lines)
        sent: bytes | None = None
        try:
            for received in self._process.exchange(lines, self._limits.seconds):
                sent = next(unanswered)
                yield received
        except FaultError as error:
            raise _WrongError(_in_words(error), next(unanswered, sent)) from None

    def stop(self) -> None:
        """Have the program stop, and see that it ends as it should."""
        self.ask(Stop())
        self._process.close_input()
        self._see_it_end("it has answered stop")

    def end_input(self) -> None:
        """Close its standard input, and see that the program ends."""
        self._process.close_input()
        self._see_it_end("its standard input has ended")

    def _see_it_end(self, when: str) -> None:
        if not self._process.ends_within(ENDING_SECONDS):
            raise _WrongError(f"it still runs {ENDING_SECONDS:g} s after {when}")
        surplus = self._process.unread()
        if surplus:
            raise _WrongError(f"it wrote more after {when}: {shown_line(surplus.partition(bytes([10]))[0])}")
        status = self._process.kill()
        if status != 0:
            raise _WrongError(f"it {ending(status)} after {when}; a program that ends well has exit status 0")

    def kill(self) -> None:
        self._process.kill()


def _in_words(error: FaultError) -> str:
    words = in_words(error.outcome)
    if isinstance(error.outcome, TimedOut):
        return f"{words}; does it flush its standard output after every line?"
    return words


def _read(number: int, request: Request, sent: bytes, received: bytes) -> Answer:
    _validate("request", parsed(sent), sent, None)
    try:
        answer = read_answer(received, number, request)
    except MessageError as error:
        raise _WrongError(str(error), sent, received) from None
    _validate(f"answer_to_{value_name_of(request)}", parsed(received), sent, received)
    return answer


def _validate(definition: str, message: dict[str, Any], sent: bytes, received: bytes | None) -> None:
    has_number = type(message.get("id")) is int  # for the schema one number is as good as another
    error = _error_in(json.dumps(message | {"id": 0} if has_number else message), definition)
    if error is not None:
        raise _WrongError(f"the schema's {definition}: {error}", sent, received)


@lru_cache(maxsize=512)
def _error_in(message: str, definition: str) -> str | None:
    """Return what is wrong with the JSON of ``message`` by the schema. Questions are put dozens of times."""
    error = best_match(_validator(definition).iter_errors(json.loads(message)))
    return None if error is None else f"{error.json_path}: {error.message}"


@cache
def _validator(definition: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({**schema(), "anyOf": [{"$ref": f"#/$defs/{definition}"}]})


def _read_refusal(number: int, sent: bytes, received: bytes, allowed: Sequence[str]) -> None:
    try:
        message = parsed(received)
    except FieldError as error:
        raise _WrongError(str(error), sent, received) from None
    kind = next((kind for kind in allowed if kind in message), None)
    if kind is None:
        expected = " or ".join(map(shown, allowed))
        raise _WrongError(f"expected an answer with {expected}", sent, received)
    _validate(kind, message, sent, received)
    if message["id"] != number:
        raise _WrongError(f"id: expected {number}, found {shown(message['id'])}", sent, received)


# The plays -----------------------------------------------------------------------------------------------------------


def _described(started: Started) -> str:
    parts = []
    if started.implementation is not None:
        info = started.implementation
        stages = ", ".join(stage for stage in Stage if stage in info.stages)
        parts += [f"stages {stages or 'none'}", f"offsets in {info.offset_unit}"]
    who = started.implementation or started.trainer
    if started.trainer is not None:
        learned = ", ".join(algorithm for algorithm in Algorithm if algorithm in started.trainer.algorithms)
        parts += [f"trains {learned or 'nothing'} from {'words' if started.trainer.takes_words else 'files'}"]
    return f"{who.name} {who.version} ({who.language}), {', '.join(parts)}" if who is not None else "nobody"


def _whole_life(talk: _Conversation, sources: Sequence[TokenizerSource]) -> Iterator[Result]:
    """Play from start to stop, with every kind of request in between."""
    (started,) = talk.ask(Start())
    if not isinstance(started, Started):
        raise _WrongError(f"it does not start: {in_words(started)}")
    yield Passed("start", _described(started))
    if started.implementation is not None:
        yield from _Observing(talk, sources, started.implementation).results()
    if started.trainer is not None:
        with tempfile.TemporaryDirectory() as folder:
            yield from _Training(talk, started.trainer, folder).results()
    yield _no_requests(talk, started.implementation is not None)
    talk.step = "stop"
    talk.stop()
    yield Passed("stop", "it answers and ends")


class _Observing:
    """The part of an implementation: a tokenizer is loaded and asked."""

    def __init__(self, talk: _Conversation, sources: Sequence[TokenizerSource], info: ImplementationInfo) -> None:
        self._talk = talk
        self._sources = sources
        self._info = info
        self._loaded: list[TokenizerSource] = []
        self._shown: Shows = {}

    def results(self) -> Iterator[Result]:
        yield self._before_loading()
        yield self._load()
        yield from self._observe()
        yield from self._observe_more()
        yield self._same_again()
        self._talk.step = "vocabulary"
        (vocabulary,) = self._talk.ask(ShowVocabulary())
        yield Passed("vocabulary", _shown_or_why_not(vocabulary))
        yield self._save()
        yield from self._rare()

    def _before_loading(self) -> Passed:
        self._talk.step = "before a tokenizer is loaded"
        self._talk.ask(Observe(Encode("a")))
        missing = TokenizerSource("missing", str(Path(__file__).with_name("no-such-folder") / "tokenizer.json"))
        (answer,) = self._talk.ask(Load(missing))
        if isinstance(answer, Loaded):
            raise _WrongError("it says that it has loaded a file that does not exist", write_request(3, Load(missing)))
        return Passed(self._talk.step, "questions are answered, and a missing file is refused")

    def _load(self) -> Passed:
        self._talk.step = "load"
        refusals = []
        for source in self._sources:
            (answer,) = self._talk.ask(Load(source))
            if isinstance(answer, Loaded):
                _judge_shows(source, answer.shows or {}, self._info)
                self._loaded.append(source)
            else:
                refusals.append(f"{source.name}: {in_words(answer)}")
        if not self._loaded:
            raise _WrongError(f"it loads none of these, so give one that it loads: {'; '.join(refusals)}")
        (again,) = self._talk.ask(Load(self._loaded[0]))
        self._shown = shown_of(again.shows, self._info) if isinstance(again, Loaded) else {}
        return Passed("load", ", ".join(source.name for source in self._loaded))

    def _observe(self) -> Iterator[Result]:
        """Ask every stage about every text, all at once: the program reads on while it answers."""
        shown = 0
        for stage in Stage:
            self._talk.step = f"observe {stage}"
            observations = _questions(stage)
            values, reason = self._judged(observations)
            shown += values
            if values:
                yield Passed(self._talk.step, f"{values} of {len(observations)} questions answered with a value")
            elif stage in self._shown and stage is not Stage.CHAT:  # few tokenizers have a template
                yield Noted(self._talk.step, f"announced, and no value shown here: {reason}")
        if not shown:
            self._talk.step = "observe"
            raise _WrongError("no question was answered with a value, so there is nothing to compare")

    def _observe_more(self) -> Iterator[Result]:
        """Ask what few programs show, and none has to."""
        for name, observations in MORE_QUESTIONS.items():
            self._talk.step = f"observe {name}"
            values, _ = self._judged(observations)
            if values:
                yield Passed(self._talk.step, f"{values} of {len(observations)} questions answered with a value")

    def _save(self) -> Result:
        self._talk.step = "save"
        (answer,) = self._talk.ask(Save())
        if isinstance(answer, Saved):
            try:
                judge_document(answer.document)
            except WrongAnswerError as error:
                raise _WrongError(f"answer to save: {error}") from None
        return Passed("save", _shown_or_why_not(answer))

    def _rare(self) -> Iterator[Result]:
        """Ask what a loader alone shows, its defaults and a call without options, and how long it takes to encode."""
        for name, requests in RARE_REQUESTS.items():
            self._talk.step = name
            answers = self._talk.ask(*requests)
            for request, answer in zip(requests, answers, strict=True):
                if isinstance(answer, Called):
                    try:
                        judge_called(answer)
                    except WrongAnswerError as error:
                        raise _WrongError(f"answer to {name_of(request)}: {error}") from None
            if any(isinstance(answer, LoaderDefaults | Called | Measured) for answer in answers):
                yield Passed(name, "shown")

    def _judged(self, observations: Sequence[Observation]) -> tuple[int, str]:
        """Return how many values were shown, and a reason where none was."""
        values, reason = 0, ""
        answers = self._talk.ask(*map(Observe, observations))
        for observation, answer in zip(observations, answers, strict=True):
            if isinstance(answer, Unsupported | Failed | Crashed):
                reason = reason or in_words(answer)
                continue
            values += 1
            try:
                judge(observation, answer, self._info)
            except WrongAnswerError as error:
                raise _WrongError(
                    f"answer to {name_of(Observe(observation))} {shown_question(observation)}: {error}"
                ) from None
            stage = stage_of(observation)
            if stage not in self._info.stages:
                raise _WrongError(
                    f'it shows this stage, and its answer to start does not announce it in "stages": {stage}'
                )
        return values, reason

    def _same_again(self) -> Passed:
        """Ask one by one, in another order, with another tokenizer in between.

        The tokenizer is fresh when the plain questions are asked first, and has been asked after changes when they are
        asked again: so changes that stay are seen.
        """
        self._talk.step = "the same questions again"
        groups = (*map(_questions, Stage), *MORE_QUESTIONS.values())
        observations = [observation for group in groups for observation in group[:4]]
        self._talk.ask(Load(self._loaded[0]))
        before = self._talk.ask(*map(Observe, observations))
        self._talk.ask(Load(self._loaded[-1]))
        self._talk.ask(*map(Observe, observations))
        self._talk.ask(Load(self._loaded[0]))
        for observation, answer in reversed(list(zip(observations, before, strict=True))):
            (again,) = self._talk.ask(Observe(observation))
            if again != answer:
                raise _WrongError(
                    f"{name_of(Observe(observation))} {shown_question(observation)} was answered with "
                    f"{shown_answer(answer)}, and later, of the same tokenizer, with {shown_answer(again)}"
                )
        return Passed(self._talk.step, f"{len(before)} answers are the same, also after another tokenizer")


def _judge_shows(source: TokenizerSource, shows: Shows, info: ImplementationInfo) -> None:
    """Judge what a program described by ``info`` says it shows of ``source``: no more than it has announced."""
    for stage, fields in shows.items():
        if stage not in info.stages:
            raise _WrongError(
                f"answer to load ({source.name}): value.shows: it shows {stage}, and its answer to start does not "
                'announce it in "stages"'
            )
        for field in sorted(fields - info.fields):
            raise _WrongError(
                f"answer to load ({source.name}): value.shows.{stage}: it shows {field}, and its answer to start does "
                'not announce it in "fields"'
            )


class _Training:
    """The part of a trainer: words are counted, and each algorithm learns from a small corpus in ``folder``."""

    def __init__(self, talk: _Conversation, info: TrainerInfo, folder: str) -> None:
        self._talk = talk
        self._info = info
        self._path = str(Path(folder) / "corpus.txt")
        Path(self._path).write_bytes(CORPUS.encode())

    def results(self) -> Iterator[Result]:
        for pre_tokenizer in PreTokenizer:
            yield self._count(pre_tokenizer)
        for algorithm in Algorithm:
            if algorithm in self._info.algorithms:
                yield self._train(algorithm)

    def _count(self, pre_tokenizer: PreTokenizer) -> Result:
        self._talk.step = f"count {pre_tokenizer}"
        (answer,) = self._talk.ask(CountWords(pre_tokenizer, (self._path,)))
        if not isinstance(answer, CountedWords):
            needed = pre_tokenizer is PreTokenizer.WHITESPACE and not self._info.takes_words
            return (Noted if needed else Passed)(self._talk.step, in_words(answer))
        if pre_tokenizer is PreTokenizer.WHITESPACE:
            self._judged(lambda: judge_words(CORPUS, answer))
        return Passed(self._talk.step, f"{len(answer.counts)} words")

    def _train(self, algorithm: Algorithm) -> Result:
        self._talk.step = f"train {algorithm}"
        prefix = WORDPIECE_PREFIX if algorithm is Algorithm.WORDPIECE else ""
        request = TrainingRequest(
            algorithm=algorithm,
            pre_tokenizer=PreTokenizer.WHITESPACE,
            corpus=WORDS if self._info.takes_words else TextFiles((self._path,)),
            options=TrainingOptions(vocab_size=VOCABULARY, continuing_subword_prefix=prefix),
        )
        (answer,) = self._talk.ask(Train(request))
        if not isinstance(answer, TrainedModel):
            return Noted(self._talk.step, f"announced, and nothing learned here: {in_words(answer)}")
        self._judged(lambda: judge_model(VOCABULARY, answer))
        merges = "" if answer.merges is None else f", {len(answer.merges)} merges"
        scores = "" if answer.scores is None else f", {len(answer.scores)} scores"
        return Passed(self._talk.step, f"{len(answer.tokens)} tokens{merges}{scores}")

    def _judged(self, judged: Callable[[], None]) -> None:
        try:
            judged()
        except WrongAnswerError as error:
            raise _WrongError(f"answer to {self._talk.step}: {error}") from None


def _no_requests(talk: _Conversation, is_implementation: bool) -> Passed:
    talk.step = "requests that it cannot know"
    for message in ({"do": "dance"}, {"do": "observe", "ask": "think", "text": "a"}):
        talk.ask_wrongly(message, allowed=("unsupported",))
    talk.step = "a request without all of its fields"
    wrong = {"do": "observe", "ask": "encode", "add_special_tokens": True} if is_implementation else {"do": "train"}
    talk.ask_wrongly(wrong, allowed=_REFUSALS)
    right = Observe(Decode((0,))) if is_implementation else CountWords(PreTokenizer.WHITESPACE, ())
    (answer,) = talk.ask(right)
    return Passed("wrong requests", f"refused, and the next one is answered ({type(answer).__name__})")


def _shown_or_why_not(answer: Answer) -> str:
    return in_words(answer) if isinstance(answer, Unsupported | Failed | Crashed) else "shown"


def _another_version(talk: _Conversation, _sources: Sequence[TokenizerSource]) -> Iterator[Result]:
    talk.step = "start, with a version to come"
    (answer,) = talk.ask(Start(VERSION + 1))
    spoken = f"it says that it speaks version {VERSION}" if isinstance(answer, Started) else in_words(answer)
    yield Passed(talk.step, spoken)


def _end_of_input(talk: _Conversation, _sources: Sequence[TokenizerSource]) -> Iterator[Result]:
    talk.step = "the end of its standard input"
    talk.ask(Start())
    talk.end_input()
    yield Passed(talk.step, "it ends")


def _questions(stage: Stage) -> Sequence[Observation]:
    match stage:
        case Stage.NORMALIZE:
            return [Normalize(text) for text in TEXTS]
        case Stage.PRE_TOKENIZE:
            return [PreTokenize(text) for text in TEXTS]
        case Stage.MODEL:
            words = ("pre-split", "", "wörds")
            texts = [Encode(text, add_special_tokens=False) for text in (*TEXTS * REPETITIONS, LONG)]
            return [*texts, Encode(words, add_special_tokens=False)]
        case Stage.POST_PROCESS:
            pairs = [Encode(text, TEXTS[0], special) for text in TEXTS for special in (False, True)]
            return [*(Encode(text) for text in TEXTS), *pairs, Encode(("a", "b"), ("c",))]
        case Stage.DECODE:
            return [Decode(ids, skip) for ids in ((), (0,), (5, 4, 3), (10**9,)) for skip in (False, True)]
        case Stage.CHAT:
            return [Chat(messages, None, prompt) for messages in CHATS for prompt in (False, True)]


ADDED = AddTokens((NewToken("ell", lstrip=True), NewToken("日", normalized=True)))
ADDED_SPECIAL = AddTokens((NewToken("how", special=True, rstrip=True, single_word=True),), special=True)

MORE_QUESTIONS: dict[str, Sequence[Observation]] = {
    "encode_batch": [
        EncodeBatch(tuple(Encode(text, add_special_tokens=special) for text in TEXTS[:-1])) for special in (False, True)
    ]
    + [
        EncodeBatch(()),
        EncodeBatch((Encode(TEXTS[0], TEXTS[3]), Encode("a"))),
        EncodeBatch((Encode(("a", "b")), Encode((), ("c",)))),
    ],
    "decode_stream": [DecodeStream(ids, skip) for ids in ((), (0,), (5, 4, 3), (10**9,)) for skip in (False, True)],
    "decode_steps": [
        DecodeStream((5, 4, 3), skip, prompt, chunks)
        for prompt, chunks in (((), (2,)), ((0, 1), ()), ((10**9,), (3,)), ((4,), (1, 2)))
        for skip in (False, True)
    ],
    "after": [
        After(changes, then)
        for changes in ((), (ADDED,), (ADDED_SPECIAL, EncodeSpecialTokens(True)))
        for then in (Encode(TEXTS[0], add_special_tokens=False), Encode(TEXTS[3]), Decode((0, 1)))
    ],
}
"""Questions that came later: whoever does not know them answers ``unsupported``."""


RARE_REQUESTS: dict[str, Sequence[Request]] = {
    "defaults": [ShowDefaults()],
    "call": [Call(TEXTS[0]), Call(""), Call(TEXTS[0], TEXTS[3])],
    "measure": [Measure((TEXTS[0], TEXTS[3]), 0.0, batch) for batch in (False, True)],
}
"""Requests that nobody has to answer."""


def shown_question(observation: Observation) -> str:
    """Return what is asked about, short, in ASCII."""
    match plain_of(observation):
        case DecodeStream(_, _, prompt, chunks) as stream if prompt or chunks:
            return f"{shown([list(step) for step in stream.steps])} after {shown(list(prompt))}"
        case Decode(ids) | DecodeStream(ids):
            return shown(list(ids))
        case Encode(text, pair):
            return shown(text) if pair is None else f"{shown(text)} with {shown(pair)}"
        case EncodeBatch(inputs):
            return shown([each.text if each.pair is None else [each.text, each.pair] for each in inputs])
        case Normalize(text) | PreTokenize(text):
            return shown(text)
        case Chat(messages):
            return shown(messages)


def shown_answer(answer: Answer) -> str:
    """Return an answer, short, in ASCII."""
    return shown_line(write_answer(0, answer).partition(b",")[2])
