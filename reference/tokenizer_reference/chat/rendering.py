"""A conversation through one template, in this very process: without limits, so only for templates that are trusted.

``sandbox`` asks a process of its own to do it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tokenizer_reference.chat.conversation import left_open, opened, prepared, prepared_tools
from tokenizer_reference.chat.environment import environment
from tokenizer_reference.chat.errors import TemplateRefusedError
from tokenizer_reference.chat.rules import CONTRACT, RenderingRules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Template


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """What a template is asked to render: ``messages`` and ``tools`` are JSON, ``variables`` what else it may name.

    ``add_generation_prompt`` ends the prompt where an answer begins, ``continue_final_message`` in the last message.
    """

    messages: Any
    tools: Any = None
    add_generation_prompt: bool = False
    continue_final_message: bool = False
    variables: Mapping[str, Any] = field(default_factory=dict)


def rendered(template: str, conversation: Conversation, rules: RenderingRules = CONTRACT) -> str:
    """Return the text that ``template`` makes of ``conversation``.

    Raises :class:`TemplateRefusedError` for what refuses it: the template, Jinja, or the messages.

    >>> rendered("{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}",
    ...          Conversation(messages=[{"role": "user", "content": "Hi"}]))
    '<user>Hi'
    """
    try:
        return _rendered(template, conversation, rules)
    except (TemplateRefusedError, MemoryError):
        raise
    except Exception as error:  # whatever a template runs into
        raise TemplateRefusedError(type(error).__name__, str(error)) from error


def _rendered(template: str, asked: Conversation, rules: RenderingRules) -> str:
    if asked.continue_final_message and asked.add_generation_prompt:
        raise TemplateRefusedError("ValueError", "a final message is continued, or an answer begins: not both")
    messages, text = prepared(asked.messages, rules), ""
    tools = prepared_tools(asked.tools, rules)
    if asked.continue_final_message:
        messages, text = opened(messages, template)
    prompt = compiled(template, rules).render(
        {
            "documents": None,
            **asked.variables,
            "messages": messages,
            "tools": tools,
            "add_generation_prompt": asked.add_generation_prompt,
        }
    )
    return left_open(prompt, text) if asked.continue_final_message else prompt


@lru_cache(maxsize=64)
def compiled(template: str, rules: RenderingRules) -> Template:
    """Return ``template``, read by ``rules``. Raises what Jinja raises."""
    return environment(rules).from_string(template)
