"""What each step of a stream adds to the text, by one rule or another, told from the texts of ids alone.

The right rule: the text of all ids so far, without what was given out; nothing while that text ends in U+FFFD, since
a following id may complete the character. Each other rule does one thing otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import DecodeStream


REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

Ids = tuple[int, ...]
Steps = tuple[str, ...]
"""What each step adds to the text, ``""`` where that is nothing."""


class NoTextError(Exception):
    """Ids have no text: an error is their answer, or none."""


class Prompt(Enum):
    """What comes of the ids before the first step."""

    IS_CONTEXT = auto()
    IS_FORGOTTEN = auto()
    COUNTS_AS_IT_IS = auto()
    """The U+FFFD at its end counts as given out, too."""
    COMES_AGAIN_WHERE_HALF = auto()
    """Where it ends within a character, nothing of it counts as given out."""
    COMES_AGAIN = auto()


class Window(Enum):
    """Which ids are decoded with those of a step."""

    ALL = auto()
    SINCE_LAST_TEXT = auto()
    """Those of the last text that was given out, and what came since."""
    ANEW = auto()
    """What came since the last text that was given out."""


class Taken(Enum):
    """Which ids of a step are taken."""

    ALL = auto()
    WITHOUT_FIRST = auto()
    FIRST = auto()
    LAST = auto()


@dataclass(frozen=True, slots=True)
class StreamRule:
    """A rule; what is not said is as in the right one.

    ``context`` is how many ids of the prompt are decoded with those after it, all where it is ``None``. ``holds``:
    nothing is given out that ends in U+FFFD. ``told`` is what becomes of a text that is given out.
    """

    prompt: Prompt = Prompt.IS_CONTEXT
    context: int | None = None
    window: Window = Window.ALL
    taken: Taken = Taken.ALL
    holds: bool = True
    told: Callable[[str], str] = str

    def steps(self, text_of: Callable[[Ids], str], question: DecodeStream) -> Steps:
        """Return what each step adds. Raises :class:`NoTextError`."""
        ids, given = self._beginning(text_of, question.prompt[-self.context :] if self.context else question.prompt)
        texts, mark = list[str](), len(ids) if given else 0
        for step in question.steps:
            ids += self._taken(step)
            text = text_of(ids)
            if len(text) <= len(given) or (self.holds and text.endswith(REPLACEMENT)):
                texts.append("")
                continue
            texts.append(self.told(text[len(given) :]))
            ids, given = self._kept(text_of, ids, mark, text)
            mark = len(ids)
        return tuple(texts)

    def _beginning(self, text_of: Callable[[Ids], str], prompt: Ids) -> tuple[Ids, str]:
        """Return the ids that are decoded with the first step, and what of their text counts as given out."""
        if not prompt or self.prompt is Prompt.IS_FORGOTTEN:
            return (), ""
        text = text_of(prompt)
        is_half = text.endswith(REPLACEMENT)
        match self.prompt:
            case Prompt.COUNTS_AS_IT_IS:
                return prompt, text
            case Prompt.COMES_AGAIN:
                return prompt, ""
            case Prompt.COMES_AGAIN_WHERE_HALF if is_half:
                return prompt, ""
        return prompt, text.rstrip(REPLACEMENT)

    def _kept(self, text_of: Callable[[Ids], str], ids: Ids, mark: int, text: str) -> tuple[Ids, str]:
        """Return the ids that are decoded with the next step, and what of their text was given out."""
        match self.window:
            case Window.ALL:
                return ids, text
            case Window.SINCE_LAST_TEXT:
                return ids[mark:], text_of(ids[mark:])
            case Window.ANEW:
                return (), ""

    def _taken(self, step: Ids) -> Ids:
        match self.taken:
            case Taken.ALL:
                return step
            case Taken.WITHOUT_FIRST:
                return step[1:] if len(step) > 1 else step
            case Taken.FIRST:
                return step[:1]
            case Taken.LAST:
                return step[-1:]


RIGHT = StreamRule()


@dataclass(frozen=True, slots=True)
class WordRule:
    """Each text up to its last space, or all of it after an ideograph or a newline; the rest at the end.

    As `transformers` has it, the ids of a prompt are no context of what comes, nor are those of a line that has ended.
    """

    keeps_prompt: bool = False
    keeps_lines: bool = False

    def steps(self, text_of: Callable[[Ids], str], question: DecodeStream) -> Steps:
        """Return what each step adds. Raises :class:`NoTextError`."""
        ids = question.prompt if self.keeps_prompt else ()
        given, texts = len(text_of(ids).rstrip(REPLACEMENT)) if ids else 0, list[str]()
        for step in question.steps:
            ids += step
            text = text_of(ids)
            ends_line = text.endswith("\n")
            end = len(text) if ends_line or _is_ideograph(text) else text.rfind(" ") + 1
            texts.append(text[given:end])
            given = max(given, end)
            if ends_line and not self.keeps_lines:
                ids, given = (), 0
        if texts and ids:
            texts[-1] += text_of(ids)[given:]
        return tuple(texts)


IDEOGRAPHS = (
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0x2F800, 0x2FA1F),
)  # fmt: skip
"""The blocks of which a character is given out at once."""


def _is_ideograph(text: str) -> bool:
    return bool(text) and any(first <= ord(text[-1]) <= last for first, last in IDEOGRAPHS)


def growth(text_of: Callable[[Ids], str], question: DecodeStream) -> Steps:
    """Return by what each step makes the text longer; nothing where it does not go on as it was."""
    before = text_of(question.prompt).rstrip(REPLACEMENT) if question.prompt else ""
    texts, ids = [before], question.prompt
    for step in question.steps:
        ids += step
        texts.append(text_of(ids))
    return tuple(after.removeprefix(before) if after.startswith(before) else "" for before, after in pairwise(texts))


def each_alone(text_of: Callable[[Ids], str], question: DecodeStream) -> Steps:
    """Return the text of each step by itself."""
    return tuple(map(text_of, question.steps))


def at_the_end(text_of: Callable[[Ids], str], question: DecodeStream) -> Steps:
    """Return nothing but with the last step, and with that all that is new."""
    steps = question.steps
    if not steps:
        return ()
    before = text_of(question.prompt).rstrip(REPLACEMENT) if question.prompt else ""
    return (*[""] * (len(steps) - 1), text_of(question.all_ids)[len(before) :])


def first_stripped(text_of: Callable[[Ids], str], question: DecodeStream) -> Steps:
    """Return the right texts, the first of them without the white space that it begins with."""
    texts = list(RIGHT.steps(text_of, question))
    first = next((place for place, text in enumerate(texts) if text), None)
    if first is not None:
        texts[first] = texts[first].lstrip()
    return tuple(texts)


def _without_replacement(text: str) -> str:
    return text.replace(REPLACEMENT, "")


def _without_line_breaks(text: str) -> str:
    return text.rstrip("\n")


@dataclass(frozen=True, slots=True)
class NamedRule:
    """Another rule than the right one: its ``name``, ``how`` a stream does it, as a verb and so on, and itself."""

    name: str
    how: str
    steps: Callable[[Callable[[Ids], str], DecodeStream], Steps]


WORDS = NamedRule("whole words", "gives each text out up to its last space, and the rest at the end", WordRule().steps)
HALF_AGAIN = NamedRule(
    "the incomplete character of the prompt again",
    "gives out the text of the prompt again where that ends within a character",
    StreamRule(prompt=Prompt.COMES_AGAIN_WHERE_HALF).steps,
)
HALF_LOST = NamedRule(
    "the incomplete character of the prompt lost",
    "counts the U+FFFD at the end of the prompt as given out, so that the character is lost",
    StreamRule(prompt=Prompt.COUNTS_AS_IT_IS).steps,
)

OTHER_RULES: tuple[NamedRule, ...] = (
    NamedRule("U+FFFD kept", "gives out all by which the text grows, U+FFFD at its end included", growth),
    NamedRule(
        "U+FFFD kept, and counted",
        "gives out whatever is longer than what was, U+FFFD at its end included",
        StreamRule(holds=False).steps,
    ),
    NamedRule("each id alone", "decodes the ids of each step by themselves", each_alone),
    WORDS,
    NamedRule("the prompt forgotten", "forgets the prompt", StreamRule(prompt=Prompt.IS_FORGOTTEN).steps),
    NamedRule(
        "the prompt again", "gives out the text of the prompt again", StreamRule(prompt=Prompt.COMES_AGAIN).steps
    ),
    HALF_AGAIN,
    HALF_LOST,
    NamedRule(
        "without the ids before",
        "decodes the ids of each text without those before it",
        StreamRule(window=Window.ANEW).steps,
    ),
    NamedRule(
        "without the first id of a step",
        "leaves out the first id of each step of several",
        StreamRule(taken=Taken.WITHOUT_FIRST).steps,
    ),
    NamedRule("the first id of a step", "takes the first id of each step alone", StreamRule(taken=Taken.FIRST).steps),
    NamedRule("the last id of a step", "takes the last id of each step alone", StreamRule(taken=Taken.LAST).steps),
    NamedRule("texts stripped", "strips white space from both ends of each text", StreamRule(told=str.strip).steps),
    NamedRule("ends stripped", "strips white space from the end of each text", StreamRule(told=str.rstrip).steps),
    NamedRule(
        "beginnings stripped", "strips white space from the beginning of each text", StreamRule(told=str.lstrip).steps
    ),
    NamedRule(
        "line breaks stripped",
        "leaves out the line breaks at the end of each text",
        StreamRule(told=_without_line_breaks).steps,
    ),
    NamedRule("U+FFFD left out", "leaves U+FFFD out of each text", StreamRule(told=_without_replacement).steps),
    NamedRule("the first text stripped", "strips white space from the beginning of the first text", first_stripped),
    NamedRule("all at the end", "gives out the whole text with the last step", at_the_end),
)
"""What goes wrong in streams, or is done otherwise; the more specific of two that say the same comes first."""
