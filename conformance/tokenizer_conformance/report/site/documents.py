"""Pages in Markdown as parts of a site: markup of their own is shown as it stands, and links lead to pages of the site.

Comments are left out. A link to a file that is no part of the site, or to a heading that is not there, becomes its
words: a site has no dead links. Headings get the ids that GitHub gives them, so links to these work as they do there.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from tokenizer_conformance.escape import escape, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    Lead = Callable[[str], str | None]
    """Where the target of a link or the source of a picture is on the site, ``None`` where it is not there."""

ANCHOR = re.compile(r'<a id="([A-Za-z0-9._-]+)"></a>')
"""How our own pages in Markdown give an id to what follows."""

LINE_BREAK = re.compile(r"<br */?>")
"""The one element that our own pages have in the cells of tables."""

COMMENT = re.compile(r"<!--(?:(?!-->).)*-->", re.DOTALL)
"""What is a note to those who edit the page."""

ABOUT_ITSELF = re.compile(r"(?:Written|Generated|Made) by |\S+ writes this page")
"""How a paragraph begins that says what wrote the page."""

SENTENCE_END = re.compile(r"(?<=[.!?])\s")

LONGEST_OPENING = 250
"""How many characters of the sentence that describes a page are shown in a list."""

DECEIVING = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Controls, and what turns the reading direction: these are shown as escapes. Other hidden characters have their use in
running text."""

OUTSIDE = re.compile(r"(?:https?|mailto):", re.IGNORECASE)

OF_THE_SITE = ("theme", "content")
"""The ids that every page of a site has; a heading with such words gets a number, as a second one would."""


@dataclass(frozen=True, slots=True)
class Part:
    """What stands under one heading: its ``id`` on the page, its words, and the words of what follows.

    ``level`` is 1 for the greatest headings.
    """

    id: str
    level: int
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Markdown:
    """A text in Markdown that was read: ``anchors`` says which id on its page each id has that a link may name."""

    tokens: tuple[Token, ...]
    anchors: Mapping[str, str]

    @property
    def title(self) -> str:
        """The words of the first heading, empty where there is none."""
        return next((_words(inline) for opened, inline in pairwise(self.tokens) if opened.type == "heading_open"), "")

    @property
    def opening(self) -> str:
        """The first sentence of running text that is not about what wrote the page, empty where there is none."""
        paragraphs = (" ".join(_words(inline).split()) for _, inline in self._paragraphs())
        sentences = (SENTENCE_END.split(each, maxsplit=1)[0] for each in paragraphs)
        said = next((each for each in sentences if not (ABOUT_ITSELF.match(each) or each.endswith(":"))), "")
        return one_line(said, LONGEST_OPENING)

    def _paragraphs(self) -> Iterator[tuple[Token, Token]]:
        """Yield paragraphs that stand alone, in no list or table, each with its words."""
        pairs = pairwise(self.tokens)
        return (pair for pair in pairs if pair[0].type == "paragraph_open" and not pair[0].level)

    def parts(self) -> Iterator[Part]:
        """Yield what stands under each heading; what is before the first one is no part."""
        starts = [at for at, token in enumerate(self.tokens) if token.type == "heading_open"]
        for start, end in pairwise((*starts, len(self.tokens))):
            text = " ".join(token.content for token in self.tokens[start + 2 : end] if token.content)
            id_ = str(self.tokens[start].attrGet("id") or "")
            yield Part(id_, int(self.tokens[start].tag[1:]), _words(self.tokens[start + 1]), " ".join(text.split()))


@dataclass(frozen=True, slots=True)
class Document:
    """A page in Markdown: the ``path`` it was read from, its ``title``, and what it says."""

    path: Path
    title: str
    markdown: Markdown


def document_of(path: Path, text: str) -> Document:
    """Return the ``text`` at ``path`` as a document; its title is the first heading, or the name of the file."""
    markdown = parsed(text)
    return Document(path, markdown.title or path.stem, markdown)


