"""The inputs that vectors are chosen from: built-in ones, what generators make of the file, and shapes of questions.

All are drawn from a seed, and in an order of their own, so that the same command gives the same file.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import NewToken
from tokenizer_conformance.inputs.builtin import builtin_categories
from tokenizer_conformance.inputs.text import lone_surrogate
from tokenizer_conformance.inputs.text_generators.generator import Material
from tokenizer_conformance.inputs.text_generators.table import GENERATORS
from tokenizer_conformance.validation.vectors.candidate import (
    AboutAdded,
    AboutBatch,
    AboutPair,
    AboutText,
    AboutTokens,
    AboutWords,
    Candidate,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Json = dict[str, Any]

# How many are drawn ---------------------------------------------------------------------------------------------------

OF_A_CATEGORY = 10
OF_A_GENERATOR = 30
PAIRS = 40
WORDS = 40
BATCHES = 20
TOKENS = 90
JOINED = 40
LONGEST = 1200
"""Texts of more code points are no candidates: a file of vectors is read by people, too."""

LONGEST_JOINED = 64
"""Short inputs of one category are joined to texts of up to so many code points, which show much at once."""

BETWEEN = (" ", "a", "")
"""What joined inputs stand apart by; each text of joined inputs has one of these."""

PLAIN: tuple[str, ...] = (
    "Hello, world!",
    "The quick brown fox jumps over the lazy dog.",
    "This is a test.",
    "How are you?",
    "I am fine, thank you.",
    "Tokenization is fun.",
    "Machine learning models process text.",
    "one two three",
    "Good morning",
    "The weather is nice today.",
    "She sells sea shells by the sea shore.",
    "To be, or not to be, that is the question.",
    "Python is a programming language.",
    "A",
    "hello",
    "It was the best of times.",
    "What is your name?",
    "New York City",
    "Please read the documentation before use.",
    "See you at 10 o'clock.",
)
"""Twenty harmless texts, as files of expected ids have them that are written by hand."""

SURROUNDINGS: tuple[tuple[str, str], ...] = (
    ("", ""),
    (" ", " "),
    ("a", "b"),
    ("a ", " b"),
    ("  ", "  "),
    ("\n", "\t"),
    ("\u00e9", "\u4e2d"),
    (".", ","),
    ("_", "1"),
    ("\u00a0", "\u3000"),
    ("<", ">"),
    ("A\u0301", "\u0301"),
    ("\u0130", "\ufb01"),
)
"""What stands before and after an added token."""

WORD_LISTS: tuple[tuple[str, ...], ...] = (
    ("Hello", "world"),
    ("", "a", ""),
    (" a", "b ", " ", "c d"),
    ("don't", "do", "n't"),
    ("\u00e9te\u0301", "\U0001f600", "\u4e2d\u6587"),
    ("ab\u0301", "\u0301c", "\u00a0x"),
    ("UPPER", "\u00dfharp", "\u0130stanbul"),
    ("1,000", "3.14", "..."),
    ("\ufb01ne", "\u2167", "\u00bd"),
    ("supercalifragilistic", "x" * 40),
)

SPACED: tuple[str, ...] = (
    "we do not , do n't .",
    "I 'm ? it 's ! they 've we 're ' a ' b",
    "do not he did n't do nothing",
    "a . b , c ? d !  . , ' s",
)
"""What clean-up of decoded texts joins, and what it must leave."""

ADDED: tuple[tuple[tuple[NewToken, ...], bool], ...] = (
    ((NewToken("<new>"),), False),
    ((NewToken("<new>"),), True),
    ((NewToken("<new>", lstrip=True),), False),
    ((NewToken("<new>", rstrip=True),), False),
    ((NewToken("<new>", lstrip=True, rstrip=True),), True),
    ((NewToken("new", single_word=True),), False),
    ((NewToken("New", normalized=False),), False),
    ((NewToken("New", normalized=True),), False),
    ((NewToken("ab"), NewToken("abc"), NewToken("bcd")), False),
    ((NewToken("\u00c9t\u00e9", normalized=True), NewToken("caf\u00e9", normalized=False)), False),
    ((NewToken("new", single_word=True, lstrip=True), NewToken("<x>", rstrip=True, single_word=True)), False),
)
"""Tokens that are added to a loaded tokenizer, as those do who train it further."""

ADDED_TEXTS: tuple[str, ...] = (
    "a<new>b <new> c  <new>  d",
    "<new>\n<new>",
    "new newer anew new, New NEW",
    "abcd abc ab bcd",
    "\u00c9T\u00c9 \u00e9t\u00e9 e\u0301te\u0301 caf\u00e9 CAFE\u0301",
    "new_ \u00e9new new\u0301 <x>y <x> y",
    "",
)

SAMPLES_FOR_GENERATORS = 24
"""How many real texts generators are given to change."""


# All ------------------------------------------------------------------------------------------------------------------


def candidates(document: Json, vocabulary: dict[str, int], seed: int) -> tuple[Candidate, ...]:
    """Return all inputs that vectors of the tokenizer of ``document`` may have, each once."""
    random = Random(f"vectors:{seed}")  # noqa: S311 - repeatable on purpose
    texts = [
        *(Candidate(AboutText(text), "what clean-up joins") for text in SPACED),
        *_builtin(random),
        *_around_added(document),
        *_generated(document, seed),
        *_joined_tokens(vocabulary, random),
    ]
    plain = [candidate.asks.text for candidate in texts if isinstance(candidate.asks, AboutText)]
    short = [text for text in plain if len(text) <= 60]
    found = [
        *texts,
        *_pairs(short, random),
        *_words(short, random),
        *_batches(short, random),
        *_tokens(document, vocabulary, random),
        *(Candidate(AboutAdded(added, special, ADDED_TEXTS), "tokens added later") for added, special in ADDED),
    ]
    once = {candidate.asks: candidate for candidate in reversed(found) if _is_askable(candidate)}
    return tuple(reversed(once.values()))


def plain_candidates() -> tuple[Candidate, ...]:
    """Return the twenty plain texts."""
    return tuple(Candidate(AboutText(text), "plain text") for text in PLAIN)


def _is_askable(candidate: Candidate) -> bool:
    return candidate.size <= LONGEST and all(lone_surrogate(text) is None for text in candidate.texts)


def _builtin(random: Random) -> Iterator[Candidate]:
    for category in builtin_categories():
        texts = [each.text for each in category.inputs]
        some = sorted(range(len(texts)), key=lambda number: (len(texts[number]), number))
        extremes = some[: OF_A_CATEGORY // 2]
        others = random.sample(some[len(extremes) :], min(OF_A_CATEGORY - len(extremes), len(some) - len(extremes)))
        for number in sorted((*extremes, *others)):
            yield Candidate(AboutText(texts[number]), category.inputs[number].id, category.note)
        for separator in BETWEEN:
            for text in _joined(texts, separator):
                yield Candidate(AboutText(text), f"several of {category.name}", category.note)


def _joined(texts: Sequence[str], separator: str) -> Iterator[str]:
    part: list[str] = []
    for text in texts:
        if len(text) > LONGEST_JOINED // 2 or not text:
            continue
        if sum(map(len, part)) + len(text) + len(separator) * len(part) > LONGEST_JOINED and part:
            yield separator.join(part)
            part = []
        part.append(text)
    if len(part) > 1:
        yield separator.join(part)


def _generated(document: Json, seed: int) -> Iterator[Candidate]:
    samples = tuple(each.inputs[0].text for each in builtin_categories()[:SAMPLES_FOR_GENERATORS])
    material = Material(document, samples, seed)
    for generator in GENERATORS:
        produced = generator.make(material)
        random = material.random(f"vectors:{generator.name}", 0)
        count = OF_A_GENERATOR * 4 if produced.count is None else produced.count
        for number in sorted(random.sample(range(count), min(OF_A_GENERATOR, count))):
            yield Candidate(AboutText(produced.text(number)), f"{generator.name} {number}", generator.note)


def added_contents(document: Json) -> list[str]:
    """Return the added tokens of ``document``: the first ones and the last ones."""
    contents = [str(token["content"]) for token in document.get("added_tokens") or ()]
    return list(dict.fromkeys([*contents[:3], *contents[-3:]]))


def _around_added(document: Json) -> Iterator[Candidate]:
    contents = added_contents(document)
    for content in contents:
        for before, after in SURROUNDINGS:
            yield Candidate(AboutText(f"{before}{content}{after}"), "an added token in a text")
        for text in (content[:-1], content[1:], content.lower(), content.upper(), content[:2] + " " + content[2:]):
            yield Candidate(AboutText(f"x{text}y"), "what is nearly an added token")
        for other in contents:
            yield Candidate(AboutText(f"{content}{other} {content} {other}"), "added tokens beside each other")


# From the vocabulary --------------------------------------------------------------------------------------------------


def _readable(token: str) -> str:
    """Return ``token`` as it may stand in a text, if it is made of plain letters."""
    return token.removeprefix("##").replace("\u0120", " ").replace("\u2581", " ")


def _joined_tokens(vocabulary: dict[str, int], random: Random) -> Iterator[Candidate]:
    tokens = [token for token in sorted(vocabulary, key=vocabulary.__getitem__) if len(token) > 1]
    for _ in range(JOINED if tokens else 0):
        first, second, third = (_readable(random.choice(tokens)) for _ in range(3))
        for text in (first + second, f"{first} {second}{third}", first + second + third + first):
            yield Candidate(AboutText(text), "tokens in a row")


def _tokens(document: Json, vocabulary: dict[str, int], random: Random) -> Iterator[Candidate]:
    ordered = sorted(vocabulary, key=vocabulary.__getitem__)
    if not ordered:
        return
    added = [content for content in added_contents(document) if content in vocabulary]
    beginning = [token for token in ordered if token[:1] in ("\u0120", "\u2581")] or ordered
    going_on = [token for token in ordered if token.startswith("##")] or ordered
    single = [token for token in ordered if len(token) == 1] or ordered
    marks = [
        token
        for token in (".", ",", "?", "!", "'", "n't", "'s", "'", "do", "##'", "\u0120.", "\u2581.")
        if token in vocabulary
    ] or ordered
    pools = (ordered, beginning, going_on, single, marks, added or ordered)
    for number in range(TOKENS):
        pool = pools[number % len(pools)]
        length = 2 + number % 7
        tokens = [random.choice(pool if step % 2 else ordered) for step in range(length)]
        if number % 3 == 0:
            tokens = [random.choice(pool) for _ in range(length)]
        yield Candidate(AboutTokens(tuple(tokens)), "tokens to decode")
    for content in added:
        yield Candidate(
            AboutTokens((content, beginning[0], content, content, going_on[-1])), "special tokens to decode"
        )
    yield Candidate(AboutTokens(()), "nothing to decode")


# Shapes ---------------------------------------------------------------------------------------------------------------


def _some(texts: Sequence[str], count: int, random: Random) -> list[str]:
    return random.sample(list(texts), min(count, len(texts)))


def _pairs(texts: Sequence[str], random: Random) -> Iterator[Candidate]:
    for text, pair in (("", ""), ("a", ""), ("", "b"), ("Hello there", "How are you?"), (" a ", " b ")):
        yield Candidate(AboutPair(text, pair), "a pair")
    for text, pair in zip(_some(texts, PAIRS, random), _some(texts, PAIRS, random), strict=True):
        yield Candidate(AboutPair(text, pair), "a pair")


def _words(texts: Sequence[str], random: Random) -> Iterator[Candidate]:
    for number, words in enumerate(WORD_LISTS):
        yield Candidate(AboutWords(words), "words")
        yield Candidate(AboutWords(words, WORD_LISTS[number - 1]), "words")
    for text in _some([text for text in texts if " " in text], WORDS, random):
        yield Candidate(AboutWords(tuple(text.split(" "))), "words")


def _batches(texts: Sequence[str], random: Random) -> Iterator[Candidate]:
    for _ in range(BATCHES):
        yield Candidate(AboutBatch((*_some(texts, 3, random), "")), "a batch")


def sized(chosen: Iterable[Candidate]) -> int:
    """Return how many code points ``chosen`` have together."""
    return sum(candidate.size for candidate in chosen)
