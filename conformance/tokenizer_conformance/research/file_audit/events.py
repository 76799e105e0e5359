"""What happens in an audit of files, as a stream of values.

It begins with :class:`FileAuditStarted` and ends with :class:`FileAuditFinished`, also when it is interrupted. Each
file has a :class:`FileBegun`, its findings as they are made, and a :class:`FileAudited`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import Finished, InputRefused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.command_io.environment import Environment
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.research.file_audit.finding import Finding, Severity
    from tokenizer_conformance.research.file_audit.fixing import Fix
    from tokenizer_conformance.research.file_audit.plan import Selection


@dataclass(frozen=True, slots=True)
class FileAuditStarted:
    """The audit begins: who is asked about which files, for which of ``defects`` kinds; a search takes ``seconds``."""

    environment: Environment
    baseline: ImplementationInfo
    tokenizers: tuple[TokenizerFile, ...]
    selection: Selection
    defects: int
    seconds: float


@dataclass(frozen=True, slots=True)
class FileBegun:
    """A file is being looked into."""

    tokenizer: TokenizerFile


@dataclass(frozen=True, slots=True)
class FindingMade:
    """A finding in ``tokenizer``, at ``line`` of its file, from 1, where that can be told.

    ``fails``: the command fails for it.
    """

    tokenizer: TokenizerFile
    finding: Finding
    line: int | None
    fails: bool


@dataclass(frozen=True, slots=True)
class FileAudited:
    """A file is done: the ``checks`` by name with the ids of what each looks for, and how many findings it has.

    ``is_loaded`` is false where the baseline refuses it: checks that need answers then say nothing. ``cut_short``
    is what searches have not looked at in their time.
    """

    tokenizer: TokenizerFile
    checks: Mapping[str, tuple[str, ...]]
    counts: Mapping[Severity, int]
    is_loaded: bool
    seconds: float
    cut_short: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileFixed:
    """The file was to be mended: what came of it, and the name of what was written, ``None`` where nothing was."""

    tokenizer: TokenizerFile
    fix: Fix
    target: str | None


@dataclass(frozen=True, slots=True)
class FileAuditFinished(Finished):
    """The audit is over; ``finished`` is false where it was interrupted.

    ``audited`` counts files, ``failing`` those for which the command fails, ``counts`` findings by severity.
    """

    audited: int
    failing: int
    counts: Mapping[Severity, int]


FileAuditEvent = FileAuditStarted | InputRefused | FileBegun | FindingMade | FileAudited | FileFixed | FileAuditFinished
