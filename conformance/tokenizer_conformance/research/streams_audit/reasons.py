"""Why the law of streams does not hold: limits of decoders, and faults of streams, each with its proof.

A limit is proven by the reference: with one component of the decoder made harmless, the texts of more and more ids go
on as they began; and the stream is right up to there. A fault is proven where another rule gives the very texts of the
implementation, made of its own texts of ids.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Chunks, Failed
from tokenizer_conformance.causes.classes.cutting import loaded_small
from tokenizer_conformance.causes.classes.small_documents import only_decoder
from tokenizer_conformance.causes.classes.stream_rules import (
    HALF_AGAIN,
    HALF_LOST,
    OTHER_RULES,
    RIGHT,
    WORDS,
    NamedRule,
    NoTextError,
    Prompt,
    StreamRule,
    Window,
    WordRule,
)
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.streams_audit.law import (
    Texts,
    expected_texts,
    first_break,
    held_back,
    keeps,
    up_to,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tokenizer_adapters.contract import DecodeStream, Observation, Outcome
    from tokenizer_conformance.research.streams_audit.law import Break, Ids

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Class:
    """A class of reasons: its ``name``, and a ``sentence`` that says all of it. ``is_limit``: no stream can do it."""

    name: str
    sentence: str
    is_limit: bool


@dataclass(frozen=True, slots=True)
class Found:
    """Why the law does not hold, and what proves that."""

    name: str
    proof: tuple[str, ...]


# Limits ---------------------------------------------------------------------------------------------------------------

HELD_BACK = Class(
    "ends in U+FFFD",
    "The text ends in U+FFFD. A following id may complete the character, so a stream holds that end back; without a "
    "call for its end, it is never given out.",
    is_limit=True,
)


@dataclass(frozen=True, slots=True)
class Component:
    """A component of decoders that makes texts change, and what is ``harmless`` in its place; ``None``: nothing is."""

    limit: Class
    type: str
    harmless: Callable[[Json], Json | None]


CLEAN_UP = Class(
    "clean-up",
    "A clean-up of the whole text takes out the space before punctuation, and what was given out may end in that.",
    is_limit=True,
)


def _without_clean_up(own: Json) -> Json:
    return {**own, "cleanup": False}


def _removed(_own: Json) -> None:
    return None


COMPONENTS: tuple[Component, ...] = (
    Component(
        Class(
            "byte fallback",
            "ByteFallback decodes a run of byte tokens together: a byte that makes the run no UTF-8 turns characters "
            "that were given out into U+FFFD.",
            is_limit=True,
        ),
        "ByteFallback",
        _removed,
    ),
    Component(CLEAN_UP, "WordPiece", _without_clean_up),
    Component(CLEAN_UP, "CTC", _without_clean_up),
    Component(
        Class("replace", "Replace finds a pattern that goes on in ids that come later.", is_limit=True),
        "Replace",
        _removed,
    ),
    Component(
        Class("suffix", "BPEDecoder decodes the last token otherwise than those before it.", is_limit=True),
        "BPEDecoder",
        _removed,
    ),
)

UNPROVEN_LIMIT = Class(
    "another text with more ids",
    "The text of the ids so far is not the beginning of the text of more ids; no component of the decoder was proven "
    "to be the reason.",
    is_limit=True,
)


def _limit(at: Break, question: DecodeStream, document: Json, names: Mapping[int, str]) -> Found:
    told = (
        f"The text up to id number {at.end} is {quoted(at.shown[-40:])}, up to {at.more} {quoted(at.then[-40:])}.",
        "Up to the ids before these, the stream is right.",
    )
    for component in COMPONENTS:
        for changed in _made_harmless(document.get("decoder"), component):
            if _goes_on({**document, "decoder": changed}, question, names):
                return Found(
                    component.limit.name,
                    (*told, f"Without {component.type} the reference's texts of these ids go on as they began."),
                )
    return Found(UNPROVEN_LIMIT.name, told)


def _made_harmless(decoder: Json | None, component: Component) -> Iterator[Json | None]:
    """Yield ``decoder`` with each of such components made harmless."""
    if decoder is None:
        return
    if decoder.get("type") == component.type:
        yield component.harmless(decoder)
    parts = decoder.get("decoders") or ()
    for place, part in enumerate(parts):
        for changed in _made_harmless(part, component):
            others = [*parts[:place], *filter(None, [changed]), *parts[place + 1 :]]
            yield {**decoder, "decoders": others}


def _goes_on(document: Json, question: DecodeStream, names: Mapping[int, str]) -> bool:
    """Return whether the texts of ``question`` go on as they began, by the reference with ``document``'s decoder."""
    tokens = [(names[each], each) for each in sorted(set(question.all_ids)) if each in names]
    small = loaded_small(only_decoder(document, tokens))
    if small is None:
        return False
    try:
        return first_break(question, Texts(small.observe, question.skip_special_tokens)) is None
    except NoTextError:
        return False


