"""WordPiece with other matching."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.variants.change import Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tokenizer_adapters.variants.private_copy import Patch

    Cut = Callable[[Any, str], list[tuple[int, int | None]] | None]
    """From the model and a word: the ends of its pieces with their ids (``None``: unknown).

    ``None`` where no piece fits.
    """


def _id(model: Any, text: str, start: int, end: int) -> int | None:
    found: int | None = (model._continuing if start else model._vocab).get(text[start:end])
    return found


def _fitting(model: Any, text: str, start: int) -> Iterator[tuple[int, int]]:
    """Give the pieces that begin at ``start``, the shortest first: end and id."""
    for end in range(start + 1, len(text) + 1):
        id_ = _id(model, text, start, end)
        if id_ is not None:
            yield end, id_


def _shortest(model: Any, text: str) -> list[tuple[int, int | None]] | None:
    found: list[tuple[int, int | None]] = []
    start = 0
    while start < len(text):
        piece = next(_fitting(model, text, start), None)
        if piece is None:
            return None
        found.append(piece)
        start = piece[0]
    return found


def _from_right(model: Any, text: str) -> list[tuple[int, int | None]] | None:
    found: list[tuple[int, int | None]] = []
    end = len(text)
    while end:
        piece = next(((start, id_) for start in range(end) if (id_ := _id(model, text, start, end)) is not None), None)
        if piece is None:
            return None
        found.append((end, piece[1]))
        end = piece[0]
    return found[::-1]


def _unknown_rest(model: Any, text: str) -> list[tuple[int, int | None]] | None:
    found: list[tuple[int, int | None]] = []
    start = 0
    while start < len(text):
        pieces = list(_fitting(model, text, start))
        found.append(pieces[-1] if pieces else (len(text), None))
        start = found[-1][0]
    return found


def _unknown_character(model: Any, text: str) -> list[tuple[int, int | None]] | None:
    found: list[tuple[int, int | None]] = []
    start = 0
    while start < len(text):
        pieces = list(_fitting(model, text, start))
        found.append(pieces[-1] if pieces else (start + 1, None))
        start = found[-1][0]
    return found


def _cutting(cut: Cut) -> Mapping[str, Patch]:
    def patch(module: Any) -> None:
        def tokenize(model: Any, text: str) -> Any:
            found = cut(model, text) if len(text) <= model.max_input_chars_per_word else None
            if found is None:
                return model._unknown(text)
            bounds = [0, *(end for end, _ in found)]
            unknown = model._vocab.get(model.unk_token)
            if unknown is None and any(id_ is None for _, id_ in found):
                return model._unknown(text)
            ids = [unknown if id_ is None else id_ for _, id_ in found]
            return module.Tokenization.by_bounds(text, ids, [model._tokens[id_] for id_ in ids], bounds)

        module.WordPiece._tokenize = tokenize

    return {"models.wordpiece": patch}


def _length_in_bytes(module: Any) -> None:
    plain = module.WordPiece._tokenize

    def tokenize(model: Any, text: str) -> Any:
        is_long = len(text.encode()) > model.max_input_chars_per_word
        return model._unknown(text) if is_long else plain(model, text)

    module.WordPiece._tokenize = tokenize


WORD_PIECE_PATCHES: Mapping[Rule, Mapping[str, Patch]] = {
    Rule.WORD_PIECE_SHORTEST: _cutting(_shortest),
    Rule.WORD_PIECE_FROM_RIGHT: _cutting(_from_right),
    Rule.WORD_PIECE_UNKNOWN_REST: _cutting(_unknown_rest),
    Rule.WORD_PIECE_UNKNOWN_CHARACTER: _cutting(_unknown_character),
    Rule.WORD_PIECE_BYTES: {"models.wordpiece": _length_in_bytes},
}
