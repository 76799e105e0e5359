"""What README, documents and reports show is what records and tree say; whatever drifts is told with its place.

The first test is the check itself. The others change a copy of what is checked, each in one place.
"""

from __future__ import annotations

import lzma
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import check_figures as tool
import pytest
from figures import prose

from tokenizer_conformance.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
CHECK = ROOT / "tools" / "check_figures.py"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a folder with what the check reads of the project, to be changed."""
    for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "Makefile"):
        shutil.copyfile(ROOT / name, tmp_path / name)
    for name in ("docs", "reports"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("conformance", "adapters", "tests", "tools"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{file.name} has {text.count(old)} places with {old!r}"
    file.write_text(text.replace(old, new), encoding="utf-8")


def of_records(root: Path) -> str:
    return "\n".join(tool.problems_of_records(tool.read_pages(), tool.read_table().examples, root))


def of_pages(root: Path) -> str:
    return "\n".join(tool.problems_of_pages(tool.read_pages(), tool.read_table().examples, root))


def of_document(root: Path, name: str) -> str:
    table = replace(tool.read_table(), documents=(name,))
    examples = [each for each in table.examples if each.document == name]
    return "\n".join([*tool.problems_of_figures(table, root), *tool.problems_of_examples(examples, root)])


@pytest.mark.long
def test_nothing_drifts_apart(run: Callable[..., Any]) -> None:
    done = run(str(CHECK))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "; 0 problems" in done.stdout


@pytest.mark.parametrize("of", ["records", "pages", "figures", "examples"])
def test_a_check_of_a_drifted_project_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], of: str
) -> None:
    for each in ("records", "pages", "figures", "examples"):
        found = ["README.md: it drifted"] if each == of else []
        monkeypatch.setattr(tool, f"problems_of_{each}", lambda *_, found=found: iter(found))
    monkeypatch.setattr("sys.argv", [str(CHECK)])
    assert tool.main() == 1
    printed = capsys.readouterr().out
    assert printed.startswith("README.md: it drifted\n")
    assert printed.endswith("; 1 problems\n")


def test_the_folder_that_is_checked_is_the_one_that_is_given(
    copy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    change(copy / "docs" / "reference" / "inputs.md", "1,301 hostile texts", "1,302 hostile texts")
    for each in ("records", "pages", "examples"):
        monkeypatch.setattr(tool, f"problems_of_{each}", lambda *_: iter(()))
    monkeypatch.setattr("sys.argv", [str(CHECK), "--root", str(copy)])
    assert tool.main() == 1
    assert "it says 1,302 (inputs)" in capsys.readouterr().out


def test_the_numbers_of_every_page_are_traced() -> None:
    # The versions of formats are held by tests/test_formats_page.py, and the page of commands by its generator.
    held = {"docs/reference/formats.md", "docs/reference/command-line.md"}
    pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert pages - held == {name for name in tool.read_table().documents if name.startswith("docs/")}


# One change, and what is told ----------------------------------------------------------------------------------------


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("document", "old", "new", "told"),
    [
        (
            "docs/how-to/audit-checkpoint.md",
            "kinds of defects (`--list`)",
            "kinds of faults (`--list`)",
            r"docs/how-to/audit-checkpoint\.md: the sentence .* is not there",
        ),
        (
            "docs/how-to/audit-checkpoint.md",
            " kinds of defects",
            "9 kinds of defects",
            r"docs/how-to/audit-checkpoint\.md:\d+: nothing says where|it says \d+ \(kinds\)",
        ),
        ("README.md", "quirks included.", "in 17 modules.", r"README\.md:\d+: nothing says where 17 comes from; bind"),
        (
            "README.md",
            "7 causes of 890",
            "7 causes of 891",
            r"README\.md:\d+: example-run\.jsonl does not print '7 causes",
        ),
        (
            "docs/how-to/study.md",
            "1 token fewer (-14.3 %)",
            "1 token fewer (-15 %)",
            r"docs/how-to/study\.md:\d+: tokconf compare .* not print",
        ),
        (
            "docs/how-to/ci.md",
            "1 MiB",
            "2 MiB",
            r"docs/how-to/ci\.md:\d+: it says 2 \(size\), and .* says 1; mend the document",
        ),
        (
            "reports/lint.md",
            "28 notes",
            "29 notes",
            r"reports/lint\.md:\d+: it is not what its records say; run 'make reports'",
        ),
        (
            "reports/loader-audit.md",
            "## Loaded by transformers 5.23.0",
            "## Loaders",
            r"reports/loader-audit\.md:\d+: it is not what its records say",
        ),
        (
            "reports/peers/tokie.md",
            "# tokie",
            "# Tokie",
            r"reports/peers/tokie\.md:1: it is not what its records say",
        ),
        (
            "reports/README.md",
            "# Published reports",
            "# Reports",
            r"reports/README\.md:1: it is not what its records say",
        ),
    ],
)
def test_a_changed_text_is_told(copy: Path, document: str, old: str, new: str, told: str) -> None:
    change(copy / document, old, new)
    problems = of_pages(copy) if document.startswith("reports/") else of_document(copy, document)
    assert re.search(told, problems)


def test_an_example_of_another_suite_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(record: Path) -> str:
        raise BadInputError(f"{record.name} is of another suite")

    monkeypatch.setattr(tool, "printed", refused)
    told = r"again: example-suite\.jsonl\.xz is of another suite; `make examples` makes its record anew$"
    assert re.search(told, of_document(ROOT, "docs/reference/suite.md"))


def record(root: Path, name: str) -> tuple[Path, bytes]:
    file = root / "reports" / "records" / name
    return file, lzma.decompress(file.read_bytes())


@pytest.mark.long
def test_a_changed_record_is_told_twice(copy: Path) -> None:
    file, content = record(copy, "lint.jsonl.xz")
    changed = content.replace(b'"note": 28', b'"note": 29')
    assert changed != content
    file.write_bytes(lzma.compress(changed, preset=0))
    assert "reports/records/lint.jsonl.xz: it is not the record of manifest.json" in of_records(copy)
    assert re.search(r"reports/lint\.md:\d+: it is not what its records say", of_pages(copy))


@pytest.mark.long
def test_a_record_with_a_path_of_a_machine_is_told(copy: Path) -> None:
    file, content = record(copy, "lint.jsonl.xz")
    file.write_bytes(lzma.compress(content.replace(b"../shared/", b"/home/me/shared/"), preset=0))
    assert "it names '/home/me/shared/tokenizers/" in of_records(copy)


@pytest.mark.long
@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda file: file.unlink(), "lint.jsonl.xz: it is not there"),
        (lambda file: file.write_bytes(file.read_bytes()[:-50]), "lint.jsonl.xz cannot be read"),
        (lambda file: shutil.copyfile(file, file.with_name("more.jsonl.xz")), "more.jsonl.xz: it belongs to no page"),
    ],
)
def test_a_record_that_is_missing_damaged_or_too_much_is_told(
    copy: Path, damage: Callable[[Path], object], told: str
) -> None:
    damage(copy / "reports" / "records" / "lint.jsonl.xz")
    assert told in of_records(copy)


@pytest.mark.long
def test_a_page_that_the_table_does_not_have_is_told(copy: Path) -> None:
    (copy / "reports" / "more.md").write_text("# More\n", encoding="utf-8")
    assert "reports/more.md: tools/published/pages.toml does not have it" in of_pages(copy)


# The prose of a document ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("12 of 1,300 are 0.9 %.", ["12", "1,300", "0.9"]),
        ("`12` and ``1 ` 2`` and 3", ["3"]),
        ("```\n4\n```\n5\n~~~ sh\n6\n~~~\n7\n", ["5", "7"]),
        ("`over two\nlines 8` 9", ["9"]),
        ("a ` alone, 10\n\nand ` again", ["10"]),
        ("[11](page-12.md) <!-- 13 --> 14", ["11", "14"]),
        ("    indented 15\n16", ["16"]),
    ],
)
def test_numbers_are_those_of_the_prose(text: str, numbers: list[str]) -> None:
    assert [found[0] for found in prose.numbers_in(text)] == numbers


@pytest.mark.parametrize(
    ("text", "value", "decimals"),
    [("it has 1,300\nparts", 1300, 0), ("it has 99.50 parts", 99.5, 2), ("it has Nine parts", 9, 0)],
)
def test_a_hole_takes_a_number_in_any_form(text: str, value: float, decimals: int) -> None:
    (shown,) = prose.shown_in(text, "it has {parts} parts")
    assert (shown.value, shown.decimals, text[shown.start : shown.end]) == (value, decimals, shown.words)


@pytest.mark.parametrize("text", ["it has many parts", "it has 1 parts, it has 2 parts"])
def test_a_sentence_that_is_not_there_once_is_refused(text: str) -> None:
    with pytest.raises(prose.UnboundError):
        prose.shown_in(text, "it has {parts} parts")
