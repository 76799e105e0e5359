r"""Regexes that other engines read otherwise, or not at all.

`tokenizers` has Oniguruma with Ruby's syntax. Ports use what their language has: Rust's `regex` or `fancy-regex`,
PCRE2, Python's `re`, JavaScript's `RegExp`, Java's and ICU's. What is listed here is from the manuals of these:
Oniguruma's `doc/RE`, `pcre2pattern`, the documentation of the crates and of Python, ECMA-262.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.file_audit.finding import Defect, FoundDefect, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.research.file_audit.audited import AuditedFile

OTHERWISE = Defect(
    "regex-means-otherwise",
    "A regex means something else in other engines",
    Severity.WARNING,
    "`tokenizers` reads it as Ruby does. A port with the regexes of its own language compiles it without an error, and "
    "cuts texts elsewhere.",
    "Write it with constructs that mean one thing everywhere.",
)
NOT_PORTABLE = Defect(
    "regex-not-portable",
    "A regex has constructs that other engines do not have",
    Severity.NOTE,
    "A port with the regexes of its own language refuses it, or needs another engine.",
    "Nothing, if the file is for `tokenizers` alone; ports may need an equivalent pattern.",
)

DEFECTS = (OTHERWISE, NOT_PORTABLE)


@dataclass(frozen=True, slots=True)
class _Construct:
    """Something in a regex that ``found`` finds, once escapes and classes are told apart, and what engines make of it.

    ``in_class`` tells whether it is looked for inside or outside of ``[…]``; ``None``: in both.
    """

    found: re.Pattern[str]
    words: str
    in_class: bool | None = False


OTHERWISE_READ = (
    _Construct(re.compile(r"\\h"), r"\h is a hexadecimal digit; in PCRE and Java it is a horizontal space", None),
    _Construct(re.compile(r"\\H"), r"\H is no hexadecimal digit; in PCRE and Java it is no horizontal space", None),
    _Construct(re.compile(r"\^"), "^ is the beginning of every line; elsewhere it is that of the text alone"),
    _Construct(re.compile(r"\$"), "$ is the end of every line; elsewhere it is that of the text alone"),
    _Construct(re.compile(r"\(\?[ix]*m"), "(?m) has the dot take line breaks; elsewhere it is about ^ and $"),
    _Construct(re.compile(r"\\Z"), r"\Z also stands before a last line break; in Python it is the very end"),
    _Construct(
        re.compile(r"\{\d+(?:,\d*)?\}\+"),
        "a + after {n,m} repeats that again; in PCRE and Java it makes it possessive",
    ),
    _Construct(re.compile(r"&&"), "&& intersects classes; in PCRE, Python and JavaScript it is two ampersands", True),
)

NOT_HAD_ELSEWHERE = (
    _Construct(re.compile(r"(?<!\\)[*+?]\+"), "possessive repeats (++, *+, ?+): not in Rust's regex, nor JavaScript"),
    _Construct(re.compile(r"\(\?>"), "atomic groups: not in Rust's regex, nor JavaScript"),
    _Construct(re.compile(r"\(\?[=!]"), "looking ahead: not in Rust's regex, nor RE2"),
    _Construct(re.compile(r"\(\?<[=!]"), "looking behind: not in Rust's regex, nor RE2"),
    _Construct(re.compile(r"\\[1-9]|\\k<"), "references back: not in Rust's regex, nor RE2"),
    _Construct(re.compile(r"\[:\^?\w+:\]"), "POSIX brackets: not in Python, nor JavaScript", True),
    _Construct(re.compile(r"\(\?[a-z]*i"), "switches inside a regex, (?i:…): not in JavaScript before 2025"),
    _Construct(re.compile(r"\\[pP]\{"), r"Unicode properties, \p{…}: not in Python's re", None),
    _Construct(
        re.compile(r"\\p\{\^"), r"negated properties, \p{^…}: not in JavaScript, Python, nor Rust's regex", None
    ),
    _Construct(re.compile(r"\\[KGXR]"), r"\K, \G, \X, \R: not in Rust's regex, Python, nor JavaScript"),
)

_PIECES = re.compile(r"\\[pP]\{[^}]*\}|\\.|\[:\^?\w+:\]|.", re.DOTALL)


def check_regex_dialects(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield the regexes that are read otherwise, or not at all, by other engines."""
    for path, pattern in audited.regexes():
        outside, inside = _split(pattern)
        for defect, constructs in ((OTHERWISE, OTHERWISE_READ), (NOT_PORTABLE, NOT_HAD_ELSEWHERE)):
            found = [each.words for each in constructs if _is_in(each, outside, inside)]
            if found:
                message = f"{found[0]}; in {quoted(pattern[:80])}"
                yield FoundDefect(defect, path, message, details=tuple(found[1:]))


def _is_in(construct: _Construct, outside: str, inside: str) -> bool:
    texts = {False: (outside,), True: (inside,), None: (outside, inside)}[construct.in_class]
    return any(construct.found.search(text) for text in texts)


def _split(pattern: str) -> tuple[str, str]:
    r"""Return what of ``pattern`` stands outside of classes, and what inside; escaped signs are left out of both.

    >>> _split(r"a[\^b&&c]\^$")
    ('a[]$', 'b&&c')
    """
    outside: list[str] = []
    inside: list[str] = []
    depth = 0
    previous = ""
    for piece in _PIECES.findall(pattern):
        is_negation = piece == "^" and previous == "[" and depth > 0
        if piece == "[":
            depth += 1
            if depth == 1:
                outside.append(piece)
        elif piece == "]" and depth:
            depth -= 1
            if not depth:
                outside.append(piece)
        elif not is_negation and not _is_escaped_sign(piece):
            (inside if depth else outside).append(piece)
        previous = piece
    return "".join(outside), "".join(inside)


def _is_escaped_sign(piece: str) -> bool:
    return len(piece) == 2 and piece[0] == "\\" and not piece[1].isalnum()
