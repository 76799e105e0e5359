"""Explanations as pages: the way station by station, and where each implementation leaves it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from record_pages import check_hostile, check_killed, check_malformed, check_page, lines_of, write

from tokenizer_conformance.cli import main
from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.results.page import Novelty, State

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Explained = Callable[..., Path]


TURNED = """
from dataclasses import replace
from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import Encoded

class Turned:
    def __init__(self):
        self.sound = load_implementation("reference")
        self.info = replace(self.sound.info, name="turned", version="1.0")
    def load(self, source):
        return Subject(self.sound.load(source))

class Subject:
    def __init__(self, sound):
        self.sound = sound
    def observe(self, question):
        outcome = self.sound.observe(question)
        return replace(outcome, ids=outcome.ids[::-1]) if isinstance(outcome, Encoded) else outcome
"""


@pytest.fixture
def explained(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Explained:
    """A function that writes the record of an explanation."""
    (tmp_path / "turned_round.py").write_text(TURNED, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("turned_round", None)
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["tokconf", "explain"])

    def write_record(tokenizer: str, text: str, *arguments: str) -> Path:
        words = [tokenizer, "--json", "explained.jsonl", "--force", *arguments, "--", text]
        result = CliRunner().invoke(main, ["explain", *words])
        assert result.exit_code in (0, 1), result.output
        return tmp_path / "explained.jsonl"

    return write_record


FAULTY = ("-i", "reference", "turned_round:Turned")


def test_the_way_has_each_station_with_what_leaves_it(explained: Explained) -> None:
    path = explained("bert-mini", "Héllo [MASK]", "-i", "reference")
    page, lines = check_page(path), lines_of(path)
    (text,) = (line for line in lines if line["type"] == "text")
    stations = [each for each in page.stations if each.way == "text"]
    assert [each.name for each in stations] == [*(step["station"] for step in text["steps"]), "words"]
    for station, step in zip(stations, text["steps"], strict=False):
        assert station.answer.tokens is not None
        assert [each.text for each in station.answer.tokens] == [piece["text"] for piece in step["pieces"]]
        assert [[each.start, each.end] for each in station.answer.tokens] == [piece["span"] for piece in step["pieces"]]
        assert len(station.changes) == len(step["changes"]) + len(step["added_tokens"])
    (tokens,) = (line for line in lines if line["type"] == "tokens")
    last = [each for each in page.stations if each.way == "tokens"][-1]
    assert [each.id for each in last.answer.tokens or ()] == tokens["encoding"]["ids"]
    (decoding,) = (line for line in lines if line["type"] == "decoding")
    assert page.stations[-1].answer.text == decoding["text"]
    assert page.subjects[0].text == "Héllo [MASK]"
    (encoding,) = (table for section in page.sections for table in section.tables if table.title == "Every token")
    assert [row[1] for row in encoding.rows] == tokens["encoding"]["ids"]


def test_tokens_of_a_pair_belong_to_the_pair(explained: Explained) -> None:
    page = check_page(explained("bert-mini", "ab", "-i", "reference", "--pair", "zz"))
    assert [each.text for each in page.subjects] == ["ab", "zz"]
    for station in page.stations:
        if station.way in ("text", "pair"):
            assert {each.subject for each in station.answer.tokens or ()} == {int(station.way == "pair")}
    (model,) = (each for each in page.stations if each.name == "model")
    assert {each.subject for each in model.answer.tokens or ()} == {0, 1}


WAYS = {
    "bpe": ("llama-mini", "héllo"),
    "unigram": ("t5-mini", "hello there"),
    "wordpiece": ("bert-mini", "hello ☃"),
    "wordlevel": ("wordlevel-mini", "hello"),
}


@pytest.mark.parametrize("kind", WAYS)
def test_each_kind_of_model_tells_its_steps(explained: Explained, kind: str) -> None:
    path = explained(*WAYS[kind], "-i", "reference")
    (text,) = (line for line in lines_of(path) if line["type"] == "text")
    assert kind in {word["steps"]["kind"] for word in text["words"] if word["steps"]}
    (words,) = (each for each in read_page(path).stations if each.name == "words")
    assert sum(line.startswith("  ") for line in words.changes) >= len(
        [word for word in text["words"] if word["steps"]]
    )


def test_who_leaves_the_way_is_a_finding_with_both_answers(explained: Explained) -> None:
    path = explained("bert-mini", "hello there", *FAULTY)
    page, lines = check_page(path), lines_of(path)
    assert [each.implementation for each in page.findings] == lines[-1]["differing"] == ["turned"]
    (found,) = page.findings
    assert found.id == "departure-1"
    (answers,) = (line for line in lines if line["type"] == "answers")
    assert (found.stage, found.standing) == (answers["blame"]["stage"], Novelty.NEW)
    assert [each.side for each in found.answers] == ["reference", "turned"]
    assert any(token.differs for each in found.answers for token in each.tokens or ())
    assert page.state is State.DIFFER
    ((_, cells),) = page.matrices[0].rows
    assert [cell.state is State.DIFFER for cell in cells] == [
        each["verdict"] == "differ" for each in answers["answers"]
    ]
    assert found.count == sum(each["verdict"] == "differ" for each in answers["answers"])


def test_who_does_not_load_it_is_an_error(explained: Explained) -> None:
    path = explained("bert-mini", "hello there", *FAULTY)
    lines = lines_of(path)
    refused = next(line for line in lines if line["type"] == "answers")
    refused |= {"implementation": "other", "refusal": "no such file", "answers": [], "blame": None}
    sound = next(line for line in lines_of(path) if line["type"] == "answers")
    page = check_page(write(path, [*lines[:-1], sound, lines[-1]]))
    rows = dict(page.matrices[0].rows)
    assert {cell.state for cell in rows["other"]} == {State.ERROR}
    assert any("no such file" in each for each in page.said)


def test_odd_characters_are_listed(explained: Explained) -> None:
    page = check_page(explained("bert-mini", "a\u00a0b\u00a0", "-i", "reference", "--pair", "\u200d"))
    (odd,) = (table for section in page.sections for table in section.tables if table.title == "Characters")
    assert odd.rows == (
        ("text", "U+00A0", "NO-BREAK SPACE", "space", "1, 3"),
        ("pair", "U+200D", "ZERO WIDTH JOINER", "format character", "0"),
    )


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.text(max_size=12).filter(lambda text: text != "-"))  # which is standard input
def test_any_text_has_a_page(explained: Explained, text: str) -> None:
    page = check_page(explained("bert-mini", text, "-i", "reference"))
    assert page.subjects[0].text == text


def test_a_killed_explanation_gives_a_page_that_says_so(explained: Explained) -> None:
    check_killed(explained("bert-mini", "hello there", *FAULTY))


@pytest.mark.long
def test_altered_lines_are_refused(explained: Explained) -> None:
    check_malformed(explained("bert-mini", "hello there", *FAULTY))


def test_hostile_names_pass_through(explained: Explained) -> None:
    check_hostile(explained("bert-mini", "hello there", *FAULTY), "turned", "bert-mini")
