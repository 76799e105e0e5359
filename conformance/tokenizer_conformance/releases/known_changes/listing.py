"""What is known to have changed, as lists for the terminal and as JSON: the entries of the files, and requirements."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.escape import escape

if TYPE_CHECKING:
    from tokenizer_conformance.releases.known_changes.change import Answer, KnownChange

SCHEMA = "tokenizer-conformance-changes"
SCHEMA_VERSION = "1.0"


@dataclass(frozen=True, slots=True)
class ListedRequirement:
    """A requirement of the suite that releases of ``tokenizers`` meet ``since`` then: its ``id`` and ``title``.

    Where ``refused_before``, older ones fail it by refusing the tokenizers of its cases alone.
    """

    since: str
    id: str
    title: str
    area: str
    refused_before: bool


def shown(answer: Answer) -> str:
    """Return ``answer`` on one line, made safe to show.

    >>> shown({"error": "TypeError: no"}), shown(["a", None])
    ('TypeError: no', '["a", null]')
    """
    if isinstance(answer, dict) and answer.keys() == {"error"}:
        return escape_line(str(answer["error"]))
    return escape_line(json.dumps(answer, ensure_ascii=False))


def escape_line(text: str) -> str:
    """Return ``text`` with an escape for all that is not plainly visible, and quotes and backslashes as they are."""
    return escape(text).replace('\\"', '"').replace("\\\\", "\\")


def releases_told(change: KnownChange) -> str:
    """Return in which releases ``change`` holds, in words."""
    return change.since if change.last in (None, change.since) else f"{change.since} to {change.last}"


def as_document(
    changes: tuple[KnownChange, ...], requirements: tuple[ListedRequirement, ...], asked: dict[str, str | None]
) -> str:
    """Return ``changes`` and ``requirements`` as one JSON document; ``asked`` is what was asked for."""
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "version": SCHEMA_VERSION,
        **asked,
        "changes": [_as_json(change) for change in changes],
        "requirements": [asdict(requirement) for requirement in requirements],
    }
    return json.dumps(document, indent=2)


def _as_json(change: KnownChange) -> dict[str, Any]:
    return {
        "id": change.id,
        "package": change.package,
        "before": change.before,
        "since": change.since,
        "last": change.last,
        "until": change.until,
        "component": change.component,
        "title": change.title,
        "description": change.description,
        "links": list(change.links),
        "requirements": list(change.requirements),
        "explains_differences": change.selector is not None,
        "probe": {
            "program": change.probe.program,
            "files": dict(change.probe.files),
            "old": change.probe.old,
            "new": change.probe.new,
        },
    }
