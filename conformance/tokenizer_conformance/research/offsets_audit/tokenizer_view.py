"""A tokenizer as one implementation has it: its rules, its vocabulary, and what it answers, asked once each.

What becomes of a slice of a text is asked of the implementation's own normalizer. Where a tokenizer.json has none, a
text is its own normalization, and nobody has to be asked.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    Encode,
    Encoded,
    Normalize,
    Pieces,
    PreTokenize,
    Stage,
    Text,
    Unsupported,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.research.offsets_audit.tokenizer_rules import TokenizerRules

MOST_KEPT = 200_000
"""How many answers about slices are kept: words and pieces come again and again."""


class TokenizerView:
    """``asked``, an implementation with a tokenizer of which its file says ``rules``."""

    def __init__(self, asked: Asked, rules: TokenizerRules) -> None:
        self.asked = asked
        self.rules = rules
        self.unit = asked.info.offset_unit
        self.shows_normalizer = Stage.NORMALIZE in asked.shows
        self.shows_pieces = Stage.PRE_TOKENIZE in asked.shows
        self._tokens = _vocabulary(asked, rules)
        self._known = frozenset(token for tokens in self._tokens.values() for token in tokens)
        self._normalized: dict[str, str | None] = {}
        self._answers: dict[Observation, Outcome] = {}

    # The vocabulary

    def tokens_of(self, id: int) -> frozenset[str]:
        """Return the tokens that have this id."""
        return self._tokens.get(id, frozenset())

    def has_token(self, token: str) -> bool:
        """Return whether ``token`` is one of the vocabulary."""
        return token in self._known

    # Slices

    @property
    def can_normalize(self) -> bool:
        """Whether it is known what the normalizer makes of a text."""
        return not self.rules.has_normalizer or self.shows_normalizer

    def normalized(self, text: str) -> str | None:
        """Return what the normalizer makes of ``text``, ``None`` where that is not shown."""
        if not self.rules.has_normalizer:
            return text
        if text not in self._normalized:
            self._normalized[text] = _text(self.ask(Normalize(text))) if self.shows_normalizer else None
        return self._normalized[text]

    def normalize_ahead(self, texts: Iterable[str]) -> None:
        """Ask what becomes of ``texts``, all at once where that is faster."""
        if not self.rules.has_normalizer or not self.shows_normalizer:
            return
        if len(self._normalized) > MOST_KEPT:
            self._normalized.clear()
        wanted = [text for text in dict.fromkeys(texts) if text not in self._normalized]
        self.asked.ask_ahead(map(Normalize, wanted))
        for text in wanted:
            self._normalized[text] = _text(self.asked.ask(Normalize(text)))

    def removed_at_beginning(self, text: str) -> int:
        """Return how many characters at the beginning of ``text`` the normalizer makes nothing of, each alone."""
        return next((at for at, character in enumerate(text) if self.normalized(character) != ""), 0)

    def is_one_by_one(self, *parts: str) -> bool:
        """Return whether the normalizer makes of the joined ``parts`` what it makes of each, white space aside.

        What is normalized together with its neighbours (a composed letter, a replaced sequence) is not.
        """
        whole = self.normalized("".join(parts))
        alone = [self.normalized(part) for part in parts]
        if whole is None or None in alone:
            return True
        return self._without_spaces(whole) == "".join(self._without_spaces(each or "") for each in alone)

    def _without_spaces(self, text: str) -> str:
        return "".join(self.rules.spaced(text).split())

    # Questions

    def ask(self, question: Observation) -> Outcome:
        """Return the answer to ``question``; what was asked before is not asked again."""
        if len(self._answers) > MOST_KEPT:
            self._answers.clear()
        if question not in self._answers:
            self._answers[question] = self.asked.ask(question)
        return self._answers[question]

    def ids(self, text: str) -> tuple[int, ...] | None:
        """Return the ids of ``text`` without special tokens, ``None`` where it does not encode it."""
        outcome = self.ask(Encode(text, add_special_tokens=False))
        return outcome.ids if isinstance(outcome, Encoded) else None

    def pieces(self, text: str) -> Pieces | None:
        """Return the pieces into which the pre-tokenizer cuts ``text`` as it stands, ``None`` where it shows none."""
        if not self.shows_pieces:
            return None
        outcome = self.ask(PreTokenize(text))
        return outcome if isinstance(outcome, Pieces) else None

    def is_removed(self, character: str) -> bool:
        """Return whether the tokenizer makes nothing of ``character``: no token, and nothing that a model would see.

        A space that was put before it, and has an empty span, is none of its own. Where normalizer and pre-tokenizer
        are shown, what a model is given has to become a token, unless the model has no unknown token to give.
        """
        if self.ids(character) != () and not self._is_prefix_alone(character):
            return False
        normalized = self.normalized(character)
        if normalized is None:
            return True
        if not normalized.strip():
            return True
        pieces = self.pieces(normalized)
        return pieces is None or not pieces.pieces or self.rules.unknown_id is None

    def _is_prefix_alone(self, character: str) -> bool:
        """Say whether nothing comes of ``character`` but spaces with empty spans, and spaces are put before texts."""
        outcome = self.ask(Encode(character, add_special_tokens=False))
        if not self.rules.adds_prefix or not isinstance(outcome, Encoded) or outcome.offsets is None:
            return False
        contents = [[self.rules.contents(token) for token in self.tokens_of(id)] for id in outcome.ids]
        return all(start == end for start, end in outcome.offsets) and all(
            any(not content.strip() for content in forms) for tokens in contents for forms in tokens
        )

    def forget(self) -> None:
        """Let go of answers about whole texts: another batch begins. What slices become is kept."""
        self._answers.clear()
        self.asked.forget()


def _text(outcome: Outcome) -> str | None:
    return outcome.text if isinstance(outcome, Text) else None


def _vocabulary(asked: Asked, rules: TokenizerRules) -> Mapping[int, frozenset[str]]:
    """Return the vocabulary of the file, with what the implementation has beside it."""
    shown = asked.vocabulary()
    if isinstance(shown, Unsupported):
        return rules.tokens
    others: defaultdict[int, set[str]] = defaultdict(set)
    for token, id in shown.items():
        if id not in rules.tokens:
            others[id].add(token)
    return {**rules.tokens, **{id: frozenset(tokens) for id, tokens in others.items()}}
