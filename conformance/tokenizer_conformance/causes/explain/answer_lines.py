"""The answers of an implementation beside those of the baseline, and the blame, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import PreTokenize, stage_of
from tokenizer_conformance.causes.explain.section import Section, span_words, tokens_words
from tokenizer_conformance.command_io.visible import visible
from tokenizer_conformance.command_io.wrapping import stacked, wrapped
from tokenizer_conformance.comparison.blame import BUILDS_ON
from tokenizer_conformance.comparison.wording import VERDICT_WORDS, aligned, describe, window
from tokenizer_conformance.escape import one_line, quoted

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.causes.explain.events import Asked, Blame, ImplementationAnswered, MergeParting
    from tokenizer_conformance.comparison.differences import Difference

SHOWN_FIELDS = 3
"""How many of the fields that differ are named beside a question."""


def answer_section(event: ImplementationAnswered, baseline: str, texts: tuple[str, ...], width: int) -> Section:
    """Return the lines that tell ``event``, laid out for ``width`` cells; ``texts`` are the text and its pair."""
    name = one_line(event.info.name)
    title = f"{name} beside {one_line(baseline)}"
    if event.refusal is not None:
        return Section(title, tuple(wrapped(f"  {one_line(event.refusal)}", width, 4)))
    lines = stacked(aligned([_row(each, texts) for each in event.asked]), width)
    for each in event.asked:
        if each.comparison.differences and not _follows(each.question, event.blame):
            lines += ["", *_difference(each, texts, baseline, name, width)]
    if event.blame is not None:
        lines += ["", *_blame_lines(event.blame, baseline, name, width)]
    elif any(each.comparison.differences for each in event.asked):
        lines += ["", "  no difference stayed when it was asked again, so none is blamed"]
    return Section(title, tuple(lines))


def _row(asked: Asked, texts: tuple[str, ...]) -> list[str]:
    """Return the result of a question: its verdict, its words, and the fields that differ."""
    fields = list(dict.fromkeys(str(each.field) for each in asked.comparison.differences if each.field is not None))
    more = [f"{len(fields) - SHOWN_FIELDS} more"] if len(fields) > SHOWN_FIELDS else []
    verdict = VERDICT_WORDS[asked.comparison.verdict]
    return [f"  {verdict}", _question_words(asked.question, texts), ", ".join([*fields[:SHOWN_FIELDS], *more])]


def _follows(question: Observation, blame: Blame | None) -> bool:
    """Return whether a difference there may be no more than a consequence of the one that is blamed."""
    return (
        blame is not None
        and question != blame.witness.question
        and (blame.witness.stage in BUILDS_ON[stage_of(question)] or stage_of(question) is blame.witness.stage)
    )


def _question_words(question: Observation, texts: tuple[str, ...]) -> str:
    words = describe(question)
    alone = getattr(question, "text", None)
    if isinstance(question, PreTokenize) and alone not in texts:
        words += ", of the normalized text"
    if len(texts) > 1 and isinstance(alone, str) and getattr(question, "pair", None) is None and alone in texts:
        words += f", of text {texts.index(alone) + 1}"
    return words


def _difference(asked: Asked, texts: tuple[str, ...], baseline: str, name: str, width: int) -> list[str]:
    """Return both sides of the first difference of an answer."""
    difference = asked.comparison.differences[0]
    head = f"  {_question_words(asked.question, texts)}: {_difference_words(difference)}"
    return [*wrapped(head, width, 4), *stacked(window(difference, baseline, name), width, 2)]


def _difference_words(difference: Difference) -> str:
    where = "" if difference.field is None else f"{difference.field}: "
    at = "" if difference.position is None else f", first at {difference.position}"
    part = "" if difference.part is None else f" ({difference.part})"
    return f"{where}{difference.kind}{at}{part}"


def _blame_lines(blame: Blame, baseline: str, name: str, width: int) -> list[str]:
    witness = blame.witness
    field = f", field {witness.difference.field}" if witness.difference.field is not None else ""
    place = "" if blame.place is None else f", {one_line(blame.place)}"
    word = "" if blame.word is None else f", in the word {span_words(blame.word.span)} {quoted(blame.word.text)}"
    lines = wrapped(f"  they part first at stage {witness.stage}{place}{field}{word}", width, 4)
    lines += wrapped(f"  {one_line(blame.how)}", width, 4)
    if blame.merge is not None:
        lines += _merge_lines(blame.merge, baseline, name, width)
    return lines


def _merge_lines(merge: MergeParting, baseline: str, name: str, width: int) -> list[str]:
    if merge.rank is None:
        told = f"  of {merge.total:,} merges none is to blame: both differ without any"
    else:
        left, right = map(visible, merge.pair)
        told = (
            f"  with the merges before rank {merge.rank} alone both agree; with rank {merge.rank}, {left} + {right}, "
            f"they part (of {merge.total:,} merges):"
        )
    rows = [
        [f"    {one_line(who)}", tokens_words(tokens)]
        for who, tokens in ((baseline, merge.expected), (name, merge.actual))
    ]
    return [*wrapped(told, width, 4), *stacked(aligned(rows), width, 2)]
