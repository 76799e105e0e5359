"""The option ``--jobs``: how many processes do the work."""

from __future__ import annotations

import click

jobs_option = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of worker processes; each loads the tokenizers.",
)
