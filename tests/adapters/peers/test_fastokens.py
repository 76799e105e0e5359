"""What fastokens answers, exactly, through its adapter."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import peer_questions
import pytest
from peer_questions import Lay, Peer, Source, kept, plain

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import (
    Chunks,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    EncodedBatch,
    Observation,
    Outcome,
    Text,
    Unsupported,
)

encoding = partial(peer_questions.encoding, overflowing=())

ANSWERS: list[tuple[str, Observation, Outcome]] = [
    ("llama-mini", plain(""), encoding((), (), ())),
    ("llama-mini", Encode(""), encoding((1,), ("<s>",), (1,))),
    # A special token in the text is found, and is none that was added.
    ("llama-mini", plain("a<s> b"), encoding((341, 1, 337, 349), ("▁a", "<s>", "▁", "▁b"), (0, 0, 0, 0))),
    ("llama-mini", Encode("a<s> b"), encoding((1, 341, 1, 337, 349), ("<s>", "▁a", "<s>", "▁", "▁b"), (1, 0, 0, 0, 0))),
    (
        "llama-mini",
        EncodeBatch((Encode("a"), Encode("b c"))),
        EncodedBatch(
            (encoding((1, 341), ("<s>", "▁a"), (1, 0)), encoding((1, 349, 355), ("<s>", "▁b", "▁c"), (1, 0, 0)))
        ),
    ),
    (
        "llama-mini",
        EncodeBatch((plain("a"), plain("b c"))),
        EncodedBatch((encoding((341,), ("▁a",), (0,)), encoding((349, 355), ("▁b", "▁c"), (0, 0)))),
    ),
    ("llama-mini", Decode((1, 341, 1, 349)), Text("a b")),
    ("llama-mini", kept((1, 341, 1, 349)), Text("<s> a<s> b")),
    ("llama-mini", DecodeStream((1, 341, 349)), Chunks((None, "a", " b"))),
    ("llama-mini", DecodeStream((1, 341, 349), skip_special_tokens=False), Chunks(("<s>", " a", " b"))),
    ("gpt2-mini", plain("é<|endoftext|>b"), encoding((412, 1999, 65), ("Ã©", "<|endoftext|>", "b"), (0, 0, 0))),
    ("gpt2-mini", Decode((128, 64)), Text("\ufffda")),
    ("gpt2-mini", kept((64, 128)), Text("a\ufffd")),
    ("gpt2-mini", DecodeStream((127, 102, 1999, 64)), Chunks((None, "é", None, "a"))),
    ("gpt2-mini", Encode("a", pair="b"), Unsupported("fastokens takes no pair of texts")),
]


@pytest.mark.parametrize(("tokenizer", "observation", "answer"), ANSWERS)
def test_answers(peer: Peer, bundled: Source, tokenizer: str, observation: Observation, answer: Outcome) -> None:
    assert peer("fastokens").load(bundled(tokenizer)).observe(observation) == answer


def test_the_vocabulary_has_the_added_tokens_above_a_gap(peer: Peer, bundled: Source, lay: Lay) -> None:
    document = json.loads(Path(bundled("gpt2-mini").file).read_text(encoding="utf-8"))
    expected = load_implementation("tokenizers").load(bundled("gpt2-mini")).vocabulary()
    document["added_tokens"].append(document["added_tokens"][0] | {"id": 2500, "content": "<new>"})
    assert isinstance(expected, dict)
    assert peer("fastokens").load(lay(document)).vocabulary() == expected | {"<new>": 2500}


def test_template_truncation_and_padding_of_the_file_are_applied(peer: Peer, bundled: Source, lay: Lay) -> None:
    document = json.loads(Path(bundled("gpt2-mini").file).read_text(encoding="utf-8"))
    document |= {
        "truncation": {"direction": "Right", "max_length": 3, "strategy": "LongestFirst", "stride": 0},
        "padding": {
            "strategy": {"Fixed": 5},
            "direction": "Left",
            "pad_to_multiple_of": None,
            "pad_id": 7,
            "pad_type_id": 3,
            "pad_token": "(",
        },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [
                {"SpecialToken": {"id": "<|endoftext|>", "type_id": 1}},
                {"Sequence": {"id": "A", "type_id": 2}},
            ],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {"<|endoftext|>": {"id": "<|endoftext|>", "ids": [1999], "tokens": ["<|endoftext|>"]}},
        },
    }
    subject = peer("fastokens").load(lay(document))
    assert subject.observe(Encode("a b c d")) == encoding(
        (7, 7, 1999, 64, 267),
        ("(", "(", "<|endoftext|>", "a", "Ġb"),
        (1, 1, 1, 0, 0),
        types=(3, 3, 1, 2, 2),
        attention=(0, 0, 1, 1, 1),
    )
    assert subject.observe(plain("a")) == encoding(
        (7, 7, 7, 7, 64), ("(", "(", "(", "(", "a"), (1, 1, 1, 1, 0), types=(3, 3, 3, 3, 0), attention=(0, 0, 0, 0, 1)
    )


def test_a_batch_is_padded_to_its_longest_text(peer: Peer, bundled: Source, lay: Lay) -> None:
    document = json.loads(Path(bundled("gpt2-mini").file).read_text(encoding="utf-8"))
    document["padding"] = {
        "strategy": "BatchLongest",
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 7,
        "pad_type_id": 3,
        "pad_token": "(",
    }
    subject = peer("fastokens").load(lay(document))
    assert subject.observe(EncodeBatch((Encode("a"), Encode("a b c")))) == EncodedBatch(
        (
            encoding((64, 7, 7), ("a", "(", "("), (0, 1, 1), types=(0, 3, 3), attention=(1, 0, 0)),
            encoding((64, 267, 275), ("a", "Ġb", "Ġc"), (0, 0, 0)),
        )
    )
