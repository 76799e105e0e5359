"""Renderers with one fault: a run finds each of them, and names it; one with a fault of no class is unexplained."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from planted_chats import OTHERS, REFUSING, RULES, SHOWING, TEMPLATE, FaultyChats, PlantedChat, messages, text

from tokenizer_adapters.contract import Stage, TokenizerSource
from tokenizer_adapters.reference import ReferenceImplementation
from tokenizer_adapters.variants.rendering import RENDERING_CHANGES
from tokenizer_conformance.causes.classes.chat_changes import RENDERER
from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.inputs.conversations.files import all_conversations
from tokenizer_conformance.inputs.corpus import read_corpus
from tokenizer_conformance.inputs.tokenizer_files import read_tokenizer
from tokenizer_conformance.validation.running.engine import run
from tokenizer_conformance.validation.running.events import CausesSought
from tokenizer_conformance.validation.running.plan import RunPlan

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_conformance.causes.cause import Cause


PARTS = {
    ("messages_as_given",): {(RENDERER, f"it {RENDERING_CHANGES[name]}") for name in ("null_members", "reasoning")},
}
"""What a fault of several rules may be told as: one of them at a time."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    beside = bundled_file("llama-mini").parent
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(beside / name, tmp_path / name)
    return tmp_path


LONG = "takes the first 4,096 characters of content alone"
"""The fault that only conversations of more than :data:`SHORT` characters show."""

SHORT = 10_000


def causes_of(fault: PlantedChat, folder: Path, every: int = 1) -> tuple[Cause, ...]:
    """Return the causes that a run finds on a template in ``folder``; all differences have one.

    It is asked about the built-in conversations, or about one in ``every`` so many of them.
    """
    (folder / "chat_template.jinja").write_text(fault.template or TEMPLATE)
    ((source, inputs),) = all_conversations([], 0, 0, builtin=True)
    asked = [each for each in inputs if fault.name == LONG or len(str(each)) < SHORT]
    corpus, _ = read_corpus([(source, asked[::every])])
    plan = RunPlan(
        tokenizers=(read_tokenizer(TokenizerSource("own", str(folder / "tokenizer.json"), str(folder))),),
        implementations=(ReferenceImplementation(), FaultyChats(fault)),
        baseline="reference",
        corpus=corpus,
        stages=(Stage.CHAT,),
        cause_seconds=120.0,
    )
    return tuple(cause for event in run(plan) if isinstance(event, CausesSought) for cause in event.causes)


@pytest.mark.long_but(1)
@pytest.mark.parametrize("fault", [*RULES, *OTHERS], ids=lambda fault: fault.name)
def test_each_fault_is_found_and_named(fault: PlantedChat, folder: Path) -> None:
    found = causes_of(fault, folder)
    told = {(cause.reason.name, cause.reason.parameter) for cause in found}
    assert fault.told in told or fault.rules == ("messages_as_given",)
    assert told <= {fault.told, *PARTS.get(fault.rules, ())}
    assert any(each.endswith("the same, and none speaks against it.") for each in found[0].reason.proof)


@pytest.mark.long
def test_two_faults_are_named_each(folder: Path) -> None:
    fault = PlantedChat("two", (RENDERER, ""), ("ascii_json", "trim_blocks"))
    found = {cause.reason.parameter for cause in causes_of(fault, folder, every=2)}
    assert "it keeps the line break after a block" in found
    assert all(cause_is_true(each) for each in found), found


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("rules", "template", "told"),
    [
        (
            ("no_messages", "chainable_undefined"),
            "{{ messages[0].role.first }}{{ messages | length }}",
            "it goes on with members of what is not there, and takes a conversation without messages",
        ),
        (
            ("javascript",),
            SHOWING.format("{{ '<' + message.content }}{{ message.name.first }}{{ message.content is iterable }}"),
            "it treats values as JavaScript does, in several ways at once",
        ),
    ],
)
def test_what_is_refused_for_several_reasons_is_explained_by_all_of_them(
    rules: tuple[str, ...], template: str, told: str, folder: Path
) -> None:
    found = causes_of(PlantedChat("several", ("", ""), rules, template=template), folder)
    assert told in {cause.reason.parameter for cause in found}
    assert all(cause.reason.is_proven for cause in found)


def cause_is_true(parameter: str) -> bool:
    parts = {"keeps the line break after a block", "writes what is not ASCII as escapes in JSON"}
    return set(parameter.removeprefix("it ").split(", and ")) <= parts


@pytest.mark.long
@pytest.mark.parametrize(
    "fault",
    [
        PlantedChat("a word", ("", ""), spoil=text(lambda each: each.replace("Hi", "Ho"))),
        PlantedChat("strips some", ("", ""), spoil=text(lambda each: each.strip() if "Paris" in each else each)),
        PlantedChat(
            "roles now and then",
            ("", ""),
            reword=messages(lambda given: [{**each, "role": "user"} for each in given] if len(given) == 3 else given),
        ),
    ],
    ids=lambda fault: fault.name,
)
def test_what_is_like_no_known_fault_has_no_reason(fault: PlantedChat, folder: Path) -> None:
    found = causes_of(fault, folder, every=3)
    assert found
    assert not [cause.reason for cause in found if cause.reason.is_proven]


@pytest.mark.long
@pytest.mark.parametrize("fault", REFUSING, ids=lambda fault: fault.name)
def test_what_is_refused_alone_proves_no_change_of_messages(fault: PlantedChat, folder: Path) -> None:
    template = bundled_file("llama-mini").with_name("chat_template.jinja").read_text()
    found = causes_of(replace(fault, template=template), folder, every=4)
    assert found
    proven = {cause.reason.parameter for cause in found if cause.reason.is_proven}
    assert proven == ({"it refuses whatever is asked of this template"} if fault.name == "refuses all" else set())


def test_a_sound_renderer_has_no_causes(folder: Path) -> None:
    assert causes_of(PlantedChat("none", ("", "")), folder) == ()
