"""Entries are appended, and nothing else is touched; whatever stands in one comes back when it is read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.ledger.answers import LETTERS
from tokenizer_conformance.ledger.entry import CLASSES, FIELDS, STAGES, Difference, Entry, Place
from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.ledger.names import name_in, pattern_of
from tokenizer_conformance.ledger.reader import LedgerError, together
from tokenizer_conformance.ledger.updating import HEAD, WIDTH, appended, toml_string

if TYPE_CHECKING:
    from pathlib import Path

NOWHERE = Place("", 0)

HOSTILE = [
    'a"b',
    "a'''b\"\"\"",
    "a\\",
    "line\nline\r\n\ttab",
    "\x00\x1b[2J\x7f\x85",
    "\u202eabc\u2028\ufeff",
    "\U000e0041\U0010ffff",
    "# no comment",
    "[[known]]",
    "é漢🎉",
    "= {}",
]


def read(text: str) -> Ledger:
    return together([("a ledger", text.encode("utf-8"))])


def test_what_people_wrote_stays_to_the_byte() -> None:
    theirs = (
        "# mine, not to be lost\r\nformat = 1 # one\n\n\n[[known]]\n"
        '  reason = """several\nlines"""   # why\nimplementation = \'x\'\n# the end, without a newline'
    )
    text = appended(theirs, [(Entry(implementation="y", reason="", stages=("model",), place=NOWHERE), "a\ncomment")])
    assert text.startswith(theirs + "\n")
    assert text[len(theirs) + 1 :] == ('\n# a comment\n[[known]]\nimplementation = "y"\nstage = "model"\nreason = ""\n')
    with pytest.raises(LedgerError, match=r"entry 2 \(line 12\): `reason` is empty; say why"):
        read(text)
    assert len(read(text.replace('reason = ""\n', 'reason = "so"\n')).entries) == 2


def test_an_entry_about_facts_comes_back_as_it_was_written() -> None:
    facts = ("model 2 BPE with dropout=null", pattern_of("a[1] *"), *map(pattern_of, HOSTILE))
    entry = Entry(implementation="y", reason="so", sections=("saved",), facts=facts, place=NOWHERE)
    (found,) = read(appended("", [(entry, "")])).entries
    assert found.selector == entry.selector


def test_a_new_ledger_says_what_it_is_and_what_to_do() -> None:
    assert appended("", []) == HEAD
    assert not read(HEAD).entries


def test_where_nothing_can_be_appended_that_is_said() -> None:
    entry = Entry(implementation="y", reason="", place=NOWHERE)
    with pytest.raises(BadInputError, match=r"write each entry under \[\[known\]\] of its own"):
        appended('format = 1\nknown = [{implementation = "x", reason = "y"}]\n', [(entry, "")])


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_survives(text: str) -> None:
    entry = Entry(implementation=f"i {text}", reason=f"because {text}", text=text, inputs=(text,), place=NOWHERE)
    written = appended("", [(entry, text)])
    assert all(line.isprintable() for line in written.splitlines())
    (again,) = read(written).entries
    assert again.selector == replace(entry, inputs=(text,)).selector
    assert again.reason == entry.reason


def test_lines_of_a_file_that_follow_each_other_are_one_word_and_long_lists_have_lines() -> None:
    inputs = tuple(f"a.txt:{number}" for number in range(3, 3000) if number % 100)
    entry = Entry(implementation="y", reason="so", inputs=(*inputs, "emoji/flag"), place=NOWHERE)
    text = appended("", [(entry, "")])
    assert '"a.txt:{3..99}", "a.txt:{101..199}"' in text
    assert len(text) < 1000
    assert max(map(len, text.split("\n"))) <= WIDTH + 10
    assert read(text).entries[0].inputs == entry.inputs


@pytest.mark.parametrize("name", ["a:{1..3}", "a[1]:{1..3}", "a:{3..1}", "a:{1..9000000}", "a:{0..3}", "{1..3}"])
def test_what_looks_like_lines_of_a_file_may_be_a_name(name: str) -> None:
    entry = Entry(implementation="y", reason="so", inputs=(pattern_of(name),), place=NOWHERE)
    (again,) = read(appended("", [(entry, "")])).entries
    seen = Difference("y", "1", "t", "model", ("ids",), None, "other values", name)
    assert Ledger([again]).entry_for(seen) is again
    assert Ledger([again]).entry_for(replace(seen, input="a:2")) is None


def test_what_toml_cannot_hold_is_replaced() -> None:
    assert toml_string("a\ud800b") == '"a\\ufffdb"'


names = st.text(st.characters(codec=None), min_size=1)
"""Any text, with lone surrogates."""

texts = st.text(st.characters(codec="utf-8"))

entries = st.builds(
    Entry,
    implementation=texts.filter(str.strip),
    reason=texts.filter(str.strip),
    place=st.just(NOWHERE),
    version=st.sampled_from([None, "==5.23.0", ">=1,<2"]),
    baselines=st.sampled_from([("tokenizers",), ("mine", "tokenizers")]),
    since=st.sampled_from([None, "0.1"]),
    until=st.sampled_from([None, "0.2"]),
    tokenizers=st.lists(texts.filter(bool), unique=True, max_size=3).map(tuple),
    stages=st.lists(st.sampled_from(STAGES), unique=True, max_size=3).map(tuple),
    fields=st.lists(st.sampled_from(FIELDS), unique=True, max_size=3).map(tuple),
    requirements=st.lists(texts.filter(bool), unique=True, max_size=3).map(tuple),
    classes=st.lists(st.sampled_from(CLASSES), unique=True, max_size=3).map(tuple),
    inputs=st.lists(texts.filter(bool), unique=True, max_size=3).map(tuple),
    text=st.none() | texts,
    pair=st.none() | texts,
    link=st.none() | texts.filter(str.strip),
    finding=st.none() | texts.filter(str.strip),
    cause=st.none() | texts.filter(str.strip),
    component=st.none() | texts.filter(str.strip),
    answers=st.frozensets(st.text("aZ09_-", min_size=LETTERS, max_size=LETTERS), max_size=40),
)


@given(st.lists(st.tuples(entries, texts), max_size=4, unique_by=lambda row: row[0].selector))
def test_what_is_written_is_read(rows: list[tuple[Entry, str]]) -> None:
    half = len(rows) // 2
    text = appended(appended("", rows[:half]), rows[half:])
    ledger = read(text)
    assert [replace(entry, place=NOWHERE) for entry in ledger.entries] == [entry for entry, _ in rows]
    lines = text.split("\n")
    assert all(lines[entry.place.line - 1] == "[[known]]" for entry in ledger.entries if entry.place.line is not None)
    assert all(entry.place.line is not None for entry in ledger.entries)


@given(names, names)
def test_the_pattern_of_a_name_fits_it_and_no_other(name: str, other: str) -> None:
    entry = Entry(implementation="x", reason="so", inputs=(pattern_of(name),), place=NOWHERE)
    (again,) = read(appended("", [(entry, name)])).entries
    seen = Difference("x", "1", "t", "model", ("ids",), None, "other values", name)
    assert Ledger([again]).entry_for(seen) is again
    if not any("\ud800" <= character <= "\udfff" for character in name):
        assert (Ledger([again]).entry_for(replace(seen, input=other)) is again) is (name == other)
        assert name_in(pattern_of(name)) == name


def test_a_ledger_on_disk_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "ledger.toml"
    entry = Entry(implementation="x", reason="é\n\x00", place=NOWHERE)
    path.write_bytes(appended("", [(entry, "")]).encode("utf-8"))
    assert read(path.read_text("utf-8")).entries[0].reason == "é\n\x00"
