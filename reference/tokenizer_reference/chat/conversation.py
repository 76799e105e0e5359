"""What is done with a conversation before a template sees it, and with the text afterwards.

The final message is continued by a mark: it is put behind its text, and the prompt ends where the mark is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_reference.chat.errors import TemplateRefusedError

if TYPE_CHECKING:
    from tokenizer_reference.chat.rules import RenderingRules

Json = dict[str, Any]

MARK = "CONTINUE_FINAL_MESSAGE_TAG "
"""What the final message ends with where it is to be continued; a template that strips content loses the space.

It can be seen: only where it comes last is it taken out (observed, transformers 5.23).
"""

REASONING = ("reasoning_content", "thinking", "reasoning")
"""What messages call their reasoning; the first of these that a message has is taken."""


def prepared(messages: Any, rules: RenderingRules) -> list[Json]:
    """Return ``messages`` as a template is given them.

    Raises :class:`TemplateRefusedError` where they are no messages.
    """
    if not isinstance(messages, list) or not (messages or rules.takes_no_messages):
        raise TemplateRefusedError("ValueError", "a conversation is a list of messages, and has at least one")
    for number, message in enumerate(messages):
        if rules.checks_messages and not isinstance(message, dict):
            raise TemplateRefusedError("TypeError", f"messages[{number}]: a message is an object")
    return [_prepared(message, rules) if isinstance(message, dict) else message for message in _given(messages, rules)]


def _given(value: Any, rules: RenderingRules) -> Any:
    """Return ``value``, which was read from JSON, with numbers as the renderer has them."""
    return _whole(value) if rules.whole_numbers else value


def _whole(value: Any) -> Any:
    match value:
        case dict():
            return {name: _whole(each) for name, each in value.items()}
        case list():
            return [_whole(each) for each in value]
        case float() if value.is_integer():
            return int(value)
    return value


def _prepared(message: Json, rules: RenderingRules) -> Json:
    if rules.drops_null_members:
        message = {name: value for name, value in message.items() if value is not None}
    if rules.names_reasoning:
        message = _with_reasoning(message)
    if rules.joins_parts is not None and isinstance(message.get("content"), list):
        message = {**message, "content": rules.joins_parts.join(_text_of(part) for part in message["content"])}
    if rules.strips_content and isinstance(message.get("content"), str):
        message = {**message, "content": message["content"].strip()}
    return message


def _with_reasoning(message: Json) -> Json:
    reasoning = next((message[name] for name in REASONING if message.get(name) is not None), None)
    return message if reasoning is None else {"thinking": reasoning, **message, "reasoning_content": reasoning}


def _text_of(part: Any) -> str:
    return str(part.get("text", "")) if isinstance(part, dict) else str(part)


def prepared_tools(tools: Any, rules: RenderingRules) -> list[Json] | None:
    """Return ``tools`` as a template is given them. Raises :class:`TemplateRefusedError` where one is no object."""
    if tools is None or (rules.empty_tools_are_none and not tools):
        return None
    if not isinstance(tools, list) or not all(isinstance(tool, dict) for tool in tools):
        raise TemplateRefusedError("ValueError", "tools are a list of objects")
    return [_given(tool, rules) for tool in tools]


# The final message ---------------------------------------------------------------------------------------------------


def opened(messages: list[Json], template: str) -> tuple[list[Json], str]:
    """Return ``messages`` with a mark behind the text of the last one, and that text.

    Raises :class:`TemplateRefusedError` where there is no text, or the ``template`` never reads content.
    """
    *earlier, last = messages
    content = last.get("content") if isinstance(last, dict) else None
    if content is None:
        raise TemplateRefusedError("ValueError", "the final message has no content to continue")
    if "content" not in template:
        raise TemplateRefusedError("ValueError", "the template does not read the content of messages")
    if isinstance(content, list):
        parts, text = _opened_parts(content)
        return [*earlier, {**last, "content": parts}], text
    if not isinstance(content, str):
        raise TemplateRefusedError("TypeError", "the content of the final message is no text")
    return [*earlier, {**last, "content": content + MARK}], content


def _opened_parts(parts: list[Any]) -> tuple[list[Any], str]:
    """Return ``parts`` with the mark behind the last text, and that text."""
    for place in range(len(parts) - 1, -1, -1):
        part = parts[place]
        if not isinstance(part, dict | str):
            raise TemplateRefusedError("TypeError", f"part {place} of the final message is no object")
        if "text" in part:
            if not isinstance(part, dict) or not isinstance(part["text"], str):
                raise TemplateRefusedError("TypeError", f"part {place} of the final message has no text to continue")
            return [*parts[:place], {**part, "text": part["text"] + MARK}, *parts[place + 1 :]], part["text"]
    raise TemplateRefusedError("ValueError", "the final message has no part with a text to continue")


def left_open(rendered: str, text: str) -> str:
    """Return ``rendered`` up to the mark, which is behind ``text``.

    Raises :class:`TemplateRefusedError` where either is not there.

    >>> left_open("<a>Hi " + MARK + "</a>", "Hi "), left_open("<a>Hi " + MARK.strip() + "</a>", "Hi ")
    ('<a>Hi ', '<a>Hi')
    """
    place = rendered.rfind(MARK.strip())
    if place < 0 or text.strip() not in rendered:
        raise TemplateRefusedError("ValueError", "the final message is not in the text that the template makes")
    before = rendered[:place]
    return before if rendered.startswith(MARK, place) else before.rstrip()
