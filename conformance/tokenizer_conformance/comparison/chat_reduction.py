"""Making a conversation shorter while it shows the same: messages, tools and members left out, contents shortened."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.comparison.reduction import shortest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import Chat


def simpler_chats(chat: Chat) -> Iterator[Chat]:
    """Yield ``chat`` with one option less."""
    if chat.tools is not None:
        yield replace(chat, tools=None)
    if chat.add_generation_prompt:
        yield replace(chat, add_generation_prompt=False)
    if chat.continue_final_message:
        yield replace(chat, continue_final_message=False)


def shorten_chat(chat: Chat, ask: Callable[[Chat], bool]) -> None:
    """Ask about fewer messages and tools, then about less in each; ``ask`` keeps what shows the same."""
    messages = json.loads(chat.messages)
    if not isinstance(messages, list):
        return
    messages = shortest(messages, lambda some: ask(_with(chat, some)))
    for place in range(len(messages)):
        for smaller in (_of_the_user, _without_members, _shorter_texts):
            messages = smaller(messages, place, lambda some: ask(_with(chat, some)))
    chat = _with(chat, messages)
    tools = None if chat.tools is None else json.loads(chat.tools)
    if isinstance(tools, list):
        shortest(tools, lambda some: ask(replace(chat, tools=_text(some))))


def _with(chat: Chat, messages: list[Any]) -> Chat:
    return replace(chat, messages=_text(messages))


def _text(value: list[Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


USUAL = frozenset({"user", "assistant", "system", "tool"})


def _of_the_user(messages: list[Any], place: int, is_enough: Callable[[list[Any]], bool]) -> list[Any]:
    """Return ``messages`` with the one at ``place`` from the user, where an unusual role does not matter."""
    message = messages[place]
    if not isinstance(message, dict) or message.get("role") in USUAL:
        return messages
    candidate = [*messages[:place], {**message, "role": "user"}, *messages[place + 1 :]]
    return candidate if is_enough(candidate) else messages


def _without_members(messages: list[Any], place: int, is_enough: Callable[[list[Any]], bool]) -> list[Any]:
    """Return ``messages`` with fewer members in the one at ``place``; its role stays, for who speaks is plain then."""
    for name in list(messages[place]) if isinstance(messages[place], dict) else ():
        less = {key: value for key, value in messages[place].items() if key != name}
        candidate = [*messages[:place], less, *messages[place + 1 :]]
        if name != "role" and is_enough(candidate):
            messages = candidate
    return messages


def _shorter_texts(messages: list[Any], place: int, is_enough: Callable[[list[Any]], bool]) -> list[Any]:
    """Return ``messages`` with a shorter content in the one at ``place``, where that is a text, or fewer parts."""
    message = messages[place]
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, str | list):
        return messages

    def put(some: Any) -> list[Any]:
        return [*messages[:place], {**message, "content": some}, *messages[place + 1 :]]

    found = shortest(content, lambda some: is_enough(put(some)))  # type: ignore[type-var]
    return put(found)
