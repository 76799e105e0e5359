"""Which implementations there are on this machine, and what each says of itself."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.registry import RegistryError, build, selectable
from tokenizer_adapters.selection import Isolation, select

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from tokenizer_adapters.contract import ImplementationInfo

SECONDS = 20.0
"""How long an implementation of another package may take to say who it is."""


class State(StrEnum):
    """Whether an implementation can be used."""

    INSTALLED = "installed"
    NOT_INSTALLED = "not installed"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Listed:
    """A registered implementation. ``info`` is there where it is installed, else ``reason`` says why not.

    ``package`` is the distribution that registers it, ``isolated`` whether it runs in a process of its own where
    nothing else is asked for.
    """

    name: str
    state: State
    package: str
    isolated: bool
    info: ImplementationInfo | None = None
    reason: str | None = None


def inventory() -> list[Listed]:
    """Return every registered implementation, by name. One that cannot be imported, or that crashes, is broken.

    Those of other packages are asked in processes of their own. Raises :class:`DuplicateImplementationError`.
    """
    return [_listed(name, entry) for name, entry in sorted(selectable().items())]


def _listed(name: str, entry: EntryPoint) -> Listed:
    package = "" if entry.dist is None else f"{entry.dist.name} {entry.dist.version}"
    isolated = Isolation().isolates(name)
    try:
        info = _info(name, entry)
    except UnavailableError as error:
        return Listed(name, State.NOT_INSTALLED, package, isolated, reason=str(error))
    except RegistryError as error:
        return Listed(name, State.BROKEN, package, isolated, reason=str(error))
    return Listed(name, State.INSTALLED, package, isolated, info)


def _info(name: str, entry: EntryPoint) -> ImplementationInfo:
    if entry.module.startswith(f"{__package__}."):
        return build(entry).info
    with select(name, Isolation()).start(Limits(start_seconds=SECONDS)) as implementation:
        return implementation.info
