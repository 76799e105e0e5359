"""BPE with other merging."""

from __future__ import annotations

from functools import partial
from itertools import accumulate, pairwise, starmap
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.variants.change import Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokenizer_adapters.variants.private_copy import Patch

    Order = Callable[[Any, int, int], tuple[int, int]]
    """From the table of merges, the rank and the position of a pair: what comes first is lowest."""


def _leftmost(_table: Any, rank: int, at: int) -> tuple[int, int]:
    return at, rank


def _rightmost(_table: Any, rank: int, at: int) -> tuple[int, int]:
    return rank, -at


def _by_token_id(table: Any, rank: int, at: int) -> tuple[int, int]:
    return table.merged[rank], at


def _merge_in_order(order: Order, model: Any, ids: list[int], bounds: list[int]) -> None:
    """Merge neighbours one by one, the first in ``order`` first."""
    table = model._merges
    while True:
        ranks = starmap(table.rank, pairwise(ids))
        found = [(order(table, rank, at), at) for at, rank in enumerate(ranks) if rank is not None]
        if not found:
            return
        _, at = min(found)
        _merge_at(table, ids, bounds, at)


def _merge_all_occurrences(model: Any, ids: list[int], bounds: list[int]) -> None:
    """Merge the pair of the lowest rank wherever it stands, from left to right, before another is looked for."""
    table = model._merges
    while ranks := [rank for rank in starmap(table.rank, pairwise(ids)) if rank is not None]:
        best = min(ranks)
        at = 0
        while at + 1 < len(ids):
            if table.rank(ids[at], ids[at + 1]) == best:
                _merge_at(table, ids, bounds, at)
            at += 1


def _merge_at(table: Any, ids: list[int], bounds: list[int], at: int) -> None:
    ids[at : at + 2] = [table.merged[table.rank(ids[at], ids[at + 1])]]
    del bounds[at + 1]


def _merging(merge: Callable[[Any, list[int], list[int]], None]) -> Mapping[str, Patch]:
    def patch(module: Any) -> None:
        def bound(model: Any, ids: list[int], bounds: list[int]) -> None:
            merge(model, ids, bounds)

        module.BPE._merge = bound
        module.BPE._byte_runs = None

    return {"models.bpe": patch}


def _match_longest(module: Any) -> None:
    """Have the longest token taken from left to right; a character that is none is unknown as it is in merging."""
    plain = module.BPE._tokenize

    def tokenize(model: Any, text: str) -> Any:
        ids: list[int] = []
        bounds = [0]
        vocabulary = model._vocab
        longest = max(map(len, vocabulary), default=0)
        while bounds[-1] < len(text):
            start = bounds[-1]
            end = next(
                (end for end in range(min(len(text), start + longest), start, -1) if text[start:end] in vocabulary),
                None,
            )
            if end is None:
                return plain(model, text)
            ids.append(vocabulary[text[start:end]])
            bounds.append(end)
        return module.Tokenization.by_bounds(text, ids, [text[a:b] for a, b in pairwise(bounds)], bounds)

    module.BPE._tokenize = tokenize
    module.BPE._runs = _no_runs
    module.BPE._byte_runs = None


def _lose_unknown_words(module: Any) -> None:
    def with_unknown(model: Any, symbols: Sequence[str], bounds: Sequence[int]) -> tuple[list[int], list[int]]:
        return [model._unknown_id("".join(symbols))], [0, bounds[-1]]

    _put_unknown(module, with_unknown)


def _lose_unknown_bytes(module: Any) -> None:
    def with_unknown(model: Any, symbols: Sequence[str], bounds: Sequence[int]) -> tuple[list[int], list[int]]:
        found: list[tuple[int, int]] = []
        for symbol, (begin, end) in zip(symbols, pairwise(bounds), strict=True):
            id_ = model._vocab.get(symbol)
            if id_ is None:
                found += [(model._unknown_id(symbol), 1)] * (end - begin)
            else:
                found.append((id_, end - begin))
        return [id_ for id_, _ in found], list(accumulate((width for _, width in found), initial=0))

    _put_unknown(module, with_unknown)


def _keep_known_bytes(module: Any) -> None:
    def with_unknown(model: Any, symbols: Sequence[str], bounds: Sequence[int]) -> tuple[list[int], list[int]]:
        found: list[tuple[int, int]] = []
        for symbol, (begin, end) in zip(symbols, pairwise(bounds), strict=True):
            id_ = model._vocab.get(symbol)
            if id_ is not None:
                found.append((id_, end - begin))
                continue
            names = [f"<0x{byte:02X}>" for byte in symbol.encode()] if model.byte_fallback else [symbol]
            known = map(model._vocab.get, names)
            width = (end - begin) // len(names)
            found += [(model._unknown_id(symbol) if byte is None else byte, width) for byte in known]
        return [id_ for id_, _ in found], list(accumulate((width for _, width in found), initial=0))

    _put_unknown(module, with_unknown)


def _put_unknown(module: Any, with_unknown: Callable[..., Any]) -> None:
    """Put ``with_unknown`` in place of the rule for unknown characters, where the model has an unknown token."""
    plain = module.BPE._with_unknown

    def chosen(model: Any, symbols: Sequence[str], bounds: Sequence[int]) -> Any:
        return (plain if model.unk_token is None else with_unknown)(model, symbols, bounds)

    module.BPE._with_unknown = chosen
    module.BPE._runs = _no_runs
    module.BPE._byte_runs = None


def _no_runs(_model: Any, _text: str) -> None:
    """Vouch for no runs: what becomes of a character depends on all others of its word."""


BPE_PATCHES: Mapping[Rule, Mapping[str, Patch]] = {
    Rule.MERGE_LEFTMOST: _merging(partial(_merge_in_order, _leftmost)),
    Rule.MERGE_RIGHTMOST: _merging(partial(_merge_in_order, _rightmost)),
    Rule.MERGE_BY_TOKEN_ID: _merging(partial(_merge_in_order, _by_token_id)),
    Rule.MERGE_ALL_OCCURRENCES: _merging(_merge_all_occurrences),
    Rule.BPE_LONGEST_MATCH: {"models.bpe": _match_longest},
    Rule.BPE_UNKNOWN_WORD: {"models.bpe": _lose_unknown_words},
    Rule.BPE_UNKNOWN_BYTES: {"models.bpe": _lose_unknown_bytes},
    Rule.BPE_PARTIAL_BYTES: {"models.bpe": _keep_known_bytes},
}
