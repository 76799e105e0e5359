"""What happens in a diff beside what happens in a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.results.records.run import AskedAgain, Sides
from tokenizer_conformance.validation.running import events as run_events

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_conformance.causes.cause import ExplainedBy
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.releases.diff.loading_changes import LoadingChange


@dataclass(frozen=True, slots=True)
class LoadingChanged:
    """A change in how a tokenizer is loaded.

    ``entry`` is that of the ledger by which it is known; ``explained_by`` are known changes between the releases, none
    of them where it is new; ``None`` where nobody looked. ``faults`` say what is wrong with a file that a side refuses.
    """

    change: LoadingChange
    entry: Entry | None = None
    explained_by: tuple[ExplainedBy, ...] | None = None
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadingCompared:
    """All changes in how ``tokenizer`` is loaded have been told.

    ``left_out`` says of each part that was not compared (``load``, ``vocabulary``, ``save``) why; ``shown`` are the
    parts in which a change would have been seen. ``loaded`` says that both sides load it.
    """

    tokenizer: TokenizerFile
    left_out: Mapping[str, str]
    shown: tuple[str, ...]
    loaded: bool


@dataclass(frozen=True, slots=True)
class Ending:
    """The diff is being ended early; what was found so far follows. Nothing is told of this."""


Event = run_events.Event | Sides | LoadingChanged | LoadingCompared | AskedAgain | Ending


def is_ending(event: Event) -> bool:
    """Return whether ``event`` shows that the engine is ending the diff."""
    match event:
        case Ending():
            return True
        case Sides() | LoadingChanged() | LoadingCompared() | AskedAgain():
            return False
        case _:
            return run_events.is_ending(event)
