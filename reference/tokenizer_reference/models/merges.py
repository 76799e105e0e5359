"""The merges of BPE: reading them, and merging the neighbours in a word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush
from itertools import pairwise, repeat
from operator import lshift, or_
from typing import TYPE_CHECKING, Any, overload

from tokenizer_reference.errors import TokenizerFileError, UpstreamFilePanicError, shown
from tokenizer_reference.json_text.value import kind

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from tokenizer_reference.json_text.value import JsonValue

Merges = Sequence[tuple[str, str]]
"""Pairs of tokens that merge, the lowest rank first."""

_VERSION = "#version"

_LONG_WORD = 40
"""From how many tokens on a heap is faster than scanning a list (measured)."""

_NO_MERGE = 2**32
"""Ranks above all others: they are 32-bit numbers in the target."""


class MergeTable:
    """The merges of two neighbours, by their ids: :meth:`rank` gives the rank of a pair, ``merged`` its new id.

    A pair that is listed twice has the rank of its last occurrence. In ``ranks`` a pair is one number,
    ``left << 32 | right``, for ids have 32 bits: the garbage collector would go through tuples again and again.
    """

    __slots__ = ("merged", "ranks", "unambiguous")

    def __init__(
        self, lefts: Sequence[int], rights: Sequence[int], merged: Sequence[int], *, unambiguous: bool
    ) -> None:
        self.ranks = dict(zip(map(or_, map(lshift, lefts, repeat(32)), rights), range(len(merged)), strict=True))
        self.merged = tuple(merged)
        self.unambiguous = unambiguous
        """Whether growing neighbours always change the id that they merge to; see :func:`merge_with_heap`."""

    def rank(self, left: int, right: int) -> int | None:
        """Return the rank of a pair, or ``None`` where it does not merge."""
        return self.ranks.get(left << 32 | right)

    def pairs(self) -> list[tuple[int, int]]:
        """Return the pairs in the order of their ranks."""
        return [(pair >> 32, pair & 0xFFFFFFFF) for pair in sorted(self.ranks, key=self.ranks.__getitem__)]


# Merging -------------------------------------------------------------------------------------------------------------
#
# Each function merges in place. `bounds` are the byte positions around the tokens of `ids`: one more than there are
# ids.


def merge(table: MergeTable, ids: list[int], bounds: list[int]) -> None:
    """Do as :func:`merge_by_definition`, in the fastest way that does."""
    if len(ids) < _LONG_WORD and table.unambiguous:
        merge_by_scanning(table, ids, bounds)
    else:
        merge_with_heap(table, ids, bounds)


def merge_by_definition(table: MergeTable, ids: list[int], bounds: list[int]) -> None:
    """Merge the neighbours of the lowest rank, of those the leftmost, until no merge is left."""
    while True:
        ranks = [(table.rank(left, right), position) for position, (left, right) in enumerate(pairwise(ids))]
        found = [(rank, position) for rank, position in ranks if rank is not None]
        if not found:
            return
        rank, position = min(found)
        ids[position : position + 2] = [table.merged[rank]]
        del bounds[position + 1]


def merge_by_scanning(table: MergeTable, ids: list[int], bounds: list[int]) -> None:
    """Do as the definition says, keeping the ranks of all neighbours in a list; the fastest way for a word."""
    rank_of = table.ranks.get
    merged = table.merged
    ranks = [rank_of(left << 32 | right, _NO_MERGE) for left, right in pairwise(ids)]
    while ranks:
        rank = min(ranks)
        if rank == _NO_MERGE:
            return
        at = ranks.index(rank)
        new = ids[at] = merged[rank]
        del ids[at + 1], bounds[at + 1], ranks[at]
        if at:
            ranks[at - 1] = rank_of(ids[at - 1] << 32 | new, _NO_MERGE)
        if at < len(ranks):
            ranks[at] = rank_of(new << 32 | ids[at + 1], _NO_MERGE)


def merge_with_heap(
    table: MergeTable, ids: list[int], bounds: list[int], dropped: Callable[[], bool] | None = None
) -> None:
    """Do as the definition says in n log n steps, with a heap of candidates (rank, position) and linked neighbours.

    A candidate is out of date when its two neighbours have changed since. As in the target, what decides that is the id
    they merge to now: where it is the same, they are merged, even if their new pair ranks later. That can only happen
    where two pairs of different lengths give one id, so not in a table that is ``unambiguous``.

    ``dropped`` is BPE-dropout (Provilkov et al. 2020): a candidate for which it says yes is put aside until another one
    has had its turn; the word is done when all that are left have been put aside in a row.
    """
    rank_of = table.ranks.get
    merged = table.merged
    size = len(ids)
    following = list(range(1, size + 1))
    preceding = list(range(-1, size - 1))
    ranks = [rank_of(left << 32 | right) for left, right in pairwise(ids)]
    heap = [rank << 32 | at for at, rank in enumerate(ranks) if rank is not None]
    heapify(heap)
    aside: list[int] = []
    while heap:
        candidate = heappop(heap)
        if dropped is not None:
            if dropped():
                aside.append(candidate)
                continue
            for other in aside:
                heappush(heap, other)
            aside.clear()
        at = candidate & 0xFFFFFFFF
        right = following[at]
        if ids[at] < 0 or right == size:
            continue
        new = merged[candidate >> 32]
        rank = rank_of(ids[at] << 32 | ids[right])
        if rank is None or merged[rank] != new:
            continue
        ids[at] = new
        ids[right] = bounds[right] = -1
        after = following[at] = following[right]
        if after < size:
            preceding[after] = at
            if (rank := rank_of(new << 32 | ids[after])) is not None:
                heappush(heap, rank << 32 | at)
        before = preceding[at]
        if before >= 0 and (rank := rank_of(ids[before] << 32 | new)) is not None:
            heappush(heap, rank << 32 | before)
    ids[:] = [id_ for id_ in ids if id_ >= 0]
    bounds[:] = [bound for bound in bounds if bound >= 0]


# Reading merges ------------------------------------------------------------------------------------------------------


class _MergeLines(Sequence[tuple[str, str]]):
    """The pairs of lines "left right", each made when it is asked for: all of them take more memory than the table."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, index: int) -> tuple[str, str]: ...

    @overload
    def __getitem__(self, index: slice) -> _MergeLines: ...

    def __getitem__(self, index: int | slice) -> tuple[str, str] | _MergeLines:
        if isinstance(index, slice):
            return _MergeLines(self._lines[index])
        left, _, right = self._lines[index].partition(" ")
        return left, right

    def __iter__(self) -> Iterator[tuple[str, str]]:
        for line in self._lines:
            left, _, right = line.partition(" ")
            yield left, right


