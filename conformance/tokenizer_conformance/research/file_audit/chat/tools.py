"""What becomes of tools and calls of them: refused, left out, or printed as Python prints them."""

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
    user,
)
from tokenizer_conformance.research.file_audit.finding import Defect, Example, FoundDefect, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.research.file_audit.chat.audited_chat import AuditedChat, Message, Prompt

TOOLS_IGNORED = Defect(
    "chat-tools-ignored",
    "Tools that are given are not in the prompt by their names",
    Severity.WARNING,
    "The model cannot call them, and nobody is told.",
    "Take a template that writes `tools`, or say in a system message what they are.",
)
TOOLS_REFUSED = Defect(
    "chat-tools-refused",
    "Tools in the usual form are refused",
    Severity.WARNING,
    'The usual form is {"type": "function", "function": {"name": …}}, which is what clients send.',
    "Have the template read it, or give tools in the form that it reads.",
)
TOOLS_PRINTED = Defect(
    "chat-tools-printed",
    "Tools or the arguments of calls are printed as Python writes them",
    Severity.WARNING,
    "The model reads quotes and constants of Python where it was trained on JSON, and answers in kind.",
    "Write them with `| tojson` in the template.",
)
SEVERAL_LOST = Defect(
    "chat-several-lost",
    "Of several things of a kind not all are in the prompt",
    Severity.WARNING,
    "The model never sees the others, and nobody is told.",
    "Have the template go through all of them in a loop.",
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
ARGUMENTS_LOST = Defect(
    "chat-tool-arguments-lost",
    "The arguments of a call are left out of the prompt",
    Severity.WARNING,
    "In the next turn the model sees that it called a tool, and not with what.",
    "Have the template write `tool_call.function.arguments`.",
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

DEFECTS = (
    TOOLS_IGNORED,
    TOOLS_REFUSED,
    TOOLS_PRINTED,
    SEVERAL_LOST,
    ARGUMENTS,
    CALLS_LOST,
    ARGUMENTS_LOST,
    NONE_PRINTED,
    NONE_REFUSED,
)

TIMER: Message = {
    "type": "function",
    "function": {
        "name": "set_timer",
        "description": "Rings later.",
        "parameters": {"type": "object", "properties": {"seconds": {"type": "integer"}}},
    },
}
OTHER_PLACE = "Isla Lejana"
CALLS: Message = {
    **CALL,
    "tool_calls": [
        *CALL["tool_calls"],
        {
            "type": "function",
            "id": "call00002",
            "function": {"name": "measure_distance", "arguments": {"place": OTHER_PLACE}},
        },
    ],
}
RESULTS: tuple[Message, ...] = (RESULT, {**RESULT, "tool_call_id": "call00002", "content": "ten thousand miles"})


def check_tools(chat: AuditedChat) -> Iterator[FoundDefect]:
    """Yield what becomes of tools, and of calls of them."""
    if chat.prompt(user(QUESTION)).refusal is None:
        yield from _several(chat)
        yield from _printed(chat)
        yield from _tools(chat)


SEVERAL: dict[str, tuple[tuple[Message, ...], tuple[Message, ...] | None, tuple[str, str]]] = {
    "two parts of a content": (
        (user([{"type": "text", "text": QUESTION}, {"type": "text", "text": NEXT}]),),
        None,
        (QUESTION, NEXT),
    ),
    "two tools": ((user(QUESTION),), (TOOL, TIMER), (TOOL["function"]["name"], TIMER["function"]["name"])),
    "two calls in one message": ((user(QUESTION), CALLS, *RESULTS), (TOOL,), (PLACE, OTHER_PLACE)),
}
"""Of what there may be several: messages, tools, and the texts that the prompt must then have."""

ALONE: tuple[tuple[tuple[Message, ...], tuple[Message, ...] | None], ...] = (
    ((user([{"type": "text", "text": QUESTION}]),), None),
    ((user([{"type": "text", "text": NEXT}]),), None),
    ((user(QUESTION),), (TIMER,)),
    ((user(QUESTION), CALL, RESULT), (TOOL,)),
    ((user(QUESTION), {**CALLS, "tool_calls": CALLS["tool_calls"][1:]}, RESULTS[1]), (TOOL,)),
)
"""The same things alone: what is not in these prompts either is not lost among several."""


def _several(chat: AuditedChat) -> Iterator[FoundDefect]:
    prompts = [(name, texts, chat.prompt(*given, tools=tools)) for name, (given, tools, texts) in SEVERAL.items()]
    alone = "".join(chat.text(*given, tools=tools) or "" for given, tools in ALONE)
    found = [
        (name, prompt, lost[0])
        for name, texts, prompt in prompts
        if len(lost := _missing(texts, prompt)) == 1 and lost[0] in alone
    ]
    if found:
        told = [(f"of {name} the prompt lacks {quoted(text)}", prompt) for name, prompt, text in found]
        examples = tuple(Example((), said, prompt.witness(said)) for said, prompt in told)
        names = ", ".join(name for name, _, _ in found)
        said, prompt = told[0]
        yield FoundDefect(SEVERAL_LOST, (), names, witness=prompt.witness(said), count=len(found), examples=examples)


def _missing(texts: tuple[str, ...], prompt: Prompt) -> list[str]:
    return [text for text in texts if text not in prompt.text]


AS_PYTHON = {"tools": "'function'", "arguments": f"'place': '{PLACE}'"}
"""What stands in a prompt where Python's writing of each is there."""


def _printed(chat: AuditedChat) -> Iterator[FoundDefect]:
    prompts = {
        "tools": chat.prompt(user(QUESTION), tools=(TOOL,)),
        "arguments": chat.prompt(user(QUESTION), CALL, RESULT, tools=(TOOL,)),
    }
    found = [(name, prompt, prompt.text.find(AS_PYTHON[name])) for name, prompt in prompts.items()]
    for name, prompt, place in found:
        if place >= 0:
            shown = f"the prompt has {prompt.near(place)}"
            yield FoundDefect(TOOLS_PRINTED, (), f"{name}: {shown}", witness=prompt.witness(shown))
            return


def _tools(chat: AuditedChat) -> Iterator[FoundDefect]:
    given = chat.prompt(user(QUESTION), tools=(TOOL,), add_generation_prompt=True)
    if given.refusal is not None:
        yield FoundDefect(TOOLS_REFUSED, (), given.refused, witness=given.witness(given.refused))
        return
    name = TOOL["function"]["name"]
    if name not in given.text:
        shown = f"the prompt is {given.near(0)}"
        message = f"{quoted(name)} is nowhere in the prompt"
        yield FoundDefect(TOOLS_IGNORED, (), message, witness=given.witness(shown))
    else:
        later = chat.prompt(user(QUESTION), answer(ANSWER), user(NEXT), tools=(TOOL,), add_generation_prompt=True)
        if later.refusal is None and name not in later.text:
            message = f"{quoted(name)} is in the first prompt of a conversation, and not in the next"
            yield FoundDefect(TOOLS_IGNORED, (), message, witness=later.witness(later.near(0)))
    asked = ((form, (user(QUESTION), call, RESULT)) for form, call in _CALLS)
    yield from _calls(
        chat, [(form, chat.prompt(*messages, tools=(TOOL,), changes=AS_IT_IS)) for form, messages in asked]
    )


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


def _calls(chat: AuditedChat, found: list[tuple[_Form, Prompt]]) -> Iterator[FoundDefect]:
    """Yield what becomes of a call in each form that clients send it in."""
    taken = {form: prompt for form, prompt in found if prompt.refusal is None}
    refused = {form: prompt for form, prompt in found if prompt.refusal is not None}
    if not taken:
        return
    if all(form in refused for form, _ in found if form.content == _NULL):
        form, prompt = next(each for each in refused.items() if each[0].content == _NULL)
        yield FoundDefect(NONE_REFUSED, (), f"{form}: {prompt.refused}", witness=prompt.witness(prompt.refused))
    else:
        yield from _one_form(refused, taken)
    yield from _none_printed(taken)
    lost = {form: prompt for form, prompt in taken.items() if PLACE not in prompt.text}
    if lost:
        yield _lost(chat, lost, in_all=len(lost) == len(taken))


def _lost(chat: AuditedChat, lost: dict[_Form, Prompt], *, in_all: bool) -> FoundDefect:
    """Return the finding that of calls in the forms ``lost`` the prompt has nothing, or the name alone."""
    prompt = next(iter(lost.values()))
    has_result = RESULT["content"] in prompt.text
    shown = f"the prompt has {prompt.near(prompt.text.index(RESULT['content']) if has_result else 0)}"
    forms = "in every form that the template takes" if in_all else "; ".join(map(str, lost))
    name = TOOL["function"]["name"]
    without = chat.prompt(user(QUESTION), answer(""), RESULT, tools=(TOOL,), changes=AS_IT_IS)
    if without.refusal is None and prompt.text.count(name) > without.text.count(name):
        message = f"the prompt has the name of the call, and not {quoted(PLACE)}: {forms}"
        return FoundDefect(ARGUMENTS_LOST, (), message, witness=prompt.witness(shown))
    lacks = "has the result of the call, and not its name or arguments" if has_result else "does not have the call"
    message = f"the prompt {lacks}: {forms}"
    return FoundDefect(CALLS_LOST, (), message, witness=prompt.witness(shown))


def _one_form(refused: dict[_Form, Prompt], taken: dict[_Form, Prompt]) -> Iterator[FoundDefect]:
    for form, prompt in refused.items():
        if any(other.content == form.content and other.arguments != form.arguments for other in taken):
            message = f"{form}: {prompt.refused}"
            yield FoundDefect(ARGUMENTS, (), message, witness=prompt.witness(prompt.refused))
            return


def _none_printed(taken: dict[_Form, Prompt]) -> Iterator[FoundDefect]:
    for form, prompt in taken.items():
        empty = taken.get(_Form(_EMPTY, form.arguments))
        if form.content == _NULL and empty is not None and prompt.text.count("None") > empty.text.count("None"):
            shown = prompt.near(prompt.text.rindex("None"))
            yield FoundDefect(NONE_PRINTED, (), f"the prompt has {shown}", witness=prompt.witness(shown))
            return
