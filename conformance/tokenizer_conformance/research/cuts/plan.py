"""What a comparison of tokenizers is asked to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.inputs.corpus import Inputs
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.rejected import Rejected

DEFAULT_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class ComparePlan:
    """A comparison of ``tokenizers``, each of which one of the ``implementations`` has to itself.

    It is of one ``text``, which is shown, or of a ``corpus`` where that is ``None``. Every tokenizer is compared with
    the first, or with ``all_pairs`` with every one before it. So many ``examples`` are given of a kind.
    """

    tokenizers: tuple[TokenizerFile, ...]
    implementations: tuple[Implementation, ...]
    text: str | None
    corpus: Inputs
    all_pairs: bool = False
    examples: int = DEFAULT_EXAMPLES
    refusals: tuple[Rejected, ...] = ()
    command: tuple[str, ...] = ()
