"""Worked examples of requirements: a case that tells something and is short, and how it is shown in Markdown.

All text from tokenizers is escaped: texts as literals of Python, members of tokenizer.json as JSON.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import (
    Chunks,
    Encode,
    Encoded,
    EncodedBatch,
    Normalize,
    Pieces,
    PreTokenize,
    Rendered,
    Text,
)
from tokenizer_conformance.command_io.markdown import Markdown, as_cell, as_words
from tokenizer_conformance.comparison.wording import describe, shown_text, subject_lines
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.validation.suite.requirement import (
    FileRefused,
    FileWritten,
    Observed,
    Place,
    RaisesError,
    TextWritten,
    VocabularyShown,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenizer_adapters.contract import Observation, Value
    from tokenizer_conformance.validation.suite.requirement import Area, Case, Document, Requirement, Step

SHORT = 600
"""How many characters an example may have and still be taken before a shorter one that comes later."""
MOST_STEPS = 3
"""How many steps of a case are shown."""
MOST_ITEMS = 16
"""How many tokens, ids or pieces are shown."""
LONGEST_MEMBER = 240
"""How many characters of a member of tokenizer.json are shown, and of what is expected as JSON."""
LONGEST_DOCUMENT = 600
"""How many characters of a tokenizer.json are shown that is not loaded."""

BREAK = Markdown("<br>")

# The columns of an encoding that are shown where they say anything, with what every token has that is nothing special.
_COLUMNS: tuple[tuple[str, int | None], ...] = (
    ("type_ids", 0),
    ("attention_mask", 1),
    ("special_tokens_mask", 0),
    ("sequence_ids", 0),
)


ALL_MEMBERS: tuple[str, ...] = (
    "added_tokens",
    "normalizer",
    "pre_tokenizer",
    "model",
    "post_processor",
    "decoder",
    "truncation",
    "padding",
    "chat_template",
)
"""The members of a tokenizer.json, in the order in which they are at work, and the one of what lies beside it."""


@dataclass(frozen=True, slots=True)
class Member:
    """A member of the example's tokenizer.json, as JSON on one line."""

    name: str
    shown: str


@dataclass(frozen=True, slots=True)
class ExampleStep:
    """One step as cells of a table: what is asked, what about, and what is expected."""

    asked: Markdown
    subject: Markdown
    expected: Markdown

    @property
    def length(self) -> int:
        """The number of characters in the cells."""
        return len(self.asked) + len(self.subject) + len(self.expected)


@dataclass(frozen=True, slots=True)
class Example:
    """A case as it is shown; ``left`` is the number of its steps that are not."""

    members: tuple[Member, ...]
    steps: tuple[ExampleStep, ...]
    left: int
    tells: bool

    @property
    def length(self) -> int:
        """The number of characters that are shown."""
        return sum(len(member.shown) for member in self.members) + sum(step.length for step in self.steps)


# Which ---------------------------------------------------------------------------------------------------------------


def example_of(area: Area, requirement: Requirement, members: Sequence[str]) -> Example | None:
    """Return the example that shows ``requirement``; ``None`` where it has no cases.

    It is the first case that tells something (its text is changed, cut, refused, …) and is short, or else the shortest.
    ``members`` are those of tokenizer.json to show.
    """
    examples = [_example(area, case, members) for case in requirement.cases]
    telling = [example for example in examples if example.tells] or examples
    short = (example for example in telling if example.length <= SHORT)
    return next(short, min(telling, key=lambda example: example.length, default=None))


def _example(area: Area, case: Case, members: Sequence[str]) -> Example:
    shows = Place.MODEL if area.stage is Place.ADDED_TOKENS else area.stage  # no question is about added tokens alone
    steps = [step for step in case.steps if step.place is shows] or list(case.steps)
    shown = sorted(steps, key=_says_nothing)
    if area.stage is Place.NORMALIZE:
        # Offsets show with tokens only.
        shown[MOST_STEPS - 1 : MOST_STEPS - 1] = [step for step in case.steps if step.place is Place.MODEL]
    shown = shown[:MOST_STEPS]
    documents = {**area.tokenizers[case.tokenizer], **area.configurations.get(case.tokenizer, {})}
    return Example(
        members=tuple(_members(documents, members)),
        steps=tuple(map(shown_step, shown)),
        left=len(case.steps) - len(shown),
        tells=not all(map(_says_nothing, steps)),
    )


def _members(document: Document, names: Sequence[str]) -> Iterator[Member]:
    for name in ALL_MEMBERS:
        if name in names and document.get(name):
            yield Member(name, _as_json(document[name], LONGEST_MEMBER))


def _says_nothing(step: Step) -> bool:
    """Return whether ``step`` leaves everything as it was, or has nothing to work on."""
    match step:
        case Observed(Normalize(text), Text(after)):
            return text == after
        case Observed(PreTokenize(text), Pieces(pieces)):
            return pieces in ((), ((text, (0, len(text))),))
        case Observed(_, Text(text)):
            return not text
        case Observed(_, Encoded(ids)):
            return not ids
    return False


