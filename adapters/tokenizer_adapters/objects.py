"""Objects of the running program as implementations: a tokenizer that is there already, or functions that encode.

What an object is, is seen from what it has: nothing of ``tokenizers`` or ``transformers`` is imported here, and either
is found where the object itself comes from.

=================================== ===================================================================================
a ``Tokenizer``                     that of ``tokenizers``, or of another library with its Python API
a tokenizer of ``transformers``     asked by its public calls; whether it has a pipeline or is plain Python
a mapping, or a pair                ``{"encode": …, "decode": …}``, also with ``normalize`` and ``pre_tokenize``
any other object                    asked by ``encode`` (or ``__call__``), and by those of :data:`CALLS` that it has
=================================== ===================================================================================

``encode`` is called with a text; it gives ids, or a mapping or object with ``ids`` and other fields. Of the arguments
in :data:`ARGUMENTS` it is given those that its signature names; ``**kwargs`` names all. An object is as it was when all
is asked. What ``encode`` raises is the answer, with the line in the user's code; after a ``NotImplementedError`` the
question is not supported.
"""

from __future__ import annotations

import copy
import importlib.metadata
import inspect
import json
import operator
import sys
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.chat import messages_of, tools_of
from tokenizer_adapters.contract import (
    Chat,
    Chunks,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Failed,
    Field,
    ImplementationInfo,
    Normalize,
    OffsetUnit,
    OwnCall,
    OwnCalls,
    Pieces,
    PreTokenize,
    Rendered,
    Stage,
    Text,
    Unsupported,
)
from tokenizer_adapters.pipeline import (
    ALL_FIELDS,
    ALL_STAGES,
    PipelineSubject,
    batch_entry_of,
    loaded,
    outcome_of,
    sequence_of,
)
from tokenizer_adapters.transformers import TransformersImplementation, TransformersSubject
from tokenizer_adapters.user_code import with_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Implementation, Observation, Outcome, Shows, Subject, TokenizerSource

OFFSETS_WANTED = "return_offsets_mapping"

ARGUMENTS: dict[str, tuple[str, ...]] = {
    "pair": ("pair", "text_pair"),
    "add_special_tokens": ("add_special_tokens",),
    "is_pretokenized": ("is_pretokenized", "is_split_into_words"),
    "skip_special_tokens": ("skip_special_tokens",),
    OFFSETS_WANTED: (OFFSETS_WANTED,),
    **{
        name: (name,)
        for name in ("prompt", "chunks", "tools", "add_generation_prompt", "continue_final_message", "tokenize")
    },
}
"""What calls may be told, and the names under which signatures have it."""

NAMES_OF_FIELDS: dict[Field, tuple[str, ...]] = {
    Field.IDS: ("ids", "input_ids"),
    Field.TOKENS: ("tokens",),
    Field.OFFSETS: ("offsets", "offset_mapping"),
    Field.WORD_IDS: ("word_ids",),
    Field.TYPE_IDS: ("type_ids", "token_type_ids"),
    Field.ATTENTION_MASK: ("attention_mask",),
    Field.SPECIAL_TOKENS_MASK: ("special_tokens_mask",),
    Field.SEQUENCE_IDS: ("sequence_ids",),
    Field.OVERFLOWING: ("overflowing",),
}
"""The names under which an encoding may have its fields: those of ``tokenizers``, and those of ``transformers``."""

CALLS = (
    "encode",
    "decode",
    "encode_batch",
    "get_vocab",
    "normalize",
    "pre_tokenize",
    "decode_stream",
    "apply_chat_template",
)
"""The functions that a mapping may have, and the methods by which an object is asked."""

COMPONENTS: dict[str, tuple[str, str]] = {
    "normalize": ("normalizer", "normalize_str"),
    "pre_tokenize": ("pre_tokenizer", "pre_tokenize_str"),
}
"""The attribute of an object, and the method of what is there, that stand for a method that the object has not."""

ADD_NO_TOKENS = frozenset({"ByteLevel"})
"""Post-processors that add no special tokens."""

PROBE = "a"
"""The text that shows which fields an ``encode`` has."""

