"""Making a case smaller while what it shows stays.

A case is a tokenizer.json and a question about it. The reduction is greedy: it takes parts away, the largest first, and
keeps each step after which the case still shows the same; it ends when no step is left, or none of its budget.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from tokenizer_adapters.contract import (
    After,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Normalize,
    Observation,
    PlainObservation,
    PreTokenize,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]

MOST_CHECKS = 3000
"""How many smaller cases are tried."""

OPTIONAL_KEYS = ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")
"""Members of a tokenizer.json that can be null."""

SEQUENCE_KEYS = ("normalizers", "pretokenizers", "processors", "decoders")
"""Members that hold the parts of a sequence."""

MAPPINGS = frozenset({"vocab", "special_tokens"})
"""Members that are objects of entries, each of which can be left out."""

WHOLE_STRINGS = frozenset({"type", "precompiled_charsmap", "version"})
"""Members whose strings are of no use when cut."""

Path = tuple[str | int, ...]
"""The keys and indexes that lead to a part of a document."""

Words = tuple[str, ...]

Side = str | Words
"""One of the two texts of a question: a text, or words."""

S = TypeVar("S", str, list[Any], tuple[Any, ...])


@dataclass(frozen=True, slots=True)
class Case:
    """A tokenizer.json, and what is asked about it; ``None``: only to load it and show its vocabulary."""

    document: Json
    question: Observation | None


def shortest(sequence: S, is_enough: Callable[[S], bool]) -> S:
    """Return what is left of ``sequence`` when runs of its items are taken away, as long as ``is_enough`` says so.

    Runs of half the length are tried first, then shorter ones, down to single items.

    >>> shortest("a long text with an x in it", lambda text: "x" in text)
    'x'
    """
    size = len(sequence)
    while size:
        at = 0
        while at < len(sequence):
            candidate = sequence[:at] + sequence[at + size :]
            if is_enough(candidate):
                sequence = candidate
            else:
                at += size
        size //= 2
    return sequence


def reduced(case: Case, shows_the_same: Callable[[Case], bool], most_checks: int = MOST_CHECKS) -> Case:
    """Return ``case``, or a smaller one for which ``shows_the_same`` holds. Asks at most ``most_checks`` times."""
    reduction = _Reduction(case, shows_the_same, most_checks)
    while True:
        before = reduction.case
        reduction.drop_components()
        reduction.shorten_collections()
        reduction.shorten_question()
        reduction.simplify_options()
        if reduction.case == before:
            return before


def reduced_question(
    question: Observation, shows_the_same: Callable[[Observation], bool], most_checks: int
) -> Observation:
    """Return ``question``, or a shorter one for which ``shows_the_same`` holds. Asks at most ``most_checks`` times."""

    def case_shows_the_same(case: Case) -> bool:
        return case.question is not None and shows_the_same(case.question)

    reduction = _Reduction(Case({}, question), case_shows_the_same, most_checks)
    while True:
        before = reduction.case
        reduction.shorten_question()
        if reduction.case == before:
            return before.question or question


class _Reduction:
    """The smallest case so far."""

    def __init__(self, case: Case, shows_the_same: Callable[[Case], bool], checks_left: int) -> None:
        self.case = case
        self._shows_the_same = shows_the_same
        self._checks_left = checks_left

    def _keep(self, candidate: Case) -> bool:
        """Take ``candidate`` for the case where it shows the same, and say whether it does."""
        if self._checks_left <= 0 or candidate == self.case:
            return False
        self._checks_left -= 1
        if not self._shows_the_same(candidate):
            return False
        self.case = candidate
        return True

    def _put(self, path: Path, value: Any) -> bool:
        """Put ``value`` at ``path`` of the document, where the case then shows the same."""
        return self._keep(replace(self.case, document=_with(self.case.document, path, value)))

    def _put_entries(self, path: Path, entries: list[Any]) -> bool:
        return self._put(path, dict(entries))

    # The document

    def drop_components(self) -> None:
        """Do without components, or with one part of a sequence in place of the whole."""
        for key in OPTIONAL_KEYS:
            if self.case.document.get(key) is not None:
                self._put((key,), None)
        for key in OPTIONAL_KEYS:
            while any(self._put(path, part) for path, part in _parts(self.case.document.get(key), (key,))):
                pass

    def shorten_collections(self) -> None:
        """Do without entries of lists, and of objects that are lists of named entries."""
        for path in list(_paths(self.case.document)):
            value = _at(self.case.document, path)
            if isinstance(value, list):
                shortest(value, partial(self._put, path))
            elif isinstance(value, dict) and path and path[-1] in MAPPINGS:
                shortest(list(value.items()), partial(self._put_entries, path))

    def simplify_options(self) -> None:
        """Turn options off, and shorten strings."""
        for path in list(_paths(self.case.document)):
            value = _at(self.case.document, path)
            if value is True:
                self._put(path, False)
            elif isinstance(value, str) and path[-1] not in WHOLE_STRINGS:
                shortest(value, partial(self._put, path))

    # The question

    def _ask(self, question: Observation) -> bool:
        return self._keep(replace(self.case, question=question))

    def shorten_question(self) -> None:
        """Ask about a shorter text, or about fewer ids."""
        match self.case.question:
            case None:
                pass
            case After() as question:
                self._shorten_after(question)
            case plain:
                _shorten(plain, self._ask)

    def _shorten_after(self, question: After) -> None:
        """Ask after fewer changes, or none; then about less."""
        if not question.changes and self._ask(question.observation):
            return
        changes = shortest(question.changes, lambda changes: self._ask(replace(question, changes=changes)))
        _shorten(question.observation, lambda plain: self._ask(After(changes, plain)))


Ask = Callable[[PlainObservation], bool]
"""Asks another question in place of the one before, and says whether it shows the same."""


def _shorten(question: PlainObservation, ask: Ask) -> None:
    """Ask about a shorter text, or about fewer texts or ids."""
    match question:
        case Normalize(text) | PreTokenize(text):
            shortest(text, lambda text: ask(type(question)(text)))
        case Decode(ids) | DecodeStream(ids):
            shortest(ids, lambda ids: ask(replace(question, ids=ids)))
        case Encode():
            _shorten_encode(question, ask)
        case EncodeBatch(inputs):
            _shorten_batch(inputs, ask)


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

        def is_enough_with(word: str, before: Words = before, after: Words = after) -> bool:
            return is_enough((*before, word, *after))

        words = (*before, shortest(word, is_enough_with), *after)
    return words


# Parts of documents --------------------------------------------------------------------------------------------------


def _paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """Give the paths of ``value`` and of all its parts, the outer ones first."""
    yield path
    if isinstance(value, dict):
        for key, member in value.items():
            yield from _paths(member, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _paths(item, (*path, index))


def _parts(component: Any, path: Path) -> Iterator[tuple[Path, Json]]:
    """Give every part of the sequences in ``component``, with the path of the sequence it is in."""
    if not isinstance(component, dict):
        return
    for key in SEQUENCE_KEYS:
        for index, part in enumerate(component.get(key) or ()):
            yield path, part
            yield from _parts(part, (*path, key, index))


def _at(document: Any, path: Path) -> Any:
    """Return the part of ``document`` at ``path``, ``None`` where it is no longer there."""
    for key in path:
        try:
            document = document[key]
        except (KeyError, IndexError, TypeError):
            return None
    return document


def _with(document: Json, path: Path, value: Any) -> Json:
    """Return a copy of ``document`` with ``value`` at ``path``."""
    changed = copy.copy(document)
    at: Any = changed
    for key in path[:-1]:
        at[key] = copy.copy(at[key])
        at = at[key]
    at[path[-1]] = value
    return changed
