"""Where no stream can be right, and by which component of the decoder: told by the reference."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import Chunks, DecodeStream
from tokenizer_conformance.causes.classes.cutting import loaded_small
from tokenizer_conformance.causes.classes.small_documents import only_decoder
from tokenizer_conformance.research.streams_audit.engine import _Audit
from tokenizer_conformance.research.streams_audit.law import (
    Break,
    Texts,
    expected_texts,
    first_break,
    held_back,
    joined,
    keeps,
    up_to,
)
from tokenizer_conformance.research.streams_audit.reasons import reasons_of

if TYPE_CHECKING:
    from collections.abc import Iterator

TOKENS = ["<0x41>", "<0xC3>", "<0xA9>", "a", "b", " ", ".", "##b", "▁d", "<s>", "é", "\ufffd"]

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
WORD_PIECE = {"type": "WordPiece", "prefix": "##", "cleanup": True}
CTC = {"type": "CTC", "pad_token": "<pad>", "word_delimiter_token": "|", "cleanup": True}
REPLACE = {"type": "Replace", "pattern": {"String": "ab"}, "content": "x"}
METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}


def fused(decoder: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Sequence", "decoders": [{"type": "Fuse"}, decoder]}


def ids(*tokens: str) -> tuple[int, ...]:
    return tuple(map(TOKENS.index, tokens))


def document_of(decoder: dict[str, Any]) -> dict[str, Any]:
    return {"decoder": decoder, "added_tokens": []}


def ask(decoder: dict[str, Any]) -> Any:
    small = loaded_small(only_decoder(document_of(decoder), ((name, id_) for id_, name in enumerate(TOKENS))))
    assert small is not None
    return small.observe


BEFORE_FUSE = {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Fuse"}]}

LIMITS = [
    ({"type": "ByteFallback"}, ["<0x41>", "<0xC3>", "a"], "byte fallback"),
    (
        {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Fuse"}]},
        ["<0x41>", "<0xC3>"],
        "byte fallback",
    ),
    (fused(WORD_PIECE), ["a", " ", "."], "clean-up"),
    (fused(CTC), ["a", " ", "."], "clean-up"),
    (fused(REPLACE), ["a", "b"], "replace"),
    ({"type": "BPEDecoder", "suffix": ""}, ["a", "é"], "suffix"),
    ({"type": "ByteFallback"}, ["a", "<0xC3>"], "ends in U+FFFD"),
]


@pytest.mark.parametrize(("decoder", "tokens", "reason"), LIMITS)
def test_a_limit_is_named_by_its_component(decoder: dict[str, Any], tokens: list[str], reason: str) -> None:
    question, asked = DecodeStream(ids(*tokens)), ask(decoder)
    outcome = asked(question)
    assert not keeps(question, outcome, Texts(asked, skip_special_tokens=True))
    (found,) = reasons_of(question, outcome, asked, document_of(decoder), dict(enumerate(TOKENS)))
    assert found.name == reason
    assert found.proof


@pytest.mark.parametrize("decoder", [BYTE_LEVEL, WORD_PIECE, METASPACE, CTC], ids=lambda each: each["type"])
def test_other_decoders_go_on_as_they_began(decoder: dict[str, Any]) -> None:
    text_of = Texts(ask(decoder), skip_special_tokens=True)
    for tokens in (["a", "##b", ".", "a"], ["▁d", "▁d", " ", "a", "a"], ["b", " ", ".", "b"]):
        assert first_break(DecodeStream(ids(*tokens)), text_of) is None


def test_the_law() -> None:
    text_of = Texts(ask({"type": "ByteFallback"}), skip_special_tokens=True)
    stream = DecodeStream(ids("<0xA9>", "a"), prompt=ids("a", "<0xC3>"))
    assert expected_texts(stream, text_of) == ("éa",)
    assert keeps(stream, Chunks(("é", "a")), text_of)
    assert keeps(stream, Chunks((None, "éa")), text_of)
    assert not keeps(stream, Chunks(("aé", "a")), text_of)
    # Whether the U+FFFD at the end of a prompt was shown is not known.
    shown = DecodeStream(ids("a"), prompt=ids("a", "\ufffd"))
    assert expected_texts(shown, text_of) == ("\ufffda", "a")
    # The prompt's text is no beginning of that of all ids.
    assert expected_texts(DecodeStream(ids("<0xC3>", "a"), prompt=ids("<0x41>")), text_of) == ()


def test_where_a_decoder_does_not_go_on() -> None:
    text_of = Texts(ask({"type": "ByteFallback"}), skip_special_tokens=True)
    stream = DecodeStream(ids("a", "<0x41>", "<0xC3>", "a"))
    assert first_break(stream, text_of) == Break(2, 3, "aA", "a\ufffd\ufffd")
    assert up_to(stream, 2) == DecodeStream(ids("a", "<0x41>"), chunks=(1, 1))
    assert up_to(DecodeStream(ids("<0xC3>"), prompt=ids("<0x41>")), 1) is None
    # Bytes that come in one step are seen together.
    assert first_break(DecodeStream(stream.ids, chunks=(1, 3)), text_of) is None


def test_what_is_held_back_is_the_end_and_no_more() -> None:
    text_of = Texts(ask({"type": "ByteFallback"}), skip_special_tokens=True)
    stream = DecodeStream(ids("a", "b", "<0xC3>"))
    assert held_back(stream, Chunks(("a", "b", None)), text_of) == "\ufffd"
    assert held_back(stream, Chunks(("a", None, None)), text_of) is None
    assert held_back(stream, Chunks(("a", "b", "\ufffd")), text_of) is None
    assert joined(Chunks(("a", None, "b"))) == "ab"


def test_what_was_judged_before_an_interruption_is_told() -> None:
    def judged() -> Iterator[str]:
        yield "a finding"
        raise KeyboardInterrupt

    audit: Any = SimpleNamespace(_taken=lambda pairing: f"taken of {pairing.name}")
    interrupted: Any = SimpleNamespace(name="one", judge_all=judged)
    events: Iterator[Any] = _Audit._of_implementation(audit, interrupted)
    assert [next(events), next(events)] == ["a finding", "taken of one"]
    with pytest.raises(KeyboardInterrupt):
        next(events)
    whole: Any = SimpleNamespace(name="two", judge_all=lambda: iter(["a finding"]))
    told: list[Any] = list(_Audit._of_implementation(audit, whole))
    assert told == ["a finding", "taken of two"]
