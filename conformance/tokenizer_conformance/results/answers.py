"""Answers as records have them, as a page shows them: tokens with their places in the text, and who has others."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import (
    AddTokens,
    After,
    Chat,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    EncodeSpecialTokens,
    Normalize,
    PreTokenize,
)
from tokenizer_conformance.comparison.blame import STAGE_ORDER
from tokenizer_conformance.inputs.conversations.conversation import spoken_in
from tokenizer_conformance.results.page import Answer, State, Step, Subject, Token

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tokenizer_adapters.contract import Observation, Stage

Json = dict[str, Any]


def subjects_of(question: Observation) -> tuple[Subject, ...]:
    """Return what ``question`` is about: texts or ids, each with a label."""
    match question:
        case Normalize(text) | PreTokenize(text):
            return (_text("text", text),)
        case Encode(text, pair):
            subjects = (_text("text", text),)
            return subjects if pair is None else (*subjects, _text("pair", pair))
        case EncodeBatch(inputs):
            return tuple(
                subject
                for number, each in enumerate(inputs, 1)
                for subject in _numbered(subjects_of(each), f" {number}" if len(inputs) > 1 else "")
            )
        case DecodeStream(ids, _, prompt, _) if prompt:
            return Subject("prompt", ids=prompt, length=len(prompt)), Subject("ids", ids=ids, length=len(ids))
        case Decode(ids) | DecodeStream(ids):
            return (Subject("ids", ids=ids, length=len(ids)),)
        case Chat():
            return tuple(_text(label, text) for label, text in spoken_in(question))
        case After(changes, then):
            told = tuple(
                Subject(
                    "add token" if not change.special else "add special token", token.content, length=len(token.content)
                )
                for change in changes
                if isinstance(change, AddTokens)
                for token in change.tokens
            )
            flags = tuple(
                Subject("encode_special_tokens", str(change.value).lower())
                for change in changes
                if isinstance(change, EncodeSpecialTokens)
            )
            return (*subjects_of(then), *told, *flags)


def _text(label: str, text: str | tuple[str, ...]) -> Subject:
    if isinstance(text, str):
        return Subject(label, text, length=len(text))
    return Subject(f"{label} (words)", " | ".join(text), length=sum(map(len, text)))


def _numbered(subjects: tuple[Subject, ...], number: str) -> Iterable[Subject]:
    return (Subject(each.label + number, each.text, each.ids, each.length) for each in subjects)


# Answers -------------------------------------------------------------------------------------------------------------


def sides_of(names: tuple[str, str], outcomes: tuple[Json | None, Json | None]) -> tuple[Answer, ...]:
    """Return both sides of a finding from whole ``outcomes`` in a record, with the tokens marked that differ.

    Where what is left of the text is the same, what was cut off follows, as far as it is not. Nothing where a side is
    not known.
    """
    first, second = (
        None if outcome is None else answer_of(name, outcome) for name, outcome in zip(names, outcomes, strict=True)
    )
    if first is None or second is None:
        return ()
    answers = marked(first, second)
    if any(token.differs for each in answers for token in each.tokens or ()):
        return answers
    return (*answers, *_cut_off(names, *map(_windows, outcomes)))


def _windows(outcome: Json | None) -> list[Json]:
    """Return what truncation cut off in an ``outcome``, window by window."""
    return (outcome or {}).get("answer", {}).get("overflowing") or []


def _cut_off(names: tuple[str, str], ones: list[Json], others: list[Json]) -> tuple[Answer, ...]:
    """Return both sides of the first window that differs, with the tokens marked that do."""
    for number, windows in enumerate(zip_longest(ones, others), 1):
        if windows[0] != windows[1]:
            first, second = (
                Answer(f"{name}, cut off ({number})", tokens := _tokens(window or {"ids": []}), total=len(tokens))
                for name, window in zip(names, windows, strict=True)
            )
            return marked(first, second)
    return ()


def answer_of(side: str, outcome: Json) -> Answer:
    """Return the whole ``outcome`` of a record as the answer of a ``side``."""
    kind, answer = outcome["outcome"], outcome.get("answer", {})
    match kind:
        case "Text" | "Rendered":
            return Answer(side, text=answer["text"], total=answer.get("total", len(answer["text"])))
        case "Pieces":
            tokens = tuple(Token(text, None, *_span(span)) for text, span in answer["pieces"])
            return Answer(side, tokens, total=answer.get("total", len(tokens)))
        case "Encoded":
            return Answer(side, _tokens(answer), total=answer.get("total", len(answer["ids"])))
        case "Chunks":
            tokens = tuple(Token(chunk or "") for chunk in answer["chunks"])
            return Answer(side, tokens, total=answer.get("total", len(tokens)))
        case "EncodedBatch":
            tokens = tuple(token for each in answer["encodings"] for token in _tokens(each))
            return Answer(side, tokens, total=len(tokens))
        case _:
            return Answer(side, trouble=_trouble(kind, outcome))


def _trouble(kind: str, outcome: Json) -> str:
    told = [str(value) for key, value in outcome.items() if key != "outcome" and isinstance(value, str | int | float)]
    answer = outcome.get("answer")
    if isinstance(answer, dict):
        told += [str(value) for value in answer.values() if isinstance(value, str | int | float)]
    return ": ".join([kind, *told])


def _tokens(answer: Json) -> tuple[Token, ...]:
    ids = answer["ids"]
    texts = answer.get("tokens") or [""] * len(ids)
    spans: Sequence[Any] = answer.get("offsets") or [None] * len(ids)
    sequences: Sequence[Any] = answer.get("sequence_ids") or [None] * len(ids)
    return tuple(
        Token(text if text is not None else "", number, *_span(span), subject=sequence or 0)
        for number, text, span, sequence in zip(ids, texts, spans, sequences, strict=False)
    )


def _span(span: Any) -> tuple[int | None, int | None]:
    return (None, None) if span is None else (span[0], span[1])


def marked(first: Answer, second: Answer) -> tuple[Answer, Answer]:
    """Return both answers with ``differs`` set on the tokens that the other side has not.

    Tokens are taken for the same where id, text and place are, as far as both sides show them; what is common at the
    beginning and at the end is left unmarked, and so is the longest common part between.
    """
    if first.tokens is None or second.tokens is None:
        return first, second
    shows = _shown_by_both(first.tokens, second.tokens)
    ones, others = ([shows(token) for token in side] for side in (first.tokens, second.tokens))
    common = _common(ones, others)
    return _with_marks(first, {one for one, _ in common}), _with_marks(second, {other for _, other in common})


def _shown_by_both(ones: Sequence[Token], others: Sequence[Token]) -> Callable[[Token], object]:
    """Return what tells tokens apart: their parts that both sides show."""
    ids = all(token.id is not None for token in (*ones, *others))
    texts = any(token.text for token in ones) and any(token.text for token in others)
    places = any(token.start is not None for token in ones) and any(token.start is not None for token in others)
    return lambda token: (
        token.id if ids else None,
        token.text if texts else None,
        (token.subject, token.start, token.end) if places else None,
    )


def _common(ones: Sequence[object], others: Sequence[object]) -> list[tuple[int, int]]:
    """Return the indexes of a longest common subsequence, after the common ends were taken off."""
    shorter = min(len(ones), len(others))
    head = next((at for at in range(shorter) if ones[at] != others[at]), shorter)
    tail = next((at for at in range(shorter - head) if ones[-1 - at] != others[-1 - at]), shorter - head)
    middle = _longest(ones[head : len(ones) - tail], others[head : len(others) - tail])
    return [
        *((at, at) for at in range(head)),
        *((head + one, head + other) for one, other in middle),
        *((len(ones) - 1 - at, len(others) - 1 - at) for at in range(tail)),
    ]


def _longest(ones: Sequence[object], others: Sequence[object]) -> list[tuple[int, int]]:
    lengths = [[0] * (len(others) + 1) for _ in range(len(ones) + 1)]
    for one in reversed(range(len(ones))):
        for other in reversed(range(len(others))):
            same = ones[one] == others[other]
            lengths[one][other] = (
                lengths[one + 1][other + 1] + 1 if same else max(lengths[one + 1][other], lengths[one][other + 1])
            )
    pairs: list[tuple[int, int]] = []
    one = other = 0
    while one < len(ones) and other < len(others):
        if ones[one] == others[other]:
            pairs.append((one, other))
            one, other = one + 1, other + 1
        elif lengths[one + 1][other] >= lengths[one][other + 1]:
            one += 1
        else:
            other += 1
    return pairs


def _with_marks(answer: Answer, common: set[int]) -> Answer:
    tokens = tuple(
        Token(each.text, each.id, each.start, each.end, each.subject, differs=at not in common)
        for at, each in enumerate(answer.tokens or ())
    )
    return Answer(answer.side, tokens, answer.text, answer.trouble, answer.total, answer.first)


def excerpt_of(side: str, recorded: Json) -> Answer:
    """Return what a difference in a record has of one ``side``: what stands around the place, or what went wrong."""
    match recorded:
        case {"excerpt": {"text": str(text), "total": int(total)}}:
            return Answer(side, text=text, total=total)
        case {"excerpt": {"entries": list(entries), "start": int(start), "total": int(total)} as excerpt}:
            texts = excerpt.get("tokens") or [None] * len(entries)
            tokens = tuple(_entry(entry, text) for entry, text in zip(entries, texts, strict=False))
            return Answer(side, tokens, total=total, first=start)
        case {"failed": {"kind": kind, "message": message}}:
            return Answer(side, trouble=f"raised {kind}: {message}")
        case {"crashed": {"detail": detail}}:
            return Answer(side, trouble=f"crashed: {detail}")
        case {"timed_out": {"seconds": seconds}}:
            return Answer(side, trouble=f"gave no answer within {seconds:g} s")
        case {"broke_protocol": {"detail": detail}}:
            return Answer(side, trouble=f"broke the protocol: {detail}")
        case _:
            raise ValueError(f"a side is none of those that there are: {sorted(recorded)}")


def _entry(entry: Any, text: str | None) -> Token:
    match entry:
        case bool() | None:
            return Token(text or str(entry))
        case int():
            return Token(text or "", entry)
        case str():
            return Token(entry)
        case [int(start), int(end)]:
            return Token(text or f"{start}–{end}", None, start, end)
        case _:
            return Token(text or str(entry))


# The pipeline --------------------------------------------------------------------------------------------------------


def pipeline_of(
    blamed: Stage | str, agreeing: Iterable[Stage | str] = (), unseen: Iterable[Stage | str] = ()
) -> tuple[Step, ...]:
    """Return the stations of the pipeline, where the ``blamed`` one differs, and those after it follow from that.

    ``agreeing`` stages agree on what is shown, ``unseen`` ones are not shown by the implementation.
    """
    agree, hidden = set(map(str, agreeing)), set(map(str, unseen))
    steps: list[Step] = []
    for stage in map(str, STAGE_ORDER):
        if stage == str(blamed):
            state = State.DIFFER
        elif stage in hidden:
            state = State.UNSUPPORTED
        else:
            state = State.AGREE if stage in agree else State.NOT_COMPARED
        steps.append(Step(stage, state))
    return tuple(steps)
