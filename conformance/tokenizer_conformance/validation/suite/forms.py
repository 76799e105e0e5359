"""Steps in the form that the files of the suite have: the words of the line protocol, and what is expected beside them.

Reading and writing go through the codec of the protocol, so there is one form of questions and answers, not two.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, assert_never

from tokenizer_adapters.protocol.answer_lines import read_value, write_answer
from tokenizer_adapters.protocol.json_fields import FieldError
from tokenizer_adapters.protocol.messages import Observe, name_of
from tokenizer_adapters.protocol.request_lines import read_observation, write_request
from tokenizer_conformance.validation.suite.requirement import (
    FileRefused,
    FileWritten,
    Observed,
    RaisesError,
    Step,
    VocabularyShown,
)

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation, Value

EXPECTED = "expected"
ERROR = {"error": True}
REFUSED = {"refused": True}


class StepFormError(ValueError):
    """A step has not the form that the schema describes. The message says what is wrong with it."""


def observation_of(asked: dict[str, Any]) -> Observation:
    """Return the observation that ``asked`` (``ask`` and its arguments) means.

    >>> observation_of({"ask": "normalize", "text": "A"})
    Normalize(text='A')

    Raises :class:`StepFormError`.
    """
    try:
        return read_observation(asked)
    except FieldError as error:
        raise StepFormError(f"request: {error}") from None


def asked_of(observation: Observation) -> dict[str, Any]:
    """Return ``observation`` as a step asks it: the opposite of :func:`observation_of`."""
    found = json.loads(write_request(0, Observe(observation)))
    return {name: value for name, value in found.items() if name not in ("id", "do")}


def value_form(value: Value) -> dict[str, Any]:
    """Return ``value`` as a step expects it."""
    form: dict[str, Any] = json.loads(write_answer(0, value))["value"]
    return form


def value_of(observation: Observation, form: dict[str, Any]) -> Value:
    """Return the value that ``form`` means as an answer to ``observation``: the opposite of :func:`value_form`.

    Raises :class:`StepFormError`.
    """
    try:
        return read_value(observation, form, "value")
    except FieldError as error:
        raise StepFormError(f"answer to {name_of(Observe(observation))}: {error}") from None


def step_of(form: dict[str, Any]) -> Step:
    """Return the step that ``form`` means.

    Raises :class:`StepFormError`.
    """
    asked = {name: value for name, value in form.items() if name != EXPECTED}
    if EXPECTED not in form:
        raise StepFormError(f'the field "{EXPECTED}" is missing')
    expected = form[EXPECTED]
    match asked:
        case {"ask": "vocabulary"}:
            return VocabularyShown(expected["vocabulary"])
        case {"ask": "save"}:
            return FileWritten(expected["document"])
        case {"ask": "load", "tokenizer": document}:
            return FileRefused(document)
        case _:
            observation = observation_of(asked)
            return Observed(observation, RaisesError() if expected == ERROR else value_of(observation, expected))


def form_of(step: Step) -> dict[str, Any]:
    """Return ``step`` in the form of the files: the opposite of :func:`step_of`."""
    match step:
        case VocabularyShown(expected):
            return {"ask": "vocabulary", EXPECTED: {"vocabulary": dict(expected)}}
        case FileWritten(expected):
            return {"ask": "save", EXPECTED: {"document": expected}}
        case FileRefused(document):
            return {"ask": "load", "tokenizer": document, EXPECTED: REFUSED}
        case Observed(observation, expected):
            form = ERROR if isinstance(expected, RaisesError) else value_form(expected)
            return {**asked_of(observation), EXPECTED: form}
        case _:
            assert_never(step)
