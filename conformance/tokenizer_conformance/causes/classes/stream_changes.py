"""Hypotheses about streams: the implementation gives out the same text in other steps."""

from __future__ import annotations

from codecs import getincrementaldecoder
from itertools import pairwise
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Chunks, Decode, DecodeStream, Text, plain_of
from tokenizer_conformance.causes.classes.hypothesis import SupposedChange
from tokenizer_conformance.inputs.text_generators.entries import byte_of_character

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.causes.classes.experiment import Ground
    from tokenizer_conformance.causes.classes.hypothesis import Hypothesis
    from tokenizer_conformance.causes.witness import Witness

NAME = "stream-steps"

MOST_IDS = 200
"""Longer streams are not followed: each step decodes all ids before it."""

Steps = tuple[str, ...]
"""What each id adds to the text, ``""`` where that is nothing."""


def other_steps(ground: Ground, witness: Witness) -> Iterator[Hypothesis]:
    """Suppose that the text of the baseline, given out in other steps, is the implementation's answer."""
    if isinstance(plain_of(witness.question), DecodeStream):
        yield from (change.on(ground) for change in STREAM_CHANGES)


def _stream(parameter: str, how: str, steps: Callable[[Ground, DecodeStream], Steps | None]) -> SupposedChange:
    """Return another rule for what each id adds; ``steps`` are ``None`` where it says nothing about a question."""

    def predict(ground: Ground, question: Observation) -> Outcome | None:
        plain = plain_of(question)
        if not isinstance(plain, DecodeStream) or len(plain.ids) > MOST_IDS:
            return None
        found = steps(ground, plain)
        return None if found is None else Chunks(tuple(step or None for step in found))

    return SupposedChange(NAME, parameter, how, predict)


def _whole_characters(ground: Ground, question: DecodeStream) -> Steps | None:
    """Return each character with the id that completes it, and U+FFFD with the id that makes that impossible.

    Only for tokens of a ByteLevel decoder, whose bytes their names tell.
    """
    if (ground.document.get("decoder") or {}).get("type") != "ByteLevel":
        return None
    names = {id_: token for token, id_ in ground.vocabulary().items()}
    special = {each["id"] for each in ground.document.get("added_tokens") or () if each.get("special")}
    characters = getincrementaldecoder("utf-8")("replace")
    steps: list[str] = []
    for id_ in question.ids:
        name = "" if question.skip_special_tokens and id_ in special else names.get(id_)
        if name is None:
            return None
        steps.append(characters.decode(_bytes_of(name)))
    return tuple(steps)


def _bytes_of(name: str) -> bytes:
    """Return what the token called ``name`` stands for; one with a character outside the alphabet, for itself."""
    values = [byte_of_character().get(character) for character in name]
    return name.encode() if None in values else bytes(value for value in values if value is not None)


def _each_alone(ground: Ground, question: DecodeStream) -> Steps | None:
    """Return the text of each id by itself."""
    return _all_texts(ground, question, [(id_,) for id_ in question.ids])


def _growth(ground: Ground, question: DecodeStream) -> Steps | None:
    """Return by what each id makes the text longer; nothing where it does not go on as it was."""
    texts = _all_texts(ground, question, [question.ids[:end] for end in range(1, len(question.ids) + 1)])
    if texts is None:
        return None
    return tuple(
        after.removeprefix(before) if after.startswith(before) else "" for before, after in pairwise(("", *texts))
    )


def _at_the_end(ground: Ground, question: DecodeStream) -> Steps | None:
    """Return nothing but with the last id, and with that the whole text."""
    texts = _all_texts(ground, question, [question.ids])
    return None if texts is None else (*[""] * (len(question.ids) - 1), *texts)


def _never_nothing(ground: Ground, question: DecodeStream) -> Steps | None:
    """Return U+FFFD with each id that adds nothing."""
    answer = ground.expected(question)
    return tuple(step or "\ufffd" for step in answer.chunks) if isinstance(answer, Chunks) else None


def _all_texts(ground: Ground, question: DecodeStream, runs: list[tuple[int, ...]]) -> Steps | None:
    """Return the baseline's text of each of ``runs`` of ids; ``None`` where it has none for one of them."""
    answers = [ground.expected(Decode(ids, question.skip_special_tokens)) for ids in runs]
    texts = [answer.text for answer in answers if isinstance(answer, Text)]
    return tuple(texts) if len(texts) == len(runs) else None


STREAM_CHANGES: tuple[SupposedChange, ...] = (
    _stream(
        "characters as soon as they are whole",
        "With each character given out as soon as its bytes are there, and U+FFFD once they cannot come",
        _whole_characters,
    ),
    _stream("what the text grows by", "With all by which the text grows, U+FFFD at its end included", _growth),
    _stream("each id alone", "With the text of each id by itself", _each_alone),
    _stream("U+FFFD in place of nothing", "With U+FFFD given out with each id that adds nothing", _never_nothing),
    _stream("all at the end", "With the whole text given out with the last id", _at_the_end),
)
