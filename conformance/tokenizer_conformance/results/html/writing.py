"""A page, written as one HTML file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
import importlib.resources
import math
import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

import jinja2
from markupsafe import Markup

from tokenizer_conformance.comparison.wording import shown_text
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import visible
from tokenizer_conformance.plural import few
from tokenizer_conformance.results.html.data import pack, packed, picture_of, way_of
from tokenizer_conformance.results.page import SIGNS, Estimate, meanings_of
from tokenizer_conformance.results.plots.inline import inline_css, inline_svg
from tokenizer_conformance.results.plots.page_figures import is_tall, is_wide

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokenizer_conformance.results.page import Cell, Drawing, Page, ShownFinding, Subject, TableCell

FORMAT = "tokconf report 1"
"""What the files say they are, with the version of their form: their addresses (``#finding=ID``) and their data."""

COLUMNS = (
    ("headline", "finding"),
    ("implementation", "implementation"),
    ("tokenizer", "tokenizer"),
    ("stage", "stage"),
    ("reason", "class"),
    ("standing", "standing"),
)
"""The columns of the list of findings, but for the count, and their titles."""

FILTERS = (
    ("group", "list"),
    ("implementation", "implementation"),
    ("tokenizer", "tokenizer"),
    ("stage", "stage"),
    ("reason", "class"),
    ("standing", "standing"),
    ("record", "record"),
)

SCRIPTS = ("page.js", "findings.js", "way.js")
STYLES = ("report.css",)


def html_file(page: Page) -> bytes:
    """Return ``page`` as an HTML file, in UTF-8."""
    return html_of(page).encode("utf-8", "backslashreplace")


def html_of(page: Page, home: str = "") -> str:
    """Return ``page`` as an HTML file; ``home`` is where the page leads that lists it with others."""
    by_id = {finding.id: finding for finding in page.findings}
    return (
        environment()
        .get_template("report.html.jinja")
        .render(
            page=page,
            home=home,
            data=packed(page.findings),
            way=pack(way_of(page)),
            picture=pack(picture_of(page)),
            headlines=[by_id[id_] for id_ in page.headlines if id_ in by_id],
            first_group=_first_group(page.findings),
            columns=(*COLUMNS, ("count", page.counted)),
            filters=FILTERS,
            leads=leading(page),
            generator=generator(),
            **furniture(SCRIPTS, STYLES),
        )
    )


def _first_group(findings: Sequence[ShownFinding]) -> str:
    """Return the list that is shown at first: that of the first finding, all where some record has nothing in it."""
    group = findings[0].group if findings else ""
    records = {finding.record for finding in findings}
    return group if {finding.record for finding in findings if finding.group == group} == records else ""


def leading(page: Page) -> Callable[[Cell], Mapping[str, str]]:
    """Return what says which findings of ``page`` a cell leads to: the values of columns, none where there are none.

    What differs at a stage may follow from an earlier one: then the findings are those of that one.
    """
    wanted = {
        names
        for matrix in page.matrices
        for _, cells in matrix.rows
        for cell in cells
        for names in (frozenset(cell.of), frozenset(cell.of) - {"stage"})
        if names
    }
    found = {
        frozenset((name, str(getattr(finding, name))) for name in names)
        for finding in page.findings
        for names in wanted
    }

    def leads(cell: Cell) -> Mapping[str, str]:
        for of in (dict(cell.of), {name: value for name, value in cell.of.items() if name != "stage"}):
            if of and frozenset(of.items()) in found:
                return of
        return {}

    return leads


@cache
def generator() -> str:
    """Return what made a page, and the version of its form."""
    return f"tokconf {importlib.metadata.version('tokenizer-conformance')}, {FORMAT}"


@cache
def furniture(scripts: tuple[str, ...], styles: tuple[str, ...]) -> Mapping[str, Markup]:
    """Return the ``script`` and the ``style`` of a page, and the ``policy`` that allows them and nothing else."""
    script, style = _assets(scripts), f"{_assets(styles)}\n{inline_css()}"
    # Trusted Types have the browser refuse markup made of strings, should a script ever make any.
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )
    return {"script": Markup(script), "style": Markup(style), "policy": Markup(policy)}  # noqa: S704 - files of this package


