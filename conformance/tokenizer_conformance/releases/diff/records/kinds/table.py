"""All kinds of records that can be compared, by the names of their formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_conformance.releases.diff.records.kinds.fuzzing import FUZZING
from tokenizer_conformance.releases.diff.records.kinds.runs import RUNS
from tokenizer_conformance.releases.diff.records.kinds.searches import SEARCHES
from tokenizer_conformance.releases.diff.records.kinds.suites import SUITES
from tokenizer_conformance.releases.diff.records.kinds.trainings import TRAININGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_conformance.releases.diff.records.kinds.kind import Kind

KINDS: Mapping[str, Kind[Any]] = {kind.format.name: kind for kind in (RUNS, SUITES, TRAININGS, FUZZING, SEARCHES)}
"""The kinds; a further one is a module and an entry here."""

OTHERS: Mapping[str, str] = {
    "tokenizer-conformance-record-diff": "of a comparison of two records: give the records that it compares",
    "tokenizer-conformance-versions": 'of "tokconf versions", which compares releases itself: give it all of them',
    "tokenizer-conformance-audit": 'of "tokconf audit", which says itself what changed (--ledger names what is known)',
    "tokenizer-conformance-offsets-audit": 'of "tokconf audit offsets", which says itself what is violated',
    "tokenizer-conformance-file-audit": 'of "tokconf audit file", which says itself what is wrong with a file',
    "tokenizer-conformance-unicode-audit": 'of "tokconf audit unicode": give it both implementations or releases',
    "tokenizer-conformance-comparison": 'of "tokconf compare", which compares tokenizers itself: give it all of them',
    "tokenizer-conformance-metrics": 'of "tokconf metrics", which compares tokenizers itself: give it all of them',
    "tokenizer-conformance-vectors-check": 'of "tokconf vectors check", which fails itself where anything changed',
}
"""The records that two of are not compared, with what to do in place of that."""
