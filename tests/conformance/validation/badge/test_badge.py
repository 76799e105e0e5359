"""``tokconf badge``: what badges say, from which records there are any, and which files they go to."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import asdict
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import fake_implementations as fakes
import pytest
from click.testing import CliRunner
from small_suites import plan_of, toy_suite

from tokenizer_conformance.cli import main
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.results.records.suite_run import FORMAT
from tokenizer_conformance.validation.badge.badge import badge_of
from tokenizer_conformance.validation.badge.drawing import COLORS, MARK, Format, drawn, is_badge
from tokenizer_conformance.validation.badge.reading import ImplementationScore
from tokenizer_conformance.validation.badge.writing import names_of_files
from tokenizer_conformance.validation.suite.engine import run_suite
from tokenizer_conformance.validation.suite.judging import CaseVerdict
from tokenizer_conformance.validation.suite.page import SUITES
from tokenizer_conformance.validation.suite.reader import SuiteIdentity, suite_identity
from tokenizer_conformance.validation.suite.record import lines_of as typed_lines
from tokenizer_conformance.validation.suite.requirement import Importance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from click.testing import Result

    Tokconf = Callable[..., Result]

Line = dict[str, Any]

SUITE = SuiteIdentity("0.1.0", "0.23.3", "3f9a2c1d" + "0" * 56)
LABEL = "tokenizers conformance 0.23.3 · suite 0.1.0 (3f9a2c1)"

CORE, EDGE, QUIRK = Importance
PASSED, KNOWN, FAILED, UNSUPPORTED, ERROR = (
    CaseVerdict.PASSED,
    CaseVerdict.KNOWN,
    CaseVerdict.FAILED,
    CaseVerdict.UNSUPPORTED,
    CaseVerdict.ERROR,
)

Counts = dict[tuple[Importance, CaseVerdict], int]

# Records --------------------------------------------------------------------------------------------------------------


NOTHING_SHOWN: Line = {"offset_unit": "code points", "stages": [], "fields": []}

CASE: Line = {"case": "a", "verdict": "passed", "blame": None, "reason": "", "known": [], "failures": []}


def header(*names: str, requirements: int, **changes: Any) -> Line:
    found = {
        "type": "header",
        "schema": "tokenizer-conformance-suite-run",
        "version": "1.2",
        "environment": {"tokconf": "0.1", "python": "", "platform": "", "started": "", "command": []},
        "implementations": [
            {**NOTHING_SHOWN, "name": name, "version": "1.0", "language": "", "home_page": ""} for name in names
        ],
        "suite": {"version": SUITE.version, "target": SUITE.target, "sha256": SUITE.sha256},
        "requirements": requirements,
        "cases": requirements,
        "selection": "",
        "features": [],
        "importances": [],
        "fields": None,
    }
    return found | changes


def lines_of(name: str, counts: Counts, *, complete: bool = True) -> list[Line]:
    found: list[Line] = [
        {
            "type": "requirement",
            "implementation": name,
            "requirement": f"{importance}-{verdict}-{number}".upper(),
            "area": "areas",
            "importance": importance,
            "verdict": verdict,
            "blame": None,
            "cases": [CASE],
        }
        for (importance, verdict), count in counts.items()
        for number in range(count)
    ]
    ended = {"type": "implementation", "implementation": name, "complete": complete}
    return [*found, {**ended, "requirements": {}, "cases": {}, "seconds": 0.0}]


FOOTER: Line = {
    "type": "footer",
    "finished": True,
    "conclusion": "conform",
    "exit_status": 0,
    "seconds": 0.0,
    "stale": [],
}

GOOD: Counts = {(CORE, PASSED): 2, (EDGE, PASSED): 1}


def record(*names: str, counts: Counts | None = None, **changes: Any) -> list[Line]:
    found = GOOD if counts is None else counts
    judged = [line for name in names for line in lines_of(name, found)]
    return [header(*names, requirements=sum(found.values()), **changes), *judged, FOOTER]


def written(path: Path, lines: Iterable[Line]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "ascii")
    return path


@pytest.fixture
def badge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tokconf:
    """Runs ``tokconf badge`` in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(main, ["badge", *map(str, arguments)])


# What a badge says ----------------------------------------------------------------------------------------------------

ALL_OF_IT: Counts = {(CORE, PASSED): 412, (EDGE, PASSED): 300, (QUIRK, PASSED): 105}


