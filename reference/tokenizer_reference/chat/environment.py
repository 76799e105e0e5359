"""Jinja's sandbox with the extensions that chat templates may use, and no others.

The grammar and the filters are Jinja's own, the very library that ``transformers`` has: of these, nothing here is
independent. What is written anew is what stands around it: the extensions, the rules, what is done with messages.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jinja2.exceptions
import jinja2.ext
import jinja2.nodes
import jinja2.utils

from tokenizer_reference.chat.rules import Undefined
from tokenizer_reference.chat.scripts import (
    LOOSE,
    Loose,
    ScriptEnvironment,
    ScriptUndefined,
    by_type,
    is_iterable,
    of_present,
    printed,
    string_or_json,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2.parser import Parser
    from jinja2.runtime import Macro
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    from tokenizer_reference.chat.rules import RenderingRules

UNDEFINED = {
    Undefined.EMPTY: jinja2.Undefined,
    Undefined.CHAINABLE: jinja2.ChainableUndefined,
    Undefined.STRICT: jinja2.StrictUndefined,
    Undefined.SCRIPT: ScriptUndefined,
}


def environment(rules: RenderingRules) -> ImmutableSandboxedEnvironment:
    """Return the environment in which templates are rendered by ``rules``."""
    made = ScriptEnvironment(
        trim_blocks=rules.trim_blocks,
        lstrip_blocks=rules.lstrip_blocks,
        keep_trailing_newline=rules.keep_trailing_newline,
        undefined=UNDEFINED[rules.undefined],
        extensions=_extensions(rules),
        finalize=_finalized(rules),
    )
    _as_in_scripts(made, rules)
    if not rules.own_json:
        made.filters["tojson"] = _tojson(rules)
    made.globals.update(
        range=_range(rules.range_limit),
        raise_exception=_raise_exception,
        strftime_now=rules.now.strftime,
        dict=_Dictionaries(),
        namespace=_Namespace,
    )
    return made


def _as_in_scripts(made: ScriptEnvironment, rules: RenderingRules) -> None:
    """Give ``made`` what ``rules`` have of JavaScript's operators, filters and tests."""
    made.strips_any = rules.strips_any
    made.equals_loosely = rules.equals_loosely
    made.filters[LOOSE] = Loose
    if rules.selects_present:
        made.filters.update(of_present(made.filters))
    if rules.adds_anything:
        made.intercepted_binops = frozenset("+")
    if rules.prints_json:
        made.filters["string"] = string_or_json
    if rules.typed_filters:
        made.filters.update(by_type(made.filters))
    if not rules.iterable_objects:
        made.tests["iterable"] = is_iterable


def _extensions(rules: RenderingRules) -> list[type[jinja2.ext.Extension]]:
    wanted = ((rules.loop_controls, jinja2.ext.LoopControlExtension), (rules.generation_block, _Generation))
    return [extension for is_wanted, extension in wanted if is_wanted]


class _Generation(jinja2.ext.Extension):
    """``{% generation %}`` … ``{% endgeneration %}``: what the assistant said. It prints as what is in it.

    It is a call with a body, so what the body sets is not set after it.
    """

    tags = {"generation"}  # noqa: RUF012 - as Jinja has it

    def parse(self, parser: Parser) -> jinja2.nodes.Node:
        """Read the block up to its end."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("printed"), [], [], body, lineno=line)

    def printed(self, caller: Macro) -> str:
        """Return the text of the body."""
        return str(caller())


def _finalized(rules: RenderingRules) -> Callable[[Any], Any] | None:
    """Return what gives values the text that they print as; ``None`` where that is Python's."""
    if rules.none == "None" and rules.booleans == ("False", "True") and not rules.prints_json:
        return None

    def finalized(value: Any) -> Any:
        if value is None or isinstance(value, bool):
            return rules.none if value is None else rules.booleans[value]
        return printed(value) if rules.prints_json and isinstance(value, (dict, list, tuple)) else value

    return finalized


def _tojson(rules: RenderingRules) -> Callable[..., str]:
    def tojson(
        value: Any,
        ensure_ascii: bool = rules.ascii_json,
        indent: int | str | None = None,
        separators: tuple[str, str] | None = (",", ":") if rules.compact_json else None,
        sort_keys: bool = rules.sorted_json,
    ) -> str:
        if rules.undefined_json and isinstance(value, jinja2.Undefined):
            return "null"
        text = json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)
        return text.translate(HTML) if rules.html_json else text

    return tojson


HTML = {ord(character): f"\\u{ord(character):04x}" for character in "<>&'"}


def _range(limit: int) -> Callable[..., range]:
    def limited(*arguments: int) -> range:
        made = range(*arguments)
        if len(made) > limit:
            raise OverflowError(f"a range of {len(made):,} numbers; templates may have {limit:,}")
        return made

    return limited


def _raise_exception(message: Any) -> None:
    raise jinja2.exceptions.TemplateError(message)


class _Dictionaries:
    """``dict`` for templates: it makes dictionaries, and has no members that lead further."""

    def __call__(self, *members: Any, **more: Any) -> dict[Any, Any]:
        return dict(*members, **more)

    def fromkeys(self, names: Any, value: Any = None) -> dict[Any, Any]:
        """Return a dictionary with ``value`` under each of ``names``."""
        return dict.fromkeys(names, value)


class _Namespace(jinja2.utils.Namespace):
    """``namespace`` for templates: no member of it begins with an underscore."""

    def __init__(*members: Any, **more: Any) -> None:
        self, *rest = members
        attributes = dict(*rest, **more)
        for name in attributes:
            _open(name)
        jinja2.utils.Namespace.__init__(self, attributes)

    def __setitem__(self, name: str, value: Any) -> None:
        super().__setitem__(_open(name), value)


def _open(name: Any) -> Any:
    if isinstance(name, str) and name.startswith("_"):
        raise jinja2.exceptions.SecurityError(f"a namespace has no member {name!r}: it begins with an underscore")
    return name
