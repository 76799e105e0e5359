"""Stages of the pipeline: a stage knows the classes of its components, and reads any of them from tokenizer.json.

A component is an object with a ``type``. Where that names a class, the class reads it, and its complaint is the end.
Where there is no type, or one that the stage does not know, the target guesses: the first class that fits reads the
component. Most classes fit only their own type, others everything that has their fields; these also read an array of
the values of their fields. Post-processors are always guessed. Observed, tokenizers 0.23.3.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from tokenizer_reference.component import Component
from tokenizer_reference.errors import TokenizerFileError, UnsupportedComponentError, UpstreamFilePanicError, shown
from tokenizer_reference.json_text.value import JsonValue, RepeatedMembers, kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

C = TypeVar("C", bound=Component)
D = TypeVar("D", bound=Component)


# Forms ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Form:
    """How a class wants its component: its fields, in the order of an array of them, and whether it looks at the type.

    ``as_array`` says whether it reads such an array at all. The type is the first field of the classes that look at it.
    """

    fields: tuple[str, ...]
    checks_type: bool = True
    as_array: bool = False


def untyped(*fields: str) -> Form:
    """Return the form of a class that reads whatever has its fields, of any type, and an array of their values."""
    return Form(fields, checks_type=False, as_array=True)


TYPE_ONLY: Final = Form(("type",), as_array=True)
"""The form of the classes without fields."""

BYTE_LEVEL: Final = Form(("type", "add_prefix_space", "trim_offsets", "use_regex"))
"""The form of the three classes `ByteLevel`, of different stages, that have fields."""

METASPACE: Final = Form(
    ("type", "replacement", "add_prefix_space", "prepend_scheme", "split", "str_rep"), as_array=True
)
"""The form of `Metaspace`, as pre-tokenizer and as decoder."""

REPLACE: Final = untyped("pattern", "content")
"""The form of `Replace`, as normalizer and as decoder."""


# Stages --------------------------------------------------------------------------------------------------------------


class Registry(Generic[C]):
    """Classes by their names, in an order that is given here; each registers itself where it is defined.

    So what reads a component need not import the classes of all components, some of which read components themselves.
    """

    def __init__(self, *names: str) -> None:
        self.names = names
        self._classes: dict[str, type[C]] = {}

    def register(self, component: type[D]) -> type[D]:
        """Register a class under its name.

        Raises :class:`ValueError` for one that is not expected, or a second of a name.
        """
        name = component.__name__
        if name not in self.names or name in self._classes:
            raise ValueError(f"{name} cannot be registered; expected one each of {', '.join(self.names)}")
        self._classes[name] = component  # type: ignore[assignment]  # a type variable cannot be bound by another one
        return component

    @property
    def components(self) -> dict[str, type[C]]:
        """The classes by name, in order. Raises :class:`KeyError` where one has not registered itself."""
        return {name: self._classes[name] for name in self.names}


class Stage(Registry[C]):
    """A stage of the pipeline.

    ``types`` are the names of its classes in tokenizer.json, in the order in which it guesses.

    - ``other_tags``: the names, and their classes, that the target looks for in ``type``, where they are not those that
      it writes; a component with the name that is written has to be guessed.
    - ``never_guessed``: the class that is not among the guesses.
    - ``reads_type``: whether a type that names a class decides; else every component is guessed.
    - ``guesses_unknown``: whether a component with a type that is not known is guessed; else it is refused.
    """

    def __init__(
        self,
        name: str,
        *types: str,
        other_tags: Mapping[str, str] | None = None,
        never_guessed: str = "",
        reads_type: bool = True,
        guesses_unknown: bool = True,
    ) -> None:
        super().__init__(*types)
        self.name = name
        self._forms: dict[str, Form] = {}
        self._other_tags = other_tags or {}
        self._never_guessed = never_guessed
        self._reads_type = reads_type
        self._guesses_unknown = guesses_unknown

    def component(self, form: Form = TYPE_ONLY) -> Callable[[type[D]], type[D]]:
        """Return a decorator that registers a class of this stage, with the form in which it wants its component."""

        def register(component: type[D]) -> type[D]:
            self.register(component)
            self._forms[component.__name__] = form
            return component

        return register

    def form(self, name: str) -> Form:
        """Return the form of the class ``name``."""
        return self._forms[name]

    # Reading ---------------------------------------------------------------------------------------------------------

    def read(self, value: JsonValue) -> C:
        """Return the component that ``value`` describes. Raises :class:`TokenizerFileError`."""
        tag = _tag(value)
        if not self._guesses_unknown and value.has("type") and tag not in self.names:
            raise _bad_type(value.fields("type")["type"], self.name, self.names)
        if not self._reads_type:
            return self._guess(value)
        # Where the type is read, the target makes a tree first, and of members with one key it has the last.
        if isinstance(value.value, RepeatedMembers):
            value = JsonValue(dict(value.value), value.path)
        if tag is not None and tag not in self._other_tags.values():
            component = self._classes.get(self._other_tags.get(tag, tag))
            if component is not None:
                return component._from_json(value)
        return self._guess(value)

    def _guess(self, value: JsonValue) -> C:
        """Return the component that the first fitting class reads."""
        complaints: dict[str, TokenizerFileError] = {}
        for name, component in self.components.items():
            if name == self._never_guessed:
                continue
            try:
                return component._from_json(_in_form(value, name, self.form(name)))
            except UpstreamFilePanicError:
                raise
            except TokenizerFileError as complaint:
                complaints[name] = complaint
        raise self._fits_nothing(value, complaints)

    def _fits_nothing(self, value: JsonValue, complaints: Mapping[str, TokenizerFileError]) -> TokenizerFileError:
        """Return the error to raise for what no class reads: what the class that is meant, or the closest one, says."""
        found = value.value
        if not isinstance(found, dict | list):
            return value.fail(f"expected a {self.name}: an object with a `type`; found {kind(found)}")
        if value.has("type"):
            named = complaints.get(_type_name(value.value["type"]) or "")
            return named or _bad_type(value["type"], self.name, complaints)
        closeness = {name: _closeness(found, self.form(name), complaint) for name, complaint in complaints.items()}
        closest = max(closeness, key=closeness.__getitem__)
        if not closeness[closest][0]:
            return value.fail(f"missing field `type`: expected the name of a {self.name}")
        complaint = complaints[closest]
        message = f"{complaint.message} (there is no `type`; of all {self.name}s, {closest} is the closest)"
        return TokenizerFileError(complaint.path, message)


# Types and forms of a value ------------------------------------------------------------------------------------------


def _type_name(value: Any) -> str | None:
    """Return the name that a ``type`` is: a string, or the only key of an object, beside null."""
    match value:
        case str():
            return value
        case {**members} if list(members.values()) == [None]:
            return str(next(iter(members)))
        case _:
            return None


def _tag(value: JsonValue) -> str | None:
    """Return the name of the type of an object that has one type."""
    if not value.has("type") or (isinstance(value.value, RepeatedMembers) and "type" in dict(value.value.earlier)):
        return None
    return _type_name(value.value["type"])


def _in_form(value: JsonValue, name: str, form: Form) -> JsonValue:
    """Return ``value`` as an object.

    Raises :class:`TokenizerFileError` where it has not the form of the class ``name``.
    """
    fields = value.struct(*form.fields) if form.as_array else value.fields(*form.fields)
    if form.checks_type and _type_name((named := fields["type"]).value) != name:
        raise named.fail(f"expected {name!r}")
    return fields


# Refusing ------------------------------------------------------------------------------------------------------------


def _bad_type(value: JsonValue, stage: str, known: Iterable[str]) -> TokenizerFileError:
    """Return the error to raise for a ``type`` that is no name, or that of nothing ``known``."""
    named = _type_name(value.value)
    if named is None:
        return value.fail(f"expected the name of a {stage}, found {kind(value.value)}")
    message = f"there is no {stage} {shown(named)}; the known ones are {', '.join(known)}"
    return UnsupportedComponentError(value.path, message)


_INDEX = re.compile(r"\[(\d+)\]")


def _closeness(
    value: dict[str, Any] | list[Any], form: Form, complaint: TokenizerFileError
) -> tuple[float, list[int], bool]:
    """Return what tells how close ``value`` is to ``form``: how alike they are, then how far reading it came."""
    indices = [int(index) for index in _INDEX.findall(complaint.path)]
    return _likeness(value, form), indices, not form.checks_type


def _likeness(value: dict[str, Any] | list[Any], form: Form) -> float:
    """Return how much of ``value`` and ``form`` is the same, from 0 to 1."""
    if isinstance(value, list):
        return float(form.as_array and len(value) == len(form.fields))
    return len(value.keys() & set(form.fields)) / len(value.keys() | set(form.fields))
