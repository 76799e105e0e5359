"""What the adapters of the peers share: how a package is described and found, and how a loaded tokenizer is asked.

A peer shows little: most give the ids of one text and the text of ids. Its adapter says in a :class:`Calls` which call
of the peer answers which question; where there is none, the reason stands in the call's place and becomes the
:class:`Unsupported` answer. So an adapter is a table, and nothing in it can stand for what the peer does not do.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tokenizer_adapters.contract import (
    ENCODING_FIELDS,
    After,
    Chat,
    Chunks,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Field,
    ImplementationInfo,
    Normalize,
    Observation,
    OffsetUnit,
    Outcome,
    OwnCall,
    OwnCalls,
    Pieces,
    PreTokenize,
    Shows,
    Stage,
    Text,
    TokenizerSource,
    UnavailableError,
    Unsupported,
)
from tokenizer_adapters.pipeline import loaded, outcome_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

NO_BATCH = "is asked about one input at a time, so it pads nothing to the longest of several"
NO_BATCH_OF_OTHERS = "is asked about batches of single texts only"
NO_CHAT = "renders no chat template"
NO_CHANGES = "is asked about a tokenizer as its file has it, without changes"
NO_NORMALIZER = "does not show what its normalizer makes of a text"
NO_PAIR = "takes no pair of texts"
NO_PRE_TOKENIZER = "does not show into which pieces its pre-tokenizer cuts a text"
NO_PRE_SPLIT = "takes no pre-split input"
NO_PRE_SPLIT_PAIR = "takes no pair of pre-split texts"
NO_SPECIAL_TOKENS = "adds no special tokens"
NO_STREAM = "is asked to decode all ids at once, not one by one"
NO_VOCABULARY = "does not list its vocabulary"
ONLY_SKIPPING = "always leaves special tokens out when it decodes"
ONLY_KEEPING = "never leaves special tokens out when it decodes"

IDS_AND_TEXT = frozenset({Field.IDS, Field.TEXT})
TEXT = frozenset({Field.TEXT})
PIECES = frozenset({Field.PIECES, Field.OFFSETS})
ENCODING = frozenset(ENCODING_FIELDS)
IDS_AND_MASKS = frozenset({Field.IDS, Field.TYPE_IDS, Field.ATTENTION_MASK, Field.SPECIAL_TOKENS_MASK})
MODEL_AND_DECODE = frozenset({Stage.MODEL, Stage.DECODE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A peer: the ``distribution`` that installs it and the ``module`` to import; the rest as in ImplementationInfo.

    ``offset_unit`` counts only where ``fields`` has offsets.
    """

    name: str
    distribution: str
    module: str
    language: str
    home_page: str
    stages: frozenset[Stage] = MODEL_AND_DECODE
    fields: frozenset[Field] = IDS_AND_TEXT
    offset_unit: OffsetUnit = OffsetUnit.CODE_POINTS

    @property
    def install(self) -> str:
        """The command that installs the peer."""
        return f"pip install {self.distribution}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """How a tokenizer that a peer has loaded from ``files`` is asked; a string is the reason why it cannot be.

    ``encode`` gives a text without special tokens, ``encode_special`` with them, ``encode_pair`` two texts and
    ``encode_words`` a text that comes as words, with them if told so; ``encode_batch`` several texts at once, with them
    if told so. ``decode`` gives the text of ids without special tokens, ``decode_special`` with them, ``decode_stream``
    what each step of a stream adds to the text. ``chat`` renders a conversation. ``normalize`` and ``pre_tokenize``
    show one stage alone. A decoder may answer with :class:`Unsupported` for single ids, and ``encode_words`` for single
    words.

    ``own`` are the library's own calls without special tokens, by which its speed is measured; without them ``encode``
    is.

    ``fields`` are those that the encodings of this tokenizer show, ``pair_fields`` those of pairs among them and
    ``piece_fields`` those of its pre-tokenizer's pieces; where they are ``None``, what the package shows at best.
    """

    files: tuple[str, ...]
    encode: Callable[[str], Encoded] | str
    encode_special: Callable[[str], Encoded] | str = NO_SPECIAL_TOKENS
    encode_pair: Callable[[str, str, bool], Encoded] | str = NO_PAIR
    encode_words: Callable[[list[str], bool], Encoded | Unsupported] | str = NO_PRE_SPLIT
    encode_batch: Callable[[list[str], bool], list[Encoded]] | str = NO_BATCH
    decode: Callable[[list[int]], Text | Unsupported] | str = ONLY_KEEPING
    decode_special: Callable[[list[int]], Text | Unsupported] | str = ONLY_SKIPPING
    decode_stream: Callable[[DecodeStream], Chunks | Unsupported] | str = NO_STREAM
    chat: Callable[[Chat], Outcome] | str = NO_CHAT
    normalize: Callable[[str], Text] | str = NO_NORMALIZER
    pre_tokenize: Callable[[str], Pieces] | str = NO_PRE_TOKENIZER
    vocabulary: Callable[[], dict[str, int]] | str = NO_VOCABULARY
    own: OwnCalls | None = None
    fields: frozenset[Field] | None = None
    pair_fields: frozenset[Field] | None = None
    piece_fields: frozenset[Field] | None = None

    def shows(self, at_best: frozenset[Field]) -> Shows:
        """Return the fields that every answer has, by stage, of the fields that are shown ``at_best``.

        A stage is shown where each of its plain questions has a call.
        """
        encoded = at_best if self.fields is None else at_best & self.fields
        paired = encoded if self.pair_fields is None else encoded & self.pair_fields
        pieces = at_best if self.piece_fields is None else at_best & self.piece_fields
        stages = (
            (Stage.NORMALIZE, (self.normalize,), at_best & TEXT),
            (Stage.PRE_TOKENIZE, (self.pre_tokenize,), pieces & PIECES),
            (Stage.MODEL, (self.encode,), encoded & ENCODING),
            (Stage.POST_PROCESS, (self.encode_special, self.encode_pair), paired & ENCODING),
            (Stage.DECODE, (self.decode, self.decode_special), at_best & TEXT),
            (Stage.CHAT, (self.chat,), at_best & TEXT),
        )
        return {stage: fields for stage, calls, fields in stages if not any(isinstance(call, str) for call in calls)}


class PeerSubject:
    """A tokenizer that the peer ``package`` has loaded.

    ``files`` are the paths of the files that it was given, ``shows`` is what it shows of this tokenizer.
    """

    def __init__(self, package: Package, calls: Calls) -> None:
        self.files = calls.files
        self.shows = calls.shows(package.fields)
        self._name = package.name
        self._calls = calls

    def observe(self, observation: Observation) -> Outcome:
        """Answer one observation; offsets are in the peer's own unit."""
        return outcome_of(self._answer, observation)

    def vocabulary(self) -> dict[str, int] | Unsupported:
        """Return every token that the peer lists, with its id."""
        call = self._calls.vocabulary
        return self._unsupported(call) if isinstance(call, str) else call()

    def own_calls(self) -> OwnCalls | None:
        """Return the calls of the peer's library that encode."""
        return self._calls.own

    def _answer(self, observation: Observation) -> Outcome:
        calls = self._calls
        match observation:
            case Normalize(text):
                return self._asked(calls.normalize, text)
            case PreTokenize(text):
                return self._asked(calls.pre_tokenize, text)
            case Encode():
                return self._encoded(observation)
            case Decode(ids, skip_special_tokens):
                return self._asked(calls.decode if skip_special_tokens else calls.decode_special, list(ids))
            case DecodeStream():
                return self._streamed(observation)
            case EncodeBatch():
                return self._batch(observation)
            case Chat():
                return self._asked(calls.chat, observation)
            case After():
                return self._unsupported(NO_CHANGES)

    def _streamed(self, observation: DecodeStream) -> Outcome:
        return self._asked(self._calls.decode_stream, observation)

    def _encoded(self, observation: Encode) -> Outcome:
        calls, special = self._calls, observation.add_special_tokens
        match observation.text, observation.pair:
            case str(text), None:
                return self._asked(calls.encode_special if special else calls.encode, text)
            case str(text), str(pair):
                return self._asked(calls.encode_pair, text, pair, special)
            case tuple(words), None:
                return self._asked(calls.encode_words, list(words), special)
        return self._unsupported(NO_PRE_SPLIT_PAIR)

    def _batch(self, observation: EncodeBatch) -> Outcome:
        call = self._calls.encode_batch
        if isinstance(call, str):
            return self._unsupported(call)
        texts = [each.text for each in observation.inputs if isinstance(each.text, str) and each.pair is None]
        if len(texts) < len(observation.inputs):
            return self._unsupported(NO_BATCH_OF_OTHERS)
        return EncodedBatch(tuple(call(texts, observation.add_special_tokens)))

    def _asked(self, call: Callable[..., Outcome] | str, *arguments: object) -> Outcome:
        """Return the answer of ``call`` to ``arguments``; where it is a reason, that."""
        return self._unsupported(call) if isinstance(call, str) else call(*arguments)

    def _unsupported(self, reason: str) -> Unsupported:
        return Unsupported(f"{self._name} {reason}")


