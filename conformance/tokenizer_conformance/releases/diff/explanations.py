"""Which known changes explain what a diff finds between two releases of one package."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packaging.version import Version

from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.causes.cause import ExplainedBy
from tokenizer_conformance.releases.known_changes.change import ChangedAnswer
from tokenizer_conformance.releases.known_changes.reader import known_changes, releases_of
from tokenizer_conformance.validation.running.wording import load_reason

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Field, ImplementationInfo
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.causes.witness import Witness
    from tokenizer_conformance.releases.known_changes.change import KnownChange
    from tokenizer_conformance.releases.snapshot_file.parts import LoadedTokenizer


class Explanations:
    """Explains differences between ``old`` and ``new``, where both are releases of a package with known changes."""

    def __init__(self, old: ImplementationInfo, new: ImplementationInfo) -> None:
        self._old = old
        self._new = new
        self._package = known_as(old.name)
        self._documents: dict[str, Any] = {}
        self.old, self.new = old.name, new.name
        self.is_possible = self._package == known_as(new.name) and bool(releases_of(self._package))

    def with_known_changes(self, cause: Cause) -> Cause:
        """Return ``cause`` with the known changes that explain it; as it is where there are no such data."""
        if not self.is_possible:
            return cause
        fields = () if cause.witness.difference.field is None else (cause.witness.difference.field,)
        explained = self.of_witness(cause.witness, fields, is_of_new=cause.implementation == self._new.name)
        return replace(cause, explained_by=explained)

    def of_witness(self, witness: Witness, fields: tuple[Field, ...], *, is_of_new: bool) -> tuple[ExplainedBy, ...]:
        """Return the known changes that explain a difference in ``fields``.

        ``is_of_new`` says whether the implementation of ``witness`` is the new side, or the old one.
        """
        before, after = (witness.expected, witness.actual) if is_of_new else (witness.actual, witness.expected)
        changed = ChangedAnswer(
            stage=witness.stage,
            fields=fields,
            kind=witness.difference.kind,
            question=witness.question,
            document=witness.document if witness.document is not None else self.document(witness.source.file),
            old=before,
            new=after,
        )
        return self._explained(changed)

    def of_loading(
        self, old: LoadedTokenizer, new: LoadedTokenizer, file: str, what: str
    ) -> tuple[ExplainedBy, ...] | None:
        """Return the known changes that explain how the loading of the tokenizer at ``file`` changed, at ``what``."""
        if not self.is_possible:
            return None
        if what == "load":
            words = [None if side.error is None else load_reason(side.error, side.name) for side in (old, new)]
            changed = ChangedAnswer(
                stage=what, kind="refused", document=self.document(file), old=words[0], new=words[1]
            )
        else:
            texts = [json.dumps(side.saved) for side in (old, new)]
            changed = ChangedAnswer(
                stage=what, fields=("document",), document=self.document(file), old=texts[0], new=texts[1]
            )
        return self._explained(changed)

    def _explained(self, changed: ChangedAnswer) -> tuple[ExplainedBy, ...]:
        found = known_changes().explaining(self._package, self._old.version, self._new.version, changed)
        return tuple(map(self.told, found))

    def changes(self) -> tuple[KnownChange, ...]:
        """Return all known changes by which the two releases differ."""
        if not self.is_possible:
            return ()
        return known_changes().between(self._package, self._old.version, self._new.version)

    def told(self, change: KnownChange) -> ExplainedBy:
        """Return what is told of ``change``, by which the two releases differ."""
        since = f"{change.package} {change.since}"
        return ExplainedBy(change.id, since, change.title, _undone(change, self._new.version))

    def document(self, file: str) -> Any:
        """Return the tokenizer.json at ``file``; nothing where it is not there, or no JSON."""
        if file not in self._documents:
            try:
                self._documents[file] = json.loads(Path(file).read_text(encoding="utf-8"))
            except (OSError, ValueError):
                self._documents[file] = {}
        return self._documents[file]


def _undone(change: KnownChange, version: str) -> str:
    """Say since when ``change`` is no longer so, or up to when it is not; nothing where ``version`` has it."""
    if change.holds_in(version):
        return ""
    if Version(version) < Version(change.since):
        return f"not so up to {change.package} {change.before}"
    return f"no longer so since {change.package} {change.until}"
