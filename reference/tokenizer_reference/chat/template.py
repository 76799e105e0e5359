"""A tokenizer's chat template, with the special tokens that it names: conversations in, prompts out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_reference.chat.errors import NoChatTemplateError
from tokenizer_reference.chat.rendering import Conversation
from tokenizer_reference.chat.rules import CONTRACT, RenderingRules
from tokenizer_reference.chat.sandbox import Sandbox, shared_sandbox
from tokenizer_reference.chat.template_files import DEFAULT, TOOL_USE, special_tokens_of, templates_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike


@dataclass(frozen=True, slots=True)
class ChatTemplate:
    """The ``templates`` of a tokenizer by name, and its ``special_tokens`` by role.

    ``name`` is the one to take; ``None`` takes :data:`TOOL_USE` where tools are given and there is one, else the
    default. What is rendered is rendered in a ``sandbox``, by ``rules``.

    >>> template = ChatTemplate({"default": "{% for m in messages %}{{ m.content }}{{ eos_token }}{% endfor %}"},
    ...                         {"eos_token": "</s>"})
    >>> template.render([{"role": "user", "content": "Hi"}])
    'Hi</s>'
    """

    templates: Mapping[str, str]
    special_tokens: Mapping[str, str]
    name: str | None = None
    rules: RenderingRules = CONTRACT
    sandbox: Sandbox | None = None

    @classmethod
    def from_folder(cls, folder: str | PathLike[str], name: str | None = None) -> ChatTemplate:
        """Read the templates in ``folder``, the one with tokenizer.json.

        Raises :class:`NoChatTemplateError` where there is none, or none called ``name``, and
        :class:`TokenizerFileError` where a file cannot be read.
        """
        found = cls(templates_of(Path(folder)), special_tokens_of(Path(folder)), name)
        found.chosen(tools_are_given=False, or_first=True)
        return found

    def chosen(self, *, tools_are_given: bool, or_first: bool = False) -> str:
        """Return the template to take; ``or_first``: any, where none is named and there is no default.

        Raises :class:`NoChatTemplateError`.
        """
        names = [self.name] if self.name is not None else [DEFAULT]
        if self.name is None and tools_are_given and self.rules.takes_tool_use:
            names.insert(0, TOOL_USE)
        found = next((self.templates[name] for name in names if name in self.templates), None)
        if found is None and or_first and self.name is None:
            found = next(iter(self.templates.values()), None)
        if found is None:
            raise NoChatTemplateError(self._lack())
        return found

    def _lack(self) -> str:
        if not self.templates:
            return "this tokenizer has no chat template"
        known = ", ".join(sorted(self.templates))
        wanted = "is the default one" if self.name is None else f"is called {self.name!r}"
        return f"none of the chat templates of this tokenizer {wanted}; there are: {known}"

    def render(
        self,
        messages: Any,
        tools: Any = None,
        *,
        add_generation_prompt: bool = False,
        continue_final_message: bool = False,
        **more: Any,
    ) -> str:
        """Return the prompt that ``messages`` and ``tools`` make; ``more`` are further variables of the template.

        Raises :class:`TemplateRefusedError`, :class:`TemplateLimitError` and :class:`NoChatTemplateError`.
        """
        conversation = Conversation(
            messages=messages,
            tools=tools,
            add_generation_prompt=add_generation_prompt,
            continue_final_message=continue_final_message,
            variables={**self.special_tokens, **more},
        )
        template = self.chosen(tools_are_given=tools is not None)
        return (self.sandbox or shared_sandbox()).render(template, conversation, self.rules)
