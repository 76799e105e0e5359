r"""Other questions, on which a hypothesis must not fail: what is true of one text only is no rule.

The texts have one example, and mostly several, of whatever tokenizers treat in a way of their own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Decode, DecodeStream, Encode, EncodeBatch, Normalize, PreTokenize, plain_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

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
    "नमस्ते",
    "שלום",
    "\U0001f600\u0301 \U0001f469\u200d\U0001f4bb",
    "\u4eac",
    "12345 1,2",
    "٣ ½ Ⅷ",
    "snake_case-word",
    "«¿quoted?»",
    "“so” – … $5 + 6 = 11",
    "XMLHttpRequest",
    "``a'' b",
    "the the",
    "\u2581a \u2581",
    "z" * 120,
    "",
    " ",
    "  ",
)
"""The texts."""

MOST_TOKENS_TRIED = 6
"""How many added tokens are tried in texts."""

MOST_REMOVED = 6
"""How many single characters or ids are taken out of what was asked about."""

AROUND = ("a{}b", " {} ", "{}b", "a {}")
"""Where an added token is put."""


def probes(
    question: Observation, added_tokens: Sequence[str], ids_of: Callable[[str], tuple[int, ...]]
) -> Iterator[Observation]:
    """Yield questions of the kind of ``question``: about less, about more, and about other texts.

    ``added_tokens`` are the contents of added tokens, ``ids_of`` gives the baseline's ids of a text.
    """
    match plain_of(question):
        case Normalize(text) | PreTokenize(text) as plain:
            yield from (type(plain)(each) for each in _texts(text, added_tokens))
        case Encode(str(text)) as encode:
            yield from (replace(encode, text=each) for each in _texts(text, added_tokens))
        case Encode(tuple(words)) as encode:
            yield from (replace(encode, text=tuple(each.split(" "))) for each in _texts(" ".join(words), added_tokens))
        case EncodeBatch((Encode(str(text)) as first, *others)):
            yield from (EncodeBatch((replace(first, text=each), *others)) for each in _texts(text, added_tokens))
        case Decode(ids) | DecodeStream(ids) as decode:
            yield from (replace(decode, ids=each) for each in _id_lists(ids, added_tokens, ids_of))


def _texts(text: str, added_tokens: Sequence[str]) -> Iterator[str]:
    """Yield texts near ``text``, and others; each once, and never itself."""
    near = [text[:at] + text[at + 1 :] for at in range(min(len(text), MOST_REMOVED))]
    near += [f"a{text}", f"{text}a", f"a {text} b", text + text]
    tokens = [pattern.format(token) for token in added_tokens[:MOST_TOKENS_TRIED] for pattern in AROUND]
    yield from (each for each in dict.fromkeys([*near, *PROBES, *tokens]) if each != text)


def _id_lists(
    ids: tuple[int, ...], added_tokens: Sequence[str], ids_of: Callable[[str], tuple[int, ...]]
) -> Iterator[tuple[int, ...]]:
    near = [ids[:at] + ids[at + 1 :] for at in range(min(len(ids), MOST_REMOVED))]
    near += [ids + ids, ids[::-1]]
    others = [ids_of(text) for text in (*PROBES, *(AROUND[0].format(token) for token in added_tokens))]
    # An id taken out of the middle of a character leaves bytes that are no UTF-8.
    halves = [each[:-1] for each in others if len(each) > 1]
    yield from (each for each in dict.fromkeys([*near, *others, *halves]) if each and each != ids)
