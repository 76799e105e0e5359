"""Unigram: of all ways to cut a text into pieces, the one whose scores add up to most (Kudo 2018, SentencePiece)."""

from __future__ import annotations

import math
import random
from itertools import compress, pairwise
from operator import and_, not_
from typing import TYPE_CHECKING, Any, ClassVar, cast

from tokenizer_reference.arguments import boolean, is_text, items, number, optional, string, unsigned_64
from tokenizer_reference.errors import ModelError, OptionError, with_note
from tokenizer_reference.json_text.value import JsonValue
from tokenizer_reference.json_text.writer import write_json
from tokenizer_reference.models.base import MODEL, Model
from tokenizer_reference.models.lattice import Edge, Lattice
from tokenizer_reference.models.vocabulary import write_text
from tokenizer_reference.stage import Form
from tokenizer_reference.text.utf8 import byte_positions
from tokenizer_reference.values.tokenization import Tokenization

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Self

_UNKNOWN_PENALTY = 10.0
"""How much lower than the lowest score of the vocabulary an unknown character scores."""

_CACHE_CAPACITY = 10_000
"""The target's default."""

_NUMBERS = (float, int)

Trie = dict[str, Any]
"""The pieces as a tree: a character leads to the tree of what may follow it, "" to the score of the piece that ends
here.
"""


