"""The template itself: missing, broken, in two files that differ, or with variables that nobody gives."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.variants.chat_templates import TEMPLATE_STOPPED, UnreadableTemplateError, folder_templates
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.file_audit.chat.audited_chat import (
    ANSWER,
    QUESTION,
    AuditedChat,
    StoppedTemplateError,
    answer,
    common_length,
    user,
)
from tokenizer_conformance.research.file_audit.finding import Defect, FoundDefect, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.variants.chat_templates import FolderTemplate
    from tokenizer_conformance.research.file_audit.audited import AuditedFile
    from tokenizer_conformance.research.file_audit.chat.audited_chat import Prompt

MISSING = Defect(
    "chat-template-missing",
    "There is no chat template",
    Severity.ERROR,
    "Engines refuse conversations, or take a template of their own.",
    "Put the template of the training into chat_template.jinja beside tokenizer.json.",
)
BROKEN = Defect(
    "chat-template-broken",
    "The chat template cannot be used",
    Severity.ERROR,
    "It does not parse, or gives no prompt for a single message of a user.",
    "Mend the template at the place that the message names.",
)
FILES_DIFFER = Defect(
    "chat-template-differs",
    "Two files of the checkpoint have different chat templates",
    Severity.WARNING,
    "Which one is taken depends on the release of the library and on the engine: older ones read "
    "tokenizer_config.json alone.",
    "Write the same template into both, or leave it out of tokenizer_config.json.",
)
VARIABLES = Defect(
    "chat-variables",
    "The template reads variables that a caller must know of",
    Severity.NOTE,
    "Where they are not given, the template goes the way that it has for that.",
    "Tell callers of them; test them with `is defined`.",
)

STOPPED = Defect(
    "chat-template-stopped",
    "The chat template does not come to an end",
    Severity.ERROR,
    "It needs more time or memory than any prompt is worth, or writes too much: an engine that sets no limits stands "
    "still.",
    "Look for loops in the template whose length is not that of the messages.",
)

RANDOM = Defect(
    "chat-random",
    "The template writes one conversation in more than one way",
    Severity.WARNING,
    "Caches are lost, and no result can be repeated.",
    "Leave the filter `random` out of the template.",
)

DEFECTS = (MISSING, BROKEN, STOPPED, RANDOM, FILES_DIFFER, VARIABLES)

GIVEN = frozenset(
    {"messages", "tools", "documents", "add_generation_prompt", "continue_final_message", "raise_exception"}
    | {"strftime_now", "range", "dict", "lipsum", "cycler", "joiner", "namespace", "loop", "true", "false", "none"}
)
"""What every template is given, beside special tokens."""


def templates_of(audited: AuditedFile) -> Sequence[FolderTemplate]:
    """Return the templates of the checkpoint of ``audited``, the one that is taken first."""
    source = audited.tokenizer.source
    return folder_templates(source.folder or str(Path(source.file).parent))


@lru_cache(maxsize=1)
def _taken(audited: AuditedFile) -> AuditedChat | None:
    """Return the template that is taken; all checks of a file look at one, so that no prompt is rendered twice."""
    try:
        found = templates_of(audited)
    except UnreadableTemplateError:
        return None
    return AuditedChat(audited, found[0]) if found else None


def usable(audited: AuditedFile) -> AuditedChat | None:
    """Return the template that is taken, with its prompts; ``None`` where there is none that can be used."""
    chat = _taken(audited)
    return None if chat is None or _refusal(chat) is not None else chat


def _refusal(chat: AuditedChat) -> Prompt | None:
    """Return the prompt that is refused, where the template refuses the plainest conversations of all."""
    try:
        prompts = (chat.prompt(user(QUESTION)), chat.prompt(user(QUESTION), answer(ANSWER), user(QUESTION)))
    except StoppedTemplateError as stopped:
        return stopped.prompt
    return prompts[0] if all(each.refusal is not None for each in prompts) else None


def stopped_at(prompt: Prompt) -> FoundDefect:
    """Return the finding that the template was stopped, and gave no ``prompt``."""
    message = "" if prompt.refusal is None else prompt.refusal.message
    return FoundDefect(STOPPED, (), message, witness=prompt.witness(message))


def check_templates(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield what is wrong with the template before any conversation."""
    try:
        found = templates_of(audited)
    except UnreadableTemplateError as error:
        yield FoundDefect(BROKEN, (), str(error))
        return
    chat = _taken(audited)
    if chat is None:
        yield FoundDefect(MISSING, (), "neither chat_template.jinja nor tokenizer_config.json has one")
        return
    refused = _refusal(chat)
    if refused is not None and refused.refusal is not None:
        failed = refused.refusal
        if failed.kind == TEMPLATE_STOPPED:
            yield stopped_at(refused)
            return
        message = f"the one of {found[0].source} gives no prompt: {failed.kind}: {quoted(failed.message)}"
        yield FoundDefect(BROKEN, (), message, witness=refused.witness(f"{failed.kind}: {quoted(failed.message)}"))
        return
    if chat.is_random:
        prompt = chat.prompt(user(QUESTION))
        message = f"one prompt begins {prompt.near(0)}, and others are not the same"
        yield FoundDefect(RANDOM, (), message, witness=prompt.witness(message))
        return
    yield from _differing(audited, found)
    yield from _variables(found[0])


def _differing(audited: AuditedFile, found: Sequence[FolderTemplate]) -> Iterator[FoundDefect]:
    first, *others = found
    for other in others:
        if other.text == first.text:
            continue
        message = f"those of {first.source} and {other.source} differ"
        shown = _shown(AuditedChat(audited, first), AuditedChat(audited, other))
        if shown is None:
            yield FoundDefect(FILES_DIFFER, (), f"{message}, and give the same prompts for plain conversations")
        else:
            prompt, result = shown
            yield FoundDefect(FILES_DIFFER, (), message, witness=prompt.witness(result))


def _shown(chat: AuditedChat, other: AuditedChat) -> tuple[Prompt, str] | None:
    """Return a prompt that the two templates give differently, and how."""
    turns = (user(QUESTION), answer(ANSWER), user(ANSWER))
    for messages in (turns[:1], turns[:2], turns):
        one, two = chat.prompt(*messages), other.prompt(*messages)
        if _outcome(one) != _outcome(two):
            place = common_length(one.text, two.text)
            return one, f"{chat.template.source}: {_near(one, place)}; {other.template.source}: {_near(two, place)}"
    return None


def _outcome(prompt: Prompt) -> str | None:
    return prompt.text if prompt.refusal is None else None


def _near(prompt: Prompt, place: int) -> str:
    return prompt.near(place) if prompt.refusal is None else f"refused ({quoted(prompt.refusal.message)})"


def _variables(template: FolderTemplate) -> Iterator[FoundDefect]:
    read = template.variables() - GIVEN - template.special_tokens.keys()
    if read:
        names = ", ".join(sorted(read))
        yield FoundDefect(VARIABLES, (), f"{counted(len(read), 'variable')}: {names}", count=len(read))
