"""Validators of records that judge as those of ``jsonschema`` do, in a small part of the time.

Where a schema has the choice between kinds, ``jsonschema`` tries each. A kind that has a constant where the line has
another value need not be tried. What stands in a record again and again, as in each checkpoint, is looked at once.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema

from tokenizer_conformance.results.records.schema import schema_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Keyword = Callable[[Any, Any, Any, Any], Iterator[jsonschema.ValidationError]]

KEYWORDS = jsonschema.Draft202012Validator.VALIDATORS


def validator_of(schema: dict[str, Any]) -> Any:
    """Return a validator of what ``schema`` describes, whose references are to its own definitions."""
    definitions = {f"#/$defs/{name}": definition for name, definition in schema["$defs"].items()}
    valid: set[tuple[str, str]] = set()

    def refer(validator: Any, reference: str, instance: Any, _schema: Any) -> Iterator[jsonschema.ValidationError]:
        key = reference, json.dumps(instance)
        if key not in valid:
            error = None
            for error in validator.descend(instance, definitions[reference]):
                yield error
            if error is None:
                valid.add(key)

    def choose(keyword: str) -> Keyword:
        def chosen(validator: Any, kinds: list[Any], instance: Any, schema: Any) -> Iterator[Any]:
            possible = [kind for kind in kinds if not _is_excluded(definitions.get(kind.get("$ref"), kind), instance)]
            return KEYWORDS[keyword](validator, possible, instance, schema)

        return chosen

    keywords = {"$ref": refer, "oneOf": choose("oneOf"), "anyOf": choose("anyOf")}
    return jsonschema.validators.extend(jsonschema.Draft202012Validator, keywords)(schema)


def valid_lines(path: str | Path, name: str) -> list[dict[str, Any]]:
    """Return the lines of a record of the format called ``name``, each checked against its schema."""
    validator = validator_of(schema_of(name))
    lines = [json.loads(line) for line in Path(path).read_text(encoding="ascii").splitlines()]
    for line in lines:
        validator.validate(line)
    return lines


def of_type(lines: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """Return those of ``lines`` whose type is called ``name``."""
    return [line for line in lines if line["type"] == name]


def _is_excluded(kind: dict[str, Any], instance: Any) -> bool:
    """Return whether ``kind`` has a constant string where ``instance`` has another value."""
    return isinstance(instance, dict) and any(
        isinstance(part.get("const"), str) and name in instance and instance[name] != part["const"]
        for name, part in kind.get("properties", {}).items()
        if isinstance(part, dict)
    )
