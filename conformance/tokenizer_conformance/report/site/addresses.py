"""What pages of a site are called: names of implementations and tokenizers as names of files, each its own."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._=-]+")

LONGEST = 80
"""How many characters of a name are kept."""

DIGITS = 8
"""How many digits of its digest tell a name apart."""

OF_THE_SITE = frozenset({"index"})
"""What other pages of a site are called."""

DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)", re.IGNORECASE)
"""How names of files begin that Windows takes for devices, whatever they end with."""


def addresses(names: Iterable[str]) -> dict[str, str]:
    """Return for each of ``names`` what its page is called, without the end of the name of the file.

    An address depends on its name alone, so it stays when others come: what cannot be the name of a file loses what
    cannot, and gets the beginning of the SHA-256 of the whole name. Of names that differ in upper and lower case alone
    the one in lower case, else the first, keeps its own, for a file system may not tell them apart.

    >>> addresses(["tokie", "tokenizers==0.21.4", "../a b"])
    {'../a b': 'a-b-2c2c791a', 'tokenizers==0.21.4': 'tokenizers==0.21.4', 'tokie': 'tokie'}
    """
    found: dict[str, str] = {}
    taken = set(OF_THE_SITE)
    for name in sorted(set(names), key=_precedence):
        address = name if _is_address(name) and name.casefold() not in taken else _with_digest(name, taken)
        taken.add(address.casefold())
        found[name] = address
    return dict(sorted(found.items()))


def address(name: str) -> str:
    """Return the address of ``name`` where there is no other."""
    return addresses([name])[name]


def _precedence(name: str) -> tuple[bool, bool, str]:
    return not _is_address(name), name != name.casefold(), name


def _is_address(name: str) -> bool:
    return name != "" and name == _stem(name)


def _stem(name: str) -> str:
    kept = NOT_IN_NAMES.sub("-", name).strip("-.")[:LONGEST].strip("-.")
    return f"name-{kept}" if DEVICES.match(kept) else kept


def _with_digest(name: str, taken: set[str]) -> str:
    """Return an address with a part of the digest of ``name``, longer where somebody is called just so."""
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    made = (f"{_stem(name) or 'page'}-{digest[:digits]}" for digits in range(DIGITS, len(digest) + 1))
    return next(each for each in made if each.casefold() not in taken)
