"""The pages of a site that are made of documents in Markdown."""

from __future__ import annotations

import hashlib
import stat
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from tokenizer_conformance.command_io.standard_streams import reason_of
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.report.record_names import distinct_names
from tokenizer_conformance.report.site.addresses import addresses
from tokenizer_conformance.report.site.documents import document_of, relative, rendered
from tokenizer_conformance.report.site.still_pictures import is_still

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from tokenizer_conformance.report.site.documents import Document, Markdown, Part
    from tokenizer_conformance.report.site.site import Site

SUFFIXES = (".svg", ".png")
"""How the names of pictures end."""

ERRATA = "errata"
"""The word in the title of a page of errata."""

CONTENTS, MANY = (2, 3), 4
"""The levels of headings that a list of contents has, and how many it takes to have one."""

LARGEST = 20_000_000
"""How many bytes a document or a picture may have."""


@dataclass(frozen=True, slots=True)
class PlacedDocument:
    """A document, and its ``address`` in the site."""

    address: str
    document: Document

    @property
    def name(self) -> str:
        """What the file is called, without its ending."""
        return self.document.path.stem

    @property
    def is_errata(self) -> bool:
        """Whether it is the page of errata, which every page of the site leads to."""
        return ERRATA in self.document.title.casefold()

    @property
    def name_of_errata(self) -> str:
        """What links to the page of errata say: of what these are, by the name of the file."""
        name = self.name.capitalize()
        return name if ERRATA in name.casefold() else f"{name} {ERRATA}"


def read_documents(paths: Sequence[Path]) -> list[PlacedDocument]:
    """Return the documents at ``paths``, by title. Raises :class:`BadInputError`."""
    named = addresses(name.removesuffix(".md") for name in distinct_names(paths))
    found = [
        PlacedDocument(f"documents/{named[name.removesuffix('.md')]}.html", document_of(path, _text(path)))
        for path, name in zip(paths, distinct_names(paths), strict=True)
    ]
    return sorted(found, key=lambda each: (each.document.title, each.address))


def _text(path: Path) -> str:
    try:
        return _content(path).decode("utf-8")
    except OSError as error:
        raise BadInputError(f"cannot read the document {str(path)!r}: {reason_of(error)}") from error
    except UnicodeDecodeError as error:
        raise BadInputError(f"the document {str(path)!r} is no text in UTF-8: byte {error.start:,} is none") from error


def _content(path: Path) -> bytes:
    """Return what is in a regular file. Raises ``OSError``."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise OSError("it is no regular file")
    if status.st_size > LARGEST:
        raise OSError(f"it has {status.st_size:,} bytes, and may have {LARGEST:,}")
    return path.read_bytes()


def add_documents(site: Site, documents: Sequence[PlacedDocument]) -> None:
    """Add ``documents``, with the pictures beside them that they show."""
    placed = {each.document.path.resolve(): each for each in documents}
    for each in documents:
        body = rendered(
            each.document.markdown,
            partial(_lead, placed, each),
            partial(_picture, site, each.document.path, each.address),
        )
        site.add(
            each.address,
            each.document.title,
            "document.html.jinja",
            body=body,
            contents=contents_of(each.document.markdown),
        )
        markdown = each.document.markdown
        words = (markdown.opening, each.name, *(part.heading for part in markdown.parts()))
        site.enter(each.document.title, "document", each.address, " ".join(words))
        enter_parts(site, each.address, each.document.title, each.document.markdown)


def contents_of(markdown: Markdown) -> list[Part]:
    """Return the greater headings of a page, for a list of what is on it; none of a short page."""
    found = [part for part in markdown.parts() if part.id and part.level in CONTENTS]
    return found if len(found) >= MANY else []


def enter_parts(site: Site, address: str, title: str, markdown: Markdown) -> None:
    """Have the search find what stands under each heading of the page at ``address``."""
    for part in markdown.parts():
        if part.id:
            site.enter(part.heading, title, f"{address}#{quote(part.id)}", part.text)


def _lead(placed: Mapping[Path, PlacedDocument], start: PlacedDocument, href: str) -> str | None:
    """Return where a link in the document ``start`` leads: to another document, or to a heading in it."""
    name, _, fragment = href.partition("#")
    try:
        target = placed.get((start.document.path.parent / unquote(name)).resolve()) if name else None
    except (OSError, ValueError):
        return None
    if target is None:
        return None
    anchor = target.document.markdown.anchors.get(unquote(fragment))
    return relative(target.address + (f"#{quote(anchor)}" if anchor else ""), start.address)


def _picture(site: Site, document: Path, start: str, source: str) -> str | None:
    """Return where a picture of a ``document`` is on the site, of which it becomes a part.

    It has to lie beside the document, or in a folder there, and is called by its content: whatever it is called, and
    whoever else shows it, it has one address.
    """
    try:
        folder = document.parent.resolve()
        path = (document.parent / unquote(source)).resolve()
        content = _content(path) if folder in path.parents and path.suffix in SUFFIXES else b""
    except (OSError, ValueError):
        return None
    if not is_still(content, path.suffix):
        return None
    address = f"pictures/{hashlib.sha256(content).hexdigest()[:16]}{path.suffix}"
    site.files[address] = content
    return relative(address, start)
