"""Renderers with one fault each, and the reason that has to be given for what they do."""

from __future__ import annotations

import html
import json
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Chat, Encode, Encoded, Failed, Rendered
from tokenizer_adapters.reference import ReferenceImplementation
from tokenizer_adapters.variants.rendering import RENDERING_CHANGES, load_renderer
from tokenizer_conformance.causes.classes.chat_changes import IDS, MESSAGES, PROMPT, RENDERER

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation, Outcome, Subject, TokenizerSource

Spoil = Callable[["Subject", Rendered], "Outcome"]
Reword = Callable[[Chat], Chat]


@dataclass(frozen=True)
class PlantedChat:
    """A fault: rules of the renderer (``rules``), other questions (``reword``), or other answers (``spoil``).

    ``told`` is the reason that a run has to give: class and words.
    """

    name: str
    told: tuple[str, str]
    rules: tuple[str, ...] = ()
    reword: Reword | None = None
    spoil: Spoil | None = None
    template: str = ""


class FaultyChats:
    """The reference with a fault in what it makes of conversations."""

    def __init__(self, fault: PlantedChat) -> None:
        self._fault = fault
        self.info = replace(ReferenceImplementation().info, name="faulty")

    def load(self, source: TokenizerSource) -> FaultySubject:
        return FaultySubject(load_renderer(source, *self._fault.rules), self._fault)


class FaultySubject:
    """A tokenizer in it."""

    def __init__(self, sound: Subject, fault: PlantedChat) -> None:
        self._sound = sound
        self._fault = fault

    def observe(self, observation: Observation) -> Outcome:
        fault = self._fault
        if not isinstance(observation, Chat):
            return self._sound.observe(observation)
        outcome = self._sound.observe(observation if fault.reword is None else fault.reword(observation))
        is_met = fault.spoil is not None and isinstance(outcome, Rendered)
        return fault.spoil(self._sound, outcome) if is_met else outcome  # type: ignore[misc, arg-type]

    def vocabulary(self) -> Any:
        return self._sound.vocabulary()


