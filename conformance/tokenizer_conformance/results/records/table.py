"""All formats of records, by the files of their schemas."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from tokenizer_conformance.results.records import (
    cuts,
    explanation,
    file_audit,
    fuzz,
    loader_audit,
    metrics,
    offsets_audit,
    record_diff,
    run,
    search,
    snapshot,
    suite_run,
    training,
    unicode_audit,
    versions,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_conformance.results.records.format import Format

FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        each.FORMAT.file: each.FORMAT
        for each in (
            run,
            suite_run,
            fuzz,
            search,
            training,
            record_diff,
            versions,
            metrics,
            cuts,
            explanation,
            loader_audit,
            file_audit,
            offsets_audit,
            unicode_audit,
            snapshot,
        )
    }
)
