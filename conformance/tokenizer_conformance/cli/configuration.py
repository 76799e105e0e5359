"""Settings of a project: options of commands in ``[tool.tokconf]`` of pyproject.toml, or in tokconf.toml.

What stands in ``[tool.tokconf]`` holds for every command that has such an option and checks the project; what stands in
``[tool.tokconf.run]`` holds for ``tokconf run``, before the former. The command line goes before both. Keys are the
long names of options, and the arguments by their names; paths are relative to the file. In tokconf.toml the tables
have no ``tool.tokconf`` before their names.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokenizer_conformance.command_io.configuration import Configuration
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.standard_streams import reason_of
from tokenizer_conformance.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PYPROJECT, OWN = "pyproject.toml", "tokconf.toml"
TABLE = "tool.tokconf"

TABLES: dict[str, bool] = {
    "run": True,
    "suite": True,
    "fuzz": False,
    "snapshot": True,
    "diff": True,
    "versions": True,
    "metrics": True,
}
"""The commands that have a table, and whether the shared table holds for them too.

``suite`` is ``tokconf suite run``. ``fuzz`` without tokenizers is another command than with these, and takes nothing
but its own table.
"""

FROM_SHARED: dict[str, dict[str, str | None]] = {
    "snapshot": {"implementation": None},
    "versions": {"tokenizers": "tokenizer"},
}
"""Keys of the shared table that a command takes as another key of its own, or not at all.

A snapshot is of one implementation, the shared table names those that are compared.
"""

OWN_TABLE_ONLY = frozenset(
    {
        "json",
        "markdown",
        "html",
        "csv",
        "parquet",
        "force",
        "resume",
        "shard",
        "last-failed",
        "update-ledger",
        "only",
        "output",
        "old",
        "new",
        "partial",
        "releases",
        "snapshots",
        "tokenizer",
        "latex",
        "plots",
        "base",
    }
)
"""Options that mean one run of one command: a table for all commands cannot have them."""

PROJECT_ROOT = (".git", ".hg")
"""What stands in the folder above which no settings of a project are."""

Json = dict[str, Any]

_is_command = lazy("tokenizer_adapters.selection:is_command")
_is_dataset = lazy("tokenizer_conformance.inputs.dataset_splits:is_dataset")


@dataclass(frozen=True, slots=True)
class Settings:
    """A file of settings at ``path``: its ``tables``, the ``text`` that they were read from, and its digest."""

    path: Path
    tables: Json
    text: str
    configuration: Configuration

    @property
    def prefix(self) -> str:
        """What the names of tables begin with."""
        return TABLE if self.path.name == PYPROJECT else ""

    def fault(self, table: str, key: str | None, what: str) -> BadInput:
        """Return the error that says what is wrong in a ``table`` (empty: the shared one), with ``key``."""
        name = ".".join(filter(None, (self.prefix, table)))
        place = f" [{name}]" if name else ""
        line = _line_of(self.text, name, key)
        where = "" if line is None else f" line {line}"
        named = "" if key is None else f" {key}:"
        return BadInput(f"{str(self.path)!r}{where}{place}:{named} {what}")


# Finding and reading -------------------------------------------------------------------------------------------------


def found_settings(start: Path) -> Settings | None:
    """Return the settings of the project that ``start`` is in: of the nearest folder that has any.

    Nothing above the project's root is looked at. Raises :class:`BadInput` where they cannot be read.
    """
    for folder in (start, *start.parents):
        for name in (OWN, PYPROJECT):
            path = folder / name
            if path.is_file() and (settings := read_settings(path, must=False)) is not None:
                return settings
        if any((folder / mark).exists() for mark in PROJECT_ROOT):
            return None
    return None


def read_settings(path: Path, *, must: bool = True) -> Settings | None:
    """Return the settings in the file at ``path``; ``None`` for a pyproject.toml without any, unless they ``must`` be.

    A file called otherwise than pyproject.toml is read as a tokconf.toml. Raises :class:`BadInput`.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read the configuration {str(path)!r}: {reason_of(error)}") from error
    is_project = path.name == PYPROJECT
    if is_project and not must and b"tokconf" not in content:
        return None
    try:
        text = content.decode("utf-8")
        document = tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadInput(f"{str(path)!r} line {line} is not UTF-8, as TOML has to be") from error
    except RecursionError as error:
        raise BadInput(f"{str(path)!r} cannot be read: it is nested too deeply") from error
    except ValueError as error:  # also of a number with more digits than Python reads
        raise BadInput(f"{str(path)!r} is not TOML: {error}") from error
    tables: object = document
    if is_project:
        tool = document.get("tool", {})
        tables = tool.get("tokconf") if isinstance(tool, dict) else None
        if tables is None:
            if must:
                raise BadInput(f"{str(path)!r} has no table [{TABLE}]")
            return None
    configuration = Configuration(path.name, hashlib.sha256(content).hexdigest())
    settings = Settings(path, tables if isinstance(tables, dict) else {}, text, configuration)
    if not isinstance(tables, dict):
        raise settings.fault("", None, f"a table is expected, not {_type_name(tables)}")
    return settings