QUESTIONS: dict[Stage, tuple[Observation, ...]] = {
    Stage.NORMALIZE: (Normalize(PROBE),),
    Stage.PRE_TOKENIZE: (PreTokenize(PROBE),),
    Stage.MODEL: (Encode(PROBE, add_special_tokens=False),),
    Stage.POST_PROCESS: (Encode(PROBE), Encode(PROBE, PROBE)),
    Stage.DECODE: (Decode((0,)), Decode((0,), skip_special_tokens=False)),
}
"""What has to be answered of a stage to say that it is shown."""

PIPELINE = ("encode", "decode", "encode_batch", "get_vocab", "to_str", "normalizer", "pre_tokenizer", "truncation")
"""What an object with the Python API of ``tokenizers`` has."""

TRANSFORMERS = ("__call__", "decode", "convert_ids_to_tokens", "is_fast", "get_vocab")
"""What a tokenizer of ``transformers`` has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """What cannot be seen from an object: the ``name`` it goes by, and what its calls mean.

    ``offset_unit`` is what its offsets count. ``adds_special_tokens`` tells what an ``encode`` does that cannot be told
    by an argument, ``skips_special_tokens`` what such a ``decode`` does.
    """

    name: str = "mine"
    offset_unit: OffsetUnit = OffsetUnit.CODE_POINTS
    adds_special_tokens: bool = True
    skips_special_tokens: bool = True


@dataclass(frozen=True, slots=True)
class Wrapped:
    """An object as an ``implementation``, which answers with the object, whichever tokenizer it is to load.

    ``takes`` tells whether it can be asked a question at all. ``loading`` loads other tokenizers in the same way;
    ``None`` where there is no way.
    """

    implementation: Implementation
    takes: Callable[[Observation], bool]
    loading: Implementation | None


def wrapped(mine: object, manner: Manner, load: Callable[[str], object] | None = None) -> Wrapped:
    """Return ``mine`` as an implementation. ``load`` gives such an object for the path of a tokenizer.json.

    Raises :class:`TypeError` where ``mine`` is nothing that encodes.
    """
    calls = _calls_of(mine)
    if calls is None:
        library = _library_of(mine)
        info = _info(mine, manner, ALL_STAGES, ALL_FIELDS)
        given = _Given(info, lambda source: _subject(mine, manner, source.file))
        loading = _Given(info, _by_class(mine, library, manner)) if library else TransformersImplementation()
        return Wrapped(given, _takes_all, _loading(load, manner, info) or loading)
    subject = CallsSubject(calls, manner)
    info = _info(mine, manner, subject.stages, subject.fields)
    return Wrapped(_Given(info, lambda _: subject), subject.takes, _loading(load, manner, info))


def saved_text(mine: object) -> str | None:
    """Return the tokenizer.json that ``mine`` writes, ``None`` where it writes none.

    A tokenizer of ``transformers`` is told by each call how to truncate and pad; what its pipeline has of either is
    left of the call before, and is not saved.
    """
    if _library_of(mine):
        return str(mine.to_str())  # type: ignore[attr-defined]  # it has the API
    backend = getattr(mine, "backend_tokenizer", None) if _is_of_transformers(mine) else None
    if backend is None:
        return None
    return json.dumps(json.loads(backend.to_str()) | {"truncation": None, "padding": None})


def _takes_all(_observation: Observation) -> bool:
    return True


# What an object is ----------------------------------------------------------------------------------------------------


def _calls_of(mine: object) -> dict[str, Callable[..., Any]] | None:
    """Return the functions by which ``mine`` is asked; ``None`` where it is a tokenizer of a known kind."""
    if isinstance(mine, Mapping):
        return _calls_in(mine)
    if isinstance(mine, tuple | list):
        if len(mine) == 2:
            return _calls_in(dict(zip(CALLS, mine, strict=False)))
        raise TypeError(f"a pair of functions, encode and decode, is expected, and no {type(mine).__name__} of others")
    if isinstance(mine, type) or not encodes(mine):
        raise TypeError(
            f"{_what(mine)} is no tokenizer: a name, a Tokenizer, a tokenizer of transformers, an object with encode "
            'and decode, or a mapping {"encode": …, "decode": …} is expected'
        )
    if _library_of(mine) or _is_of_transformers(mine):
        return None
    calls = {name: call for name in CALLS if (call := _call_of(mine, name)) is not None}
    if _is_called(mine) and callable(mine) and ("encode" not in calls or OFFSETS_WANTED in arguments_of(mine)):
        calls["encode"] = mine
    return calls


def encodes(mine: object) -> bool:
    """Return whether ``mine``, an object or its class, has a method that encodes."""
    return callable(getattr(mine, "encode", None)) or _is_called(mine)


def _is_called(mine: object) -> bool:
    """Return whether ``mine`` is an object that is called itself, and more than a function; or the class of such ones.

    Functions, partial ones and cached ones are objects of classes of compiled code, which have no ``decode``.
    """
    kind = mine if isinstance(mine, type) else type(mine)
    calls = [vars(each)["__call__"] for each in kind.__mro__ if "__call__" in vars(each)]
    return bool(calls) and (isinstance(calls[0], FunctionType) or callable(getattr(mine, "decode", None)))


def _call_of(mine: object, name: str) -> Callable[..., Any] | None:
    attribute, method = COMPONENTS.get(name, ("", ""))
    call = getattr(mine, name, None) or getattr(getattr(mine, attribute, None), method, None)
    return call if callable(call) else None


def _calls_in(calls: Mapping[Any, Any]) -> dict[str, Callable[..., Any]]:
    for name, call in calls.items():
        if name not in CALLS or not callable(call):
            raise TypeError(f"{name!r}: {_what(call)}; functions called {', '.join(CALLS)} are expected")
    if "encode" not in calls:
        raise TypeError("there is no function called 'encode' in the mapping")
    return dict(calls)


def _what(value: object) -> str:
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if isinstance(value, list | tuple) and value:
        return f"a {type(value).__name__} of {type(value[0]).__name__}"
    return f"an object of {type(value).__name__}"


def _library_of(mine: object) -> Any:
    """Return the module that ``mine`` comes from where it has the API of ``tokenizers``, ``None`` where not."""
    if isinstance(mine, type) or not all(hasattr(mine, name) for name in PIPELINE):
        return None
    modules = (sys.modules.get(kind.__module__.partition(".")[0]) for kind in type(mine).__mro__)
    return next((each for each in modules if hasattr(each, "Tokenizer") and hasattr(each, "decoders")), None)


def _is_of_transformers(mine: object) -> bool:
    return not isinstance(mine, type) and all(hasattr(mine, name) for name in TRANSFORMERS)


def _info(mine: object, manner: Manner, stages: frozenset[Stage], fields: frozenset[Field]) -> ImplementationInfo:
    return ImplementationInfo(
        name=manner.name,
        version=version_of(type(mine)),
        language="Python",
        home_page="",
        stages=stages,
        fields=fields,
        offset_unit=manner.offset_unit,
        install="",
    )


def version_of(code: type | Callable[..., Any]) -> str:
    """Return the version of the package that a class or a function is of; where it has none, it is ``unversioned``."""
    try:
        return importlib.metadata.version(code.__module__.partition(".")[0])
    except (importlib.metadata.PackageNotFoundError, ValueError):
        return "unversioned"


# Loading --------------------------------------------------------------------------------------------------------------


class _Given:
    """What ``subject_for`` gives, as an implementation."""

    def __init__(self, info: ImplementationInfo, subject_for: Callable[[TokenizerSource], Subject]) -> None:
        self.info = info
        self._subject_for = subject_for

    def load(self, source: TokenizerSource) -> Subject:
        """Return the subject for ``source``. Raises :class:`CannotLoadError`."""
        return self._subject_for(source)


def _loading(load: Callable[[str], object] | None, manner: Manner, info: ImplementationInfo) -> _Given | None:
    """Return what loads tokenizers by ``load``; any error that this raises says that it cannot."""
    if load is None:
        return None

    def subject_for(source: TokenizerSource) -> Subject:
        return subject_of(loaded(lambda: load(source.file), manner.name, source), manner, source)

    return _Given(info, subject_for)


def subject_of(mine: object, manner: Manner, source: TokenizerSource) -> Subject:
    """Return ``mine``, which was loaded from ``source``, as a subject.

    Raises :class:`TypeError` where it is nothing that encodes.
    """
    calls = _calls_of(mine)
    if calls is None:
        return _subject(mine, manner, source.file)
    return CallsSubject(calls, manner, without_effect(source.file))


def without_effect(file: str) -> frozenset[str]:
    """Return the arguments that make no difference with the tokenizer.json at ``file``.

    Where no post-processor adds special tokens, or no added token is special, a call need not be told about these.
    """
    try:
        document = json.loads(Path(file).read_bytes())
        processors = _processors(document.get("post_processor"))
        adds = not all(each in ADD_NO_TOKENS for each in processors)
        skips = any(token.get("special", True) for token in document.get("added_tokens") or ())
    except (OSError, ValueError, AttributeError, TypeError, RecursionError):
        return frozenset()
    return frozenset(["add_special_tokens"] * (not adds) + ["skip_special_tokens"] * (not skips))


def _processors(processor: Any) -> list[str]:
    if processor is None:
        return []
    if processor.get("type") == "Sequence":
        return [name for each in processor.get("processors") for name in _processors(each)]
    return [str(processor.get("type"))]


def _by_class(mine: object, library: Any, manner: Manner) -> Callable[[TokenizerSource], Subject]:
    """Return what loads tokenizers as the class of ``mine`` does."""
    read: Callable[[str], Any] = getattr(type(mine), "from_file", None) or library.Tokenizer.from_file
    return lambda source: PipelineSubject(loaded(lambda: read(source.file), manner.name, source), library, source.file)


def _subject(mine: Any, manner: Manner, file: str) -> Subject:
    """Return ``mine``, a tokenizer of a known kind, which stands for the tokenizer.json at ``file``."""
    library = _library_of(mine)
    if library:
        return PipelineSubject(mine, library, file)
    del manner
    return _KeptSubject(mine, TransformersSubject(mine, (file,), lambda: copy.deepcopy(mine)))


class _KeptSubject:
    """A tokenizer of ``transformers`` whose pipeline is after each question as it was before."""

    def __init__(self, tokenizer: Any, subject: TransformersSubject) -> None:
        self._backend = getattr(tokenizer, "backend_tokenizer", None) if tokenizer.is_fast else None
        self._subject = subject

    def observe(self, observation: Observation) -> Outcome:
        """Answer one observation; offsets are in code points."""
        with _kept(self._backend):
            return self._subject.observe(observation)

    def vocabulary(self) -> dict[str, int]:
        """Return every token, added ones included, with its id."""
        return self._subject.vocabulary()


@contextmanager
def _kept(backend: Any) -> Iterator[None]:
    """Put back what a call of ``transformers`` sets in the pipeline ``backend`` for that call, and leaves there."""
    if backend is None:
        yield
        return
    truncation, padding, encodes = backend.truncation, backend.padding, backend.encode_special_tokens
    try:
        yield
    finally:
        if backend.truncation != truncation:
            backend.no_truncation() if truncation is None else backend.enable_truncation(**truncation)
        if backend.padding != padding:
            backend.no_padding() if padding is None else backend.enable_padding(**padding)
        backend.encode_special_tokens = encodes


# Functions ------------------------------------------------------------------------------------------------------------


class CallsSubject:
    """A tokenizer that is asked by ``calls``, functions by name; ``encode`` is one of them.

    ``stages`` and ``fields`` are what it shows, ``shows`` what every answer has; ``encode`` is called once to see its
    fields. The arguments ``without_effect`` change no answer of this tokenizer, so that no call need have them.
    """

    def __init__(
        self, calls: Mapping[str, Callable[..., Any]], manner: Manner, without_effect: frozenset[str] = frozenset()
    ) -> None:
        self._calls = calls
        self._manner = manner
        self._without_effect = without_effect
        self._arguments = {name: arguments_of(call) for name, call in calls.items()}
        self.stages = frozenset(self._stages())
        self.fields = frozenset(self._fields())
        self.shows: Shows = {
            stage: self.fields
            for stage, questions in QUESTIONS.items()
            if stage in self.stages and all(map(self.takes, questions))
        }

    def observe(self, observation: Observation) -> Outcome:
        """Answer one observation; offsets are in the unit of the manner."""
        return outcome_of(self._answer_or_error, observation)

    def vocabulary(self) -> dict[str, int] | Unsupported:
        """Return what ``get_vocab`` gives, where there is one."""
        if "get_vocab" not in self._calls:
            return Unsupported("there is no function called 'get_vocab'")
        try:
            found = dict(self._calls["get_vocab"]())
            return {_text(token, "get_vocab"): operator.index(number) for token, number in found.items()}
        except Exception as error:  # noqa: BLE001 - whatever the user's code raises
            return Unsupported(with_line(error, f"get_vocab raises {type(error).__name__}: {error}"))

    def own_calls(self) -> OwnCalls:
        """Return the functions, told to add no special tokens where they can be told."""
        calls = {name: self._told(name) for name in ("encode", "encode_batch") if name in self._calls}
        one, *rest = (OwnCall(name, call, self.fields & frozenset(NAMES_OF_FIELDS)) for name, call in calls.items())
        return OwnCalls(one, *rest)

    def _told(self, name: str) -> Callable[..., Any]:
        argument = self._arguments[name].get("add_special_tokens")
        return partial(self._calls[name], **({} if argument is None else {argument: False}))

    def takes(self, observation: Observation) -> bool:
        """Return whether the functions can be asked ``observation``."""
        return self._why_not(observation) is None

    def _stages(self) -> Iterator[Stage]:
        tells = self._is_told("encode", "add_special_tokens")
        if tells or not self._manner.adds_special_tokens:
            yield Stage.MODEL
        if tells or self._manner.adds_special_tokens:
            yield Stage.POST_PROCESS
        for stage in (Stage.NORMALIZE, Stage.PRE_TOKENIZE, Stage.DECODE):
            if stage in self._calls:
                yield stage
        if "apply_chat_template" in self._calls:
            yield Stage.CHAT

    def _fields(self) -> Iterator[Field]:
        try:
            shown: Outcome | None = self.observe(Encode(PROBE, add_special_tokens=Stage.POST_PROCESS in self.stages))
        except SystemExit:
            shown = None  # it ends the program that asks it a question, too
        if isinstance(shown, Encoded):
            yield from (field for field in NAMES_OF_FIELDS if getattr(shown, field) is not None)
        else:
            yield Field.IDS
        if {Stage.NORMALIZE, Stage.DECODE, Stage.CHAT} & self.stages:
            yield Field.TEXT
        if Stage.PRE_TOKENIZE in self.stages:
            yield Field.PIECES

    def _why_not(self, observation: Observation) -> str | None:
        """Say why the functions cannot be asked ``observation``."""
        match observation:
            case Encode(_, pair, adds):
                if pair is not None and "pair" not in self._arguments["encode"]:
                    return "encode has no argument for a second text (pair)"
                if observation.is_pretokenized and "is_pretokenized" not in self._arguments["encode"]:
                    return "encode has no argument is_pretokenized"
                return self._fixed("encode", "add_special_tokens", adds, self._manner.adds_special_tokens)
            case EncodeBatch(inputs) if "encode_batch" in self._calls:
                return next(filter(None, map(self._why_not, inputs)), None)
            case Decode(_, skips) if "decode" in self._calls:
                return self._fixed("decode", "skip_special_tokens", skips, self._manner.skips_special_tokens)
            case Normalize() | PreTokenize():
                name = "normalize" if isinstance(observation, Normalize) else "pre_tokenize"
                return None if name in self._calls else f"there is no function called {name!r}"
            case DecodeStream(_, skips, prompt, chunks) if "decode_stream" in self._calls:
                fixed = self._fixed("decode_stream", "skip_special_tokens", skips, self._manner.skips_special_tokens)
                return fixed or self._lacking("decode_stream", {"prompt": prompt, "chunks": chunks})
            case Chat() if "apply_chat_template" in self._calls:
                if observation.template is not None:
                    return "templates cannot be named"
                return self._lacking("apply_chat_template", _chat_options(observation))
        return f"there is no function for {type(observation).__name__}"

    def _lacking(self, call: str, given: Mapping[str, object]) -> str | None:
        """Say which of those of the arguments ``given`` that say something ``call`` has not."""
        missing = next((name for name, value in given.items() if value and name not in self._arguments[call]), None)
        return None if missing is None else f"{call} has no argument {missing}"

    def _fixed(self, call: str, argument: str, wanted: bool, does: bool) -> str | None:
        if self._is_told(call, argument) or wanted is does:
            return None
        return f"{call} has no argument {argument}, and is taken to do as with {does}"

    def _is_told(self, call: str, argument: str) -> bool:
        return argument in self._arguments[call] or argument in self._without_effect

    def _answer_or_error(self, observation: Observation) -> Outcome:
        """Answer; an error is told with the line of the user's code that it comes from."""
        try:
            return self._answer(observation)
        except NotImplementedError as error:
            return Unsupported(with_line(error, str(error) or "NotImplementedError"))
        except Exception as error:  # noqa: BLE001 - any error of an implementation is its answer
            return Failed(type(error).__name__, with_line(error, str(error)))

    def _answer(self, observation: Observation) -> Outcome:
        reason = self._why_not(observation)
        if reason is not None:
            return Unsupported(reason)
        match observation:
            case Encode(text, pair, adds):
                given: dict[str, object] = {"add_special_tokens": adds}
                given |= {} if pair is None else {"pair": sequence_of(pair)}
                given |= {"is_pretokenized": True} if observation.is_pretokenized else {}
                return read_encoding(self._call("encode", sequence_of(text), given | {OFFSETS_WANTED: True}))
            case EncodeBatch(inputs):
                return self._batch(observation, list(map(batch_entry_of, inputs)))
            case Decode(ids, skips):
                return Text(_text(self._call("decode", list(ids), {"skip_special_tokens": skips}), "decode"))
            case Normalize(text):
                return Text(_text(self._call("normalize", text, {}), "normalize"))
            case PreTokenize(text):
                return _pieces(self._call("pre_tokenize", text, {}))
            case DecodeStream():
                return self._stream(observation)
            case Chat():
                return self._rendered(observation)
        return Unsupported(f"there is no function for {type(observation).__name__}")

    def _stream(self, stream: DecodeStream) -> Chunks:
        given: dict[str, object] = {"skip_special_tokens": stream.skip_special_tokens}
        given |= {"prompt": list(stream.prompt)} if stream.prompt else {}
        given |= {"chunks": list(stream.chunks)} if stream.chunks else {}
        steps: Any = self._call("decode_stream", list(stream.ids), given)
        return Chunks(tuple(None if each is None else _text(each, "a step of decode_stream") for each in steps))

    def _rendered(self, chat: Chat) -> Rendered:
        """Return the prompt; its ids, where the call has the argument ``tokenize``."""
        name, options = "apply_chat_template", _chat_options(chat)
        text = _text(self._call(name, messages_of(chat), {**options, "tokenize": False}), name)
        if "tokenize" not in self._arguments[name]:
            return Rendered(text)
        return Rendered(text, read_encoding(self._call(name, messages_of(chat), {**options, "tokenize": True})).ids)

    def _batch(self, batch: EncodeBatch, inputs: list[Any]) -> EncodedBatch:
        given: dict[str, object] = {"add_special_tokens": batch.add_special_tokens}
        given |= {"is_pretokenized": True} if batch.is_pretokenized else {}
        encodings: Any = self._call("encode_batch", inputs, given)
        return EncodedBatch(tuple(map(read_encoding, encodings)))

    def _call(self, name: str, first: object, given: Mapping[str, object]) -> object:
        """Call a function with ``first`` and those of the arguments ``given`` that it has."""
        names = self._arguments[name]
        return self._calls[name](first, **{names[each]: value for each, value in given.items() if each in names})


