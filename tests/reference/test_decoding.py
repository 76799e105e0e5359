"""Decoding and streaming as in `tokenizers`: all ids and pairs of small vocabularies, random lists of others."""

from __future__ import annotations

from itertools import islice, pairwise, product
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
import tokenizers.decoders
from checkpoints import BUNDLED, CHECKPOINTS, bundled, published

import tokenizer_reference.decoders

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from checkpoints import Loaded

REPLACEMENT = "\ufffd"
AT_ONCE = 20_000
UNKNOWN = 5
"""Ids that no token has, beside the known ones."""


def assert_decoded_alike(loaded: Loaded, lists: Iterable[list[int]], skip_special_tokens: tuple[bool, ...]) -> int:
    """Compare the text of every list of ids; return how many texts were compared."""
    lists = iter(lists)
    count = 0
    while batch := list(islice(lists, AT_ONCE)):
        for skip in skip_special_tokens:
            expected = loaded.target.decode_batch(batch, skip_special_tokens=skip)
            ours = [loaded.reference.decode(ids, skip_special_tokens=skip) for ids in batch]
            if ours != expected:
                where = next(place for place, pair in enumerate(zip(ours, expected, strict=True)) if pair[0] != pair[1])
                assert (batch[where], skip, ours[where]) == (batch[where], skip, expected[where])
            count += len(batch)
    return count


def all_ids(loaded: Loaded) -> range:
    return range(max(loaded.target.get_vocab().values()) + 1 + UNKNOWN)


def special_ids(loaded: Loaded) -> list[int]:
    return [id_ for id_, token in loaded.target.get_added_tokens_decoder().items() if token.special]


# Ids and pairs of ids ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BUNDLED)
def test_every_single_id(name: str) -> None:
    loaded = bundled(name)
    ids = all_ids(loaded)
    assert assert_decoded_alike(loaded, ([id_] for id_ in ids), (True, False)) == 2 * len(ids) > 800


@pytest.mark.parametrize("name", BUNDLED)
def test_pairs_of_ids_of_which_one_is_special(name: str) -> None:
    loaded = bundled(name)
    ids, special = all_ids(loaded), special_ids(loaded)
    pairs = [list(pair) for id_ in special for other in ids for pair in ((id_, other), (other, id_))]
    assert assert_decoded_alike(loaded, Random(name).sample(pairs, min(2000, len(pairs))), (True, False))


@pytest.mark.parametrize("name", BUNDLED)
def test_a_sample_of_the_pairs_of_ids(name: str) -> None:
    loaded = bundled(name)
    rng = Random(name)
    ids = all_ids(loaded)
    assert assert_decoded_alike(loaded, ([rng.choice(ids), rng.choice(ids)] for _ in range(3_000)), (False,))


@pytest.mark.slow
@pytest.mark.parametrize("name", BUNDLED)
def test_all_pairs_of_ids(name: str) -> None:
    loaded = bundled(name)
    ids = all_ids(loaded)
    special = set(special_ids(loaded))
    pairs = (list(pair) for pair in product(ids, ids))
    assert assert_decoded_alike(loaded, pairs, (False,)) == len(ids) ** 2
    with_special = (list(pair) for pair in product(ids, ids) if special & set(pair))
    assert assert_decoded_alike(loaded, with_special, (True,)) == len(ids) ** 2 - (len(ids) - len(special)) ** 2


# Random lists --------------------------------------------------------------------------------------------------------


def random_lists(loaded: Loaded, seed: str, count: int) -> Iterator[list[int]]:
    """Give lists of any ids, of a few that come again and again, of special ones, and of unknown ones."""
    rng = Random(seed)
    ids, special = all_ids(loaded), special_ids(loaded)
    beginning = range(min(300, len(ids)))  # where bytes, punctuation and single characters mostly are
    for _ in range(count):
        pools = [
            rng.choice((ids, ids, beginning, rng.sample(ids, 3), special or ids)) for _ in range(rng.randint(1, 3))
        ]
        yield [rng.choice(rng.choice(pools)) for _ in range(rng.choice((0, 1, 2, 3, 5, 8, 20)))]


@pytest.mark.parametrize("name", CHECKPOINTS)
def test_random_lists_of_ids(shared: Path, name: str) -> None:
    loaded = published(shared, name)
    assert assert_decoded_alike(loaded, random_lists(loaded, name, 400), (True, False)) == 800


