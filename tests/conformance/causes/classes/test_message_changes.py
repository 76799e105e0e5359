"""Each change of messages shows on built-in conversations, and no two of them are alike there."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_conformance.causes.classes.message_changes import ALL, CONTENTS, EACH, TOOLS
from tokenizer_conformance.inputs.conversations.builtin import builtin_conversations

if TYPE_CHECKING:
    from collections.abc import Callable

CONVERSATIONS = tuple(json.loads(each.text) for each in builtin_conversations())
MESSAGES = [each["messages"] for each in CONVERSATIONS if all(isinstance(one, dict) for one in each["messages"])]
CONTENT = [one["content"] for each in MESSAGES for one in each if isinstance(one.get("content"), str)]
GIVEN: dict[str, tuple[dict[str, Callable[[Any], Any]], list[Any]]] = {
    "contents": (CONTENTS, CONTENT),
    "each message": (EACH, [one for each in MESSAGES for one in each]),
    "all messages": (ALL, MESSAGES),
    "tools": (TOOLS, [each["tools"] for each in CONVERSATIONS if each.get("tools")]),
}


@pytest.mark.parametrize("kind", GIVEN)
def test_each_change_shows_and_no_other_one_is_like_it(kind: str) -> None:
    table, given = GIVEN[kind]
    unchanged = [json.dumps(each) for each in given]
    told = defaultdict(list)
    for does, change in table.items():
        told["\n".join(json.dumps(change(each)) for each in given)].append(does)
    assert "\n".join(unchanged) not in told, told["\n".join(unchanged)]
    assert [each for each in told.values() if len(each) > 1] == []


@pytest.mark.parametrize("kind", GIVEN)
def test_what_is_given_stays_as_it_is(kind: str) -> None:
    table, given = GIVEN[kind]
    before = json.dumps(given)
    for change in table.values():
        for each in given:
            change(each)
    assert json.dumps(given) == before


@pytest.mark.parametrize(
    ("does", "text", "becomes"),
    [
        ("escapes <, > and & of content", "<a href=\"b\"> & 'c'", "&lt;a href=\"b\"&gt; &amp; 'c'"),
        ("escapes content for HTML", "\"'", "&quot;&#x27;"),
        ("escapes content for HTML as Jinja does", "\"'<", "&#34;&#39;&lt;"),
        ("writes LF for CR LF in content", "a\r\nb\rc", "a\nb\rc"),
        ("writes LF for CR LF and for CR in content", "a\r\nb\rc", "a\nb\nc"),
        ("writes one space for spaces and tabs in content", "a \t b\n\nc", "a b\n\nc"),
        ("joins the words of content with spaces", " a \n b ", "a b"),
        ("ends content at U+0000", "a\x00b\x00c", "a"),
        ("leaves texts like <|this|> out of content", "a<|im_end|>b <|c|>", "ab "),
        ("takes the first 1,024 characters of content alone", "a" * 2000, "a" * 1024),
    ],
)
def test_contents_are_changed_as_the_words_say(does: str, text: str, becomes: str) -> None:
    assert CONTENTS[does](text) == becomes


@pytest.mark.parametrize("count", [1000, 1024, 2000, 2048, 4000, 4096, 8192])
def test_contents_are_cut_where_clients_cut_them(count: int) -> None:
    assert CONTENTS[f"takes the first {count:,} characters of content alone"]("a" * 10_000) == "a" * count
