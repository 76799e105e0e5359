"""The code of a user: it is imported from the current folder or the environment, and its errors have a file and a line.

A *path* is ``package.module:Name``. As for ``python -m``, the current folder comes first among those that modules are
looked for in.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import os
import sys
import sysconfig
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.registry import BrokenImplementationError, WrongImplementationError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

OWN = str(Path(__file__).parent)
"""The folder of this package, whose lines are never the user's."""

INSTALLED = tuple(
    {path for name in ("stdlib", "platstdlib", "purelib", "platlib") if (path := sysconfig.get_path(name))}
)
"""The folders of the standard library and of installed packages."""


def found_at(path: str) -> object:
    """Import and return what ``path`` names.

    >>> found_at("json:loads").__name__
    'loads'

    Raises :class:`WrongImplementationError` where it is not there, and :class:`BrokenImplementationError` where its
    module cannot be imported; the message says where was looked, or which line has failed.
    """
    name, _, attribute = path.partition(":")
    module = _imported(name)
    try:
        return getattr(module, attribute)
    except AttributeError:
        raise WrongImplementationError(_no_attribute(module, attribute)) from None


def look_in_current_folder() -> None:
    """Have modules be looked for in the current folder first, in this process."""
    folder = _current_folder()
    if folder and folder not in sys.path:
        sys.path.insert(0, folder)
        importlib.invalidate_caches()


def line_of(error: BaseException) -> str:
    """Return the file and line of the user's code that ``error`` comes from, empty where there is none.

    That is the last line that is neither of this package nor of the standard library or an installed package, else the
    last one that is not of this package. A file in the current folder is named from there.
    """
    if isinstance(error, SyntaxError) and error.filename:
        return f"{_file_name(error.filename)}, line {error.lineno}"
    frames = traceback.extract_tb(error.__traceback__, limit=-200)
    others = [frame for frame in frames if not frame.filename.startswith((OWN, "<"))]
    users = [frame for frame in others if not _is_installed(frame.filename)]
    frame = next(reversed(users or others), None)
    return "" if frame is None else f"{_file_name(frame.filename)}, line {frame.lineno}"


def with_line(error: BaseException, words: str) -> str:
    """Return ``words`` with the line of the user's code that ``error`` comes from, where there is one."""
    line = line_of(error)
    return f"{words} ({line})" if line else words


# Importing ------------------------------------------------------------------------------------------------------------


def _imported(name: str) -> ModuleType:
    look_in_current_folder()
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            raise WrongImplementationError(_no_module(error.name)) from None
        raise BrokenImplementationError(_failed(name, error)) from error
    except Exception as error:
        raise BrokenImplementationError(_failed(name, error)) from error


def _failed(name: str, error: Exception) -> str:
    words = error.msg if isinstance(error, SyntaxError) else error
    cause = " ".join(f"{type(error).__name__}: {words}".split())
    return with_line(error, f"the module {name!r} cannot be imported: {cause}")


def _no_module(missing: str) -> str:
    package, _, last = missing.rpartition(".")
    if package and last == "py":
        return f"there is no module {missing!r}: a module is named without .py, so here it is {package!r}"
    if package:
        places = list(getattr(sys.modules.get(package), "__path__", ()))
        inside = ", ".join(map(_file_name, places)) or f"{package!r}, which is a module and no package"
        return f"there is no module {missing!r}: looked in {inside}" + _suggestion(last, _modules_in(places))
    return (
        f"there is no module {missing!r}: looked in the current folder ({_current_folder()}) and in the environment of "
        f"{sys.executable}; give this command in the folder that holds {missing!r}, or install the package there"
        + _suggestion(missing, _modules_in([_current_folder()]))
    )


def _no_attribute(module: ModuleType, attribute: str) -> str:
    names = [name for name in vars(module) if not name.startswith("_")]
    own = [name for name in names if getattr(getattr(module, name), "__module__", None) == module.__name__]
    file = getattr(module, "__file__", None)
    where = f" ({_file_name(file)})" if file else ""
    has = f"; it has {', '.join(own[:10])}" if own else ""
    return f"the module {module.__name__!r}{where} has no {attribute!r}" + (_suggestion(attribute, names) or has)


def _suggestion(name: str, names: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(names), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def _modules_in(folders: Iterable[str]) -> list[str]:
    """Return what could be imported from ``folders``; unreadable ones have nothing."""
    found = []
    for folder in folders:
        try:
            entries = list(Path(folder).iterdir())
        except OSError:
            continue
        found += [each.stem for each in entries if each.suffix == ".py" or (each.is_dir() and each.name.isidentifier())]
    return found


# Places ---------------------------------------------------------------------------------------------------------------


def _current_folder() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - as it goes into sys.path
    except OSError:  # it was removed
        return ""


def _is_installed(file: str) -> bool:
    return file.startswith(INSTALLED)


def _file_name(file: str) -> str:
    """Return ``file`` as it is called from the current folder where it is in there, else as it is."""
    folder = _current_folder()
    is_inside = bool(folder) and file.startswith(folder.rstrip(os.sep) + os.sep)
    return file[len(folder.rstrip(os.sep)) + 1 :] if is_inside else file
