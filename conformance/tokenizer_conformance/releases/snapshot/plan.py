"""What a snapshot is to be made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.blame import STAGE_ORDER

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Implementation, Stage
    from tokenizer_conformance.inputs.corpus import Corpus
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.rejected import Rejected


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotPlan:
    """One snapshot: what ``implementation``, selected by ``word``, answers at ``stages`` about ``tokenizers``.

    ``words`` name the tokenizers on a command line, by their names. ``refusals`` are of what cannot be used.
    """

    implementation: Implementation
    word: str
    tokenizers: tuple[TokenizerFile, ...]
    words: dict[str, str]
    corpus: Corpus
    refusals: tuple[Rejected, ...] = ()
    stages: tuple[Stage, ...] = STAGE_ORDER
    command: tuple[str, ...] = ()
