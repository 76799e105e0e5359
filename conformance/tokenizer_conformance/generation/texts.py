"""Random hostile texts: short, and drawn from characters that some component treats in a way of its own."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

POOLS: dict[str, tuple[str, ...]] = {
    "letters": tuple("aabbccdeABCZ"),
    "words": ("ab", "abc", "hello", "Hello", "the", "don't", "I'LL", "do not", " n't", "x" * 12),
    "white space": (" ", " ", " ", "  ", "\t", "\n", "\r\n", "\xa0", "\u2009", "\u3000", "\u2028", "\x85", "\x0b"),
    "not white space": ("\x1c", "\u200b", "\ufeff", "\u180e", "\u2060"),
    "control": ("\x00", "\x07", "\x7f", "\x9f", "\u061c", "\u202e", "\ufffd"),
    "digits": tuple("0127") + ("٣", "½", "²", "Ⅷ", "①", "１", "一", "\U00011de0"),
    "punctuation": tuple(".,!?'\"-_`$+<>[]()") + ("``", "''", "...", "、", "“", "—", "\u2e43", "€"),
    "accents": ("é", "e\u0301", "Å", "ñ", "\u0301", "\u0323", "\u0308", "a\u0301\u0323", "\u0345", "\u20dd", "\u0903"),
    "compatibility": ("ﬁ", "\u00a0", "㍿", "\u32ff", "Ω", "\u2126", "\u212b", "㎏", "ª", "\u1e9b\u0323", "ﷺ"),
    "case": ("İ", "ı", "ß", "ẞ", "Σ", "ς", "ǅ", "\u1c89", "Ä"),
    "scripts": ("я", "Ж", "λ", "ا", "ש", "क", "्", "ष", "ท", "ั", "京", "都", "ひ", "カ", "ー", "が", "か\u3099"),
    "jamo": ("\u1112", "\u1161", "\u11ab", "한", "하", "\u11a8", "가"),
    "emoji": ("😀", "👍🏽", "👩\u200d👩", "\u200d", "\ufe0f", "🇫", "🇷", "1\ufe0f\u20e3"),
    "marks of sub-words": ("##", "##a", "▁", "▁a", "Ġ", "Ġa", "</w>", "<0x41>", "<0x0A>", "<unk>", "[UNK]", "|", "<pad>"),
    "rare": ("\u0378", "\ue000", "\uffff", "\U0010ffff", "\ud7ff", "\U00020000", "\U0002b820", "\U000e0041", "\u0897"),
}
"""Pieces of text by what is odd about them."""

MAX_PIECES = 14


def random_text(rng: Random, own: Sequence[str] = ()) -> str:
    """Return a text of up to fourteen pieces from one to four pools; ``own`` (vocabulary, added tokens) is one more pool."""
    names = rng.sample(sorted(POOLS), k=rng.randint(1, 3))
    pools = [POOLS["letters"], POOLS["white space"], *(POOLS[name] for name in names)]
    if own:
        pools += [tuple(own)] * 2
    text = "".join(rng.choice(rng.choice(pools)) for _ in range(rng.randint(0, MAX_PIECES)))
    # Now and then one piece many times over: run lengths are where quadratic steps and off-by-ones hide.
    if rng.random() < 0.05:
        text += rng.choice(rng.choice(pools)) * rng.randint(5, 60)
    return text
