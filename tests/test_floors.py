"""Imports of the three packages point down: no circles, and none inside functions.

The contracts of import-linter say which floor may import which, and that siblings form no circle. They do not see a
module that imports its own package, an import that is hidden in a function, nor a module that is imported by its name.
"""

from __future__ import annotations

import ast
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grimp
import pytest

import tokenizer_adapters
import tokenizer_conformance
import tokenizer_reference

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGES = (tokenizer_reference, tokenizer_adapters, tokenizer_conformance)
NAMES = tuple(package.__name__ for package in PACKAGES)
ROOTS = tuple(Path(str(package.__file__)).parent for package in PACKAGES)


def circle(imports: dict[str, set[str]]) -> list[str]:
    """Return the modules of a circle, the first one again at its end; empty where there is none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def statements_in_functions(statements: list[Any], *, inside: bool = False) -> Iterator[ast.stmt]:
    """Yield all that stand in a function, at any depth. No statement stands in an expression."""
    for each in statements:
        if inside:
            yield each
        is_function = isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
        for part in ("body", "handlers", "orelse", "finalbody", "cases"):
            yield from statements_in_functions(getattr(each, part, []), inside=inside or is_function)


FOR_TYPE_CHECKERS = re.compile(r"^if TYPE_CHECKING:\n(?: .*\n|\n)+", re.MULTILINE)
INDENTED_IMPORT = re.compile(r"^(?!import |from ).*\bimport\b", re.MULTILINE)
"""A line that may import something, but not for the whole module: few have one, and to parse all others takes long."""


def late_imports(source: str) -> list[int]:
    """Return the lines at which a function imports a module of the three packages."""
    if not INDENTED_IMPORT.search(FOR_TYPE_CHECKERS.sub("", source)):
        return []
    inside = list(statements_in_functions(ast.parse(source).body))
    modules = [(node.lineno, node.module or "") for node in inside if isinstance(node, ast.ImportFrom)]
    modules += [(node.lineno, name.name) for node in inside if isinstance(node, ast.Import) for name in node.names]
    return sorted({line for line, module in modules if module.split(".")[0] in NAMES})


NAMED = re.compile(rf"({'|'.join(NAMES)})(\.\w+)+(:\w+)?")
"""A string that names a module, or what is in one: it is imported when it is used."""


def named_modules(source: str) -> set[str]:
    """Return the modules that the strings of ``source`` name."""
    strings = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    return {each.partition(":")[0] for each in strings if isinstance(each, str) and NAMED.fullmatch(each)}


@pytest.mark.long
def test_no_circles_also_through_names() -> None:
    # The graph has all imports, those of type checkers and inside functions included.
    graph = grimp.build_graph(*NAMES, cache_dir=None)
    assert len(graph.modules) > 300
    imports = {module: set(graph.find_modules_directly_imported_by(module)) for module in graph.modules}
    named = 0
    for root in ROOTS:
        for path in root.rglob("*.py"):
            module = ".".join(path.relative_to(root.parent).with_suffix("").parts).removesuffix(".__init__")
            found = named_modules(path.read_text("utf-8")) & imports.keys() - {module}
            imports[module] |= found
            named += len(found)
    assert named > 80
    assert circle(imports) == []


def test_no_imports_inside_functions() -> None:
    late = {str(path): late_imports(path.read_text("utf-8")) for root in ROOTS for path in root.rglob("*.py")}
    assert len(late) > 300
    assert {path: lines for path, lines in late.items() if lines} == {}


def test_what_is_wrong_is_found() -> None:
    assert set(circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == {"a", "b", "c"}
    late = "import tokenizer_reference\ndef f():\n    import os\n    from tokenizer_reference.text import utf8\n"
    assert late_imports(late) == [4]
    deep = "class A:\n  def f(self):\n    try: pass\n    except OSError:\n      match 1:\n        case 1: import {}\n"
    assert late_imports(deep.format("tokenizer_adapters")) == [6]
    assert late_imports(deep.format("json")) == []
    lazily = 'run = lazy("tokenizer_reference.text.utf8:decode")\nPROGRAM = "tokenizer_adapters.protocol"\n'
    assert named_modules(lazily) == {"tokenizer_reference.text.utf8", "tokenizer_adapters.protocol"}
