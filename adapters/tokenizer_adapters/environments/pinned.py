"""What serves a release: the Python of its environment, with the adapter of this package, behind the line protocol."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.environments.commands import carried_out
from tokenizer_adapters.environments.faults import (
    EnvironmentFaultError,
    InstallerError,
    NoSuchPythonError,
    NoSuchVersionError,
    WordError,
)
from tokenizer_adapters.environments.installer import python_in
from tokenizer_adapters.environments.packages import HEAVY, Served, served, served_trainer
from tokenizer_adapters.environments.releases import pip_python, why_missing
from tokenizer_adapters.environments.store import Environment, Tell, silent
from tokenizer_adapters.environments.words import Elsewhere, ModelFile, Pin, Range, name_of, read
from tokenizer_adapters.protocol.launch import Program
from tokenizer_adapters.protocol.server import TRAINER

if TYPE_CHECKING:
    from collections.abc import Callable

OTHER_PYTHON = Path(__file__).parents[1] / "peers" / "other_python.py"

VARIABLES = {"HF_HUB_OFFLINE": "1", "RUST_BACKTRACE": "0"}
"""What is set for what is served: nothing is fetched, and the backtraces of panics are not made."""

OLDEST_PYTHON = (3, 11)
"""The oldest Python that this package runs in."""

PROBE_SECONDS = 60.0
PROBE = """
import json, sys
try:
    import importlib.metadata as metadata
    version = metadata.version(sys.argv[1])
except Exception:
    version = None
