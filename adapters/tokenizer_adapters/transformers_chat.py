"""How ``transformers`` is asked about chats, in any release that renders templates.

The text is what ``apply_chat_template`` gives with ``tokenize=False``, the ids what it gives with ``tokenize=True``.
Templates are told :data:`NOW`: their clock is a name in one of its modules, and is exchanged while they are rendered.
What a release has no argument for it would hand to the template as a variable, so that is not asked of it.
"""

from __future__ import annotations

import inspect
import sys
from contextlib import contextmanager
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.chat import NO_TEMPLATE, NOW, messages_of, no_such_template, tools_of
from tokenizer_adapters.contract import Rendered, Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Chat

CLOCKS = ("transformers.utils.chat_template_utils", "transformers.tokenization_utils_base")
"""The modules that may hold the clock, ``datetime``."""

NO_JINJA = "jinja2 is missing where transformers is installed; install it there"


class _Stopped(datetime):
    """A clock that always shows one time."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        """Return that time."""
        return NOW.replace(tzinfo=tz)


def rendered(tokenizer: Any, chat: Chat) -> Rendered | Unsupported:
    """Return what ``tokenizer`` makes of ``chat``. Raises whatever refuses it."""
    if (lack := _lack(tokenizer, chat)) is not None:
        return lack
    messages, options = messages_of(chat), _options(tokenizer, chat)
    try:
        with _one_time():
            text = tokenizer.apply_chat_template(messages, tokenize=False, **options)
            found = tokenizer.apply_chat_template(messages, tokenize=True, return_dict=True, **options)
    except ImportError as error:
        if "jinja" not in str(error).lower():
            raise
        return Unsupported(NO_JINJA)
    return Rendered(text, tuple(found if isinstance(found, list) else found["input_ids"]))


def _lack(tokenizer: Any, chat: Chat) -> Unsupported | None:
    """Return why ``tokenizer`` cannot be asked about ``chat``, ``None`` where it can."""
    if not hasattr(tokenizer, "apply_chat_template"):
        return Unsupported("this release renders no chat template (it has no apply_chat_template)")
    templates = getattr(tokenizer, "chat_template", None)
    if not templates:
        return NO_TEMPLATE
    if chat.template is not None and chat.template not in _names(templates):
        return no_such_template(chat.template)
    taken = inspect.signature(tokenizer.apply_chat_template).parameters
    missing = next((name for name in _options(tokenizer, chat) if name not in taken), None)
    return None if missing is None else Unsupported(f"this release has no {missing} in apply_chat_template")


def _names(templates: Any) -> tuple[str, ...]:
    """Return the names of the templates; a single one has none, and is the default."""
    return ("default",) if isinstance(templates, str) else tuple(templates)


def _options(tokenizer: Any, chat: Chat) -> dict[str, Any]:
    """Return the arguments that ``chat`` gives. A single template has no name to be called by."""
    wanted = {
        "tools": tools_of(chat),
        "add_generation_prompt": chat.add_generation_prompt or None,
        "continue_final_message": chat.continue_final_message or None,
        "chat_template": None if isinstance(tokenizer.chat_template, str) else chat.template,
    }
    return {name: value for name, value in wanted.items() if value is not None}


@contextmanager
def _one_time() -> Iterator[None]:
    """Have templates told one time while the block runs."""
    modules = [module for name in CLOCKS if (module := sys.modules.get(name)) is not None]
    holders: list[Any] = [module for module in modules if getattr(module, "datetime", None) is datetime]
    for module in holders:
        module.datetime = _Stopped
    try:
        yield
    finally:
        for module in holders:
            module.datetime = datetime
