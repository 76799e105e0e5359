"""What a question asks an implementation to show: places, fields, and ways of asking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import After, DecodeStream, Encode, EncodeBatch, plain_of, stage_of
from tokenizer_conformance.validation.suite.requirement import PLACE_OF_STAGE, Feature, Observed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_adapters.contract import Observation, Value
    from tokenizer_conformance.validation.suite.requirement import RaisesError, Step


def features_of(steps: Iterable[Step]) -> frozenset[str]:
    """Return the features that ``steps`` ask for, and the fields that have anything in what is expected."""
    return frozenset(feature for step in steps for feature in _features_of_step(step))


def _features_of_step(step: Step) -> Iterator[str]:
    if not isinstance(step, Observed):
        yield step.place.value
        return
    yield from asked_features(step.observation)
    yield from _fields_in(step.expected)


def _fields_in(expected: Value | RaisesError) -> Iterator[str]:
    """Yield the fields that have anything in ``expected``, or in one of its encodings."""
    for value in (expected, *getattr(expected, "encodings", ())):
        yield from (name for name in Feature if getattr(value, name, None))


def asked_features(observation: Observation) -> Iterator[str]:
    """Yield the features that ``observation`` asks for, whatever comes back."""
    yield PLACE_OF_STAGE[stage_of(observation)].value
    if isinstance(observation, After):
        yield "changes"
    match plain := plain_of(observation):
        case EncodeBatch(inputs):
            yield "batch"
            for input_ in inputs:
                yield from _input_features(input_)
        case DecodeStream():
            yield "stream"
        case Encode():
            yield from _input_features(plain)


def _input_features(input_: Encode) -> Iterator[str]:
    if input_.pair is not None:
        yield "pair"
    if input_.is_pretokenized:
        yield "pre_split"
    if input_.add_special_tokens:
        yield "special_tokens"
