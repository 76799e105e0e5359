"""Plots inside a page: what stands in them, what does not, and the colours they need."""

import importlib
import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.results.plots.colours import JUDGED, NEUTRAL, TONES
from tokenizer_conformance.results.plots.inline import ATTRIBUTES, CLASSES, ELEMENTS, inline_css, inline_svg
from tokenizer_conformance.results.plots.page_figures import HATCHED, HATCHES, ROLES, SERIES, TALL, is_tall
from tokenizer_conformance.results.plots.plot import STEPS, Bar, Bars, Dots, HeatMap, Lines, Plot, Points, Tone

SVG = "{http://www.w3.org/2000/svg}"

HOSTILE = '<script>alert(1)</script> "&amp;" $x^2$ \u202eevil\x1b[31m\ud800 url(#a) #010001'

STACK = {"passed": (Bar(70.0), Bar(None)), "failed": (Bar(2.0), Bar(60.0))}

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
        "judging": HeatMap(title, names, tuple((0.5,) * len(names) for _ in names), judges=True),
        "words": HeatMap(title, names, tuple((1, None) for _ in names), ("a", "b"), texts=((title, "–"),) * len(names)),
        "nothing": HeatMap(title, (), ()),
        "dots": Dots(title, "unit", names, {name: tuple(interval for _ in names) for name in names}),
        "many dots": Dots(title, "unit", groups, {name: tuple(interval for _ in groups) for name in names}),
        "bars": Bars(title, "unit", names, {name: tuple(interval for _ in names) for name in names}),
        "gaps": Bars(title, "unit", names, {name: tuple(Bar(None) for _ in names) for name in names}),
        "stacked": Bars(title, "unit", names, {name: tuple(interval for _ in names) for name in names}, stacked=True),
        "tones": Bars(
            title,
            "unit",
            ("a", "b"),
            {name: (Bar(70.0), Bar(1.0)) for name in names},
            stacked=True,
            tones=dict.fromkeys(names, Tone.DIFFER),
        ),
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


