"""The encodings of a case that are wrong, each of one sequence, without what was added to it after the model."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate, compress
from typing import TYPE_CHECKING, NamedTuple

from tokenizer_adapters.contract import After, Encode, EncodeBatch, Encoded, EncodedBatch, OffsetUnit, plain_of
from tokenizer_conformance.validation.suite.requirement import Observed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.validation.suite.judging import CaseResult, StepAnswer
    from tokenizer_conformance.validation.suite.requirement import Step

COLUMNS = ("ids", "tokens", "offsets", "word_ids")
"""What a model and what comes before it tell of a token."""


class WrongEncoding(NamedTuple):
    """An input of one sequence, and two encodings of it that are not the same, both without special tokens.

    ``asked`` asks for it. ``answered`` is ``None`` where an error was raised, or other ids are answered and it is not
    shown which of them are the model's.
    """

    text: str
    asked: Observation
    expected: Encoded
    answered: Encoded | None

    @property
    def is_in_words(self) -> bool:
        """Whether the input comes in words; ``text`` are these, one after the other."""
        plain = plain_of(self.asked)
        return isinstance(plain, Encode) and plain.is_pretokenized

    @property
    def has_other_ids(self) -> bool:
        """Whether other ids are answered, or none."""
        return self.answered is None or self.answered.ids != self.expected.ids


def wrong_encodings(result: CaseResult, answers: Sequence[StepAnswer], unit: OffsetUnit) -> list[WrongEncoding] | None:
    """Return the sequences of which an encoding is wrong; ``None`` where something else is, or it is not shown."""
    wrong: list[WrongEncoding] = []
    failed = {failure.step for failure in result.failures}
    for index, (step, answer) in enumerate(zip(result.judged.case.steps, answers, strict=True)):
        if index not in failed:
            continue
        for asked, expected, answered in _encodings(step, answer):
            counted = answered and (answered if unit is OffsetUnit.CODE_POINTS else replace(answered, offsets=None))
            of_step = _wrong_sequences(asked, expected, counted)
            if of_step is None:
                return None
            wrong += of_step
    return wrong


def _encodings(step: Step, answer: StepAnswer) -> Iterator[tuple[Observation, Encoded, Encoded | None]]:
    """Yield what is asked, expected and answered in each encoding of ``step``; ``None`` where an error is answered."""
    if not isinstance(step, Observed):
        return
    match plain_of(step.observation), step.expected:
        case Encode(), Encoded() as expected:
            yield step.observation, expected, answer if isinstance(answer, Encoded) else None
        case EncodeBatch(inputs), EncodedBatch(encodings):
            given = answer.encodings if isinstance(answer, EncodedBatch) else (None,) * len(inputs)
            for input_, expected, answered in zip(inputs, encodings, given, strict=True):
                asked = step.observation
                yield replace(asked, observation=input_) if isinstance(asked, After) else input_, expected, answered
        case _:
            return


def _wrong_sequences(asked: Observation, expected: Encoded, answered: Encoded | None) -> list[WrongEncoding] | None:
    plain = plain_of(asked)
    assert isinstance(plain, Encode)  # noqa: S101 - _encodings yields no other
    if not _is_even(expected) or not (answered is None or _is_even(answered)):
        return None
    wrong: list[WrongEncoding] = []
    for number, text in enumerate((plain.text, plain.pair)):
        if text is None:
            continue
        of_pair = number if plain.pair is not None else None
        ours = _columns(expected, of_pair) or expected
        theirs = answered and _columns(answered, of_pair)
        if answered is not None and theirs is None:
            if of_pair is None and not plain.add_special_tokens:
                theirs = answered
            elif answered.ids == expected.ids:
                return None
        if theirs is None or _differ(ours, theirs):
            alone = Encode(text, add_special_tokens=False)
            wrong.append(
                WrongEncoding(
                    "".join(text),
                    replace(asked, observation=alone) if isinstance(asked, After) else alone,
                    ours,
                    theirs,
                )
            )
    return wrong


def _is_even(encoded: Encoded) -> bool:
    """Return whether each column has an entry for each token."""
    columns = (getattr(encoded, name) for name in (*COLUMNS, "special_tokens_mask", "sequence_ids"))
    return all(column is None or len(column) == len(encoded.ids) for column in columns)


def _columns(encoded: Encoded, sequence: int | None) -> Encoded | None:
    """Return the columns that neither a post-processor nor padding has added, those of one ``sequence`` of a pair.

    ``None`` if it is not shown which these are. What was added is of no word.
    """
    if encoded.word_ids is not None:
        kept = [word is not None for word in encoded.word_ids]
    elif encoded.special_tokens_mask is not None:
        kept = [not is_added for is_added in encoded.special_tokens_mask]
    else:
        return None
    if sequence is not None:
        sequences = _sequences(encoded, kept)
        if sequences is None:
            return None
        kept = [is_kept and of == sequence for is_kept, of in zip(kept, sequences, strict=True)]
    columns = {
        name: tuple(compress(column, kept)) for name in COLUMNS if (column := getattr(encoded, name)) is not None
    }
    return replace(encoded, **columns)


def _sequences(encoded: Encoded, kept: Sequence[bool]) -> Sequence[int | None] | None:
    """Return which sequence of a pair each token is of; where not all ``kept`` ones show it, words are counted anew."""
    if encoded.sequence_ids is not None and None not in compress(encoded.sequence_ids, kept):
        return encoded.sequence_ids
    if encoded.word_ids is None:
        return None
    words = [-1 if word is None else word for word in encoded.word_ids]
    columns = enumerate(zip(words, accumulate(words, max), strict=True))
    begins = next((index for index, (word, most) in columns if 0 <= word < most), len(words))
    return [int(index >= begins) for index in range(len(words))]


def _differ(one: Encoded, other: Encoded) -> bool:
    pairs = ((getattr(one, name), getattr(other, name)) for name in COLUMNS)
    return any(ours != theirs for ours, theirs in pairs if ours is not None and theirs is not None)


def differing_ids(expected: Encoded, answered: Encoded, *columns: str) -> set[int]:
    """Return the ids of the tokens that differ in one of ``columns`` that both show."""
    both = ((getattr(expected, name), getattr(answered, name)) for name in columns)
    return {
        id_
        for ours, theirs in both
        if ours is not None and theirs is not None
        for id_, one, other in zip(expected.ids, ours, theirs, strict=True)
        if one != other
    }
