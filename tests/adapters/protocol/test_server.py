"""An implementation answers through the server as it does in this process, whatever else it does."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import (
    AddTokens,
    After,
    CannotLoadError,
    Clocked,
    Crashed,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodeSpecialTokens,
    Failed,
    Field,
    LoaderDefaults,
    LoaderSubject,
    Measured,
    MeasuringSubject,
    NewToken,
    Normalize,
    PreTokenize,
    SavingSubject,
    Stage,
    Text,
    TokenizerSource,
    UnavailableError,
    Unsupported,
    observe_all,
    shows_of,
)
from tokenizer_adapters.protocol import server
from tokenizer_adapters.protocol.client import ProcessImplementation
from tokenizer_adapters.protocol.launch import Program
from tokenizer_adapters.protocol.measuring import NO_TEXTS
from tokenizer_adapters.protocol.server import BAD_REQUEST, Server, serve
from tokenizer_adapters.registry import BrokenImplementationError, WrongImplementationError
from tokenizer_adapters.selection import served
from tokenizer_adapters.trainers import load_trainer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import Implementation, Observation, Subject
    from tokenizer_adapters.training import Trainer

NAMES = ["reference", "tokenizers"]
SOURCE = TokenizerSource("toy", "tokenizer.json")
ADAPTERS = Path(__file__).resolve().parents[3] / "adapters"
PROGRAMS = Path(__file__).parent / "programs"


def serving(name: str) -> Program:
    """Return the program that serves what is registered as ``name``."""
    return Program((sys.executable, "-P", "-m", "tokenizer_adapters.protocol.server", name), name)


def serving_alone(name: str) -> Program:
    """Return the program that serves a class of ``served_implementations`` with no installed package in reach."""
    command = (sys.executable, "-S", "-P", "-m", "tokenizer_adapters.protocol.server", f"served_implementations:{name}")
    return Program(command, name, {"PYTHONPATH": os.pathsep.join(map(str, (ADAPTERS, PROGRAMS)))})


# As in this process ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=[NAMES[0], *(pytest.param(name, marks=pytest.mark.long) for name in NAMES[1:])])
def served_too(request: pytest.FixtureRequest) -> Iterator[tuple[Implementation, Implementation]]:
    """An implementation in this process and in another one."""
    with ProcessImplementation(serving(request.param)) as apart:
        yield load_implementation(request.param), apart


@pytest.fixture(scope="module")
def both(served_too: tuple[Implementation, Implementation], toy_source: TokenizerSource) -> tuple[Subject, Subject]:
    """The toy pipeline, loaded by an implementation in this process and in another one."""
    here, apart = served_too
    return here.load(toy_source), apart.load(toy_source)


def test_the_description_is_the_same(served_too: tuple[Implementation, Implementation]) -> None:
    here, apart = served_too
    assert apart.info == here.info
    with ProcessImplementation(serving(here.info.name), name="other") as apart:
        assert apart.info.name == "other"


TEXTS = st.text(max_size=12) | st.sampled_from(["", "\0", "unknown\u2028\r\na", "\ud800", "É \U0001f389 \udfff"])
WORDS = st.lists(TEXTS, max_size=3).map(tuple)
IDS = st.lists(st.integers(0, 9) | st.just(2**40) | st.just(-1), max_size=4).map(tuple)
PLAIN = st.one_of(
    st.builds(Normalize, TEXTS),
    st.builds(PreTokenize, TEXTS),
    st.builds(Encode, TEXTS, st.none() | TEXTS, st.booleans()),
    st.builds(Encode, WORDS, st.none() | WORDS, st.booleans()),
    st.builds(Decode, IDS, st.booleans()),
    st.builds(DecodeStream, IDS, st.booleans()),
    st.lists(st.builds(Encode, TEXTS, st.none() | TEXTS), max_size=3).map(lambda inputs: EncodeBatch(tuple(inputs))),
)
CHANGES = st.one_of(
    st.builds(EncodeSpecialTokens, st.booleans()),
    st.builds(
        AddTokens, st.lists(st.builds(NewToken, TEXTS, lstrip=st.booleans()), max_size=2).map(tuple), st.booleans()
    ),
)
OBSERVATIONS = PLAIN | st.builds(After, st.lists(CHANGES, max_size=2).map(tuple), PLAIN)


@pytest.mark.long
@settings(deadline=None)  # another process answers
@given(observations=st.lists(OBSERVATIONS, max_size=6))
def test_the_answers_are_the_same(both: tuple[Subject, Subject], observations: list[Observation]) -> None:
    here, apart = both
    assert observe_all(apart, observations) == observe_all(here, observations)


@pytest.mark.long
def test_long_texts_and_many_questions_pass(both: tuple[Subject, Subject]) -> None:
    here, apart = both
    many = [Encode("unknown a é \U0001f389 " * (number % 20)) for number in range(500)]
    long = [Encode("unknown a é \U0001f389 " * 10_000), Normalize("É" * 500_000)]
    for observations in (many, long, many[:3]):
        assert observe_all(apart, observations) == observe_all(here, observations)


def test_the_vocabulary_is_the_same(both: tuple[Subject, Subject]) -> None:
    here, apart = both
    assert apart.vocabulary() == here.vocabulary()


def test_what_is_saved_is_the_same(both: tuple[Subject, Subject]) -> None:
    here, apart = both
    assert isinstance(here, SavingSubject)
    assert isinstance(apart, SavingSubject)
    document = here.saved()
    assert isinstance(document, str)
    assert apart.saved() == document


@pytest.mark.parametrize(("batch", "call"), [(False, "encode"), (True, "encode_batch_fast")])
def test_a_measurement_is_made_there(both: tuple[Subject, Subject], batch: bool, call: str) -> None:
    here, apart = both
    assert not isinstance(here, MeasuringSubject)
    assert isinstance(apart, MeasuringSubject)
    found = apart.measured(["a", "é"], 0.0, batch=batch)
    assert isinstance(found, Measured)
    assert (found.call, found.clocked, found.passes) == (call, Clocked.CALL, 1)
    assert apart.measured([], 0.0, batch=batch) == NO_TEXTS


@pytest.mark.long
def test_a_loader_is_the_same_across_the_protocol(toy_source: TokenizerSource) -> None:
    pytest.importorskip("transformers")
    here = load_implementation("transformers").load(toy_source)
    with ProcessImplementation(served("transformers")) as implementation:
        apart = implementation.load(toy_source)
        assert isinstance(here, LoaderSubject)
        defaults = here.defaults()
        assert isinstance(defaults, LoaderDefaults)
        assert apart.defaults() == defaults
        for texts in (("a é",), ("a", "é"), ("",)):
            assert apart.called(*texts) == here.called(*texts)


@pytest.mark.long_but(1)
@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_cannot_be_loaded_is_refused_in_the_same_words(name: str, tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_text('{"version": "1.0"}')
    source = TokenizerSource("broken", str(file))
    with pytest.raises(CannotLoadError) as here:
        load_implementation(name).load(source)
    with ProcessImplementation(serving(name)) as apart, pytest.raises(CannotLoadError) as there:
        apart.load(source)
    assert str(there.value) == str(here.value)


@pytest.mark.long
def test_a_tokenizer_that_does_not_fit_is_refused_in_the_same_words(tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_text("{}")
    source = TokenizerSource("lone", str(file))
    implementation = load_implementation("transformers-class")
    with pytest.raises(CannotLoadError) as here:
        implementation.load(source)
    with ProcessImplementation(serving("transformers-class")) as apart, pytest.raises(CannotLoadError) as there:
        apart.load(source)
    assert str(there.value) == str(here.value)
    assert here.value.unsupported
    assert there.value.unsupported


# What an implementation may do ----------------------------------------------------------------------------------------


NO_CHARACTER = "in a string, which is no character"


@pytest.fixture(scope="module")
def talkative() -> Iterator[ProcessImplementation]:
    with ProcessImplementation(serving_alone("Talkative")) as implementation:
        yield implementation


@pytest.mark.parametrize(
    ("observation", "outcome"),
    [
        (Normalize("print"), Text("printed")),
        (Normalize("stdin"), Text("")),
        (Normalize("raise"), Failed("ValueError", "of no value")),
        (Normalize("panic"), Crashed("PanicException: index out of bounds")),
        (Normalize("exit"), Crashed("SystemExit: 3")),
        (Normalize("late"), Crashed("the adapter answered with TimedOut")),
        (
            Normalize("set"),
            Crashed(
                "the adapter answered with what JSON has no form for: TypeError: "
                "Object of type set is not JSON serializable"
            ),
        ),
        (Encode("half"), Failed("UnicodeError", f"the answer has the surrogate U+D800 {NO_CHARACTER}")),
        (Encode("halves"), Failed("UnicodeError", f"the answer has the surrogate U+D83D {NO_CHARACTER}")),
        (Encode("character"), Encoded(ids=(1,), tokens=("\U0001f600", r"\ud83d"))),
        (Decode((1,)), Unsupported("shows little")),
    ],
    ids=repr,
)
def test_whatever_an_implementation_does_is_an_answer(
    talkative: ProcessImplementation, observation: Observation, outcome: object
) -> None:
    assert talkative.load(SOURCE).observe(observation) == outcome


def test_files_and_vocabulary_are_passed_on(talkative: ProcessImplementation) -> None:
    subject = talkative.load(SOURCE)
    assert subject.files == ("vocab.txt",)
    assert subject.shows == {Stage.NORMALIZE: frozenset({Field.TEXT}), Stage.MODEL: frozenset()}
    assert shows_of(subject, talkative.info) == {Stage.NORMALIZE: frozenset({Field.TEXT})}
    assert subject.vocabulary() == Unsupported("has none")
    assert subject.saved() == Unsupported("this implementation writes no tokenizer.json")


def test_a_load_error_is_passed_on(talkative: ProcessImplementation) -> None:
    with pytest.raises(CannotLoadError, match=r"^talkative cannot load bad: it is bad$"):
        talkative.load(TokenizerSource("bad", "tokenizer.json"))


def test_a_missing_library_is_passed_on() -> None:
    with pytest.raises(UnavailableError, match=r"^install it with: pip install missing$"):
        ProcessImplementation(serving_alone("Missing"))


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        (
            "Broken",
            BrokenImplementationError,
            r"^served_implementations:Broken cannot be built: RuntimeError: no such thing \(.*\.py, line \d+\)$",
        ),
        (
            "Nowhere",
            WrongImplementationError,
            r"^the module 'served_implementations' \(.*\.py\) has no 'Nowhere'; it has",
        ),
    ],
)
def test_an_implementation_that_cannot_be_built_is_refused(name: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ProcessImplementation(serving_alone(name))


# Lines ----------------------------------------------------------------------------------------------------------------


def answers_to(
    *requests: str | dict[str, object], make: Callable[[], Implementation | Trainer] | None = None
) -> list[dict[str, Any]]:
    """Return what a server of this process answers to lines."""
    lines = (line if isinstance(line, str) else json.dumps(line) for line in requests)
    out = io.BytesIO()
    serve(Server(make or (lambda: load_implementation("tokenizers"))), io.BytesIO("\n".join(lines).encode()), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


START = {"id": 1, "do": "start", "protocol": 1}
COUNT: dict[str, object] = {"id": 2, "do": "count", "pre_tokenizer": "whitespace", "files": []}


def test_an_implementation_does_not_train_and_a_trainer_loads_nothing() -> None:
    assert answers_to(START, COUNT)[1] == {"id": 2, "unsupported": "this implementation does not train"}
    load = {"id": 2, "do": "load", "name": "toy", "file": "tokenizer.json"}
    (_, loaded, counted) = answers_to(START, load, {**COUNT, "id": 3}, make=lambda: load_trainer("tokenizers"))
    assert loaded == {"id": 2, "unsupported": "a trainer loads no tokenizer"}
    assert counted == {"id": 3, "value": {"words": []}}


def test_what_is_not_known_is_unsupported_and_the_next_request_is_answered() -> None:
    first, second, third = answers_to(
        START, {"id": 2, "do": "sing", "song": 1}, {"id": 3, "do": "observe", "ask": "think"}
    )
    assert "value" in first
    assert second["unsupported"].startswith('request: do: "sing" is not known here')
    assert third["unsupported"].startswith('request: ask: "think" is not known here')


def test_a_wrong_request_is_an_error_and_the_next_one_is_answered() -> None:
    _, second, third = answers_to(START, {"id": 2, "do": "load", "file": 1}, {"id": 3, "do": "stop"})
    assert second["error"] == {"kind": "ProtocolError", "message": 'request: the message: the field "name" is missing'}
    assert third == {"id": 3, "value": {}}


def test_the_order_of_requests_is_kept() -> None:
    load: dict[str, object] = {"id": 1, "do": "load", "name": "toy", "file": "tokenizer.json"}
    assert answers_to(load)[0]["error"]["message"] == "the first request is start"
    for asked in ("vocabulary", "save"):
        assert answers_to(START, {"id": 2, "do": asked})[1]["error"]["message"] == "no tokenizer is loaded"
    assert answers_to(COUNT)[0]["error"]["message"] == "the first request is start"
    assert len(answers_to(START, {"id": 2, "do": "stop"}, {"id": 3, "do": "stop"})) == 2


def test_another_version_is_refused() -> None:
    (answer,) = answers_to({"id": 1, "do": "start", "protocol": 2})
    assert answer["error"]["message"] == "version 2 is spoken there, and version 1 here"


def run_server(*arguments: str, stdin: bytes) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-P", "-m", "tokenizer_adapters.protocol.server", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=60)


def test_a_line_that_is_no_request_ends_the_server() -> None:
    done = run_server("tokenizers", stdin=b"hello\n")
    assert done.returncode == BAD_REQUEST
    assert done.stdout == b""
    assert b'server: request: a line that is not JSON: "hello"' in done.stderr


def test_without_a_name_there_is_nothing_to_serve() -> None:
    assert run_server(stdin=b"").returncode == BAD_REQUEST


def test_the_end_of_its_input_ends_the_server() -> None:
    assert run_server("tokenizers", stdin=b"").returncode == 0


def test_after_a_load_that_failed_no_tokenizer_is_loaded(toy_source: TokenizerSource) -> None:
    load: dict[str, object] = {"do": "load", "name": "toy"}
    good, bad = {**load, "id": 2, "file": toy_source.file}, {**load, "id": 3, "file": f"{toy_source.file}-missing"}
    asked: dict[str, object] = {"do": "observe", "ask": "normalize", "text": "A"}
    _, loaded, _, before, refused, after = answers_to(
        START, good, {"id": 9, "do": "vocabulary"}, {**asked, "id": 4}, {**bad, "id": 5}, {**asked, "id": 6}
    )
    assert "value" in loaded
    assert before == {"id": 4, "value": {"text": "a"}}
    assert refused["error"]["kind"] == "CannotLoadError"
    assert after["error"] == {"kind": "ProtocolError", "message": "no tokenizer is loaded"}


@pytest.mark.parametrize(
    ("unsupported", "answer"),
    [
        (True, {"id": 2, "unsupported": "it does not fit"}),
        (False, {"id": 2, "error": {"kind": "CannotLoadError", "message": "it does not fit"}}),
    ],
)
def test_a_tokenizer_that_is_not_supported_is_no_error(unsupported: bool, answer: dict[str, Any]) -> None:
    class Refusing:
        info = load_implementation("tokenizers").info

        def load(self, _source: TokenizerSource) -> Subject:
            raise CannotLoadError("it does not fit", unsupported=unsupported)

    load: dict[str, object] = {"id": 2, "do": "load", "name": "toy", "file": "tokenizer.json"}
    assert answers_to(START, load, make=Refusing)[1] == answer


def test_it_takes_over_its_standard_streams_and_prints_go_to_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[tuple[int, str, str]] = []
    streams = {"rb": io.BytesIO(b"requests"), "wb": io.BytesIO()}

    def take(descriptor: int, substitute: int, mode: str) -> io.BytesIO:
        empty = os.fstat(substitute).st_rdev == Path(os.devnull).stat().st_rdev
        taken.append((descriptor, "nothing" if empty and substitute > 2 else str(substitute), mode))
        return streams[mode]

    monkeypatch.setattr(server, "taken_over", take)
    monkeypatch.setattr(server, "serve", lambda _server, requests, answers: (requests, answers))
    assert server.main(["tokenizers"]) == (streams["rb"], streams["wb"])
    assert taken == [(0, "nothing", "rb"), (1, "2", "wb")]
