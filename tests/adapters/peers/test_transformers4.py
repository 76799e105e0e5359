"""transformers 4 in an environment of its own: the fast classes and those in plain Python, by exact values."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from peer_questions import Lay, Peer, Source, kept, plain

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import (
    CannotLoadError,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Field,
    Normalize,
    Observation,
    Pieces,
    PreTokenize,
    Stage,
    Text,
    Unsupported,
)
from tokenizer_adapters.peers.transformers4 import _vocabulary_files
from tokenizer_adapters.pipeline import UnfitTokenizerError

FAST, SLOW = "transformers-4-fast", "transformers-4-slow"
NO_STREAM = Unsupported(
    "transformers has streamers, which follow rules of their own, and nothing that decodes id by id"
)
NO_PIPELINE = Unsupported("BertTokenizer is plain Python: it has no pipeline to look into")


@pytest.fixture(scope="module")
def peer(peer: Peer) -> Peer:
    """A function that builds a peer once: one process of each serves all these tests, as to start takes long."""
    return functools.cache(peer)


def test_it_is_another_version_than_here(peer: Peer) -> None:
    versions = [peer(name).info.version for name in (FAST, SLOW)]
    assert {version.partition(".")[0] for version in versions} == {"4"}
    assert load_implementation("transformers").info.version.startswith("5.")


def test_slow_classes_show_no_pipeline_and_no_places_in_the_text(peer: Peer) -> None:
    fast, slow = peer(FAST).info, peer(SLOW).info
    assert fast.stages == frozenset(Stage)
    assert fast.fields == frozenset(Field)
    assert slow.stages == {Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE, Stage.CHAT}
    assert slow.fields == {
        Field.TEXT,
        Field.IDS,
        Field.TOKENS,
        Field.TYPE_IDS,
        Field.ATTENTION_MASK,
        Field.SPECIAL_TOKENS_MASK,
    }


# Fast classes ---------------------------------------------------------------------------------------------------------

PAIR = Encoded(
    ids=(101, 1041, 100, 102, 1038, 102),
    tokens=("[CLS]", "e", "[UNK]", "[SEP]", "b", "[SEP]"),
    offsets=((0, 0), (0, 1), (2, 3), (0, 0), (0, 1), (0, 0)),
    word_ids=(None, 0, 1, None, 0, None),
    type_ids=(0, 0, 0, 0, 1, 1),
    attention_mask=(1,) * 6,
    special_tokens_mask=(1, 0, 0, 1, 0, 1),
    sequence_ids=(None, 0, 0, None, 1, None),
    overflowing=(),
)
BARE = Encoded(
    ids=(1041, 102),
    tokens=("e", "[SEP]"),
    offsets=((0, 1), (1, 6)),
    word_ids=(0, 1),
    type_ids=(0, 0),
    attention_mask=(1, 1),
    special_tokens_mask=(0, 0),
    sequence_ids=(0, 0),
    overflowing=(),
)


@pytest.mark.parametrize(
    ("observation", "answer"),
    [
        (Encode("É \U0001f642", "b"), PAIR),
        (Encode(("É", "\U0001f642"), ("b",)), None),
        (plain("É[SEP]"), BARE),
        (EncodeBatch((plain("É[SEP]"),) * 2), EncodedBatch((BARE, BARE))),
        (Decode((101, 1041, 102)), Text("e")),
        (kept((101, 1041, 102)), Text("[CLS] e [SEP]")),
        (Decode(()), Text("")),
        (DecodeStream((1,)), NO_STREAM),
        (Normalize("É"), Text("e")),
        (PreTokenize("É b"), Pieces((("É", (0, 1)), ("b", (2, 3))))),
    ],
    ids=repr,
)
def test_fast(peer: Peer, checkpoint: Source, observation: Observation, answer: object) -> None:
    source = checkpoint("bert-base-uncased")
    subject = peer(FAST).load(source)
    assert subject.files == (source.file,)
    expected = load_implementation("tokenizers").load(source).observe(observation) if answer is None else answer
    assert subject.observe(observation) == expected


def test_an_empty_second_text_is_a_text(peer: Peer, checkpoint: Source) -> None:
    source = checkpoint("t5-small")
    assert peer(FAST).load(source).observe(Encode("a", "")).ids == (3, 9, 1, 1)
    assert peer(SLOW).load(source).observe(Encode("a", "")).ids == (3, 9, 1, 1)


def test_a_byte_level_class_says_what_it_takes_words_for(peer: Peer, checkpoint: Source) -> None:
    subject = peer(FAST).load(checkpoint("gpt2"))
    answer = Unsupported("GPT2TokenizerFast takes words where it is made with add_prefix_space=True")
    assert subject.observe(Encode(("a", "b"))) == answer


@pytest.mark.parametrize("tokenizer", ["gpt2-mini", "bert-mini", "xlnet-mini"])
def test_a_fast_class_reads_a_lone_file(peer: Peer, bundled: Source, tokenizer: str) -> None:
    source = bundled(tokenizer)
    subject = peer(FAST).load(source)
    assert subject.files == (source.file,)
    given = Encode("Hello world, naïve cafés.", "é")
    assert subject.observe(given) == load_implementation("tokenizers").load(source).observe(given)


def test_a_fast_class_truncates_and_pads_as_the_file_says(peer: Peer, lay: Lay, bundled: Source) -> None:
    document = json.loads(Path(bundled("bert-mini").file).read_text(encoding="utf-8"))
    document["truncation"] = {"direction": "Left", "max_length": 4, "strategy": "LongestFirst", "stride": 1}
    document["padding"] = {
        "strategy": {"Fixed": 4},
        "direction": "Left",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "[PAD]",
    }
    source = lay(document)
    subject, expected = peer(FAST).load(source), load_implementation("tokenizers").load(source)
    for text in ("a", "a b a b a"):
        assert subject.observe(Encode(text)) == expected.observe(Encode(text))
    assert subject.observe(Encode("a")).tokens == ("[PAD]", "[CLS]", "a", "[SEP]")
    assert subject.observe(Encode("a b a")).tokens == ("[CLS]", "b", "a", "[SEP]")


# Slow classes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("observation", "answer"),
    [
        (
            Encode("É[SEP]", "b"),
            Encoded(
                ids=(101, 1041, 102, 102, 1038, 102),
                tokens=("[CLS]", "e", "[SEP]", "[SEP]", "b", "[SEP]"),
                type_ids=(0, 0, 0, 0, 1, 1),
                attention_mask=(1,) * 6,
                special_tokens_mask=(1, 0, 0, 1, 0, 1),
            ),
        ),
        (
            plain("É[SEP]"),
            Encoded(ids=(1041, 102), tokens=("e", "[SEP]"), attention_mask=(1, 1), special_tokens_mask=(0, 0)),
        ),
        (
            Encode(("É", "b"), ("b",)),
            Encoded(
                ids=(101, 1041, 1038, 102, 1038, 102),
                tokens=("[CLS]", "e", "b", "[SEP]", "b", "[SEP]"),
                type_ids=(0, 0, 0, 0, 1, 1),
                attention_mask=(1,) * 6,
                special_tokens_mask=(1, 0, 0, 1, 0, 1),
            ),
        ),
        (
            EncodeBatch((Encode("a"),)),
            Unsupported("transformers is asked about one input at a time where its class is plain Python"),
        ),
        (Decode((101, 1041, 102)), Text("e")),
        (kept((101, 1041, 102)), Text("[CLS] e [SEP]")),
        (Decode(()), Text("")),
        (DecodeStream((1,)), NO_STREAM),
        (Normalize("É"), NO_PIPELINE),
        (PreTokenize("É"), NO_PIPELINE),
    ],
    ids=repr,
)
def test_slow(peer: Peer, checkpoint: Source, observation: Observation, answer: object) -> None:
    assert peer(SLOW).load(checkpoint("bert-base-uncased")).observe(observation) == answer


@pytest.mark.parametrize(
    ("name", "files"),
    [("gpt2", ["vocab.json", "merges.txt"]), ("bert-base-cased", ["vocab.txt"]), ("t5-small", ["spiece.model"])],
)
def test_a_slow_class_is_given_the_vocabulary_files(
    peer: Peer, checkpoint: Source, name: str, files: list[str]
) -> None:
    source = checkpoint(name)
    subject = peer(SLOW).load(source)
    assert [Path(file).name for file in subject.files] == files
    given = Encode("Hello world, naïve cafés.")
    answer = subject.observe(given)
    assert answer.ids == load_implementation("tokenizers").load(source).observe(given).ids


def test_a_slow_class_needs_a_checkpoint(peer: Peer, bundled: Source) -> None:
    with pytest.raises(CannotLoadError, match="a slow class reads the vocabulary files of a checkpoint"):
        peer(SLOW).load(bundled("bert-mini"))


def test_a_slow_class_without_its_files_is_refused(peer: Peer, checkpoint: Source) -> None:
    with pytest.raises(CannotLoadError, match="the vocabulary files of its slow class do not lie beside"):
        peer(SLOW).load(checkpoint("camembert-base"))


def test_a_slow_class_needs_every_file_that_it_reads(tmp_path: Path) -> None:
    tokenizer = SimpleNamespace(
        vocab_files_names={"vocab_file": "vocab.json", "merges_file": "merges.txt", "tokenizer_file": "tokenizer.json"}
    )
    (tmp_path / "vocab.json").touch()
    message = r"^SimpleNamespace reads merges\.txt, which does not lie beside the tokenizer\.json$"
    with pytest.raises(UnfitTokenizerError, match=message):
        list(_vocabulary_files(tokenizer, tmp_path))
    (tmp_path / "merges.txt").touch()
    files = [str(tmp_path / name) for name in ("vocab.json", "merges.txt")]
    assert list(_vocabulary_files(tokenizer, tmp_path)) == files
