"""Asking a tokenizer that has the Python API of ``tokenizers``.

``tokenizers`` itself and the reference share one API, so one subject serves both: what differs between their answers
then differs between them, and not between two adapters. Objects of that API are typed ``Any`` here, since each side
brings its own classes; what is used of them is what :class:`PipelineSubject` calls.
"""

from __future__ import annotations

from array import array
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from tokenizer_adapters.contract import (
    ENCODING_FIELDS,
    PIPELINE_STAGES,
    AddTokens,
    After,
    CannotLoadError,
    Chat,
    Chunks,
    Crashed,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    EncodedColumns,
    EncodeSpecialTokens,
    Failed,
    Field,
    NewToken,
    Normalize,
    Observation,
    Outcome,
    OwnCall,
    OwnCalls,
    Pieces,
    PlainObservation,
    PreTokenize,
    Stage,
    Text,
    TokenizerSource,
    Unsupported,
    WithoutValue,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokenizer_adapters.contract import Change

Answer = TypeVar("Answer")

NO_ARRAYS = "Failed to access NumPy array API capsule"
"""What a panic says where numpy is missing."""

NO_CHAT = "a pipeline has no chat template; a loader has"

ALL_STAGES = frozenset(PIPELINE_STAGES)
LOADER_STAGES = frozenset({*ALL_STAGES, Stage.CHAT})
"""What a loader shows, which knows the files beside a tokenizer.json."""

ALL_FIELDS = frozenset({Field.TEXT, Field.PIECES, *ENCODING_FIELDS})


# Errors as outcomes ---------------------------------------------------------------------------------------------------


def is_panic(error: BaseException) -> bool:
    """Return whether ``error`` is a Rust panic that crossed into Python.

    Such an error derives from ``BaseException`` and its class cannot be imported, so it is known by its name
    (observed, tokenizers 0.23.3).
    """
    return type(error).__name__ == "PanicException"


def one_line(error: BaseException) -> str:
    """Return the message of ``error`` on one line, or the name of its class where it has none."""
    return " ".join(str(error).split()) or type(error).__name__


def outcome_of(answer: Callable[[Observation], Outcome], observation: Observation) -> Outcome:
    """Return what ``answer`` gives for ``observation``; an error as :class:`Failed`, a panic as :class:`Crashed`.

    >>> outcome_of(lambda observation: Text(observation.text.upper()), Normalize("a"))
    Text(text='A')
    >>> outcome_of(lambda observation: Text(observation.text), Decode((1,)))
    Failed(kind='AttributeError', message="'Decode' object has no attribute 'text'")

    What stops the program (``KeyboardInterrupt``, ``SystemExit``) passes through.
    """
    return attempted(lambda: answer(observation))


def attempted(call: Callable[[], Answer]) -> Answer | Failed | Crashed:
    """Return what ``call`` gives; an error as :class:`Failed`, a panic as :class:`Crashed`.

    >>> attempted(lambda: int("one"))
    Failed(kind='ValueError', message="invalid literal for int() with base 10: 'one'")

    What stops the program passes through.
    """
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - any error of an implementation is its answer
        return Failed(type(error).__name__, str(error))
    except BaseException as error:
        if is_panic(error):
            return Crashed(str(error))
        raise


class UnfitTokenizerError(Exception):
    """An implementation has no way to read this tokenizer. The message says what it would need."""


def loaded(read: Callable[[], Any], name: str, source: TokenizerSource) -> Any:
    """Return what ``read`` gives; raise :class:`CannotLoadError`, of one line, for its errors and panics.

    ``name`` is the implementation's, for the message. After an :class:`UnfitTokenizerError` such a tokenizer is not
    supported, which is no failure.
    """
    try:
        return read()
    except Exception as error:
        raise CannotLoadError(
            f"{name} cannot load {source.name} ({source.file}): {one_line(error)}",
            unsupported=isinstance(error, UnfitTokenizerError),
        ) from error
    except BaseException as error:
        if not is_panic(error):
            raise
        raise CannotLoadError(
            f"{name} panics while it loads {source.name} ({source.file}): {one_line(error)}"
        ) from None


# Reading answers ------------------------------------------------------------------------------------------------------


def normalized(normalizer: Any, text: str) -> Text:
    """Return ``text`` as ``normalizer`` gives it; without a normalizer, as it is."""
    return Text(text if normalizer is None else normalizer.normalize_str(text))


def pre_tokenized(pre_tokenizer: Any, text: str) -> Pieces:
    """Return the pieces that ``pre_tokenizer`` cuts ``text`` into, with their spans in code points.

    Without a pre-tokenizer the whole text is one piece, and empty text has none: so the model sees them in ``encode``
    (observed, tokenizers 0.23.3: an empty piece never reaches the model).
    """
    if pre_tokenizer is None:
        return Pieces(((text, (0, len(text))),) if text else ())
    return Pieces(tuple((piece, (start, end)) for piece, (start, end) in pre_tokenizer.pre_tokenize_str(text)))


def encoded(encoding: Any) -> Encoded:
    """Return every field of an ``Encoding``, and those of its overflowing encodings."""
    return Encoded(
        ids=tuple(encoding.ids),
        tokens=tuple(encoding.tokens),
        offsets=tuple(encoding.offsets),
        word_ids=tuple(encoding.word_ids),
        type_ids=tuple(encoding.type_ids),
        attention_mask=tuple(encoding.attention_mask),
        special_tokens_mask=tuple(encoding.special_tokens_mask),
        sequence_ids=tuple(encoding.sequence_ids),
        overflowing=tuple(encoded(part) for part in encoding.overflowing),
    )


def sequence_of(text: str | tuple[str, ...] | None) -> str | list[str] | None:
    """Return ``text`` in the shape that ``encode`` takes: pre-split input is a list there."""
    return list(text) if isinstance(text, tuple) else text


def batch_entry_of(question: Encode) -> Any:
    """Return the texts of ``question`` in the shape that ``encode_batch`` takes for one of its inputs."""
    text = sequence_of(question.text)
    return text if question.pair is None else (text, sequence_of(question.pair))


# Changing a tokenizer -------------------------------------------------------------------------------------------------


def new_token(token: NewToken, added_token: Callable[..., Any]) -> Any:
    """Return ``token`` as the ``AddedToken`` of a library, whose class is ``added_token``."""
    given = {} if token.normalized is None else {"normalized": token.normalized}
    return added_token(
        token.content,
        single_word=token.single_word,
        lstrip=token.lstrip,
        rstrip=token.rstrip,
        special=token.special,
        **given,
    )


NO_NUMPY = Unsupported("this release takes words only where numpy is installed, and it is not in this environment")


def lacks_numpy(outcome: Outcome) -> bool:
    """Return whether ``outcome`` is the panic of ``tokenizers`` over words in an environment without numpy.

    It looks whether words come in an array of that, which it does not require (observed, 0.13.3 to 0.23.1).
    """
    return isinstance(outcome, Crashed) and NO_ARRAYS in outcome.detail and "No module named 'numpy" in outcome.detail


class PipelineSubject:
    """A loaded tokenizer with the Python API of ``tokenizers``.

    ``library`` is the module that it comes from, with its ``Tokenizer``, ``AddedToken`` and ``decoders``; ``file`` is
    the path of the tokenizer.json. ``stream_class`` decodes streams, in the place of the library's ``DecodeStream``.
    """

    def __init__(self, tokenizer: Any, library: Any, file: str, stream_class: Any = None) -> None:
        self._tokenizer = tokenizer
        self._library = library
        self._file = file
        self._stream_class = stream_class

    def observe(self, observation: Observation) -> Outcome:
        """Answer one observation; offsets are in code points."""
        outcome = outcome_of(self._answer, observation)
        return NO_NUMPY if lacks_numpy(outcome) else outcome

    def encode_columns(self, texts: Sequence[str], *, offsets: bool, decoded: bool) -> EncodedColumns | None:
        """Return what :meth:`observe` answers to texts one by one, as columns; ``None`` after any error."""
        columns = attempted(lambda: self._columns(texts, offsets=offsets, decoded=decoded))
        return columns if isinstance(columns, EncodedColumns) else None

    def _columns(self, texts: Sequence[str], *, offsets: bool, decoded: bool) -> EncodedColumns:
        counts, ids, places = array("q"), array("q"), array("q")
        again: list[str] = []
        for text in texts:
            encoding = self._tokenizer.encode(text, add_special_tokens=False)
            own = encoding.ids
            counts.append(len(own))
            ids.extend(own)
            if offsets:
                places.extend(chain.from_iterable(encoding.offsets))
            if decoded:
                again.append(self._tokenizer.decode(own, skip_special_tokens=False))
        return EncodedColumns(counts, ids, places if offsets else None, tuple(again) if decoded else None)

    def own_calls(self) -> OwnCalls:
        """Return ``encode`` and the plain ``encode_batch``: a later release has one that makes no offsets."""
        tokenizer = self._tokenizer
        has_fast = hasattr(tokenizer, "encode_batch_fast")
        encode_batch = tokenizer.encode_batch_fast if has_fast else tokenizer.encode_batch
        return OwnCalls(
            OwnCall(
                "encode", lambda text: tokenizer.encode(text, add_special_tokens=False).ids, frozenset(ENCODING_FIELDS)
            ),
            OwnCall(
                "encode_batch_fast" if has_fast else "encode_batch",
                lambda texts: [each.ids for each in encode_batch(texts, add_special_tokens=False)],
                frozenset(ENCODING_FIELDS) - ({Field.OFFSETS} if has_fast else set()),
            ),
        )

    def vocabulary(self) -> dict[str, int]:
        """Return every token, added ones included, with its id."""
        return dict(self._tokenizer.get_vocab(with_added_tokens=True))

    def saved(self) -> str | WithoutValue:
        """Return the tokenizer as the text of a tokenizer.json."""
        return attempted(lambda: str(self._tokenizer.to_str()))

    def _answer(self, observation: Observation) -> Outcome:
        if isinstance(observation, After):
            return self._answer_after(observation)
        return self._answer_with(self._tokenizer, observation)

    def _answer_after(self, observation: After) -> Outcome:
        """Answer with a tokenizer that is loaded for this question alone: the next one must see no change.

        It is read from the file, and no copy is made by way of ``to_str``, since saving can lose things.
        """
        tokenizer = self._library.Tokenizer.from_file(self._file)
        for change in observation.changes:
            refusal = self._change(tokenizer, change)
            if refusal is not None:
                return refusal
        return self._answer_with(tokenizer, observation.observation)

    def _change(self, tokenizer: Any, change: Change) -> Unsupported | None:
        match change:
            case AddTokens(tokens, special):
                new = [new_token(token, self._library.AddedToken) for token in tokens]
                (tokenizer.add_special_tokens if special else tokenizer.add_tokens)(new)
            case EncodeSpecialTokens(value):
                if not hasattr(tokenizer, "encode_special_tokens"):
                    return Unsupported("this release always finds special tokens in a text (no encode_special_tokens)")
                tokenizer.encode_special_tokens = value
        return None

    def _answer_with(self, tokenizer: Any, observation: PlainObservation) -> Outcome:
        match observation:
            case Encode():
                encoding = tokenizer.encode(
                    sequence_of(observation.text),
                    sequence_of(observation.pair),
                    is_pretokenized=observation.is_pretokenized,
                    add_special_tokens=observation.add_special_tokens,
                )
                return encoded(encoding)
            case EncodeBatch(inputs):
                encodings = tokenizer.encode_batch(
                    list(map(batch_entry_of, inputs)),
                    is_pretokenized=observation.is_pretokenized,
                    add_special_tokens=observation.add_special_tokens,
                )
                return EncodedBatch(tuple(map(encoded, encodings)))
            case Decode(ids, skip_special_tokens):
                return Text(tokenizer.decode(list(ids), skip_special_tokens=skip_special_tokens))
            case DecodeStream():
                return self._stream(tokenizer, observation)
            case Normalize(text):
                return normalized(tokenizer.normalizer, text)
            case PreTokenize(text):
                return pre_tokenized(tokenizer.pre_tokenizer, text)
            case Chat():
                return Unsupported(NO_CHAT)

    def _stream(self, tokenizer: Any, observation: DecodeStream) -> Chunks | Unsupported:
        """Decode step by step; the class for it came with release 0.21 (observed)."""
        stream_class = self._stream_class or getattr(self._library.decoders, "DecodeStream", None)
        if stream_class is None:
            return Unsupported("this release does not decode id by id (it has no DecodeStream)")
        return streamed(stream_class, tokenizer, observation)


NO_PROMPT = Unsupported("this release's DecodeStream takes no ids that came before (no argument `ids`)")
NO_CHUNKS = Unsupported("this release's DecodeStream takes one id in a step")


def streamed(stream_class: Any, tokenizer: Any, observation: DecodeStream) -> Chunks | Unsupported:
    """Return what each step adds, by a class with the Python API of ``DecodeStream``.

    Prompts and several ids in a step came with later releases than the class itself: an older one raises TypeError. A
    stream that has an ``end`` is told of it.
    """
    if observation.prompt and isinstance(attempted(lambda: stream_class(ids=[])), Failed):
        return NO_PROMPT
    if observation.chunks and isinstance(attempted(lambda: stream_class().step(tokenizer, [])), Failed):
        return NO_CHUNKS
    prompt = {"ids": list(observation.prompt)} if observation.prompt else {}
    stream = stream_class(skip_special_tokens=observation.skip_special_tokens, **prompt)
    added = [stream.step(tokenizer, step[0] if len(step) == 1 else list(step)) for step in observation.steps]
    if added and hasattr(stream, "end"):
        added[-1] = (added[-1] or "") + (stream.end(tokenizer) or "") or None
    return Chunks(tuple(added))
