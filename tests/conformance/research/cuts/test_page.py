"""Records of comparisons as pages, made by the command itself."""

from __future__ import annotations

import json
import sys
from math import floor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from record_pages import check_page

from tokenizer_conformance.cli import main
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.results.page import State

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[..., Path]

HOSTILE = "<b>`|\u202e$x"

TEXTS = "The HTTPserver isn't ok\nHello Hello 1984\nПривет, Ünaffable world 你好\n"


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Make:
    """Runs ``tokconf compare`` in this process, and returns the record that it writes."""
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["tokconf", "compare"])
    Path("texts.txt").write_text(TEXTS, "utf-8")

    def run(*arguments: str) -> Path:
        record = tmp_path / "compare.jsonl"
        done = CliRunner().invoke(main, ["compare", *arguments, "--json", str(record), "--force", "--quiet"])
        assert done.exit_code == 0, done.output
        return record

    return run


def lines_of(record: Path, type_: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in record.read_text("ascii").splitlines()]
    return [line for line in found if line["type"] == type_]


THREE = ("bert-mini", "gpt2-mini", "llama-mini")


def test_a_page_has_the_numbers_of_its_record(make: Make) -> None:
    record = make(*THREE, "--inputs", "texts.txt")
    pairs = lines_of(record, "pair")
    page = check_page(record)
    assert page.complaints == ()
    assert (page.state, page.conclusion) == (State.DIFFER, "differences")
    assert len(pairs) >= 2
    expected = {
        f"{pair['second']}/{pair['first']}/{kind['kind']}": kind["regions"] for pair in pairs for kind in pair["kinds"]
    }
    assert expected
    assert {finding.id: finding.count for finding in page.findings} == expected
    assert len({finding.id for finding in page.findings}) == len(page.findings)
    kinds = {kind["kind"]: kind for pair in pairs[:1] for kind in pair["kinds"]}
    table = next(table for section in page.sections for table in section.tables if len(table.columns) == 6)
    assert {row[0]: row[2:] for row in table.rows} == {
        name: (kind["regions"], kind["gained"], kind["lost"], kind["difference"]) for name, kind in kinds.items()
    }


def test_the_cells_say_how_much_is_cut_alike(make: Make) -> None:
    record = make(*THREE, "--inputs", "texts.txt")
    (matrix,) = read_page(record).matrices
    cells = {(row, column): cell for row, found in matrix.rows for column, cell in zip(THREE, found, strict=True)}
    assert matrix.columns == THREE
    for pair in lines_of(record, "pair"):
        inside = sum(kind["characters"] for kind in pair["kinds"] if kind["part"] != "offsets of the same tokens")
        assert inside
        cell = cells[pair["first"], pair["second"]]
        assert cell == cells[pair["second"], pair["first"]]
        alike = floor(1000 - 1000 * inside / pair["characters"]) / 10
        assert (cell.state, cell.text) == (State.DIFFER, f"{alike:.1f} % alike")
        assert cell.of == {"tokenizer": f"{pair['second']} beside {pair['first']}"}
    compared = {(pair["first"], pair["second"]) for pair in lines_of(record, "pair")}
    for (row, column), cell in cells.items():
        if row != column and not {(row, column), (column, row)} & compared:
            assert cell.state is State.NOT_COMPARED


def test_findings_show_examples_with_both_cuts(make: Make) -> None:
    record = make("bert-mini", "gpt2-mini", "--inputs", "texts.txt")
    (pair,) = lines_of(record, "pair")
    page = read_page(record)
    for kind in pair["kinds"]:
        finding = next(each for each in page.findings if each.reason == kind["kind"])
        assert [each.text for each in finding.subjects] == [each["characters"] for each in kind["examples"]]
        for answer, key in zip(finding.answers, ("first", "second"), strict=True):
            cuts = [
                [token.text for token in answer.tokens or () if token.subject == number]
                for number in range(len(kind["examples"]))
            ]
            assert cuts == [each[key] for each in kind["examples"]]
    moved = {each["kind"]: each["gained"] + each["lost"] for each in pair["kinds"]}
    assert page.headlines
    assert [moved[id_.rpartition("/")[2]] for id_ in page.headlines] == sorted(moved.values(), reverse=True)[:6]


