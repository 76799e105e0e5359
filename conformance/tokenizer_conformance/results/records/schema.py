"""The JSON Schema of a format of records, which follows from the types of its lines."""

from __future__ import annotations

import ast
import inspect
import sys
import typing
from enum import EnumType
from functools import cache
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec

from tokenizer_conformance.results.records import (
    cuts,
    explanation,
    file_audit,
    fuzz,
    loader_audit,
    metrics,
    offsets_audit,
    record_diff,
    run,
    search,
    snapshot,
    streams_audit,
    suite_run,
    training,
    unicode_audit,
    versions,
)
from tokenizer_conformance.results.records.value import OneOf, Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import ModuleType

    from tokenizer_conformance.results.records.format import Format


Json = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_of(format_: Format) -> Json:
    """Return the JSON Schema of one line of the format."""
    schema = schema_of_values(format_.lines)
    schema["$defs"]["Header"]["properties"]["schema"] = {"const": format_.name}
    return {
        "$schema": DIALECT,
        "$id": format_.file,
        "title": f"One line of a {format_.name}, version {format_.major}",
        "description": format_.description,
        **schema,
    }


def schema_of_values(annotation: Any) -> Json:
    """Return the JSON Schema of values of this type.

    The description of a member is the string that follows it in its class.
    """
    (top,), components = msgspec.json.schema_components([annotation], ref_template="#/$defs/{name}")
    values = {each.__name__: each for each in _values_in(annotation)}
    for name, each in components.items():
        if "properties" in each:
            _complete(each, values[name])
    return {**top, "$defs": components}


def _complete(component: Json, value: type[Value]) -> None:
    """Say in the schema of a class what each member and each key is, and that there are no other members."""
    component["additionalProperties"] = False
    component.pop("title", None)
    if "description" in component:
        component["description"] = " ".join(component["description"].split())
    if issubclass(value, OneOf):
        component["oneOf"] = [{"required": [name]} for name in value.kinds]
    hints, documented = typing.get_type_hints(value, include_extras=True), _members_of(value)
    for name, each in component["properties"].items():
        each.pop("default", None)
        if name in hints:
            _name_keys(each, hints[name])
        if name in documented:
            each["description"] = documented[name]


def _name_keys(schema: Json, annotation: Any) -> None:
    """Say in the schema of objects with few possible keys which these are."""
    arguments = typing.get_args(annotation)
    if typing.get_origin(annotation) is dict:
        key, member = arguments
        is_literal = typing.get_origin(key) is typing.Literal
        names = list(key) if isinstance(key, EnumType) else list(typing.get_args(key)) if is_literal else []
        if names:
            schema["propertyNames"] = {"enum": names}
        _name_keys(schema.get("additionalProperties", {}), member)
        return
    for each in arguments:
        if typing.get_origin(each) is dict:
            inside = next((one for one in schema.get("anyOf", ()) if one.get("type") == "object"), schema)
            _name_keys(inside, each)


# What members are, as their classes say ------------------------------------------------------------------------------


def _values_in(annotation: Any) -> Iterator[type[Value]]:
    """Yield the classes of values that ``annotation`` mentions, and those that their members mention."""
    found: dict[type[Value], None] = {}
    left = [annotation]
    while left:
        each = left.pop()
        if inspect.isclass(each) and issubclass(each, Value) and each not in found:
            found[each] = None
            left.extend(typing.get_type_hints(each, include_extras=True).values())
        left.extend(typing.get_args(each))
    yield from found


def _members_of(value: type[Value]) -> dict[str, str]:
    return {
        name: said
        for each in reversed(value.__mro__)
        if issubclass(each, Value)
        for name, said in _classes_in(sys.modules[each.__module__]).get(each.__name__, {}).items()
    }


@cache
def _classes_in(module: ModuleType) -> dict[str, dict[str, str]]:
    tree = ast.parse(inspect.getsource(module))
    return {node.name: dict(_said(node.body)) for node in tree.body if isinstance(node, ast.ClassDef)}


def _said(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for member, following in pairwise(body):
        match member, following:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield name, " ".join(text.split())


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        each.FORMAT.file: each.FORMAT
        for each in (
            run,
            suite_run,
            fuzz,
            search,
            training,
            record_diff,
            versions,
            metrics,
            cuts,
            explanation,
            loader_audit,
            file_audit,
            offsets_audit,
            streams_audit,
            unicode_audit,
            snapshot,
        )
    }
)