@pytest.mark.parametrize(
    ("counts", "is_partial", "message", "color"),
    [
        (ALL_OF_IT, False, "core 412/412 · all 817/817", "brightgreen"),
        (ALL_OF_IT, True, "part of the suite: core 412/412 · all 817/817", "lightgrey"),
        (
            {(CORE, PASSED): 412, (EDGE, PASSED): 389, (EDGE, UNSUPPORTED): 16},
            False,
            "core 412/412 · all 801/817 · 16 not shown",
            "green",
        ),
        (
            {(CORE, PASSED): 4, (EDGE, PASSED): 6, (CORE, UNSUPPORTED): 408, (QUIRK, UNSUPPORTED): 399},
            False,
            "core 4/412 · all 10/817 · 807 not shown",
            "lightgrey",
        ),
        ({(CORE, PASSED): 9, (QUIRK, UNSUPPORTED): 1}, False, "core 9/9 · all 9/10 · 1 not shown", "green"),
        ({(CORE, PASSED): 8, (CORE, UNSUPPORTED): 1}, False, "core 8/9 · all 8/9 · 1 not shown", "yellowgreen"),
        ({(CORE, PASSED): 1, (CORE, UNSUPPORTED): 1}, False, "core 1/2 · all 1/2 · 1 not shown", "yellowgreen"),
        ({(CORE, PASSED): 1, (CORE, UNSUPPORTED): 2}, False, "core 1/3 · all 1/3 · 2 not shown", "lightgrey"),
        ({(CORE, PASSED): 99, (QUIRK, FAILED): 1}, False, "core 99/99 · all 99/100 · 1 failed", "orange"),
        ({(CORE, PASSED): 99, (EDGE, KNOWN): 1}, False, "core 99/99 · all 99/100 · 1 failed", "orange"),
        ({(CORE, PASSED): 99, (EDGE, ERROR): 1}, False, "core 99/99 · all 99/100 · 1 failed", "orange"),
        ({(CORE, PASSED): 99, (CORE, FAILED): 1}, False, "core 99/100 · all 99/100 · 1 failed", "red"),
        ({(CORE, PASSED): 99, (CORE, KNOWN): 1}, False, "core 99/100 · all 99/100 · 1 failed", "red"),
        ({(CORE, PASSED): 99, (CORE, ERROR): 1}, True, "part of the suite: core 99/100 · all 99/100 · 1 failed", "red"),
        (
            {(CORE, PASSED): 1000, (EDGE, FAILED): 1, (EDGE, ERROR): 2, (EDGE, KNOWN): 3, (EDGE, UNSUPPORTED): 5},
            False,
            "core 1,000/1,000 · all 1,000/1,011 · 6 failed · 5 not shown",
            "orange",
        ),
        ({(EDGE, PASSED): 3}, True, "part of the suite: all 3/3", "lightgrey"),
        ({(CORE, UNSUPPORTED): 3}, False, "core 0/3 · all 0/3 · 3 not shown", "lightgrey"),
    ],
)
def test_what_is_not_shown_is_not_passed(counts: Counts, is_partial: bool, message: str, color: str) -> None:
    found = badge_of(ImplementationScore("mine", "2.1", Counter(counts), complete=True), SUITE, is_partial=is_partial)
    assert (found.label, found.message, found.color) == (LABEL, message, color)
    assert found.title == f"mine 2.1: {LABEL}: {message}"
    assert color in COLORS


CHAT_LEFT_OUT = ("core 2/2 · all 3/3 · without chat templates", "brightgreen")
CHAT_NOT_SHOWN = ("core 2/3 · all 3/4 · 1 not shown", "yellowgreen")


@pytest.mark.parametrize(("stages", "shown"), [([], CHAT_LEFT_OUT), (["chat"], CHAT_NOT_SHOWN)])
def test_chat_templates_count_for_who_renders_them(
    badge: Tokconf, tmp_path: Path, stages: list[str], shown: tuple[str, str]
) -> None:
    lines = record("mine", counts={**GOOD, (CORE, UNSUPPORTED): 1})
    lines[0]["implementations"][0]["stages"] = stages
    for line in lines:
        line.update({"area": "chat"} if line.get("verdict") == "unsupported" else {})
    written(tmp_path / "run.jsonl", lines)
    assert badge("run.jsonl").exit_code == 0
    found = json.loads((tmp_path / "mine-badge.json").read_text("ascii"))
    assert (found["message"], found["color"]) == shown


