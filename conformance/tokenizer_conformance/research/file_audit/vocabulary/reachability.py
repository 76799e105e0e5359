"""Which entries of a vocabulary a text can give: shown by a text, excluded by a proof, or searched for in vain."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.research.file_audit.vocabulary.entries import Purpose, entries_of, purposes
from tokenizer_conformance.research.file_audit.vocabulary.proofs import Blocked, Proofs
from tokenizer_conformance.research.file_audit.vocabulary.witnesses import TextMaker, Witnesses

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.loaded_documents import Documents
    from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts
    from tokenizer_conformance.research.file_audit.vocabulary.entries import Entry


@dataclass(frozen=True, slots=True)
class Reached:
    """``text`` gives the entry, as the implementation encodes it without special tokens."""

    text: str


@dataclass(frozen=True, slots=True)
class NotFound:
    """No text was found in ``tries``, and nothing proves that there is none."""

    tries: int


class NotLookedAt:
    """There was no time for it."""


Decision = Reached | Blocked | NotFound | NotLookedAt


@dataclass(frozen=True, slots=True)
class Decided:
    """An ``entry``, what it is there for, and what was found about it."""

    entry: Entry
    purpose: Purpose
    decision: Decision


@dataclass(frozen=True, slots=True)
class Reachability:
    """What was found about all entries, in their order; ``texts`` were encoded for it."""

    decided: tuple[Decided, ...]
    texts: int
    proofs: Proofs

    def blocked(self) -> list[tuple[Decided, Blocked]]:
        """Return the entries that no text gives."""
        return [(each, each.decision) for each in self.decided if isinstance(each.decision, Blocked)]

    def counts(self) -> dict[str, int]:
        """Return of how many entries what was found."""
        blocked = Counter(each.purpose is Purpose.TEXT for each, _ in self.blocked())
        return {
            "given": sum(isinstance(each.decision, Reached) for each in self.decided),
            "never_given": blocked[True],
            "reserved": blocked[False],
            "not_found": len(self.not_found()),
            "not_looked_at": self.not_looked_at(),
        }

    def not_looked_at(self) -> int:
        """Return for how many entries there was no time."""
        return sum(isinstance(each.decision, NotLookedAt) for each in self.decided)

    def not_found(self) -> list[tuple[Decided, NotFound]]:
        """Return the entries of which nothing is known."""
        return [(each, each.decision) for each in self.decided if isinstance(each.decision, NotFound)]


def reachability(
    parts: DocumentParts,
    asked: Asked,
    documents: Documents,
    tell: Callable[[str], None] = lambda _: None,
    is_over: Callable[[], bool] = lambda: False,
) -> Reachability:
    """Decide about the entries of ``parts``, which ``asked`` has loaded, until time ``is_over``.

    ``tell`` is told what is done.
    """
    entries = entries_of(parts)
    proofs = Proofs(parts, documents)
    witnesses, maker = Witnesses(asked, is_over), TextMaker(parts, proofs)
    waiting = list(entries)
    for number in range(maker.rounds()):
        tell(f"looking for texts that give {len(waiting)} entries")
        witnesses.ask(text for entry in waiting for text in maker.first_texts(entry, number))
        waiting = [entry for entry in waiting if witnesses.of(entry) is None]
        if not waiting or is_over():
            break
    tell(f"proving that nothing gives {len(waiting)} entries")
    blocked = {entry: found for entry in waiting if not is_over() and (found := proofs.of(entry)) is not None}
    tries: dict[Entry, int] = {}
    waiting = [entry for entry in waiting if entry not in blocked]
    for index, entry in enumerate(waiting):
        if witnesses.of(entry) is None and not is_over():
            tell(f"searching for texts that give the last {len(waiting) - index} entries")
            count = witnesses.search(entry, maker.all_texts(entry))
            if not is_over():
                tries[entry] = count
    named = purposes(parts)

    def decision(entry: Entry) -> Decision:
        text = witnesses.of(entry)
        if entry in blocked:
            return blocked[entry]
        if text is not None:
            return Reached(text)
        return NotFound(tries[entry]) if entry in tries else NotLookedAt()

    decided = (Decided(entry, named.get(entry.token, Purpose.TEXT), decision(entry)) for entry in entries)
    return Reachability(tuple(decided), witnesses.texts, proofs)
