"""Which place is to blame for an encoding that is wrong, where the stages that were asked are right.

The answer itself tells two things: a model gives no added tokens, and works on one piece at a time. So it is not to
blame for other tokens than are expected, nor for words that end elsewhere. Else an experiment tells: the same model is
loaded without all that comes before it, and asked for each of the pieces that the expected tokens spell. If it gives
these very tokens, it is not to blame. Of normalizer and pre-tokenizer, the normalizer is taken away in the same way.
No stage has to be shown for that. Where no experiment can be made, the blame stays, or is that of the area.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate, groupby, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from tokenizer_adapters.contract import (
    CannotLoadError,
    Encode,
    Encoded,
    Normalize,
    OffsetUnit,
    Text,
    observe_all,
    plain_of,
)
from tokenizer_conformance.validation.suite.judging import CaseVerdict
from tokenizer_conformance.validation.suite.requirement import Observed, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Outcome, Subject
    from tokenizer_conformance.validation.suite.judging import CaseResult, StepAnswer
    from tokenizer_conformance.validation.suite.requirement import Document, Step

    Load = Callable[[Document], Subject]
    """Gives what the implementation makes of a document, or raises :class:`CannotLoadError`."""

BEFORE_MODEL = frozenset({Place.ADDED_TOKENS, Place.NORMALIZE, Place.PRE_TOKENIZE})
"""The places of which a mistake may be seen in encodings alone."""

AROUND: Document = {"post_processor": None, "truncation": None, "padding": None, "added_tokens": []}
"""What an experiment takes away of a tokenizer in any case."""

MOST_PIECES = 200
"""A case with more distinct pieces is not asked about."""


def blamed(result: CaseResult, answers: Sequence[StepAnswer], unit: OffsetUnit, load: Load) -> CaseResult:
    """Return ``result`` with the place before the model that the ``answers``, or experiments, show to be to blame.

    Offsets count ``unit``; others than code points are not looked at.
    """
    if result.verdict is not CaseVerdict.FAILED or result.blame is not Place.MODEL:
        return result
    judged = result.judged
    document = judged.area.tokenizers[judged.case.tokenizer]
    if not document.get("model", {}).get("vocab"):
        return result
    wrong = list(_wrong(result, answers, unit))
    if any(_finds_other_tokens(each, document) for each in wrong):
        return replace(result, blame=Place.ADDED_TOKENS)
    stage = judged.area.stage
    is_cut_elsewhere = document.get("pre_tokenizer") is not None and any(map(_is_cut_elsewhere, wrong))
    if not is_cut_elsewhere and not is_right_alone(wrong, document, load, in_text=_is_all(stage, document)):
        return result
    if stage in (Place.ADDED_TOKENS, Place.PRE_TOKENIZE):
        return replace(result, blame=stage)
    place = _before_model(wrong, judged.case.steps, document, load)
    return result if place is None else replace(result, blame=place)


def _is_all(stage: Place, document: Document) -> bool:
    """Return whether a tokenizer of an area of ``stage`` is all but a model, so that its pieces stand in the text."""
    return stage not in BEFORE_MODEL and document.get("normalizer") is None


# What the answer itself tells ----------------------------------------------------------------------------------------


class _Wrong(NamedTuple):
    """A text, and two encodings of it that are not the same; ``None`` where an error was raised."""

    text: str
    expected: Encoded
    answered: Encoded | None


def _wrong(result: CaseResult, answers: Sequence[StepAnswer], unit: OffsetUnit) -> Iterator[_Wrong]:
    """Yield the wrong encodings of one text, without special tokens."""
    failed = {failure.step for failure in result.failures}
    for index, (step, answer) in enumerate(zip(result.judged.case.steps, answers, strict=True)):
        if not (isinstance(step, Observed) and isinstance(step.expected, Encoded)):
            continue
        match plain_of(step.observation):
            case Encode(text=str(text), pair=None, add_special_tokens=False) if index in failed:
                answered = answer if isinstance(answer, Encoded) else None
                if answered is not None and unit is not OffsetUnit.CODE_POINTS:
                    answered = replace(answered, offsets=None)
                yield _Wrong(text, step.expected, answered)


def _finds_other_tokens(wrong: _Wrong, document: Document) -> bool:
    """Return whether other tokens that the model cannot give were found, or nothing but these has other columns."""
    of_model = frozenset(_ids_of_model(document["model"]))
    expected, answered = wrong.expected, wrong.answered
    if answered is None:
        return False
    if expected.ids != answered.ids:
        return _others(expected.ids, of_model) != _others(answered.ids, of_model)
    differing = {
        id_
        for ours, theirs in ((expected.tokens, answered.tokens), (expected.offsets, answered.offsets))
        if ours is not None and theirs is not None
        for id_, one, other in zip(expected.ids, ours, theirs, strict=True)
        if one != other
    }
    return bool(differing) and of_model.isdisjoint(differing)


def _ids_of_model(model: Mapping[str, Any]) -> Iterator[int]:
    vocabulary = model["vocab"]
    yield from vocabulary.values() if isinstance(vocabulary, dict) else range(len(vocabulary))


def _others(ids: Sequence[int], of_model: frozenset[int]) -> list[int]:
    return [id_ for id_ in ids if id_ not in of_model]


def _is_cut_elsewhere(wrong: _Wrong) -> bool:
    """Return whether a word has characters of two of the expected words, or two words have those of one."""
    if wrong.answered is None or wrong.expected.ids == wrong.answered.ids:
        return False
    ours, theirs = _words(wrong.expected), _words(wrong.answered)
    return any(
        sum(word.start < other.stop and other.start < word.stop for other in others) > 1
        for words, others in ((ours, theirs), (theirs, ours))
        for word in words
    )


def _words(encoded: Encoded) -> list[range]:
    """Return the characters of each word that has any; no word where words or offsets are not shown."""
    if encoded.word_ids is None or encoded.offsets is None:
        return []
    words: dict[int, range] = {}
    for number, (start, end) in zip(encoded.word_ids, encoded.offsets, strict=True):
        if number is not None:
            word = words.get(number, range(start, end))
            words[number] = range(min(word.start, start), max(word.stop, end))
    return [word for word in words.values() if word]


# Experiments ---------------------------------------------------------------------------------------------------------


def is_right_alone(wrong: Sequence[_Wrong], document: Document, load: Load, *, in_text: bool) -> bool:
    """Return whether the model alone gives the expected tokens of every piece of each encoding that is ``wrong``.

    Their offsets, where it shows any, must be those of the characters that spell them. Where pieces are not spelled by
    their tokens, or do not stand so ``in_text`` if they must, it is not shown to be right.
    """
    pieces: dict[str, _Tokens] = {}
    for each in wrong:
        spelled = _spelled(each, document, in_text=in_text)
        if spelled is None:
            return False
        pieces |= spelled
    is_asked = bool(wrong) and len(pieces) <= MOST_PIECES
    return is_asked and _are_given(pieces, without(document, "normalizer", "pre_tokenizer"), load)


def _before_model(wrong: Sequence[_Wrong], steps: Sequence[Step], document: Document, load: Load) -> Place | None:
    """Return whether the normalizer is to blame or the pre-tokenizer; ``None`` where normalized texts are not known.

    It is the normalizer if all else gives what is expected of the normalized texts.
    """
    of_fields = {"normalizer": Place.NORMALIZE, "pre_tokenizer": Place.PRE_TOKENIZE}
    there = [place for field, place in of_fields.items() if document.get(field) is not None]
    if len(there) < len(of_fields):
        return next(iter(there), None)
    normalized = {
        step.observation.text: step.expected.text
        for step in steps
        if isinstance(step, Observed) and isinstance(step.observation, Normalize) and isinstance(step.expected, Text)
    }
    if any(each.text not in normalized for each in wrong):
        return None
    texts = {normalized[each.text]: _Tokens(each.expected.ids) for each in wrong}
    return Place.NORMALIZE if _are_given(texts, without(document, "normalizer"), load) else Place.PRE_TOKENIZE


def without(document: Document, *components: str) -> Document:
    """Return ``document`` without added tokens, these ``components`` and what follows the model."""
    return {**document, **AROUND, **dict.fromkeys(components)}


class _Tokens(NamedTuple):
    """Ids, and the offsets that belong to them, where these are known."""

    ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...] | None = None

    def are_those_of(self, answer: Outcome) -> bool:
        """Return whether ``answer`` has these ids and, as far as both are known, these offsets."""
        if not isinstance(answer, Encoded) or answer.ids != self.ids:
            return False
        return self.offsets is None or answer.offsets is None or answer.offsets == self.offsets


def _are_given(expected: Mapping[str, _Tokens], document: Document, load: Load) -> bool:
    """Return whether a tokenizer gives the ``expected`` tokens of each text."""
    try:
        subject = load(document)
    except CannotLoadError:
        return False
    answers = observe_all(subject, [Encode(text, add_special_tokens=False) for text in expected])
    return all(tokens.are_those_of(answer) for tokens, answer in zip(expected.values(), answers, strict=True))


def _spelled(wrong: _Wrong, document: Document, *, in_text: bool) -> dict[str, _Tokens] | None:
    """Return the pieces that the expected tokens spell, each with these; ``None`` where they spell none.

    Added tokens, which are pieces of their own, are left out.
    """
    expected = wrong.expected
    if expected.tokens is None or expected.word_ids is None or expected.offsets is None:
        return None
    model = document["model"]
    of_model = frozenset(_ids_of_model(model))
    shows_offsets = wrong.answered is not None and wrong.answered.offsets is not None
    pieces: dict[str, _Tokens] = {}
    columns = zip(expected.word_ids, expected.tokens, expected.ids, expected.offsets, strict=True)
    for _, group in groupby(columns, key=lambda column: column[0]):
        _, tokens, ids, offsets = zip(*group, strict=True)
        if _others(ids, of_model):
            continue
        parts = _parts(tokens, model)
        piece = "".join(parts)
        if any(_spells_nothing(token, model) for token in tokens):
            return None
        if in_text and wrong.text[offsets[0][0] : offsets[-1][1]] != piece:
            return None
        ends = list(accumulate(map(len, parts)))
        pieces[piece] = _Tokens(ids, tuple(pairwise([0, *ends])) if shows_offsets else None)
    return pieces


def _spells_nothing(token: str, model: Mapping[str, Any]) -> bool:
    return token == model.get("unk_token") or (token.startswith("<0x") and bool(model.get("byte_fallback")))


def _parts(tokens: Sequence[str], model: Mapping[str, Any]) -> list[str]:
    """Return what ``tokens`` spell, without the prefix and the suffix that ``model`` looks them up with."""
    prefix, suffix = (model.get(name) or "" for name in ("continuing_subword_prefix", "end_of_word_suffix"))
    *others, last = [tokens[0], *(token.removeprefix(prefix) for token in tokens[1:])]
    return [*others, last.removesuffix(suffix)]
