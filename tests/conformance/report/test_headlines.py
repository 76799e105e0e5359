"""Every kind of record has a headline that says what its lines say, however its command ended."""

from __future__ import annotations

import json
import lzma
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from altered_records import written
from click.testing import CliRunner

from tokenizer_conformance.cli import main
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.report.reading import PAGE_KINDS, read_page
from tokenizer_conformance.results.html.writing import html_file
from tokenizer_conformance.results.markdown import markdown_of
from tokenizer_conformance.results.outcomes import Result
from tokenizer_conformance.results.page import State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tokenizer_conformance.results.page import Page

    Recorded = Callable[[str], Path]
    Line = dict[str, Any]

PUBLISHED = Path(__file__).parents[3] / "reports" / "records"

SOURCES: dict[str, str] = {
    "tokenizer-conformance-record": "example-run.jsonl.xz",
    "tokenizer-conformance-audit": "loader-audit.jsonl.xz",
    "tokenizer-conformance-comparison": "study-why.jsonl.xz",
    "tokenizer-conformance-file-audit": "lint.jsonl.xz",
    "tokenizer-conformance-offsets-audit": "offsets-tiktoken.jsonl.xz",
    "tokenizer-conformance-versions": "releases.jsonl.xz",
    "tokenizer-conformance-suite-run": "example-suite.jsonl.xz",
    "tokenizer-conformance-training": "training-japanese.jsonl.xz",
    "tokenizer-conformance-search": "search",
    "tokenizer-conformance-fuzz": "fuzz",
    "tokenizer-conformance-explanation": "explain bert-mini hello",
    "tokenizer-conformance-streams-audit": "audit streams gpt2-mini -i tokenizers --cases 40",
    "tokenizer-conformance-record-diff": "diff then.jsonl now.jsonl",
}
"""Where a record of each kind comes from: it is published, a fixture, or made by a command."""

JUDGES_NOBODY = ("tokenizer-conformance-comparison",)
"""The kinds of which no record can say that anything conforms."""

ELSEWHERE = {"tokenizer-conformance-unicode-audit", "tokenizer-conformance-metrics"}
"""The kinds that are not asked here: a record of the one takes a minute; the other judges nobody, its own tests say."""


@cache
def published(name: str) -> str:
    return lzma.decompress((PUBLISHED / name).read_bytes()).decode()


@pytest.fixture
def lines(request: pytest.FixtureRequest, recorded: Recorded, tmp_path: Path) -> list[Line]:
    """The lines of a record of the kind that is asked for."""
    source = SOURCES[request.param]
    if source.endswith(".xz"):
        return _parsed(published(source))
    if " " not in source:
        return _parsed(recorded(source).read_text("utf-8"))
    for side in ("then", "now"):
        (tmp_path / f"{side}.jsonl").write_text(published("example-run.jsonl.xz"), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        patch.setenv("TOKCONF_IN_PROCESS", "all")
        words = [*source.split(), "--json", "made.jsonl"]
        patch.setattr(sys, "argv", ["tokconf", *words])
        result = CliRunner().invoke(main, words)
    assert (tmp_path / "made.jsonl").exists(), result.output
    return _parsed((tmp_path / "made.jsonl").read_text("utf-8"))


def _parsed(text: str) -> list[Line]:
    return [json.loads(line) for line in text.splitlines()]


def page_of(folder: Path, lines: Iterable[Line]) -> Page:
    return read_page(written(folder / "record.jsonl", list(lines)))


every_kind = pytest.mark.parametrize("lines", SOURCES, indirect=True)


def test_every_kind_is_here() -> None:
    assert set(PAGE_KINDS) == {*SOURCES, *ELSEWHERE}


@pytest.mark.long_but(1)
@every_kind
def test_a_headline_says_how_the_command_ended(lines: list[Line], tmp_path: Path) -> None:
    for conclusion in Conclusion:
        footer = {**lines[-1], "conclusion": conclusion.value}
        footer.pop("sha256", None)
        page = page_of(tmp_path, [*lines[:-1], footer])
        said = page.headline
        assert said
        assert said.startswith("interrupted; until then ") is (conclusion is Conclusion.INTERRUPTED)
        assert said.startswith("tokconf itself failed; ") is (conclusion is Conclusion.INTERNAL_ERROR)
        results = {each.result for each in page.outcomes.of}
        if lines[0]["schema"] in JUDGES_NOBODY:
            assert "conform" not in said
            assert page.state is not State.AGREE
            assert "conform" not in page.conclusion
        if results and Result.CONFORMS not in results:
            assert page.outcomes.wording.verbs[Result.CONFORMS][0].removesuffix("{}").strip() not in said


@pytest.mark.long_but(1)
@every_kind
def test_a_killed_command_says_so(lines: list[Line], tmp_path: Path) -> None:
    assert page_of(tmp_path, lines[:-1]).headline.startswith("interrupted; until then ")


@pytest.mark.long_but(1)
@every_kind
def test_it_is_the_same_in_markdown_and_html(lines: list[Line], tmp_path: Path) -> None:
    page = page_of(tmp_path, lines)
    assert markdown_of(page).splitlines()[2].replace("\\", "").strip("*") == page.headline
    heading = html_file(page).decode().partition("<h1")[2].partition("</h1>")[0]
    assert page.headline.replace("<", "&lt;").replace('"', "&#34;").replace("'", "&#39;") in heading


# What is compared ----------------------------------------------------------------------------------------------------

RUNS = {
    ("utf8",): "utf8 conforms on toy",
    ("wrong-normalization", "utf8"): "wrong-normalization differs on toy; utf8 conforms",
    ("cannot-load", "utf8"): "cannot-load does not load toy; utf8 conforms",
    ("mute",): "mute shows nothing that was asked on toy",
    ("crashing", "mute", "utf8"): (
        "crashing gives no answer on toy; mute shows nothing that was asked on toy; utf8 conforms"
    ),
    ("flaky",): "flaky answers otherwise when asked again on toy",
    ("unavailable", "utf8"): "unavailable cannot be used; utf8 conforms on toy",
}


@pytest.mark.parametrize("implementations", RUNS)
def test_a_run_says_who_came_to_what(
    implementations: tuple[str, ...], cli: Callable[..., Any], toy_tokenizer: Path, tmp_path: Path
) -> None:
    (tmp_path / "texts.txt").write_text("aBc\nx\n")
    given = ("--baseline", "toy", "--inputs", "texts.txt", "--no-builtin", "--json", "run.jsonl")
    result = cli("run", toy_tokenizer, "-i", *implementations, *given)
    assert (tmp_path / "run.jsonl").exists(), result.output
    name = json.loads((tmp_path / "run.jsonl").read_text().splitlines()[0])["tokenizers"][0]["name"]
    wanted = RUNS[implementations].replace("toy", name)
    page = read_page(tmp_path / "run.jsonl")
    assert page.headline.startswith(wanted)
    assert wanted in result.stdout
