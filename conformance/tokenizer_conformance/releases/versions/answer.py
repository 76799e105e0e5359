"""What a person asks first of two releases: do ids change on my files, do offsets, does all load, what must I do."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.plural import counted
from tokenizer_conformance.results.records.versions import Changed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokenizer_conformance.results.records.versions import DifferingSource, Source, Truncated

MOST_NAMED = 5
"""How many tokenizers or files are named in a sentence."""

TO_DO: dict[Changed, str] = {
    Changed.ANSWER: "see what fails where the other release answers",
    Changed.IDS: "tokenize stored ids of such texts anew, or stay with {old}",
    Changed.OVERFLOWING: "check what reads the windows of long texts (overflowing, stride)",
    Changed.OFFSETS: "compute stored offsets anew",
    Changed.DECODED: "check what reads decoded texts",
    Changed.OTHER: "check what reads masks, types or numbers of words",
}
"""What each change asks of whoever has it."""


FURTHER: dict[Changed, str] = {
    Changed.ANSWER: "one of the two gives no answer on",
    Changed.OVERFLOWING: "what truncation cuts off changes on",
    Changed.DECODED: "the same ids are decoded to another text on",
    Changed.OTHER: "masks, types or numbers of words change on",
    Changed.INSIDE: "only the normalized text or its pieces change on",
}
"""What is said of other changes, where there are any."""


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What changes from one release to another, by tokenizer: inputs of each source, by what of them changes.

    ``lost`` are tokenizers that only the older release loads. A copy that truncates has the name of the tokenizer.
    """

    old: str
    sources: Sequence[Source]
    whole: Mapping[str, Sequence[DifferingSource]]
    cut: Mapping[str, Sequence[DifferingSource]]
    truncated: Sequence[Truncated]
    lost: Sequence[str]

    def parts(self) -> Iterator[str]:
        """Yield the parts of the answer, in the order in which they are asked for."""
        if self.sources:  # a record of an earlier version has none
            yield from self._answers()
        yield f"not loaded any more: {', '.join(self.lost)}" if self.lost else "nothing fails to load"
        if self.sources:
            yield f"to do: {self._to_do()}"

    def _answers(self) -> Iterator[str]:
        yield self._ids()
        alone = self._of(self.whole, Changed.OFFSETS)
        yield f"offsets alone change on {_inputs(alone)}" if alone else "offsets alone change on none"
        for what, words in FURTHER.items():
            found = self._of(self.whole, what)
            if found:
                yield f"{words} {_inputs(found)}"
        yield from self._truncation()

    def _ids(self) -> str:
        """Say on which files ids change, by name, and on how many of the built-in inputs."""
        files = [number for number, source in enumerate(self.sources) if source.name]
        told = [*([self._files(files)] if files else [])]
        for number, source in enumerate(self.sources):
            if not source.name:
                found = self._of(self.whole, Changed.IDS, number)
                told.append(f"on {_share(found, source.inputs, 'built-in input')}")
        return f"ids change {' and '.join(told)}"

    def _files(self, files: Sequence[int]) -> str:
        changed = {number: sum(self._of(self.whole, Changed.IDS, number).values()) for number in files}
        hit = [number for number in files if changed[number]]
        told = [f"{self.sources[number].name} ({counted(changed[number], 'input')})" for number in hit]
        rest = [self.sources[number].name for number in files if not changed[number]]
        named = "; ".join(
            filter(None, (_listed(told), f"{'not on' if hit else 'the same on'} {_listed(rest)}" if rest else ""))
        )
        return f"on {len(hit):,} of {counted(len(files), 'file')} ({named})"

    def _truncation(self) -> Iterator[str]:
        if not self.truncated:
            return
        how = f"with truncation ({self.truncated[0].max_length} tokens, stride {self.truncated[0].stride})"
        found: Counter[str] = Counter()
        for what in Changed:
            found += self._of(self.cut, what)
        overflowing = self._of(self.cut, Changed.OVERFLOWING)
        if not found:
            yield f"{how} nothing else changes"
        elif found == overflowing:
            yield f"{how}, what is cut off changes as well on {_inputs(found)}"
        else:
            yield f"{how}, answers change as well on {_inputs(found)}"

    def _to_do(self) -> str:
        found = {what for what in Changed for side in (self.whole, self.cut) if self._of(side, what)}
        told = [words.format(old=self.old) for what, words in TO_DO.items() if what in found]
        if self.lost:
            told.append(f"save {_listed(self.lost)} anew with a release that loads it, or stay with {self.old}")
        return ", ".join(told) or "nothing, as far as these inputs show"

    def _of(
        self, side: Mapping[str, Sequence[DifferingSource]], what: Changed, source: int | None = None
    ) -> Counter[str]:
        """Count the inputs on which ``what`` is the gravest that changes, by tokenizer."""
        counts = {
            name: sum(each.changed.get(what, 0) for each in found if source in (None, each.source))
            for name, found in side.items()
        }
        return +Counter(counts)


def _inputs(counts: Mapping[str, int]) -> str:
    return f"{counted(sum(counts.values()), 'input')} ({_named(counts)})"


def _share(counts: Mapping[str, int], total: int, noun: str) -> str:
    return f"{_named(counts) or 'none'} of {counted(total, noun)}"


def _named(counts: Mapping[str, int]) -> str:
    return _listed([f"{name} {count:,}" for name, count in counts.items()])


def _listed(names: Iterable[str]) -> str:
    all_ = list(names)
    more = f" and {len(all_) - MOST_NAMED:,} more" if len(all_) > MOST_NAMED else ""
    return ", ".join(all_[:MOST_NAMED]) + more
