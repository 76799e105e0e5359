"""Faults of what a model has learned: entries lost or renumbered, merges lost or exchanged, scores changed.

A vocabulary has tens of thousands of entries, so faults are drawn: of entries that the candidates use, since no other
one can be seen there.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.comparison.document_parts import pair_of
from tokenizer_conformance.validation.vectors.faults.fault import DocumentFault, FaultStage, Json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from random import Random

OF_A_KIND = 24
"""How many faults of each kind are drawn."""

NEARLY = 1e-4
MUCH = 5.0
"""By how much a score is changed: hardly, so that ties and close decisions turn, and so that it is another piece."""


def vocabulary_faults(document: Json, used: Sequence[str], random: Random) -> Iterator[DocumentFault]:
    """Yield faults of entries among the ``used`` tokens of the model of ``document``."""
    model = document["model"]
    if isinstance(model["vocab"], list):
        yield from _of_pieces(model["vocab"], used, random)
        return
    known = [token for token in used if token in model["vocab"]]
    yield from _of_entries(known, random)
    if model.get("merges"):
        yield from _of_merges(model["merges"], set(known), random)


def drawn(random: Random, entries: Sequence[Any], count: int = OF_A_KIND) -> list[Any]:
    """Return ``count`` of ``entries``, or all where these are fewer."""
    return random.sample(list(entries), min(count, len(entries)))


def _changed(key: str, made: Callable[[Any], Any]) -> Callable[[Json], None]:
    """Return the change of a member of the model into what is ``made`` of it."""

    def change(document: Json) -> None:
        document["model"][key] = made(document["model"][key])

    return change


def _exchanged(values: Sequence[Any], first: int, second: int) -> list[Any]:
    made = list(values)
    made[first], made[second] = made[second], made[first]
    return made


def _of_entries(known: Sequence[str], random: Random) -> Iterator[DocumentFault]:
    for token in drawn(random, [token for token in known if len(token) > 1]):
        yield DocumentFault(FaultStage.VOCABULARY, f"entry {token!r} is lost", partial(_lose, token), entries=(token,))
    for token in drawn(random, known):
        other = random.choice(list(known))
        yield DocumentFault(
            FaultStage.VOCABULARY,
            f"entries {token!r} and {other!r} have each other's ids",
            _changed("vocab", partial(_with_ids_exchanged, token, other)),
            entries=(token, other),
        )


def _lose(token: str, document: Json) -> None:
    model = document["model"]
    model["vocab"] = {key: value for key, value in model["vocab"].items() if key != token}
    if model.get("merges"):
        model["merges"] = [
            merge for merge in model["merges"] if token not in (*pair_of(merge), "".join(pair_of(merge)))
        ]


def _with_ids_exchanged(token: str, other: str, vocab: Json) -> Json:
    return {**vocab, token: vocab[other], other: vocab[token]}


def made_by(merges: Sequence[Any], *numbers: int) -> tuple[str, ...]:
    """Return what the merges of these ``numbers`` make.

    >>> made_by(["a b", ["c", "d"]], 0, 1)
    ('ab', 'cd')
    """
    return tuple("".join(pair_of(merges[number])) for number in numbers)


def _of_merges(merges: Sequence[Any], used: set[str], random: Random) -> Iterator[DocumentFault]:
    def fault(what: str, made: Callable[[Any], Any], *numbers: int) -> DocumentFault:
        return DocumentFault(FaultStage.VOCABULARY, what, _changed("merges", made), entries=made_by(merges, *numbers))

    numbers = [number for number, merge in enumerate(merges) if "".join(pair_of(merge)) in used]
    for number in drawn(random, numbers):
        yield fault(f"merge {merges[number]!r} is lost", partial(_without, number), number)
    for number, other in zip(drawn(random, numbers), drawn(random, numbers), strict=True):
        what = f"merges {merges[number]!r} and {merges[other]!r} have each other's rank"
        yield fault(what, partial(_exchanged, first=number, second=other), number, other)
    for number, other in _rivals(merges, numbers)[:OF_A_KIND]:
        what = f"merge {merges[number]!r} comes after {merges[other]!r}"
        yield fault(what, partial(_exchanged, first=number, second=other), number, other)
    reverse = _changed("merges", lambda given: given[::-1])
    yield DocumentFault(FaultStage.MODEL, "merges in the order of the ids of their results reversed", reverse)


def _without(number: int, merges: Sequence[Any]) -> list[Any]:
    return [*merges[:number], *merges[number + 1 :]]


def _rivals(merges: Sequence[Any], numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return pairs of merges near each other that want the same token: one ends and the other begins with it."""
    begins: dict[str, int] = {}
    found: list[tuple[int, int]] = []
    for number in numbers:
        left, right = pair_of(merges[number])
        if right in begins:
            found.append((begins[right], number))
        begins.setdefault(left, number)
    return found


