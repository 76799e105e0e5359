"""Jinja as it is in JavaScript, rule by rule: what lists and objects print as, what operators, filters and tests take.

Each part stands in an environment where a rule says so. It was observed with transformers.js 4.3, which renders
templates with an engine of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from types import GeneratorType
from typing import TYPE_CHECKING, Any

import jinja2
import jinja2.nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jinja2.runtime import Context

Filter = Callable[..., Any]

TEXT = (str,)
LIST = (list, tuple, GeneratorType)
OBJECT = (dict,)

TAKEN_BY_FILTERS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("capitalize", "indent", "lower", "replace", "title", "trim", "upper"), TEXT),
    **dict.fromkeys(("first", "last", "list", "map", "rejectattr", "reverse", "selectattr", "sort", "unique"), LIST),
    **dict.fromkeys(("dictsort", "items"), OBJECT),
    "int": (*TEXT, int, float),
    "join": (*TEXT, *LIST),
    "length": (*TEXT, *LIST, *OBJECT),
    "string": (*TEXT, *LIST, int, float),
}
"""What each filter takes there; Jinja's own turn what they are given into a text or a list."""

STRIPPING = frozenset({"strip", "lstrip", "rstrip"})


class ScriptUndefined(jinja2.ChainableUndefined):
    """What is not there: nor are its members. It equals none, and has neither length nor parts."""

    __slots__ = ()
    __iter__ = __len__ = jinja2.Undefined._fail_with_undefined_error
    __hash__ = jinja2.Undefined.__hash__

    def __eq__(self, other: object) -> bool:
        """Return whether ``other`` is none, or not there either."""
        return other is None or isinstance(other, jinja2.Undefined)

    def __contains__(self, _value: object) -> bool:
        """Return that nothing is in it."""
        return False

    def __getitem__(self, place: Any) -> Any:
        """Return a member, which is not there. There are no places."""
        return self if isinstance(place, str) else self._fail_with_undefined_error()


class ScriptEnvironment(ImmutableSandboxedEnvironment):
    """The sandbox, with what JavaScript does where an operator or a method meets a text."""

    strips_any = False
    equals_loosely = False

    def _parse(self, source: str, name: str | None, filename: str | None) -> jinja2.nodes.Template:
        tree = super()._parse(source, name, filename)
        if self.equals_loosely:
            for compared in tree.find_all(jinja2.nodes.Compare):
                _compare_loosely(compared)
        return tree

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Add a text and anything but none: what is no text becomes one."""
        if isinstance(left, str) != isinstance(right, str) and not any(map(_is_nothing, (left, right))):
            return f"{added(left)}{added(right)}"
        return super().call_binop(context, operator, left, right)

    def call(self, context: Context, called: Any, /, *arguments: Any, **more: Any) -> Any:
        """Call something: a method that strips texts is not told what to strip."""
        if self.strips_any and _strips(called):
            return called()
        return super().call(context, called, *arguments, **more)


LOOSE = "in_javascript"
"""The filter that gives a value the equality of JavaScript."""


def _compare_loosely(compared: jinja2.nodes.Compare) -> None:
    """Have both sides of ``==`` and ``!=`` compared as JavaScript does."""
    if all(each.op in {"eq", "ne"} for each in compared.ops):
        compared.expr = _loose(compared.expr)
        for each in compared.ops:
            each.expr = _loose(each.expr)


def _loose(side: jinja2.nodes.Expr) -> jinja2.nodes.Filter:
    return jinja2.nodes.Filter(side, LOOSE, [], [], None, None, lineno=side.lineno)


@dataclass(frozen=True, slots=True, eq=False)
class Loose:
    """A value with the equality of JavaScript's ``==``.

    A list or an object equals itself alone, and the text that it is where it is added; a text equals its number.

    >>> Loose([]) == Loose([]), Loose([]) == Loose(""), Loose("") == Loose(False), Loose("1") == Loose(1)
    (False, True, True, True)
    """

    value: Any
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        """Return whether both are equal."""
        sides = [self.value, other.value if isinstance(other, Loose) else other]
        if any(map(_is_nothing, sides)):
            return all(map(_is_nothing, sides))
        if all(map(_is_container, sides)):
            return sides[0] is sides[1]
        one, another = (added(each) if _is_container(each) else each for each in sides)
        if isinstance(one, str) == isinstance(another, str):
            return bool(one == another)
        return _number(one) == _number(another)


def _is_container(value: Any) -> bool:
    return isinstance(value, (*LIST, *OBJECT))


def _number(value: str | float) -> float:
    """Return the number that a text is, or stands for; one that equals no other where it is none."""
    try:
        return float(value or 0)
    except ValueError:
        return float("nan")


def _is_nothing(value: Any) -> bool:
    return value is None or isinstance(value, jinja2.Undefined)


def _strips(called: Any) -> bool:
    return isinstance(getattr(called, "__self__", None), str) and called.__name__ in STRIPPING


def added(value: Any) -> str:
    """Return the text that ``value`` is where it is added to a text.

    >>> added({"a": 1}), added([1, None, ["b", {"c": None}]]), added(True)
    ('[object Map]', '1,undefined,["b", {"c": null}]', 'true')
    """
    if isinstance(value, OBJECT):
        return "[object Map]"
    if isinstance(value, list | tuple):
        return ",".join("undefined" if each is None else printed(each) for each in value)
    return printed(value)


def printed(value: Any) -> str:
    """Return what ``value`` prints as: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def by_type(filters: Mapping[str, Filter]) -> dict[str, Filter]:
    """Return those of ``filters`` that take some types alone, and refuse all others."""
    return {name: _of_types(types, filters[name]) for name, types in TAKEN_BY_FILTERS.items()}


def _of_types(types: tuple[type, ...], applied: Filter) -> Filter:
    place = int(hasattr(applied, "jinja_pass_arg"))

    @wraps(applied)
    def of_types(*arguments: Any, **more: Any) -> Any:
        if not isinstance(arguments[place], types):
            raise jinja2.exceptions.FilterArgumentError(f"no filter of {type(arguments[place]).__name__}")
        return applied(*arguments, **more)

    return of_types


def of_present(filters: Mapping[str, Filter]) -> dict[str, Filter]:
    """Return the filters that choose by a member: where it is missing they choose nothing, whatever the test is."""
    select, reject = (filters[name] for name in CHOOSING)

    @wraps(select)
    def selectattr(context: Context, items: Iterable[Any], member: str, *test: Any) -> list[Any]:
        return list(select(context, [each for each in items if member in each], member, *test))

    @wraps(reject)
    def rejectattr(context: Context, items: Iterable[Any], member: str, *test: Any) -> list[Any]:
        return [each for each in items if member not in each or any(reject(context, [each], member, *test))]

    return dict(zip(CHOOSING, (selectattr, rejectattr), strict=True))


CHOOSING = ("selectattr", "rejectattr")


def string_or_json(value: Any) -> str:
    """Return ``value`` as the filter ``string`` makes it: lists, true and false as JSON."""
    return printed(value) if isinstance(value, list | tuple | bool) else str(value)


def is_iterable(value: Any) -> bool:
    """Return whether ``value`` passes the test ``iterable``: objects do not."""
    return isinstance(value, (*TEXT, *LIST))
