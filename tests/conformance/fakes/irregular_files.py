"""What stands in a file system and is no file: pipes, devices, sockets."""

from __future__ import annotations

import os
import socket
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

IRREGULAR = ("pipe", "device", "socket")


@contextmanager
def irregular(kind: str, path: Path) -> Iterator[str]:
    """Have something of ``kind`` stand at ``path`` while the block runs; gives the words for it."""
    match kind:
        case "pipe":
            os.mkfifo(path)
            yield "a pipe"
        case "device":
            path.symlink_to(os.devnull)
            yield "a device"
        case "socket":
            here = Path.cwd()
            os.chdir(path.parent)  # the name of a socket may have no more than a hundred bytes
            try:
                with socket.socket(socket.AF_UNIX) as listening:
                    listening.bind(path.name)
                    os.chdir(here)
                    yield "a socket"
            finally:
                os.chdir(here)
