"""What BPE makes of the characters of a token alone, and what follows from that for every word.

**Lemma.** Let a word's symbols be merged as BPE does: again and again the pair of the lowest rank, of those the
leftmost, one occurrence at a time. If at some moment a token covers a range of the symbols, then no merge before that
moment has crossed an end of the range, for tokens only grow. So every merge before it lies wholly within the range or
wholly outside. Those within are, one after the other, the lowest rank and of those the leftmost *within the range*:
each was that in the whole word when its turn came, and what lies outside changes nothing within. Hence BPE on the
symbols of the range alone makes the same merges in the same order, and ends with that token.

Two consequences, for every word in every text:

- a token to which BPE on its own symbols does not come is never given;
- a merge that is not the last one of BPE on the symbols of its result is never applied: of all merges with one result,
  one at most is alive.

The lemma is about the symbols that a word starts as. What it needs, and where it is not applied otherwise
(:meth:`Merging.no_proof`):

- a token's symbols are known: with ``continuing_subword_prefix`` or ``end_of_word_suffix`` they depend on the place in
  the word, and all places are tried; every right part of a merge then has to have the prefix that is cut from it;
- the unknown token and byte tokens come of other characters than their own, so they must not be part of a merge;
- ranks decide: with ``dropout`` a merge that is due may be passed over, and all that is left of the lemma is that a
  token needs some way of merges that leads to it (:meth:`Merging.is_derivable`);
- ids are unique. Two pairs with one result have parts of the same length in all, so that a candidate of the target's
  heap that is out of date is never taken for another one.

``ignore_merges`` gives a word that is an entry without any merge: such a token can come of the word that it is, and of
that word alone. Caches of words keep what BPE has given, and change nothing.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import pairwise, product
from typing import TYPE_CHECKING

from tokenizer_conformance.research.file_audit.vocabulary.byte_alphabet import fallback_byte

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts, Merge


class Merging:
    """The merges of a BPE model: ``ranks`` of pairs, the entries they give, and the options of the model."""

    def __init__(self, parts: DocumentParts) -> None:
        model = parts.model
        self.ranks: Mapping[Merge, int] = parts.ranks
        self.tokens = frozenset(parts.tokens)
        self.prefix = parts.text_option("continuing_subword_prefix")
        self.suffix = parts.text_option("end_of_word_suffix")
        self.takes_whole_words = model.get("ignore_merges") is True
        self.has_dropout = bool(model.get("dropout"))
        self._unknown = parts.text_option("unk_token")
        self._has_fallback = model.get("byte_fallback") is True
        vocabulary = model.get("vocab")
        self._has_shared_ids = isinstance(vocabulary, dict) and len(set(map(str, vocabulary.values()))) < len(
            vocabulary
        )

    @cached_property
    def no_proof(self) -> str:
        """Why the lemma cannot be applied to this model; empty where it can."""
        if self._has_shared_ids:
            return "ids are not unique"
        merged = {part for pair in self.ranks for part in pair}
        if self._unknown and self._unknown in merged:
            return "the unknown token is part of a merge"
        if self._has_fallback and any(fallback_byte(part) is not None for part in merged):
            return "a byte token is part of a merge"
        if self.prefix and not all(right.startswith(self.prefix) for _, right in self.ranks):
            return "the right part of a merge lacks the prefix that is cut from it"
        return ""

    def result(self, pair: Merge) -> str:
        """Return the token that ``pair`` merges to."""
        left, right = pair
        return left + right[len(self.prefix) :]

    def symbols(self, token: str) -> Iterator[list[str]]:
        """Give the symbols that ``token`` can consist of, one for each kind of place in a word where it can stand."""
        for is_first, is_last in self._kinds:
            content = self._content(token, is_first=is_first, is_last=is_last)
            if content:
                symbols = [(self.prefix if index or not is_first else "") + each for index, each in enumerate(content)]
                symbols[-1] += self.suffix if is_last else ""
                yield symbols

    def contents(self, token: str) -> Iterator[str]:
        """Give the characters that ``token`` can stand for, one text for each kind of place in a word."""
        for is_first, is_last in self._kinds:
            content = self._content(token, is_first=is_first, is_last=is_last)
            if content:
                yield content

    @cached_property
    def _kinds(self) -> tuple[tuple[bool, bool], ...]:
        """The kinds of places in a word that make a difference: at its beginning or not, at its end or not."""
        firsts = (True, False) if self.prefix else (True,)
        lasts = (True, False) if self.suffix else (True,)
        return tuple(product(firsts, lasts))

    def _content(self, token: str, *, is_first: bool, is_last: bool) -> str:
        prefix, suffix = "" if is_first else self.prefix, self.suffix if is_last else ""
        fits = token.startswith(prefix) and token.endswith(suffix) and len(token) > len(prefix) + len(suffix)
        return token.removeprefix(prefix).removesuffix(suffix) if fits else ""

    def merged(self, symbols: Sequence[str]) -> tuple[list[str], list[Merge]]:
        """Return what ``symbols`` merge to, and the merges in the order in which they are applied."""
        tokens, applied = list(symbols), []
        ranks = [self.ranks.get(pair) for pair in pairwise(tokens)]
        while any(rank is not None for rank in ranks):
            at = min((rank, at) for at, rank in enumerate(ranks) if rank is not None)[1]
            pair = (tokens[at], tokens[at + 1])
            applied.append(pair)
            tokens[at : at + 2] = [self.result(pair)]
            del ranks[at]
            if at:
                ranks[at - 1] = self.ranks.get((tokens[at - 1], tokens[at]))
            if at < len(ranks):
                ranks[at] = self.ranks.get((tokens[at], tokens[at + 1]))
        return tokens, applied

    def last_merges(self, token: str) -> set[Merge | None]:
        """Return the last merge on each way on which BPE reaches ``token``: none for a symbol, no way for a dead one.

        A character that is no entry starts as something else, so there is no way through it.
        """
        found: set[Merge | None] = set()
        for symbols in self.symbols(token):
            if not self.tokens.issuperset(symbols):
                continue
            tokens, applied = self.merged(symbols)
            if tokens == [token]:
                found.add(applied[-1] if applied else None)
        return found

    def blocking(self, token: str) -> tuple[list[str], str]:
        """Return what the symbols of ``token`` merge to in its stead, and which symbol is no entry, if one is not."""
        for symbols in self.symbols(token):
            missing = next((symbol for symbol in symbols if symbol not in self.tokens), "")
            return ([] if missing else self.merged(symbols)[0]), missing
        return [], ""

    def is_derivable(self, token: str) -> bool:
        """Return whether any order of merges leads to ``token``."""
        return any(self._derives(symbols) for symbols in self.symbols(token))

    def _derives(self, symbols: Sequence[str]) -> bool:
        if not self.tokens.issuperset(symbols):
            return False
        size = len(symbols)
        ways: list[list[str | None]] = [[None] * (size + 1) for _ in range(size)]
        for index, symbol in enumerate(symbols):
            ways[index][index + 1] = symbol
        for width in range(2, size + 1):
            for begin in range(size - width + 1):
                end = begin + width
                for middle in range(begin + 1, end):
                    left, right = ways[begin][middle], ways[middle][end]
                    if left is not None and right is not None and (left, right) in self.ranks:
                        ways[begin][end] = self.result((left, right))
                        break
        return ways[0][size] is not None

    def dead(self) -> Iterator[tuple[Merge, list[Merge]]]:
        """Give the merges that no word ever applies, each with those that make its result in its stead.

        With ``dropout`` every order may come, and nothing is told.
        """
        if self.no_proof or self.has_dropout:
            return
        living: dict[str, set[Merge | None]] = {}
        for pair in self.ranks:
            result = self.result(pair)
            if result not in living:
                living[result] = self.last_merges(result)
            if pair not in living[result]:
                yield pair, [each for each in living[result] if each is not None]

    @cached_property
    def ways_to(self) -> Counter[str]:
        """How many merges give each token."""
        return Counter(map(self.result, self.ranks))
