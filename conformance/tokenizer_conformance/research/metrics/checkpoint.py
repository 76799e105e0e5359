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
from dataclasses import asdict, astuple
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.environment import version
from tokenizer_conformance.command_io.sinks import write_atomically
from tokenizer_conformance.command_io.standard_streams import reason_of
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.research.metrics.counts import Checkpoint, Counts, Failure, Failures, Read
from tokenizer_conformance.research.metrics.groups import Group
from tokenizer_conformance.research.metrics.measures.pair_tally import PairTally
from tokenizer_conformance.research.metrics.measures.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from tokenizer_conformance.research.metrics.plan import MetricsPlan

SCHEMA = "tokenizer-conformance-metrics-checkpoint"
VERSION = "2.0"
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
        "languages": [source.language for source in plan.sources],
        "--by": list(plan.by),
        "--longest": plan.longest,
        "--words": plan.counting.words,
        "--no-round-trip": not plan.counting.round_trip,
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


def write_checkpoint(path: Path, checkpoint: Checkpoint, made_of: Json) -> None:
    """Write ``checkpoint`` to ``path``. Raises ``OSError``."""
    file = io.BytesIO()
    digest = hashlib.sha256()
    # No time stands in it: the same counts are the same bytes.
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=1, mtime=0) as compressed:
        for record in _lines(checkpoint, made_of):
            line = json.dumps(record, ensure_ascii=True).encode("ascii") + b"\n"
            digest.update(line)
            compressed.write(line)
        compressed.write(json.dumps({"type": "end", "sha256": digest.hexdigest()}).encode("ascii") + b"\n")
    write_atomically(path, file.getvalue())


def _lines(checkpoint: Checkpoint, made_of: Json) -> Iterator[Json]:
    counts = checkpoint.counts
    yield {
        "type": "header",
        "schema": SCHEMA,
        "version": VERSION,
        "of": made_of,
        "chunks": checkpoint.chunks,
        "failures": list(map(asdict, counts.failures)),
        "decoding": list(map(asdict, counts.decoding)),
        "read": [[group.by, group.name, *astuple(read)] for group, read in counts.read.items()],
    }
    for (row, group), tally in counts.tallies.items():
        yield {"type": "tally", "row": row, "group": [group.by, group.name], "counts": tally.to_json()}
    for (first, second, group), pair in counts.pairs.items():
        yield {"type": "pair", "rows": [first, second], "group": [group.by, group.name], "counts": pair.to_json()}


def read_checkpoint(path: Path, made_of: Json, unknown_ids: Sequence[frozenset[int]]) -> Checkpoint | None:
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


def _read(path: Path, made_of: Json, unknown_ids: Sequence[frozenset[int]]) -> Checkpoint:
    digest = hashlib.sha256()
    counts = Counts(unknown_ids)
    chunks: int | None = None
    with gzip.open(path, "rb") as file:
        for line in file:
            record = json.loads(line)
            match record["type"]:
                case "header":
                    _refuse_another(path, record, made_of)
                    chunks = int(record["chunks"])
                    _take_header(counts, record)
                case "tally":
                    group = Group(*record["group"])
                    row = record["row"]
                    counts.tallies[row, group] = Tally.from_json(record["counts"], unknown_ids[row])
                case "pair":
                    first, second = record["rows"]
                    counts.pairs[first, second, Group(*record["group"])] = PairTally.from_json(record["counts"])
                case "end":
                    if record["sha256"] != digest.hexdigest() or chunks is None:
                        raise ValueError("its lines are not as they were written")
                    return Checkpoint(chunks, counts)
                case other:
                    raise ValueError(f"a line of type {other!r}")
            digest.update(line)
    raise ValueError("its end is missing")


def _take_header(counts: Counts, record: Mapping[str, Any]) -> None:
    counts.failures = list(map(_failures, record["failures"]))
    counts.decoding = list(map(_failures, record["decoding"]))
    counts.read = {Group(by, name): Read(*numbers) for by, name, *numbers in record["read"]}


def _failures(record: Mapping[str, Any]) -> Failures:
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
