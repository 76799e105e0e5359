"""``reports/records/manifest.json``: the digests of the records and of plots, what records took, how pages are held."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

from published.measuring import seconds_of
from published.records import digest_of
from published.table import RECORDS, REPORTS, compressed_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from figures.table import Example

    from published.table import Page

MANIFEST: Final = RECORDS / "manifest.json"

Json = dict[str, Any]


def read_manifest(file: Path = MANIFEST) -> Json:
    """Return the manifest; an empty one where there is none yet."""
    if not file.exists():
        return {"records": {}, "seconds": {}, "pages": {}}
    read: Json = json.loads(file.read_text(encoding="utf-8"))
    return read


def published_records(pages: Iterable[Page], examples: Iterable[Example]) -> dict[str, set[str]]:
    """Return the published files of all records, each with the pages and the documents that it belongs to."""
    owners: dict[str, set[str]] = {}
    for page in pages:
        for name in page.records:
            owners.setdefault(compressed_name(name), set()).add(page.name)
    for each in examples:
        if each.record is not None:
            owners.setdefault(compressed_name(each.record), set()).add(each.document)
    return owners


def manifest_of(pages: Sequence[Page], examples: Sequence[Example], former: Json, taken: Collection[str]) -> Json:
    """Return the manifest of ``pages``, and of the ``examples`` that documents show.

    Digests are those of the ``former`` one, but for the records and pages of those called ``taken``: what was changed
    without being published does not become right by writing the manifest again.
    """
    owners = published_records(pages, examples)
    return {
        "records": _kept_or_new(former["records"], owners, taken, digest_of),
        "seconds": _kept_or_new(former["seconds"], owners, taken, seconds_of),
        "pages": {page.name: _entry(page, former["pages"].get(page.name, {}), taken) for page in pages},
    }


def _kept_or_new(
    former: Json, owners: Mapping[str, set[str]], taken: Collection[str], of_record: Callable[[Path], object]
) -> Json:
    """Return what ``of_record`` says of each record; what ``former`` has stays, unless one of its owners is taken."""
    return {
        name: of_record(RECORDS / name) if of.intersection(taken) or name not in former else former[name]
        for name, of in owners.items()
    }


def as_text(manifest: Json) -> str:
    """Return the file that holds ``manifest``."""
    return json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"


def digests_of_files(page: Page) -> dict[str, str]:
    """Return the SHA-256 of each plot of ``page``."""
    return {
        str(file.relative_to(REPORTS)): hashlib.sha256(file.read_bytes()).hexdigest() for file in page.plots_in(REPORTS)
    }


def _entry(page: Page, former: Json, taken: Collection[str]) -> Json:
    entry: Json = {"held": str(page.held)}
    if page.records:
        entry["records"] = [*map(compressed_name, page.records)]
    digests = digests_of_files(page)
    if former.get("held") == entry["held"] and page.name not in taken:
        digests |= former.get("sha256", {})
    return {**entry, "sha256": digests} if digests else entry
