"""The numbers of causes, in the order in which they were found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.validation.search.events import NumberedCause

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_conformance.causes.cause import Cause


class Numbering:
    """Gives numbers to causes as they are told, and finds them again.

    A cause may be known better in the end than when it was told: its witness is smaller then, and all that follows from
    that is another. The input that showed it first stays.
    """

    def __init__(self) -> None:
        self._told: dict[int, Cause] = {}

    def tell(self, cause: Cause) -> int:
        """Return the number of ``cause``, which is told for the first time."""
        number = len(self._told) + 1
        self._told[number] = cause
        return number

    def numbered(self, causes: Iterable[Cause]) -> list[NumberedCause]:
        """Return ``causes`` with their numbers; one that was never told gets a new one."""
        left = dict(self._told)
        numbered: list[NumberedCause] = []
        # Those that have not changed come first: two causes may have been shown by one input.
        for cause in sorted(causes, key=lambda each: each.signature not in [told.signature for told in left.values()]):
            alike = [number for number, told in left.items() if _first_shown(told) == _first_shown(cause)]
            same = [number for number in alike if left[number].signature == cause.signature]
            number = next(iter(same or alike), 0) or self.tell(cause)
            left.pop(number, None)
            numbered.append(NumberedCause(number, cause))
        return numbered


def _first_shown(cause: Cause) -> tuple[str, str, str]:
    return cause.implementation, next(iter(cause.tokenizers), ""), next(iter(cause.examples), "")
