"""A site in the making: its files, the entries of its search, and how its templates become pages."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

import jinja2
from markupsafe import Markup

from tokenizer_conformance.escape import visible
from tokenizer_conformance.report.site.agreements import WORDS
from tokenizer_conformance.report.site.described import pieces_of
from tokenizer_conformance.report.site.documents import relative
from tokenizer_conformance.results.html.writing import environment, generator
from tokenizer_conformance.results.page import SIGNS

if TYPE_CHECKING:
    from tokenizer_conformance.report.site.results import RequirementResult
    from tokenizer_conformance.results.page import State

POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file: data:; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'"
)
"""What pages of a site may load: their own script, style and pictures, from disk too."""

MOMENT = re.compile(r"([0-9-]{10})T([0-9:]{5}):[0-9.:]+\+00:00")
"""How records say when they were begun."""

LONGEST_ENTRY = 1_500
"""How many characters of the words of an entry of the search are kept."""


@dataclass(slots=True)
class Site:
    """A site in the making: its ``files`` by their names, and the ``entries`` of its search.

    An entry is a title, what it is the title of, its address, and the words that it is found by as well.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    entries: list[tuple[str, str, str, str]] = field(default_factory=list)
    navigation: list[tuple[str, str]] = field(default_factory=list)

    def add(self, path: str, title: str, template: str, **values: object) -> None:
        """Add the page at ``path``, made by a ``template`` of ``values``."""
        content = (
            templates()
            .get_template(template)
            .render(
                title=visible(title),
                path=path,
                root=relative(".", path),
                navigation=self.navigation,
                generator=generator(),
                policy=POLICY,
                **values,
            )
        )
        self.files[path] = content.encode("utf-8", "backslashreplace")

    def enter(self, title: str, kind: str, address: str, text: str = "") -> None:
        """Have the search find what is at ``address`` by any word of the others."""
        words = visible(" ".join(text.split()))[:LONGEST_ENTRY]
        self.entries.append((visible(title), visible(kind), address, words))


@cache
def templates() -> jinja2.Environment:
    """Return the templates of a site, with those of pages: every value is escaped."""
    made = environment().overlay(
        loader=jinja2.ChoiceLoader(
            [
                jinja2.PackageLoader("tokenizer_conformance.report.site", "templates"),
                jinja2.PackageLoader("tokenizer_conformance.results.html", "templates"),
            ]
        )
    )
    made.filters = {
        **made.filters,
        "to": _to,
        "listed": _listed,
        "moment": _moment,
        "standing_word": lambda state: WORDS[state][0],
        "standing_meaning": lambda state: WORDS[state][1],
        "pieces": pieces_of,
    }
    return made


@jinja2.pass_context
def _to(context: jinja2.runtime.Context, address: str) -> str:
    """Return where ``address``, a path in the site, is from the page that is made."""
    return relative(address, context["path"])


def _listed(value: str | int | RequirementResult | None) -> Markup:
    """Return a cell of a list: a number, words, or the result of a requirement."""
    if value is None:
        return Markup("<td>not asked</td>")
    if isinstance(value, int):
        return Markup('<td class="number" data-value="{}">{}</td>').format(value, f"{value:,}")
    if isinstance(value, str):
        return Markup("<td>{}</td>").format(visible(value))
    state: State = value.state
    return Markup('<td class="state-{}"><span aria-hidden="true">{}</span> {}</td>').format(
        str(state).replace(" ", "-"), SIGNS[state][0], value.word
    )


def _moment(started: str) -> str:
    """Return a time in ISO 8601 as people read it; what is none stays.

    >>> _moment("2026-11-23T22:56:32+00:00")
    '2026-11-23 22:56 UTC'
    """
    return MOMENT.sub(r"\1 \2 UTC", started)
