"""Peers that render chat templates: where each agrees with the reference, where it does not, and what it refuses."""

from __future__ import annotations

import functools
import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from script_templates import SCRIPT_TEMPLATES, script_messages, script_template

import tokenizer_conformance.inputs.bundled
from tokenizer_adapters.contract import (
    Chat,
    Encode,
    Failed,
    Implementation,
    Rendered,
    Stage,
    TimedOut,
    TokenizerSource,
    UnavailableError,
    Unsupported,
)
from tokenizer_adapters.peers.llama_cpp import LlamaCppImplementation
from tokenizer_adapters.peers.minijinja import MinijinjaImplementation
from tokenizer_adapters.peers.transformers4 import Transformers4FastImplementation, Transformers4SlowImplementation
from tokenizer_adapters.peers.transformers_js import TransformersJsImplementation
from tokenizer_adapters.peers.transformers_js3 import TransformersJs3Implementation
from tokenizer_adapters.protocol.client import ProcessImplementation, ProgramImplementation
from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.reference import ReferenceImplementation
from tokenizer_adapters.registry import RENDERERS, registered, selectable
from tokenizer_adapters.selection import served
from tokenizer_adapters.transformers import TransformersImplementation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

RENDERING: dict[str, type[Implementation]] = {
    "llama-cpp": LlamaCppImplementation,
    "minijinja": MinijinjaImplementation,
    "transformers": TransformersImplementation,
    "transformers-4-fast": Transformers4FastImplementation,
    "transformers-js": TransformersJsImplementation,
    "transformers-js-3": TransformersJs3Implementation,
}
WITHOUT_IDS = {"llama-cpp", "minijinja"}
CONTINUING = {"llama-cpp", "transformers", "transformers-4-fast"}

TEMPLATE = """{{ eos_token }}{% for message in messages %}
    {%- if message.role == 'critic' %}{{ raise_exception('no critics') }}{% endif %}
<{{ message['role'] }}>{{ message['content'] | trim }}
{% endfor %}{% if tools %}{{ tools | length }} tools{% endif %}
{% if add_generation_prompt %}<assistant>{% endif %}
"""
DATED = "{{ strftime_now('%d %B %Y') }}"
ENDLESS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
TEMPLATES = {"default": TEMPLATE, "dated": DATED, "endless": ENDLESS}
TOKENS = {"eos_token": "<|endoftext|>", "bos_token": "<s>"}


@pytest.fixture(scope="module")
def renderer() -> Callable[[str], Implementation]:
    """A function that builds a renderer once; skips with the reason where it is missing."""

    @functools.cache
    def build(name: str) -> Implementation:
        try:
            return RENDERING[name]()
        except UnavailableError as error:
            pytest.skip(str(error))

    return build


@pytest.fixture
def source(tmp_path: Path) -> TokenizerSource:
    return written(tmp_path, [{"name": name, "template": template} for name, template in TEMPLATES.items()])


def written(folder: Path, templates: Any, tokens: Mapping[str, str] = TOKENS) -> TokenizerSource:
    shutil.copy(tokenizer_conformance.inputs.bundled.bundled_file("gpt2-mini"), folder / "tokenizer.json")
    configuration = {"tokenizer_class": "PreTrainedTokenizerFast", **tokens}
    given = configuration if templates is None else {**configuration, "chat_template": templates}
    (folder / "tokenizer_config.json").write_text(json.dumps(given), encoding="utf-8")
    return TokenizerSource("toy", str(folder / "tokenizer.json"), str(folder))


def chat(*contents: str, **more: Any) -> Chat:
    messages = [
        {"role": role, "content": content} for role, content in zip(["user", "assistant"] * 9, contents, strict=False)
    ]
    return Chat(json.dumps(messages), **more)


ALL = pytest.mark.parametrize("name", RENDERING)
PLAIN = [
    chat("Hi"),
    chat(" Hi né \n", "there ", add_generation_prompt=True),
    chat("a", "b", "c", tools='[{"type": "function", "function": {"name": "f"}}]'),
    chat("<|endoftext|> 日本 🎉 {{ x }}", template="default"),
]


