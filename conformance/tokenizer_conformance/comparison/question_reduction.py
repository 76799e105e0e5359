"""Making a question smaller while it shows the same: the simplest form, the shortest texts, the simplest characters.

A text is shortened first; several characters in it may each show the same, and one of them is left. Then what does not
matter is replaced by simpler characters (:mod:`tokenizer_conformance.comparison.simplicity`).

A replacement must not go from one fault to another: a text with a wrong letter might be given another letter that is
wrong for a reason of its own. So a character is replaced only where a whole class of characters, which it is in, shows
the same: the simplest member and others spread over the class. And it must not make another character needless: what is
left out then is what showed the fault before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    After,
    Chat,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Normalize,
    Observation,
    PlainObservation,
    PreTokenize,
)
from tokenizer_conformance.comparison.chat_reduction import shorten_chat, simpler_chats
from tokenizer_conformance.comparison.findings import length_of
from tokenizer_conformance.comparison.reduction import MOST_CHECKS, BudgetSpentError, shortest
from tokenizer_conformance.comparison.simplicity import SAMPLES, characters_like
from tokenizer_conformance.comparison.token_simplicity import SimplerTokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Shows = Callable[[Observation], bool]
"""Tells whether a question shows the same as the one before."""

Side = str | tuple[str, ...]
"""One of the two texts of a question: a text, or words."""

Slot = str | tuple[int, ...]
"""A text of a question, or its ids."""

Place = tuple[int, int]
"""A slot of a question, and an item in it."""

SIMPLEST_TRIED = 3
"""How many of the simplest members of a class are tried in the place of another."""

SPARE = 1
"""How many members of a large class may show something else: no class of Unicode is without exceptions."""

LONGEST_CHECKED = 12
"""Up to how many items it is asked of each whether it is still needed."""

LONGEST_SINGLE = 24
"""Up to how many items each is replaced alone; in longer questions all that are equal are, together."""

SHORTEST_RUNS = 8
"""Up to how many equal characters it is asked whether so few are enough."""


def reduced_question(
    question: Observation,
    shows_the_same: Shows,
    most_checks: int = MOST_CHECKS,
    tokens: Callable[[], Mapping[str, int]] = dict,
) -> Observation:
    """Return ``question``, or a smaller one for which ``shows_the_same`` holds. Asks at most ``most_checks`` times.

    ``tokens`` gives the vocabulary, by which ids are told apart; without it ids are left out and not replaced. Where
    ``shows_the_same`` raises :class:`BudgetSpentError`, the smallest question so far is returned.
    """
    reduction = _QuestionReduction(question, shows_the_same, most_checks, tokens)
    with suppress(BudgetSpentError):
        reduction.reduce()
    return reduction.question


class _QuestionReduction:
    """The smallest question so far. What was asked before is not asked again."""

    def __init__(
        self, question: Observation, shows: Shows, checks_left: int, tokens: Callable[[], Mapping[str, int]]
    ) -> None:
        self.question = question
        self._longest = length_of(question)
        self._shows = shows
        self._checks_left = checks_left
        self._answers: dict[Observation, bool] = {question: True}
        self._tokens = tokens
        self._simpler_tokens: SimplerTokens | None = None

    def reduce(self) -> None:
        """Make the question as small as it gets."""
        while True:
            before = self.question
            self._simplify_form()
            self._shorten()
            if self.question == before:
                break
        while True:
            before = self.question
            self._replace_items()
            self._shorten_runs()
            if self.question == before:
                break

    def _holds(self, candidate: Observation) -> bool:
        """Return whether ``candidate`` shows the same."""
        known = self._answers.get(candidate)
        if known is None:
            if length_of(candidate) > self._longest:
                return False
            if self._checks_left <= 0:
                raise BudgetSpentError
            self._checks_left -= 1
            known = self._answers[candidate] = self._shows(candidate)
        return known

    def _keep(self, candidate: Observation) -> bool:
        """Take ``candidate`` for the question where it shows the same, and say whether it does."""
        if candidate == self.question or not self._holds(candidate):
            return False
        self.question = candidate
        return True

    # Forms and lengths

    def _simplify_form(self) -> None:
        while any(self._keep(candidate) for candidate in simpler_forms(self.question)):
            pass

    def _shorten(self) -> None:
        """Ask about shorter texts, or about fewer ids."""
        match self.question:
            case After() as question:
                self._shorten_after(question)
            case plain:
                _shorten(plain, self._keep)

    def _shorten_after(self, question: After) -> None:
        """Ask after fewer changes, then about less."""
        changes = shortest(question.changes, lambda changes: self._keep(replace(question, changes=changes)))
        _shorten(question.observation, lambda plain: self._keep(After(changes, plain)))

    def _shorten_runs(self) -> None:
        """Ask about the smallest number of equal characters that is enough."""
        for number, slot in enumerate(slots_of(self.question)):
            if isinstance(slot, str):
                self._shorten_runs_in(number, slot)

    def _shorten_runs_in(self, number: int, text: str) -> None:
        runs = ["".join(run) for _, run in groupby(text)]
        for place, run in enumerate(runs):
            for length in range(1, min(len(run), SHORTEST_RUNS + 1)):
                candidate = "".join((*runs[:place], run[:length], *runs[place + 1 :]))
                if self._keep(_with_slot(self.question, number, candidate)):
                    runs[place] = run[:length]
                    break

    # Simpler items

    def _replace_items(self) -> None:
        places = _places(self.question)
        for item in dict.fromkeys(_item_at(self.question, place) for place in places):
            alike = [place for place in places if _item_at(self.question, place) == item]
            if not self._replace(alike) and len(alike) > 1 and len(places) <= LONGEST_SINGLE:
                for place in alike:
                    self._replace([place])

    def _replace(self, places: Sequence[Place]) -> bool:
        """Put a simpler item at ``places``, which have one item; say whether there is one."""
        item = _item_at(self.question, places[0])
        for members in self._like(item):
            simplest = self._simplest(item, members, places)
            if simplest is not None and self._is_borne_out((item, simplest), members, places):
                return simplest != item and self._keep(_with_item(self.question, places, simplest))
        return False

    def _like(self, item: str | int) -> Iterable[Sequence[str | int]]:
        if isinstance(item, str):
            return characters_like(item)
        if self._simpler_tokens is None:
            self._simpler_tokens = SimplerTokens(self._tokens())
        return self._simpler_tokens.ids_like(item)

    def _simplest(self, item: str | int, members: Sequence[str | int], places: Sequence[Place]) -> str | int | None:
        """Return the simplest of ``members`` that shows the same at ``places``, ``None`` where that cannot be said."""
        for candidate in members[:SIMPLEST_TRIED]:
            if candidate == item:
                return item
            changed = _with_item(self.question, places, candidate)
            if self._holds(changed) and self._needs_the_rest(changed, places):
                return candidate
        return None

    def _is_borne_out(
        self, excluded: tuple[str | int, ...], members: Sequence[str | int], places: Sequence[Place]
    ) -> bool:
        """Return whether members from all over the class show the same at ``places``."""
        others = [member for member in _spread(members) if member not in excluded]
        spare = SPARE if len(others) >= SAMPLES else 0
        for other in others:
            if not self._holds(_with_item(self.question, places, other)):
                spare -= 1
            if spare < 0:
                return False
        return True

    def _needs_the_rest(self, candidate: Observation, places: Sequence[Place]) -> bool:
        """Return whether every item of ``candidate`` that is not at ``places`` is needed, as it was before."""
        rest = [place for place in _places(candidate) if place not in places]
        if len(rest) + len(places) > LONGEST_CHECKED:
            return True
        return not any(self._holds(_without_item(candidate, place)) for place in rest)


def _spread(members: Sequence[str | int]) -> list[str | int]:
    """Return members from all over a class, the last one among them."""
    count = SAMPLES + 2
    if len(members) <= count:
        return list(members)
    return [members[(number + 1) * (len(members) - 1) // count] for number in range(count)]


# Forms ---------------------------------------------------------------------------------------------------------------


def simpler_forms(question: Observation) -> Iterator[Observation]:
    """Yield ``question`` in simpler forms: without changes, a single text, a text in place of words, all ids at once.

    >>> list(simpler_forms(DecodeStream((1, 2))))
    [Decode(ids=(1, 2), skip_special_tokens=True)]
    """
    match question:
        case After(changes, plain):
            yield plain
            for form in simpler_forms(plain):
                if not isinstance(form, After):
                    yield After(changes, form)
        case EncodeBatch(inputs):
            yield from inputs
        case DecodeStream():
            yield from _simpler_streams(question)
        case Chat():
            yield from simpler_chats(question)
        case Encode(text, pair, add_special_tokens):
            yield from _simpler_encodes(text, pair, add_special_tokens)


def _simpler_streams(stream: DecodeStream) -> Iterator[Observation]:
    """Yield its ids decoded at once; then the stream without its prompt and its steps, or without one of them."""
    yield Decode(stream.all_ids, stream.skip_special_tokens)
    if stream.prompt and stream.chunks:
        yield replace(stream, prompt=(), chunks=())
    if stream.chunks:
        yield replace(stream, chunks=())
    if stream.prompt:
        yield replace(stream, prompt=())


def _simpler_encodes(text: Side, pair: Side | None, add_special_tokens: bool) -> Iterator[Encode]:
    if add_special_tokens:
        yield Encode(text, pair, add_special_tokens=False)
    if pair is not None:
        yield Encode(text, None, add_special_tokens)
        yield Encode(pair, None, add_special_tokens)
    if not isinstance(text, str):
        for joint in (" ", ""):
            joined_pair = pair if pair is None or isinstance(pair, str) else joint.join(pair)
            yield Encode(joint.join(text), joined_pair, add_special_tokens)


# Lengths -------------------------------------------------------------------------------------------------------------

Ask = Callable[[PlainObservation], bool]
"""Asks another question in place of the one before, and says whether it shows the same."""


def _shorten(question: PlainObservation, ask: Ask) -> None:
    """Ask about a shorter text, or about fewer texts or ids."""
    match question:
        case Normalize(text) | PreTokenize(text):
            shortest(text, lambda text: ask(type(question)(text)))
        case Decode(ids):
            shortest(ids, lambda ids: ask(replace(question, ids=ids)))
        case DecodeStream(ids):
            kept = shortest(ids, lambda ids: ask(replace(question, ids=ids)))
            shortest(question.prompt, lambda prompt: ask(replace(question, ids=kept, prompt=prompt)))
        case Encode():
            _shorten_encode(question, ask)
        case EncodeBatch(inputs):
            _shorten_batch(inputs, ask)
        case Chat():
            shorten_chat(question, ask)


def _shorten_encode(question: Encode, ask: Callable[[Encode], bool]) -> None:
    if question.pair is not None and ask(replace(question, pair=None)):
        question = replace(question, pair=None)
    text = _shortest_side(question.text, lambda text: ask(replace(question, text=text)))
    if question.pair is not None:
        _shortest_side(question.pair, lambda pair: ask(replace(question, text=text, pair=pair)))


def _shorten_batch(inputs: tuple[Encode, ...], ask: Ask) -> None:
    """Ask about fewer inputs, then about less of each."""
    inputs = shortest(inputs, lambda inputs: ask(EncodeBatch(inputs)))
    for index in range(len(inputs)):
        kept = list(inputs)

        def ask_with(one: Encode, index: int = index, kept: list[Encode] = kept) -> bool:
            """Ask about the batch with ``one`` in a place of it, and keep that where it shows the same."""
            if not ask(EncodeBatch((*kept[:index], one, *kept[index + 1 :]))):
                return False
            kept[index] = one
            return True

        _shorten_encode(inputs[index], ask_with)
        inputs = tuple(kept)


def _shortest_side(side: Side, is_enough: Callable[[Side], bool]) -> Side:
    """Return less of a text, or fewer and shorter words."""
    if isinstance(side, str):
        return shortest(side, is_enough)
    words = shortest(side, is_enough)
    for index, word in enumerate(words):
        before, after = words[:index], words[index + 1 :]

        def is_enough_with(word: str, before: tuple[str, ...] = before, after: tuple[str, ...] = after) -> bool:
            return is_enough((*before, word, *after))

        words = (*before, shortest(word, is_enough_with), *after)
    return words


# Slots ---------------------------------------------------------------------------------------------------------------


def slots_of(question: Observation) -> list[Slot]:
    """Return the texts that ``question`` is about, words singly, or its ids.

    >>> slots_of(Encode(("a", "b"), ("c",)))
    ['a', 'b', 'c']
    """
    match question:
        case After(_, plain):
            return slots_of(plain)
        case Normalize(text) | PreTokenize(text):
            return [text]
        case Decode(ids) | DecodeStream(ids):
            return [ids]
        case EncodeBatch(inputs):
            return [slot for each in inputs for slot in slots_of(each)]
        case Chat():
            return []
        case Encode(text, pair):
            return [*_words_of(text), *(() if pair is None else _words_of(pair))]


def _words_of(side: Side) -> tuple[str, ...]:
    return (side,) if isinstance(side, str) else side


def _with_slot(question: Observation, number: int, slot: Slot) -> Observation:
    slots = slots_of(question)
    slots[number] = slot
    return _filled(question, iter(slots))


def _filled(question: Observation, slots: Iterator[Slot]) -> Observation:
    """Return ``question`` about ``slots``, of which it takes as many as it has."""
    match question:
        case After(changes, plain):
            filled = _filled(plain, slots)
            return filled if isinstance(filled, After) else After(changes, filled)
        case Normalize() | PreTokenize():
            return type(question)(str(next(slots)))
        case Decode() | DecodeStream():
            return replace(question, ids=tuple(map(int, next(slots))))
        case EncodeBatch(inputs):
            return EncodeBatch(tuple(_filled_encode(each, slots) for each in inputs))
        case Chat():
            return question
        case Encode():
            return _filled_encode(question, slots)


def _filled_encode(question: Encode, slots: Iterator[Slot]) -> Encode:
    text = _filled_side(question.text, slots)
    pair = None if question.pair is None else _filled_side(question.pair, slots)
    return Encode(text, pair, question.add_special_tokens)


def _filled_side(side: Side, slots: Iterator[Slot]) -> Side:
    return str(next(slots)) if isinstance(side, str) else tuple(str(next(slots)) for _ in side)


def _places(question: Observation) -> list[Place]:
    return [(number, index) for number, slot in enumerate(slots_of(question)) for index in range(len(slot))]


def _item_at(question: Observation, place: Place) -> str | int:
    return slots_of(question)[place[0]][place[1]]


def _with_item(question: Observation, places: Sequence[Place], item: str | int) -> Observation:
    """Return ``question`` with ``item`` at ``places``."""
    slots = _items(question)
    for number, index in places:
        slots[number][index] = item
    return _filled(question, map(_slot, slots, slots_of(question)))


def _without_item(question: Observation, place: Place) -> Observation:
    slots = _items(question)
    del slots[place[0]][place[1]]
    return _filled(question, map(_slot, slots, slots_of(question)))


def _items(question: Observation) -> list[list[str | int]]:
    return [[*slot] for slot in slots_of(question)]


def _slot(items: list[str | int], like: Slot) -> Slot:
    return "".join(map(str, items)) if isinstance(like, str) else tuple(map(int, items))
