"""What a user names by a path, ``package.module:Name``, as an implementation.

=============================== =======================================================================================
a class like ``Tokenizer``      with ``encode``, and one of :data:`CONSTRUCTORS` or an ``__init__`` with one argument
a function of one argument      which is given the path of a tokenizer.json and returns an object with ``encode``
an adapter                      a class, or a function without arguments, that gives an
                                :class:`tokenizer_adapters.contract.Implementation`
=============================== =======================================================================================

A class, or a function, may say in attributes what cannot be seen from it: ``name``, ``version``, ``offset_unit`` (one
of :class:`OffsetUnit`), ``adds_special_tokens`` and ``skips_special_tokens`` (as in :class:`Manner`). What it raises is
its answer; after a ``NotImplementedError`` the question, or the tokenizer, is not supported.
"""

from __future__ import annotations

import inspect
import shutil
import signal
import tempfile
import threading
from collections.abc import Callable
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import (
    Field,
    Implementation,
    ImplementationInfo,
    OffsetUnit,
    Stage,
    UnavailableError,
)
from tokenizer_adapters.objects import COMPONENTS, Manner, arguments_of, encodes, subject_of, version_of
from tokenizer_adapters.pipeline import ALL_FIELDS, ALL_STAGES, UnfitTokenizerError, loaded
from tokenizer_adapters.registry import BrokenImplementationError, WrongImplementationError
from tokenizer_adapters.user_code import found_at, with_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from tokenizer_adapters.contract import Subject, TokenizerSource

Read = Callable[["TokenizerSource"], Any]

CONSTRUCTORS = ("from_file", "from_str", "from_buffer", "from_pretrained")
"""Class methods that give a tokenizer of a path, a text, bytes, or a folder; the first that there is is called."""

PATHS = frozenset({"path", "file", "filename", "file_path", "tokenizer_file", "tokenizer_path", "tokenizer_json"})
"""Names of an argument of ``__init__`` that is a path, where it has a default value."""

PROBE_SECONDS = 10.0
"""How long the call may take by which it is seen what ``encode`` gives."""

METHODS = ("encode", "decode")
"""Methods of which a tokenizer has one, and what makes a tokenizer none."""

WANTED = (
    "expected is a class with from_file(path), encode(text) and decode(ids), as tokenizers.Tokenizer has them, or a "
    "function that is given the path of a tokenizer.json and returns such an object"
)


def build_named(path: str) -> Implementation:
    """Build what ``path`` names. The current folder is looked in first.

    Raises :class:`WrongImplementationError` where it is not there or is nothing that could be asked;
    :class:`BrokenImplementationError` where its module cannot be imported or it cannot be built; and
    :class:`UnavailableError` where the library it needs is not installed.
    """
    found = found_at(path)
    if isinstance(found, Implementation) and not isinstance(found, type):
        return found
    if not isinstance(found, type | FunctionType) and any(callable(getattr(found, each, None)) for each in METHODS):
        raise WrongImplementationError(_made_already(path, found))
    reading = _reading_of(found)
    if reading is not None:
        return GivenClass(path, found, *reading)
    if isinstance(found, type) and encodes(found) and not _is_adapter(found):
        raise WrongImplementationError(f"{path} has no way to load a tokenizer.json{_forgotten(found)}: {WANTED}")
    if not callable(found):
        raise WrongImplementationError(f"{path} is an object of {type(found).__name__}: {WANTED}")
    return _adapter(path, found)


