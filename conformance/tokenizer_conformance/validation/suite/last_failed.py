"""What failed in the record of an earlier run of the suite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.results.records.suite_run import FORMAT
from tokenizer_conformance.validation.suite.judging import WRONG

if TYPE_CHECKING:
    from collections.abc import Collection

    from tokenizer_conformance.command_io.recorded_lines import RecordedLines


def failed_requirements(read: RecordedLines, implementations: Collection[str]) -> list[str]:
    """Return the ids of the requirements that one of ``implementations`` failed. Raises :class:`BadInputError`."""
    if read.header.get("schema") != FORMAT.name:
        raise BadInputError(f"{str(read.path)!r} is no record of 'tokconf suite run'")
    try:
        return list(
            dict.fromkeys(
                line["requirement"]
                for line in read.lines
                if line["type"] == "requirement"
                and line["verdict"] in WRONG
                and line["implementation"] in implementations
            )
        )
    except (KeyError, TypeError) as error:
        raise BadInputError(f"{str(read.path)!r} has a line that is not that of a record: {error!r}") from error
