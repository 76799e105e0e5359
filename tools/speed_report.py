"""Write reports/speed.md from the tables that the benchmarks wrote. ``make speed`` runs these, and then this.

python tools/speed_report.py FOLDER [--output FILE] [--note TEXT]
"""

from __future__ import annotations

import argparse
import platform
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report: its heading, what stands before its table, and the file of the table."""

    heading: str
    text: str
    table: str


SECTIONS: Final = (
    Section(
        "Encoding",
        "`benchmarks/encode_speed.py`: seven fields of every encoding, read into Python lists. English and Japanese are"
        " read line by line, documents in one piece, code file by file; chats stand between special tokens of the "
        "tokenizer. *First* is the first text after loading, words that are all different; *cold* is the first pass, "
        "*warm* a later one. The speed is the time of `tokenizers` over that of the reference.",
        "encode.md",
    ),
    Section("Growth", "`benchmarks/growth.py`: for each component the kind of work that comes off worst.", "growth.md"),
    Section("Training", "`benchmarks/train_speed.py`: the speed is that of one thread on both sides.", "train.md"),
    Section("The harness", "`benchmarks/harness_cost.py`.", "harness.md"),
)

HEAD: Final = """# Speed

Written by `make speed` (`tools/speed_report.py`), with tokenizers {tokenizers} and Python {python} on {cores} cores.
Times are those of the processor, both sides in turns in one process, and figures are medians of the rounds, unless a
section says otherwise.
"""


def report(folder: Path, cores: int, note: str) -> str:
    """Return the report of the tables in ``folder``. A section whose table is missing says that it was not measured."""
    parts = [HEAD.format(tokenizers=version("tokenizers"), python=platform.python_version(), cores=cores)]
    if note:
        parts.append(f"{note}\n")
    for section in SECTIONS:
        file = folder / section.table
        table = _without_title(file.read_text(encoding="utf-8")).strip() if file.exists() else "Not measured."
        parts.append(f"## {section.heading}\n\n{section.text}\n\n{table}\n")
    return "\n".join(parts)


def _without_title(text: str) -> str:
    """Return ``text`` without the title of a page of its own: here it is part of another."""
    first, _, rest = text.partition("\n")
    return rest if first.startswith("# ") else text


def main() -> int:
    """Write the report; exit status 1 where no benchmark has left a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the benchmarks wrote their tables")
    parser.add_argument("--output", type=Path, default=Path("reports/speed.md"))
    parser.add_argument("--cores", type=int, default=2, help="how many cores the machine has")
    parser.add_argument("--note", default="", help="what a reader should know of how this was measured")
    arguments = parser.parse_args()
    if not any((arguments.folder / section.table).exists() for section in SECTIONS):
        print(f"{arguments.folder}: there is no table of any benchmark; run `make speed`", file=sys.stderr)
        return 1
    arguments.output.write_text(report(arguments.folder, arguments.cores, arguments.note), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
