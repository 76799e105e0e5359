"""What is asked about each text, and what the invariants make of the answers of one implementation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Field,
    Pieces,
    PreTokenize,
)
from tokenizer_conformance.comparison.questions import MOST_WORDS, has_words, words_of
from tokenizer_conformance.research.offsets_audit.case import Case
from tokenizer_conformance.research.offsets_audit.loading import BARE
from tokenizer_conformance.research.offsets_audit.table import judged
from tokenizer_conformance.research.offsets_audit.tokenizer_view import TokenizerView

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.inputs.corpus import PairedInput
    from tokenizer_conformance.research.offsets_audit.loading import Document, Loaded, Setting
    from tokenizer_conformance.research.offsets_audit.table import Verdict


LONGEST_CUT = 400
"""Up to how many characters a text is asked about where it is truncated: of a long one there are too many windows."""

LONGEST_PAIR_CUT = 64
"""The same for both texts of a pair: each window of one comes with each of the other."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question under a setting."""

    setting: Setting
    question: Observation


def questions_about(text: str, pair: str, setting: Setting) -> Iterator[Observation]:
    """Yield what is asked about ``text``, and about ``text`` with ``pair``, under ``setting``."""
    if setting == BARE:
        yield PreTokenize(text)
        for add_special_tokens in (False, True):
            yield Encode(text, None, add_special_tokens)
            if has_words(text):
                yield Encode(words_of(text), None, add_special_tokens)
        for add_special_tokens in (False, True):
            yield Encode(text, pair, add_special_tokens)
        if has_words(text):
            yield Encode(words_of(text), words_of(pair)[:MOST_WORDS])
        yield EncodeBatch((Encode(text), Encode(pair)))
    elif setting.truncation is not None:
        if len(text) <= LONGEST_CUT:
            yield Encode(text)
            yield Encode(text, None, add_special_tokens=False)
        if len(text) + len(pair) <= LONGEST_PAIR_CUT:
            yield Encode(text, pair)
    elif setting.padding is not None and setting.padding.length is None:
        yield EncodeBatch((Encode(text), Encode(pair)))
    else:
        yield Encode(text)
        yield Encode(text, pair)


class Judge:
    """Asks a loaded tokenizer, and judges its answers."""

    def __init__(self, tokenizer: Loaded, document: Document) -> None:
        self._asked = tokenizer.asked
        self._pad = document.pad
        self.view = TokenizerView(tokenizer.asked[BARE], document.rules)

    def prepare(self, batch: Sequence[PairedInput]) -> None:
        """Ask all about the texts of ``batch`` that can be asked at once, and let go of what was before."""
        self.view.forget()
        for setting, asked in self._asked.items():
            if setting != BARE:
                asked.forget()
            asked.ask_ahead(
                question
                for each in batch
                for question in questions_about(each.input.text, each.following.text, setting)
            )
        texts = {each.input.text for each in batch} | {each.following.text for each in batch}
        self.view.asked.ask_ahead(Encode(text, add_special_tokens=False) for text in texts)
        self.view.normalize_ahead(texts)
        self.view.normalize_ahead(slice_ for text in texts for slice_ in self._slices(text))

    def _slices(self, text: str) -> Iterator[str]:
        """Yield what stands in the spans of the text's tokens, and the characters at their ends."""
        case = self._case(Asking(BARE, Encode(text, add_special_tokens=False)))
        if not isinstance(case, Case) or not case.seen or not case.seen[0].shows(Field.OFFSETS):
            return
        for span in case.seen[0].spans:
            if span is not None and span[0] < span[1]:
                found = text[span[0] : span[1]]
                yield found
                yield found[0]
                yield found[-1]

    def questions(self, each: PairedInput) -> Iterator[Asking]:
        """Yield all that is asked about an input, under all settings."""
        text, pair = each.input.text, each.following.text
        for setting in self._asked:
            for question in questions_about(text, pair, setting):
                yield Asking(setting, question)
        normalized = self.view.normalized(text) if self.view.shows_pieces else None
        if normalized is not None and normalized != text:
            yield Asking(BARE, PreTokenize(normalized))

    def judged(self, asking: Asking, only: str | None = None) -> list[Verdict] | Outcome:
        """Return what the invariants, or the one whose id is ``only``, make of the answer.

        Where there is no value to judge it is the outcome itself.
        """
        case = self._case(asking)
        return judged(case, only) if isinstance(case, Case) else case

    def _case(self, asking: Asking) -> Case | Outcome:
        if asking.setting == BARE:
            outcome = self.view.ask(asking.question)
        else:
            outcome = self._asked[asking.setting].ask(asking.question)
        if isinstance(outcome, Encoded | EncodedBatch | Pieces):
            return Case(asking.question, outcome, asking.setting, self.view, self._pad)
        return outcome
