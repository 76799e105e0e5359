"""``tokconf vectors``: golden files for one tokenizer, made and checked."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.command_group import CommandGroup
from tokenizer_conformance.cli.implementation_options import isolation_options
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.defaults import DEFAULT_BASELINE, DEFAULT_SECONDS, VECTORS
from tokenizer_conformance.lazy import carried_out_by

MAKE = "make"


class MakesVectors(CommandGroup):
    """A group whose first word may be left out where it is ``make``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put ``make`` before what names no command of this group."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = [MAKE, *args]
        return super().parse_args(ctx, args)


@click.group("vectors", cls=MakesVectors, short_help="Make and check a golden file for one tokenizer.")
def vectors_command() -> None:
    """Make a golden file: the inputs that reveal most faults of a tokenizer, with the expected answers.

    \b
    tokconf vectors TOKENIZER -o FILE           makes it (so does tokconf vectors make ...)
    tokconf vectors check FILE -i IMPL          checks an implementation against it

    A tokenizer in a folder called "make" or "check" is given as ./make or ./check.
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped


@vectors_command.command(MAKE, cls=LongCommand, short_help="Make a file of vectors.")
@click.argument("tokenizer", metavar="TOKENIZER")
@click.option("-n", "count", type=click.IntRange(min=1), default=VECTORS, show_default=True, help="Number of inputs.")
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to write them; '-' is standard output.")
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="S", help="The seed of everything drawn at random."
)
@click.option(
    "--baseline",
    default=DEFAULT_BASELINE,
    show_default=True,
    metavar="IMPL",
    help="The implementation that gives the expected answers.",
)
@click.option("--force", is_flag=True, help="Overwrite FILE even if it is not a file of vectors.")
@isolation_options(DEFAULT_SECONDS)
@carried_out_by("tokenizer_conformance.cli.vectors:execute_make")
def make_command() -> None:
    """Write the inputs that reveal most faults of TOKENIZER, with all expected answers, as JSON for any language.

    Hundreds of mistakes that authors of ports make are planted, and each of about two thousand inputs is tested for
    which it reveals. The inputs that catch most are taken, the shortest first, then those that tell faults apart.
    The file says what each input is for, how many faults all of them catch and how many twenty plain texts would,
    the digest of the tokenizer.json, and how to read it; schemas/vectors-1.json of this package describes it. The
    same seed gives the same file.

    \b
    Examples:
      tokconf vectors ./my-checkpoint -o vectors.json
      tokconf vectors hub:openai-community/gpt2 -n 100 -o gpt2.json
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped


@vectors_command.command("check", cls=LongCommand, short_help="Check an implementation against a file of vectors.")
@click.argument("file", metavar="FILE")
@click.option(
    "-i", "--implementation", "word", required=True, metavar="IMPL", help="The implementation, as in 'tokconf run'."
)
@click.option("--tokenizer", metavar="PATH", help="The tokenizer of the vectors; by default the one named in the file.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@isolation_options(DEFAULT_SECONDS)
@carried_out_by("tokenizer_conformance.cli.vectors:execute_check")
def check_command() -> None:
    """Check IMPL against FILE; any difference is a failure.

    The tokenizer must be the one the vectors were made of, byte by byte. Vectors are asked in the order of the
    file, then backwards: an answer that depends on earlier questions is wrong. What IMPL does not show is counted,
    and is no failure unless nothing at all could be compared.

    \b
    Examples:
      tokconf vectors check vectors.json -i reference --tokenizer ./my-checkpoint
      tokconf vectors check vectors.json -i "command:./my-port" --json

    \b
    Exit status: 0 all that is shown is right, 1 something differs, 2 FILE or the tokenizer cannot be used,
    3 IMPL cannot be used, or shows nothing of what is expected.
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
