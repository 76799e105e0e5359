"""Reports consume events: they are complete, valid, and safe whatever the text."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from html import unescape
from typing import TYPE_CHECKING

import fake_implementations as fakes
import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from line_schema import validator_of
from markdown_it import MarkdownIt
from msgspec import structs
from rich.cells import cell_len
from rich.console import Console

from tokenizer_adapters.contract import BrokeProtocol, Crashed, Encode, Failed, TimedOut
from tokenizer_conformance import OutcomeInUnit, compare
from tokenizer_conformance.causes.wording import cause_headline
from tokenizer_conformance.command_io.markdown import as_block, as_code, as_words
from tokenizer_conformance.command_io.sinks import write_atomically
from tokenizer_conformance.comparison.wording import aligned, window
from tokenizer_conformance.escape import escape, one_line
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.results.page_reports import PageMarkdown
from tokenizer_conformance.results.records.run import FORMAT
from tokenizer_conformance.results.records.schema import schema_of
from tokenizer_conformance.results.terminal import PageTerminal
from tokenizer_conformance.validation.running import shrinking
from tokenizer_conformance.validation.running.events import TokenizerFinished
from tokenizer_conformance.validation.running.page import RUNS
from tokenizer_conformance.validation.running.record import JsonLinesReport, lines_of, record_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tokenizer_adapters.contract import Fault, Observation, Outcome
    from tokenizer_conformance import Event

    EventsOf = Callable[..., list[Event]]

ALL_LENGTHS = tuple("d" * length for length in range(len(fakes.Hostile.texts)))
"""Texts that have the hostile implementation answer all it can."""

FAULTY = [
    fake for fake in fakes.ALL if fake not in {fakes.Slow, fakes.Swallowing, fakes.Interrupted, fakes.Unavailable}
]


@pytest.fixture(scope="module")
def eventful(events_of: EventsOf) -> list[Event]:
    """A run in which everything happens that can."""
    refusals = (Rejected("tokenizer", "evil\x1b", "tokenizer 'evil\x1b[2J': no such file\nor folder"),)
    missing = (Rejected("implementation", "gone", "gone is not installed"),)
    return events_of(*FAULTY[1:], refusals=refusals, unavailable=missing, every_id=True)


def on_terminal(events: list[Event], *, colour: bool = False, width: int = 100) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    console = Console(file=out, force_terminal=colour, width=width, highlight=False)
    report = PageTerminal(RUNS, lines_of, console, Console(file=err, width=width))
    for event in events:
        report.handle(event)
    return out.getvalue(), err.getvalue()


def in_markdown(events: list[Event]) -> str:
    written = io.BytesIO()
    report = PageMarkdown(RUNS, lines_of, written)
    for event in events:
        report.handle(event)
    return written.getvalue().decode("utf-8")


# JSON Lines ----------------------------------------------------------------------------------------------------------


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema_of(FORMAT))


def test_every_line_of_a_record_is_valid(eventful: list[Event], tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    with JsonLinesReport(path) as report:
        for event in eventful:
            report.handle(event)
    validator = validator_of(schema_of(FORMAT))
    lines = [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]
    for line in lines:
        validator.validate(line)
    kinds = [line["type"] for line in lines]
    assert (kinds[0], kinds[-1]) == ("header", "footer")
    assert set(kinds) == {
        "header", "refused", "implementation_missing", "loaded", "load_failed", "difference", "failing", "tokenizer",
        "footer",
    }  # fmt: skip
    verdicts = {line["difference"]["verdict"] for line in lines if line["type"] == "difference"}
    assert verdicts == {"differ", "error", "crash", "timeout", "protocol"}


def test_the_schema_refuses_what_is_no_line_of_a_record(eventful: list[Event]) -> None:
    validator = validator_of(schema_of(FORMAT))
    footer = record_of(eventful[-1])
    assert footer is not None
    assert validator.is_valid(json.loads(json.dumps(footer)))
    for broken in (footer | {"extra": 1}, footer | {"finished": "yes"}, {"type": "other"}, {}):
        assert not validator.is_valid(json.loads(json.dumps(broken)))


def test_a_line_is_judged_as_jsonschema_judges_it(eventful: list[Event]) -> None:
    """The validator of the tests takes short cuts, by which no mistake in a line may be lost."""
    quick, whole = validator_of(schema_of(FORMAT)), jsonschema.Draft202012Validator(schema_of(FORMAT))
    line = next(record for event in eventful if (record := record_of(event)) and record["type"] == "difference")
    assert quick.is_valid(line)
    for name in line:
        for broken in (line | {name: {}}, {key: value for key, value in line.items() if key != name}):
            assert quick.is_valid(broken) == whole.is_valid(broken)


def test_a_record_is_written_as_it_comes(eventful: list[Event], tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    with JsonLinesReport(path) as report:
        report.handle(eventful[0])
        assert json.loads(path.read_text())["type"] == "header"


def test_lone_surrogates_survive_in_a_record(events_of: EventsOf) -> None:
    lines = [json.dumps(record_of(event)) for event in events_of(fakes.Hostile, texts=ALL_LENGTHS)]
    assert any("\\ud800" in line for line in lines)
    assert all(line.isascii() for line in lines)


@pytest.mark.long
def test_long_texts_are_cut_with_their_length_beside_them(events_of: EventsOf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shrinking, "MOST_SHRUNK", 0)
    events = events_of(fakes.LossyDecode, fakes.SwappedMerge, texts=("abcz" * 5000,))
    lines = [json.dumps(record_of(event)) for event in events]
    assert max(map(len, lines)) < 500_000  # each finding has two answers, of 200 tokens each
    assert any('"length": 20000' in line for line in lines)
    assert any('"ids_length": ' in line for line in lines)


# The terminal --------------------------------------------------------------------------------------------------------


def test_the_terminal_shows_verdicts_apart_with_counts(events_of: EventsOf) -> None:
    out, _ = on_terminal(events_of(fakes.LossyDecode, fakes.Mute, fakes.Crashing, fakes.IdsOnly))
    assert re.search(r"^lossy-decode .* ✗ 1 of 6 *$", out, re.MULTILINE)
    assert re.search(r"^mute( +– 6){5} *$", out, re.MULTILINE)
    assert re.search(r"^crashing( +! 1 of 6){4} +✓ 6 *$", out, re.MULTILINE)
    note = "ids-only: missing in some answers or in all, and not compared there: all but ids (model, post_process)"
    assert note in " ".join(out.split())
    assert "lossy-decode: 1 input differs, first at decode 1" in out


def test_the_terminal_shows_the_smallest_example_on_both_sides(events_of: EventsOf) -> None:
    out, _ = on_terminal(events_of(fakes.ShiftedOffset, texts=("zebra abc", "d")))
    block = out[out.index("1. shifted-offset at model: other values of offsets (toy-tokenizer)") :]
    assert block.splitlines()[1:7] == [
        '     text  "a"',
        "         index  toy (1)     shifted-offset (1)",
        '       > 0      (0, 1) "a"  (0, 2) "a"',
        "     smallest: text 1 (test), encode, without special tokens; made simpler",
        "     2 inputs of 2, 2 differences",
        "     repeat: tokconf run toy-tokenizer -i toy shifted-offset --baseline toy --ask \\",
    ]
    assert "shifted-offset: consequences of earlier stages: post_process (offsets)" in out


def test_the_terminal_shows_the_code_points_that_differ(events_of: EventsOf) -> None:
    out, _ = on_terminal(events_of(fakes.WrongNormalization, texts=("éaB",)))
    assert '"b"  character 0 is U+0062' in out
    assert '"B"  character 0 is U+0042' in out


def test_the_terminal_has_no_character_of_hostile_text(events_of: EventsOf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shrinking, "MOST_SHRUNK", 0)
    for text in ALL_LENGTHS:
        out, err = on_terminal(events_of(fakes.Hostile, texts=(text,)))
        assert escape(fakes.Hostile.texts[(len(text) + 2) % len(ALL_LENGTHS)]) in out
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\ud800]", out + err)


def test_who_answers_otherwise_when_asked_again_is_not_said_to_agree(events_of: EventsOf) -> None:
    out, err = on_terminal(events_of(fakes.Flaky))
    assert "no new difference" not in out + err
    said = "flaky: other answers when asked again on 1 of 1 tokenizer; whether that conforms cannot be said."
    assert f"\n{said}\n" in out


def test_who_shows_nothing_is_not_said_to_agree(events_of: EventsOf) -> None:
    events = events_of(fakes.Mute, fakes.Utf8)
    out, _ = on_terminal(events)
    assert "\nmute: nothing was compared on 1 tokenizer.\nutf8: no new difference on 1 tokenizer.\n" in out
    (finished,) = (event for event in events if isinstance(event, TokenizerFinished))
    _, utf8 = finished.results
    out, _ = on_terminal(twice(events, results=(structs.replace(utf8, implementation="mute"), utf8)))
    assert "\nmute: no new difference on 1 tokenizer, nothing was compared on 1.\n" in out


def test_complaints_are_one_line_each_and_harmless(eventful: list[Event]) -> None:
    out, err = on_terminal(eventful)
    assert r"tokconf: tokenizer 'evil\x1b[2J': no such file or folder" in err.splitlines()
    assert "tokconf: gone is not installed" in err.splitlines()
    assert "cannot-load" not in err, "a sentence about the tokenizer says it"
    assert "toy-tokenizer: not loaded: cannot-load: it never does" in out.splitlines()


def test_colours_only_on_a_terminal(eventful: list[Event], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" not in on_terminal(eventful)[0]
    assert re.search(r"\x1b\[[\d;]*31mbad input; ", on_terminal(eventful, colour=True)[0])
    monkeypatch.setenv("NO_COLOR", "1")
    assert "31m" not in on_terminal(eventful, colour=True)[0]


def test_the_last_line_tells_the_whole(events_of: EventsOf) -> None:
    good, _ = on_terminal(events_of(fakes.Utf8))
    assert re.search(
        r"\nconform; 1 tokenizer, 6 inputs, [\d,]+ values compared, 0 differences; .* exit status 0\n$", good
    )
    bad, _ = on_terminal(events_of(fakes.LossyDecode, max_failing=1))
    assert "(stopped at failing input number 1, as asked); 1 tokenizer, " in " ".join(bad.split())


def test_a_tokenizer_that_was_not_loaded_is_never_in_agreement(events_of: EventsOf) -> None:
    out, _ = on_terminal(events_of(fakes.CannotLoad))
    assert "\ntoy-tokenizer: not loaded: cannot-load: it never does\n" in out
    alone, _ = on_terminal(events_of(implementations=(fakes.CannotLoad(), fakes.Toy()), baseline="cannot-load"))
    assert "not loaded: cannot-load (the baseline, so nothing was compared): it never does\n" in alone
    assert "agree" not in out + alone
    assert "✓" not in out + alone


# Who could not load --------------------------------------------------------------------------------------------------


class CannotLoadEither(fakes.CannotLoad):
    name = "cannot-load-either"


def twice(events: list[Event], **changes: object) -> list[Event]:
    """Return ``events`` with a second tokenizer, which is the first but for its name and ``changes``."""
    at, finished = next((at, event) for at, event in enumerate(events) if isinstance(event, TokenizerFinished))
    return [*events[: at + 1], replace(finished, tokenizer="second", **changes), *events[at + 1 :]]


def test_those_who_cannot_load_for_one_reason_share_a_line(events_of: EventsOf) -> None:
    out, _ = on_terminal(events_of(fakes.CannotLoad, CannotLoadEither, fakes.Utf8))
    assert "\ntoy-tokenizer: not loaded: cannot-load, cannot-load-either: it never does\n" in out
    assert out.count("it never does") == 1


def test_what_is_not_there_of_all_is_one_complaint(events_of: EventsOf) -> None:
    absent = tuple(Rejected("implementation", name, f"{name} is not installed") for name in ("one", "two"))
    _, err = on_terminal(events_of(fakes.Utf8, absent=absent), width=200)
    says_why = '("tokconf implementations" says why, and how to install them)'
    assert err == f"tokconf: unavailable, and left out: one, two {says_why}\n"
    _, err = on_terminal(events_of(fakes.Utf8, absent=absent[:1]))
    assert err == "tokconf: one is not installed\n"


# One error is one finding --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fake", "what"),
    [
        (fakes.Raising, "only the implementation raised an error (ValueError: no x, please)"),
        (fakes.Crashing, "only the implementation crashed"),
        (fakes.Hanging, "only the implementation timed out"),
        (fakes.Garbling, "only the implementation broke the protocol"),
    ],
)
def test_an_error_that_one_input_brings_out_at_all_stages_is_one_finding(
    events_of: EventsOf, fake: type[fakes.Toy], what: str
) -> None:
    events = events_of(fake)
    out, _ = on_terminal(events, width=200)
    headlines = [line for line in out.splitlines() if re.match(r" +\d+\. ", line)]
    stages = "normalize, pre_tokenize, model, post_process"
    assert headlines == [f"  1. {fake.name} at {stages}: {what} (toy-tokenizer)"]
    assert "consequences" not in out
    assert " values compared, 1 finding, 1 failing input; " in out.splitlines()[-1]
    text = in_markdown(events)
    assert re.findall(r"^\d+\. .*?: (.*) \(toy-tokenizer\)", text, re.MULTILINE) == [what.replace("_", "\\_")]
    assert "1 finding, 1 failing input" in text


def test_where_an_error_shows_on_more_inputs_at_some_stages_these_are_counted(events_of: EventsOf) -> None:
    class RaisingInPairs(fakes.Raising):
        name = "raising-in-pairs"

        class subject(fakes.ToySubject):  # noqa: N801
            def observe(self, observation: Observation) -> Outcome:
                if isinstance(observation, Encode) and (observation.text == "x" or observation.pair is not None):
                    return Failed("ValueError", "no x, please")
                return super().observe(observation)

    out, _ = on_terminal(events_of(RaisingInPairs), width=200)
    what = "only the implementation raised an error (ValueError: no x, please)"
    assert f"1. raising-in-pairs at model, post_process: {what} " in out
    assert "inputs: model 1, post_process 6" in out


def test_fields_and_errors_are_findings_apart(events_of: EventsOf) -> None:
    out, _ = on_terminal(events_of(fakes.LossyDecode, fakes.Raising, fakes.WrongNormalization), width=200)
    assert re.findall(r"^  (\d+)\. ", out, re.MULTILINE) == ["1", "2", "3"]
    assert ", 3 findings, 4 failing inputs, counted for each implementation; " in out.splitlines()[-1]


# Widths --------------------------------------------------------------------------------------------------------------


@pytest.mark.long_but(1)
@pytest.mark.parametrize("width", [*range(40, 80, 3), 80, 99, 120, 160, 200])
def test_no_line_is_wider_than_the_terminal(eventful: list[Event], events_of: EventsOf, width: int) -> None:
    class Named(fakes.Hostile):
        name = "漢字e\u0301 <img src=x>|`*_[a](http://b)\u202e" * 3

    hostile = events_of(Named, fakes.WrongNormalization, texts=("éaB" * 40, 'a "quoted" B ' * 12, "漢字B" * 30))
    for events in (eventful, hostile, twice(eventful)):
        out, err = on_terminal(events, width=width)
        # A word of the command that repeats it is never torn, so that it can be copied.
        wide = [line for line in (out + err).splitlines() if cell_len(line) > width]
        assert [line for line in wide if not line.startswith(("       '漢字", "       '{\""))] == []
        assert "smallest: " in out


def test_a_wide_terminal_shows_the_matrix_and_a_narrow_one_a_block_for_each(events_of: EventsOf) -> None:
    events = events_of(fakes.LossyDecode, fakes.Mute, fakes.Utf8)
    wide, narrow = (on_terminal(events, width=width)[0] for width in (100, 40))
    assert re.search(r"^lossy-decode +✓ 6 .* ✗ 1 of 6 *$", wide, re.MULTILINE)
    assert "\nlossy-decode\n  normalize     ✓ 6\n" in narrow
    assert "\n  decode        ✗ 1 of 6\n" in narrow
    assert re.search(r"^mute\n(  \w+ +– 6\n){5}", narrow, re.MULTILINE)
    assert [each.count("toy-tokenizer, stage by stage") for each in (wide, narrow)] == [1, 1]


# Markdown ------------------------------------------------------------------------------------------------------------


def test_the_markdown_report_has_header_matrix_and_findings(eventful: list[Event]) -> None:
    text = in_markdown(eventful)
    tables = MarkdownIt("commonmark").enable("table").render(text)
    assert "<td>lossy-decode</td>" in tables
    assert re.search(r"<td>✗ 2 of [\d,]+</td>", tables)
    assert "1. wrong-normalization at normalize: other values of text" in text
    assert "## What could not be used" in text
    assert "post\\_process" in text


def test_the_markdown_report_says_of_a_tokenizer_why_it_was_not_loaded(events_of: EventsOf) -> None:
    text = in_markdown(events_of(fakes.CannotLoad, fakes.Utf8))
    assert "- toy-tokenizer: not loaded: cannot-load: it never does" in text
    assert "## What could not be used" not in text


def test_hostile_text_stays_code_in_markdown(events_of: EventsOf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shrinking, "MOST_SHRUNK", 0)

    class Named(fakes.Hostile):
        name = "<img src=x>|`*_[a](http://b)\u202e"

    shown = []
    for hostile in ALL_LENGTHS:
        text = in_markdown(events_of(Named, texts=(hostile,)))
        assert not re.search("[\u202e\ud800\x1b]", text)
        html = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
        assert re.findall("<(?:script|img|a) [^>]*", html) == ['<a href="#how-it-was-made"']
        assert (html.count("<h1>"), html.count("<ul>")) == (1, 3), "what is told first, the notes, and how it was made"
        shown.append(html)
    assert "&lt;script&gt;" in "".join(shown)
    assert "&lt;img src=x&gt;" in "".join(shown)


@given(st.text(st.characters(), min_size=1))
def test_a_code_span_shows_its_text_and_nothing_else(text: str) -> None:
    tokens = MarkdownIt("commonmark").parseInline(f"x{as_code(text)}x")[0].children
    assert tokens is not None
    assert [token.type for token in tokens] == ["text", "code_inline", "text"]


@given(st.text(st.sampled_from("ab<>&;#[]()!*_`~|\\\"'x1 \n\u202e"), min_size=1))
def test_plain_words_stay_words(text: str) -> None:
    html = (
        MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).renderInline(f"x{as_words(text)}x")
    )
    assert unescape(html) == f"x{one_line(text)}x"


@given(st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs", "Cc"])))
def test_a_block_shows_its_lines_and_nothing_else(line: str) -> None:
    tokens = MarkdownIt("commonmark").parse(as_block([line, "end"]))
    assert [token.type for token in tokens] == ["fence"]
    assert tokens[0].content == f"{line}\nend\n"


def test_a_report_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "report.md"
    write_atomically(path, b"old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", fail)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, b"new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


# Windows -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Failed("ValueError", "bad\nthing"), "raised ValueError: bad thing"),
        (Crashed("signal 11"), "crashed: signal 11"),
        (TimedOut(2.5), "gave no answer within 2.5 s"),
        (BrokeProtocol("half a line"), "broke the protocol: half a line"),
    ],
)
def test_a_missing_answer_is_told_beside_the_value(outcome: Failed | Fault, words: str) -> None:
    subject = fakes.ToySubject()
    question = Encode("abc", add_special_tokens=False)
    (difference,) = compare(question, OutcomeInUnit(subject.observe(question)), OutcomeInUnit(outcome)).differences
    lines = window(difference, "toy", "other")
    assert lines == [f"  toy    answered [{fakes.VOCABULARY['abc']}]", f"  other  {words}"]


def test_columns_are_aligned_by_the_width_on_the_terminal() -> None:
    assert aligned([["漢字", "x"], ["abcd", "y"], ["a", "z"]]) == ["漢字  x", "abcd  y", "a     z"]


def test_failing_inputs_have_one_number(events_of: EventsOf) -> None:
    out, _ = on_terminal(events_of(fakes.Raising, fakes.WrongSpecialToken, texts=("x", "b")), width=200)
    differ = re.findall(r": (\d+) inputs? differs?", out.partition("stage by stage")[0])
    (told,) = re.findall(r"(\d+) failing inputs?", out)
    assert int(told) == sum(map(int, differ)) > 0


def test_a_cause_of_an_error_shows_the_error(events_of: EventsOf) -> None:
    events = events_of(fakes.Raising, texts=("x", "b"), cause_seconds=20.0)
    headlines = [cause_headline(each) for each in events[-1].causes]
    assert headlines
    assert all("raised an error (ValueError: no x, please) for" in each for each in headlines)