@MODEL.component(Form(("vocab", "unk_id"), checks_type=False))
class Unigram(Model):
    """The cut of the text into pieces with the highest sum of scores (log-probabilities).

    A character that is no piece by itself can be cut off as unknown, with the lowest score of the vocabulary less 10.
    Of cuts with equal sums, the one stays whose last piece begins first, and so on for what is before it. Unknown
    characters in a row are then joined, and looked up once more: a token, or the tokens of their bytes (each with the
    offsets of the whole run) if ``byte_fallback`` is on and the vocabulary has them all, or the unknown token. That
    token's value is the text, not the name of the unknown token.

    ``vocab`` lists pieces and scores; a piece's id is its place, and of equal pieces the last counts. ``unk_id`` is the
    place of the unknown token. Without ``vocab`` there is one piece, ``<unk>``. With ``alpha`` (not 0) a cut is drawn
    at random, of all or of the best ``nbest_size``; both can be set, and neither is written to a file.

    >>> model = Unigram([("<unk>", 0.0), ("a", -1.0), ("b", -1.0), ("ab", -1.5)], unk_id=0)
    >>> [(token.value, token.offsets) for token in model.tokenize("abxyb")]
    [('ab', (0, 2)), ('xy', (2, 4)), ('b', (4, 5))]

    Raises :class:`ValueError` for an ``unk_id`` without ``vocab``, :class:`OptionError` for one outside of it. The
    rules are as observed with tokenizers 0.23.3.
    """

    _OPTIONS: ClassVar = {"alpha": optional(number), "nbest_size": optional(unsigned_64)}

    def __init__(
        self,
        vocab: Sequence[tuple[str, float]] | None = None,
        unk_id: int | None = None,
        byte_fallback: bool | None = None,
        alpha: float | None = None,
        nbest_size: int | None = None,
    ) -> None:
        super().__init__()
        pieces = None if vocab is None else _checked_pieces(vocab)
        unk_id = optional(unsigned_64)("unk_id", unk_id)
        byte_fallback = bool(optional(boolean)("byte_fallback", byte_fallback))
        self.alpha = alpha
        self.nbest_size = nbest_size
        if pieces is None:
            if unk_id is not None:
                raise ValueError("`vocab` and `unk_id` must be both specified")
            pieces, unk_id, byte_fallback = [("<unk>", 0.0)], 0, False
        if unk_id is not None and unk_id >= len(pieces):
            raise OptionError(f"unk_id={unk_id}: the vocabulary has only {len(pieces)} pieces")
        self._pieces: list[tuple[str, float]] = pieces
        self._unk_id: int | None = unk_id
        self._byte_fallback = byte_fallback
        self._cache_capacity = _CACHE_CAPACITY
        self._ids = {piece: id_ for id_, (piece, _) in enumerate(self._pieces)}
        self._trie = _trie(self._pieces)
        self._unknown_score = min([math.inf, *(score for _, score in self._pieces)]) - _UNKNOWN_PENALTY
        self._random = random.Random()  # noqa: S311 - nothing secret depends on it

    def _resize_cache(self, capacity: int) -> None:
        """Turn the cache of words off (0) or on; its size changes nothing here."""
        self._cache_capacity = unsigned_64("capacity", capacity)
        self._clear_cache()

    def _shown(self) -> dict[str, Any]:
        # Scores that are not finite have no JSON.
        return {**self._to_json(), "vocab": self._pieces}

    @property
    def _cacheable(self) -> bool:
        return not self.alpha and self._cache_capacity > 0

    # The rule --------------------------------------------------------------------------------------------------------

    def _tokenize(self, text: str) -> Tokenization:
        cuts = self._random_cuts(text) if self.alpha else self._best_cuts(text)
        pieces = [text[start:end] for start, end in pairwise(cuts)]
        known = list(map(self._ids.get, pieces))
        if None in known or self._unk_id in known:
            cuts = self._with_unknown_joined(known, cuts)
            pieces = [text[start:end] for start, end in pairwise(cuts)]
            known = list(map(self._ids.get, pieces))
        if None not in known:
            return Tokenization.by_bounds(text, cast("list[int]", known), pieces, cuts)
        tokens = list(map(self._tokens_of, pieces))
        ids = [id_ for of_piece in tokens for id_, _ in of_piece]
        values = [value for of_piece in tokens for _, value in of_piece]
        if len(ids) == len(pieces):
            return Tokenization.by_bounds(text, ids, values, cuts)
        positions = byte_positions(text)
        of_pieces = zip(pairwise(cuts), tokens, strict=True)
        spans = [(positions[start], positions[end]) for (start, end), of_piece in of_pieces for _ in of_piece]
        return Tokenization(text, ids, values, spans)

    def _best_cuts(self, text: str) -> list[int]:
        """Return where (in code points) the best cut parts ``text``, its begin and end included.

        From left to right, each position hands on the best sum that leads to it, to the ends of all pieces that begin
        there, the shortest first; a sum replaces another only if it is greater.
        """
        size = len(text)
        trie, unknown_score = self._trie, self._unknown_score
        best = [-math.inf] * (size + 1)
        best[0] = 0.0
        begins = [-1] * (size + 1)
        for start, char in enumerate(text):
            here = best[start]
            end = start + 1
            node = trie.get(char)
            score = None if node is None else node.get("")
            total = (unknown_score if score is None else score) + here
            if total > best[end] or begins[end] < 0:
                if score is None and self._unk_id is None:
                    raise self._no_unknown_token(char)
                best[end] = total
                begins[end] = start
            while node and end < size:
                node = node.get(text[end])
                if node is None:
                    break
                end += 1
                score = node.get("")
                if score is not None:
                    total = score + here
                    if total > best[end] or begins[end] < 0:
                        best[end] = total
                        begins[end] = start
        cuts = [size]
        while cuts[-1] > 0:
            cuts.append(begins[cuts[-1]])
        return cuts[::-1]

    def _with_unknown_joined(self, ids: Sequence[int | None], cuts: list[int]) -> list[int]:
        """Return ``cuts`` without those between two unknown pieces.

        ``ids`` are those of the pieces. A piece with the unknown token's id is unknown, too.
        """
        unknown = [id_ is None or id_ == self._unk_id for id_ in ids]
        within = map(and_, unknown, unknown[1:])
        return [0, *compress(cuts[1:], map(not_, within)), cuts[-1]]

    def _tokens_of(self, piece: str) -> list[tuple[int, str]]:
        """Return the tokens, id and value, of a piece or a run of unknown characters."""
        id_ = self._ids.get(piece)
        if id_ is not None:
            return [(id_, piece)]
        if self._byte_fallback:
            names = [f"<0x{byte:02X}>" for byte in piece.encode()]
            if all(name in self._ids for name in names):
                return [(self._ids[name], name) for name in names]
        if self._unk_id is None:
            raise self._no_unknown_token(piece)
        return [(self._unk_id, piece)]

    def _no_unknown_token(self, piece: str) -> ModelError:
        return with_note(
            ModelError("Encountered an unknown token but `unk_id` is missing"),
            f"{piece!r} is not in the vocabulary, and the model has no unknown token",
        )

    # Sampling --------------------------------------------------------------------------------------------------------

    def _random_cuts(self, text: str) -> list[int]:
        """Return the positions of a cut that is drawn at random; see :class:`Lattice`."""
        lattice = self._lattice(text)
        alpha = self.alpha or 0.0
        if self.nbest_size:
            path = lattice.sample_best(self.nbest_size, alpha, self._random)
        else:
            path = lattice.sample(alpha, self._random)
        if path and self._unk_id is None:
            # The target asks for the unknown token's id before it looks whether there is anything unknown.
            raise self._no_unknown_token(text)
        return [0, *(edge.end for edge in path)]

    def _lattice(self, text: str) -> Lattice:
        lattice = Lattice(len(text))
        for start, char in enumerate(text):
            node = self._trie.get(char)
            if (node is None or "" not in node) and self._unk_id is not None:
                lattice.add(Edge(start, start + 1, self._unk_id, self._unknown_score))
            end = start
            while node is not None:
                end += 1
                if "" in node:
                    lattice.add(Edge(start, end, self._ids[text[start:end]], node[""]))
                node = node.get(text[end]) if end < len(text) else None
        return lattice

    # Vocabulary and files --------------------------------------------------------------------------------------------

    def _vocabulary(self) -> dict[str, int]:
        return self._ids

    def _vocabulary_size(self) -> int:
        return len(self._pieces)

    def _token_of(self, id: int) -> str | None:
        return self._pieces[id][0] if 0 <= id < len(self._pieces) else None

    def _to_json(self) -> dict[str, Any]:
        # JSON has no number for what is not finite.
        scored = [[piece, score if math.isfinite(score) else None] for piece, score in self._pieces]
        return {
            "type": "Unigram",
            "unk_id": self._unk_id,
            "vocab": scored,
            "byte_fallback": self._byte_fallback,
        }

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        """Read a model; ``unk_id`` may be missing or null, ``byte_fallback`` missing."""
        vocab = _scored_pieces(value["vocab"])
        unk_id = value.get("unk_id")
        place = None if unk_id.value is None else unk_id.unsigned()
        if place is not None and place >= len(vocab):
            raise unk_id.fail(f"there is no piece {place}: the vocabulary has {len(vocab)} pieces")
        return cls(vocab, place, value.get("byte_fallback", default=False).boolean())

    def _save(self, folder: str, prefix: str | None) -> list[str]:
        return [write_text(folder, prefix, "unigram.json", write_json(self._to_json(), pretty=True))]


