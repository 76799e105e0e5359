"""All that a chat template is looked into for, in the order in which it is done."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tokenizer_conformance.research.file_audit.audited import CutShort
from tokenizer_conformance.research.file_audit.chat import (
    contents,
    messages,
    special_tokens,
    templates,
    tools,
    turns,
)
from tokenizer_conformance.research.file_audit.chat.audited_chat import StoppedTemplateError
from tokenizer_conformance.research.file_audit.finding import FileCheck

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tokenizer_conformance.research.file_audit.audited import AuditedFile
    from tokenizer_conformance.research.file_audit.chat.audited_chat import AuditedChat
    from tokenizer_conformance.research.file_audit.finding import Defect, FoundDefect


NO_TEMPLATE = "no chat template can be used"
ALWAYS_OTHERS = "no prompt is the same twice"
"""Why nothing is looked at that needs prompts."""


def _of_chat(
    name: str, find: Callable[[AuditedChat], Iterator[FoundDefect]], audited: AuditedFile
) -> Iterator[FoundDefect]:
    chat = templates.usable(audited)
    if chat is None:
        audited.cut_short.append(CutShort(name, why=NO_TEMPLATE))
        return
    if chat.is_random:
        audited.cut_short.append(CutShort(name, why=ALWAYS_OTHERS))
        return
    yield from _placed(_until_stopped(name, find(chat), audited))


def _of_templates(audited: AuditedFile) -> Iterator[FoundDefect]:
    yield from _placed(_until_stopped(TEMPLATES, templates.check_templates(audited), audited))


def _until_stopped(name: str, found: Iterator[FoundDefect], audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield what is ``found`` until the template is stopped: it would be again, and each time takes seconds."""
    try:
        yield from found
    except StoppedTemplateError as stopped:
        if not any(each.why == str(stopped) for each in audited.cut_short):
            yield templates.stopped_at(stopped.prompt)
        audited.cut_short.append(CutShort(name, why=str(stopped)))


TEMPLATES = "chat templates"
PATH = ("chat_template",)
"""Where a template is in tokenizer_config.json."""


def _placed(found: Iterable[FoundDefect]) -> Iterator[FoundDefect]:
    for each in found:
        yield replace(each, path=PATH, examples=tuple(replace(example, path=PATH) for example in each.examples))


def _check(name: str, defects: tuple[Defect, ...], find: Callable[[AuditedChat], Iterator[FoundDefect]]) -> FileCheck:
    return FileCheck(name, defects, partial(_of_chat, name, find), in_file=False)


CHAT_CHECKS: tuple[FileCheck, ...] = (
    FileCheck(TEMPLATES, templates.DEFECTS, _of_templates, in_file=False),
    _check("special tokens of prompts", special_tokens.DEFECTS, special_tokens.check_special_tokens),
    _check("messages in prompts", messages.DEFECTS, messages.check_messages),
    _check("contents of messages", contents.DEFECTS, contents.check_contents),
    _check("tools and calls", tools.DEFECTS, tools.check_tools),
    _check("turns", turns.DEFECTS, turns.check_turns),
)
