"""What renderers of chat templates are known to do differently, as data; the defaults are what ``transformers`` does.

A difference between two renderers is explained where the reference, with one of these changed, gives the other answer.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

NOW = datetime(2025, 2, 3, 4, 5, 6)  # noqa: DTZ001 - templates see a local time, as `datetime.now()` gives it
"""The time that templates are told: always the same, so that no answer depends on the day it was asked for."""


class Undefined(StrEnum):
    """What a template gets for a name, a member or an index that is not there."""

    EMPTY = "empty"
    """It prints as nothing and is false; its own members are an error."""
    CHAINABLE = "chainable"
    """So are its members."""
    STRICT = "strict"
    """Printing it is an error."""
    SCRIPT = "script"
    """As in JavaScript: its members are not there either, it equals none, and nothing goes over it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderingRules:
    """How a conversation becomes a text.

    Blocks: ``trim_blocks`` drops the line break after a block, ``lstrip_blocks`` the white space before one that begins
    a line, ``keep_trailing_newline`` keeps the line break that ends the template. ``loop_controls`` has ``break`` and
    ``continue``, ``generation_block`` the block of that name. ``range_limit`` is how long a ``range`` may be.

    ``tojson``: whether it escapes what is not ASCII (``ascii_json``) and what HTML knows (``html_json``), sorts members
    (``sorted_json``), and writes no spaces (``compact_json``); ``own_json`` leaves the template Jinja's own filter.

    Values: ``undefined`` is what is not there, ``none`` and ``booleans`` (false, true) what constants print as.
    ``prints_json`` prints lists and objects as JSON, ``undefined_json`` writes what is not there as null in JSON.

    Operators, filters, tests: ``adds_anything`` makes a text of what is added to one, ``typed_filters`` refuses what is
    not of the type that a filter is for, ``strips_any`` strips all white space whatever is to be stripped,
    ``equals_loosely`` compares by JavaScript's ``==``, ``selects_present`` selects by members that are there alone,
    ``iterable_objects`` takes objects for iterable.

    Messages: ``checks_messages`` refuses those that are no objects, ``takes_no_messages`` takes a conversation without
    any, ``drops_null_members`` leaves out members that are null, ``names_reasoning`` gives the reasoning of a message
    under each name that templates read, ``takes_tool_use`` takes a template of that name where tools are given,
    ``whole_numbers`` gives numbers without a fraction as whole ones, ``strips_content`` strips the content of each
    message, ``joins_parts`` makes one text of content in parts, with that between them, ``empty_tools_are_none`` takes
    an empty list of tools for none. ``now`` is what ``strftime_now`` tells.
    """

    trim_blocks: bool = True
    lstrip_blocks: bool = True
    keep_trailing_newline: bool = False
    loop_controls: bool = True
    generation_block: bool = True
    range_limit: int = 100_000
    ascii_json: bool = False
    html_json: bool = False
    sorted_json: bool = False
    compact_json: bool = False
    own_json: bool = False
    undefined: Undefined = Undefined.EMPTY
    none: str = "None"
    booleans: tuple[str, str] = ("False", "True")
    prints_json: bool = False
    undefined_json: bool = False
    adds_anything: bool = False
    typed_filters: bool = False
    strips_any: bool = False
    equals_loosely: bool = False
    selects_present: bool = False
    iterable_objects: bool = True
    checks_messages: bool = True
    takes_no_messages: bool = False
    drops_null_members: bool = True
    names_reasoning: bool = True
    takes_tool_use: bool = True
    strips_content: bool = False
    joins_parts: str | None = None
    empty_tools_are_none: bool = False
    whole_numbers: bool = False
    now: datetime = NOW


CONTRACT = RenderingRules()
"""What templates are written for: the rules of ``transformers`` 5.23."""


JAVASCRIPT = RenderingRules(
    undefined=Undefined.SCRIPT,
    none="",
    booleans=("false", "true"),
    prints_json=True,
    undefined_json=True,
    adds_anything=True,
    typed_filters=True,
    strips_any=True,
    equals_loosely=True,
    selects_present=True,
    iterable_objects=False,
    checks_messages=False,
    takes_no_messages=True,
    drops_null_members=False,
    names_reasoning=False,
    whole_numbers=True,
)
"""The rules of ``transformers.js`` 4.3."""


@dataclass(frozen=True, slots=True)
class Change:
    """A renderer that does one thing differently: its ``name``, what it does in ``words``, and which rules it has."""

    name: str
    words: str
    rules: RenderingRules


