"""A bench for experiments: two implementations that can be given any tokenizer and asked any question.

A tokenizer is the user's file, or a changed copy of it (a *document*): whoever makes a witness smaller or proves a
reason asks what would be if one thing in it were another. Some implementations read other files than tokenizer.json;
a changed document cannot reach them, and :attr:`Trial.takes_documents` says so.
"""

from __future__ import annotations

import json
import tempfile
from collections import OrderedDict
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Self

from tokenizer_adapters.contract import GUESSED, After, CannotLoadError, TokenizerSource, Unsupported, stage_of
from tokenizer_conformance.causes.witness import Witness
from tokenizer_conformance.comparison.asking import Asked, loaded
from tokenizer_conformance.comparison.blame import BUILDS_ON
from tokenizer_conformance.comparison.differences import Comparison, OutcomeInUnit, compare, confirmed
from tokenizer_conformance.comparison.questions import EVERY_STAGE, about_text, texts_of
from tokenizer_conformance.comparison.verdicts import NO_ANSWER
from tokenizer_conformance.comparison.whole_answers import whole_answers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import TracebackType

    from tokenizer_adapters.contract import Field, Implementation, Observation, Outcome, Stage
    from tokenizer_conformance.causes.cause_time import CauseTime
    from tokenizer_conformance.comparison.reduction import Json

MOST_LOADED = 16
"""How many changed documents stay loaded."""

MOST_ANSWERS = 4096
"""How many answers of each side are kept."""

LARGE = 300_000
"""Documents of more characters are large, and take a lot of room once they are loaded."""

MOST_LARGE = 2
"""How many of them stay loaded."""

FILE_NAME = "tokenizer.json"


