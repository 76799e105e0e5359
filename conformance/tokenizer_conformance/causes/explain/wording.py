"""All sections of an explanation, and its last words, for every report that people read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.causes.explain.model_lines import model_section
from tokenizer_conformance.causes.explain.text_lines import text_sections
from tokenizer_conformance.causes.explain.token_lines import token_sections
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.results.titles import text_in_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.causes.explain.events import ExplanationFinished, ExplanationStarted, TextTraced
    from tokenizer_conformance.causes.explain.plan import Limits
    from tokenizer_conformance.causes.explain.section import Section


def trace_sections(event: TextTraced, limits: Limits, width: int) -> list[Section]:
    """Return the way of the text in sections, laid out for ``width`` cells."""
    sections: list[Section] = []
    for number in range(len(event.trace.texts)):
        focus = event.focus if event.in_pair is (number == 1) else 0
        sections += text_sections(event.trace, number, focus, limits, width)
        sections.append(model_section(event.trace, number, focus, limits, width))
    return [*sections, *token_sections(event.trace, event.focus, limits, width)]


def texts_of(event: ExplanationStarted) -> tuple[str, ...]:
    """Return the text, and its pair where there is one."""
    return tuple(each for each in (event.question.text, event.question.pair) if isinstance(each, str))


def title_of(texts: Sequence[str], tokenizer: str) -> str:
    """Say whose way is told: that of the first of the ``texts``, where any came to be traced."""
    return f"The way of {text_in_title(texts[0]) if texts else 'a text'} through {tokenizer}"


def ending(event: ExplanationFinished, compared: int) -> str:
    """Return the last words; ``compared`` is the number of implementations that were asked."""
    match event.conclusion:
        case Conclusion.CONFORM:
            said = "no difference" if compared else "nobody was compared"
        case Conclusion.DIFFERENCES:
            said = f"differs: {', '.join(event.differing)}"
        case Conclusion.INTERRUPTED:
            said = "interrupted"
        case other:
            said = "; differs: ".join([other, *([", ".join(event.differing)] if event.differing else [])])
    return said
