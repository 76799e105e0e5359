"""Texts of characters that the vocabulary lacks: unknown ones, runs of them, and their bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text_generators.document_parts import parts_of
from tokenizer_conformance.inputs.text_generators.entries import entries_of
from tokenizer_conformance.inputs.text_generators.enumerations import crossed
from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced

if TYPE_CHECKING:
    from collections.abc import Callable

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
