"""The names that the questions about one input have in a snapshot.

``comparison/questions.py`` says what is asked. A line of answers has each answer under a name; the
question itself follows from that, the text, the text after it and other answers of the same line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    Normalize,
    Observation,
    Outcome,
    PreTokenize,
    Text,
)
from tokenizer_conformance.comparison.questions import MOST_IDS, MOST_WORDS, about_pair, about_text, words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from tokenizer_adapters.contract import Stage

Ask = "Callable[[Observation], Outcome]"

Named = tuple[str, Observation]
"""A question, with its name."""


def asked_of(
    text: str, following: str, stages: Collection[Stage], ask: Callable[[Observation], Outcome]
) -> Iterator[Named]:
    """Yield every question about ``text`` and the text ``following`` it, by name; ``ask`` gives the answers.

    >>> from tokenizer_adapters.contract import Stage
    >>> [name for name, _ in asked_of("a", "b", {Stage.NORMALIZE}, lambda question: Text("a"))]
    ['normalize']
    """
    for question in (*about_text(text, stages, ask), *about_pair(text, following, stages, ask)):
        yield name_of(question, text), question


def every_question(_question: Observation) -> bool:
    """Say that a question is put: every one is, where nothing else is wanted."""
    return True


def name_of(question: Observation, text: str) -> str:
    """Return the name of ``question``, which was put about ``text``.

    >>> name_of(Encode("a", "b", add_special_tokens=False), "a"), name_of(PreTokenize("A"), "a")
    ('pair_plain', 'pre_tokenize_normalized')
    """
    match question:
        case Normalize():
            return "normalize"
        case PreTokenize(asked):
            return "pre_tokenize" if asked == text else "pre_tokenize_normalized"
        case Encode(asked, None, specials):
            words = "" if isinstance(asked, str) else "_words"
            return f"encode{words}" if specials else f"encode_plain{words}"
        case Encode(asked, _, specials):
            return "pair_plain" if not specials else "pair" if isinstance(asked, str) else "pair_words"
        case EncodeBatch():
            return "batch"
        case Decode(_, skips):
            return "decode_skipping" if skips else "decode_keeping"
        case DecodeStream(_, skips):
            return "stream_skipping" if skips else "stream_keeping"
    raise ValueError(f"no input is asked {question!r}")


def _normalized(_text: str, _following: str, answers: Mapping[str, Outcome]) -> Observation | None:
    answer = answers.get("normalize")
    return PreTokenize(answer.text) if isinstance(answer, Text) else None


def _of_ids(asks: Callable[[tuple[int, ...]], Observation]) -> Question:
    """Return what asks about the ids of ``encode``."""

    def question(_text: str, _following: str, answers: Mapping[str, Outcome]) -> Observation | None:
        answer = answers.get("encode")
        return asks(answer.ids) if isinstance(answer, Encoded) else None

    return question


if TYPE_CHECKING:
    Question = Callable[[str, str, Mapping[str, Outcome]], Observation | None]

QUESTIONS: dict[str, Question] = {
    "normalize": lambda text, _following, _answers: Normalize(text),
    "pre_tokenize": lambda text, _following, _answers: PreTokenize(text),
    "pre_tokenize_normalized": _normalized,
    "encode_plain": lambda text, _following, _answers: Encode(text, add_special_tokens=False),
    "encode_plain_words": lambda text, _following, _answers: Encode(words_of(text), add_special_tokens=False),
    "encode": lambda text, _following, _answers: Encode(text),
    "decode_skipping": _of_ids(lambda ids: Decode(ids, skip_special_tokens=True)),
    "decode_keeping": _of_ids(lambda ids: Decode(ids, skip_special_tokens=False)),
    "stream_skipping": _of_ids(lambda ids: DecodeStream(ids[:MOST_IDS], skip_special_tokens=True)),
    "stream_keeping": _of_ids(lambda ids: DecodeStream(ids[:MOST_IDS], skip_special_tokens=False)),
    "pair_plain": lambda text, following, _answers: Encode(text, following, add_special_tokens=False),
    "pair": lambda text, following, _answers: Encode(text, following),
    "pair_words": lambda text, following, _answers: Encode(words_of(text), words_of(following)[:MOST_WORDS]),
    "batch": lambda text, following, _answers: EncodeBatch((Encode(text), Encode(following))),
}
"""What each name asks, by the text, the text after it, and the answers of the line so far."""
