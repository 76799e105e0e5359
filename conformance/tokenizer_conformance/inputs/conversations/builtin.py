"""The built-in conversations, and drawn ones.

``builtin.json`` has them in categories, each with a note that says why it is there. It is ASCII: every other character
is an escape. Long ones are made here. Ids, ``category/name``, are permanent.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.inputs.conversations.conversation import Conversation, conversation_in, input_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.inputs.asked import AskedInput

DRAWN = "chat-drawn"
"""The category of drawn conversations."""

MOST_MESSAGES = 6

LONG = "chat-long"
"""The category of conversations that are longer than limits of clients: 8,192 characters, or 40 messages."""

MOST_WORDS, MOST_TURNS = 1200, 51


@cache
def builtin_conversations() -> tuple[AskedInput, ...]:
    """Return the built-in conversations, category by category.

    >>> builtin_conversations()[0].id
    'chat-shapes/one-turn'
    """
    return (*_in_file(), *(input_of(f"{LONG}/{name}", LONG, found) for name, found in _long().items()))


@cache
def _in_file() -> tuple[AskedInput, ...]:
    stated = json.loads((files("tokenizer_conformance.inputs.conversations") / "builtin.json").read_text("ascii"))
    return tuple(
        input_of(f"{category}/{name}", category, conversation_in(value))
        for category, told in stated.items()
        for name, value in told["conversations"].items()
    )


def _long() -> dict[str, Conversation]:
    """Return conversations that a limit cuts; no two of their words are alike, so that it shows where."""
    words = " ".join(f"word{number}" for number in range(1, MOST_WORDS + 1))
    turns = ({"role": ("user", "assistant")[number % 2], "content": f"Turn {number}."} for number in range(MOST_TURNS))
    return {
        "content": Conversation(({"role": "user", "content": words},)),
        "answer": Conversation(({"role": "user", "content": "Hi"}, {"role": "assistant", "content": words})),
        "turns": Conversation(tuple(turns)),
    }


@dataclass(frozen=True, slots=True)
class DrawnConversations:
    """So many (``count``) conversations, of parts of built-in ones; each depends on ``seed`` and its number alone."""

    count: int
    seed: int = 0

    def __iter__(self) -> Iterator[AskedInput]:
        for number in range(1, self.count + 1):
            yield input_of(f"{DRAWN}/{self.seed}-{number}", DRAWN, _drawn(Random(f"{self.seed} {number}")))  # noqa: S311


@cache
def _stated() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(each.text) for each in _in_file())


def _drawn(random: Random) -> Conversation:
    """Return messages of any built-in conversations, or the roles of one with what others say."""
    every = _stated()
    messages = [message for each in every for message in each["messages"]]
    if random.random() < 0.5:
        chosen = random.choices(messages, k=random.randint(1, MOST_MESSAGES))
    else:
        shape = random.choice([each["messages"] for each in every if len(each["messages"]) > 1])
        chosen = [{**each, "content": random.choice(messages).get("content", "")} for each in shape]
    tools = random.choice([each.get("tools") for each in every]) if random.random() < 0.3 else None
    return Conversation(tuple(chosen), None if tools is None else tuple(tools))
