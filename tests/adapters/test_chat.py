"""Conversations, asked of the reference and of ``transformers``: one prompt, its ids, one time, plain refusals."""

from __future__ import annotations

import json
import shutil
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

import tokenizer_conformance
from tokenizer_adapters.chat import NOW
from tokenizer_adapters.contract import (
    AddTokens,
    After,
    Chat,
    Encode,
    Failed,
    NewToken,
    Rendered,
    Stage,
    TokenizerSource,
    Unsupported,
)
from tokenizer_adapters.reference import ReferenceImplementation
from tokenizer_adapters.transformers import TransformersImplementation
from tokenizer_adapters.transformers_chat import rendered
from tokenizer_adapters.variants.rendering import RENDERING_CHANGES, load_renderer

BUNDLED = Path(tokenizer_conformance.__file__).parent / "inputs" / "bundled"
TEMPLATE = """{{ eos_token }}{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}
{%- if tools %}{{ tools }}{% endif %}
{%- if add_generation_prompt %}<assistant>{% endif %}"""
TEMPLATES = [
    {"name": "default", "template": TEMPLATE},
    {"name": "dated", "template": "{{ strftime_now('%Y-%m-%d %H:%M') }}"},
]
HI = json.dumps([{"role": "user", "content": " Hi né "}])

BOTH = pytest.mark.parametrize("made", [ReferenceImplementation, TransformersImplementation])


@pytest.fixture
def source(tmp_path: Path) -> TokenizerSource:
    return written(tmp_path, {"chat_template": TEMPLATES})


def written(folder: Path, configuration: dict[str, Any], name: str = "gpt2-mini") -> TokenizerSource:
    shutil.copy(BUNDLED / name / "tokenizer.json", folder / "tokenizer.json")
    given = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|endoftext|>", **configuration}
    (folder / "tokenizer_config.json").write_text(json.dumps(given), encoding="utf-8")
    return TokenizerSource("toy", str(folder / "tokenizer.json"), str(folder))


@BOTH
def test_a_prompt_and_its_ids(made: Any, source: TokenizerSource) -> None:
    subject = made().load(source)
    assert Stage.CHAT in made().info.stages
    answer = subject.observe(Chat(HI, add_generation_prompt=True))
    assert isinstance(answer, Rendered)
    assert answer.text == "<|endoftext|><user> Hi né <assistant>"
    assert answer.ids is not None
    assert answer.ids.count(answer.ids[0]) == 1  # the special token of the template, and none added to it
    assert subject.observe(Chat(HI, continue_final_message=True)) != answer


def test_templates_stand_in_the_folder_of_the_tokenizer(tmp_path: Path) -> None:
    source = written(tmp_path, {"chat_template": "of the folder"})
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.move(source.file, elsewhere / "tokenizer.json")
    subject = ReferenceImplementation().load(TokenizerSource("toy", str(elsewhere / "tokenizer.json"), str(tmp_path)))
    answer = subject.observe(Chat(HI))
    assert isinstance(answer, Rendered)
    assert answer.text == "of the folder"


@BOTH
def test_no_special_tokens_are_put_around_a_prompt(made: Any, tmp_path: Path) -> None:
    subject = made().load(written(tmp_path, {"chat_template": "a"}, "bert-mini"))
    around = subject.observe(Encode("a"))
    assert len(around.ids) == 3
    assert subject.observe(Chat(HI)) == Rendered("a", around.ids[1:-1])


QUESTIONS = [
    Chat(HI),
    Chat(HI, "[]"),
    Chat(HI, '[{"type": "function"}]', add_generation_prompt=True),
    Chat(HI, continue_final_message=True),
    Chat(HI, template="dated"),
    After((AddTokens((NewToken("<user>", special=True),)),), Chat(HI)),
]


@pytest.mark.parametrize("question", QUESTIONS, ids=repr)
def test_both_answer_the_same(question: Any, source: TokenizerSource) -> None:
    ours, theirs = (
        each().load(source).observe(question) for each in (ReferenceImplementation, TransformersImplementation)
    )
    assert isinstance(ours, Rendered)
    assert ours == theirs


