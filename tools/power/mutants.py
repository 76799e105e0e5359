"""Mutants: small changes of a package's source, made by the operators of ``cosmic-ray``.

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
from functools import cache
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

import parso
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Example, Operator
from cosmic_ray.plugins import get_operator, operator_names

from power.changed_reference import Change
from power.packages import REFERENCE, Package

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

K = TypeVar("K")

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
    package: Package = REFERENCE


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed module: where, by which operator, and its source."""

    site: Site
    change: Change

    @property
    def before(self) -> str:
        """The source of the module without the change."""
        return self.site.package.source_of(self.site.module)

    @property
    def line_text(self) -> str:
        """The line that is changed, as it is without the change."""
        return self.before.splitlines()[self.site.line - 1].strip()

    @property
    def name(self) -> str:
        """What the mutant is called."""
        return f"{self.site.module}:{self.site.line} {self.site.operator.partition('/')[2]}"

    def lines(self) -> range:
        """Return the lines of the innermost function that is changed, else those of the whole module."""
        return function_lines(self.site.module, self.site.line, self.site.package)

    def diff(self) -> str:
        """Return what is changed, as a unified diff without context."""
        before, after = self.before.splitlines(), self.change.source.splitlines()
        lines = list(difflib.unified_diff(before, after, lineterm="", n=0))[3:]
        return "\n".join(lines)


# Which there are -----------------------------------------------------------------------------------------------------


def sites(module: str, package: Package = REFERENCE) -> list[Site]:
    """Return every place of ``module`` that an operator can change."""
    nodes = list(ast_nodes(get_ast(package.source_of(module))))
    found: list[Site] = []
    for name, operator in operators().items():
        places = [place for node in nodes for place in operator.mutation_positions(node)]
        found += [Site(module, name, at, place[0][0], place, package) for at, place in enumerate(places)]
    return found


def mutant_of(site: Site) -> Mutant | None:
    """Return the mutant of ``site``, ``None`` where it changes nothing but annotations, or there is none."""
    source = site.package.source_of(site.module)
    try:
        mutated = mutate_code(source, operators()[site.operator], site.occurrence)
    except AttributeError:  # the operator for exceptions knows no names with a dot
        return None
    if mutated is None:
        return None
    try:
        compile(mutated, site.module, "exec", dont_inherit=True)  # sees more than the parser: a name that is not bound
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
def _functions(module: str, package: Package) -> dict[tuple[int, int], str]:
    """Return the names of all functions by their first line, which a decorator may be, and their last, in order."""
    tree = ast.parse(package.source_of(module))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = (
        (
            (min([node.lineno, *(each.lineno for each in node.decorator_list)]), node.end_lineno or node.lineno),
            node.name,
        )
        for node in ast.walk(tree)
        if isinstance(node, kinds)
    )
    return dict(sorted(found))


def function_lines(module: str, line: int, package: Package = REFERENCE) -> range:
    """Return the lines of the innermost function of ``module`` around ``line``; all lines where there is none."""
    spans = tuple(_functions(module, package))
    for first, last in reversed(spans[: bisect_right(spans, (line, 10**9))]):
        if last >= line:
            return range(first, last + 1)
    return range(1, 10**9)


def function_name(module: str, line: int, package: Package = REFERENCE) -> str:
    """Return the name of the innermost function of ``module`` around ``line``; empty where there is none."""
    lines = function_lines(module, line, package)
    return _functions(module, package).get((lines.start, lines.stop - 1), "")


# Which are drawn -----------------------------------------------------------------------------------------------------


def sample(count: int, seed: int, pattern: str = "*") -> list[Mutant]:
    """Return ``count`` mutants, the same for the same ``seed`` and source; fewer where there are not as many.

    They are spread over the modules by how many places can be changed in each. Of one place that several operators of
    a family can change (each of the other comparisons, each of the other numbers) one is drawn before a second.
    """
    sizes = {module: size(module) for module in REFERENCE.modules(pattern)}
    return [mutant for module, wanted in shares(sizes, count).items() for mutant in drawn(module, wanted, seed)]


def size(module: str, package: Package = REFERENCE) -> int:
    """Return how many places of ``module`` can be changed, those of one place and one family of operators once."""
    return len({_kind(site) for site in sites(module, package)})


def drawn(
    module: str,
    count: int,
    seed: int,
    package: Package = REFERENCE,
    counts: Callable[[Mutant], bool] = lambda mutant: True,  # noqa: ARG005 - all do
) -> list[Mutant]:
    """Return ``count`` mutants of ``module`` that count; those of a smaller ``count`` are the first of a larger."""
    if not count:
        return []
    found = _shuffled(sites(module, package), Random(f"{seed}:{module}"))
    mutants = (mutant for site in found if (mutant := mutant_of(site)) is not None and counts(mutant))
    return list(islice(mutants, count))


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


def shares(sizes: Mapping[K, int], count: int) -> dict[K, int]:
    """Return how many of ``count`` each name gets, in proportion to its size; what is left goes to the largest rests.

    >>> shares({"a": 3, "b": 1}, 8)
    {'a': 6, 'b': 2}
    """
    whole = sum(sizes.values()) or 1
    exact = {name: count * size / whole for name, size in sizes.items()}
    found = {name: int(share) for name, share in exact.items()}
    by_rest = sorted(sizes, key=lambda name: exact[name] - found[name], reverse=True)
    for name in by_rest[: min(count, whole) - sum(found.values())]:
        found[name] += 1
    return found
