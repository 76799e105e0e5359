"""What morpheme answers, exactly, through its adapter."""

from __future__ import annotations

import pytest
from peer_questions import Peer, Source, kept, plain

from tokenizer_adapters.contract import (
    Decode,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Observation,
    OffsetUnit,
    Outcome,
    Text,
    Unsupported,
)


def encoding(
    ids: tuple[int, ...],
    tokens: tuple[str, ...],
    offsets: tuple[tuple[int, int], ...],
    special: tuple[int, ...],
    types: tuple[int, ...] | None = None,
    attention: tuple[int, ...] | None = None,
) -> Encoded:
    """An answer with all fields; type ids are 0 and the attention is 1 where nothing is said."""
    return Encoded(
        ids=ids,
        tokens=tokens,
        offsets=offsets,
        type_ids=types or (0,) * len(ids),
        attention_mask=attention or (1,) * len(ids),
        special_tokens_mask=special,
    )


ANSWERS: list[tuple[str, Observation, Outcome]] = [
    ("bert-mini", plain(""), encoding((), (), (), ())),
    ("bert-mini", Encode(""), encoding((2, 3), ("[CLS]", "[SEP]"), ((0, 0), (0, 0)), (1, 1))),
    (
        "bert-mini",
        plain("é京[CLS]b"),
        encoding((47, 1, 2, 44), ("e", "[UNK]", "[CLS]", "b"), ((0, 1), (1, 2), (2, 7), (7, 8)), (0, 0, 0, 0)),
    ),
    (
        "bert-mini",
        Encode("é[CLS]"),
        encoding((2, 47, 2, 3), ("[CLS]", "e", "[CLS]", "[SEP]"), ((0, 0), (0, 1), (1, 6), (0, 0)), (1, 0, 0, 1)),
    ),
    (
        "bert-mini",
        EncodeBatch((Encode("a"), Encode("b c"))),
        EncodedBatch(
            (
                encoding((2, 43, 3), ("[CLS]", "a", "[SEP]"), ((0, 0), (0, 1), (0, 0)), (1, 0, 1)),
                encoding((2, 44, 45, 3), ("[CLS]", "b", "c", "[SEP]"), ((0, 0), (0, 1), (2, 3), (0, 0)), (1, 0, 0, 1)),
            )
        ),
    ),
    ("bert-mini", EncodeBatch((plain("a"),)), EncodedBatch((encoding((43,), ("a",), ((0, 1),), (0,)),))),
    # Padding and its marks, and the type ids of a template.
    (
        "options-mini",
        Encode("the"),
        encoding(
            (0, 0, 0, 0, 2, 4, 784, 3),
            ("[PAD]", "[PAD]", "[PAD]", "[PAD]", "[CLS]", "[TASK]", "the", "[SEP]"),
            ((0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 3), (0, 0)),
            (1, 1, 1, 1, 1, 1, 0, 1),
            (3, 3, 3, 3, 0, 0, 1, 0),
            (0, 0, 0, 0, 1, 1, 1, 1),
        ),
    ),
    (
        "xlnet-mini",
        Encode("a"),
        encoding((14, 4, 3), ("▁a", "<sep>", "<cls>"), ((0, 1), (0, 0), (0, 0)), (0, 1, 1), (0, 0, 2)),
    ),
    ("xlnet-mini", Encode("a", pair="b"), Unsupported("morpheme takes no pair of texts")),
    (
        "gpt2-mini",
        plain("é🎉<|endoftext|>b"),
        encoding(
            (412, 1679, 236, 231, 1999, 65),
            ("Ã©", "ðŁ", "İ", "ī", "<|endoftext|>", "b"),
            ((0, 1), (1, 2), (1, 2), (1, 2), (2, 15), (15, 16)),
            (0, 0, 0, 0, 0, 0),
        ),
    ),
    ("bert-mini", Decode((2, 43, 1, 44, 3)), Text("a b")),
    ("bert-mini", kept((2, 43, 1, 44, 3)), Text("[CLS] a [UNK] b [SEP]")),
    ("gpt2-mini", Decode((128, 64)), Text("\ufffda")),
    ("gpt2-mini", kept((64, 128)), Text("a\ufffd")),
]


@pytest.mark.parametrize(("tokenizer", "observation", "answer"), ANSWERS)
def test_answers(peer: Peer, bundled: Source, tokenizer: str, observation: Observation, answer: Outcome) -> None:
    assert peer("morpheme").load(bundled(tokenizer)).observe(observation) == answer


def test_offsets_count_code_points(peer: Peer) -> None:
    assert peer("morpheme").info.offset_unit is OffsetUnit.CODE_POINTS


def test_the_vocabulary_is_not_listed(peer: Peer, bundled: Source) -> None:
    vocabulary = peer("morpheme").load(bundled("bert-mini")).vocabulary()
    assert vocabulary == Unsupported("morpheme does not list its vocabulary")
