"""How tokenizer.json holds a pattern: ``{"String": …}`` for a literal, ``{"Regex": …}`` for a regular expression."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tokenizer_reference.errors import TokenizerReferenceError, shown
from tokenizer_reference.text.regex import Regex

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.text.pattern import Pattern


def read_pattern(value: JsonValue) -> Pattern:
    """Return the pattern in ``value``.

    Raises :class:`TokenizerFileError`, also for a regular expression that the target refuses.
    """
    match list(value.members()):
        case ["String"]:
            return value["String"].string()
        case ["Regex"]:
            source = value["Regex"]
            pattern = source.string()
            try:
                return _regex(pattern)
            except TokenizerReferenceError as error:
                raise source.fail(str(error)) from error
        case keys:
            found = shown(", ".join(keys)) if keys else "none"
            raise value.fail(f"expected an object with one member, `String` or `Regex`; found {found}")


@lru_cache(maxsize=64)
def _regex(pattern: str) -> Regex:
    """Return the regular expression, read once: files that are loaded again and again have the same ones."""
    return Regex(pattern)


def pattern_json(pattern: Pattern) -> dict[str, Any]:
    """Return ``pattern`` as tokenizer.json holds it."""
    return {"String": pattern} if isinstance(pattern, str) else {"Regex": pattern.pattern}
