"""The answers of an implementation beside those of the baseline, and the blame, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import PreTokenize
from tokenizer_conformance.comparing.wording import VERDICT_WORDS, aligned, describe, window
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.explain.section import Section, tokens_words
from tokenizer_conformance.explain.visible import visible
from tokenizer_conformance.session.wrapping import stacked, wrapped

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.comparing.comparison import Difference
    from tokenizer_conformance.explain.events import Asked, Blame, ImplementationAnswered, MergeParting

LISTED_FIELDS = 3
"""How many of the differences of one answer are shown."""


def answer_section(event: ImplementationAnswered, baseline: str, texts: tuple[str, ...], width: int) -> Section:
    """Return what ``event`` comes to, laid out for ``width`` cells; ``texts`` are the text and its pair."""
    name = one_line(event.info.name)
    title = f"{name} beside {one_line(baseline)}"
    if event.refusal is not None:
        return Section(title, tuple(wrapped(f"  {one_line(event.refusal)}", width, 4)))
    lines = aligned(
        [[f"  {VERDICT_WORDS[each.comparison.verdict]}", _question_words(each.question, texts)] for each in event.asked]
    )
    for each in event.asked:
        lines += _differences(each, texts, baseline, name, width)
    if event.blame is not None:
        lines += ["", *_blame_lines(event.blame, baseline, name, texts, width)]
    elif any(each.comparison.differences for each in event.asked):
        lines += ["", "  no difference stayed when it was asked again, so none is blamed"]
    return Section(title, tuple(lines))


def _question_words(question: Observation, texts: tuple[str, ...]) -> str:
    words = describe(question)
    alone = getattr(question, "text", None)
    if isinstance(question, PreTokenize) and alone not in texts:
        words += ", of the normalized text"
    if len(texts) > 1 and isinstance(alone, str) and getattr(question, "pair", None) is None and alone in texts:
        words += f", of text {texts.index(alone) + 1}"
    return words


def _differences(asked: Asked, texts: tuple[str, ...], baseline: str, name: str, width: int) -> list[str]:
    lines: list[str] = []
    for difference in asked.comparison.differences[:LISTED_FIELDS]:
        lines += [
            "",
            *wrapped(f"  {_question_words(asked.question, texts)}: {_difference_words(difference)}", width, 4),
        ]
        lines += stacked(window(difference, baseline, name), width, 2)
    more = [str(each.field) for each in asked.comparison.differences[LISTED_FIELDS:]]
    return [*lines, f"  and in {', '.join(more)}"] if more else lines


def _difference_words(difference: Difference) -> str:
    where = "" if difference.field is None else f"{difference.field}: "
    at = "" if difference.position is None else f", first at {difference.position}"
    part = "" if difference.part is None else f" ({difference.part})"
    return f"{where}{difference.kind}{at}{part}"


def _blame_lines(blame: Blame, baseline: str, name: str, texts: tuple[str, ...], width: int) -> list[str]:
    witness = blame.witness
    field = f", field {witness.difference.field}" if witness.difference.field is not None else ""
    place = "" if blame.place is None else f", {one_line(blame.place)}"
    asked = f"; seen in: {_question_words(witness.question, texts)}"
    lines = wrapped(f"  they part first at stage {witness.stage}{place}{field}{asked}", width, 4)
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
