"""Random tokenizers beyond single texts: batches, padding, files, streams, and what a tokenizer says of itself."""

from __future__ import annotations

import json
import os
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
import tokenizers
import tokenizers.decoders

import tokenizer_reference
import tokenizer_reference.decoders
from tokenizer_adapters.pipeline import encoded
from tokenizer_conformance.inputs.random_tokenizers import random_document, random_text
from tokenizer_reference.errors import TokenizerReferenceError

if TYPE_CHECKING:
    from collections.abc import Iterator

os.environ["RUST_BACKTRACE"] = "0"  # read at the first panic; a backtrace takes time

TOKENIZERS = 150
SLOW_TOKENIZERS = 8000

SHORT = 16
"""The texts of a pair are cut here: what is truncated off both comes back in all combinations."""

REFUSED = "refused"

Json = dict[str, Any]
Question = Any
"""A function that asks a library about a tokenizer of it."""


def answer(question: Question, library: Any, tokenizer: Any) -> Any:
    """Return the answer of one side, or that it refuses; the reference does so with an error of its own."""
    try:
        return question(library, tokenizer)
    except TokenizerReferenceError:
        return REFUSED
    except ValueError as error:
        return f"{REFUSED}: {error}"  # the stride, in the same words
    except BaseException as error:
        if library is tokenizers and type(error).__name__ in ("Exception", "PanicException"):
            return REFUSED
        raise


# What is asked -------------------------------------------------------------------------------------------------------


def batch(inputs: list[Any], method: str, **options: Any) -> Question:
    return lambda _, tokenizer: [encoded(each) for each in getattr(tokenizer, method)(inputs, **options)]


def words_of(rng: Random, text: str) -> list[str]:
    cut = rng.randint(0, len(text))
    return [*text[:cut].split(" "), text[cut:]]


def batches(rng: Random, texts: list[str]) -> Iterator[tuple[str, Question]]:
    short = [text[:SHORT] for text in texts]
    pairs = list(zip(short, reversed(short), strict=True))
    mixed = [rng.choice((single, pair)) for single, pair in zip(texts, pairs, strict=True)]
    words = [words_of(rng, text) for text in short]
    of_words = [rng.choice((each, (each, rng.choice(words)))) for each in words]
    for name, inputs, is_pretokenized in (
        ("texts", texts, False),
        ("pairs", pairs, False),
        ("mixed", mixed, False),
        ("words", words, True),
        ("words, mixed", of_words, True),
        ("nothing", [], False),
    ):
        options = {"is_pretokenized": is_pretokenized, "add_special_tokens": rng.random() < 0.7}
        yield f"batch of {name}", batch(inputs, "encode_batch", **options)
        if rng.random() < 0.3:
            yield f"fast batch of {name}", batch(inputs, "encode_batch_fast", **options)


def padded(rng: Random, inputs: list[str]) -> Question:
    """A batch with a padding, a truncation or both that are set by hand."""
    padding = {
        "direction": rng.choice(("left", "right")),
        "pad_id": rng.choice((0, 5)),
        "pad_type_id": rng.choice((0, 1)),
        "pad_token": rng.choice(("[PAD]", "")),
        "length": rng.choice((None, None, 0, 4, 30)),
        "pad_to_multiple_of": rng.choice((None, None, 0, 3, 8)),
    }
    truncation = {
        "max_length": rng.choice((3, 6, 20)),
        "stride": rng.choice((0, 1, 2)),
        "strategy": rng.choice(("longest_first", "only_first")),
        "direction": rng.choice(("left", "right")),
    }
    with_truncation = rng.random() < 0.5

    def ask(_: Any, tokenizer: Any) -> Any:
        before = tokenizer.truncation, tokenizer.padding
        tokenizer.enable_padding(**padding)
        if with_truncation:
            tokenizer.enable_truncation(**truncation)
        try:
            return before, tokenizer.truncation, tokenizer.padding, batch(inputs, "encode_batch")(_, tokenizer)
        finally:
            tokenizer.no_padding()
            tokenizer.no_truncation()

    return ask


def special_tokens_as_text(texts: list[str]) -> Question:
    def ask(_: Any, tokenizer: Any) -> Any:
        tokenizer.encode_special_tokens = True
        try:
            return [encoded(tokenizer.encode(text)) for text in texts]
        finally:
            tokenizer.encode_special_tokens = False

    return ask


def processed(text: str, pair: str | None, add_special_tokens: bool) -> Question:
    def ask(_: Any, tokenizer: Any) -> Any:
        first = tokenizer.encode(text, add_special_tokens=False)
        second = None if pair is None else tokenizer.encode(pair, add_special_tokens=False)
        return encoded(tokenizer.post_process(first, second, add_special_tokens))

    return ask


def streamed(rng: Random, ids: list[int]) -> Question:
    chunks = []
    while ids:
        size = rng.randint(1, 3)
        chunks.append(ids[:size])
        ids = ids[size:]
    skip = rng.random() < 0.5

    def ask(library: Any, tokenizer: Any) -> Any:
        stream = library.decoders.DecodeStream(skip_special_tokens=skip)
        return [stream.step(tokenizer, chunk[0] if len(chunk) == 1 else chunk) for chunk in chunks]

    return ask


