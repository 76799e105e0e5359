"""Conversations in the suite: a template lies beside a tokenizer, and the requirements tell renderers apart."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from small_suites import Scripted, area, case, files_of, requirement, step

from tokenizer_adapters.contract import Chat, Failed, Rendered, Stage, Unsupported
from tokenizer_adapters.reference import ReferenceImplementation
from tokenizer_adapters.variants.rendering import RENDERING_CHANGES, load_renderer
from tokenizer_conformance.validation.suite.judging import CaseVerdict
from tokenizer_conformance.validation.suite.null_implementations import NULL_IMPLEMENTATIONS
from tokenizer_conformance.validation.suite.reader import read_suite, suite_of
from tokenizer_conformance.validation.suite.requirement import Place, Suite
from tokenizer_conformance.validation.suite.running import results_of

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Implementation, Outcome, Subject, TokenizerSource
    from tokenizer_conformance.validation.suite.judging import CaseResult

HI = Chat('[{"role": "user", "content": "Hi"}]')
CHAT = step(HI, {"text": "<Hi>", "ids": [1, 2]})
REFUSED = step(HI, {"error": True})


def suite_of_chats() -> Suite:
    return Suite(tuple(each for each in read_suite().areas if each.stage is Place.CHAT))


def judged(answer: Outcome, *steps: dict[str, object]) -> CaseResult:
    told = area(requirement("R", case(*steps), features=["chat"]), name="chat", stage="chat")
    (result,) = results_of(suite_of(files_of(told)).cases(), Scripted({HI: answer}))
    return result


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (Rendered("<Hi>", (1, 2)), CaseVerdict.PASSED),
        (Rendered("<Hi>"), CaseVerdict.PASSED),
        (Rendered("<Hi> ", (1, 2)), CaseVerdict.FAILED),
        (Rendered("<Hi>", (0, 1, 2)), CaseVerdict.FAILED),
        (Failed("TemplateError", "no"), CaseVerdict.FAILED),
        (Unsupported("renders no templates"), CaseVerdict.UNSUPPORTED),
    ],
    ids=str,
)
def test_a_prompt_is_judged_by_its_text_and_its_ids(answer: Outcome, verdict: CaseVerdict) -> None:
    result = judged(answer, CHAT)
    assert (result.verdict, result.blame) == (verdict, Place.CHAT if verdict is CaseVerdict.FAILED else None)


def test_a_refusal_is_asked_for_as_such() -> None:
    assert judged(Failed("TemplateError", "no"), REFUSED).verdict is CaseVerdict.PASSED
    assert judged(Rendered("<Hi>"), REFUSED).verdict is CaseVerdict.FAILED
    assert judged(Unsupported("renders no templates"), REFUSED).verdict is CaseVerdict.UNSUPPORTED


@dataclass
class Reading(Scripted):
    """Keeps what lies in the folder that each tokenizer is loaded from."""

    read: list[tuple[bool, list[str]]] = field(default_factory=list)

    def load(self, source: TokenizerSource) -> Scripted:
        folder = Path(source.file).parent
        self.read.append((source.folder == str(folder), sorted(path.name for path in folder.iterdir())))
        return super().load(source)


def test_a_template_lies_beside_the_tokenizer_it_belongs_to_and_no_other() -> None:
    told = area(requirement("R", case(CHAT), {**case(CHAT, name="2"), "tokenizer": "t2"}))
    told |= {"tokenizers": {"t1": {}, "t2": {}}, "configurations": {"t1": {"chat_template": "a"}}}
    reading = Reading({})
    list(results_of(suite_of(files_of(told)).cases(), reading))
    assert reading.read[0] == (True, ["tokenizer.json", "tokenizer_config.json"])
    assert reading.read[1][0] is False
    assert "tokenizer_config.json" not in reading.read[1][1]


# The requirements ----------------------------------------------------------------------------------------------------


class Renderer:
    """The reference with one change in its rules."""

    def __init__(self, change: str) -> None:
        self._change = change
        self.info = replace(ReferenceImplementation().info, name=change)

    def load(self, source: TokenizerSource) -> Subject:
        return load_renderer(source, self._change)


def passed_by(implementation: Implementation) -> set[str]:
    results = results_of(suite_of_chats().cases(), implementation)
    return {result.judged.id for result in results if result.verdict is CaseVerdict.PASSED}


@pytest.mark.parametrize("change", RENDERING_CHANGES)
def test_a_renderer_that_does_one_thing_differently_fails(change: str) -> None:
    everything = {each.id for each in suite_of_chats().cases()}
    assert everything == passed_by(ReferenceImplementation())
    assert everything > passed_by(Renderer(change)) != set()


@pytest.mark.parametrize("implementation", NULL_IMPLEMENTATIONS, ids=lambda each: each.info.name)
def test_what_does_nothing_right_passes_nothing(implementation: Implementation) -> None:
    assert Stage.CHAT in implementation.info.stages
    assert passed_by(implementation) == set()
