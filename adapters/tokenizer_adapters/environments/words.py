"""The words that name releases, and files of models.

=================================== ===================================================================================
``tokenizers==0.19.1``              this release of a package, or of the package of a registered implementation
``old=tokenizers==0.19.1``          the same, called ``old``
``tokenizers>=0.20,<0.22``          a *range* (PEP 440): all such releases that have a file for this Python; it stands
                                    for several words, and is replaced by these (:mod:`.releases`)
``tokenizers@path/to/python``       what the Python of an environment that exists has; its folder can be given too
``old=tokenizers@.venv-old``        the same, called ``old``
``llama.cpp@model.gguf``            what is installed, with the file ``model.gguf`` in the place of the tokenizer.json
``mine=llama.cpp@model.gguf``       the same, called ``mine``
=================================== ===================================================================================
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import PurePath

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from tokenizer_adapters.environments.faults import WordError
from tokenizer_adapters.environments.packages import implementation_of

_PACKAGE = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
_NAMED = r"(?:(?P<name>[^=<>!~@:]+)=)?"
_RELEASE = re.compile(rf"{_NAMED}(?P<package>{_PACKAGE})\s*(?P<specifier>(?:==|!=|<=|>=|~=|<|>).*)", re.DOTALL)
_ELSEWHERE = re.compile(rf"{_NAMED}(?P<package>{_PACKAGE})@(?P<python>.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Pin:
    """One release: ``package`` in ``version``. ``name`` is what it was given to be called, ``None`` without one."""

    package: str
    version: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Range:
    """The releases of ``package`` that ``specifiers`` allow."""

    package: str
    specifiers: SpecifierSet


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What the Python at ``python`` has of ``package``; a folder is that of an environment."""

    package: str
    python: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class ModelFile:
    """What is installed of ``package``, with the GGUF ``file`` in the place of the tokenizer.json."""

    package: str
    file: str
    name: str | None = None


def is_release(word: str) -> bool:
    """Return whether ``word`` names releases: one, a range, or that of an environment that exists.

    The package has to be known: so no path with an ``@`` in it is taken for one.

    >>> [is_release(word) for word in ("tokenizers==0.19.1", "old=tokenizers>=0.20", "tokenizers@.venv", "tokenizers")]
    [True, True, True, False]
    >>> [is_release(word) for word in ("command:a==b", "user@host", "./a==b")]
    [False, False, False]
    """
    match = _RELEASE.fullmatch(word) or _ELSEWHERE.fullmatch(word)
    return match is not None and (bool(match.groupdict().get("specifier")) or _is_known(match["package"]))


def is_range(word: str) -> bool:
    """Return whether ``word`` stands for all releases of a range.

    >>> [is_range(word) for word in ("tokenizers==0.19.1", "tokenizers>=0.20", "tokenizers==0.20.*")]
    [False, True, True]
    """
    match = _RELEASE.fullmatch(word)
    return match is not None and _exact(match["specifier"]) is None


def is_model_file(word: str) -> bool:
    """Return whether ``word`` names a GGUF file for an implementation to load.

    >>> [is_model_file(word) for word in ("llama.cpp@model.gguf", "mine=llama-cpp@a/b.GGUF", "llama.cpp@.venv")]
    [True, True, False]
    >>> [is_model_file(word) for word in ("llama-cpp", "model.gguf", "nothing@model.gguf")]
    [False, False, False]
    """
    return is_release(word) and isinstance(read(word), ModelFile)


def read(word: str) -> Pin | Range | Elsewhere | ModelFile:
    """Return what ``word`` names.

    >>> read("old=tokenizers==0.19.1")
    Pin(package='tokenizers', version='0.19.1', name='old')
    >>> read("tokenizers@.venv-old")
    Elsewhere(package='tokenizers', python='.venv-old', name=None)
    >>> read("llama.cpp@model.gguf")
    ModelFile(package='llama.cpp', file='model.gguf', name=None)

    Raises :class:`WordError`.
    """
    match = _RELEASE.fullmatch(word)
    if match is None:
        return _elsewhere(word)
    version = _exact(match["specifier"])
    if version is not None:
        return Pin(match["package"], _checked(word, version), match["name"])
    try:
        specifiers = SpecifierSet(match["specifier"])
    except InvalidSpecifier as error:
        raise WordError(
            f"{word!r} names no releases: {match['specifier']!r} is no version specifier; write PACKAGE==VERSION, or a "
            "range such as 'PACKAGE>=1.2,<2'"
        ) from error
    if match["name"] is not None:
        raise WordError(f"{word!r} is a range of releases, which cannot share the name {match['name']!r}; leave it out")
    return Range(match["package"], specifiers)


def name_of(word: str) -> str | None:
    """Return what the release that ``word`` names is called; ``None`` where its environment has to say the version.

    >>> [name_of(word) for word in ("tokenizers==0.19.1", "old=tokenizers==0.19.1", "tokenizers@.venv")]
    ['tokenizers==0.19.1', 'old', None]
    >>> name_of("llama.cpp@models/model.gguf")
    'llama-cpp@model.gguf'
    """
    match = _RELEASE.fullmatch(word)
    if match is not None:
        return match["name"] or word
    match = _ELSEWHERE.fullmatch(word)
    if match is None or match["name"] is not None or not _is_gguf(match["python"]):
        return match and match["name"]
    return f"{implementation_of(match['package'])}@{PurePath(match['python']).name}"


@functools.lru_cache(maxsize=1024)
def known_as(name: str) -> str:
    """Return the registered name of the implementation that is called ``name`` in a run: releases share one.

    >>> [known_as(name) for name in ("tokenizers==0.19.1", "tokenizers@0.19.1", "tokie", "mine==1")]
    ['tokenizers', 'tokenizers', 'tokie', 'mine==1']
    """
    match = _RELEASE.fullmatch(name) or _ELSEWHERE.fullmatch(name)
    if match is None or match["name"] is not None:
        return name
    return implementation_of(match["package"]) or name


def _elsewhere(word: str) -> Elsewhere | ModelFile:
    match = _ELSEWHERE.fullmatch(word)
    if match is None:
        raise WordError(f"{word!r} names no release; write PACKAGE==VERSION, or IMPLEMENTATION@path/to/python")
    if _is_gguf(match["python"]):
        return ModelFile(match["package"], match["python"], match["name"])
    return Elsewhere(match["package"], match["python"], match["name"])


def _is_gguf(path: str) -> bool:
    return PurePath(path).suffix.lower() == ".gguf"


def _exact(specifier: str) -> str | None:
    """Return the version of a ``specifier`` that allows just one, ``None`` for any other."""
    match = re.fullmatch(r"={2,3}\s*([^=*,\s][^*,\s]*)\s*", specifier)
    return None if match is None else match[1]


def _checked(word: str, version: str) -> str:
    try:
        Version(version)
    except InvalidVersion as error:
        raise WordError(
            f"{word!r} names no release: {version!r} is no version; versions look like 0.19.1 or 1.0rc2"
        ) from error
    return version


def _is_known(package: str) -> bool:
    return implementation_of(package) is not None