class Trial:
    """Both sides with one tokenizer.

    ``source`` is what the user gave; ``document`` what is in the place of its file, ``None`` where that is itself. Only
    the ``fields`` are compared, all where these are ``None``; no ``stages`` but these are asked about. Once
    the ``time`` is spent, questions raise :class:`TimeSpentError`.
    """

    def __init__(
        self,
        source: TokenizerSource,
        document: Json | None,
        baseline: Asked,
        implementation: Asked,
        fields: frozenset[Field] | None,
        stages: frozenset[Stage] = EVERY_STAGE,
        time: CauseTime | None = None,
    ) -> None:
        self._stages = stages
        self._time = time
        self._read: Json | None = None
        self._vocabulary: dict[str, int] | None = None
        self.source = source
        self.document = document
        self.baseline = baseline
        self.implementation = implementation
        self._fields = fields
        self.differing: list[Observation] = []
        """Questions that differed, before they were made small: what is said of all must not be false of these."""
        self.coming: Callable[[], Iterable[Observation]] = tuple
        """Gives the questions that will be asked next, where these are known: what needs them can provide for all."""
        self._answers: OrderedDict[tuple[bool, Observation], Outcome] = OrderedDict()

    @property
    def fields(self) -> frozenset[Field] | None:
        """The fields that are compared, ``None`` for all."""
        return self._fields

    @property
    def takes_documents(self) -> bool:
        """Whether the implementation reads the tokenizer.json and nothing beside it: a changed one then reaches it.

        What its adapter guesses is made of that file too.
        """
        read = [each for each in self.implementation.files if GUESSED not in each]
        return read == [self.source.file]

    def read(self) -> Json:
        """Return the tokenizer.json that both sides were given, which nobody may change. Raises ``OSError``."""
        if self.document is not None:
            return self.document
        if self._read is None:
            self._read = _document_in(self.source)
        return self._read

    def check_time(self) -> None:
        """Raise :class:`TimeSpentError` where there is no time left to ask anything."""
        if self._time is not None:
            self._time.check()

    def expected(self, question: Observation) -> Outcome:
        """Return the baseline's answer, asked once."""
        return self._kept(self.baseline, question, is_baseline=True)

    def actual(self, question: Observation) -> Outcome:
        """Return the implementation's answer, asked once."""
        return self._kept(self.implementation, question, is_baseline=False)

    def ask_ahead(self, questions: Iterable[Observation]) -> None:
        """Ask the implementation all ``questions`` at once, where that is faster."""
        side = self.implementation
        new = [each for each in questions if (False, each) not in self._answers]
        if new and side.takes_batches:
            self.check_time()
            side.ask_ahead(new)
            for each in new:
                self.actual(each)
            side.forget()

    def _kept(self, side: Asked, question: Observation, *, is_baseline: bool) -> Outcome:
        key = (is_baseline, question)
        if key not in self._answers:
            self.check_time()
            self._answers[key] = side.ask(question)
            while len(self._answers) > 2 * MOST_ANSWERS:
                self._answers.popitem(last=False)
        return self._answers[key]

    def compared(self, question: Observation) -> Comparison:
        """Return the outcome of the answers to ``question``, asked once."""
        return self._compared(question, self.expected(question), self.actual(question))

    def differs(self, question: Observation) -> bool:
        """Return whether there is any difference in the answers to ``question``, asked once."""
        return bool(self.compared(question).differences)

    def witness(self, question: Observation) -> Witness | None:
        """Return the difference that ``question`` shows for its own sake; ``None`` where it shows none.

        That is one that is there when the question is put again, and that no earlier stage explains: neither of its
        texts differs there.
        """
        if isinstance(question, After) and not question.changes and self.differs(question.observation):
            question = question.observation  # without any change it is the same difference
        expected, actual = self.expected(question), self.actual(question)
        comparison = self._compared(question, expected, actual)
        if comparison.differences and comparison.verdict not in NO_ANSWER:
            (first,), (second,) = self.baseline.ask_again([question]), self.implementation.ask_again([question])
            comparison = confirmed(comparison, self._compared(question, first, second))
        if not comparison.differences or self.is_consequence(question):
            return None
        return Witness(
            self.source,
            self.document,
            question,
            stage_of(question),
            comparison.differences[0],
            expected,
            actual,
            whole_answers(question, *self._in_units(expected, actual)),
        )

    def vocabulary(self) -> dict[str, int]:
        """Return the vocabulary of the first side that shows one, the baseline before the other; empty without any."""
        if self._vocabulary is None:
            shown = (side.vocabulary() for side in (self.baseline, self.implementation))
            self._vocabulary = next((each for each in shown if not isinstance(each, Unsupported)), {})
        return self._vocabulary

    def _compared(self, question: Observation, expected: Outcome, actual: Outcome) -> Comparison:
        return compare(question, *self._in_units(expected, actual), self._fields)

    def _in_units(self, expected: Outcome, actual: Outcome) -> tuple[OutcomeInUnit, OutcomeInUnit]:
        """Return both answers with the units that their offsets count."""
        return (
            OutcomeInUnit(expected, self.baseline.info.offset_unit),
            OutcomeInUnit(actual, self.implementation.info.offset_unit),
        )

    def is_consequence(self, question: Observation) -> bool:
        """Return whether an earlier stage than that of ``question`` differs on one of its texts."""
        earlier = BUILDS_ON[stage_of(question)] & self._stages
        return any(
            self.differs(each)
            for text in texts_of(question)
            for each in about_text(text, earlier, self.expected)
            if stage_of(each) in earlier
        )


