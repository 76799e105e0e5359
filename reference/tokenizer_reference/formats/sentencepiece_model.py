"""SentencePiece's .model files: what they hold, and the pipeline that segments as SentencePiece does.

A file is a protobuf message, ``ModelProto`` of SentencePiece's ``sentencepiece_model.proto``.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, cast

from tokenizer_reference import decoders, normalizers, pre_tokenizers
from tokenizer_reference.errors import UpstreamPanicError, shown
from tokenizer_reference.formats.file_errors import of_file, read_bytes
from tokenizer_reference.formats.merge_recovery import recovered_merges
from tokenizer_reference.formats.protobuf import Fields, FieldValue, Kind, ProtobufFile, Span
from tokenizer_reference.models import BPE, Unigram, WordLevel
from tokenizer_reference.pipeline.tokenizer import Tokenizer
from tokenizer_reference.text.regex import Regex
from tokenizer_reference.values.added_token import AddedToken

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokenizer_reference.decoders.base import Decoder
    from tokenizer_reference.formats.file_errors import FilePath
    from tokenizer_reference.models import Model
    from tokenizer_reference.normalizers.base import Normalizer
    from tokenizer_reference.pre_tokenizers.base import PreTokenizer

SPACE = "▁"
"""U+2581: what stands for a space in pieces."""

_MOST_SEARCHED = 1000
"""With more added symbols the regular expression that names them all would slow down every text."""


class PieceType(IntEnum):
    """The roles of pieces (``ModelProto.SentencePiece.Type``)."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


class ModelType(IntEnum):
    """The segmentation algorithms (``TrainerSpec.ModelType``)."""

    UNIGRAM = 1
    BPE = 2
    WORD = 3
    CHAR = 4


@dataclass(frozen=True, slots=True)
class SentencePiece:
    """A piece of the vocabulary; its id is its place.

    ``score`` is a 32-bit float: a log-probability, or in BPE a rank.
    """

    piece: str
    score: float = 0.0
    type: PieceType = PieceType.NORMAL


@dataclass(frozen=True, slots=True)
class TrainerSpec:
    """What the trainer was told, as far as it says how to segment and what stands for what. An id of -1 is none."""

    model_type: ModelType = ModelType.UNIGRAM
    vocab_size: int = 8000
    treat_whitespace_as_suffix: bool = False
    byte_fallback: bool = False
    unk_id: int = 0
    bos_id: int = 1
    eos_id: int = 2
    pad_id: int = -1
    unk_piece: str = "<unk>"
    bos_piece: str = "<s>"
    eos_piece: str = "</s>"
    pad_piece: str = "<pad>"
    unk_surface: str = " \u2047 "


@dataclass(frozen=True, slots=True)
class NormalizerSpec:
    """How a text is normalized before it is segmented (``NormalizerSpec``)."""

    name: str = ""
    precompiled_charsmap: bytes = b""
    add_dummy_prefix: bool = True
    remove_extra_whitespaces: bool = True
    escape_whitespaces: bool = True


@dataclass(frozen=True, slots=True)
class SentencePieceModel:
    """The content of a .model file (``ModelProto``), as far as it decides how a text is segmented."""

    pieces: tuple[SentencePiece, ...]
    trainer_spec: TrainerSpec = TrainerSpec()
    normalizer_spec: NormalizerSpec = NormalizerSpec()

    @property
    def unk_id(self) -> int:
        """The id of the unknown piece: the one of that type, whatever the trainer was told."""
        return next(id_ for id_, piece in enumerate(self.pieces) if piece.type is PieceType.UNKNOWN)

    def pieces_of(self, *types: PieceType) -> list[str]:
        """Return the texts of the pieces of ``types``."""
        return [piece.piece for piece in self.pieces if piece.type in types]


# Reading -------------------------------------------------------------------------------------------------------------

