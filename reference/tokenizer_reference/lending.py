"""Values that are lent to a function of the user: they can be used while it runs, and not afterwards."""

from __future__ import annotations

from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.uncopyable import Uncopyable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")
R = TypeVar("R")
P = ParamSpec("P")


class Lent(Uncopyable, Generic[T]):
    """Stands for a value while it is lent; what holds of it is said by the class of the value.

    A class is made of it for each class of values: it names in ``_inside`` the method of the user that it is for, and
    has those methods of the value that may be used there, by :func:`lent_method`.
    """

    __slots__ = ("_value",)

    _inside: str
    _value: T | None

    def __init__(self, *_: object, **__: object) -> None:
        raise TypeError(f"cannot create {type(self).__name__!r} instances")

    @classmethod
    @contextmanager
    def of(cls, value: T) -> Iterator[Self]:
        """Lend ``value`` for as long as the context lasts."""
        lent = cls.__new__(cls)
        lent._value = value
        try:
            yield lent
        finally:
            lent._value = None

    def _lent(self) -> T:
        """Return the value. Raises :class:`TokenizerReferenceError` where it is not lent any more."""
        if self._value is None:
            raise TokenizerReferenceError(f"Cannot use a {type(self).__name__} outside `{self._inside}`")
        return self._value


def lent_method(method: Callable[Concatenate[T, P], R]) -> Callable[Concatenate[Any, P], R]:
    """Return ``method`` of a value for a class of :class:`Lent`."""

    @wraps(method)
    def of_lent(lent: Lent[T], /, *args: P.args, **options: P.kwargs) -> R:
        return method(lent._lent(), *args, **options)

    return of_lent
