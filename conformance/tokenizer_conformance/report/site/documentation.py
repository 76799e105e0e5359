"""Documentation that MkDocs has built into a folder of the site: its pages are found by the site's own search.

What they are is read from the index that MkDocs' plugin *search* writes, a title and a text for each heading.
"""

from __future__ import annotations

import json
import re
from html import unescape
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.standard_streams import reason_of
from tokenizer_conformance.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokenizer_conformance.report.site.site import Site

INDEX = "search/search_index.json"
"""Where MkDocs writes what its pages say."""

START = "index.html"
"""The page of documentation that the site leads to."""

PLACE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._/-]*(?:#[^\s\"'<>]*)?")
"""What a place in the documentation may be called: one below its folder."""

TAG = re.compile(r"<[^<>]*>")


def enter_documentation(site: Site, root: Path, folder: Path) -> tuple[str, list[tuple[str, str]]]:
    """Have the search of ``site`` find the documentation in ``folder``, and return the address of its first page.

    With it are the titles and addresses of the other pages that are in no folder.

    ``root`` is the folder of the site. Raises :class:`BadInputError` where the documentation is not below it, and where
    MkDocs has built none there.
    """
    try:
        inside = folder.resolve().relative_to(root.resolve()).as_posix()
    except ValueError as error:
        raise BadInputError(
            f"the documentation {str(folder)!r} is not in the folder of the site, {str(root)!r}"
        ) from error
    if not (folder / START).is_file():
        raise BadInputError(f"{str(folder)!r} has no {START}; build the documentation there first")
    beside = []
    for title, place, text in _sections(folder / INDEX):
        site.enter(title, "documentation", f"{inside}/{place}", text)
        if place != START and "/" not in place and "#" not in place:
            beside.append((title, f"{inside}/{place}"))
    return f"{inside}/{START}", beside


def _sections(index: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the title, the place and the text of each section that ``index`` lists."""
    try:
        found = json.loads(index.read_bytes())
        sections = [(_plain(each["title"]), str(each["location"]), _plain(each["text"])) for each in found["docs"]]
    except OSError as error:
        raise BadInputError(f"cannot read {str(index)!r}, what the documentation says: {reason_of(error)}") from error
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise BadInputError(f"{str(index)!r} is no index that MkDocs' plugin search has written") from error
    return ((title, place, text) for title, place, text in sections if PLACE.fullmatch(place) and ".." not in place)


def _plain(html: Any) -> str:
    """Return the words of ``html``."""
    return " ".join(unescape(TAG.sub(" ", str(html))).split())
