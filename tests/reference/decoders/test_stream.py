"""DecodeStream: text that grows token by token, beside the target."""

from __future__ import annotations

import copy
import random
from typing import TYPE_CHECKING, Any

import pytest
import tokenizers
import tokenizers.decoders
from hypothesis import given
from hypothesis import strategies as st
from in_one_test import in_one_test
from tokenizers.models import WordLevel

from tokenizer_reference.decoders import DecodeStream
from tokenizer_reference.text.byte_level import BYTE_TO_CHAR

if TYPE_CHECKING:
    from collections.abc import Sequence

TOKENS = ["a", "Ġb", "Ã", "©", "â", "Ĥ", "¬", "##c", "▁d", "", " ", "<0xC3>", "<0xA9>", "n't", "\ufffd", "<s>"]


def _tokenizer(decoder: Any) -> Any:
    tokenizer = tokenizers.Tokenizer(WordLevel({token: id_ for id_, token in enumerate(TOKENS)}, "a"))
    tokenizer.add_special_tokens(["<s>"])
    if decoder is not None:
        tokenizer.decoder = decoder
    return tokenizer


def _ids(*tokens: str) -> list[int]:
    return [TOKENS.index(token) for token in tokens]


STREAMS: list[tuple[str, dict[str, Any], list[str], list[str | None]]] = [
    # decoder, arguments, tokens, what each gives
    ("ByteLevel", {}, ["a", "Ġb", "a"], ["a", " b", "a"]),
    ("ByteLevel", {}, ["â", "Ĥ", "¬", "a"], [None, None, "€", "a"]),
    ("ByteLevel", {}, ["Ã", "a"], [None, "\ufffda"]),
    ("ByteLevel", {}, ["a", "<s>", "a"], ["a", "<s>", "a"]),
    ("ByteLevel", {"skip_special_tokens": True}, ["a", "<s>", "a"], ["a", None, "a"]),
    ("ByteLevel", {"skip_special_tokens": None}, ["<s>"], ["<s>"]),
    ("ByteLevel", {"ids": _ids("a", "Ġb")}, ["a"], ["a"]),
    ("ByteLevel", {"ids": _ids("a", "Ã")}, ["©", "a"], ["aé", "a"]),
    ("ByteLevel", {"ids": []}, ["", "a"], [None, "a"]),
    ("ByteFallback", {}, ["<0xC3>", "<0xA9>", "a"], [None, "é", "a"]),
    ("Metaspace", {}, ["▁d", "▁d"], ["d", " d"]),
    ("WordPiece", {}, ["a", "##c", "a"], ["a", "c", " a"]),
]


@pytest.mark.parametrize(("decoder", "arguments", "tokens", "texts"), STREAMS)
def test_what_each_token_gives(library: Any, decoder: str, arguments: Any, tokens: list[str], texts: Any) -> None:
    tokenizer = _tokenizer(getattr(tokenizers.decoders, decoder)())
    stream = library.decoders.DecodeStream(**arguments)
    assert [stream.step(tokenizer, id_) for id_ in _ids(*tokens)] == texts


def test_several_ids_can_be_given_at_once(library: Any) -> None:
    tokenizer = _tokenizer(tokenizers.decoders.ByteLevel())
    stream = library.decoders.DecodeStream()
    assert [stream.step(tokenizer, ids) for ids in (_ids("a", "Ã"), _ids("©", "Ġb"), [])] == [None, "aé b", None]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_goes_on_by_itself(library: Any, copied: Any) -> None:
    tokenizer = _tokenizer(tokenizers.decoders.ByteLevel())
    stream = library.decoders.DecodeStream()
    stream.step(tokenizer, _ids("Ã"))
    branch = copied(stream)
    assert branch.step(tokenizer, _ids("a")) == "\ufffda"
    assert stream.step(tokenizer, _ids("©")) == "é"


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_keeps_no_more_ids_than_its_original(copied: Any) -> None:
    asked: list[list[int]] = []

    class Remembering:
        def decode(self, ids: Sequence[int], skip_special_tokens: bool = True) -> str:  # noqa: ARG002
            asked.append(list(ids))
            return "abc"[: len(ids)]

    stream = DecodeStream()
    stream.step(Remembering(), 7)
    stream = copied(stream)
    stream.step(Remembering(), 8)
    assert asked == [[7], [7], [7, 8], [8]]