@ALL
@pytest.mark.parametrize("question", PLAIN, ids=repr)
def test_a_plain_conversation_becomes_the_text_of_the_reference(
    renderer: Any, source: TokenizerSource, name: str, question: Chat
) -> None:
    expected = ReferenceImplementation().load(source).observe(question)
    assert isinstance(expected, Rendered)
    answer = renderer(name).load(source).observe(question)
    assert answer == (replace(expected, ids=None) if name in WITHOUT_IDS else expected)


@ALL
def test_it_is_told_the_one_time_or_not_asked(renderer: Any, source: TokenizerSource, name: str) -> None:
    answer = renderer(name).load(source).observe(chat("Hi", template="dated"))
    if name == "llama-cpp":
        assert answer == Unsupported("llama-cpp tells templates the time of the day, and this one asks for it")
    else:
        assert answer.text == "03 February 2025"


@ALL
def test_the_template_alone_says_where_a_bos_is(renderer: Any, tmp_path: Path, name: str) -> None:
    subject = renderer(name).load(written(tmp_path, "{{ bos_token }}{{ messages[0].content }}"))
    assert subject.observe(chat("Hi")).text == "<s>Hi"


@ALL
def test_what_a_template_raises_fails_with_its_words(renderer: Any, source: TokenizerSource, name: str) -> None:
    answer = renderer(name).load(source).observe(Chat('[{"role": "critic", "content": ""}]'))
    assert isinstance(answer, Failed)
    assert "no critics" in answer.message


@ALL
@pytest.mark.parametrize("question", [Chat("{}"), Chat("no JSON"), chat("Hi", tools="3")], ids=repr)
def test_what_is_no_conversation_fails(renderer: Any, source: TokenizerSource, name: str, question: Chat) -> None:
    assert isinstance(renderer(name).load(source).observe(question), Failed)


@ALL
def test_what_is_not_there_is_unsupported(renderer: Any, source: TokenizerSource, tmp_path: Path, name: str) -> None:
    subject = renderer(name).load(source)
    assert subject.observe(chat("Hi", template="rag")) == Unsupported(
        "this tokenizer has no chat template called 'rag'"
    )
    assert renderer(name).load(written(tmp_path, None)).observe(chat("Hi")) == Unsupported(
        "this tokenizer has no chat template"
    )


@ALL
def test_who_cannot_continue_a_message_says_so(renderer: Any, source: TokenizerSource, name: str) -> None:
    answer = renderer(name).load(source).observe(chat("Hi", "there", continue_final_message=True))
    if name in CONTINUING:
        assert answer.text.endswith("<assistant>there")
    else:
        assert isinstance(answer, Unsupported)


@pytest.mark.parametrize("name", sorted(RENDERING.keys() - {"transformers-js", "transformers-js-3"}))  # they read none
def test_a_template_in_a_file_goes_before_the_configuration(
    renderer: Any, source: TokenizerSource, tmp_path: Path, name: str
) -> None:
    (tmp_path / "chat_template.jinja").write_text("of a file", encoding="utf-8")
    assert renderer(name).load(source).observe(chat("Hi")).text == "of a file"


@pytest.mark.long
@pytest.mark.parametrize("name", ["transformers", "transformers-4-fast", "transformers-js"])
def test_a_template_without_end_is_stopped(renderer: Any, source: TokenizerSource, name: str) -> None:
    implementation = renderer(name)
    limits = Limits(seconds=1.5, memory=4 << 30)
    kind = type(implementation)
    apart = kind(limits) if issubclass(kind, ProgramImplementation) else ProcessImplementation(served(name), limits)
    subject = apart.load(source)
    assert subject.observe(chat("Hi", template="endless")) == TimedOut(1.5)
    assert isinstance(subject.observe(chat("Hi")), Rendered)
    apart.close()


def test_minijinja_stops_a_template_without_end_itself(renderer: Any, source: TokenizerSource) -> None:
    answer = renderer("minijinja").load(source).observe(chat("Hi", template="endless"))
    assert isinstance(answer, Failed)
    assert "fuel" in answer.message


# Where engines differ -------------------------------------------------------------------------------------------------

