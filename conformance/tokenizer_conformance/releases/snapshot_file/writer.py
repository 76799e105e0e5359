"""Writing a snapshot, line by line, compressed."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Unsupported
from tokenizer_conformance.releases.snapshot_file.lines import footer_line, header_line, part_line
from tokenizer_conformance.releases.snapshot_file.parts import LONGEST_LINE, Answers, Footer

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.command_io.sinks import Sink
    from tokenizer_conformance.compression import Compression
    from tokenizer_conformance.releases.snapshot_file.lines import Json
    from tokenizer_conformance.releases.snapshot_file.parts import Header, Part

_encoder = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"))


class SnapshotWriter:
    """Writes a snapshot to ``sink``, compressed: the header, parts, and at last the footer. All raise ``OSError``.

    A killed process loses what the ``compression`` compresses at once, at most.
    """

    def __init__(self, sink: Sink, header: Header, compression: Compression) -> None:
        self._sink = sink
        self._compression = compression
        self._digest = hashlib.sha256()
        self._lines = 0
        self._waiting: list[bytes] = []
        self._size = 0
        self.bytes = 0
        self.write_line(header_line(header))

    def write(self, part: Part) -> None:
        """Write ``part``; answers that are too long for a line are left out of it, and it says so."""
        written = _written(part_line(part))
        if len(written) > LONGEST_LINE and isinstance(part, Answers):
            written = _written(part_line(_left_out(part, len(written))))
        self._write(written)

    def write_line(self, line: Json) -> None:
        """Write ``line``."""
        self._write(_written(line))

    def _write(self, written: bytes) -> None:
        self._digest.update(written)
        self._lines += 1
        self._waiting.append(written)
        self._size += len(written)
        if self._size >= self._compression.at_once:
            self._flush(self._compression.part)

    def end(self, *, finished: bool, reason: str | None, seconds: float, asking: float) -> Footer:
        """Write the footer, and return it; nothing can be written after it."""
        footer = Footer(self._lines, self._digest.hexdigest(), finished, reason, seconds, asking)
        self.write_line(footer_line(footer))
        self._flush(self._compression.end)
        return footer

    def _flush(self, compressed: Callable[[bytes], bytes]) -> None:
        data = compressed(b"".join(self._waiting))
        self._waiting, self._size = [], 0
        self._sink.write(data)
        self.bytes += len(data)


def _written(line: Json) -> bytes:
    return _encoder.encode(line).encode("ascii") + b"\n"


def _left_out(answers: Answers, size: int) -> Answers:
    """Return what stands in the place of ``answers``, which take ``size`` bytes."""
    reason = (
        f"the answers about this input take {size >> 20} MB, and {LONGEST_LINE >> 20} MB are the most in a snapshot"
    )
    return Answers(answers.number, dict.fromkeys(answers.outcomes, Unsupported(reason)))
