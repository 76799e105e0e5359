"""The table of published pages, ``pages.toml``: the truth from which pages, manifest and index are written."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).resolve().parents[2]
REPORTS = ROOT / "reports"
RECORDS = REPORTS / "records"
TABLE = Path(__file__).with_name("pages.toml")


COMPRESSED: Final = ".xz"
"""What the names of published records end in."""


def compressed_name(record: str) -> str:
    """Return the name of the published file of ``record``."""
    return f"{record}{COMPRESSED}"


class TableError(Exception):
    """A row that says too little or too much."""


class Held(StrEnum):
    """How a page is tied to what it was written from."""

    RENDERED = "rendered from its records"
    OF_TREE = "rendered from the tree"
    SITE = "shown by the site"


@dataclass(frozen=True, slots=True)
class Page:
    """A page of ``reports/``, its ``name`` relative to that folder.

    ``shows`` says what it shows, in a sentence that it begins with, ``command`` what makes it anew, ``records`` are the
    names of its records before they are compressed. ``renderer`` names what writes it from these, or from the tree.
    ``plots`` are patterns of further files that belong to it and are held by their digests, ``parts`` of such as its
    renderer writes as well. What stands ``on_site`` alone has records and no file of its own: the site has a page for
    each. Of a page that is ``off_site`` it has none, though its records may be those of commands.
    """

    name: str
    shows: str
    command: str
    records: tuple[str, ...] = ()
    renderer: str | None = None
    plots: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    on_site: bool = False
    off_site: bool = False

    @property
    def held(self) -> Held:
        """How the page is held."""
        if self.on_site:
            return Held.SITE
        return Held.RENDERED if self.records else Held.OF_TREE

    def files(self, reports: Path) -> list[Path]:
        """Return the page, its parts and its plots, those that are there, in the folder ``reports``."""
        return [] if self.on_site else [reports / self.name, *self.parts_in(reports), *self.plots_in(reports)]

    def parts_in(self, reports: Path) -> list[Path]:
        """Return the other pages that its renderer writes, those that are there."""
        return [file for pattern in self.parts for file in sorted(reports.glob(pattern))]

    def plots_in(self, reports: Path) -> list[Path]:
        """Return its plots, those that are there."""
        return [file for pattern in self.plots for file in sorted(reports.glob(pattern))]


def read_pages(table: Path = TABLE) -> list[Page]:
    """Read the table. Raises :class:`TableError` where nothing makes a page."""
    pages = []
    for row in tomllib.loads(table.read_text(encoding="utf-8"))["page"]:
        given: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
        page = Page(**given)
        if page.renderer is None and not page.on_site:
            raise TableError(f"{page.name}: name its renderer, or say that it is on the site alone (on_site)")
        pages.append(page)
    return pages