PARTS = json.dumps([{"role": "user", "content": [{"type": "text", "text": text} for text in "ab"]}])
OUR_PARTS = "[{'type': 'text', 'text': 'a'}, {'type': 'text', 'text': 'b'}]"
NULLS = '[{"role": "user", "content": null}]'
DIFFERING = {
    "llama-cpp": [("{{ messages[0].content }}", PARTS, OUR_PARTS, "a\nb")],
    "minijinja": [
        ("{{ messages[0].content | tojson }}", '[{"role": "user", "content": "<é>"}]', '"<é>"', '"\\u003cé\\u003e"'),
        ("{{ messages[0].content }}|", NULLS, "|", "None|"),
    ],
    "transformers-4-fast": [("{{ messages[0].content }}|", NULLS, "|", "None|")],
    "transformers-js": [("{{ true }}", NULLS, "True", "true")],
    "transformers-js-3": [("{{ true }}", NULLS, "True", "true")],
}


@pytest.mark.parametrize(
    ("name", "template", "messages", "ours", "theirs"),
    [(name, *row) for name, rows in DIFFERING.items() for row in rows],
)
def test_an_engine_has_rules_of_its_own(
    renderer: Any, tmp_path: Path, name: str, template: str, messages: str, ours: str, theirs: str
) -> None:
    source = written(tmp_path, template)
    answers = [each.load(source).observe(Chat(messages)) for each in (ReferenceImplementation(), renderer(name))]
    assert [answer.text for answer in answers] == [ours, theirs]


@pytest.mark.parametrize("template", SCRIPT_TEMPLATES)
def test_the_rules_of_javascript_are_those_of_transformers_js(renderer: Any, tmp_path: Path, template: str) -> None:
    subject = renderer("transformers-js").load(written(tmp_path, script_template(template)))
    for content, text in SCRIPT_TEMPLATES[template]:
        answer = subject.observe(Chat(json.dumps(script_messages(content))))
        assert getattr(answer, "text", None) == text, content


def test_llama_cpp_refuses_a_template_before_it_is_rendered(renderer: Any, tmp_path: Path) -> None:
    source = written(tmp_path, "{{ missing | tojson }}{{ messages[0].content }}")
    answer = renderer("llama-cpp").load(source).observe(chat("Hi"))
    assert isinstance(answer, Failed)
    assert "Unknown (built-in) filter 'tojson' for type Undefined" in answer.message


@pytest.mark.parametrize("bos", ["</s>", "<unk>"])
def test_llama_cpp_renders_where_special_tokens_are_one(renderer: Any, tmp_path: Path, bos: str) -> None:
    tokens = {"bos_token": bos, "eos_token": "</s>"}
    source = written(tmp_path, "{{ bos_token }}{{ messages[0].content }}{{ eos_token }}", tokens)
    assert renderer("llama-cpp").load(source).observe(chat("Hi")) == Rendered(f"{bos}Hi</s>")


def test_llama_cpp_continues_the_assistant_alone(renderer: Any, source: TokenizerSource) -> None:
    answer = renderer("llama-cpp").load(source).observe(chat("Hi", continue_final_message=True))
    assert answer == Unsupported("llama-cpp continues messages of the assistant alone")


# Describing themselves ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["minijinja", "transformers-js"])
def test_what_only_renders_says_so(renderer: Any, source: TokenizerSource, name: str) -> None:
    implementation = renderer(name)
    assert implementation.info.name == name
    assert implementation.info.stages == {Stage.CHAT}
    assert isinstance(implementation.load(source).observe(Encode("a")), Unsupported)


def test_slow_classes_render_too() -> None:
    try:
        info = Transformers4SlowImplementation().info
    except UnavailableError as error:
        pytest.skip(str(error))
    assert Stage.CHAT in info.stages


def test_renderers_are_selected_by_name_and_are_no_tokenizers() -> None:
    renderers = set(registered(RENDERERS))
    if not renderers:
        pytest.skip("the package was installed before it registered renderers; install it again")
    assert renderers == {"minijinja", "transformers-js"}
    assert renderers <= set(selectable())
    assert not renderers & set(registered())
