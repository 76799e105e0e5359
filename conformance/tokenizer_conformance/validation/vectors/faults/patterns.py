r"""Faults of regular expressions: alternatives lost, classes narrowed or widened, quantifiers and flags changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.validation.vectors.faults.components import components, name_of, put
from tokenizer_conformance.validation.vectors.faults.fault import DocumentFault, Json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.validation.vectors.faults.fault import FaultStage

REWRITES: tuple[tuple[str, str, str], ...] = (
    (r"\p{L}", "A-Za-z", "letters are those of ASCII"),
    (r"\p{L}", r"\p{L}\p{M}", "marks are letters"),
    (r"\p{L}", r"\p{Ll}\p{Lu}", "letters without case are none"),
    (r"\p{L}", r"\p{Alphabetic}", "letters are all that is alphabetic"),
    (r"\p{L}", r"\p{L}\p{So}", "symbols are letters"),
    (r"\p{L}", r"\p{L}_", "the low line is a letter"),
    (r"\p{N}", "0-9", "numbers are the digits of ASCII"),
    (r"\p{N}", r"\p{Nd}", "numbers are decimal digits"),
    (r"\p{N}", r"\p{N}\p{No}", "other numbers are numbers twice"),
    (r"\s", r" \t\n\r", "white space is that of ASCII"),
    (r"\s", r"\s\u200B", "the zero width space is white space"),
    (r"\s", r"\s\u001C-\u001F", "information separators are white space"),
    (r"\s", r"\t-\r \u00A0\u2000-\u200A\u2028\u2029\u202F\u3000", "one of the rarer spaces is no white space"),
    (r"\r\n", r"\n", "a carriage return ends no line"),
    (" ?", "", "a space never belongs to what follows"),
    (" ?", " *", "many spaces belong to what follows"),
    ("+", "", "only one character at a time"),
    ("(?!\\S)", "", "nothing is looked for behind white space"),
    ("(?i:", "(?:", "upper and lower case are told apart"),
    ("{1,3}", "", "numbers are cut one by one"),
    ("{1,3}", "+", "numbers are not cut"),
    ("{1,3}", "{1,2}", "numbers are cut by two"),
    ("'", "['\\u2019]", "a curly apostrophe is one"),
)
"""Old and new piece of a pattern, and what is wrong then. Outside brackets a class is put into brackets."""


def pattern_faults(document: Json, member: str, stage: FaultStage) -> Iterator[DocumentFault]:
    """Yield faults of each pattern of the components of ``member``."""
    for path, component in components(document, member):
        pattern = component.get("pattern")
        if not isinstance(pattern, dict):
            continue
        name = name_of(path, component)
        if isinstance(pattern.get("Regex"), str):
            for what, changed in rewritten(pattern["Regex"]):
                yield DocumentFault(stage, f"pattern of {name}: {what}", put((*path, "pattern"), {"Regex": changed}))
        elif isinstance(pattern.get("String"), str):
            text = pattern["String"]
            yield DocumentFault(
                stage,
                f"pattern of {name} one character short",
                put((*path, "pattern"), {"String": text[:-1] or "\x00"}),
            )
            yield DocumentFault(
                stage,
                f"pattern of {name} read as a regular expression that repeats",
                put((*path, "pattern"), {"Regex": f"(?:{_escaped(text)})+"}),
            )
        if isinstance(component.get("content"), str):
            yield DocumentFault(stage, f"content of {name} is empty", put((*path, "content"), ""))
            yield DocumentFault(
                stage, f"content of {name} has a space more", put((*path, "content"), component["content"] + " ")
            )


def _escaped(text: str) -> str:
    return "".join(character if character.isalnum() else f"\\x{{{ord(character):X}}}" for character in text)


def rewritten(pattern: str) -> Iterator[tuple[str, str]]:
    """Yield faulty versions of ``pattern``, each with what is wrong with it.

    >>> [changed for _, changed in rewritten("a|b+")]
    ['b+', 'a', 'a|b', 'b+|a', '(?i:a|b+)']
    """
    alternatives = list(top_level_alternatives(pattern))
    if len(alternatives) > 1:
        for number, alternative in enumerate(alternatives):
            rest = [*alternatives[:number], *alternatives[number + 1 :]]
            yield f"without its alternative {alternative!r}", "|".join(rest)
    for old, new, what in REWRITES:
        for number, place in enumerate(places(pattern, old)):
            if what.startswith("only one") and pattern[place - 1 : place] in ("", "("):
                continue
            piece = new if in_brackets(pattern, place) or not is_class(old) else f"[{new}]"
            where = f" (place {number + 1})" if pattern.count(old) > 1 else ""
            yield f"{what}{where}", pattern[:place] + piece + pattern[place + len(old) :]
    if len(alternatives) > 1:
        yield "its first two alternatives exchanged", "|".join([alternatives[1], alternatives[0], *alternatives[2:]])
    if "(?i" not in pattern:
        yield "upper and lower case are one", f"(?i:{pattern})"


def is_class(piece: str) -> bool:
    """Return whether ``piece`` is a class of characters that may stand inside brackets."""
    return piece in (r"\p{L}", r"\p{N}", r"\s")


def places(pattern: str, piece: str) -> Iterator[int]:
    """Yield where ``piece`` stands in ``pattern``."""
    place = pattern.find(piece)
    while place >= 0:
        yield place
        place = pattern.find(piece, place + 1)


def in_brackets(pattern: str, place: int) -> bool:
    """Return whether ``place`` of ``pattern`` is inside brackets."""
    depth = 0
    number = 0
    while number < place:
        if pattern[number] == "\\":
            number += 1
        elif pattern[number] == "[":
            depth += 1
        elif pattern[number] == "]":
            depth -= 1
        number += 1
    return depth > 0


def top_level_alternatives(pattern: str) -> Iterator[str]:
    """Yield the alternatives of ``pattern``.

    >>> list(top_level_alternatives("a|(b|c)|[|]"))
    ['a', '(b|c)', '[|]']
    """
    depth = start = number = 0
    while number < len(pattern):
        match pattern[number]:
            case "\\":
                number += 1
            case "(" | "[":
                depth += 1
            case ")" | "]":
                depth -= 1
            case "|" if depth == 0:
                yield pattern[start:number]
                start = number + 1
        number += 1
    yield pattern[start:]