def said_of_itself(strings: list[str]) -> Iterator[tuple[str, Question]]:
    yield "file", lambda _, tokenizer: tokenizer.to_str()
    yield "pretty file", lambda _, tokenizer: tokenizer.to_str(pretty=True)
    yield (
        "file, read and written again",
        lambda library, tokenizer: library.Tokenizer.from_str(tokenizer.to_str()).to_str(),
    )
    yield "vocabulary", lambda _, tokenizer: (tokenizer.get_vocab(), tokenizer.get_vocab(with_added_tokens=False))
    yield "sizes", lambda _, tokenizer: (tokenizer.get_vocab_size(), tokenizer.get_vocab_size(with_added_tokens=False))
    yield "ids of strings", lambda _, tokenizer: [tokenizer.token_to_id(string) for string in (*strings, "", "no such")]
    yield "tokens of ids", lambda _, tokenizer: [tokenizer.id_to_token(id_) for id_ in (*range(40), 2**32 - 1)]
    yield (
        "special tokens",
        lambda _, tokenizer: [tokenizer.num_special_tokens_to_add(is_pair) for is_pair in (False, True)],
    )
    yield "truncation, padding", lambda _, tokenizer: (tokenizer.truncation, tokenizer.padding)
    yield (
        "added tokens",
        lambda _, tokenizer: {
            id_: (token.content, token.single_word, token.lstrip, token.rstrip, token.normalized, token.special)
            for id_, token in tokenizer.get_added_tokens_decoder().items()
        },
    )


def questions(rng: Random, strings: list[str]) -> Iterator[tuple[str, Question]]:
    texts = [random_text(rng, strings) for _ in range(4)]
    ids = [[rng.choice((rng.randint(0, 40), rng.randint(0, 300))) for _ in range(rng.randint(0, 9))] for _ in range(4)]
    yield from said_of_itself(strings)
    yield from batches(rng, texts)
    yield "special tokens as text", special_tokens_as_text(texts)
    yield "post-process", processed(texts[0], None, True)
    yield "post-process, pair", processed(texts[1][:SHORT], texts[2][:SHORT], rng.random() < 0.7)
    for skip in (True, False):
        yield "batch of ids", lambda _, tokenizer, skip=skip: tokenizer.decode_batch(ids, skip_special_tokens=skip)
    yield "stream", streamed(rng, ids[0])
    yield (
        "stream, of a text",
        lambda library, tokenizer: streamed(Random(0), tokenizer.encode(texts[0]).ids)(library, tokenizer),
    )
    # From here on truncation and padding of the file are gone.
    for _ in range(2):
        yield "padding by hand", padded(rng, texts)


# Comparing -----------------------------------------------------------------------------------------------------------


def compare(seed: str) -> tuple[int, int]:
    """Compare on the tokenizer of ``seed``; return how many answers had a value, and how many had none."""
    rng = Random(seed)
    document = random_document(rng)
    text = json.dumps(document.json)
    ours = answer(lambda library, _: library.Tokenizer.from_str(text), tokenizer_reference, None)
    theirs = answer(lambda library, _: library.Tokenizer.from_str(text), tokenizers, None)
    assert (ours == REFUSED) == (theirs == REFUSED), (seed, "load")
    if theirs == REFUSED or is_ambiguous(document.json, theirs):
        return 0, 0
    values = refusals = 0
    for name, question in questions(rng, list(document.strings)):
        expected = answer(question, tokenizers, theirs)
        assert answer(question, tokenizer_reference, ours) == expected, (seed, name)
        is_refused = isinstance(expected, str) and expected.startswith(REFUSED)
        values += not is_refused
        refusals += is_refused
    return values, refusals


def is_ambiguous(document: Json, target: Any) -> bool:
    """Whether the target answers at random, or may take all memory: its process would be lost.

    It draws one of two added tokens of one normalized form, and never comes to an end with one that is normalized to
    nothing.
    """
    tokens = document.get("added_tokens", ())
    forms = [normal_form(target, content) for content in {token["content"] for token in tokens if token["normalized"]}]
    return len(set(forms)) < len(forms) or "" in forms or any(not token["content"] for token in tokens)


def normal_form(target: Any, content: str) -> str:
    if target.normalizer is None:
        return content
    return str(answer(lambda _, normalizer: normalizer.normalize_str(content), tokenizers, target.normalizer))


def assert_alike(seed: str, count: int) -> None:
    totals = [compare(f"{seed} {number}") for number in range(count)]
    values, refusals = (sum(column) for column in zip(*totals, strict=True))
    assert values > 18 * count
    assert refusals < values / 5


@pytest.mark.long_but(1)
@pytest.mark.parametrize("part", range(5))
def test_random_tokenizers_answer_as_in_the_target(part: int) -> None:
    assert_alike(f"part {part}", TOKENIZERS // 5)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_many_random_tokenizers_answer_as_in_the_target(part: int) -> None:
    assert_alike(f"many {part}", SLOW_TOKENIZERS // 8)
