"""Audits of Unicode behaviour as pages: which version explains what, and each thing that none explains once."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from record_pages import check_hostile, check_killed, check_malformed, check_page, lines_of, standing, write

from tokenizer_conformance.cli import main
from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.research.unicode_audit.page import _place, _short
from tokenizer_conformance.research.unicode_audit.properties import TRIED
from tokenizer_conformance.results.page import Novelty, State
from tokenizer_conformance.results.plots.plot import HeatMap

if TYPE_CHECKING:
    from pathlib import Path

PLANTED = "planted_unicode:PlantedImplementation"
FAULTY = "planted_unicode:FaultyImplementation"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the record of an audit of two implementations, one of which has a fault."""
    folder = tmp_path_factory.mktemp("unicode")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOKCONF_IN_PROCESS", "all")
        patch.setenv("TOKCONF_PROGRESS", "off")
        patch.chdir(folder)
        patch.setattr(sys, "argv", ["tokconf", "audit", "unicode"])
        words = ["-i", PLANTED, FAULTY, "--behaviour", "Digits", "--behaviour", "Nmt*", "--json", "audit.jsonl"]
        result = CliRunner().invoke(main, ["audit", "unicode", *words])
    assert result.exit_code == 1, result.output
    return (folder / "audit.jsonl").read_text("utf-8")


@pytest.fixture
def record(made: str, tmp_path: Path) -> Path:
    path = tmp_path / "audit.jsonl"
    path.write_text(made, "utf-8")
    return path


DISAGREEMENT = {
    "type": "disagreement",
    "implementation": "faulty",
    "implementation_version": "1.0",
    "question": "what is a number",
    "one": "Digits",
    "other": "ByteLevel numbers",
    "code_points": "1F600",
    "count": 1,
    "example": "a😀b",
    "told": ["yes", "no"],
}


@pytest.mark.long
def test_each_finding_of_the_record_stands_there_once(record: Path) -> None:
    page, footer = check_page(record), lines_of(record)[-1]
    groups = [each.group for each in page.findings]
    assert groups.count("unexplained behaviours") == footer["unexplained"] == 1
    assert groups.count("differences between implementations") == footer["differing"] == 1
    assert len(standing(page, Novelty.NEW)) == len(page.findings)
    unexplained = page.findings[0]
    assert unexplained.count == 1
    assert "beyond the rule: 1F600" in unexplained.lines
    assert f"{footer['explained']:,} behaviour" in page.summary
    assert page.headline == (
        "faulty 1.0 follows no version of Unicode in Digits and cannot be asked about 2 of 3 behaviours; "
        "planted 1.0 follows a version of Unicode in Digits and cannot be asked about 2 of 3 behaviours; "
        "1 difference between implementations"
    )


@pytest.mark.long
def test_a_picture_says_which_version_each_component_follows(record: Path) -> None:
    (plot,) = (drawing.plot for section in read_page(record).sections for drawing in section.drawings)
    assert isinstance(plot, HeatMap)
    assert not plot.judges
    assert (plot.names, plot.column_names) == (("Digits",), ("planted 1.0", "faulty 1.0"))
    assert plot.texts == (("17.0", "≠ 17.0"),)
    assert plot.shares == ((TRIED.index("17.0") / (len(TRIED) - 1), None),)


BEHAVIOUR = {"is_explained": True, "fixed": False, "members": 5}


@pytest.mark.parametrize(
    ("line", "short", "place"),
    [
        ({"versions": TRIED[:1]}, TRIED[0], 0.0),
        ({"versions": TRIED[-1:]}, TRIED[-1], 1.0),
        ({"versions": ("9.0", "10.0", "11.0")}, "9–11", TRIED.index("11.0") / (len(TRIED) - 1)),
        ({"versions": ("14.0", "15.0", "15.1")}, "14–15.1", TRIED.index("15.1") / (len(TRIED) - 1)),
        ({"versions": TRIED}, f"{TRIED[0].removesuffix('.0')}–{TRIED[-1].removesuffix('.0')}", None),
        ({"versions": TRIED, "fixed": True}, "any", None),
        ({"versions": ("14.0",), "is_explained": False}, "≠ 14.0", None),
        ({"versions": ("14.0",), "is_explained": False, "members": 0}, "no effect", None),
    ],
)
def test_a_cell_of_the_picture_has_the_versions_and_a_step(
    line: dict[str, Any], short: str, place: float | None
) -> None:
    behaviour: Any = SimpleNamespace(**{**BEHAVIOUR, **line})
    assert (_short(behaviour), _place(behaviour)) == (short, place)


@pytest.mark.long
def test_cells_are_behaviours_and_implementations(record: Path) -> None:
    page = read_page(record)
    (matrix,) = page.matrices
    rows = dict(matrix.rows)
    planted, faulty = rows["Digits"]
    assert (planted.state, planted.text) == (State.AGREE, "17.0")
    assert (faulty.state, faulty.text) == (State.DIFFER, "nearest 17.0")
    others = [cell for name, cells in matrix.rows if name != "Digits" for cell in cells]
    assert {cell.state for cell in others} == {State.UNSUPPORTED}
    assert len(others) == lines_of(record)[-1]["not_asked"]
    assert page.state is State.DIFFER


@pytest.mark.parametrize(
    ("behaviour", "row"),
    [
        ("NFC", "NFC, single characters"),
        ("NFC pairs", "NFC pairs"),
        ("SentencePiece nfkc", "SentencePiece nfkc, a map that the audit gives"),
    ],
)
def test_a_row_says_what_the_name_of_a_behaviour_leaves_open(record: Path, behaviour: str, row: str) -> None:
    renamed = [
        each | {"behaviour": behaviour} if each.get("behaviour") == "Digits" else each for each in lines_of(record)
    ]
    page = read_page(write(record, renamed), "")
    assert row in dict(page.matrices[0].rows)


def test_parts_that_disagree_fail_nothing(record: Path) -> None:
    lines = lines_of(record)
    page = check_page(write(record, [*lines[:-1], DISAGREEMENT, lines[-1]]))
    (found,) = standing(page, Novelty.ACCEPTABLE)
    assert [(each.side, each.text) for each in found.answers] == [("Digits", "yes"), ("ByteLevel numbers", "no")]
    assert found.subjects[0].text == "a😀b"
    assert found.id not in page.headlines


def test_what_has_no_effect_is_explained_by_nothing(record: Path) -> None:
    lines = lines_of(record)
    planted = next(line for line in lines if line["type"] == "behaviour" and line["implementation"] == "planted")
    planted["members"] = 0
    page = check_page(write(record, lines))
    cell = dict(page.matrices[0].rows)["Digits"][0]
    assert (cell.state, cell.text) == (State.DIFFER, "no effect")
    assert any("no effect on any character" in each.headline for each in page.findings)


def test_a_killed_audit_gives_a_page_that_says_so(record: Path) -> None:
    check_killed(record)


@pytest.mark.long
def test_altered_lines_are_refused(record: Path) -> None:
    lines = lines_of(record)
    check_malformed(write(record, [*lines[:-1], DISAGREEMENT, lines[-1]]))


def test_hostile_names_pass_through(record: Path) -> None:
    check_hostile(record, "faulty", "Digits")
