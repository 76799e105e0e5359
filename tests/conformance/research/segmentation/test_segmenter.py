"""How a tokenizer cuts texts, whoever does it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tokenizer_adapters.contract import (
    Crashed,
    Encode,
    Encoded,
    Failed,
    Implementation,
    ImplementationInfo,
    OffsetUnit,
    Outcome,
    Pieces,
    Span,
    Subject,
    Text,
    TokenizerSource,
    Unsupported,
)
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer
from tokenizer_conformance.research.segmentation.segmented import Segmented, boundaries
from tokenizer_conformance.research.segmentation.segmenter import segmenter


@dataclass
class Answering:
    """An implementation whose tokens have the ``spans`` that are given, in ``unit``."""

    spans: tuple[Span, ...]
    unit: OffsetUnit

    @property
    def info(self) -> ImplementationInfo:
        return replace(TokenizersImplementation().info, offset_unit=self.unit)

    def load(self, _source: TokenizerSource) -> Subject:
        return self  # type: ignore[return-value]

    def observe(self, _question: Encode) -> Encoded:
        return Encoded(tuple(range(len(self.spans))), offsets=self.spans)

    def vocabulary(self) -> dict[str, int]:
        return {}


def cut(implementation: Implementation, source: TokenizerSource, *texts: str) -> list[object]:
    with segmenter(implementation, source) as each:
        return list(each.segment(texts))


def test_no_special_tokens_are_added_and_the_tokens_stand_for_their_characters() -> None:
    (found,) = cut(TokenizersImplementation(), find_tokenizer("bert-mini"), "the dog")
    assert isinstance(found, Segmented)
    assert found.tokens is not None
    assert found.spans is not None
    assert "[CLS]" not in found.tokens
    assert "".join(found.text[start:end] for start, end in found.spans) == "thedog"


@pytest.mark.parametrize("folder", [False, True])
def test_truncation_and_padding_of_the_file_are_left_out(tmp_path: Path, folder: bool) -> None:
    source = find_tokenizer("bert-mini")
    document = json.loads(Path(source.file).read_text())
    document["truncation"] = {"direction": "Right", "max_length": 3, "strategy": "LongestFirst", "stride": 0}
    document["padding"] = {
        "strategy": {"Fixed": 50},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "[PAD]",
    }
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps(document))
    (tmp_path / "tokenizer_config.json").write_text("{}")
    limited = TokenizerSource("limited", str(file), str(tmp_path) if folder else None)
    text = "the quick brown fox jumps over the lazy dog"
    implementation = TokenizersImplementation()
    assert cut(implementation, limited, text) == cut(implementation, source, text)
    assert json.loads(file.read_text()) == document


def test_offsets_are_in_code_points_whatever_they_were_given_in() -> None:
    source = find_tokenizer("bert-mini")
    (found,) = cut(Answering(((0, 4), (4, 5)), OffsetUnit.UTF8_BYTES), source, "🎉a")
    assert found == Segmented("🎉a", (0, 1), None, ((0, 1), (1, 2)))


@pytest.mark.parametrize("spans", [((0, 3),), ((1, 0),), ((-1, 1),)])
def test_offsets_that_are_no_place_in_the_text_are_a_failure(spans: tuple[Span, ...]) -> None:
    (found,) = cut(Answering(spans, OffsetUnit.CODE_POINTS), find_tokenizer("bert-mini"), "ab")
    assert isinstance(found, Failed)
    assert "no place in the text" in found.message


@dataclass
class Saying(Answering):
    """An implementation that answers with this ``outcome``, whatever is asked."""

    spans: tuple[Span, ...] = ()
    unit: OffsetUnit = OffsetUnit.CODE_POINTS
    outcome: Outcome | None = None

    def observe(self, _question: Encode) -> Any:
        return self.outcome


@pytest.mark.parametrize("outcome", [Unsupported("no"), Failed("ValueError", "bad text"), Crashed("by a signal")])
def test_what_came_in_place_of_an_answer_is_given_back(outcome: Outcome) -> None:
    assert cut(Saying(outcome=outcome), find_tokenizer("bert-mini"), "ab") == [outcome]


@pytest.mark.parametrize("outcome", [Text("ab"), Pieces((("ab", (0, 2)),))])
def test_an_answer_to_another_question_is_a_crash(outcome: Outcome) -> None:
    (found,) = cut(Saying(outcome=outcome), find_tokenizer("bert-mini"), "ab")
    assert isinstance(found, Crashed)
    assert found.detail.startswith("the adapter answered Encode with ")


@pytest.mark.parametrize(
    ("text", "spans", "places"),
    [
        ("", (), []),
        ("abc", ((0, 3),), []),
        ("abc", ((0, 1), (1, 3)), [1]),
        ("a b", ((0, 1), (2, 3)), [1, 2]),
        ("a b", ((0, 1), (1, 1), (1, 3)), [1]),
        ("né", ((0, 1), (1, 2), (1, 2)), [1]),
    ],
)
def test_boundaries_are_places_between_characters(text: str, spans: tuple[Span, ...], places: list[int]) -> None:
    assert sorted(boundaries(Segmented(text, tuple(range(len(spans))), None, spans)) or ()) == places


def test_without_spans_there_are_no_boundaries_to_tell() -> None:
    assert boundaries(Segmented("abc", (1,))) is None
