"""Every invariant in one table: what must hold, on which answers it is checked, and how.

A check says on how many things it has looked, and what is wrong with them, or raises ``CannotCheckError`` where it can
look at none. What looked at nothing has shown nothing: it is counted apart, and never as a success.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tokenizer_adapters.contract import Encode, EncodeBatch, Field, Pieces, PreTokenize
from tokenizer_conformance.research.offsets_audit import (
    content,
    coverage,
    lists,
    padding,
    pieces,
    spans,
    special_tokens,
    truncation,
    words,
)
from tokenizer_conformance.research.offsets_audit.case import CannotCheckError, Case, Looked, SeenEncoding, Violation
from tokenizer_conformance.research.offsets_audit.loading import BARE, Setting

if TYPE_CHECKING:
    from tokenizer_conformance.research.offsets_audit.tokenizer_view import TokenizerView

Check = Callable[[Case], Iterator[Looked]]


@dataclass(frozen=True, slots=True)
class Look:
    """How an invariant is checked: on ``answers`` that have the fields that it ``needs``, by a ``check``."""

    answers: Answers
    check: Check
    needs: frozenset[Field]


@dataclass(frozen=True, slots=True)
class Answers:
    """Which answers an invariant is ``about``; all of them have to have the ``field``.

    ``compares``: what is checked is compared with another answer about the same text, or about a part of it.
    """

    about: Callable[[Case], bool]
    compares: bool = True
    field: Field = Field.IDS

    def whole(self, check: Check, *needs: Field) -> Look:
        """Check each answer as a whole; it has to have the fields that the check ``needs``, too."""
        return Look(self, check, frozenset({self.field, *needs}))

    def each(self, check: Callable[[SeenEncoding, TokenizerView], Iterator[Looked]], *needs: Field) -> Look:
        """Check each encoding of each answer."""

        def check_all(case: Case) -> Iterator[Looked]:
            things, violations = 0, tuple[Violation, ...]()
            reason = "there is no encoding"
            for seen in case.seen:
                try:
                    more, wrong = _counted(check(seen, case.view))
                except CannotCheckError as error:
                    reason = str(error)
                else:
                    things, violations = things + more, violations + wrong
            if not things and not violations:
                raise CannotCheckError(reason)
            yield things
            yield from violations

        return self.whole(check_all, *needs)


def _counted(looked: Iterator[Looked]) -> tuple[int, tuple[Violation, ...]]:
    """Return on how many things a check has looked, and what is wrong with them."""
    things, violations = 0, []
    for each in looked:
        if isinstance(each, Violation):
            violations.append(each)
        else:
            things += each
    return things, tuple(violations)


@dataclass(frozen=True, slots=True)
class Invariant:
    """What must hold. ``id`` is for ever; ``sentence`` says all of it, with what it allows.

    ``severity`` says what a violation does to somebody who relies on offsets, masks or indices.
    """

    id: str
    sentence: str
    look: Look
    severity: Literal["error", "warning"] = "error"

    def __reduce__(self) -> tuple[Callable[[str], Invariant], tuple[str]]:
        """Have another process find it in its own table."""
        return invariant_called, (self.id,)


# Which answers -------------------------------------------------------------------------------------------------------


def _encodings(which: Callable[[Encode, Setting], bool], *, compares: bool = True) -> Answers:
    """Return the answers about one text or pair that ``which`` says."""
    return Answers(lambda case: isinstance(case.question, Encode) and which(case.question, case.setting), compares)


ENCODINGS = Answers(lambda case: isinstance(case.question, Encode | EncodeBatch), compares=False)
UNPADDED = Answers(lambda case: ENCODINGS.about(case) and case.setting.padding is None, compares=False)
PADDED = Answers(lambda case: ENCODINGS.about(case) and case.setting.padding is not None)
BATCHES = Answers(lambda case: isinstance(case.question, EncodeBatch) and case.setting == BARE)
PIECES = Answers(lambda case: isinstance(case.question, PreTokenize), compares=False, field=Field.PIECES)
BARE_ONES = _encodings(lambda _, setting: setting == BARE)
SINGLE = _encodings(lambda question, setting: setting == BARE and question.pair is None)
WORDS = _encodings(lambda question, setting: setting == BARE and question.is_pretokenized)
WITH_SPECIAL = _encodings(lambda question, setting: setting == BARE and question.add_special_tokens)
PAIR_PLAIN = _encodings(
    lambda question, setting: setting == BARE and question.pair is not None and not question.add_special_tokens
)
TEXT_ALONE = _encodings(lambda question, setting: _is_alone(question, setting) and not question.is_pretokenized)
WORDS_ALONE = _encodings(lambda question, setting: _is_alone(question, setting) and question.is_pretokenized)
CUT = _encodings(lambda _, setting: setting.truncation is not None, compares=False)
CUT_SINGLE = _encodings(lambda question, setting: setting.truncation is not None and question.pair is None)


def _is_alone(question: Encode, setting: Setting) -> bool:
    return setting == BARE and question.pair is None and not question.add_special_tokens


# The table -----------------------------------------------------------------------------------------------------------

TABLE: Mapping[str, tuple[Invariant, ...]] = {
    "lists and ids": (
        Invariant(
            "lists.one-length",
            "All lists of an encoding have as many entries as there are ids.",
            ENCODINGS.each(lists.one_length),
        ),
        Invariant(
            "ids.in-vocabulary",
            "Every id is one of the vocabulary, added tokens included.",
            ENCODINGS.each(lists.in_vocabulary),
        ),
        Invariant(
            "ids.one-token",
            "A token is the one that the vocabulary has for its id. Of an added token it may be the text that it "
            "matched, with white space; of the unknown token it may be the text that it stands for.",
            ENCODINGS.each(lists.one_token, Field.TOKENS),
        ),
        Invariant(
            "masks.values",
            "Masks consist of zeros and ones; type ids, word ids and sequence ids are not negative.",
            ENCODINGS.each(lists.mask_values),
        ),
    ),
    "spans": (
        Invariant(
            "spans.in-text",
            "Every span begins and ends inside the text of its token, in the unit that the implementation declares, "
            "not before it begins, and on boundaries of characters. Inside a character it may begin or end only "
            "where another token has the rest of it, or where truncation has taken that one away.",
            ENCODINGS.each(spans.in_text, Field.OFFSETS),
        ),
        Invariant(
            "spans.in-order",
            "From token to token of a text, spans do not go back: no start and no end is less than the one before. "
            "Empty spans of tokens that stand for white space alone are left out.",
            ENCODINGS.each(spans.in_order, Field.OFFSETS),
        ),
        Invariant(
            "spans.overlap",
            "Neighbours share no character, but for one of which each has a part: a character of several bytes, one "
            "that is normalized to several, several that are normalized together, or the first one after a space "
            "that was put there.",
            ENCODINGS.each(spans.overlap, Field.OFFSETS),
        ),
        Invariant(
            "spans.not-empty",
            "A token that stands for something in the text has a span that is not empty. White space that was put "
            "there or taken out of the span stands for nothing.",
            ENCODINGS.each(spans.not_empty, Field.OFFSETS),
        ),
        Invariant(
            "spans.special-empty",
            "A token that a post-processor or padding added has an empty span.",
            ENCODINGS.each(spans.special_empty, Field.OFFSETS, Field.SPECIAL_TOKENS_MASK),
            severity="warning",
        ),
    ),
    "content": (
        Invariant(
            "content.slice",
            "What stands in the span of a token is normalized to what the token stands for. Allowed, and checked: it "
            "has a part of a character; white space was trimmed or put before; it is unknown, and so is the slice; "
            "it is an added token; the slice is normalized together with its neighbours.",
            SINGLE.each(content.slice_content, Field.OFFSETS),
        ),
        Invariant(
            "coverage.text",
            "Every character is in the span of a token, but for those that the tokenizer takes out: alone they give "
            "no token, or the text without them gives the same ids, or they are white space that was trimmed from "
            "the span of a token that has it, or that stands beside other white space.",
            SINGLE.each(coverage.coverage, Field.OFFSETS),
        ),
    ),
    "words": (
        Invariant(
            "words.in-order",
            "From token to token of a text, word ids do not decrease: tokens of one word stand together. A token has "
            "none exactly where a post-processor or padding added it.",
            ENCODINGS.each(words.in_order, Field.WORD_IDS),
        ),
        Invariant(
            "words.pieces",
            "The tokens of word n, joined, are piece n of the pre-tokenizer (asked about the normalized text), and "
            "their spans lie in the span of that piece, where the text is its own normalization. Texts with added "
            "tokens are left out.",
            TEXT_ALONE.each(words.of_pieces, Field.WORD_IDS),
        ),
        Invariant(
            "words.given",
            "Where the input comes as words, word ids are indices of these, and every word that alone gives tokens "
            "has one.",
            WORDS.each(words.given, Field.WORD_IDS),
        ),
        Invariant(
            "words.alone",
            "Where the input comes as words, each has the ids and the spans that it has alone: spans count from its "
            "beginning.",
            WORDS_ALONE.whole(words.alone, Field.WORD_IDS),
        ),
    ),
    "special tokens": (
        Invariant(
            "special.template",
            "With special tokens, ids are those of the texts without them, with the special tokens that the file's "
            "post-processor puts around and between.",
            WITH_SPECIAL.whole(special_tokens.template),
        ),
        Invariant(
            "special.remainder",
            "A token has the same text, span and word id with special tokens around it as without.",
            WITH_SPECIAL.whole(special_tokens.remainder),
        ),
        Invariant(
            "special.mask",
            "The special tokens mask is 1 exactly on what the post-processor or padding has added, and 0 on special "
            "tokens that stand in the text.",
            BARE_ONES.whole(special_tokens.mask, Field.SPECIAL_TOKENS_MASK),
        ),
        Invariant(
            "special.type-ids",
            "Type ids are those of the post-processor's template; without special tokens they are 0 for the first "
            "text and 1 for the second, or those of the template.",
            BARE_ONES.whole(special_tokens.type_ids, Field.TYPE_IDS),
        ),
        Invariant(
            "special.sequence-ids",
            "Sequence ids are 0 on tokens of the first text, 1 on those of the second, and none on what was added.",
            ENCODINGS.each(special_tokens.sequence_ids, Field.SEQUENCE_IDS),
        ),
        Invariant(
            "special.attention",
            "Where nothing is padded, the attention mask is 1 on every token.",
            UNPADDED.each(special_tokens.attention, Field.ATTENTION_MASK),
        ),
    ),
    "pairs and batches": (
        Invariant(
            "pairs.parts",
            "Without special tokens, a pair is its texts one after the other, in the order of the post-processor's "
            "template, each with the tokens, spans and word ids that it has alone.",
            PAIR_PLAIN.whole(special_tokens.pair_parts),
        ),
        Invariant(
            "batches.single",
            "Each encoding of a batch is what its input gives alone, in all lists, where nothing is padded.",
            BATCHES.whole(padding.batch),
        ),
    ),
    "pieces": (
        Invariant(
            "pieces.in-order",
            "Pieces stand in the text, one after the other, and share no character; a space that was put before a "
            "text may have the span of its first character.",
            PIECES.whole(pieces.in_order),
        ),
        Invariant(
            "pieces.content",
            "What stands in the span of a piece is what the piece says, in the alphabet that the pre-tokenizer "
            "writes, white space that was put before it aside.",
            PIECES.whole(pieces.content),
        ),
        Invariant(
            "pieces.coverage",
            "Every character is in a piece, but for those that the pre-tokenizer takes out: alone they give no "
            "piece, or it is white space.",
            PIECES.whole(pieces.coverage),
        ),
    ),
    "truncation": (
        Invariant(
            "truncation.length",
            "No encoding is longer than max_length, and what was cut off is not either.",
            CUT.whole(truncation.length),
        ),
        Invariant(
            "truncation.stride",
            "Of a truncated text, each window but the last is as long as it may be, and the next one begins with as "
            "many of its tokens as the stride says (ends with them, where texts are cut on the left).",
            CUT_SINGLE.whole(truncation.stride, Field.OVERFLOWING),
        ),
        Invariant(
            "truncation.union",
            "The windows of a truncated text, joined without what they share, are the text as it is not truncated: "
            "the same ids and spans.",
            CUT_SINGLE.whole(truncation.union, Field.OVERFLOWING),
        ),
        Invariant(
            "truncation.kept",
            "What is kept of a text is its beginning as it is not truncated (its end, where it is cut on the left): "
            "the same ids, spans and word ids.",
            CUT_SINGLE.whole(truncation.kept),
        ),
    ),
    "padding": (
        Invariant(
            "padding.length",
            "A padded encoding is as long as the file says: a number of tokens, or as many as the longest of its "
            "batch has; one that is longer without padding stays as it is.",
            PADDED.whole(padding.length),
        ),
        Invariant(
            "padding.rest",
            "Without the padding, a padded encoding is what it is unpadded, in all lists.",
            PADDED.whole(padding.rest),
        ),
        Invariant(
            "padding.pads",
            "What is padded with has the declared id, token and type id, the attention mask 0 and the special tokens "
            "mask 1, an empty span, and belongs to no word and no sequence.",
            PADDED.whole(padding.pads),
        ),
        Invariant(
            "padding.attention",
            "The attention mask is 0 exactly on the padding.",
            PADDED.whole(padding.attention, Field.ATTENTION_MASK),
        ),
    ),
}
"""All invariants by what they are about, in the order in which reports have them."""

INVARIANTS: tuple[Invariant, ...] = tuple(each for rows in TABLE.values() for each in rows)


def invariant_called(id: str) -> Invariant:
    """Return the invariant with this id."""
    return next(each for each in INVARIANTS if each.id == id)


# Judging -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of an invariant for an answer: how many ``things`` it looked at, and what is wrong with them.

    ``why_not`` says why it could not be checked; it is empty where it was.
    """

    invariant: Invariant
    things: int = 0
    violations: tuple[Violation, ...] = ()
    why_not: str = ""


def judged(case: Case, only: str | None = None) -> list[Verdict]:
    """Return the outcome of every invariant that is about the answer, or the one whose id is ``only``."""
    rows = (each for each in INVARIANTS if only in (None, each.id))
    return [_verdict(each, case) for each in rows if each.look.answers.about(case)]


def _verdict(invariant: Invariant, case: Case) -> Verdict:
    try:
        _must_have(invariant, case)
        return Verdict(invariant, *_counted(invariant.look.check(case)))
    except CannotCheckError as error:
        return Verdict(invariant, why_not=str(error))


def _must_have(invariant: Invariant, case: Case) -> None:
    """Raise :class:`CannotCheckError` where the answer lacks what is needed, or where comparing it says nothing."""
    if isinstance(case.answer, Pieces):
        return
    if invariant.look.answers.compares and case.view.rules.is_random:
        raise CannotCheckError("its model cuts words at random (dropout)")
    lacking = {field for field in invariant.look.needs for seen in case.seen[:1] if not seen.shows(field)}
    if lacking:
        raise CannotCheckError(f"it shows no {', '.join(field for field in Field if field in lacking)}")