def merges_of_lines(lines: Sequence[str], place: Callable[[int], str]) -> Merges:
    """Return the pairs of lines "left right", passing over lines that begin with ``#version``.

    ``place`` says for the index of a line where it stands, for the :class:`TokenizerFileError` that is raised for a
    line which is not two tokens with one U+0020 between them.
    """
    merges: list[str] = []
    for index, line in enumerate(lines):
        if line.startswith(_VERSION):
            continue
        if line.count(" ") != 1:
            raise TokenizerFileError(
                place(index), f"expected two tokens and one space between them, found {shown(line)}"
            )
        merges.append(line)
    return _MergeLines(merges)


def merges_from_json(value: JsonValue) -> Merges:
    """Return the pairs of an array of pairs, or of an array of strings "left right" (the older form).

    Raises :class:`TokenizerFileError` for anything else, also for an array that mixes the two.
    """
    items = value.array()
    if all(type(item) is str for item in items):
        return merges_of_lines(items, lambda index: f"{value.path}[{index}]")
    if type(items[0]) is str:
        other = next(item for item in value.items() if type(item.value) is not str)
        raise other.fail(f"expected a string of two tokens, as before it; found {kind(other.value)}")
    if not all(map(_is_pair, items)):
        raise _no_pair(next(item for item in value.items() if not _is_pair(item.value)))
    return items