_MODEL: Fields = {1: ("pieces", Kind.MESSAGE), 2: ("trainer_spec", Kind.MESSAGE), 3: ("normalizer_spec", Kind.MESSAGE)}
_PIECE: Fields = {1: ("piece", Kind.STRING), 2: ("score", Kind.FLOAT), 3: ("type", Kind.INT32)}
_SPECS: dict[str, Fields] = {
    "trainer_spec": {
        3: ("model_type", Kind.INT32),
        4: ("vocab_size", Kind.INT32),
        24: ("treat_whitespace_as_suffix", Kind.BOOL),
        35: ("byte_fallback", Kind.BOOL),
        40: ("unk_id", Kind.INT32),
        41: ("bos_id", Kind.INT32),
        42: ("eos_id", Kind.INT32),
        43: ("pad_id", Kind.INT32),
        44: ("unk_surface", Kind.STRING),
        45: ("unk_piece", Kind.STRING),
        46: ("bos_piece", Kind.STRING),
        47: ("eos_piece", Kind.STRING),
        48: ("pad_piece", Kind.STRING),
    },
    "normalizer_spec": {
        1: ("name", Kind.STRING),
        2: ("precompiled_charsmap", Kind.BYTES),
        3: ("add_dummy_prefix", Kind.BOOL),
        4: ("remove_extra_whitespaces", Kind.BOOL),
        5: ("escape_whitespaces", Kind.BOOL),
    },
}
_ENUMS: dict[str, type[IntEnum]] = {"type": PieceType, "model_type": ModelType}

_BYTE_PIECES = frozenset(f"<0x{byte:02X}>" for byte in range(256))


def read_sentencepiece_model(path: FilePath) -> SentencePieceModel:
    """Return what a SentencePiece .model file holds.

    Raises :class:`~tokenizer_reference.errors.TokenizerFileError`, with the byte where there is one, for a file that
    cannot be read or is empty, for what is no protobuf message or none of this kind, and for what SentencePiece refuses
    to load: no pieces, a piece without text, a piece that is there twice, none or two of type unknown, byte pieces
    without ``byte_fallback`` or not all 256 with it. Scores have to be finite.
    """
    file = ProtobufFile(path, read_bytes(path))
    pieces: dict[str, SentencePiece] = {}
    specs: dict[str, dict[str, Any]] = {name: {} for name in _SPECS}
    for field in file.values(file.whole(), _MODEL):
        if field.name in _SPECS:
            specs[field.name] |= _message(file, field, _SPECS[field.name])
            continue
        piece = SentencePiece(**{"piece": "", **_message(file, field, _PIECE)})
        problem = _problem(piece, pieces)
        if problem is not None:
            raise file.fail(field.offset, f"piece {len(pieces)}: {problem}")
        pieces[piece.piece] = piece
    model = SentencePieceModel(
        tuple(pieces.values()), TrainerSpec(**specs["trainer_spec"]), NormalizerSpec(**specs["normalizer_spec"])
    )
    _check_types(path, model)
    return model


def _message(file: ProtobufFile, field: FieldValue, fields: Fields) -> dict[str, Any]:
    """Return the values of the message that ``field`` holds, by name; of a field that occurs again the last one."""
    values: dict[str, Any] = {}
    for name, value, offset in file.values(cast("Span", field.value), fields):
        values[name] = _member(file, name, cast("int", value), offset) if name in _ENUMS else value
    return values


def _member(file: ProtobufFile, name: str, value: int, offset: int) -> IntEnum:
    enum = _ENUMS[name]
    try:
        return enum(value)
    except ValueError:
        known = ", ".join(f"{member:d} ({member.name.lower()})" for member in enum)
        raise file.fail(offset, f"{name}: {value} is unsupported; the known ones are {known}") from None


def _problem(piece: SentencePiece, earlier: dict[str, SentencePiece]) -> str | None:
    """Return what is wrong with a piece, given those before it."""
    if not piece.piece:
        return "has no text"
    if piece.piece in earlier:
        return f"{shown(piece.piece)} is there already"
    if not math.isfinite(piece.score):
        return f"{shown(piece.piece)} has the score {piece.score}; expected a finite number"
    if piece.type is PieceType.BYTE and piece.piece not in _BYTE_PIECES:
        return f"{shown(piece.piece)} stands for no byte; expected <0x00> to <0xFF>"
    return None


def _check_types(path: FilePath, model: SentencePieceModel) -> None:
    if not model.pieces:
        raise of_file(path, "is no SentencePiece model: it has no pieces")
    unknown = model.pieces_of(PieceType.UNKNOWN)
    if len(unknown) != 1:
        raise of_file(path, f"has {len(unknown)} pieces of type unknown; expected one")
    bytes_ = len(model.pieces_of(PieceType.BYTE))
    expected = len(_BYTE_PIECES) if model.trainer_spec.byte_fallback else 0
    if bytes_ != expected:
        fallback = "on" if model.trainer_spec.byte_fallback else "off"
        raise of_file(path, f"has {bytes_} pieces of type byte; byte_fallback is {fallback}, so expected {expected}")


