"""Write down all that users can rely on: commands, options, exit statuses, formats, public names, entry points.

    python tools/public_surface.py            print what is there, one fact a line
    python tools/public_surface.py --write    put it into tools/public_surface.txt, which a test compares

A change of the code that loses something shows as a line that is gone.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import inspect
import io
import pkgutil
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokenizer_conformance import cli
from tokenizer_conformance.cli.formats import OTHERS, schema_called
from tokenizer_conformance.command_io.conclusion import EXIT_STATUSES
from tokenizer_conformance.releases.known_changes.reader import known_changes
from tokenizer_conformance.results.records.schema import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
WRITTEN = ROOT / "tools" / "public_surface.txt"

LISTS = (
    ("requirement", ("suite", "list"), re.compile(r"^  ([A-Z0-9-]+) \(", re.MULTILINE)),
    ("class of reasons", ("classes",), re.compile(r"^([a-z][a-z0-9-]+)  ", re.MULTILINE)),
    ("measure", ("metrics", "--definitions"), re.compile(r"^([a-z_]+): ", re.MULTILINE)),
)
"""What commands list: what the entries are, the command, and where their names stand in its output."""

PUBLIC_PACKAGES = ("tokenizer_reference", "tokenizer_adapters", "tokenizer_conformance")
WITHOUT_ALL = ("tokenizer_adapters.contract", "tokenizer_adapters.training", "tokenizer_adapters.protocol.server")
"""Modules that users import from, which list no public names: all are that they define."""

TARGET = re.compile(r"^([a-z][a-z0-9-]*):.*?##", re.MULTILINE)
VARIABLE = re.compile(r"\bTOKCONF_[A-Z_]+\b")


def facts() -> Iterator[str]:
    """Yield every fact, as a line."""
    yield from commands()
    for row in EXIT_STATUSES:
        yield from (f"exit status {row.status}: {conclusion}" for conclusion in row.conclusions)
    yield from _entry_points()
    yield from _public_names()
    for what, command, names in LISTS:
        yield from (f"{what}: {name}" for name in names.findall(_output(command)))
    yield from (f"known change: {change.id}" for change in known_changes().changes)
    yield from _formats()
    yield from (f"make {name}" for name in TARGET.findall((ROOT / "Makefile").read_text("utf-8")))
    sources = [path for name in ("adapters", "conformance") for path in (ROOT / name).rglob("*.py")]
    yield from (f"variable {name}" for path in sources for name in VARIABLE.findall(path.read_text("utf-8")))


def commands(command: click.Command = cli.main, path: str = "tokconf") -> Iterator[str]:
    """Yield what there is of ``command``, which is called by the words ``path``, and of those in it."""
    context = click.Context(command)
    yield f"command {path}"
    for parameter in command.params:
        yield f"{parameter.param_type_name} {path} {_parameter(parameter)}"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            if found is not None:
                yield from commands(found, f"{path} {name}")


def _parameter(parameter: click.Parameter) -> str:
    said = parameter.to_info_dict()
    kind = said["type"]
    words = [
        ", ".join((*parameter.opts, *parameter.secondary_opts)),
        str(kind.get("choices") or kind["param_type"]),
        "required" if parameter.required else "",
        "many" if parameter.multiple or parameter.nargs != 1 else "",
        "flag" if said.get("is_flag") else "",
        ""
        if parameter.default is None or callable(parameter.default) or "UNSET" in repr(parameter.default)
        else f"default {parameter.default!r}",
        "" if said.get("hidden") is not True else "hidden",
    ]
    return "; ".join(filter(None, words))


def _entry_points() -> Iterator[str]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    yield from (f"script {name}" for name in project["scripts"])
    for group, entries in project["entry-points"].items():
        yield from (f"entry point {group}: {name}" for name in entries)
    yield from (f"extra {name}" for name in project["optional-dependencies"])


def _public_names() -> Iterator[str]:
    for package in map(importlib.import_module, PUBLIC_PACKAGES):
        yield from _names_in(package.__name__)
        for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            if package.__name__ != "tokenizer_conformance":
                yield from _names_in(found.name)
    yield from (line for module in WITHOUT_ALL for line in _names_in(module))


def _names_in(module: str) -> Iterator[str]:
    read = importlib.import_module(module)
    own = [name for name, each in vars(read).items() if getattr(each, "__module__", None) == module]
    names = getattr(read, "__all__", own if module in WITHOUT_ALL else [])
    for name in sorted(names):
        if not name.startswith("_"):
            yield f"name {module}.{name}"
            yield from _members(f"{module}.{name}", getattr(read, name))


def _members(name: str, value: object) -> Iterator[str]:
    if inspect.isclass(value) and issubclass(value, object):
        for member in sorted(vars(value)):
            if not member.startswith("_") and callable(getattr(value, member, None)):
                yield f"name {name}.{member}()"


def _output(command: tuple[str, ...]) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
        cli.main.main(args=list(command), prog_name="tokconf")
    return printed.getvalue()


# Formats -------------------------------------------------------------------------------------------------------------


def _formats() -> Iterator[str]:
    for name in (*FORMATS, *OTHERS):
        yield f"schema {name}"
        for each in schema_called(name).get("$defs", {}).values():
            kind = each.get("properties", {}).get("type", {})
            tags = kind.get("enum", [kind["const"]] if "const" in kind else [])
            if len(tags) == 1:
                required = each.get("required", ())
                members = [key if key in required else f"{key}?" for key in sorted(each["properties"])]
                yield f"line of {name}: {tags[0]}: {', '.join(members)}"


def main() -> None:
    """Print or write the facts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help=f"write {WRITTEN.relative_to(ROOT)}")
    text = "".join(f"{line}\n" for line in sorted(set(facts())))
    if parser.parse_args().write:
        WRITTEN.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
