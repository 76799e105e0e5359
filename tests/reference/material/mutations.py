"""Changes of a tokenizer.json, one at a time: what may have gone wrong in a file, all of it, at every place.

The changes are exhaustive, not random: :func:`mutations` makes every change of :data:`VALUES`, :data:`OBJECT_EDITS`,
:data:`ARRAY_EDITS` and :data:`TYPES` at every place of a document where it can be made; :func:`text_mutations` damages
the text itself. A mutation is named by the place and the change, ``$.model.vocab: dropped``, so that it can be found
again.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from random import Random

Path = tuple[str | int, ...]
"""Keys and indices from the top of a document to a place in it."""

Member = tuple[str, str]
"""A member of an object as text: the key, in quotes, and the value."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """A changed document: the name of the change, the file, and the place of the change, if it has one."""

    name: str
    content: bytes
    place: Path = ()


# Values --------------------------------------------------------------------------------------------------------------

DEEP: Final = 130

VALUES: Final[dict[str, str]] = {
    "null": "null",
    "true": "true",
    "false": "false",
    "0": "0",
    "-0": "-0",
    "-1": "-1",
    "1.5": "1.5",
    "2.0": "2.0",
    "1e1": "1e1",
    "1e400": "1e400",
    "1e-400": "1e-400",
    "2^32 - 1": str(2**32 - 1),
    "2^32": str(2**32),
    "2^64 - 1": str(2**64 - 1),
    "2^64": str(2**64),
    "-2^63 - 1": str(-(2**63) - 1),
    "400 digits": "1" * 400,
    "5000 digits": "1" * 5000,
    "empty string": '""',
    '"x"': '"x"',
    '"xy"': '"xy"',
    '"1"': '"1"',
    '"true"': '"true"',
    '"null"': '"null"',
    '"("': '"("',
    '"😀"': '"😀"',
    "escaped NUL": '"\\u0000"',
    "escaped pair of surrogates": '"\\ud83d\\ude00"',
    "escaped lone surrogate": '"\\ud800"',
    "[]": "[]",
    "[null]": "[null]",
    "[[]]": "[[]]",
    '["x"]': '["x"]',
    '["x", 1]': '["x", 1]',
    "{}": "{}",
    '{"x": null}': '{"x": null}',
    '{"x": 30}': '{"x": 30}',
    '{"type": "x"}': '{"type": "x"}',
    '{"String": "x"}': '{"String": "x"}',
    '{"Regex": "x"}': '{"Regex": "x"}',
    "nested too deeply": "[" * DEEP + "]" * DEEP,
}
"""What a value is replaced by: a name, and the text."""

WRAPPINGS: Final[dict[str, Callable[[str], str]]] = {
    "in an array": lambda text: f"[{text}]",
    "twice in an array": lambda text: f"[{text}, {text}]",
    "in an array in an array": lambda text: f"[[{text}]]",
    "under its name": lambda text: f"{{{text}: null}}" if text.startswith('"') else f'{{"x": {text}}}',
    "as text": json.dumps,
}
"""What may be made of a value's own text."""


# Objects -------------------------------------------------------------------------------------------------------------


def _escaped(member: Member) -> Member:
    r"""Return ``member`` with the first character of its key as an escape: ``"a"`` is ``"\\u0061"``."""
    key = member[0][1:-1]
    return (f'"\\u{ord(key[0]):04x}{key[1:]}"' if key else member[0]), member[1]


MEMBER_EDITS: Final[dict[str, Callable[[Member], list[Member]]]] = {
    "dropped": lambda _: [],
    "renamed": lambda member: [(f'{member[0][:-1]}s"', member[1])],
    "in capitals": lambda member: [(member[0].upper(), member[1])],
    "with an escaped key": lambda member: [_escaped(member)],
    "given twice": lambda member: [member, member],
    "given twice, null first": lambda member: [(member[0], "null"), member],
    "given twice, null last": lambda member: [member, (member[0], "null")],
    "given twice, true first": lambda member: [(member[0], "true"), member],
    "given twice, the first time with an escaped key": lambda member: [_escaped(member), member],
}
"""What is done to one member of an object."""


def _object(members: list[Member]) -> str:
    return "{" + ",".join(f"{key}:{text}" for key, text in members) + "}"


def _array(items: Iterable[str]) -> str:
    return "[" + ",".join(items) + "]"


def _with_unknown_key(text: str) -> Callable[[list[Member]], str]:
    return lambda members: _object([*members, ('"unknown"', text)])


def _fields(members: list[Member]) -> list[str]:
    """Return the values of a component's fields; its type is none of them."""
    return [text for key, text in members if key != '"type"']


