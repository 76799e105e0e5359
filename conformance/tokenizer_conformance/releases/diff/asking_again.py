"""The two snapshots of a diff, whose differences are asked about again where the implementations can be asked.

A run believes a difference only if both sides repeat it (``validation/running/sides.py``). A snapshot has one answer
to a question; the fresh ones come from the implementation that has made it. So what is unstable is found, told and
counted as it is in a run.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError, Failed
from tokenizer_conformance.comparison.asking import AgainCounts, loaded
from tokenizer_conformance.results.records.run import AskedAgain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokenizer_adapters.contract import Implementation, Observation, Outcome, TokenizerSource
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.releases.snapshot_file.replay import ReplayedImplementation, ReplayedSubject

AGAIN_SECONDS = 60.0
"""So long an implementation is waited for, on one tokenizer, to answer again what differs."""


class ReplayedAndAsked:
    """An implementation that answers from a snapshot, and when it is asked again, from what has made that.

    ``live`` is asked for at most ``seconds`` about each of the tokenizers in ``files``, which are there as they were.
    Where several processes compare, each of them may take so long.
    """

    def __init__(
        self,
        replayed: ReplayedImplementation,
        live: Implementation,
        files: Mapping[str, TokenizerFile],
        seconds: float = AGAIN_SECONDS,
    ) -> None:
        self.info = replayed.info
        self._replayed = replayed
        self._live = live
        self._files = files
        self._seconds = seconds
        self._subjects: dict[str, _Subject] = {}

    def load(self, source: TokenizerSource) -> _Subject:
        """Return what answered about the tokenizer called as ``source`` is; nothing is started unless it is asked.

        Raises :class:`CannotLoadError` where it was not loaded then.
        """
        subject = _Subject(self._replayed.load(source), self._live, self._files.get(source.name), self._seconds)
        self._subjects[source.name] = subject
        return subject

    def asked_again(self, tokenizer: str) -> AskedAgain | None:
        """Return what came of asking again about ``tokenizer``; ``None`` where nobody was to be asked."""
        subject = self._subjects.get(tokenizer)
        if subject is None or subject.counts == AgainCounts():
            return None
        return AskedAgain(tokenizer=tokenizer, implementation=self.info.name, **asdict(subject.counts))


class _Subject:
    """The answers of a snapshot about one tokenizer, and fresh ones."""

    def __init__(
        self, replayed: ReplayedSubject, live: Implementation, file: TokenizerFile | None, seconds: float
    ) -> None:
        if hasattr(replayed, "shows"):
            self.shows = replayed.shows
        if hasattr(replayed, "files"):
            self.files = replayed.files
        self.vocabulary = replayed.vocabulary
        self.observe = replayed.observe
        self.forget = replayed.forget
        self._implementation = live
        self._file = file
        self._seconds = seconds
        self._live: Asked | None = None
        self._last: Sequence[Observation] | None = None
        self._reason = ""
        self.counts = AgainCounts()

    def observe_again(self, questions: Sequence[Observation]) -> list[Outcome]:
        """Return fresh answers to ``questions``; those of the snapshot where they are not to be had."""
        # An unstable side is asked several times about the same questions: they are counted once.
        is_first, self._last = questions is not self._last, questions
        live = self._at_hand()
        before = [self.observe(question) for question in questions]
        if live is None:
            if is_first:
                self.add(AgainCounts(left=len(questions), reason=self._reason))
            return before
        again = live.ask_again(questions)
        if is_first:
            others = sum(not _are_alike(*each) for each in zip(before, again, strict=True))
            self.add(AgainCounts(asked=len(questions), others=others))
        return again

    def taken(self) -> AgainCounts:
        """Return what came of it since this was called last."""
        counts, self.counts = self.counts, AgainCounts()
        return counts

    def add(self, counts: AgainCounts) -> None:
        """Add what came of it, here or in another process."""
        self.counts += counts

    def _at_hand(self) -> Asked | None:
        if self._reason:
            return None
        if self._live is None:
            self._live = self._loaded()
        if self._live is not None and self._live.seconds >= self._seconds:
            self._reason = f"it had taken {self._seconds:g} s to answer again"
            return None
        return self._live

    def _loaded(self) -> Asked | None:
        if self._file is None:
            self._reason = "its tokenizer.json is not the one of the snapshot"
            return None
        try:
            return loaded(self._implementation, self._file.source)
        except CannotLoadError as error:
            self._reason = f"it does not load the tokenizer any more: {error}"
            return None


def _are_alike(before: Outcome, again: Outcome) -> bool:
    """Return whether two answers of one implementation are the same; what an error says may tell of a time."""
    return before == again or (isinstance(before, Failed) and isinstance(again, Failed))
