"""Lengths of time as people write them: ``60s``, ``5m``, ``1h``, or seconds."""

from __future__ import annotations

import math
import re
from typing import Any

import click

SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
"""How many seconds a unit has."""

_FORM = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*([smh]?)", re.ASCII)


class Duration(click.ParamType[float]):
    """A length of time of more than nothing, which reaches the command in seconds."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the seconds. Raises :class:`click.BadParameter`."""
        if isinstance(value, float):
            return value
        match = _FORM.fullmatch(str(value).strip().casefold())
        seconds = float(match[1]) * SECONDS[match[2]] if match else 0.0
        if not 0 < seconds < math.inf:
            self.fail(f"{value!r} is no length of time; write 90s, 5m, 1h, or a number of seconds", param, ctx)
        return seconds
