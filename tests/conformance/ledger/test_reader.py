"""Ledgers are read whole or not at all, and whatever is wrong with one is said with its place and with what to do."""

from __future__ import annotations

import importlib.resources
import json
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from in_one_test import in_one_test

from tokenizer_conformance.comparison.differences import DifferenceKind
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.ledger.entry import CLASSES, Entry, Place
from tokenizer_conformance.ledger.reader import KEYS, LedgerError, joined, known_ledger, read_ledgers

if TYPE_CHECKING:
    from tokenizer_conformance.ledger.matching import Ledger

GOOD = """\
format = 1

# a comment
[[known]]
implementation = "mine"
version = ">=1,<2"
baseline = ["tokenizers", "reference"]
since = "0.20"
until = "0.24"
tokenizer = "bert-*"
stage = ["model", "decode"]
field = "ids"
class = ["differ", "crashed"]
input = "emoji/*"
text = ""
pair = "[[known]]"
reason = '''
it
[[known]]
differs'''
link = "https://example.org"
finding = "reports/peers.md"

[[known]]
implementation = "mine"
requirement = "BERT-*"
reason = "for a suite"
"""


def schema() -> dict[str, Any]:
    folder = importlib.resources.files("tokenizer_conformance") / "schemas"
    parsed: dict[str, Any] = json.loads((folder / "ledger-1.json").read_text(encoding="utf-8"))
    return parsed


def takes(document: dict[str, Any]) -> bool:
    return jsonschema.Draft202012Validator(schema()).is_valid(document)


def read(tmp_path: Path, text: str | bytes) -> Ledger:
    path = tmp_path / "ledger.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_ledgers([path])


def problems(tmp_path: Path, text: str | bytes) -> tuple[str, ...]:
    with pytest.raises(LedgerError) as raised:
        read(tmp_path, text)
    return tuple(problem.replace(str(tmp_path), "") for problem in raised.value.problems)


def with_entry(*lines: str) -> str:
    return "\n".join(("format = 1", "[[known]]", 'implementation = "mine"', 'reason = "so"', *lines))


def test_all_that_an_entry_can_say_is_read(tmp_path: Path) -> None:
    file = str(tmp_path / "ledger.toml")
    assert read(tmp_path, GOOD).entries == (
        Entry(
            implementation="mine",
            reason="it\n[[known]]\ndiffers",
            place=Place(file, 1, 4),
            version=">=1,<2",
            baselines=("tokenizers", "reference"),
            since="0.20",
            until="0.24",
            tokenizers=("bert-*",),
            stages=("model", "decode"),
            fields=("ids",),
            classes=("differ", "crashed"),
            inputs=("emoji/*",),
            text="",
            pair="[[known]]",
            link="https://example.org",
            finding="reports/peers.md",
        ),
        Entry(implementation="mine", reason="for a suite", requirements=("BERT-*",), place=Place(file, 2, 24)),
    )
    assert takes(tomllib.loads(GOOD))


def test_the_example_of_the_documents_is_a_ledger(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "known-differences.md").read_text(encoding="utf-8")
    examples: list[str] = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (example,) = (each for each in examples if "[[known]]" in each)
    (entry,) = read(tmp_path, example).entries
    assert entry.implementation == "my-tokenizer"
    assert takes(tomllib.loads(example))


def test_the_schema_has_the_keys_of_the_reader() -> None:
    entry = schema()["$defs"]["entry"]
    assert list(entry["properties"]) == list(KEYS)
    assert tuple(entry["properties"]["class"]["anyOf"][0]["enum"]) == CLASSES


def test_classes_are_the_verdicts_and_kinds_of_comparisons() -> None:
    not_known = {Verdict.UNSTABLE, Verdict.KNOWN, Verdict.BOTH_ERROR, Verdict.AGREE, Verdict.UNSUPPORTED}
    assert set(CLASSES) == {*(set(Verdict) - not_known), *DifferenceKind, "refused"}


@pytest.mark.parametrize("name", ["unstable", "agree", "unsupported", "known"])
def test_what_nobody_can_expect_cannot_be_known(tmp_path: Path, name: str) -> None:
    (problem,) = problems(tmp_path, with_entry(f'class = "{name}"'))
    assert f"`class` has '{name}'" in problem


