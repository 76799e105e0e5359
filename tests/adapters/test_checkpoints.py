"""The adapters on published checkpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from published_checkpoints import PUBLISHED

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import Decode, Encode, Encoded, Normalize, Pieces, PreTokenize, Text, TokenizerSource

if TYPE_CHECKING:
    from pathlib import Path

# The tokens of `Hello, how are  you?`, special tokens added.
TOKENS = {
    "albert-base-v1": "[CLS] ▁hello , ▁how ▁are ▁you ? [SEP]",
    "bert-base-cased": "[CLS] Hello , how are you ? [SEP]",
    "bert-base-uncased": "[CLS] hello , how are you ? [SEP]",
    "camembert-base": "<s> ▁Hello , ▁h ow ▁are ▁you ? </s>",
    "google-fnet-base": "[CLS] ▁Hello , ▁how ▁are ▁you ? [SEP]",
    "gpt2": "Hello , Ġhow Ġare Ġ Ġyou ?",
    "roberta-base": "<s> Hello , Ġhow Ġare Ġ Ġyou ? </s>",
    "t5-small": "▁Hello , ▁how ▁are ▁you ? </s>",
    "xlnet-base-cased": "▁ Hello , ▁how ▁are ▁you ? <sep> <cls>",
}


@pytest.mark.parametrize("implementation", ["reference", "tokenizers", "transformers"])
@pytest.mark.parametrize("checkpoint", PUBLISHED)
def test_every_stage_answers(shared: Path, checkpoint: str, implementation: str) -> None:
    folder = shared / "tokenizers" / checkpoint
    source = TokenizerSource(checkpoint, str(folder / "tokenizer.json"), str(folder))
    subject = load_implementation(implementation).load(source)
    text = "Hello, how are  you?"
    encoded = subject.observe(Encode(text))
    assert isinstance(encoded, Encoded)
    assert encoded.tokens == tuple(TOKENS[checkpoint].split(" "))
    assert [encoded.ids[i] for i in range(len(encoded.ids))] == [
        subject.vocabulary()[token] for token in encoded.tokens
    ]
    assert isinstance(subject.observe(Normalize(text)), Text)
    assert isinstance(subject.observe(PreTokenize(text)), Pieces)
    decoded = subject.observe(Decode(encoded.ids))
    assert isinstance(decoded, Text)
    assert "how are" in decoded.text
