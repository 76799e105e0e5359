"""Plant faults into answers and have the invariants find them; write that and records of audits: reports/offsets.md.

    python tools/offsets_report.py RECORD…              the page, from records of `tokconf audit offsets --json`
    python tools/offsets_report.py RECORD… --seen FILE  the same; what was seen of the faults is kept, as JSON Lines
    python tools/offsets_report.py --power              only the faults, printed
    python tools/offsets_report.py --power utf8-bytes   those

Exit status 1 where a fault is not found by an invariant that has to find it, or one is found that cannot be; 2 where a
record is of an audit that did not finish, which would say less than the page seems to.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planted.fakes import Fault, Faulty
from planted.offset_faults import FAULTS, PlantedFault

from tokenizer_conformance.command_io.markdown import as_cell, as_words
from tokenizer_conformance.inputs.corpus import read_corpus
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer
from tokenizer_conformance.research.offsets_audit.engine import OffsetsAuditPlan, audit
from tokenizer_conformance.research.offsets_audit.table import INVARIANTS
from tokenizer_conformance.results.records.offsets_audit import Audited

if TYPE_CHECKING:
    from collections.abc import Sequence

REPORT = Path("reports/offsets.md")

TOKENIZERS = ("bert-mini", "gpt2-mini", "t5-mini")
"""The tokenizers on which faults are planted: WordPiece, byte-level BPE, Unigram."""

TEXTS = (
    "Hello world, this is a test",
    "one two three four five six seven eight nine ten eleven twelve",
    "naïve café, déjà vu",
    "🎉 party 🎉 time",
    "re\u0301sume\u0301 of it",
    "日本語 and ☃ \U00010348",
    "don't  stop",
    "a",
)
"""The texts that are asked about, each in a pair with the one after it."""

Json = dict[str, Any]

Seen = tuple[str, str, str]
"""A tokenizer, an invariant that is violated there, and how."""


@dataclass(frozen=True, slots=True)
class Power:
    """What the invariants saw of a fault: tokenizers, invariants and manners that are not seen without it."""

    fault: PlantedFault
    seen: frozenset[Seen]

    @property
    def seen_by(self) -> frozenset[str]:
        """All invariants that saw it."""
        return frozenset(invariant for _, invariant, _ in self.seen)

    @property
    def is_as_stated(self) -> bool:
        """Whether each invariant that has to see the fault does, and none sees one that cannot be seen."""
        return self.fault.seen_by <= self.seen_by and bool(self.seen_by) != bool(self.fault.why_not)


def seen_of(fault: Fault, tokenizers: Sequence[str] = TOKENIZERS) -> frozenset[Seen]:
    """Return what the invariants see in answers with ``fault``."""
    inputs = [Input(f"text/{number}", "text", text) for number, text in enumerate(TEXTS)]
    corpus, _ = read_corpus([("texts", inputs)])
    files = tuple(read_tokenizer(find_tokenizer(name)) for name in tokenizers)
    return frozenset(
        (event.tokenizer, found.invariant, found.manner)
        for event in audit(OffsetsAuditPlan(files, (Faulty("faulty", fault),), corpus, has_small_examples=False))
        if isinstance(event, Audited)
        for found in event.findings
    )


def measured(names: Sequence[str]) -> list[Power]:
    """Return what the invariants see of the faults called ``names``; of all where there is none."""
    sound = seen_of(Fault())
    chosen = [fault for fault in FAULTS if not names or fault.name in names]
    return [Power(fault, seen_of(fault.fault) - sound) for fault in chosen]


def as_lines(powers: list[Power]) -> list[Json]:
    """Return what was seen of each fault as lines of JSON."""
    return [{"fault": each.fault.name, "seen": sorted(map(list, each.seen))} for each in powers]


def from_lines(lines: list[Json]) -> list[Power]:
    """Return what :func:`as_lines` has written. Raises ``KeyError`` for a fault that is planted no more."""
    faults = {fault.name: fault for fault in FAULTS}
    return [
        Power(
            faults[line["fault"]], frozenset((tokenizer, invariant, how) for tokenizer, invariant, how in line["seen"])
        )
        for line in lines
    ]


# The page ------------------------------------------------------------------------------------------------------------


def page(powers: list[Power], records: list[list[Json]]) -> str:
    """Return reports/offsets.md."""
    parts = [
        "<!-- Written by tools/offsets_report.py from records of `tokconf audit offsets`; do not edit. -->\n",
        "# Invariants of encodings\n",
        f"What must hold for any encoding, checked without another implementation: {len(INVARIANTS)} invariants.\n",
        *_audits(records),
        "## What must hold\n",
        "\n".join(f"- `{each.id}`: {as_words(each.sentence)}" for each in INVARIANTS) + "\n",
        *_power(powers),
    ]
    return "\n".join(parts)


def _audits(records: list[list[Json]]) -> list[str]:
    audited = [line for record in records for line in record if line["type"] == "audited"]
    refused = [line for record in records for line in record if line["type"] == "not_loaded"]
    names = list(dict.fromkeys(line["implementation"] for line in audited))
    parts = [
        _told([record[0] for record in records]),
        _table(audited, names),
    ]
    for name in names:
        parts += _of_implementation(name, [line for line in audited if line["implementation"] == name], refused)
    return parts


def _laid_out(heads: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown, without any padding."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _told(headers: list[Json]) -> str:
    environment = headers[0]["environment"]
    inputs = sorted({header["inputs"]["count"] for header in headers})
    tokenizers = list(dict.fromkeys(each["name"] for header in headers for each in header["tokenizers"]))
    return (
        f"Each was asked about {' or '.join(f'{count:,}' for count in inputs)} inputs, spread over those of the run, "
        f"with {len(tokenizers)} tokenizers ({', '.join(tokenizers)}), {environment['python']}, "
        f"tokconf {environment['tokconf']}. A cell has the number of tokenizers on which an invariant is violated, is "
        "violated as is known, and holds; a dash stands where none could be checked. Where a package has a page in "
        "reports/peers, the causes stand there.\n"
    )


def _table(audited: list[Json], names: list[str]) -> str:
    rows = []
    for invariant in INVARIANTS:
        cells = []
        for name in names:
            counts = Counter(_state(line, invariant.id) for line in audited if line["implementation"] == name)
            told = [f"{counts[state]} {state}" for state in ("violated", "known", "holds") if counts[state]]
            cells.append(", ".join(told) or "–")
        rows.append([f"`{invariant.id}`", *cells])
    return _laid_out(["invariant", *(f"`{name}`" for name in names)], rows)


def _state(line: Json, id: str) -> str:
    found = [each for each in line["findings"] if each["invariant"] == id]
    if any(each["known"] is None for each in found):
        return "violated"
    if found:
        return "known"
    tally = next(each for each in line["invariants"] if each["id"] == id)
    return "holds" if tally["things"] else "unchecked"


def _of_implementation(name: str, lines: list[Json], refused: list[Json]) -> list[str]:
    version = lines[0]["implementation_version"]
    answers = sum(line["answers"] for line in lines)
    things = sum(each["things"] for line in lines for each in line["invariants"])
    counts = f"{_inputs(lines)} inputs each, {answers:,} answers judged, {things:,} things checked."
    parts = [
        f"## {as_words(name)} {as_words(version)}\n",
        f"{len(lines)} tokenizers, {counts}",
    ]
    not_loaded = [line["tokenizer"] for line in refused if line["implementation"] == name]
    if not_loaded:
        parts.append(f"Not loaded: {', '.join(not_loaded)}.")
    parts.append("")
    found: dict[tuple[str, str], list[tuple[str, Json]]] = {}
    for line in lines:
        for each in line["findings"]:
            found.setdefault((each["invariant"], each["manner"]), []).append((line["tokenizer"], each))
    rows = [
        [
            f"`{invariant}`",
            as_words(manner),
            ", ".join(f"{tokenizer} ({each['answers']:,})" for tokenizer, each in those),
            as_cell(min((each["detail"] for _, each in those), key=len)),
            as_words(those[0][1]["known"]["reason"]) if those[0][1]["known"] else "",
        ]
        for (invariant, manner), those in found.items()
    ]
    if not rows:
        return [*parts, "Nothing found.\n"]
    heads = ["invariant", "how", "tokenizers (answers)", "an example", "known because"]
    return [*parts, _laid_out(heads, rows)]


def _inputs(lines: list[Json]) -> str:
    return " or ".join(f"{count:,}" for count in sorted({line["inputs"] for line in lines}))


def _power(powers: list[Power]) -> list[str]:
    seen = sum(bool(each.seen_by) for each in powers)
    rows = [
        [
            f"`{each.fault.name}`",
            as_words(each.fault.note),
            ", ".join(f"`{name}`" for name in _in_order(each.seen_by)) or as_words(f"not seen: {each.fault.why_not}"),
        ]
        for each in powers
    ]
    told = (
        f"{len(powers)} faults were planted into the right answers of `tokenizers` on {', '.join(TOKENIZERS)}, with "
        f"{len(TEXTS)} texts; {seen} are seen. What is found without a fault, too, is not counted.\n"
    )
    return [
        "## Planted faults\n",
        told,
        _laid_out(["fault", "what is wrong", "seen by"], rows),
    ]


def _in_order(names: frozenset[str]) -> list[str]:
    return [each.id for each in INVARIANTS if each.id in names]


def _read(path: str) -> list[Json]:
    """Return the lines of a record. Raises ``ValueError`` where its audit did not finish."""
    lines: list[Json] = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    if not lines or lines[-1]["type"] != "footer" or not lines[-1]["finished"]:
        raise ValueError(f"{path}: the audit did not finish; run it again")
    return lines


def main(arguments: list[str]) -> int:
    """Run the tool."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="RECORD")
    parser.add_argument("--power", action="store_true", help="only the planted faults, those named or all")
    parser.add_argument("--seen", type=Path, metavar="FILE", help="keep what was seen of the planted faults")
    options = parser.parse_args(arguments)
    known = {fault.name for fault in FAULTS}
    if options.power and not known.issuperset(options.names):
        parser.error(f"no such fault (known: {', '.join(sorted(known))})")
    if not options.power and not options.names:
        parser.error("give records of `tokconf audit offsets --json`, or --power")
    try:
        records = [] if options.power else list(map(_read, options.names))
    except (OSError, ValueError) as error:
        parser.error(str(error))
    powers = measured(options.names if options.power else [])
    for each in powers:
        if options.power or not each.is_as_stated:
            state = "" if each.is_as_stated else "NOT AS STATED: "
            print(f"{state}{each.fault.name} | {', '.join(_in_order(each.seen_by)) or 'not seen'}")
    if not options.power:
        REPORT.write_text(page(powers, records), encoding="utf-8")
    if options.seen is not None:
        options.seen.write_text("".join(json.dumps(line) + "\n" for line in as_lines(powers)), encoding="utf-8")
    return 0 if all(each.is_as_stated for each in powers) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