def test_a_decoder_that_changes_what_was_given_breaks_the_stream(library: Any) -> None:
    """With an empty suffix, BPEDecoder puts spaces around the characters of every token but the last."""
    tokenizer = _tokenizer(tokenizers.decoders.BPEDecoder(suffix=""))
    stream = library.decoders.DecodeStream()
    assert stream.step(tokenizer, 0) == "a"
    with pytest.raises(Exception, match="Invalid prefix encountered while decoding stream") as caught:
        stream.step(tokenizer, 7)
    assert str(caught.value).endswith("Token ID: 7, Expected prefix: 'a', Actual string: ' a ##c'")


# A row: what is replaced in the text so far, the tokens, and what the last of these gives. A text is longer than what
# was given out before where it has more bytes of UTF-8, and only then does it have to begin with that.
CHANGED: list[tuple[tuple[str, str], list[str], str | None]] = [
    (("ab", "é"), ["a", "b"], "Expected prefix: 'a', Actual string: 'é'"),  # no more characters, but more bytes
    (("éc", "ab"), ["é", "c"], None),  # more characters, but no more bytes
    (("abcd", "é中"), ["abc", "d"], "Expected prefix: 'abc', Actual string: 'é中'"),  # fewer characters, more bytes
    (("éc", "abx"), ["é", "c"], "Expected prefix: 'é', Actual string: 'abx'"),
    (("abc", "x"), ["ab", "c"], None),  # a text that has become shorter has nothing to add yet
    (("abc", "é"), ["ab", "c"], None),
]


@pytest.mark.parametrize(("change", "tokens", "last"), CHANGED)
def test_texts_are_as_long_as_their_bytes(
    library: Any, change: tuple[str, str], tokens: list[str], last: str | None
) -> None:
    tokenizer = tokenizers.Tokenizer(WordLevel({token: id_ for id_, token in enumerate(tokens)}, tokens[0]))
    replace = tokenizers.decoders.Replace(*change)
    tokenizer.decoder = tokenizers.decoders.Sequence([tokenizers.decoders.Fuse(), replace])
    stream = library.decoders.DecodeStream()
    assert stream.step(tokenizer, 0) == tokens[0]
    if last is None:
        assert stream.step(tokenizer, 1) is None
    else:
        with pytest.raises(Exception, match="Invalid prefix") as caught:
            stream.step(tokenizer, 1)
        assert str(caught.value).endswith(last)


@given(st.text(max_size=20), st.integers(1, 3))
def test_the_pieces_of_a_text_add_up_to_it(text: str, size: int) -> None:
    alphabet = dict.fromkeys(BYTE_TO_CHAR)
    tokenizer = tokenizers.Tokenizer(WordLevel({char: id_ for id_, char in enumerate(alphabet)}, "a"))
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    encoded = list(text.encode())
    stream = DecodeStream()
    chunks = [encoded[start : start + size] for start in range(0, len(encoded), size)]
    given_out = [stream.step(tokenizer, chunk) or "" for chunk in chunks]
    pending = text[len("".join(given_out)) :]
    assert "".join(given_out) + pending == text
    # Only what ends in the replacement character itself, or in NULs that add nothing, may be held back.
    assert pending == "" or "\ufffd" in pending


DECODERS: list[Any] = [
    None,
    tokenizers.decoders.ByteLevel(),
    tokenizers.decoders.ByteFallback(),
    tokenizers.decoders.Metaspace(),
    tokenizers.decoders.WordPiece(),
    tokenizers.decoders.BPEDecoder(suffix="a"),
    tokenizers.decoders.CTC(pad_token="a"),
    tokenizers.decoders.Replace("a", ""),
]


@in_one_test("seed", range(200))
def test_random_streams_go_as_in_the_target(seed: int) -> None:
    rng = random.Random(seed)
    tokenizer = _tokenizer(rng.choice(DECODERS))
    before = rng.choice([None, rng.choices(range(len(TOKENS)), k=rng.randint(0, 3))])
    skip = rng.random() < 0.5
    steps = [
        rng.choice([rng.randrange(len(TOKENS) + 1), rng.choices(range(len(TOKENS)), k=rng.randint(0, 2))])
        for _ in range(rng.randint(1, 15))
    ]
    ours, theirs = DecodeStream(before, skip), tokenizers.decoders.DecodeStream(before, skip)
    for step in steps:
        if rng.random() < 0.3:
            ours, theirs = copy.copy(ours), copy.copy(theirs)
        assert _outcome(ours, tokenizer, step) == _outcome(theirs, tokenizer, step)


def _outcome(stream: Any, tokenizer: Any, step: int | list[int]) -> str | None:
    try:
        added: str | None = stream.step(tokenizer, step)
    except Exception as error:
        return f"error: {error}"
    return added
