"""What adapters of renderers share: a conversation read from JSON, and the refusals that have one wording.

Every renderer is told one time (:data:`NOW`), so that no answer depends on the day it was asked for.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Unsupported

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Chat, TokenizerSource

NOW = datetime(2025, 2, 3, 4, 5, 6)  # noqa: DTZ001 - templates see a local time
"""The time that templates are told."""

NO_TEMPLATE = Unsupported("this tokenizer has no chat template")


def no_such_template(name: str) -> Unsupported:
    """Return the answer where no template has the ``name`` that was asked for."""
    return Unsupported(f"this tokenizer has no chat template called {name!r}")


def messages_of(chat: Chat) -> list[Any]:
    """Return the messages of ``chat``. Raises an error where they are no JSON array of one conversation."""
    messages = _read(chat.messages, "messages")
    if messages and isinstance(messages[0], list):
        raise ValueError("messages[0]: a message is no array; libraries take this for several conversations")
    return messages


def tools_of(chat: Chat) -> list[Any] | None:
    """Return the tools of ``chat``, ``None`` without any. Raises an error where they are no JSON array."""
    return None if chat.tools is None else _read(chat.tools, "tools")


def _read(text: str, what: str) -> list[Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{what}: this is no JSON: {error}") from None
    if not isinstance(found, list):
        raise TypeError(f"{what}: expected a JSON array")
    return found


def folder_of(source: TokenizerSource) -> Path:
    """Return the folder that the templates of ``source`` stand in."""
    return Path(source.file).parent if source.folder is None else Path(source.folder)