# What a command takes of them ----------------------------------------------------------------------------------------


def defaults_of(settings: Settings, table: str, context: click.Context, known: Mapping[str, set[str]]) -> Json:
    """Return the values that ``settings`` have for the command of ``context``, by the names of its parameters.

    ``table`` is the command's own; ``known`` leads from all tables to the keys that these may have. Raises
    :class:`BadInput` for a key that there is not, and for a value that the option does not take.
    """
    parameters = dict(keys_of(context.command))
    values: Json = {}
    for key, value in settings.tables.items():
        if key in TABLES:
            if not isinstance(value, dict):
                raise settings.fault("", key, f"a table is expected, not {_type_name(value)}")
            continue
        _refuse_unknown(settings, "", key, known)
        own = FROM_SHARED.get(table, {}).get(key, key)
        if own in parameters and TABLES[table]:
            values[str(parameters[own].name)] = _value(settings, "", key, value, parameters[own], context)
    for key, value in settings.tables.get(table, {}).items():
        if key not in parameters:
            instead = _unknown(key, known[table])
            raise settings.fault(table, key, instead)
        values[str(parameters[key].name)] = _value(settings, table, key, value, parameters[key], context)
    return values


def keys_of(command: click.Command) -> Iterator[tuple[str, click.Parameter]]:
    """Yield the keys that the table of ``command`` may have, with what they set."""
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            yield str(parameter.name), parameter
        elif parameter.expose_value:
            names = [name.removeprefix("--") for name in parameter.opts if name.startswith("--")]
            for name in names or [name.removeprefix("-") for name in parameter.opts]:
                yield name, parameter


def _refuse_unknown(settings: Settings, table: str, key: str, known: Mapping[str, set[str]]) -> None:
    shared = {name for each, names in known.items() if TABLES[each] for name in names}
    if key in OWN_TABLE_ONLY and key in shared:
        raise settings.fault(
            table, key, "this is for one command, not for all: it stands in the table of the command, such as [run]"
        )
    if key not in shared:
        raise settings.fault(table, key, _unknown(key, (shared - OWN_TABLE_ONLY) | set(TABLES)))


def _unknown(key: str, known: set[str]) -> str:
    close = get_close_matches(key, known, 1)
    guess = f"; did you mean {close[0]}?" if close else f"; known are {', '.join(sorted(known))}"
    return f"there is no such option{guess}"


