"""The reports that the options of a command ask for."""

from __future__ import annotations

from tokenizer_conformance.command_io.environment import is_at_github
from tokenizer_conformance.command_io.outputs import ReportOptions


def given_reports(
    *,
    json: str | None,
    html: str | None,
    markdown: str | None,
    force: bool,
    resume: bool,
    junit: str | None,
    sarif: str | None,
    github: bool | None,
) -> ReportOptions:
    """Return the reports that are asked for; ``github`` is ``None`` where nothing is said of it."""
    return ReportOptions(
        json=json,
        markdown=markdown,
        force=force,
        resume=resume,
        junit=junit,
        sarif=sarif,
        github=is_at_github() if github is None else github,
        html=html,
    )
