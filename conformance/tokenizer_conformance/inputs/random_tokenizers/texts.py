"""Random hostile texts: short, and drawn from characters that some component treats in a way of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

POOLS: dict[str, tuple[str, ...]] = {
    "letters": tuple("aabbccdeABCZ"),
    "words": ("ab", "abc", "hello", "Hello", "the", "don't", "I'LL", "do not", " n't", " 're", "we've", "x" * 12),
    "white space": (" ", " ", " ", "  ", "\t", "\n", "\r\n", "\r", "\xa0", "\u2009", "\u3000", "\u2028", "\x85", "\x0b", "\x0c"),
    "not white space": ("\x1c", "\u200b", "\ufeff", "\u180e", "\u2060", "\u200c", "\u200e", "\xad"),
    "control": ("\x00", "\x01", "\x07", "\x7f", "\x8f", "\x9f", "\u061c", "\u202e", "\ufffd", "\x1b["),
    "digits": (*"0127", "٣", "½", "²", "Ⅷ", "①", "１", "一", "〇", "\U00011de0", "\U0001d7d8"),
    "punctuation": (*".,!?'\"-_`$+<>[]()", "``", "''", "...", "、", "“", "—", "\u2e43", "€", "\u166d", "\u3000。"),
    "accents": ("é", "e\u0301", "Å", "ñ", "\u0301", "\u0323", "\u0308", "a\u0301\u0323", "\u0345", "\u20dd", "\u0903", "\u1734"),
    "compatibility": ("ﬁ", "\u00a0", "㍿", "\u32ff", "Ω", "\u2126", "\u212b", "㎏", "ª", "\u1e9b\u0323", "ﷺ", "①\u0301"),
    "case": ("İ", "ı", "ß", "ẞ", "Σ", "ς", "ǅ", "\u1c89", "Ä", "ſ", "\u212a"),
    "scripts": ("я", "Ж", "λ", "ا", "ש", "क", "्", "ष", "ท", "ั", "京", "都", "ひ", "カ", "ー", "が", "か\u3099", "𞤢"),
    "jamo": ("\u1112", "\u1161", "\u11ab", "한", "하", "\u11a8", "가", "\u3131"),
    "emoji": ("😀", "👍🏽", "👩\u200d👩", "\u200d", "\ufe0f", "🇫", "🇷", "1\ufe0f\u20e3", "🏴\U000e0067\U000e007f"),
    "marks of sub-words": ("##", "##a", "▁", "▁a", "Ġ", "Ġa", "</w>", "<0x41>", "<0x0A>", "<unk>", "[UNK]", "|", "<pad>", "[PAD]"),
    "rare": ("\u0378", "\ue000", "\uffff", "\U0010ffff", "\ud7ff", "\U00020000", "\U0002b820", "\U000e0041", "\u0897", "\ufdd0"),
}  # fmt: skip
"""Pieces of text by what is odd about them."""

PLANES = ((0x00, 0x7F), (0x80, 0x7FF), (0x800, 0xD7FF), (0xE000, 0xFFFF), (0x10000, 0x1FFFF), (0x20000, 0x10FFFF))
"""Ranges of code points that are equally likely in a text of any characters; surrogates are none."""

MAX_PIECES = 14

LONGEST_RUN = 130
"""How many characters a repeated piece has at most."""


def random_text(rng: Random, own: Sequence[str] = ()) -> str:
    """Return a text of up to fourteen pieces; it has pieces of ``own`` (vocabulary, added tokens) now and then."""
    draw_piece = _any_character if rng.random() < 0.05 else _piece_of_pools(rng, own)
    text = "".join(draw_piece(rng) for _ in range(rng.randint(0, MAX_PIECES)))
    # Now and then one piece many times over: run lengths are where quadratic steps and off-by-ones hide.
    if rng.random() < 0.05:
        piece = draw_piece(rng)
        text += piece * max(2, rng.randint(5, LONGEST_RUN) // max(1, len(piece)))
    return text


def _piece_of_pools(rng: Random, own: Sequence[str]) -> Callable[[Random], str]:
    """Return what draws pieces from a few pools, which are the same for a whole text."""
    names = rng.sample(sorted(POOLS), k=rng.randint(1, 3))
    pools = [POOLS["letters"], POOLS["white space"], *(POOLS[name] for name in names)]
    if own:
        pools += [tuple(own)] * 2
    return lambda rng: rng.choice(rng.choice(pools))


def _any_character(rng: Random) -> str:
    return chr(rng.randint(*rng.choice(PLANES)))
