"""The parts of a comparison, made into the whole one: its tokenizers are loaded again, and causes are tried."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET

from tokenizer_adapters.contract import TokenizerSource
from tokenizer_adapters.selection import Isolation
from tokenizer_conformance.cli.choosing import chosen
from tokenizer_conformance.cli.registered import ImplementationError, is_registered
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.parts import missing, state_of
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.inputs.corpus import read_corpus
from tokenizer_conformance.inputs.tokenizer_files import read_tokenizer
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.research.cuts.counting import Counted
from tokenizer_conformance.research.cuts.engine import ComparePlan, Merged, compare
from tokenizer_conformance.research.cuts.parts import counts_in
from tokenizer_conformance.results.records import cuts as lines
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.lines import wrong_line

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.command_io.recorded_lines import RecordedLines
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.research.cuts.engine import ComparisonEvent


@dataclass(frozen=True, slots=True)
class RecordedPart:
    """The record of a part, ``read``, with its ends, and what it has counted; ``None`` where it was killed.

    ``refusals`` are of what was given and cannot be used; tokenizers that cannot be loaded are tried again.
    """

    read: RecordedLines
    header: lines.Header
    footer: lines.Footer | None = None
    counted: Counted | None = None
    refusals: tuple[Rejected, ...] = ()


def comparison_of(read: RecordedLines) -> RecordedPart:
    """Return the part of a comparison that was ``read``. Raises :class:`BadInputError`."""
    found = []
    for number, line in enumerate(read.lines, 1):
        try:
            found.append(lines.FORMAT.read(line))
        except msgspec.ValidationError as error:
            raise wrong_line(read.path, number, error) from error
    header, footer = found[0], found[-1]
    if not isinstance(header, lines.Header):
        raise read.fault(1, "it is no header")
    if not isinstance(footer, lines.Footer):
        return RecordedPart(read, header)
    pairs = [counts_in(line) for line in found if isinstance(line, lines.PartCounts)]
    failures = {line.name: line for line in found if isinstance(line, lines.Failures)}
    names = {each.name for each in header.tokenizers}
    refused = (line for line in found if isinstance(line, headers.Refused) and line.name not in names)
    refusals = tuple(Rejected(line.what, line.name, line.reason) for line in refused)
    return RecordedPart(read, header, footer, Counted(footer.texts, pairs, failures), refusals)


def merged_comparison(parts: Sequence[RecordedPart], *, partial: bool) -> Generator[ComparisonEvent | InternalError]:
    """Return the events of the whole comparison of ``parts``, in their order.

    Raises :class:`BadInput` where a tokenizer is not there any more or is another one, :class:`ImplementationError`
    where the implementation is.
    """
    header = parts[0].header
    tokenizers = tuple(map(_tokenizer, header.tokenizers))
    with ExitStack() as stack:
        implementations = tuple(_implementation(stack, header) for _ in tokenizers)
        kept = stack.pop_all()
    empty, _ = read_corpus([])
    plan = ComparePlan(
        tokenizers=tokenizers,
        implementations=implementations,
        text=None,
        corpus=empty,
        all_pairs=header.all_pairs is True,
        examples=0 if header.examples is UNSET else header.examples,
        refusals=tuple(dict.fromkeys(each for part in parts for each in part.refusals)),
        command=("tokconf", *sys.argv[1:]),
        word=header.selected_by or "",
        merged=_merged(parts, is_partial=partial),
    )
    return _ending(kept, plan)


def _ending(stack: ExitStack, plan: ComparePlan) -> Generator[ComparisonEvent | InternalError]:
    with stack:
        yield from compare(plan)


def _merged(parts: Sequence[RecordedPart], *, is_partial: bool) -> Merged:
    there = [part.counted for part in parts if part.counted is not None]
    if not there:
        raise BadInput("no part has counted anything; make them again")
    first, *later = there
    for part in later:
        if len(part.pairs) != len(first.pairs):
            raise BadInput("not all parts have loaded the same tokenizers; make them again where all can be loaded")
        first.merge(part)
    footers = [part.footer for part in parts if part.footer is not None]
    is_broken = any(footer.conclusion is Conclusion.INTERNAL_ERROR for footer in footers)
    return Merged(
        parts=tuple(
            headers.MergedPart(
                name=part.read.path.name,
                shard=part.header.part,
                environment=part.header.environment,
                state=state_of(part.read),
            )
            for part in parts
            if part.header.part is not None
        ),
        counted=first,
        inputs=parts[0].header.inputs,
        seconds=sum(footer.seconds for footer in footers),
        is_whole=not (is_broken or missing([part.read for part in parts])),
        is_broken=is_broken,
        is_partial=is_partial,
    )


def _tokenizer(recorded: headers.TokenizerFile) -> TokenizerFile:
    try:
        found = read_tokenizer(TokenizerSource(recorded.name, recorded.file))
    except BadInputError as error:
        raise BadInput(f"causes are tried with the tokenizers: {error}; merge where the parts were made") from error
    if found.sha256 != recorded.sha256:
        raise BadInput(f"{recorded.file!r} is another file than when the parts were made (its SHA-256 is another one)")
    return found


def _implementation(stack: ExitStack, header: lines.Header) -> Implementation:
    """Return the implementation that cut the texts; a word that starts a program is not taken from a record."""
    word = header.selected_by or ""
    info = header.implementation
    if not is_registered(word):
        raise ImplementationError(
            f"the texts were cut by {one_line(word)!r}, which is not registered here, and no record starts a program "
            "or a class by itself: such parts cannot be merged"
        )
    choice = stack.enter_context(chosen((word,), None, Isolation(), alone=True))
    if not choice.implementations:
        raise ImplementationError(one_line(choice.unavailable[0].reason))
    (implementation,) = choice.implementations
    if implementation.info.version != info.version:
        raise ImplementationError(
            f"the texts were cut by {one_line(info.name)} {one_line(info.version)}, and "
            f"{one_line(implementation.info.version)} is installed: causes would be tried with another release"
        )
    return implementation
