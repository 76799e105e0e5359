"""Who is measured: a tokenizer, with the implementation that cuts by it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_conformance.research.metrics.measures.vocabulary import vocabulary_of

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.research.metrics.measures.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Row:
    """A ``tokenizer`` as the implementation described by ``info`` cuts by it, under the ``name`` that reports use.

    The name is that of the tokenizer, with that of the implementation where there are several. ``vocabulary`` is what
    the file says about its ids.
    """

    name: str
    tokenizer: TokenizerFile
    info: ImplementationInfo
    vocabulary: Vocabulary


def rows_of(tokenizers: tuple[TokenizerFile, ...], implementations: tuple[ImplementationInfo, ...]) -> tuple[Row, ...]:
    """Return a row for every tokenizer with every implementation."""
    several = len(implementations) > 1
    rows = []
    for each in tokenizers:
        vocabulary = vocabulary_of(json.loads(Path(each.source.file).read_bytes()))
        rows += [
            Row(f"{each.source.name} by {info.name}" if several else each.source.name, each, info, vocabulary)
            for info in implementations
        ]
    return tuple(rows)