# Faults ---------------------------------------------------------------------------------------------------------------

WINDOWS = (
    NamedRule(
        "the window",
        "decodes the ids of each text with those of the one before it alone",
        StreamRule(window=Window.SINCE_LAST_TEXT).steps,
    ),
    NamedRule(
        HALF_AGAIN.name,
        HALF_AGAIN.how,
        StreamRule(prompt=Prompt.COMES_AGAIN_WHERE_HALF, window=Window.SINCE_LAST_TEXT).steps,
    ),
    NamedRule(
        HALF_LOST.name,
        HALF_LOST.how,
        StreamRule(prompt=Prompt.COUNTS_AS_IT_IS, context=5, window=Window.SINCE_LAST_TEXT).steps,
    ),
)
"""The rules of streams that keep the ids of the last text only, as `tokenizers` and engines do."""

RULES = (*OTHER_RULES, *WINDOWS)


@dataclass(frozen=True, slots=True)
class Part:
    """What is wrong with the stream of whole words: it is right by ``otherwise``."""

    reason: Class
    otherwise: WordRule


PARTS_OF_WORDS: tuple[Part, ...] = (
    Part(
        Class(
            "words without the prompt",
            "Whole words are given out, and the prompt is no context: with it the text of all ids would be given.",
            is_limit=False,
        ),
        WordRule(keeps_prompt=True),
    ),
    Part(
        Class(
            "words without the line before",
            "Whole words are given out, and a line that has ended is no context of the next one: with it the text of "
            "all ids would be given.",
            is_limit=False,
        ),
        WordRule(keeps_lines=True),
    ),
    Part(
        Class(
            "words without the prompt and the line before",
            "Whole words are given out, and neither the prompt nor a line that has ended is context.",
            is_limit=False,
        ),
        WordRule(keeps_prompt=True, keeps_lines=True),
    ),
)

RAISES = Class("an error", "The stream raises an error where the texts of its ids go on as they began.", is_limit=False)
OTHER_SKIPPING: Mapping[bool, Class] = {
    True: Class("special tokens kept", "Special tokens are kept where they are to be left out.", is_limit=False),
    False: Class("special tokens left out", "Special tokens are left out where they are to be kept.", is_limit=False),
}
"""What it is called where they are to be left out, and where not."""

LOST = Class("text lost", "Some of the text is missing, by no rule that was tried.", is_limit=False)
ADDED = Class("text added", "More than the text is given out, by no rule that was tried.", is_limit=False)
UNEXPLAINED = Class("unexplained", "It is another text, by no rule that was tried.", is_limit=False)

BY_NO_RULE = frozenset({LOST.name, ADDED.name, UNEXPLAINED.name})
"""What may be said of every wrong stream, and is where no rule stands."""


def _faults(
    question: DecodeStream, outcome: Outcome, ask: Callable[[Observation], Outcome], text_of: Texts
) -> tuple[Found, ...]:
    if isinstance(outcome, Failed):
        return (Found(RAISES.name, (f"It raises {outcome.kind}: {quoted(outcome.message[:120])}.",)),)
    given = tuple(each or "" for each in outcome.chunks) if isinstance(outcome, Chunks) else ()
    found = {
        rule.name: f"A stream that {rule.how} gives exactly this, with the same texts of ids."
        for rule in RULES
        if _steps(rule.steps, question, text_of) == given
    }
    if _steps(RIGHT.steps, question, Texts(ask, not question.skip_special_tokens)) == given:
        name = OTHER_SKIPPING[question.skip_special_tokens].name
        found[name] = "It is the text of the same ids with special tokens handled the other way."
    told = tuple(Found(name, (proof,)) for name, proof in found.items() if name != WORDS.name)
    words = (_of_words(question, text_of),) if WORDS.name in found else ()
    return (*told, *words, Found(_by_no_rule("".join(given), expected_texts(question, text_of)).name, ()))


