"""``tokconf audit offsets`` as users call it: what it prints, writes and returns."""

from __future__ import annotations

import itertools
import json
import re
import tomllib
import xml.etree.ElementTree as ET
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from click.testing import CliRunner

from tokenizer_conformance.cli import main
from tokenizer_conformance.research.offsets_audit import findings
from tokenizer_conformance.research.offsets_audit.known import known_oddities
from tokenizer_conformance.research.offsets_audit.table import INVARIANTS
from tokenizer_conformance.results.records.offsets_audit import FORMAT
from tokenizer_conformance.results.records.schema import schema_of

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

TEXTS = ("naïve café, 🎉 one two three four five six seven eight nine ten", "a  b", "[UNK] ☃", "")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "texts.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS), "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")
    return tmp_path


def call(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["audit", "offsets", *arguments])


def audit(*arguments: str) -> Result:
    return call("bert-mini", "--no-builtin", "--inputs", "texts.jsonl", *arguments)


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def test_tokenizers_conforms_and_the_record_is_valid(here: Path) -> None:
    done = audit("--json", "record.jsonl", "--markdown", "page.md", "--junit", "checks.xml")
    assert done.exit_code == 0, done.stdout + done.stderr
    assert f"{len(INVARIANTS)} of {len(INVARIANTS)} invariants hold" in done.stdout
    assert "tokenizers keeps all invariants on bert-mini conform; 1 pair of" in " ".join(done.stdout.split())
    lines = lines_of(here / "record.jsonl")
    validator = jsonschema.Draft202012Validator(schema_of(FORMAT))
    for line in lines:
        validator.validate(line)
    assert [line["type"] for line in lines] == ["header", "audited", "footer"]
    assert all(each["things"] for each in lines[1]["invariants"])
    assert "| content.slice | ✓ " in (here / "page.md").read_text(encoding="utf-8")
    cases = ET.parse(here / "checks.xml").findall(".//testcase")
    assert {case.get("name") for case in cases} >= {each.id for each in INVARIANTS}


@pytest.mark.long
def test_a_finding_has_a_small_example_and_a_command(here: Path) -> None:
    done = audit("-i", "late_spans:Late", "--json", "record.jsonl", "--sarif", "checks.sarif")
    assert done.exit_code == 1, done.stderr
    found = lines_of(here / "record.jsonl")[1]["findings"]
    assert {each["invariant"] for each in found} >= {"content.slice", "spans.in-text"}
    content = next(each for each in found if each["invariant"] == "content.slice")
    assert content["reduced_from"] is not None
    assert content["repeat"].endswith("--inputs texts.jsonl --no-builtin --only texts.jsonl:1:text")
    assert content["repeat"] in done.stdout
    sarif = json.loads((here / "checks.sarif").read_text(encoding="utf-8"))
    assert {each["ruleId"] for each in sarif["runs"][0]["results"]} >= {"content.slice"}


@pytest.mark.long
def test_examples_are_as_small_on_a_slow_machine(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def examples() -> list[Any]:
        audit("-i", "late_spans:Late", "--json", "record.jsonl", "--force")
        return [(each["question"], each["reduced_from"]) for each in lines_of(here / "record.jsonl")[1]["findings"]]

    quick = examples()
    clock = itertools.count(0, 0.1)  # a tenth of a second passes with each look at it
    monkeypatch.setattr(findings, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    assert any(reduced_from is not None for _, reduced_from in quick)
    assert examples() == quick


@pytest.mark.long
def test_a_ledger_makes_findings_known_and_its_entries_stale(here: Path) -> None:
    audit("-i", "late_spans:Late", "--update-ledger", "known.toml")
    text = (here / "known.toml").read_text(encoding="utf-8")
    assert audit("-i", "late_spans:Late", "--ledger", "known.toml").exit_code == 2
    (here / "known.toml").write_text(text.replace('reason = ""', 'reason = "late"'), encoding="utf-8")
    done = audit("-i", "late_spans:Late", "--ledger", "known.toml")
    assert done.exit_code == 0, done.stdout
    assert re.search(r"known: .*: late$", done.stdout, re.MULTILINE), done.stdout
    one = tomllib.loads(text)["known"][0]["input"]
    stale = (
        f'format = 1\n[[known]]\nimplementation = "tokenizers"\ntokenizer = "bert-mini"\n'
        f'input = {json.dumps(one)}\nreason = "was so"\n'
    )
    (here / "stale.toml").write_text(stale, encoding="utf-8")
    done = audit("--ledger", "stale.toml")
    assert done.exit_code == 1
    assert re.search(r"Stale: .*: was so", done.stdout), done.stdout


def test_who_shows_no_spans_has_earned_nothing(here: Path) -> None:
    done = audit("-i", "late_spans:IdsOnly", "--json", "record.jsonl")
    assert done.exit_code == 3
    assert "it shows no spans: nothing is said of offsets" in done.stdout
    audited = lines_of(here / "record.jsonl")[1]
    spans = next(each for each in audited["invariants"] if each["id"] == "spans.in-text")
    assert spans["things"] == 0
    assert spans["unchecked"][0]["reason"] == "it shows no offsets"


@pytest.mark.usefixtures("here")
def test_who_gives_no_answer_has_failed() -> None:
    done = audit("-i", "late_spans:Dies")
    assert done.exit_code == 3
    assert "gone" in done.stderr


def test_random_texts_are_the_same_again_and_a_sample_is_spread(here: Path) -> None:
    arguments = ("--random", "12", "--seed", "3", "--sample", "6", "--json")
    heads = []
    for name in ("one.jsonl", "two.jsonl"):
        assert audit(*arguments, name).exit_code in (0, 1)
        heads.append(lines_of(here / name)[0])
    assert heads[0]["inputs"]["count"] == 6
    assert heads[0]["inputs"] == heads[1]["inputs"]


def test_a_tokenizer_that_is_none_is_refused() -> None:
    done = call("no-such-tokenizer")
    assert done.exit_code == 2


def test_known_oddities_name_invariants_that_are_there() -> None:
    ids = {each.id for each in INVARIANTS}
    entries = known_oddities().entries
    assert entries
    assert {name.partition(":")[0] for entry in entries for name in entry.inputs} <= ids
    assert all(not entry.tokenizers for entry in entries)


ODDITIES = [
    ("roberta-mini", "<mask>b and <mask>in", {"spans.not-empty", "content.slice", "coverage.text"}),
    ("t5-mini", "e\u0301", {"coverage.text"}),
    ("llama-mini", "\U00010400\u10a0", {"content.slice", "words.pieces"}),
]


@pytest.mark.long_but(1)
@pytest.mark.parametrize(("tokenizer", "text", "invariants"), ODDITIES, ids=[row[0] for row in ODDITIES])
def test_oddities_of_tokenizers_are_known(here: Path, tokenizer: str, text: str, invariants: set[str]) -> None:
    (here / "odd.jsonl").write_text(json.dumps({"text": text}) + "\n", encoding="utf-8")
    arguments = (tokenizer, "--no-builtin", "--inputs", "odd.jsonl", "--json", "record.jsonl")
    done = call(*arguments)
    assert done.exit_code == 0, done.stdout
    found = lines_of(here / "record.jsonl")[1]["findings"]
    assert {each["invariant"] for each in found} >= invariants
    assert all(each["known"] for each in found)
    assert call(*arguments, "--no-known").exit_code == 1


@pytest.mark.usefixtures("here")
def test_a_template_that_puts_the_second_text_first_is_followed() -> None:
    assert call("options-mini", "--no-builtin", "--inputs", "texts.jsonl").exit_code == 0
