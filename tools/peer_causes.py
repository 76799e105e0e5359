"""Write the causes of all differences of the peers, from records of runs: reports/peer-causes.md.

    python tools/peer_causes.py RECORD…     records of `tokconf run --json RECORD`

The causes of one implementation are put together over all records; of what is one cause the smallest text stands in the
table. A run that was not finished is refused: its record has no causes yet.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabulate import tabulate

from tokenizer_adapters.contract import Decode, DecodeStream, plain_of
from tokenizer_conformance.causes.collecting import merged
from tokenizer_conformance.causes.record_forms import cause_of
from tokenizer_conformance.causes.wording import causes_title, reason_in_words
from tokenizer_conformance.comparison.questions import texts_in
from tokenizer_conformance.escape import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_conformance.causes.cause import Cause

REPORT = Path("reports/peer-causes.md")

BEGINNING = """# Why the peers differ

<!-- Written by tools/peer_causes.py; do not edit. -->

The causes of all differences that `tokconf run` found between `tokenizers` 0.23.3 and each peer, on the built-in inputs
and {checkpoints}: those that most inputs show first. What a class means,
and what proves it, says `tokconf classes NAME`; *unexplained* is what no experiment has proven. How each peer was asked
stands on [its page](peers.md).

"""

TOGETHER = ""
"""Stands for all implementations of a run that compares several: a record counts together what came too late."""

LONGEST = 60
"""How many characters of a cell are shown."""


def main() -> int:
    """Carry out the command, and return its exit status: 2 where a record cannot be used."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="+", type=Path, metavar="RECORD")
    arguments = parser.parse_args()
    causes: defaultdict[str, list[Cause]] = defaultdict(list)
    uncounted: defaultdict[str, int] = defaultdict(int)
    checkpoints: dict[str, None] = {}
    for path in arguments.records:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        if not lines or lines[-1].get("type") != "footer" or not lines[-1]["finished"]:
            print(f"peer_causes: {path} is not the record of a finished run", file=sys.stderr)
            return 2
        checkpoints |= dict.fromkeys(each["name"] for each in lines[0]["tokenizers"])
        for name in compared(lines[0]):
            causes[name] += []
        for record in lines[-1]["causes"]:
            cause = cause_of(record)
            causes[cause.implementation].append(cause)
        names = compared(lines[0])
        of_whom = names[0] if len(names) == 1 else TOGETHER
        uncounted[of_whom] += sum(line["uncounted"] for line in lines if line["type"] in ("tokenizer", "causes"))
    whole = {name: merged(each) for name, each in sorted(causes.items())}
    REPORT.write_text(page(whole, uncounted, checkpoints), encoding="utf-8")
    print(overall(whole, uncounted))
    return 0


def compared(header: dict[str, Any]) -> list[str]:
    """Return the names of the implementations that a run has compared with its baseline."""
    names = [info["name"] for info in header["implementations"]]
    return [name for name in names if name != header["baseline"]]


def overall(causes: dict[str, tuple[Cause, ...]], uncounted: dict[str, int]) -> str:
    """Return the outcome of all peers together, on one line."""
    everything = [cause for each in causes.values() for cause in each]
    return f"{len(causes)} implementations; {causes_title(everything, sum(uncounted.values()))}"


def page(causes: dict[str, tuple[Cause, ...]], uncounted: dict[str, int], checkpoints: Iterable[str]) -> str:
    """Return the page."""
    parts = [BEGINNING.format(checkpoints=", ".join(map(one_line, checkpoints))), f"{overall(causes, uncounted)}.\n"]
    for name, each in causes.items():
        title = causes_title(each, uncounted.get(name, 0)) if each else "no difference"
        parts.append(f"\n## {name}\n\n{title}\n")
        if each:
            headers = ["stage", "shown by", "inputs", "checkpoints", "reason", "smallest"]
            rows = [row(cause) for cause in each]
            parts.append("\n" + tabulate(rows, headers=headers, tablefmt="github", disable_numparse=True) + "\n")
    return "".join(parts)


def row(cause: Cause) -> list[str]:
    """Return the row of a cause."""
    signature = cause.signature
    return [
        f"{signature.manner.stage}: {signature.manner.field or signature.manner.kind.value}",
        cell(f"{signature.characters} in {signature.context}"),
        f"{cause.inputs:,}",
        cell(", ".join(cause.tokenizers)),
        cell(reason_in_words(cause)),
        cell(smallest(cause)),
    ]


def smallest(cause: Cause) -> str:
    """Return what is asked in the smallest witness."""
    match plain_of(cause.witness.question):
        case Decode(ids) | DecodeStream(ids):
            return f"ids {', '.join(map(str, ids))}"
        case question:
            return " | ".join(map(ascii, texts_in(question)))


def cell(text: str) -> str:
    """Return ``text`` for a cell of a table: on one line, not too long, and no Markdown."""
    return "".join(f"\\{each}" if each in "|<>*_`[]#" else each for each in one_line(text, LONGEST))


if __name__ == "__main__":
    sys.exit(main())