def parsed(text: str) -> Markdown:
    """Return what a text in Markdown says."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    anchors: dict[str, str] = {}
    text = DECEIVING.sub(lambda match: escape(match[0]), text)
    tokens = tuple(_with_anchors(parser.parse(text), anchors))
    return Markdown(tokens, anchors)


def rendered(markdown: Markdown, lead: Lead, picture: Lead = lambda _: None, folded: int | None = None) -> Markup:
    """Return Markdown as HTML; ``lead`` says where the target of a link is, ``picture`` where a picture is.

    What stands below headings of the level ``folded`` is shown when one opens it, or follows a link to it.
    """
    for token in markdown.tokens:
        # The policy of the site allows no styles in attributes: columns of numbers are aligned by their class.
        if token.attrs.pop("style", "") == "text-align:right":
            token.attrSet("class", "number")
        if token.children:
            token.children = list(_with_links(token.children, markdown.anchors, lead, picture))
    parser = MarkdownIt("commonmark", {"html": False})
    tokens = markdown.tokens if folded is None else tuple(_folded(markdown.tokens, folded))
    # The parser escapes text, shows markup of the document's own as text, and refuses links that are programs.
    return Markup(parser.renderer.render(tokens, parser.options, {}))  # noqa: S704


def _folded(tokens: Sequence[Token], level: int) -> Iterator[Token]:
    """Yield ``tokens``, each part below a heading of this ``level`` in an element that opens."""
    is_open = False
    for token in tokens:
        is_folded = token.tag == f"h{level}" and not token.level
        if token.type == "heading_open" and not token.level:
            if is_open and int(token.tag[1:]) <= level:
                yield Token("part_close", "details", -1, block=True)
                is_open = False
            if is_folded:
                yield Token("part_open", "details", 1, block=True)
                yield Token("summary_open", "summary", 1)
                is_open = True
        yield token
        if token.type == "heading_close" and is_folded:
            yield Token("summary_close", "summary", -1, block=True)
    if is_open:
        yield Token("part_close", "details", -1, block=True)


# Ids -----------------------------------------------------------------------------------------------------------------


def heading_id(words: str) -> str:
    """Return the id that GitHub gives a heading of these ``words``.

    >>> heading_id("What `tokconf run` shows: 1")
    'what-tokconf-run-shows-1'
    """
    return re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")


def _with_anchors(tokens: Sequence[Token], anchors: dict[str, str]) -> Iterator[Token]:
    """Yield ``tokens`` with the ids of headings, and with places that have ids in place of paragraphs that say so.

    Paragraphs that are comments are left out.
    """
    taken = set(OF_THE_SITE)
    repeated: dict[str, int] = {}
    skipped = 0
    for at, token in enumerate(tokens):
        if skipped:
            skipped -= 1
            continue
        if token.type == "heading_open":
            named = heading_id(_words(tokens[at + 1]))
            number = repeated.get(named, 0)
            repeated[named] = number + 1
            _give_id(token, f"{named}-{number}" if number else named, anchors, taken)
        elif token.type == "paragraph_open" and (found := ANCHOR.fullmatch(tokens[at + 1].content.strip())):
            place = Token("paragraph_open", "span", 1, block=True)
            _give_id(place, found[1], anchors, taken)
            yield place
            yield Token("paragraph_close", "span", -1, block=True)
            skipped = 2
            continue
        elif token.type == "paragraph_open" and COMMENT.fullmatch(tokens[at + 1].content.strip()):
            skipped = 2
            continue
        yield token


def _give_id(token: Token, named: str, anchors: dict[str, str], taken: set[str]) -> None:
    """Give ``token`` the id that links call ``named``, or one like it where that is taken."""
    id_, number = named, 1
    while id_ in taken:
        id_, number = f"{named}-{number}", number + 1
    if named:
        taken.add(id_)
        anchors.setdefault(named, id_)
        token.attrSet("id", id_)


def _words(inline: Token) -> str:
    return "".join(" " if child.type == "softbreak" else child.content for child in inline.children or ())


# Links ---------------------------------------------------------------------------------------------------------------


def _with_links(children: Sequence[Token], anchors: Mapping[str, str], lead: Lead, picture: Lead) -> Iterator[Token]:
    """Yield the parts of a line with links that lead somewhere; of others the words stay."""
    is_kept: list[bool] = []
    for child in children:
        if child.type == "link_open":
            address = _led(str(child.attrGet("href") or ""), anchors, lead)
            is_kept.append(address is not None)
            if address is not None:
                child.attrSet("href", address)
                yield child
        elif child.type == "link_close":
            if is_kept.pop():
                yield child
        elif child.type == "image":
            yield _shown(child, picture(str(child.attrGet("src") or "")))
        elif child.type == "text":
            yield from _broken(child.content)
        else:
            yield child


def _led(href: str, anchors: Mapping[str, str], lead: Lead) -> str | None:
    if OUTSIDE.match(href):
        return href
    if href.startswith("#") and (named := unquote(href[1:])) in anchors:
        return f"#{quote(anchors[named])}"
    return lead(href)


def _shown(image: Token, source: str | None) -> Token:
    """Return a picture, or what it is called where it is not on the site."""
    if source is None:
        return Token("text", "", 0, content=_words(image))
    image.attrSet("src", source)
    return image


def _broken(text: str) -> Iterator[Token]:
    for number, part in enumerate(LINE_BREAK.split(text)):
        if number:
            yield Token("hardbreak", "br", 0)
        yield Token("text", "", 0, content=part)


def relative(to: str, start: str) -> str:
    """Return the address of the page ``to`` on the page ``start``, both as paths from the root of the site.

    >>> relative("requirements/BPE-1.html", "implementations/tokie.html")
    '../requirements/BPE-1.html'
    """
    path, hash_, fragment = to.partition("#")
    return posixpath.relpath(path, posixpath.dirname(start) or ".") + hash_ + fragment
