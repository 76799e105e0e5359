"""What is asked with other options than a run has: drawn questions about texts, and copies of a tokenizer.json.

A run asks the same of every text (:mod:`tokenizer_conformance.comparison.questions`). A search asks more, and draws it:
texts in pairs in both orders, cut into words anywhere, in batches, ids in any order; and it asks about the tokenizer
with truncation and padding that its file does not have. Drawing depends on nothing but the source of randomness and
what is given.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Decode, DecodeStream, Encode, Encoded
from tokenizer_conformance.comparison.questions import MOST_IDS, MOST_WORDS, about_batch, about_text, words_of
from tokenizer_conformance.inputs.random_tokenizers.documents import random_padding, random_truncation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.comparison.reduction import Json

    Ask = Callable[[Observation], Outcome]

LONGEST_PAIR = 24
"""The second text of a pair is cut here: what is truncated off both comes back in all combinations."""

RANDOM_IDS = 60
"""Ids to decode are drawn from these, the unknown ones among them, or from the vocabulary, or from all there can be."""

LARGEST_ID = 2**32 - 1

MOST_BATCHED = 4
"""How many inputs a batch has at most."""


# Drawn ---------------------------------------------------------------------------------------------------------------


def drawn_questions(
    text: str, other: str, known_ids: Sequence[int], baseline: Ask, rng: Random
) -> Iterator[Observation]:
    """Yield what is asked about ``text``: what a run asks; then in a pair, in a batch, as words, and ids at random."""
    yield from about_text(text, baseline=baseline)
    other = other[:LONGEST_PAIR]
    yield Encode(text, other, add_special_tokens=rng.random() < 0.7)
    yield from about_batch((Encode(text), Encode(other), Encode(other, text[:LONGEST_PAIR])), baseline)
    words, other_words = random_words(text, rng), random_words(other, rng)
    yield Encode(words, add_special_tokens=rng.random() < 0.5)
    yield Encode(words, other_words, add_special_tokens=rng.random() < 0.7)
    for skip_special_tokens in (True, False):
        yield Decode(random_ids(rng, known_ids), skip_special_tokens)


def random_words(text: str, rng: Random) -> tuple[str, ...]:
    """Return ``text`` as words: cut at its spaces, or anywhere, so that words hold spaces and may be empty."""
    if rng.random() < 0.5:
        return tuple(text.split(" ")) if text else ()
    cuts = sorted(rng.randint(0, len(text)) for _ in range(rng.randint(0, 4)))
    return tuple(text[start:end] for start, end in pairwise((0, *cuts, len(text))))


def random_ids(rng: Random, known_ids: Sequence[int]) -> tuple[int, ...]:
    """Return up to eight ids, of ``known_ids`` or of any."""
    count = rng.randint(0, 8)
    if known_ids and rng.random() < 0.5:
        return tuple(rng.choices(known_ids, k=count))
    largest = LARGEST_ID if rng.random() < 0.02 else RANDOM_IDS
    return tuple(rng.randint(0, largest) for _ in range(count))


# Varied --------------------------------------------------------------------------------------------------------------


def varied_questions(text: str, other: str, rng: Random, baseline: Ask) -> Iterator[Observation]:
    """Yield what a search asks about ``text`` beyond what ``about_text`` does, each question once.

    The groups of questions come in an order that is drawn, so that whoever takes the first few of each text gets others
    each time. ``baseline`` gives the baseline's answers: of what it does not encode there is no batch, and no ids.
    """
    groups = list(VARIATIONS)
    rng.shuffle(groups)
    asked: set[Observation] = set()
    for group in groups:
        for question in group(text, other[:LONGEST_PAIR], rng, baseline):
            if question not in asked:
                asked.add(question)
                yield question


def _pairs(text: str, other: str, rng: Random, _baseline: Ask) -> Iterator[Observation]:
    for first, second in ((text, other), (other, text)):
        yield Encode(first, second, add_special_tokens=False)
        yield Encode(first, second, add_special_tokens=True)
    odd = rng.choice(("", text[:LONGEST_PAIR], " "))
    first, second = rng.sample((text, odd), k=2)
    yield Encode(first, second, add_special_tokens=rng.random() < 0.7)


def _words(text: str, other: str, rng: Random, _baseline: Ask) -> Iterator[Observation]:
    words = tuple(word for part in random_words(text, rng) for word in (part, *rng.choice(((), (), ("",)))))
    for each in (words[:MOST_WORDS], words_of(text)[:MOST_WORDS]):
        for add_special_tokens in (False, True):
            yield Encode(each, add_special_tokens=add_special_tokens)
    sides = rng.sample((words[:MOST_WORDS], random_words(other, rng)), k=2)
    yield Encode(sides[0], sides[1], add_special_tokens=rng.random() < 0.7)


def _batches(text: str, other: str, rng: Random, baseline: Ask) -> Iterator[Observation]:
    """Yield a batch of texts and pairs, and one of words: inputs of a batch are padded to the longest of them."""
    add_special_tokens = rng.random() < 0.7
    texts = (text, other, "", text[: len(text) // 2], f"{other} {text}"[:MOST_IDS])
    drawn = [
        Encode(rng.choice(texts), rng.choice((None, None, other)), add_special_tokens)
        for _ in range(rng.randint(1, MOST_BATCHED - 1))
    ]
    drawn.insert(rng.randint(0, len(drawn)), Encode(text, None, add_special_tokens))
    yield from about_batch(tuple(drawn), baseline)
    words = [Encode(random_words(each, rng)[:MOST_WORDS], None, add_special_tokens) for each in (text, other)]
    yield from about_batch(tuple(words), baseline)


def _ids(text: str, other: str, rng: Random, baseline: Ask) -> Iterator[Observation]:
    """Yield ids to decode: the baseline's of the texts in other orders, cut, doubled, mixed, and any ids."""
    encoded, encoded_other = (baseline(Encode(each)) for each in (text, other))
    ids = encoded.ids[:MOST_IDS] if isinstance(encoded, Encoded) else ()
    known = (*ids, *(encoded_other.ids[:MOST_IDS] if isinstance(encoded_other, Encoded) else ()))
    start, end = sorted((rng.randint(0, len(ids)), rng.randint(0, len(ids))))
    orders = (
        ids[::-1],
        tuple(rng.sample(ids, k=len(ids))),
        ids[start:end],
        tuple(each for each in ids for _ in range(2)),
        tuple(rng.sample(known, k=min(len(known), rng.randint(1, 8)))),
        random_ids(rng, known),
    )
    for each in rng.sample(orders, k=3):
        skip_special_tokens = rng.random() < 0.5
        yield Decode(each, skip_special_tokens)
        yield Decode(each, not skip_special_tokens)
        yield DecodeStream(each[:MOST_IDS], skip_special_tokens)
        yield _in_steps(each[:MOST_IDS], skip_special_tokens)


