r"""Other questions, on which a hypothesis must not fail: what is true of one text only is no rule.

The texts have one example, and mostly several, of whatever tokenizers treat in a way of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, pairwise
from random import Random
from typing import TYPE_CHECKING, TypeVar

from tokenizer_adapters.contract import Decode, DecodeStream, Encode, EncodeBatch, Normalize, PreTokenize, plain_of
from tokenizer_adapters.variants.change import Property
from tokenizer_adapters.variants.unicode_versions import FAMILIES, changes_of
from tokenizer_conformance.inputs.text_generators.characters import NOT_ASSIGNED, category, representatives
from tokenizer_conformance.inputs.text_generators.unicode_ranges import blocks, recently_assigned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokenizer_adapters.contract import Observation, PlainObservation

T = TypeVar("T")

PROBES: tuple[str, ...] = (
    "Hello, world! It's 2 o'clock.",
    "we'll re-read",
    "one  two   three",
    " leading",
    "trailing ",
    "a\tb\nc\r\nd",
    "a\u00a0b\u3000c",
    "x\u2028y\u0085z",
    "d\x00e",
    "\x00f",
    "g\x07h\x7fi",
    "j\u200dk\u00adl",
    "\ufeffmark",
    "n\u0378o\uffffp",
    "Élan ÜBER İs",
    "o\u0308 n\u0303 A\u030a",
    "é ñ Å ű",
    "café",
    "\u2126 \ufb01 ² \uff21",
    "\u0301alone",
    "1\u20e3",
    "ΑΣ Σ ΟΔΟΣ.",
    "\u6f22\u5b57 \U00020000",
    "안녕",
    "\u1100\u1161\u11a8 \uac01",
    "a\u340fb\uf900c",
    "a \n b\n\nc",
    "नमस्ते",
    "שלום",
    "\U0001f600\u0301 \U0001f469\u200d\U0001f4bb",
    "\u4eac",
    "\u270c\ufe0f",
    "12345 1,2",
    "٣ ½ Ⅷ",
    "٣5 ½5 ².a",
    "Æther ØRE Þing ŁÓDŹ",
    "ЖЯ ΑΩ",
    "a\u0903 b\u20dd c\u1dc4 d\u0488",
    "snake_case-word",
    "«¿quoted?»",
    "“so” – … $5 + 6 = 11",
    "XMLHttpRequest",
    "``a'' b",
    "the the",
    "\u2581a \u2581",
    "z" * 120,
    " ".join(["one two three four five six seven eight nine ten"] * 5),
    "",
    " ",
    "  ",
)
"""The texts."""

MOST_TOKENS_TRIED = 6
"""How many added tokens are tried in texts."""

MOST_REMOVED = 6
"""How many single characters or ids are taken out of what was asked about."""

MOST_SPECIAL = 2
"""So many of the ids of a text may be of special tokens around it."""

MOST_PAIRS = 10
"""So many of the texts are also asked about with another second text."""

AROUND = ("a{}b", " {} ", "{}b", "a {}")
"""Where an added token is put."""


@dataclass(frozen=True, slots=True)
class Probes:
    """Questions of the kind of another one: ``near`` ones, about a little less or more, and ``others``."""

    near: tuple[Observation, ...]
    others: tuple[Observation, ...]


def probes(question: Observation, added_tokens: Sequence[str], ids_of: Callable[[str], tuple[int, ...]]) -> Probes:
    """Return questions of the kind of ``question``; that itself is not among them.

    ``added_tokens`` are the contents of added tokens, ``ids_of`` gives the baseline's ids of a text.
    """
    tokens = [pattern.format(token) for token in added_tokens[:MOST_TOKENS_TRIED] for pattern in AROUND]
    near, others = _kinds(question, [*PROBES, *tokens], ids_of)
    found = dict.fromkeys(each for each in near if each != question)
    return Probes(tuple(found), tuple(each for each in dict.fromkeys(others) if each not in found and each != question))


def _kinds(
    question: Observation, texts: Sequence[str], ids_of: Callable[[str], tuple[int, ...]]
) -> tuple[list[Observation], list[Observation]]:
    """Return the near and the other questions."""
    match plain_of(question):
        case Normalize(text) | PreTokenize(text) as plain:
            return [type(plain)(each) for each in _near(text)], [type(plain)(each) for each in texts]
        case Encode(str(text), pair) as encode:
            pairs = pairwise(texts[:MOST_PAIRS]) if isinstance(pair, str) else ()
            asked = [replace(encode, text=each) for each in texts]
            asked += [replace(encode, text=each, pair=other) for each, other in pairs]
            return [replace(encode, text=each) for each in _near(text)], [*asked]
        case Encode(tuple(words)) as encode:
            near = [words[:at] + words[at + 1 :] for at in range(min(len(words), MOST_REMOVED))]
            return (
                [replace(encode, text=each) for each in near if each],
                [replace(encode, text=tuple(each.split(" "))) for each in texts],
            )
        case EncodeBatch((Encode(str(text)) as first, *rest)):
            return (
                [EncodeBatch((replace(first, text=each), *rest)) for each in _near(text)],
                [EncodeBatch((replace(first, text=each), *rest)) for each in texts],
            )
        case Decode(ids) | DecodeStream(ids) as decode:
            near_ids = [ids[:at] + ids[at + 1 :] for at in range(min(len(ids), MOST_REMOVED))]
            others = [ids_of(each) for each in texts]
            word = next((each[1:2] for each in others if len(each) > MOST_SPECIAL), ())
            near_ids += [word + ids, ids + word, word + ids + word]
            # An id taken out of the middle of a character leaves bytes that are no UTF-8.
            others += [each[:-1] for each in others]
            return (
                [replace(decode, ids=each) for each in [*near_ids, ids + ids, ids[::-1]] if each],
                [replace(decode, ids=each) for each in others if each],
            )
    return [], []


def _near(text: str) -> list[str]:
    less = [text[:at] + text[at + 1 :] for at in range(min(len(text), MOST_REMOVED))]
    return [*less, f"a{text}", f"{text}a", f"a {text} b", text + text]


# Drawn ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Drawn:
    """A question about much that nobody had in mind, and ``singly`` one about each thing of it.

    ``is_like``: it has characters of the question that it was drawn for, and so may show the same more often than not.
    """

    together: Observation
    singly: tuple[Observation, ...]
    is_like: bool = False


AT_ONCE = 16
"""How many characters or ids are asked about together."""

OF_A_BLOCK = 1
TRIED = 8
"""How many characters of each block of Unicode are among them at most, of so many that are looked at."""

IDS_DRAWN = 320
IDS_MIXED = 48
FIRST_IDS = 8
ENTRIES_DRAWN = 160
TEXTS_DRAWN = 96
PARTS_OF_A_TEXT = 20
WINDOW = 3
"""How much is drawn, of how many parts a text is, and how many of these are asked about alone."""

PARTS = (
    *"aBe\u0301\u00c9\u0436\u03a3\u6f22\u3042\uac0001\u0663",
    *" \n\t\r\u00a0\u3000\u2028\u200b\u200d\u2581",
    *"'.-_#!\"(\u00bf\u201d\u3002$+\U0001f600\u2460\ufb01",
    "  ", "\n\n", "'s", "'VE", "n't", "the", "000", "12",
)  # fmt: skip
"""What texts are made of, beside the characters of the question and added tokens."""


@dataclass(frozen=True, slots=True)
class Material:
    """What of a tokenizer is drawn: some ids and the texts of some entries; and the contents of added tokens."""

    ids: tuple[int, ...]
    entries: tuple[str, ...]
    added_tokens: tuple[str, ...]


def drawn(question: Observation, material: Material) -> Iterator[Drawn]:
    """Give questions of the kind of ``question`` about drawn texts, or about drawn ids.

    Whoever writes controls for a rule thinks of what the rule is about. These are of all of Unicode, each character
    between letters, of what cuts texts into words, and of the whole vocabulary. They are always the same ones.
    """
    plain = plain_of(question)
    if isinstance(plain, Decode | DecodeStream):
        for part in _parts_of(material.ids):
            yield Drawn(replace(plain, ids=part), tuple(replace(plain, ids=(each,)) for each in part))
        for part in _mixed_ids(material.ids):
            yield Drawn(replace(plain, ids=part), (replace(plain, ids=part),))
    elif isinstance(plain, Normalize | PreTokenize | Encode) and isinstance(plain.text, str):
        parts = (*PARTS, *material.added_tokens)
        own = (plain.text * (len(parts) // max(1, len(plain.text))))[: len(parts)]
        texts = (*_mixed("", parts), *map(_words, _parts_of(drawn_characters())), *_entries(plain, material))
        for some, is_like in ((_mixed(plain.text, (*parts, *own)), True), (texts, False)):
            for together, singly in some:
                alone = tuple(replace(plain, text=each) for each in singly)
                yield Drawn(replace(plain, text=together), alone, is_like)


def spread(things: Sequence[T], most: int) -> tuple[T, ...]:
    """Return about ``most`` of all ``things``, spread evenly over them."""
    return tuple(things[:: max(1, len(things) // most)])


def _parts_of(things: Sequence[T]) -> Iterator[tuple[T, ...]]:
    return (tuple(things[start : start + AT_ONCE]) for start in range(0, len(things), AT_ONCE))


def _mixed_ids(ids: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Give short lists of ids, of which every other one is among the first, where special tokens have theirs."""
    random = Random(len(ids))  # noqa: S311 - the same lists each time
    for _ in range(IDS_MIXED if ids else 0):
        yield tuple(random.choice(random.choice((ids[:FIRST_IDS], ids))) for _ in range(random.randint(2, 6)))


