"""What of the inputs a run compares on each tokenizer: all of them, one of several parts, or those that failed once.

The work of a whole run is a row: the tokenizers one after the other, and of each all inputs. A part is a stretch of
that row, so most tokenizers are loaded in one part only. A text keeps the pair that it has in the whole run.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.shard import Shard, overlaps

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from tokenizer_conformance.inputs.corpus import Inputs, PairedInput

CHARACTERS_OF_AN_INPUT = 100
"""The work for an input, however short it is, in characters: about ten questions, each of them put and compared."""


@dataclass(frozen=True, slots=True)
class Portion:
    """The inputs that are compared on one tokenizer.

    Of the texts, those with the numbers (from 0) in ``texts`` (``None``: all), and of these those called by ``names``
    (``None``: all), ``count`` in number. Of the ids that are decoded alone, those called by ``names`` too, and of them
    those in ``shard``, where the tokenizer is number ``place[0]`` (from 0) of ``place[1]``.
    """

    count: int
    texts: range | None = None
    names: frozenset[str] | None = None
    shard: Shard | None = None
    place: tuple[int, int] = (0, 1)

    def of(self, corpus: Inputs) -> Iterator[PairedInput]:
        """Yield the inputs in their order."""
        inputs: Iterable[PairedInput] = corpus
        if self.texts is not None:
            inputs = islice(inputs, self.texts.start, self.texts.stop)
        names = self.names
        return (each for each in inputs if names is None or each.input.id in names)

    def of_ids(self, ids: Sequence[int], called: Mapping[int, str]) -> list[int]:
        """Return those of ``ids`` that are decoded; ``called`` leads from them to the names of the inputs."""
        named = [number for number in ids if self.names is None or called[number] in self.names]
        if self.shard is None:
            return named
        tokenizer, tokenizers = self.place
        before = [tokenizer * len(named) + number for number in range(len(named))]
        stretch = self.shard.stretch(before, tokenizers * len(named)) if named else range(0)
        return named[stretch.start : stretch.stop]

    def is_empty(self, *, with_ids: bool) -> bool:
        """Return whether there is nothing to compare; ``with_ids`` says that ids are decoded alone too."""
        if self.count:
            return False
        if self.shard is not None:
            return not (with_ids and overlaps(self.shard, *self.place))
        return self.names is not None and not self.names


def portions_of_shard(shard: Shard, tokenizers: Sequence[str], corpus: Inputs) -> dict[str, Portion]:
    """Return what is in ``shard``, by the names of all ``tokenizers``. Reads the corpus once.

    Raises :class:`~tokenizer_conformance.errors.BadInputError` where a file of inputs can no longer be read.
    """
    before: list[int] = []
    work = 0
    for each in corpus:
        before.append(work)
        work += CHARACTERS_OF_AN_INPUT + len(each.input.text) + len(each.following.text)
    portions = {}
    for number, name in enumerate(tokenizers):
        begins = number * work
        texts = (
            shard.stretch([begins + each for each in before], len(tokenizers) * work)
            if overlaps(shard, number, len(tokenizers)) and before
            else range(0)
        )
        portions[name] = Portion(len(texts), texts=texts, shard=shard, place=(number, len(tokenizers)))
    return portions


def portions_of_names(names: Mapping[str, Collection[str] | None], corpus: Inputs) -> dict[str, Portion]:
    """Return the inputs with these ``names``, by the name of the tokenizer; ``None`` stands for all inputs.

    Reads the corpus once. Raises :class:`~tokenizer_conformance.errors.BadInputError` where a file of inputs can no
    longer be read.
    """
    wanted = {tokenizer: None if ids is None else frozenset(ids) for tokenizer, ids in names.items()}
    counts = dict.fromkeys(wanted, 0)
    for each in corpus:
        for tokenizer, ids in wanted.items():
            counts[tokenizer] += ids is None or each.input.id in ids
    return {tokenizer: Portion(counts[tokenizer], names=ids) for tokenizer, ids in wanted.items()}
