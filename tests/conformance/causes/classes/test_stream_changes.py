"""A stream in other steps is explained by the rule of its steps; one that is wrong in another way is not."""

from __future__ import annotations

from codecs import getincrementaldecoder
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from planted_faults import Planted
from tokenizers import Tokenizer

from tokenizer_adapters.contract import Chunks, DecodeStream, TokenizerSource
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.cause import NO_REASON, Reason
from tokenizer_conformance.causes.reasons import reason_of
from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_reference.text.byte_level import CHAR_TO_BYTE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Observation, Outcome

FILE = str(bundled_file("gpt2-mini"))
TOKENIZER = Tokenizer.from_file(FILE)
WORDS = "naïve \U0001f600 café"
IDS = tuple(TOKENIZER.encode(WORDS).ids)


def decoded(ids: tuple[int, ...]) -> str:
    return str(TOKENIZER.decode(list(ids)))


def as_they_get_whole(ids: tuple[int, ...]) -> list[str]:
    characters = getincrementaldecoder("utf-8")("replace")
    return [characters.decode(bytes(CHAR_TO_BYTE[each] for each in TOKENIZER.id_to_token(id_))) for id_ in ids]


def grown(ids: tuple[int, ...]) -> list[str]:
    texts = ["", *(decoded(ids[:end]) for end in range(1, len(ids) + 1))]
    return [after.removeprefix(before) if after.startswith(before) else "" for before, after in pairwise(texts)]


def alone(ids: tuple[int, ...]) -> list[str]:
    return [decoded((id_,)) for id_ in ids]


def in_the_end(ids: tuple[int, ...]) -> list[str]:
    return [""] * (len(ids) - 1) + [decoded(ids)]


class Streams(Planted):
    """Gives out streams by a rule of its own, where the ids are those that ``is_meant`` tells."""

    name = "streams"

    def __init__(
        self, rule: Callable[[tuple[int, ...]], list[str]], is_meant: Callable[[tuple[int, ...]], bool] = lambda _: True
    ) -> None:
        super().__init__()
        self._rule = rule
        self._is_meant = is_meant

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        if isinstance(question, DecodeStream) and isinstance(outcome, Chunks) and self._is_meant(question.ids):
            return Chunks(tuple(each or None for each in self._rule(question.ids)))
        return outcome


def reason_for(streams: Streams, ids: tuple[int, ...]) -> Reason:
    with Bench(TokenizersImplementation(), streams) as bench:
        witness = bench.trial(TokenizerSource("gpt2-mini", FILE)).witness(DecodeStream(ids))
        assert witness is not None, "the fake does not show its fault"
        return reason_of(bench, witness)


@pytest.mark.parametrize(
    ("rule", "parameter"),
    [
        (as_they_get_whole, "characters as soon as they are whole"),
        (grown, "what the text grows by"),
        (alone, "each id alone"),
        (in_the_end, "all at the end"),
    ],
)
def test_the_rule_of_the_steps_is_the_reason(rule: Callable[[tuple[int, ...]], list[str]], parameter: str) -> None:
    half = IDS[:-1] if rule is not in_the_end else IDS
    reason = reason_for(Streams(rule), half)
    assert (reason.name, reason.parameter) == ("stream-steps", parameter)
    assert "The baseline answers [" in reason.proof[0]


def test_one_stream_in_other_steps_is_no_rule() -> None:
    assert reason_for(Streams(alone, lambda ids: ids == IDS), IDS) == NO_REASON


def test_a_stream_that_loses_text_has_no_reason() -> None:
    assert reason_for(Streams(lambda ids: [*grown(ids)[:-1], "!"]), IDS) == NO_REASON
