"""Parallel text of the declarations: a line an article, and nothing but articles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import declaration_texts as tool
import pytest

if TYPE_CHECKING:
    from pathlib import Path

PREAMBLE = "<h1>Declaration</h1><header><h2>Preamble</h2><p>Whereas …</p></header>"


def page(*articles: str) -> bytes:
    return f"<!doctype html><html><body>{PREAMBLE}{''.join(articles)}</body></html>".encode()


def article(number: int, inside: str | None = None) -> str:
    text = f"<p>Text {number}.</p>" if inside is None else inside
    return f'<article data-number="{number}"><h2>Article {number}</h2>{text}</article>'


WHOLE = [article(number) for number in range(1, 31)]


def test_an_article_is_a_line_without_its_heading() -> None:
    assert tool.lines_of(page(*WHOLE)) == [f"Text {number}." for number in range(1, 31)]


@pytest.mark.parametrize(
    ("inside", "line"),
    [
        ("<p>One\n   line.</p><p>And\u00a0more.</p>", "One line. And more."),
        ("<p>All:</p><ol><li><p>first</p></li><li><p>second</p></li></ol>", "All: first second"),
        ("<ol><li>first</li><li>second</li></ol>", "first second"),
        ("<p>人間</p><p></p>", "人間"),
    ],
)
def test_paragraphs_and_items_of_lists_are_said_once_in_their_order(inside: str, line: str) -> None:
    assert tool.lines_of(page(article(1, inside), *WHOLE[1:]))[0] == line


@pytest.mark.parametrize("articles", [WHOLE[1:], [*WHOLE, article(31)], [WHOLE[1], WHOLE[0], *WHOLE[2:]], []])
def test_other_articles_than_the_thirty_are_refused(articles: list[str]) -> None:
    with pytest.raises(tool.MisshapenError, match="its articles are numbered"):
        tool.lines_of(page(*articles))


def test_an_article_that_says_nothing_is_refused() -> None:
    with pytest.raises(tool.MisshapenError, match="article 3 says nothing"):
        tool.lines_of(page(*WHOLE[:2], article(3, "<p> </p>"), *WHOLE[3:]))


def test_a_file_is_written_for_each_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    declarations, folder = tmp_path / "declaration", tmp_path / "texts"
    declarations.mkdir()
    for language in tool.LANGUAGES:
        (declarations / f"{language.taken}.html").write_bytes(page(*WHOLE))
    monkeypatch.setattr("sys.argv", ["declaration_texts.py", str(declarations), str(folder)])
    assert tool.main() == 0
    assert sorted(file.stem for file in folder.iterdir()) == sorted(language.code for language in tool.LANGUAGES)
    assert {len(file.read_text().splitlines()) for file in folder.iterdir()} == {tool.ARTICLES}


def test_a_declaration_that_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["declaration_texts.py", str(tmp_path), str(tmp_path / "texts")])
    assert tool.main() == 2
    assert f"{tool.LANGUAGES[0].taken}.html" in capsys.readouterr().err
