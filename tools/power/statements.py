"""The statement that a line of a module belongs to, and what it stands in."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINITIONS = (*_FUNCTIONS, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement: its ``lines`` without those of the statements in it, and those of the ``definition`` around it.

    That is a function or a class; of the head of a function, the function. ``in_function`` says whether it is run by
    calling a function, else it is as its module is imported.
    """

    lines: range
    definition: range | None
    in_function: bool


def statement_at(source: str, line: int) -> Statement:
    """Return the innermost statement of ``source`` at ``line``; between two, the one around both."""
    tree = _parsed(source)
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and line in _all_lines(node)]
    innermost = min(nodes, key=lambda node: len(_all_lines(node)), default=None)
    if innermost is None:
        return Statement(range(line, line + 1), None, in_function=False)
    around = [node for node in nodes if node is not innermost]
    definitions = [_all_lines(node) for node in nodes if isinstance(node, _DEFINITIONS)]
    head = _own_lines(innermost)
    return Statement(
        lines=head if line in head else range(line, line + 1),
        definition=min(definitions, key=len, default=None),
        in_function=any(isinstance(node, _FUNCTIONS) for node in around),
    )


@lru_cache(maxsize=4)
def _parsed(source: str) -> ast.Module:
    return ast.parse(source)


def _all_lines(node: ast.stmt) -> range:
    decorators = node.decorator_list if isinstance(node, _DEFINITIONS) else []
    first = min([node.lineno, *(each.lineno for each in decorators)])
    return range(first, (node.end_lineno or node.lineno) + 1)


def _own_lines(node: ast.stmt) -> range:
    whole = _all_lines(node)
    inner = [each.lineno for each in ast.walk(node) if isinstance(each, ast.stmt) and each is not node]
    return range(whole.start, max(whole.start + 1, min([whole.stop, *inner])))
