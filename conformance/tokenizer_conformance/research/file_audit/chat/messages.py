"""What becomes of messages: refused, lost, trimmed, or printed as Python prints what is no text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.escape import quoted
from tokenizer_conformance.inputs.conversations.conversation import json_text
from tokenizer_conformance.research.file_audit.chat.audited_chat import (
    ANSWER,
    CALL,
    NEXT,
    PLACE,
    QUESTION,
    RESULT,
    TOOL,
    answer,
    system,
    user,
)
from tokenizer_conformance.research.file_audit.finding import Defect, Example, FoundDefect, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.research.file_audit.chat.audited_chat import AuditedChat, Message, Prompt

SYSTEM_REFUSED = Defect(
    "chat-system-refused",
    "A system message is refused",
    Severity.WARNING,
    "Clients that send one get an error, or an engine that knows of it moves its text elsewhere.",
    "Put what it says into the first message of the user.",
)
REFUSED = Defect(
    "chat-order-refused",
    "Some orders of messages are refused",
    Severity.NOTE,
    "Clients and agents send them: an error ends their conversation.",
    "Join messages of one role before they are rendered, and leave out what the model does not know.",
)
LOST = Defect(
    "chat-message-lost",
    "A message is left out of the prompt without a word",
    Severity.WARNING,
    "The model never sees it, and whoever sent it is not told.",
    "Have the template write it, or refuse it with raise_exception; do not send such messages.",
)
TRIMMED = Defect(
    "chat-trimmed",
    "White space around messages is lost",
    Severity.NOTE,
    "Code, poems and the beginnings of answers that are to be continued come out changed.",
    "Where it matters, leave `| trim` out of the template, if the model was trained so.",
)
NONE_PRINTED = Defect(
    "chat-none-printed",
    'A message without content is printed as "None"',
    Severity.WARNING,
    "Clients send null as the content of a message that calls tools. The model reads the word. transformers leaves "
    "null out from release 5 on; older ones and other engines give it to the template.",
    'Write {{ message.content or "" }} in the template, or replace null with an empty text before rendering.',
)
NONE_REFUSED = Defect(
    "chat-none-refused",
    "A message that calls tools without content is refused",
    Severity.WARNING,
    "Clients send null as the content of such a message, and get an error. transformers leaves null out from release 5 "
    "on; older ones and other engines give it to the template.",
    "Test `message.content` in the template, or replace null with an empty text before rendering.",
)
PARTS_PRINTED = Defect(
    "chat-parts-printed",
    "Content that is a list of parts is printed as Python writes it",
    Severity.WARNING,
    "Clients send texts as lists of parts. The model reads brackets, quotes and names of members.",
    "Join the texts of parts before rendering, or write a loop over them in the template.",
)
TOOLS_IGNORED = Defect(
    "chat-tools-ignored",
    "Tools that are given are not in the prompt",
    Severity.WARNING,
    "The model does not know of them, and nobody is told.",
    "Take a template that writes `tools`, or say in a system message what they are.",
)
TOOLS_REFUSED = Defect(
    "chat-tools-refused",
    "Tools in the usual form are refused",
    Severity.WARNING,
    'The usual form is {"type": "function", "function": {"name": …}}, which is what clients send.',
    "Have the template read it, or give tools in the form that it reads.",
)
ARGUMENTS = Defect(
    "chat-arguments-refused",
    "Arguments of a call are taken in one form only",
    Severity.WARNING,
    "Clients send them as JSON inside a text, libraries as an object.",
    "Have the template test `arguments is string`, or bring them to the form that it takes before rendering.",
)
CALLS_LOST = Defect(
    "chat-tool-calls-lost",
    "A call of a tool is left out of the prompt",
    Severity.WARNING,
    "In the next turn the model sees an empty answer in its place, and the result of something it never asked for.",
    "Have the template write `message.tool_calls`.",
)

DEFECTS = (
    SYSTEM_REFUSED,
    REFUSED,
    LOST,
    TRIMMED,
    NONE_PRINTED,
    NONE_REFUSED,
    PARTS_PRINTED,
    TOOLS_IGNORED,
    TOOLS_REFUSED,
    ARGUMENTS,
    CALLS_LOST,
)


@dataclass(frozen=True, slots=True)
class _Order:
    """An order of messages: what it is ``called``, and the texts in it that a prompt must have."""

    called: str
    messages: tuple[Message, ...]
    texts: tuple[str, ...]
    tools: tuple[Message, ...] | None = None


SYSTEM = "Speak like a sailor."

FIRST_SYSTEM = _Order("a system message first", (system(SYSTEM), user(QUESTION)), (SYSTEM, QUESTION))
ORDERS = (
    FIRST_SYSTEM,
    _Order("a system message later", (user(QUESTION), answer(ANSWER), system(SYSTEM), user(NEXT)), (SYSTEM, NEXT)),
    _Order("two system messages", (system(SYSTEM), system(ANSWER), user(QUESTION)), (SYSTEM, ANSWER, QUESTION)),
    _Order("a system message alone", (system(SYSTEM),), (SYSTEM,)),
    _Order("two messages of the user in a row", (user(QUESTION), user(NEXT)), (QUESTION, NEXT)),
    _Order("two answers in a row", (user(QUESTION), answer(ANSWER), answer(NEXT)), (ANSWER, NEXT)),
    _Order("an answer first", (answer(ANSWER), user(QUESTION)), (ANSWER, QUESTION)),
    _Order("a message of the developer", ({"role": "developer", "content": SYSTEM}, user(QUESTION)), (SYSTEM,)),
    _Order("the result of a tool", (user(QUESTION), CALL, RESULT), (RESULT["content"],), (TOOL,)),
)
"""Orders that clients send."""


def check_messages(chat: AuditedChat) -> Iterator[FoundDefect]:
    """Yield what becomes of messages on their way into the prompt."""
    if chat.prompt(user(QUESTION)).refusal is not None:
        return
    yield from _orders(chat)
    yield from _trimmed(chat)
    yield from _no_text(chat)
    yield from _tools(chat)


def _orders(chat: AuditedChat) -> Iterator[FoundDefect]:
    takes_tools = chat.prompt(user(QUESTION), tools=(TOOL,)).refusal is None
    orders = (each for each in ORDERS if each.tools is None or takes_tools)
    prompts = [(each, chat.prompt(*each.messages, tools=each.tools)) for each in orders]
    first = prompts[0][1]
    if first.refusal is not None:
        message = f"the template refuses it: {_refused(first)}"
        yield FoundDefect(SYSTEM_REFUSED, (), message, witness=first.witness(_refused(first)))
    refused = [(each, prompt, _refused(prompt)) for each, prompt in prompts[1:] if prompt.refusal is not None]
    yield from _many(REFUSED, refused, "the template refuses {}")
    lost = [(each, prompt, _lost(each, prompt)) for each, prompt in prompts if prompt.refusal is None]
    yield from _many(LOST, [each for each in lost if each[2]], "the prompt has not all that is said in {}")


def _many(defect: Defect, found: list[tuple[_Order, Prompt, str]], message: str) -> Iterator[FoundDefect]:
    """Yield one finding for all orders of which it is true, with the first as its witness."""
    if found:
        examples = tuple(Example((), f"{each.called}: {said}", prompt.witness(said)) for each, prompt, said in found)
        names = "; ".join(each.called for each, _, _ in found)
        witness = found[0][1].witness(found[0][2])
        count = len(found)
        yield FoundDefect(defect, (), message.format(names), witness=witness, count=count, examples=examples)


def _refused(prompt: Prompt) -> str:
    refusal = prompt.refusal
    return "" if refusal is None else f"{refusal.kind}: {quoted(refusal.message)}"


def _lost(order: _Order, prompt: Prompt) -> str:
    missing = [text for text in order.texts if text not in prompt.text]
    return f"{', '.join(map(quoted, missing))} not in {prompt.near(0)}" if missing else ""


# White space ----------------------------------------------------------------------------------------------------------

SPACED = {"before": "\n  {}", "after": "{} \n"}


def _trimmed(chat: AuditedChat) -> Iterator[FoundDefect]:
    found: list[tuple[str, Prompt, str]] = []
    for role in ("user", "assistant", "system"):
        for side, pattern in SPACED.items():
            text = pattern.format(SYSTEM)
            prompt = chat.prompt(*_with_text_of(role, text))
            if prompt.refusal is None and text not in prompt.text and SYSTEM in prompt.text:
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


# Tools ----------------------------------------------------------------------------------------------------------------


def _tools(chat: AuditedChat) -> Iterator[FoundDefect]:
    given = chat.prompt(user(QUESTION), tools=(TOOL,), add_generation_prompt=True)
    if given.refusal is not None:
        yield FoundDefect(TOOLS_REFUSED, (), _refused(given), witness=given.witness(_refused(given)))
        return
    name = TOOL["function"]["name"]
    if name not in given.text:
        shown = f"the prompt is {given.near(0)}"
        message = f"of a tool called {quoted(name)} the prompt has nothing"
        yield FoundDefect(TOOLS_IGNORED, (), message, witness=given.witness(shown))
    asked = ((form, (user(QUESTION), call, RESULT)) for form, call in _CALLS)
    yield from _calls([(form, chat.prompt(*messages, tools=(TOOL,), changes=AS_IT_IS)) for form, messages in asked])


_FUNCTION = CALL["tool_calls"][0]
_WITH_TEXT = {**_FUNCTION, "function": {**_FUNCTION["function"], "arguments": json_text({"place": PLACE})}}


@dataclass(frozen=True, slots=True)
class _Form:
    """A form that clients send calls in."""

    content: str
    arguments: str

    def __str__(self) -> str:
        return f"with {self.content} as content and {self.arguments} as arguments"


AS_IT_IS = ("null_members",)
"""A renderer that gives null to the template, as transformers before 5 does, and engines; 5 leaves the member out."""

_NULL, _EMPTY, _OBJECT, _TEXT = "null", "an empty text", "an object", "a text"

_CALLS = tuple(
    (_Form(named, arguments), {**CALL, "content": content, "tool_calls": [call]})
    for named, content in ((_EMPTY, ""), (_NULL, None))
    for arguments, call in ((_OBJECT, _FUNCTION), (_TEXT, _WITH_TEXT))
)


def _calls(found: list[tuple[_Form, Prompt]]) -> Iterator[FoundDefect]:
    """Yield what becomes of a call in each form that clients send it in."""
    taken = {form: prompt for form, prompt in found if prompt.refusal is None}
    refused = {form: prompt for form, prompt in found if prompt.refusal is not None}
    if not taken:
        return
    if all(form in refused for form, _ in found if form.content == _NULL):
        form, prompt = next(each for each in refused.items() if each[0].content == _NULL)
        yield FoundDefect(NONE_REFUSED, (), f"{form}: {_refused(prompt)}", witness=prompt.witness(_refused(prompt)))
    else:
        yield from _one_form(refused, taken)
    yield from _none_printed(taken)
    lost = {form: prompt for form, prompt in taken.items() if PLACE not in prompt.text}
    if lost:
        prompt = next(iter(lost.values()))
        has_result = RESULT["content"] in prompt.text
        shown = f"the prompt has {prompt.near(prompt.text.index(RESULT['content']) if has_result else 0)}"
        forms = "in any form that is taken" if len(lost) == len(taken) else "; ".join(map(str, lost))
        message = f"the call is not in the prompt{', and its result is' if has_result else ''}: {forms}"
        yield FoundDefect(CALLS_LOST, (), message, witness=prompt.witness(shown))


def _one_form(refused: dict[_Form, Prompt], taken: dict[_Form, Prompt]) -> Iterator[FoundDefect]:
    for form, prompt in refused.items():
        if any(other.content == form.content and other.arguments != form.arguments for other in taken):
            message = f"{form}: {_refused(prompt)}"
            yield FoundDefect(ARGUMENTS, (), message, witness=prompt.witness(_refused(prompt)))
            return


def _none_printed(taken: dict[_Form, Prompt]) -> Iterator[FoundDefect]:
    for form, prompt in taken.items():
        empty = taken.get(_Form(_EMPTY, form.arguments))
        if form.content == _NULL and empty is not None and prompt.text.count("None") > empty.text.count("None"):
            shown = prompt.near(prompt.text.rindex("None"))
            yield FoundDefect(NONE_PRINTED, (), f"the prompt has {shown}", witness=prompt.witness(shown))
            return
