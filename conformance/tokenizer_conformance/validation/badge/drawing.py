"""A badge as a file: an SVG picture, or the JSON that services read which draw badges themselves."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import jinja2

from tokenizer_conformance.validation.badge.badge import ALL, CORE_FAILED, FAILS, FEW, MANY, MOST, SUBJECT

if TYPE_CHECKING:
    from tokenizer_conformance.validation.badge.badge import Badge

COLORS = {ALL: "#3c0", MOST: "#97ca00", MANY: "#a4a61d", FEW: "#9f9f9f", FAILS: "#fe7d37", CORE_FAILED: "#e05d44"}

MARK = "<!-- A badge by tokenizer-conformance. -->"
"""How every picture begins: what does not is none of ours, and is not overwritten."""

PADDING = 6
"""Pixels on each side of a text."""

WIDTHS = (("il.,:;|!'·()/ ", 4), ("fjrt-", 5), ("mwMW%@", 11), ("ABCDEFGHIJKLNOPQRSTUVXYZ", 8))
"""How wide characters are, in pixels, in a common font of size 11; the SVG sets texts so wide in any other font."""

OTHER_WIDTH, WIDE = 7, 12


class Format(StrEnum):
    """What a badge is written as."""

    SVG = "svg"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class _Part:
    """One of the two texts, with its place in pixels."""

    text: str
    x: int
    text_width: int
    color: str

    @property
    def width(self) -> int:
        return self.text_width + 2 * PADDING

    @property
    def middle(self) -> float:
        return self.x + self.width / 2


def drawn(badge: Badge, form: Format) -> bytes:
    """Return ``badge`` as the content of a file."""
    return (_svg(badge) if form is Format.SVG else _json(badge)).encode("utf-8")


def is_badge(content: bytes, form: Format) -> bool:
    """Return whether ``content`` is what :func:`drawn` made of some badge.

    >>> is_badge(b"<svg></svg>", Format.SVG)
    False
    """
    if form is Format.SVG:
        return content.startswith(MARK.encode())
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return False
    is_endpoint = isinstance(found, dict) and found.keys() == {"schemaVersion", "label", "message", "color"}
    return is_endpoint and str(found["label"]).startswith(SUBJECT)


def _json(badge: Badge) -> str:
    found = {"schemaVersion": 1, "label": badge.label, "message": badge.message, "color": badge.color}
    return json.dumps(found, ensure_ascii=True, indent=2) + "\n"


def _svg(badge: Badge) -> str:
    label = _Part(badge.label, 0, _width(badge.label), "#555")
    message = _Part(badge.message, label.width, _width(badge.message), COLORS[badge.color])
    template = _ENVIRONMENT.get_template("badge.svg.jinja")
    return template.render(mark=MARK, title=badge.title, parts=(label, message), width=label.width + message.width)


def _width(text: str) -> int:
    return sum(map(_width_of, text))


def _width_of(character: str) -> int:
    if character > "\u1100":
        return WIDE
    return next((width for characters, width in WIDTHS if character in characters), OTHER_WIDTH)


_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.PackageLoader("tokenizer_conformance.validation.badge", "templates"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