class GivenClass:
    """The class or function ``code`` that ``path`` names; ``read`` makes a tokenizer of a source, by its ``call``."""

    def __init__(self, path: str, code: Any, call: str, read: Read) -> None:
        self._read = read
        self._manner = _manner(path, code)
        self.info = ImplementationInfo(
            name=self._manner.name,
            version=_text(code, "version") or version_of(code),
            language="Python",
            home_page="",
            stages=frozenset(_stages(code)),
            fields=ALL_FIELDS if Stage.PRE_TOKENIZE in _stages(code) else ALL_FIELDS - {Field.PIECES},
            offset_unit=self._manner.offset_unit,
            install="",
            note=_note(path, code, call, self._manner),
        )

    def load(self, source: TokenizerSource) -> Subject:
        """Load a tokenizer. Raises :class:`CannotLoadError`, with the line of the user's code that failed."""
        subject: Subject = loaded(lambda: self._subject(source), self._manner.name, source)
        return subject

    def _subject(self, source: TokenizerSource) -> Subject:
        try:
            tokenizer = self._read(source)
            with _ended_after(PROBE_SECONDS):
                return subject_of(tokenizer, self._manner, source)
        except NotImplementedError as error:
            raise UnfitTokenizerError(with_line(error, str(error) or "NotImplementedError")) from error
        except Exception as error:
            raise LoadingFailedError(with_line(error, f"{type(error).__name__}: {error}")) from error


@contextmanager
def _ended_after(seconds: float) -> Iterator[None]:
    """End what runs meanwhile by an error, where the system can: what never answers is to cost each question itself."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"no answer within {seconds:g} s")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class LoadingFailedError(Exception):
    """The user's code raised an error. The message says which, and where."""


# What is found --------------------------------------------------------------------------------------------------------


def _reading_of(found: Any) -> tuple[str, Read] | None:
    """Return what is called to make a tokenizer, by name, and what calls it; ``None`` where there is no such thing."""
    if not isinstance(found, type):
        return ("", lambda source: found(source.file)) if len(_required(found)) == 1 else None
    if not encodes(found):
        return None
    for name in CONSTRUCTORS:
        call = getattr(found, name, None)
        if callable(call) and not isinstance(inspect.getattr_static(found, name), FunctionType):
            return name, READS[name](call)
    if _is_adapter(found):
        return None
    required = _required(found)
    if len(required) == 1 or (not required and next(iter(_positional(found)), None) in PATHS):
        return "__init__", lambda source: found(source.file)
    return None


def _is_adapter(found: type) -> bool:
    return hasattr(found, "load") and hasattr(found, "info")


def _forgotten(found: type) -> str:
    methods = ", ".join(name for name in CONSTRUCTORS if hasattr(found, name))
    return f" (put @classmethod before {methods})" if methods else ""


def _pretrained(call: Callable[[str], Any]) -> Read:
    def read(source: TokenizerSource) -> Any:
        file = Path(source.file)
        if source.folder is not None or file.name == "tokenizer.json":
            return call(source.folder or str(file.parent))
        with tempfile.TemporaryDirectory(prefix="tokconf-class-") as folder:
            shutil.copy(file, Path(folder) / "tokenizer.json")
            return call(folder)

    return read


READS: dict[str, Callable[[Callable[[Any], Any]], Read]] = {
    "from_file": lambda call: lambda source: call(source.file),
    "from_str": lambda call: lambda source: call(Path(source.file).read_text("utf-8")),
    "from_buffer": lambda call: lambda source: call(Path(source.file).read_bytes()),
    "from_pretrained": _pretrained,
}
"""What each of the constructors is given of a source."""


def _required(call: Any) -> list[str]:
    return [name for name, parameter in _positional(call).items() if parameter.default is parameter.empty]


def _positional(call: Any) -> dict[str, inspect.Parameter]:
    """Return the arguments that ``call`` takes by position; none where it does not say."""
    try:
        parameters = inspect.signature(call).parameters
    except (TypeError, ValueError):
        return {}
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return {name: parameter for name, parameter in parameters.items() if parameter.kind in kinds}


