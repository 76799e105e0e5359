"""What every model has in common: the cache of its results, the vocabulary, and their stage."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from tokenizer_reference.arguments import optional, string, unsigned_32
from tokenizer_reference.component import Component
from tokenizer_reference.stage import Stage

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.models.runs import ByteRuns
    from tokenizer_reference.values.token import Token
    from tokenizer_reference.values.tokenization import Tokenization

_CACHED_CHARACTERS = 1_000_000
"""How much text a model remembers the tokens of. The cache is emptied when full: memory does not grow with the
corpus.
"""

_LONGEST_CACHED = 256
"""How long a piece may be, in characters, to be remembered: longer ones hardly ever come again."""


MODEL: Final[Stage[Model]] = Stage("model", "BPE", "WordPiece", "WordLevel", "Unigram", guesses_unknown=False)
"""The stage, its classes in the order in which the target tries them where ``type`` is missing."""


class Model(Component, ABC):
    """Turns one piece of text (mostly a word) into tokens.

    A model states its rule in :meth:`_tokenize`; results are remembered per distinct piece unless ``_cacheable`` says
    that the rule is random. Setting an option (any public attribute) and training forget them. In the target neither
    does, so that words seen before keep their old tokens until ``_clear_cache()``, or panic where their ids are gone;
    that is not reproduced.
    """

    _TRAINER: ClassVar[type[Any]]
    """The class of the trainers of this class of models. They set it themselves: trainers know models, not the
    reverse.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Return a new model; of this class itself, an empty BPE model (observed, tokenizers 0.23.3)."""
        if cls is not Model:
            return super().__new__(cls)
        if args or kwargs:
            raise TypeError("Model takes no arguments")
        kind = MODEL.components["BPE"]
        return kind.__new__(kind)  # type: ignore[return-value]

    def __init__(self) -> None:
        self._cache: dict[str, Tokenization] = {}
        self._cached_characters = 0

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            super().__setattr__(name, value)
        elif name in self._OPTIONS:
            super().__setattr__(name, value)
            self._clear_cache()
        else:
            raise AttributeError(f"{type(self).__name__} has no option {name!r}; it has {', '.join(self._OPTIONS)}")

    @abstractmethod
    def _tokenize(self, text: str) -> Tokenization:
        """Return the tokens of ``text``."""

    @property
    def _cacheable(self) -> bool:
        return True

    def _runs(self, text: str) -> list[str] | None:  # noqa: ARG002 - a model that vouches looks at it
        """Return parts of ``text`` whose tokens, one part after the other, are those of the whole.

        ``None``, as here, where the model vouches for none.
        """
        return None

    @property
    def _byte_runs(self) -> ByteRuns | None:
        """What gives the runs of words that are spelled in bytes; ``None``, as here, where the model vouches for none.

        Their tokens, one run after the other, are those of the word. :meth:`_tokenize_run` gives them.
        """
        return None

    def _tokenize_run(self, text: str) -> Tokenization:
        """Return the tokens of a run of a word, which differ from those of a word that is the same."""
        return self._tokenize(text)

    def _tokenization(self, text: str) -> Tokenization:
        """Return the tokens of ``text``, remembered from an earlier call where there was one."""
        known = self._cache.get(text)
        if known is not None:
            return known
        result = self._tokenize(text)
        if len(text) <= _LONGEST_CACHED and self._cacheable:
            self._remember(text, result)
        return result

    def _remember(self, text: str, result: Tokenization) -> None:
        # Not through __setattr__: what is remembered is no change of the model.
        attributes = self.__dict__
        attributes["_cached_characters"] += len(text) + 1
        if self._cached_characters > _CACHED_CHARACTERS:
            self._cache.clear()
            attributes["_cached_characters"] = len(text) + 1
        self._cache[text] = result

    def _clear_cache(self) -> None:
        """Forget all remembered results."""
        self._cache.clear()
        self.__dict__["_cached_characters"] = 0

    @abstractmethod
    def _vocabulary(self) -> dict[str, int]:
        """Return every token with its id."""

    @abstractmethod
    def _vocabulary_size(self) -> int:
        """Return the number of entries, duplicates counted as the target counts them."""

    @staticmethod
    def _read_any(value: JsonValue) -> Model:
        return MODEL.read(value)

    @abstractmethod
    def _save(self, folder: str, prefix: str | None) -> list[str]:
        """Write the model's files into ``folder`` and return their paths."""

    @abstractmethod
    def _token_of(self, id: int) -> str | None:
        """Return the token with ``id``, or ``None``."""

    def token_to_id(self, token: str) -> int | None:
        """Return the id of ``token``, or ``None``."""
        return self._vocabulary().get(string("token", token))

    def id_to_token(self, id: int) -> str | None:
        """Return the token with ``id``, or ``None``."""
        return self._token_of(unsigned_32("id", id))

    def tokenize(self, sequence: str) -> list[Token]:
        """Return the tokens of ``sequence``. Offsets count UTF-8 bytes of ``sequence``, as in the target.

        Raises :class:`~tokenizer_reference.errors.ModelError` where an unknown token is needed and there is none.
        """
        return self._tokenization(string("sequence", sequence)).tokens()

    def get_trainer(self) -> Any:
        """Return a new :class:`~tokenizer_reference.trainers.Trainer` that can train this model.

        It has the trainer's defaults, whatever the model's options.
        """
        return self._TRAINER()

    def save(self, folder: str, prefix: str | None = None, name: str | None = None) -> list[str]:
        """Write the model's files into ``folder``, which must exist, and return their paths.

        File names begin with ``prefix-`` where a prefix is given; ``name`` is its older name.
        """
        string("folder", folder)
        optional(string)("prefix", prefix)
        if name is not None:
            string("name", name)
            warnings.warn("`name` of Model.save is now called `prefix`", DeprecationWarning, stacklevel=2)
        return self._save(folder, name if prefix is None else prefix)
