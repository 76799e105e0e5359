"""Which place is to blame for an encoding that is wrong, where the stages that were asked are right.

What follows the model comes first. Where nothing but the columns of special tokens is wrong, it is to blame. Else the
same tokenizer is loaded without it: if what that gives can become what is expected, what follows is to blame.

The answer itself tells two things: a model gives no added tokens, and works on one piece at a time. So it is not to
blame for other tokens than are expected, nor for words that end elsewhere. Else an experiment tells: the same model is
loaded without all that comes before it, and asked for each of the pieces that the expected tokens spell. If it gives
these very tokens, it is not to blame. Of added tokens, normalizer and pre-tokenizer, each is taken away in the same
way. No stage has to be shown for that. Where no experiment can be made, the blame stays, or is that of the area.
"""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import accumulate, groupby, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from tokenizer_adapters.contract import CannotLoadError, Encode, Encoded, EncodedBatch, Normalize, Text, observe_all
from tokenizer_conformance.validation.suite.judging import CaseVerdict, first_place
from tokenizer_conformance.validation.suite.requirement import Observed, Place
from tokenizer_conformance.validation.suite.wrong_encodings import differing_ids, wrong_encodings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Observation, OffsetUnit, Outcome, Subject
    from tokenizer_conformance.validation.suite.judging import CaseResult, StepAnswer
    from tokenizer_conformance.validation.suite.requirement import Document, Step
    from tokenizer_conformance.validation.suite.wrong_encodings import WrongEncoding

    Load = Callable[[Document], Subject]
    """Gives what the implementation makes of a document, or raises :class:`CannotLoadError`."""

BEFORE_MODEL = frozenset({Place.ADDED_TOKENS, Place.NORMALIZE, Place.PRE_TOKENIZE})
"""The places of which a mistake may be seen in encodings alone."""

AFTER_MODEL: Document = {"post_processor": None, "truncation": None, "padding": None}

AROUND: Document = {**AFTER_MODEL, "added_tokens": []}
"""What an experiment takes away of a tokenizer in any case."""

WRITING = ("ByteLevel", "Metaspace")
"""The pre-tokenizers whose pieces are not as they stand in the text."""

MOST_PIECES = 200
"""A case with more distinct pieces is not asked about."""


def blamed(result: CaseResult, answers: Sequence[StepAnswer], unit: OffsetUnit, load: Load) -> CaseResult:
    """Return ``result`` with the place that the ``answers``, or experiments, show to be to blame.

    Offsets count ``unit``; others than code points are not looked at.
    """
    document = result.judged.area.tokenizers[result.judged.case.tokenizer]
    if result.verdict is not CaseVerdict.FAILED or not document.get("model", {}).get("vocab"):
        return result
    wrong = wrong_encodings(result, answers, unit)
    if wrong is None:
        return result
    result = replace(result, blame=_with_what_follows_the_model(result, wrong, document, load))
    wrong = [each for each in wrong if not each.is_in_words]
    if result.blame is not Place.MODEL or document.get("truncation") is not None:
        return result
    stage = result.judged.area.stage
    if not wrong:
        return replace(result, blame=stage) if stage in BEFORE_MODEL else result
    if any(_finds_other_tokens(each, document) for each in wrong):
        return replace(result, blame=Place.ADDED_TOKENS)
    is_cut_elsewhere = document.get("pre_tokenizer") is not None and any(map(_is_cut_elsewhere, wrong))
    if not is_cut_elsewhere and not is_right_alone(wrong, document, load, in_text=_is_all(stage, document)):
        return result
    if stage in (Place.ADDED_TOKENS, Place.PRE_TOKENIZE):
        return replace(result, blame=stage)
    place = _before_model(wrong, result.judged.case.steps, document, load)
    return result if place is None else replace(result, blame=place)


def _is_all(stage: Place, document: Document) -> bool:
    """Return whether a tokenizer of an area of ``stage`` is all but a model, so that its pieces stand in the text."""
    writes = any(f'"{name}"' in json.dumps(document.get("pre_tokenizer")) for name in WRITING)
    return stage not in BEFORE_MODEL and document.get("normalizer") is None and not writes


# What follows the model ----------------------------------------------------------------------------------------------


def _with_what_follows_the_model(
    result: CaseResult, wrong: Sequence[WrongEncoding], document: Document, load: Load
) -> Place | None:
    """Return what is to blame: what follows the model, or the model itself, as far as an experiment tells."""
    first = first_place(failure.place for failure in result.failures)
    if first not in (Place.MODEL, Place.POST_PROCESS) or not any(map(document.get, AFTER_MODEL)):
        return result.blame
    if any(_has_added_tokens_of_other_text(each, document) for each in wrong):
        return Place.ADDED_TOKENS
    if not wrong:
        failed = (result.judged.case.steps[each.step] for each in result.failures if each.step is not None)
        is_shown = all(
            isinstance(step, Observed) and isinstance(step.expected, Encoded | EncodedBatch) for step in failed
        )
        return Place.POST_PROCESS if is_shown else result.blame
    try:
        subject = load({**document, **AFTER_MODEL})
    except CannotLoadError:
        return result.blame
    found = observe_all(subject, [each.asked for each in wrong])
    is_cut = document.get("truncation") is not None
    if all(
        isinstance(answer, Encoded) and _becomes(answer, each, is_cut=is_cut)
        for answer, each in zip(found, wrong, strict=True)
    ):
        return Place.POST_PROCESS
    return Place.MODEL if any(each.has_other_ids for each in wrong) else result.blame


