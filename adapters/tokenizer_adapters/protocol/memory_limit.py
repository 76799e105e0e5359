"""Runs a command under a memory limit: ``python memory_limit.py BYTES COMMAND ARGUMENT...``.

The limit is set by a process that then becomes the command, and not between fork and exec: that is unsafe where threads
run. It limits the private memory that a process may write to (``RLIMIT_DATA``), and not the addresses that it sets aside:
engines such as Node's set aside many times what they use, and do not even start under a limit on those. The children of
the command inherit the limit, each for itself. Linux enforces it; macOS accepts it and enforces little.
"""

from __future__ import annotations

import os
import resource
import sys


def main(limit: int, command: list[str]) -> None:
    """Become ``command`` with at most ``limit`` bytes, or fewer where the system allows fewer."""
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    allowed = limit if most == resource.RLIM_INFINITY else min(limit, most)
    resource.setrlimit(resource.RLIMIT_DATA, (allowed, allowed))
    os.execvp(command[0], command)  # noqa: S606 - the user's program, by the user's wish


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
