"""What transformers.js 4.3 makes of values: a template that shows the content of a message, contents, texts."""

from __future__ import annotations

from typing import Any, Final

ABSENT: Final = object()
REFUSED: Final = None

ITEMS: Final = ["a", 1, None, True, {"b": "é"}, [2]]
OBJECT: Final = {"a": 1, "b": [None]}

SCRIPT_TEMPLATES: dict[str, list[tuple[Any, str | None]]] = {
    "{{ content }}": [
        (ITEMS, '["a", 1, null, true, {"b": "é"}, [2]]'),
        (OBJECT, '{"a": 1, "b": [null]}'),
        (1.5, "1.5"),
        (ABSENT, ""),
    ],
    "{{ '<' + content }}": [
        (ITEMS, '<a,1,undefined,true,{"b": "é"},[2]'),
        (OBJECT, "<[object Map]"),
        ([], "<"),
        (True, "<true"),
        (3, "<3"),
        (None, REFUSED),
        (ABSENT, REFUSED),
    ],
    "{{ content + '>' }}": [([{"a": None}], '{"a": null}>'), (1.5, "1.5>"), (None, REFUSED)],
    "{{ content | trim }}": [(" a ", "a"), (3, REFUSED), (None, REFUSED), ([], REFUSED), (ABSENT, REFUSED)],
    "{{ content | upper }}": [("é", "É"), (True, REFUSED), (ABSENT, REFUSED)],
    "{{ content | replace('a', 'b') }}": [("a", "b"), (3, REFUSED), (OBJECT, REFUSED)],
    "{{ content | length }}": [("ab", "2"), (ITEMS, "6"), (OBJECT, "2"), (ABSENT, REFUSED), (3, REFUSED)],
    "{{ content | string }}": [(ITEMS[:2], '["a", 1]'), (True, "true"), (OBJECT, REFUSED), (None, REFUSED)],
    "{{ content | list | length }}": [(ITEMS, "6"), ("ab", REFUSED), (OBJECT, REFUSED), (ABSENT, REFUSED)],
    "{{ content | selectattr('type') | list | length }}": [
        ([{"type": 1}, {}], "1"),
        ("ab", REFUSED),
        (ABSENT, REFUSED),
    ],
    "{{ content | first }}": [(["a"], "a"), ("a", REFUSED)],
    "{{ content | join('-') }}": [(["a", 1], "a-1"), ("ab", "a-b"), (OBJECT, REFUSED)],
    "{{ content | tojson }}": [(2, "2"), (ABSENT, "null"), (None, "null")],
    "{{ content is iterable }}": [("a", "true"), ([], "true"), (OBJECT, "false"), (ABSENT, "false")],
    "{{ content is mapping }}": [(OBJECT, "true"), ([], "false"), (ABSENT, "false")],
    "{{ content == none }}": [(None, "true"), (ABSENT, "true"), ("", "false")],
    "{{ content == false }}": [("", "true"), (0, "true"), ("a", "false"), (None, "false"), ([], "true"), ({}, "false")],
    "{{ content != 1 }}": [("1", "false"), (1, "false"), (True, "false"), ("x", "true"), (ABSENT, "true")],
    "{{ content == content }}{{ content == content[:] }}": [([], "truefalse"), ("a", "truetrue")],
    "{{ content | selectattr('a', 'undefined') | list | tojson }}": [([{}, {"a": 1}, {"a": None}], "[]")],
    "{{ content | rejectattr('a', 'undefined') | list | tojson }}": [([{}, {"a": 1}], '[{}, {"a": 1}]')],
    "{{ content | selectattr('a') | list | tojson }}": [([{}, {"a": 1}, {"a": 0}], '[{"a": 1}]')],
    "{{ content.a.b }}|": [(OBJECT, "|"), (ABSENT, "|"), (None, "|")],
    "{{ content[1:] }}": [(["a", "b"], '["b"]'), (ABSENT, REFUSED)],
    "{{ 'a' in content }}": [("a", "true"), (OBJECT, "true"), (ABSENT, "false"), (None, REFUSED)],
    "{% for each in content %}[{{ each }}]{% endfor %}": [(["a"], "[a]"), (OBJECT, "[a][b]"), (ABSENT, REFUSED)],
    "{{ content.strip('x') }}|{{ content.lstrip('x') }}|{{ content.rstrip('x') }}|": [(" x ", "x|x | x|")],
}
"""Templates with the texts of contents; ``REFUSED`` stands for no text, ``ABSENT`` for a message without content."""


def script_messages(content: Any) -> list[dict[str, Any]]:
    """Return the messages that ask about ``content``."""
    return [{"role": "user"} | ({} if content is ABSENT else {"content": content})]


def script_template(template: str) -> str:
    """Return ``template`` with the content in its place."""
    return "{% set content = messages[0].content %}" + template
