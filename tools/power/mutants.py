"""Mutants: small changes of the reference's source, made by the operators of ``cosmic-ray``.

Left out are ``VariableReplacer`` and ``VariableInserter``, which need to be told a variable and put random numbers in
its place, so that a mutant would not be the same twice. One kind that matters is missing there and added here:
:class:`DeleteStatement`, since a step that was forgotten is what ports lack most.
"""

from __future__ import annotations

import ast
import difflib
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

import parso
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Example, Operator
from cosmic_ray.plugins import get_operator, operator_names

from power.changed_reference import PACKAGE, ROOT, Change, file_of, source_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PARTS = (
    "normalizers.*",
    "pre_tokenizers.*",
    "models.*",
    "processors.*",
    "decoders.*",
    "pipeline.*",
    "values.*",
    "text.*",
    "added_vocabulary",
)
"""What the suite asks about. Trainers, other file formats, the textbook and the tools are not what it asks."""

NOT_MUTATED = (
    "*__init__",
    "text.unicode_tables",  # generated data
    "pipeline.asynchronous",  # the same as the methods that wait
    "pipeline.hub",  # downloads
    "models.lattice",  # sampling: its answers are random
)

NEEDS_ARGUMENTS = frozenset({"core/VariableReplacer", "core/VariableInserter"})


class DeleteStatement(Operator):  # type: ignore[misc]  # cosmic-ray has no types
    """Deletes a statement of a function: ``pass`` takes its place."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Yield the place of ``node`` where it is a simple statement inside a function that does something."""
        if node.type != "simple_stmt" or parso.tree.search_ancestor(node, "funcdef") is None:
            return
        statement = node.children[0]
        if statement.type in ("string", "strings", "import_name", "import_from") or statement.get_code(False) == "pass":
            return
        yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        """Return ``pass`` in the place of ``node``."""
        del index
        statement = node.children[0]
        node.children[0] = parso.python.tree.Keyword("pass", statement.start_pos, prefix=_prefix(statement))
        del node.children[1:-1]
        return node

    @classmethod
    def examples(cls) -> Iterable[Example]:
        """Return what the operator does, in short."""
        return (Example("def f(x):\n    x += 1\n", "def f(x):\n    pass\n"),)


def _prefix(node: Any) -> str:
    prefix: str = node.get_first_leaf().prefix
    return prefix


DELETE_STATEMENT = "own/DeleteStatement"


@cache
def operators() -> dict[str, Operator]:
    """Return the operators by their names."""
    known: dict[str, Operator] = {
        name: get_operator(name)() for name in sorted(operator_names()) if name not in NEEDS_ARGUMENTS
    }
    return known | {DELETE_STATEMENT: DeleteStatement()}


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a module that an operator changes: the ``occurrence``-th that it can change there.

    ``line`` is counted from 1.
    """

    module: str
    operator: str
    occurrence: int
    line: int
    place: tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed module: where, by which operator, and its source."""

    site: Site
    change: Change

    @property
    def line_text(self) -> str:
        """The line that is changed, as it is without the change."""
        return source_of(self.site.module).splitlines()[self.site.line - 1].strip()

    @property
    def name(self) -> str:
        """What the mutant is called."""
        return f"{self.site.module}:{self.site.line} {self.site.operator.partition('/')[2]}"

    def lines(self) -> range:
        """Return the lines of the innermost function that is changed, else those of the whole module."""
        return function_lines(self.site.module, self.site.line)

    def diff(self) -> str:
        """Return what is changed, as a unified diff without context."""
        before, after = source_of(self.site.module).splitlines(), self.change.source.splitlines()
        lines = list(difflib.unified_diff(before, after, lineterm="", n=0))[3:]
        return "\n".join(lines)


# Which there are -----------------------------------------------------------------------------------------------------


def modules(pattern: str = "*") -> list[str]:
    """Return the names of the modules that are mutated, below the package of the reference, that match ``pattern``."""
    folder = ROOT / "reference" / PACKAGE
    files = sorted(folder.rglob("*.py"))
    names = [str(file.relative_to(folder).with_suffix("")).replace("/", ".") for file in files]
    return [
        name
        for name in names
        if any(fnmatchcase(name, part) for part in PARTS)
        and not any(fnmatchcase(name, left_out) for left_out in NOT_MUTATED)
        and fnmatchcase(name, pattern)
    ]