def _adapter(path: str, call: Callable[[], object]) -> Implementation:
    """Return the adapter that ``call`` gives without arguments."""
    required = _required(call)
    if required:
        lacks = "no encode, and " if isinstance(call, type) else ""
        raise WrongImplementationError(
            f"{path} has {lacks}arguments without a default ({', '.join(required)}): {WANTED}"
        )
    try:
        made = call()
    except UnavailableError:
        raise
    except Exception as error:
        cause = " ".join(f"{type(error).__name__}: {error}".split())
        raise BrokenImplementationError(with_line(error, f"{path} cannot be built: {cause}")) from error
    if isinstance(made, Implementation):
        return made
    if encodes(made):
        raise WrongImplementationError(_made_already(path, made))
    raise WrongImplementationError(f"{path} gives an object of {type(made).__name__}: {WANTED}")


def _made_already(path: str, found: object) -> str:
    kind = type(found)
    return (
        f"{path} is an object of {kind.__name__} that is made already, and cannot load the tokenizers it is asked "
        f"about: {WANTED}; in Python, tokenizer_conformance.check takes the object"
    )


# What is said of it ---------------------------------------------------------------------------------------------------


def _manner(path: str, code: Any) -> Manner:
    unit = getattr(code, "offset_unit", OffsetUnit.CODE_POINTS)
    if unit not in set(OffsetUnit):
        units = ", ".join(repr(str(each)) for each in OffsetUnit)
        raise WrongImplementationError(f"offset_unit of {path} is {unit!r}; expected is one of {units}")
    return Manner(
        name=_text(code, "name") or code.__name__,
        offset_unit=OffsetUnit(unit),
        adds_special_tokens=bool(getattr(code, "adds_special_tokens", True)),
        skips_special_tokens=bool(getattr(code, "skips_special_tokens", True)),
    )


def _text(code: Any, attribute: str) -> str:
    found = getattr(code, attribute, None)
    return found if isinstance(found, str) else ""


def _stages(code: Any) -> frozenset[Stage]:
    """Return the stages that ``code`` shows as far as can be seen from it: of what a function makes, nothing can."""
    if not isinstance(code, type):
        return ALL_STAGES
    shown = {Stage.MODEL, Stage.POST_PROCESS}
    shown |= {stage for stage, names in NAMES_OF_STAGES.items() if any(hasattr(code, name) for name in names)}
    return frozenset(shown)


NAMES_OF_STAGES: dict[Stage, tuple[str, ...]] = {
    Stage.NORMALIZE: ("normalize", COMPONENTS["normalize"][0]),
    Stage.PRE_TOKENIZE: ("pre_tokenize", COMPONENTS["pre_tokenize"][0]),
    Stage.DECODE: ("decode",),
    Stage.CHAT: ("apply_chat_template",),
}
"""The names, of which a class has one, that show a stage."""

OPTIONAL = ("decode", "normalizer", "pre_tokenizer", "encode_batch", "get_vocab")
RARE = ("decode_stream", "apply_chat_template")
"""Methods of which nobody is told that they are missing."""


def _note(path: str, code: Any, call: str, manner: Manner) -> str:
    """Say what ``code`` is taken for, on one line."""
    if not isinstance(code, type):
        return f"{path} is taken as a function that makes a tokenizer of the path of a tokenizer.json; {_unit(manner)}"
    encode = "encode" if callable(getattr(code, "encode", None)) else "__call__"
    has = {name: any(hasattr(code, each) for each in (name, name.removesuffix("r"))) for name in OPTIONAL}
    missing = ", ".join(name for name in OPTIONAL if not has[name])
    found = ", ".join([call, encode, *(name for name in OPTIONAL if has[name]), *filter(partial(hasattr, code), RARE)])
    words = f"{path} is taken as a class like tokenizers.Tokenizer: {found}" + (f"; no {missing}" if missing else "")
    if "add_special_tokens" in arguments_of(getattr(code, encode)):
        return f"{words}; {_unit(manner)}"
    does = "adds" if manner.adds_special_tokens else "does not add"
    return f"{words}; {encode} has no argument add_special_tokens and {does} them; {_unit(manner)}"


def _unit(manner: Manner) -> str:
    return f"offsets count {manner.offset_unit}"
