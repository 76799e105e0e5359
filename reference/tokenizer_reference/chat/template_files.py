"""Where a tokenizer's chat templates stand, and the special tokens that they name.

A file ``chat_template.jinja`` beside tokenizer.json, and further ones in ``additional_chat_templates``; without any of
them, ``chat_template`` of tokenizer_config.json: a text, or a list of names and templates.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tokenizer_reference.errors import TokenizerFileError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DEFAULT = "default"
"""The template that is taken where none is named."""

TOOL_USE = "tool_use"
"""The template that is taken where tools are given."""

TEMPLATE = "chat_template.jinja"
FURTHER = "additional_chat_templates"
CONFIGURATION = "tokenizer_config.json"
SPECIAL_TOKENS = "special_tokens_map.json"

ROLE = "_token"
"""What the name of a member ends with that gives a token its role, as ``bos_token`` and ``image_token``."""

FURTHER_TOKENS = ("extra_special_tokens", "model_specific_special_tokens")
"""The members that hold an object of such members."""

DECIDES = "added_tokens_decoder"
"""Where a configuration has this member, it alone is read; else special_tokens_map.json overrides it (observed)."""


def templates_of(folder: Path) -> dict[str, str]:
    """Return the templates in ``folder``, by name; a single one without a name is :data:`DEFAULT`.

    Raises :class:`TokenizerFileError` where one cannot be read.
    """
    return dict(_in_files(folder)) or dict(_in_configuration(folder))


def _in_files(folder: Path) -> Iterator[tuple[str, str]]:
    if (folder / TEMPLATE).is_file():
        yield DEFAULT, _text(folder / TEMPLATE)
    for path in sorted((folder / FURTHER).glob("*.jinja")):
        yield path.stem, _text(path)


def _in_configuration(folder: Path) -> Iterator[tuple[str, str]]:
    held = _object(folder / CONFIGURATION).get("chat_template")
    if isinstance(held, str):
        yield DEFAULT, held
    for place, each in enumerate(held if isinstance(held, list) else ()):
        if not isinstance(each, dict) or not all(isinstance(each.get(name), str) for name in ("name", "template")):
            path = f"{folder / CONFIGURATION}: $.chat_template[{place}]"
            raise TokenizerFileError(path, 'expected an object with the strings "name" and "template"')
        yield each["name"], each["template"]


def special_tokens_of(folder: Path) -> dict[str, str]:
    """Return the special tokens that the files in ``folder`` give a role, by the role.

    Raises :class:`TokenizerFileError` where a file cannot be read.
    """
    held = _object(folder / CONFIGURATION)
    if DECIDES not in held:
        held = {**held, **_object(folder / SPECIAL_TOKENS)}
    further = [each for name in FURTHER_TOKENS if isinstance(each := held.get(name), dict)]
    members = {name: token for each in (held, *further) for name, token in each.items() if name.endswith(ROLE)}
    tokens = {role: _content(token) for role, token in members.items()}
    return {role: token for role, token in tokens.items() if token is not None}


def _content(token: Any) -> str | None:
    """Return the text of a token, which stands there by itself or in an object."""
    found = token.get("content") if isinstance(token, dict) else token
    return found if isinstance(found, str) else None


def _object(path: Path) -> dict[str, Any]:
    """Return the JSON object in the file ``path``; an empty one where there is no such file."""
    if not path.is_file():
        return {}
    try:
        found = json.loads(_text(path))
    except (ValueError, RecursionError) as error:
        raise TokenizerFileError(str(path), f"this is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise TokenizerFileError(str(path), "expected a JSON object")
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TokenizerFileError(str(path), f"cannot be read: {error}") from None