@pytest.mark.parametrize("judges", [True, False])
def test_a_cell_of_a_heat_map_says_its_share_and_has_the_colour_of_its_step(judges: bool) -> None:
    shares = (*(step / 20 for step in range(20)), 0.9999, 1.0)
    root = parsed(inline_svg(HeatMap("t", ("a",), (shares,), tuple(map(str, range(22))), judges=judges), 1))
    kind = "judged" if judges else "neutral"
    cells = [
        int(name.rpartition("-")[2])
        for element in root.iter(f"{SVG}path")
        for name in element.get("class", "").split()
        if name.startswith(f"plot-fill-{kind}-")
    ]
    texts = [element for element in root.iter(f"{SVG}text") if re.fullmatch(r"\d\.\d\d|>\.99", element.text or "")]
    assert [element.text for element in texts] == [*(f"{share:.2f}" for share in shares[:20]), ">.99", "1.00"]
    assert cells == [*(step // 2 for step in range(20)), 9, 10]
    assert {element.get("class") for element in texts} == {"plot-fill-ink"}


def test_a_share_of_one_has_the_last_colour_whatever_its_type() -> None:
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


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours written as ``#rrggbb``: from 1 (the same) to 21 (black and white)."""
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def colours() -> dict[str, dict[str, str]]:
    """Return the colours of roles, for a light and for a dark page."""
    found = re.findall(r"--plot-([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", inline_css())
    return {"light": {role: light for role, light, _ in found}, "dark": {role: dark for role, _, dark in found}}


def test_each_class_has_a_rule() -> None:
    rules = dict(re.findall(r"^\.([\w-]+) \{\s*(.*?)\s*\}", inline_css(), re.DOTALL | re.MULTILINE))
    assert set(rules) == CLASSES - {"plot-wide"}
    assert ".plot:not(.plot-wide)" in inline_css()
    for name in CLASSES - {"plot", "plot-wide"}:
        _, paint, role = name.split("-", 2)
        assert rules[name] == f"{paint}: var(--plot-{role});"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_are_seen_on_the_page(theme: str) -> None:
    found = colours()[theme]
    assert set(found) == set(ROLES.values())
    assert contrast(found["ink"], found["ground"]) >= 4.5
    series = {role: colour for role, colour in found.items() if role.startswith("series") or role in set(Tone)}
    assert len(set(series.values())) == len(SERIES) + len(Tone) - 1  # what is known is of the hue of a series
    for colour in series.values():
        assert contrast(colour, found["ground"]) >= 4.5, "values are written on bars in the colour of the ground"


def test_what_is_quiet_stands_out_least_on_a_dark_page() -> None:
    found = colours()["dark"]
    assert min(Tone, key=lambda tone: contrast(found[tone], found["ground"])) is Tone.QUIET


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_is_read_on_each_cell_of_a_heat_map_and_each_step_has_a_colour(theme: str) -> None:
    found = colours()[theme]
    for kind in ("judged", "neutral"):
        steps = [found[f"{kind}-{step}"] for step in range(STEPS)]
        assert len(set(steps)) == STEPS
        for colour in steps:
            assert contrast(found["ink"], colour) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_heat_map_that_judges_goes_from_red_to_green(theme: str) -> None:
    found = colours()[theme]
    greener = [int(found[f"judged-{step}"][3:5], 16) - int(found[f"judged-{step}"][1:3], 16) for step in range(STEPS)]
    assert greener == sorted(greener)
    assert greener[0] < 0 < greener[-1]


def test_files_have_the_colours_of_a_light_page() -> None:
    found = colours()["light"]
    assert [found[f"judged-{step}"] for step in range(STEPS)] == list(JUDGED)
    assert [found[f"neutral-{step}"] for step in range(STEPS)] == list(NEUTRAL)
    assert {tone: found[tone] for tone in Tone} == TONES
    assert all(contrast(colour, "#000000") >= 4.5 for colour in (*JUDGED, *NEUTRAL))


# Values --------------------------------------------------------------------------------------------------------------


def words_of(plot: Plot) -> list[str]:
    found = (element.text or "" for element in parsed(inline_svg(plot, 1)).iter(f"{SVG}text"))
    return [text.replace("\N{NO-BREAK SPACE}", " ") for text in found]


def test_values_are_written_at_bars_and_dots() -> None:
    series = {"x": (Bar(1234.0), Bar(None)), "y": (Bar(0.0), Bar(2.5, 2.0, 3.0))}
    for plot in (Bars("t", "unit", ("a", "b"), series), Dots("t", "unit", ("a", "b"), series)):
        told = words_of(plot)
        assert {"1,234", "0"} <= {*told}
        assert told.count("2.5") == 1


def test_a_part_of_a_bar_has_its_number_inside_or_behind_all_with_its_name() -> None:
    told = words_of(Bars("t", "unit", ("a", "b"), STACK, stacked=True))
    assert "70" in told
    assert "2 failed" in told
    assert "60" in told
    assert "60 failed" not in told
    alone = words_of(Bars("t", "unit", ("a", "b"), {"failed": (Bar(1.0), Bar(900.0))}, stacked=True))
    assert {"1", "900", "unit, failed"} <= {*alone}, "the axis has the name"


def test_a_plot_of_one_series_has_no_legend_and_says_its_name_on_the_axis() -> None:
    for made in (Bars, Dots):
        one = made("t", "unit", ("a",), {"x": (Bar(1.0),)})
        assert "unit, x" in words_of(one)
        assert "x" not in words_of(one)
        two = made("t", "unit", ("a",), {"x": (Bar(1.0),), "y": (Bar(1.0),)})
        assert {"x", "y", "unit"} <= {*words_of(two)}
    assert "unit" in words_of(Bars("t", "unit", ("a",), {"unit": (Bar(1.0),)}))


def test_tones_have_the_colours_of_the_page_and_a_hatch_each() -> None:
    tones = {"passed": Tone.AGREE, "failed": Tone.DIFFER}
    svg = inline_svg(Bars("t", "unit", ("a", "b"), STACK, stacked=True, tones=tones), 1)
    assert "plot-fill-agree" in svg
    assert "plot-fill-differ" in svg
    assert "plot-fill-series" not in svg
    assert {role for role, _ in HATCHED.values()} >= set(Tone)


def test_a_heat_map_of_many_columns_is_wide_and_keeps_its_size() -> None:
    names = tuple(f"tokenizer {number}" for number in range(20))
    wide = parsed(inline_svg(HeatMap("t", names, ((1.0,) * 20,) * 20), 1))
    assert wide.get("class") == "plot plot-wide"
    assert int(wide.get("width", "0")) > float(wide.get("viewBox", "").split()[2])
    narrow = parsed(inline_svg(HeatMap("t", names[:3], ((1.0,) * 3,) * 3), 1))
    assert (narrow.get("class"), narrow.get("width")) == ("plot", None)


def test_dots_of_many_groups_are_tall() -> None:
    low, high = (
        Dots("t", "unit", tuple(map(str, range(groups))), dict.fromkeys("abcd", (Bar(1.0),) * groups))
        for groups in (5, 40)
    )
    assert (is_tall(low), is_tall(high)) == (False, True)
    heights = [float(parsed(inline_svg(plot, 1)).get("viewBox", "").split()[3]) for plot in (low, high)]
    assert heights[0] < TALL < heights[1]
