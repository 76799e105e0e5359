"""The command line, ``tokconf``."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.fuzz import fuzz_command
from tokenizer_conformance.cli.implementations import implementations_command
from tokenizer_conformance.cli.run import run_command
from tokenizer_conformance.cli.train import train_command
from tokenizer_conformance.session.environment import version


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version(), prog_name="tokconf")
def main() -> None:
    """Say whether implementations of Hugging Face tokenizers agree, and where they differ first.

    \b
    Exit status:
      0    they conform
      1    differences were found
      2    the command or something given to it cannot be used
      3    an implementation failed, or nothing was compared
      130  interrupted; what was done until then is reported
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped


main.add_command(run_command)
main.add_command(fuzz_command)
main.add_command(train_command)
main.add_command(implementations_command)
