"""Plots inside a page: what stands in them, what does not, and the colours they need."""

import importlib
import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.results.plots.inline import ATTRIBUTES, CLASSES, ELEMENTS, inline_css, inline_svg
from tokenizer_conformance.results.plots.page_figures import HATCHES, ROLES, SERIES, contrast, text_on
from tokenizer_conformance.results.plots.plot import Bar, Bars, HeatMap, Lines, Plot, Points

SVG = "{http://www.w3.org/2000/svg}"

HOSTILE = '<script>alert(1)</script> "&amp;" $x^2$ \u202eevil\x1b[31m\ud800 url(#a) #010001'

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def of_all_kinds(names: tuple[str, ...] = ("gpt2", "bert"), title: str = "A title") -> dict[str, Plot]:
    interval = Bar(1.5, 1.25, 2.0)
    curve = tuple((float(x), 100 / x) for x in range(1, 30))
    groups = tuple(f"group {number}" for number in range(50 // len(names)))
    return {
        "heat map": HeatMap(
            title,
            names,
            tuple(tuple(1 / (1 + row + column) for column, _ in enumerate(names)) for row, _ in enumerate(names)),
        ),
        "rectangle": HeatMap(title, names, tuple((0, None, 1) for _ in names), ("a", "b", names[0])),
        "nothing": HeatMap(title, (), ()),
        "bars": Bars(title, "unit", names, {name: tuple(interval for _ in names) for name in names}),
        "gaps": Bars(title, "unit", names, {name: tuple(Bar(None) for _ in names) for name in names}),
        "stacked": Bars(title, "unit", names, {name: tuple(interval for _ in names) for name in names}, stacked=True),
        "many bars": Bars(title, "unit", groups, {name: tuple(interval for _ in groups) for name in names}),
        "lines": Lines(title, "x", "y", dict.fromkeys(names, curve)),
        "logarithmic": Lines(title, "x", "y", dict.fromkeys(names, curve), logarithmic=True),
        "steps": Lines(title, "x", "y", dict.fromkeys(names, curve), steps=True),
        "points": Points(title, "x", "y", dict.fromkeys(names, (1000.0, interval))),
    }


KINDS = tuple(of_all_kinds())


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)


@pytest.mark.long_but(1)
@pytest.mark.parametrize("names", [("gpt2", "bert"), NUMBERS, (HOSTILE, "b"), ("",), ("名前", "اسم")])
def test_what_stands_in_a_plot(names: tuple[str, ...]) -> None:
    for kind, plot in of_all_kinds(names, HOSTILE).items():
        root = parsed(inline_svg(plot, 3))
        assert root.tag == f"{SVG}svg", kind
        assert root.get("role") == "img", kind
        assert root[0].tag == f"{SVG}title", kind
        assert root.get("aria-labelledby") == root[0].get("id") == "plot-3-title", kind
        for element in root.iter():
            assert element.tag.removeprefix(SVG) in ELEMENTS | {"svg", "title"}, kind
            assert set(element.get("class", "").split()) <= CLASSES, kind
            if element not in (root, root[0]):
                assert set(element.attrib) <= ATTRIBUTES | {"id", "class", "href"}, kind
            assert not [value for value in element.attrib.values() if value in ROLES or value.startswith("#02")], kind


@pytest.mark.long_but(2)
@pytest.mark.parametrize("kind", KINDS)
def test_references_stay_in_the_plot(kind: str) -> None:
    svg = inline_svg(of_all_kinds(NUMBERS)[kind], 7)
    ids = [element.get("id", "") for element in parsed(svg).iter() if element.get("id") is not None]
    assert len(ids) == len(set(ids))
    assert all(id_.startswith("plot-7-") for id_ in ids)
    assert {*re.findall(r"url\(#([^)]*)\)", svg), *re.findall(r'href="#([^"]*)"', svg)} == set(ids) - {"plot-7-title"}
    assert not re.search(r'url\((?!#)|href="(?!#)', svg)


@pytest.mark.long_but(4)
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_plot_is_the_same_text(kind: str) -> None:
    assert inline_svg(of_all_kinds()[kind], 1) == inline_svg(of_all_kinds()[kind], 1)


def test_two_plots_of_a_page_have_no_id_in_common() -> None:
    first, second = (
        {element.get("id") for element in parsed(inline_svg(of_all_kinds()["lines"], number)).iter()} - {None}
        for number in (1, 11)
    )
    assert first
    assert not first & second


def test_names_are_text() -> None:
    svg = inline_svg(of_all_kinds((HOSTILE, "b"), HOSTILE)["bars"], 1)
    words = [element.text for element in parsed(svg).iter() if element.tag == f"{SVG}text"]
    assert any(word is not None and word.startswith("<script>alert(1)") for word in words)
    assert "\x1b" not in svg
    assert "\u202e" not in svg
    assert "<script" not in svg
    title = parsed(svg)[0].text
    assert title == r'<script>alert(1)</script> "&amp;" $x^2$ \u202eevil\x1b[31m\ud800 url(#a) #010001'


@pytest.mark.long
@given(name=st.text(), title=st.text())
@settings(max_examples=20, deadline=None)
def test_any_names_can_be_drawn(name: str, title: str) -> None:
    parsed(inline_svg(Bars(title, name, (name,), {name: (Bar(1.0),)}), 1))


def test_text_of_a_heat_map_is_read_on_its_cell() -> None:
    shares = tuple(step / 20 for step in range(21))
    root = parsed(inline_svg(HeatMap("t", ("a",), (shares,), tuple(map(str, range(21)))), 1))
    cells = [element.attrib["fill"] for element in root.iter(f"{SVG}path") if element.get("fill", "").startswith("#")]
    texts = [element for element in root.iter(f"{SVG}text") if re.fullmatch(r"\d\.\d\d", element.text or "")]
    assert [element.text for element in texts] == [f"{share:.2f}" for share in shares]
    assert len(cells) == len(texts)
    for cell, text in zip(cells, texts, strict=True):
        # The default of the format is black.
        assert contrast(cell, text.get("fill", "#000000")) >= 4.5
    assert len(set(cells)) == 21


@given(st.integers(0, 0xFFFFFF))
def test_black_or_white_is_read_on_any_colour(number: int) -> None:
    colour = f"#{number:06x}"
    assert contrast(colour, text_on(colour)) >= 4.5


def test_a_share_of_one_is_the_brightest_whatever_its_type() -> None:
    whole, fraction = (inline_svg(HeatMap("t", ("a",), ((one,),)), 1) for one in (1, 1.0))
    assert whole == fraction


def test_series_are_told_apart_without_colours() -> None:
    """Of as many series as there are colours, each has a hatch, or a dash and a mark, of its own."""
    names = NUMBERS[: len(SERIES)]
    bars = parsed(inline_svg(of_all_kinds(names)["stacked"], 1))
    paths = [path.get("d") for pattern in bars.iter(f"{SVG}pattern") for path in pattern.iter(f"{SVG}path")]
    assert len(set(paths)) == len(paths) == len(names) - 1  # and one without
    lines = parsed(inline_svg(of_all_kinds(names)["lines"], 1))
    dashes = {
        element.get("stroke-dasharray", "solid")
        for element in lines.iter(f"{SVG}path")
        if "plot-stroke-series" in element.get("class", "") and element.get("stroke-width") == "1.4"
    }
    assert len(dashes) == len(names)
    assert len(set(HATCHES)) == len(HATCHES)


def test_stacked_bars_end_where_the_whole_does() -> None:
    plot = Bars("t", "unit", ("a", "b"), {"x": (Bar(1.0), Bar(None)), "y": (Bar(2.0), Bar(3.0))}, stacked=True)
    assert [plot.bases(number) for number in range(3)] == [[0.0, 0.0], [1.0, 0.0], [3.0, 3.0]]
    beside = Bars("t", "unit", ("a",), {"x": (Bar(1.0),), "y": (Bar(2.0),)})
    assert beside.bases(1) == [0.0]


def test_without_matplotlib_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(BadInputError, match=r"need matplotlib, .*tokenizer-conformance\[plots\]"):
        inline_svg(of_all_kinds()["bars"], 1)


# The style sheet -----------------------------------------------------------------------------------------------------


def colours() -> dict[str, dict[str, str]]:
    """Return the colours of roles, for a light and for a dark page."""
    light, dark = re.findall(r":root \{(.*?)\}", inline_css(), re.DOTALL)
    return {
        theme: dict(re.findall(r"--plot-([\w-]+): (#[0-9a-f]{6});", rules))
        for theme, rules in (("light", light), ("dark", dark))
    }


def test_each_class_has_a_rule() -> None:
    rules = dict(re.findall(r"^\.([\w-]+) \{\s*(.*?)\s*\}", inline_css(), re.DOTALL | re.MULTILINE))
    assert set(rules) == CLASSES
    for name in CLASSES - {"plot"}:
        _, paint, role = name.split("-", 2)
        assert rules[name] == f"{paint}: var(--plot-{role});"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_are_seen_on_the_page(theme: str) -> None:
    found = colours()[theme]
    assert set(found) == set(ROLES.values())
    assert contrast(found["ink"], found["ground"]) >= 4.5
    series = {role: colour for role, colour in found.items() if role.startswith("series")}
    assert len(set(series.values())) == len(SERIES)
    for colour in series.values():
        assert contrast(colour, found["ground"]) >= 3
