"""Releases beside one another: on how many inputs each two of them differ, at each stage.

Snapshots of the same inputs are read line by line, side by side. Lines of answers that are the same bytes are the same
answers, so that only others are looked into; one input of each release is in memory at a time.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.session.progress import STATUS, Place
from tokenizer_conformance.snapshot_file.parts import LoadedTokenizer
from tokenizer_conformance.snapshot_file.replay import ANSWERS, TOKENIZER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokenizer_conformance.snapshot_file.reader import Snapshot

TOLD_EVERY = 500

MOST_IDS = 2000
"""Of the inputs on which a release and the next one differ so many are looked into, of each tokenizer."""

STAGE_OF_NAME: dict[str, Stage] = {
    "normalize": Stage.NORMALIZE,
    "pre_tokenize": Stage.PRE_TOKENIZE,
    "pre_tokenize_normalized": Stage.PRE_TOKENIZE,
    "encode_plain": Stage.MODEL,
    "encode_plain_words": Stage.MODEL,
    "encode": Stage.POST_PROCESS,
    "pair_plain": Stage.POST_PROCESS,
    "pair": Stage.POST_PROCESS,
    "pair_words": Stage.POST_PROCESS,
    "batch": Stage.POST_PROCESS,
    "decode_skipping": Stage.DECODE,
    "decode_keeping": Stage.DECODE,
    "stream_skipping": Stage.DECODE,
    "stream_keeping": Stage.DECODE,
}
"""The stage of each question of a snapshot."""

FOLLOWS_FROM: dict[str, str] = {
    "pre_tokenize_normalized": "normalize",
    "decode_skipping": "encode",
    "decode_keeping": "encode",
    "stream_skipping": "encode",
    "stream_keeping": "encode",
}
"""The answer from which a question follows: where that is another one, so is the question, and nothing is compared."""

Pair = tuple[int, int]
"""Two releases, by their numbers (from 0), the earlier one first."""

Answered = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TokenizerMatrix:
    """How releases answer about one tokenizer.

    ``loaded`` are the numbers of the releases that load it. ``differing`` counts the inputs on which two differ at a
    stage, ``inputs`` those on which they differ at any; ``ids`` are the first :data:`MOST_IDS` of these inputs, of each
    release and the next one that loads the tokenizer.
    """

    tokenizer: str
    loaded: tuple[int, ...]
    inputs: Mapping[Pair, int]
    differing: Mapping[tuple[Pair, Stage], int]
    ids: Mapping[Pair, frozenset[str]] = field(default_factory=dict)


def matrices(snapshots: Sequence[Snapshot], tokenizers: Sequence[str], inputs: int) -> Iterator[TokenizerMatrix]:
    """Yield the matrix of each of ``tokenizers``, in the order in which all ``snapshots`` have them.

    They are of the same inputs, so many. Raises :class:`BadInputError` where a file is not what it was.
    """
    readers = [_Reader(snapshot) for snapshot in snapshots]
    for name in tokenizers:
        STATUS.begin(name, "comparing releases")
        yield _matrix(name, readers, inputs)


class _Reader:
    """Reads a snapshot from tokenizer to tokenizer."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._lines = snapshot.written()
        self._ids = snapshot.inputs
        self._waiting: tuple[int, bytes] | None = None

    def names(self) -> Iterator[str]:
        """Yield the ids of the inputs."""
        return (each.id for each in self._ids())

    def begin(self, name: str) -> bool:
        """Go to the tokenizer called ``name``; tell whether the release has loaded it."""
        while (line := self._next()) is not None:
            if line[1].startswith(TOKENIZER):
                part = self._snapshot.part(*line)
                if isinstance(part, LoadedTokenizer) and part.name == name:
                    return part.error is None
        return False

    def answers(self) -> Iterator[bytes]:
        """Yield the lines of answers about the tokenizer."""
        while (line := self._next()) is not None:
            if not line[1].startswith(ANSWERS):
                self._waiting = line
                return
            yield line[1]

    def _next(self) -> tuple[int, bytes] | None:
        if self._waiting is not None:
            line, self._waiting = self._waiting, None
            return line
        return next(self._lines, None)


def _matrix(name: str, readers: Sequence[_Reader], total: int) -> TokenizerMatrix:
    loaded = tuple(number for number, reader in enumerate(readers) if reader.begin(name))
    inputs: Counter[Pair] = Counter()
    differing: Counter[tuple[Pair, Stage]] = Counter()
    neighbours = list(pairwise(loaded))
    ids: dict[Pair, set[str]] = {pair: set() for pair in neighbours}
    if loaded:
        lines = zip(readers[loaded[0]].names(), *(readers[number].answers() for number in loaded), strict=True)
        for done, (input_id, *answers) in enumerate(lines, 1):
            if done % TOLD_EVERY == 0:
                STATUS.reach(Place(name, done, total))
            if len(set(answers)) == 1:
                continue
            for pair, stages in _differing(loaded, answers):
                inputs[pair] += 1
                differing.update((pair, stage) for stage in stages)
                if pair in ids and len(ids[pair]) < MOST_IDS:
                    ids[pair].add(input_id)
    return TokenizerMatrix(
        name, loaded, dict(inputs), dict(differing), {pair: frozenset(found) for pair, found in ids.items()}
    )


def _differing(loaded: Sequence[int], lines: Sequence[bytes]) -> Iterator[tuple[Pair, set[Stage]]]:
    """Yield each two releases that differ on one input, with the stages at which they do."""
    parsed: dict[bytes, Answered] = {line: json.loads(line)["answers"] for line in set(lines)}
    known: dict[frozenset[bytes], set[Stage]] = {}
    for (first, one), (second, other) in combinations(zip(loaded, lines, strict=True), 2):
        if one == other:
            continue
        both = frozenset((one, other))
        if both not in known:
            known[both] = differing_stages(parsed[one], parsed[other])
        if known[both]:
            yield (first, second), known[both]


def differing_stages(one: Answered, other: Answered) -> set[Stage]:
    """Return the stages at which two lines of answers differ in what both show.

    >>> sorted(differing_stages({"normalize": {"text": "a"}}, {"normalize": {"text": "b"}}))
    [<Stage.NORMALIZE: 'normalize'>]
    """
    return {
        STAGE_OF_NAME[name]
        for name in one.keys() & other.keys()
        if not is_same(one[name], other[name])
        and "unsupported" not in one[name]
        and "unsupported" not in other[name]
        and not _is_other_question(name, one, other)
        and not _both_failed(one[name], other[name])
    }


def is_same(one: Any, other: Any) -> bool:
    """Tell whether two answers are the same in all that both show.

    >>> is_same({"ids": [1], "tokens": ["a"]}, {"ids": [1]}), is_same({"ids": [1]}, {"ids": [2]})
    (True, False)
    """
    if isinstance(one, dict) and isinstance(other, dict):
        common = one.keys() & other.keys()
        return bool(common) and all(is_same(one[name], other[name]) for name in common)
    if isinstance(one, list) and isinstance(other, list) and one and isinstance(one[0], dict):
        return len(one) == len(other) and all(map(is_same, one, other))
    return bool(one == other)


def _is_other_question(name: str, one: Answered, other: Answered) -> bool:
    source = FOLLOWS_FROM.get(name)
    if source is None:
        return False
    part = "ids" if source == "encode" else "text"
    return bool(one.get(source, {}).get(part) != other.get(source, {}).get(part))


def _both_failed(one: Answered, other: Answered) -> bool:
    """Tell whether both are errors: what these say is not compared, as in a run."""
    return "failed" in one and "failed" in other
