"""Pages of real runs of six implementations and more, in a browser, from the command to the copied reproducer."""

from __future__ import annotations

import shlex
import subprocess
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest
from opened_pages import headlines, shown
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from opened_pages import Opener, Recorded, Records

TEXTS = ("Hello, world!", "שלום a  b", "e\u030ba\u030b 日本語 🎉 ½ﬁ")

ALWAYS = ("tokenizers", "reference", "transformers", "tiktoken", "sentencepiece")
PEERS = tuple(peer for peer in ("tokie", "kitoken") if find_spec(peer)) or ("transformers-class",)
"""Those that differ, where they are installed; else one more that is always there."""


def written(folder: Path, tokenizers: Sequence[str]) -> None:
    """Run the command on real ``tokenizers``, and write its record and page into ``folder``."""
    (folder / "texts.txt").write_text("\n".join(TEXTS) + "\n", encoding="utf-8")
    implementations = (*ALWAYS, *PEERS)
    options = ("--no-builtin", "--inputs", "texts.txt", "--cause-time", "0.3", "--no-known", "--quiet")
    files = ("--json", "run.jsonl", "--html", "run.html")
    command = [
        sys.executable,
        "-m",
        "tokenizer_conformance",
        "run",
        *tokenizers,
        "-i",
        *implementations,
        *options,
        *files,
    ]
    done = subprocess.run(command, check=False, cwd=folder, capture_output=True, encoding="utf-8")
    assert done.returncode in (0, 1, 3), done.stderr


@pytest.fixture(scope="session")
def bundled(records: Records) -> Recorded:
    return records.once("bundled", lambda folder: written(folder, ("gpt2-mini", "bert-mini", "xlnet-mini")))


@pytest.fixture(scope="session")
def checkpoints(records: Records, shared: Path) -> Recorded:
    paths = [str(shared / "tokenizers" / name) for name in ("gpt2", "bert-base-uncased", "xlnet-base-cased")]
    return records.once("checkpoints", lambda folder: written(folder, paths))


@pytest.mark.parametrize("of", ["bundled", "checkpoints"])
@pytest.mark.parametrize("width", [1280, 360])
def test_a_run_is_read_from_the_first_screen_to_a_copied_reproducer(
    request: pytest.FixtureRequest, open_page: Opener, of: str, width: int
) -> None:
    recorded: Recorded = request.getfixturevalue(of)
    page = recorded.page
    assert len(page.compared) >= 6
    if not page.findings:
        pytest.skip(
            f"all implementations that are installed here agree: {', '.join(each.name for each in page.compared)}"
        )
    assert [len(matrix.columns) for matrix in page.matrices[:1]] == [3]
    tab = open_page(
        recorded.html,
        color_scheme="dark" if width < 1000 else "light",
        viewport={"width": width, "height": 800},
        permissions=["clipboard-read", "clipboard-write"],
    )
    versions = tab.locator(".compared li").all_inner_texts()
    assert [f"{each.name} {each.version}" for each in page.compared] == [each.partition(" (")[0] for each in versions]
    assert tab.locator(".overview .matrix tbody tr").count() == len(page.compared) - 1
    finding = next(each for each in page.findings if each.id == page.headlines[0])
    tab.locator(".headlines a").first.click()
    expect(tab.locator("#list .detail")).to_have_count(1)
    assert tab.locator("tr.open .title button").inner_text() == finding.headline
    # Programs that show it without this project stand before the command.
    shown_again = [*(each.code for each in finding.snippets), finding.repeat]
    expect(tab.locator("button.copy")).to_have_count(len(shown_again))
    for number, text in enumerate(shown_again):
        tab.locator("button.copy").nth(number).click()
        expect(tab.locator("button.copy").nth(number)).to_have_text("Copied")
        assert tab.evaluate("navigator.clipboard.readText()") == text
    tab.evaluate("location.hash = '#findings&sort=-count'")
    expect(tab.locator("#filters [name=sort]")).to_have_value("count")
    order = sorted(page.findings, key=lambda each: -each.count)
    assert headlines(tab) == [each.headline for each in order][:100]
    if len({each.implementation for each in page.findings}) > 1:  # there is no filter of one word
        tab.locator("#filters [name=implementation]").select_option(finding.implementation)
        count = sum(each.implementation == finding.implementation for each in page.findings)
        assert f"of {count} findings shown" in shown(tab)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.long
def test_the_copied_reproducer_of_a_run_shows_the_finding_again(bundled: Recorded) -> None:
    if not bundled.page.findings:
        pytest.skip("all implementations that are installed here agree")
    finding = bundled.page.findings[-1]
    command = [sys.executable, "-m", "tokenizer_conformance", *shlex.split(finding.repeat)[1:], "--cause-time", "0"]
    done = subprocess.run(command, check=False, cwd=bundled.html.parent, capture_output=True, encoding="utf-8")
    assert done.returncode in (1, 3)
    assert finding.implementation in done.stdout
