"""The difference report in Markdown: a page to keep, to publish, or to attach to a bug report.

It is written when the run is over, first beside its place and then moved there, so that no half-written report is ever
found. What the template prints is shown as code, unless a filter has made Markdown of it: nothing from a tokenizer can
become a heading, a link or HTML.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2

from tokenizer_conformance.escape import one_line
from tokenizer_conformance.events import (
    ImplementationMissing,
    InputRefused,
    Replayed,
    RunFinished,
    RunStarted,
    TokenizerFinished,
)
from tokenizer_conformance.reporting.wording import (
    FindingGroup,
    blame,
    cell,
    consequences,
    example_headline,
    given_files,
    hidden_fields,
    overview_cell,
    own_groups,
    subject_lines,
    summary,
    window,
)

if TYPE_CHECKING:
    from tokenizer_conformance.events import Event


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


def _printed(value: Any) -> Any:
    """Return what the template prints for ``value``: numbers and Markdown as they are, all else as code."""
    return value if isinstance(value, (Markdown, int, jinja2.Undefined)) else as_code(value)


def markdown_environment() -> jinja2.Environment:
    """Return where templates of reports become Markdown."""
    # Markdown has escapes of its own; `finalize` applies them to every value, which HTML autoescape would not do.
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("tokenizer_conformance.reporting", "templates"),
        autoescape=False,  # noqa: S701 - the output is Markdown, not HTML
        undefined=jinja2.StrictUndefined,
        finalize=_printed,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"cell": as_cell, "block": as_block, "plain": as_words, "markdown": Markdown}
    return environment


class MarkdownReport:
    """Writes the report of a run to ``path`` when the run is over.

    Building raises ``OSError`` where no file can be written there.
    """

    def __init__(self, path: Path) -> None:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
        self._path = path
        self._run: RunStarted | None = None
        self._refused: list[str] = []
        self._tokenizers: list[TokenizerFinished] = []

    def handle(self, event: Event) -> None:
        """Take in ``event``; at the end, write the report. Raises ``OSError``."""
        match event:
            case RunStarted():
                self._run = event
            case Replayed(recorded):
                self.handle(recorded)
            case InputRefused(refusal) | ImplementationMissing(refusal):
                self._refused.append(refusal.reason)
            case TokenizerFinished():
                self._tokenizers.append(event)
            case RunFinished() if self._run is not None:
                write_atomically(self._path, render(self._run, self._refused, self._tokenizers, event))
            case _:
                pass


def render(
    run: RunStarted,
    refused: list[str],
    tokenizers: list[TokenizerFinished],
    finished: RunFinished,
) -> str:
    """Return the report as Markdown."""
    return (
        markdown_environment()
        .get_template("report.md.jinja")
        .render(
            run=run,
            refused=refused,
            tokenizers=tokenizers,
            finished=finished,
            summary=summary(finished),
            command=shlex.join(run.environment.command),
            cell_lines=cell,
            overview_lines=overview_cell,
            notes=_notes,
            groups=own_groups,
            consequences=consequences,
            example_lines=lambda group: _example_lines(group, run.baseline),
            example_headline=example_headline,
        )
    )


def _notes(finished: TokenizerFinished) -> list[str]:
    """Say what the matrix leaves open: why something was not loaded, what each was given and shows, and where it parts."""
    notes = [finished.baseline_load_error]
    for result in finished.results:
        notes += [result.load_error, given_files(result), hidden_fields(result), blame(result)]
    return [note for note in notes if note is not None]


def _example_lines(group: FindingGroup, baseline: str) -> list[str]:
    example = group.example
    implementation = group.findings[0].signature.implementation
    sides = (one_line(baseline), one_line(implementation))
    return [*subject_lines(example.question), "", *window(example.difference, *sides)]


def write_atomically(path: Path, text: str) -> None:
    """Write ``text`` to ``path`` such that the file is there whole or not at all. Raises ``OSError``."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    """Return the process's file mode mask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
