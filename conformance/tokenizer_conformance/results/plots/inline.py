"""Plots as SVG that stands inside an HTML page, of a page that forbids styles and scripts in its markup.

What ``matplotlib`` writes is taken apart and written anew: styles become presentation attributes, colours that stand
for a role become classes, whose colours are in ``inline.css`` for a light and for a dark page, and what a picture does
not need is left out. The same plot with the same number is the same text each time.
"""

from __future__ import annotations

import importlib.resources
import io
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from tokenizer_conformance.escape import visible
from tokenizer_conformance.results.plots.library import settings
from tokenizer_conformance.results.plots.page_figures import HATCH_SIZE, HATCHED, ROLES, SETTINGS, figure_of, is_wide

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.plots.plot import Plot

ELEMENTS = frozenset({"clipPath", "defs", "g", "path", "pattern", "rect", "text", "tspan", "use"})
"""The elements that are kept; metadata, style sheets and pictures in other formats are none of them."""

ATTRIBUTES = frozenset(
    {
        *("clip-path", "d", "height", "patternUnits", "transform", "width", "x", "y"),
        *("fill", "fill-opacity", "fill-rule", "opacity", "stroke", "stroke-dasharray", "stroke-dashoffset"),
        *("stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-opacity", "stroke-width"),
        *("dominant-baseline", "font-size", "font-style", "font-weight", "text-anchor"),
    }
)
"""The attributes that are kept, and the properties of styles that are as attributes. The font is the page's."""

CLASSES = frozenset(
    {"plot", "plot-wide", *(f"plot-{paint}-{role}" for paint in ("fill", "stroke") for role in ROLES.values())}
)
"""The classes of elements: the whole plot, whether it is wide, and how each role fills and draws."""

LARGER = 1.15
"""How much larger than its picture a wide plot is shown: it is not made smaller to fit a page, the page scrolls it."""

_HREF = "{http://www.w3.org/1999/xlink}href"


def inline_svg(plot: Plot, number: int) -> str:
    """Return ``plot`` as an ``svg`` element for an HTML page; ``number`` is another one for each plot of the page.

    The element has no title that is seen: a caption is the page's to write. Raises :class:`BadInputError` where
    ``matplotlib`` is not installed.
    """
    drawn = ET.fromstring(_drawn(plot))  # noqa: S314 -- written by the library a moment ago
    prefix = f"plot-{number}-"
    ids = {old: f"{prefix}{place}" for place, old in enumerate(_referenced(drawn), 1)}
    width = float(drawn.attrib["viewBox"].split()[2])
    svg = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            **({"class": "plot plot-wide", "width": f"{LARGER * width:.0f}"} if is_wide(plot) else {"class": "plot"}),
            "viewBox": drawn.attrib["viewBox"],
            "role": "img",
            "aria-labelledby": f"{prefix}title",
            "stroke-linejoin": "round",
            "stroke-linecap": "butt",
        },
    )
    ET.SubElement(svg, "title", {"id": f"{prefix}title"}).text = visible(plot.title)
    hatches = {
        colour: f"{prefix}hatch-{place}"
        for place, colour in enumerate(sorted({value for _, value in _all_declared(drawn) if value in HATCHED}), 1)
    }
    svg.extend(_pattern(colour, id_) for colour, id_ in hatches.items())
    svg.extend(_kept(drawn, ids | hatches))
    return ET.tostring(svg, encoding="unicode")


def inline_css() -> str:
    """Return the style sheet of the classes in :data:`CLASSES`."""
    file = importlib.resources.files("tokenizer_conformance.results.plots") / "inline.css"
    return file.read_text(encoding="utf-8")


def _drawn(plot: Plot) -> bytes:
    file = io.BytesIO()
    with settings(SETTINGS):
        figure_of(plot).savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue()


def _referenced(drawn: ET.Element) -> list[str]:
    """Return the ids that anything refers to, each once, in the order of the elements that have them."""
    referred = {_target(name, value) for name, value in _all_declared(drawn)}
    return [id_ for each in drawn.iter() if (id_ := each.get("id")) is not None and id_ in referred]


def _pattern(colour: str, id_: str) -> ET.Element:
    """Return the pattern that a hatched ``colour`` stands for."""
    role, path = HATCHED[colour]
    size = str(HATCH_SIZE)
    pattern = ET.Element("pattern", {"id": id_, "patternUnits": "userSpaceOnUse", "width": size, "height": size})
    ET.SubElement(pattern, "rect", {"width": size, "height": size, "class": f"plot-fill-{role}"})
    ET.SubElement(pattern, "path", {"d": path, "fill": "none", "class": "plot-stroke-ground"})
    return pattern


def _kept(parent: ET.Element, ids: dict[str, str]) -> Iterator[ET.Element]:
    """Yield the children of ``parent`` anew, without those that are not kept or are empty."""
    for old in parent:
        tag = _local(old.tag)
        if tag in ELEMENTS:
            new = ET.Element(tag, _attributes(old, ids))
            new.text = old.text if tag in ("text", "tspan") else None
            new.extend(_kept(old, ids))
            if len(new) or tag not in ("defs", "g"):
                yield new


def _attributes(old: ET.Element, ids: dict[str, str]) -> dict[str, str]:
    attributes, classes = {}, []
    for name, value in _declared(old):
        target = _target(name, value)
        if name == "id" and value in ids:
            attributes["id"] = ids[value]
        elif name == _HREF and target is not None:
            attributes["href"] = f"#{ids[target]}"
        elif name not in ATTRIBUTES:
            continue
        elif target is not None:
            attributes[name] = f"url(#{ids[target]})"
        elif value in HATCHED:
            attributes[name] = f"url(#{ids[value]})"
        elif value in ROLES:
            classes.append(f"plot-{name}-{ROLES[value]}")
        else:
            attributes[name] = value
    if classes:
        attributes["class"] = " ".join(classes)
    return attributes


def _target(name: str, value: str) -> str | None:
    """Return the id that an attribute refers to; ``None`` for one that does not."""
    if name == _HREF:
        return value.removeprefix("#")
    return value.removeprefix("url(#").removesuffix(")") if value.startswith("url(#") else None


def _all_declared(drawn: ET.Element) -> Iterator[tuple[str, str]]:
    return (declared for each in drawn.iter() for declared in _declared(each))


def _declared(element: ET.Element) -> Iterator[tuple[str, str]]:
    """Yield the attributes of ``element``, and what its style declares."""
    for name, value in element.attrib.items():
        if name != "style":
            yield name, " ".join(value.split())
            continue
        for declaration in filter(str.strip, value.split(";")):
            property_, _, set_to = declaration.partition(":")
            if property_.strip() == "font":  # older releases write all about the font in one
                yield "font-size", next(each for each in set_to.split() if each.endswith("px"))
            else:
                yield property_.strip(), set_to.strip()


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]
