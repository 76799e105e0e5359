"""All kinds of records that pages are made of, by the names of their formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.causes.explain.page import EXPLANATIONS
from tokenizer_conformance.releases.diff.records.page import RECORD_DIFFS
from tokenizer_conformance.releases.loader_audit.page import LOADER_AUDITS
from tokenizer_conformance.releases.versions.page import VERSIONS
from tokenizer_conformance.research.cuts.page import COMPARISONS
from tokenizer_conformance.research.file_audit.page import FILE_AUDITS
from tokenizer_conformance.research.metrics.page import METRICS
from tokenizer_conformance.research.offsets_audit.page import OFFSETS_AUDITS
from tokenizer_conformance.research.training.page import TRAININGS
from tokenizer_conformance.research.unicode_audit.page import UNICODE_AUDITS
from tokenizer_conformance.validation.fuzz.page import FUZZING
from tokenizer_conformance.validation.running.page import RUNS
from tokenizer_conformance.validation.search.page import SEARCHES
from tokenizer_conformance.validation.suite.page import SUITES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_conformance.results.recorded_page import RecordedPage

PAGE_KINDS: Mapping[str, RecordedPage] = {
    kind.format.name: kind
    for kind in (
        COMPARISONS,
        EXPLANATIONS,
        FILE_AUDITS,
        FUZZING,
        LOADER_AUDITS,
        METRICS,
        OFFSETS_AUDITS,
        RECORD_DIFFS,
        RUNS,
        SEARCHES,
        SUITES,
        TRAININGS,
        UNICODE_AUDITS,
        VERSIONS,
    )
}
"""The kinds; a further one is a module and an entry here."""