def messages(change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> Reword:
    """Return the fault of giving the template other messages."""
    return lambda chat: replace(chat, messages=json.dumps(change(json.loads(chat.messages))))


def role(old: str, new: str) -> Reword:
    return messages(lambda given: [{**each, "role": new} if each.get("role") == old else each for each in given])


def text(change: Callable[[str], str]) -> Spoil:
    """Return the fault of changing the prompt before it is tokenized."""

    def spoil(sound: Subject, rendered: Rendered) -> Outcome:
        changed = change(rendered.text)
        encoded = sound.observe(Encode(changed, add_special_tokens=False))
        return Rendered(changed, encoded.ids if isinstance(encoded, Encoded) else None)

    return spoil


def content(change: Callable[[str], Any]) -> Reword:
    """Return the fault of giving the template other texts of messages."""

    def changed(message: dict[str, Any]) -> dict[str, Any]:
        own = message.get("content")
        return {**message, "content": change(own)} if isinstance(own, str) else message

    return messages(lambda given: [changed(each) for each in given])


def cut(rendered: Rendered, count: int) -> Rendered:
    return replace(rendered, ids=(rendered.ids or ())[:count])


def bos_twice(sound: Subject, rendered: Rendered) -> Outcome:
    encoded = sound.observe(Encode(rendered.text))
    return replace(rendered, ids=encoded.ids if isinstance(encoded, Encoded) else None)


TEMPLATE = """{{ bos_token }}
{{ documents }} {{ messages | length > 1 }}
{% for message in messages %}
    {% set own = message.content %}
    <{{ message.role }} {{ message.name }} {{ message.thinking }}>
    {%- if own is string %}
{{ own }}
    {%- elif own is iterable and own is not mapping %}
        {%- for part in own %}[{{ part.text }}]{% endfor %}
    {%- else %}
        {{- own }}
    {%- endif %}
    {% if message.tool_calls %}
{{ message.tool_calls | tojson }}
    {% endif %}
{{ eos_token }}
{% endfor %}
{% if tools is not none %}
tools: {{ tools | tojson }}
{% endif %}
{% if add_generation_prompt %}
<assistant>
{% endif %}
{{ message_that_is_not_there.of_nobody if messages | length > 3 else "" }}
"""
"""A template in which each rule of a renderer can be seen."""

TRIMMING = "{% for message in messages %}{{ bos_token }}{{ (message.content or '') | string | trim }}{% endfor %}"


def trimming_without(name: str, does: str, characters: str) -> PlantedChat:
    """Return the fault of not taking ``characters`` for white space where a template trims."""
    table = {ord(each): 0xF000 + place for place, each in enumerate(characters)}
    back = {hidden: code for code, hidden in table.items()}
    return PlantedChat(
        name,
        (RENDERER, does),
        template=TRIMMING,
        reword=messages(lambda given: [_translated(each, table) for each in given]),
        spoil=text(lambda each: each.translate(back)),
    )


def _translated(message: dict[str, Any], table: dict[int, int]) -> dict[str, Any]:
    content = message.get("content")
    return {**message, "content": content.translate(table)} if isinstance(content, str) else message


def without_role(chat: Chat) -> bool:
    return any("role" not in each for each in json.loads(chat.messages))


def without_content(chat: Chat) -> bool:
    return any(each.get("role") != "assistant" and "content" not in each for each in json.loads(chat.messages))


def content_of(message: dict[str, Any]) -> Any:
    content = message.get("content")
    return "" if content is None else content


LOOPS = "{% for message in messages %}{% if loop.index > 3 %}{% break %}{% endif %}<{{ message.role }}>{% endfor %}"
GENERATION = "{% for message in messages %}{% generation %}<{{ message.role }}>{% endgeneration %}{% endfor %}"

SHOWING = "{{% for message in messages %}}{{{{ message.role }}}}{{{{ message.content }}}}{}{{% endfor %}}"

TEMPLATES = {
    "no_loop_controls": LOOPS,
    "no_generation_block": GENERATION,
    "script_undefined": SHOWING.format("{{ message.name == none }}"),
    "undefined_json": SHOWING.format("{{ message.name | tojson }}"),
    "adds_anything": SHOWING.format("{{ '<' + message.content }}"),
    "typed_filters": SHOWING.format("{{ message.content | trim }}"),
    "strips_any": SHOWING.format("{{ message.content.strip('x') if message.content is string }}"),
    "equals_loosely": SHOWING.format("{{ message.content == false }}"),
    "selects_present": SHOWING.format("{{ messages | selectattr('name', 'undefined') | list | length }}"),
    "no_iterable_objects": SHOWING.format("{{ message.content is iterable }}"),
}

UNSEEN = frozenset({"no_tool_use", "range_limit", "javascript"})
"""Rules that a single template does not show, or that are told where nothing less explains a difference."""

RULES: tuple[PlantedChat, ...] = tuple(
    PlantedChat(name, (RENDERER, f"it {does}"), (name,), template=TEMPLATES.get(name, TEMPLATE))
    for name, does in RENDERING_CHANGES.items()
    if name not in UNSEEN
)

OTHERS: tuple[PlantedChat, ...] = (
    PlantedChat("prompt stripped", (PROMPT, "it strips the end of the prompt"), spoil=text(str.strip)),
    PlantedChat(
        "CR LF", (PROMPT, "it writes line breaks as CR LF"), spoil=text(lambda each: each.replace("\n", "\r\n"))
    ),
    PlantedChat("BOS twice", (IDS, "it tokenizes the prompt with special tokens added"), spoil=bos_twice),
    PlantedChat(
        "no BOS",
        (IDS, "it leaves out the first id"),
        spoil=lambda _sound, rendered: replace(rendered, ids=(rendered.ids or ())[1:]),
    ),
    PlantedChat(
        "wrong role", (MESSAGES, "it takes system messages for those of the user"), reword=role("system", "user")
    ),
    PlantedChat(
        "roles exchanged",
        (MESSAGES, "it takes messages of the model for those of the user"),
        reword=role("assistant", "user"),
    ),
    trimming_without("trims as Rust", "it takes U+001C to U+001F for no white space", "\x1c\x1f"),
    trimming_without(
        "trims as C",
        "it takes nothing for white space but what C does: no separators, and nothing outside of ASCII",
        "".join(each for each in map(chr, range(0x3001)) if each.isspace() and each not in " \t\n\r\v\f"),
    ),
    PlantedChat(
        "refuses messages without a role",
        (MESSAGES, "it refuses messages without a role"),
        reword=lambda chat: replace(chat, messages="[[]]") if without_role(chat) else chat,
        template=SHOWING.format(""),
    ),
    PlantedChat(
        "refuses messages without content",
        (MESSAGES, "it refuses messages without content, but for answers"),
        reword=lambda chat: replace(chat, messages="[[]]") if without_content(chat) else chat,
        template=SHOWING.format(""),
    ),
    PlantedChat("no tools", (MESSAGES, "it takes no tools"), reword=lambda chat: replace(chat, tools=None)),
    PlantedChat(
        "no generation prompt",
        (MESSAGES, "it ignores add_generation_prompt"),
        reword=lambda chat: replace(chat, add_generation_prompt=False),
    ),
    PlantedChat(
        "not continued",
        (MESSAGES, "it ignores continue_final_message"),
        reword=lambda chat: replace(chat, continue_final_message=False),
    ),
    PlantedChat(
        "refuses all",
        (MESSAGES, "it refuses whatever is asked of this template"),
        spoil=lambda _sound, _rendered: Failed("NoSuchFilter", "rejectattr"),
        template=TRIMMING,
    ),
    PlantedChat(
        "no content is empty",
        (MESSAGES, "it takes content that is null or absent for an empty text"),
        template=SHOWING.format("{{ message.content.strip() }}"),
        reword=messages(lambda given: [{**each, "content": content_of(each)} for each in given]),
    ),
    PlantedChat(
        "last message lost", (MESSAGES, "it leaves out the last message"), reword=messages(lambda given: given[:-1])
    ),
    *(
        PlantedChat(does, (MESSAGES, f"it {does}"), reword=content(change))
        for does, change in (
            ("escapes content for HTML", html.escape),
            ("normalizes content to NFC", partial(unicodedata.normalize, "NFC")),
            ("writes LF for CR LF in content", lambda each: each.replace("\r\n", "\n")),
            ("takes the first 4,096 characters of content alone", lambda each: each[:4096]),
        )
    ),
    PlantedChat(
        "capital roles",
        (MESSAGES, "it writes roles with a capital letter"),
        reword=messages(lambda given: [{**each, "role": str(each.get("role", "")).capitalize()} for each in given]),
    ),
    PlantedChat(
        "backwards",
        (MESSAGES, "it takes messages from the last to the first"),
        reword=messages(lambda given: given[::-1]),
    ),
    PlantedChat(
        "system messages lost",
        (MESSAGES, "it leaves out system messages beside others"),
        reword=messages(lambda given: [each for each in given if each.get("role") != "system"] or given),
    ),
    PlantedChat(
        "first tool",
        (MESSAGES, "it takes the first tool alone"),
        reword=lambda chat: replace(chat, tools=json.dumps(json.loads(chat.tools)[:1])) if chat.tools else chat,
    ),
    PlantedChat(
        "first token twice",
        (PROMPT, "it begins the prompt with its first token twice"),
        spoil=text(lambda each: each.replace("<s>", "<s><s>", 1)),
    ),
    PlantedChat("512 ids", (IDS, "it takes the first 512 ids alone"), spoil=lambda _sound, each: cut(each, 512)),
)

REFUSING: tuple[PlantedChat, ...] = (
    PlantedChat("another role", ("", ""), reword=role("user", "wizard")),
    PlantedChat("no text", ("", ""), reword=content(lambda each: {"text": each})),
    PlantedChat("refuses all", ("", ""), reword=messages(lambda _given: [])),
)
"""Faults that make a template refuse most conversations: most changes of messages do, so that proves nothing."""
