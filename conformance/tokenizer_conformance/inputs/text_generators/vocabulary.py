"""Texts from the entries of the vocabulary: each entry and each character where it can come out, and elsewhere."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text_generators.document_parts import count_in, parts_of
from tokenizer_conformance.inputs.text_generators.entries import Entries, entries_of
from tokenizer_conformance.inputs.text_generators.enumerations import (
    crossed,
    in_turns,
    listed,
    packed,
    permutation,
    produced,
)
from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced
from tokenizer_conformance.inputs.text_generators.merges import merged

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts
    from tokenizer_conformance.inputs.text_generators.entries import Entry

ENTRIES_A_TEXT = 48
CHARACTERS_A_TEXT = 48

LONG_WORD = 100_000
"""Words beyond this length are no limit that a text could try."""

_ENTRY_CONTEXTS: tuple[Callable[[Entry], str], ...] = (
    lambda entry: entry.text,
    lambda entry: f" {entry.text}",
    lambda entry: f"a{entry.text}b",
    lambda entry: entry.text + entry.text,
    lambda entry: entry.text.upper(),
    lambda entry: f"{entry.text}.",
    lambda entry: entry.text.swapcase().title(),
    lambda entry: f"1{entry.text}2",
    lambda entry: entry.token,
    lambda entry: f"({entry.text})",
    lambda entry: f"{entry.text}\u0301",
    lambda entry: f"x {entry.text}\n",
)

_BLANK_CONTEXTS: tuple[Callable[[str], str], ...] = (
    lambda blank: f"a{blank}b",
    lambda blank: f"a{blank}",
    lambda blank: f"{blank}a",
    lambda blank: blank,
)

_CHARACTER_CONTEXTS: tuple[Callable[[str], str], ...] = (
    lambda character: character,
    lambda character: f"a{character}b",
    lambda character: f" {character}",
    lambda character: character * 3,
    lambda character: f"a {character} b",
    lambda character: f"1{character}1",
    lambda character: f"{character}\u0301",
    lambda character: f"{character} ",
    lambda character: f".{character}.",
    lambda character: f"A{character}A",
)


def _packs(material: Material) -> Produced:
    entries = entries_of(parts_of(material.document))
    blank = [token for token in entries.tokens if _may_be_blank(token) and entries.entry(token).text.isspace()]
    among_blank = set(blank)
    visible = [token for token in entries.tokens if token not in among_blank]

    def joined(places: Sequence[int]) -> str:
        return entries.joined([entries.entry(visible[place]) for place in places])

    return in_turns(
        packed(len(visible), ENTRIES_A_TEXT, joined, material.seed),
        # White space beside white space would become another word.
        listed([context(entries.entry(token).text) for token in blank for context in _BLANK_CONTEXTS]),
    )


def _may_be_blank(token: str) -> bool:
    """Return whether the text of ``token`` may be white space; that of most cannot, by their last character."""
    return not token[-1].isascii() or token[-1].isspace()


def _entries(material: Material) -> Produced:
    entries = entries_of(parts_of(material.document))
    return crossed(entries, _ENTRY_CONTEXTS, material.seed)


def _characters(material: Material) -> Produced:
    alphabet = entries_of(parts_of(material.document)).alphabet

    def joined(places: Sequence[int]) -> str:
        return " ".join(alphabet[place] for place in places)

    return in_turns(
        packed(len(alphabet), CHARACTERS_A_TEXT, joined, material.seed),
        crossed(alphabet, _CHARACTER_CONTEXTS, material.seed),
    )


def _pairs(material: Material) -> Produced:
    entries = entries_of(parts_of(material.document))
    size = len(entries)
    at = permutation(size * size, material.seed)

    def text(number: int) -> str:
        first, second = divmod(at(number), size)
        return entries.placed(entries[first]) + entries[second].text

    return produced(size * size, text)


def _unreachable(material: Material) -> Produced:
    parts = parts_of(material.document)
    entries = entries_of(parts)
    tokens = unreachable(parts)
    contexts: tuple[Callable[[str], str], ...] = (
        lambda token: entries.placed(entries.entry(token)),
        lambda token: entries.entry(token).text,
        lambda token: f"a{entries.entry(token).text}",
        lambda token: f"{entries.entry(token).text}a",
        lambda token: token,
    )
    return crossed(tokens, contexts, material.seed)


@lru_cache(maxsize=4)
def unreachable(parts: DocumentParts) -> tuple[str, ...]:
    """Return entries of the model of ``parts`` that hardly come out where their own text stands, in order.

    That is told by what costs little: no merge makes it, or another merge takes a part of it away first; two pieces
    score as much as it does; its text does not stay as it is, or is cut, or is too long for a word. So some of these
    come out, and some that do not are missing.
    """
    entries = entries_of(parts)
    tests = [_changes(parts), _TESTS.get(parts.model_type, _never)(parts, entries)]
    return tuple(token for token in entries.tokens if any(test(token) for test in tests))


def _never(_parts: DocumentParts, _entries: Entries) -> Callable[[str], bool]:
    return lambda _token: False


_FORMS: dict[str, Callable[[str], str]] = {
    # The oldest version, since every Python has the same one; what came later is not told apart.
    "NFC": lambda text: unicodedata.ucd_3_2_0.normalize("NFC", text),
    "NFD": lambda text: unicodedata.ucd_3_2_0.normalize("NFD", text),
    "NFKC": lambda text: unicodedata.ucd_3_2_0.normalize("NFKC", text),
    "NFKD": lambda text: unicodedata.ucd_3_2_0.normalize("NFKD", text),
}


def _changes(parts: DocumentParts) -> Callable[[str], bool]:
    """Tell which entries the normalizer, as far as it can be told by its types, does not leave as they are."""
    bert = parts.of_type("BertNormalizer")
    lowers = bool(parts.of_type("Lowercase")) or any(each.members.get("lowercase") is True for each in bert)
    forms = [component.type for component in parts.of_type(*_FORMS)]
    if parts.of_type("StripAccents") or (lowers and bert):
        forms.append("NFD")
    if parts.of_type("Precompiled"):
        forms.append("NFKC")
    if parts.of_type("ByteLevel"):
        return lambda _token: False

    def changes(token: str) -> bool:
        if lowers and token != token.lower():
            return True
        return not token.isascii() and any(_FORMS[form](token) != token for form in forms)

    return changes


def _bpe(parts: DocumentParts, entries: Entries) -> Callable[[str], bool]:
    ranks = parts.ranks
    never = len(ranks)
    made = {left + right.removeprefix(entries.prefix) for left, right in ranks}
    parts_of_token = {left + right.removeprefix(entries.prefix): (left, right) for left, right in reversed(ranks)}

    def loses(token: str) -> bool:
        """Return whether no merge makes ``token``, or one across the seam of its parts comes before that of a part."""
        if token not in made and len(token.removeprefix(entries.prefix).removesuffix(entries.suffix)) > 1:
            return True
        left, right = parts_of_token.get(token, ("", ""))
        of_left, of_right = parts_of_token.get(left), parts_of_token.get(right)
        is_doubtful = (of_left and ranks.get((of_left[1], right), never) < ranks[of_left]) or (
            of_right and ranks.get((left, of_right[0]), never) < ranks[of_right]
        )
        return bool(is_doubtful) and len(merged(token, ranks, entries.prefix, entries.suffix)) > 1

    return loses


def _unigram(parts: DocumentParts, _entries: Entries) -> Callable[[str], bool]:
    scores = parts.scores

    def loses(token: str) -> bool:
        score = scores[token]
        for end in range(1, len(token)):
            first = scores.get(token[:end])
            # Most beginnings are no pieces: the ends of these are not looked up.
            if first is not None and first + scores.get(token[end:], -inf) >= score:
                return True
        return False

    return loses


def _wordpiece(parts: DocumentParts, entries: Entries) -> Callable[[str], bool]:
    longest = count_in(parts.model.get("max_input_chars_per_word"), LONG_WORD) or LONG_WORD
    isolates = bool(parts.of_type("BertNormalizer"))
    # Pre-tokenizers cut words at these characters; BERT's normalizer has ideographs stand alone.
    cut = {each for each in entries.alphabet if _is_cut(each) or (isolates and _is_ideograph(each))}

    def loses(token: str) -> bool:
        entry = entries.entry(token)
        is_alone = len(entry.text) == 1 and not entry.goes_on
        return len(entry.text) > longest or (not is_alone and not cut.isdisjoint(entry.text))

    return loses


def _is_cut(character: str) -> bool:
    return unicodedata.ucd_3_2_0.category(character)[0] in "PZ" or (character.isascii() and not character.isalnum())


def _is_ideograph(character: str) -> bool:
    return "\u3400" <= character <= "\u9fff" or "\uf900" <= character <= "\ufaff" or character >= "\U00020000"


_TESTS: dict[str, Callable[[DocumentParts, Entries], Callable[[str], bool]]] = {
    "BPE": _bpe,
    "Unigram": _unigram,
    "WordPiece": _wordpiece,
}

VOCABULARY_GENERATORS = (
    Generator(
        "vocabulary-packs",
        f"every entry where it can come out, {ENTRIES_A_TEXT} to a text: an entry that is missing or exchanged",
        _packs,
    ),
    Generator(
        "vocabulary-characters",
        "every character of the vocabulary, many to a text and each alone: a fault on one rare character",
        _characters,
    ),
    Generator(
        "vocabulary-entries",
        "every entry alone, after a space, inside a word, doubled, in capitals, as it stands in the file",
        _entries,
    ),
    Generator(
        "vocabulary-unreachable",
        "entries that their own text hardly comes to: an implementation that looks whole words up",
        _unreachable,
    ),
    Generator(
        "vocabulary-pairs",
        "two entries one after the other: tokens across the seam",
        _pairs,
    ),
)


CANDIDATES = (
    "\x01\x7f\x80\xa0¤¦ªµ¼ÆÐØÞðÿĀŁŋſƀǅǰɐʬ̀ͰΆϢЀҐԱאءڀܐߊ\u0800ऀঀ਀ઁଁஂఁഁංกກༀကႠᄀሀᎠ᐀ᚠᠠᴀḀἀ\u200b†ⁿ₠ℂ←∀⌂①─■☀✂⠿ⰀⲀⴰⵣ⺀ぁァㄅㄱ㍿㐀一鿿ꀀꓐꔀꙀꜣ"
    "ꟿꠀꦀꩀꬁꯀ가힣豈ﬀﭐﷺ️﹏！ｱ￼\ufffd\U00010000\U00010330\U00010400\U00012000\U00013000\U0001b000\U0001d11e\U0001d400"
    "\U0001f1eb\U0001f600\U0001f9e0\U00020000\U0002b820\U000e0041\U000f0000\U0010ffff"
)
"""Characters of one, two, three and four bytes, from one end of Unicode to the other."""


def _uncovered(material: Material) -> Produced:
    entries = entries_of(parts_of(material.document))
    covered = set(entries.alphabet)
    missing = [
        character for character in dict.fromkeys(CANDIDATES) if character not in covered and not character.isspace()
    ]
    known = _known(entries.tokens, entries.is_byte_level, entries.word_marks)
    return crossed(missing, _contexts(missing, known), material.seed)


def _known(tokens: tuple[str, ...], is_byte_level: bool, marks: tuple[str, ...]) -> str:
    """Return a short word of the vocabulary."""
    words = (token.lstrip("".join(marks) + "Ġ" if is_byte_level else "".join(marks)) for token in tokens)
    return next((word for word in words if len(word) > 2 and word.isascii() and word.isalpha()), "the")


def _contexts(missing: list[str], known: str) -> list[Callable[[str], str]]:
    others = {character: missing[(place + 1) % len(missing)] for place, character in enumerate(missing)}
    return [
        lambda each: each,
        lambda each: f"{known}{each}{known}",
        lambda each: each * 2,
        lambda each: f"{known} {each * 3} {known}",
        lambda each: each + others[each],
        lambda each: f"{known}{each}{others[each]}{known}",
        lambda each: f"{each} {each}",
        lambda each: each * 3 + known,
        lambda each: f"{known}{each} {others[each]}{known}",
        lambda each: f"{each}{known}{each}",
        lambda each: f"{each * 2}{others[each] * 2}{each}",
        lambda each: each * 17,
    ]


UNCOVERED_GENERATORS = (
    Generator(
        "uncovered-characters",
        "characters that no entry has, alone, in runs and between known words: unknown tokens, fused ones, bytes",
        _uncovered,
    ),
)
