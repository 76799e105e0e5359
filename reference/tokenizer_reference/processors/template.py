"""TemplateProcessing: special tokens and sequences in an order of one's own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Self

from tokenizer_reference.arguments import ids, items, string, strings, unsigned_32
from tokenizer_reference.errors import OptionError, UpstreamPanicError
from tokenizer_reference.processors.base import POST_PROCESSOR, PostProcessor
from tokenizer_reference.stage import untyped
from tokenizer_reference.values.encoding import Encoding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_reference.json_text.value import JsonValue

SEQUENCES: Final = {"A": 0, "B": 1}
"""Name of a sequence in a template, and which of the encodings it stands for."""


@dataclass(frozen=True, slots=True)
class SequencePiece:
    """The place of a whole sequence (``id`` is ``A`` or ``B``), whose tokens get ``type_id``."""

    id: str
    type_id: int = 0

    def _to_json(self) -> dict[str, Any]:
        return {"Sequence": {"id": self.id, "type_id": self.type_id}}

    def _debug(self) -> str:
        return f"Sequence {{ id: {self.id}, type_id: {self.type_id} }}"


@dataclass(frozen=True, slots=True)
class SpecialTokenPiece:
    """The place of the special token ``id``, whose tokens get ``type_id``."""

    id: str
    type_id: int = 0

    def _to_json(self) -> dict[str, Any]:
        return {"SpecialToken": {"id": self.id, "type_id": self.type_id}}

    def _debug(self) -> str:
        return f"SpecialToken {{ id: {_debug_string(self.id)}, type_id: {self.type_id} }}"


Piece = SequencePiece | SpecialTokenPiece


@dataclass(frozen=True, slots=True)
class SpecialToken:
    """What a special token of a template stands for: one token, or several."""

    id: str
    ids: tuple[int, ...]
    tokens: tuple[str, ...]

    def _encoding(self, type_id: int) -> Encoding:
        size = len(self.ids)
        return Encoding._of(
            ids=list(self.ids),
            type_ids=[type_id] * size,
            tokens=list(self.tokens),
            offsets=[(0, 0)] * size,
            special_tokens_mask=[1] * size,
        )


@dataclass(frozen=True, slots=True)
class Frame:
    """The special tokens before and after a sequence, whose tokens get ``type_id``."""

    before: Encoding
    after: Encoding
    type_id: int

    def around(self, encoding: Encoding) -> Encoding:
        """Return ``encoding``, which has neither overflow nor ranges, in its place as sequence 0."""
        before, after = self.before, self.after
        start, size = len(before._ids), len(encoding._ids)
        masks = (part._special_tokens_mask for part in (before, encoding, after))
        return Encoding._of(
            ids=before._ids + encoding._ids + after._ids,
            type_ids=before._type_ids + [self.type_id] * size + after._type_ids,
            tokens=before._tokens + encoding._tokens + after._tokens,
            words=before._words + encoding._words + after._words,
            offsets=before._offsets + encoding._offsets + after._offsets,
            special_tokens_mask=[*chain.from_iterable(masks)],
            attention_mask=before._attention_mask + encoding._attention_mask + after._attention_mask,
            sequence_ranges={0: (start, start + size)},
        )


@POST_PROCESSOR.component(untyped("single", "pair", "special_tokens"))
class TemplateProcessing(PostProcessor):
    """Arranges sequences and special tokens as ``single`` or ``pair`` says.

    A template is a list of pieces, or a string of them with single spaces between (see :func:`parse_piece`). ``pair``
    has to use both sequences. ``special_tokens`` are tuples of text and id in either order, or mappings with ``id``,
    ``ids`` and ``tokens``; every one that a template uses must be there.

    Raises :class:`ValueError` and :class:`TypeError` where this is not so. A file is not checked for it: there the
    target panics when it encodes, and :meth:`process` raises :class:`UpstreamPanicError`.

    >>> template = TemplateProcessing("[CLS] $A", "[CLS] $A [SEP] $B:1", [("[CLS]", 1), ("[SEP]", 2)])
    >>> template.num_special_tokens_to_add(is_pair=True)
    2
    """

    def __init__(
        self,
        single: str | Sequence[str] | None = None,
        pair: str | Sequence[str] | None = None,
        special_tokens: Sequence[object] | None = None,
    ) -> None:
        self._single = parse_template("$A" if single is None else single)
        self._pair = parse_template("$A:0 $B:1" if pair is None else pair)
        if not {"A", "B"} <= {piece.id for piece in self._pair if isinstance(piece, SequencePiece)}:
            raise ValueError("Template for `pair` must use both sequences")
        given = items("special_tokens", () if special_tokens is None else special_tokens)
        self._special_tokens = {token.id: token for token in map(parse_special_token, given)}
        self._check_special_tokens()
        self._count_added()

    def _check_special_tokens(self) -> None:
        used = {piece.id: None for piece in (*self._single, *self._pair) if isinstance(piece, SpecialTokenPiece)}
        missing = [id_ for id_ in used if id_ not in self._special_tokens]
        if missing:
            raise ValueError(f"Missing SpecialToken(s) with id(s) `{', '.join(missing)}`")

    @cached_property
    def _frames(self) -> dict[bool, tuple[tuple[Piece, ...], Frame | None]]:
        """With and without special tokens: the template that was last used, and its frame."""
        return {}

    def _count_added(self) -> None:
        """Count the special tokens; not done again where ``single`` is set later (observed, tokenizers 0.23.3)."""
        self._added_single = self._added_tokens(self._single)
        self._added_pair = self._added_tokens(self._pair)

    def _added_tokens(self, template: tuple[Piece, ...]) -> int:
        pieces = (piece for piece in template if isinstance(piece, SpecialTokenPiece))
        return sum(len(self._special_tokens[piece.id].ids) for piece in pieces if piece.id in self._special_tokens)

    @property
    def single(self) -> str:
        """The template for one sequence, in the notation in which the target shows it.

        It can be set as in the constructor, but is not checked then, and :meth:`num_special_tokens_to_add` keeps its
        answer (observed, tokenizers 0.23.3).
        """
        return f"Template([{', '.join(piece._debug() for piece in self._single)}])"

    @single.setter
    def single(self, single: str | Sequence[str]) -> None:
        self._single = parse_template(single)

    def _number_added(self, is_pair: bool) -> int:
        return self._added_pair if is_pair else self._added_single

    def _process_encodings(self, encodings: list[Encoding], add_special_tokens: bool) -> list[Encoding]:
        """Return a part for each piece of the template.

        Sequences get the type ids of the template, their overflow keeps its own (observed, tokenizers 0.23.3).
        """
        if len(encodings) not in (1, 2):
            raise UpstreamPanicError(
                f"a template arranges one or two sequences, not {len(encodings)}; in a Sequence it must come first"
            )
        parts: list[Encoding] = []
        for piece in self._single if len(encodings) == 1 else self._pair:
            if isinstance(piece, SequencePiece):
                parts.append(_place(encodings, piece))
            elif add_special_tokens:
                parts.append(self._special_token(piece.id)._encoding(piece.type_id))
        return parts

    def _process_alone(self, encoding: Encoding, add_special_tokens: bool) -> Encoding:
        frame = self._frame(self._single, add_special_tokens)
        return super()._process_alone(encoding, add_special_tokens) if frame is None else frame.around(encoding)

    def _frame(self, template: tuple[Piece, ...], add_special_tokens: bool) -> Frame | None:
        """Return what stands around the sequence, where ``template`` has sequence A once and no other."""
        known, frame = self._frames.get(add_special_tokens, (None, None))
        if known is not template:
            frame = self._new_frame(template, add_special_tokens)
            self._frames[add_special_tokens] = (template, frame)
        return frame

    def _new_frame(self, template: tuple[Piece, ...], add_special_tokens: bool) -> Frame | None:
        sequences = [at for at, piece in enumerate(template) if isinstance(piece, SequencePiece)]
        if len(sequences) != 1 or template[sequences[0]].id != "A":
            return None
        at = sequences[0]
        around = [
            Encoding.merge(
                [self._special_token(piece.id)._encoding(piece.type_id) for piece in pieces if add_special_tokens],
                growing_offsets=False,
            )
            for pieces in (template[:at], template[at + 1 :])
        ]
        return Frame(around[0], around[1], template[at].type_id)

    def _special_token(self, id_: str) -> SpecialToken:
        if id_ not in self._special_tokens:
            raise UpstreamPanicError(f"the template uses a special token {id_!r} that `special_tokens` does not have")
        return self._special_tokens[id_]

    def _to_json(self) -> dict[str, Any]:
        return {
            "type": "TemplateProcessing",
            "single": [piece._to_json() for piece in self._single],
            "pair": [piece._to_json() for piece in self._pair],
            "special_tokens": {
                key: {"id": token.id, "ids": list(token.ids), "tokens": list(token.tokens)}
                for key, token in sorted(self._special_tokens.items())
            },
        }

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        template = cls()
        template._single = tuple(map(_piece_from_json, value["single"].items()))
        template._pair = tuple(map(_piece_from_json, value["pair"].items()))
        members = value["special_tokens"].all_members()
        template._special_tokens = {key: _special_token_from_json(member) for key, member in members}
        template._count_added()
        return template


def _place(encodings: list[Encoding], piece: SequencePiece) -> Encoding:
    """Return the sequence that ``piece`` names, with the type ids of ``piece``."""
    index = SEQUENCES[piece.id]
    if index >= len(encodings):
        raise UpstreamPanicError("the template for a single sequence uses sequence B")
    encoding = encodings[index]._copy()
    encoding._set_type_ids(piece.type_id)
    encoding.set_sequence_id(index)
    return encoding


# Notation --------------------------------------------------------------------------------------------------------


def parse_template(template: str | Sequence[str]) -> tuple[Piece, ...]:
    """Return the pieces of a template. A string is split at every single space, so two of them hold an empty piece."""
    try:
        pieces = template.split(" ") if isinstance(template, str) else strings("template", template)
        return tuple(parse_piece(string("template", piece)) for piece in pieces)
    except UnicodeEncodeError:
        raise TypeError(f"template: {template!r} has a lone surrogate") from None


_TYPE_ID = re.compile(r"\+?[0-9]+")
_SEQUENCE_OF_NAME: Final = {"": "A", "A": "A", "a": "A", "B": "B", "b": "B"}


def parse_piece(text: str) -> Piece:
    """Return the piece that ``text`` notes.

    ``:n`` at the end gives its type, else it is 0, for the second sequence too.

    ``$A``, ``$a``, ``$``: the first sequence; ``$B``, ``$b``: the second; ``$n``: the first, with type n. Anything
    without ``$`` is a special token. Raises :class:`ValueError` for any other text after ``$``, for two colons, and for
    a type that is no 32-bit number.

    >>> parse_piece("$B:1"), parse_piece("$2"), parse_piece("[SEP]")
    (SequencePiece(id='B', type_id=1), SequencePiece(id='A', type_id=2), SpecialTokenPiece(id='[SEP]', type_id=0))
    """
    name, *types = text.split(":")
    piece = _untyped_piece(name)
    type_ids = [_parse_type_id(type_id) for type_id in types]
    match piece, type_ids:
        case SequencePiece() | SpecialTokenPiece(), []:
            return piece
        case SequencePiece() | SpecialTokenPiece(), [int(type_id)]:
            return replace(piece, type_id=type_id)
        case _:
            raise ValueError(f'Cannot build Piece from string "{text}"')


def _untyped_piece(name: str) -> Piece | None:
    if not name.startswith("$"):
        return SpecialTokenPiece(name)
    if name[1:] in _SEQUENCE_OF_NAME:
        return SequencePiece(_SEQUENCE_OF_NAME[name[1:]])
    type_id = _parse_type_id(name[1:])
    return None if type_id is None else SequencePiece("A", type_id)


def _parse_type_id(digits: str) -> int | None:
    """Return the number that Rust reads from ``digits`` as an unsigned 32-bit one."""
    number = int(digits) if _TYPE_ID.fullmatch(digits) else None
    return None if number is None or number >= 2**32 else number


def parse_special_token(value: object) -> SpecialToken:
    """Return the special token that a tuple of text and id (in either order) or a mapping describes."""
    if isinstance(value, tuple) and len(value) == 2:
        token, id_ = value if isinstance(value[0], str) else reversed(value)
        try:
            id_, token = unsigned_32("id", id_), string("token", token)
            return SpecialToken(token, (id_,), (token,))
        except (TypeError, OverflowError, UnicodeEncodeError):
            pass
    if isinstance(value, Mapping):
        return _special_token_of_mapping(value)
    raise TypeError(f"Expected Union[Tuple[str, int], Tuple[int, str], dict], not {value!r}")


def _special_token_of_mapping(value: Mapping[str, Any]) -> SpecialToken:
    def member(key: str) -> Any:
        if key not in value:
            raise ValueError(f"`{key}` must be specified")
        return value[key]

    token = SpecialToken(
        string("id", member("id")), tuple(ids("ids", member("ids"))), tuple(strings("tokens", member("tokens")))
    )
    if len(token.ids) != len(token.tokens):
        raise OptionError("SpecialToken: ids and tokens must be of the same length")
    return token


_DEBUG_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0"}


def _debug_string(text: str) -> str:
    """Return ``text`` in quotes, as Rust shows strings (but with characters beyond ASCII as they are)."""
    return f'"{"".join(_DEBUG_ESCAPES.get(char, char) for char in text)}"'


# JSON ------------------------------------------------------------------------------------------------------------


_PIECES: Final = ("Sequence", "SpecialToken")


def _piece_from_json(value: JsonValue) -> Piece:
    """Read ``{"Sequence": {"id": "A", "type_id": 0}}`` or ``{"SpecialToken": {"id": "[SEP]", "type_id": 0}}``."""
    match list(value.fields(*_PIECES).members()):
        case ["Sequence"]:
            fields = value["Sequence"].struct("id", "type_id")
            return SequencePiece(fields["id"].one_of({name: name for name in SEQUENCES}), fields["type_id"].token_id())
        case ["SpecialToken"]:
            fields = value["SpecialToken"].struct("id", "type_id")
            return SpecialTokenPiece(fields["id"].string(), fields["type_id"].token_id())
        case _:
            raise value.fail("expected an object with the one member `Sequence` or `SpecialToken`")


def _special_token_from_json(value: JsonValue) -> SpecialToken:
    """Read a special token. Neither its id nor the numbers of ids and tokens are checked (observed)."""
    fields = value.struct("id", "ids", "tokens")
    return SpecialToken(
        fields["id"].string(),
        tuple(item.token_id() for item in fields["ids"].items()),
        tuple(item.string() for item in fields["tokens"].items()),
    )
