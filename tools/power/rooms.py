"""The harness and the adapters by rooms: where no mutant may live, and what is left out, each with the reason."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from power.packages import Package

if TYPE_CHECKING:
    from power.mutants import Mutant

STRICT = {
    "conclusions": (
        "tokenizer_conformance.*.concluding",
        "tokenizer_conformance.command_io.conclusion",
        "tokenizer_conformance.results.verdict_states",
        "tokenizer_conformance.validation.suite.judging",
    ),
    "merging": ("tokenizer_conformance.*.merging",),
    "comparison": ("tokenizer_conformance.comparison.*",),
    "coverage": ("tokenizer_conformance.*.coverage",),
    "measures": ("tokenizer_conformance.research.metrics.measures.*",),
}
"""The rooms in which every mutant must be seen, by patterns of their modules: what a verdict or a figure rests on."""

DEEP = ("validation", "research", "releases", "causes", "inputs", "results")
"""The rooms of the harness that are so large that the rooms inside them stand in the table."""

LEFT_OUT_MODULES = (
    ("tokenizer_adapters.variants.unicode_history", "generated data, which its generator's test compares"),
    ("tokenizer_adapters.peers.*", "asks a package that default tests do not need; tools/adapter_power.py measures it"),
    ("tokenizer_adapters.environments.programs.*", "run by other Pythons, in the long tests"),
    ("tokenizer_conformance.command_io.ray_*", "needs Ray, which default tests do not need"),
    ("tokenizer_conformance.*__main__", "starts the command line and nothing else"),
    ("tokenizer_adapters.*__main__", "starts the command line and nothing else"),
)
"""Modules that are not mutated."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Mutants that are not made: by ``operator``, a pattern, of lines that match ``line``, becoming ``after``."""

    operator: str
    line: str
    after: str
    reason: str

    def matches(self, operator: str, line: str, after: str) -> bool:
        """Whether it is such a mutant."""
        return (
            fnmatchcase(operator, self.operator)
            and re.search(self.line, line) is not None
            and re.search(self.after, after) is not None
        )


LEFT_OUT_MUTANTS = (
    LeftOut("core/RemoveDecorator", r"^@(functools\.)?(lru_)?cache\b", "", "costs time and changes nothing else"),
    LeftOut("core/*", r"^@(functools\.)?lru_cache\(", "", "costs time or memory and changes nothing else"),
    LeftOut("core/RemoveDecorator", r"^@(override|final|overload|runtime_checkable)$", "", "for the type checker"),
    LeftOut("core/ReplaceTrueWithFalse", r"^@dataclass\(", "(frozen|slots|kw_only)=False", "keeps others from misuse"),
    LeftOut("core/ReplaceTrueWithFalse", r"strict=True", "strict=False", "says that lengths are the same, as they are"),
    LeftOut("own/DeleteStatement", r"^del \w+(, \w+)*( *#.*)?$", "", "an argument that is not used"),
    LeftOut("*", r"^assert\b", "", "says what holds"),
)
"""Mutants that nothing is to see."""


def _packages() -> tuple[Package, ...]:
    found = []
    for name, root in (("tokenizer_conformance", "conformance"), ("tokenizer_adapters", "adapters")):
        prefix = f"{name}."
        left_out = tuple(each.removeprefix(prefix) for each, _ in LEFT_OUT_MODULES if each.startswith(prefix))
        found.append(Package(name, root, left_out=left_out))
    return tuple(found)


PACKAGES = _packages()
"""The packages that are mutated."""


def whole_name(package: Package, module: str) -> str:
    """Return the name of a module with that of its package; ``cli.__init__`` stays that."""
    return f"{package.name}.{module}"


def room_of(name: str) -> str:
    """Return the room of the module of the whole ``name``.

    >>> room_of("tokenizer_conformance.research.cuts.grid"), room_of("tokenizer_conformance.comparison.findings")
    ('research.cuts', 'comparison')
    """
    for room, patterns in STRICT.items():
        if any(fnmatchcase(name, pattern) for pattern in patterns):
            return room
    package, *rest = name.split(".")
    if package == "tokenizer_adapters":
        return "adapters" if len(rest) == 1 else f"adapters.{rest[0]}"
    return ".".join(rest[:2]) if rest[0] in DEEP and len(rest) > 2 else rest[0] if len(rest) > 1 else "harness"


def counts(mutant: Mutant) -> bool:
    """Whether something is to see ``mutant``."""
    line = mutant.line_text
    added = "\n".join(each[1:] for each in mutant.diff().splitlines() if each.startswith("+"))
    return not any(each.matches(mutant.site.operator, line, added) for each in LEFT_OUT_MUTANTS)
