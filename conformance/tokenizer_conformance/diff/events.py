"""What happens in a diff beside what happens in a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.run import events as run_events

if TYPE_CHECKING:
    from tokenizer_conformance.causes.cause import ExplainedBy
    from tokenizer_conformance.diff.loading_changes import LoadingChange
    from tokenizer_conformance.ledger.entry import Entry


@dataclass(frozen=True, slots=True)
class SidesCompared:
    """What stands side by side: each side in words, and how many inputs only one of them has.

    ``other_files`` are the names of tokenizers whose file is another one than it was: what changed may be due to that.
    """

    old: str
    new: str
    only_old: int = 0
    only_new: int = 0
    other_files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadingChanged:
    """A change in how a tokenizer is loaded.

    ``entry`` is that of the ledger by which it is known; ``explained_by`` are known changes between the releases, none
    of them where it is new; ``None`` where nobody looked.
    """

    change: LoadingChange
    entry: Entry | None = None
    explained_by: tuple[ExplainedBy, ...] | None = None


Event = run_events.Event | SidesCompared | LoadingChanged


def is_ending(event: Event) -> bool:
    """Tell whether ``event`` shows that the engine is ending the diff."""
    return isinstance(event, run_events.RunFinished)
