"""What flash-tokenizer answers, exactly, through its adapter, and what it is not given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from peer_questions import Lay, Peer, Source, plain

from tokenizer_adapters.contract import (
    CannotLoadError,
    Decode,
    Encode,
    Encoded,
    Observation,
    Outcome,
    Unsupported,
)

NAME = "flash-tokenizer"

ANSWERS: list[tuple[Observation, Outcome]] = [
    (plain(""), Encoded(ids=(), tokens=())),
    (Encode(""), Encoded(ids=(2, 3))),
    (plain("A b"), Encoded(ids=(43, 44), tokens=("a", "b"))),
    (Encode("A b"), Encoded(ids=(2, 43, 44, 3))),
    (plain("é京"), Encoded(ids=(47, 1), tokens=("e", "[UNK]"))),
    (Encode("a", "b"), Unsupported("flash-tokenizer takes no pair of texts")),
    (Decode((2, 43)), Unsupported("flash-tokenizer has no decoder")),
]


@pytest.mark.parametrize(("question", "answer"), ANSWERS)
def test_it_answers_so(peer: Peer, bundled: Source, question: Observation, answer: Outcome) -> None:
    assert peer(NAME).load(bundled("bert-mini")).observe(question) == answer


def test_long_texts_are_not_cut(peer: Peer, bundled: Source) -> None:
    answer = peer(NAME).load(bundled("bert-mini")).observe(plain("a " * 3000))
    assert isinstance(answer, Encoded)
    assert answer.ids == (43,) * 3000


def changed(document: dict[str, Any], part: str, **members: Any) -> dict[str, Any]:
    return document | {part: document[part] | members}


@pytest.fixture
def bert(bundled: Source) -> dict[str, Any]:
    """The tokenizer.json of a BERT model."""
    document: dict[str, Any] = json.loads(Path(bundled("bert-mini").file).read_text(encoding="utf-8"))
    return document


@pytest.mark.parametrize(
    ("part", "members", "message"),
    [
        ("model", {"type": "WordLevel"}, "it reads BERT models; this model is WordLevel"),
        ("model", {"unk_token": "<unk>"}, "marks unknown words or the insides of words in another way"),
        ("model", {"continuing_subword_prefix": "@@"}, "marks unknown words or the insides of words in another way"),
        ("normalizer", {"type": "Lowercase"}, "is no BertNormalizer that cleans texts"),
        ("normalizer", {"clean_text": False}, "is no BertNormalizer that cleans texts"),
        ("normalizer", {"strip_accents": False}, "keeps accents in lower case, or takes them off elsewhere"),
        ("pre_tokenizer", {"type": "Whitespace"}, "is no BertPreTokenizer"),
        ("model", {"vocab": {"[UNK]": 0, "[SEP]": 1}}, r"this vocabulary has no \[CLS\]"),
        ("model", {"vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 3}}, "and this vocabulary leaves some out"),
        ("model", {"vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "a\n": 3}}, r"'a\\n' is none for a line"),
    ],
)
def test_what_is_not_as_bert_has_it_is_refused(
    peer: Peer, bert: dict[str, Any], lay: Lay, part: str, members: dict[str, Any], message: str
) -> None:
    with pytest.raises(CannotLoadError, match=message):
        peer(NAME).load(lay(changed(bert, part, **members)))


def test_accents_may_be_said_to_go_with_lower_case(peer: Peer, bert: dict[str, Any], lay: Lay) -> None:
    subject = peer(NAME).load(lay(changed(bert, "normalizer", strip_accents=True)))
    assert subject.observe(plain("É")) == Encoded(ids=(47,), tokens=("e",))
