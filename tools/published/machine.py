"""Measurements of time: the options that their tools share, and what a page says of where they were made."""

from __future__ import annotations

import json
import os
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from published.measuring import Measuring
from published.records import RecordError

if TYPE_CHECKING:
    import argparse

    from published.measuring import Measured


def add_options(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the options that say where the record goes, by default to the one called ``name``, and what to note in it."""
    parser.add_argument("--record", type=Path, default=Path(f".venv/records/{name}.jsonl"), metavar="FILE")
    parser.add_argument("--note", default="", metavar="TEXT", help="what a reader should know of how this was measured")


def begun(given: argparse.Namespace, tool: str) -> Measuring:
    """Return the record of a ``tool``, begun with all options that it was ``given``, and with what the machine has.

    Ends the command with status 2 where it cannot be begun.
    """
    options = {name: value for name, value in vars(given).items() if name != "record"}
    machine = {"tokenizers": version("tokenizers"), "cores": os.cpu_count()}
    try:
        return Measuring(given.record, tool, json.loads(json.dumps({**options, **machine}, default=str)))
    except RecordError as error:
        print(f"{tool}: {error}", file=sys.stderr)
        raise SystemExit(2) from error


def told(measured: Measured) -> str:
    """Return where and when something was ``measured``, and what was noted."""
    of, where = measured.parameters, measured.environment
    sentence = (
        f"Measured on {where['started'][:10]}, with tokenizers {of['tokenizers']} and {where['python']} "
        f"on {of['cores']} cores."
    )
    return f"{sentence} {of['note']}".rstrip()