# The pipeline --------------------------------------------------------------------------------------------------------


def tokenizer_from_sentencepiece(path: FilePath) -> Tokenizer:
    """Return the tokenizer that segments as the SentencePiece model in a .model file does, without tokens around texts.

    Raises :class:`~tokenizer_reference.errors.TokenizerFileError` as :func:`read_sentencepiece_model`, for a character
    map that is none, and for what tokenizer.json has no components for: ``escape_whitespaces`` off (SentencePiece does
    not train such models), and word models with byte fallback.

    How SentencePiece's rules are put into components:

    - The character map is a ``Precompiled`` normalizer, and white space is cut and joined by ``Replace``. The space
      before a text is put there by a ``Metaspace`` whose replacement is the space, so that one is put before a U+2581
      as well, and none after an added token; or by a ``Prepend`` where added tokens have to be found after it.
    - Texts are split at spaces only where no piece reaches over one, which changes nothing.
    - Unigram: user-defined symbols score as they do in SentencePiece, so that the model finds them. Pieces that are
      never found in a text (unknown, byte, unused) score so low that no others lose against them, if every character of
      the normal pieces is one itself; trained models are so.
    - BPE: merges are recovered from the pieces' scores, see :mod:`~tokenizer_reference.formats.merge_recovery`. Char:
      BPE without merges. Word: WordLevel.
    - Control symbols are special added tokens. User-defined symbols are added tokens where the model cannot find them:
      in BPE and char models those of more than one character, and all that the character map would change.

    What can differ from SentencePiece, and when:

    - The text of a control symbol is that symbol here, and ordinary text in SentencePiece. So is, in a Unigram model,
      the text of a piece that is unknown or a byte, if it has a character that is no piece.
    - ``Precompiled`` looks up grapheme clusters, and takes the shortest key of the map that fits; SentencePiece looks
      up at every character and takes the longest. CR LF, for one, is a single space here where both are spaces there.
    - SentencePiece adds scores in single precision. Cuts whose sums are equal, or nearly so in a long text, can differ.
    - User-defined symbols that are added tokens: a text that is nothing but one has no space before it. Where the
      character map would change the symbol, where white space is a suffix, and where there are more than 1,000 of them,
      the text ends before it, and only a text that does not begin with it has a space before it. And any user-defined
      symbols with U+2581, in texts that have this character themselves.
    - BPE pieces with equal scores (trained models have none), unused pieces, and pieces with a character that is no
      piece.
    - Word models: unknown words in a row are one unknown token in SentencePiece, and one each here.
    - A text of which the character map leaves nothing is nothing here. In SentencePiece it is the space that is put
      before it, unless ``remove_extra_whitespaces`` takes that away.
    - ``decode``: the unknown token is its piece here, and ``unk_surface`` in SentencePiece. A denormalizer is ignored.
    """
    model = read_sentencepiece_model(path)
    _refuse_unsupported(path, model)
    charsmap = _charsmap(path, model)
    try:
        return _tokenizer(model, charsmap)
    except UpstreamPanicError as error:
        raise of_file(path, f"precompiled_charsmap: {error}") from None


def _tokenizer(model: SentencePieceModel, charsmap: normalizers.Precompiled | None) -> Tokenizer:
    """Return the pipeline of ``model``. Raises :class:`UpstreamPanicError` where the character map breaks in use."""
    symbols = _unfound_symbols(model, charsmap)
    first: list[Normalizer] = [] if charsmap is None else [charsmap]
    whole = _whole_normalizer(model, first, symbols)
    searched = [symbol for symbol in symbols if whole.normalize_str(symbol) == symbol]
    tokenizer = Tokenizer(_MODELS[model.trainer_spec.model_type](model))
    if searched:
        tokenizer.normalizer = whole
    else:
        tokenizer.normalizer = normalizers.Sequence([*first, *_white_space(model, is_final=False)])
    tokenizer.pre_tokenizer = _pre_tokenizer(model, is_prefixed=bool(searched))
    tokenizer.decoder = _decoder(model)
    tokenizer.add_tokens(_added_tokens(model, symbols, searched))
    return tokenizer


