"""The training methods of a tokenizer: count the pieces of a corpus, and let a trainer learn the model from them.

Rules observed, tokenizers 0.23.3.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from tokenizer_reference.arguments import instance, optional, strings, unsigned_64
from tokenizer_reference.errors import TokenizerReferenceError, UpstreamPanicError
from tokenizer_reference.trainers.base import Trainer
from tokenizer_reference.trainers.corpus import FileTexts, IteratorTexts
from tokenizer_reference.trainers.progress import report_of
from tokenizer_reference.trainers.word_counting import WordCutter, count_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tokenizer_reference.models.base import Model
    from tokenizer_reference.trainers.corpus import Texts
    from tokenizer_reference.values.added_token import AddedToken


class TrainingMethods(ABC):
    """What `Tokenizer` offers to learn its model.

    A sequence is cut as it is before the model: added tokens, normalizer, pre-tokenizer. All pieces are counted, added
    tokens too. Then the trainer changes the model in place, and its special tokens are added to the tokenizer. The
    model's own trainer, with the defaults, is used where none is given.

    A training that is interrupted (``KeyboardInterrupt``), or that fails, leaves the tokenizer as it was. One exception
    is the target's: where the corpus ends with an error, the model is trained on what came before it, and the error is
    raised then, whatever became of the training.
    """

    @property
    @abstractmethod
    def model(self) -> Model:
        """The model."""

    @model.setter
    @abstractmethod
    def model(self, model: Model) -> None: ...

    @abstractmethod
    def _word_cutter(self) -> WordCutter:
        """Return what cuts sequences as before the model."""

    @abstractmethod
    def add_special_tokens(self, tokens: list[str | AddedToken]) -> int:
        """Add special tokens."""

    def train(self, files: Sequence[str], trainer: Trainer | None = None) -> None:
        r"""Train the model on the lines of ``files``, with their ends; only ``\n`` ends a line.

        Raises :class:`TokenizerFileError` for a file that cannot be read (before anything else) or is not UTF-8, and
        :class:`TokenizerReferenceError` for a trainer of another model, or where nothing can be learned.
        """
        kind = self._trainer(trainer)
        self._train(FileTexts(strings("files", files)), kind)

    def train_from_iterator(
        self, iterator: Iterable[str | Iterable[str]], trainer: Trainer | None = None, length: int | None = None
    ) -> None:
        """Train the model on what ``iterator`` gives: texts, or iterables of texts.

        ``length`` is how many texts there are, for the progress that is shown. Raises what the iterator raises,
        :class:`TypeError` for an item that is no text, and as :meth:`train`.
        """
        kind = self._trainer(trainer)
        self._train(IteratorTexts(iterator, optional(unsigned_64)("length", length)), kind)

    def _trainer(self, trainer: Trainer | None) -> Trainer:
        own: Trainer = self.model.get_trainer() if trainer is None else instance("trainer", trainer, Trainer)
        return own

    def _train(self, texts: Texts, trainer: Trainer) -> None:
        report = report_of("indicatif", is_shown=trainer.show_progress)
        try:
            trainer._words = count_words(texts, self._word_cutter(), report)
            self.add_special_tokens([*trainer._train(self.model)])
        except TokenizerReferenceError as error:
            if texts.error is None or isinstance(error, UpstreamPanicError):
                raise
        if texts.error is not None:
            raise texts.error
