"""The vocabularies that implementations show, compared with the baseline's: once for each of them and each tokenizer.

An implementation that shows no vocabulary differs in nothing, and conforms in nothing by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Unsupported
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.comparison.vocabularies import (
    MOST_ENTRIES,
    OtherEntry,
    name_of_all,
    other_entries,
    why_no_vocabulary,
)
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.results.records import run as lines
from tokenizer_conformance.validation.running.record import known_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.results.records.run import Result, Vocabulary
    from tokenizer_conformance.validation.running.events import TokenizerFinished

FIRST_ENTRIES = 3
"""So many entries are told on one line."""

LONGEST_ENTRY = 100
"""How many characters of an entry are shown on one line."""

NO_BASELINE = "the baseline shows none"


@dataclass(frozen=True, slots=True)
class Comparer:
    """Compares with the vocabulary that ``baseline`` shows.

    ``known`` gives the entry of a ledger that is about an entry of that name in the vocabulary of an implementation,
    ``repeat`` the command that compares that implementation's vocabulary alone.
    """

    baseline: Asked
    known: Callable[[str, str], Entry | None]
    repeat: Callable[[str], str]

    def compared(self, others: Mapping[str, Asked]) -> Iterator[tuple[str, Vocabulary]]:
        """Yield what came of each of ``others``, by name. No vocabulary is held longer than that."""
        STATUS.at(f"the vocabulary of {self.baseline.info.name}")
        expected, why = _shown(self.baseline)
        for name, asked in others.items():
            STATUS.at(f"the vocabulary of {name}")
            found, why_not = _shown(asked)
            if expected is None or found is None:
                yield name, _not_shown(expected, found, why_not or f"{NO_BASELINE}: {why}")
            else:
                yield name, self._of_both(name, asked, expected, found)

    def _of_both(self, name: str, asked: Asked, expected: dict[str, int], found: dict[str, int]) -> Vocabulary:
        others = other_entries(expected, found)
        name_of_many = name_of_all(others) if len(others) > MOST_ENTRIES else ""
        told = list(self._told(name, others[:MOST_ENTRIES], name_of_many))
        known = sum(each.known is not None for each in told)
        return lines.Vocabulary(
            baseline=len(expected),
            implementation=len(found),
            differing=len(others),
            known=len(others) if name_of_many and known else known,
            unstable=bool(others) and self._is_unsteady(asked, expected, found),
            name=name_of_many,
            entries=tuple(sorted(told, key=lambda each: each.known is not None)),
            repeat=self.repeat(name) if others else "",
        )

    def _is_unsteady(self, asked: Asked, expected: dict[str, int], found: dict[str, int]) -> bool:
        """Return whether a side shows another vocabulary when it is asked again."""
        return (_shown(self.baseline)[0], _shown(asked)[0]) != (expected, found)

    def _told(self, name: str, others: list[OtherEntry], name_of_many: str) -> Iterator[lines.OtherEntry]:
        together = self.known(name, name_of_many) if name_of_many else None
        for each in others:
            entry = together if name_of_many else self.known(name, each.name)
            yield lines.OtherEntry(
                token=each.token,
                baseline=each.baseline,
                implementation=each.implementation,
                known=None if entry is None else known_line(entry),
            )


def _shown(asked: Asked) -> tuple[dict[str, int] | None, str]:
    """Return the vocabulary that ``asked`` shows, or none and the reason."""
    vocabulary = asked.vocabulary()
    if isinstance(vocabulary, Unsupported):
        return None, vocabulary.reason
    why_not = why_no_vocabulary(vocabulary)
    return (None, why_not) if why_not else (vocabulary, "")


def _not_shown(expected: dict[str, int] | None, found: dict[str, int] | None, why: str) -> Vocabulary:
    return lines.Vocabulary(
        baseline=None if expected is None else len(expected),
        implementation=None if found is None else len(found),
        not_shown=why,
    )


def joined(parts: Iterable[Vocabulary | None]) -> Vocabulary | None:
    """Return what several parts of a run have found, each of which compared the whole vocabulary: the gravest."""
    there = [each for each in parts if each is not None]
    return max(there, key=lambda each: (each.unstable, each.new, each.is_compared), default=None)


def is_vocabulary_alone(result: Result) -> bool:
    """Return whether the vocabulary was compared and nothing else was asked."""
    found = result.vocabulary
    return found is not None and found.is_compared and not any(count.questions for count in result.stages.values())


# Words ---------------------------------------------------------------------------------------------------------------


def entry_words(entries: Iterable[lines.OtherEntry]) -> Iterator[str]:
    """Yield in words which ids these ``entries`` have."""
    return (_compared(each).words for each in entries)


def _compared(entry: lines.OtherEntry) -> OtherEntry:
    return OtherEntry(entry.token, entry.baseline, entry.implementation)


def count_words(found: Vocabulary) -> str:
    """Say how many entries differ, with the number of tokens where that is another one.

    >>> count_words(lines.Vocabulary(baseline=12, implementation=11, differing=1))
    '1 entry differs (12 tokens, here 11)'
    """
    sizes = "" if found.baseline == found.implementation else f", here {found.implementation:,}"
    entries = "1 entry differs" if found.differing == 1 else f"{found.differing:,} entries differ"
    return f"{entries} ({counted(found.baseline or 0, 'token')}{sizes})"


def first_entries(found: Vocabulary) -> str:
    """Return the first entries that differ, on one line."""
    told = [one_line(each, LONGEST_ENTRY) for each in entry_words(found.entries[:FIRST_ENTRIES])]
    return ", ".join(told) + (f" and {found.differing - len(told):,} more" if found.differing > len(told) else "")


def vocabulary_line(result: Result, found: Vocabulary) -> str:
    """Say on one line what differs in the vocabulary that the implementation of ``result`` shows."""
    when = "another one when asked again, " if found.unstable else ""
    return f"{one_line(result.implementation)}, vocabulary: {when}{count_words(found)}: {first_entries(found)}"


def hidden_vocabulary(result: Result) -> str | None:
    """Say why the vocabulary was not compared, ``None`` where it was, or was not asked for."""
    found = result.vocabulary
    if found is None or found.is_compared:
        return None
    return f"{one_line(result.implementation)}: its vocabulary was not compared: {one_line(found.not_shown)}"


def found_in_vocabularies(tokenizers: Iterable[TokenizerFinished]) -> Iterator[str]:
    """Yield how many vocabularies differ, where any does."""
    counts = [row.other_entries for each in tokenizers for row in each.results if row.other_entries]
    if counts:
        verb = "vocabulary differs" if len(counts) == 1 else "vocabularies differ"
        yield f"{len(counts):,} {verb} ({sum(counts):,} {'entry' if sum(counts) == 1 else 'entries'})"


def names_for_ledger(found: Vocabulary) -> tuple[str, ...]:
    """Return what a ledger is to name, so that it knows what differs here and nothing else."""
    return (found.name,) if found.name else tuple(_compared(each).name for each in found.entries if each.known is None)
