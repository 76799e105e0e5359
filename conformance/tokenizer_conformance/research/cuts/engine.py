"""A comparison of tokenizers from beginning to end."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tokenizer_adapters.contract import CannotLoadError, Failed
from tokenizer_adapters.protocol.client import in_words
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.command_io.interrupts import INTERRUPTS
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.command_io.stopping import Stop
from tokenizer_conformance.comparison.loading_errors import why_not_loaded
from tokenizer_conformance.defaults import COMPARED_EXAMPLES
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.research.cuts.carriers import carriers
from tokenizer_conformance.research.cuts.experiments import Laboratory
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
    from collections.abc import Generator, Iterable, Iterator

    from tokenizer_adapters.contract import Implementation, WithoutValue
    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.inputs.corpus import Inputs
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.rejected import Rejected
    from tokenizer_conformance.research.cuts.sides import CuttingTokenizer

AT_ONCE = 64
"""How many texts are cut at once, at most."""

CHARACTERS_AT_ONCE = 1 << 18
"""After how many characters no further text is taken along."""

ALL_EXAMPLES = 1 << 30
"""Of one text every region is shown."""

PROBE = "a b"
"""A text that every implementation is asked about first: does it show offsets?"""


_OfText = lines.Text | lines.Failures | lines.Pair
ComparisonEvent = lines.Header | InputRefused | lines.Tokenizer | headers.Refused | _OfText | LastLine


def is_ending(event: object) -> bool:
    """Return whether ``event`` shows that the comparison ends: the last one, and what an interrupt has left to tell."""
    return isinstance(event, LastLine) or (isinstance(event, lines.Pair) and not event.finished)


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
    examples: int = COMPARED_EXAMPLES
    refusals: tuple[Rejected, ...] = ()
    command: tuple[str, ...] = ()


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
        self._tallies: list[tuple[int, int, PairTally]] = []
        self._told = 0
        self._texts = self._differing = self._refused = 0
        self._failures: dict[str, lines.Failures] = {}

    def events(self) -> Generator[ComparisonEvent | InternalError]:
        plan, stop = self._plan, Stop()
        yield lines.Header(
            **header_of(lines.FORMAT, current_environment(plan.command)),
            implementation=implementation_of(plan.implementations[0].info),
            tokenizers=tuple(map(tokenizer_file_of, plan.tokenizers)),
            of="corpus" if plan.text is None else "text",
            inputs=headers.Inputs(count=plan.corpus.count, sha256=plan.corpus.sha256),
        )
        yield from stop.guard(self._work())
        if stop.conclusion is not None:
            yield from self._left()
        yield last_line(
            lines.Footer,
            stop.conclusion or self._conclusion(),
            time.monotonic() - self._began,
            finished=stop.conclusion is None,
            texts=self._texts,
            pairs=len(self._tallies),
            differing=self._differing,
            failed=self._refused + sum(each.texts for each in self._failures.values()),
        )

    def _work(self) -> Iterator[ComparisonEvent]:
        yield from map(InputRefused, self._plan.refusals)
        with ExitStack() as stack:
            sides = yield from self._loaded(stack)
            if sides:
                yield from self._compared(sides)

    def _conclusion(self) -> Conclusion:
        return conclusion_from(
            {
                Conclusion.BAD_INPUT: self._plan.refusals,
                Conclusion.IMPLEMENTATION_FAILED: self._refused or self._failures,
                Conclusion.NOTHING_COMPARED: not self._texts,
            }
        )

    def _compared(self, sides: list[CuttingTokenizer]) -> Iterator[ComparisonEvent]:
        pairs = combinations(range(len(sides)), 2) if self._plan.all_pairs else ((0, n) for n in range(1, len(sides)))
        self._tallies = [(a, b, PairTally(Laboratory(sides[a], sides[b]))) for a, b in pairs]
        if self._plan.text is not None:
            yield self._shown(sides, self._plan.text)
        else:
            self._read(sides)
        yield from self._failures.values()
        yield from self._results()

    def _loaded(self, stack: ExitStack) -> Generator[ComparisonEvent, None, list[CuttingTokenizer]]:
        """Load every tokenizer, and return those that show how they cut texts."""
        sides = []
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
            sides.append(side)
            ignores = {trait.name: trait.name in side.facts.ignored for trait in TRAITS}
            yield lines.Tokenizer(name=side.name, unknown=side.facts.unknown, ignores=ignores)
        return sides

    def _refusal(self, tokenizer: TokenizerFile, reason: str) -> headers.Refused:
        self._refused += 1
        return headers.Refused(what="tokenizer", name=tokenizer.source.name, reason=reason)

    def _results(self) -> Iterator[lines.Pair]:
        for number, (_, _, tally) in enumerate(self._tallies):
            STATUS.begin("trying the causes of examples")
            result = tally.result(self._plan.examples if self._plan.text is None else ALL_EXAMPLES)
            if tally.kept.differing:
                STATUS.begin("exchanging parts of the two files")
                two = (tally.laboratory.first, tally.laboratory.second)
                exchanged = carriers(self._plan.implementations[0], *two, tally.kept)
                result = replace(result, exchanged=exchanged)
            self._told = number + 1
            self._differing += bool(result.cut_regions)
            yield result

    def _left(self) -> Iterator[lines.Pair]:
        """Yield what was counted before an interrupt and not told yet."""
        for _, _, tally in self._tallies[self._told :] if self._texts else ():
            result = tally.result(self._plan.examples, tries=False)
            self._differing += bool(result.cut_regions)
            yield result

    # Texts

    def _shown(self, sides: list[CuttingTokenizer], text: str) -> lines.Text:
        STATUS.begin("cutting the text")
        cuts = [self._cut(side, [Input("TEXT", "TEXT", text)])[0] for side in sides]
        self._count(cuts)
        first = cuts[0]
        rows = []
        for side, each in zip(sides, cuts, strict=True):
            if not isinstance(each, PlacedText):
                rows.append(lines.CutText(tokenizer=side.name, reason=in_words(each)))
                continue
            found = regions_between(first, each) if isinstance(first, PlacedText) else ()
            stretches = tuple((region.start, region.end) for region in found if not region.has_same_tokens)
            tokens = tuple(made(lines.Token, token, unknown=token.is_unknown) for token in each.tokens)
            rows.append(lines.CutText(tokenizer=side.name, tokens=tokens, differing=stretches))
        return lines.Text(text=text, cuts=tuple(rows))

    def _read(self, sides: list[CuttingTokenizer]) -> None:
        total = self._plan.corpus.count
        done = 0
        STATUS.begin("comparing")
        for batch in _batches(each.input for each in self._plan.corpus):
            STATUS.reach(Place("inputs", done, total))
            cuts = [self._cut(side, batch) for side in sides]
            with INTERRUPTS.held():  # or an interrupt might leave a text counted in part
                for of_text in zip(*cuts, strict=True):
                    self._count(of_text)
            INTERRUPTS.answer()
            done += len(batch)

    def _cut(self, side: CuttingTokenizer, inputs: list[Input]) -> list[PlacedText | WithoutValue]:
        STATUS.at("cutting", side.name)
        cuts = side.cut([each.text for each in inputs])
        for each, found in zip(inputs, cuts, strict=True):
            if not isinstance(found, PlacedText):
                first = lines.Failures(name=side.name, texts=0, input=each.id, reason=in_words(found))
                failures = self._failures.get(side.name, first)
                self._failures[side.name] = replace(failures, texts=failures.texts + 1)
        return cuts

    def _count(self, cuts: Iterable[PlacedText | WithoutValue]) -> None:
        """Count one text as all cut it, with every pair that has cut it."""
        of_text = list(cuts)
        self._texts += 1
        for a, b, tally in self._tallies:
            first, second = of_text[a], of_text[b]
            if isinstance(first, PlacedText) and isinstance(second, PlacedText):
                tally.take(first, second)


def _batches(inputs: Iterable[Input]) -> Iterator[list[Input]]:
    """Yield the inputs in lists that memory can hold the answers to."""
    batch: list[Input] = []
    characters = 0
    for each in inputs:
        batch.append(each)
        characters += len(each.text)
        if len(batch) >= AT_ONCE or characters >= CHARACTERS_AT_ONCE:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch
