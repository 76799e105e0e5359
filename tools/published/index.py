"""``reports/README.md``: every page with what it shows, its records, how it is held, and the command that makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabulate import tabulate

from published.table import REPORTS, Held, compressed_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from figures.table import Example

    from published.table import Page

INDEX: Final = REPORTS / "README.md"

BEGINNING: Final = """# Published reports

<!-- Written by tools/publish_reports.py from tools/published/pages.toml; do not edit. -->

Every published page: what it shows, the command that makes it, its records, and how it is held to them.

`make reports` writes the pages again from the records in [records/](records), which are compressed by xz, and
`python tools/check_figures.py`, which the tests run, compares them byte for byte. The last column says how a page is
tied to what it was made from, the one before it what the commands of its records took on two cores:

{legend}

"""

LEGEND: Final = {
    Held.RENDERED: "*{held}*: `make reports` writes the page from its records alone; any other byte fails.",
    Held.OF_TREE: "*{held}*: `make reports` writes the page from files of this project; any other byte fails.",
    Held.SITE: "*{held}*: the page is made of its record alone, by `make site`, which writes a site into `site/`.",
}


def index(pages: Sequence[Page], examples: Sequence[Example], seconds: Mapping[str, float | None]) -> str:
    """Return the index of ``pages``, and of the records of ``examples``; ``seconds`` says what each record took."""
    counts = {held: sum(page.held is held for page in pages) for held in Held}
    legend = "\n".join(f"- {LEGEND[held].format(held=held)} Pages: {counts[held]}." for held in Held)
    rows = [
        [_linked(page), page.shows, f"`{page.command}`", _records(page), _time(page, seconds), str(page.held)]
        for page in pages
    ]
    heads = ["page", "shows", "made by", "records", "took", "held"]
    table = tabulate(rows, heads, tablefmt="github", disable_numparse=True)
    told = [
        f"- `{each.command}`, in [{each.document}](../{each.document}): "
        f"[{each.record}](records/{compressed_name(each.record)})"
        for each in examples
        if each.record is not None
    ]
    ending = (
        "\n## Examples\n\nDocuments show what these runs have printed:\n\n" + "\n".join(told) + "\n" if told else ""
    )
    return f"{BEGINNING.format(legend=legend)}{table}\n{ending}"


def _linked(page: Page) -> str:
    if page.on_site:
        return page.name
    further = [pattern.partition("/")[0] for pattern in (*page.parts, *page.plots)]
    return ", ".join(f"[{name}]({name})" for name in (page.name, *further))


def _records(page: Page) -> str:
    return ", ".join(f"[{name}](records/{compressed_name(name)})" for name in page.records)


def _time(page: Page, seconds: Mapping[str, float | None]) -> str:
    """Return what the records of ``page`` took together; nothing where none of them says it."""
    known = [took for name in page.records if (took := seconds.get(compressed_name(name))) is not None]
    if not known:
        return ""
    hours, minutes = divmod(round(sum(known) / 60), 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min" if minutes else f"{sum(known):.0f} s"
