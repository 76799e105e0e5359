"""Hypotheses about streams: the implementation gives out text in other steps, or by a rule that loses some of it."""

from __future__ import annotations

from codecs import getincrementaldecoder
from functools import partial
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Chunks, Decode, DecodeStream, Text, plain_of
from tokenizer_conformance.causes.classes.hypothesis import SupposedChange
from tokenizer_conformance.causes.classes.small_documents import BYTE_TOKEN
from tokenizer_conformance.causes.classes.stream_rules import OTHER_RULES, NoTextError
from tokenizer_conformance.inputs.text_generators.entries import byte_of_character

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.causes.classes.experiment import Ground
    from tokenizer_conformance.causes.classes.hypothesis import Hypothesis
    from tokenizer_conformance.causes.classes.stream_rules import NamedRule, Steps
    from tokenizer_conformance.causes.witness import Witness

NAME = "stream-steps"

MOST_IDS = 200
"""Longer streams are not followed: each step decodes all ids before it."""


def other_steps(ground: Ground, witness: Witness) -> Iterator[Hypothesis]:
    """Suppose that the text of the baseline, given out in other steps, is the implementation's answer."""
    if isinstance(plain_of(witness.question), DecodeStream):
        yield from (change.on(ground) for change in STREAM_CHANGES)


def _stream(parameter: str, how: str, steps: Callable[[Ground, DecodeStream], Steps | None]) -> SupposedChange:
    """Return another rule for what each step adds; ``steps`` are ``None`` where it says nothing about a question."""

    def predict(ground: Ground, question: Observation) -> Outcome | None:
        plain = plain_of(question)
        if not isinstance(plain, DecodeStream) or len(plain.all_ids) > MOST_IDS:
            return None
        found = steps(ground, plain)
        return None if found is None else Chunks(tuple(step or None for step in found))

    return SupposedChange(NAME, parameter, how, predict)


def _of_rule(rule: NamedRule, ground: Ground, question: DecodeStream) -> Steps | None:
    """Return what ``rule`` gives of the baseline's texts of ids; ``None`` where it has none."""

    def text_of(ids: tuple[int, ...]) -> str:
        answer = ground.expected(Decode(ids, question.skip_special_tokens)) if ids else Text("")
        if not isinstance(answer, Text):
            raise NoTextError
        return answer.text

    try:
        return rule.steps(text_of, question)
    except NoTextError:
        return None


def _whole_characters(ground: Ground, question: DecodeStream) -> Steps | None:
    """Return each character with the step that completes it, and U+FFFD with the step that makes that impossible.

    Only for tokens of a ByteLevel decoder, whose bytes their names tell, where no ids come before.
    """
    if question.prompt:
        return None
    if (ground.document.get("decoder") or {}).get("type") != "ByteLevel":
        return None
    names = ground.names
    special = {each["id"] for each in ground.document.get("added_tokens") or () if each.get("special")}
    characters = getincrementaldecoder("utf-8")("replace")
    steps: list[str] = []
    for step in question.steps:
        kept = [id_ for id_ in step if not (question.skip_special_tokens and id_ in special)]
        if any(id_ not in names for id_ in kept):
            return None
        steps.append(characters.decode(b"".join(_bytes_of(names[id_]) for id_ in kept)))
    return tuple(steps)


def _bytes_of(name: str) -> bytes:
    """Return what the token called ``name`` stands for; one with a character outside the alphabet, for itself."""
    values = [byte_of_character().get(character) for character in name]
    return name.encode() if None in values else bytes(value for value in values if value is not None)


def _bytes_with_next(ground: Ground, question: DecodeStream) -> Steps | None:
    """Return each step's text, that of tokens such as ``<0x0A>`` with the next token that is none of them."""
    if question.prompt:
        return None
    ids: tuple[int, ...] = ()
    given = ""
    steps: list[str] = []
    for step in question.steps:
        ids += step
        if not ids or BYTE_TOKEN.fullmatch(ground.names.get(ids[-1], "")):
            steps.append("")
            continue
        answer = ground.expected(Decode(ids, question.skip_special_tokens))
        if not isinstance(answer, Text) or not answer.text.startswith(given):
            return None
        steps.append(answer.text.removeprefix(given))
        given = answer.text
    return tuple(steps)


def _never_nothing(ground: Ground, question: DecodeStream) -> Steps | None:
    """Return U+FFFD with each step that adds nothing."""
    answer = ground.expected(question)
    return tuple(step or "\ufffd" for step in answer.chunks) if isinstance(answer, Chunks) else None


STREAM_CHANGES: tuple[SupposedChange, ...] = (
    _stream(
        "characters as soon as they are whole",
        "With each character given out as soon as its bytes are there, and U+FFFD once they cannot come",
        _whole_characters,
    ),
    _stream(
        "bytes with the next token that is none",
        "With the text of byte tokens given out with the next token that is none",
        _bytes_with_next,
    ),
    *(_stream(rule.name, f"With a stream that {rule.how}", partial(_of_rule, rule)) for rule in OTHER_RULES),
    _stream("U+FFFD in place of nothing", "With U+FFFD given out with each step that adds nothing", _never_nothing),
)