def _refuse_unsupported(path: FilePath, model: SentencePieceModel) -> None:
    if not model.normalizer_spec.escape_whitespaces:
        raise of_file(path, "escape_whitespaces is off, for which tokenizer.json has no components")
    if model.trainer_spec.model_type is ModelType.WORD and model.trainer_spec.byte_fallback:
        raise of_file(path, "is a word model with byte fallback, for which tokenizer.json has no model")


def _charsmap(path: FilePath, model: SentencePieceModel) -> normalizers.Precompiled | None:
    if not model.normalizer_spec.precompiled_charsmap:
        return None
    try:
        return normalizers.Precompiled(model.normalizer_spec.precompiled_charsmap)
    except ValueError as error:
        raise of_file(path, f"precompiled_charsmap: {error}") from None


def _white_space(model: SentencePieceModel, *, is_final: bool) -> list[Normalizer]:
    """Return what SentencePiece does about white space after the character map.

    Final, spaces are U+2581 afterwards, and there are none where a prefix goes. Else, the pre-tokenizer sees to that.
    """
    spec = model.normalizer_spec
    is_suffix = model.trainer_spec.treat_whitespace_as_suffix
    suffix = SPACE if is_suffix and spec.add_dummy_prefix else ""
    steps: list[Normalizer] = []
    if spec.remove_extra_whitespaces:
        steps.append(normalizers.Replace(Regex(" {2,}"), " "))
        if is_final or is_suffix or not spec.add_dummy_prefix:
            steps.append(normalizers.Replace(Regex(r"\A +"), ""))
    if suffix:
        steps.append(normalizers.Replace(Regex(r"(?<=[\s\S])\z"), suffix))
    if spec.remove_extra_whitespaces:
        # SentencePiece looks at what spaces have become, and so also removes U+2581.
        steps.append(normalizers.Replace(Regex(rf"[ {SPACE}]+\z"), suffix))
    if is_final or is_suffix or not spec.remove_extra_whitespaces:
        steps.append(normalizers.Replace(" ", SPACE))
    return steps


def _whole_normalizer(model: SentencePieceModel, first: list[Normalizer], symbols: list[str]) -> normalizers.Sequence:
    """Return the normalizer that does all that SentencePiece does, for ``symbols`` to be searched for after it.

    A symbol is searched for in its normalized form, so on its own it must stay what it is: it gets no space before it.
    """
    steps = [*first, *_white_space(model, is_final=True)]
    if model.normalizer_spec.add_dummy_prefix and not model.trainer_spec.treat_whitespace_as_suffix:
        bare = normalizers.Sequence(steps)
        unchanged = [symbol for symbol in symbols if bare.normalize_str(symbol) == symbol]
        steps.append(normalizers.Prepend(SPACE))
        if 0 < len(unchanged) <= _MOST_SEARCHED:
            alternatives = "|".join(map(re.escape, unchanged))
            steps.append(normalizers.Replace(Regex(rf"\A{SPACE}(?=(?:{alternatives})\z)"), ""))
    return normalizers.Sequence(steps)


def _pre_tokenizer(model: SentencePieceModel, *, is_prefixed: bool) -> PreTokenizer | None:
    is_split = _can_be_split(model)
    if model.trainer_spec.treat_whitespace_as_suffix:
        # Word models are trained on words with the space at the end, but look for words with the space at the begin.
        is_word = model.trainer_spec.model_type is ModelType.WORD
        behavior = "merged_with_next" if is_word else "merged_with_previous"
        return pre_tokenizers.Split(SPACE, behavior) if is_split else None
    split: PreTokenizer = pre_tokenizers.Metaspace(SPACE, "never", split=is_split)
    if is_prefixed or not model.normalizer_spec.add_dummy_prefix:
        return split
    return pre_tokenizers.Sequence([pre_tokenizers.Metaspace(" ", "first", split=False), split])


def _can_be_split(model: SentencePieceModel) -> bool:
    """Whether words can be segmented one by one: no piece reaches over the bound of a word."""
    if model.trainer_spec.model_type is ModelType.WORD:
        return True
    found = model.pieces_of(PieceType.NORMAL, PieceType.USER_DEFINED, PieceType.UNUSED)
    if model.trainer_spec.treat_whitespace_as_suffix:
        return SPACE in found and not any(SPACE in piece[:-1] for piece in found)
    return SPACE in found and not any(SPACE in piece[1:] for piece in found)


