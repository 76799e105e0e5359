"""The implementations of a check: words are selected and started, objects of the program are wrapped."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Implementation
from tokenizer_adapters.objects import saved_text, wrapped
from tokenizer_adapters.protocol.client import ProcessImplementation
from tokenizer_adapters.registry import RegistryError
from tokenizer_adapters.selection import Isolation, select

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import Observation
    from tokenizer_adapters.objects import Manner


@dataclass(frozen=True, slots=True)
class CheckedImplementation:
    """An ``implementation`` to be compared.

    ``takes`` tells whether it can be asked a question. ``loading`` is what the requirements are asked of, ``None``
    where no other tokenizer than its own can be had; ``why_not`` then says why. ``saved`` is the tokenizer.json that it
    writes of itself.
    """

    implementation: Implementation
    takes: Callable[[Observation], bool]
    loading: Implementation | None
    saved: Callable[[], str | None]
    why_not: str = ""

    @property
    def name(self) -> str:
        """The name that it goes by."""
        return self.implementation.info.name


@contextmanager
def side_of(
    given: object, manner: Manner, load: Callable[[str], object] | None = None
) -> Iterator[CheckedImplementation]:
    """Give ``given``, a word or an object, as a side; a process of its own ends at exit.

    Raises :class:`ValueError` where a word selects nothing, :class:`UnavailableError` where the library of what it
    selects is not installed, and :class:`TypeError` where an object encodes nothing.
    """
    if not isinstance(given, str) and not isinstance(given, Implementation):
        yield _of_object(given, manner, load)
        return
    if load is not None:
        raise ValueError("load is for objects; what has a name loads tokenizers itself")
    if not isinstance(given, str):
        yield _of_implementation(given)
        return
    try:
        implementation = select(given, Isolation()).build()
    except RegistryError as error:
        raise ValueError(str(error)) from error
    try:
        yield _of_implementation(implementation)
    finally:
        if isinstance(implementation, ProcessImplementation):
            implementation.close()


def _of_implementation(implementation: Implementation) -> CheckedImplementation:
    return CheckedImplementation(implementation, _takes_all, implementation, _nothing)


def _of_object(given: object, manner: Manner, load: Callable[[str], object] | None) -> CheckedImplementation:
    found = wrapped(given, manner, load)
    why_not = (
        ""
        if found.loading is not None
        else f"{manner.name} is an object that loads no other tokenizers; give load=, a function that is given the "
        "path of a tokenizer.json and returns such an object"
    )
    return CheckedImplementation(found.implementation, found.takes, found.loading, lambda: saved_text(given), why_not)


def _takes_all(_observation: Observation) -> bool:
    return True


def _nothing() -> None:
    return None
