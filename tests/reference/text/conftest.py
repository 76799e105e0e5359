"""What the tests of the Unicode tables share."""

from __future__ import annotations

import pytest

from tokenizer_reference.text import unicode_tables
from tokenizer_reference.text.code_point_sets import decode_ranges

SURROGATES = range(0xD800, 0xE000)


def _boundaries() -> set[int]:
    """Return the first and last member of every range of every set, and their neighbours outside."""
    found = {0, 0x10FFFF}
    for name, value in vars(unicode_tables).items():
        tables = [value] if isinstance(value, str) else list(value.values()) if isinstance(value, dict) else []
        if name.isupper() and name != "PROPERTY_ALIAS":
            for table in tables:
                if "," not in table:  # a set, not a mapping
                    for first, last in decode_ranges(table):
                        found.update((first - 1, first, last, last + 1))
    return found


@pytest.fixture(scope="session", params=["where a class starts or ends", pytest.param("all", marks=pytest.mark.slow)])
def every_character(request: pytest.FixtureRequest) -> str:
    """Characters to compare with the target: those at the ends of any range of any table, or all 1,112,064."""
    chosen = range(0x110000) if request.param == "all" else sorted(_boundaries())
    return "".join(
        chr(code_point) for code_point in chosen if code_point in range(0x110000) and code_point not in SURROGATES
    )
