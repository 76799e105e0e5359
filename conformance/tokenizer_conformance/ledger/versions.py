"""Ranges of versions, as PEP 440 has them."""

from __future__ import annotations

from functools import lru_cache

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version


def is_range(text: str) -> bool:
    """Return whether ``text`` is a range of versions.

    >>> is_range(">=5,<6"), is_range("5"), is_range("")
    (True, False, False)
    """
    try:
        return len(SpecifierSet(text)) > 0
    except InvalidSpecifier:
        return False


def is_version(text: str) -> bool:
    """Return whether ``text`` is a version.

    >>> is_version("0.23.3"), is_version("latest")
    (True, False)
    """
    return _version(text) is not None


@lru_cache(maxsize=256)
def in_range(version: str, wanted: str) -> bool:
    """Return whether ``version`` is in the range ``wanted``; a pre-release is in it like any other.

    A version that PEP 440 does not know is in no range but ``===`` itself.

    >>> in_range("5.1", ">=5,<6"), in_range("6.0rc1", ">=5,<6"), in_range("nightly", ">=0"), in_range("x", "===x")
    (True, False, False, True)
    """
    specifiers = SpecifierSet(wanted)
    if is_version(version):
        return specifiers.contains(version, prereleases=True)
    return all(each.operator == "===" and each.version == version for each in specifiers)


@lru_cache(maxsize=256)
def is_between(version: str, since: str | None, until: str | None) -> bool:
    """Return whether ``version`` is at least ``since`` and less than ``until``; what PEP 440 does not know is not.

    >>> is_between("0.23.3", "0.20", None), is_between("0.20.0", None, "0.20")
    (True, False)
    """
    if since is None and until is None:
        return True
    parsed = _version(version)
    if parsed is None:
        return False
    return (since is None or parsed >= Version(since)) and (until is None or parsed < Version(until))


def is_later(version: str, other: str) -> bool:
    """Return whether ``version`` is later than the ``other``; of what PEP 440 does not know nothing is.

    >>> is_later("0.23.3", "0.9"), is_later("nightly", "0.9")
    (True, False)
    """
    first, second = _version(version), _version(other)
    return first is not None and second is not None and first > second


def range_of(version: str) -> str | None:
    """Return the range that holds ``version`` alone, ``None`` where it cannot be written.

    >>> range_of("5.23.0"), range_of("nightly"), range_of("a, b")
    ('==5.23.0', '===nightly', None)
    """
    written = f"==={version}" if _version(version) is None else f"=={version}"
    return written if is_range(written) and in_range(version, written) else None


def _version(text: str) -> Version | None:
    try:
        return Version(text)
    except InvalidVersion:
        return None
