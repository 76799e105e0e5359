"""A tokenizer.json that was cut down for a question answers that question as the whole one does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.contract import Decode, Encode, Encoded, TokenizerSource
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.causes.classes.cutting import cut_for
from tokenizer_conformance.inputs.bundled import bundled_file, bundled_names

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation


@pytest.mark.parametrize("name", bundled_names())
@pytest.mark.parametrize("text", ["Élan ﬁ 12", "\U0001f600 京", "<s>a</s>[UNK] "])
def test_the_answers_are_those_of_the_whole(name: str, text: str, tmp_path: Path) -> None:
    file = Path(bundled_file(name))
    document = json.loads(file.read_text(encoding="utf-8"))
    whole = TokenizersImplementation().load(TokenizerSource(name, str(file)))
    encoded = whole.observe(Encode(text))
    assert isinstance(encoded, Encoded)
    questions: list[Observation] = [Encode(text), Decode(encoded.ids)]
    for question in questions:
        answer = whole.observe(question)
        cut = cut_for(document, question, answer)
        small = tmp_path / "tokenizer.json"
        small.write_text(json.dumps(cut.document), encoding="utf-8")
        subject = TokenizersImplementation().load(TokenizerSource(name, str(small)))
        assert cut.answered(subject.observe(cut.asked(question))) == answer


@pytest.mark.parametrize("name", ["bert-mini", "gpt2-mini", "xlnet-mini"])
def test_little_is_left(name: str) -> None:
    document = json.loads(Path(bundled_file(name)).read_text(encoding="utf-8"))
    cut = cut_for(document, Encode("京"))
    assert len(cut.document["model"]["vocab"]) * 5 < len(document["model"]["vocab"])
