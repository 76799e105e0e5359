"""A checkpoint: what was counted so far, in a file beside the record, for a run that goes on from there.

It is JSON Lines in gzip: a header, what is known of the rows, and a line for each tally. The file is replaced whole or
not at all, so that whatever kills a run leaves the one before. What a run counts depends on its *fingerprint*: the
rows, the texts, and how they are counted; a checkpoint of another one is refused.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zlib
from collections import Counter
from dataclasses import asdict, astuple, fields
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.environment import version
from tokenizer_conformance.command_io.sinks import write_atomically
from tokenizer_conformance.command_io.standard_streams import reason_of
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.rows import LeftOut
from tokenizer_conformance.research.metrics.counts import Bad, Counted, Counts, Failure, Failures, Read
from tokenizer_conformance.research.metrics.groups import Group
from tokenizer_conformance.research.metrics.measures.pair_tally import PairTally
from tokenizer_conformance.research.metrics.measures.tally import Tally
from tokenizer_conformance.research.metrics.texts import Reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from tokenizer_conformance.research.metrics.plan import MetricsPlan

SCHEMA = "tokenizer-conformance-metrics-checkpoint"
VERSION = "3.0"
SUFFIX = ".checkpoint"

Json = dict[str, Any]

FAULTS = (KeyError, TypeError, ValueError, IndexError, AttributeError, EOFError, OSError, zlib.error)
"""What reading a damaged file raises."""


def fingerprint(plan: MetricsPlan) -> Json:
    """Return what the counts of ``plan`` depend on, by names for people."""
    return {
        "tokconf": version(),
        "tokenizers": [[row.tokenizer.source.name, row.tokenizer.sha256] for row in plan.rows],
        "implementations": [[row.info.name, row.info.version] for row in plan.rows],
        "inputs": plan.corpus.sha256,
        "partitions": len(plan.corpus.partitions),
        "languages": [source.language for source in plan.sources],
        "--shard": None if plan.shard is None else str(plan.shard),
        "--by": list(plan.by),
        "--longest": plan.longest,
        "--words": plan.counting.words,
        "--measure or --no-round-trip": [plan.counting.round_trip, plan.counting.spans, plan.counting.pairs],
        "--parallel": plan.parallel,
    }


def is_checkpoint(path: Path) -> bool:
    """Return whether the file at ``path`` is a checkpoint, whole or not, or empty."""
    if path.stat().st_size == 0:
        return True
    try:
        with gzip.open(path, "rb") as file:
            return SCHEMA.encode("ascii") in file.read(len(SCHEMA) + 64)
    except FAULTS:
        return False


def write_checkpoint(path: Path, counted: Counted, made_of: Json) -> None:
    """Write what was ``counted`` to ``path``. Raises ``OSError``."""
    file = io.BytesIO()
    digest = hashlib.sha256()
    # No time stands in it: the same counts are the same bytes.
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=1, mtime=0) as compressed:
        for record in (_header(made_of), *counted_lines(counted)):
            line = json.dumps(record, ensure_ascii=True).encode("ascii") + b"\n"
            digest.update(line)
            compressed.write(line)
        compressed.write(json.dumps({"type": "end", "sha256": digest.hexdigest()}).encode("ascii") + b"\n")
    write_atomically(path, file.getvalue())


def _header(made_of: Json) -> Json:
    return {"type": "header", "schema": SCHEMA, "version": VERSION, "of": made_of}


def counted_lines(counted: Counted) -> Iterator[Json]:
    """Yield what was ``counted`` as JSON, piece by piece; :class:`ReadBack` reads it."""
    yield {
        "type": "counted",
        "done": counted.done,
        "bad": [[each.source, each.reason] for each in counted.bad.values()],
    }
    yield from _lines(counted.whole, None)
    for source, counts in counted.apart.items():
        yield from _lines(counts, source)


def _lines(counts: Counts, source: int | None) -> Iterator[Json]:
    yield {
        "type": "counts",
        "source": source,
        "failures": list(map(asdict, counts.failures)),
        "decoding": list(map(asdict, counts.decoding)),
        "read": [[group.by, group.name, *astuple(read)] for group, read in counts.read.items()],
        "readings": [[number, _told(reading)] for number, reading in counts.readings.items()],
    }
    for (row, group), tally in counts.tallies.items():
        yield {"type": "tally", "row": row, "group": [group.by, group.name], "counts": tally.to_json()}
    for (first, second, group), pair in counts.pairs.items():
        yield {"type": "pair", "rows": [first, second], "group": [group.by, group.name], "counts": pair.to_json()}


class ReadBack:
    """Reads what :func:`counted_lines` gave, of rows with these ids of unknown tokens, piece by piece."""

    def __init__(self, unknown_ids: Sequence[frozenset[int]]) -> None:
        self.counted = Counted(unknown_ids)
        self._unknown_ids = unknown_ids
        self._counts = self.counted.whole

    def take(self, record: Json) -> None:
        """Take in a piece. Raises one of :data:`FAULTS`."""
        match record["type"]:
            case "counted":
                self.counted.done = int(record["done"])
                self.counted.bad = {source: Bad(source, reason) for source, reason in record["bad"]}
            case "counts":
                self._counts = self._begun(record["source"])
                _take_counts(self._counts, record)
            case "tally":
                row = record["row"]
                tally = Tally.from_json(record["counts"], self._unknown_ids[row])
                self._counts.tallies[row, Group(*record["group"])] = tally
            case "pair":
                first, second = record["rows"]
                self._counts.pairs[first, second, Group(*record["group"])] = PairTally.from_json(record["counts"])
            case other:
                raise ValueError(f"a line of type {other!r}")

    def _begun(self, source: int | None) -> Counts:
        if source is None:
            return self.counted.whole
        return self.counted.apart.setdefault(source, Counts(self._unknown_ids))


def read_checkpoint(path: Path, made_of: Json, unknown_ids: Sequence[frozenset[int]]) -> Counted | None:
    """Return the checkpoint at ``path``, ``None`` where there is none.

    Raises :class:`BadInputError` where it is of something else than ``made_of``, or damaged.
    """
    try:
        return _read(path, made_of, unknown_ids)
    except FileNotFoundError:
        return None
    except FAULTS as error:
        reason = reason_of(error) if isinstance(error, OSError) and error.errno else str(error)
        raise BadInputError(
            f"{str(path)!r} is no checkpoint that can be gone on from ({reason}); remove it to begin anew"
        ) from error


def _read(path: Path, made_of: Json, unknown_ids: Sequence[frozenset[int]]) -> Counted:
    digest = hashlib.sha256()
    back = ReadBack(unknown_ids)
    with gzip.open(path, "rb") as file:
        for line in file:
            record = json.loads(line)
            match record["type"]:
                case "header":
                    _refuse_another(path, record, made_of)
                case "end":
                    if record["sha256"] != digest.hexdigest():
                        raise ValueError("its lines are not as they were written")
                    return back.counted
                case _:
                    back.take(record)
            digest.update(line)
    raise ValueError("its end is missing")


def _take_counts(counts: Counts, record: Mapping[str, Any]) -> None:
    counts.failures = list(map(failures_of, record["failures"]))
    counts.decoding = list(map(failures_of, record["decoding"]))
    counts.read = {Group(by, name): Read(*numbers) for by, name, *numbers in record["read"]}
    counts.readings = {source: _reading(reading) for source, reading in record["readings"]}


def _told(reading: Reading) -> Json:
    """Return ``reading`` as JSON; ``asdict`` makes something else of a Counter."""
    left_out = reading.left_out
    names = [each.name for each in fields(reading) if each.name != "left_out"]
    return {name: getattr(reading, name) for name in names} | {
        "left_out": {
            "column": left_out.column,
            "rows": left_out.rows,
            "kinds": dict(left_out.kinds),
            "first": left_out.first,
        }
    }


def _reading(record: Mapping[str, Any]) -> Reading:
    left_out = record["left_out"]
    return Reading(**{**record, "left_out": LeftOut(**{**left_out, "kinds": Counter(left_out["kinds"])})})


def failures_of(record: Mapping[str, Any]) -> Failures:
    """Return the failures that were written as ``record``."""
    return Failures(dict(record["kinds"]), [Failure(**each) for each in record["examples"]])


def _refuse_another(path: Path, record: Mapping[str, Any], made_of: Json) -> None:
    """Raise :class:`BadInputError` where the checkpoint is not of a run like this one."""
    if record.get("schema") != SCHEMA or str(record.get("version")).split(".")[0] != VERSION.split(".", maxsplit=1)[0]:
        raise ValueError(f"it is of {record.get('schema')} {record.get('version')}, not of {SCHEMA} {VERSION}")
    others = [name for name, value in made_of.items() if record["of"].get(name) != value]
    if others:
        raise BadInputError(
            f"{str(path)!r} is the checkpoint of another run: other {', '.join(others)}; give these as that run had "
            "them, or remove the file, or leave --resume out, to begin anew"
        )
