"""Say whether README, documents and reports show what the records and the tree say. The tests run this, and so CI.

    python tools/check_figures.py            exit status 1 where anything drifted, each with file, line and what to do

Checked are: that the records are those of the manifest; that every page in ``reports/`` is what its renderer writes
from its records, and plots the very ones that were drawn with them; that every sentence of
``tools/figures/figures.toml`` is in its document and shows what its sources say; that no other number stands in the
prose of these documents but those that a rule there allows; and that examples show what their records print.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from figures.prose import UnboundError, line_at, numbers_in, shown_in
from figures.sources import SourceError, value_of
from figures.table import read_table
from published.index import index
from published.manifest import MANIFEST, published_records, read_manifest
from published.records import RecordError, digest_of, machine_paths
from published.renderers import WIDTH, printed, rendered
from published.table import ROOT, read_pages

from tokenizer_conformance.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from figures.prose import Shown
    from figures.table import Example, Figure, FigureTable
    from published.table import Page

REPORTS = Path("reports")
RECORDS = REPORTS / "records"
SCREENSHOTS = REPORTS / "screenshots"
"""Pictures, which `make screenshots` takes of a page."""

ELLIPSES = ("...", "…")
"""Lines of an example in whose place others are left out."""

SECONDS = 300
"""How long the command of an example may take that is run."""


def main() -> int:
    """Carry out the command, and return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=ROOT, help="the folder of the project")
    root = parser.parse_args().root
    pages, table = read_pages(), read_table()
    problems = [
        *problems_of_records(pages, table.examples, root),
        *problems_of_pages(pages, table.examples, root),
        *problems_of_figures(table, root),
        *problems_of_examples(table.examples, root),
    ]
    for problem in problems:
        print(problem)
    records = published_records(pages, table.examples)
    print(
        f"{len(pages)} pages from {len(records)} records; "
        f"{sum(len(each.sources) for each in table.figures)} figures in {len(table.documents)} documents; "
        f"{len(problems)} problems"
    )
    return 1 if problems else 0


# Records and pages ---------------------------------------------------------------------------------------------------


def problems_of_records(pages: Sequence[Page], examples: Sequence[Example], root: Path) -> Iterator[str]:
    """Say which records are not those of the manifest, or name a path of a machine."""
    known = read_manifest(root / MANIFEST.relative_to(ROOT))["records"]
    wanted = published_records(pages, examples).keys()
    there = {file.name for file in (root / RECORDS).glob("*")} - {MANIFEST.name}
    for name in sorted(wanted ^ there):
        state = "is not there" if name in wanted else "belongs to no page"
        yield f"{RECORDS / name}: it {state}; tools/published/pages.toml has the records of each page"
    for name in sorted(wanted & there):
        file = root / RECORDS / name
        try:
            if digest_of(file) != known.get(name):
                yield (
                    f"{RECORDS / name}: it is not the record of {MANIFEST.name}; take it back, or publish a new one "
                    "with 'python tools/publish_reports.py --take FOLDER PAGE'"
                )
            for path in set(machine_paths(file)):
                yield f"{RECORDS / name}: it names {path!r}, a path of a machine; run the command from the root"
        except RecordError as error:
            yield str(error)


def problems_of_pages(pages: Sequence[Page], examples: Sequence[Example], root: Path) -> Iterator[str]:
    """Say which pages, plots and index are not what they were written from."""
    manifest = read_manifest(root / MANIFEST.relative_to(ROOT))
    yield from _unlisted(pages, root)
    yield from _another_text(root / REPORTS / "README.md", index(pages, examples, manifest["seconds"]), root)
    for page in pages:
        entry = manifest["pages"].get(page.name, {})
        if entry.get("held") != str(page.held):
            yield f"{REPORTS / page.name}: the manifest does not say how it is held; run 'make reports'"
        if page.renderer is not None:
            yield from _of_renderer(page, root)
        for name, digest in entry.get("sha256", {}).items():
            file = root / REPORTS / name
            if not file.exists() or hashlib.sha256(file.read_bytes()).hexdigest() != digest:
                yield (
                    f"{REPORTS / name}: it is not the one that the manifest has the digest of ({page.held}); take it "
                    f"back, or make it anew ({page.command}) and publish it with '--take FOLDER {page.name}'"
                )


def _of_renderer(page: Page, root: Path) -> Iterator[str]:
    """Say which files of ``page`` are not what is written from its records, and which nothing writes."""
    try:
        written = rendered(page, root / RECORDS)
    except RecordError as error:
        yield f"{REPORTS / page.name}: it cannot be written again: {error}"
        return
    for name, text in written.items():
        yield from _another_text(root / REPORTS / name, text, root)
    for file in page.parts_in(root / REPORTS):
        if str(file.relative_to(root / REPORTS)) not in written:
            yield f"{file.relative_to(root)}: nothing writes it from the records of {page.name}; delete it"


