"""The page of searches, reports/search.md: what they found, and where they looked, from their records.

Of a search that was interrupted those tokenizers count that it was done with. Searches that compared nothing are
refused, and such that were not made with one seed between the same implementations: their sums would mean nothing.
``make search`` searches and writes the page.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from published.records import RecordError, lines_of
from tabulate import tabulate

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

BEGINNING = """# A search for differences

<!-- Written by tools/search_report.py; do not edit. -->

What `tokconf fuzz` found between {baseline} and {implementations} on {tokenizers} tokenizers, with seed {seed}.

**{cases:,} cases** (texts, each with all questions about it: {questions:,} questions, {values:,} values compared):
**{differing:,} differ**, in {findings:,} findings. Answers that were others when asked again: {unstable:,}. Batches
over which a process died or took too long, whose texts were then asked about again, each side by itself: {lost:,}.

"""


def page(records: Sequence[Path]) -> str:
    """Return the page that is made of ``records``. Raises :class:`RecordError` where these cannot be summed."""
    headers: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    for path in records:
        header, *lines = lines_of(path)
        done = [line for line in lines if line["type"] == "result" and line["complete"]]
        if not sum(each["values"] for each in done):
            raise RecordError(f"{path} is not the record of a search that was done with anything")
        if headers and searched(header) != searched(headers[0]):
            raise RecordError("the records are of searches with other seeds or implementations")
        headers.append(header)
        results += done
    return page_of(headers[0], results)


def searched(header: dict[str, Any]) -> list[object]:
    """Return what searches must have in common for their sums to mean something."""
    sides = [header["baseline"], *header["implementations"]]
    return [header["seed"], *((each["name"], each["version"]) for each in sides)]


def page_of(header: dict[str, Any], results: list[dict[str, Any]]) -> str:
    """Return the page."""
    sums = {
        key: sum(each[key] for each in results)
        for key in ("cases", "questions", "values", "differing", "unstable", "lost")
    }
    baseline = header["baseline"]
    beginning = BEGINNING.format(
        baseline=f"`{baseline['name']}` {baseline['version']}",
        implementations=", ".join(f"`{each['name']}`" for each in header["implementations"]),
        tokenizers=len({each["tokenizer"] for each in results}),
        seed=header["seed"],
        findings=sum(generator["findings"] for each in results for generator in each["generators"]),
        **sums,
    )
    return f"{beginning}{of_tokenizers(results)}\n\n## Where the texts came from\n\n{of_generators(results)}\n"


def of_tokenizers(results: list[dict[str, Any]]) -> str:
    """Return the table of tokenizers."""
    rows = [
        [
            each["tokenizer"],
            each["implementation"],
            *(f"{each[key]:,}" for key in ("cases", "questions", "values", "differing")),
            f"{each['cases'] / each['seconds']:,.0f}",
        ]
        for each in results
    ]
    headers = ["tokenizer", "compared", "cases", "questions", "values", "differ", "cases/s"]
    return tabulate(rows, headers=headers, tablefmt="github", disable_numparse=True)


def of_generators(results: list[dict[str, Any]]) -> str:
    """Return the table of generators that had a case: those of all tokenizers together."""
    cases: Counter[str] = Counter()
    differing: Counter[str] = Counter()
    used: Counter[str] = Counter()
    for each in results:
        for generator in each["generators"]:
            cases[generator["name"]] += generator["cases"]
            differing[generator["name"]] += generator["differing"]
            used[generator["name"]] += bool(generator["cases"])
    rows = [[name, f"{cases[name]:,}", str(used[name]), f"{differing[name]:,}"] for name in cases if cases[name]]
    return tabulate(
        rows, headers=["generator", "cases", "tokenizers", "differ"], tablefmt="github", disable_numparse=True
    )
