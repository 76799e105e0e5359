"""A text cut into splits: what added tokens and pre-tokenizers leave, and what the model fills with tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from tokenizer_reference.text.normalized_string import NormalizedString
from tokenizer_reference.token import Token
from tokenizer_reference.tokenization import Tokenization, byte_positions


class Split:
    """A piece of the text, and its tokens once it has any (an added token has them from the start)."""

    __slots__ = ("normalized", "tokens")

    def __init__(self, normalized: NormalizedString, tokens: Tokenization | None = None) -> None:
        self.normalized = normalized
        self.tokens = tokens


class PreTokenizedString:
    """The splits of one text, in order. Empty splits are dropped whenever the text is cut.

    >>> text = PreTokenizedString("a b")
    >>> text.split(lambda index, split: split.split(" ", "removed"))
    >>> text.get_splits()
    [('a', (0, 1), None), ('b', (2, 3), None)]
    """

    __slots__ = ("original", "splits")

    def __init__(self, s: str) -> None:
        self.original = s
        self.splits = [Split(NormalizedString(s))]

    def split(self, func: Callable[[int, NormalizedString], Iterable[NormalizedString | Split]]) -> None:
        """Replace every split that has no tokens by what ``func(index, split)`` gives for it."""
        splits: list[Split] = []
        for index, split in enumerate(self.splits):
            if split.tokens is not None:
                splits.append(split)
                continue
            for piece in func(index, split.normalized):
                new = Split(piece) if isinstance(piece, NormalizedString) else piece
                if len(new.normalized):
                    splits.append(new)
        self.splits = splits

    def normalize(self, func: Callable[[NormalizedString], object]) -> None:
        """Let ``func`` change every split that has no tokens."""
        for split in self.splits:
            if split.tokens is None:
                func(split.normalized)

    def tokenize(self, func: Callable[[str], Iterable[Token]]) -> None:
        """Give every split that has no tokens those that ``func`` makes of its text (offsets in its UTF-8 bytes)."""
        for split in self.splits:
            if split.tokens is None:
                text = split.normalized.normalized
                split.tokens = Tokenization.of_tokens(text, list(func(text)))

    def get_splits(
        self,
        offset_referential: Literal["original", "normalized"] = "original",
        offset_type: Literal["char", "byte"] = "char",
    ) -> list[tuple[str, tuple[int, int], list[Token] | None]]:
        """Return (text, offsets, tokens) of every split.

        Offsets are over the original text, or over the concatenated normalized splits, in code points or UTF-8 bytes.
        """
        if offset_referential == "original":
            spans = [(s.normalized.begin, s.normalized.begin + len(s.normalized.original)) for s in self.splits]
            text = self.original
        else:
            spans = []
            end = 0
            for split in self.splits:
                spans.append((end, end + len(split.normalized)))
                end += len(split.normalized)
            text = "".join(split.normalized.normalized for split in self.splits)
        if offset_type == "byte":
            positions = byte_positions(text)
            spans = [(positions[start], positions[end]) for start, end in spans]
        return [
            (split.normalized.normalized, span, None if split.tokens is None else split.tokens.tokens())
            for split, span in zip(self.splits, spans, strict=True)
        ]
