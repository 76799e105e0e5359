"""Renderers with one fault each, and the reason that has to be given for what they do."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Chat, Encode, Encoded, Rendered
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


def _hidden(message: dict[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    if not isinstance(content, str):
        return message
    return {**message, "content": content.replace("\x1c", "\ue001").replace("\x1f", "\ue002")}


LOOPS = "{% for message in messages %}{% if loop.index > 3 %}{% break %}{% endif %}<{{ message.role }}>{% endfor %}"
GENERATION = "{% for message in messages %}{% generation %}<{{ message.role }}>{% endgeneration %}{% endfor %}"

TEMPLATES = {"no_loop_controls": LOOPS, "no_generation_block": GENERATION}

UNSEEN = frozenset({"no_tool_use", "range_limit"})
"""Rules that a single template does not show."""

RULES: tuple[PlantedChat, ...] = tuple(
    PlantedChat(name, (RENDERER, f"it {does}"), (name,), template=TEMPLATES.get(name, TEMPLATE))
    for name, does in RENDERING_CHANGES.items()
    if name not in UNSEEN
)

OTHERS: tuple[PlantedChat, ...] = (
    PlantedChat("prompt stripped", (PROMPT, "it strips the prompt"), spoil=text(str.strip)),
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
    PlantedChat(
        "trims as Rust",
        (RENDERER, "it takes U+001C to U+001F for no white space"),
        template=TRIMMING,
        reword=messages(lambda given: [_hidden(each) for each in given]),
        spoil=text(lambda each: each.replace("\ue001", "\x1c").replace("\ue002", "\x1f")),
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
        "last message lost", (MESSAGES, "it leaves out the last message"), reword=messages(lambda given: given[:-1])
    ),
)