UNKNOWN: Final[dict[str, str]] = {
    "null": "null",
    "1": "1",
    "1e400": "1e400",
    "an object": '{"type": "NFC"}',
    "a lone surrogate": '"\\udc00"',
    "a control character": '"\x01"',
    "deep arrays": "[" * DEEP + "]" * DEEP,
    "a bad number": "01",
}
"""The value of an unknown key."""

OBJECT_EDITS: Final[dict[str, Callable[[list[Member]], str]]] = {
    **{f"with an unknown key, {name}": _with_unknown_key(text) for name, text in UNKNOWN.items()},
    "with an unknown key first": lambda members: _object([('"unknown"', "null"), *members]),
    "with an unknown key twice": lambda members: _object([*members, *[('"unknown"', "null")] * 2]),
    "with an empty key": lambda members: _object([*members, ('""', "null")]),
    "with a type": lambda members: _object([*members, ('"type"', '"x"')]),
    "in reverse order": lambda members: _object(members[::-1]),
    "the first member last": lambda members: _object([*members[1:], *members[:1]]),
    "as the array of its fields": lambda members: _array(_fields(members)),
    "as the array of its members": lambda members: _array(text for _, text in members),
    "as an array, one short": lambda members: _array(_fields(members)[:-1]),
    "as an array, one too many": lambda members: _array([*_fields(members), "null"]),
    "as the array of its keys": lambda members: _array(key for key, _ in members),
    "as an array of pairs": lambda members: _array(f"[{key}, {text}]" for key, text in members),
    "with numbers as keys": lambda members: _object(
        [(f'"{number}"', text) for number, (_, text) in enumerate(members)]
    ),
    "without quotes around keys": lambda members: _object([(key[1:-1], text) for key, text in members]),
}
"""What is done to an object as a whole."""

ARRAY_EDITS: Final[dict[str, Callable[[list[str]], str]]] = {
    "without its first item": lambda items: _array(items[1:]),
    "without its last item": lambda items: _array(items[:-1]),
    "with its first item twice": lambda items: _array([*items[:1], *items]),
    "with null at the end": lambda items: _array([*items, "null"]),
    "in reverse order": lambda items: _array(items[::-1]),
    "as an object": lambda items: _object([(f'"{number}"', item) for number, item in enumerate(items)]),
}
"""What is done to an array as a whole."""

COMPONENT_TYPES: Final = (
    "BertNormalizer", "Bert", "Strip", "StripAccents", "NFC", "NFD", "NFKC", "NFKD", "Lowercase", "Nmt", "Precompiled", "Replace",
    "Prepend", "ByteLevel", "Sequence", "BertPreTokenizer", "CharDelimiterSplit", "Delimiter", "Metaspace", "Whitespace",
    "WhitespaceSplit", "Split", "Punctuation", "Digits", "UnicodeScripts", "FixedLength", "BertProcessing", "RobertaProcessing",
    "TemplateProcessing", "Template", "Roberta", "BPEDecoder", "BPE", "WordPiece", "WordLevel", "Unigram", "CTC", "Fuse", "ByteFallback",
)  # fmt: skip
"""Names that a ``type`` may have in one place or another, or may be thought to have."""

TYPES: Final[dict[str, str]] = {
    **{name: f'"{name}"' for name in COMPONENT_TYPES},
    **{f"{name} as an object": f'{{"{name}": null}}' for name in COMPONENT_TYPES},
}
"""What a ``type`` is replaced by, beside :data:`VALUES`."""


# Changes at every place ----------------------------------------------------------------------------------------------


def mutations(document: Any, under: Path = ()) -> Iterator[Mutation]:
    """Yield every change of ``document`` at the place ``under`` and within it, each under a name of its own."""
    for path, value in _places(document, under):
        at, (before, after) = path_text(path), _around(document, path)
        for change, text in _changes(path, value):
            yield Mutation(f"{at}: {change}", f"{before}{text}{after}".encode(), path)


def random_mutation(rng: Random, document: Any, changes: int) -> Mutation:
    """Return ``document`` after up to ``changes`` changes in a row; one that leaves no JSON is the last."""
    names: list[str] = []
    text = _json(document)
    for _ in range(changes):
        path, value = rng.choice(list(_places(document)))
        change, replacement = rng.choice(list(_changes(path, value)))
        names.append(f"{path_text(path)}: {change}")
        text = _with(document, path, replacement)
        try:
            document = json.loads(text)
        except ValueError:
            break
    return Mutation("; then ".join(names), text.encode(errors="backslashreplace"))  # as JSON escapes surrogates, too


def path_text(path: Path) -> str:
    """Return a path as messages write it.

    >>> path_text(("model", "merges", 3))
    '$.model.merges[3]'
    """
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)


