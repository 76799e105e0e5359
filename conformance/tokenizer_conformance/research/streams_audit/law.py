"""What must hold of a stream, and where it cannot.

*The law*: what was shown of the prompt, and the texts of all steps, joined, are the text of all ids decoded at once. Of
a prompt that ends within a character, the U+FFFD at its end may have been shown or not.

*It cannot hold* for a stream that gives out text as it comes where the decoder does not go on as it began: where the
text of the ids so far, which does not end in U+FFFD, is not the beginning of the text of more ids. And it need not
hold of a text that ends in U+FFFD: a following id may complete the character, so that is held back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Chunks, Decode, Text
from tokenizer_conformance.causes.classes.stream_rules import REPLACEMENT, NoTextError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import DecodeStream, Observation, Outcome, PlainObservation

Ids = tuple[int, ...]


@dataclass(slots=True)
class Texts:
    """The texts that ``ask`` gives for ids, each asked once."""

    ask: Callable[[Observation], Outcome]
    skip_special_tokens: bool
    _known: dict[Ids, str] = field(default_factory=dict)

    def __call__(self, ids: Ids) -> str:
        """Return the text of ``ids``; of none, nothing. Raises :class:`NoTextError`."""
        if not ids:
            return ""
        if ids not in self._known:
            answer = self.ask(Decode(ids, self.skip_special_tokens))
            if not isinstance(answer, Text):
                raise NoTextError
            self._known[ids] = answer.text
        return self._known[ids]


def questions_about(question: DecodeStream) -> tuple[PlainObservation, ...]:
    """Return what has to be asked to judge ``question``."""
    prompt = (Decode(question.prompt, question.skip_special_tokens),) if question.prompt else ()
    return (question, Decode(question.all_ids, question.skip_special_tokens), *prompt)


def expected_texts(question: DecodeStream, text_of: Callable[[Ids], str]) -> tuple[str, ...]:
    """Return what the steps of ``question`` may give, joined; nothing where the prompt's text is no beginning."""
    before, whole = text_of(question.prompt), text_of(question.all_ids)
    shown = dict.fromkeys((before.rstrip(REPLACEMENT), before) if before.endswith(REPLACEMENT) else (before,))
    return tuple(whole[len(each) :] for each in shown if whole.startswith(each))


def keeps(question: DecodeStream, outcome: Outcome, text_of: Callable[[Ids], str]) -> bool:
    """Return whether the law holds for ``outcome``."""
    return isinstance(outcome, Chunks) and joined(outcome) in expected_texts(question, text_of)


def joined(chunks: Chunks) -> str:
    """Return the texts of all steps as one."""
    return "".join(filter(None, chunks.chunks))


# Where it cannot hold -------------------------------------------------------------------------------------------------


def ends_of_steps(question: DecodeStream) -> list[int]:
    """Return how many of all ids there are before the first step, and after each."""
    return list(accumulate((len(step) for step in question.steps), initial=len(question.prompt)))


@dataclass(frozen=True, slots=True)
class Break:
    """The text of the first ``end`` ids, ``shown``, is not the beginning of ``then``, the text of ``more`` ids."""

    end: int
    more: int
    shown: str
    then: str


def first_break(question: DecodeStream, text_of: Callable[[Ids], str]) -> Break | None:
    """Return where the decoder does not go on as it began, ``None``: it always does."""
    shown: list[tuple[int, str]] = []
    for end in ends_of_steps(question):
        text = text_of(question.all_ids[:end])
        for before, known in shown:
            if not text.startswith(known):
                return Break(before, end, known, text)
        clean = text.rstrip(REPLACEMENT) if end == len(question.prompt) else text
        if not clean.endswith(REPLACEMENT):
            shown.append((end, clean))
    return None


def held_back(question: DecodeStream, outcome: Outcome, text_of: Callable[[Ids], str]) -> str | None:
    """Return the end of the text that ``outcome`` does not have since it ends in U+FFFD; ``None``: that is not so."""
    if not isinstance(outcome, Chunks) or not text_of(question.all_ids).endswith(REPLACEMENT):
        return None
    whole, given = text_of(question.all_ids), joined(outcome)
    texts = [text_of(question.all_ids[:end]) for end in ends_of_steps(question)[1:]]
    shown = next((text for text in reversed(texts) if not text.endswith(REPLACEMENT)), None)
    if shown is not None and not whole.startswith(shown):
        return None
    for expected in expected_texts(question, text_of):
        if given == ("" if shown is None else shown[len(whole) - len(expected) :]):
            return expected[len(given) :]
    return None


def up_to(question: DecodeStream, end: int) -> DecodeStream | None:
    """Return ``question`` without the steps after the first ``end`` of all ids; ``None`` where none is left."""
    count = ends_of_steps(question).index(end)
    steps = question.steps[:count]
    ids = tuple(each for step in steps for each in step)
    return type(question)(ids, question.skip_special_tokens, question.prompt, tuple(map(len, steps))) if ids else None
