"""What a snippet prints is what the adapter of that package answers, for the questions that both know."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.contract import (
    CannotLoadError,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Field,
    Normalize,
    PreTokenize,
    UnavailableError,
)
from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.causes.bug.checking import objections
from tokenizer_conformance.causes.bug.recipes import recipe_of
from tokenizer_conformance.causes.bug.sides import ReportedSide, is_value, plain_value
from tokenizer_conformance.causes.bug.snippet import Subject, ways
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation

QUESTIONS: list[tuple[Observation, list[Field]]] = [
    (Encode("hello a", None, add_special_tokens=False), [Field.IDS, Field.TYPE_IDS, Field.OFFSETS]),
    (Encode("hello a"), [Field.IDS, Field.SPECIAL_TOKENS_MASK]),
    (Encode("hello", "a"), [Field.IDS]),
    (Encode(("hello", "a")), [Field.IDS]),
    (EncodeBatch((Encode("a"), Encode("hello a"))), [Field.IDS]),
    (Decode((5, 6)), [Field.TEXT]),
    (Decode((5, 6), skip_special_tokens=False), [Field.TEXT]),
    (DecodeStream((5, 6)), [Field.TEXT]),
    (Normalize("A b"), [Field.TEXT]),
    (PreTokenize("A b"), [Field.PIECES]),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "fastokens",
        "gigatoken",
        "kitoken",
        "morpheme",
        "nanotoken",
        "openvino",
        "splintr-rs",
        "tiktoken",
        "tokenizers",
        "tokie",
        "tuetoken",
    ],
)
def test_a_snippet_prints_what_the_adapter_answers(name: str) -> None:
    source = find_tokenizer("gpt2-mini")
    sha256 = read_tokenizer(source).sha256
    selected = select(name, Isolation())
    try:
        subject = selected.build().load(source)
    except (UnavailableError, CannotLoadError) as error:
        pytest.skip(str(error))
    shown = 0
    for question, fields in QUESTIONS:
        outcome = subject.observe(question)
        for field in fields:
            if not is_value(outcome) or plain_value(outcome, field) in (None, [None, None]):
                continue
            side = ReportedSide(name, name, "1", outcome, recipe_of(name), (source.file,), selected.runs())
            for way in ways((side,), Subject(source, sha256, None, question, field)):
                assert objections(way, field, 60) == []
                shown += 1
    assert shown >= 3
