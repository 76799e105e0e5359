"""Every invariant in one table: which one is checked on which answers, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encode, EncodeBatch, Field, Pieces, PreTokenize
from tokenizer_conformance.research.offsets_audit import (
    content,
    coverage,
    lists,
    padding,
    pairs,
    pieces,
    spans,
    special_tokens,
    truncation,
    words,
)
from tokenizer_conformance.research.offsets_audit.invariant import (
    Checked,
    Invariant,
    JudgedInvariant,
    Unchecked,
    Violation,
)
from tokenizer_conformance.research.offsets_audit.settings import BARE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.research.offsets_audit.case import Case
    from tokenizer_conformance.research.offsets_audit.encoding import SeenEncoding
    from tokenizer_conformance.research.offsets_audit.invariant import Verdict
    from tokenizer_conformance.research.offsets_audit.tokenizer_view import TokenizerView


@dataclass(frozen=True, slots=True)
class Row:
    """An invariant, the answers that it is ``about``, and its ``check``.

    ``compares``: what is checked is compared with another answer about the same text, or about a part of it.
    """

    invariant: Invariant
    about: Callable[[Case], bool]
    check: Callable[[Case], Verdict]
    compares: bool = False


RANDOM = Unchecked("its model cuts words at random (dropout)")
"""Why nothing is said where two answers about a text are compared, and the model cuts it anew for each."""


def of_each(check: Callable[[SeenEncoding, TokenizerView], Verdict]) -> Callable[[Case], Verdict]:
    """Return the check of an answer that has each of its encodings checked."""

    def check_all(case: Case) -> Verdict:
        count = 0
        violations: list[Violation] = []
        reason = "there is no encoding"
        for seen in case.seen:
            verdict = check(seen, case.view)
            if isinstance(verdict, Unchecked):
                reason = verdict.reason
            else:
                count += verdict.count
                violations += verdict.violations
        return Checked(count, tuple(violations)) if count or violations else Unchecked(reason)

    return check_all


# Which answers -------------------------------------------------------------------------------------------------------


def _any_encoding(case: Case) -> bool:
    return isinstance(case.question, Encode | EncodeBatch)


def _bare(case: Case) -> bool:
    return isinstance(case.question, Encode) and case.setting == BARE


def _single(case: Case) -> bool:
    return _bare(case) and isinstance(case.question, Encode) and case.question.pair is None


def _single_plain(case: Case) -> bool:
    return _single(case) and isinstance(case.question, Encode) and not case.question.add_special_tokens


def _text_alone(case: Case) -> bool:
    return _single_plain(case) and isinstance(case.question, Encode) and not case.question.is_pretokenized


def _words(case: Case) -> bool:
    return _bare(case) and isinstance(case.question, Encode) and case.question.is_pretokenized


def _words_alone(case: Case) -> bool:
    return _words(case) and _single_plain(case)


def _with_special(case: Case) -> bool:
    return _bare(case) and isinstance(case.question, Encode) and case.question.add_special_tokens


def _pair_plain(case: Case) -> bool:
    question = case.question
    return (
        _bare(case) and isinstance(question, Encode) and question.pair is not None and not question.add_special_tokens
    )


def _unpadded(case: Case) -> bool:
    return _any_encoding(case) and case.setting.padding is None


def _batch(case: Case) -> bool:
    return isinstance(case.question, EncodeBatch) and case.setting == BARE


def _pieces(case: Case) -> bool:
    return isinstance(case.question, PreTokenize)


def _cut(case: Case) -> bool:
    return isinstance(case.question, Encode) and case.setting.truncation is not None


def _cut_single(case: Case) -> bool:
    return _cut(case) and isinstance(case.question, Encode) and case.question.pair is None


def _padded(case: Case) -> bool:
    return _any_encoding(case) and case.setting.padding is not None


# The table -----------------------------------------------------------------------------------------------------------

ROWS: tuple[Row, ...] = (
    Row(lists.ONE_LENGTH, _any_encoding, of_each(lists.one_length)),
    Row(lists.IN_VOCABULARY, _any_encoding, of_each(lists.in_vocabulary)),
    Row(lists.ONE_TOKEN, _any_encoding, of_each(lists.one_token)),
    Row(lists.MASK_VALUES, _any_encoding, of_each(lists.mask_values)),
    Row(spans.IN_TEXT, _any_encoding, of_each(spans.in_text)),
    Row(spans.IN_ORDER, _any_encoding, of_each(spans.in_order)),
    Row(spans.OVERLAP, _any_encoding, of_each(spans.overlap)),
    Row(spans.NOT_EMPTY, _any_encoding, of_each(spans.not_empty)),
    Row(spans.SPECIAL_EMPTY, _any_encoding, of_each(spans.special_empty)),
    Row(content.SLICE, _single, of_each(content.slice_content), compares=True),
    Row(coverage.COVERAGE, _single, of_each(coverage.coverage), compares=True),
    Row(words.IN_ORDER, _any_encoding, of_each(words.in_order)),
    Row(words.OF_PIECES, _text_alone, of_each(words.of_pieces), compares=True),
    Row(words.GIVEN, _words, of_each(words.given), compares=True),
    Row(words.ALONE, _words_alone, words.alone, compares=True),
    Row(special_tokens.TEMPLATE, _with_special, special_tokens.template, compares=True),
    Row(special_tokens.REMAINDER, _with_special, special_tokens.remainder, compares=True),
    Row(special_tokens.MASK, _bare, special_tokens.mask, compares=True),
    Row(special_tokens.TYPE_IDS, _bare, special_tokens.type_ids, compares=True),
    Row(special_tokens.SEQUENCE_IDS, _any_encoding, of_each(special_tokens.sequence_ids)),
    Row(special_tokens.ATTENTION, _unpadded, of_each(special_tokens.attention)),
    Row(pairs.PARTS, _pair_plain, pairs.parts, compares=True),
    Row(pairs.BATCH, _batch, pairs.batch, compares=True),
    Row(pieces.IN_ORDER, _pieces, pieces.in_order),
    Row(pieces.CONTENT, _pieces, pieces.content),
    Row(pieces.COVERAGE, _pieces, pieces.coverage),
    Row(truncation.LENGTH, _cut, truncation.length),
    Row(truncation.STRIDE, _cut_single, truncation.stride, compares=True),
    Row(truncation.UNION, _cut_single, truncation.union, compares=True),
    Row(truncation.KEPT, _cut_single, truncation.kept, compares=True),
    Row(padding.LENGTH, _padded, padding.length, compares=True),
    Row(padding.REST, _padded, padding.rest, compares=True),
    Row(padding.PADS, _padded, padding.pads, compares=True),
    Row(padding.MASK, _padded, padding.attention, compares=True),
)

INVARIANTS: tuple[Invariant, ...] = tuple(row.invariant for row in ROWS)
"""All of them, in the order in which reports have them."""


def judged(case: Case, only: str | None = None) -> list[JudgedInvariant]:
    """Return the outcome of every invariant that is about the answer, or the one whose id is ``only``."""
    rows = [row for row in ROWS if only in (None, row.invariant.id)]
    return [JudgedInvariant(row.invariant, _checked(row, case)) for row in rows if row.about(case)]


def _checked(row: Row, case: Case) -> Verdict:
    if isinstance(case.answer, Pieces):
        return row.check(case)
    if row.compares and case.view.rules.is_random:
        return RANDOM
    lacking = {field for field in row.invariant.needs for seen in case.seen[:1] if not seen.shows(field)}
    if lacking:
        return Unchecked(f"it shows no {', '.join(field for field in Field if field in lacking)}")
    return row.check(case)
