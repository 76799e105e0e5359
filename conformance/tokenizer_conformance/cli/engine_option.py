"""The option ``--engine``: who does the work that ``--jobs`` shares out."""

from __future__ import annotations

import functools
import importlib.util
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = Callable[..., object]

ENGINES = ("local", "ray")
"""As :class:`tokenizer_conformance.command_io.pools.Engine` has them."""

INSTALL = "pip install 'tokenizer-conformance[ray]'"


def engine_option(command: Command) -> Command:
    """Give ``command``, which has ``--jobs``, the option; 0 jobs of Ray, the default, are as many as processors."""

    @functools.wraps(command)
    def with_engine(*arguments: Any, engine: str, jobs: int, **others: Any) -> object:
        if engine == "ray":
            if importlib.util.find_spec("ray") is None:
                raise click.UsageError(f"--engine ray needs Ray, which is not installed; install it with: {INSTALL}")
            given = click.get_current_context().get_parameter_source("jobs")
            jobs = 0 if given is ParameterSource.DEFAULT else jobs
        return command(*arguments, engine=engine, jobs=jobs, **others)

    return click.option(
        "--engine",
        type=click.Choice(ENGINES),
        default=ENGINES[0],
        show_default=True,
        help="Who works: processes on this machine, or Ray: the cluster at RAY_ADDRESS, or one that is started here. "
        "With Ray, --jobs is by default the number of processors there. The record is the same.",
    )(with_engine)