class PeerImplementation:
    """A peer in Python; its library is imported by the first load, not before.

    Building raises :class:`UnavailableError` where the package is not installed. A peer names its ``package`` and says
    in :meth:`calls` how it reads a tokenizer.
    """

    package: ClassVar[Package]

    def __init__(self) -> None:
        package = self.package
        if importlib.util.find_spec(package.module) is None:
            raise UnavailableError(f"{package.name} is not installed; install it with: {package.install}")

    @property
    def info(self) -> ImplementationInfo:
        """Return the description, with the version that is installed."""
        package = self.package
        return ImplementationInfo(
            name=package.name,
            version=importlib.metadata.version(package.distribution),
            language=package.language,
            home_page=package.home_page,
            stages=package.stages,
            fields=package.fields,
            offset_unit=package.offset_unit,
            install=package.install,
        )

    def load(self, source: TokenizerSource) -> PeerSubject:
        """Load the tokenizer of ``source`` from the files that the peer reads.

        Raises :class:`CannotLoadError`.
        """
        calls: Calls = loaded(lambda: self.calls(self.module(), source), self.package.name, source)
        return PeerSubject(self.package, calls)

    def module(self) -> ModuleType:
        """Import and return the peer's module."""
        return importlib.import_module(self.package.module)

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Read the tokenizer of ``source`` with the peer's ``module``; any error raised means that it cannot."""
        raise NotImplementedError


