"""What is told of the making of a snapshot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.command_io.screen import Screen
from tokenizer_conformance.escape import escape, one_line, quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.releases.snapshot.events import Event, SnapshotFinished, TokenizerAsked
from tokenizer_conformance.releases.snapshot_file.placed_file import partial_of
from tokenizer_conformance.results.records.snapshot import Header

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console


class TerminalReport:
    """Tells of the making of the snapshot at ``path`` on ``console``, and of what cannot be used on ``complaints``."""

    def __init__(self, console: Console, complaints: Console, *, path: Path) -> None:
        self._screen = Screen(console, complaints)
        self._path = path

    def handle(self, event: Event) -> None:
        """Tell ``event``."""
        match event:
            case Header() as header:
                self._screen.say(f"tokconf {header.environment.tokconf}, {header.environment.python}")
                asked = header.implementation
                self._screen.labelled("asked", f"{escape(asked.name)} {escape(asked.version)}")
                told = f"{header.inputs.count:,} for each of {counted(len(header.tokenizers), 'tokenizer')}"
                part = header.part
                self._screen.labelled("inputs", told if part is None else f"part {part.part} of {part.of} of {told}")
                if header.merged:
                    self._screen.labelled("merged", f"{len(header.merged)} parts of {header.merged[0].shard.of}")
            case InputRefused(refusal):
                self._screen.complain(refusal.reason)
            case TokenizerAsked():
                self._screen.say(f"{escape(event.tokenizer)}: {_came_to(event)}")
            case SnapshotFinished():
                style = "bold green" if event.exit_status == 0 else "bold red"
                self._screen.say(self._last_word(event), style=style)
            case _:
                pass

    def _last_word(self, finished: SnapshotFinished) -> str:
        path = self._path if finished.finished else partial_of(self._path)
        size = path.stat().st_size if path.exists() else 0
        state = "" if finished.finished else f"INCOMPLETE ({one_line(finished.reason or '')}): "
        return (
            f"{state}{quoted(str(path))}: {counted(finished.tokenizers, 'tokenizer')}, "
            f"{counted(finished.questions, 'answer')}, {size / 1e6:,.1f} MB; {finished.seconds:.1f} s "
            f"({finished.asking:.1f} s waiting for answers); exit status {finished.exit_status}"
        )


def _came_to(asked: TokenizerAsked) -> str:
    if asked.error is not None:
        return f"not loaded, which the snapshot says: {one_line(asked.error)}"
    without = "".join(f", {kind} {count:,}" for kind, count in asked.without_value.items())
    seconds = "" if asked.seconds is None else f", {asked.seconds:.1f} s"
    return f"{counted(asked.inputs, 'input')}, {counted(asked.questions, 'answer')}{without}{seconds}"
