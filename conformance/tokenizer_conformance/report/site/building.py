"""A site made of records and documents, as files; the same records make the same files."""

from __future__ import annotations

import importlib.resources
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.licences import LICENCES
from tokenizer_conformance.command_io.markdown import as_words
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.report.record_names import distinct_names
from tokenizer_conformance.report.site.about import implementations_of, parts_about, placed, tokenizers_of
from tokenizer_conformance.report.site.addresses import addresses
from tokenizer_conformance.report.site.agreements import SAME, standings_of
from tokenizer_conformance.report.site.described import Bar, Described, bar_of
from tokenizer_conformance.report.site.document_pages import add_documents, read_documents
from tokenizer_conformance.report.site.documentation import enter_documentation
from tokenizer_conformance.report.site.results import suite_results
from tokenizer_conformance.report.site.site import Site
from tokenizer_conformance.report.site.suite_pages import add_registers, add_suite
from tokenizer_conformance.results.html.data import pack
from tokenizer_conformance.results.html.writing import environment, html_of
from tokenizer_conformance.results.plots.inline import inline_css
from tokenizer_conformance.validation.badge.drawing import Format, drawn
from tokenizer_conformance.validation.suite.reader import read_suite

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from tokenizer_conformance.report.site.about import Part, PlacedPage
    from tokenizer_conformance.report.site.agreements import Standings
    from tokenizer_conformance.report.site.document_pages import PlacedDocument
    from tokenizer_conformance.report.site.results import SuiteResults
    from tokenizer_conformance.results.page import Page
    from tokenizer_conformance.validation.badge.badge import Badge

MOST_ENTRIES = 20_000
"""How many findings the search has; of each record as many as of any other."""

WEB = ("https://", "http://")
"""How the address of a home page begins that is linked."""

VERSIONS = "versions"
"""What the page of a record of releases says it is."""


@dataclass(frozen=True, slots=True)
class Documentation:
    """A ``folder`` in which MkDocs has built documentation, in the folder of the site, ``root``."""

    root: Path
    folder: Path


def site_of(
    records: Sequence[Path], documents: Sequence[Path], documentation: Documentation | None = None
) -> dict[str, bytes]:
    """Return the files of a site of ``records``, with ``documents`` in Markdown, by their paths in the site.

    The pages of ``documentation`` are no files of it: the site leads to them, and its search finds them. Raises
    :class:`BadInputError` for a record that is none, and for a document or documentation that cannot be read.
    """
    named = sorted(zip(distinct_names(records), records, strict=True))
    read = read_documents(documents)
    site = Site()
    found = addresses(name for name, _ in named)
    placed_at = {record: f"records/{found[name]}.html" for name, record in named}
    pages = _add_records(site, named, placed_at)
    results = suite_results(record for _, record in named)
    suite = read_suite()
    site.navigation += _navigation(pages, results, read)
    guide, beside_guide = "", list[tuple[str, str]]()
    if documentation is not None:
        guide, beside_guide = enter_documentation(site, documentation.root, documentation.folder)
        site.navigation.insert(1, ("Documentation", guide))
    implementations = addresses(name for each in pages for name in implementations_of(each.page))
    implementations = {name: f"implementations/{stem}.html" for name, stem in implementations.items()}
    tokenizers = addresses(name for each in pages for name in tokenizers_of(each.page))
    tokenizers = {name: f"tokenizers/{stem}.html" for name, stem in tokenizers.items()}
    badges = _add_badges(site, results, implementations)
    standings = standings_of(pages)
    bars = [bar_of(each, implementations[each.implementation]) for each in results]
    own_pages = {each.name: each.address for each in read if each.name in implementations}
    _add_assets(site)
    overview = Overview(standings, badges, bars, own_pages)
    _add_implementations(site, pages, implementations, tokenizers, overview)
    _add_tokenizers(site, pages, implementations, tokenizers, overview)
    STATUS.begin("requirements", "making pages")
    add_suite(site, suite, results, implementations, placed_at)
    add_registers(site, suite, results)
    releases = sorted((each for each in pages if each.page.kind == VERSIONS), key=_weakness)
    if releases:
        site.add("versions.html", "Versions", "versions.html.jinja", records=releases)
        site.enter("Versions", "timeline", "versions.html")
    add_documents(site, read)
    site.add(
        "index.html",
        "Tokenizer conformance",
        "index.html.jinja",
        guide=guide,
        beside_guide=beside_guide,
        records=pages,
        releases=releases,
        upgrades=[matrix for each in releases for matrix in each.page.matrices[:1]],
        standings=standings,
        implementations=implementations,
        tokenizers=tokenizers,
        bars=sorted(bars, key=lambda bar: -bar.passed),
        suite=bool(results),
        requirements=sum(len(area.requirements) for area in suite.areas),
        having_cases=sum(bool(each.cases) for area in suite.areas for each in area.requirements),
        documents=[each for each in read if each.address not in own_pages.values()],
    )
    site.add("search.html", "Search", "search.html.jinja", entries=pack(site.entries), left_out=_left_out(pages))
    return site.files