def test_both_forms_say_the_same(badge: Tokconf, tmp_path: Path) -> None:
    written(tmp_path / "run.jsonl", record("mine"))
    result = badge("run.jsonl")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        f"mine 1.0: {LABEL}: core 2/2 · all 3/3",
        "wrote 'mine-badge.svg'",
        "wrote 'mine-badge.json'",
    ]
    assert json.loads((tmp_path / "mine-badge.json").read_text("ascii")) == {
        "schemaVersion": 1,
        "label": LABEL,
        "message": "core 2/2 · all 3/3",
        "color": "brightgreen",
    }
    text = (tmp_path / "mine-badge.svg").read_text("utf-8")
    assert text.startswith(f'{MARK}\n<svg xmlns="http://www.w3.org/2000/svg" width="')
    assert f"<title>mine 1.0: {LABEL}: core 2/2 · all 3/3</title>" in text
    assert 'fill="#3c0"' in text
    assert text.count(f">{LABEL}</text>") == text.count(">core 2/2 · all 3/3</text>") == 2


def test_the_picture_is_as_wide_as_its_texts() -> None:
    found = badge_of(ImplementationScore("mine", "1", Counter(GOOD), complete=True), SUITE, is_partial=False)
    root = ET.fromstring(drawn(found, Format.SVG))
    space = "{http://www.w3.org/2000/svg}"
    rects = [(int(each.get("x", "")), int(each.get("width", ""))) for each in root.iter(f"{space}rect")]
    assert rects[0][0] == 0
    assert rects[1][0] == rects[0][1]
    assert int(root.get("width", "")) == sum(width for _, width in rects)
    for (x, width), text in zip(rects, list(root.iter(f"{space}text"))[1::2], strict=True):
        assert float(text.get("x", "")) == x + width / 2
        assert int(text.get("textLength", "")) == width - 12


def test_each_form_is_its_own(badge: Tokconf, tmp_path: Path) -> None:
    written(tmp_path / "run.jsonl", record("a", "b"))
    assert badge("run.jsonl", "--format", "svg", "-i", "b", "--output", "new/folder").exit_code == 0
    assert badge("run.jsonl", "--format", "json", "-i", "a", "-i", "b", "-i", "a", "--output", "other").exit_code == 0
    assert {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*")} == {
        "run.jsonl",
        "new/folder/b-badge.svg",
        "other/a-badge.json",
        "other/b-badge.json",
    }


# Hostile names --------------------------------------------------------------------------------------------------------

SCRIPT = '</title><script>alert("1")</script>&\x1b]0;\x00\u202e\ud800{{ 7 * 7 }}'


def test_hostile_text_is_text(badge: Tokconf, tmp_path: Path) -> None:
    lines = record(SCRIPT, "../../evil", suite={"version": SCRIPT, "target": SCRIPT, "sha256": SUITE.sha256})
    lines[0]["implementations"][0]["version"] = SCRIPT
    (tmp_path / "in").mkdir()
    written(tmp_path / "in" / "run.jsonl", lines)
    result = badge("in/run.jsonl")
    assert result.exit_code == 0, result.output
    assert not any(character in result.output for character in "\x1b\x00\u202e\ud800")
    present = {path.name for path in (tmp_path / "in").iterdir()} - {"run.jsonl"}
    stem = "title-script-alert-1-script-0-7-7-badge"
    assert present == {f"{stem}.svg", f"{stem}.json", "evil-badge.svg", "evil-badge.json"}
    text = (tmp_path / "in" / f"{stem}.svg").read_text("utf-8")
    assert "<script" not in text
    assert "&lt;script&gt;alert(&#34;1&#34;)" in text
    assert "{{ 7 * 7 }}" in text
    root = ET.fromstring(text)
    assert [each.tag.rpartition("}")[2] for each in root] == ["title", "rect", "rect", "g"]
    assert set(json.loads((tmp_path / "in" / f"{stem}.json").read_text("ascii"))) == {
        "schemaVersion",
        "label",
        "message",
        "color",
    }


@pytest.mark.parametrize(
    ("names", "files"),
    [
        (["tokie"], ["tokie-badge"]),
        (["CON", "a.b-c_d"], ["CON-badge", "a.b-c_d-badge"]),
        (["a b", "a/b", "A:B"], ["a-b-badge", "a-b-badge-2", "A-B-badge-3"]),
        (["..", "💥", ""], ["badge", "badge-2", "badge-3"]),
        (["x" * 300], ["x" * 60 + "-badge"]),
    ],
)
def test_no_name_leads_elsewhere_or_to_the_file_of_another(names: list[str], files: list[str]) -> None:
    assert names_of_files(names) == files