def _in_steps(ids: tuple[int, ...], skip_special_tokens: bool) -> DecodeStream:
    """Return ``ids`` as a stream after a prompt, in steps of several; which ones depends on the ids alone."""
    own = Random(repr(ids))  # noqa: S311 - nothing secret
    before = own.randint(0, len(ids))
    return DecodeStream(ids[before:], skip_special_tokens, ids[:before], tuple(own.choices((1, 2, 3), k=4)))


VARIATIONS: tuple[Callable[[str, str, Random, Ask], Iterator[Observation]], ...] = (_pairs, _words, _batches, _ids)
"""What a search asks about a text and another one, by groups."""


# Documents -----------------------------------------------------------------------------------------------------------

TRUNCATIONS: tuple[tuple[int, int, str, str], ...] = (
    (0, 0, "Right", "LongestFirst"),
    (1, 0, "Right", "LongestFirst"),
    (2, 0, "Left", "LongestFirst"),
    (3, 0, "Right", "OnlyFirst"),
    (3, 0, "Right", "OnlySecond"),
    (4, 0, "Left", "LongestFirst"),
    (5, 0, "Right", "LongestFirst"),
    (8, 1, "Right", "LongestFirst"),
    (8, 1, "Left", "OnlyFirst"),
    (10, 2, "Right", "OnlySecond"),
    (12, 3, "Left", "LongestFirst"),
    (16, 5, "Right", "LongestFirst"),
    (16, 0, "Left", "OnlyFirst"),
)
"""Truncations by the lengths that matter: ``max_length``, ``stride``, ``direction``, ``strategy``. Special tokens count
as parts of the length, so the short ones leave no room for a text."""

MOST_SPECIAL = 4
"""How many special tokens published templates add to a pair at most."""

PADDINGS: tuple[tuple[Json | str, str, int | None], ...] = (
    ("BatchLongest", "Right", None),
    ("BatchLongest", "Left", None),
    ("BatchLongest", "Right", 8),
    ("BatchLongest", "Left", 0),
    ({"Fixed": 0}, "Right", None),
    ({"Fixed": 3}, "Right", None),
    ({"Fixed": 7}, "Left", None),
    ({"Fixed": 9}, "Right", 4),
    ({"Fixed": 32}, "Left", 7),
)
"""Paddings: ``strategy``, ``direction``, ``pad_to_multiple_of``."""

