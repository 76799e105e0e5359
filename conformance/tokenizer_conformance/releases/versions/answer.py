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

TRUNCATED: dict[Changed, str] = {
    Changed.IDS: "ids change as well on",
    Changed.OVERFLOWING: "what is cut off changes as well on",
    Changed.OFFSETS: "offsets alone change as well on",
}
"""What is said of a copy that truncates, where it is not what is said of whole texts."""


SHORT: dict[Changed, str] = {
    Changed.ANSWER: "no answer",
    Changed.IDS: "ids",
    Changed.OFFSETS: "offsets alone",
    Changed.OVERFLOWING: "what is cut off",
    Changed.DECODED: "decoded texts",
    Changed.OTHER: "masks, types, words",
    Changed.INSIDE: "normalized text or pieces alone",
}
"""The same in a word or two, in the order in which people ask for it."""

WITH_TRUNCATION = "with truncation"


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

    def counts(self) -> dict[str, Counter[str]]:
        """Return the inputs that change, by what of them does in short, and by tokenizer."""
        found = {words: self._of(self.whole, what) for what, words in SHORT.items()}
        if self.truncated:
            found[WITH_TRUNCATION] = sum((self._of(self.cut, what) for what in Changed), Counter[str]())
        return found

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
        by_change = {what: counts for what in Changed if (counts := self._of(self.cut, what))}
        told = [f"{TRUNCATED.get(what, FURTHER.get(what))} {_inputs(counts)}" for what, counts in by_change.items()]
        yield f"{how}, {' and '.join(told)}" if told else f"{how} nothing else changes"

    def _to_do(self) -> str:
        whole, cut = ({what for what in Changed if self._of(side, what)} for side in (self.whole, self.cut))
        told = [words.format(old=self.old) for what, words in TO_DO.items() if what in whole | cut]
        if Changed.IDS in cut - whole:
            told = [words.replace("of such texts", "of truncated texts") for words in told]
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
    return f"{counted(sum(counts.values()), 'input')} ({named(counts)})"


def _share(counts: Mapping[str, int], total: int, noun: str) -> str:
    return f"{named(counts) or 'none'} of {counted(total, noun)}"


def named(counts: Mapping[str, int]) -> str:
    """Return the names of tokenizers with their ``counts``, the first ones of many."""
    return _listed([f"{name} {count:,}" for name, count in counts.items()])


def _listed(names: Iterable[str]) -> str:
    all_ = list(names)
    more = f" and {len(all_) - MOST_NAMED:,} more" if len(all_) > MOST_NAMED else ""
    return ", ".join(all_[:MOST_NAMED]) + more
