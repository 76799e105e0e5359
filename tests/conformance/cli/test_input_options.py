"""Options of inputs say what they do where nothing is given."""

from __future__ import annotations

import click
from click.testing import CliRunner

from tokenizer_conformance.cli.input_options import input_options


def test_how_files_are_split_where_nothing_is_said_is_told() -> None:
    command = click.command()(input_options(lambda **_values: None))
    told = " ".join(CliRunner().invoke(command, ["--help"]).output.split())
    words = "so use 'file' only for files of a few megabytes. [default: line]"
    assert words in told
