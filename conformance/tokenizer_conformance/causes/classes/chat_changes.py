"""Reasons of differences between prompts: what a renderer does differently, or what becomes of its text.

A change is the reason where with it, and it alone, the reference gives the implementation's very prompt, on other
conversations too, and nowhere another one than the implementation. Where several things differ at once, a prompt has
the change and something more; where no single change does, pairs are tried. That both sides refuse a conversation is
agreement, whatever they say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cache, partial
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import After, Chat, Encode, Encoded, EncodeSpecialTokens, Failed, Field, Rendered
from tokenizer_adapters.variants.chat_templates import UnreadableTemplateError, folder_templates
from tokenizer_adapters.variants.rendering import RENDERING_CHANGES
from tokenizer_conformance.causes.cause import Reason
from tokenizer_conformance.causes.classes.experiment import ground_of
from tokenizer_conformance.causes.classes.hypothesis import Candidate
from tokenizer_conformance.causes.classes.message_changes import ALL, CONTENTS, EACH, MOST_CHARACTERS, TOOLS, up_to
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.inputs.conversations.builtin import builtin_conversations
from tokenizer_conformance.inputs.conversations.conversation import json_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_adapters.variants.chat_templates import FolderTemplate
    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.classes.experiment import Ground
    from tokenizer_conformance.causes.witness import Witness

RENDERER, MESSAGES, PROMPT, IDS = "chat-renderer", "chat-messages", "chat-prompt", "chat-ids"
"""The classes: a rule of the renderer, what it makes of messages first, of the text afterwards, and its ids."""

MOST_COMPARED = 1000
"""Longer prompts are only compared whole."""


Ask = Callable[[Chat], "Chat | None"]
Ids = Callable[["Ground", Rendered], "tuple[int, ...] | None"]


@dataclass(frozen=True, slots=True)
class _Change:
    """What is supposed: its class, and what the implementation does, as words after *it*.

    That is other ``rules`` of the renderer, other questions (``asked``; ``None``: nothing is said of this one), another
    text (``told``; ``of`` some prompts alone), other ``ids``, or that it refuses messages. A pair is not ``single``.
    """

    name: str
    does: str
    rules: tuple[str, ...] = ()
    asked: Ask | None = None
    told: Callable[[str], str] | None = None
    ids: Ids | None = None
    refuses: Callable[[list[Any]], bool] | None = None
    of: Callable[[Chat], bool] | None = None
    single: bool = True

    def joined(self, other: _Change) -> _Change | None:
        """Return this change and another one together, ``None`` where both are of one kind that cannot be joined."""
        if (self.asked and other.asked) or (self.told and other.told) or self.refuses or other.refuses:
            return None
        return _Change(
            self.name,
            f"{self.does}, and {other.does}",
            (*self.rules, *other.rules),
            self.asked or other.asked,
            self.told or other.told,
            of=self.of or other.of,
            single=False,
        )


# What is supposed -----------------------------------------------------------------------------------------------------


def _special(ground: Ground, rendered: Rendered) -> tuple[int, ...] | None:
    encoded = ground.expected(Encode(rendered.text))
    return encoded.ids if isinstance(encoded, Encoded) else None


def _of_its_own(ground: Ground, rendered: Rendered) -> tuple[int, ...] | None:
    encoded = ground.actual(Encode(rendered.text, add_special_tokens=False))
    return encoded.ids if isinstance(encoded, Encoded) else None


def _first_twice(_ground: Ground, rendered: Rendered) -> tuple[int, ...] | None:
    return rendered.ids and (rendered.ids[0], *rendered.ids)


def _first_left_out(_ground: Ground, rendered: Rendered) -> tuple[int, ...] | None:
    return rendered.ids and rendered.ids[1:]


def _up_to(count: int) -> Ids:
    return lambda _ground, rendered: rendered.ids and rendered.ids[:count]


def _as_text(ground: Ground, rendered: Rendered) -> tuple[int, ...] | None:
    encoded = ground.expected(After((EncodeSpecialTokens(True),), Encode(rendered.text, add_special_tokens=False)))
    return encoded.ids if isinstance(encoded, Encoded) else None


def _messages(change: Callable[[list[Any]], list[Any]]) -> Ask:
    """Ask about the messages as ``change`` makes them."""

    def changed(chat: Chat) -> Chat | None:
        messages = json.loads(chat.messages)
        if not isinstance(messages, list) or not all(isinstance(each, dict) for each in messages):
            return None
        return replace(chat, messages=json_text(change([dict(each) for each in messages])))

    return changed


def _each(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Ask:
    return _messages(lambda messages: [change(each) for each in messages])


def _role(old: str, new: str) -> Ask:
    return _each(lambda each: {**each, "role": new} if each.get("role") == old else each)


def _content(change: Callable[[str], str]) -> Ask:
    return _each(lambda each: {**each, "content": change(each["content"])} if _has_text(each) else each)


def _has_text(message: dict[str, Any]) -> bool:
    return isinstance(message.get("content"), str)


def _without_role(role: str) -> Ask:
    return _messages(lambda messages: [each for each in messages if each.get("role") != role])


def _of_some(change: Callable[[list[Any]], list[Any]]) -> Ask:
    """Ask about the messages that ``change`` leaves; where it leaves none, about those that there are."""
    return _messages(lambda messages: change(messages) or messages)


def _tools(change: Callable[[list[Any]], list[Any]]) -> Ask:
    """Ask about tools as ``change`` makes them."""

    def changed(chat: Chat) -> Chat | None:
        tools = None if chat.tools is None else json.loads(chat.tools)
        return replace(chat, tools=json_text(change(tools))) if isinstance(tools, list) else chat

    return changed


def _prompt_after_users(chat: Chat) -> Chat | None:
    """Ask for a generation prompt only where the last message is not of the model."""
    messages = json.loads(chat.messages)
    last = messages[-1] if isinstance(messages, list) and messages else None
    is_of_model = isinstance(last, dict) and last.get("role") == "assistant"
    return replace(chat, add_generation_prompt=chat.add_generation_prompt and not is_of_model)


def _is_generating(chat: Chat) -> bool:
    return chat.add_generation_prompt


def _is_continued(chat: Chat) -> bool:
    return chat.continue_final_message


FIRST_TOKEN, LAST_TOKEN = re.compile(r"\A<[^<>\s]+>"), re.compile(r"<[^<>\s]+>\s*\Z")
"""Control tokens as most templates write them."""


def _kept_members(*names: str) -> Ask:
    return _each(lambda each: {name: value for name, value in each.items() if name in names})


SEPARATORS = {chr(code): chr(0xF8E0 + code) for code in range(0x1C, 0x20)}
"""White space in Python alone, and characters that stand for it where it is none."""

OF_SCRIPTS = {**SEPARATORS, "\x85": "\uf8df", "\ufeff": "\u205f"}
"""The same where JavaScript trims: it knows no U+0085 there, and takes U+FEFF for white space."""

OUTSIDE_ASCII = {
    chr(code): chr(0xE000 + place)
    for place, code in enumerate(
        (*range(0x1C, 0x20), 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000)
    )
}
"""The same where C trims: white space is what ASCII has, and no separators."""


def _exchanging(characters: Mapping[str, str]) -> Ask:
    table = {ord(one): other for one, other in characters.items()}
    return _content(lambda text: text.translate(table))


def _restoring(characters: Mapping[str, str]) -> Callable[[str], str]:
    table = {ord(other): one for one, other in characters.items()}
    return lambda text: text.translate(table)


EXPONENT = re.compile(r"(?<=\d[eE][-+])0+(?=\d)")


def _short_exponents(text: str) -> str:
    """Return ``text`` with numbers in the form of other languages.

    >>> _short_exponents("1e-07")
    '1e-7'
    """
    return EXPONENT.sub("", text)


MOST_IDS = (512, 1024, 2048)
"""What ids are cut at."""

REFUSED = Failed("Refused", "as supposed")


def _with_content(message: dict[str, Any]) -> dict[str, Any]:
    return message if message.get("content") is not None else {**message, "content": ""}


def _lacks_role(messages: list[Any]) -> bool:
    return any(isinstance(each, dict) and "role" not in each for each in messages)


def _lacks_content(messages: list[Any]) -> bool:
    """Return whether a message that is no answer has no content."""
    return any(
        isinstance(each, dict) and each.get("role") != "assistant" and "content" not in each for each in messages
    )


def _has_other_content(messages: list[Any]) -> bool:
    """Return whether any content is there and no text, or not there."""
    return any(isinstance(each, dict) and not _has_text(each) for each in messages)


OF_SEVERAL = frozenset({"none_lower", "none_null", "html_sorted_json", "messages_as_given"})
"""Changes of several rules at once; one rule is told before them, where it says as much."""


def _is_several(name: str) -> bool:
    return name in OF_SEVERAL


LAST = "javascript"
"""The change of most rules: it is told where pairs do not explain a difference either."""

_RULES = {name: RENDERING_CHANGES[name] for name in sorted(RENDERING_CHANGES, key=_is_several) if name != LAST}

CHANGES: tuple[_Change, ...] = (
    *(_Change(RENDERER, does, (name,)) for name, does in _RULES.items()),
    _Change(MESSAGES, "refuses whatever is asked of this template", refuses=lambda _messages: True),
    _Change(
        RENDERER,
        "takes U+001C to U+001F for no white space",
        asked=_exchanging(SEPARATORS),
        told=_restoring(SEPARATORS),
    ),
    _Change(
        RENDERER,
        "takes U+FEFF for white space, and U+0085 and U+001C to U+001F for none",
        asked=_exchanging(OF_SCRIPTS),
        told=_restoring(OF_SCRIPTS),
    ),
    _Change(
        RENDERER,
        "takes nothing for white space but what C does: no separators, and nothing outside of ASCII",
        asked=_exchanging(OUTSIDE_ASCII),
        told=_restoring(OUTSIDE_ASCII),
    ),
    _Change(MESSAGES, "refuses messages without a role", refuses=_lacks_role),
    _Change(MESSAGES, "refuses messages without content, but for answers", refuses=_lacks_content),
    _Change(MESSAGES, "takes content that is null or absent for an empty text", asked=_each(_with_content)),
    _Change(MESSAGES, "refuses messages whose content is no text", refuses=_has_other_content),
    _Change(PROMPT, "strips the end of a generation prompt", told=str.rstrip, of=_is_generating),
    _Change(PROMPT, "strips the end of a prompt that is to be continued", told=str.rstrip, of=_is_continued),
    _Change(PROMPT, "strips the end of the prompt", told=str.rstrip),
    _Change(PROMPT, "strips the prompt", told=str.strip),
    _Change(PROMPT, "ends the prompt with a line break", told=lambda text: f"{text}\n"),
    _Change(PROMPT, "ends a generation prompt with <think>", told=lambda text: f"{text}<think>\n", of=_is_generating),
    _Change(PROMPT, "begins the prompt with its first token twice", told=partial(FIRST_TOKEN.sub, r"\g<0>\g<0>")),
    _Change(PROMPT, "leaves out the token that begins the prompt", told=partial(FIRST_TOKEN.sub, "")),
    _Change(PROMPT, "leaves out the token that ends the prompt", told=partial(LAST_TOKEN.sub, "")),
    _Change(PROMPT, "writes no line breaks between tokens", told=lambda text: text.replace(">\n<", "><")),
    _Change(PROMPT, "writes one line break for two", told=lambda text: text.replace("\n\n", "\n")),
    _Change(PROMPT, "writes line breaks as CR LF", told=lambda text: text.replace("\n", "\r\n")),
    *(
        _Change(PROMPT, f"takes the first {count:,} characters of the prompt alone", told=up_to(count))
        for count in MOST_CHARACTERS
    ),
    _Change(PROMPT, "writes exponents of numbers without zeros before them", told=_short_exponents),
    _Change(MESSAGES, "takes no tools", asked=lambda chat: replace(chat, tools=None)),
    _Change(MESSAGES, "ignores add_generation_prompt", asked=lambda chat: replace(chat, add_generation_prompt=False)),
    _Change(
        MESSAGES,
        "always adds a generation prompt",
        asked=lambda chat: None if chat.continue_final_message else replace(chat, add_generation_prompt=True),
    ),
    _Change(MESSAGES, "adds no generation prompt after an answer", asked=_prompt_after_users),
    _Change(MESSAGES, "ignores continue_final_message", asked=lambda chat: replace(chat, continue_final_message=False)),
    _Change(MESSAGES, "strips the end of the content of each message", asked=_content(str.rstrip)),
    _Change(MESSAGES, "strips the beginning of the content of each message", asked=_content(str.lstrip)),
    _Change(MESSAGES, "leaves out system messages", asked=_without_role("system")),
    _Change(MESSAGES, "leaves out the results of tools", asked=_without_role("tool")),
    _Change(MESSAGES, "takes system messages for those of the user", asked=_role("system", "user")),
    _Change(MESSAGES, "takes the results of tools for messages of the user", asked=_role("tool", "user")),
    _Change(MESSAGES, "takes messages of the developer for system messages", asked=_role("developer", "system")),
    _Change(MESSAGES, "takes messages of the model for those of the user", asked=_role("assistant", "user")),
    _Change(MESSAGES, "takes messages of the user for those of the model", asked=_role("user", "assistant")),
    _Change(MESSAGES, "calls the model model in place of assistant", asked=_role("assistant", "model")),
    _Change(MESSAGES, "leaves out the last message", asked=_messages(lambda messages: messages[:-1])),
    _Change(MESSAGES, "leaves out the first message", asked=_messages(lambda messages: messages[1:])),
    *(_Change(MESSAGES, does, asked=_content(change)) for does, change in CONTENTS.items()),
    *(_Change(MESSAGES, does, asked=_each(change)) for does, change in EACH.items()),
    *(_Change(MESSAGES, does, asked=_of_some(change)) for does, change in ALL.items()),
    *(_Change(MESSAGES, does, asked=_tools(change)) for does, change in TOOLS.items()),
    _Change(MESSAGES, "reads role and content of messages alone", asked=_kept_members("role", "content")),
    _Change(IDS, "makes these ids of the same text outside of conversations, too", ids=_of_its_own),
    _Change(IDS, "tokenizes the prompt with special tokens added", ids=_special),
    _Change(IDS, "begins the ids with the first one twice", ids=_first_twice),
    _Change(IDS, "takes special tokens of the prompt for text", ids=_as_text),
    *(_Change(IDS, f"takes the first {count:,} ids alone", ids=_up_to(count)) for count in MOST_IDS),
    _Change(IDS, "leaves out the first id", ids=_first_left_out),
)
"""Single things that implementations do differently; of those that say the same the first is told."""


# What shows it --------------------------------------------------------------------------------------------------------


def other_prompts(bench: Bench, witness: Witness) -> Iterator[Candidate]:
    """Give the first change that explains ``witness``; a pair of them where no single one does."""
    if not isinstance(witness.question, Chat):
        return
    ground = ground_of(bench, witness)
    if ground is None:
        return
    templates = _templates(ground)
    if not templates:
        return
    study = _Study(ground, templates[0], witness.question, of_ids=witness.difference.field is Field.IDS)
    changes = [each for each in CHANGES if (each.name == IDS) == study.of_ids]
    every = () if study.of_ids else (_Change(RENDERER, RENDERING_CHANGES[LAST], (LAST,)),)
    for group in (changes, _pairs(study, changes, witness.question), every):
        standing = [each for change in group if (each := study.candidate(change)) is not None]
        if standing:
            yield _with_rivals(standing)
            return


def _templates(ground: Ground) -> tuple[FolderTemplate, ...]:
    source = ground.trial.source
    try:
        return folder_templates(source.folder or str(Path(source.file).parent))
    except UnreadableTemplateError:
        return ()


MOST_RIVALS = 2


def _with_rivals(standing: Sequence[Candidate]) -> Candidate:
    """Return the first of those that stand, which says what else would look the same here."""
    first, *others = standing
    words = [f"So it would be if {each.reason.parameter}; nothing here tells them apart." for each in others]
    return replace(first, reason=replace(first.reason, proof=(*first.reason.proof, *words[:MOST_RIVALS])))


def _pairs(study: _Study, changes: Sequence[_Change], chat: Chat) -> Iterator[_Change]:
    """Give pairs of changes that make another prompt, one of them by itself; those of ids cannot be joined.

    What is refused for two reasons has no prompt with either change: one of them has it refused in other words. Where
    the implementation differs in nothing but refusals, no pair is told (:meth:`_Study._tell`), and none is given.
    """
    if not study.renders_otherwise():
        return
    telling = [each for each in changes if not study.of_ids and study.changes_prompt(each, chat)]
    rules = [each for each in changes if each.name == RENDERER and each not in telling]
    others = {each for each in rules if study.changes_refusal(each)}
    refused = (pair for pair in combinations(rules, 2) if others.intersection(pair))
    pairs = (*combinations(telling, 2), *product(telling, rules), *refused)
    yield from filter(None, (one.joined(other) for one, other in pairs))


class _Study:
    """Changes put to the test: about ``chat``, and about controls; ``of_ids`` says that texts are alike."""

    def __init__(self, ground: Ground, template: FolderTemplate, chat: Chat, *, of_ids: bool) -> None:
        self._ground = ground
        self._chat = chat
        self._template = template
        self._answers: dict[tuple[Chat, tuple[str, ...]], str | Failed] = {}
        self.of_ids = of_ids

    def _predicted(self, change: _Change, chat: Chat) -> Outcome | None:
        """Return what ``change`` predicts; ``None`` where it says nothing, or the reference is not the baseline."""
        expected = self._ground.expected(chat)
        if change.ids is not None:
            if not isinstance(expected, Rendered):
                return expected
            return replace(expected, ids=change.ids(self._ground, expected))
        asked = chat if change.asked is None else change.asked(chat)
        if asked is None or not self._same(self._rendered(chat), expected):
            return None
        if change.refuses is not None and change.refuses(json.loads(chat.messages)):
            return REFUSED
        found = self._rendered(asked, change.rules)
        if isinstance(found, Failed) or change.told is None or not (change.of is None or change.of(chat)):
            return found
        return Rendered(change.told(found.text))

    def _rendered(self, chat: Chat, rules: tuple[str, ...] = ()) -> Rendered | Failed:
        if (chat, rules) not in self._answers:
            self._ground.trial.check_time()
            self._answers[chat, rules] = self._template.answer(chat, rules)
        found = self._answers[chat, rules]
        return found if isinstance(found, Failed) else Rendered(found)

    def changes_prompt(self, change: _Change, chat: Chat) -> bool:
        """Return whether ``change`` makes another prompt of ``chat``."""
        predicted = self._predicted(change, chat)
        return predicted is not None and not self._same(predicted, self._ground.expected(chat))

    def changes_refusal(self, change: _Change) -> bool:
        """Return whether the conversation is refused without ``change``, and with it for another reason."""
        before, after = self._rendered(self._chat), self._predicted(change, self._chat)
        return isinstance(before, Failed) and isinstance(after, Failed) and before.message != after.message

    def renders_otherwise(self) -> bool:
        """Return whether the conversation, or a control, has a prompt that is not the one of the baseline."""
        answers = (
            (self._ground.actual(each), self._ground.expected(each)) for each in (self._chat, *controls(self._chat))
        )
        return any(isinstance(actual, Rendered) and not self._same(actual, expected) for actual, expected in answers)

    def candidate(self, change: _Change) -> Candidate | None:
        """Return ``change`` as a reason, with the other conversations that bear it out; ``None`` where it is none."""
        if not self._explains(change, self._chat):
            return None
        shown = [self._chat]
        for control in controls(self._chat):
            said = self._said(change, control)
            if said is False:
                return None
            shown += [control] if said else []
        return Candidate(self._reason(change, len(shown) - 1)) if shown[1:] and self._tell(change, shown) else None

    def _tell(self, change: _Change, shown: Sequence[Chat]) -> bool:
        """Return whether answers that ``change`` explains tell something of it: one of them is a prompt.

        That both refuse says little, as most changes make a template refuse some conversations. It tells something of
        one change where the errors say the same, or it is a rule of the renderer, or refusing itself; and where the
        implementation refuses nothing else that the baseline takes.
        """
        actual = [self._ground.actual(each) for each in shown]
        if any(isinstance(each, Rendered) for each in actual):
            return True
        predicted = (self._predicted(change, each) for each in shown)
        pairs = zip(predicted, actual, strict=True)
        says_so = change.name == RENDERER or change.refuses is not None or any(_says_the_same(*each) for each in pairs)
        return change.single and says_so and not any(self._refuses_more(change, each) for each in controls(self._chat))

    def _refuses_more(self, change: _Change, control: Chat) -> bool:
        answers = (self._ground.expected(control), self._predicted(change, control))
        return all(isinstance(each, Rendered) for each in answers) and isinstance(self._ground.actual(control), Failed)

    def _explains(self, change: _Change, question: Observation) -> bool:
        """Return whether the implementation answers as predicted, and not as the baseline."""
        if not isinstance(question, Chat):
            return False
        actual, predicted = self._ground.actual(question), self._predicted(change, question)
        if predicted is None or self._same(actual, self._ground.expected(question)):
            return False
        return self._same(predicted, actual)

    def _said(self, change: _Change, control: Chat) -> bool | None:
        """Return whether a control bears ``change`` out, or speaks against it; ``None``: it says nothing."""
        expected, actual = self._ground.expected(control), self._ground.actual(control)
        predicted = self._predicted(change, control)
        answers = (expected, actual, predicted)
        if predicted is None or not all(isinstance(each, Rendered | Failed) for each in answers):
            return None
        if self._same(predicted, expected):
            return None
        if self._same(predicted, actual):
            return True
        return self._is_part(expected, predicted, actual)

    def _is_part(self, expected: Outcome, predicted: Outcome, actual: Outcome) -> bool | None:
        """Return whether ``actual`` has what is predicted, and something more; a refusal has a reason of its own."""
        if isinstance(actual, Failed) and not isinstance(expected, Failed):
            return None
        texts = [each.text for each in (expected, predicted, actual) if isinstance(each, Rendered)]
        if self.of_ids:
            # Ids of another text say nothing.
            return None if isinstance(actual, Rendered) and texts[0] != actual.text else False
        if len(texts) < len((expected, predicted, actual)):
            return False
        before, supposed, given = texts
        if before != given and max(map(len, texts)) > MOST_COMPARED:
            return None
        return before != given and set(_edits(before, supposed)) <= set(_edits(before, given))

    def _same(self, one: Outcome, other: Outcome) -> bool:
        if isinstance(one, Failed) and isinstance(other, Failed):
            return True
        if not isinstance(one, Rendered) or not isinstance(other, Rendered):
            return False
        if self.of_ids:
            return one.text == other.text and (one.ids is None or other.ids is None or one.ids == other.ids)
        return one.text == other.text

    def _reason(self, change: _Change, shown: int) -> Reason:
        expected, actual = self._ground.expected(self._chat), self._ground.actual(self._chat)
        ours, theirs = (_shown(*each, of_ids=self.of_ids) for each in ((expected, actual), (actual, expected)))
        others = "One other conversation shows" if shown == 1 else f"{shown} other conversations show"
        return Reason(
            change.name,
            f"it {change.does}",
            (
                f"The baseline answers {ours}, the implementation {theirs}.",
                f"An implementation that {change.does} gives exactly the answer of this one.",
                f"{others} the same, and none speaks against it.",
            ),
            partial(self._explains, change),
            None,
            partial(self._concerns, change),
        )

    def _concerns(self, change: _Change, question: Observation) -> bool:
        return isinstance(question, Chat) and self.changes_prompt(change, question)


def _says_the_same(predicted: Outcome | None, actual: Outcome) -> bool:
    if not isinstance(predicted, Failed) or not isinstance(actual, Failed):
        return False
    return bool(predicted.message) and predicted.message in actual.message


def _edits(before: str, after: str) -> list[tuple[int, int, str]]:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return [(start, end, after[at:to]) for tag, start, end, at, to in matcher.get_opcodes() if tag != "equal"]


SHOWN = 30


def _shown(outcome: Outcome, other: Outcome, *, of_ids: bool) -> str:
    """Return where ``outcome`` is not as ``other``, in few words."""
    if isinstance(outcome, Failed):
        return f"with an error, {outcome.kind}: {quoted(outcome.message[: 2 * SHOWN])}"
    if not isinstance(outcome, Rendered):
        return f"as {type(outcome).__name__}"
    if of_ids:
        return f"ids {list((outcome.ids or ())[:8])}"
    theirs = other.text if isinstance(other, Rendered) else ""
    pairs = enumerate(zip(outcome.text, theirs, strict=False))
    place = next((at for at, (one, two) in pairs if one != two), min(len(outcome.text), len(theirs)))
    start = max(0, place - SHOWN)
    return f"{'…' if start else ''}{quoted(outcome.text[start : place + SHOWN])}"


# Controls -------------------------------------------------------------------------------------------------------------


@cache
def _asked_of_all() -> tuple[Chat, ...]:
    questions: Iterable[Observation] = (each for one in builtin_conversations() for each in one.questions)
    return tuple(each for each in questions if isinstance(each, Chat))


def controls(chat: Chat) -> Iterator[Chat]:
    """Give other conversations, those of one kind with ``chat`` first: its template, and any options."""
    yield from (replace(each, template=chat.template) for each in _asked_of_all() if each != chat)