def _unlisted(pages: Sequence[Page], root: Path) -> Iterator[str]:
    listed = {file for page in pages for file in page.files(root / REPORTS)} | {root / REPORTS / "README.md"}
    for file in sorted((root / REPORTS).rglob("*")):
        if file.is_file() and file not in listed and file.parent not in (root / RECORDS, root / SCREENSHOTS):
            yield f"{file.relative_to(root)}: tools/published/pages.toml does not have it"


def _another_text(file: Path, text: str, root: Path) -> Iterator[str]:
    there = file.read_text(encoding="utf-8").split("\n") if file.exists() else []
    wanted = text.split("\n")
    if there == wanted:
        return
    pairs = zip(there, wanted, strict=False)
    line = next((at for at, (one, other) in enumerate(pairs, 1) if one != other), min(len(there), len(wanted)) + 1)
    told = "it is not what its records say; run 'make reports', and change no page by hand"
    yield f"{file.relative_to(root)}:{line}: {told}"


# Figures -------------------------------------------------------------------------------------------------------------


def problems_of_figures(table: FigureTable, root: Path) -> Iterator[str]:
    """Say which figures are not what their sources say, and which numbers are bound by nothing."""
    for name in table.documents:
        text = (root / name).read_text(encoding="utf-8")
        covered: list[tuple[int, int]] = []
        for figure in table.figures:
            if figure.document == name:
                try:
                    shown = shown_in(text, figure.sentence)
                except UnboundError as error:
                    yield f"{name}: {error}; mend the document, or tools/figures/figures.toml"
                    continue
                covered += [(each.start, each.end) for each in shown]
                yield from _drifted(figure, shown, text, root)
        for rule in table.allowed:
            if name in rule.documents:
                covered += [found.span() for found in rule.pattern.finditer(text)]
        for number in numbers_in(text):
            if not any(start <= number.start() and number.end() <= end for start, end in covered):
                yield (
                    f"{name}:{line_at(text, number.start())}: nothing says where {number[0]} comes from; bind its "
                    "sentence to a record or to the tree in tools/figures/figures.toml, or allow it there with a reason"
                )


def _drifted(figure: Figure, shown: Sequence[Shown], text: str, root: Path) -> Iterator[str]:
    for each in shown:
        try:
            value = value_of(figure.sources[each.hole], root)
        except (SourceError, KeyError) as error:
            yield f"{figure.document}:{line_at(text, each.start)}: {each.hole} has no source: {error}"
            continue
        if round(value, each.decimals) != each.value:
            yield (
                f"{figure.document}:{line_at(text, each.start)}: it says {each.words} ({each.hole}), and "
                f"{figure.sources[each.hole]} says {value:,.{each.decimals}f}; mend the document"
            )


# Examples ------------------------------------------------------------------------------------------------------------


def problems_of_examples(examples: Sequence[Example], root: Path) -> Iterator[str]:
    """Say which lines of an example its command does not print after those before them.

    Lines with an ellipsis leave some out.
    """
    for example in examples:
        text = (root / example.document).read_text(encoding="utf-8")
        blocks = list(re.finditer(rf"(?ms)^```\n\$ {re.escape(example.command)}\n(.*?)^```$", text))
        if len(blocks) != 1:
            yield f"{example.document}: it has {len(blocks)} examples of {example.command!r}, not one"
            continue
        try:
            lines = iter(_printed(example, root).splitlines())
        except (BadInputError, OSError, ValueError, subprocess.SubprocessError) as error:
            anew = "" if example.record is None else "; `make examples` makes its record anew"
            yield f"{example.document}: the example of {example.command!r} cannot be printed again: {error}{anew}"
            continue
        for number, shown in enumerate(blocks[0][1].splitlines(), line_at(text, blocks[0].start(1))):
            if shown.strip() not in ELLIPSES and not any(shown.rstrip() == line.rstrip() for line in lines):
                by = example.record or example.command
                yield (
                    f"{example.document}:{number}: {by} does not print {shown.strip()!r} here; take the lines of the "
                    "example from it"
                )
                break


def _printed(example: Example, root: Path) -> str:
    if example.record is not None:
        return printed(root / RECORDS / f"{example.record}.xz")
    program, *arguments = shlex.split(example.command)
    if program != "tokconf":
        raise ValueError("it is no command of tokconf")
    return subprocess.run(
        [sys.executable, "-m", "tokenizer_conformance", *arguments],
        env={**os.environ, "COLUMNS": str(WIDTH)},
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    ).stdout


if __name__ == "__main__":
    sys.exit(main())