def _words(characters: Sequence[str]) -> tuple[str, list[str]]:
    words = [f"a{each}a" for each in characters]
    return " ".join(words), words


def _entries(plain: PlainObservation, material: Material) -> Iterator[tuple[str, Sequence[str]]]:
    """Give entries of the vocabulary, each alone, where ids are asked for."""
    if isinstance(plain, Encode):
        yield from ((each, (each,)) for each in material.entries)


def _mixed(text: str, parts: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Give texts in which most of ``parts`` stand beside most others, the same ones for the same ``text``."""
    random = Random(text)  # noqa: S311 - the same texts each time
    for _ in range(TEXTS_DRAWN):
        chosen = random.choices(parts, k=PARTS_OF_A_TEXT)
        windows = ["".join(chosen[at : at + WINDOW]) for at in range(PARTS_OF_A_TEXT - WINDOW + 1)]
        yield "".join(chosen), windows


@cache
def drawn_characters() -> tuple[str, ...]:
    """Return the characters: a first of each kind, and some of each block.

    None is of a late version of Unicode, or was changed by one: implementations disagree about these for a reason of
    its own.
    """
    late = {chr(code) for codes in recently_assigned() for code in codes}
    random = Random(0)  # noqa: S311 - the same texts each time
    found = dict.fromkeys(representatives())
    for block in blocks():
        some = map(chr, random.sample(block, min(TRIED, len(block))))
        found |= dict.fromkeys(islice((each for each in some if category(each) not in NOT_ASSIGNED), OF_A_BLOCK))
    families = FAMILIES[Property.CATEGORY]
    changed = {each for each in found if any(len(changes_of(family, each)) > 1 for family in families)}
    return tuple(each for each in found if each not in late | changed)