@BOTH
def test_every_renderer_is_told_one_time(made: Any, source: TokenizerSource) -> None:
    answer = made().load(source).observe(Chat(HI, template="dated"))
    assert answer.text == NOW.strftime("%Y-%m-%d %H:%M")


REFUSED = [
    Chat("[]"),
    Chat("no JSON"),
    Chat("{}"),
    Chat("[[]]"),
    Chat('["a"]'),
    Chat(HI, "3"),
    Chat(HI, "[3]"),
    Chat(HI, add_generation_prompt=True, continue_final_message=True),
    Chat('[{"role": "user"}]', continue_final_message=True),
    Chat(json.dumps([{"role": "user", "content": "\ud800"}])),
]


@BOTH
@pytest.mark.parametrize("question", REFUSED, ids=repr)
def test_what_is_no_conversation_fails(made: Any, question: Chat, source: TokenizerSource) -> None:
    assert isinstance(made().load(source).observe(question), Failed)


@BOTH
def test_a_template_that_is_not_there_is_unsupported(made: Any, source: TokenizerSource, tmp_path: Path) -> None:
    answer = made().load(source).observe(Chat(HI, template="rag"))
    assert answer == Unsupported("this tokenizer has no chat template called 'rag'")
    none = written(tmp_path, {})
    assert made().load(none).observe(Chat(HI)) == Unsupported("this tokenizer has no chat template")


@BOTH
def test_what_a_template_raises_has_its_kind_and_words(made: Any, tmp_path: Path) -> None:
    source = written(tmp_path, {"chat_template": "{{ raise_exception('roles must alternate') }}"})
    assert made().load(source).observe(Chat(HI)) == Failed("TemplateError", "roles must alternate")


def test_the_clock_goes_on_afterwards(source: TokenizerSource) -> None:
    module = pytest.importorskip("transformers.utils.chat_template_utils")
    assert module.datetime is datetime
    TransformersImplementation().load(source).observe(Chat(HI, template="dated"))
    assert module.datetime is datetime


# Other releases and environments --------------------------------------------------------------------------------------


class Early:
    """A release without tools: what it has no argument for would become a variable of the template."""

    chat_template = TEMPLATE

    def apply_chat_template(
        self, conversation: list[Any], tokenize: bool = True, add_generation_prompt: bool = False, **more: Any
    ) -> Any:
        text = f"{conversation[0]['content']}{more.get('tools', '')}{'>' if add_generation_prompt else ''}"
        return list(map(ord, text)) if tokenize else text


class WithoutJinja(Early):
    def apply_chat_template(self, *_given: Any, **_more: Any) -> Any:
        raise ImportError("apply_chat_template requires jinja2 to be installed")


def test_an_early_release_is_asked_what_it_has_arguments_for() -> None:
    question = Chat('[{"role": "user", "content": "a"}]')
    assert rendered(Early(), question) == Rendered("a", (97,))
    assert rendered(Early(), Chat(question.messages, add_generation_prompt=True)) == Rendered("a>", (97, 62))
    assert rendered(Early(), Chat(question.messages, "[]")) == Unsupported(
        "this release has no tools in apply_chat_template"
    )
    assert isinstance(rendered(object(), question), Unsupported)


def test_an_environment_without_jinja_says_so() -> None:
    assert rendered(WithoutJinja(), Chat(HI)) == Unsupported(
        "jinja2 is missing where transformers is installed; install it there"
    )


# Variants -------------------------------------------------------------------------------------------------------------


def test_the_reference_can_render_by_other_rules(tmp_path: Path) -> None:
    source = written(tmp_path, {"chat_template": "{{ none }}{{ messages[0].content }}\n"})
    assert load_renderer(source).observe(Chat(HI)) == ReferenceImplementation().load(source).observe(Chat(HI))
    changed = load_renderer(source, "none_empty", "strips_content").observe(Chat(HI))
    assert isinstance(changed, Rendered)
    assert changed.text == "Hi né"
    assert "none_empty" in RENDERING_CHANGES


def test_an_unknown_rule_is_refused(source: TokenizerSource) -> None:
    with pytest.raises(KeyError, match="no_such_rule"):
        load_renderer(source, "no_such_rule")
