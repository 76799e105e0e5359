"""What each rule changes: one template and conversation where it shows, with both texts."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from tokenizer_reference.chat import CHANGES, CONTRACT, ChatTemplate, RenderingRules, TemplateRefusedError
from tokenizer_reference.chat.rules import rules_json, rules_of

CONTENT = "{{ messages[0].content }}"
REFUSED = "refused"


def user(content: Any, **more: Any) -> list[dict[str, Any]]:
    return [{"role": "user", "content": content, **more}]


JSON = "{{ messages[0].content | tojson }}"
WITH_REASONING = "{'thinking': 't', 'role': 'user', 'reasoning': 't', 'reasoning_content': 't'}"

# What changes, a template, messages, the text by the contract, the text with the change.
SHOWN: tuple[tuple[str, str, Any, str, str], ...] = (
    ("trim_blocks", "a{% if true %}\nb{% endif %}", user(""), "ab", "a\nb"),
    ("lstrip_blocks", "a\n  {% if true %}b{% endif %}", user(""), "a\nb", "a\n  b"),
    ("keep_trailing_newline", "a\n", user(""), "a", "a\n"),
    ("no_loop_controls", "{% for i in [1, 2] %}{{ i }}{% break %}{% endfor %}", user(""), "1", REFUSED),
    ("no_generation_block", "{% generation %}a{% endgeneration %}", user(""), "a", REFUSED),
    ("ascii_json", JSON, user("é<"), '"é<"', '"\\u00e9<"'),
    ("html_json", JSON, user("<&>'"), '"<&>\'"', '"\\u003c\\u0026\\u003e\\u0027"'),
    ("sorted_json", JSON, user({"b": 1, "a": 2}), '{"b": 1, "a": 2}', '{"a": 2, "b": 1}'),
    ("compact_json", JSON, user({"b": [1, 2]}), '{"b": [1, 2]}', '{"b":[1,2]}'),
    ("html_sorted_json", JSON, user({"b": "<é", "a": 2}), '{"b": "<é", "a": 2}', '{"a": 2, "b": "\\u003cé"}'),
    (
        "jinja_json",
        "{{ '<é>' + (messages[0].content | tojson) }}",
        user({"b": "<é", "a": 2}),
        '<é>{"b": "<é", "a": 2}',
        '&lt;é&gt;{"a": 2, "b": "\\u003c\\u00e9"}',
    ),
    ("chainable_undefined", "{{ messages[0].a.b }}|", user(""), REFUSED, "|"),
    ("strict_undefined", "{{ messages[0].a }}|", user(""), "|", REFUSED),
    ("script_undefined", "{{ messages[0].a.b }}{{ messages[0].a == none }}", user(""), REFUSED, "True"),
    ("none_empty", "{{ none }}|{{ true }}", user(""), "None|True", "|True"),
    ("none_lower", "{{ none }}|{{ true }}", user(""), "None|True", "none|true"),
    ("none_null", "{{ none }}|{{ false }}", user(""), "None|False", "null|false"),
    ("booleans_lower", "{{ none }}|{{ true }}", user(""), "None|True", "None|true"),
    ("prints_json", CONTENT, user({"a": [None, "é", 1]}), "{'a': [None, 'é', 1]}", '{"a": [null, "é", 1]}'),
    ("undefined_json", "{{ messages[0].a | tojson }}", user(""), REFUSED, "null"),
    ("adds_anything", "{{ '<' + messages[0].content }}", user([1, "a"]), REFUSED, "<1,a"),
    ("typed_filters", "{{ messages[0].content | trim }}|", user(3), "3|", REFUSED),
    ("strips_any", "{{ messages[0].content.lstrip('\n') }}|", user("\n \na "), " \na |", "a |"),
    ("equals_loosely", "{{ messages[0].content == false }}", user(""), "False", "True"),
    ("selects_present", "{{ messages | selectattr('a', 'undefined') | list | length }}", user(""), "1", "0"),
    ("whole_numbers", JSON, user([2.0, {"a": -1.0}, 2.5]), '[2.0, {"a": -1.0}, 2.5]', '[2, {"a": -1}, 2.5]'),
    ("no_iterable_objects", "{{ messages[0].content is iterable }}", user({"a": 1}), "True", "False"),
    ("null_members", "{{ 'content' in messages[0] }}", user(None), "False", "True"),
    ("reasoning", "{{ messages[0].reasoning_content }}|", user("", thinking="t"), "t|", "|"),
    (
        "messages_as_given",
        "{{ messages[0] }}",
        user(None, reasoning="t"),
        WITH_REASONING,
        "{'role': 'user', 'content': None, 'reasoning': 't'}",
    ),
    ("no_messages", "a", [], REFUSED, "a"),
    ("strips_content", CONTENT, user(" a\n"), " a\n", "a"),
    ("joins_parts", CONTENT, user([{"type": "text", "text": "a"}, "b"]), "[{'type': 'text', 'text': 'a'}, 'b']", "ab"),
    (
        "javascript",
        "{{ '<' + messages[0].content }}{{ messages[0].a.b }}{{ none }}",
        user({}),
        REFUSED,
        "<[object Map]",
    ),
    ("joins_parts_by_lines", CONTENT, user(["a", "b"]), "['a', 'b']", "a\nb"),
)

OF_TOOLS = {"no_tool_use", "empty_tools"}


def rendered(template: str, messages: Any, rules: RenderingRules) -> str:
    try:
        return ChatTemplate({"default": template}, {}, rules=rules).render(messages)
    except TemplateRefusedError:
        return REFUSED


@pytest.mark.parametrize(("name", "template", "messages", "before", "after"), SHOWN, ids=[row[0] for row in SHOWN])
def test_a_change_shows(name: str, template: str, messages: Any, before: str, after: str) -> None:
    (change,) = (each for each in CHANGES if each.name == name)
    assert rendered(template, messages, CONTRACT) == before
    assert rendered(template, messages, change.rules) == after


def test_every_change_is_shown_and_has_a_name_of_its_own() -> None:
    names = [change.name for change in CHANGES]
    assert len(set(names)) == len(names)
    assert {row[0] for row in SHOWN} | OF_TOOLS == set(names)


def test_tools() -> None:
    templates, changes = {"default": "d{{ tools }}", "tool_use": "t"}, {each.name: each.rules for each in CHANGES}
    assert ChatTemplate(templates, {}).render(user(""), [{}]) == "t"
    assert ChatTemplate(templates, {}, rules=changes["no_tool_use"]).render(user(""), [{}]) == "d[{}]"
    assert ChatTemplate({"default": "{{ tools }}"}, {}).render(user(""), []) == "[]"
    assert ChatTemplate({"default": "{{ tools }}"}, {}, rules=changes["empty_tools"]).render(user(""), []) == "None"


def test_every_rule_but_the_clock_and_the_longest_range_can_be_changed() -> None:
    changed = {
        field.name
        for change in CHANGES
        for field in fields(RenderingRules)
        if getattr(change.rules, field.name) != getattr(CONTRACT, field.name)
    }
    assert {field.name for field in fields(RenderingRules)} - changed == {"now", "range_limit"}


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_rules_survive_json(change: Any) -> None:
    assert rules_of(rules_json(change.rules)) == change.rules