WRONG: dict[str, tuple[str, str]] = {
    "no reason": ('reason = ""', "`reason` is empty; say why the difference is known in `reason`"),
    "blank reason": ('reason = " \\n"', "`reason` is empty; say why"),
    "no version": ('version = "5"', "`version` is no range of versions: '5'; write one as in"),
    "empty version": ('version = ""', "`version` is no range of versions: ''"),
    "since": ('since = "then"', "`since` is no version: 'then'; write one as in"),
    "closest key": (
        'tokeniser = "x"',
        "unknown key 'tokeniser' (did you mean 'tokenizer'?); known are implementation,",
    ),
    "strange key": ('"\\u001b[2J" = 1', "unknown key '\\x1b[2J'; known are"),
    "closest stage": (
        'stage = "normalise"',
        "`stage` has 'normalise' (did you mean 'normalize'?); choose from normalize,",
    ),
    "stage": ('stage = ["model", "x"]', "`stage` has 'x'; choose from"),
    "field": ('field = "id"', "`field` has 'id' (did you mean 'ids'?); choose from text,"),
    "class": ('class = "crashes"', "`class` has 'crashes' (did you mean 'crashed'?); choose from crash,"),
    "number": ("tokenizer = 5", "`tokenizer` is a number; write a string or a list of strings"),
    "mixed list": ('input = ["a", 1]', "`input` is a list; write a string or a list of strings"),
    "empty list": ("stage = []", "`stage` is an empty list, and selects nothing; leave it out, or name something"),
    "empty name": ('input = ["a", ""]', "`input` has an empty string, which is no name"),
    "truth": ("text = true", "`text` is a truth value; write a string"),
    "date": ("pair = 1979-05-27", "`pair` is a date or a time; write a string"),
    "table": ("link = {}", "`link` is a table; write a string"),
    "section": ('section = "save"', "`section` has 'save' (did you mean 'saved'?); choose from defaults,"),
    "fact alone": ('fact = "model"', "`fact` names facts, and `section` is missing; say of which: defaults,"),
    "facts of answers": (
        'section = "saved"\nstage = "save"',
        "`section` makes the entry one about facts, which have no `stage`; write two entries",
    ),
    "answers": ('answers = "abcde"', "`answers` has 'abcde', which --update-ledger does not write; leave the key out"),
    "no answers": ("answers = []", "`answers` is an empty list, and selects nothing"),
    "empty cause": ('cause = " "', "`cause` is empty; leave it out, or say what it is"),
    "answers of facts": (
        'section = "saved"\nanswers = "abcd"',
        "`section` makes the entry one about facts, which have no `answers`; write two entries",
    ),
    "empty link": ('link = ""', "`link` is empty; leave it out, or say what it is"),
}


@pytest.mark.parametrize(("line", "said"), WRONG.values(), ids=WRONG.keys())
def test_what_is_wrong_with_an_entry(tmp_path: Path, line: str, said: str) -> None:
    text = with_entry().replace('reason = "so"', line) if line.startswith("reason") else with_entry(line)
    (problem,) = problems(tmp_path, text)
    assert problem.startswith(f"ledger '/ledger.toml' entry 1 (line 2): {said}")
    assert "\x1b" not in problem


@in_one_test("line", [line for name, (line, _) in WRONG.items() if name not in {"no version", "since"}])
def test_the_schema_refuses_it_too(line: str) -> None:
    text = with_entry().replace('reason = "so"', line) if line.startswith("reason") else with_entry(line)
    document = tomllib.loads(text)
    if "pair" in document["known"][0]:
        document["known"][0]["pair"] = 1979  # JSON has no dates
    assert takes(tomllib.loads(with_entry()))
    assert not takes(document)


def test_the_range_between_two_versions_is_not_empty(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, with_entry('since = "0.20"', 'until = "0.20.0"'))
    assert problem.endswith("`until` 0.20.0 is not after `since` 0.20, so no version is between them; exchange them")