def _checked_pieces(vocab: Any) -> list[tuple[str, float]]:
    """Return pieces and scores. Raises :class:`TypeError`, and :class:`ValueError` for a tuple of another length."""
    if type(vocab) is list and all(map(_is_sound, vocab)) and is_text("".join(piece for piece, _ in vocab)):
        return vocab.copy()
    pieces: list[tuple[str, float]] = []
    for at, item in enumerate(items("vocab", vocab)):
        if not isinstance(item, tuple):
            raise TypeError(f"vocab[{at}]: expected a tuple of a piece and its score, got {item!r}")
        piece, score = item
        pieces.append((string(f"vocab[{at}][0]", piece), number(f"vocab[{at}][1]", score)))
    return pieces


def _is_sound(item: Any) -> bool:
    return type(item) is tuple and len(item) == 2 and type(item[0]) is str and type(item[1]) is float


def _trie(scored: Iterable[tuple[str, float]]) -> Trie:
    root: Trie = {}
    for piece, score in scored:
        node = root
        for char in piece:
            following = node.get(char)
            if following is None:
                following = node[char] = {}
            node = following
        node[""] = score
    return root


def _scored_pieces(value: JsonValue) -> list[tuple[str, float]]:
    """Return the pieces and scores of an array of pairs. Raises :class:`TokenizerFileError`."""
    items = value.array()
    if not all(map(_is_scored_piece, items)):
        for item in value.items():
            if len(item.array()) != 2:
                raise item.fail("expected a piece and its score")
            piece, score = item.items()
            piece.string()
            score.number()
    return [(piece, score if type(score) is float else JsonValue(score).number()) for piece, score in items]


def _is_scored_piece(item: Any) -> bool:
    return isinstance(item, list) and len(item) == 2 and type(item[0]) is str and type(item[1]) in _NUMBERS
