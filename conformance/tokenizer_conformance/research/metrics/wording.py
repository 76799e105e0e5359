"""What is said of measuring, in words, in every report for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.escape import escape, one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.metrics.groups import ALL_TEXTS, Group
from tokenizer_conformance.research.metrics.measures.intervals import caution
from tokenizer_conformance.results.figures import figure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.research.metrics.counts import Failures
    from tokenizer_conformance.research.metrics.results import Results


def failures(results: Results) -> Iterator[str]:
    """Yield what rows did not cut, and did not decode."""
    for each in results.rows:
        name = escape(each.name)
        if each.failures.total:
            yield f"{name}: {_told(each.failures, 'text')} not cut; its measures are of the others"
        if each.decoding.total and each.decoding.kinds.keys() != {"unsupported"}:
            yield f"{name}: {_told(each.decoding, 'text')} not decoded; its round trips are of the others"
        if each.gold_failures.total:
            yield f"{name}: {_told(each.gold_failures, 'word')} of --gold not cut; its morphemes are of the others"


def _told(found: Failures, what: str) -> str:
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(found.kinds.items()))
    first = found.examples[0]
    where = f"{escape(first.id)}: {one_line(first.message)}"
    return f"{counted(found.total, what)} ({kinds}; the first: {where})"


def not_shown(results: Results) -> Iterator[str]:
    """Yield the reasons for which rows, and pairs of rows, have no value of a measure, once each."""
    titles = {measure.id: measure.title for measure in results.measures}
    of_rows: dict[tuple[str, str], dict[str, None]] = {}
    of_pairs: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for each in results.measurements:
        if not each.missing.startswith("not shown"):
            continue
        title = titles[each.measure]
        if each.other:
            of_pairs.setdefault((title, each.missing), set()).add((each.row, each.other))
        else:
            of_rows.setdefault((each.row, each.missing), {})[title] = None
    for (row, reason), measures in of_rows.items():
        yield f"{escape(row)}: {', '.join(measures)}: {one_line(reason)}"
    for (title, reason), pairs in of_pairs.items():
        yield f"{title}, {counted(len(pairs), 'pair')} of tokenizers: {one_line(reason)}"


MANY_UNKNOWN = 0.01
"""The share of unknown characters from which on it is said what they do to other measures."""


def flattered(results: Results) -> Iterator[str]:
    """Yield which rows look better than they are, since unknown tokens stand for much of the texts."""
    for each in results.of("unknown_characters", ALL_TEXTS):
        if each.value is not None and each.value > MANY_UNKNOWN:
            yield (
                f"{escape(each.row)}: {figure(100 * each.value)} % of the characters are unknown to it; few tokens "
                "stand for them, so its fertility and its bytes per token look better than they are"
            )


MOST_NAMES = 6
"""So many groups are named in a sentence."""


def cautions(results: Results) -> Iterator[str]:
    """Yield what is to be said of the intervals of few texts, once, with the groups that it is said of."""
    found: dict[str, tuple[Group, ...]] = {}
    for group, read in results.groups:
        told = caution(read.texts)
        if told is not None:
            found[told] = (*found.get(told, ()), group)
    for said, groups in found.items():
        names = ", ".join(escape(str(group)) for group in groups[:MOST_NAMES])
        more = f" and {len(groups) - MOST_NAMES} more groups" if len(groups) > MOST_NAMES else ""
        yield said if groups == (ALL_TEXTS,) else f"{names}{more}: {said}"
