"""Prints the Python API of ``tokenizers`` or ``transformers`` as facts: ``python -I interface.py MODULE``.

A fact is a name with its words, such as ``"normalizers.Strip"`` with ``"class (left=True, right=True)"``: all classes
with their members and signatures, and what objects are that are made with no arguments, or the fewest. What a release
does not have gives no fact, and what fails is one.
"""

from __future__ import annotations

import builtins
import enum
import importlib
import inspect
import json
import re
import sys
import warnings
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

MODULES = (
    "normalizers",
    "pre_tokenizers",
    "models",
    "processors",
    "decoders",
    "trainers",
    "implementations",
)
"""The modules of ``tokenizers``, itself apart."""

HOUSEKEEPING = frozenset(
    {
        "__abstractmethods__",
        "__annotations__",
        "__annotations_cache__",
        "__class_getitem__",
        "__dict__",
        "__doc__",
        "__firstlineno__",
        "__getnewargs__",
        "__init__",
        "__module__",
        "__new__",
        "__orig_bases__",
        "__parameters__",
        "__qualname__",
        "__reduce__",
        "__repr__",
        "__setstate__",
        "__slots__",
        "__static_attributes__",
        "__str__",
        "__subclasshook__",
        "__weakref__",
    }
)
"""Members that say nothing about what can be done with an object; how it is printed, one fact says for all."""

FEWEST: dict[str, tuple[Any, ...]] = {
    "AddedToken": ("a",),
    "NormalizedString": ("a",),
    "PreTokenizedString": ("a",),
    "Regex": ("a",),
    "normalizers.Precompiled": (b"",),
    "normalizers.Prepend": ("a",),
    "normalizers.Replace": ("a", "b"),
    "normalizers.Sequence": ([],),
    "pre_tokenizers.CharDelimiterSplit": ("-",),
    "pre_tokenizers.Sequence": ([],),
    "pre_tokenizers.Split": ("a", "removed"),
    "processors.BertProcessing": (("[SEP]", 1), ("[CLS]", 2)),
    "processors.RobertaProcessing": (("</s>", 1), ("<s>", 2)),
    "processors.Sequence": ([],),
    "decoders.Replace": ("a", "b"),
    "decoders.Sequence": ([],),
}
"""The fewest arguments that a class takes, where it is not made without any."""

UNKNOWN = {"unk_token": "a"}
"""What the model of a tokenizer is made with that has nothing but a model."""

PLAIN = (bool, int, float, str, type(None))
LONGEST = 400
"""How many characters words have at most."""


# Words --------------------------------------------------------------------------------------------------------------


def attempted(call: Callable[[], Any]) -> tuple[Any, str]:
    """Return what ``call`` gives and no words, or ``None`` and the class of its error; also a panic's."""
    try:
        return call(), ""
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 - panics derive from BaseException
        return None, type(error).__name__


