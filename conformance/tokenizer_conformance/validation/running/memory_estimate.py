"""How much memory the implementations that answer in this process will take for a tokenizer, told before any loads it.

A process of its own has a limit, and only it ends there. This process has none: what takes all memory here takes the
run with it, and often the machine. So what would take too much is refused, by the size of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.rejected import Rejected

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

MB = 1 << 20

UNIGRAM = "Unigram"

FACTORS: Mapping[str, int] = {"reference": 19, "tokenizers": 23, "transformers": 28}
"""Bytes of memory per byte of a ``tokenizer.json``, by the implementation that loads it, for all models but Unigram.

Measured by ``benchmarks/load_memory.py`` with Python 3.11 and the versions of constraints.txt: the peak of resident
memory while loading, over the size of the file. These are the largest factors, rounded up, of BPE and WordPiece files
of 20, 50 and 100 MiB with random tokens (``transformers`` with a class that builds the pipeline anew). Real checkpoints
of 0.6 to 3.3 MB give less or, where the file is so small that fixed costs count, up to 29, 18 and 48.
"""

UNIGRAM_FACTORS: Mapping[str, int] = {"reference": 63, "tokenizers": 79, "transformers": 102}
"""The same for Unigram, whose tries of random tokens are as large as tries get; real ones gave 11 to 23, 10 to 24 and
17 to 40."""


def loading_memory(implementation: str, tokenizer: TokenizerFile) -> int:
    """Return how many bytes of memory ``implementation`` takes at most to load ``tokenizer``.

    It is an estimate, good for files of some megabytes and more; 0 where that was not measured.
    """
    factors = UNIGRAM_FACTORS if tokenizer.model == UNIGRAM else FACTORS
    return factors.get(implementation, 0) * tokenizer.size


def refusal_of(tokenizer: TokenizerFile, in_process: Collection[str], limit: int | None) -> Rejected | None:
    """Return why ``tokenizer`` is not loaded by the implementations ``in_process``, which hold it at the same time.

    ``limit`` is in bytes, ``None`` for none. Returns ``None`` where nothing speaks against it.
    """
    taken = {name: loading_memory(name, tokenizer) for name in in_process}
    needed = sum(taken.values())
    if limit is None or needed <= limit:
        return None
    name = tokenizer.source.name
    loading = [each for each, memory in taken.items() if memory]
    return Rejected(
        "tokenizer",
        name,
        f"tokenizer {name!r} is not loaded: for its {_mb(tokenizer.size):,} MB {', '.join(loading)} may take "
        f"{_mb(needed):,} MB in the process of tokconf, and --memory allows {_mb(limit):,}; give "
        f"--memory {_mb(needed)}, or --isolate all for processes with that limit each",
    )


def _mb(size: int) -> int:
    """Return ``size`` in whole MB, rounded up."""
    return -(-size // MB)
