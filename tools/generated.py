"""What generators of files share: they write one, or say whether the committed one is what they would write."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def write_or_check(description: str | None, output: Path, text: Callable[[], str]) -> int:
    """Write what ``text`` gives to ``output``; with ``--check``, return 1 where the committed file differs."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the committed file instead of writing it")
    is_checked = parser.parse_args().check
    generated = text()
    if not is_checked:
        output.write_text(generated, encoding="utf-8", newline="\n")
    elif not output.is_file() or output.read_text(encoding="utf-8") != generated:
        print(f"{output} is not what the generator writes; run it without --check", file=sys.stderr)
        return 1
    return 0
