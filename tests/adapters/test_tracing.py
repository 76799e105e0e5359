"""A trace is a way to the very answer that the adapter gives."""

from __future__ import annotations

import pytest

from tokenizer_adapters.contract import Decode, Encode, Encoded, TokenizerSource
from tokenizer_adapters.reference import ReferenceImplementation
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_adapters.tracing import Station, TracingSubject
from tokenizer_conformance.inputs.bundled import bundled_file, bundled_names


def source(name: str) -> TokenizerSource:
    return TokenizerSource(name, str(bundled_file(name)))


@pytest.mark.parametrize("name", bundled_names())
@pytest.mark.parametrize("question", [Encode("Hé <mask>"), Encode("a", "b c"), Encode("", add_special_tokens=False)])
def test_the_trace_leads_to_the_answer(name: str, question: Encode) -> None:
    subject = ReferenceImplementation().load(source(name))
    trace = subject.trace(question)
    answer = subject.observe(question)
    assert isinstance(answer, Encoded)
    assert trace.encoded == answer
    assert getattr(subject.observe(Decode(answer.ids)), "text", None) == trace.decoded
    assert [way.text for way in trace.texts] == [each for each in (question.text, question.pair) if each is not None]
    assert trace.tokens[0].member.station is Station.MODEL
    assert trace.tokens[0].member.type == trace.model


def test_only_the_reference_shows_its_way() -> None:
    assert isinstance(ReferenceImplementation().load(source("bert-mini")), TracingSubject)
    assert not isinstance(TokenizersImplementation().load(source("bert-mini")), TracingSubject)


def test_the_way_of_words_is_not_shown() -> None:
    with pytest.raises(ValueError, match="give a text"):
        ReferenceImplementation().load(source("bert-mini")).trace(Encode(("a", "b")))
