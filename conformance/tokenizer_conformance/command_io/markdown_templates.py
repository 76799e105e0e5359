"""Templates of reports in Markdown.

What a template prints is shown as code, unless a filter has made Markdown of it: nothing from a tokenizer can become a
heading, a link or HTML.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import jinja2

from tokenizer_conformance.command_io.markdown import Markdown, as_block, as_cell, as_code, as_words


def _printed(value: Any) -> Any:
    """Return what the template prints for ``value``: numbers and Markdown as they are, all else as code."""
    return value if isinstance(value, (Markdown, int, jinja2.Undefined)) else as_code(value)


@cache
def markdown_environment(package: str) -> jinja2.Environment:
    """Return where the templates of ``package`` become Markdown."""
    # Markdown has escapes of its own; `finalize` applies them to every value, which HTML autoescape would not do.
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(package, "templates"),
        autoescape=False,  # noqa: S701 - the output is Markdown, not HTML
        undefined=jinja2.StrictUndefined,
        finalize=_printed,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"cell": as_cell, "block": as_block, "plain": as_words, "markdown": Markdown}
    return environment