def _becomes(answer: Encoded, wrong: WrongEncoding, *, is_cut: bool) -> bool:
    """Return whether what follows the model can make of ``answer`` what is expected.

    Truncation (``is_cut``) leaves one end of the ids, and a template repeats a sequence or leaves it out. Where the ids
    are right, a post-processor may take white space out of the offsets.
    """
    size = len(wrong.expected.ids)
    if wrong.has_other_ids and is_cut:
        return wrong.expected.ids in (answer.ids[:size], answer.ids[len(answer.ids) - size :])
    if wrong.has_other_ids:
        return wrong.expected.ids == (answer.ids * (size // len(answer.ids)) if answer.ids else ())
    if answer.ids != wrong.expected.ids or answer.tokens != wrong.expected.tokens:
        return False
    if answer.offsets is None or wrong.expected.offsets is None:
        return False
    return not wrong.is_in_words and all(
        start <= inner_start <= inner_end <= end
        and not f"{wrong.text[start:inner_start]}{wrong.text[inner_end:end]}".strip()
        for (start, end), (inner_start, inner_end) in zip(answer.offsets, wrong.expected.offsets, strict=True)
    )


# What the answer itself tells ----------------------------------------------------------------------------------------


def _finds_other_tokens(wrong: WrongEncoding, document: Document) -> bool:
    """Return whether other tokens that the model cannot give were found, or nothing but these has other columns."""
    of_model = _ids_of_model(document)
    expected, answered = wrong.expected, wrong.answered
    if answered is None:
        return False
    if expected.ids != answered.ids:
        return _others(expected.ids, of_model) != _others(answered.ids, of_model)
    differing = differing_ids(expected, answered, "tokens", "offsets")
    return bool(differing) and of_model.isdisjoint(differing)


def _has_added_tokens_of_other_text(wrong: WrongEncoding, document: Document) -> bool:
    """Return whether nothing but the text of tokens that the model cannot give is another, or their offsets too."""
    if wrong.answered is None or wrong.has_other_ids:
        return False
    return bool(differing_ids(wrong.expected, wrong.answered, "tokens")) and _finds_other_tokens(wrong, document)


def _ids_of_model(document: Document) -> frozenset[int]:
    """Return the ids that a model gives: those of its vocabulary, without special tokens other than the unknown one."""
    model = document["model"]
    vocabulary = model["vocab"]
    is_numbered = isinstance(vocabulary, dict)
    unknown = vocabulary.get(model.get("unk_token")) if is_numbered else model.get("unk_id")
    special = {token["id"] for token in document.get("added_tokens") or () if token.get("special")}
    return frozenset(vocabulary.values() if is_numbered else range(len(vocabulary))) - (special - {unknown})


def _others(ids: Sequence[int], of_model: frozenset[int]) -> list[int]:
    return [id_ for id_ in ids if id_ not in of_model]


def _is_cut_elsewhere(wrong: WrongEncoding) -> bool:
    """Return whether a word has characters of two of the expected words, or two words have those of one."""
    if wrong.answered is None or wrong.expected.ids == wrong.answered.ids:
        return False
    ours, theirs = _words(wrong.expected), _words(wrong.answered)
    return any(
        sum(word.start < other.stop and other.start < word.stop for other in others) > 1
        for words, others in ((ours, theirs), (theirs, ours))
        for word in words
        if word not in others
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


def is_right_alone(wrong: Sequence[WrongEncoding], document: Document, load: Load, *, in_text: bool) -> bool:
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


def _before_model(
    wrong: Sequence[WrongEncoding], steps: Sequence[Step], document: Document, load: Load
) -> Place | None:
    """Return which part before the model is to blame; ``None`` where there is none, or it is not shown.

    It is the added tokens if the tokenizer without them gives what is expected between them, and the normalizer if all
    else gives what is expected of the normalized texts. Where these are not known, they are asked for.
    """
    if document.get("added_tokens"):
        between = dict(pair for each in wrong for pair in _between_added_tokens(each, document))
        if any(each.has_other_ids for each in wrong) and _are_given(between, without(document), load):
            return Place.ADDED_TOKENS
    of_fields = {"normalizer": Place.NORMALIZE, "pre_tokenizer": Place.PRE_TOKENIZE}
    there = [place for field, place in of_fields.items() if document.get(field) is not None]
    if len(there) < len(of_fields):
        return next(iter(there), None)
    normalized = _normalized([each.text for each in wrong], steps, document, load)
    if normalized is None:
        return None
    texts = {text: _Tokens(each.expected.ids) for text, each in zip(normalized, wrong, strict=True)}
    return Place.NORMALIZE if _are_given(texts, without(document, "normalizer"), load) else Place.PRE_TOKENIZE


def _normalized(texts: Sequence[str], steps: Sequence[Step], document: Document, load: Load) -> list[str] | None:
    """Return what ``texts`` are normalized to: what is expected, or else what is answered; ``None`` if not all are."""
    known: dict[Observation, object] = {
        step.observation: step.expected
        for step in steps
        if isinstance(step, Observed) and isinstance(step.observation, Normalize)
    }
    asked = [Normalize(text) for text in texts]
    if any(each not in known for each in asked):
        try:
            subject = load(document)
        except CannotLoadError:
            return None
        known = {**dict(zip(asked, observe_all(subject, asked), strict=True)), **known}
    found = [answer.text for answer in map(known.__getitem__, asked) if isinstance(answer, Text)]
    return found if len(found) == len(asked) else None


def _between_added_tokens(wrong: WrongEncoding, document: Document) -> Iterator[tuple[str, _Tokens]]:
    """Yield what stands between the expected added tokens, each with the ids that are expected of it."""
    of_model = _ids_of_model(document)
    expected = wrong.expected
    done = 0
    ids: list[int] = []
    for id_, (start, end) in zip(expected.ids, expected.offsets or (), strict=True):
        if id_ in of_model:
            ids.append(id_)
            continue
        yield wrong.text[done:start], _Tokens(tuple(ids))
        done, ids = end, []
    yield wrong.text[done:], _Tokens(tuple(ids))


def without(document: Document, *components: str) -> Document:
    """Return ``document`` without added tokens, these ``components`` and what follows the model."""
    return {**document, **AROUND, **dict.fromkeys(components)}


class _Tokens(NamedTuple):
    """Ids, and the tokens and offsets that belong to them, where these are known."""

    ids: tuple[int, ...]
    tokens: tuple[str, ...] | None = None
    offsets: tuple[tuple[int, int], ...] | None = None

    def are_those_of(self, answer: Outcome) -> bool:
        """Return whether ``answer`` has these ids and, as far as both are known, these tokens and offsets."""
        if not isinstance(answer, Encoded) or answer.ids != self.ids:
            return False
        columns = ((self.tokens, answer.tokens), (self.offsets, answer.offsets))
        return all(ours is None or theirs is None or ours == theirs for ours, theirs in columns)


def _are_given(expected: Mapping[str, _Tokens], document: Document, load: Load) -> bool:
    """Return whether a tokenizer gives the ``expected`` tokens of each text."""
    try:
        subject = load(document)
    except CannotLoadError:
        return False
    answers = observe_all(subject, [Encode(text, add_special_tokens=False) for text in expected])
    return all(tokens.are_those_of(answer) for tokens, answer in zip(expected.values(), answers, strict=True))


def _spelled(wrong: WrongEncoding, document: Document, *, in_text: bool) -> dict[str, _Tokens] | None:
    """Return the pieces that the expected tokens spell, each with these; ``None`` where they spell none.

    Added tokens, which are pieces of their own, are left out, and words that the answer has as well.
    """
    expected = wrong.expected
    if expected.tokens is None or expected.word_ids is None or expected.offsets is None:
        return None
    answered = frozenset(_by_words(wrong.answered)) if wrong.answered is not None else frozenset()
    model = document["model"]
    of_model = _ids_of_model(document)
    shows_offsets = wrong.answered is not None and wrong.answered.offsets is not None
    pieces: dict[str, _Tokens] = {}
    for word in _by_words(expected):
        tokens, ids, offsets = zip(*word, strict=True)
        if word in answered or _others(ids, of_model):
            continue
        parts = _parts(tokens, model)
        piece = "".join(parts)
        if any(_spells_nothing(token, model) for token in tokens):
            return None
        if in_text and wrong.text[offsets[0][0] : offsets[-1][1]] != piece:
            return None
        ends = list(accumulate(map(len, parts)))
        pieces[piece] = _Tokens(ids, tokens, tuple(pairwise([0, *ends])) if shows_offsets else None)
    return pieces


def _by_words(encoded: Encoded) -> Iterator[tuple[tuple[str, int, tuple[int, int]], ...]]:
    """Yield the token, the id and the offsets of each token of a word, by words; nothing where one is not shown."""
    if encoded.word_ids is None or encoded.tokens is None or encoded.offsets is None:
        return
    columns = zip(encoded.word_ids, encoded.tokens, encoded.ids, encoded.offsets, strict=True)
    for _, word in groupby(columns, key=lambda column: column[0]):
        yield tuple((token, id_, offsets) for _, token, id_, offsets in word)


def _spells_nothing(token: str, model: Mapping[str, Any]) -> bool:
    return token == model.get("unk_token") or (token.startswith("<0x") and bool(model.get("byte_fallback")))


def _parts(tokens: Sequence[str], model: Mapping[str, Any]) -> list[str]:
    """Return what ``tokens`` spell, without the prefix and the suffix that ``model`` looks them up with."""
    prefix, suffix = (model.get(name) or "" for name in ("continuing_subword_prefix", "end_of_word_suffix"))
    *others, last = [tokens[0], *(token.removeprefix(prefix) for token in tokens[1:])]
    return [*others, last.removesuffix(suffix)]
