"""The entry of the quirk register: what a quirk is, whose it is, its source, and what the reference does."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """The kinds of quirks, by where they show."""

    BEHAVIOUR = "behaviour"
    """A rule that one would not guess."""
    UNICODE = "unicode"
    """Character data of an older version, or a list of its own."""
    FILE_FORMAT = "file format"
    """What a file may and may not hold."""
    API = "api"
    """What Python sees."""
    STALE_CACHE = "stale cache"
    """An answer that was true before something changed."""
    RANDOM = "random"
    """The answer differs from one object or process to the next."""
    PANIC = "panic"
    """An error of the implementation: in Python a PanicException, which is no Exception."""
    ABORT = "abort"
    """The process dies."""


SAME: Final = "the same"
RAISES: Final = "raises UpstreamPanicError"
REFUSES_FILE: Final = "raises TokenizerFileError, which names the place"

OBSERVED: Final = "observed, tokenizers 0.23.3"
UNICODE_8: Final = f"Unicode 8.0 (crate unicode_categories); {OBSERVED}"
UNICODE_9: Final = f"Unicode 9.0 (crate unicode-normalization-alignments); {OBSERVED}"
UNICODE_16: Final = f"Unicode 16.0 (crate regex); {OBSERVED}"
UNICODE_17: Final = f"Unicode 17.0 (Rust's standard library); {OBSERVED}"
ONIGURUMA: Final = f"Oniguruma's doc/RE; {OBSERVED}"
ONIGURUMA_16: Final = f"Unicode 16.0 (Oniguruma); {OBSERVED}"


@dataclass(frozen=True, slots=True)
class Quirk:
    """One oddity of the target.

    ``components`` are named as in ``normalizers.Replace``; other parts are ``added_tokens``, ``truncation``,
    ``padding``, ``NormalizedString``, ``Regex``, ``Encoding``, ``Tokenizer``, ``tokenizer.json``, ``vocab.json``,
    ``vocab.txt`` and ``merges.txt``. ``source`` is where the rule comes from, ``choice`` what the reference does.
    """

    id: str
    summary: str
    components: tuple[str, ...]
    kind: Kind
    source: str = OBSERVED
    choice: str = SAME

    @property
    def test(self) -> str:
        """The test that pins the quirk, as pytest names it."""
        return f"tests/reference/test_quirks.py::test_quirk[{self.id}]"
