"""What a site says first of an implementation: what it is, how far it agrees, and how far it is in the suite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.report.site.agreements import SAME
from tokenizer_conformance.results.page import State
from tokenizer_conformance.validation.suite.bars import WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokenizer_conformance.report.site.agreements import Standing
    from tokenizer_conformance.report.site.results import SuiteResults
    from tokenizer_conformance.results.agreement import Texts


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a bar: so many requirements of one state, from ``start`` on and ``width`` long, of 100 in all."""

    state: State
    word: str
    count: int
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class Bar:
    """What an implementation came to in the suite, as a bar of ``pieces``; ``address`` is that of its page."""

    name: str
    title: str
    address: str
    pieces: tuple[Piece, ...]

    @property
    def passed(self) -> int:
        """How many requirements pass."""
        return sum(piece.count for piece in self.pieces if piece.state is State.AGREE)

    @property
    def words(self) -> str:
        """The bar in words."""
        return ", ".join(f"{piece.count:,} {piece.word}" for piece in self.pieces)


def bar_of(results: SuiteResults, address: str) -> Bar:
    """Return the bar of an implementation."""
    counts = results.counts()
    total = counts.total()
    pieces, start = [], 0.0
    for state in WORDS:
        if counts[state]:
            width = 100 * counts[state] / total
            pieces.append(Piece(state, WORDS[state], counts[state], round(start, 3), round(width, 3)))
            start += width
    return Bar(results.implementation, results.title, address, tuple(pieces))


def pieces_of(bars: Iterable[Bar]) -> list[tuple[State, str]]:
    """Return the states that ``bars`` have, in their order, each with its word."""
    found = {piece.state for bar in bars for piece in bar.pieces}
    return [(state, WORDS[state]) for state in WORDS if state in found]


@dataclass(frozen=True, slots=True)
class Described:
    """An implementation in a list: its page is at ``path``, what others say of it is at ``own_page``."""

    name: str
    path: str
    version: str
    language: str
    licence: str
    home_page: str
    own_page: str
    standings: Mapping[str, Standing]
    bars: Sequence[Bar]

    @property
    def asked(self) -> int:
        """On how many tokenizers it was asked."""
        return len(self.standings)

    def having(self, *states: State) -> list[str]:
        """Return the tokenizers on which it stands so."""
        return [name for name, standing in self.standings.items() if standing.state in states]

    @property
    def same(self) -> list[str]:
        """The tokenizers with the same ids for all ordinary texts, without special tokens and with them."""
        return [name for name in self.having(*SAME) if self._texts(name).special.total]

    @property
    def same_plain(self) -> list[str]:
        """The tokenizers with the same ids for all ordinary texts, which were compared without special tokens only."""
        return [name for name in self.having(*SAME) if not self._texts(name).special.total]

    @property
    def other(self) -> list[str]:
        """The tokenizers with other ids for some ordinary text."""
        return self.having(State.DIFFER)

    @property
    def other_plain(self) -> list[str]:
        """Those of them with other ids without special tokens, too."""
        return [name for name in self.other if not self._texts(name).plain.is_all]

    @property
    def other_special(self) -> list[str]:
        """Those of them with the same ids without special tokens, and how many texts have other ids with them."""
        return [f"{name} ({self._texts(name).special.others})" for name in self.other if self._texts(name).plain.is_all]

    @property
    def failing(self) -> list[str]:
        """The tokenizers with the same ids, and with a crash in what else was asked, each with the stages."""
        found = {name: " and ".join(self.standings[name].agreement.unanswered) for name in self.having(State.ERROR)}
        return [f"{name} at {stages}" if stages else name for name, stages in found.items()]

    def _texts(self, tokenizer: str) -> Texts:
        return self.standings[tokenizer].agreement.telling

    @property
    def not_loaded(self) -> list[str]:
        """The tokenizers that it does not load, or of which it shows no ids."""
        return self.having(State.NOT_COMPARED, State.UNSUPPORTED)
