"""The page reports/speed.md, written from the records of four benchmarks. ``make speed`` runs these."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from published import machine
from published.measuring import read_measured

sys.path.append(str(Path(__file__).resolve().parents[1] / "benchmarks"))

import encode_speed
import growth
import harness_cost
import train_speed

if TYPE_CHECKING:
    from collections.abc import Sequence

HEAD: Final = """# Speed

Written by `make speed` (`tools/speed_report.py`). Times are those of the processor, both sides in turns in one process,
and figures are medians of the rounds, unless a section says otherwise.
"""

ENCODING: Final = """`benchmarks/encode_speed.py`: seven fields of every encoding, read into Python lists. English and
Japanese are read line by line, documents in one piece, code file by file; chats stand between special tokens of the
tokenizer. *First* is the first text after loading, words that are all different; *cold* is the first pass, *warm* a
later one. The speed is the time of `tokenizers` over that of the reference."""

GROWTH: Final = """`benchmarks/growth.py`: for each component the kind of work that comes off worst. Objects are
new in each round, so nothing is remembered."""

HARNESS: Final = """`benchmarks/harness_cost.py`: a cost is the time of a run over that of the implementations alone. In
the end a run asks a sample of its inputs once more, to see whether answers are steady. That is in its time, and weighs
most where inputs are few."""

SECTIONS: Final = (
    ("Encoding", ENCODING, encode_speed),
    ("Growth", GROWTH, growth),
    ("Training", "`benchmarks/train_speed.py`: the speed is that of one thread on both sides.", train_speed),
    ("The harness", HARNESS, harness_cost),
)
"""Of each part of the page its heading, what stands before its table, and the benchmark, which makes that."""


def page(records: Sequence[Path]) -> str:
    """Return the page that the records of the benchmarks give, one for each section."""
    parts = [HEAD]
    for (heading, text, benchmark), record in zip(SECTIONS, records, strict=True):
        measured = read_measured(record, benchmark.TOOL)
        table = benchmark.table(measured.lines, "github")
        parts.append(f"## {heading}\n\n{text}\n\n{machine.told(measured)}\n\n{table}\n")
    return "\n".join(parts)