def _of_pieces(vocab: Sequence[Any], used: Sequence[str], random: Random) -> Iterator[DocumentFault]:
    def fault(what: str, made: Callable[[Any], Any], *numbers: int) -> DocumentFault:
        entries = tuple(vocab[number][0] for number in numbers)
        return DocumentFault(FaultStage.VOCABULARY, what, _changed("vocab", made), entries=entries)

    places = {piece: number for number, (piece, _) in enumerate(vocab)}
    known = [places[token] for token in used if token in places]
    for by, words in ((NEARLY, "hardly more"), (-NEARLY, "hardly less"), (MUCH, "much more"), (-MUCH, "much less")):
        for number in drawn(random, known, OF_A_KIND // 2):
            piece, score = vocab[number]
            yield fault(f"the score of {piece!r} is {words}", partial(_with_entry, number, [piece, score + by]), number)
    for number in drawn(random, [number for number in known if len(vocab[number][0]) > 1]):
        piece, score = vocab[number]
        yield fault(f"piece {piece!r} is lost", partial(_with_entry, number, [LOST, score]), number)
    for number, other in zip(drawn(random, known), drawn(random, known), strict=True):
        what = f"pieces {vocab[number][0]!r} and {vocab[other][0]!r} have each other's id"
        yield fault(what, partial(_exchanged, first=number, second=other), number, other)
    for what, score_of in SCORES:
        yield DocumentFault(FaultStage.MODEL, what, _changed("vocab", partial(_scored, score_of)))


LOST = "\U0010fffd"
"""What a lost piece is called, so that no other one has another id: a character that no candidate has."""


def _with_entry(number: int, entry: list[Any], vocab: Sequence[Any]) -> list[Any]:
    return [*vocab[:number], entry, *vocab[number + 1 :]]


def _scored(score_of: Callable[[int, str, float], float], vocab: Sequence[Any]) -> list[Any]:
    return [[piece, score_of(number, piece, score)] for number, (piece, score) in enumerate(vocab)]


HAIR = 1e-9
"""Turns a decision only where two ways have equal scores."""

SCORES: tuple[tuple[str, Callable[[int, str, float], float]], ...] = (
    ("all scores are equal: the fewest pieces win", lambda *_: -1.0),
    ("scores are rounded to two decimals", lambda _number, _piece, score: round(score, 2)),
    ("scores are rounded to whole numbers", lambda _number, _piece, score: float(round(score))),
    ("scores are halved, and what an unknown character costs is not", lambda _number, _piece, score: score / 2),
    ("of equal ways the one with the longest piece wins", lambda _number, piece, score: score + HAIR * len(piece) ** 2),
    ("of equal ways the one with even pieces wins", lambda _number, piece, score: score - HAIR * len(piece) ** 2),
    ("of equal ways the one with later entries wins", lambda number, _piece, score: score + HAIR * number),
    ("of equal ways the one with earlier entries wins", lambda number, _piece, score: score - HAIR * number),
)
"""What becomes of all scores, from the number of a piece, the piece and its score."""
