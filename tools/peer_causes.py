"""Write the causes of all differences of the peers, from records of runs: reports/peer-causes.md.

    tokconf run CHECKPOINT… -i tokenizers PEER --json RECORD       for each peer
    python tools/peer_causes.py RECORD… --output FILE              what of these records the page is made of

What is published of other peers stays as it is: each can be asked apart. ``tools/publish_reports.py --take`` writes the
page. The causes of one peer are put together over all checkpoints; of what is one cause the smallest text stands in the
table. The record of a run that was not finished, or that compares several peers, is refused.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from published.records import RecordError, lines_of
from tabulate import tabulate

from tokenizer_adapters.contract import Decode, DecodeStream, plain_of
from tokenizer_conformance.causes.collecting import merged
from tokenizer_conformance.causes.record_forms import cause_of
from tokenizer_conformance.causes.wording import causes_title, reason_in_words
from tokenizer_conformance.comparison.questions import texts_in
from tokenizer_conformance.escape import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.causes.cause import Cause

PUBLISHED: Final = Path("reports/records/peer-causes.jsonl.xz")

SCHEMA: Final = "tokenizer-conformance-peer-causes"

BEGINNING = """# Why the peers differ

<!-- Written by tools/peer_causes.py; do not edit. -->

The causes of all differences that `tokconf run` found between `tokenizers` 0.23.3 and each peer, on the built-in inputs
and {checkpoints}: those that most inputs show first. What a class means,
and what proves it, says `tokconf classes NAME`; *unexplained* is what no experiment has proven. How each peer was asked
stands on [its page](peers.md).

"""

LONGEST: Final = 60
"""How many characters of a cell are shown."""


@dataclass(frozen=True, slots=True)
class Explained:
    """What differs in ``peer``, asked on the day ``asked``: so many differences (``uncounted``) were not looked into.

    It was ``loaded`` on some of the ``checkpoints``.
    """

    peer: str
    asked: str
    checkpoints: tuple[str, ...]
    loaded: tuple[str, ...]
    causes: tuple[Cause, ...]
    uncounted: int

    @property
    def title(self) -> str:
        """The outcome, on one line."""
        title = f"Asked {self.asked} about {len(self.loaded)} of {len(self.checkpoints)} checkpoints"
        if not self.loaded:
            return f"{title}: it loads none of them"
        differs = self.causes or self.uncounted
        return f"{title}: {causes_title(self.causes, self.uncounted) if differs else 'no difference'}"


def main() -> int:
    """Carry out the command, and return its exit status: 2 where a record cannot be used."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="+", type=Path, metavar="RECORD")
    parser.add_argument("--output", type=Path, required=True, metavar="FILE", help="where to write the lines")
    arguments = parser.parse_args()
    try:
        lines = [*(lines_of(PUBLISHED)[1:] if PUBLISHED.exists() else ()), *map(summary, arguments.records)]
    except RecordError as error:
        print(f"peer_causes: {error}", file=sys.stderr)
        return 2
    of_peers = {line["peer"]: line for line in lines}  # the last one of each
    told = [of_peers[name] for name in sorted(of_peers)]
    header = {"type": "header", "schema": SCHEMA, "environment": {"started": max(line["started"] for line in told)}}
    text = "".join(f"{json.dumps(line)}\n" for line in (header, *told))
    arguments.output.write_text(text, encoding="utf-8")
    print(overall(list(map(explained, told))))
    return 0


def summary(path: Path) -> dict[str, Any]:
    """Return what is kept of the record of a run: the causes, without commands, which name files of a machine.

    Raises :class:`RecordError`.
    """
    lines = lines_of(path)
    if not lines or lines[-1].get("type") != "footer" or not lines[-1]["finished"]:
        raise RecordError(f"{path} is not the record of a finished run")
    header = lines[0]
    peers = [info["name"] for info in header["implementations"] if info["name"] != header["baseline"]]
    if len(peers) != 1:
        raise RecordError(f"{path} compares {len(peers)} implementations: one is wanted")
    return {
        "type": "peer",
        "peer": peers[0],
        "started": header["environment"]["started"],
        "checkpoints": [each["name"] for each in header["tokenizers"]],
        "loaded": [
            line["tokenizer"] for line in lines if line["type"] == "loaded" and line["implementation"] == peers[0]
        ],
        "uncounted": sum(line["uncounted"] for line in lines if line["type"] in ("tokenizer", "causes")),
        "causes": [{key: value for key, value in cause.items() if key != "repeat"} for cause in lines[-1]["causes"]],
    }


def explained(line: dict[str, Any]) -> Explained:
    """Return what a line of the published record says."""
    causes = merged([cause_of(each) for each in line["causes"]])
    checkpoints, loaded = (tuple(line[key]) for key in ("checkpoints", "loaded"))
    return Explained(line["peer"], line["started"][:10], checkpoints, loaded, causes, line["uncounted"])


def overall(peers: Sequence[Explained]) -> str:
    """Return the outcome of all peers together, on one line."""
    everything = [cause for each in peers for cause in each.causes]
    return f"{len(peers)} implementations; {causes_title(everything, sum(each.uncounted for each in peers))}"


def page(records: Sequence[Path]) -> str:
    """Return the page that is made of a published record."""
    (record,) = records
    peers = [explained(line) for line in lines_of(record)[1:]]
    checkpoints = dict.fromkeys(one_line(name) for each in peers for name in each.checkpoints)
    parts = [BEGINNING.format(checkpoints=", ".join(checkpoints)), f"{overall(peers)}.\n"]
    for each in peers:
        parts.append(f"\n## {each.peer}\n\n{each.title}\n")
        if each.causes:
            headers = ["stage", "shown by", "inputs", "checkpoints", "reason", "smallest"]
            rows = [row(cause) for cause in each.causes]
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
