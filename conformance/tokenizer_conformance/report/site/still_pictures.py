"""Pictures that documents show: which of them do nothing but show themselves, also where they are opened alone."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PNG = b"\x89PNG\r\n\x1a\n"

DECLARES = re.compile(rb"<!ENTITY|<!DOCTYPE[^>]*\[|<\?xml-stylesheet", re.IGNORECASE)
"""What has no place in a picture: entities may grow without end, and style sheets are fetched."""

STILL = frozenset(
    {
        "svg",
        "g",
        "defs",
        "use",
        "symbol",
        "title",
        "desc",
        "metadata",
        "style",
        "path",
        "rect",
        "circle",
        "ellipse",
        "line",
        "polyline",
        "polygon",
        "text",
        "tspan",
        "clipPath",
        "mask",
        "pattern",
        "linearGradient",
        "radialGradient",
        "stop",
        "image",
        "marker",
    }
)
"""The elements of SVG that move nothing, fetch nothing by themselves, and hold no markup of other kinds."""

SVG = "{http://www.w3.org/2000/svg}"
INSIDE = re.compile(r"\s*(?:#|data:image/(?:png|jpeg);base64,)", re.IGNORECASE)
"""Where a reference may lead: to a part of the picture, or to pixels that it has."""

FETCHES = re.compile(r"@import|url\(\s*['\"]?\s*(?!['\"]?#)|javascript:|expression\(|\\", re.IGNORECASE)
"""What a style does not have that fetches nothing; an escape could spell any of it."""


def is_still(content: bytes, suffix: str) -> bool:
    """Say whether ``content``, of a file whose name ends with ``suffix``, is a picture that runs and fetches nothing.

    A browser runs what stands in an SVG when somebody opens it by its address.
    """
    if suffix == ".png":
        return content.startswith(PNG)
    return suffix == ".svg" and _is_still_svg(content)


def _is_still_svg(content: bytes) -> bool:
    if DECLARES.search(content) or b"\0" in content:
        return False
    try:
        root = ET.fromstring(content)  # noqa: S314 - without entities; it is written as it was, or not at all
    except (ET.ParseError, ValueError, LookupError):
        return False
    return root.tag == f"{SVG}svg" and all(map(_is_still_element, _elements(root)))


def _elements(root: ET.Element) -> Iterator[ET.Element]:
    """Yield the elements of a picture, without what says only what it is."""
    yield root
    for child in root:
        if child.tag != f"{SVG}metadata" or _has_svg(child):
            yield from _elements(child)


def _has_svg(metadata: ET.Element) -> bool:
    """Return whether anything in ``metadata`` is of a kind that a browser does something with."""
    dumb = ("http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://purl.org/dc/", "http://creativecommons.org/ns#")
    return any(not each.tag.removeprefix("{").startswith(dumb) for each in metadata.iter() if each is not metadata)


def _is_still_element(element: ET.Element) -> bool:
    if not element.tag.startswith(SVG) or element.tag.removeprefix(SVG) not in STILL:
        return False
    if element.tag == f"{SVG}style" and FETCHES.search(element.text or ""):
        return False
    return all(_is_still_attribute(name.rpartition("}")[2], value) for name, value in element.attrib.items())


def _is_still_attribute(name: str, value: str) -> bool:
    if name.lower().startswith("on"):
        return False
    if name == "href":
        return INSIDE.match(value) is not None
    return not FETCHES.search(value)
