"""What a part of a run has counted, as lines of its record: exact, so that merging gives what the whole run counts.

A line is JSON, compressed. They are those of a checkpoint (:func:`.checkpoint.counted_lines`), and what the results
need beside the counts: the rows with what their files say about ids, and how words with morphemes were cut.
"""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.research.metrics.checkpoint import FAULTS, ReadBack, counted_lines, failures_of
from tokenizer_conformance.research.metrics.counts import Counted
from tokenizer_conformance.research.metrics.gold import GoldCut
from tokenizer_conformance.research.metrics.measures.morphemes import MorphemeTally
from tokenizer_conformance.research.metrics.measures.vocabulary import Vocabulary
from tokenizer_conformance.results.records import metrics as lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokenizer_conformance.research.metrics.results import Row

Json = dict[str, Any]

WRONG = (*FAULTS, UnicodeDecodeError)
"""What unpacking raises where a line is not as it was written."""


@dataclass(slots=True)
class PackedRow:
    """A row of a part: its name, the names of its tokenizer and implementation, and what the file says about ids."""

    name: str
    tokenizer: str
    implementation: str
    vocabulary: Vocabulary


@dataclass(slots=True)
class Unpacked:
    """What a part has counted."""

    rows: list[PackedRow] = field(default_factory=list)
    counted: Counted = field(default_factory=lambda: Counted(()))
    gold: dict[int, GoldCut] = field(default_factory=dict)


def packed(rows: Sequence[Row], counted: Counted, gold: Mapping[int, GoldCut]) -> Iterator[lines.Part]:
    """Yield what was ``counted`` of ``rows``, and of words with morphemes by row, as lines of a record."""
    for each in rows:
        yield _line({"type": "row", **_row(each)})
    for record in counted_lines(counted):
        yield _line(record)
    for row, cut in gold.items():
        failures = asdict(cut.failures)
        yield _line({"type": "gold", "row": row, "counts": cut.tally.to_json(), "failures": failures})


def unpacked(parts: Sequence[lines.Part]) -> Unpacked:
    """Return what :func:`packed` gave. Raises one of :data:`WRONG`."""
    records = [_record(part) for part in parts]
    rows = [_row_of(each) for each in records if each["type"] == "row"]
    back = ReadBack([each.vocabulary.unknown_ids for each in rows])
    found = Unpacked(rows, back.counted)
    for each in records:
        match each["type"]:
            case "gold":
                tally = MorphemeTally.from_json(each["counts"])
                found.gold[each["row"]] = GoldCut(tally, failures_of(each["failures"]))
            case "row":
                pass
            case _:
                back.take(each)
    return found


def _line(record: Json) -> lines.Part:
    content = json.dumps(record, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    return lines.Part(packed=base64.b85encode(zlib.compress(content)).decode("ascii"))


def _record(part: lines.Part) -> Json:
    record: Json = json.loads(zlib.decompress(base64.b85decode(part.packed)))
    return record


def _row(row: Row) -> Json:
    known = row.vocabulary
    return {
        "name": row.name,
        "tokenizer": row.tokenizer.source.name,
        "implementation": row.info.name,
        "size": known.size,
        "unknown": sorted(known.unknown_ids),
        "bytes": [[id, data.decode("latin-1")] for id, data in known.bytes_of.items()],
        "marked": sorted(data.decode("latin-1") for data in known.marked),
    }


def _row_of(record: Json) -> PackedRow:
    vocabulary = Vocabulary(
        record["size"],
        frozenset(record["unknown"]),
        {id: data.encode("latin-1") for id, data in record["bytes"]},
        frozenset(data.encode("latin-1") for data in record["marked"]),
    )
    return PackedRow(record["name"], record["tokenizer"], record["implementation"], vocabulary)
