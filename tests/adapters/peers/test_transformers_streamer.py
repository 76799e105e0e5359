"""`transformers`' streamers give out whole words, in the version that is installed and in version 4."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import (
    Chunks,
    Decode,
    DecodeStream,
    Encode,
    Encoded,
    Text,
    TokenizerSource,
    Unsupported,
)

Source = Callable[[str], TokenizerSource]


def _ids(source: TokenizerSource, text: str) -> tuple[int, ...]:
    encoded = load_implementation("tokenizers").load(source).observe(Encode(text, add_special_tokens=False))
    assert isinstance(encoded, Encoded)
    return encoded.ids


@pytest.mark.parametrize(("text", "words"), [("two words\nand on", ["two ", "words\n", "and on"])])
def test_words_and_lines_are_given_out_whole(bundled: Source, text: str, words: list[str]) -> None:
    source = bundled("gpt2-mini")
    answer = load_implementation("transformers-streamer").load(source).observe(DecodeStream(_ids(source, text)))
    assert isinstance(answer, Chunks)
    assert [each for each in answer.chunks if each] == words


def test_it_gives_what_the_reference_says_of_its_rule(bundled: Source) -> None:
    source = bundled("gpt2-mini")
    ids = _ids(source, "two words\nand 字 é")
    loaded = [load_implementation(name).load(source) for name in ("transformers-streamer", "word-stream")]
    for asked in (
        DecodeStream(ids),
        DecodeStream(ids, chunks=(2, 3)),
        DecodeStream(ids[4:], False, ids[:4]),
        DecodeStream(()),
    ):
        one, other = (each.observe(asked) for each in loaded)
        assert one == other
        assert isinstance(one, Chunks)


def test_it_decodes_ids_and_encodes_nothing(bundled: Source) -> None:
    source = bundled("gpt2-mini")
    implementation = load_implementation("transformers-streamer")
    assert [stage.value for stage in implementation.info.stages] == ["decode"]
    subject = implementation.load(source)
    assert subject.observe(Decode(_ids(source, "a b"))) == Text("a b")
    assert isinstance(load_implementation("transformers").load(source).observe(DecodeStream((1,))), Unsupported)