def _value(
    settings: Settings, table: str, key: str, value: object, parameter: click.Parameter, context: click.Context
) -> object:
    """Return ``value`` as a command line would give it to ``parameter``. Raises :class:`BadInput`."""
    is_list = parameter.multiple or parameter.nargs == -1
    expected = _expected(parameter)
    each = list(value) if isinstance(value, list) and is_list else [value]
    for one in each:
        if not isinstance(one, expected) or (isinstance(one, bool) and bool not in expected):
            kind = " or ".join(_KINDS[kind] for kind in expected if kind is not int or float not in expected)
            listed = ", or a list of these," if is_list else ""
            raise settings.fault(table, key, f"{kind}{listed} is expected, not {_type_name(one)}")
    placed = [_placed(settings.path.parent, one, parameter) for one in each]
    given: object = tuple(placed) if is_list else placed[0]
    try:
        parameter.process_value(context, given)
    except click.UsageError as error:
        raise settings.fault(table, key, error.message) from error
    return given


def _expected(parameter: click.Parameter) -> tuple[type, ...]:
    if isinstance(parameter, click.Option) and parameter.is_flag:
        return (bool,)
    if isinstance(parameter.type, click.types.IntParamType):
        return (int,)
    if isinstance(parameter.type, click.types.FloatParamType):
        return (float, int)
    return (str, int, float) if parameter.name == "memory" else (str,)


_KINDS: dict[type, str] = {bool: "true or false", int: "a whole number", float: "a number", str: "a string"}


def _type_name(value: object) -> str:
    kinds = {
        bool: "a truth value",
        int: "a number",
        float: "a number",
        str: "a string",
        list: "a list",
        dict: "a table",
    }
    return kinds.get(type(value), f"a {type(value).__name__}")


# Paths ---------------------------------------------------------------------------------------------------------------


def _placed(folder: Path, value: object, parameter: click.Parameter) -> object:
    """Return ``value`` with its path, where it is one, as seen from here; it is written as seen from ``folder``."""
    if not isinstance(value, str):
        return value
    if isinstance(parameter.type, click.Path) or parameter.name in {"files", "output"}:
        return value if value == "-" or _is_dataset(value) else _from_here(folder, value)
    if parameter.name in {"tokenizers", "old", "new"} and (folder / value).exists():
        return _from_here(folder, value)
    if parameter.name == "tokenizers" and (folder / value.partition("=")[2]).exists():  # NAME=TOKENIZER of a diff
        name, equals, tokenizer = value.partition("=")
        return f"{name}{equals}{_from_here(folder, tokenizer)}" if tokenizer else value
    if parameter.name in {"wanted", "baseline", "isolate", "in_process", "word", "new", "releases"} and _is_command(
        value
    ):
        return _program(folder, value)
    return value


def _from_here(folder: Path, written: str) -> str:
    if written.startswith("~") or Path(written).is_absolute():
        return written
    try:
        return os.path.relpath(folder / written)
    except ValueError:  # another drive
        return str(folder / written)


def _program(folder: Path, word: str) -> str:
    """Return ``word``, a program, with those of its parts that are paths of files (``./…``) as seen from here."""
    name, colon, command = word.partition(":")
    parts = [
        os.path.join(".", _from_here(folder, part))  # noqa: PTH118 - a Path forgets the "./"
        if part.startswith(("./", "../")) and (folder / part).exists()
        else part
        for part in _split(command)
    ]
    return word if parts == _split(command) else f"{name}{colon}{shlex.join(parts)}"


def _split(command: str) -> Sequence[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return [command]


# Lines ---------------------------------------------------------------------------------------------------------------


def _line_of(text: str, table: str, key: str | None) -> int | None:
    r"""Return the number of the line on which ``key`` stands in ``table``, or the table's own; ``None`` if not found.

    >>> _line_of("[tool.tokconf]\njobs = 2", "tool.tokconf", "jobs")
    2
    """
    current, own = "", None
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[\s*([^\[\]]+?)\s*\]", line)
        if header is not None:
            current = re.sub(r"[\s\"']", "", header[1])
            own = number if current == table else own
            if key is not None and current == f"{table}.{key}".lstrip("."):
                return number
        elif key is not None and current == table and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]", line):
            return number
    return own