def _assets(names: tuple[str, ...]) -> str:
    folder = importlib.resources.files("tokenizer_conformance.results.html") / "assets"
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in names)


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}"


@cache
def environment() -> jinja2.Environment:
    """Return where templates become HTML: every value is escaped."""
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("tokenizer_conformance.results.html", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {
        "text": lambda value: visible(str(value)),
        "parted": _parted,
        "subject": _subject,
        "sign": lambda state: SIGNS[state][0],
        "word": lambda state: str(state).replace(" ", "-"),
        "meanings": meanings_of,
        "query": lambda of: f"&{urlencode({key: visible(value) for key, value in of.items()})}",
        "fragment": lambda id_: quote(visible(id_), safe=""),
        "cell": _cell,
        "figure": _figure,
        "few": few,
        "numbers": _numbers,
    }
    return made


def _parted(name: str) -> Markup:
    """Return ``name`` with places where a line may break: after what joins its words, and before a capital in it.

    >>> _parted("models.WordPiece 0.3.5")
    Markup('models.<wbr>Word<wbr>Piece 0.3.5')
    """
    return Markup("<wbr>").join(re.split(r"(?<=[._/])(?=[A-Za-z])|(?<=[a-z])(?=[A-Z])", visible(name)))


def _numbers(findings: Sequence[ShownFinding]) -> str:
    """Return how many findings there are, and where they are of several kinds, how many of each."""
    counts = Counter(finding.group for finding in findings)
    parts = ", ".join(f"{count:,} {group}" for group, count in counts.items())
    return f"{len(findings):,}: {parts}" if len(counts) > 1 else f"{len(findings):,}"


def _subject(subject: Subject) -> str:
    if subject.text is not None:
        return shown_text(subject.text)
    return ", ".join(map(str, subject.ids[:20])) + (", …" if subject.length > 20 else "")


def _cell(value: TableCell) -> Markup:
    """Return a cell of a table, with the number that it is sorted by."""
    if value is None:
        return Markup("<td>–</td>")
    if isinstance(value, Estimate):
        interval = value.interval
        return Markup('<td class="number" data-value="{}">{}{}</td>').format(
            value.value,
            value.words,
            Markup(' <small class="interval">{}</small>').format(interval) if interval else "",
        )
    if isinstance(value, str):
        return Markup("<td><bdi>{}</bdi></td>").format(visible(value))
    if isinstance(value, float) and not math.isfinite(value):
        return Markup("<td>{}</td>").format(str(value))
    return Markup('<td class="number" data-value="{}">{}</td>').format(
        value, f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"
    )


def _figure(drawing: Drawing, number: int) -> Markup:
    """Return a ``drawing`` with its description; ``number`` tells the drawings of a page apart."""
    title, caption = visible(drawing.plot.title), visible(drawing.description)
    svg, shape = _svg(drawing, number)
    if shape == "wide":
        svg = Markup('<div class="scroll" role="region" aria-label="{}" tabindex="0">{}</div>').format(title, svg)
    return Markup("<figure{}><h3>{}</h3>{}<figcaption>{}</figcaption></figure>").format(
        Markup(' class="{}"').format(shape) if shape else "", title, svg, caption
    )


def _svg(drawing: Drawing, number: int) -> tuple[Markup, str]:
    """Return the picture of a ``drawing``, or why there is none, and whether it is ``wide`` or ``tall``."""
    plot = drawing.plot
    try:
        svg = Markup(inline_svg(plot, number))  # noqa: S704 - written by an XML writer, which escapes
    except BadInputError as error:
        return Markup("<p>{}</p>").format(visible(f"{plot.title}: {error}")), ""
    return svg, "wide" if is_wide(plot) else "tall" if is_tall(plot) else ""
