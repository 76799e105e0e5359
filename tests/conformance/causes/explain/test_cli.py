"""``tokconf explain``: what it accepts, what it shows, what it writes, and how it ends."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

from tokenizer_conformance.cli import main
from tokenizer_conformance.inputs.bundled import bundled_names
from tokenizer_conformance.results.records.explanation import FORMAT
from tokenizer_conformance.results.records.schema import schema_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Tokconf = Callable[..., Result]

CHECKPOINTS = (
    "albert-base-v1", "bert-base-cased", "bert-base-uncased", "camembert-base", "google-fnet-base", "gpt2",
    "roberta-base", "t5-small", "xlnet-base-cased",
)  # fmt: skip

TEXTS = {
    "empty": "",
    "only added tokens": "<s></s><mask>[MASK]<|endoftext|>",
    "NUL": "a\0b",
    "emoji": "👩\u200d👩\u200d👧 🇫🇷 1\ufe0f\u20e3",
    "right to left": "שלום \u202eعربي",
    "marks": "e\u0301a\u0308\u0323 \u0301",
    "hostile": "\x1b[31m`<b>|\u202e\r\n#",
    "long": "ab cd é " * 60,
}


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, plugin: Path) -> Tokconf:
    """Runs ``tokconf explain`` in this process, in an empty folder, with the fakes installed."""
    monkeypatch.syspath_prepend(str(plugin))
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["tokconf", "explain"])
    return lambda *arguments, given=None: CliRunner().invoke(main, ["explain", *arguments], input=given)


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def records(path: Path) -> list[dict[str, Any]]:
    validator = jsonschema.Draft202012Validator(schema_of(FORMAT))
    lines = lines_of(path)
    for line in lines:
        validator.validate(line)
    return lines


def check_layout(output: str) -> None:
    for line in output.splitlines():
        assert cell_len(line) <= 80, line
        assert "\x1b" not in line
        assert "\u202e" not in line


# What is shown -------------------------------------------------------------------------------------------------------


@pytest.mark.long_but(2)
@pytest.mark.parametrize("name", bundled_names())
def test_every_text_on_every_bundled_tokenizer(cli: Tokconf, name: str) -> None:
    for number, text in enumerate(TEXTS.values()):
        pair = ["--pair", "the pair"] if number % 3 == 1 else []
        result = cli(name, "-i", "reference", "--json", "r.jsonl", *pair, "--", text)
        assert result.exit_code == 0, result.output
        check_layout(result.stdout)
        header, *others, footer = lines_of(Path("r.jsonl"))
        assert (header["type"], footer["type"]) == ("header", "footer")
        assert others[0]["text"] == text


@pytest.mark.parametrize("name", bundled_names())
def test_records_are_in_the_form_of_their_schema(cli: Tokconf, name: str) -> None:
    assert cli(name, "Hé <mask> 12", "--pair", "x", "--json", "r.jsonl").exit_code == 0
    assert [line["type"] for line in records(Path("r.jsonl"))] == [
        "header", "text", "text", "tokens", "decoding", "answers", "footer",
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", CHECKPOINTS)
def test_every_text_on_published_checkpoints(cli: Tokconf, shared: Path, name: str) -> None:
    for number, text in enumerate(TEXTS.values()):
        result = cli(str(shared / "tokenizers" / name), "--json", f"{number}.jsonl", "--", text)
        assert result.exit_code == 0, result.output
        check_layout(result.stdout)
        records(Path(f"{number}.jsonl"))


def test_the_stages_are_shown_in_their_order(cli: Tokconf) -> None:
    result = cli("bert-mini", "Naïve [MASK]")
    assert result.exit_code == 0, result.output
    titles = [line for line in result.stdout.splitlines()[1:] if line and not line.startswith(" ")]
    assert titles == [
        "text", "aligned", "added tokens", "normalizer", "pre-tokenizer", "model", "after the model", "encoding",
        "decoding", "tokenizers beside reference", "no difference; exit status 0",
    ]  # fmt: skip
    assert '2-3 "ï" -> "i"' in result.stdout
    assert "cut out" in result.stdout


def test_a_pair_has_both_texts(cli: Tokconf) -> None:
    result = cli("bert-mini", "one", "--pair", "two")
    assert "model of the pair" in result.stdout
    assert '"two" of text 2' in result.stdout


def test_without_special_tokens(cli: Tokconf) -> None:
    assert (
        "[CLS]" not in cli("bert-mini", "one", "--no-special-tokens").stdout.split("encoding")[1].split("decoding")[0]
    )
    assert "[CLS]" in cli("bert-mini", "one").stdout


def test_a_long_text_is_cut_and_all_of_it_shown_where_asked(cli: Tokconf) -> None:
    text = "ab " * 400
    short = cli("gpt2-mini", text).stdout
    assert "shown are characters 0 to 240 (--all shows them)" in short
    everything = cli("gpt2-mini", text, "--all").stdout
    assert "--all" not in everything
    assert "1197" in everything


def test_where_the_way_ends_it_is_said(cli: Tokconf, tmp_path: Path) -> None:
    file = tmp_path / "poor.json"
    file.write_text(json.dumps({"model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "none"}}))
    result = cli(str(file), "b")
    assert result.exit_code == 0
    assert "here the way ends" in result.stdout
    assert "model WordLevel fails: ModelError: WordLevel error: Missing [UNK] token" in result.stdout
    assert "both error" in result.stdout


# Differences ---------------------------------------------------------------------------------------------------------


def test_a_difference_is_marked_and_blamed_everywhere(cli: Tokconf) -> None:
    result = cli(
        "gpt2-mini", "caf\\u00e9 e\\u0301", "--escaped", "-i", "keeps-accent", "--json", "r.jsonl", "--markdown", "r.md"
    )
    assert result.exit_code == 1, result.output
    check_layout(result.stdout)
    assert "DIFFER" in result.stdout
    assert "they part first at stage normalize" in result.stdout
    assert result.stdout.splitlines()[-1] == "differs: keeps-accent; exit status 1"
    answers = next(line for line in records(Path("r.jsonl")) if line["type"] == "answers")
    assert answers["blame"]["stage"] == "normalize"
    page = Path("r.md").read_text(encoding="utf-8")
    assert page.startswith("# The way of “café e\u0301” through gpt2-mini\n\n**differs: keeps-accent**\n")
    assert "they part first at stage normalize" in page
    assert cli("bert-mini", "a", "--markdown", "r.md", "--json", "r.jsonl").exit_code == 0, (
        "an earlier report is replaced"
    )


def test_hostile_text_is_no_markup(cli: Tokconf) -> None:
    assert cli("gpt2-mini", "--markdown", "r.md", "--", "```\n# no heading\x1b[0m").exit_code == 0
    page = Path("r.md").read_text(encoding="utf-8")
    headings = [line for line in page.splitlines() if line.startswith("#")]
    assert not [line for line in headings if "no heading" in line.removeprefix(headings[0])]
    assert headings[0].startswith("# The way of “")
    assert "\x1b" not in page


# What is given -------------------------------------------------------------------------------------------------------


def test_standard_input_is_taken_to_the_last_byte(cli: Tokconf) -> None:
    result = cli("gpt2-mini", "-", "--json", "r.jsonl", given="e\u0301\n")
    assert result.exit_code == 0, result.output
    assert records(Path("r.jsonl"))[1]["text"] == "e\u0301\n"


@pytest.mark.parametrize(
    ("given", "text"),
    [(r"e\u0301", "e\u0301"), (r"\N{SNOWMAN}\x41\n\\", "☃A\n\\"), (r"\U0001f600\0", "😀\0"), ("plain", "plain")],
)
def test_escapes_are_read_where_asked(cli: Tokconf, given: str, text: str) -> None:
    assert cli("gpt2-mini", given, "--escaped", "-i", "reference", "--json", "r.jsonl").exit_code == 0
    assert records(Path("r.jsonl"))[1]["text"] == text
    assert cli("gpt2-mini", given, "-i", "reference", "--json", "r.jsonl").exit_code == 0
    assert records(Path("r.jsonl"))[1]["text"] == given


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("gpt2-mini", r"\q", "--escaped"), "which is no escape"),
        (("gpt2-mini", "\\", "--escaped"), "which is no escape"),
        (("gpt2-mini", r"\N{NO SUCH}", "--escaped"), "no character has that name"),
        (("gpt2-mini", r"\ud800", "--escaped"), "the surrogate U+D800"),
        (("gpt2-mini", "a\udcff"), "the byte 0xFF, which is not UTF-8"),
        (("gpt2-mini", "x", "--pair", r"\q", "--escaped"), "--pair has"),
        (("nowhere.json", "x"), "nowhere.json"),
        (("gpt2-mini", "x", "-i", "nosuch"), "no implementation is called 'nosuch'"),
        (("gpt2-mini",), "Missing argument 'TEXT'"),
    ],
)
def test_what_cannot_be_used_is_said(cli: Tokconf, arguments: tuple[str, ...], said: str) -> None:
    result = cli(*arguments)
    assert result.exit_code == 2
    assert said in result.output
    assert "Traceback" not in result.output


def test_a_tokenizer_that_the_reference_refuses_is_a_failure(cli: Tokconf, tmp_path: Path) -> None:
    file = tmp_path / "odd.json"
    file.write_text(json.dumps({"model": {"type": "Toy"}}))
    result = cli(str(file), "x")
    assert result.exit_code == 3
    assert "reference cannot load odd" in result.output