print(json.dumps([sys.version_info[0], sys.version_info[1], version]))
"""


@dataclass(frozen=True, slots=True)
class Pinned:
    """A release that the word ``word`` selects.

    ``served`` says what is served, ``python`` by which Python. ``name`` is what it goes by, ``None`` where that
    hangs on what the environment has. ``environment`` is the one to be made, ``None`` where the Python is the user's.
    """

    word: str
    served: Served
    name: str | None
    python: Path
    environment: Environment | None
    arguments: tuple[str, ...]

    @property
    def program(self) -> Program:
        """The program that serves it; it can be run once the release is there."""
        command = (str(self.python), "-I", str(OTHER_PYTHON), *self.arguments)
        return Program(command, self.name or self.word, VARIABLES)

    @property
    def install(self) -> str:
        """The command that installs it."""
        if self.word in HEAVY:
            return f"tokconf environments add {self.word}"
        if self.environment is not None:
            return f"tokconf environments create '{self.environment.label}'"
        return f"{self.python} -m pip install {self.served.distribution}"

    def damage(self, reason: str) -> str:
        """Return what to say where the environment is there, and lacks for this ``reason`` what it was made for."""
        if self.environment is None:
            return f"{self.word}: {reason} (in the environment of {self.python})"
        what, _, _ = reason.partition("; ")  # an adapter says how to install its library where it runs
        label = self.environment.label
        anew = f"make it anew with '{self.install}'" if self.word in HEAVY else "it is made anew"
        return (
            f"the environment of {label} is damaged: {what}; remove it with 'tokconf environments remove {label}', and "
            f"{anew}"
        )

    def ensure(self, tell: Tell = silent) -> str:
        """Have the release be there, which may mean to make its environment; return what it is called.

        ``tell`` is given words about what is being done. Raises :class:`EnvironmentFaultError`.
        """
        if self.environment is None:
            version = version_in(self.python, self.served.distribution, self.word)
            return self.name or f"{self.served.implementation}@{version}"
        try:
            self.environment.ensure(tell)
        except NoSuchVersionError as error:
            raise self._better(error) from error
        return self.name or self.word

    def _better(self, error: EnvironmentFaultError) -> EnvironmentFaultError:
        """Return the error that says which releases there are, where pip tells; else ``error``."""
        _, _, version = self.environment.label.partition("==") if self.environment else ("", "", "")
        try:
            return why_missing(self.served.distribution, version, pip_python())
        except EnvironmentFaultError:
            return error


def pinned(word: str) -> Pinned:
    """Return what the ``word`` of one release selects; nothing is started or made.

    The name of a heavy implementation (:data:`HEAVY`) stands for the release of it that is run. Raises
    :class:`WordError`, also for a range, and errors of :mod:`tokenizer_adapters.registry`.
    """
    return _pinned(word, served, ())


def made(name: str) -> Pinned:
    """Return the release in which the heavy implementation ``name`` is run, which is there.

    Raises :class:`UnavailableError` where nobody has made its environment, with what that costs.
    """
    release = pinned(name)
    if release.environment is None or not release.environment.is_complete:
        raise UnavailableError(f"{name} is not installed; {HEAVY[name].costs}; this makes it: {release.install}")
    release.ensure()
    return release


def pinned_trainer(word: str) -> Pinned:
    """Return the trainer that the ``word`` of one release selects; raises as :func:`pinned`."""
    return _pinned(word, served_trainer, (TRAINER,))


def environment_of(word: str) -> Environment:
    """Return the environment of the release that ``word`` names; raises :class:`WordError` as :func:`pinned`."""
    environment = pinned(word).environment
    if environment is None:
        raise WordError(f"{word!r} names an environment of your own, which is none of those kept here")
    return environment


def _pinned(word: str, find: Callable[[str], Served], options: tuple[str, ...]) -> Pinned:
    given = Pin(word, HEAVY[word].version, word) if word in HEAVY else read(word)
    if isinstance(given, Range):
        raise WordError(f"{word!r} is a range of releases; name one of them here, as in '{given.package}==VERSION'")
    if isinstance(given, ModelFile):
        raise WordError(f"{word!r} names a file, and no release; name the implementation, or one as PACKAGE==VERSION")
    found = find(given.package)
    arguments = (*options, found.subject)
    if isinstance(given, Elsewhere):
        return Pinned(word, found, name_of(word), _python_at(given.python), None, arguments)
    environment = environment_for(found, given)
    return Pinned(word, found, given.name or word, environment.python, environment, arguments)


def environment_for(found: Served, pin: Pin) -> Environment:
    """Return the environment of a release; that of the release of a heavy implementation that is run has its pins."""
    heavy = HEAVY.get(found.implementation)
    requires = heavy.requires if heavy is not None and heavy.version == pin.version else found.requires
    return Environment((f"{found.distribution}=={pin.version}", *requires), found.module)


def _python_at(path: str) -> Path:
    """Return the Python at ``path``, or that of the environment there; links are not followed: they say which it is."""
    place = Path(path).expanduser().absolute()
    return python_in(place) if place.is_dir() else place


def version_in(python: Path, distribution: str, word: str) -> str:
    """Return which version of ``distribution`` the Python at ``python`` has; ``word`` is named in errors.

    Raises :class:`NoSuchPythonError` where there is none, or no such Python, or one that cannot run this package.
    """
    if not python.is_file():
        raise NoSuchPythonError(
            f"{word!r}: there is no Python at {str(python)!r}; name one, or the folder of its environment"
        )
    try:
        done = carried_out([str(python), "-I", "-c", PROBE, distribution], PROBE_SECONDS)
        major, minor, version = json.loads(done.output)
    except (InstallerError, ValueError) as error:
        raise NoSuchPythonError(f"{word!r}: {str(python)!r} does not run as a Python: {error}") from error
    if (major, minor) < OLDEST_PYTHON:
        needed = ".".join(map(str, OLDEST_PYTHON))
        raise NoSuchPythonError(f"{word!r}: {str(python)!r} is Python {major}.{minor}; adapters need {needed} or later")
    if version is None:
        raise NoSuchPythonError(
            f"{word!r}: {str(python)!r} has no package {distribution}; install it with: {python} -m pip install "
            f"{distribution}"
        )
    return str(version)
