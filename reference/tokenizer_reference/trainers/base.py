"""What every trainer has in common: options, special tokens, state, and the registry of trainers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from tokenizer_reference.arguments import (
    Check,
    boolean,
    character,
    instance,
    is_text,
    items,
    optional,
    string,
    strings,
    unsigned_64,
)
from tokenizer_reference.component import Component
from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.representation import Items, Limits, Name, Structure, Variant, write
from tokenizer_reference.stage import Registry
from tokenizer_reference.values.added_token import AddedToken

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.models.base import Model
    from tokenizer_reference.trainers.progress import Report

WordCounts = dict[str, int]
"""How often each piece of the corpus occurs, in the order in which they are first met (in the target, a random one)."""

T = TypeVar("T", bound="Trainer")

NO_TOKENS: Final[list[str | AddedToken]] = []
NO_CHARACTERS: Final[list[str]] = []


TRAINERS: Final[Registry[Trainer]] = Registry("BpeTrainer", "WordPieceTrainer", "WordLevelTrainer", "UnigramTrainer")
"""The classes by the name that a trainer's state has for them."""


class Trainer(Component, ABC):
    """Learns a model from counted words.

    Options can be given as ``None`` where that is their default; the target refuses it though its signature says so.
    The state (:mod:`pickle`) is all options, and the words that were counted last.
    """

    _MODEL: ClassVar[type[Model]]
    """The class of the models that it can train; set by :func:`trains`."""

    show_progress: bool
    """Whether progress is shown, where standard error is a terminal."""

    _special_tokens: list[AddedToken]
    _initial_alphabet: list[str]

    _words: WordCounts
    """The words that were counted last."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and name not in self._OPTIONS:
            raise AttributeError(f"{type(self).__name__} has no option {name!r}; it has {', '.join(self._OPTIONS)}")
        super().__setattr__(name, value)

    @property
    def special_tokens(self) -> list[AddedToken]:
        """The tokens that come first in the vocabulary, and that training adds to the tokenizer; all are special."""
        return list(map(_copy_of, self._special_tokens))

    @special_tokens.setter
    def special_tokens(self, tokens: list[AddedToken]) -> None:
        self._special_tokens = tokens

    @abstractmethod
    def _report(self) -> Report:
        """Return what the progress of a training is told."""

    def _train(self, model: Model) -> list[AddedToken]:
        """Train ``model`` in place on the words that were counted last; return the tokens for the tokenizer to add.

        Raises :class:`TokenizerReferenceError` where the model is of another kind, or nothing can be learned. It is
        then as it was before.
        """
        if not isinstance(model, self._MODEL):
            kind = self._MODEL.__name__
            raise TokenizerReferenceError(
                f"{type(self).__name__} can only train a {kind}, and the model is a {type(model).__name__}"
            )
        self._learn(model, self._report())
        return self.special_tokens

    @abstractmethod
    def _learn(self, model: Any, report: Report) -> None:
        """Train ``model``, which is of the right kind."""

    # State -----------------------------------------------------------------------------------------------------------

    @abstractmethod
    def _fields(self) -> dict[str, Any]:
        """Return options and words as JSON, in the order in which the target writes them."""

    def _to_json(self) -> dict[str, Any]:
        return {type(self).__name__: self._fields()}

    @staticmethod
    def _read_any(value: JsonValue) -> Component:
        kinds = [kind for name, kind in TRAINERS.components.items() if value.has(name)]
        if len(kinds) != 1 or len(value.members()) != 1:
            raise value.fail(f"expected an object with one member, its name one of {', '.join(TRAINERS.names)}")
        return kinds[0]._from_json(value[kinds[0].__name__])

    def _write(self, limits: Limits) -> str:
        ((name, fields),) = self._shown().items()
        return write(Variant(name, _fields_shape(name, fields)), limits)


def trains(model: type[Model]) -> Callable[[type[T]], type[T]]:
    """Return a decorator that registers the class of the trainers of a class of models."""

    def register(trainer: type[T]) -> type[T]:
        trainer._MODEL = model
        model._TRAINER = trainer
        return TRAINERS.register(trainer)

    return register


# Showing -------------------------------------------------------------------------------------------------------------


def _fields_shape(name: str, fields: Mapping[str, Any]) -> Structure:
    """Return how the fields of the trainer ``name`` are shown."""
    return Structure(name, {field: _FIELD_SHAPES.get(field, _as_it_is)(value) for field, value in fields.items()})


def _as_it_is(value: Any) -> Any:
    return value


def _added_tokens_shape(tokens: list[dict[str, Any]]) -> Items:
    return Items(Structure("AddedToken", token) for token in tokens)


def _bpe_trainer_shape(fields: dict[str, Any]) -> Structure:
    return _fields_shape("BpeTrainer", fields)


_FIELD_SHAPES: Final[Mapping[str, Callable[[Any], Any]]] = {
    "special_tokens": _added_tokens_shape,
    "progress_format": Name,
    "bpe_trainer": _bpe_trainer_shape,
}


# Options -------------------------------------------------------------------------------------------------------------


def as_special_tokens(name: str, value: Any) -> list[AddedToken]:
    """Return the tokens of a list of texts and added tokens, all of them special. Raises :class:`TypeError`.

    Added tokens that are given become special themselves, too (observed, tokenizers 0.23.3).
    """
    tokens = []
    for token in instance(name, value, list):
        if not (isinstance(token, AddedToken) or is_text(token)):
            raise TypeError(f"{name} must be a List[Union[str, AddedToken]]; one of them is {token!r}")
        added = AddedToken(token) if isinstance(token, str) else token
        added.special = True
        tokens.append(_copy_of(added))
    return tokens


def _copy_of(token: AddedToken) -> AddedToken:
    """Return a token with the same flags, none of which depends on another any more."""
    return AddedToken(**token.__getstate__())


def first_characters(name: str, value: Any) -> list[str]:
    """Return the first character of each text of a sequence, once, by code point (in the target, in a random order).

    Empty texts are passed over. Raises :class:`TypeError`.
    """
    return sorted({text[:1] for text in strings(name, value)} - {""})


def characters(name: str, value: Any) -> list[str]:
    """Return the characters of a sequence, once, by code point (in the target, in a random order).

    The target takes longer texts in the constructor (see :func:`first_characters`) and refuses them here: raises
    :class:`ValueError` for a text of another length, and :class:`TypeError`.
    """
    return sorted({character(name, char) for char in items(name, value)})


OPTIONS: Final[Mapping[str, Check]] = {
    "vocab_size": unsigned_64,
    "min_frequency": unsigned_64,
    "show_progress": boolean,
    "special_tokens": as_special_tokens,
    "limit_alphabet": optional(unsigned_64),
    "initial_alphabet": characters,
    "continuing_subword_prefix": optional(string),
    "end_of_word_suffix": optional(string),
    "max_token_length": optional(unsigned_64),
}
"""The options of trainers, each with the check of its values."""


def options(*names: str) -> dict[str, Check]:
    """Return those of :data:`OPTIONS` with these names."""
    return {name: OPTIONS[name] for name in names}


# JSON ----------------------------------------------------------------------------------------------------------------

_TOKEN_FLAGS: Final = ("single_word", "lstrip", "rstrip", "normalized", "special")


def special_tokens_to_json(tokens: list[AddedToken]) -> list[dict[str, Any]]:
    """Return ``tokens`` as a trainer's state holds them."""
    return [{field: getattr(token, field) for field in ("content", *_TOKEN_FLAGS)} for token in tokens]


def special_tokens_from_json(value: JsonValue) -> list[AddedToken]:
    """Return the special tokens of a trainer's state. Raises :class:`TokenizerFileError`."""
    return [
        AddedToken(token["content"].string(), **{flag: token[flag].boolean() for flag in _TOKEN_FLAGS})
        for token in value.items()
    ]


def optional_unsigned(value: JsonValue) -> int | None:
    """Return a whole number from 0 on, or ``None`` for null. Raises :class:`TokenizerFileError`."""
    return None if value.value is None else value.unsigned()


def words_from_json(value: JsonValue) -> WordCounts:
    """Return the words of a trainer's state. Raises :class:`TokenizerFileError`."""
    return {word: value[word].unsigned() for word in value.members()}