def _chat_options(chat: Chat) -> dict[str, object]:
    """Return what is to be told beside the messages. An empty list of tools is not the same as none."""
    tools = {} if chat.tools is None else {"tools": tools_of(chat)}
    flags = {
        "add_generation_prompt": chat.add_generation_prompt,
        "continue_final_message": chat.continue_final_message,
    }
    return {**tools, **flags}


def arguments_of(call: Callable[..., Any]) -> dict[str, str]:
    """Return which of :data:`ARGUMENTS` can be given to ``call``, each with its name there.

    >>> def encode(text, text_pair=None): ...
    >>> arguments_of(encode)
    {'pair': 'text_pair'}
    """
    try:
        parameters = inspect.signature(call).parameters
    except (TypeError, ValueError):  # a function of compiled code need not say
        return {}
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    named = {name for name, parameter in parameters.items() if parameter.kind in by_name}
    if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters.values()):
        named |= {names[0] for names in ARGUMENTS.values() if not named.intersection(names)} - {OFFSETS_WANTED}
    found = {argument: next((each for each in names if each in named), None) for argument, names in ARGUMENTS.items()}
    return {argument: name for argument, name in found.items() if name is not None}


# What functions give --------------------------------------------------------------------------------------------------


def read_encoding(given: Any) -> Encoded:
    """Return the encoding that ``given`` is: ids, or a mapping or an object with ids and other fields.

    >>> read_encoding([1, 2]).ids, read_encoding({"input_ids": [1], "tokens": ["a"]}).tokens
    ((1, 2), ('a',))

    Raises :class:`TypeError` where it is nothing of the kind.
    """
    values = {field: _found(given, names) for field, names in NAMES_OF_FIELDS.items()}
    if values[Field.IDS] is None:
        values = dict.fromkeys(values) | {Field.IDS: given}
    try:
        ids = tuple(map(operator.index, _plain(values[Field.IDS])))
    except TypeError:
        raise TypeError(f"encode gave {_what(given)}: ids, or a mapping or object with ids, are expected") from None
    return Encoded(ids=ids, **{field: _read(field, values[field]) for field in READ})


