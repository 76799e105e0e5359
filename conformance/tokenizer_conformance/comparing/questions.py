"""Which questions an input is asked: stated here once, for asking ahead, comparing, fuzzing and reading records back.

========== ==================================================================================================
normalize       the text
pre_tokenize    the text, and the baseline's normalization of it where that is another text
model           encode, without special tokens
post_process    encode with special tokens; the pair of the text and another one, without and with special tokens
decode          the baseline's ids of the text (with special tokens), keeping and skipping special tokens
========== ==================================================================================================

The ids to decode are the baseline's for everybody, so that decoding is judged on its own. A question may belong to a
stage that is not to be compared: its answer is needed for a question about one that is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    Decode,
    Encode,
    Encoded,
    Normalize,
    Observation,
    Outcome,
    PreTokenize,
    Stage,
    Text,
    Unsupported,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

EVERY_STAGE = frozenset(Stage)

NOT_ASKED = Unsupported("not asked")


def _not_asked(_question: Observation) -> Outcome:
    return NOT_ASKED


def about_text(
    text: str,
    stages: Collection[Stage] = EVERY_STAGE,
    baseline: Callable[[Observation], Outcome] = _not_asked,
) -> Iterator[Observation]:
    """Yield what is asked about ``text`` alone, in the order of the ``stages``.

    ``baseline`` gives the baseline's answers. Without it, the questions that depend on these are left out.

    >>> [type(question).__name__ for question in about_text("a", {Stage.NORMALIZE, Stage.DECODE})]
    ['Normalize', 'Encode']
    """
    if Stage.NORMALIZE in stages or Stage.PRE_TOKENIZE in stages:
        yield Normalize(text)
    if Stage.PRE_TOKENIZE in stages:
        yield PreTokenize(text)
        normalized = baseline(Normalize(text))
        if isinstance(normalized, Text) and normalized.text != text:
            yield PreTokenize(normalized.text)
    if Stage.MODEL in stages:
        yield Encode(text, add_special_tokens=False)
    if Stage.POST_PROCESS in stages or Stage.DECODE in stages:
        yield Encode(text)
    if Stage.DECODE in stages:
        encoded = baseline(Encode(text))
        if isinstance(encoded, Encoded):
            yield from about_ids(encoded.ids)


def about_pair(text: str, pair: str, stages: Collection[Stage] = EVERY_STAGE) -> Iterator[Encode]:
    """Yield what is asked about ``text`` together with ``pair``."""
    if Stage.POST_PROCESS in stages:
        for add_special_tokens in (False, True):
            yield Encode(text, pair, add_special_tokens)


def about_ids(ids: tuple[int, ...]) -> Iterator[Decode]:
    """Yield what is asked about ``ids``."""
    for skip_special_tokens in (False, True):
        yield Decode(ids, skip_special_tokens)
