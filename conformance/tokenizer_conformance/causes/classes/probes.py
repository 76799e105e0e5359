r"""Other questions, on which a hypothesis must not fail: what is true of one text only is no rule.

The texts have one example, and mostly several, of whatever tokenizers treat in a way of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Decode, DecodeStream, Encode, EncodeBatch, Normalize, PreTokenize, plain_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokenizer_adapters.contract import Observation

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
