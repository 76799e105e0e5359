"""AddedToken: a string that is cut out of the text and never reaches the model, with its flags, and its JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tokenizer_reference.arguments import NOT_GIVEN, boolean, ignore_unknown, instance, is_text, shown_type, string

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue

_JSON_FIELDS: Final = ("content", "single_word", "lstrip", "rstrip", "normalized", "special")


class AddedToken:
    """A token that the text is searched for.

    ``single_word``: only where no word character stands beside it. ``lstrip``, ``rstrip``: white space on that side
    belongs to the match. ``normalized``: searched in the normalized text; not set, it is the opposite of ``special``,
    also of one that is set later. ``special``: ``decode`` may skip it.
    """

    __slots__ = ("__dict__", "_content", "_lstrip", "_normalized", "_rstrip", "_single_word", "_special")

    _normalized: bool | None

    def __init__(
        self,
        content: str | None = None,
        *,
        single_word: bool = False,
        lstrip: bool = False,
        rstrip: bool = False,
        normalized: bool = NOT_GIVEN,
        special: bool = False,
        **unknown: object,
    ) -> None:
        ignore_unknown(unknown)
        self.content = "" if content is None else content
        self._single_word = boolean("single_word", single_word)
        self._lstrip = boolean("lstrip", lstrip)
        self._rstrip = boolean("rstrip", rstrip)
        self._normalized = None if normalized is NOT_GIVEN else boolean("normalized", normalized)
        self.special = special

    @property
    def content(self) -> str:
        """The text that is searched for."""
        return self._content

    @content.setter
    def content(self, content: str) -> None:
        self._content = string("content", content)

    @property
    def single_word(self) -> bool:
        """Whether no word character may stand beside the token."""
        return self._single_word

    @property
    def lstrip(self) -> bool:
        """Whether white space to the left belongs to the match."""
        return self._lstrip

    @property
    def rstrip(self) -> bool:
        """Whether white space to the right belongs to the match."""
        return self._rstrip

    @property
    def normalized(self) -> bool:
        """Whether the token is searched for in the normalized text."""
        return not self.special if self._normalized is None else self._normalized

    @property
    def special(self) -> bool:
        """Whether ``decode`` may skip the token."""
        return self._special

    @special.setter
    def special(self, special: bool) -> None:
        self._special = boolean("special", special)

    def _key(self) -> tuple[str, bool, bool, bool, bool, bool]:
        return self.content, self.single_word, self.lstrip, self.rstrip, self.normalized, self.special

    # Tokens have no order, but can be asked for it: the answer is no (observed).

    def __lt__(self, other: object) -> bool:
        return False if isinstance(other, AddedToken) else NotImplemented

    __le__ = __gt__ = __ge__ = __lt__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AddedToken) and self._key() == other._key()

    def __hash__(self) -> int:
        # The content alone, as in the target: the other flags may be set later. No token is equal to its content.
        return hash((AddedToken, self.content))

    def __str__(self) -> str:
        return self.content

    def __repr__(self) -> str:
        return (
            f'AddedToken("{self.content}", rstrip={self.rstrip}, lstrip={self.lstrip}, '
            f"single_word={self.single_word}, normalized={self.normalized}, special={self.special})"
        )

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _JSON_FIELDS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take over the flags in ``state``; those that are not there stay, and unknown ones are passed over."""
        for name, value in instance("state", state, dict).items():
            if string("a name in state", name) in _JSON_FIELDS:
                check = string if name == "content" else boolean
                setattr(self, f"_{name}", check(name, value))

    def _copy(self, **changes: Any) -> AddedToken:
        state = self.__getstate__() | changes
        if self._normalized is None:
            del state["normalized"]
        return AddedToken(**state)


def token_to_add(name: str, token: Any, special: bool) -> AddedToken:
    """Return the token to add for the str or `AddedToken` given as the argument ``name``. Raises :class:`TypeError`.

    ``special`` makes it special, and so the given one (observed).
    """
    if isinstance(token, str):
        if not is_text(token):
            raise TypeError(f"{name}: expected a str without lone surrogates, got {token!r}")
        return AddedToken(token, special=special)
    if not isinstance(token, AddedToken):
        raise TypeError(f"{name}: expected a str or an AddedToken, got {shown_type(token)}")
    if special:
        token.special = True
    return token._copy()


# tokenizer.json ------------------------------------------------------------------------------------------------------


def added_token_from_json(value: JsonValue) -> AddedToken:
    """Read one entry of ``added_tokens``. All fields are required; ``id`` is checked and then ignored (observed)."""
    value = value.fields("id", *_JSON_FIELDS)
    value["id"].token_id()
    flags = {name: value[name].boolean() for name in _JSON_FIELDS[1:]}
    return AddedToken(value["content"].string(), **flags)


def added_token_to_json(id: int, token: AddedToken) -> dict[str, Any]:
    """Return an entry of ``added_tokens``."""
    return {"id": id, **{name: getattr(token, name) for name in _JSON_FIELDS}}