def _is_pair(item: Any) -> bool:
    return type(item) is list and len(item) == 2 and type(item[0]) is type(item[1]) is str


def _no_pair(item: JsonValue) -> TokenizerFileError:
    """Return the error to raise for an item that is no pair of strings."""
    match item.value:
        case [_, _]:
            token = next(token for token in item.items() if type(token.value) is not str)
            return token.fail(f"expected a token, found {kind(token.value)}")
        case list(found):
            return item.fail(f"expected a pair of tokens, found an array of {len(found)}")
        case found:
            return item.fail(f"expected a pair of tokens, found {kind(found)}")


def place_in_json(value: JsonValue) -> Callable[[int], str]:
    """Return what gives, for the index of a merge that was read from ``value``, the JSON path where it stands."""

    def place(index: int) -> str:
        numbered = enumerate(value.array())
        read = [number for number, item in numbered if not (type(item) is str and item.startswith(_VERSION))]
        return f"{value.path}[{read[index]}]"

    return place


def merge_table(vocab: dict[str, int], merges: Merges, prefix: str, place: Callable[[int], str]) -> MergeTable:
    """Return the table of ``merges``; the merged token is the left one and the right one without its prefix.

    As in the target, the right token loses as many bytes as ``prefix`` has, whether or not it begins with it. ``place``
    says for the index of a merge where it stands, for errors: :class:`TokenizerFileError` where a token is not in
    ``vocab``, :class:`UpstreamFilePanicError` where the target panics.
    """
    cut = len(prefix.encode())
    try:
        merged = [vocab[left + (without_prefix(right, prefix) if prefix else right)] for left, right in merges]
        return MergeTable(
            [vocab[left] for left, _ in merges],
            [vocab[right] for _, right in merges],
            merged,
            unambiguous=len(set(vocab.values())) == len(vocab)
            and all(len(right) > cut or len(right.encode()) > cut for _, right in merges),
        )
    except (KeyError, ValueError):
        _refuse_first_bad_merge(vocab, merges, prefix, place)


def without_prefix(token: str, prefix: str) -> str:
    """Return ``token`` without as many UTF-8 bytes as ``prefix`` has.

    Raises :class:`ValueError` where ``token`` has not as many, or where the cut lies within a character.
    """
    if token.startswith(prefix):
        return token[len(prefix) :]
    token_bytes, length = token.encode(), len(prefix.encode())
    if len(token_bytes) < length:
        raise ValueError(f"{token!r} is shorter than the prefix {prefix!r}")
    return token_bytes[length:].decode()


def _refuse_first_bad_merge(
    vocab: dict[str, int], merges: Merges, prefix: str, place: Callable[[int], str]
) -> NoReturn:
    longest = max((len(token.encode()) for token in vocab), default=0)
    for index, (left, right) in enumerate(merges):
        for token in (left, right):
            if token not in vocab:
                raise TokenizerFileError(place(index), f"the token {shown(token)} is not in the vocabulary")
        try:
            merged = left + without_prefix(right, prefix)
        except ValueError:
            raise UpstreamFilePanicError(
                place(index), f"no prefix as long as {shown(prefix)} can be cut from {shown(right)}; tokenizers panics"
            ) from None
        if merged not in vocab:
            message = (
                f"the token {shown(merged)}, which {shown(left)} and {shown(right)} merge to, is not in the vocabulary"
            )
            if len(merged.encode()) > longest:
                raise UpstreamFilePanicError(place(index), f"{message}; tokenizers panics, as no token is so long")
            raise TokenizerFileError(place(index), message)
    raise AssertionError("every merge is sound")
