r"""Patterns that read as a regex and are looked for letter by letter.

``{"String": "\\s+"}`` finds a backslash, an ``s`` and a plus: no text has them, and nothing is said of it.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.document_parts import path_text, with_part
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.file_audit.finding import Defect, FoundDefect, Severity, Witness

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.research.file_audit.audited import AuditedFile, Part

LITERAL = Defect(
    "pattern-taken-literally",
    "A pattern reads as a regex, and is looked for letter by letter",
    Severity.WARNING,
    "A pattern under String is plain text. What looks like a regex there is found in no usual text, so that the "
    "component does nothing, and no error is raised.",
    "Write the pattern under Regex.",
)

CONSTRUCTS = (
    r"\\[sSdDwWbBnrt](?![A-Za-z])",  # \s, and no \sqrt
    r"\\[pP]\{\^?\w+\}",
    r"\(\?(?:[imsx-]*:|[=!>]|<[=!])",
    r"\[\^?(?:\\.|[^]\\]-[^]\\])+\]",  # [a-z], and no [MASK]
    r"\[[^]]+\](?:[+*]|\{\d)",
    r"\{\d+,\d*\}",
    r"\.[+*]",
    r"\A[^|<>[\]]+(?:\|[^|<>[\]]+){2,}\Z",  # 's|'t|'re, and no <|end|>
)
"""What stands in regexes, and hardly in a text that is meant as it is."""

_READS_AS_REGEX = re.compile("|".join(CONSTRUCTS))

TEXTS = (
    "Hello world 12",
    "It's  a test, (no?)\n",
    "naïve cafe\u0301 1,5",
    "नमस्ते world",
    "日本語テスト",
    "a\tb x2",
    "IT'S, I'll",
)
"""Texts that most regexes find something in."""

OF_STAGE: dict[str, Callable[[AuditedFile, str], object]] = {
    "normalizer": lambda audited, text: audited.normalized(text),
    "pre_tokenizer": lambda audited, text: audited.pieces(text),
    "decoder": lambda audited, text: audited.decoded(ids) if (ids := _ids(audited, text)) else None,
}
"""What a component of a stage makes of a text."""


def literal_patterns(audited: AuditedFile, told: Collection[Path]) -> Iterator[FoundDefect]:
    """Yield the patterns that find nothing as they are, and something as a regex; not those that are ``told`` of."""
    for part in audited.components:
        written = part.members.get("pattern")
        pattern = written.get("String") if isinstance(written, dict) else None
        path: Path = (*part.path, "pattern")
        if not isinstance(pattern, str) or path in told or not _READS_AS_REGEX.search(pattern):
            continue
        if any(pattern in token for token in audited.vocabulary):
            continue
        witness = _witness(audited, part, pattern)
        if witness is not None:
            remedy = f'Write {{"Regex": {json.dumps(pattern, ensure_ascii=False)}}} at {path_text(path)}.'
            message = f"{part.type} looks for {quoted(pattern)}, letter by letter"
            yield FoundDefect(LITERAL, (*path, "String"), message, witness=witness, to_do=remedy)


def _witness(audited: AuditedFile, part: Part, pattern: str) -> Witness | None:
    """Return a text that the regex is found in, and the pattern is not; ``None`` where it is no regex."""
    changed = audited.other(with_part(audited.document, (*part.path, "pattern"), {"Regex": pattern}))
    made = OF_STAGE.get(part.stage)
    if changed is None or made is None:
        return None
    for text in TEXTS:
        now, then = made(audited, text), made(changed, text)
        if pattern not in text and now is not None and then is not None and now != then:
            return Witness(f"{quoted(text)} becomes {_shown(now)}; with a regex {_shown(then)}", text)
    return None


def _ids(audited: AuditedFile, text: str) -> tuple[int, ...]:
    answer = audited.encoded(text)
    return () if answer is None else answer.ids


def _shown(made: object) -> str:
    return " ".join(map(quoted, made)) if isinstance(made, tuple) else quoted(str(made))