# What is refused ------------------------------------------------------------------------------------------------------


def without(lines: list[Line], number: int) -> list[Line]:
    return [line for at, line in enumerate(lines) if at != number]


def changed(lines: list[Line], number: int, **changes: Any) -> list[Line]:
    return [line | changes if at == number % len(lines) else line for at, line in enumerate(lines)]


REFUSED: dict[str, tuple[list[Line], str]] = {
    "no footer": (record("a")[:-1], "is cut short: it has no footer; run it again"),
    "only a header": (record("a")[:1], "is cut short: it has no footer"),
    "a requirement less": (without(record("a"), 1), "is cut short: of 'a' it has 2 of 3 requirements"),
    "never judged": (without(record("a"), -2 % len(record("a"))), "is cut short: of 'a' it has 3 of 3 requirements"),
    "one of two": ([*without(record("a", "b"), 5)], "is cut short: of 'b' it has 2 of 3 requirements"),
    "interrupted": (
        changed(record("a"), -1, finished=False, conclusion="interrupted"),
        "is that of a run that did not finish (interrupted)",
    ),
    "a bug": (changed(record("a"), -1, conclusion="internal error"), "did not finish (internal error)"),
    "not finished": (changed(record("a"), -1, finished=False), "is that of a run that did not finish"),
    "stopped early": (changed(record("a"), -2, complete=False), "'a' was not asked everything (-x or --max-fail)"),
    "nobody": ([header(requirements=0), FOOTER], "has no implementation that was asked"),
    "-k": (record("a", selection="bert"), "is about a part of the suite (-k, --features, --importance or --field)"),
    "--features": (record("a", features=["load"]), "is about a part of the suite"),
    "--importance": (record("a", importances=["core"]), "is about a part of the suite"),
    "--field": (record("a", fields=["ids"]), "is about a part of the suite"),
    "version 2": (
        record("a", version="2.0"),
        f"is a record of version 2.0 of its format; this release reads version {FORMAT.version}",
    ),
    "no version": (record("a", version=None), "line 1 is not that of a record: it has no text 'version'"),
    "version 11": (record("a", version="11.0"), "is a record of version 11.0"),
    "no suite": (record("a", suite=None), "does not say which suite was asked; run it again with this release"),
    "a run": (
        record("a", schema="tokenizer-conformance-record"),
        "is the record of another command; give the one that 'tokconf suite run --json RECORD' writes",
    ),
    "another format": (record("a", schema="something"), "is no record of tokconf: line 1 is no header of one"),
    "no header": (record("a")[1:], "line 1 is not that of a record: it has no text 'schema'"),
    "footer in between": ([*record("a"), FOOTER], "line 7 is not that of a record: the footer stands before it"),
    "unknown verdict": (
        changed(record("a"), 1, verdict="great"),
        "line 2 is not that of a record: Invalid enum value 'great'",
    ),
    "unknown name": (
        changed(record("a"), 1, implementation="b"),
        "line 2 is not that of a record: 'b' is no implementation of the header",
    ),
    "unknown type": (changed(record("a"), 1, type="x"), "line 2 is not that of a record: there is no line of type 'x'"),
    "list as a name": (
        changed(record("a"), 1, implementation=[1]),
        "line 2 is not that of a record: Expected `str`, got `array` - at `$.implementation`",
    ),
    "list as a verdict": (changed(record("a"), 1, verdict=[1]), "line 2 is not that of a record: "),
    "twice": (changed(record("a"), 2, requirement="CORE-PASSED-0"), "'CORE-PASSED-0' stands there twice"),
    "one name twice": (record("a", "a"), "line 1 is not that of a record: an implementation is asked twice"),
    "count of true": (
        changed(record("a"), 0, requirements=True),
        "line 1 is not that of a record: Expected `int`, got `bool` - at `$.requirements`",
    ),
    "conclusion": (
        changed(record("a"), -1, conclusion=7),
        "line 6 is not that of a record: Expected `str`, got `int` - at `$.conclusion`",
    ),
    "suite as text": (record("a", suite="x"), "line 1 is not that of a record: Expected `object"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_of_other_records_there_is_no_badge(badge: Tokconf, tmp_path: Path, case: str) -> None:
    lines, message = REFUSED[case]
    written(tmp_path / "run.jsonl", lines)
    result = badge("run.jsonl")
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["run.jsonl"]


WHOLE = b"".join(json.dumps(line).encode() + b"\n" for line in record("a"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is cut short in line 1: a command that was killed before it began"),
        (b"\n", "line 1 is no JSON"),
        (b"\xff\xfe\x00", "line 1 is no JSON"),
        (b"[" * 100_000, "line 1 is no JSON"),
        (b"[]\n", "line 1 is not that of a record: expected an object"),
        (b"5" * 10_000, "line 1 is no JSON"),
        (WHOLE[:-20], "is cut short: it has no footer; run it again"),
        (WHOLE[: WHOLE.index(b"\n") + 9], "is cut short: it has no footer; run it again"),
        (WHOLE[:100], "is cut short in line 1"),
        (
            WHOLE.replace(b'{"type": "implementation"', b'null\n{"type": "implementation"'),
            "line 5 is not that of a rec",
        ),
        (WHOLE.replace(b'{"type": "implementation"', b'nul\n{"type": "implementation"'), "line 5 is no JSON"),
    ],
)
def test_what_is_no_record_is_told_in_a_line(badge: Tokconf, tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "run.jsonl").write_bytes(content)
    result = badge("run.jsonl")
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gone.jsonl",), "cannot read 'gone.jsonl': No such file or directory"),
        (("folder",), "'folder' is no regular file"),
        (("pipe",), "'pipe' is no regular file"),
        (("run.jsonl", "-i", "nobody"), "'run.jsonl' has no implementation 'nobody'; it has a, b"),
        (("run.jsonl", "--output", ""), "--output names no folder: its value is empty"),
        (("run.jsonl", "--output", "run.jsonl"), "cannot write into 'run.jsonl': File exists"),
        (("run.jsonl", "--output", "run.jsonl/under"), "cannot write into 'run.jsonl/under': Not a directory"),
        (("run.jsonl", "--output", "x" * 300), "File name too long"),
    ],
)
def test_what_cannot_be_used_is_told_in_a_line(
    badge: Tokconf, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    written(tmp_path / "run.jsonl", record("a", "b"))
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    result = badge(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_part_of_the_suite_is_said_on_the_badge(badge: Tokconf, tmp_path: Path) -> None:
    written(tmp_path / "run.jsonl", record("a", selection="bert <b>"))
    assert badge("run.jsonl", "--partial").exit_code == 0
    found = json.loads((tmp_path / "a-badge.json").read_text("ascii"))
    assert found["message"] == "part of the suite: core 2/2 · all 3/3"
    assert found["color"] == "lightgrey"
    assert ">part of the suite: core 2/2 · all 3/3</text>" in (tmp_path / "a-badge.svg").read_text("utf-8")


def test_whoever_was_asked_everything_has_a_badge_beside_one_that_was_not(badge: Tokconf, tmp_path: Path) -> None:
    lines = [header("a", "b", requirements=3), *lines_of("a", GOOD)[1:-1]]
    lines += [lines_of("a", GOOD, complete=False)[-1], *lines_of("b", GOOD), FOOTER]
    written(tmp_path / "run.jsonl", lines)
    assert badge("run.jsonl").exit_code == 2
    assert badge("run.jsonl", "-i", "b", "--format", "json").exit_code == 0
    assert {path.name for path in tmp_path.iterdir()} == {"run.jsonl", "b-badge.json"}


# Files ----------------------------------------------------------------------------------------------------------------


def test_badges_are_replaced_and_nothing_else_is(badge: Tokconf, tmp_path: Path) -> None:
    written(tmp_path / "run.jsonl", record("a", "b"))
    assert badge("run.jsonl").exit_code == 0
    written(tmp_path / "run.jsonl", record("a", "b", counts={(CORE, FAILED): 1}))
    (tmp_path / "b-badge.svg").write_text("<svg>mine</svg>")
    result = badge("run.jsonl")
    assert result.exit_code == 2
    assert "'b-badge.svg': it is there already and is no badge of tokconf" in result.stderr
    assert json.loads((tmp_path / "a-badge.json").read_text())["color"] == "brightgreen", "none is written"
    assert badge("run.jsonl", "--force").exit_code == 0
    assert (tmp_path / "b-badge.svg").read_text("utf-8").startswith(MARK)
    assert json.loads((tmp_path / "a-badge.json").read_text())["color"] == "red"


@pytest.mark.parametrize(
    ("content", "is_ours"),
    [
        (b'{"schemaVersion": 1, "label": "tokenizers conformance 0.1", "message": "", "color": ""}', True),
        (b'{"schemaVersion": 1, "label": "build", "message": "", "color": ""}', False),
        (b'{"schemaVersion": 1, "label": "tokenizers conformance"}', False),
        (b"[]", False),
        (b"\xff", False),
        (b"[" * 100_000, False),
    ],
)
def test_what_is_a_badge_of_ours(content: bytes, is_ours: bool) -> None:
    assert is_badge(content, Format.JSON) is is_ours
    assert is_badge(MARK.encode(), Format.SVG)
    assert not is_badge(content, Format.SVG)


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_the_record_is_never_replaced(badge: Tokconf, tmp_path: Path, force: tuple[str, ...]) -> None:
    before = written(tmp_path / "a-badge.json", record("a")).read_bytes()
    result = badge("a-badge.json", *force)
    assert result.exit_code == 2
    assert "cannot write 'a-badge.json': it is the record" in result.stderr
    assert (tmp_path / "a-badge.json").read_bytes() == before


def test_a_link_is_followed_and_a_folder_is_not_written(badge: Tokconf, tmp_path: Path) -> None:
    written(tmp_path / "run.jsonl", record("a"))
    (tmp_path / "there.svg").write_bytes(b"")
    (tmp_path / "a-badge.svg").symlink_to("there.svg")
    assert badge("run.jsonl", "--format", "svg").exit_code == 0
    assert (tmp_path / "a-badge.svg").is_symlink()
    assert (tmp_path / "there.svg").read_text("utf-8").startswith(MARK)
    (tmp_path / "a-badge.json").mkdir()
    result = badge("run.jsonl", "--force")
    assert result.exit_code == 2
    assert "cannot write 'a-badge.json': it is there, and no regular file" in result.stderr


def test_what_cannot_be_written_is_a_report_lost(
    badge: Tokconf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    written(tmp_path / "run.jsonl", record("a"))
    monkeypatch.setattr("tokenizer_conformance.validation.badge.writing.write_atomically", full)
    result = badge("run.jsonl")
    assert result.exit_code == 3
    assert result.stderr == "tokconf: cannot write 'a-badge.svg': No space left on device\n"


# From a run -----------------------------------------------------------------------------------------------------------


def test_the_record_of_a_run_is_read(badge: Tokconf, tmp_path: Path) -> None:
    plan = plan_of(toy_suite(), fakes.Toy(), fakes.WrongNormalization(), fakes.Mute(), fakes.CannotLoad(), suite=SUITE)
    with PageOf(SUITES, typed_lines).record(tmp_path / "run.jsonl") as report:
        for event in run_suite(plan):
            report.handle(event)
    assert badge("run.jsonl", "--format", "json").exit_code == 0
    found = {path.name: json.loads(path.read_text("ascii")) for path in tmp_path.glob("*.json")}
    asked = sum(1 for _, requirement in toy_suite().requirements() if requirement.cases)
    assert {each["label"] for each in found.values()} == {LABEL}
    assert found["toy-badge.json"]["message"].endswith(f"all {asked}/{asked}")
    assert found["toy-badge.json"]["color"] == "brightgreen"
    assert "failed" in found["wrong-normalization-badge.json"]["message"]
    assert found["mute-badge.json"]["message"].endswith(f"all 0/{asked} · {asked} not shown")
    assert found["mute-badge.json"]["color"] == "lightgrey"
    assert found["cannot-load-badge.json"]["message"].endswith(f"all 0/{asked} · {asked} not loaded")
    assert found["cannot-load-badge.json"]["color"] == "red"


@pytest.mark.long
def test_the_suite_is_told_by_version_target_and_digest() -> None:
    found = suite_identity()
    folder = files("tokenizer_conformance.validation.suite") / "requirements"
    names = [f"{name}.json" for name in json.loads((folder / "areas.json").read_text("utf-8"))["areas"]]
    digest = sha256(b"".join(name.encode() + b"\n" + (folder / name).read_bytes() for name in names))
    assert found == SuiteIdentity(version("tokenizer-conformance"), "0.23.3", digest.hexdigest())


@pytest.mark.long
def test_the_record_of_the_command_says_which_suite_was_asked(badge: Tokconf, tmp_path: Path) -> None:
    words = ["suite", "run", "-i", "reference", "-k", "BERTNORM-STEPS", "--json", "run.jsonl"]
    assert CliRunner().invoke(main, words).exit_code == 0
    with (tmp_path / "run.jsonl").open() as lines:
        assert json.loads(next(lines))["suite"] == asdict(suite_identity())
    assert badge("run.jsonl").exit_code == 2
    assert badge("run.jsonl", "--partial").exit_code == 0
