"""What a run is given is found and read before it begins: tokenizers, texts, and what of both cannot be used.

A tokenizer is refused by the size of its file where loading it would take too much memory of this process. A process of
its own has a limit, and only it ends there; what takes all memory here takes the run with it, and often the machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.standard_streams import complain
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.bundled import bundled_names, named
from tokenizer_conformance.inputs.corpus import read_corpus
from tokenizer_conformance.inputs.hub import PREFIX
from tokenizer_conformance.inputs.sources import NamedSource, sources_of
from tokenizer_conformance.inputs.tokenizer_files import FILE_NAME, locate, read_tokenizer, with_unique_names
from tokenizer_conformance.rejected import Rejected

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from tokenizer_conformance.inputs.corpus import Corpus, Selection
    from tokenizer_conformance.inputs.text import Input, Split
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

BUILT_IN = "built-in inputs"

Sources = list[tuple[str, "Iterable[Input]"]]
"""Where inputs come from, each source with its name."""


@dataclass(frozen=True, slots=True)
class Given:
    """What can be used of what was given, and what cannot."""

    tokenizers: tuple[TokenizerFile, ...]
    corpus: Corpus
    refusals: tuple[Rejected, ...]


@dataclass(frozen=True, slots=True)
class MemoryLimit:
    """The implementations that load tokenizers ``in_process``, and how much memory they may take for one together.

    That is ``size`` bytes, ``None`` where there is no limit.
    """

    in_process: Collection[str] = ()
    size: int | None = None


def given_sources(words: Sequence[str], column: str | None, splits: Sequence[Split]) -> list[NamedSource]:
    """Return the sources that ``words`` name.

    Raises :class:`click.UsageError` where one is empty, which would be this folder, or where none has the ``column``.
    """
    if not all(words):
        raise click.UsageError("--inputs: an empty name names no file; is a variable not set?")
    sources = sources_of(words, column, splits)
    if column is not None and not any(source.has_columns for source in sources):
        raise click.UsageError("--column is about tables (JSON Lines, Parquet, Arrow, datasets); --inputs names none")
    return sources


def all_sources(given: Sequence[NamedSource], *, builtin: bool) -> Sources:
    """Return where inputs come from: the built-in inputs where these are wanted, and what is ``given``.

    Raises :class:`click.UsageError` where there is none.
    """
    sources: Sources = [(BUILT_IN, builtin_inputs())] if builtin else []
    sources += [(source.word, source) for source in given]
    if not sources:
        raise click.UsageError("no inputs: --no-builtin leaves none, and no file is given with --inputs")
    return sources


def gather(
    arguments: Sequence[str], sources: Sources, selection: Selection, limit: MemoryLimit, *, may_be_empty: bool = False
) -> Given:
    """Find the tokenizers that ``arguments`` name (the first bundled ones by default), and read the ``sources``.

    What cannot be used does not keep the rest from being used. ``may_be_empty`` says that a run without any of the
    inputs has something to compare. Raises :class:`BadInput` where nothing is left, once all that is wrong is said but
    the last, and :class:`click.UsageError` where no input is selected.
    """
    found, refusals = _find_tokenizers(named(arguments), limit)
    corpus, bad_files = read_corpus(_said(sources), selection, partial(refuse_too_long, limit=limit.size))
    refusals += map(_hinted, bad_files)
    _say_what_is_left_out(sources)
    if corpus.count == 0 and not bad_files and not may_be_empty:
        raise click.UsageError(f"no input {_in_words(selection)}")
    if not found or (corpus.count == 0 and not may_be_empty):
        # There is nothing to run; say all that is wrong at once.
        *others, last = refusals
        for refusal in others:
            complain(refusal.reason)
        raise BadInput(last.reason)
    return Given(tuple(found), corpus, tuple(refusals))


def _said(sources: Sources) -> Iterator[tuple[str, Iterable[Input]]]:
    """Yield ``sources``, and say of each that it is being read."""
    for name, source in sources:
        STATUS.begin("reading inputs", name)
        yield name, source


def _say_what_is_left_out(sources: Sources) -> None:
    for _, source in sources:
        left_out = source.said_of_left_out() if isinstance(source, NamedSource) else None
        if left_out is not None:
            complain(left_out)


def word_for(tokenizer: TokenizerFile) -> str:
    """Return the word that names ``tokenizer`` on a command line, on the hub with its commit."""
    source, snapshot = tokenizer.source, tokenizer.snapshot
    if snapshot is not None:
        return f"{PREFIX}{snapshot.repository}@{snapshot.commit}"
    return source.name if source.name in bundled_names() else source.folder or source.file


def _in_words(selection: Selection) -> str:
    named = ", ".join(f"--only {name!r}" for name in sorted(selection.ids))
    matching = f"-k {selection.substring!r}" if selection.substring else ""
    return f"matches {' and '.join(filter(None, (matching, named)))}"


def _hinted(refusal: Rejected) -> Rejected:
    """Return the refusal of a file of texts, with what to do where a TOKENIZER was taken for one."""
    if refusal.name in bundled_names() or (Path(refusal.name) / FILE_NAME).exists():
        reason = f"{refusal.reason}; if a TOKENIZER is meant, it stands before the options"
        return Rejected(refusal.what, refusal.name, reason)
    return refusal


def _find_tokenizers(arguments: Sequence[str], limit: MemoryLimit) -> tuple[list[TokenizerFile], list[Rejected]]:
    refusals: list[Rejected] = []
    located = []
    for argument in arguments:
        STATUS.begin("finding tokenizers", argument)
        try:
            located.append(locate(argument))
        except BadInputError as error:
            refusals.append(Rejected("tokenizer", argument, str(error)))
    snapshots = {each.source.file: each.snapshot for each in located}
    found = []
    for source in with_unique_names(each.source for each in located):
        STATUS.begin("reading tokenizers", source.name)
        try:
            tokenizer = read_tokenizer(source, snapshots[source.file])
        except BadInputError as error:
            refusals.append(Rejected("tokenizer", source.name, str(error)))
            continue
        too_large = refusal_of(tokenizer, limit.in_process, limit.size)
        if too_large is None:
            found.append(tokenizer)
        else:
            refusals.append(too_large)
    return found, refusals


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


OF_A_CHARACTER = 1500
"""How many bytes of memory the answers about a text take for each of its characters.

That is what texts of 500,000 and 2,000,000 characters took with two implementations, all stages and fields.
"""


def refuse_too_long(text: Input, limit: int | None) -> None:
    """Raise :class:`BadInputError` for a ``text`` the answers to which would take more than ``limit`` bytes."""
    needed = len(text.text) * OF_A_CHARACTER
    if limit is not None and needed > limit:
        raise BadInputError(
            f"input {text.id!r} has {len(text.text):,} characters: an input and all answers to it are held in memory, "
            f"here about {_mb(needed):,} MB, and --memory allows {_mb(limit):,}; cut it into several, or give "
            f"--memory {_mb(needed)}"
        )


def _mb(size: int) -> int:
    """Return ``size`` in whole MB, rounded up."""
    return -(-size // MB)
