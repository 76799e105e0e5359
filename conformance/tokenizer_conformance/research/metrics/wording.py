"""What is said of measuring, in words, in every report for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.escape import escape, one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.metrics.figures import figure
from tokenizer_conformance.research.metrics.groups import ALL_TEXTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.research.metrics.counts import Failures
    from tokenizer_conformance.research.metrics.events import MetricsFinished, MetricsStarted
    from tokenizer_conformance.research.metrics.results import Results


def settings(started: MetricsStarted) -> Iterator[tuple[str, str]]:
    """Yield what was measured how, each with a label."""
    plan = started.plan
    for info in dict.fromkeys(row.info for row in plan.rows):
        yield "cut by", f"{escape(info.name)} {escape(info.version)} ({escape(info.language)})"
    names = ", ".join(
        f"{escape(each.name)} ({each.language})" if "language" in plan.by else escape(each.name)
        for each in plan.sources[:6]
    )
    more = f" and {len(plan.sources) - 6} more" if len(plan.sources) > 6 else ""
    parallel = ", parallel" if plan.parallel else ""
    yield "texts", f"{plan.corpus.count:,} of {names}{more}{parallel}"
    how = plan.estimating
    words = [f"words: {plan.counting.words}"]
    words += [f"base {escape(how.base)}"] if how.base else []
    words += [f"base language {escape(how.base_language)}"] if how.base_language else []
    resampling = how.resampling
    words.append(
        f"{resampling.level:.0%} intervals of {resampling.replicates:,} resamplings of texts, seed {resampling.seed}"
    )
    yield "how", "; ".join(words)
    if started.resumed_texts:
        yield "resumed", f"{started.resumed_texts:,} texts were counted before"


def notes_on(results: Results) -> list[str]:
    """Return what a reader of the tables has to know besides."""
    return [*failures(results), *not_shown(results), *flattered(results), *cautions(results)]


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
    for said, groups in results.cautions.items():
        names = ", ".join(escape(str(group)) for group in groups[:MOST_NAMES])
        more = f" and {len(groups) - MOST_NAMES} more groups" if len(groups) > MOST_NAMES else ""
        yield said if groups == (ALL_TEXTS,) else f"{names}{more}: {said}"


def ending(finished: MetricsFinished) -> str:
    """Return one sentence about how measuring ended."""
    state = "" if finished.finished else f"PARTIAL ({one_line(finished.reason or '')}): "
    speed = finished.counted_bytes / finished.counting / 1e6 if finished.counting else 0.0
    return (
        f"{state}{counted(finished.texts, 'text')}, {finished.bytes / 1e6:,.1f} MB measured; {finished.seconds:.1f} s "
        f"({speed:.2f} MB/s while counting)"
    )
