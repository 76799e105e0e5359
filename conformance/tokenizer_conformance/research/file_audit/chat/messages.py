"""What becomes of messages: refused, left out, or written in another order or for another role."""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import itemgetter
from typing import TYPE_CHECKING

from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.file_audit.chat.audited_chat import (
    ANSWER,
    CALL,
    NEXT,
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
ORDER_CHANGED = Defect(
    "chat-order-changed",
    "Messages stand in another order in the prompt",
    Severity.WARNING,
    "The model reads another conversation than the one that was sent.",
    "Have the template write messages as they come.",
)
ROLES_ALIKE = Defect(
    "chat-roles-alike",
    "An answer is written as a message of another role is",
    Severity.WARNING,
    "The model cannot tell what it has said itself from what it was told.",
    "Have the template write `message.role`, or what stands for it in this model.",
)

DEFECTS = (SYSTEM_REFUSED, REFUSED, LOST, ORDER_CHANGED, ROLES_ALIKE)


@dataclass(frozen=True, slots=True)
class _Order:
    """An order of messages: what it is ``called``, and the texts in it that a prompt must have."""

    called: str
    messages: tuple[Message, ...]
    texts: tuple[str, ...]
    tools: tuple[Message, ...] | None = None


SYSTEM = "Speak like a sailor."

MANY: tuple[Message, ...] = tuple((answer if number % 2 else user)(f"Words {number} of 41.") for number in range(41))

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
    _Order("text beside a call", (user(QUESTION), {**CALL, "content": ANSWER}, RESULT), (ANSWER,), (TOOL,)),
    _Order(f"a conversation of {len(MANY)} messages", MANY, tuple(each["content"] for each in MANY)),
)
"""Orders that clients send."""


def check_messages(chat: AuditedChat) -> Iterator[FoundDefect]:
    """Yield what becomes of messages on their way into the prompt."""
    if chat.prompt(user(QUESTION)).refusal is None:
        yield from _orders(chat)
        yield from _order_changed(chat)
        yield from _roles_alike(chat)


def _orders(chat: AuditedChat) -> Iterator[FoundDefect]:
    takes_tools = chat.prompt(user(QUESTION), tools=(TOOL,)).refusal is None
    orders = [each for each in ORDERS if each.tools is None or takes_tools]
    prompts = [(each, chat.prompt(*each.messages, tools=each.tools)) for each in orders]
    first = prompts[0][1]
    if first.refusal is not None:
        message = f"the template refuses it: {first.refused}"
        yield FoundDefect(SYSTEM_REFUSED, (), message, witness=first.witness(first.refused))
    refused = [(each, prompt, prompt.refused) for each, prompt in prompts[1:] if prompt.refusal is not None]
    yield from _many(REFUSED, refused, "the template refuses {}")
    asked = [_prompts_of(chat, each, prompt) for each, prompt in prompts if prompt.refusal is None]
    lost = [next(((one, prompt, said) for one, prompt in each if (said := _lost(one, prompt))), None) for each in asked]
    yield from _many(LOST, [each for each in lost if each is not None], "the prompt lacks text of {}")


def _prompts_of(chat: AuditedChat, order: _Order, plain: Prompt) -> Iterator[tuple[_Order, Prompt]]:
    """Yield the ``plain`` prompt of ``order``, and those with a generation prompt and with tools, if not refused."""
    yield order, plain
    tools = (TOOL,) if order.tools is None else order.tools
    others = {
        "where an answer is asked for": chat.prompt(*order.messages, tools=order.tools, add_generation_prompt=True),
        "where tools are given": chat.prompt(*order.messages, tools=tools, add_generation_prompt=True),
    }
    for where, prompt in others.items():
        if prompt.refusal is None:
            yield replace(order, called=f"{order.called}, {where}"), prompt


def _many(defect: Defect, found: list[tuple[_Order, Prompt, str]], message: str) -> Iterator[FoundDefect]:
    """Yield one finding for all orders of which it is true, with the first as its witness."""
    if found:
        examples = tuple(Example((), f"{each.called}: {said}", prompt.witness(said)) for each, prompt, said in found)
        names = "; ".join(each.called for each, _, _ in found)
        witness = found[0][1].witness(found[0][2])
        count = len(found)
        yield FoundDefect(defect, (), message.format(names), witness=witness, count=count, examples=examples)


def _lost(order: _Order, prompt: Prompt) -> str:
    there = _bare(prompt.text)
    missing = [text for text in order.texts if _bare(text) not in there]
    more = f" and {len(missing) - FEW:,} more" if len(missing) > FEW else ""
    return f"{', '.join(map(quoted, missing[:FEW]))}{more} not in {prompt.near(0)}" if missing else ""


FEW = 3
"""How many lost texts are shown."""


def _bare(text: str) -> str:
    """Return ``text`` without what a change of content may have done to it, which is another finding."""
    return "".join(text.lower().split())


def _order_changed(chat: AuditedChat) -> Iterator[FoundDefect]:
    for messages in ((user(QUESTION), answer(ANSWER), user(NEXT)), (system(SYSTEM), user(QUESTION))):
        prompt = chat.prompt(*messages)
        places = [prompt.text.find(each["content"]) for each in messages]
        if -1 not in places and places != sorted(places):
            at = zip(messages, places, strict=True)
            said = ", then ".join(quoted(each["content"]) for each, _ in sorted(at, key=itemgetter(1)))
            yield FoundDefect(ORDER_CHANGED, (), f"the prompt has {said}", witness=prompt.witness(prompt.near(0)))
            return


def _roles_alike(chat: AuditedChat) -> Iterator[FoundDefect]:
    for name, first, other in ROLES:
        answered, told = (chat.prompt(user(QUESTION), *messages, tools=(TOOL,)) for messages in (first, other))
        if answered.refusal is None and told.refusal is None and answered.text == told.text:
            text = first[-1]["content"]
            shown = f"the prompt has {answered.near(max(answered.text.find(text), 0))}"
            message = f"{quoted(text)} gives the same prompt as an answer and as {name}"
            yield FoundDefect(ROLES_ALIKE, (), message, witness=answered.witness(shown))
            return


ROLES: tuple[tuple[str, tuple[Message, ...], tuple[Message, ...]], ...] = (
    ("a message of the user", (answer(ANSWER),), (user(ANSWER),)),
    ("the result of a tool", (CALL, answer(RESULT["content"])), (CALL, RESULT)),
)
"""Two ends of a conversation that no template may write alike."""
