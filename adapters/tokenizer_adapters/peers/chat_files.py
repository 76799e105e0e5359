"""The chat templates and special tokens of a model's folder, for engines that only render: they are given both.

Special tokens are those that engines pass on: ``bos_token``, ``eos_token`` and their like.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.chat import NO_TEMPLATE, folder_of, no_such_template

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_adapters.contract import Chat, TokenizerSource, Unsupported

ROLES = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")


@dataclass(frozen=True, slots=True)
class ChatFiles:
    """The ``templates`` of a folder by name, its special ``tokens`` by role, and the paths of the ``files``."""

    templates: dict[str, str]
    tokens: dict[str, str]
    files: tuple[str, ...]

    def chosen(self, chat: Chat) -> str | Unsupported:
        """Return the template that ``chat`` names; without a name, the one for tools where it has some, or the default.

        So engines choose, following ``transformers``.
        """
        if not self.templates:
            return NO_TEMPLATE
        if chat.template is not None:
            return self.templates.get(chat.template) or no_such_template(chat.template)
        wanted = ("tool_use", "default") if chat.tools is not None else ("default",)
        return next((self.templates[name] for name in wanted if name in self.templates), None) or no_such_template(
            "default"
        )


def chat_files(source: TokenizerSource) -> ChatFiles:
    """Return the templates and tokens in the folder of ``source``; errors of files and of JSON are raised."""
    folder = folder_of(source)
    configuration = folder / "tokenizer_config.json"
    held: dict[str, Any] = json.loads(configuration.read_text(encoding="utf-8")) if configuration.is_file() else {}
    paths = _template_files(folder)
    templates = {name: path.read_text(encoding="utf-8") for name, path in paths.items()}
    tokens = {role: token for role in ROLES if (token := _content(held.get(role))) is not None}
    used = (*paths.values(), configuration)
    return ChatFiles(templates or _configured(held.get("chat_template")), tokens, tuple(map(str, used)))


def _template_files(folder: Path) -> dict[str, Path]:
    single, further = folder / "chat_template.jinja", sorted((folder / "additional_chat_templates").glob("*.jinja"))
    return {**({"default": single} if single.is_file() else {}), **{path.stem: path for path in further}}


def _configured(held: Any) -> dict[str, str]:
    if isinstance(held, str):
        return {"default": held}
    return {each["name"]: each["template"] for each in held or ()}


def _content(token: Any) -> str | None:
    found = token.get("content") if isinstance(token, dict) else token
    return found if isinstance(found, str) else None