DRAWN_VARIANTS = 12
"""How many variants are drawn, after those of the tables."""


def document_variants(document: Json, rng: Random) -> Iterator[tuple[str, Json]]:
    """Yield copies of a tokenizer.json with another truncation or padding, or both, each with a name that says which.

    First those of :data:`TRUNCATIONS` and :data:`PADDINGS`, in an order that is drawn; then some that are drawn
    altogether, with ids that pad and tokens that are not in the vocabulary. A copy shares all other parts with
    ``document``: neither is to be changed.

    Strides that reach half of what special tokens leave are left out: ``tokenizers`` panics over a stride that is no
    less than the length left to a text (observed, 0.23.3), and there would be nothing to compare. Where the strategy
    cuts one text only, a long other one may still leave too little to it.
    """
    tables: list[tuple[Json | None, Json | None]] = [(None, None)]
    tables += ((_truncation(*row), None) for row in TRUNCATIONS)
    tables += ((None, _padding(document, *row)) for row in PADDINGS)
    rng.shuffle(tables)
    drawn = ((_drawn_truncation(rng), _drawn_padding(document, rng)) for _ in range(DRAWN_VARIANTS))
    given = (document.get("truncation"), document.get("padding"))
    for truncation, padding in (*tables, *drawn):
        if (truncation, padding) != given:
            yield _name(truncation, padding), {**document, "truncation": truncation, "padding": padding}


def numbered_variants(document: Json) -> tuple[Json, ...]:
    """Return the copies of ``document`` that :func:`document_variants` gives, always the same ones in one order."""
    rng = Random("truncation and padding")  # noqa: S311 - repeatable on purpose
    return tuple(variant for _, variant in document_variants(document, rng))


def _truncation(max_length: int, stride: int, direction: str, strategy: str) -> Json:
    return {"direction": direction, "max_length": max_length, "strategy": strategy, "stride": stride}


def _drawn_truncation(rng: Random) -> Json:
    """Return a random truncation; its stride is less than what is left to each text of a pair."""
    truncation = random_truncation(rng)
    room = (truncation["max_length"] - MOST_SPECIAL) // 2
    return truncation | {"stride": max(0, min(truncation["stride"], room - 1))}


def _padding(document: Json, strategy: Json | str, direction: str, multiple: int | None) -> Json:
    pad_id, pad_token = _pad_token(document)
    return {
        "strategy": strategy,
        "direction": direction,
        "pad_to_multiple_of": multiple,
        "pad_id": pad_id,
        "pad_type_id": 0,
        "pad_token": pad_token,
    }


def _drawn_padding(document: Json, rng: Random) -> Json:
    """Return a random padding, mostly with the token that pads in ``document``."""
    padding = random_padding(rng)
    if rng.random() < 0.7:
        padding["pad_id"], padding["pad_token"] = _pad_token(document)
    return padding


def _pad_token(document: Json) -> tuple[int, str]:
    """Return the id and the content of the token that pads: that of the file, else the added token that is named so."""
    given = document.get("padding")
    if given:
        return given.get("pad_id", 0), given.get("pad_token", "[PAD]")
    added: list[Any] = document.get("added_tokens") or []
    named = ((each["id"], each["content"]) for each in added if "pad" in each["content"].casefold())
    return next(named, (0, "[PAD]"))


def _name(truncation: Json | None, padding: Json | None) -> str:
    return f"{_truncation_name(truncation)}; {_padding_name(padding)}"


def _truncation_name(truncation: Json | None) -> str:
    if truncation is None:
        return "no truncation"
    length, stride = truncation["max_length"], truncation["stride"]
    return f"truncation to {length}, stride {stride}, {truncation['direction']}, {truncation['strategy']}"


def _padding_name(padding: Json | None) -> str:
    if padding is None:
        return "no padding"
    strategy, multiple = padding["strategy"], padding["pad_to_multiple_of"]
    length = "the longest" if strategy == "BatchLongest" else str(strategy["Fixed"])
    multiples = "" if multiple is None else f", multiples of {multiple}"
    token = f"{padding['pad_token']!a} ({padding['pad_id']}, type {padding['pad_type_id']})"
    return f"padding to {length}, {padding['direction']}{multiples}, with {token}"