def encodings_of(tokenizer: Any, fields: frozenset[Field]) -> OwnCalls:
    """Return the calls of a ``tokenizer`` that gives encodings with ``fields``, as that of ``tokenizers`` does."""
    return OwnCalls(
        OwnCall("encode", lambda text: tokenizer.encode(text, add_special_tokens=False).ids, fields),
        OwnCall(
            "encode_batch",
            lambda texts: [each.ids for each in tokenizer.encode_batch(texts, add_special_tokens=False)],
            fields,
        ),
    )


def ids_only(encode: Callable[[str], Any]) -> Callable[[str], Encoded]:
    """Return ``encode``, which gives nothing but ids, as a call that answers with them."""
    return lambda text: Encoded(ids=tuple(int(id_) for id_ in encode(text)))


def text_of(decode: Callable[[list[int]], str]) -> Callable[[list[int]], Text]:
    """Return ``decode``, which gives a string, as a call that answers with it."""
    return lambda ids: Text(decode(ids))


def text_of_bytes(decode: Callable[[list[int]], bytes]) -> Callable[[list[int]], Text]:
    """Return ``decode``, which gives bytes, as a call that answers with their text.

    Bytes that are not UTF-8 become U+FFFD, one for each maximal part of a character, as in Rust and in Python.
    """
    return lambda ids: Text(decode(ids).decode("utf-8", "replace"))
