"""``tokconf environments``: the environments of releases that are kept on this machine."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.command_group import CommandGroup
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.options import NumberRange
from tokenizer_conformance.lazy import carried_out_by


@click.group("environments", cls=CommandGroup, short_help="List, make and remove the environments of releases.")
def environments_command() -> None:
    """List, make and remove the environments of releases of packages.

    A run makes the environments that it needs ("-i tokenizers==0.19.1"). Make them beforehand if there will be no
    network later. They are made with uv if it is installed (TOKCONF_INSTALLER=pip changes that), else with venv and
    pip, from the registries that uv or pip is configured for. They are kept in the user's cache folder, or in
    TOKCONF_CACHE.
    """


@environments_command.command("list", short_help="List the environments.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@carried_out_by("tokenizer_conformance.cli.environments:execute_list")
def list_command() -> None:
    """List the environments: what is in them, how large they are, and when they were last used.

    An incomplete environment is made again when it is needed.
    """


@environments_command.command("create", cls=LongCommand, short_help="Make environments.")
@click.argument("words", metavar="WORD...", nargs=-1, required=True)
@click.pass_context
@carried_out_by("tokenizer_conformance.cli.environments:execute_create")
def create_command() -> None:
    """Make the environment of each named release, if it is not there yet.

    WORD is PACKAGE==VERSION, or a range such as "PACKAGE>=1.2,<2" for all of its releases. If one cannot be made,
    the reason is printed, and the others are made.

    \b
    Examples:
      tokconf environments create tokenizers==0.19.1 transformers==4.57.6
      tokconf environments create "tokenizers>=0.21,<0.22"

    \b
    Exit status: 0 all are there, 2 a word names no release, 3 one cannot be made.
    """  # noqa: D301 - "\\b" is click's mark for a paragraph that is not to be wrapped


@environments_command.command("add", cls=LongCommand, short_help="Make the environments of heavy implementations.")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.pass_context
@carried_out_by("tokenizer_conformance.cli.environments:execute_add")
def add_command() -> None:
    """Make the environment of each named heavy implementation, if it is not there yet; without a name, list them.

    An implementation is heavy if its packages take hundreds of megabytes. It is run in an environment of its own, in
    one pinned release, and is not installed until you add it: no other command does that. Its size and its licence are
    printed before anything is downloaded.

    \b
    Examples:
      tokconf environments add
      tokconf environments add openvino

    \b
    Exit status: 0 all are there, 2 a name is that of no heavy implementation, 3 one cannot be made.
    """  # noqa: D301 - "\\b" is click's mark for a paragraph that is not to be wrapped


@environments_command.command("remove", short_help="Remove environments.")
@click.argument("words", metavar="[WORD]...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Remove all environments.")
@click.option(
    "--unused-for",
    type=NumberRange(min=0),
    metavar="DAYS",
    help="Remove those not used for this many days.",
)
@carried_out_by("tokenizer_conformance.cli.environments:execute_remove")
def remove_command() -> None:
    """Remove environments: those of the named releases, all, or those not used for some time.

    WORD is PACKAGE==VERSION, a heavy implementation, or the name of a folder as "tokconf environments list" shows it
    for incomplete ones.

    \b
    Examples:
      tokconf environments remove tokenizers==0.19.1
      tokconf environments remove --unused-for 30
    """  # noqa: D301 - "\\b" is click's mark for a paragraph that is not to be wrapped


@environments_command.command("path", short_help="Print the Python of an environment.")
@click.argument("word", metavar="WORD")
@carried_out_by("tokenizer_conformance.cli.environments:execute_path")
def path_command() -> None:
    """Print the path of the Python of the environment of a release, of a heavy implementation, or of "IMPL@FOLDER".

    \b
    Examples:
      "$(tokconf environments path tokenizers==0.19.1)" -m pip list
    """  # noqa: D301 - "\\b" is click's mark for a paragraph that is not to be wrapped
