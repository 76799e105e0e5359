"""Faults planted into a streamer of our own are found and named; a right one is not accused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from planted_streams import PLANTED, WITHOUT_RULE, Backwards, NearWindow, Planted, Stream, Streaming

from tokenizer_conformance.inputs.bundled import bundled_names
from tokenizer_conformance.inputs.corpus import read_corpus
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer
from tokenizer_conformance.research.streams_audit.engine import StreamsAuditPlan, audit
from tokenizer_conformance.research.streams_audit.reasons import BY_NO_RULE, CLASSES
from tokenizer_conformance.results.records.streams_audit import Audited

if TYPE_CHECKING:
    from tokenizer_conformance.results.records.streams_audit import Finding

TEXTS = ("naïve café, déjà vu", "日本語 and ☃", "one two\nthree four", "🎉 party 🎉 time, don't stop .")


def audited(stream: type[Stream], tokenizer: str, cases: int = 150, start: int = 0) -> Audited:
    corpus, _ = read_corpus([("texts", [Input(f"text/{at}", "text", text) for at, text in enumerate(TEXTS)])])
    file = read_tokenizer(find_tokenizer(tokenizer))
    plan = StreamsAuditPlan((file,), (Streaming(stream),), corpus, range(start, start + cases))
    (found,) = (event for event in audit(plan) if isinstance(event, Audited))
    return found


def faults(found: Audited) -> list[Finding]:
    return [each for each in found.findings if not CLASSES[each.reason].is_limit]


@pytest.mark.parametrize("fault", PLANTED.values(), ids=PLANTED)
def test_a_planted_fault_is_found_and_named(fault: Planted) -> None:
    found = audited(fault.stream, fault.tokenizer)
    assert found.broken
    assert faults(found)[0].reason == fault.reason
    assert len(faults(found)) == 1 or fault.reason == "text lost"
    assert faults(found)[0].proof or fault.reason == "text lost"


@pytest.mark.parametrize("tokenizer", ["llama-mini", "bert-mini"])
@pytest.mark.parametrize("stream", WITHOUT_RULE.values(), ids=WITHOUT_RULE)
def test_a_rule_that_explains_some_streams_by_chance_is_not_told(stream: type[Stream], tokenizer: str) -> None:
    found = audited(stream, tokenizer)
    assert found.broken
    assert {each.reason for each in faults(found)} <= BY_NO_RULE


@pytest.mark.parametrize("stream", [NearWindow, Backwards])
def test_one_stream_alone_is_held_to_others(stream: type[Stream]) -> None:
    found = [each for start in range(0, 60, 2) for each in faults(audited(stream, "llama-mini", 1, start))]
    assert found
    assert {each.reason for each in found} <= BY_NO_RULE


@pytest.mark.parametrize("fault", PLANTED.values(), ids=PLANTED)
def test_the_example_of_a_fault_shows_it(fault: Planted) -> None:
    example = faults(audited(fault.stream, fault.tokenizer))[0]
    assert example.given is not None
    shown = example.before.rstrip("\ufffd"), example.before
    assert "".join(filter(None, example.given)) not in [
        example.whole.removeprefix(each) for each in shown if example.whole.startswith(each)
    ]


@pytest.mark.parametrize("tokenizer", bundled_names())
def test_a_right_stream_is_not_accused(tokenizer: str) -> None:
    found = audited(Stream, tokenizer, 100)
    assert found.held
    assert not found.broken
    assert found.judged == found.held + found.limited == 100
