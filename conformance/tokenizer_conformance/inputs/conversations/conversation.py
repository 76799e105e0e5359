"""A conversation: messages, and the tools that go with them, as JSON; and the questions that it is asked as.

Members keep their order, and values their types: templates see both.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Chat
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.inputs.asked import AskedInput
from tokenizer_conformance.inputs.text import lone_surrogate

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Conversation:
    """``messages`` in their order, and ``tools``; ``None`` where none are given, which an empty list is not.

    Who has one changes none of its values.
    """

    messages: tuple[Any, ...]
    tools: tuple[Any, ...] | None = None

    def questions(self) -> Iterator[Chat]:
        """Yield what is asked: as it is, with a generation prompt, and continued where an answer is last."""
        messages, tools = json_text(self.messages), None if self.tools is None else json_text(self.tools)
        yield Chat(messages, tools)
        yield Chat(messages, tools, add_generation_prompt=True)
        last = self.messages[-1] if self.messages else None
        if isinstance(last, dict) and last.get("role") == "assistant":
            yield Chat(messages, tools, continue_final_message=True)

    def text(self) -> str:
        """Return the conversation as a line of JSON."""
        return json_text({"messages": self.messages} | ({} if self.tools is None else {"tools": self.tools}))


def json_text(value: object) -> str:
    """Return ``value`` as JSON on one line, its members in their order.

    >>> json_text({"role": "user", "content": "é"})
    '{"role": "user", "content": "é"}'
    """
    return json.dumps(value, ensure_ascii=False)


def input_of(id: str, category: str, conversation: Conversation) -> AskedInput:
    """Return the input that stands for ``conversation``. Raises :class:`BadInputError` for a lone surrogate."""
    return AskedInput(id, category, conversation.text(), tuple(conversation.questions()))


# Shown ----------------------------------------------------------------------------------------------------------------


class JsonText(str):
    """JSON, which is shown as it stands: a text of a message is quoted."""

    __slots__ = ()


def spoken(messages: object, **others: object) -> Iterator[tuple[str, str]]:
    """Yield who says what in ``messages``, and their further members and ``others`` as JSON, each with a safe label.

    >>> list(spoken([{"role": "user", "content": "Hi", "name": "Ada"}], tools=[]))
    [('user', 'Hi'), ('name', '"Ada"'), ('tools', '[]')]
    """
    if not isinstance(messages, list) or not all(isinstance(each, dict) for each in messages):
        yield "messages", JsonText(json_text(messages))
        messages = []
    for message in messages:
        content, label = message.get("content"), one_line(str(message.get("role", "no role")), LONGEST_ROLE)
        if "content" in message:
            yield label, content if isinstance(content, str) else JsonText(json_text(content))
        else:
            yield f"{label}, without content", ""
        yield from _members({name: message[name] for name in message if name not in PLAIN})
    yield from _members(others)


PLAIN = frozenset({"role", "content"})
"""The members of a message that every one has."""

LONGEST_ROLE = 30


def _members(members: Json | dict[str, object]) -> Iterator[tuple[str, str]]:
    return ((one_line(name, LONGEST_ROLE), JsonText(json_text(value))) for name, value in members.items())


def spoken_in(chat: Chat) -> Iterator[tuple[str, str]]:
    """Yield what ``chat`` is about, as :func:`spoken` does; what is no JSON, as it stands."""
    try:
        others = {} if chat.tools is None else {"tools": json.loads(chat.tools)}
        return spoken(json.loads(chat.messages), **others)
    except ValueError:
        return iter([("messages", chat.messages), ("tools", chat.tools or "")])


# Read -----------------------------------------------------------------------------------------------------------------


class NoConversationError(ValueError):
    """A value that is no conversation; the message says what it has in its place."""


ROLES = {"human": "user", "gpt": "assistant", "system": "system", "user": "user", "assistant": "assistant"}
"""The roles that ``from`` names in ShareGPT's form; any other stays as it is."""


def conversation_in(value: object) -> Conversation:
    """Return the conversation that ``value`` states, in one of the usual forms.

    An object with ``messages`` (and ``tools``), the messages alone, or ShareGPT's ``conversations``. What messages hold
    is left to templates. Raises :class:`NoConversationError`.

    >>> conversation_in({"conversations": [{"from": "human", "value": "Hi"}]}).messages
    ({'role': 'user', 'content': 'Hi'},)
    """
    if lone_surrogate(json_text(value)) is not None:
        raise NoConversationError("it has a lone surrogate, which is no text")
    match value:
        case list():
            return Conversation(_messages(value, "it"))
        case {"messages": messages, **others}:
            return Conversation(_messages(messages, "'messages'"), _tools(others.get("tools")))
        case {"conversations": turns, **others}:
            turns = _messages(turns, "'conversations'")
            opening = [{"role": "system", "content": others["system"]}] if isinstance(others.get("system"), str) else []
            return Conversation((*opening, *map(_of_share_gpt, turns)), _tools(others.get("tools")))
    raise NoConversationError("it has no 'messages' and no 'conversations', and is no array of messages")


def _messages(value: object, name: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise NoConversationError(f"{name} is no array of messages")
    for number, message in enumerate(value):
        if not isinstance(message, dict):
            raise NoConversationError(f"message {number} is no object, such as {{'role': 'user', 'content': 'Hi'}}")
    return tuple(value)


def _of_share_gpt(turn: Json) -> Json:
    if "from" not in turn:
        return turn
    role, others = turn["from"], {name: each for name, each in turn.items() if name not in {"from", "value"}}
    return {"role": ROLES.get(role, role) if isinstance(role, str) else role, "content": turn.get("value"), **others}


def _tools(value: object) -> tuple[Any, ...] | None:
    """Return the tools, which some files have as JSON inside a string."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError as error:
            raise NoConversationError("'tools' is a string that is no JSON") from error
    if value is None:
        return None
    if not isinstance(value, list):
        raise NoConversationError("'tools' is no array")
    return tuple(value)
