"""What is known to have changed between two releases, and does not show in what they were asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.releases.known_changes.documents import components_of, has_any
from tokenizer_conformance.results.records.versions import NotShown

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tokenizer_conformance.releases.diff.explanations import Explanations
    from tokenizer_conformance.releases.known_changes.change import KnownChange


def not_shown(explanations: Explanations, shown: Collection[str], files: Sequence[str]) -> Iterator[NotShown]:
    """Yield the known changes between two releases whose ids are not among those ``shown``.

    Those come first that could show in other texts with the tokenizers in ``files``.
    """
    rest = [each for each in explanations.changes() if each.id not in shown]
    documents = [explanations.document(file) for file in files]
    told = [(change, any(_could_show(change, document) for document in documents)) for change in rest]
    for change, could_show in sorted(told, key=lambda each: not each[1]):
        known = explanations.told(change)
        yield NotShown(
            id=known.id,
            since=known.since,
            title=known.title,
            undone=known.undone,
            component=change.component,
            could_show=could_show,
        )


def _could_show(change: KnownChange, document: object) -> bool:
    """Return whether answers about texts can show ``change`` with the tokenizer.json ``document``."""
    selector = change.selector
    if selector is None or not isinstance(document, dict) or selector.stages <= {"load", "save"}:
        return False
    return not selector.having or has_any(selector.having, components_of({**document, "truncation": {}}))
