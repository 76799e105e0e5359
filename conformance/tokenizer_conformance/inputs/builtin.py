"""The built-in inputs: short texts that are hostile to tokenizers, in named categories.

Each file of ``categories/`` is a category, with a ``note`` that says why it is there and its ``inputs`` by name. The
files are pure ASCII: every other character stands as an escape, so that no editor, version control or normalization can
change a text. A text is a string, or a table that repeats one::

    one-hundred = { before = "short ", repeat = "b", times = 100, after = " short" }

The id of an input is ``category/name``. Ids are permanent: an input whose text must change gets a new name, so that a
difference that was once reported under an id can be looked up under it for ever.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from tokenizer_conformance.inputs.text import Input

SUFFIX = ".toml"


@dataclass(frozen=True, slots=True)
class Category:
    """A category of built-in inputs: ``name``, a ``note`` on why it is there, and its inputs in the file's order."""

    name: str
    note: str
    inputs: tuple[Input, ...]


@cache
def builtin_categories() -> tuple[Category, ...]:
    """Return the categories in the order of their names.

    >>> builtin_categories()[0].name
    'added-tokens-in-place'
    """
    folder = files("tokenizer_conformance.inputs") / "categories"
    names = sorted(file.name.removesuffix(SUFFIX) for file in folder.iterdir() if file.name.endswith(SUFFIX))
    return tuple(_category(name, (folder / f"{name}{SUFFIX}").read_text(encoding="ascii")) for name in names)


@cache
def builtin_inputs() -> tuple[Input, ...]:
    """Return every built-in input, category by category.

    >>> next(input_.text for input_ in builtin_inputs() if input_.id == "contractions/curly")
    'I’m you’re he’s don’t'
    """
    return tuple(input_ for category in builtin_categories() for input_ in category.inputs)


def _category(name: str, source: str) -> Category:
    content = tomllib.loads(source)
    return Category(
        name=name,
        note=content["note"],
        inputs=tuple(Input(f"{name}/{slug}", name, _text(entry)) for slug, entry in content["inputs"].items()),
    )


def _text(entry: str | dict[str, Any]) -> str:
    """Return the text that ``entry`` stands for.

    >>> _text({"before": "<", "repeat": "ab", "times": 3, "after": ">"})
    '<ababab>'
    """
    if isinstance(entry, str):
        return entry
    before, unit, times, after = entry.get("before", ""), entry["repeat"], entry["times"], entry.get("after", "")
    return f"{before}{unit * times}{after}"
