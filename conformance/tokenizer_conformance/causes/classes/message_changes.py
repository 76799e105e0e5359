"""What implementations are known to make of messages and tools before a template sees them, as words after *it*."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from functools import partial
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.inputs.conversations.conversation import json_text

if TYPE_CHECKING:
    from collections.abc import Callable

Message = dict[str, Any]
Messages = list[Message]


# Contents that are texts ----------------------------------------------------------------------------------------------


def _sub(pattern: str, new: str) -> Callable[[str], str]:
    return partial(re.compile(pattern).sub, new)


def _without_quotes(text: str) -> str:
    return html.escape(text, quote=False)


def _as_jinja_escapes(text: str) -> str:
    return html.escape(text, quote=False).replace('"', "&#34;").replace("'", "&#39;")


def _as_in_json(text: str) -> str:
    return json_text(text)[1:-1]


def _with_escapes(text: str) -> str:
    return json.dumps(text)[1:-1]


def _words(text: str) -> str:
    return " ".join(text.split())


def up_to(count: int) -> Callable[[str], str]:
    """Return what cuts a text after ``count`` characters."""
    return lambda text: text[:count]


MOST_CHARACTERS = (1000, 1024, 2000, 2048, 4000, 4096, 8192)
"""What clients cut texts at."""

CONTENTS: dict[str, Callable[[str], str]] = {
    "strips line breaks from the ends of content": lambda text: text.strip("\n"),
    "writes one space for spaces and tabs in content": _sub(r"[ \t]+", " "),
    "writes one space for white space in content": _sub(r"\s+", " "),
    "joins the words of content with spaces": _words,
    "writes spaces for line breaks in content": lambda text: text.replace("\n", " "),
    "writes spaces for tabs in content": lambda text: text.replace("\t", "    "),
    "writes LF for CR LF in content": lambda text: text.replace("\r\n", "\n"),
    "writes LF for CR LF and for CR in content": lambda text: text.replace("\r\n", "\n").replace("\r", "\n"),
    "escapes <, > and & of content": _without_quotes,
    "escapes content for HTML": html.escape,
    "escapes content for HTML as Jinja does": _as_jinja_escapes,
    "escapes content as JSON does": _as_in_json,
    "writes what is not ASCII in content as escapes": _with_escapes,
    "doubles the backslashes of content": lambda text: text.replace("\\", "\\\\"),
    **{
        f"normalizes content to {form}": partial(unicodedata.normalize, form) for form in ("NFC", "NFD", "NFKC", "NFKD")
    },
    "writes content in small letters": str.lower,
    "folds the case of content": str.casefold,
    "leaves U+0000 of content out": lambda text: text.replace("\x00", ""),
    "ends content at U+0000": lambda text: text.split("\x00", maxsplit=1)[0],
    "leaves control characters of content out": _sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", ""),
    "leaves characters of no width out of content": _sub(r"[\u200b-\u200f\ufeff]", ""),
    "leaves emoji of content out": _sub("[\U0001f300-\U0001faff\u2600-\u27bf]", ""),
    "leaves what is above U+FFFF out of content": _sub("[\U00010000-\U0010ffff]", ""),
    "writes U+FFFD for what is above U+FFFF in content": _sub("[\U00010000-\U0010ffff]", "\ufffd"),
    "leaves thoughts in <think> out of content": _sub(r"(?s)<think>.*?</think>", ""),
    "leaves texts like <|this|> out of content": _sub(r"<\|[^|]*\|>", ""),
    **{f"takes the first {count:,} characters of content alone": up_to(count) for count in MOST_CHARACTERS},
}
"""What becomes of content that is a text; the more specific of two that say the same comes first."""


# A message ------------------------------------------------------------------------------------------------------------


def _without(*names: str) -> Callable[[Message], Message]:
    return lambda message: {name: value for name, value in message.items() if name not in names}


def _calls(change: Callable[[Message], Any]) -> Callable[[Message], Message]:
    """Return ``change`` of each call in a message."""

    def changed(message: Message) -> Message:
        calls = message.get("tool_calls")
        if not isinstance(calls, list) or not all(_has_function(each) for each in calls):
            return message
        return {**message, "tool_calls": [change(each) for each in calls]}

    return changed


def _has_function(call: Any) -> bool:
    return isinstance(call, dict) and isinstance(call.get("function"), dict)


def _with_arguments(change: Callable[[Any], Any]) -> Callable[[Message], Message]:
    """Return ``change`` of the arguments of each call."""
    return _calls(
        lambda call: {**call, "function": {**call["function"], "arguments": change(call["function"].get("arguments"))}}
    )


def _as_text(arguments: Any) -> Any:
    return arguments if isinstance(arguments, str) else json_text(arguments)


def _as_value(arguments: Any) -> Any:
    try:
        return json.loads(arguments) if isinstance(arguments, str) else arguments
    except ValueError:
        return arguments


def _first_call(message: Message) -> Message:
    calls = message.get("tool_calls")
    return {**message, "tool_calls": calls[:1]} if isinstance(calls, list) else message


def _without_content_beside_calls(message: Message) -> Message:
    return {**message, "content": ""} if message.get("tool_calls") and message.get("content") else message


def _parts(change: Callable[[list[Any]], Any]) -> Callable[[Message], Message]:
    """Return ``change`` of content in parts."""

    def changed(message: Message) -> Message:
        content = message.get("content")
        return {**message, "content": change(content)} if isinstance(content, list) else message

    return changed


def _texts_with_spaces(parts: list[Any]) -> str:
    return " ".join(str(each.get("text", "")) if isinstance(each, dict) else str(each) for each in parts)


def _as_parts(message: Message) -> Message:
    content = message.get("content")
    return {**message, "content": [{"type": "text", "text": content}]} if isinstance(content, str) else message


def _null_as_empty(message: Message) -> Message:
    return {**message, "content": ""} if message.get("content", "") is None else message


def _capital(message: Message) -> Message:
    role = message.get("role")
    return {**message, "role": role.capitalize()} if isinstance(role, str) else message


def _renamed(role: str, name: str) -> Callable[[Message], Message]:
    return lambda message: {**message, "role": name} if message.get("role") == role else message


EACH: dict[str, Callable[[Message], Message]] = {
    "leaves out calls of tools": _without("tool_calls"),
    "takes the first call of a message alone": _first_call,
    "leaves out the ids of calls": _calls(_without("id")),
    "gives the functions of calls alone": _calls(lambda call: call["function"]),
    "gives arguments of calls as JSON in a text": _with_arguments(_as_text),
    "gives arguments of calls as objects": _with_arguments(_as_value),
    "leaves out content beside calls of tools": _without_content_beside_calls,
    "leaves out the names in messages": _without("name"),
    "leaves out reasoning": _without("reasoning_content", "reasoning", "thinking"),
    "takes the first part of content alone": _parts(lambda parts: parts[:1]),
    "joins the texts of parts with spaces": _parts(_texts_with_spaces),
    "gives content that is a text as a part": _as_parts,
    "gives an empty text for null": _null_as_empty,
    "writes roles with a capital letter": _capital,
    "calls the user human in place of user": _renamed("user", "human"),
}
"""What becomes of each message."""


# All messages ---------------------------------------------------------------------------------------------------------


def _has_text(message: Message) -> bool:
    return isinstance(message.get("content"), str)


def _joined(between: str, *, roles: frozenset[str] | None = None) -> Callable[[Messages], Messages]:
    """Return messages with those of one role in a row made one."""

    def joined(messages: Messages) -> Messages:
        found: Messages = []
        for each in messages:
            last = found[-1] if found else {}
            fits = last.get("role") == each.get("role") and (roles is None or each.get("role") in roles)
            if found and fits and _has_text(last) and _has_text(each):
                found[-1] = {**last, "content": f"{last['content']}{between}{each['content']}"}
            else:
                found.append(each)
        return found

    return joined


SYSTEM = frozenset({"system"})
KNOWN = frozenset({"system", "user", "assistant", "tool"})


def _with_emptied(place: int) -> Callable[[Messages], Messages]:
    def emptied(messages: Messages) -> Messages:
        changed = list(messages)
        if changed and _has_text(changed[place]):
            changed[place] = {**changed[place], "content": ""}
        return changed

    return emptied


def _first_system_alone(messages: Messages) -> Messages:
    first = next((each for each in messages if each.get("role") == "system"), None)
    return [each for each in messages if each.get("role") != "system" or each is first]


def _each_once(messages: Messages) -> Messages:
    return [each for place, each in enumerate(messages) if each not in messages[:place]]


ALL: dict[str, Callable[[Messages], Messages]] = {
    "leaves out the last of several messages": lambda messages: messages[:-1],
    "leaves out the content of the last message": _with_emptied(-1),
    "leaves out the content of the first message": _with_emptied(0),
    "leaves out messages whose content is an empty text": lambda messages: [
        each for each in messages if each.get("content") != ""
    ],
    "leaves out messages of roles that it does not know": lambda messages: [
        each for each in messages if each.get("role") in KNOWN
    ],
    "leaves out system messages beside others": lambda messages: [
        each for each in messages if each.get("role") != "system"
    ],
    "takes the first system message alone": _first_system_alone,
    "takes system messages first": lambda messages: sorted(messages, key=lambda each: each.get("role") != "system"),
    "joins system messages in a row": _joined("\n", roles=SYSTEM),
    "joins system messages in a row, with an empty line between": _joined("\n\n", roles=SYSTEM),
    "joins messages of one role in a row": _joined("\n"),
    "joins messages of one role in a row, with an empty line between": _joined("\n\n"),
    "takes the last of equal messages for one that it has": _each_once,
    "takes the last message alone": lambda messages: messages[-1:],
    "takes messages from the last to the first": lambda messages: messages[::-1],
}
"""What becomes of the messages of a conversation; where none is left, nothing is said of it."""


# Tools ----------------------------------------------------------------------------------------------------------------


def _sorted(value: Any) -> Any:
    return json.loads(json.dumps(value, sort_keys=True))


def _undescribed(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _undescribed(each) for name, each in value.items() if name != "description"}
    return [_undescribed(each) for each in value] if isinstance(value, list) else value


TOOLS: dict[str, Callable[[list[Any]], list[Any]]] = {
    "takes the first tool alone": lambda tools: tools[:1],
    "takes tools from the last to the first": lambda tools: tools[::-1],
    "gives the functions of tools alone": lambda tools: [
        each["function"] if _has_function(each) else each for each in tools
    ],
    "puts tools into the form of functions": lambda tools: [
        each if not isinstance(each, dict) or "function" in each else {"type": "function", "function": each}
        for each in tools
    ],
    "sorts the members of tools": _sorted,
    "leaves out the descriptions of tools": _undescribed,
}
"""What becomes of tools."""
