"""The releases that a package has between two, each in an environment of its own."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from packaging.version import Version

from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.environments.packages import served
from tokenizer_adapters.environments.releases import releases
from tokenizer_adapters.environments.words import Pin, is_release, read
from tokenizer_adapters.protocol.client import ProcessImplementation
from tokenizer_adapters.registry import RegistryError
from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.releases.versions.bisecting import CannotAskError, CannotBisectError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import Implementation


class ReleasesBetween:
    """The released versions of packages; ``list_releases`` says which there are, by the name of a distribution."""

    def __init__(self, isolation: Isolation, list_releases: Callable[[str], list[Version]] = releases) -> None:
        self._isolation = isolation
        self._list_releases = list_releases
        self._known: dict[str, list[Version]] = {}

    def words(self, old: str, new: str) -> list[str]:
        """Return the words of the releases between two, from the ``old`` one to the ``new`` one.

        Raises :class:`CannotBisectError` where these are no releases of one package, or nobody says which there are.
        """
        first, last = _pin(old), _pin(new)
        if first is None or last is None or served(first.package) != served(last.package):
            raise CannotBisectError(f"{old} and {new} are no releases of one package: there is nothing between them")
        ends = sorted([Version(first.version), Version(last.version)])
        found = [version for version in self._released(first.package) if ends[0] < version < ends[1]]
        words = [f"{first.package}=={version}" for version in found]
        return words if ends[0] == Version(first.version) else words[::-1]

    def _released(self, package: str) -> list[Version]:
        if package not in self._known:
            STATUS.begin(f"asking which releases {one_line(package)} has")
            try:
                self._known[package] = self._list_releases(served(package).distribution)
            except RegistryError as error:
                raise CannotBisectError(f"which releases {package} has is not known: {error}") from error
        return self._known[package]

    @contextmanager
    def opened(self, word: str) -> Iterator[Implementation]:
        """Give a release; its process is ended afterwards. Raises :class:`CannotAskError` where it cannot be had."""
        try:
            selected = select(word, self._isolation)
            selected.prepare(STATUS.begin)
            STATUS.begin("starting implementations", word)
            implementation = selected.build()
        except (UnavailableError, RegistryError) as error:
            raise CannotAskError(str(error)) from error
        try:
            yield implementation
        finally:
            if isinstance(implementation, ProcessImplementation):
                implementation.close()


def _pin(word: str) -> Pin | None:
    found = read(word) if is_release(word) else None
    return found if isinstance(found, Pin) else None
