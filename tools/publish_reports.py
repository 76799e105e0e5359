"""Write the pages of ``reports/`` from the records that are published with them. ``make reports`` runs this.

    python tools/publish_reports.py                       pages, index and manifest, from reports/records/
    python tools/publish_reports.py --take FOLDER PAGE…   first take the new records of these pages from FOLDER
    python tools/publish_reports.py --on-site             write nothing, and print which records the site has a page of

Plots are held by the digest that they have now. A document stands for the records of its examples. A record
that names a path of this machine is refused.
Exit status 2 where a page cannot be written, and then nothing of it is.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from figures.table import read_table
from published.index import INDEX, index
from published.manifest import MANIFEST, as_text, manifest_of, published_records, read_manifest
from published.records import RecordError, publish, text_of
from published.renderers import rendered
from published.table import RECORDS, REPORTS, ROOT, Held, Page, read_pages

from tokenizer_conformance.report.reading import PAGE_KINDS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from figures.table import Example


def main() -> int:
    """Carry out the command, and return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--take", type=Path, metavar="FOLDER", help="where new records lie")
    parser.add_argument("--on-site", action="store_true", help="print the records that the site has, and write nothing")
    parser.add_argument(
        "names", nargs="*", metavar="PAGE", help="what has its records taken: pages, as lint.md, or documents"
    )
    given = parser.parse_args()
    pages, examples = read_pages(), read_table().examples
    known = {page.name for page in pages} | {each.document for each in examples}
    unknown = sorted(set(given.names) - known)
    if unknown or (given.take is None) != (not given.names):
        parser.error(f"no such page: {', '.join(unknown)}" if unknown else "--take FOLDER and PAGE… go together")
    try:
        print("\n".join(on_site(pages, examples)) if given.on_site else published(pages, examples, given))
    except (RecordError, OSError) as error:
        print(f"publish_reports: {error}", file=sys.stderr)
        return 2
    return 0


def published(pages: Sequence[Page], examples: Sequence[Example], given: argparse.Namespace) -> str:
    """Take the records that are ``given``, write all pages, and say how many. Raises :class:`RecordError`."""
    for page in pages:
        if page.name in given.names:
            take(page, given.take)
    for each in examples:
        if each.document in given.names and each.record is not None:
            publish(given.take / each.record, RECORDS)
    manifest = manifest_of(pages, examples, read_manifest(), given.names)
    written = {**pages_of(pages), INDEX: index(pages, examples, manifest["seconds"])}
    for page in pages:
        for file in page.parts_in(REPORTS):
            file.unlink()
    for file, text in written.items():
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    MANIFEST.write_text(as_text(manifest), encoding="utf-8", newline="\n")
    remove_others(manifest["records"])
    return f"{len(written)} pages written from {len(manifest['records'])} records; {_told(pages)}"


def on_site(pages: Sequence[Page], examples: Sequence[Example]) -> list[str]:
    """Return the published records that the site has a page of: those of commands, but for pages that are off it."""
    names = published_records([page for page in pages if not page.off_site], examples)
    files = [RECORDS / name for name in sorted(names)]
    schemas = {file: json.loads(text_of(file).partition("\n")[0]).get("schema") for file in files}
    return [str(file.relative_to(ROOT)) for file, schema in schemas.items() if schema in PAGE_KINDS]


def take(page: Page, folder: Path) -> None:
    """Publish the new records of ``page``, which lie in ``folder``. Raises :class:`RecordError`."""
    RECORDS.mkdir(exist_ok=True)
    for name in page.records:
        if not (folder / name).is_file():
            raise RecordError(f"{folder / name} is not there: `{page.command}` makes it, and then {page.name}")
    for name in page.records:
        publish(folder / name, RECORDS)


def pages_of(pages: Iterable[Page]) -> dict[Path, str]:
    """Return all pages that can be written, each with its text. Raises :class:`RecordError`."""
    return {
        REPORTS / name: text for page in pages if page.renderer is not None for name, text in rendered(page).items()
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
