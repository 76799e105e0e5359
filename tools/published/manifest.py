"""``reports/records/manifest.json``: the digests of the records, and how each page is held.

A page that nothing can write again has its own digest here: it is the very one that was written in one run with its
records, or, where there is no record, the one that was published last.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

from published.records import digest_of
from published.table import RECORDS, REPORTS, Held, compressed_name

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from pathlib import Path

    from figures.table import Example

    from published.table import Page

MANIFEST: Final = RECORDS / "manifest.json"

Json = dict[str, Any]


def read_manifest(file: Path = MANIFEST) -> Json:
    """Return the manifest; an empty one where there is none yet."""
    if not file.exists():
        return {"records": {}, "pages": {}}
    read: Json = json.loads(file.read_text(encoding="utf-8"))
    return read


def published_records(pages: Iterable[Page], examples: Iterable[Example]) -> dict[str, str]:
    """Return the published files of all records, each with the page or the document that it belongs to."""
    return {
        **{
            compressed_name(name): page.name
            for page in pages
            if page.held is not Held.UNRECORDED
            for name in page.records
        },
        **{compressed_name(each.record): each.document for each in examples if each.record is not None},
    }


def manifest_of(pages: Sequence[Page], examples: Sequence[Example], former: Json, taken: Collection[str]) -> Json:
    """Return the manifest of ``pages``, and of the ``examples`` that documents show.

    Digests are those of the ``former`` one, but for the records and pages of those called ``taken``: what was changed
    without being published does not become right by writing the manifest again.
    """
    records = former["records"]
    return {
        "records": {
            name: digest_of(RECORDS / name) if owner in taken or name not in records else records[name]
            for name, owner in published_records(pages, examples).items()
        },
        "pages": {page.name: _entry(page, former["pages"].get(page.name, {}), taken) for page in pages},
    }


def as_text(manifest: Json) -> str:
    """Return the file that holds ``manifest``."""
    return json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"


def digests_of_files(page: Page) -> dict[str, str]:
    """Return the SHA-256 of each file of ``page`` that is held by its digest: all of it, or its plots."""
    files = page.files(REPORTS) if page.held in {Held.TOGETHER, Held.UNRECORDED} else page.files(REPORTS)[1:]
    return {str(file.relative_to(REPORTS)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def _entry(page: Page, former: Json, taken: Collection[str]) -> Json:
    entry: Json = {"held": str(page.held)}
    if page.held is Held.UNRECORDED:
        entry |= {"record": None, "reason": page.unrecorded}
    elif page.records:
        entry["records"] = [*map(compressed_name, page.records)]
    digests = digests_of_files(page) if page.name in taken or "sha256" not in former else former["sha256"]
    return {**entry, "sha256": digests} if digests else entry