def _decoder(model: SentencePieceModel) -> Decoder:
    spec = model.normalizer_spec
    steps: list[Decoder] = [decoders.Replace(SPACE, " ")]
    if model.trainer_spec.byte_fallback:
        steps.append(decoders.ByteFallback())
    steps.append(decoders.Fuse())
    if spec.add_dummy_prefix or spec.remove_extra_whitespaces:
        steps.append(decoders.Strip(" ", left=1))
    return decoders.Sequence(steps)


def _unfound_symbols(model: SentencePieceModel, charsmap: normalizers.Precompiled | None) -> list[str]:
    """Return the user-defined symbols that the model does not find as SentencePiece does."""
    model_type = model.trainer_spec.model_type
    if model_type is ModelType.WORD:
        return []  # nor does SentencePiece: words are looked up as a whole
    return [
        symbol
        for symbol in model.pieces_of(PieceType.USER_DEFINED)
        # A symbol with a space is never found: its own space becomes U+2581, too.
        if " " not in symbol
        and ((len(symbol) > 1 and model_type is not ModelType.UNIGRAM) or _is_changed(symbol, charsmap))
    ]


def _is_changed(symbol: str, charsmap: normalizers.Precompiled | None) -> bool:
    """Whether the character map changes ``symbol``. Its U+2581 are spaces of the text, and not looked at."""
    return charsmap is not None and any(charsmap.normalize_str(part) != part for part in symbol.split(SPACE))


def _added_tokens(model: SentencePieceModel, symbols: list[str], searched: list[str]) -> list[str | AddedToken]:
    """Return the control symbols and ``symbols``, in the order of their ids; ``searched`` in the normalized text."""
    is_added = set(symbols)
    is_searched = set(searched)
    tokens: list[str | AddedToken] = []
    for piece in model.pieces:
        if piece.type is PieceType.CONTROL:
            tokens.append(AddedToken(piece.piece, special=True))
        elif piece.piece in is_added:
            tokens.append(AddedToken(piece.piece, normalized=piece.piece in is_searched))
    return tokens


# Models --------------------------------------------------------------------------------------------------------------


def _unigram(model: SentencePieceModel) -> Unigram:
    scores = _found_scores(model)
    normal = set(model.pieces_of(PieceType.NORMAL))
    if all(char in normal for piece in normal for char in piece):
        # Unknown characters score lower still, but every cut of a text has the same ones.
        longest = max(len(piece.piece) for piece in model.pieces)
        never = longest * min(0.0, *scores.values()) - 1.0
    else:
        never = None
    return Unigram(
        [(piece.piece, scores.get(piece.piece, piece.score if never is None else never)) for piece in model.pieces],
        model.unk_id,
        model.trainer_spec.byte_fallback,
    )


def _found_scores(model: SentencePieceModel) -> dict[str, float]:
    """Return the scores of the pieces that are found in texts.

    A user-defined symbol scores as well as if each of its characters were the best normal piece (unigram_model.cc).
    """
    best = max((piece.score for piece in model.pieces if piece.type is PieceType.NORMAL), default=0.0)
    scores: dict[str, float] = {}
    for piece in model.pieces:
        if piece.type is PieceType.NORMAL:
            scores[piece.piece] = piece.score
        elif piece.type is PieceType.USER_DEFINED:
            scores[piece.piece] = len(piece.piece) * best - 0.1
    return scores


def _bpe(model: SentencePieceModel) -> BPE:
    known = {piece.piece: -piece.score for piece in model.pieces if piece.type in (PieceType.NORMAL, PieceType.UNUSED)}
    return _character_model(model, recovered_merges(known, known))


def _character_model(model: SentencePieceModel, merges: Sequence[tuple[str, str]] = ()) -> BPE:
    return BPE(
        _ids(model),
        merges,
        unk_token=model.pieces[model.unk_id].piece,
        fuse_unk=True,
        byte_fallback=model.trainer_spec.byte_fallback,
    )


def _word(model: SentencePieceModel) -> WordLevel:
    return WordLevel(_ids(model), unk_token=model.pieces[model.unk_id].piece)


def _ids(model: SentencePieceModel) -> dict[str, int]:
    return {piece.piece: id_ for id_, piece in enumerate(model.pieces)}


_MODELS: dict[ModelType, Callable[[SentencePieceModel], Model]] = {
    ModelType.UNIGRAM: _unigram,
    ModelType.BPE: _bpe,
    ModelType.WORD: _word,
    ModelType.CHAR: _character_model,
}