def _change(name: str, words: str, **rules: Any) -> Change:
    return Change(name, words, replace(CONTRACT, **rules))


CHANGES: tuple[Change, ...] = (
    _change("trim_blocks", "keeps the line break after a block", trim_blocks=False),
    _change("lstrip_blocks", "keeps the white space before a block that begins a line", lstrip_blocks=False),
    _change("keep_trailing_newline", "keeps the line break that ends the template", keep_trailing_newline=True),
    _change("no_loop_controls", "has no break and continue", loop_controls=False),
    _change("no_generation_block", "does not know the block generation", generation_block=False),
    _change("ascii_json", "writes what is not ASCII as escapes in JSON", ascii_json=True),
    _change("html_json", "escapes <, >, & and ' in JSON", html_json=True),
    _change("sorted_json", "sorts the members of objects in JSON", sorted_json=True),
    _change("compact_json", "writes JSON without spaces", compact_json=True),
    _change("html_sorted_json", "sorts JSON, and escapes <, >, & and ' in it", html_json=True, sorted_json=True),
    _change(
        "jinja_json",
        "writes JSON with Jinja's own filter: sorted, as ASCII, escaped for HTML, and so is text that is joined to it",
        own_json=True,
    ),
    _change("chainable_undefined", "goes on with members of what is not there", undefined=Undefined.CHAINABLE),
    _change("script_undefined", "takes what is not there as JavaScript does", undefined=Undefined.SCRIPT),
    _change("none_empty", "prints none as nothing", none=""),
    _change("none_lower", "prints none, true and false as none, true, false", none="none", booleans=("false", "true")),
    _change("none_null", "prints none, true and false as null, true, false", none="null", booleans=("false", "true")),
    _change("booleans_lower", "prints true and false in small letters", booleans=("false", "true")),
    _change("prints_json", "prints lists and objects as JSON", prints_json=True),
    _change("undefined_json", "writes what is not there as null in JSON", undefined_json=True),
    _change("adds_anything", "makes a text of what is added to one, as JavaScript does", adds_anything=True),
    _change("typed_filters", "applies a filter to the type that it is for, and refuses others", typed_filters=True),
    _change("strips_any", "strips all white space, whatever it is told to strip", strips_any=True),
    _change("equals_loosely", "compares values by the == of JavaScript", equals_loosely=True),
    _change("selects_present", "selects nothing by a member that is not there", selects_present=True),
    _change("no_iterable_objects", "takes no object for iterable", iterable_objects=False),
    _change("strict_undefined", "refuses to print what is not there", undefined=Undefined.STRICT),
    _change("null_members", "gives the template the members of messages that are null", drops_null_members=False),
    _change("reasoning", "gives reasoning under the name it came with, and no other", names_reasoning=False),
    _change(
        "messages_as_given",
        "gives messages as they came: unchecked, with null members, and reasoning under one name",
        checks_messages=False,
        drops_null_members=False,
        names_reasoning=False,
    ),
    _change("no_messages", "takes a conversation without messages", takes_no_messages=True),
    _change("no_tool_use", "takes the default template where tools are given", takes_tool_use=False),
    _change("whole_numbers", "takes a number without a fraction for a whole one", whole_numbers=True),
    _change("strips_content", "strips the content of each message", strips_content=True),
    _change("joins_parts", "makes one text of content that comes as parts", joins_parts=""),
    _change("joins_parts_by_lines", "makes one text of content in parts, a line each", joins_parts="\n"),
    _change("empty_tools", "takes an empty list of tools for none", empty_tools_are_none=True),
    Change("javascript", "treats values as JavaScript does, in several ways at once", JAVASCRIPT),
)
"""Renderers that do one thing differently; those that change most come last of their kind."""


def rules_json(rules: RenderingRules) -> dict[str, Any]:
    """Return ``rules`` as JSON has them."""
    return {**asdict(rules), "now": rules.now.isoformat()}


def rules_of(members: Mapping[str, Any]) -> RenderingRules:
    """Return the rules that :func:`rules_json` gave.

    >>> rules_of(rules_json(CONTRACT)) == CONTRACT
    True
    """
    told = {
        **members,
        "now": datetime.fromisoformat(members["now"]),
        "undefined": Undefined(members["undefined"]),
        "booleans": tuple(members["booleans"]),
    }
    return RenderingRules(**told)
