"""Conversations: built in, drawn, and in the forms that files of users have."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import Chat
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.conversations.builtin import DrawnConversations, builtin_conversations
from tokenizer_conformance.inputs.conversations.conversation import NoConversationError, conversation_in, spoken_in
from tokenizer_conformance.inputs.conversations.files import conversation_files

if TYPE_CHECKING:
    from pathlib import Path

USER, ANSWER = {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}


def test_the_built_in_ones_are_ascii_and_each_has_a_name_of_its_own() -> None:
    assert (files("tokenizer_conformance.inputs.conversations") / "builtin.json").read_bytes().isascii()
    ids = [each.id for each in builtin_conversations()]
    assert len(ids) == len(set(ids)) > 100
    assert len({each.text for each in builtin_conversations()}) == len(ids)


@pytest.mark.parametrize(
    "shape",
    [
        lambda messages: not messages,
        lambda messages: any(each.get("content", "") is None for each in messages),
        lambda messages: any(isinstance(each.get("content"), list) for each in messages),
        lambda messages: any("content" not in each for each in messages),
        lambda messages: any("role" not in each for each in messages),
        lambda messages: any(each.get("tool_calls") for each in messages),
        lambda messages: any(each.get("role") == "tool" for each in messages),
        lambda messages: [each.get("role") for each in messages].count("system") > 1,
        lambda messages: any(each.get("role") == "system" for each in messages[1:]),
        lambda messages: any("\x00" in str(each.get("content")) for each in messages),
        lambda messages: any("{{" in str(each.get("content")) for each in messages),
        lambda messages: any(len(str(each.get("content"))) > 2000 for each in messages),
    ],
)
def test_every_shape_is_among_them(shape: Any) -> None:
    assert any(shape(json.loads(each.text)["messages"]) for each in builtin_conversations())


def test_a_conversation_is_asked_with_and_without_a_generation_prompt_and_continued_where_an_answer_is_last() -> None:
    asked = [*conversation_in([USER]).questions()]
    assert [(each.add_generation_prompt, each.continue_final_message) for each in asked] == [
        (False, False),
        (True, False),
    ]
    *_, last = conversation_in({"messages": [USER, ANSWER], "tools": []}).questions()
    assert last == Chat(json.dumps([USER, ANSWER]), "[]", continue_final_message=True)


@pytest.mark.parametrize(
    ("stated", "messages", "tools"),
    [
        ({"messages": [USER]}, (USER,), None),
        ({"messages": [USER], "tools": [{"name": "t"}]}, (USER,), ({"name": "t"},)),
        ({"messages": [USER], "tools": '[{"name": "t"}]'}, (USER,), ({"name": "t"},)),
        ([USER, ANSWER], (USER, ANSWER), None),
        (
            {"conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Hello"}]},
            (USER, ANSWER),
            None,
        ),
        (
            {"system": "Be terse.", "conversations": [{"from": "human", "value": "Hi"}]},
            ({"role": "system", "content": "Be terse."}, USER),
            None,
        ),
        ({"conversations": [USER, ANSWER]}, (USER, ANSWER), None),
    ],
)
def test_the_usual_forms_are_read(stated: Any, messages: tuple[Any, ...], tools: Any) -> None:
    found = conversation_in(stated)
    assert (found.messages, found.tools) == (messages, tools)


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ("Hi", "no 'messages' and no 'conversations'"),
        ({"text": "Hi"}, "no 'messages' and no 'conversations'"),
        ({"messages": "Hi"}, "'messages' is no array"),
        ([USER, "Hi"], "message 1 is no object"),
        ({"messages": [USER], "tools": 5}, "'tools' is no array"),
        ({"messages": [USER], "tools": "{"}, "'tools' is a string that is no JSON"),
        ([{"role": "user", "content": "\ud800"}], "lone surrogate"),
    ],
)
def test_what_is_no_conversation_says_why(stated: Any, said: str) -> None:
    with pytest.raises(NoConversationError, match=said):
        conversation_in(stated)


@pytest.mark.parametrize(
    ("chat", "shown"),
    [
        (Chat(json.dumps([USER, ANSWER]), "[]"), [("user", "Hi"), ("assistant", "Hello"), ("tools", "[]")]),
        (Chat('[{"role": "user", "content": null}]'), [("user", "null")]),
        (Chat('[{"role": "user"}]'), [("user, without content", "")]),
        (Chat('[{"role": "a\\u001b[31mb", "content": ""}]'), [("a\\x1b[31mb", "")]),
        (Chat(json.dumps([{"role": "a" * 30, "content": ""}])), [("a" * 30, "")]),
        (Chat(json.dumps([{"role": "a" * 31, "content": ""}])), [("a" * 30 + "…", "")]),
        (Chat("[1]"), [("messages", "[1]")]),
        (Chat("[", "{"), [("messages", "["), ("tools", "{")]),
    ],
)
def test_it_is_shown_who_says_what(chat: Chat, shown: list[tuple[str, str]]) -> None:
    assert list(spoken_in(chat)) == shown


def test_a_file_has_one_a_line_and_an_error_names_the_line(tmp_path: Path) -> None:
    file = tmp_path / "chats.jsonl"
    file.write_text(f"{json.dumps({'messages': [USER]})}\n\n{json.dumps([USER, ANSWER])}\n")
    (source,) = conversation_files([str(file)])
    assert [each.id for each in source] == ["chats.jsonl:1", "chats.jsonl:3"]
    file.write_text(f'{json.dumps({"messages": [USER]})}\n{{"text": "Hi"}}\n')
    with pytest.raises(BadInputError, match=r"chats.jsonl.*, line 2 is no conversation: it has no 'messages'"):
        list(source)
    file.write_text("")
    with pytest.raises(BadInputError, match="is empty"):
        list(source)


def test_drawn_ones_depend_on_the_seed_and_the_number_alone() -> None:
    drawn = list(DrawnConversations(30, seed=1))
    assert drawn == list(DrawnConversations(30, seed=1))
    assert drawn[:10] == list(DrawnConversations(10, seed=1))
    assert {each.text for each in drawn}.isdisjoint({each.text for each in DrawnConversations(30, seed=2)})
