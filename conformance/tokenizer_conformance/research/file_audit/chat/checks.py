"""All that a chat template is looked into for, in the order in which it is done."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tokenizer_conformance.research.file_audit.chat import messages, special_tokens, templates, turns
from tokenizer_conformance.research.file_audit.finding import FileCheck

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tokenizer_conformance.research.file_audit.audited import AuditedFile
    from tokenizer_conformance.research.file_audit.chat.audited_chat import AuditedChat
    from tokenizer_conformance.research.file_audit.finding import Defect, FoundDefect


def _of_chat(find: Callable[[AuditedChat], Iterator[FoundDefect]], audited: AuditedFile) -> Iterator[FoundDefect]:
    chat = templates.usable(audited)
    if chat is not None:
        yield from _placed(find(chat))


def _of_templates(audited: AuditedFile) -> Iterator[FoundDefect]:
    yield from _placed(templates.check_templates(audited))


PATH = ("chat_template",)
"""Where a template is in tokenizer_config.json."""


def _placed(found: Iterable[FoundDefect]) -> Iterator[FoundDefect]:
    for each in found:
        yield replace(each, path=PATH, examples=tuple(replace(example, path=PATH) for example in each.examples))


def _check(name: str, defects: tuple[Defect, ...], find: Callable[[AuditedChat], Iterator[FoundDefect]]) -> FileCheck:
    return FileCheck(name, defects, partial(_of_chat, find), in_file=False)


CHAT_CHECKS: tuple[FileCheck, ...] = (
    FileCheck("chat templates", templates.DEFECTS, _of_templates, in_file=False),
    _check("special tokens of prompts", special_tokens.DEFECTS, special_tokens.check_special_tokens),
    _check("messages in prompts", messages.DEFECTS, messages.check_messages),
    _check("turns", turns.DEFECTS, turns.check_turns),
)
