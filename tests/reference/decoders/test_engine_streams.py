"""The streams of inference engines: by offsets into the ids, and word by word, that beside `transformers`."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import tokenizers
import tokenizers.decoders
from hypothesis import given
from hypothesis import strategies as st
from tokenizers.models import WordLevel

from tokenizer_reference.decoders.engine_streams import CONTEXT, OffsetStream, WordStream

if TYPE_CHECKING:
    from collections.abc import Sequence

TOKENS = ["a", "Ġb", "Ã", "©", "Ċ", "â", "Ĥ", "¬", "▁d", "", "##c", "<0xC3>", "<0xA9>", "å", "Ń", "Ĺ", "Ġ", "<s>"]
DECODERS = ("ByteLevel", "Metaspace", "ByteFallback", "WordPiece", "CTC")


def _tokenizer(decoder: str) -> Any:
    tokenizer = tokenizers.Tokenizer(WordLevel({token: id_ for id_, token in enumerate(TOKENS)}, "a"))
    tokenizer.add_special_tokens(["<s>"])
    tokenizer.decoder = getattr(tokenizers.decoders, decoder)()
    return tokenizer


def _ids(*tokens: str) -> list[int]:
    return [TOKENS.index(token) for token in tokens]


# Decoder, stream, the prompt, the tokens of each step, what each step gives, and the end.
STREAMS: list[tuple[str, type, list[str], list[list[str]], list[str | None], str | None]] = [
    ("ByteLevel", OffsetStream, [], [["a"], ["Ġb"], ["Ã"], ["©"]], ["a", " b", None, "é"], None),
    ("ByteLevel", OffsetStream, [], [["a", "Ã"], ["©", "Ġb"]], [None, "aé b"], None),
    ("ByteLevel", OffsetStream, ["a", "Ġb"], [["a"]], ["a"], None),
    ("Metaspace", OffsetStream, ["▁d"], [["▁d"]], [" d"], None),  # the prompt is context
    # The prompt ends in half a character: its U+FFFD counts as given, and the character is never given.
    ("ByteLevel", OffsetStream, ["a", "Ã"], [["©"], ["a"]], [None, "a"], None),
    ("ByteLevel", OffsetStream, ["a", *["Ġb"] * CONTEXT], [["Ġb"]], [" b"], None),
    ("ByteLevel", WordStream, [], [["a"], ["Ġb"], ["a"]], [None, "a ", None], "ba"),
    ("ByteLevel", WordStream, [], [["a"], ["Ċ"], ["a"]], [None, "a\n", None], "a"),
    ("ByteLevel", WordStream, [], [["a", "å"], ["Ń", "Ĺ"], ["a"]], [None, "a字", None], "a"),
    ("ByteLevel", WordStream, [], [["a", "Ċ"]], ["a\n"], None),
    ("ByteLevel", WordStream, ["a"], [["Ġb"]], [" "], "b"),
    ("Metaspace", WordStream, ["▁d"], [["▁d"], ["▁d"]], [None, "d "], "d"),  # the prompt is none: a space is lost
]


@pytest.mark.parametrize(("decoder", "stream_class", "prompt", "steps", "texts", "end"), STREAMS)
def test_what_each_step_gives(
    decoder: str, stream_class: Any, prompt: list[str], steps: list[list[str]], texts: Any, end: str | None
) -> None:
    tokenizer = _tokenizer(decoder)
    stream = stream_class(_ids(*prompt))
    assert [stream.step(tokenizer, _ids(*step)) for step in steps] == texts
    assert getattr(stream, "end", lambda _: None)(tokenizer) == end


def test_special_tokens_are_kept_or_not() -> None:
    tokenizer = _tokenizer("ByteLevel")
    for skip, text in ((True, "a"), (False, "<s>a")):
        for stream in (OffsetStream(None, skip), WordStream(None, skip)):
            given = [stream.step(tokenizer, _ids("<s>", "a"))]
            given += [stream.end(tokenizer)] if isinstance(stream, WordStream) else []
            assert "".join(filter(None, given)) == text


def test_ids_are_checked() -> None:
    for stream_class in (OffsetStream, WordStream):
        with pytest.raises(OverflowError):
            stream_class([-1])
        with pytest.raises(TypeError):
            stream_class().step(_tokenizer("ByteLevel"), "a")


class _Decoding:
    """A tokenizer, as far as a streamer of `transformers` sees it."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    def decode(self, ids: Sequence[int], skip_special_tokens: bool = False) -> str:
        text: str = self._tokenizer.decode(list(ids), skip_special_tokens=skip_special_tokens)
        return text


@given(
    st.sampled_from(DECODERS),
    st.lists(st.lists(st.integers(0, len(TOKENS) - 1), min_size=1, max_size=3), max_size=8),
    st.lists(st.integers(0, len(TOKENS) - 1), max_size=3),
    st.booleans(),
)
def test_words_are_those_of_transformers(decoder: str, steps: list[list[int]], prompt: list[int], skip: bool) -> None:
    tokenizer, texts = _tokenizer(decoder), list[str]()
    streamer = importlib.import_module("transformers.generation.streamers").TextStreamer(
        _Decoding(tokenizer), skip_prompt=bool(prompt), skip_special_tokens=skip
    )
    streamer.on_finalized_text = lambda text, stream_end=False: texts.append(text)  # noqa: ARG005
    for put in (*([prompt] if prompt else []), *steps):
        streamer.put(np.array(put))
    streamer.end()
    stream = WordStream(prompt, skip)
    assert [*(stream.step(tokenizer, step) or "" for step in steps), stream.end(tokenizer) or ""] == texts
