"""The self-check: good programs pass, and each broken one is refused with words that say what is wrong."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.contract import Decode, Encode, Normalize, OffsetUnit, Stage, Text
from tokenizer_adapters.protocol import check as protocol_check
from tokenizer_adapters.protocol.answer_lines import write_answer
from tokenizer_adapters.protocol.check import Faulty, Noted, Passed, check
from tokenizer_adapters.protocol.judgement import length
from tokenizer_adapters.protocol.launch import Program
from tokenizer_adapters.protocol.messages import Observe
from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.protocol.request_lines import write_request
from tokenizer_adapters.selection import served, served_trainer

if TYPE_CHECKING:
    from tokenizer_adapters.contract import TokenizerSource
    from tokenizer_adapters.protocol.check import Result

PROJECT = Path(__file__).resolve().parents[3]
EXAMPLES = PROJECT / "examples" / "protocol"
BROKEN = Path(__file__).parent / "programs" / "broken.py"

LIMITS = Limits(seconds=10)


def results(program: Program, source: TokenizerSource, limits: Limits = LIMITS) -> list[Result]:
    return list(check(program, [source], limits))


@pytest.mark.parametrize("definition", ["request", "answer_to_normalize"])
def test_what_the_schema_refuses_is_told_with_both_lines(monkeypatch: pytest.MonkeyPatch, definition: str) -> None:
    """Other than what is read, it knows only what stands in the published file."""
    told: list[str] = []

    def error_in(_text: str, name: str) -> str | None:
        told.append(name)
        return "nobody needs this" if name == definition else None

    monkeypatch.setattr(protocol_check, "_error_in", error_in)
    request = Observe(Normalize("a"))
    sent, received = write_request(3, request), write_answer(3, Text("a"))
    with pytest.raises(protocol_check._WrongError) as refused:
        protocol_check._read(3, request, sent, received)
    assert refused.value.words == f"the schema's {definition}: nobody needs this"
    assert (refused.value.sent, refused.value.received) == (sent, None if definition == "request" else received)
    assert told == ["request", "answer_to_normalize"][: 1 + (definition != "request")]


# Examples -------------------------------------------------------------------------------------------------------------

INTERPRETERS = {".py": (sys.executable, "-I", "-S"), ".mjs": ("node",), ".sh": ("sh",)}
SHOWN = {
    "words.py": {"observe model", "observe decode"},
    "words.mjs": {"observe model", "observe decode"},
    "lowercase.sh": {"observe normalize"},
    "train_words.py": {"train wordlevel"},
}


def example(name: str) -> Program:
    """Return the program that runs an example; skip where its interpreter is not there."""
    interpreter = INTERPRETERS[Path(name).suffix]
    if shutil.which(interpreter[0]) is None:
        pytest.skip(f"{interpreter[0]} is not installed")
    return Program((*interpreter, str(EXAMPLES / name)), name)


def test_every_example_is_tried() -> None:
    assert {path.name for path in EXAMPLES.iterdir() if path.is_file()} - {"README.md"} == SHOWN.keys()


@pytest.mark.long_but(1)
@pytest.mark.parametrize("name", SHOWN)
def test_an_example_passes(name: str, toy_source: TokenizerSource) -> None:
    found = results(example(name), toy_source)
    assert all(isinstance(result, Passed) for result in found), found
    assert {result.step for result in found if result.step.startswith(("observe ", "train "))} == SHOWN[name]
    assert [result.step for result in found][-3:] == [
        "stop",
        "start, with a version to come",
        "the end of its standard input",
    ]


@pytest.mark.parametrize("name", SHOWN)
def test_an_example_is_short_enough_to_be_printed(name: str) -> None:
    lines = (EXAMPLES / name).read_text("utf-8").splitlines()
    assert len(lines) <= 45
    assert max(map(len, lines)) <= 120


def test_the_page_for_authors_prints_an_example_as_it_is() -> None:
    page = (PROJECT / "docs" / "reference" / "protocol.md").read_text("utf-8")
    assert (EXAMPLES / "words.py").read_text("utf-8") in page


@pytest.mark.long_but(1)
@pytest.mark.parametrize("name", ["reference", "tokenizers"])
def test_an_implementation_that_is_served_passes(name: str, toy_source: TokenizerSource) -> None:
    found = results(served(name), toy_source)
    assert all(isinstance(result, Passed) for result in found), found
    assert sum(result.step.startswith("observe ") for result in found) == 9
    assert Passed("save", "shown") in found


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("name", "counts", "algorithms"), [("reference", 3, 4), ("tokenizers", 3, 4), ("textbook", 0, 3)]
)
def test_a_trainer_that_is_served_passes(name: str, counts: int, algorithms: int) -> None:
    found = list(check(served_trainer(name), [], LIMITS))
    assert all(isinstance(result, Passed) for result in found), found
    assert sum(result.step.startswith("count ") and result.words.endswith(" words") for result in found) == counts
    assert sum(result.step.startswith("train ") for result in found) == algorithms


# Broken programs ------------------------------------------------------------------------------------------------------

FAULTS = {
    "banner": ("start", r'answer to start: a line that is not JSON: "Loading model"'),
    "no-flush": ("start", "it gave no answer within 1 s; does it flush its standard output after every line"),
    "no-version": ("start", 'answer to start: value: the field "version" is missing'),
    "other-protocol": ("start", r"answer to start: value.protocol: version 3 is spoken there, and version 1 here"),
    "made-up-unit": ("start", 'answer to start: value.offset_unit: expected one of "code points", "UTF-8 bytes", '),
    "made-up-stage": ("start", r'answer to start: value.stages\[0\]: expected one of "normalize", .*found "tokenize"'),
    "numbers-as-strings": ("observe model", r'answer to observe encode: value.ids\[0\]: expected an integer, found "'),
    "a-field-of-its-own": ("observe model", 'answer to observe encode: value: "score" is no field of it'),
    "one-span-too-few": ("observe model", r"value.offsets: 3 entries for 4 ids; a list has one for each token"),
    "spans-in-bytes": (
        "observe model",
        r"value.offsets\[\d\]: \[\d+, \d+\] is no range of the text, which has 9 code p",
    ),
    "field-not-announced": ("observe model", 'it shows the field "tokens", and its answer to start does not announce'),
    "stage-not-announced": ("observe decode", "it shows this stage, and its answer to start does not announce it"),
    "shows-as-a-list": ("load", r'answer to load: value.shows: expected an object, found \["ids"\]'),
    "shows-a-made-up-field": (
        "load",
        r'answer to load: value.shows.model\[1\]: expected one of "text", .*, found "colours"',
    ),
    "shows-a-stage-not-announced": (
        "load",
        r'answer to load \(toy\): value.shows: it shows normalize, and its answer to start does not announce it in "st',
    ),
    "shows-a-field-not-announced": (
        "load",
        r"answer to load \(toy\): value.shows.model: it shows type_ids, and its answer to start does not announce it",
    ),
    "counts-by-itself": (
        "start",
        "answer to start: id: expected 1, found 0; answers come in the order of the requests",
    ),
    "last-first": (
        "observe normalize",
        r"answer to observe normalize: id: expected \d+, found \d+; answers come in the order",
    ),
    "dies-of-what-it-does-not-know": (
        "requests that it cannot know",
        "ended with exit status 1; its standard error: no",
    ),
    "invents-an-answer": (
        "before a tokenizer is loaded",
        "answer to observe encode: value: expected an object, found null",
    ),
    "error-for-what-it-does-not-know": ("requests that it cannot know", 'expected an answer with "unsupported"'),
    "one-encoding-too-few": (
        "observe encode_batch",
        r"answer to observe encode_batch .*: value.encodings: 5 entries for 6 inputs; the list has one for each input",
    ),
    "one-chunk-for-all": ("observe decode_stream", "value.chunks: 1 entries for 0 ids; the list has one for each id"),
    "changes-for-good": ("the same questions again", "was answered with .*, and later, of the same tokenizer, with"),
    "saves-half": ("save", "answer to save: value.document: this is no JSON: "),
    "calls-unevenly": ("call", "answer to call: value.fields: lists of one length expected, found "),
    "saves-a-list": ("save", r"answer to save: value.document: expected the text of a JSON object, found that of \[\]"),
    "never-the-same": (
        "the same questions again",
        "observe encode .* was answered with .*, and later, of the same token",
    ),
    "loads-anything": ("before a tokenizer is loaded", "it says that it has loaded a file that does not exist"),
    "shows-nothing": ("observe", "no question was answered with a value, so there is nothing to compare"),
    "does-not-stop": ("stop", "it still runs 1 s after it has answered stop"),
    "ends-badly": ("stop", "it ended with exit status 3 after it has answered stop"),
    "goodbye": ("stop", 'it wrote more after it has answered stop: "bye"'),
    "survives-its-input": ("the end of its standard input", "it still runs 1 s after its standard input has ended"),
}
SLOW = {"no-flush", "last-first", "does-not-stop", "survives-its-input"}


@pytest.mark.long_but(5)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_program_is_refused_with_the_reason(
    fault: str, toy_source: TokenizerSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    step, words = FAULTS[fault]
    monkeypatch.setattr("tokenizer_adapters.protocol.check.ENDING_SECONDS", 1.0 if fault in SLOW else 5.0)
    program = Program((sys.executable, "-I", "-S", str(BROKEN), str(EXAMPLES / "words.py"), fault), fault)
    *passed, last = results(program, toy_source, Limits(seconds=1.0) if fault in SLOW else LIMITS)
    assert isinstance(last, Faulty), last
    assert last.step == step, last
    assert re.search(words, last.words), last.words
    assert not any(isinstance(result, Faulty) for result in passed)


TRAINER_FAULTS = {
    "one-id-for-all": ("train wordlevel", r'value.tokens: "hug" and "12" have the same id, 0'),
    "too-many-tokens": ("train wordlevel", "value.tokens: 49 tokens, where 40 were asked for"),
    "scores-of-others": ("train wordlevel", 'value.scores: "other" is no token of the vocabulary'),
    "merges-of-others": ("train wordlevel", r'value.merges\[0\]: "y" is no token of the vocabulary'),
    "sorted-words": ("count whitespace", 'value.words: "12" stands after "7", and is met before it'),
    "words-twice": ("count whitespace", r'answer to count: value.words\[1\]: the word "a" stands twice in the list'),
    "half-a-trainer": ("start", 'value: the field "algorithms" is missing, which goes with "takes_words"'),
}


@pytest.mark.parametrize("fault", TRAINER_FAULTS)
def test_a_broken_trainer_is_refused_with_the_reason(fault: str) -> None:
    step, words = TRAINER_FAULTS[fault]
    program = Program((sys.executable, "-I", "-S", str(BROKEN), str(EXAMPLES / "train_words.py"), fault), fault)
    *passed, last = check(program, [], LIMITS)
    assert isinstance(last, Faulty), last
    assert last.step == step, last
    assert re.search(words, last.words), last.words
    assert not any(isinstance(result, Faulty) for result in passed)


def test_what_a_trainer_announces_and_does_not_learn_is_noted(tmp_path: Path) -> None:
    program = tmp_path / "boastful.py"
    source = (EXAMPLES / "train_words.py").read_text("utf-8")
    program.write_text(
        source.replace('["wordlevel"], "takes_words": True', '["wordlevel", "bpe"], "takes_words": False')
    )
    found = list(check(Program((sys.executable, "-I", "-S", str(program)), "boastful"), [], LIMITS))
    assert {result.step: result.words for result in found if isinstance(result, Noted)} == {
        "count whitespace": "train-words cannot do this",
        "train bpe": "announced, and nothing learned here: train-words cannot do this",
        "train wordlevel": "announced, and nothing learned here: train-words cannot do this",
    }


def test_a_fault_comes_with_the_lines_that_show_it(toy_source: TokenizerSource) -> None:
    program = Program((sys.executable, "-I", "-S", str(BROKEN), str(EXAMPLES / "words.py"), "no-version"), "broken")
    (fault,) = results(program, toy_source)
    assert isinstance(fault, Faulty)
    assert fault.sent == b'{"id":1,"do":"start","protocol":1}\n'
    assert fault.received is not None
    assert fault.received.startswith(b'{"id": 1, "value": {')


def test_a_tokenizer_that_it_does_not_load_is_named(toy_source: TokenizerSource, tmp_path: Path) -> None:
    other = tmp_path / "tokenizer.json"
    other.write_text("{}")
    source = type(toy_source)("other", str(other))
    *_, last = results(example("words.py"), source)
    assert last == Faulty("load", "it loads none of these, so give one that it loads: other: KeyError: 'model'")
    assert isinstance(list(check(example("words.py"), [source, toy_source], LIMITS))[2], Passed)


def test_a_stage_that_is_announced_and_never_shown_is_noted(toy_source: TokenizerSource, tmp_path: Path) -> None:
    program = tmp_path / "boastful.py"
    words = (EXAMPLES / "words.py").read_text("utf-8")
    program.write_text(words.replace('["model", "decode"]', '["model", "normalize", "decode"]'))
    found = results(Program((sys.executable, "-I", "-S", str(program)), "boastful"), toy_source)
    noted = [result for result in found if isinstance(result, Noted)]
    assert noted == [Noted("observe normalize", "announced, and no value shown here: words cannot show this")]


def test_a_program_that_cannot_be_started_is_refused(toy_source: TokenizerSource) -> None:
    (fault,) = results(Program(("./no-such-program",), "it"), toy_source)
    assert fault == Faulty("start", "cannot start './no-such-program': no such file")


@pytest.mark.parametrize(("text", "lengths"), [("", [0, 0, 0]), ("é🎉", [2, 6, 3]), ("\ud800", [1, 3, 1])])
def test_lengths_are_counted_in_the_unit(text: str, lengths: list[int]) -> None:
    assert [length(text, unit) for unit in OffsetUnit] == lengths


def test_pairs_are_asked_about_with_special_tokens_and_without() -> None:
    asked = [each for each in protocol_check._questions(Stage.POST_PROCESS) if isinstance(each, Encode)]
    pairs = [(each.text, each.add_special_tokens) for each in asked if each.pair == protocol_check.TEXTS[0]]
    assert pairs == [(text, special) for text in protocol_check.TEXTS for special in (False, True)]
    assert [each.text for each in asked if each.pair is None] == list(protocol_check.TEXTS)
    assert [each for each in asked if each.is_pretokenized] == [Encode(("a", "b"), ("c",))]
    decoded = [each for each in protocol_check._questions(Stage.DECODE) if isinstance(each, Decode)]
    assert {each.skip_special_tokens for each in decoded} == {False, True}