def test_an_entry_without_an_implementation(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, 'format = 1\n[[known]]\nreason = "so"\n')
    assert problem.endswith("`implementation` is missing; name the implementation that differs")


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    text = f'{GOOD}\n[[known]]\nstage = "x"\n\n[[known]]\nimplementation = "a"\nreason = ""\n'
    said = problems(tmp_path, text)
    assert [problem.split(": ")[0] for problem in said] == [
        *["ledger '/ledger.toml' entry 3 (line 29)"] * 3,
        "ledger '/ledger.toml' entry 4 (line 32)",
    ]


def test_two_entries_about_the_same_are_refused_whatever_their_reasons(tmp_path: Path) -> None:
    entry = '[[known]]\nimplementation = "mine"\nstage = "model"\nreason = "{}"\n'
    (problem,) = problems(tmp_path, "format = 1\n" + entry.format("a") + entry.format("b"))
    assert problem.endswith("entry 2 (line 6): it is about the same as entry 1; leave one of them out")
    two = entry.format("a") + entry.format("b").replace("model", "decode")
    assert len(read(tmp_path, f"format = 1\n{two}").entries) == 2


FILES: dict[str, tuple[str | bytes, str]] = {
    "no format": ('[[known]]\nimplementation = "a"\nreason = "b"', "write `format = 1` before the first entry"),
    "later": ("format = 2", "format 2 is not one that this release reads; that is 1"),
    "truth": ("format = true", "format True is not one that this release reads"),
    "other key": (
        "format = 1\nknwon = []",
        "unknown key 'knwon' (did you mean 'known'?); entries begin with [[known]]",
    ),
    "one table": ("format = 1\n[known]", "`known` is not an array of tables; begin each entry with [[known]]"),
    "no tables": ("format = 1\nknown = [1]", "`known` is not an array of tables"),
    "a number without end": ("format = 1" + "0" * 5_000, "is not TOML: Exceeds the limit"),
    "no TOML": ("format = 1\n[[known]]\nreason = so", "is not TOML: Invalid value (at line 3, column 10)"),
    "no UTF-8": (b"format = 1\n# \xff", "is not UTF-8 (byte 13); write it as UTF-8"),
}


@pytest.mark.parametrize(("content", "said"), FILES.values(), ids=FILES.keys())
def test_what_is_wrong_with_a_file(tmp_path: Path, content: str | bytes, said: str) -> None:
    (problem,) = problems(tmp_path, content)
    assert problem.startswith("ledger '/ledger.toml'")
    assert said in problem


def test_what_is_no_file_is_refused_with_all_else(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("format = 3")
    with pytest.raises(LedgerError) as raised:
        read_ledgers([tmp_path / "none.toml", tmp_path, tmp_path / "bad.toml"])
    reasons = [problem.split(": ")[-1] for problem in raised.value.problems]
    assert reasons[0] == "No such file or directory"
    assert reasons[1].endswith("is no file; give a file of TOML")
    assert reasons[2] == "format 3 is not one that this release reads; that is 1"


def test_entries_written_inline_have_no_line(tmp_path: Path) -> None:
    text = 'format = 1\nknown = [{implementation = "a", reason = "b"}]'
    assert [entry.place.line for entry in read(tmp_path, text).entries] == [None]


def test_several_ledgers_are_one_and_say_where_each_entry_stands(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text(with_entry())
    ledger = joined(known_ledger(), read_ledgers([tmp_path / "a", tmp_path / "b", tmp_path / "a"]))
    assert [entry.place.ledger for entry in ledger.entries[-2:]] == [1, 2]
    assert [file.name for file in ledger.files] == ["known.toml", str(tmp_path / "a"), str(tmp_path / "b")]
    assert str(ledger.entries[-1].place) == f"{str(tmp_path / 'b')!r} entry 1 (line 2)"


def test_the_ledger_of_the_project_is_one_and_says_where_each_finding_is_described() -> None:
    entries = known_ledger().entries
    assert entries
    assert all(entry.version and entry.finding for entry in entries)
    text = (importlib.resources.files("tokenizer_conformance") / "ledger" / "known.toml").read_text(encoding="utf-8")
    assert takes(tomllib.loads(text))
