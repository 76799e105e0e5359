"""The groups of texts that are measured apart: by language, by script, by file; and all texts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from tokenizer_conformance.research.metrics.scripts import dominant_script

if TYPE_CHECKING:
    from collections.abc import Sequence


class By(StrEnum):
    """What tells the groups of texts apart."""

    LANGUAGE = "language"
    SCRIPT = "script"
    FILE = "file"


@dataclass(frozen=True, slots=True, order=True)
class Group:
    """The texts whose ``by`` is ``name``; all texts where ``by`` is empty."""

    by: str
    name: str

    def __str__(self) -> str:
        return f"{self.by} {self.name}" if self.by else self.name


ALL_TEXTS = Group("", "all texts")

NO_LANGUAGE = "(no language)"
"""The name of the group of texts whose rows name no language."""

TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
"""What looks like a language tag: a code of two or three letters (ISO 639), with subtags as in BCP 47."""


def language_of_file(name: str) -> str:
    """Return the language that the file called ``name`` is taken to have, where nobody says which.

    That is the first of the parts between the dots of its name that looks like a language tag, the extension apart;
    where none does, the name without extension.

    >>> [language_of_file(name) for name in ("news.fr.txt", "eng_Latn.dev", "fra.txt", "botchan.txt")]
    ['fr', 'eng_Latn', 'fra', 'botchan']
    """
    base = PurePosixPath(name).name
    parts = base.split(".")
    stem = parts[:-1] if len(parts) > 1 else parts
    return next((part for part in stem if TAG.fullmatch(part)), ".".join(stem) or base)


def groups_of(text: str, language: str, file: str, wanted: Sequence[By]) -> tuple[Group, ...]:
    """Return the groups that a text belongs to, that of all texts first."""
    found = [ALL_TEXTS]
    for by in wanted:
        match by:
            case By.LANGUAGE:
                found.append(Group(by, language or NO_LANGUAGE))
            case By.SCRIPT:
                found.append(Group(by, dominant_script(text)))
            case By.FILE:
                found.append(Group(by, file))
    return tuple(found)