def _places(document: Any, under: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Give ``under`` and the places within it, each with its value."""
    value = document
    for step in under:
        value = value[step]
    yield under, value
    for step in _steps(value):
        yield from _places(document, (*under, step))


def _steps(value: Any) -> Iterable[str | int]:
    match value:
        case dict():
            return value
        case list():
            return range(len(value))
        case _:
            return ()


def _with(value: Any, path: Path, text: str) -> str:
    """Return ``value`` as JSON, with ``text`` at ``path``."""
    if not path:
        return text
    first, rest = path[0], path[1:]
    if isinstance(value, dict):
        return _object(
            [
                (_json(key), _with(member, rest, text) if key == first else _json(member))
                for key, member in value.items()
            ]
        )
    return _array(_with(item, rest, text) if index == first else _json(item) for index, item in enumerate(value))


def _around(document: Any, path: Path) -> tuple[str, str]:
    """Return what stands before and after ``path`` in ``document`` as JSON, in which there is no NUL."""
    before, _, after = _with(document, path, "\0").partition("\0")
    return before, after


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _changes(path: Path, value: Any) -> Iterator[tuple[str, str]]:
    """Give the changes of ``value``: the name, and what stands in its place then."""
    own = _json(value)
    for name, text in VALUES.items() if path[-1:] != ("type",) else (VALUES | TYPES).items():
        yield f"replaced by {name}", text
    for name, wrap in WRAPPINGS.items():
        yield f"put {name}", wrap(own)
    match value:
        case list():
            items = [_json(item) for item in value]
            for name, edit_items in ARRAY_EDITS.items():
                yield name, edit_items(items)
        case dict():
            yield from _changes_of_object([(_json(key), _json(member)) for key, member in value.items()])


def _changes_of_object(members: list[Member]) -> Iterator[tuple[str, str]]:
    for name, edit_members in OBJECT_EDITS.items():
        yield name, edit_members(members)
    for at, member in enumerate(members):
        for name, edit in MEMBER_EDITS.items():
            yield f"member {member[0]} {name}", _object([*members[:at], *edit(member), *members[at + 1 :]])


# Changes of the text -------------------------------------------------------------------------------------------------

TRAILERS: Final = (
    " ",
    "\n\t\r ",
    "\x0b",
    "\x0c",
    "\xa0",
    "\0",
    "\x1a",
    ",",
    "}",
    "]",
    "null",
    "{}",
    "//",
    "# a",
    "/* a */",
    "\ufeff",
    "x",
    "\x1b",
)
"""What stands after the document."""

HEADERS: Final = (
    " ",
    "\n\t\r ",
    "\x0b",
    "\x0c",
    "\xa0",
    "\0",
    "\ufeff",
    "\ufeff\ufeff",
    ",",
    "{",
    "[",
    "null",
    "{}",
    "// a\n",
    "# a\n",
    "/* a */",
    ")]}'\n",
    "x",
)
"""What stands before the document."""

INSERTIONS: Final = (
    " ",
    "\n",
    "\x0b",
    "\x0c",
    "\xa0",
    "\x00",
    "\x7f",
    "\u2028",
    "/* a */",
    "// a\n",
    ",",
    ":",
    '"',
    "'",
    "\\",
    "0",
    "-",
    "[",
    "}",
    "NaN",
    "é",
    "x",
)
"""What stands beside a structural character, or in the middle of a string or number."""

NUMBERS: Final = (
    "01", "00", "-01", "1.", ".5", "+1", "0x1", "1e", "1e+", "1E2", "1e+2", "1e-2", "1_000", "--1", "-", "- 1", "1 .5", "1,5", "1.5.5", "0.0", "-0.0",
    "١", "１", "NaN", "-NaN", "Infinity", "-Infinity", "inf", "nan", "1e309", "-1e309", "1e308", "1.7976931348623157e308", "1.7976931348623159e308",
    "1e99999999999", "1e-99999999999", "0e99999999999", "0.0000000000000000000000000001", "9007199254740993", "18446744073709551615",
    "18446744073709551616", "-9223372036854775808", "-9223372036854775809", "340282366920938463463374607431768211456", "1" + "0" * 308,
    "1" + "0" * 309, "1" * 4300, "1" * 4301, "0." + "1" * 5000, "1" * 400 + "e-399", "True", "False", "None", "nul", "nulll", "tru", "truE", "undefined",
)  # fmt: skip
"""What stands where a number is expected."""

STRINGS: Final = (
    '"\x00"', '"\x01"', '"\t"', '"\n"', '"\r"', '"\x1f"', '"\x7f"', '"\x80"', '"\u2028"', '"\ufeff"', '"\uffff"', '"\U0010ffff"', '"\\x41"', '"\\u12"', '"\\u12g4"',
    '"\\u 123"', '"\\u+123"', '"\\u0_12"', '"\\U00000041"', '"\\u{41}"', '"\\101"', "\"\\'\"", '"\\0"', '"\\a"', '"\\v"', '"\\e"', '"\\/"', '"\\b\\f\\n\\r\\t\\"\\\\"',
    '"\\ud800"', '"\\udbff"', '"\\udc00"', '"\\udfff"', '"\\ud800\\u0041"', '"\\ud800x"', '"\\ud800\\n"', '"\\ud800\\ud800"', '"\\udc00\\ud800"', '"\\ud83d\\ude00"',
    '"\\uD83D\\uDE00"', '"\\ufffe"', '"\\uffff"', '"\\u0000"', "'a'", "a", '"a', 'a"', '"a""b"', '"a" "b"', '"a"\'b\'', '"\\', '"\\"', '"\\u', "`a`", '"""a"""', 'r"a"',
)  # fmt: skip
"""What stands where a string is expected."""

ENCODINGS: Final = ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-7")

BYTES: Final = (
    b"\x80",
    b"\xff",
    b"\xc3",
    b"\xc0\x80",
    b"\xe0\x80\x80",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xf0\x9f\x98",
    b"\xe9",
    b"\xfe",
)
"""Bytes that are not UTF-8."""

DEPTHS: Final = (1, 100, *range(118, 132), 1000, 100_000)
"""Numbers of arrays, or of objects, in each other; the target refuses the 128th level of a document."""

_STRUCTURAL = re.compile(r'[\[\]{},:"]')


def text_mutations(document: Any) -> Iterator[Mutation]:
    """Yield what may have happened to the text of ``document``: cut off, damaged at a place, in another encoding."""
    text = _json(document)
    changed = (
        *((f"cut off after {length}", text[:length]) for length in range(len(text))),
        *((f"followed by {trailer!a}", text + trailer) for trailer in TRAILERS),
        *((f"preceded by {header!a}", header + text) for header in HEADERS),
        *_damaged(text),
        ("in lines", json.dumps(document, indent=2)),
        ("in lines that end in CR LF", json.dumps(document, indent="\t").replace("\n", "\r\n")),
        ("in ASCII", json.dumps(document)),
        ("with single quotes", text.replace('"', "'")),
        ("in Python's notation", repr(document)),
        ("as a string", _json(text)),
        ("in an array", f"[{text}]"),
        ("of every character twice", "".join(char * 2 for char in text)),
    )
    for name, mutated in changed:
        yield Mutation(name, mutated.encode())
    for encoding in ENCODINGS:
        yield Mutation(f"in {encoding}", text.encode(encoding))


def _damaged(text: str) -> Iterator[tuple[str, str]]:
    for match in _STRUCTURAL.finditer(text):
        at, char = match.span()[0], match[0]
        yield f"without the {char} at {at}", text[:at] + text[at + 1 :]
        yield f"with the {char} at {at} twice", text[:at] + char + text[at:]
    for at in range(0, len(text), 40):
        for inserted in INSERTIONS:
            yield f"with {inserted!a} at {at}", text[:at] + inserted + text[at:]


def notation_mutations(document: Any, under: Path = ()) -> Iterator[Mutation]:
    """Yield ``document`` with all odd notations of a number, string and nested value at all places from ``under`` on."""
    for place, _ in _places(document, under):
        yield from _notations(document, place)


def _notations(document: Any, place: Path) -> Iterator[Mutation]:
    at, (before, after) = path_text(place), _around(document, place)
    start, end = before.encode(), after.encode()
    for notation in (*NUMBERS, *STRINGS):
        shown = notation if len(notation) < 50 else f"{notation[:20]}… of {len(notation)}"
        yield Mutation(f"{at}: written {shown!a}", start + notation.encode() + end, place)
    for depth in DEPTHS:
        nestings = {
            "arrays deep": "[" * depth + "]" * depth,
            "arrays deep, open": "[" * depth,
            "objects deep": '{"a":' * depth + "0" + "}" * depth,
        }
        for name, nesting in nestings.items():
            yield Mutation(f"{at}: {depth} {name}", start + nesting.encode() + end, place)
    for wrong in BYTES:
        yield Mutation(f"{at}: a string with the bytes {wrong.hex(' ')}", start + b'"' + wrong + b'"' + end, place)
        yield Mutation(f"{at}: the bytes {wrong.hex(' ')}", start + wrong + end, place)


def nested_mutations(key: str, part: Any, sequence: str, parts: str) -> Iterator[Mutation]:
    """Yield documents in which ``part`` stands under ``key`` in many sequences, ``{"type": sequence, parts: […]}``."""
    for depth in (1, 2, 10, 40, *range(56, 66), 127):
        nested = part
        for _ in range(depth):
            nested = {"type": sequence, parts: [nested]}
        document = {key: nested, "model": {"type": "WordLevel", "vocab": {"a": 3}, "unk_token": "a"}}
        yield Mutation(f"{key}: in {depth} sequences", _json(document).encode())
