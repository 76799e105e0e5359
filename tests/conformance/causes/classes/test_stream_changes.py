"""A stream in other steps is explained by the rule of its steps; one that is wrong in another way is not."""

from __future__ import annotations

from codecs import getincrementaldecoder
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, cast

import pytest
from planted.fakes import Faulty
from planted_faults import answering
from planted_streams import PLANTED, Streaming
from tokenizers import Tokenizer

from tokenizer_adapters.contract import Chunks, Decode, DecodeStream, Failed, Text, TokenizerSource
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.cause import NO_REASON, Reason
from tokenizer_conformance.causes.classes.stream_changes import STREAM_CHANGES
from tokenizer_conformance.causes.reasons import reason_of
from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_reference.text.byte_level import CHAR_TO_BYTE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Implementation, Outcome
    from tokenizer_conformance.causes.classes.experiment import Ground

FILE = str(bundled_file("gpt2-mini"))
TOKENIZER = Tokenizer.from_file(FILE)
SPECIAL = TOKENIZER.token_to_id("<|endoftext|>")
WORDS = "naïve \U0001f600 café"
IDS = tuple(TOKENIZER.encode(WORDS).ids)


def decoded(ids: tuple[int, ...]) -> str:
    return str(TOKENIZER.decode(list(ids)))


def as_they_get_whole(ids: tuple[int, ...]) -> list[str]:
    characters = getincrementaldecoder("utf-8")("replace")
    return [characters.decode(bytes(CHAR_TO_BYTE[each] for each in _name(id_))) for id_ in ids]


def _name(id_: int) -> str:
    """Return the name of a token, and nothing for the special one, which is left out."""
    return "" if id_ == SPECIAL else TOKENIZER.id_to_token(id_)


def grown(ids: tuple[int, ...]) -> list[str]:
    texts = ["", *(decoded(ids[:end]) for end in range(1, len(ids) + 1))]
    return [after.removeprefix(before) if after.startswith(before) else "" for before, after in pairwise(texts)]


def alone(ids: tuple[int, ...]) -> list[str]:
    return [decoded((id_,)) for id_ in ids]


def in_the_end(ids: tuple[int, ...]) -> list[str]:
    return [""] * (len(ids) - 1) + [decoded(ids)]


def streams(
    rule: Callable[[tuple[int, ...]], list[str]], is_meant: Callable[[tuple[int, ...]], bool] = lambda _: True
) -> Implementation:
    """Return what gives out streams by a rule of its own, where the ids are those that ``is_meant`` tells."""

    def told(question: DecodeStream, outcome: Chunks) -> Outcome:
        return Chunks(tuple(each or None for each in rule(question.ids))) if is_meant(question.ids) else outcome

    return Faulty("streams", answering(DecodeStream, told))


def reason_for(streaming: Implementation, ids: tuple[int, ...]) -> Reason:
    with Bench(TokenizersImplementation(), streaming) as bench:
        witness = bench.trial(TokenizerSource("gpt2-mini", FILE)).witness(DecodeStream(ids))
        assert witness is not None, "the fake does not show its fault"
        return reason_of(bench, witness)


@pytest.mark.parametrize(
    ("rule", "parameter"),
    [
        (as_they_get_whole, "characters as soon as they are whole"),
        (grown, "U+FFFD kept"),
        (alone, "each id alone"),
        (in_the_end, "all at the end"),
    ],
)
def test_the_rule_of_the_steps_is_the_reason(rule: Callable[[tuple[int, ...]], list[str]], parameter: str) -> None:
    half = IDS[:-1] if rule is not in_the_end else IDS
    reason = reason_for(streams(rule), half)
    assert (reason.name, reason.parameter) == ("stream-steps", parameter)
    assert "The baseline answers [" in reason.proof[0]


GPT2, T5 = "gpt2-mini", "t5-mini"

# A planted fault, the tokenizer, a text, how many of its ids are a prompt, the steps of the others, and the reason.
RUNS: list[tuple[str, str, str, int, tuple[int, ...], str]] = [
    ("offset reset", T5, "one two three four", 0, (), "without the ids before"),
    ("bytes flushed early", GPT2, "\U0001f600 a caf\u00e9", 0, (), "U+FFFD kept"),
    ("prompt forgotten", T5, "one two three four", 2, (), "the prompt forgotten"),
    ("prompt given again", GPT2, "one two three four", 2, (), "the prompt again"),
    ("first id of a step lost", GPT2, "one two three four", 0, (2, 2), "without the first id of a step"),
    ("last id of a step taken", GPT2, "one two three four", 0, (3, 2), "the last id of a step"),
    ("each step alone", T5, "one two three four", 0, (), "each id alone"),
]


@pytest.mark.parametrize(("fault", "tokenizer", "text", "prompt", "chunks", "parameter"), RUNS)
def test_a_run_names_the_fault_of_a_planted_stream(
    fault: str, tokenizer: str, text: str, prompt: int, chunks: tuple[int, ...], parameter: str
) -> None:
    source = TokenizerSource(tokenizer, str(bundled_file(tokenizer)))
    ids = tuple(Tokenizer.from_file(source.file).encode(text, add_special_tokens=False).ids)
    with Bench(TokenizersImplementation(), Streaming(PLANTED[fault].stream)) as bench:
        witness = bench.trial(source).witness(DecodeStream(ids[prompt:], True, ids[:prompt], chunks))
        assert witness is not None, "the stream does not show its fault"
        reason = reason_of(bench, witness)
    assert (reason.name, reason.parameter) == ("stream-steps", parameter)


BYTES = {0: "a", 1: "<0xC3>", 2: "<0xA9>", 3: "b"}


@pytest.mark.parametrize(
    ("ids", "chunks"),
    [((0, 1, 2, 3), ("a", None, None, "\u00e9b")), ((1, 2), (None, None)), ((2, 0, 1), (None, "\ufffda", None))],
)
def test_bytes_are_given_out_with_the_next_token_that_is_none(ids: tuple[int, ...], chunks: tuple[str | None]) -> None:
    change = next(each for each in STREAM_CHANGES if each.parameter == "bytes with the next token that is none")
    assert change.predict(cast("Ground", OfBytes()), DecodeStream(ids, False)) == Chunks(chunks)
    assert change.predict(cast("Ground", OfBytes()), DecodeStream(ids, False, prompt=(0,))) is None


def test_bytes_are_not_given_out_of_a_text_that_is_taken_back() -> None:
    change = next(each for each in STREAM_CHANGES if each.parameter == "bytes with the next token that is none")
    for answer in (Text("c"), Failed("ValueError", "")):
        ground = OfBytes({Decode((0, 3), False): answer})
        assert change.predict(cast("Ground", ground), DecodeStream((0, 3), False)) is None


@dataclass
class OfBytes:
    """What a study stands on, with a baseline that decodes tokens of bytes."""

    answers: dict[Decode, Outcome] = field(default_factory=dict)
    names = BYTES

    def expected(self, question: Decode) -> Outcome:
        of_each = (BYTES[id_] for id_ in question.ids)
        of_bytes = b"".join(bytes.fromhex(each[3:5]) if len(each) > 1 else each.encode() for each in of_each)
        return self.answers.get(question, Text(of_bytes.decode("utf-8", "replace")))


def test_one_stream_in_other_steps_is_no_rule() -> None:
    assert reason_for(streams(alone, lambda ids: ids == IDS), IDS) == NO_REASON


def test_a_stream_that_loses_text_has_no_reason() -> None:
    assert reason_for(streams(lambda ids: [*grown(ids)[:-1], "!"]), IDS) == NO_REASON
