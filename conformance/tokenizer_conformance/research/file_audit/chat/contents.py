"""What becomes of the content of messages: changed, trimmed, written twice, or printed as Python prints a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.file_audit.chat.audited_chat import (
    ANSWER,
    CALL,
    NEXT,
    QUESTION,
    RESULT,
    answer,
    forms_of,
    system,
    user,
)
from tokenizer_conformance.research.file_audit.finding import Defect, Example, FoundDefect, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.research.file_audit.chat.audited_chat import AuditedChat, Message, Prompt

CHANGED = Defect(
    "chat-content-changed",
    "The content of a message is changed on its way into the prompt",
    Severity.WARNING,
    "The model reads another text than the one that was sent.",
    "Have the template write the content as it is.",
)
TWICE = Defect(
    "chat-content-twice",
    "The content of a message is in the prompt more than once",
    Severity.WARNING,
    "The model reads it again, and the prompt is longer than it has to be.",
    "Have the template write each message once.",
)
TRIMMED = Defect(
    "chat-trimmed",
    "White space around messages is lost",
    Severity.NOTE,
    "Code, poems and the beginnings of answers that are to be continued come out changed.",
    "Where it matters, leave `| trim` out of the template, if the model was trained so.",
)
PARTS_PRINTED = Defect(
    "chat-parts-printed",
    "Content that is a list of parts is printed as Python writes it",
    Severity.WARNING,
    "Clients send texts as lists of parts. The model reads brackets, quotes and names of members.",
    "Join the texts of parts before rendering, or write a loop over them in the template.",
)
PARTS_LOST = Defect(
    "chat-parts-lost",
    "Content that is a list of parts is left out of the prompt",
    Severity.WARNING,
    "Clients send texts as lists of parts. The model sees an empty message.",
    "Join the texts of parts before rendering, or write a loop over them in the template.",
)

DEFECTS = (CHANGED, TWICE, TRIMMED, PARTS_PRINTED, PARTS_LOST)

SYSTEM = "Speak like a sailor."

CONTENTS = {
    "signs that HTML escapes": 'Tom & "Ada": <b>it\'s</b> 1 > 0',
    "capitals, accents and ligatures": "McDonald \u00c0 e\u0301 \ufb01 \U0001f642",
    "white space inside": "Line one.\n\n\n  Line two,\tand on.",
    "a long text": f"{' '.join(f'word {number}' for number in range(800))}.",
    "the end of thoughts": "Before </think> behind",
}
"""Texts that users write, and what is special about them."""


def check_contents(chat: AuditedChat) -> Iterator[FoundDefect]:
    """Yield what becomes of the content of messages."""
    if chat.prompt(user(QUESTION)).refusal is None:
        yield from _changed(chat)
        yield from _twice(chat)
        yield from _trimmed(chat)
        yield from _no_text(chat)


def _changed(chat: AuditedChat) -> Iterator[FoundDefect]:
    asked: list[tuple[str, str, tuple[Message, ...]]]
    asked = [(name, text, (user(text),)) for name, text in CONTENTS.items()]
    asked += [(f"{name}, in a system message", text, (system(text), user(QUESTION))) for name, text in CONTENTS.items()]
    prompts = [(name, text, chat.prompt(*messages)) for name, text, messages in asked]
    found = [
        (name, prompt, _from_change(text, prompt))
        for name, text, prompt in prompts
        if prompt.refusal is None and not any(each in prompt.text for each in forms_of(text))
    ]
    if found:
        examples = tuple(Example((), f"{name}: {shown}", prompt.witness(shown)) for name, prompt, shown in found)
        names = ", ".join(name for name, _, _ in found)
        _, prompt, shown = found[0]
        yield FoundDefect(CHANGED, (), names, witness=prompt.witness(shown), count=len(found), examples=examples)


def _from_change(text: str, prompt: Prompt) -> str:
    """Show how the prompt goes on where it is no longer as ``text``."""
    same = max(end for end in range(len(text)) if text[:end] in prompt.text)
    place = prompt.text.find(text[:same]) + same if same else 0
    return f"{quoted(text[max(0, same - 20) : same + 20])} becomes {prompt.near(place)}"


def _twice(chat: AuditedChat) -> Iterator[FoundDefect]:
    conversations = (
        (user(QUESTION), answer(ANSWER), user(NEXT)),
        (system(SYSTEM), user(QUESTION)),
        (user(QUESTION), CALL, RESULT),
    )
    for messages in conversations:
        prompt = chat.prompt(*messages)
        for each in messages:
            text = each["content"]
            if text and prompt.text.count(text) > 1:
                shown = f"the prompt has {prompt.near(prompt.text.rindex(text))}"
                message = f"{quoted(text)} of the {each['role']} is there {prompt.text.count(text):,} times"
                yield FoundDefect(TWICE, (), message, witness=prompt.witness(shown))
                return


# White space ----------------------------------------------------------------------------------------------------------

SPACED = {"before": "\n  {}", "after": "{} \n"}


def _trimmed(chat: AuditedChat) -> Iterator[FoundDefect]:
    found: list[tuple[str, Prompt, str]] = []
    for role in ("user", "assistant", "system"):
        for side, pattern in SPACED.items():
            text = pattern.format(SYSTEM)
            prompt = chat.prompt(*_with_text_of(role, text))
            is_there = any(each in prompt.text for each in forms_of(text))
            if prompt.refusal is None and not is_there and SYSTEM in prompt.text:
                found.append((f"{side} a message of the {role}", prompt, prompt.near(prompt.text.index(SYSTEM))))
    if found:
        names = ", ".join(name for name, _, _ in found)
        examples = tuple(Example((), f"{name}: {shown}", prompt.witness(shown)) for name, prompt, shown in found)
        _, prompt, shown = found[0]
        yield FoundDefect(TRIMMED, (), names, witness=prompt.witness(shown), count=len(found), examples=examples)


def _with_text_of(role: str, text: str) -> tuple[Message, ...]:
    """Return a conversation in which ``role`` says ``text``."""
    said = {"role": role, "content": text}
    return {"user": (said,), "system": (said, user(QUESTION))}.get(role, (user(QUESTION), said, user(NEXT)))


# What is no text ------------------------------------------------------------------------------------------------------


def _no_text(chat: AuditedChat) -> Iterator[FoundDefect]:
    parts = chat.prompt(user([{"type": "text", "text": QUESTION}]))
    place = parts.text.find("'type'")
    if place >= 0:
        shown = parts.near(place)
        yield FoundDefect(PARTS_PRINTED, (), f"the prompt has {shown}", witness=parts.witness(shown))
        return
    is_lost = parts.refusal is None and not any(each in parts.text for each in forms_of(QUESTION))
    if is_lost and QUESTION in (chat.text(user(QUESTION)) or ""):
        shown = f"the prompt is {parts.near(0)}"
        yield FoundDefect(PARTS_LOST, (), shown, witness=parts.witness(shown))
