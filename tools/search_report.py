"""Write what searches found, and where they looked, from their records: reports/search.md.

    tokconf fuzz TOKENIZER… --cases N --json RECORD
    python tools/search_report.py RECORD…

Of a search that was interrupted those tokenizers count that it was done with. Searches that compared nothing are
refused, and such that were not made with one seed between the same implementations: their sums would mean nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tabulate import tabulate

REPORT = Path("reports/search.md")

BEGINNING = """# A search for differences

<!-- Written by tools/search_report.py; do not edit. -->

What `tokconf fuzz` found between {baseline} and {implementations} on {tokenizers} tokenizers, with seed {seed}.

**{cases:,} cases** (texts, each with all questions about it: {questions:,} questions, {values:,} values compared):
**{differing:,} differ**, in {findings:,} findings. Answers that were others when asked again: {unstable:,}. Batches
over which a process died or took too long, whose texts were then asked about again, each side by itself: {lost:,}.

"""


def main() -> int:
    """Carry out the command, and return its exit status: 2 where the record cannot be used."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="+", type=Path, metavar="RECORD")
    headers: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    for path in parser.parse_args().records:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        done = [line for line in lines if line["type"] == "result" and line["complete"]]
        if not sum(each["values"] for each in done):
            print(f"search_report: {path} is not the record of a search that was done with anything", file=sys.stderr)
            return 2
        headers.append(lines[0])
        results += done
    if any(searched(each) != searched(headers[0]) for each in headers):
        print("search_report: the records are of searches with other seeds or implementations", file=sys.stderr)
        return 2
    REPORT.write_text(page(headers[0], results), encoding="utf-8")
    print(f"{REPORT}: {sum(each['cases'] for each in results):,} cases")
    return 0


def searched(header: dict[str, Any]) -> list[object]:
    """Return what searches must have in common for their sums to mean something."""
    sides = [header["baseline"], *header["implementations"]]
    return [header["seed"], *((each["name"], each["version"]) for each in sides)]


def page(header: dict[str, Any], results: list[dict[str, Any]]) -> str:
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


if __name__ == "__main__":
    sys.exit(main())
