"""Chat templates of a checkpoint for experiments: rendered by the reference, with one rule of renderers changed.

The harness asks implementations for prompts by :class:`~tokenizer_adapters.contract.Chat`; this is for what would be if
a renderer did one thing differently, and for what a template itself says.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2.nodes

from tokenizer_adapters.contract import Failed
from tokenizer_adapters.variants.rendering import rules_with
from tokenizer_reference.chat import (
    CONTRACT,
    ChatTemplate,
    NoChatTemplateError,
    TemplateLimitError,
    TemplateRefusedError,
)
from tokenizer_reference.chat.environment import environment
from tokenizer_reference.chat.template_files import CONFIGURATION, DEFAULT, TEMPLATE
from tokenizer_reference.errors import TokenizerFileError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jinja2.sandbox import ImmutableSandboxedEnvironment

    from tokenizer_adapters.contract import Chat


OF_MACROS = frozenset({"caller", "varargs", "kwargs"})
"""What a macro is given without naming it."""

TEMPLATE_STOPPED = TemplateLimitError.__name__
"""The kind of failure where a template was stopped at a limit."""

ANOTHER_DAY = datetime(2031, 11, 9, 17, 18, 19)  # noqa: DTZ001 - as the reference's own


class UnreadableTemplateError(Exception):
    """A file that has a template, or names its special tokens, cannot be read. The message says where and why."""


@dataclass(frozen=True, slots=True)
class FolderTemplate:
    """A chat template of the checkpoint in ``folder``; ``source`` is the file that it is from."""

    folder: str
    source: str
    template: ChatTemplate

    @property
    def text(self) -> str:
        """The template that is taken where no tools are given."""
        return self.template.chosen(tools_are_given=False, or_first=True)

    @property
    def special_tokens(self) -> Mapping[str, str]:
        """The special tokens that the checkpoint's files give a role, by the role."""
        return self.template.special_tokens

    def render(
        self, messages: Any, tools: Any = None, *, changes: tuple[str, ...] = (), **options: bool
    ) -> str | Failed:
        """Return the prompt, by the rules of the contract but for the ``changes`` of these names, or why there is none.

        ``options`` are ``add_generation_prompt`` and ``continue_final_message``.
        """
        return _rendered(replace(self.template, rules=rules_with(changes)), messages, tools, options)

    def answer(self, chat: Chat, changes: tuple[str, ...] = ()) -> str | Failed:
        """Return the prompt that ``chat`` asks for, as :meth:`render` does."""
        named = replace(self, template=replace(self.template, name=chat.template))
        return named.render(
            json.loads(chat.messages),
            None if chat.tools is None else json.loads(chat.tools),
            changes=changes,
            add_generation_prompt=chat.add_generation_prompt,
            continue_final_message=chat.continue_final_message,
        )

    def rendered_on_another_day(self, messages: Any) -> str | Failed:
        """Return the prompt of ``messages`` on another day than that of all other prompts."""
        return _rendered(replace(self.template, rules=replace(CONTRACT, now=ANOTHER_DAY)), messages, None, {})

    def variables(self) -> frozenset[str]:
        """Return the names of variables that the template reads before it sets them, if it does; empty: no template.

        It is parsed and no more: Jinja's own function for this computes the constants of the template, which may take
        all memory, or for ever.
        """
        try:
            tree = _parser().parse(self.text)
        except (jinja2.TemplateError, RecursionError):
            return frozenset()
        macros = {each.name for each in tree.find_all(jinja2.nodes.Macro)}
        first: dict[str, str] = {}
        for each in tree.find_all(jinja2.nodes.Name):
            first.setdefault(each.name, each.ctx)
        return frozenset(name for name, use in first.items() if use == "load") - macros - OF_MACROS


def folder_templates(folder: str) -> tuple[FolderTemplate, ...]:
    """Return the templates in ``folder``, the one that is taken first; another is what older readers take.

    Raises :class:`UnreadableTemplateError`.
    """
    try:
        return tuple(_templates(Path(folder)))
    except TokenizerFileError as error:
        raise UnreadableTemplateError(str(error)) from error


def _templates(folder: Path) -> Iterator[FolderTemplate]:
    try:
        taken = ChatTemplate.from_folder(folder)
    except NoChatTemplateError:
        return
    has_file = (folder / TEMPLATE).is_file()
    yield FolderTemplate(str(folder), TEMPLATE if has_file else CONFIGURATION, taken)
    older = _in_configuration(folder) if has_file else None
    if older is not None:
        yield FolderTemplate(str(folder), CONFIGURATION, replace(taken, templates={DEFAULT: older}))


def _in_configuration(folder: Path) -> str | None:
    """Return the default template of tokenizer_config.json, which is not taken where there is a file of its own."""
    path = folder / CONFIGURATION
    held = json.loads(path.read_text("utf-8")).get("chat_template") if path.is_file() else None
    if isinstance(held, list):
        held = next((each.get("template") for each in held if each.get("name") == DEFAULT), None)
    return held if isinstance(held, str) else None


def _rendered(template: ChatTemplate, messages: Any, tools: Any, options: Mapping[str, bool]) -> str | Failed:
    try:
        return template.render(messages, tools, **options)
    except TemplateRefusedError as error:
        return Failed(error.kind, error.message)
    except NoChatTemplateError as error:
        return Failed(type(error).__name__, str(error))


@cache
def _parser() -> ImmutableSandboxedEnvironment:
    return environment(CONTRACT)
