"""What a package offers in public, and how that of two packages differs.

Arguments are compared by what a call takes, not by what a signature says: compiled functions have signatures that are
written by hand, and some of them are wrong. They are called with one keyword at a time, whose value nothing can be made
of.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cache, partial
from types import ClassMethodDescriptorType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

MISSING = "missing"
NO_DEFAULT = inspect.Parameter.empty


@dataclass(frozen=True, order=True)
class Difference:
    """``place`` is a path of names, with arguments in parentheses: ``models.BPE.save(folder)``.

    ``what`` is for people.
    """

    place: str
    what: str


# Names
# -------------------------------------------------------------------------------------------------------------------


def public_names(package: ModuleType) -> dict[str, Any]:
    """Return all public modules of a package and what they hold, by path.

    What is imported from elsewhere is left out.
    """
    found: dict[str, Any] = {}
    for path, module in _modules(package):
        if path:
            found[path] = module
        for name, value in vars(module).items():
            is_public = not name.startswith("_") or name == "__version__"
            if is_public and _belongs(name, value, module, package):
                found[f"{path}.{name}".lstrip(".")] = value
    return found


def _modules(package: ModuleType) -> Iterator[tuple[str, ModuleType]]:
    yield "", package
    prefix = f"{package.__name__}."
    for info in pkgutil.walk_packages(getattr(package, "__path__", ()), prefix):
        yield info.name.removeprefix(prefix), importlib.import_module(info.name)


def _belongs(name: str, value: Any, module: ModuleType, package: ModuleType) -> bool:
    """Tell whether a name of a module is its own, or of the package and offered by one of its folders.

    Not just imported.
    """
    if isinstance(value, ModuleType):
        return False
    if getattr(value, "__name__", None) != name:  # an alias, or no class and no function
        return module is package or getattr(package, name, None) is not value
    origin = getattr(value, "__module__", None) or ""
    return _root(origin) == package.__name__ if hasattr(module, "__path__") else origin == module.__name__


def _root(name: str) -> str:
    return name.partition(".")[0]


def public_members(kind: type) -> list[str]:
    """Return the attributes of a class: public ones, and special methods that it has of its own."""
    own = {name for base in kind.__mro__ if base.__module__ != "builtins" for name in vars(base)}
    special = {"__getitem__", "__setitem__", "__delitem__", "__len__", "__call__", "__getnewargs__", "__setstate__"}
    special |= {"__copy__", "__deepcopy__"}
    return sorted(name for name in own if not name.startswith("_") or name in special)


# Arguments
# ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Parameters:
    """The arguments of a callable, in order, with their defaults.

    ``takes_any`` says whether it takes others by name.
    """

    defaults: dict[str, Any]
    takes_any: bool


def parameters(function: Callable[..., Any]) -> Parameters:
    """Return the arguments that a callable says it takes."""
    if _is_compiled(function):
        return _of_text(function.__text_signature__)
    given = inspect.signature(function).parameters.values()
    variable = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    defaults = {each.name: each.default for each in given if each.kind not in variable}
    return Parameters(defaults, any(each.kind is inspect.Parameter.VAR_KEYWORD for each in given))


def _is_compiled(function: Any) -> bool:
    is_python = isinstance(function, FunctionType | MethodType)
    return not is_python and getattr(function, "__text_signature__", None) is not None


@cache
def _of_text(text: str) -> Parameters:
    """Return the arguments of a signature as compiled functions have it. `inspect` cannot read some of those."""
    (definition,) = ast.parse(f"def function{text.replace('$', '')}: pass").body
    assert isinstance(definition, ast.FunctionDef)
    given = definition.args
    names = [each.arg for each in (*given.posonlyargs, *given.args)]
    values = [NO_DEFAULT] * (len(names) - len(given.defaults)) + [ast.literal_eval(each) for each in given.defaults]
    defaults = dict(zip(names, values, strict=True))
    for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        defaults[each.arg] = NO_DEFAULT if value is None else ast.literal_eval(value)
    return Parameters({name: value for name, value in defaults.items() if name != "self"}, given.kwarg is not None)


class Nothing:
    """A value that no argument can have."""


_REFUSED = re.compile(r"unexpected keyword argument|takes no (keyword )?arguments|passed as keyword arguments")


def takes(function: Callable[..., Any], name: str) -> bool:
    """Tell whether a callable takes an argument by this name, by calling it with that and nothing else."""
    try:
        answer = function(**{name: Nothing()})
    except TypeError as error:
        return _REFUSED.search(str(error)) is None
    except BaseException:
        return True
    if inspect.iscoroutine(answer):
        answer.close()  # nobody waits for it
    return True


_COUNT = re.compile(r"takes (?:from \d+ to )?(\d+|no|exactly one) (?:positional )?arguments?")
_WORDS = {"no": 0, "exactly one": 1}


def positional(function: Callable[..., Any]) -> int:
    """Return how many arguments a callable takes by position; of a compiled one, by calling it with too many."""
    if not _is_compiled(function):
        kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        return sum(each.kind in kinds for each in inspect.signature(function).parameters.values())
    try:
        function(*[Nothing()] * 99)
    except TypeError as error:
        count = _COUNT.search(str(error))
        if count is not None:
            return int(count[1]) if count[1].isdigit() else _WORDS[count[1]]
    raise LookupError(f"{function!r} does not say how many arguments it takes")


def compare_arguments(place: str, ours: Callable[..., Any], theirs: Callable[..., Any]) -> Iterator[Difference]:
    """Yield what our callable takes otherwise than theirs."""
    own, claimed = parameters(ours), parameters(theirs)
    takes_any = claimed.takes_any or takes(theirs, "no_argument_is_called_so")
    if takes_any and not own.takes_any:
        yield Difference(f"{place}(**)", "other arguments are not taken by name")
    if positional(ours) != positional(theirs):
        yield Difference(f"{place}(*)", f"takes {positional(ours)} arguments by position, theirs {positional(theirs)}")
    real = list(claimed.defaults if takes_any else _real_names(own, claimed, theirs))
    for name in real:
        if name not in own.defaults:
            yield Difference(f"{place}({name})", MISSING)
    for name in own.defaults:
        if name not in real and not takes(theirs, name):
            yield Difference(f"{place}({name})", "theirs has no such argument")
    if [name for name in own.defaults if name in real] != [name for name in real if name in own.defaults]:
        yield Difference(f"{place}()", f"arguments are in another order: {list(own.defaults)}, theirs {real}")
    for name, default in zip(real, claimed.defaults.values(), strict=False):
        if name in own.defaults and not _is_same(own.defaults[name], default):
            yield Difference(f"{place}({name}=)", f"{own.defaults[name]!r} is the default, theirs says {default!r}")


def _real_names(own: Parameters, claimed: Parameters, theirs: Callable[..., Any]) -> Iterator[str]:
    """Yield the names of the arguments as ``theirs`` takes them; for a wrong name, ours in that place if it is one."""
    ours = list(own.defaults)
    for at, name in enumerate(claimed.defaults):
        stands_there = ours[at] if at < len(ours) else name
        yield name if takes(theirs, name) or not takes(theirs, stands_there) else stands_there


def _is_same(first: Any, second: Any) -> bool:
    return type(first) is type(second) and bool(first == second)


# Comparing
# ---------------------------------------------------------------------------------------------------------------


def differences(
    ours: ModuleType, theirs: ModuleType, samples: Mapping[str, str], only: Container[str] | None = None
) -> Iterator[Difference]:
    """Yield what is public in ``theirs`` and missing or different in ``ours``. What ours has more is no difference.

    Given ``only``, functions and classes at other places are looked for, but not into.

    ``samples`` has for classes, by path, the code of an instance on which methods and properties are compared; where it
    has none, the class is called without arguments.
    """
    own = public_names(ours)
    compared: dict[Any, str] = {}
    for place, value in public_names(theirs).items():
        if place not in own:
            yield Difference(place, MISSING)
        elif not isinstance(value, type | FunctionType) or _root(value.__module__) != theirs.__name__:
            continue
        elif value in compared:
            if own[place] is not own[compared[value]]:
                yield Difference(place, f"is not {compared[value]}")
        else:
            compared[value] = place
            if only is not None and place not in only:
                continue
            code = samples.get(place, f"{place}()")
            makers = [partial(_sample, package, place, code) for package in (ours, theirs)]
            yield from _compare_values(place, own[place], value, *makers)


Maker = Callable[[], Any]
"""Makes a new instance of a class: calls can change it."""


def _sample(package: ModuleType, place: str, code: str) -> Any:
    try:
        return eval(code, {**vars(package), "package": package})
    except Exception as error:
        raise LookupError(f"there is no sample of {place} to see its methods and properties on") from error


def _compare_values(place: str, ours: Any, theirs: Any, make_ours: Maker, make_theirs: Maker) -> Iterator[Difference]:
    if isinstance(theirs, FunctionType):
        yield from compare_arguments(place, ours, theirs)
    elif issubclass(theirs, Enum):
        yield from _compare_enums(place, ours, theirs)
    else:
        yield from _compare_classes(place, ours, theirs, make_ours, make_theirs)


def _compare_enums(place: str, ours: type[Enum], theirs: type[Enum]) -> Iterator[Difference]:
    for name, member in theirs.__members__.items():
        if name not in ours.__members__ or ours.__members__[name].value != member.value:
            yield Difference(f"{place}.{name}", MISSING)


def _compare_classes(
    place: str, ours: type, theirs: type, make_ours: Maker, make_theirs: Maker
) -> Iterator[Difference]:
    if getattr(theirs, "__text_signature__", None) is not None or "__init__" in vars(theirs):
        yield from compare_arguments(place, ours, theirs)
    for name in public_members(theirs):
        static = inspect.getattr_static(theirs, name)
        if not callable(getattr(theirs, name)):
            yield from _compare_properties(f"{place}.{name}", make_ours(), make_theirs())
        elif not hasattr(ours, name):
            yield Difference(f"{place}.{name}", MISSING)
        elif not name.startswith("__"):
            holders = (ours, theirs) if isinstance(static, _UNBOUND) else (make_ours(), make_theirs())
            yield from compare_arguments(f"{place}.{name}", *(getattr(holder, name) for holder in holders))


_UNBOUND = (staticmethod, classmethod, ClassMethodDescriptorType)


def _compare_properties(place: str, ours: Any, theirs: Any) -> Iterator[Difference]:
    name = place.rpartition(".")[2]
    if not _has(ours, name):
        yield Difference(place, MISSING)
    elif _shown(ours, name) != _shown(theirs, name):
        yield Difference(place, f"is {_shown(ours, name)}, theirs {_shown(theirs, name)}")


def _has(sample: Any, name: str) -> bool:
    try:
        getattr(sample, name)
    except AttributeError:
        return False
    except Exception:
        return True
    return True


def _shown(sample: Any, name: str) -> str:
    try:
        return repr(getattr(sample, name))
    except Exception:
        return "an error"
