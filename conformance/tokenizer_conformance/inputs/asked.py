r"""Questions that are asked just as they are, as the inputs of a run; on a command line each is a line of JSON.

That is the form of the line protocol, without its number::

    {"ask": "encode", "text": "a\u0301", "add_special_tokens": false}

They are asked in their order, each of them once, and nothing else is: what shows only after other questions is seen.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokenizer_adapters.protocol.json_fields import FieldError
from tokenizer_adapters.protocol.request_lines import observation_fields, read_observation
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.corpus import EVERYTHING, PairedInput, Selection
from tokenizer_conformance.inputs.text import Input

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Observation

ASKED = "asked"
"""The category of questions that are asked as they are."""


@dataclass(frozen=True, slots=True)
class AskedInput(Input):
    """An input that stands for one ``question``."""

    question: Observation


@dataclass(frozen=True, slots=True)
class AskedQuestions:
    """The ``questions``, in their order, as the inputs of a run."""

    questions: tuple[Observation, ...]
    sources_sha256: ClassVar[tuple[str, ...]] = ()
    selection: ClassVar[Selection] = EVERYTHING

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.questions)

    @property
    def sha256(self) -> str:
        """The digest of all questions."""
        return hashlib.sha256("\n".join(map(words_of_question, self.questions)).encode()).hexdigest()

    def __iter__(self) -> Iterator[PairedInput]:
        for number, question in enumerate(self.questions, 1):
            each = AskedInput(f"question {number}", ASKED, "", question)
            yield PairedInput(each, each)


def words_of_question(question: Observation) -> str:
    r"""Return ``question`` as a word of a command line, in ASCII that a shell needs no further quotes in.

    >>> from tokenizer_adapters.contract import Normalize
    >>> words_of_question(Normalize("É's"))
    '{"ask": "normalize", "text": "\\u00c9\\u0027s"}'
    """
    return json.dumps(observation_fields(question)).replace("'", "\\u0027").replace("\x7f", "\\u007f")


def question_in(word: str) -> Observation:
    """Return the question that ``word`` states. Raises :class:`BadInputError` that says what is wrong with it."""
    try:
        stated = json.loads(word)
    except ValueError as error:
        raise BadInputError(f"it is no JSON: {error}") from error
    if not isinstance(stated, dict):
        raise BadInputError('it is no object, such as {"ask": "normalize", "text": "a"}')
    try:
        return read_observation(stated)
    except (FieldError, ValueError) as error:
        raise BadInputError(str(error)) from error
