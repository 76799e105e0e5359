"""Prints the folder into which npm installs the package."""

from pathlib import Path

print(Path(__file__).parent)  # noqa: T201 - what it is for
