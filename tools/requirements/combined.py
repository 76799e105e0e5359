"""Recipes of options together: every two values that can matter in one answer do so in a case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from requirements.option_values import TEXTS, TOKENS, completed
from requirements.recipe import Area, CaseRecipe, Question, before_model, case, encode, ids, numbered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from requirements.recipe import Document, Input, Questions

CHOSEN = Path(__file__).with_suffix(".json")
"""The tokenizers and their questions, as ``tools/option_pairs.py --choose`` writes them."""


class Ask(NamedTuple):
    """A question: an encoding of a text (a number in ``TEXTS``) or of two, or the text that its ids are decoded to."""

    first: int
    second: int | None
    words: bool
    special: bool
    skips: bool | None
    """Whether decoding skips special tokens; ``None`` where nothing is decoded."""

    def inputs(self) -> tuple[Input, Input | None]:
        """Return what is encoded."""
        first = TEXTS[self.first]
        second = None if self.second is None else TEXTS[self.second]
        if not self.words:
            return first, second
        return first.split(" "), None if second is None else second.split(" ")


class Chosen(NamedTuple):
    """A tokenizer without its vocabulary, and its questions by the two stages that they are asked for."""

    document: Document
    asked: dict[str, list[Ask]]
    has_tokens: bool
    """Whether each of the encodings has tokens."""


def chosen() -> list[Chosen]:
    """Return what was chosen."""
    read = json.loads(CHOSEN.read_text("ascii"))
    return [
        Chosen(
            each["tokenizer"],
            {pair: [Ask(*ask) for ask in asks] for pair, asks in each["asked"].items()},
            each["has_tokens"],
        )
        for each in read
    ]


def questions(asks: list[Ask]) -> Questions:
    """Return what to ask: the stages before the model, each encoding once, and after it what its ids are decoded to."""
    texts = sorted(
        {number for ask in asks if not ask.words for number in (ask.first, ask.second) if number is not None}
    )
    before = (question for number in texts for question in before_model(TEXTS[number]))
    return (*before, *(question for ask in sorted(asks, key=_in_order) for question in _question(ask, asks)))


def _in_order(ask: Ask) -> tuple[object, ...]:
    return ask.first, ask.second is not None, ask.second or 0, ask.words, ask.special, ask.skips is not None, ask.skips


def _question(ask: Ask, asks: list[Ask]) -> Iterator[Question]:
    if ask.skips is None:
        yield from encode(*ask.inputs(), special=ask.special)
        return
    encoding = ask._replace(skips=None)
    is_second = ask.skips and ask._replace(skips=False) in asks
    if encoding not in asks and not is_second:
        yield from encode(*ask.inputs(), special=ask.special)
    yield Question({"ask": "decode", "skip_special_tokens": ask.skips}, "ids")


COMBINED: Final = Area(
    "combined",
    "Options together",
    "model",
    "What the components of a tokenizer do together. Every two values of options of two parts, or of one, stand in a tokenizer and a question in which both matter: with another value of either the answer would be another. tools/option_pairs.py finds and counts them.",
)

LETTERS: Final = tuple(numbered(TOKENS)[letter] for letter in "world")
"""What else is decoded where an encoding is empty: who answers nothing at all is not to pass."""

NAMES: Final = {
    "calls": "options of calls",
    "added_tokens": "added tokens",
    "pre_tokenizers": "pre-tokenizers",
    "processors": "post-processors",
}


def _named(pair: str) -> str:
    first, second = (NAMES.get(part, part) for part in pair.split(" × "))
    return f"{first} among each other" if first == second else f"{first} with {second}"


def _cases_of(pair: str) -> list[CaseRecipe]:
    return [
        case(completed(each.document), questions(each.asked[pair]), () if each.has_tokens else ids(LETTERS))
        for each in chosen()
        if pair in each.asked
    ]


for _pair in sorted({pair for each in chosen() for pair in each.asked}):
    COMBINED.edge(
        f"COMBINED-{_pair.upper().replace(' × ', '-').replace('_', '-')}: {_named(_pair).capitalize()}",
        f"Components, options and calls each mean the same whatever stands beside them. These cases are mostly of {_named(_pair)}.",
        "Ports test each option alone, with everything else as by default; two that were never combined do not work together.",
        _cases_of(_pair),
    )

AREAS = (COMBINED,)
