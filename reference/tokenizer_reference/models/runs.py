r"""Runs: parts of a text that BPE merges one by one as it merges the whole.

A merge makes a token of the vocabulary. So none crosses a place where what stands on either side is never found side by
side in a token, and each side is merged as if it were alone. Of these places, two kinds are looked for:

- :func:`run_pattern`: those that part words, before U+2581, which stands for a space, around line feeds, and between
  letters or digits of ASCII and punctuation;
- :class:`Runs`: those within a word between characters that are spelled in bytes, as in scripts without spaces.

That holds where the characters that a token stands for spell it: no prefix or suffix is looked up with a character, no
two tokens share an id, and an unknown character becomes the tokens of its bytes, which are part of no other token.

>>> pattern = run_pattern([*(f"<0x{byte:02X}>" for byte in range(256)), *"\u2581ab", "\u2581a", "a\u2581"])
>>> pattern.findall("\u2581ab\u2581\u2581ba\u2581b\n\nc")
['▁ab', '▁▁ba▁b', '\n\n', 'c']
>>> runs = Runs({"Ã": 0, "¤": 1, "©": 2, "Ã¤": 3, "Ã¤Ã": 4}, lambda ids: None)
>>> runs.of("Ã¤Ã©Ã¤Ã©Ã©"), runs.ids["Ã©"]
(['Ã¤Ã©', 'Ã¤Ã©', 'Ã©'], (0, 2))
"""

from __future__ import annotations

import re
import string
from functools import cached_property
from itertools import accumulate, compress, pairwise
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

_SPACE: Final = "\u2581"

_BETWEEN: Final = "\ud800"
"""What no text has, and no token."""

_WORD: Final = "0-9A-Za-z"

_PUNCTUATION: Final = frozenset(string.punctuation)

_BEGIN: Final = "\xc2-\xf4"
"""Bytes that begin a character of several bytes, in GPT-2's byte alphabet."""

_PARTS: Final = re.compile(f"(?s).[^{_BEGIN}]*").findall

_TOKENS_OF_PARTS: Final = re.compile(f"[^{_BETWEEN}]+[{_BEGIN}][^{_BETWEEN}]*").findall

_FEWEST_PARTS: Final = 4
"""A word of fewer parts is merged as a whole: it is not worth asking the vocabulary."""

_LONGEST: Final = 100
"""How long a run may be, in characters, to be remembered."""

_MOST: Final = 100_000
"""How many runs are remembered; all are forgotten when full."""

V = TypeVar("V")


def run_pattern(vocabulary: Collection[str]) -> re.Pattern[str] | None:
    """Return the pattern of the runs of any text; ``None`` where unknown characters may merge with others.

    ``vocabulary`` are the tokens of a model with ``byte_fallback``, and without prefix and suffix.
    """
    tokens = _BETWEEN.join(vocabulary)
    if not _bytes_stand_alone(vocabulary, tokens):
        return None
    newline_joins = re.search(f"[^\n{_BETWEEN}]\n|\n[^\n{_BETWEEN}]", tokens)
    parting = _SPACE if newline_joins else f"{_SPACE}\n"
    joining = "".join(sorted(set(re.findall(f"[^{_SPACE}{_BETWEEN}](?={_SPACE})", tokens))))
    further = f"(?:(?<=[{re.escape(joining)}]){_SPACE}+[^{parting}]*)*" if joining else ""
    runs = f"{_SPACE}*[^{parting}]+{further}|{_SPACE}+|\n+"
    return re.compile(f"{_ascii_runs(tokens, parting, joining)}{runs}")


def _ascii_runs(tokens: str, parting: str, joining: str) -> str:
    """Return the pattern of words of ASCII, and of punctuation, that end where no token goes on; empty for none.

    Others go on to the next character of ``parting``; those that end in one of ``joining``, or before punctuation that
    some token has beside a letter or a digit, are among them.
    """
    beside = re.findall(f"(?<=[{_WORD}])[!-~]|[!-~](?=[{_WORD}])", tokens)
    free = re.escape("".join(sorted(_PUNCTUATION.difference(beside))))
    if not free or re.search(f"[{_WORD}{free}]", joining):
        return ""
    return f"{_SPACE}*[{_WORD}]++(?=[{free}{parting}]|\\Z)|{_SPACE}*[{free}]++(?=[{_WORD}{parting}]|\\Z)|"


def _bytes_stand_alone(vocabulary: Collection[str], tokens: str) -> bool:
    """Whether all unknown characters become the tokens of their bytes, and no other token has one of these in it."""
    names = [f"<0x{byte:02X}>" for byte in range(256)]
    missing = [byte for byte, name in enumerate(names) if name not in vocabulary]
    return all(byte < 0x80 and chr(byte) in vocabulary for byte in missing) and tokens.count("<0x") == 256 - len(
        missing
    )


class _Remembered(dict[str, V]):
    """What ``find`` gives for a run or a part of it, found when it is first asked for."""

    def __init__(self, find: Callable[[str], V]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, text: str) -> V:
        found = self._find(text)
        if len(text) <= _LONGEST:
            if len(self) >= _MOST:
                self.clear()
            self[text] = found
        return found


class Runs:
    """The runs of words, and the tokens of runs.

    A *part* of a word, or of a token, begins with a byte that begins a character, and has no other such byte. Two parts
    in a row are of one run if a token may have both, or what is nearest to the place between them: the three characters
    on either side decide. ``merge`` merges ids in place.
    """

    def __init__(self, vocabulary: Mapping[str, int], merge: Callable[[list[int]], None]) -> None:
        self._vocabulary = vocabulary
        self._merge = merge
        self._ends = _Remembered(lambda part: (part[-1:], part[-2:], part[-3:]))
        self._joining = _Remembered(self._ends_before)
        self.ids: Mapping[str, tuple[int, ...]] = _Remembered(self._merged)
        """The tokens of a run; raises :class:`KeyError` for an unknown character."""

    def of(self, word: str) -> list[str] | None:
        """Return the runs of ``word``, or ``None`` where it has few parts."""
        parts = _PARTS(word)
        if len(parts) < _FEWEST_PARTS:
            return None
        joining = map(self._joining.__getitem__, parts[1:])
        is_cut = map(frozenset.isdisjoint, joining, map(self._ends.__getitem__, parts))
        cuts = [0, *compress(accumulate(map(len, parts)), is_cut), len(word)]
        return [word[begin:end] for begin, end in pairwise(cuts)]

    def _merged(self, run: str) -> tuple[int, ...]:
        ids = list(map(self._vocabulary.__getitem__, run))
        self._merge(ids)
        return tuple(ids)

    def _ends_before(self, part: str) -> frozenset[str]:
        """Return what may stand before ``part`` in a token: the last characters of the part before it, up to three."""
        return frozenset().union(*(self._in_tokens.get(part[:length], ()) for length in (1, 2, 3)))

    @cached_property
    def _in_tokens(self) -> Mapping[str, set[str]]:
        """For the first characters of the parts of tokens, up to three, the last ones of the parts before."""
        pairs: dict[str, set[str]] = {}
        for token in _TOKENS_OF_PARTS(_BETWEEN.join(self._vocabulary)):
            for before, part in pairwise(_PARTS(token)):
                pairs.setdefault(part[:3], set()).add(before[-3:])
        return pairs
