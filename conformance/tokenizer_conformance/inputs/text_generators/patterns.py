"""Texts from the regexes of a tokenizer: their branches, how often they repeat, and the ends of their classes."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text_generators.code_points import NEWER, ends, has
from tokenizer_conformance.inputs.text_generators.document_parts import is_text, parts_of
from tokenizer_conformance.inputs.text_generators.enumerations import crossed, in_turns, packed
from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced
from tokenizer_conformance.inputs.text_generators.regexes import (
    Alternation,
    Characters,
    Literal,
    Node,
    Repeat,
    Sequence,
    UnknownRegexError,
    classes_of,
    literal,
    read_regex,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from collections.abc import Sequence as SequenceOf

    from tokenizer_conformance.inputs.text_generators.code_points import Ranges
    from tokenizer_conformance.inputs.text_generators.document_parts import Component, DocumentParts

LONGEST = 20_000
"""Characters; a longer pattern is no pattern that someone wrote."""

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
"""The pattern that the byte-level pre-tokenizer has built in."""

_PUNCTUATION = r"[\p{P}!-/:-@\[-`{-~]"

_IDEOGRAPHS = (
    r"[\x{4E00}-\x{9FFF}\x{3400}-\x{4DBF}\x{20000}-\x{2A6DF}\x{2A700}-\x{2B73F}\x{2B740}-\x{2B81F}\x{2B920}-\x{2CEAF}"
    r"\x{F900}-\x{FAFF}\x{2F800}-\x{2FA1F}]"
)

REGEXES: dict[str, str] = {
    "ByteLevel": GPT2,
    "Whitespace": r"\w+|[^\w\s]+",
    "WhitespaceSplit": r"\s+",
    "Digits": r"\p{Nd}+|\p{Nl}|\p{No}",
    "Punctuation": _PUNCTUATION,
    "BertPreTokenizer": rf"\s|{_PUNCTUATION}",
    "BertNormalizer": rf"{_IDEOGRAPHS}|[\t\n\r]|\p{{Zs}}|\p{{Cc}}|\p{{Cf}}|\x{{FFFD}}|\x00|\p{{Mn}}|\p{{Lu}}",
    "StripAccents": r"\p{Mn}|\p{Mc}|\p{Me}",
    "Lowercase": r"\p{Lu}|\p{Lt}|\p{Ll}Σ|İ",
    "Strip": r"\s+",
    "Nmt": (
        r"[\x01-\x08\x0B\x0E-\x1F\x7F\x8F\x9F]|"
        r"[\t\n\x0C\r\x{1680}\x{200B}-\x{200F}\x{2028}\x{2029}\x{2581}\x{FEFF}\x{FFFD}]"
    ),
    "NFC": r"\p{L}\p{Mn}+|[\x{1100}-\x{1112}][\x{1161}-\x{1175}][\x{11A8}-\x{11C2}]?",
    "NFD": r"\p{L}\p{Mn}+|[\x{AC00}-\x{D7A3}]",
    "NFKC": r"\p{L}\p{Mn}+|\p{No}|[\x{FB00}-\x{FB06}\x{FF01}-\x{FF9F}]",
    "NFKD": r"\p{L}\p{Mn}+|\p{No}|[\x{FB00}-\x{FB06}\x{FF01}-\x{FF9F}]",
    "UnicodeScripts": (
        r"\p{Han}|\p{Hiragana}|\p{Katakana}|ー|\p{Latin}|\p{Greek}|\p{Cyrillic}|\p{Arabic}|\p{Hebrew}|\p{Thai}|\p{Hangul}|"
        r"\p{Devanagari}|\p{Georgian}"
    ),
    "WordPiece": r" [.?!,]| ' | n't| do not| 'm| 's| 've| 're",
    "ByteFallback": r"<0x[0-9A-F]{2}>",
}
"""The regexes of components that have no pattern of their own, by type."""

_TEXTS: dict[str, tuple[str, ...]] = {
    "Replace": ("content",),
    "Prepend": ("prepend",),
    "Metaspace": ("replacement",),
    "CharDelimiterSplit": ("delimiter",),
    "Strip": ("content",),
    "CTC": ("pad_token", "word_delimiter_token"),
    "BPEDecoder": ("suffix",),
    "WordPiece": ("prefix",),
}
"""Members that are taken literally, by type."""


@lru_cache(maxsize=4)
def patterns_of(parts: DocumentParts) -> tuple[Node, ...]:
    """Return the patterns of the components of ``parts``, once each, those that are written in the file first."""
    written = (node for component in parts.components for node in _written(component))
    named = (node for component in parts.components for node in _named(component))
    return tuple(dict.fromkeys([*written, *named]))


def _written(component: Component) -> Iterator[Node]:
    pattern = component.members.get("pattern")
    if isinstance(pattern, str):
        # So old files write a literal pattern.
        pattern = {"String": pattern}
    for kind, text in pattern.items() if isinstance(pattern, dict) else ():
        if is_text(text) and text:
            yield _read(text) if kind == "Regex" else literal(text)


def _named(component: Component) -> Iterator[Node]:
    # Decoders undo what became of bytes and marks; they look at no regex.
    has_regex = component.stage in {"normalizer", "pre_tokenizer"} and component.members.get("use_regex") is not False
    is_of_decoder = component.stage == "decoder" and component.type in {"WordPiece", "ByteFallback"}
    if component.type in REGEXES and (has_regex or is_of_decoder):
        yield _read(REGEXES[component.type])
    for member in _TEXTS.get(component.type, ()):
        text = component.members.get(member)
        if is_text(text) and text:
            yield literal(text)


def _read(pattern: str) -> Node:
    try:
        return read_regex(pattern[:LONGEST])
    except (UnknownRegexError, RecursionError):
        # Its characters are at least some of those that matter to it.
        return literal(pattern[:LONGEST])


PROBES = "aZ1 é中.あ\n'½٣_-Ж😀가\t\u00a0\u0301ß★$\u200dα\u3000²अ\u0e17\r\x00ǅ"
"""Characters of many kinds, to stand for a class: letters, numbers, white space, marks, symbols."""

MOST_INSIDE = 6
MOST_OUTSIDE = 3

SMALL = 3
"""A class of up to so many ranges is one that someone wrote character by character, such as line ends and a slash."""

MOST_EXAMPLES = 400
"""How many texts a part of a pattern gives; they are combined, so that this bounds the whole."""

LONGEST_EXAMPLE = 2000

CHARACTERS_A_TEXT = 16

FROM_PROPERTIES = 10
"""A class of more ranges than this is made from properties, which have more characters with each version of Unicode."""

_PATTERN_CONTEXTS: tuple[Callable[[str], str], ...] = (
    lambda text: text,
    lambda text: f" {text}",
    lambda text: f"a{text}",
    lambda text: f"{text}a",
    lambda text: f"1{text}",
    lambda text: f"{text} ",
    lambda text: f"\n{text}",
    lambda text: f"{text}\n",
    lambda text: f"  {text}  a",
    lambda text: f".{text}1",
    lambda text: text + text,
    lambda text: f"{text} {text}",
)

_CLASS_CONTEXTS: tuple[Callable[[str], str], ...] = (
    lambda character: character,
    lambda character: f"a{character}b",
    lambda character: f" {character}",
    lambda character: f"1{character}1",
    lambda character: character * 3,
    lambda character: f"a {character} b",
    lambda character: f".{character}.",
    lambda character: f"{character} {character}",
    lambda character: f"'{character}",
    lambda character: f"A{character}\n",
)


def _branches(material: Material) -> Produced:
    patterns = patterns_of(parts_of(material.document))
    return in_turns(
        *(
            crossed(examples, _PATTERN_CONTEXTS, material.seed + place)
            for place, examples in enumerate(_examples_of(node) for node in patterns)
        )
    )


@lru_cache(maxsize=64)
def _examples_of(node: Node) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in examples(node) if len(text) <= LONGEST_EXAMPLE))


def examples(node: Node) -> list[str]:
    """Return texts that ``node`` matches, or nearly: the plainest first, then those that differ in one part of it."""
    match node:
        case Literal(character):
            return _of_character(character)
        case Characters(ranges):
            return _of_class(ranges)
        case Alternation(branches):
            texts = [text for branch in branches for text in examples(branch)]
        case Sequence(parts):
            texts = list(islice(dict.fromkeys(_one_at_a_time([examples(part) for part in parts])), MOST_EXAMPLES))
        case Repeat(part, least, most):
            texts = list(islice(dict.fromkeys(_repeated(examples(part), least, most)), MOST_EXAMPLES))
    return texts


def _of_character(character: str) -> list[str]:
    """Return ``character``, in the other case, what looks like it, and nothing."""
    looks_like = {"'": "’", " ": "\u00a0", "-": "–", '"': "”"}
    return list(dict.fromkeys([character, character.swapcase(), looks_like.get(character, character), ""]))


def _of_class(ranges: Ranges) -> list[str]:
    """Return characters that are in the class, then some that are not; of a small class all that it is made of."""
    inside = [probe for probe in PROBES if has(ranges, probe)]
    if not inside or len(ranges) <= SMALL:
        inside += [each for each in ends(ranges) if has(ranges, each) and each not in inside]
    outside = [probe for probe in PROBES if not has(ranges, probe)]
    return [*inside[:MOST_INSIDE], *outside[:MOST_OUTSIDE]]


def _one_at_a_time(rows: SequenceOf[list[str]]) -> Iterator[str]:
    """Yield the plainest of all ``rows``, then the plainest with one exchanged; then all exchanged together."""
    plain = [row[0] if row else "" for row in rows]
    yield "".join(plain)
    for depth in range(1, max(map(len, rows), default=0)):
        for place, row in enumerate(rows):
            if depth < len(row):
                yield "".join([*plain[:place], row[depth], *plain[place + 1 :]])
        yield "".join(row[depth % len(row)] for row in rows if row)


def _repeated(units: list[str], least: int, most: int | None) -> Iterator[str]:
    """Yield the plainest unit as often as is allowed, once less and once more, then other units and mixed ones."""
    plain = units[0] if units else ""
    some = max(least, 1)
    highest = [most - 1, most, most + 1] if most is not None else [least + 1, least + 2]
    yield _times(plain, some)
    for times in (least, least - 1, least + 1, *highest):
        if times >= 0:
            yield _times(plain, times)
    for unit in units[1:]:
        yield _times(unit, some)
        yield _times(plain, some) + unit
        yield unit + _times(plain, some)
    yield "".join(units[:some]) if some > 1 else "".join(units[:3])


def _times(unit: str, times: int) -> str:
    """Return ``unit`` as many times, as far as texts go: repeats of repeats grow beyond all memory."""
    return unit * min(times, LONGEST_EXAMPLE // max(1, len(unit)))


def _classes(material: Material) -> Produced:
    rows = class_ends(parts_of(material.document))
    sources = [
        source
        for place, row in enumerate(rows)
        for source in (
            packed(len(row), CHARACTERS_A_TEXT, _joined(row), material.seed + place),
            crossed(row, _CLASS_CONTEXTS, material.seed + place),
        )
    ]
    return in_turns(*sources)


def _joined(row: tuple[str, ...]) -> Callable[[SequenceOf[int]], str]:
    # A letter on one side and a space on the other: a character that is taken for another kind joins another piece.
    return lambda places: "".join(f"a{row[place]} " for place in places)


@lru_cache(maxsize=4)
def class_ends(parts: DocumentParts) -> tuple[tuple[str, ...], ...]:
    """Return the characters at the ends of the classes in the patterns of ``parts``, class by class, each only once."""
    seen: set[str] = set()
    rows: list[tuple[str, ...]] = []
    for characters in _ends_of_classes(patterns_of(parts)):
        row = tuple(each for each in dict.fromkeys(characters) if each not in seen)
        seen.update(row)
        rows += [row] if row else []
    return tuple(rows)


def _ends_of_classes(patterns: Iterable[Node]) -> Iterator[list[str]]:
    """Yield the ends of each class of ``patterns``; all single characters count as one class."""
    found = tuple(dict.fromkeys(ranges for node in patterns for ranges in classes_of(node)))
    yield [each for ranges in found if _is_single(ranges) for each in ends(ranges)]
    for ranges in sorted(found, key=len):
        if not _is_single(ranges):
            yield [*ends(ranges), *(NEWER if len(ranges) > FROM_PROPERTIES else ())]


def _is_single(ranges: Ranges) -> bool:
    return len(ranges) == 1 and ranges[0][0] == ranges[0][1]


PATTERN_GENERATORS = (
    Generator(
        "pattern-branches",
        "every branch of every regex, with and without a space before it, as often as it may repeat and around that",
        _branches,
    ),
    Generator(
        "pattern-classes",
        "the characters just inside and outside of the ends of every class of the regexes",
        _classes,
    ),
)
