"""Where packages come from: what the user has set for pip, and the same for uv, where nothing is set for uv itself.

uv reads none of pip's files and variables. Were it to ask the public registry where pip has been told to ask another,
it would install what the user has not chosen to trust; so it is told what pip was told.
"""

from __future__ import annotations

import ast
import os
import shlex
from typing import TYPE_CHECKING

from tokenizer_adapters.environments.commands import carried_out

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

SECONDS = 60.0

NEITHER = ("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_USER", "PIP_CONSTRAINT", "PIP_REQUIREMENT", "PYTHONPATH")
"""What the user has set for other installations, and has no business in these: neither their place nor versions."""

_SOURCES_OF_UV = frozenset(
    {
        "UV_DEFAULT_INDEX",
        "UV_INDEX",
        "UV_INDEX_URL",
        "UV_EXTRA_INDEX_URL",
        "UV_FIND_LINKS",
        "UV_NO_INDEX",
        "UV_CONFIG_FILE",
    }
)
"""Variables of uv that say where packages come from."""

_OPTIONS: dict[str, str] = {
    "index-url": "--default-index",
    "extra-index-url": "--index",
    "find-links": "--find-links",
    "trusted-host": "--allow-insecure-host",
}
"""Settings of pip that may have several values, separated by blanks, and the options of uv that say the same."""


def is_offline() -> bool:
    """Return whether the user's settings keep installers from asking any registry."""
    return any(
        os.environ.get(name, "").strip().lower() in {"1", "true", "yes", "on", "y", "t"}
        for name in ("PIP_NO_INDEX", "UV_OFFLINE", "UV_NO_INDEX")
    )


def pip_settings(python: Sequence[str]) -> dict[str, str]:
    """Return the settings of the pip that the words ``python`` run: from its files and variables, global ones first.

    None, where there is no pip.
    """
    done = carried_out([*python, "-m", "pip", "config", "list"], SECONDS)
    return settings_in(done.output.splitlines()) if done.status == 0 else {}


def settings_in(lines: Iterable[str]) -> dict[str, str]:
    """Return the settings in ``lines`` of ``pip config list``; those of an environment go before those of a file.

    >>> settings_in(["global.find-links='/a b'", ":env:.find-links='/c'", "install.no-index='1'", "download.x='1'"])
    {'find-links': '/c', 'no-index': '1'}
    """
    # What comes later goes before what comes first.
    found: dict[str, dict[str, str]] = {"global": {}, "install": {}, ":env:": {}}
    for line in lines:
        key, equals, value = line.partition("=")
        section, _, name = key.strip().rpartition(".")
        if not equals or section not in found:
            continue
        try:
            found[section][name] = str(ast.literal_eval(value.strip()))
        except (ValueError, SyntaxError):
            continue
    return {name: value for section in found.values() for name, value in section.items()}


def options_for_uv(settings: Mapping[str, str], environment: Mapping[str, str]) -> list[str]:
    """Return the options that tell uv what ``settings`` of pip say, unless uv's own variables say something.

    >>> options_for_uv({"extra-index-url": "a b", "no-index": "1"}, {})
    ['--index-strategy', 'unsafe-best-match', '--index', 'a', '--index', 'b', '--no-index']
    >>> options_for_uv({"index-url": "a"}, {"UV_INDEX": "b"})
    []
    """
    if any(environment.get(name) for name in _SOURCES_OF_UV):
        return []
    options = [
        word
        for name, option in _OPTIONS.items()
        for value in _values(settings.get(name, ""))
        for word in (option, value)
    ]
    if settings.get("no-index", "").lower() in {"1", "true", "yes", "on"}:
        options.append("--no-index")
    # pip takes the best file of all registries; uv, unless told so, of the first that has the package.
    return ["--index-strategy", "unsafe-best-match", *options] if options else []


def variables_for_uv(settings: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that give uv the certificates of pip, unless it has been given some."""
    certificate = settings.get("cert")
    return {} if not certificate or environment.get("SSL_CERT_FILE") else {"SSL_CERT_FILE": certificate}


def _values(text: str) -> list[str]:
    return shlex.split(text, posix=os.name == "posix") if "'" in text or '"' in text else text.split()
