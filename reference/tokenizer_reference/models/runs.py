r"""Runs: parts of a text that BPE merges one by one as it merges the whole.

A merge makes a token of the vocabulary. So none crosses a place where what stands on either side is never found side by
side in a token, and each side is merged as if it were alone. Of these places, two kinds are looked for:

- :func:`run_pattern`: those that part words, before U+2581, which stands for a space, around line feeds, and between
  letters or digits of ASCII and punctuation;
- :class:`ByteRuns`: those within a word before characters that are spelled in several bytes, as in scripts without
  spaces.

That holds where the characters that a token stands for spell it: no prefix or suffix is looked up with a character, no
two tokens share an id, and an unknown character becomes the tokens of its bytes, which are part of no other token.

>>> pattern = run_pattern([*(f"<0x{byte:02X}>" for byte in range(256)), *"\u2581ab", "\u2581a", "a\u2581"])
>>> pattern.findall("\u2581ab\u2581\u2581ba\u2581b\n\nc")
['▁ab', '▁▁ba▁b', '\n\n', 'c']
>>> ByteRuns(["Ã", "¤", "©", "Ã¤", "Ã¤Ã"]).of("äéäéé")
['äé', 'äé', 'é']
"""

from __future__ import annotations

import re
import string
from functools import cached_property
from itertools import chain, compress, count, pairwise
from typing import TYPE_CHECKING, Final

from tokenizer_reference.text.byte_level import BYTE_TO_CHAR
from tokenizer_reference.text.remembered import Remembered

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

_SPACE: Final = "\u2581"

_BETWEEN: Final = "\ud800"
"""What no text has, and no token."""

_WORD: Final = "0-9A-Za-z"

_PUNCTUATION: Final = frozenset(string.punctuation)

_BEGINS: Final = "".join(BYTE_TO_CHAR[0xC2:0xF5])
"""Bytes that begin a character of several bytes, in GPT-2's byte alphabet."""

_CONTINUES: Final = re.escape("".join(BYTE_TO_CHAR[0x80:0xC0]))
"""Bytes that continue it."""

_ALL_BYTES: Final = frozenset(BYTE_TO_CHAR)

_END: Final = re.compile(f"(?:[{_BEGINS}]?[{_CONTINUES}]+|.)\\Z", re.DOTALL).search
"""Finds what a text has of its last character."""

_FIRST: Final = (0,)


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


class ByteRuns:
    """The runs of words that are spelled in bytes, by GPT-2's byte alphabet, in which ``vocabulary`` is written.

    Two characters are of one run if a token has what is nearest to the place between them: what it has of the character
    before, up to three bytes, and of the one after, up to three. Before a character of ASCII no run ends.
    """

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._vocabulary = vocabulary
        self._ends = Remembered(_ends)
        self._joining = Remembered(self._ends_before)
        self._beginning = Remembered(self._ends_before_all)

    def of(self, word: str) -> list[str] | None:
        """Return the runs of ``word``, or ``None`` if it is one."""
        if word.isascii():
            return None
        joining = map(self._joining.__getitem__, word[1:])
        is_cut = map(frozenset.isdisjoint, joining, map(self._ends.__getitem__, word))
        cuts = chain(_FIRST, compress(count(1), is_cut), [len(word)])
        runs = [word[begin:end] for begin, end in pairwise(cuts)]
        return runs if len(runs) > 1 else None

    def _ends_before(self, char: str) -> frozenset[str]:
        """Return what a token may have before ``char``: the end of what it has of the character before."""
        if char.isascii():
            return _ALL_BYTES
        spelled = _spelled(char)
        before = self._beginning[spelled[0]]
        found = set().union(*(before.get(spelled[:length], ()) for length in (1, 2, 3)))
        return frozenset([end[0] for end in map(_END, found) if end])

    def _ends_before_all(self, first: str) -> Mapping[str, set[str]]:
        """Return, for what tokens have of characters whose first byte is ``first``, what stands before, up to three."""
        before: dict[str, set[str]] = {}
        tokens = self._tokens
        for match in re.finditer(f"{first}(?<!{_BETWEEN}{first})[{_CONTINUES}]{{0,2}}", tokens):
            at = match.start()
            before.setdefault(match[0], set()).add(tokens[at - 3 : at])
        return before

    @cached_property
    def _tokens(self) -> str:
        return _BETWEEN.join(["", "", "", *self._vocabulary])


def _spelled(text: str) -> str:
    return "".join([BYTE_TO_CHAR[byte] for byte in text.encode()])


def _ends(char: str) -> tuple[str, ...]:
    spelled = _spelled(char)
    return spelled[-1:], spelled[-2:], spelled[-3:]
