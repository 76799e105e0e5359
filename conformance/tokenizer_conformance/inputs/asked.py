r"""Questions that are asked just as they are, as the inputs of a run; on a command line each is a line of JSON.

That is the form of the line protocol, without its number::

    {"ask": "encode", "text": "a\u0301", "add_special_tokens": false}

``{"ask": "vocabulary"}`` has the vocabularies compared.

They are asked in their order, each of them once, and nothing else is: what shows only after other questions is seen.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokenizer_adapters.contract import Observation
from tokenizer_adapters.protocol.json_fields import FieldError
from tokenizer_adapters.protocol.messages import ShowVocabulary
from tokenizer_adapters.protocol.request_lines import observation_fields, read_observation
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.corpus import EVERYTHING, PairedInput, Selection
from tokenizer_conformance.inputs.text import Input

if TYPE_CHECKING:
    from collections.abc import Iterator

Question = Observation | ShowVocabulary
"""What can be asked."""

ASKED = "asked"
"""The category of questions that are asked as they are."""

THE_VOCABULARY = {"ask": "vocabulary"}
"""How the question for the vocabulary is stated."""


@dataclass(frozen=True, slots=True)
class AskedInput(Input):
    """An input that stands for ``questions``; its text is that of a conversation, or empty."""

    questions: tuple[Observation, ...]


@dataclass(frozen=True, slots=True)
class AskedQuestions:
    """The ``questions``, in their order, as the inputs of a run; that for the vocabulary is none of them."""

    questions: tuple[Question, ...]
    sources_sha256: ClassVar[tuple[str, ...]] = ()
    selection: ClassVar[Selection] = EVERYTHING

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(1 for _ in self)

    @property
    def ask_for_vocabulary(self) -> bool:
        """Whether one of the questions is that for the vocabulary."""
        return ShowVocabulary() in self.questions

    @property
    def sha256(self) -> str:
        """The digest of all questions."""
        return hashlib.sha256("\n".join(map(words_of_question, self.questions)).encode()).hexdigest()

    def __iter__(self) -> Iterator[PairedInput]:
        for number, question in enumerate(self.questions, 1):
            if not isinstance(question, ShowVocabulary):
                each = AskedInput(f"question {number}", ASKED, "", (question,))
                yield PairedInput(each, each)


def words_of_question(question: Question) -> str:
    r"""Return ``question`` as a word of a command line, in ASCII that a shell needs no further quotes in.

    >>> from tokenizer_adapters.contract import Normalize
    >>> words_of_question(Normalize("É's"))
    '{"ask": "normalize", "text": "\\u00c9\\u0027s"}'
    """
    stated = THE_VOCABULARY if isinstance(question, ShowVocabulary) else observation_fields(question)
    return json.dumps(stated).replace("'", "\\u0027").replace("\x7f", "\\u007f")


def question_in(word: str) -> Question:
    """Return the question that ``word`` states. Raises :class:`BadInputError` that says what is wrong with it."""
    try:
        stated = json.loads(word)
    except ValueError as error:
        raise BadInputError(f"it is no JSON: {error}") from error
    if not isinstance(stated, dict):
        raise BadInputError('it is no object, such as {"ask": "normalize", "text": "a"}')
    if stated == THE_VOCABULARY:
        return ShowVocabulary()
    try:
        return read_observation(stated)
    except (FieldError, ValueError) as error:
        raise BadInputError(str(error)) from error
