"""Which entries of a vocabulary a text can give: shown by a text, excluded by a proof, or searched for in vain."""

from __future__ import annotations

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


Decision = Reached | Blocked | NotFound


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

    def not_found(self) -> list[tuple[Decided, NotFound]]:
        """Return the entries of which nothing is known."""
        return [(each, each.decision) for each in self.decided if isinstance(each.decision, NotFound)]


def reachability(
    parts: DocumentParts, asked: Asked, documents: Documents, tell: Callable[[str], None] = lambda _: None
) -> Reachability:
    """Decide about all entries of ``parts``, which ``asked`` has loaded. ``tell`` is told what is done."""
    entries = entries_of(parts)
    proofs = Proofs(parts, documents)
    witnesses, maker = Witnesses(asked), TextMaker(parts, proofs)
    waiting = list(entries)
    for number in range(maker.rounds()):
        tell(f"looking for texts that give {len(waiting)} entries")
        witnesses.ask(text for entry in waiting for text in maker.first_texts(entry, number))
        waiting = [entry for entry in waiting if witnesses.of(entry) is None]
        if not waiting:
            break
    tell(f"proving that nothing gives {len(waiting)} entries")
    blocked = {entry: found for entry in waiting if (found := proofs.of(entry)) is not None}
    tries: dict[Entry, int] = {}
    waiting = [entry for entry in waiting if entry not in blocked]
    for index, entry in enumerate(waiting):
        if witnesses.of(entry) is None:
            tell(f"searching for texts that give the last {len(waiting) - index} entries")
            tries[entry] = witnesses.search(entry, maker.all_texts(entry))
    named = purposes(parts)

    def decision(entry: Entry) -> Decision:
        text = witnesses.of(entry)
        if entry in blocked:
            return blocked[entry]
        return NotFound(tries.get(entry, 0)) if text is None else Reached(text)

    decided = (Decided(entry, named.get(entry.token, Purpose.TEXT), decision(entry)) for entry in entries)
    return Reachability(tuple(decided), witnesses.texts, proofs)
