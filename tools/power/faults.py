"""The faults that are written by hand: reading ``faults/*.toml``.

A fault is an exact piece of the source of one module of the reference and what stands in its place. So a fault cannot
be read any more where the reference has been changed there: it must be written anew.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from power.changed_reference import Change, source_of
from tokenizer_conformance.validation.suite.requirement import Place

FOLDER = Path(__file__).parent / "faults"


class FaultDataError(Exception):
    """A file of faults cannot be used: the message says which fault is wrong, why, and what to do."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A mistake that authors of ports make.

    ``stage`` is the place that is to be blamed for it, ``what`` says in a sentence what is wrong. ``old`` stands once
    in ``module``, ``new`` takes its place.
    """

    id: str
    stage: Place
    what: str
    module: str
    old: str
    new: str

    def change(self) -> Change:
        """Return the change of the module. Raises :class:`FaultDataError` where ``old`` does not stand in it once."""
        try:
            source = source_of(self.module)
        except OSError as error:
            raise FaultDataError(f"fault {self.id}: there is no module {self.module!r} in the reference") from error
        return Change(self.module, replaced(self.id, self.module, source, self.old, self.new))

    def lines(self) -> range:
        """Return the lines of the module, counted from 1, in which ``old`` stands, with the one above."""
        source = source_of(self.module)
        first = source.count("\n", 0, source.index(self.old)) + 1
        return range(max(first - 1, 1), first + self.old.count("\n") + 1)


def replaced(id: str, module: str, source: str, old: str, new: str) -> str:
    """Return ``source``, that of ``module``, with ``new`` for ``old``.

    Raises :class:`FaultDataError`, which names the fault ``id``, where ``old`` does not stand in it once.
    """
    count = source.count(old)
    if count != 1:
        found = "does not stand" if count == 0 else f"stands {count} times"
        raise FaultDataError(
            f"fault {id} is stale: `old` {found} in the module {module}, and must stand there once; "
            "write it anew, as the module is now"
        )
    return source.replace(old, new)


def read_faults(folder: Path = FOLDER) -> list[Fault]:
    """Return all faults in ``folder``, each of which can be applied.

    Raises :class:`FaultDataError`.
    """
    faults: dict[str, Fault] = {}
    for file in sorted(folder.glob("*.toml")):
        for found in tomllib.loads(file.read_text(encoding="utf-8")).get("fault", []):
            fault = _fault(found, file.name)
            if fault.id in faults:
                raise FaultDataError(f"{file.name}: the fault {fault.id} is there twice")
            fault.change()
            faults[fault.id] = fault
    return list(faults.values())


def _fault(found: dict[str, Any], file: str) -> Fault:
    names = {field.name for field in fields(Fault)}
    if set(found) != names or not all(isinstance(value, str) for value in found.values()):
        raise FaultDataError(f"{file}: fault {found.get('id')!r}: expected the texts {', '.join(sorted(names))}")
    if found["stage"] not in set(Place):
        raise FaultDataError(f"{file}: fault {found['id']}: the stage {found['stage']!r} is none of {', '.join(Place)}")
    return Fault(**{**found, "stage": Place(found["stage"])})
