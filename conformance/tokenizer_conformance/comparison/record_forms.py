"""The forms that questions and differences have in every record, written and read."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import (
    AddTokens,
    After,
    BrokeProtocol,
    Change,
    Chat,
    Crashed,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    EncodeSpecialTokens,
    Failed,
    Field,
    NewToken,
    Normalize,
    Observation,
    PlainObservation,
    PreTokenize,
    TimedOut,
    plain_of,
)
from tokenizer_conformance.comparison.differences import Difference, DifferenceKind, Excerpt, Party
from tokenizer_conformance.comparison.questions import texts_in
from tokenizer_conformance.comparison.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_adapters.contract import Outcome
    from tokenizer_conformance.comparison.differences import Side

Json = dict[str, Any]

LONGEST_TEXT = 2000
"""Texts are cut at this many code points, ids at as many; the full length stands beside them."""


# Written --------------------------------------------------------------------------------------------------------------


def question_record(question: Observation) -> dict[str, Any]:
    """Return what was asked; long texts are cut."""
    match question:
        case Normalize(text):
            return {"ask": "normalize", "text": _text(text)}
        case PreTokenize(text):
            return {"ask": "pre_tokenize", "text": _text(text)}
        case Encode():
            return {"ask": "encode", **_input(question), "add_special_tokens": question.add_special_tokens}
        case EncodeBatch(inputs):
            return {
                "ask": "encode_batch",
                "inputs": list(map(_input, inputs)),
                "add_special_tokens": question.add_special_tokens,
            }
        case Decode(ids, skip_special_tokens):
            return {"ask": "decode", **_ids(ids), "skip_special_tokens": skip_special_tokens}
        case DecodeStream(ids, skip_special_tokens, prompt, chunks):
            told = {"ask": "decode_stream", **_ids(ids), "skip_special_tokens": skip_special_tokens}
            steps = {"prompt": list(prompt), "chunks": list(chunks[:LONGEST_TEXT])} if prompt or chunks else {}
            return told | steps
        case Chat():
            return {"ask": "chat", **asdict(question)}
        case After(changes, then):
            return {"ask": "after", "changes": list(map(_change, changes)), "then": question_record(then)}


def _input(question: Encode) -> dict[str, Any]:
    return {"text": _text(question.text), "pair": None if question.pair is None else _text(question.pair)}


def _ids(ids: tuple[int, ...]) -> dict[str, Any]:
    return {"ids": list(ids[:LONGEST_TEXT]), "ids_length": len(ids)}


def _change(change: Change) -> dict[str, Any]:
    match change:
        case AddTokens(tokens, special):
            return {"add_tokens": list(map(asdict, tokens)), "special": special}
        case EncodeSpecialTokens(value):
            return {"encode_special_tokens": value}


def _text(text: str | tuple[str, ...]) -> dict[str, Any] | list[dict[str, Any]]:
    if not isinstance(text, str):
        return [{"value": word[:LONGEST_TEXT], "length": len(word)} for word in text]
    return {"value": text[:LONGEST_TEXT], "length": len(text)}


def difference_record(difference: Difference) -> dict[str, Any]:
    """Return how two answers differ."""
    return {
        "verdict": difference.verdict,
        "kind": difference.kind,
        "field": difference.field,
        "party": difference.party,
        "detail": difference.detail,
        "part": difference.part,
        "position": difference.position,
        "baseline": _side(difference.baseline),
        "implementation": _side(difference.implementation),
    }


def _side(side: Side) -> dict[str, Any]:
    match side:
        case Failed(kind, message):
            return {"failed": {"kind": kind, "message": message[:LONGEST_TEXT]}}
        case Crashed(detail):
            return {"crashed": {"detail": detail[:LONGEST_TEXT]}}
        case TimedOut(seconds):
            return {"timed_out": {"seconds": seconds}}
        case BrokeProtocol(detail):
            return {"broke_protocol": {"detail": detail[:LONGEST_TEXT]}}
        case _:
            return {"excerpt": _excerpt(side)}


def _excerpt(excerpt: Excerpt) -> dict[str, Any]:
    place = {"start": excerpt.start, "total": excerpt.total}
    if excerpt.is_text:
        return {**place, "text": excerpt.text}
    entries = [list(entry) if isinstance(entry, tuple) else entry for entry in excerpt.entries]
    return {**place, "entries": entries, "tokens": None if excerpt.tokens is None else list(excerpt.tokens)}


def outcome_record(outcome: Outcome, answer: Json | None = None) -> Json:
    """Return what was answered: the kind of the outcome, and all that it says.

    ``answer`` is what it is to say in the place of that, where some of it is left out.

    >>> from tokenizer_adapters.contract import Text
    >>> outcome_record(Text("a"))
    {'outcome': 'Text', 'answer': {'text': 'a'}}
    """
    return {"outcome": type(outcome).__name__, "answer": asdict(outcome) if answer is None else answer}


# Read -----------------------------------------------------------------------------------------------------------------


def field_of(name: str | None) -> Field | None:
    """Return the field called ``name``."""
    return None if name is None else Field(name)


def party_of(name: str | None) -> Party | None:
    """Return the party called ``name``."""
    return None if name is None else Party(name)


def question_of(question: Json) -> Observation:
    """Return the question that :func:`question_record` wrote; of a long text there is only what was kept."""
    if question["ask"] == "after":
        return After(tuple(map(_change_of, question["changes"])), _plain_of(question["then"]))
    return _plain_of(question)


def _plain_of(question: Json) -> PlainObservation:
    match question["ask"]:
        case "normalize":
            return Normalize(question["text"]["value"])
        case "pre_tokenize":
            return PreTokenize(question["text"]["value"])
        case "encode":
            return _encode_of(question, question["add_special_tokens"])
        case "encode_batch":
            return EncodeBatch(tuple(_encode_of(each, question["add_special_tokens"]) for each in question["inputs"]))
        case "decode":
            return Decode(tuple(question["ids"]), question["skip_special_tokens"])
        case "decode_stream":
            before, sizes = (tuple(question.get(key, ())) for key in ("prompt", "chunks"))
            return DecodeStream(tuple(question["ids"]), question["skip_special_tokens"], before, sizes)
        case "chat":
            return Chat(**{name: value for name, value in question.items() if name != "ask"})
        case other:
            raise ValueError(f"there is no question {other!r}")


def _encode_of(one: Json, add_special_tokens: bool) -> Encode:
    pair = None if one["pair"] is None else _text_of(one["pair"])
    return Encode(_text_of(one["text"]), pair, add_special_tokens)


def _change_of(change: Json) -> Change:
    if "encode_special_tokens" in change:
        return EncodeSpecialTokens(change["encode_special_tokens"])
    return AddTokens(tuple(NewToken(**token) for token in change["add_tokens"]), change["special"])


def may_be_cut(question: Observation) -> bool:
    """Return whether ``question``, which was read from a record, may be the beginning of a longer one.

    >>> may_be_cut(Normalize("a" * LONGEST_TEXT)), may_be_cut(Normalize("a"))
    (True, False)
    """
    match plain_of(question):
        case Decode(ids) | DecodeStream(ids):
            return len(ids) == LONGEST_TEXT
        case _:
            return any(len(text) == LONGEST_TEXT for text in texts_in(question))


def whole_question(recorded: Observation, asked: Iterable[Observation]) -> Observation:
    """Return the one of the questions ``asked`` that was recorded as ``recorded``; that itself, where it is none.

    >>> whole_question(Decode((7,) * LONGEST_TEXT), [Normalize("a"), Decode((7,) * 2001)]) == Decode((7,) * 2001)
    True
    """
    return next((each for each in asked if question_of(question_record(each)) == recorded), recorded)


def _text_of(text: Json | list[Json]) -> str | tuple[str, ...]:
    return tuple(word["value"] for word in text) if isinstance(text, list) else str(text["value"])


def difference_of(difference: Json) -> Difference:
    """Return the difference that :func:`difference_record` wrote."""
    return Difference(
        verdict=Verdict(difference["verdict"]),
        kind=DifferenceKind(difference["kind"]),
        field=field_of(difference["field"]),
        baseline=_side_of(difference["baseline"]),
        implementation=_side_of(difference["implementation"]),
        position=difference["position"],
        party=party_of(difference["party"]),
        detail=difference["detail"],
        part=difference["part"],
    )


def _side_of(side: Json) -> Side:
    match side:
        case {"failed": {"kind": kind, "message": message}}:
            return Failed(kind, message)
        case {"crashed": {"detail": detail}}:
            return Crashed(detail)
        case {"timed_out": {"seconds": seconds}}:
            return TimedOut(seconds)
        case {"broke_protocol": {"detail": detail}}:
            return BrokeProtocol(detail)
        case _:
            return _excerpt_of(side["excerpt"])


def _excerpt_of(excerpt: Json) -> Excerpt:
    if "text" in excerpt:
        return Excerpt(excerpt["start"], excerpt["total"], tuple(excerpt["text"]), is_text=True)
    entries = tuple(tuple(entry) if isinstance(entry, list) else entry for entry in excerpt["entries"])
    tokens = None if excerpt["tokens"] is None else tuple(excerpt["tokens"])
    return Excerpt(excerpt["start"], excerpt["total"], entries, tokens)