def test_a_text_is_shown_as_each_cuts_it(make: Make) -> None:
    record = make("bert-mini", "gpt2-mini", "The HTTPserver")
    (text,) = lines_of(record, "text")
    page = read_page(record)
    finding = page.findings[-1]
    assert (finding.id, finding.subjects[0].text) == ("text", "The HTTPserver")
    assert (page.subjects, page.answers) == (finding.subjects, finding.answers), "the page begins with it"
    for answer, cut in zip(finding.answers, text["cuts"], strict=True):
        assert answer.side == cut["tokenizer"]
        assert [(token.text, token.id, (token.start, token.end)) for token in answer.tokens or ()] == [
            (each["token"], each["id"], tuple(each["span"])) for each in cut["tokens"]
        ]
    marked = {token.text for token in finding.answers[1].tokens or () if token.differs}
    assert "The" not in marked
    assert "er" in marked
    assert not any(token.differs for token in finding.answers[0].tokens or ())


def test_the_same_tokenizer_twice_agrees(make: Make, tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / f"{name}.json").write_bytes(Path(bundled_file("bert-mini")).read_bytes())
    page = check_page(make("one.json", "other.json", "--inputs", "texts.txt"))
    assert page.state is State.AGREE
    assert page.findings == ()
    assert {cell.text for _, row in page.matrices[0].rows for cell in row} == {"itself", "100 % alike"}


def test_the_same_tokens_with_other_offsets_are_cut_alike(make: Make, tmp_path: Path) -> None:
    document = json.loads(Path(bundled_file("roberta-mini")).read_bytes())
    for name, is_trimmed in (("one", True), ("other", False)):
        document["post_processor"]["trim_offsets"] = is_trimmed
        (tmp_path / f"{name}.json").write_text(json.dumps(document), "utf-8")
    page = check_page(make("one.json", "other.json", "--inputs", "texts.txt"))
    assert page.state is State.AGREE
    assert {(cell.state, cell.text) for _, row in page.matrices[0].rows for cell in row} == {
        (State.AGREE, "itself"),
        (State.ACCEPTABLE, "100 % alike"),
    }
    assert page.findings
    assert not any(token.differs for each in page.findings for answer in each.answers for token in answer.tokens or ())


def test_only_what_is_all_alike_is_wholly_alike(make: Make) -> None:
    record = make("bert-mini", "gpt2-mini", "--inputs", "texts.txt")
    lines = [json.loads(line) for line in record.read_text("ascii").splitlines()]
    next(line for line in lines if line["type"] == "pair")["characters"] = 10**9
    record.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "ascii")
    ((_, cells), _) = read_page(record).matrices[0].rows
    assert (cells[1].state, cells[1].text) == (State.DIFFER, "99.9 % alike")


def test_hostile_names_are_as_they_are(make: Make, tmp_path: Path) -> None:
    folder = tmp_path / HOSTILE
    folder.mkdir()
    (folder / "tokenizer.json").write_bytes(Path(bundled_file("gpt2-mini")).read_bytes())
    page = read_page(make("bert-mini", str(folder), "--inputs", "texts.txt"))
    assert page.compared[1].name == HOSTILE
    assert page.matrices[0].columns == ("bert-mini", HOSTILE)
    assert page.findings[0].answers[1].side == HOSTILE


def test_a_killed_record_says_so(make: Make) -> None:
    record = make("bert-mini", "gpt2-mini", "--inputs", "texts.txt")
    record.write_text("".join(record.read_text().splitlines(keepends=True)[:-1]))
    page = read_page(record)
    assert page.conclusion == "interrupted"
    assert "killed" in page.complaints[0]
    assert page.findings


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"regions": ', '"regions": -'),
        ('"evidence": "', '"evidence": "so '),
        ('"kind": "', '"kind": "no '),
        ('"characters": "', '"characters": 5, "x": "'),
    ],
)
def test_a_malformed_line_is_named(make: Make, old: str, new: str) -> None:
    record = make("bert-mini", "gpt2-mini", "--inputs", "texts.txt")
    lines = record.read_text().splitlines(keepends=True)
    number = next(at for at, line in enumerate(lines) if '"type": "pair"' in line)
    assert old in lines[number]
    lines[number] = lines[number].replace(old, new)
    record.write_text("".join(lines))
    with pytest.raises(BadInputError, match=f"line {number + 1} is not that of a record"):
        read_page(record)