class Bench:
    """A ``baseline`` and an ``implementation`` that can be given any tokenizer.

    Only the ``fields`` are compared, and only ``stages`` asked about. Once the ``time`` is spent, whatever is tried
    raises :class:`TimeSpentError`.

    Changed documents are written into a folder of its own, which is gone when the bench is closed.
    """

    def __init__(
        self,
        baseline: Implementation,
        implementation: Implementation,
        fields: frozenset[Field] | None = None,
        stages: frozenset[Stage] = EVERY_STAGE,
        time: CauseTime | None = None,
    ) -> None:
        self.baseline = baseline
        self.implementation = implementation
        self._fields = fields
        self._stages = stages
        self._time = time
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._last: Trial | None = None
        self._documents = 0
        self._loaded: OrderedDict[tuple[bytes, bool], Trial | None] = OrderedDict()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of what is loaded, and of the folder; the implementations are left open."""
        self._last = None
        self._loaded.clear()
        if self._folder is not None:
            self._folder.cleanup()
        self._folder = None

    def check_time(self) -> None:
        """Raise :class:`TimeSpentError` where there is no time left to try anything."""
        if self._time is not None:
            self._time.check()

    def trial(self, source: TokenizerSource) -> Trial:
        """Return both sides with the file of ``source``.

        It stays loaded until another file is asked for. Raises :class:`CannotLoadError` where one of them refuses it.
        """
        if self._last is None or self._last.source != source:
            self._last = self.trial_with(source, loaded(self.baseline, source), loaded(self.implementation, source))
        return self._last

    def trial_with(self, source: TokenizerSource, baseline: Asked, implementation: Asked) -> Trial:
        """Return both sides with the file of ``source``, which they have loaded; they are not made to load it again."""
        self._last = Trial(source, None, baseline, implementation, self._fields, self._stages, self._time)
        return self._last

    def trial_of(self, source: TokenizerSource, document: Json) -> Trial | None:
        """Return both sides with ``document`` in the place of the file of ``source``; ``None`` where one refuses it."""
        self.check_time()
        text = json.dumps(document, ensure_ascii=False)
        key = sha256(text.encode("utf-8", "surrogatepass")).digest(), len(text) > LARGE
        if key in self._loaded:
            self._loaded.move_to_end(key)
            return self._loaded[key]
        trial = self._loaded[key] = self._tried(source, document, text)
        while len(self._loaded) > MOST_LOADED or sum(is_large for _, is_large in self._loaded) > MOST_LARGE:
            _, oldest = self._loaded.popitem(last=False)
            if oldest is not None:
                Path(oldest.source.file).unlink()
        return trial

    def baseline_with(self, source: TokenizerSource, document: Json) -> Asked | None:
        """Return the baseline alone with ``document`` in the place of the file of ``source``; ``None``: it refuses it.

        It stays loaded for as long as whoever asked for it keeps it; it need not be in a folder to answer.
        """
        self.check_time()
        changed = self._written(source, json.dumps(document, ensure_ascii=False))
        try:
            return loaded(self.baseline, changed)
        except CannotLoadError:
            return None
        finally:
            Path(changed.file).unlink()

    def trial_of_baseline(self, source: TokenizerSource, document: Json) -> Trial | None:
        """Return the baseline as both sides with ``document`` in the place of the file; ``None``: it refuses it."""
        self.check_time()
        changed = self._written(source, json.dumps(document, ensure_ascii=False))
        try:
            asked = loaded(self.baseline, changed)
        except CannotLoadError:
            return None
        return Trial(changed, document, asked, asked, None, time=self._time)

    def document_of(self, witness: Witness) -> Json:
        """Return the tokenizer.json that both sides of ``witness`` were given, which nobody may change.

        Raises ``OSError`` and ``ValueError``.
        """
        if witness.document is not None:
            return witness.document
        if self._last is not None and self._last.source == witness.source:
            return self._last.read()
        return _document_in(witness.source)

    def _written(self, source: TokenizerSource, text: str) -> TokenizerSource:
        """Return ``source`` with a file of its own that holds ``text``."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory()
        self._documents += 1
        file = Path(self._folder.name) / str(self._documents) / FILE_NAME
        file.parent.mkdir()
        file.write_text(text, encoding="utf-8", errors="surrogatepass")
        return TokenizerSource(source.name, str(file))

    def _tried(self, source: TokenizerSource, document: Json, text: str) -> Trial | None:
        changed = self._written(source, text)
        try:
            baseline, implementation = loaded(self.baseline, changed), loaded(self.implementation, changed)
        except CannotLoadError:
            Path(changed.file).unlink()
            return None
        return Trial(changed, document, baseline, implementation, self._fields, self._stages, self._time)

    def trial_for(self, witness: Witness) -> Trial | None:
        """Return both sides with the tokenizer of ``witness``; ``None`` where one refuses it."""
        try:
            if witness.document is None:
                return self.trial(witness.source)
            return self.trial_of(witness.source, witness.document)
        except CannotLoadError:
            return None

    def witness_again(self, witness: Witness) -> Witness | None:
        """Return what the question of ``witness`` shows now, on its tokenizer; ``None`` where it shows nothing."""
        trial = self.trial_for(witness)
        return None if trial is None else trial.witness(witness.question)


def _document_in(source: TokenizerSource) -> Json:
    document: Json = json.loads(Path(source.file).read_text(encoding="utf-8"))
    return document
