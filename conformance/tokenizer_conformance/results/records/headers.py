"""What the headers of records have in common, and the lines that several formats have."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from tokenizer_adapters.contract import Field, OffsetUnit, Stage
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.results.records.value import Count, FromOne, Line, Seconds, Sha256, Value, Version

ExitStatus = Literal[0, 1, 2, 3, 130]


class NamedFile(Value, frozen=True, kw_only=True):
    """A file, by its name and its digest."""

    name: str
    sha256: Sha256


class Environment(Value, frozen=True, kw_only=True):
    """Where and when the command ran."""

    tokconf: str
    python: str
    platform: str
    started: str
    command: tuple[str, ...]
    configuration: NamedFile | UnsetType = UNSET
    """The file that options were taken from, where there was one."""


class Implementation(Value, frozen=True, kw_only=True):
    """An implementation, and what it shows at best."""

    name: str
    version: str
    language: str
    home_page: str
    offset_unit: OffsetUnit
    stages: tuple[Stage, ...]
    fields: tuple[Field, ...]


class TokenizerFile(Value, frozen=True, kw_only=True):
    """A tokenizer.json: what it is called, where it is, and its digest."""

    name: str
    file: str
    sha256: Sha256


class Inputs(Value, frozen=True, kw_only=True):
    """The texts that were asked about: how many, and the digest of them with their ids."""

    count: Count
    sha256: Sha256


class Shard(Value, frozen=True, kw_only=True):
    """One of several parts of a run."""

    part: FromOne
    of: FromOne


class MergedPart(Value, frozen=True, kw_only=True):
    """A part that was merged: the name of its record, and what of it is missing (null: nothing)."""

    name: str
    shard: Shard
    environment: Environment
    state: str | None


class LedgerEntries(Line, frozen=True, kw_only=True, tag="ledger_entries"):
    """All entries of the ledgers; other lines name them as ``called``. Some formats have it for parts alone."""

    entries: tuple[dict[str, Any], ...]


class EntryReference(Value, frozen=True, kw_only=True):
    """An entry of a ledger: the number of the ledger in the header (from 0), and of the entry in it (from 1)."""

    ledger: Count
    entry: FromOne
    line: FromOne | None


class NamedEntry(Value, frozen=True, kw_only=True):
    """An entry of a ledger: where it stands, and why what it is about is known."""

    entry: str
    reason: str


class Known(Value, frozen=True, kw_only=True):
    ledger: str
    entry: FromOne
    reason: str
    link: str | None
    count: Count


class Header(Line, frozen=True, kw_only=True, tag="header"):
    """The first line: the format, and where the command ran."""

    schema: str
    """The name of the format."""
    version: Version
    """The version of the format."""
    environment: Environment


class Footer(Line, frozen=True, kw_only=True, tag="footer"):
    """The last line: how the command ended. ``finished`` is false where it was stopped early."""

    finished: bool
    conclusion: Conclusion
    exit_status: ExitStatus
    seconds: Seconds
    """How long it took."""


class SealedFooter(Footer, frozen=True, kw_only=True, tag="footer"):
    """A last line that says what the lines before it were."""

    lines: Count | UnsetType = UNSET
    """How many lines are before this one."""
    sha256: Sha256 | UnsetType = UNSET
    """The digest of the lines before this one."""


class Refused(Line, frozen=True, kw_only=True, tag="refused"):
    """Something that was given cannot be used; the rest was done without it."""

    what: str
    name: str
    reason: str


class ImplementationMissing(Line, frozen=True, kw_only=True, tag="implementation_missing"):
    """An implementation that was asked for and cannot be used on this machine."""

    name: str
    reason: str
