"""JSON Lines as a table: a line is a row, an object with the columns, or a string that is the text itself."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.opening import decoded_lines, refusal, title_of
from tokenizer_conformance.inputs.rows import Column, columns_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.errors import BadInputError
    from tokenizer_conformance.inputs.places import Partition
    from tokenizer_conformance.inputs.remote import Location

SAMPLE = 100
"""How many rows tell which columns there are."""

BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class JsonLinesTable:
    """The JSON Lines file at ``path``, or a ``part`` of it; lines that are blank are no rows, but are counted."""

    path: Location
    name: str
    row: str = "line"
    part: Partition | None = None

    @property
    def title(self) -> str:
        """What messages call it."""
        return title_of(self.path)

    def columns(self) -> list[Column]:
        """Return the columns of the first rows of the file."""
        return columns_of([row for _, row in islice(replace(self, part=None).rows(""), SAMPLE)])

    def rows(self, column: str) -> Iterator[tuple[int, object]]:  # noqa: ARG002 - a line is read whole
        """Yield the value of each line that is not blank, with the number of the line."""
        first = 1 if self.part is None else self.part.first + 1
        for number, line in enumerate(decoded_lines(self.path, self.part), first):
            text = line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line
            if text.strip():
                yield number, self._parsed(text.rstrip("\r\n"), number)

    def _parsed(self, line: str, number: int) -> object:
        try:
            return json.loads(line)
        except json.JSONDecodeError as error:
            raise self._refusal(number, f"{error.msg} at column {error.colno}", line) from error
        except RecursionError as error:
            raise self._refusal(number, "it is nested too deeply") from error
        except ValueError as error:
            most = sys.get_int_max_str_digits()
            raise self._refusal(number, f"a number has more than {most:,} digits") from error

    def _refusal(self, number: int, reason: str, line: str = "") -> BadInputError:
        whole = line.strip() in {"[", "{"}
        hint = "; it looks like one JSON document over several lines: write each of its rows on a line of its own"
        return refusal(self.path, f" is not JSON Lines: line {number} is not JSON: {reason}{hint if whole else ''}")
