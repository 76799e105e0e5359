"""Reports in Markdown: values made safe, and their files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.report_length import fitting
from tokenizer_conformance.escape import one_line

if TYPE_CHECKING:
    from tokenizer_conformance.command_io.sinks import Sink


class Markdown(str):
    """Text that is Markdown already."""

    __slots__ = ()


def as_code(value: object) -> Markdown:
    r"""Return ``value`` as a code span, which shows everything as it stands.

    >>> as_code("a`<b>")
    '``a`<b>``'
    """
    text = one_line(str(value), limit=10_000) or " "
    fence = "`" * (1 + _longest_run(text))
    padding = " " if text.startswith("`") or text.endswith("`") else ""
    return Markdown(f"{fence}{padding}{text}{padding}{fence}")


def as_words(text: str) -> Markdown:
    r"""Return ``text`` as running words, in which nothing is markup.

    >>> as_words("a_b <c>")
    'a\\_b \\<c\\>'
    """
    return Markdown(re.sub(r"([\\`*_\[\]<>#|~&!])", r"\\\1", one_line(text, limit=10_000)))


def as_cell(value: object) -> Markdown:
    r"""Return ``value`` as a code span for a table, in which a bar would end the cell.

    >>> as_cell("a|b")
    '`a\\|b`'
    """
    return Markdown(as_code(value).replace("|", "\\|"))


def as_block(lines: list[str]) -> Markdown:
    """Return ``lines``, which must be escaped already, as a block of code."""
    fence = "`" * max(3, 1 + _longest_run("\n".join(lines)))
    return Markdown("\n".join([fence + "text", *lines, fence]))


def _longest_run(text: str) -> int:
    return max(map(len, re.findall(r"`+", text)), default=0)


HOW_MADE = "How it was made"
"""What the last section of every report is called: the command, where it ran, what was compared."""

HOW_MADE_LINK = Markdown(f"[{HOW_MADE.lower()}](#{HOW_MADE.lower().replace(' ', '-')})")
"""What leads there from the summary."""

BEGINNING = re.compile(
    rb"# [^\n]+\n\r?\n(?:\*\*[^\n]*\*\*\r?\n\r?\n)?(?:[^\n]*; )?" + re.escape(HOW_MADE_LINK.encode()) + rb"\r?\n"
)
"""How every report begins: its title, and the link to its last section, alone or after its headline and its summary."""


def is_report(beginning: bytes) -> bool:
    """Return whether a file with this ``beginning`` is a report of ours."""
    return BEGINNING.match(beginning) is not None


def write_report(sink: Sink, text: str) -> None:
    """Write a report to ``sink``. Raises ``OSError``."""
    sink.write(report_file(text))


def report_file(text: str) -> bytes:
    """Return the file of a report, cut where it is longer than the summary of a step may be."""
    # What a template is given is escaped; should a name with a surrogate come through, it costs no report.
    return fitting(text.encode("utf-8", "backslashreplace"))
