"""What all components have in common: options with checked types, their text form, and their state for pickle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from tokenizer_reference.arguments import Check, instance
from tokenizer_reference.errors import TokenizerFileError
from tokenizer_reference.json_text.document import parse_json
from tokenizer_reference.json_text.value import JsonValue
from tokenizer_reference.json_text.writer import write_json
from tokenizer_reference.representation import REPR, STR, Limits, component_shape, write

if TYPE_CHECKING:
    from collections.abc import Mapping


class _Changes:
    """How many changes there were, of all components."""

    count = 0


CHANGES: Final = _Changes()


class Component:
    """A normalizer, pre-tokenizer, model, post-processor or decoder.

    Its state, for :mod:`pickle` and :mod:`copy`, is its JSON: a copy shares nothing with what it was made of.
    Components are equal only to themselves.
    """

    _OPTIONS: ClassVar[Mapping[str, Check]] = {}
    """The attributes that can be set, each with the check of its values."""

    _revision = 0
    """The number of the last change, counted over all components: whoever keeps results of a component compares it."""

    def __setattr__(self, name: str, value: Any) -> None:
        check = self._OPTIONS.get(name)
        super().__setattr__(name, value if check is None else check(name, value))
        self._mark_changed()

    def _mark_changed(self) -> None:
        CHANGES.count += 1
        self.__dict__["_revision"] = CHANGES.count

    def _last_change(self) -> int:
        """Return the number of the last change of the component, or of one that it consists of."""
        return self._revision

    def __delattr__(self, name: str) -> None:
        if name in self._OPTIONS:
            raise AttributeError(f"{type(self).__name__}.{name} is an option and cannot be deleted")
        super().__delattr__(name)

    # JSON ------------------------------------------------------------------------------------------------------------

    def _to_json(self) -> dict[str, Any]:
        """Return the component as tokenizer.json holds it, keys in the order in which the target writes them."""
        return {"type": type(self).__name__}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:  # noqa: ARG003 - components with options read them from it
        """Return the component that ``value`` describes; its type is not looked at.

        Raises :class:`TokenizerFileError`.
        """
        return cls()

    @staticmethod
    def _read_any(value: JsonValue) -> Component:
        """Return the component of this stage, of whatever type, that ``value`` describes."""
        raise NotImplementedError

    # Showing ---------------------------------------------------------------------------------------------------------

    def _shown(self) -> dict[str, Any]:
        """Return what is shown: the JSON, and in it what JSON cannot hold."""
        return self._to_json()

    def _write(self, limits: Limits) -> str:
        return write(component_shape(self._shown()), limits)

    def __repr__(self) -> str:
        return self._write(REPR)

    def __str__(self) -> str:
        return self._write(STR)

    # Replacing -------------------------------------------------------------------------------------------------------

    def _become(self, other: Component) -> None:
        """Turn into a copy of ``other``: who holds this component, holds that copy then."""
        if other is not self:
            self.__class__ = type(other)
            self.__dict__.clear()
            self.__dict__.update(other.__dict__)
            self._mark_changed()

    # State -----------------------------------------------------------------------------------------------------------

    def __getstate__(self) -> bytes:
        """Return the component as JSON (UTF-8)."""
        return write_json(self._to_json()).encode()

    def __setstate__(self, state: bytes) -> None:
        """Become the component that ``state`` describes. Raises :class:`TokenizerFileError`."""
        value = JsonValue(parse_json(instance("state", state, bytes).decode()))
        loaded = self._read_any(value)
        if type(loaded) is not type(self):
            raise TokenizerFileError("$", f"this is the state of {type(loaded).__name__}, not of {type(self).__name__}")
        self._become(loaded)
