"""What goes wrong with an environment of a version; each message is one line that says what, why and what to do.

All are errors of the registry, so that an implementation with such a fault is one that cannot be used, and the others
of a run go on.
"""

from __future__ import annotations

from tokenizer_adapters.registry import RegistryError


class WordError(RegistryError):
    """A word names no release that can be served. The message says why, and what to write instead."""


class EnvironmentFaultError(RegistryError):
    """An environment cannot be made or used."""


class NoSuchVersionError(EnvironmentFaultError):
    """The package has no such release, or there is no such package."""


class NoFileError(EnvironmentFaultError):
    """The release is there, and has no file for this Python."""


class ConflictError(EnvironmentFaultError):
    """The release needs what cannot be had together, or what has no file for this Python."""


class UnreachableError(EnvironmentFaultError):
    """No registry of packages answered, or none may be asked."""


class DiskFullError(EnvironmentFaultError):
    """There is no space left for the environment."""


class NotWritableError(EnvironmentFaultError):
    """The folder of the environments cannot be written."""


class InstallerError(EnvironmentFaultError):
    """The environment could not be made for another reason; the message ends in the words of the installer."""


class CannotImportError(EnvironmentFaultError):
    """The package is installed, and cannot be imported."""


class NoSuchPythonError(EnvironmentFaultError):
    """The Python of an environment that was named is not there, is too old, or lacks the package."""
