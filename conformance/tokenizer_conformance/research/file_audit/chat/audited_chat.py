"""A chat template that is looked into: its prompts for conversations, and the ids of these."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Failed
from tokenizer_adapters.variants.chat_templates import TEMPLATE_STOPPED
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.inputs.conversations.conversation import json_text
from tokenizer_conformance.research.file_audit.finding import Witness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.variants.chat_templates import FolderTemplate
    from tokenizer_conformance.research.file_audit.audited import AuditedFile

Message = dict[str, Any]

RENDERINGS = 8
"""How often one conversation is rendered to see that its prompt is always the same."""

SHOWN = 48
"""How many characters of a prompt are shown before and after a place."""


def user(content: Any) -> Message:
    """Return a message of the user."""
    return {"role": "user", "content": content}


def answer(content: Any, **others: Any) -> Message:
    """Return a message of the model."""
    return {"role": "assistant", "content": content, **others}


def system(content: str) -> Message:
    """Return a system message."""
    return {"role": "system", "content": content}


QUESTION, ANSWER, NEXT = "How far is Quito?", "About nine hours.", "Then let us walk."
"""What is said in turn; no template has it in its own words."""

TOOL: Message = {
    "type": "function",
    "function": {
        "name": "measure_distance",
        "description": "Measures a distance.",
        "parameters": {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]},
    },
}
PLACE = "Tierra Nueva"
"""What the call of the tool is about; no other message has it."""

CALL = answer(
    "",
    tool_calls=[
        {
            "type": "function",
            "id": "call00001",
            "function": {"name": "measure_distance", "arguments": {"place": PLACE}},
        }
    ],
)
RESULT: Message = {
    "role": "tool",
    "name": "measure_distance",
    "tool_call_id": "call00001",
    "content": "nine thousand miles",
}


@dataclass(frozen=True, slots=True)
class Prompt:
    """A conversation that was put through the template, and its ``text``; ``refusal`` is there where it has none."""

    messages: tuple[Message, ...]
    tools: tuple[Message, ...] | None
    options: tuple[str, ...]
    text: str = ""
    refusal: Failed | None = None

    @property
    def refused(self) -> str:
        """Why it has none, in words."""
        return "" if self.refusal is None else f"{self.refusal.kind}: {quoted(self.refusal.message)}"

    @property
    def stated(self) -> str:
        """The conversation with its options, as JSON."""
        tools = {} if self.tools is None else {"tools": self.tools}
        return json_text({"messages": self.messages, **tools, **dict.fromkeys(self.options, True)})

    def witness(self, result: str) -> Witness:
        """Return what shows a finding: this conversation, and the ``result`` in words."""
        return Witness(result, conversation=self.stated)

    def near(self, place: int) -> str:
        """Return the prompt around ``place``, quoted."""
        return around(self.text, place)


def _not_stopped(prompt: Prompt) -> Prompt:
    if prompt.refusal is not None and prompt.refusal.kind == TEMPLATE_STOPPED:
        raise StoppedTemplateError(prompt)
    return prompt


def around(text: str, place: int) -> str:
    """Return ``text`` around ``place``, quoted; what is left out is an ellipsis.

    >>> around("abc", 1)
    '"abc"'
    """
    start, end = max(0, place - SHOWN), min(len(text), place + SHOWN)
    return f"{'…' if start else ''}{quoted(text[start:end])}{'…' if end < len(text) else ''}"


def common_length(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike.

    >>> common_length("abc", "abd")
    2
    """
    same = (at for at, (first, second) in enumerate(zip(one, other, strict=False)) if first != second)
    return next(same, min(len(one), len(other)))


def forms_of(text: str) -> tuple[str, ...]:
    r"""Return how a template may write ``text`` without a loss: as it is, and as in JSON.

    >>> forms_of("a\n")
    ('a\n', 'a\\n', 'a\\n')
    """
    return text, json_text(text)[1:-1], json.dumps(text)[1:-1]


class StoppedTemplateError(Exception):
    """The template was stopped at a limit of time, memory or length; ``prompt`` is the one that it has not given."""

    def __init__(self, prompt: Prompt) -> None:
        super().__init__("" if prompt.refusal is None else prompt.refusal.message)
        self.prompt = prompt


class AuditedChat:
    """The ``template`` of the checkpoint of ``file``."""

    def __init__(self, file: AuditedFile, template: FolderTemplate) -> None:
        self.file = file.unlimited
        self.template = template
        self._prompts: dict[tuple[str, tuple[str, ...]], Prompt] = {}

    def prompt(
        self,
        *messages: Message,
        tools: Sequence[Message] | None = None,
        changes: tuple[str, ...] = (),
        **options: bool,
    ) -> Prompt:
        """Return what the template makes of ``messages``; ``options`` are those of the contract.

        ``changes`` name what the renderer does differently. Raises :class:`StoppedTemplateError`.
        """
        given = None if tools is None else list(tools)
        wanted = tuple(name for name, value in options.items() if value)
        prompt = Prompt(messages, None if given is None else tuple(given), wanted)
        key = (prompt.stated, changes)
        if key not in self._prompts:
            told = self.template.render(list(messages), given, changes=changes, **options)
            found = replace(prompt, refusal=told) if isinstance(told, Failed) else replace(prompt, text=told)
            self._prompts[key] = found
        return _not_stopped(self._prompts[key])

    def text(self, *messages: Message, tools: Sequence[Message] | None = None, **options: bool) -> str | None:
        """Return the prompt of ``messages``, ``None`` where the template refuses them."""
        prompt = self.prompt(*messages, tools=tools, changes=(), **options)
        return prompt.text if prompt.refusal is None else None

    def asking(self, *messages: Message, tools: Sequence[Message] | None = None) -> str | None:
        """Return the prompt of ``messages`` that has the model answer, ``None`` where the template refuses them."""
        return self.text(*messages, tools=tools, add_generation_prompt=True)

    @cached_property
    def is_random(self) -> bool:
        """Whether the template writes one conversation in more than one way."""
        return len({str(self.template.render([user(QUESTION)])) for _ in range(RENDERINGS)}) > 1

    @cached_property
    def control_tokens(self) -> dict[int, str]:
        """The added tokens, by their ids; a text that has one of them gets its id."""
        rows = self.file.parts.added_tokens
        return {each["id"]: str(each["content"]) for each in rows if isinstance(each.get("id"), int)}

    @cached_property
    def special_ids(self) -> frozenset[int]:
        """The ids of those that are special."""
        return frozenset(each["id"] for each in self.file.parts.added_tokens if each.get("special"))

    def ids(self, text: str, *, add_special_tokens: bool = False) -> tuple[int, ...] | None:
        """Return the ids that the baseline makes of ``text``, ``None`` where it makes none."""
        encoded = self.file.encoded(text, add_special_tokens=add_special_tokens)
        return None if encoded is None else encoded.ids

    def controls_in(self, text: str) -> list[str]:
        """Return the added tokens in ``text``, in their order, as the baseline finds them."""
        return [self.control_tokens[each] for each in self.ids(text) or () if each in self.control_tokens]

    def token(self, role: str) -> str | None:
        """Return the special token that the checkpoint's files give the ``role``, such as ``bos_token``."""
        return self.template.special_tokens.get(role)