def sites(module: str) -> list[Site]:
    """Return every place of ``module`` that an operator can change."""
    nodes = list(ast_nodes(get_ast(source_of(module))))
    found: list[Site] = []
    for name, operator in operators().items():
        places = [place for node in nodes for place in operator.mutation_positions(node)]
        found += [Site(module, name, at, place[0][0], place) for at, place in enumerate(places)]
    return found


def mutant_of(site: Site) -> Mutant | None:
    """Return the mutant of ``site``, ``None`` where it changes nothing but annotations, or is no Python."""
    source = source_of(site.module)
    mutated = mutate_code(source, operators()[site.operator], site.occurrence)
    if mutated is None:
        return None
    try:
        meant = _meaning(mutated)
    except SyntaxError:
        return None
    return None if meant == _meaning(source) else Mutant(site, Change(site.module, mutated))


class _WithoutAnnotations(ast.NodeTransformer):
    """Takes out what is for the type checker only."""

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant("")
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST:
        if "TYPE_CHECKING" in ast.unparse(node.test):
            return ast.Pass()
        return self.generic_visit(node)


@cache
def _meaning(source: str) -> str:
    return ast.dump(_WithoutAnnotations().visit(ast.parse(source)))


@cache
def _functions(module: str) -> tuple[tuple[int, int], ...]:
    """Return the first and the last line of every function, the decorators included, in the order of the first."""
    tree = ast.parse(file_of(module).read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    spans = (
        (min([node.lineno, *(each.lineno for each in node.decorator_list)]), node.end_lineno or node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, kinds)
    )
    return tuple(sorted(spans))


def function_lines(module: str, line: int) -> range:
    """Return the lines of the innermost function of ``module`` around ``line``; all lines where there is none."""
    spans = _functions(module)
    for first, last in reversed(spans[: bisect_right(spans, (line, 10**9))]):
        if last >= line:
            return range(first, last + 1)
    return range(1, 10**9)


# Which are drawn -----------------------------------------------------------------------------------------------------


def sample(count: int, seed: int, pattern: str = "*") -> list[Mutant]:
    """Return ``count`` mutants, the same for the same ``seed`` and source; fewer where there are not as many.

    They are spread over the modules by how many places can be changed in each. Of one place that several operators of
    a family can change (each of the other comparisons, each of the other numbers) one is drawn before a second.
    """
    by_module = {module: sites(module) for module in modules(pattern)}
    wanted = _shares({module: len({_kind(site) for site in found}) for module, found in by_module.items()}, count)
    drawn: list[Mutant] = []
    for module, found in by_module.items():
        rng = Random(f"{seed}:{module}")
        mutants = filter(None, map(mutant_of, _shuffled(found, rng)))
        drawn += [mutant for _, mutant in zip(range(wanted[module]), mutants, strict=False)]
    return drawn


def _kind(site: Site) -> tuple[object, ...]:
    """Return what the sites of one place and one family of operators have in common."""
    return site.place, site.operator.split("_")[0]


def _shuffled(found: Iterable[Site], rng: Random) -> list[Site]:
    by_kind: dict[tuple[object, ...], list[Site]] = defaultdict(list)
    for site in found:
        by_kind[_kind(site)].append(site)
    for same in by_kind.values():
        rng.shuffle(same)
    # The first of every kind, in random order, then the second of every kind …
    return sorted(
        (site for same in by_kind.values() for site in same),
        key=lambda site: (by_kind[_kind(site)].index(site), rng.random()),
    )


def _shares(sizes: dict[str, int], count: int) -> dict[str, int]:
    """Return how many of ``count`` each name gets, in proportion to its size; what is left goes to the largest rests.

    >>> _shares({"a": 3, "b": 1}, 8)
    {'a': 6, 'b': 2}
    """
    whole = sum(sizes.values()) or 1
    exact = {name: count * size / whole for name, size in sizes.items()}
    shares = {name: int(share) for name, share in exact.items()}
    by_rest = sorted(sizes, key=lambda name: exact[name] - shares[name], reverse=True)
    for name in by_rest[: min(count, whole) - sum(shares.values())]:
        shares[name] += 1
    return shares
