"""The words in which reports tell a comparison: verdicts, questions, and windows that show both sides of a difference.

All text that comes from tokenizers, inputs and implementations is escaped here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len

from tokenizer_adapters.contract import (
    AddTokens,
    After,
    BrokeProtocol,
    Chat,
    Crashed,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    EncodeSpecialTokens,
    Failed,
    Normalize,
    PreTokenize,
    TimedOut,
    plain_of,
)
from tokenizer_conformance.comparison.differences import Excerpt
from tokenizer_conformance.comparison.findings import length_of
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.escape import code_point, one_line, quoted, visible
from tokenizer_conformance.inputs.conversations.conversation import JsonText, spoken_in
from tokenizer_conformance.plural import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tokenizer_adapters.contract import Change, NewToken, Observation
    from tokenizer_conformance.comparison.differences import Difference, Entry, Side
    from tokenizer_conformance.comparison.findings import Example, Near

VERDICT_WORDS: dict[Verdict, str] = {
    Verdict.CRASH: "CRASH",
    Verdict.TIMEOUT: "TIMEOUT",
    Verdict.PROTOCOL: "PROTOCOL",
    Verdict.ERROR: "ERROR",
    Verdict.DIFFER: "DIFFER",
    Verdict.UNSTABLE: "UNSTABLE",
    Verdict.KNOWN: "known",
    Verdict.BOTH_ERROR: "both error",
    Verdict.AGREE: "agree",
    Verdict.UNSUPPORTED: "unsupported",
}

LONGEST_ENTRY = 60
"""How many characters of an id are shown, which may be any number."""

LONGEST_ERROR = 80
"""How many characters of the message of an error are shown where it is one word of a line."""

LONGEST_TEXT = 120
"""How many characters of an input are shown."""


# Examples -------------------------------------------------------------------------------------------------------------


def example_headline(example: Example) -> str:
    """Say where an example comes from and what was asked there."""
    place = f"{one_line(example.input.id)} ({one_line(example.input.category)})"
    part = f", {example.difference.part}" if example.difference.part else ""
    of_normalized = isinstance(example.question, PreTokenize) and example.question.text != example.input.text
    of_which = ", of the normalized text" if of_normalized and not example.reduced_from else ""
    what = f"{describe(example.question)}{of_which}"
    return f"{place}, {what}{part}{_reduction(example)}"


def _reduction(example: Example) -> str:
    """Say how much smaller the question is than the one that was asked about the input."""
    if example.reduced_from is None:
        return ""
    if length_of(example.question) == example.reduced_from:
        return "; made simpler"
    unit = "ids" if isinstance(plain_of(example.question), Decode | DecodeStream) else "characters"
    return f"; made smaller: {length_of(example.question):,} of {example.reduced_from:,} {unit}"


def describe(question: Observation) -> str:
    """Say what was asked, without the text.

    >>> describe(Decode((1,), skip_special_tokens=True))
    'decode, skipping special tokens'
    """
    match question:
        case Normalize():
            return "normalize"
        case PreTokenize():
            return "pre_tokenize"
        case Encode(_, pair, add_special_tokens):
            what = "encode words" if question.is_pretokenized else "encode"
            what += "" if pair is None else " pair"
            return f"{what}, {_added(add_special_tokens)}"
        case EncodeBatch(inputs):
            return f"encode batch of {len(inputs):,}, {_added(question.add_special_tokens)}"
        case Decode(_, skip_special_tokens):
            return f"decode, {_skipped(skip_special_tokens)}"
        case DecodeStream(_, skip_special_tokens, prompt, chunks):
            how = "step by step" if chunks else "id by id"
            return f"decode {how}{' after a prompt' if prompt else ''}, {_skipped(skip_special_tokens)}"
        case Chat():
            return ", ".join(["chat", *_options_of(question)])
        case After(changes, then):
            return f"{describe(then)}, after {counted(len(changes), 'change')}"


def _options_of(chat: Chat) -> list[str]:
    options = ("add_generation_prompt", "continue_final_message")
    template = [] if chat.template is None else [f"template {quoted(chat.template)}"]
    return [*(option for option in options if getattr(chat, option)), *template]


def _added(add_special_tokens: bool) -> str:
    return f"{'with' if add_special_tokens else 'without'} special tokens"


def _skipped(skip_special_tokens: bool) -> str:
    return f"{'skipping' if skip_special_tokens else 'keeping'} special tokens"


def subject_lines(question: Observation, near: Near | None = None) -> list[str]:
    """Return what was asked about, as labelled lines; of long texts, what is around the place that is ``near``."""
    match question:
        case Encode(text, pair):
            in_text = None if near is None or near.in_pair else near.position
            in_pair = near.position if near is not None and near.in_pair else None
            lines = [f"text  {shown_text(text, in_text)}"]
            return lines if pair is None else [*lines, f"pair  {shown_text(pair, in_pair)}"]
        case EncodeBatch(inputs):
            return [line for each in inputs for line in subject_lines(each)]
        case DecodeStream(_, _, prompt, chunks) as stream if prompt or chunks:
            steps = " | ".join(", ".join(map(str, step)) for step in stream.steps[:20])
            more = f" | … ({len(stream.steps):,} steps)" if len(stream.steps) > 20 else ""
            return [*([f"prompt {_listed(prompt)}"] if prompt else []), f"steps {steps}{more}"]
        case Decode(ids) | DecodeStream(ids):
            return [f"ids   {_listed(ids)}"]
        case Normalize(text) | PreTokenize(text):
            return [f"text  {shown_text(text, None if near is None else near.position)}"]
        case Chat():
            return [f"{label}  {shown_text(text)}" for label, text in spoken_in(question)]
        case After(changes, then):
            return [*(line for change in changes for line in _change_lines(change)), *subject_lines(then, near)]


def _listed(ids: tuple[int, ...]) -> str:
    more = f", … ({len(ids):,} ids)" if len(ids) > 20 else ""
    return ", ".join(map(str, ids[:20])) + more


def _change_lines(change: Change) -> list[str]:
    match change:
        case AddTokens(tokens, special):
            return [f"{'add special' if special else 'add'}  {_shown_token(token)}" for token in tokens]
        case EncodeSpecialTokens(value):
            return [f"encode_special_tokens  {str(value).lower()}"]


def _shown_token(token: NewToken) -> str:
    """Return a token to add, with those of its flags that are not as by default."""
    flags = [name for name in ("single_word", "lstrip", "rstrip", "special") if getattr(token, name)]
    if token.normalized is not None:
        flags.append(f"normalized={str(token.normalized).lower()}")
    return " ".join([shown_text(token.content), *flags])


def shown_text(text: str | tuple[str, ...], near: int | None = None) -> str:
    """Return ``text`` quoted and escaped, JSON without quotes; where it is long, what is around ``near``.

    ``near`` counts code points.

    >>> shown_text("a" * 200 + "b" + "c" * 200, near=200)[:20]
    '…"aaaaaaaaaaaaaaaaaa'
    """
    if not isinstance(text, str):
        return f"words [{', '.join(map(shown_text, text))}]"
    quote = visible if isinstance(text, JsonText) else quoted
    if len(text) <= LONGEST_TEXT:
        return quote(text)
    start = 0 if near is None else max(0, min(near - LONGEST_TEXT // 2, len(text) - LONGEST_TEXT))
    end = start + LONGEST_TEXT
    where = f"characters {start:,} to {end:,} of {len(text):,}" if start else f"{len(text):,} characters"
    return f"{'…' if start else ''}{quote(text[start:end])}{'…' if end < len(text) else ''} ({where})"


def window(difference: Difference, baseline: str, implementation: str) -> list[str]:
    """Return the lines that show ``difference`` on both sides; the arguments after it name the sides."""
    sides = (difference.baseline, difference.implementation)
    first, second = sides
    if difference.position is None or not isinstance(first, Excerpt) or not isinstance(second, Excerpt):
        return aligned(
            [[f"  {name}", _whole(side)] for name, side in zip((baseline, implementation), sides, strict=True)]
        )
    if first.is_text:
        return _text_window(difference.position, (baseline, first), (implementation, second))
    return _sequence_window(difference.position, (baseline, first), (implementation, second))


def _whole(side: Side) -> str:
    """Return one side of a difference that has no position."""
    match side:
        case Failed(kind, message):
            return f"raised {one_line(kind, 60)}: {one_line(message)}"
        case Crashed(detail):
            return f"crashed: {one_line(detail)}"
        case TimedOut(seconds):
            return f"gave no answer within {seconds:g} s"
        case BrokeProtocol(detail):
            return f"broke the protocol: {one_line(detail)}"
        case Excerpt():
            shown = quoted(side.text) if side.is_text else f"[{', '.join(map(_entry, side.entries))}]"
            return f"answered {shown}{' …' if side.total > len(side.entries) else ''}"


def error_in_words(difference: Difference) -> str:
    """Return the error that one side alone has raised, with its message; empty where it is something else.

    >>> from tokenizer_conformance.comparison.differences import Difference, DifferenceKind
    >>> sides = Excerpt(0, 0, ()), Failed("KeyError", "'a'")
    >>> error_in_words(Difference(Verdict.ERROR, DifferenceKind.RAISED, None, *sides))
    "KeyError: 'a'"
    """
    raised = [each for each in (difference.baseline, difference.implementation) if isinstance(each, Failed)]
    match raised:
        case [Failed(kind, message)]:
            return f"{one_line(kind, 60)}: {one_line(message, LONGEST_ERROR)}"
        case _:
            return ""


def _text_window(position: int, *sides: tuple[str, Excerpt]) -> list[str]:
    rows = []
    for name, side in sides:
        text = side.text
        before = "…" if side.start else ""
        after = "…" if side.start + len(text) < side.total else ""
        at = position - side.start
        what = f"character {position} is {code_point(text[at])}" if at < len(text) else f"ends at character {position}"
        rows.append([f"  {name}", f"{before}{quoted(text)}{after}", what])
    return aligned(rows)


def _sequence_window(position: int, *sides: tuple[str, Excerpt]) -> list[str]:
    start = sides[0][1].start
    length = max(len(side.entries) for _, side in sides)
    rows = [["  index", *(f"{name} ({side.total:,})" for name, side in sides)]]
    for offset in range(length):
        mark = "> " if start + offset == position else "  "
        rows.append([f"{mark}{start + offset}", *(_entry_with_token(side, offset) for _, side in sides)])
    return aligned(rows)


def _entry_with_token(side: Excerpt, offset: int) -> str:
    if offset >= len(side.entries):
        return "-"
    entry = _entry(side.entries[offset])
    return entry if side.tokens is None or offset >= len(side.tokens) else f"{entry} {quoted(side.tokens[offset])}"


def _entry(entry: Entry) -> str:
    return quoted(entry) if isinstance(entry, str) else one_line(str(entry), LONGEST_ENTRY)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return ``rows`` as lines, columns aligned by the width that characters take on a terminal."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return [_padded(row, widths) for row in rows]


def _padded(row: Iterable[str], widths: Sequence[int]) -> str:
    return "  ".join(text + " " * (width - cell_len(text)) for text, width in zip(row, widths, strict=True)).rstrip()