# How it is shown -----------------------------------------------------------------------------------------------------


def shown_step(step: Step) -> ExampleStep:
    """Return ``step`` as cells of a table."""
    match step:
        case Observed(observation, expected):
            asked, subject = as_words(describe(observation)), _lines(_subject(observation))
            shown = Markdown("an error") if isinstance(expected, RaisesError) else _lines(_value(expected))
        case VocabularyShown(vocabulary):
            asked, subject, shown = Markdown("vocabulary"), Markdown(""), _json_cell(dict(vocabulary), LONGEST_MEMBER)
        case FileWritten(document):
            asked, subject = Markdown("save"), Markdown("")
            shown = _lines(_labelled(member.name, as_cell(member.shown)) for member in _members(document, ALL_MEMBERS))
        case TextWritten(text):
            asked, subject, shown = Markdown("save"), Markdown(""), _text_cell(one_line(text, LONGEST_DOCUMENT))
        case FileRefused(document):
            asked, subject, shown = Markdown("load"), _json_cell(document, LONGEST_DOCUMENT), Markdown("refused")
    return ExampleStep(asked, subject, shown)


def _lines(lines: Iterable[Markdown]) -> Markdown:
    return Markdown(BREAK.join(lines))


def _subject(observation: Observation) -> Iterator[Markdown]:
    if isinstance(observation, Normalize | PreTokenize | Encode) and getattr(observation, "pair", None) is None:
        yield _text_cell(shown_text(observation.text))
        return
    for line in subject_lines(observation):
        label, _, shown = line.partition("  ")
        yield _labelled(label.strip(), _text_cell(shown.strip()))


def _value(value: Value) -> Iterator[Markdown]:
    match value:
        case Text(text):
            yield _text_cell(shown_text(text))
        case Pieces(pieces):
            yield _items(f"{shown_text(text)} {_range(span)}".strip() for text, span in pieces)
        case Chunks(chunks):
            yield _items("nothing" if chunk is None else shown_text(chunk) for chunk in chunks)
        case Rendered(text, ids):
            yield _labelled("text", _text_cell(shown_text(text)))
            if ids is not None:
                yield _labelled("ids", _items(map(str, ids)))
        case EncodedBatch(encodings):
            for number, encoding in enumerate(encodings, 1):
                yield _labelled(f"{number}.", _lines(_encoding(encoding)))
        case Encoded():
            yield from _encoding(value)


def _encoding(encoding: Encoded) -> Iterator[Markdown]:
    if not encoding.ids:
        yield Markdown("no tokens")
        return
    yield _labelled("ids", _items(map(str, encoding.ids)))
    if encoding.tokens is not None:
        yield _labelled("tokens", _items(map(shown_text, encoding.tokens)))
    if encoding.offsets is not None:
        yield _labelled("offsets", _items(map(_range, encoding.offsets)))
    if encoding.word_ids is not None and encoding.word_ids != tuple(range(len(encoding.ids))):
        yield _labelled("word_ids", _items(map(_number, encoding.word_ids)))
    for name, usual in _COLUMNS:
        column = getattr(encoding, name)
        if column is not None and set(column) != {usual}:
            yield _labelled(name, _items(map(_number, column)))
    if encoding.overflowing:
        parts = (f"[{', '.join(map(str, part.ids))}]" for part in encoding.overflowing)
        yield _labelled("overflowing ids", _items(parts))


def _range(span: tuple[int, int] | None) -> str:
    return "" if span is None else f"[{span[0]}, {span[1]}]"


def _number(number: int | None) -> str:
    return "none" if number is None else str(number)


def _items(items: Iterable[str]) -> Markdown:
    listed = list(items)
    if not listed:
        return Markdown("nothing")
    more = f" … ({len(listed):,})" if len(listed) > MOST_ITEMS else ""
    return _text_cell(" ".join(listed[:MOST_ITEMS]) + more)


def _labelled(label: str, shown: Markdown) -> Markdown:
    return Markdown(f"{as_words(label)} {shown}")


def _text_cell(shown: str) -> Markdown:
    """Return text that is escaped already as code for a table, where runs of spaces would become one."""
    return as_cell(re.sub(r"(?<= ) ", r"\\x20", shown))


def _json_cell(value: Any, limit: int) -> Markdown:
    return as_cell(_as_json(value, limit))


def _as_json(value: Any, limit: int) -> str:
    """Return ``value`` as JSON on one line, cut after ``limit`` characters; ASCII where anything would be invisible."""
    text = json.dumps(value, ensure_ascii=False)
    if one_line(text, len(text)) != text:
        text = re.sub(r"(?<= ) ", r"\\u0020", json.dumps(value))
    return text if len(text) <= limit else f"{text[:limit]}…"
