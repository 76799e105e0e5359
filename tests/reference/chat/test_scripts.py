"""The rules of JavaScript's Jinja, all at once: what it makes of values, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest
from script_templates import REFUSED, SCRIPT_TEMPLATES, script_messages, script_template

from tokenizer_reference.chat import TemplateRefusedError
from tokenizer_reference.chat.rendering import Conversation, rendered
from tokenizer_reference.chat.rules import JAVASCRIPT

CASES = [(template, *row) for template, rows in SCRIPT_TEMPLATES.items() for row in rows]


@pytest.mark.parametrize(("template", "content", "text"), CASES)
def test_values_become_what_they_are_in_javascript(template: str, content: Any, text: str | None) -> None:
    try:
        found = rendered(script_template(template), Conversation(messages=script_messages(content)), JAVASCRIPT)
    except TemplateRefusedError:
        found = REFUSED
    assert found == text
