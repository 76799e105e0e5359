"""A comparison of tokenizers from beginning to end."""

from __future__ import annotations

import math
import time
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import combinations, islice
from typing import TYPE_CHECKING

from msgspec import UNSET
from msgspec.structs import replace

from tokenizer_adapters.contract import CannotLoadError, Failed
from tokenizer_adapters.protocol.client import in_words
from tokenizer_adapters.protocol.process import Limits
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.command_io.interrupts import INTERRUPTS
from tokenizer_conformance.command_io.pools import Engine, is_done_here, pool_of
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.command_io.stopping import Stop
from tokenizer_conformance.command_io.worker_pool import answers_in_order
from tokenizer_conformance.command_io.worker_process import program
from tokenizer_conformance.comparison.loading_errors import why_not_loaded
from tokenizer_conformance.defaults import COMPARED_EXAMPLES
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.research.cuts.carriers import carriers
from tokenizer_conformance.research.cuts.counting import (
    Batch,
    Counted,
    Counting,
    Pairs,
    Setup,
    batches,
    begin,
    nothing_counted,
    numbers_of_blocks,
)
from tokenizer_conformance.research.cuts.experiments import Laboratory
from tokenizer_conformance.research.cuts.parts import part_counts
from tokenizer_conformance.research.cuts.regions import PlacedText, regions_between
from tokenizer_conformance.research.cuts.sides import NO_OFFSETS, TRAITS, side_of
from tokenizer_conformance.research.cuts.tally import PairTally
from tokenizer_conformance.research.segmentation.segmenter import segmenter
from tokenizer_conformance.results.records import cuts as lines
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.making import (
    LastLine,
    header_of,
    implementation_of,
    last_line,
    made,
    tokenizer_file_of,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from tokenizer_adapters.contract import Implementation
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.command_io.shard import Shard
    from tokenizer_conformance.inputs.corpus import Inputs
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.rejected import Rejected
    from tokenizer_conformance.research.cuts.sides import CuttingTokenizer

ALL_EXAMPLES = 1 << 30
"""Of one text every region is shown."""

PROBE = "a b"
"""A text that every implementation is asked about first: does it show offsets?"""


_OfText = lines.Text | lines.Failures | lines.Pair | lines.PartCounts
ComparisonEvent = lines.Header | InputRefused | lines.Tokenizer | headers.Refused | _OfText | LastLine


def is_ending(event: object) -> bool:
    """Return whether ``event`` shows that the comparison ends: the last one, and what an interrupt has left to tell."""
    is_left = isinstance(event, lines.PartCounts) or (isinstance(event, lines.Pair) and not event.finished)
    return is_left or isinstance(event, LastLine)


@dataclass(frozen=True, slots=True)
class ComparePlan:
    """A comparison of ``tokenizers``, each of which one of the ``implementations`` has to itself.

    It is of one ``text``, which is shown, or of a ``corpus`` where that is ``None``. Every tokenizer is compared with
    the first, or with ``all_pairs`` with every one before it. So many ``examples`` are given of a kind. With more than
    one of ``jobs``, so many processes of the ``engine`` cut the corpus; each builds the implementation as ``word`` has
    ``selected`` it. Of a ``shard`` what was counted is told; what was ``merged`` of such parts takes the place of the
    corpus.
    """

    tokenizers: tuple[TokenizerFile, ...]
    implementations: tuple[Implementation, ...]
    text: str | None
    corpus: Inputs
    all_pairs: bool = False
    examples: int = COMPARED_EXAMPLES
    refusals: tuple[Rejected, ...] = ()
    command: tuple[str, ...] = ()
    word: str = ""
    jobs: int = 1
    engine: Engine = Engine.LOCAL
    selected: Selected | None = None
    shard: Shard | None = None
    merged: Merged | None = None


@dataclass(frozen=True, slots=True)
class Merged:
    """What the parts of a comparison have ``counted`` in ``seconds``.

    ``is_whole``: none of them is missing, and all came to their ends; ``is_broken``: an error of ours ended one.
    ``is_partial`` wants the result of those that are there.
    """

    parts: tuple[headers.MergedPart, ...]
    counted: Counted
    inputs: headers.Inputs
    seconds: float
    is_whole: bool
    is_broken: bool
    is_partial: bool


def compare(plan: ComparePlan) -> Generator[ComparisonEvent | InternalError]:
    """Carry out ``plan`` and yield what happens.

    A ``KeyboardInterrupt`` ends it early, and what was counted until then is told; so it is after an error that nobody
    expected.
    """
    return _Comparison(plan).events()


class _Comparison:
    def __init__(self, plan: ComparePlan) -> None:
        self._plan = plan
        self._began = time.monotonic()
        self._tallies: list[PairTally] = []
        self._told = 0
        self._differing = self._refused = 0
        self._counted = nothing_counted(())

    def events(self) -> Generator[ComparisonEvent | InternalError]:
        stop = Stop()
        yield self._header()
        yield from stop.guard(self._work())
        if stop.conclusion is not None:
            yield from self._left()
        yield last_line(
            lines.Footer,
            stop.conclusion or self._conclusion(),
            time.monotonic() - self._began + (self._plan.merged.seconds if self._plan.merged else 0),
            finished=stop.conclusion is None and not self._lacking,
            texts=self._counted.texts,
            pairs=len(self._tallies),
            differing=self._differing,
            failed=self._refused + sum(each.texts for each in self._counted.failures.values()),
        )

    def _header(self) -> lines.Header:
        plan = self._plan
        inputs = headers.Inputs(count=plan.corpus.count, sha256=plan.corpus.sha256)
        return lines.Header(
            **header_of(lines.FORMAT, current_environment(plan.command)),
            implementation=implementation_of(plan.implementations[0].info),
            tokenizers=tuple(map(tokenizer_file_of, plan.tokenizers)),
            of="corpus" if plan.text is None else "text",
            inputs=plan.merged.inputs if plan.merged else inputs,
            selected_by=plan.word,
            all_pairs=plan.all_pairs,
            examples=plan.examples,
            shard=UNSET if plan.shard is None else made(headers.Shard, plan.shard),
            merged=plan.merged.parts if plan.merged else UNSET,
        )

    @property
    def _lacking(self) -> bool:
        """Whether something is missing of the parts that are merged."""
        return self._plan.merged is not None and not self._plan.merged.is_whole

    def _work(self) -> Iterator[ComparisonEvent]:
        yield from map(InputRefused, self._plan.refusals)
        with ExitStack() as stack:
            files, sides = yield from self._loaded(stack)
            if sides:
                yield from self._compared(files, sides)

    def _conclusion(self) -> Conclusion:
        plan, merged = self._plan, self._plan.merged
        return conclusion_from(
            {
                Conclusion.INTERNAL_ERROR: merged and merged.is_broken,
                Conclusion.BAD_INPUT: plan.refusals,
                Conclusion.INCOMPLETE: merged and not merged.is_whole and not merged.is_partial,
                Conclusion.IMPLEMENTATION_FAILED: self._refused or self._counted.failures,
                Conclusion.NOTHING_COMPARED: not self._counted.texts and plan.shard is None,
            }
        )

    def _compared(self, files: list[TokenizerFile], sides: list[CuttingTokenizer]) -> Iterator[ComparisonEvent]:
        numbers = range(len(sides))
        pairs: Pairs = tuple(combinations(numbers, 2) if self._plan.all_pairs else ((0, n) for n in numbers[1:]))
        counting = Counting(sides, pairs)
        self._counted = nothing_counted(pairs)
        self._tallies = [PairTally(Laboratory(sides[a], sides[b])) for a, b in pairs]
        for tally, counts in zip(self._tallies, self._counted.pairs, strict=True):
            tally.counts = counts
        if self._plan.merged is not None:
            self._counted.merge(self._plan.merged.counted)
        elif self._plan.text is not None:
            yield self._shown(counting, sides, self._plan.text)
        else:
            self._read(counting, Setup(self._plan.selected, tuple(files), pairs) if self._plan.selected else None)
        yield from self._counted.failures.values()
        yield from self._results()

    def _loaded(
        self, stack: ExitStack
    ) -> Generator[ComparisonEvent, None, tuple[list[TokenizerFile], list[CuttingTokenizer]]]:
        """Load every tokenizer, and return those that show how they cut texts."""
        files, sides = [], []
        for tokenizer, implementation in zip(self._plan.tokenizers, self._plan.implementations, strict=True):
            STATUS.begin("loading", tokenizer.source.name)
            try:
                side = side_of(tokenizer, stack.enter_context(segmenter(implementation, tokenizer.source)))
            except CannotLoadError as error:
                yield self._refusal(tokenizer, why_not_loaded(error, tokenizer.source))
                continue
            (probe,) = side.cut([PROBE])
            if isinstance(probe, Failed) and probe.kind == NO_OFFSETS:
                yield self._refusal(tokenizer, f"{tokenizer.source.name}: {probe.message}, so they have no places")
                continue
            files.append(tokenizer)
            sides.append(side)
            ignores = {trait.name: trait.name in side.facts.ignored for trait in TRAITS}
            yield lines.Tokenizer(name=side.name, unknown=side.facts.unknown, ignores=ignores)
        return files, sides

    def _refusal(self, tokenizer: TokenizerFile, reason: str) -> headers.Refused:
        self._refused += 1
        return headers.Refused(what="tokenizer", name=tokenizer.source.name, reason=reason)

    def _results(self) -> Iterator[lines.Pair | lines.PartCounts]:
        for number, tally in enumerate(self._tallies):
            if self._plan.shard is not None:
                yield self._part(tally)
                continue
            STATUS.begin("trying the causes of examples")
            result = tally.result(self._plan.examples if self._plan.text is None else ALL_EXAMPLES)
            if tally.counts.kept.differing:
                STATUS.begin("exchanging parts of the two files")
                two = (tally.laboratory.first, tally.laboratory.second)
                exchanged = carriers(self._plan.implementations[0], *two, tally.counts.kept)
                result = replace(result, exchanged=exchanged)
            self._told = number + 1
            self._differing += bool(result.cut_regions)
            yield replace(result, finished=not self._lacking)

    def _part(self, tally: PairTally) -> lines.PartCounts:
        self._told += 1
        line = part_counts(tally.laboratory.first.name, tally.laboratory.second.name, tally.counts)
        self._differing += any(each.ways for each in line.ways)
        return line

    def _left(self) -> Iterator[lines.Pair | lines.PartCounts]:
        """Yield what was counted before an interrupt and not told yet."""
        for tally in self._tallies[self._told :] if self._counted.texts else ():
            if self._plan.shard is not None:
                yield self._part(tally)
                continue
            result = tally.result(self._plan.examples, tries=False)
            self._differing += bool(result.cut_regions)
            yield result

    # Texts

    def _shown(self, counting: Counting, sides: list[CuttingTokenizer], text: str) -> lines.Text:
        STATUS.begin("cutting the text")
        inputs = [Input("TEXT", "TEXT", text)]
        cuts = [counting.cut(side, inputs) for side in sides]
        self._counted.merge(counting.counted(cuts, inputs))
        first = cuts[0][0]
        rows = []
        for side, (each,) in zip(sides, cuts, strict=True):
            if not isinstance(each, PlacedText):
                rows.append(lines.CutText(tokenizer=side.name, reason=in_words(each)))
                continue
            found = regions_between(first, each) if isinstance(first, PlacedText) else ()
            stretches = tuple((region.start, region.end) for region in found if not region.has_same_tokens)
            tokens = tuple(made(lines.Token, token, unknown=token.is_unknown) for token in each.tokens)
            rows.append(lines.CutText(tokenizer=side.name, tokens=tokens, differing=stretches))
        return lines.Text(text=text, cuts=tuple(rows))

    def _read(self, counting: Counting, setup: Setup | None) -> None:
        numbers = range(self._plan.corpus.count)
        if self._plan.shard is not None:
            STATUS.begin("sharing the inputs out")
            numbers = numbers_of_blocks(self._plan.shard, (each.input for each in self._plan.corpus))
        mine = islice(self._plan.corpus, numbers.start, numbers.stop)
        STATUS.begin("comparing")
        for batch, counted in self._counting_of(batches(each.input for each in mine), counting, setup):
            with INTERRUPTS.held():  # or an interrupt might leave a text counted in part
                self._counted.merge(counted)
                if batch.ends_block:
                    self._counted.end_block()
            INTERRUPTS.answer()
            STATUS.reach(Place("inputs", self._counted.texts, len(numbers)))

    def _counting_of(
        self, tasks: Iterator[Batch], counting: Counting, setup: Setup | None
    ) -> Iterator[tuple[Batch, Counted]]:
        """Yield the batches of ``tasks`` in their order, and what was counted of each."""
        if is_done_here(self._plan.engine, self._plan.jobs) or setup is None:
            yield from ((batch, counting.count(batch)) for batch in tasks)
            return
        doing, engine, jobs = program("a process that compares"), self._plan.engine, self._plan.jobs
        with pool_of(engine, doing, partial(begin, setup), jobs, Limits(), math.inf) as pool:
            yield from answers_in_order(pool, tasks, "compares")
