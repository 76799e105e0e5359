"""The one file that a command is asked to write with ``-o``."""

from __future__ import annotations

from pathlib import Path

from tokenizer_conformance.command_io.output import BadInput, ReportLost
from tokenizer_conformance.command_io.sinks import write_atomically
from tokenizer_conformance.command_io.standard_streams import reason_of


def target_of(output: str, read: tuple[Path, ...], *, force: bool) -> Path:
    """Return where ``output`` is to be written; ``read`` are the files that the command reads.

    Raises :class:`BadInput` where that cannot be, or something is there.
    """
    path = Path(output)
    try:
        if not output or path.is_dir() or not path.parent.is_dir():
            raise BadInput(f"cannot write {output!r}: it is no file in a folder that is there")
        if path.exists():
            if any(each.exists() and path.samefile(each) for each in read):
                raise BadInput(f"cannot write {output!r}: the command reads it")
            if not path.is_file():
                raise BadInput(f"cannot write {output!r}: it is no regular file")
            if path.stat().st_size and not force:
                raise BadInput(f"cannot write {output!r}: it is there already; --force replaces it")
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        raise BadInput(f"cannot write {output!r}: {reason}") from error
    return path.resolve() if path.is_symlink() else path


def write_to(target: Path, text: str) -> None:
    """Write ``text`` to ``target``, whole or not at all. Raises :class:`ReportLost`."""
    try:
        write_atomically(target, text.encode())
    except OSError as error:
        raise ReportLost(f"cannot write {str(target)!r}: {reason_of(error)}") from error