def _read(field: Field, given: Any) -> Any:
    """Return what an encoding has as ``field``. Raises :class:`TypeError`, which names the field."""
    if given is None:
        return None
    if isinstance(given, str | bytes):
        raise TypeError(f"encode gave {field} as one {type(given).__name__}, {given[:20]!r}: a list is expected")
    try:
        return tuple(map(READ[field], _plain(given)))
    except (TypeError, ValueError) as error:
        raise TypeError(f"encode gave {field} that cannot be read: {error}") from None


def _found(given: Any, names: tuple[str, ...]) -> Any:
    """Return what ``given`` has under the first of ``names`` that it has; ``BatchEncoding`` has methods for some."""
    for name in names:
        value = given.get(name) if isinstance(given, Mapping) else None
        if value is None:
            value = getattr(given, name, None)
        if value is not None:
            return value() if callable(value) else value
    return None


def _plain(values: Any) -> Any:
    """Return ``values`` as Python has them, arrays as lists."""
    return values.tolist() if hasattr(values, "tolist") else values


def _number_or_none(given: Any) -> int | None:
    return None if given is None else operator.index(given)


def _token(given: Any) -> str:
    return _text(given, "a token of encode")


def _span(given: Any) -> tuple[int, int]:
    start, end = given
    return operator.index(start), operator.index(end)


def _text(given: Any, whose: str) -> str:
    if not isinstance(given, str):
        raise TypeError(f"{whose} gave {_what(given)}, where a str is expected")
    return given


def _pieces(given: Any) -> Pieces:
    """Return the pieces of ``given``: texts, or texts with their spans."""
    return Pieces(tuple(map(_piece, given)))


def _piece(given: Any) -> tuple[str, tuple[int, int] | None]:
    if isinstance(given, str):
        return given, None
    text, span = given
    return _text(text, "pre_tokenize"), _span(span)


READ: dict[Field, Callable[[Any], Any]] = {
    Field.TOKENS: _token,
    Field.OFFSETS: _span,
    Field.WORD_IDS: _number_or_none,
    Field.TYPE_IDS: operator.index,
    Field.ATTENTION_MASK: operator.index,
    Field.SPECIAL_TOKENS_MASK: operator.index,
    Field.SEQUENCE_IDS: _number_or_none,
    Field.OVERFLOWING: read_encoding,
}
"""What reads a member of a field of an encoding; all but ids."""
