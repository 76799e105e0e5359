"""A conversation is made shorter while it shows the same."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tokenizer_adapters.contract import Chat
from tokenizer_conformance.comparison.chat_reduction import shorten_chat
from tokenizer_conformance.comparison.question_reduction import reduced_question

MESSAGES = [
    {"role": "system", "content": "Be terse."},
    {"role": "user", "content": "How far is Quito? Say it in miles.", "name": "Ada"},
    {"role": "assistant", "content": "About nine hours."},
    {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
]
TOOLS = [{"name": "one"}, {"name": "two"}]
ASKED = Chat(json.dumps(MESSAGES), json.dumps(TOOLS), add_generation_prompt=True)


@pytest.mark.parametrize(
    ("shows", "left"),
    [
        (lambda chat: "Quito" in chat.messages, Chat('[{"role": "user", "content": "Quito"}]')),
        (lambda chat: "Ada" in chat.messages, Chat('[{"role": "user", "name": "Ada"}]')),
        (lambda chat: chat.tools is not None and "two" in chat.tools, Chat("[]", '[{"name": "two"}]')),
        (lambda chat: chat.add_generation_prompt, Chat("[]", add_generation_prompt=True)),
        (
            lambda chat: '"assistant"' in chat.messages and '"b"' in chat.messages,
            Chat('[{"role": "assistant"}, {"role": "user", "content": [{"type": "text", "text": "b"}]}]'),
        ),
    ],
)
def test_nothing_is_left_that_is_not_needed(shows: Any, left: Chat) -> None:
    assert reduced_question(ASKED, shows) == left


def test_what_one_pass_leaves_out_stays_out() -> None:
    kept: list[Chat] = []

    def ask(chat: Chat) -> bool:
        if "Hi" in chat.messages:
            kept.append(chat)
        return "Hi" in chat.messages

    shorten_chat(Chat('[{"name": "Ada", "role": "user", "id": "7", "content": "Hi, you"}]'), ask)
    assert kept[-1] == Chat('[{"role": "user", "content": "Hi"}]')


def test_one_pass_shortens_every_message_and_the_tools() -> None:
    kept: list[Chat] = []

    def ask(chat: Chat) -> bool:
        shows = all(word in f"{chat.messages} {chat.tools}" for word in ("Hü", "Bye", "two"))
        kept.extend([chat] * shows)
        return shows

    messages = [
        {"role": "narrator", "content": "Hü, you", "tool_calls": []},
        {"role": "user", "content": "And so on"},
        {"role": "critic", "weight": 1, "content": "Oh, Bye"},
    ]
    shorten_chat(Chat(json.dumps(messages), json.dumps(TOOLS)), ask)
    left = '[{"role": "user", "content": "Hü"}, {"role": "user", "content": "Bye"}]'
    assert kept[-1] == Chat(left, '[{"name": "two"}]')


@pytest.mark.parametrize("role", ["user", "assistant", "system", "tool"])
def test_the_usual_roles_stay(role: str) -> None:
    asked: list[Chat] = []

    def ask(chat: Chat) -> bool:
        asked.append(chat)
        return "Hi" in chat.messages

    chat = Chat(json.dumps([{"role": role, "content": "Hi"}]))
    shorten_chat(chat, ask)
    assert all(json.loads(each.messages)[0]["role"] == role for each in asked if "role" in each.messages)
    assert asked


def test_a_message_that_has_to_go_on_goes_on() -> None:
    chat = Chat('[{"role": "assistant", "content": "Hi"}]', "null", continue_final_message=True)
    left = reduced_question(chat, lambda asked: asked.continue_final_message)  # type: ignore[union-attr]
    assert left == Chat("[]", continue_final_message=True)


def test_another_role_becomes_that_of_the_user_and_options_are_left_out() -> None:
    chat = Chat('[{"role": "narrator", "content": "Hi"}]', continue_final_message=True)
    assert reduced_question(chat, lambda asked: "Hi" in asked.messages) == Chat('[{"role": "user", "content": "Hi"}]')  # type: ignore[union-attr]


def test_what_is_no_list_of_messages_stays() -> None:
    for messages in ("{}", '{"a": 1}', "7"):
        assert reduced_question(Chat(messages), lambda _asked: True) == Chat(messages)
