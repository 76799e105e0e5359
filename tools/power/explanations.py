"""The mutants that are explained: reading ``explained_mutants.toml`` and ``explained_harness_mutants.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

OF_REFERENCE, OF_HARNESS = map(Path(__file__).with_name, ("explained_mutants.toml", "explained_harness_mutants.toml"))


class ExplanationError(Exception):
    """An explanation cannot be used: the message says which, why, and what to do."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why the mutants that ``operator`` (``*``: any) makes of a ``line`` of ``module`` need no case."""

    module: str
    line: str
    operator: str
    reason: str

    def explains(self, module: str, line: str, operator: str) -> bool:
        """Whether this is said of the mutant that ``operator`` makes of ``line`` of ``module``."""
        return self.module == module and self.line == line and self.operator in ("*", operator)


def read_explanations(file: Path, source: Callable[[str], str] | None = None) -> list[Explanation]:
    """Return the explanations in ``file``.

    Where ``source`` is given, which gives a module's, each must be of a line that there is: a record can be of modules
    that have changed since. Raises :class:`ExplanationError`.
    """
    names = {field.name for field in fields(Explanation)}
    explanations: list[Explanation] = []
    for found in tomllib.loads(file.read_text(encoding="utf-8")).get("mutant", []):
        if set(found) != names:
            raise ExplanationError(
                f"{file.name}: expected {', '.join(sorted(names))}; found {', '.join(sorted(found))}"
            )
        explanation = Explanation(**found)
        if source and explanation.line not in {line.strip() for line in _lines(explanation.module, source)}:
            raise ExplanationError(
                f"{file.name}: the module {explanation.module} has no line {explanation.line!r} any more; "
                "take the explanation out, or write it anew"
            )
        explanations.append(explanation)
    return explanations


def _lines(module: str, source: Callable[[str], str]) -> list[str]:
    try:
        return source(module).splitlines()
    except OSError:
        return []
