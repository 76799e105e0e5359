"""What one vector asks: about a text, a pair, words, a batch, tokens to decode, or tokens that are added first.

Each kind has *answers* with names; the names are those of the file (``schemas/vectors-1.json``). What an answer asks
may depend on another answer: ids that are decoded are those of the text, and pieces are those of the normalized text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from tokenizer_adapters.contract import (
    AddTokens,
    After,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    NewToken,
    Normalize,
    Observation,
    Outcome,
    PreTokenize,
    Text,
)

Ask = Callable[[Observation], Outcome]

Answers = Mapping[str, tuple[Observation, Outcome]]
"""What was asked and answered, by the name that the answer has in the file."""


class Answer(StrEnum):
    """The names of answers in the file."""

    NORMALIZED = "normalized"
    PIECES = "pieces"
    ENCODED_ALONE = "encoded_without_special_tokens"
    ENCODED = "encoded"
    DECODED = "decoded"
    DECODED_SKIPPING = "decoded_skipping_special_tokens"
    STREAMED = "streamed"
    STREAMED_SKIPPING = "streamed_skipping_special_tokens"
    ENCODINGS_ALONE = "encodings_without_special_tokens"
    ENCODINGS = "encodings"

    __hash__ = str.__hash__


@dataclass(frozen=True, slots=True)
class AboutText:
    """Asks everything about one ``text``."""

    text: str


@dataclass(frozen=True, slots=True)
class AboutPair:
    """Has ``text`` and ``pair`` encoded together."""

    text: str
    pair: str


@dataclass(frozen=True, slots=True)
class AboutWords:
    """Has a text encoded that comes as ``words``, and another one (``pair_words``) with it where there is one."""

    words: tuple[str, ...]
    pair_words: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class AboutBatch:
    """Has ``texts`` encoded at once."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AboutTokens:
    """Has ``tokens`` decoded, whole and id by id; the file has their ids."""

    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AboutAdded:
    """Has ``texts`` encoded after ``added`` tokens were added, as special ones where ``special``."""

    added: tuple[NewToken, ...]
    special: bool
    texts: tuple[str, ...]


Asks = AboutText | AboutPair | AboutWords | AboutBatch | AboutTokens | AboutAdded


@dataclass(frozen=True, slots=True)
class Candidate:
    """An input that may become a vector: what it ``asks``, and where it is from (``source``, a short ``note``)."""

    asks: Asks
    source: str
    note: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts that are encoded."""
        match self.asks:
            case AboutText(text):
                return (text,)
            case AboutPair(text, pair):
                return (text, pair)
            case AboutWords(words, pair_words):
                return (*words, *(pair_words or ()))
            case AboutBatch(texts) | AboutAdded(texts=texts):
                return texts
            case AboutTokens():
                return ()

    @property
    def size(self) -> int:
        """How long it is: code points of the texts, or of the tokens."""
        return sum(map(len, self.asks.tokens if isinstance(self.asks, AboutTokens) else self.texts))


# Asking ---------------------------------------------------------------------------------------------------------------

EVERY_ANSWER = frozenset(Answer)


def answers_to(
    asks: Asks, ask: Ask, ids: Mapping[str, int], wanted: frozenset[Answer] = EVERY_ANSWER
) -> dict[str, tuple[Observation, Outcome]]:
    """Return what ``ask`` answers to all that is asked, as far as it is ``wanted``; ``ids`` are those of tokens.

    Where a text has no encoding there are no ids to decode, and where a text is not normalized there are no pieces.
    """
    found: dict[str, tuple[Observation, Outcome]] = {}

    def put(name: Answer, question: Observation) -> Outcome | None:
        if name not in wanted:
            return None
        outcome = ask(question)
        found[name] = (question, outcome)
        return outcome

    match asks:
        case AboutText(text):
            _about_text(text, put, ask, wanted)
        case AboutPair(text, pair):
            put(Answer.ENCODED_ALONE, Encode(text, pair, add_special_tokens=False))
            put(Answer.ENCODED, Encode(text, pair))
        case AboutWords(words, pair_words):
            put(Answer.ENCODED_ALONE, Encode(words, pair_words, add_special_tokens=False))
            put(Answer.ENCODED, Encode(words, pair_words))
        case AboutBatch(texts):
            for name, added in ((Answer.ENCODINGS_ALONE, False), (Answer.ENCODINGS, True)):
                put(name, EncodeBatch(tuple(Encode(text, None, added) for text in texts)))
        case AboutTokens(tokens):
            about_ids(tuple(ids[token] for token in tokens if token in ids), put)
        case AboutAdded(added_tokens, special, texts):
            batch = EncodeBatch(tuple(map(Encode, texts)))
            put(Answer.ENCODINGS, After((AddTokens(added_tokens, special),), batch))
    return found


Put = Callable[[Answer, Observation], Outcome | None]


def _about_text(text: str, put: Put, ask: Ask, wanted: frozenset[Answer]) -> None:
    normalized = put(Answer.NORMALIZED, Normalize(text))
    if Answer.PIECES in wanted:
        normalized = ask(Normalize(text)) if normalized is None else normalized
        if isinstance(normalized, Text):
            put(Answer.PIECES, PreTokenize(normalized.text))
    put(Answer.ENCODED_ALONE, Encode(text, add_special_tokens=False))
    encoded = put(Answer.ENCODED, Encode(text))
    if wanted & {Answer.DECODED, Answer.DECODED_SKIPPING}:
        encoded = ask(Encode(text)) if encoded is None else encoded
        if isinstance(encoded, Encoded):
            put(Answer.DECODED, Decode(encoded.ids, skip_special_tokens=False))
            put(Answer.DECODED_SKIPPING, Decode(encoded.ids))


def about_ids(ids: tuple[int, ...], put: Put) -> None:
    """Ask for the text of ``ids``, whole and id by id."""
    put(Answer.DECODED, Decode(ids, skip_special_tokens=False))
    put(Answer.DECODED_SKIPPING, Decode(ids))
    put(Answer.STREAMED, DecodeStream(ids, skip_special_tokens=False))
    put(Answer.STREAMED_SKIPPING, DecodeStream(ids))
