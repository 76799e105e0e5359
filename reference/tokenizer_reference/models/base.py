"""What every model has in common."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import Self

    from tokenizer_reference.formats.json_value import JsonValue
    from tokenizer_reference.token import Token
    from tokenizer_reference.tokenization import Tokenization

_CACHED_CHARACTERS = 1_000_000
"""How much text a model remembers the tokens of. The cache is emptied when full: memory does not grow with the corpus."""

_LONGEST_CACHED = 256
"""How long a piece may be, in characters, to be remembered: longer ones hardly ever come again."""


class Model(ABC):
    """Turns one piece of text (mostly a word) into tokens.

    A model states its rule in :meth:`_tokenize`; results are remembered per distinct piece unless ``_cacheable`` says
    that the rule is random. Setting an option (any public attribute) forgets them. In the target it does not, so that
    words seen before keep their old tokens until ``_clear_cache()``; that is not reproduced.
    """

    def __init__(self) -> None:
        self._cache: dict[str, Tokenization] = {}
        self._cached_characters = 0

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if not name.startswith("_"):
            self._clear_cache()

    @abstractmethod
    def _tokenize(self, text: str) -> Tokenization:
        """Return the tokens of ``text``."""

    @property
    def _cacheable(self) -> bool:
        return True

    def _tokenization(self, text: str) -> Tokenization:
        """Return the tokens of ``text``, remembered from an earlier call where there was one."""
        known = self._cache.get(text)
        if known is not None:
            return known
        result = self._tokenize(text)
        if len(text) <= _LONGEST_CACHED and self._cacheable:
            self._cached_characters += len(text) + 1
            if self._cached_characters > _CACHED_CHARACTERS:
                self._clear_cache()
            self._cache[text] = result
        return result

    def _clear_cache(self) -> None:
        """Forget all remembered results."""
        self._cache.clear()
        self._cached_characters = 0

    @abstractmethod
    def _vocabulary(self) -> dict[str, int]:
        """Return every token with its id."""

    @abstractmethod
    def _vocabulary_size(self) -> int:
        """Return the number of entries, duplicates counted as the target counts them."""

    @abstractmethod
    def _to_json(self) -> dict[str, Any]:
        """Return the model as tokenizer.json holds it, keys in the order in which the target writes them."""

    @classmethod
    @abstractmethod
    def _from_json(cls, value: JsonValue) -> Self:
        """Read the model. Raises :class:`~tokenizer_reference.errors.TokenizerFileError`, naming the JSON path."""

    @abstractmethod
    def _save(self, folder: str, prefix: str | None) -> list[str]:
        """Write the model's files into ``folder`` and return their paths."""

    @abstractmethod
    def token_to_id(self, token: str) -> int | None:
        """Return the id of ``token``, or ``None``."""

    @abstractmethod
    def id_to_token(self, id: int) -> str | None:  # noqa: A002 - the argument's name in the mirrored API
        """Return the token with ``id``, or ``None``."""

    def tokenize(self, sequence: str) -> list[Token]:
        """Return the tokens of ``sequence``. Offsets count UTF-8 bytes of ``sequence``, as in the target.

        Raises :class:`~tokenizer_reference.errors.ModelError` where an unknown token is needed and there is none.
        """
        return self._tokenization(sequence).tokens()

    def save(self, folder: str, prefix: str | None = None, name: str | None = None) -> list[str]:
        """Write the model's files into ``folder``, which must exist, and return their paths.

        File names begin with ``prefix-`` where a prefix is given; ``name`` is its older name.
        """
        if name is not None:
            warnings.warn("`name` of Model.save is now called `prefix`", DeprecationWarning, stacklevel=2)
        return self._save(folder, name if prefix is None else prefix)


def ignore_options(names: dict[str, object], word: str) -> None:
    """Print that options are ignored, as the constructors of the target do with those that they do not know.

    ``word`` is what the target's message calls them, "kwarg" or "kwargs".
    """
    for name in names:
        print(f"Ignored unknown {word} option {name}")  # noqa: T201 - as the target does
