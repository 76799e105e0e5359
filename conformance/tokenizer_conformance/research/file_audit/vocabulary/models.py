"""What a model makes of the characters of an entry alone, a class a type; and what follows from that for every word."""

from __future__ import annotations

import math
from collections import Counter
from functools import cached_property
from itertools import pairwise, product
from typing import TYPE_CHECKING

from tokenizer_conformance.research.file_audit.vocabulary.byte_alphabet import fallback_byte

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts, Merge

MARGIN = 1e-6
UNKNOWN_PENALTY = 10.0
"""By how much an unknown character is worse than the worst piece (tokenizers 0.23.3)."""


class Segmentation:
    """The pieces of a Unigram model with their scores: which are beaten by another segmentation of themselves.

    **Lemma.** The model gives the segmentation of a word with the greatest sum of scores. If another segmentation of a
    piece's own characters has a greater sum than the piece's score, it could take the place of the piece in any word
    and make the sum greater: so the piece is never given. An unknown character is an edge of its own with a score that
    depends on the model alone, not on its neighbours.

    Sums are of 64-bit numbers and rounded: a lead must be greater than :data:`MARGIN` to be a proof, which rounding
    does not reach in any word with a sum below a thousand million. Where the lead is smaller or there is none, the
    target's tie rule decides (from left to right, a sum replaces another only where it is greater), which only a
    witness shows.
    """

    def __init__(self, parts: DocumentParts) -> None:
        vocabulary = parts.model.get("vocab")
        rows = vocabulary if isinstance(vocabulary, list) else []
        # Of pieces that are there twice the last one counts.
        self.scores = {row[0]: float(row[1]) for row in rows if row[0] in parts.scores}
        self._longest = max(map(len, self.scores), default=0)
        self._unknown = min(self.scores.values(), default=0.0) - UNKNOWN_PENALTY
        self.has_unknown = parts.model.get("unk_id") is not None
        self.is_sound = all(map(math.isfinite, self.scores.values()))

    def better(self, piece: str) -> tuple[tuple[str, ...], float] | None:
        """Return a segmentation of the characters of ``piece`` with a greater sum, and its lead; ``None`` without one.

        Leads up to :data:`MARGIN` are none.
        """
        if not self.is_sound:
            return None
        size = len(piece)
        best = [0.0] + [-math.inf] * size
        begins = [0] * (size + 1)
        for begin in range(size):
            for end in range(begin + 1, min(size, begin + self._longest) + 1):
                score = self.scores.get(piece[begin:end])
                if score is None:
                    if end > begin + 1 or not self.has_unknown:
                        continue
                    score = self._unknown
                if best[begin] + score > best[end]:
                    best[end], begins[end] = best[begin] + score, begin
        lead = best[size] - self.scores[piece]
        if not lead > MARGIN:
            return None
        cuts = [size]
        while cuts[-1]:
            cuts.append(begins[cuts[-1]])
        cuts.reverse()
        return tuple(piece[begin:end] for begin, end in pairwise(cuts)), lead


class LongestMatch:
    """The pieces of a WordPiece model: which of them are never the longest match at any place of any word.

    A piece without the prefix is the first of the word that it is itself: the longest match there, if the word is not
    too long. A piece with the prefix follows another one, *before* it in the word. It is never given if for each piece
    that could stand there a longer piece matches which takes the beginning of this one as well, for the longest match
    wins. After the longest piece of all nothing longer matches: so this comes about only where the longer pieces cannot
    stand before it, because the word would have too many characters or is cut before that.
    """

    def __init__(self, parts: DocumentParts) -> None:
        self.prefix = parts.text_option("continuing_subword_prefix")
        most = parts.model.get("max_input_chars_per_word")
        self.most_characters = most if isinstance(most, int) else 100
        self.first = frozenset(parts.tokens)
        self.continuing = frozenset(
            token.removeprefix(self.prefix) for token in parts.tokens if token.startswith(self.prefix)
        )
        self._longest = max(map(len, self.first), default=0)
        self._first_by_length = sorted(filter(None, self.first), key=lambda piece: (len(piece), piece))
        self._continuing_by_length = sorted(filter(None, self.continuing), key=lambda piece: (len(piece), piece))

    def content(self, token: str) -> str | None:
        """Return what ``token`` continues a word with, ``None`` where it does not continue words."""
        return token.removeprefix(self.prefix) if token.startswith(self.prefix) else None

    def before(self, content: str) -> Iterator[str]:
        """Give pieces that begin a word and after which ``content`` is the longest match, the shorter ones first."""
        return (piece for piece in self._first_by_length if not self._is_taken(piece, content, self.first))

    def after_continuing(self, content: str) -> Iterator[str]:
        """Give pieces that continue a word and after which ``content`` is the longest match, the shorter ones first."""
        return (piece for piece in self._continuing_by_length if not self._is_taken(piece, content, self.continuing))

    def words(self, content: str) -> Iterator[str]:
        """Give words, or ends of words, in which ``content`` is the longest match after one other piece.

        Every word that is not too long and gives ``content`` as a continuation has one of them in it.
        """
        room = self.most_characters - len(content)
        yield from (piece + content for piece in self.before(content) if len(piece) <= room)
        yield from (piece + content for piece in self.after_continuing(content) if len(piece) < room)

    def _is_taken(self, piece: str, content: str, pieces: frozenset[str]) -> bool:
        return any(
            piece + content[:end] in pieces for end in range(1, min(len(content), self._longest - len(piece)) + 1)
        )


class Merging:
    """The merges of a BPE model: what they make of the characters of a token alone, and what follows for every word.

    **Lemma.** Let a word's symbols be merged as BPE does: again and again the pair of the lowest rank, of those the
    leftmost, one occurrence at a time. If at some moment a token covers a range of the symbols, then no merge before
    that moment has crossed an end of the range, for tokens only grow. So every merge before it lies wholly within the
    range or wholly outside. Those within are, one after the other, the lowest rank and of those the leftmost *within
    the range*: each was that in the whole word when its turn came, and what lies outside changes nothing within. Hence
    BPE on the symbols of the range alone makes the same merges in the same order, and ends with that token.

    Two consequences, for every word in every text:

    - a token to which BPE on its own symbols does not come is never given;
    - a merge that is not the last one of BPE on the symbols of its result is never applied: of all merges with one
      result, one at most is alive.

    The lemma is about the symbols that a word starts as. What it needs, and where it is not applied otherwise
    (:meth:`Merging.no_proof`):

    - a token's symbols are known: with ``continuing_subword_prefix`` or ``end_of_word_suffix`` they depend on the place
      in the word, and all places are tried; every right part of a merge then has to have the prefix that is cut from
      it;
    - the unknown token and byte tokens come of other characters than their own, so they must not be part of a merge;
    - ranks decide: with ``dropout`` a merge that is due may be passed over, and all that is left of the lemma is that a
      token needs some way of merges that leads to it (:meth:`Merging.is_derivable`);
    - ids are unique. Two pairs with one result have parts of the same length in all, so that a candidate of the
      target's heap that is out of date is never taken for another one.

    ``ignore_merges`` gives a word that is an entry without any merge: such a token can come of the word that it is, and
    of that word alone. Caches of words keep what BPE has given, and change nothing.
    """

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
