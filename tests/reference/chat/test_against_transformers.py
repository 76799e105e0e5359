"""The reference renders as ``transformers`` does: each template, each conversation, each option."""

from __future__ import annotations

import itertools
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import transformers
from chat_templates import CONVERSATIONS, SPECIAL_TOKENS, TEMPLATES, TOOL
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from tokenizer_reference.chat import ChatTemplate, TemplateRefusedError, special_tokens_of, templates_of
from tokenizer_reference.chat.rules import NOW

if TYPE_CHECKING:
    from collections.abc import Iterator

OPTIONS = [
    {},
    {"add_generation_prompt": True},
    {"continue_final_message": True},
    {"add_generation_prompt": True, "continue_final_message": True},
]
TOOLS = [None, [TOOL], []]


class Clock:
    """Stands in for ``datetime``, and shows one time."""

    @staticmethod
    def now() -> Any:
        return NOW


@pytest.fixture(autouse=True)
def one_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("transformers.utils.chat_template_utils.datetime", Clock)


def theirs(templates: Any, messages: Any, tools: Any, tokens: dict[str, str], **options: Any) -> str | None:
    """Return what ``transformers`` makes of ``messages``, ``None`` where it refuses them."""
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=Tokenizer(WordLevel({"a": 0}, "a")), **tokens)
    tokenizer.chat_template = templates
    try:
        return str(tokenizer.apply_chat_template(messages, tools=tools, tokenize=False, **options))
    except Exception:
        return None


def ours(template: ChatTemplate, messages: Any, tools: Any, **options: Any) -> str | None:
    try:
        return template.render(messages, tools, **options)
    except TemplateRefusedError:
        return None


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_conversation_becomes_the_same_text(name: str) -> None:
    template = ChatTemplate({"default": TEMPLATES[name]}, SPECIAL_TOKENS)
    texts = 0
    for messages, tools, options in itertools.product(CONVERSATIONS.values(), TOOLS, OPTIONS):
        found = ours(template, messages, tools, **options)
        assert found == theirs(TEMPLATES[name], messages, tools, SPECIAL_TOKENS, **options), (messages, tools, options)
        texts += found is not None
    assert texts >= 30 or name == "broken"


PARTS = st.fixed_dictionaries({"type": st.sampled_from(["text", "image"])}, optional={"text": st.text(max_size=4)})
CONTENT = st.text(max_size=6) | st.none() | st.lists(PARTS, max_size=3)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)
CALLS = st.fixed_dictionaries({"function": st.fixed_dictionaries({"arguments": JSON})})
MESSAGES = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "system", "tool"])},
    optional={
        "content": CONTENT,
        "tool_calls": st.lists(
            st.fixed_dictionaries({"function": st.fixed_dictionaries({"arguments": JSON})}), max_size=2
        ),
        "thinking": st.text(max_size=3) | st.none(),
        "reasoning": st.text(max_size=3) | st.none(),
        "reasoning_content": st.text(max_size=3) | st.none(),
        "name": JSON,
    },
)


@given(
    name=st.sampled_from(sorted(TEMPLATES)),
    messages=st.lists(MESSAGES, min_size=1, max_size=4),
    tools=st.none() | st.lists(st.dictionaries(st.text(max_size=4), JSON, max_size=2), max_size=2),
    options=st.sampled_from(OPTIONS),
)
def test_so_does_any_conversation(name: str, messages: Any, tools: Any, options: dict[str, bool]) -> None:
    template = ChatTemplate({"default": TEMPLATES[name]}, SPECIAL_TOKENS)
    expected = theirs(TEMPLATES[name], messages, tools, SPECIAL_TOKENS, **options)
    assert ours(template, messages, tools, **options) == expected


NAMED = [
    {"default": "d", "tool_use": "t{{ tools }}"},
    {"tool_use": "t"},
    {"default": "d", "rag": "r"},
    {"default": "d"},
]


@pytest.mark.parametrize("templates", NAMED, ids=str)
def test_the_same_of_several_templates_is_taken(templates: dict[str, str]) -> None:
    for tools in TOOLS:
        expected = theirs(templates, CONVERSATIONS["one"], tools, {})
        try:
            found: str | None = ChatTemplate(templates, {}).render(CONVERSATIONS["one"], tools)
        except LookupError:
            found = None
        assert found == expected


def checkpoints() -> Iterator[Path]:
    """Yield the folders of real templates, where ``TOKCONF_CHAT_MODELS`` names a folder that holds some."""
    root = os.environ.get("TOKCONF_CHAT_MODELS")
    for path in sorted(Path(root).rglob("tokenizer_config.json")) if root else ():
        if templates_of(path.parent):
            yield path.parent


@pytest.mark.long
def test_real_templates() -> None:
    folders = list(checkpoints())
    if not folders:
        pytest.skip("TOKCONF_CHAT_MODELS names no folder with the files of models that have chat templates")
    for folder in folders:
        tokens, templates = special_tokens_of(folder), templates_of(folder)
        given_by = json.loads((folder / "tokenizer_config.json").read_text("utf-8"))["chat_template"]
        known = given_by if isinstance(given_by, str) else templates
        template = ChatTemplate(templates, tokens)
        for messages, tools, options in itertools.product(CONVERSATIONS.values(), TOOLS, OPTIONS):
            expected = theirs(known, messages, tools, tokens, **options)
            assert ours(template, messages, tools, **options) == expected, (folder, messages, tools, options)
