"""Write the pages of ``reports/`` from the records that are published with them. ``make reports`` runs this.

    python tools/publish_reports.py                       pages, index and manifest, from reports/records/
    python tools/publish_reports.py --take FOLDER PAGE…   first take the new records of these pages from FOLDER

A page that its command wrote together with its records is taken from the same folder; plots, and a page without
records, are held by the digest that they have now. README.md stands for the records of its examples. A record that
names a path of this machine is refused.
Exit status 2 where a page cannot be written, and then nothing of it is.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from figures.table import read_table
from published.index import INDEX, index
from published.manifest import MANIFEST, as_text, manifest_of, read_manifest
from published.records import RecordError, publish
from published.renderers import rendered
from published.table import RECORDS, REPORTS, Held, Page, compressed_name, read_pages

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def main() -> int:
    """Carry out the command, and return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--take", type=Path, metavar="FOLDER", help="where new records lie")
    parser.add_argument(
        "names", nargs="*", metavar="PAGE", help="the pages whose records are taken, as lint.md; or README.md"
    )
    given = parser.parse_args()
    pages, examples = read_pages(), read_table().examples
    known = {page.name for page in pages} | {each.document for each in examples}
    unknown = sorted(set(given.names) - known)
    if unknown or (given.take is None) != (not given.names):
        parser.error(f"no such page: {', '.join(unknown)}" if unknown else "--take FOLDER and PAGE… go together")
    try:
        for page in pages:
            if page.name in given.names:
                take(page, given.take)
        for each in examples:
            if each.document in given.names and each.record is not None:
                publish(given.take / each.record, RECORDS)
        written = {**pages_of(pages), INDEX: index(pages, examples)}
    except (RecordError, OSError) as error:
        print(f"publish_reports: {error}", file=sys.stderr)
        return 2
    for file, text in written.items():
        file.write_text(text, encoding="utf-8", newline="\n")
    manifest = manifest_of(pages, examples, read_manifest(), given.names)
    MANIFEST.write_text(as_text(manifest), encoding="utf-8", newline="\n")
    remove_others(manifest["records"])
    print(f"{len(written)} pages written from {len(manifest['records'])} records; {_told(pages)}")
    return 0


def take(page: Page, folder: Path) -> None:
    """Publish the new records of ``page``, which lie in ``folder``, and the page where it was written with them."""
    RECORDS.mkdir(exist_ok=True)
    for name in page.records:
        publish(folder / name, RECORDS)
    if page.held is Held.TOGETHER:
        shutil.copyfile(folder / page.name, REPORTS / page.name)


def pages_of(pages: Iterable[Page]) -> dict[Path, str]:
    """Return all pages that can be written, each with its text. Raises :class:`RecordError`."""
    return {
        REPORTS / page.name: rendered(page.renderer, [RECORDS / compressed_name(name) for name in page.records])
        for page in pages
        if page.renderer is not None and page.held is not Held.UNRECORDED
    }


def remove_others(records: Collection[str]) -> None:
    """Remove the files of records that no page has any more."""
    for file in RECORDS.iterdir():
        if file.name not in records and file != MANIFEST:
            file.unlink()


def _told(pages: Iterable[Page]) -> str:
    counts = Counter(page.held for page in pages)
    return "; ".join(f"{held}: {counts[held]}" for held in Held)


if __name__ == "__main__":
    sys.exit(main())
