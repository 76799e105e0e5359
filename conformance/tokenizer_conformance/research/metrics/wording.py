"""What is said of measuring, in words, in every report for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.escape import escape, one_line
from tokenizer_conformance.plural import counted, together
from tokenizer_conformance.research.metrics.groups import ALL_TEXTS, Group
from tokenizer_conformance.research.metrics.measures.intervals import caution
from tokenizer_conformance.research.metrics.measures.words import WORD_DEFINITIONS
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
    for row, share in unreadable(results).items():
        yield (
            f"{escape(row)}: {figure(100 * share)} % of the characters are unknown to it; few tokens "
            "stand for them, so its fertility and its bytes per token look better than they are"
        )


def unreadable(results: Results) -> dict[str, float]:
    """Return the share of characters that are unknown to each row to which many are."""
    found = {each.row: each.value or 0.0 for each in results.of("unknown_characters", ALL_TEXTS)}
    return {row: share for row, share in found.items() if share > MANY_UNKNOWN}


MANY_UNSPACED = 0.1
"""The share of characters of scripts without spaces from which on words by white space are warned of."""


def phrases(results: Results, words: str) -> Iterator[str]:
    """Say in which groups ``words`` by white space are none, since their scripts put no spaces between words."""
    if words != WORD_DEFINITIONS[0].id:
        return
    shares = {str(group): read.unspaced / read.characters for group, read in results.groups if read.characters}
    unspaced = [f"{escape(name)} ({100 * share:.0f} %)" for name, share in shares.items() if share > MANY_UNSPACED]
    if unspaced:
        yield (
            f"Words by white space are no words in {together(unspaced)}: so much of the characters is of scripts that "
            "put no spaces between words, such as those of Japanese, Chinese and Thai. Measures by the word, such as "
            "fertility, mean nothing there. Use --words unicode or --words characters."
        )


MOST_NAMES = 6
"""So many groups are named in a sentence."""


def cautions(results: Results) -> Iterator[str]:
    """Yield what is to be said of the intervals of few texts, once, with the groups that it is said of."""
    found: dict[str, tuple[Group, ...]] = {}
    for group, read in results.groups:
        told = caution(read.written)
        if told is not None:
            found[told] = (*found.get(told, ()), group)
    for said, groups in found.items():
        names = ", ".join(escape(str(group)) for group in groups[:MOST_NAMES])
        more = f" and {len(groups) - MOST_NAMES} more groups" if len(groups) > MOST_NAMES else ""
        yield said if groups == (ALL_TEXTS,) else f"{names}{more}: {said}"
