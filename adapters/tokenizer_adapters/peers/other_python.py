"""Serves an implementation of this package by the Python of another environment: ``python -I other_python.py NAME``.

That environment has packages of its own; of this one it is given this package alone, by its path. Were the folder
around it made importable, the packages beside this one would take the place of those that are to be observed.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path


def import_from(folder: Path) -> None:
    """Import the package in ``folder``, whatever lies beside that."""
    spec = importlib.util.spec_from_file_location(
        folder.name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"{folder} holds no package")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)


if __name__ == "__main__":
    import_from(Path(__file__).parents[1])
    from tokenizer_adapters.protocol.server import main

    sys.exit(main(sys.argv[1:]))
