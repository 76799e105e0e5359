"""How fast releases are beside one another: numbers for people, no verdict.

Each is measured by its own Python, by a small program without the protocol in between. Releases take turns, round by
round, so that what slows the machine down slows all of them down; a ratio is of two numbers of the same round.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tokenizer_adapters.environments.asking import Asks
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.releases.versions.facts import NoFactsError, told_by
from tokenizer_conformance.results.records import versions as lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import TokenizerSource

ROUNDS: Final = 3
REPEAT: Final = 3
"""How often each measure is taken in a round; the median counts."""

SECONDS: Final = 300.0
"""How long a release may take for a round."""

MEMORY: Final = "peak memory"
MEASURES: Final = ("load", "encode_batch", "encode one by one", "decode one by one", MEMORY)
"""What is measured; :data:`MEMORY` counts bytes, the others seconds."""

Measure = dict[str, float]
"""What one round has measured of one release, by measure."""


def sample() -> tuple[str, ...]:
    """Return the texts that are encoded where no others are given: about 230 kB of English."""
    text = (files("tokenizer_conformance.inputs.bundled") / "corpus.txt").read_text("utf-8")
    return tuple(text.splitlines()) * 8


def measure(
    words: Sequence[str],
    source: TokenizerSource,
    texts: Sequence[str],
    rounds: int = ROUNDS,
    ask: Callable[[str, str], Measure] | None = None,
) -> lines.Speed:
    """Measure the releases that ``words`` select, whose environments are there, with the tokenizer of ``source``.

    ``ask`` takes a word and the path of the question, and raises :class:`NoFactsError`; without it the release's own
    Python is asked. A release that fails once is left out from then on, and has no rows.
    """
    measured: dict[str, list[Measure]] = {word: [] for word in words}
    missing: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="tokconf-versions-") as folder:
        question = Path(folder) / "question.json"
        question.write_text(
            json.dumps({"file": source.file, "folder": source.folder, "texts": list(texts), "repeat": REPEAT}),
            encoding="utf-8",
        )
        for number, word in _turns(words, rounds):
            STATUS.begin(word, f"measuring {source.name}, round {number // len(words) + 1} of {rounds}")
            STATUS.reach(Place(word, number, rounds * len(words), "measurements"))
            if word in missing:
                continue
            try:
                measured[word].append((ask or _asked)(word, str(question)))
            except NoFactsError as error:
                missing[word] = str(error)
    whole = {word: measured[word] for word in words if word not in missing}
    return lines.Speed(tokenizer=source.name, rows=rows(whole), missing=missing)


def _turns(words: Sequence[str], rounds: int) -> Iterator[tuple[int, str]]:
    """Yield the releases in turns, each round begun with another one, each with the number of its turn."""
    turns = (words[(number + place) % len(words)] for number in range(rounds) for place in range(len(words)))
    return enumerate(turns)


def _asked(word: str, question: str) -> Measure:
    answer = told_by(word, Asks.SPEED, [question], SECONDS, "the speed of {} is not measured")
    return {name: float(value) for name, value in answer.items()}


def rows(measured: Mapping[str, Sequence[Measure]]) -> tuple[lines.Row, ...]:
    """Return the rows of all releases, measure by measure: the median of all rounds, and ratios to the first release.

    A ratio is of two numbers of one round; the median of these counts, with the least and the greatest of them.

    >>> one, two = [{"load": 1.0}, {"load": 3.0}], [{"load": 2.0}, {"load": 3.0}]
    >>> [(row.release, row.median, row.ratio, row.spread) for row in rows({"a": one, "b": two})]
    [('a', 2.0, 1.0, (1.0, 1.0)), ('b', 2.5, 1.5, (1.0, 2.0))]
    """
    if not measured:
        return ()
    first = next(iter(measured.values()))
    return tuple(
        _row(release, name, [each[name] for each in found], [each[name] for each in first])
        for name in MEASURES
        for release, found in measured.items()
        if all(name in each for each in (*found, *first))
    )


def _row(release: str, name: str, values: Sequence[float], first: Sequence[float]) -> lines.Row:
    ratios = [value / max(base, 1e-9) for value, base in zip(values, first, strict=True)]
    return lines.Row(
        release=release,
        measure=name,
        median=statistics.median(values),
        ratio=statistics.median(ratios),
        spread=(min(ratios), max(ratios)),
    )