def _navigation(
    pages: Sequence[PlacedPage], results: Sequence[SuiteResults], documents: Sequence[PlacedDocument]
) -> Iterator[tuple[str, str]]:
    yield "Overview", "index.html"
    if any(True for each in pages for _ in implementations_of(each.page)):
        yield "Implementations", "implementations/index.html"
    if any(True for each in pages for _ in tokenizers_of(each.page)):
        yield "Tokenizers", "tokenizers/index.html"
    if results:
        yield "Suite", "suite.html"
    yield "Requirements", "requirements/index.html"
    yield "Quirks", "quirks.html"
    yield "Known changes", "changes.html"
    if any(each.page.kind == VERSIONS for each in pages):
        yield "Versions", "versions.html"
    yield from ((each.name_of_errata, each.address) for each in documents if each.is_errata)
    yield "Search", "search.html"


# Records, and what they are about -------------------------------------------------------------------------------------


def _add_assets(site: Site) -> None:
    ours = importlib.resources.files("tokenizer_conformance.report.site") / "assets"
    pages = importlib.resources.files("tokenizer_conformance.results.html") / "assets"
    style = [(pages / "report.css").read_text("utf-8"), inline_css(), (ours / "site.css").read_text("utf-8")]
    script = [(pages / "page.js").read_text("utf-8"), *((ours / name).read_text("utf-8") for name in SCRIPTS)]
    site.files["assets/site.css"] = "\n".join(style).encode()
    site.files["assets/site.js"] = "\n".join(script).encode()


SCRIPTS = ("site.js", "search.js")