def shown(value: Any) -> str:
    """Return ``value`` in words that are the same in every process: no addresses, sets in order, and never long."""
    if isinstance(value, (set, frozenset)):
        return f"{{{', '.join(sorted(map(shown, value)))}}}"
    if isinstance(value, (list, tuple)):
        inner = ", ".join(map(shown, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{shown(key)}: {shown(each)}' for key, each in value.items())}}}"
    if isinstance(value, type) or callable(value):
        return str(getattr(value, "__qualname__", type(value).__qualname__))
    words, failed = attempted(lambda: repr(value))
    return without_addresses(f"no repr ({failed})" if failed else words)[:LONGEST]


def without_addresses(words: str) -> str:
    """Return ``words`` without what looks like the address of an object."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", words)


def signature_of(member: Any) -> str:
    """Return the signature of ``member`` without annotations, nothing where it does not show one.

    What the object itself is called, which compiled functions say in different ways, is left out.
    """
    signature, failed = attempted(lambda: inspect.signature(member))
    if failed:
        text = getattr(member, "__text_signature__", None)
        return "" if text is None else re.sub(r"^\(\$?self(, *)?", "(", str(text))
    return f"({', '.join(parameters_of(signature))})"


def without_self(signature: inspect.Signature) -> list[inspect.Parameter]:
    """Return the parameters of ``signature``, the object itself aside: a later one may well be called ``cls``."""
    parameters = list(signature.parameters.values())
    return parameters[1:] if parameters and parameters[0].name in {"self", "cls"} else parameters


def parameters_of(signature: inspect.Signature) -> list[str]:
    """Return the parameters of ``signature`` as they are written, without annotations and ``self``."""
    words: list[str] = []
    starred = False
    for parameter in without_self(signature):
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            words.append("*")
        starred |= parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        prefix = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
        prefix = "**" if parameter.kind is parameter.VAR_KEYWORD else prefix
        default = "" if parameter.default is parameter.empty else f"={shown(parameter.default)}"
        words.append(f"{prefix}{parameter.name}{default}")
    return words


# Classes ------------------------------------------------------------------------------------------------------------


def own_members(cls: type) -> Iterator[tuple[str, Any]]:
    """Yield the members of ``cls`` by name, those aside that it has from another class."""
    for name in sorted(vars(cls).keys() - HOUSEKEEPING):
        if not name.startswith("_") or (name.startswith("__") and name.endswith("__")):
            yield name, getattr(cls, name, None)


def facts_of_class(name: str, cls: type) -> Iterator[tuple[str, str]]:
    """Yield what is to be known about the class ``cls``, which facts call ``name``."""
    bases = [base.__name__ for base in cls.__bases__ if base is not object]
    signature = signature_of(cls)  # nothing, or "()": whether a class without arguments shows that, says nothing
    yield name, f"class{signature if signature != '()' else ''}" + (f", a {', '.join(bases)}" if bases else "")
    members = dict(own_members(cls))
    operators = [member for member in members if member.startswith("__")]
    attributes = [member for member, value in members.items() if member not in operators and not callable(value)]
    if operators:
        yield f"{name}: operators", " ".join(operators)
    if attributes:
        yield f"{name}: attributes", " ".join(attributes)
    for member, value in members.items():
        if member not in operators and callable(value):
            yield f"{name}.{member}", f"method{signature_of(value)}"


def facts_of_object(name: str, cls: type, arguments: Mapping[str, tuple[Any, ...]]) -> Iterator[tuple[str, str]]:
    """Yield what an object of ``cls`` is that is made without arguments, or with the fewest."""
    made, failed = attempted(cls)
    yield f"{name}()", f"is not made: {failed}" if failed else state_of(made)
    if name in arguments:
        made, failed = attempted(lambda: cls(*arguments[name]))
        call = f"{name}({', '.join(map(shown, arguments[name]))})"
        yield call, f"is not made: {failed}" if failed else state_of(made)


def state_of(made: Any) -> str:
    """Return the state of the object ``made``, by name: what is pickled of it, and its other attributes.

    What fails is said to. Attributes may spell a value in another way than what is pickled (``removed``, ``Removed``),
    and were added late: so they come second, or each of them would look like a new default.
    """
    state: dict[str, str] = {}
    pickled, failed = attempted(made.__getstate__) if hasattr(made, "__getstate__") else (None, "")
    if failed:
        state["pickled"] = f"not, {failed}"
    elif isinstance(pickled, (bytes, bytearray)):
        state |= dict(entries_of(pickled))
    elif isinstance(pickled, dict):
        state |= {key: in_words(each) for key, each in pickled.items() if not str(key).startswith("_")}
    for base in type(made).__mro__[:-1]:
        for attribute, member in own_members(base):
            if not attribute.startswith("__") and not callable(member):
                value, failed = attempted(partial(getattr, made, attribute))
                if failed:
                    state[f"the attribute {attribute}"] = f"fails with {failed}"
                elif attribute not in state:
                    state[attribute] = in_words(value)
    return ", ".join(f"{name}={words}" for name, words in sorted(state.items())) or "has no state"


def in_words(value: Any) -> str:
    """Return ``value`` as :func:`shown` does; of another object of the library, what is pickled of it."""
    if is_plain(value):
        return shown(value)
    state, failed = attempted(lambda: value.__getstate__())  # noqa: PLW0108 - it may not be there
    if not failed and isinstance(state, (bytes, bytearray)):
        return state.decode("utf-8", "replace")[:LONGEST]
    return type(value).__name__


def is_plain(value: Any) -> bool:
    """Return whether ``value`` is made of plain values alone."""
    if isinstance(value, dict):
        return all(map(is_plain, [*value, *value.values()]))
    return all(map(is_plain, value)) if isinstance(value, (list, tuple)) else isinstance(value, PLAIN)


def entries_of(state: bytes | bytearray) -> Iterator[tuple[str, str]]:
    """Yield the entries of a pickled state, which is JSON; those of an object under a single name are its own."""
    parsed, failed = attempted(lambda: json.loads(state))
    if not failed and isinstance(parsed, dict) and len(parsed) == 1 and isinstance(next(iter(parsed.values())), dict):
        parsed = next(iter(parsed.values()))
    if isinstance(parsed, dict):
        yield from ((key, shown(value)) for key, value in parsed.items())
    else:
        yield "pickled", "no JSON" if failed else shown(parsed)


# tokenizers ---------------------------------------------------------------------------------------------------------


def facts_of_tokenizers() -> Iterator[tuple[str, str]]:
    """Yield the facts about ``tokenizers``."""
    library = importlib.import_module("tokenizers")
    for name in ("", *MODULES):
        module, failed = attempted(partial(importlib.import_module, f"tokenizers.{name}".rstrip(".")))
        if failed:
            continue
        for member in sorted(vars(module)):
            value = getattr(module, member)
            if not member.startswith("_") and belongs_to_tokenizers(value, name):
                yield from facts_of_member(f"{name}.{member}".lstrip("."), value)
    yield from facts_of_a_tokenizer(library)


def belongs_to_tokenizers(value: Any, name: str) -> bool:
    """Return whether ``value`` is a class or function of the library's module ``name``, and of no other one."""
    if inspect.ismodule(value) or not (isinstance(value, type) or inspect.isroutine(value)):
        return False
    home = str(getattr(value, "__module__", "")).split(".")
    return home[0] in {"tokenizers", "builtins"} and value not in vars(builtins).values() and _at_home(home, name)


def _at_home(home: list[str], name: str) -> bool:
    elsewhere = {*MODULES, "tools"} - {name}
    return not (len(home) > 1 and home[1] in elsewhere)


def facts_of_member(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield the facts about ``value``, a class or function of a module."""
    if not isinstance(value, type):
        yield name, f"function{signature_of(value)}"
        return
    yield from facts_of_class(name, value)
    if not issubclass(value, enum.Enum):
        yield from facts_of_object(name, value, FEWEST)


def facts_of_a_tokenizer(library: Any) -> Iterator[tuple[str, str]]:
    """Yield the state of a tokenizer with nothing but a model, and the defaults of what can be done to it."""
    made, failed = attempted(lambda: library.Tokenizer(library.models.WordLevel({"a": 0}, **UNKNOWN)))
    yield "Tokenizer(model)", f"is not made: {failed}" if failed else state_of(made)
    if failed:
        return
    for call, change, result in (
        ("repr(Tokenizer(model))", lambda: None, lambda: repr(made)),
        ("Tokenizer(model).enable_padding()", made.enable_padding, lambda: made.padding),
        ("Tokenizer(model).enable_truncation(8)", lambda: made.enable_truncation(8), lambda: made.truncation),
        ("Tokenizer(model).add_tokens(['b'])", lambda: made.add_tokens(["b"]), lambda: added(made, "b")),
        (
            "Tokenizer(model).add_special_tokens(['c'])",
            lambda: made.add_special_tokens(["c"]),
            lambda: added(made, "c"),
        ),
    ):
        _, failed = attempted(change)
        value, failed = (None, failed) if failed else attempted(result)
        yield call, f"fails: {failed}" if failed else shown(in_order(value))
    made.no_padding()
    encoding, failed = attempted(lambda: made.encode("a b c"))
    yield "Tokenizer(model).encode('a b c')", f"fails: {failed}" if failed else state_of(encoding)


def added(tokenizer: Any, content: str) -> Any:
    """Return the added token ``content`` of ``tokenizer`` as it is saved."""
    tokens = json.loads(tokenizer.to_str())["added_tokens"]
    return next((token for token in tokens if token["content"] == content), None)


def in_order(value: Any) -> Any:
    """Return ``value``, an object with its entries in the order of their names: theirs may be random."""
    return dict(sorted(value.items())) if isinstance(value, dict) else value


# transformers -------------------------------------------------------------------------------------------------------

AUTO = ("AutoTokenizer.from_pretrained", "AutoTokenizer.register")
BASES = (
    "PreTrainedTokenizerBase",
    "PreTrainedTokenizerFast",
    "PreTrainedTokenizer",
    "TokenizersBackend",
    "PythonBackend",
    "SentencePieceBackend",
    "BatchEncoding",
)
"""The base classes of tokenizers, in versions 4 and 5."""


def facts_of_transformers() -> Iterator[tuple[str, str]]:
    """Yield the facts about ``transformers``: each parameter of a method is one."""
    library = importlib.import_module("transformers")
    auto = getattr(library, "AutoTokenizer", None)
    for path in AUTO:
        method = getattr(auto, path.partition(".")[2], None)
        if method is not None:
            yield from facts_of_callable(path, method)
    told: dict[type, str] = {}
    for name in BASES:
        cls = class_of_transformers(library, name)
        if cls is None:
            continue
        yield name, f"class, the same as {told[cls]}" if cls in told else "class"
        if cls in told:
            continue
        told[cls] = name
        yield from facts_of_callable(f"{name}.__init__", cls.__init__)
        calls = [vars(base)["__call__"] for base in cls.__mro__ if "__call__" in vars(base)]
        if calls:
            yield from facts_of_callable(f"{name}.__call__", calls[0])
        for member, value in own_members(cls):
            if member.startswith("__"):
                continue
            if inspect.isroutine(value):
                yield from facts_of_callable(f"{name}.{member}", value)
            else:
                yield f"{name}.{member}", shown(value) if is_plain(value) else "attribute"
    yield from facts_of_a_loaded_tokenizer(library)


def class_of_transformers(library: Any, name: str) -> Any:
    """Return the class ``name``, from wherever a version has it; ``None`` where it has none."""
    places = ("", ".tokenization_utils_base", ".tokenization_utils_tokenizers", ".tokenization_python")
    for place in (*places, ".tokenization_utils_sentencepiece"):
        module, _ = attempted(partial(importlib.import_module, f"{library.__name__}{place}"))
        found, _ = attempted(partial(getattr, module, name, None))
        if isinstance(found, type) and "dummy" not in found.__module__:
            return found
    return None


def facts_of_callable(name: str, member: Any) -> Iterator[tuple[str, str]]:
    """Yield that ``member`` is there, and the default of each of its parameters."""
    signature, failed = attempted(lambda: inspect.signature(member))
    yield name, "method" + (", which shows no signature" if failed else "")
    if failed:
        return
    for parameter in without_self(signature):
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            words = "any further ones"
        else:
            words = "has to be given" if parameter.default is parameter.empty else shown(parameter.default)
        yield f"{name}({parameter.name})", words


def facts_of_a_loaded_tokenizer(library: Any) -> Iterator[tuple[str, str]]:
    """Yield the attributes of a tokenizer that is made of an object of ``tokenizers`` and of nothing else."""

    def build() -> Any:
        tokenizers = importlib.import_module("tokenizers")
        model = tokenizers.models.WordLevel({"a": 0}, **UNKNOWN)
        return library.PreTrainedTokenizerFast(tokenizer_object=tokenizers.Tokenizer(model))

    made, failed = attempted(build)
    call = "PreTrainedTokenizerFast(tokenizer_object=)"
    if failed:
        yield call, f"is not made: {failed}"
        return
    yield call, "is made"
    for name in sorted(set(dir(made))):
        value, failed = (None, "private") if name.startswith("_") else attempted(partial(getattr, made, name))
        if not failed and not callable(value) and is_plain(value):
            yield f"{call}.{name}", shown(value)


LIBRARIES = {"tokenizers": facts_of_tokenizers, "transformers": facts_of_transformers}


def main(arguments: list[str]) -> int:
    """Print the facts about the library that ``arguments`` name."""
    warnings.simplefilter("ignore")
    sys.stdout.write(json.dumps(dict(LIBRARIES[arguments[0]]())) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
