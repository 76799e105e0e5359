"""What a witness stands for: each place of its text is tried with other characters, and so the culprit is found.

A class of characters is named only where it was tried: nearly all of some members drawn from it show the same in that
place. The broadest class for which this holds stands for the place.
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from tokenizer_adapters.contract import Chat, Decode, DecodeStream, plain_of
from tokenizer_conformance.causes.character_classes import ANY, CharacterClass, alone, classes_of
from tokenizer_conformance.causes.culprit import CharacterCulprit, ConversationCulprit, LengthCulprit, TokenCulprit
from tokenizer_conformance.causes.token_classes import ANY_TOKEN
from tokenizer_conformance.comparison.questions import texts_in, with_ids, with_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.causes.bench import Trial
    from tokenizer_conformance.causes.culprit import Culprit
    from tokenizer_conformance.causes.token_classes import TokenClass, Vocabulary
    from tokenizer_conformance.causes.witness import Witness

T = TypeVar("T")

LONGEST = 8
"""Texts of more code points, or more ids, are taken as they are."""

FILLS = ("b", "7", ".", "\u00e9", "\u4e2d", "b ")
"""What long texts are made of."""

ENOUGH_FILLS = 2
"""How many of them must show that it is for its length."""

TOGETHER = 2
"""Of so many places it has to be asked whether they may be anything at once."""

MOST_TOGETHER = 6
"""How many runs of other members are tried for that."""

EXCEPTIONS = 1
"""How many members of a class need not show the same."""


def culprit_of(trial: Trial, witness: Witness, vocabulary: Vocabulary) -> Culprit:
    """Return what in the texts or ids of ``witness``, a small one, shows its difference on ``trial``."""
    match plain_of(witness.question):
        case Decode(ids) | DecodeStream(ids):
            found = tuple(_token_classes(trial, witness, ids, vocabulary))
            other_ids = [with_ids(witness.question, partial(_instead, ids, run)) for run in _runs(found)]
            return TokenCulprit(found, is_together=_holds_for(tuple(other_ids), partial(_shows, trial, witness)))
        case Chat() as chat:
            return ConversationCulprit(_speakers(chat))
    texts = texts_in(witness.question)
    text = max(texts, key=len, default="")
    if len(text) > LONGEST:
        is_long = _is_for_length(trial, witness, text)
        return LengthCulprit(len(text)) if is_long else CharacterCulprit(tuple(map(alone, text)))
    classes = tuple(_character_classes(trial, witness, text))
    others = [with_texts(witness.question, partial(_instead, text, "".join(run))) for run in _runs(classes)]
    is_together = _holds_for(tuple(others), partial(_shows, trial, witness))
    return CharacterCulprit(classes, _is_whole(trial, witness, text), is_together)


def _speakers(chat: Chat) -> str:
    """Return who speaks in ``chat``, and what else is given.

    >>> _speakers(Chat('[{"role": "user", "content": "Hi"}]', add_generation_prompt=True))
    'user, with add_generation_prompt'
    """
    messages = json.loads(chat.messages)
    roles = [str(each.get("role")) if isinstance(each, dict) else "no object" for each in messages]
    given = {"tools": chat.tools is not None, **{name: getattr(chat, name) for name in OPTIONS}}
    more = " and ".join(name for name, is_given in given.items() if is_given)
    return f"{', '.join(roles) or 'nobody'}{f', with {more}' if more else ''}"


OPTIONS = ("add_generation_prompt", "continue_final_message")


def _instead(old: T, new: T, given: T) -> T:
    """Return ``new`` where ``old`` is given, and all else as it is."""
    return new if given == old else given


def _runs(classes: Sequence[CharacterClass | TokenClass]) -> list[tuple[Any, ...]]:
    """Return runs of other members of ``classes``, all places at once; none where that says no more than one place."""
    if len(classes) < TOGETHER or not all(each.name in {ANY, ANY_TOKEN} for each in classes):
        return []
    return [
        tuple(each.members[(start + at) % len(each.members)] for at, each in enumerate(classes))
        for start in range(MOST_TOGETHER)
    ]


def _character_classes(trial: Trial, witness: Witness, text: str) -> Iterator[CharacterClass]:
    for at, character in enumerate(text):

        def shows(each: str, at: int = at) -> bool:
            other = text[:at] + each + text[at + 1 :]
            return _shows(trial, witness, with_texts(witness.question, lambda side: other if side == text else side))

        yield next(each for each in classes_of(character) if each.is_alone or _holds_for(each.members, shows))


def _is_for_length(trial: Trial, witness: Witness, text: str) -> bool:
    """Return whether long texts show the difference, whatever they are made of, and short ones of the same do not."""
    shown = 0
    for fill in FILLS:
        long, short = fill * 4 * len(text), fill * (LONGEST // 2)
        questions = (
            with_texts(witness.question, lambda side, other=other: other if side == text else side)  # type: ignore[misc]
            for other in (long, short)
        )
        shows_long, shows_short = (_shows(trial, witness, question) for question in questions)
        shown += shows_long and not shows_short
    return shown >= ENOUGH_FILLS


def _token_classes(
    trial: Trial, witness: Witness, ids: tuple[int, ...], vocabulary: Vocabulary
) -> Iterator[TokenClass]:
    for at, number in enumerate(ids):

        def shows(each: int, at: int = at) -> bool:
            other = (*ids[:at], each, *ids[at + 1 :])
            return _shows(trial, witness, with_ids(witness.question, lambda _ids: other))

        classes = vocabulary.classes_of(number)
        yield next(
            each for each in classes if each.is_alone or (len(ids) <= LONGEST and _holds_for(each.members, shows))
        )


def _holds_for(members: tuple[T, ...], shows: Callable[[T], bool]) -> bool:
    """Return whether nearly all of ``members`` show the same; it is given up as soon as that cannot be."""
    left = EXCEPTIONS if len(members) > 2 * EXCEPTIONS + 2 else 0
    for each in members:
        if not shows(each):
            left -= 1
            if left < 0:
                return False
    return True


def _shows(trial: Trial, witness: Witness, question: Observation) -> bool:
    """Return whether ``question`` shows a difference like that of ``witness``."""
    found = trial.compared(question).differences
    return bool(found) and is_like(witness, found[0].field, found[0].detail)


def is_like(witness: Witness, field: object, detail: str) -> bool:
    """Return whether a difference in ``field``, of the error class ``detail``, is of the kind that ``witness`` has."""
    return witness.difference.field == field and witness.difference.detail == detail


def _is_whole(trial: Trial, witness: Witness, text: str) -> bool:
    """Return whether the difference goes when anything stands before or after the text."""
    return not any(
        _shows(trial, witness, with_texts(witness.question, lambda side, other=other: other if side == text else side))  # type: ignore[misc]
        for other in (f"a {text}", f"{text} a", f"a{text}", f"{text}a", f"a {text} a")
    )