@pytest.mark.slow
@pytest.mark.parametrize("name", CHECKPOINTS)
def test_many_random_lists_of_ids(shared: Path, name: str) -> None:
    loaded = published(shared, name)
    assert assert_decoded_alike(loaded, random_lists(loaded, f"many {name}", 100_000), (True, False)) == 200_000


# Streaming -----------------------------------------------------------------------------------------------------------

TEXTS = (
    "don't stop, I said: we 've done 3 of 4 .",
    "Ünïcode é 😀🏳️‍🌈 京都 한국 ①",
    "  two  spaces\n\nand\tlines ",
    "unbelievably hyphen-ated (parts)!",
)


def chunkings(ids: list[int]) -> Iterator[list[list[int]]]:
    """Give every way to cut ``ids`` into chunks of one id or more."""
    for cuts in product((False, True), repeat=max(0, len(ids) - 1)):
        places = [0, *(place for place, cut in enumerate(cuts, 1) if cut), len(ids)]
        yield [ids[start:end] for start, end in pairwise(places)]


def streamed(library: Any, tokenizer: Any, chunks: list[list[int]], skip: bool) -> list[str | None]:
    """Return what a stream gives out for each of ``chunks``, ids that come alone as numbers; an error ends it."""
    stream = library.decoders.DecodeStream(skip_special_tokens=skip)
    outcome: list[str | None] = []
    for chunk in chunks:
        try:
            outcome.append(stream.step(tokenizer, chunk[0] if len(chunk) == 1 else chunk))
        except Exception as error:
            return [*outcome, f"error: {error}"]
    return outcome


def assert_streamed_alike(loaded: Loaded, lists: Iterable[list[int]]) -> int:
    """Compare streaming in all chunkings with the target's, and with decoding at once.

    Return how many were compared. A decoder that falls back to bytes takes back what it gave: a byte that completes no
    character makes U+FFFD of those before it.
    """
    count = 0
    is_byte_fallback = "ByteFallback" in loaded.reference.to_str()
    for ids in lists:
        for skip in (True, False):
            whole = loaded.reference.decode(ids, skip_special_tokens=skip)
            for chunks in chunkings(ids):
                ours = streamed(tokenizer_reference, loaded.reference, chunks, skip)
                assert ours == streamed(tokenizers, loaded.target, chunks, skip), (chunks, skip)
                assert is_byte_fallback or is_the_whole(ours, whole), (chunks, skip)
                count += 1
    return count


def is_the_whole(given: list[str | None], whole: str) -> bool:
    """Whether what a stream gave out is the text of all ids, but for an end that is held back.

    Nothing is given out while the text ends in U+FFFD, so all from the last step that gave out text on may be missing.
    """
    text = "".join(part or "" for part in given)
    return text == whole or (whole.startswith(text) and whole.endswith(REPLACEMENT))


def short_lists(loaded: Loaded, seed: str, count: int) -> Iterator[list[int]]:
    """Give windows of the ids of texts, and random lists, of up to six ids."""
    rng = Random(seed)
    encoded = [loaded.target.encode(text).ids for text in TEXTS]
    for _ in range(count):
        ids = rng.choice(encoded)
        start = rng.randrange(len(ids))
        yield ids[start : start + 6]
        yield next(random_lists(loaded, f"{rng.random()}", 1))[:6]


@pytest.mark.parametrize("name", BUNDLED)
def test_streaming_in_every_chunking(name: str) -> None:
    loaded = bundled(name)
    assert assert_streamed_alike(loaded, short_lists(loaded, name, 10)) > 200


@pytest.mark.slow
@pytest.mark.parametrize("name", CHECKPOINTS)
def test_streaming_of_checkpoints_in_every_chunking(shared: Path, name: str) -> None:
    loaded = published(shared, name)
    assert assert_streamed_alike(loaded, short_lists(loaded, name, 200)) > 10_000


def test_there_are_as_many_chunkings_as_subsets_of_the_cuts() -> None:
    assert sorted(chunkings([1, 2, 3])) == [[[1], [2], [3]], [[1], [2, 3]], [[1, 2], [3]], [[1, 2, 3]]]
    assert list(chunkings([])) == [[[]]]
    assert len(list(chunkings([0] * 6))) == 32