def _by_no_rule(given: str, expected: tuple[str, ...]) -> Class:
    if any(_is_within(given, each) for each in expected):
        return LOST
    return ADDED if any(_is_within(each, given) for each in expected) else UNEXPLAINED


def _is_within(part: str, whole: str) -> bool:
    """Return whether ``part`` is ``whole`` with some of its characters left out."""
    left = iter(whole)
    return all(character in left for character in part)


def _of_words(question: DecodeStream, text_of: Texts) -> Found:
    proof = f"A stream that {WORDS.how} gives exactly this, with the same texts of ids."
    for part in PARTS_OF_WORDS:
        if "".join(part.otherwise.steps(text_of, question)) in expected_texts(question, text_of):
            return Found(part.reason.name, (proof, "With that as context, the same rule gives the text of all ids."))
    return Found(WORDS.name, (proof,))


def speaks_for(
    name: str, question: DecodeStream, outcome: Outcome, ask: Callable[[Observation], Outcome]
) -> bool | None:
    """Return whether ``outcome`` bears out the fault called ``name``, or speaks against it; ``None``: it does neither.

    It does neither where the fault would not show: where what it predicts keeps the law. Of whole words all steps are
    compared: other rules give the same text in other steps.
    """
    if not isinstance(outcome, Chunks):
        return None
    text_of = Texts(ask, question.skip_special_tokens)
    given = tuple(each or "" for each in outcome.chunks)
    if any(name == part.reason.name for part in PARTS_OF_WORDS) or name == WORDS.name:
        return _steps(WORDS.steps, question, text_of) == given
    if name == OTHER_SKIPPING[question.skip_special_tokens].name:
        predicted = [_steps(RIGHT.steps, question, Texts(ask, not question.skip_special_tokens))]
    else:
        predicted = [_steps(rule.steps, question, text_of) for rule in RULES if rule.name == name]
    if given in predicted:
        return None if keeps(question, outcome, text_of) else True
    right = expected_texts(question, text_of)
    shows = [steps is not None and "".join(steps) not in right for steps in predicted]
    return False if shows and all(shows) else None


def _steps(
    rule: Callable[[Callable[[Ids], str], DecodeStream], tuple[str, ...]],
    question: DecodeStream,
    text_of: Callable[[Ids], str],
) -> tuple[str, ...] | None:
    try:
        return rule(text_of, question)
    except NoTextError:
        return None


# The reason -----------------------------------------------------------------------------------------------------------


def reasons_of(
    question: DecodeStream,
    outcome: Outcome,
    ask: Callable[[Observation], Outcome],
    document: Json,
    names: Mapping[int, str],
) -> tuple[Found, ...]:
    """Return why the law does not hold for ``outcome``, which ``ask`` gave for ``question``: what may be the reason.

    ``document`` is the tokenizer.json, ``names`` the tokens of ids. Where several rules give the same texts, other
    streams tell them apart; the last of several faults is what is said where no rule stands. Raises
    :class:`NoTextError` where ids alone have no text.
    """
    text_of = Texts(ask, question.skip_special_tokens)
    end = held_back(question, outcome, text_of)
    if end is not None:
        return (Found(HELD_BACK.name, (f"All is given out but {quoted(end[-40:])}, the end of the text.",)),)
    at = first_break(question, text_of)
    part = None if at is None else up_to(question, at.end)
    if part is not None:
        before = ask(part)
        if not keeps(part, before, text_of) and held_back(part, before, text_of) is None:
            return _faults(part, before, ask, text_of)  # it is wrong before there is a limit
    return _faults(question, outcome, ask, text_of) if at is None else (_limit(at, question, document, names),)


CLASSES: Mapping[str, Class] = {
    each.name: each
    for each in (
        HELD_BACK,
        *(component.limit for component in COMPONENTS),
        UNPROVEN_LIMIT,
        *(Class(rule.name, f"The stream {rule.how}.", is_limit=False) for rule in RULES),
        *(part.reason for part in PARTS_OF_WORDS),
        RAISES,
        *OTHER_SKIPPING.values(),
        LOST,
        ADDED,
        UNEXPLAINED,
    )
}
