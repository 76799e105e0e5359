"""JSON as ``tokenizers`` writes it, byte for byte.

It differs from :mod:`json` in the form of floats: both write the shortest digits that round-trip, but here an exponent
has no leading zeros (``-1e-7``, ``1e+21``) and is used only below 1e-5 (in single precision, 1e-6), and from 1e16 on.
Observed, tokenizers 0.23.3.
"""

from __future__ import annotations

import re
from json.encoder import encode_basestring
from typing import Any

_EXPONENT = re.compile(r"e([+-])0*(\d)")
_TIMES_1E_5 = re.compile(r"(-?)(\d)(?:\.(\d+))?e-05")
_TIMES_1E_6 = re.compile(r"(-?)(\d)(?:\.(\d+))?e-06")


class SinglePrecision(float):
    """The shortest number that reads as one that the target keeps in single precision."""


def write_float(value: float) -> str:
    """Return ``value`` as JSON.

    >>> write_float(-1e-7), write_float(1e21), write_float(-0.0), write_float(-12.5), write_float(1.5e-5)
    ('-1e-7', '1e+21', '-0.0', '-12.5', '0.000015')
    >>> write_float(1.5e-6), write_float(SinglePrecision(1.5e-6)), write_float(SinglePrecision(9e-7))
    ('1.5e-6', '0.0000015', '9e-7')
    """
    text = repr(value)
    if "e" not in text:
        return text
    if small := _TIMES_1E_5.fullmatch(text):
        sign, first, rest = small.groups(default="")
        return f"{sign}0.0000{first}{rest}"
    if isinstance(value, SinglePrecision) and (small := _TIMES_1E_6.fullmatch(text)):
        sign, first, rest = small.groups(default="")
        return f"{sign}0.00000{first}{rest}"
    return _EXPONENT.sub(r"e\1\2", text)


def write_string(value: str) -> str:
    """Return ``value`` as JSON, non-ASCII characters as they are."""
    text: str = encode_basestring(value)
    return text


def write_json(value: Any, *, pretty: bool = False) -> str:
    """Return ``value`` (of dicts, lists, strings, numbers, booleans and ``None``) as JSON.

    ``pretty`` puts every member and item on a line of its own, indented by two spaces for each level.
    """
    parts: list[str] = []
    _write(value, parts, "\n" if pretty else None)
    return "".join(parts)


def _write(value: Any, parts: list[str], indent: str | None) -> None:
    match value:
        case None:
            parts.append("null")
        case True:
            parts.append("true")
        case False:
            parts.append("false")
        case str():
            parts.append(write_string(value))
        case int():
            parts.append(str(value))
        case float():
            parts.append(write_float(value))
        case dict():
            colon = '":' if indent is None else '": '
            members = ((write_string(key)[:-1] + colon, member) for key, member in value.items())
            _write_all("{", members, "}", parts, indent)
        case _:
            _write_all("[", (("", item) for item in value), "]", parts, indent)


def _write_all(opening: str, members: Any, closing: str, parts: list[str], indent: str | None) -> None:
    inner = None if indent is None else indent + "  "
    before = opening
    for prefix, member in members:
        parts.append(before + (inner or "") + prefix)
        _write(member, parts, inner)
        before = ","
    if before == opening:
        parts.append(opening + closing)
    else:
        parts.append((indent or "") + closing)
