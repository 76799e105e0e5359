"""UnigramTrainer: the pieces that a corpus is likely to be made of."""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from tokenizer_reference.arguments import ignore_unknown, number, optional, string, unsigned_32, unsigned_64
from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.models.unigram import Unigram
from tokenizer_reference.trainers.base import (
    NO_CHARACTERS,
    NO_TOKENS,
    Trainer,
    as_special_tokens,
    characters,
    first_characters,
    options,
    special_tokens_from_json,
    special_tokens_to_json,
    trains,
    words_from_json,
)
from tokenizer_reference.trainers.progress import report_of
from tokenizer_reference.trainers.unigram_learning import RESERVED, UnigramLearner, UnigramOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.trainers.progress import Report
    from tokenizer_reference.values.added_token import AddedToken

_SEED_SIZE: Final = 1_000_000

_MISSING_STEP: Final = 0.0001
"""How much higher than the one before it each required character scores that was dropped."""


@trains(Unigram)
class UnigramTrainer(Trainer):
    """Learns the pieces of a Unigram model and their scores; :mod:`.unigram_learning` has the rules.

    - ``vocab_size``: how many tokens there are in the end, special tokens included; there can be fewer.
    - ``special_tokens``: texts or added tokens with the first ids, and the score 0.
    - ``initial_alphabet``: characters that are pieces whether they occur or not; of longer texts the first one counts.
    - ``unk_token``: the unknown token; it gets the id 0 where it is none of the special tokens. Without one, the model
      has no unknown token, and cannot encode other characters than those of the corpus.
    - ``shrinking_factor``: which part of the pieces pruning keeps.
    - ``max_piece_length``: in characters.
    - ``n_sub_iterations``: how often expectation and maximization are done before pruning.
    - ``seed_size``: with how many pieces learning begins. The signature of the target hides this one.

    All characters of the corpus and the initial alphabet are pieces. Those that learning has dropped get the lowest
    score, and a little more each by code point (in the target, in a random order). Then come the other pieces in the
    order of learning until there are enough, and they are sorted by score. What floating point does to sums depends on
    the order of the words, here that in which they are first met (in the target, a random one): scores of the two are
    equal to 9 digits or so, and pieces with equal scores may change places.

    ``byte_fallback`` of the model is off after training (observed, tokenizers 0.23.3).

    >>> from tokenizer_reference import Tokenizer, models, pre_tokenizers
    >>> tokenizer = Tokenizer(models.Unigram())
    >>> tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    >>> trainer = UnigramTrainer(vocab_size=9, unk_token="<unk>", show_progress=False)
    >>> tokenizer.train_from_iterator(["hug pug hugs bun pun hug"], trainer)
    >>> list(tokenizer.get_vocab())
    ['<unk>', 'hug', 'n', 'u', 'b', 's', 'p', 'g', 'h']
    """

    _OPTIONS: ClassVar = {
        **options("show_progress", "special_tokens", "initial_alphabet"),
        "vocab_size": unsigned_32,
    }

    vocab_size: int

    def __init__(
        self,
        *,
        vocab_size: int = 8000,
        show_progress: bool = True,
        special_tokens: list[str | AddedToken] = NO_TOKENS,
        initial_alphabet: Sequence[str] = NO_CHARACTERS,
        shrinking_factor: float = 0.75,
        unk_token: str | None = None,
        max_piece_length: int = 16,
        n_sub_iterations: int = 2,
        **unknown: Any,
    ) -> None:
        self._seed_size = unsigned_64("seed_size", unknown.pop("seed_size", _SEED_SIZE))
        ignore_unknown(unknown, "kwargs")
        self.vocab_size = vocab_size
        self.show_progress = show_progress
        self._special_tokens = as_special_tokens("special_tokens", special_tokens)
        self._initial_alphabet = first_characters("initial_alphabet", initial_alphabet)
        self._shrinking_factor = number("shrinking_factor", shrinking_factor)
        self._unk_token: str | None = optional(string)("unk_token", unk_token)
        self._max_piece_length = unsigned_64("max_piece_length", max_piece_length)
        self._n_sub_iterations = unsigned_32("n_sub_iterations", n_sub_iterations)
        self._words = {}

    @property
    def initial_alphabet(self) -> list[str]:
        """The characters that are pieces though the corpus may not have them, by code point."""
        return self._initial_alphabet.copy()

    @initial_alphabet.setter
    def initial_alphabet(self, alphabet: list[str]) -> None:
        self._initial_alphabet = alphabet

    def _report(self) -> Report:
        return report_of("indicatif", is_shown=self.show_progress)

    def _learn(self, model: Unigram, report: Report) -> None:
        required = sorted({*chain.from_iterable(self._words), *self._initial_alphabet})
        if len(required) > self.vocab_size:
            raise TokenizerReferenceError(
                f"vocab_size={self.vocab_size} is too small: the corpus and the initial alphabet have {len(required)} "
                "characters, and each of them must be a token; take at least as many, or a smaller alphabet (ByteLevel)"
            )
        report("Find pieces", 0, None)
        learner = UnigramLearner(
            self._words,
            UnigramOptions(
                vocab_size=self.vocab_size,
                shrinking_factor=self._shrinking_factor,
                max_piece_length=self._max_piece_length,
                n_sub_iterations=self._n_sub_iterations,
                seed_size=self._seed_size,
            ),
        )
        learner.learn(report)
        pieces, unk_id = self._with_special_tokens(self._final_pieces(required, learner.pieces()))
        report("Learn pieces", len(pieces), len(pieces))
        # The options that are not trained go back to their defaults.
        model.__dict__.update(Unigram(pieces, unk_id).__dict__)

    def _adds_unknown(self) -> bool:
        return self._unk_token is not None and all(token.content != self._unk_token for token in self._special_tokens)

    def _final_pieces(self, required: list[str], learned: list[tuple[str, float]]) -> list[tuple[str, float]]:
        """Return the pieces of the vocabulary by falling score: all the ``required``, and the first of the others."""
        scores = dict(learned)
        lowest = min(scores.values(), default=math.inf)
        pieces: list[tuple[str, float]] = []
        missing = 0
        for char in required:
            if char in scores:
                pieces.append((char, scores[char]))
            else:
                pieces.append((char, lowest + missing * _MISSING_STEP))
                missing += 1
        room = self.vocab_size - len(self._special_tokens) - self._adds_unknown() - len(pieces)
        others = [(piece, score) for piece, score in learned if len(piece) > 1 and piece != RESERVED]
        # Where there is no room for any, the target takes all: it asks whether there are enough after each.
        pieces += others[:room] if room > 0 else others
        pieces.sort(key=lambda piece: piece[1], reverse=True)
        return pieces

    def _with_special_tokens(self, pieces: list[tuple[str, float]]) -> tuple[list[tuple[str, float]], int | None]:
        """Return the whole vocabulary, and the id of the unknown token, if there is one."""
        first = [token.content for token in self._special_tokens]
        if self._unk_token is not None and self._adds_unknown():
            first.insert(0, self._unk_token)
        unk_id = None if self._unk_token is None else first.index(self._unk_token)
        return [*((token, 0.0) for token in first), *pieces], unk_id

    # State -----------------------------------------------------------------------------------------------------------

    def _fields(self) -> dict[str, Any]:
        factor = self._shrinking_factor
        return {
            "show_progress": self.show_progress,
            "vocab_size": self.vocab_size,
            "n_sub_iterations": self._n_sub_iterations,
            "shrinking_factor": factor if math.isfinite(factor) else None,
            "special_tokens": special_tokens_to_json(self._special_tokens),
            "initial_alphabet": self._initial_alphabet,
            "unk_token": self._unk_token,
            "max_piece_length": self._max_piece_length,
            "seed_size": self._seed_size,
            "words": self._words,
        }

    def _shown(self) -> dict[str, Any]:
        # A factor that is not finite has no JSON.
        return {"UnigramTrainer": {**self._fields(), "shrinking_factor": self._shrinking_factor}}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        fields = value.struct(*cls()._fields())
        trainer = cls(
            show_progress=fields["show_progress"].boolean(),
            vocab_size=fields["vocab_size"].unsigned(),
            n_sub_iterations=fields["n_sub_iterations"].unsigned(),
            shrinking_factor=fields["shrinking_factor"].number(),
            unk_token=fields.get("unk_token").optional_string(),
            max_piece_length=fields["max_piece_length"].unsigned(),
            seed_size=fields["seed_size"].unsigned(),
        )
        trainer._special_tokens = special_tokens_from_json(fields["special_tokens"])
        trainer._initial_alphabet = characters(
            "initial_alphabet", [char.char() for char in fields["initial_alphabet"].items()]
        )
        trainer._words = words_from_json(fields["words"])
        return trainer
