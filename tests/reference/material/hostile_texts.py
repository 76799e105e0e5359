"""Random texts of characters that some component treats in a way of its own."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

CHARACTERS = (
    *"aabbcAZéÉxİßΣςΐǅдא",
    *"   \t\n\r\x0b\x85\u00a0\u1680\u2003\u2028\u3000",
    *"\x00\x01\x1c\x7f\x9f\xad\u200b\u200c\u200d\u200e\u2060\ufeff\ufffd\ue000\U000e0001",
    *".,!-_'\"$€×…«\u166d\u2e43\U000111c9",
    *"1²½Ⅷ①二０１\U00011de0\U00016ff4",
    *"\u0300\u0301\u0302\u0323\u0327\u0345\u0334\u0903\u0941\u094d\u20dd\u0e33\u0f73\u0344\u1abf\u1cf2\u1df9\u1734\u3099",
    *"ÅÅẛ\u0958\u2126ﬁﬗ㈱ﷺ㎏ﾊﾟ\u32ff",
    *"가각\u1100\u1161\u11a8京ひカーが中\U0002b820\U00031350क\u0937",
    *"\U0001f600\U0001f468\U0001f1eb\U0001f1f7\ufe0f\U0001f3fd\u0600\U000110bd",
    *"\u0378\u1c89\ua7cb\ua7dc\U00010400\U00016ea0\U0010ffff▁Ġ",
    "\r\n",
    "'s",
    "'LL",
    "e\u0301\u0323",
    "A\u030a",
    "か\u3099",
    "\U0001f469\u200d\U0001f680",
    "ab",
    "  ",
)

_LENGTHS = (0, 1, 2, 3, 5, 8, 14, 30)


def hostile_texts(seed: int, count: int) -> Iterator[str]:
    """Give ``count`` texts, the same for the same ``seed``: of all characters, of a few only, and of any code point."""
    source = random.Random(seed)
    for _ in range(count):
        pool = CHARACTERS if source.random() < 0.6 else source.choices(CHARACTERS, k=4)
        pieces = source.choices(pool, k=source.choice(_LENGTHS))
        yield "".join(_any_character(source) if source.random() < 0.05 else piece for piece in pieces)


def _any_character(source: random.Random) -> str:
    end = source.choice((0x300, 0x3000, 0xD800, 0x20000, 0x110000))
    code_point = source.randrange(end)
    return "\ufffd" if 0xD800 <= code_point < 0xE000 else chr(code_point)