def _add_records(site: Site, named: Sequence[tuple[str, Path]], placed_at: Mapping[Path, str]) -> list[PlacedPage]:
    """Add the page of each record, and return what lists of them show, the record that was made last first."""
    pages = []
    for number, (name, record) in enumerate(named, 1):
        page = read_page(record, name)
        STATUS.begin(name, "making its page", f"{number} of {len(named)}")
        address = placed_at[record]
        site.files[address] = html_of(page, home="../index.html").encode("utf-8", "backslashreplace")
        pages.append(placed(address, page))
        _enter_findings(site, address, page, MOST_ENTRIES // len(named))
    return sorted(pages, key=lambda each: each.started, reverse=True)


def _enter_findings(site: Site, address: str, page: Page, most: int) -> None:
    site.enter(page.name, f"record of {page.kind}", address, f"{page.headline} {page.conclusion} {page.summary}")
    for finding in page.findings[:most]:
        words = (finding.implementation, finding.tokenizer, finding.stage, finding.reason, page.name)
        subject = " ".join(map(environment().filters["subject"], finding.subjects[:1]))
        where = f"{address}#finding={environment().filters['fragment'](finding.id)}"
        site.enter(finding.headline, " · ".join(filter(None, words)), where, subject)


def _left_out(pages: Sequence[PlacedPage]) -> int:
    """Return how many findings the search does not have."""
    most = MOST_ENTRIES // max(len(pages), 1)
    return sum(max(len(each.page.findings) - most, 0) for each in pages)


@dataclass(frozen=True, slots=True)
class PlacedBadge:
    """A badge, its files, the page of its implementation, and what to write into a README, from ``SITE`` on."""

    name: str
    title: str
    svg: str
    json: str
    page: str

    @property
    def markdown(self) -> str:
        """The badge as Markdown that leads to the page."""
        return f"[![{as_words(self.title)}]({SITE}{self.svg})]({SITE}{self.page})"

    @property
    def endpoint(self) -> str:
        """The address that a badge service is given."""
        return f"{SITE}{self.json}"


SITE = "SITE/"
"""What stands for the address of the site, which its script puts in where the site is served."""


def _add_badges(site: Site, results: Sequence[SuiteResults], pages: Mapping[str, str]) -> dict[str, list[PlacedBadge]]:
    """Add the badges of ``results``, and return them by implementation.

    The badge of an implementation of which there is one version is called after the implementation alone: its address
    stays when the version goes up.
    """
    versions: dict[str, list[tuple[str, Badge]]] = {}
    for each in results:
        if each.badge is not None:
            versions.setdefault(each.implementation, []).append((each.version, each.badge))
    called = {
        (name, version): name if len(of_one) == 1 else f"{name}-{version}"
        for name, of_one in versions.items()
        for version, _ in of_one
    }
    stems = addresses(called.values())
    found: dict[str, list[PlacedBadge]] = {}
    for name, of_one in versions.items():
        for version, badge in of_one:
            stem = f"badges/{stems[called[name, version]]}"
            site.files[f"{stem}.svg"] = drawn(badge, Format.SVG)
            site.files[f"{stem}.json"] = drawn(badge, Format.JSON)
            found.setdefault(name, []).append(
                PlacedBadge(name, badge.title, f"{stem}.svg", f"{stem}.json", pages[name])
            )
    return found


@dataclass(frozen=True, slots=True)
class Overview:
    """What pages about one implementation or tokenizer say beside records.

    ``own_pages`` are the documents that are called after an implementation, by its name.
    """

    standings: Standings
    badges: Mapping[str, list[PlacedBadge]]
    bars: Sequence[Bar]
    own_pages: Mapping[str, str]


def _add_implementations(
    site: Site,
    pages: Sequence[PlacedPage],
    implementations: Mapping[str, str],
    tokenizers: Mapping[str, str],
    overview: Overview,
) -> None:
    STATUS.begin("implementations", "making pages")
    described = []
    for name, path in implementations.items():
        parts = parts_about(name, "implementation", pages)
        compared = [each for page in pages for each in page.page.compared if each.name == name]
        about = Described(
            name,
            path,
            ", ".join(dict.fromkeys(part.version for part in parts if part.version)),
            next((each.note for each in compared if each.note), ""),
            LICENCES.get(name, ""),
            next((each.home_page for each in compared if each.home_page.startswith(WEB)), ""),
            overview.own_pages.get(name, ""),
            overview.standings.of(name),
            [bar for bar in overview.bars if bar.name == name],
        )
        described.append(about)
        site.add(
            path,
            name,
            "implementation.html.jinja",
            about=about,
            tokenizers=tokenizers,
            badges=overview.badges.get(name, ()),
            **_about(parts, "implementation", overview),
        )
        site.enter(name, "implementation", path, f"{about.version} {about.language} {' '.join(about.standings)}")
    if described:
        order = {name: at for at, (name, _) in enumerate(overview.standings.rows)}
        described.sort(key=lambda each: (order.get(each.name, len(order)), each.name))
        site.add(
            "implementations/index.html",
            "Implementations",
            "implementations.html.jinja",
            rows=described,
            bars=overview.bars,
            baseline=overview.standings.baseline,
        )


def _about(parts: Sequence[Part], what: str, overview: Overview) -> dict[str, object]:
    """Return what a page about one implementation or one tokenizer says of records."""
    return {
        "what": what,
        "parts_of_records": parts,
        "matrices": [matrix for part in parts for matrix in part.matrices],
        "baseline": overview.standings.baseline,
    }


def _add_tokenizers(
    site: Site,
    pages: Sequence[PlacedPage],
    implementations: Mapping[str, str],
    tokenizers: Mapping[str, str],
    overview: Overview,
) -> None:
    STATUS.begin("tokenizers", "making pages")
    rows = []
    for name, path in tokenizers.items():
        parts = parts_about(name, "tokenizer", pages)
        standings = overview.standings.on(name)
        site.add(
            path,
            name,
            "tokenizer.html.jinja",
            standings=standings,
            implementations=implementations,
            badges=(),
            **_about(parts, "tokenizer", overview),
        )
        site.enter(name, "tokenizer", path)
        rows.append((path, name, standings, len(parts)))
    if rows:
        rows.sort(key=lambda row: (-len(row[2]), row[1]))
        site.add(
            "tokenizers/index.html",
            "Tokenizers",
            "tokenizers.html.jinja",
            rows=rows,
            same_states=SAME,
            baseline=overview.standings.baseline,
        )


def _weakness(placed: PlacedPage) -> tuple[int, int]:
    """Return what puts the record of releases first that was made with the most tokenizers, then the most releases."""
    return -sum(fact.label == "tokenizer" for fact in placed.page.facts), -len(placed.page.compared)
