"""Asking a tokenizer that has the Python API of ``tokenizers``.

``tokenizers`` itself and the reference share one API, so one subject serves both: what differs between their answers
then differs between them, and not between two adapters. Objects of that API are typed ``Any`` here, since each side
brings its own classes; what is used of them is what :class:`PipelineSubject` calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import (
    ENCODING_FIELDS,
    CannotLoadError,
    Crashed,
    Decode,
    Encode,
    Encoded,
    Failed,
    Field,
    Normalize,
    Observation,
    Outcome,
    Pieces,
    PreTokenize,
    Stage,
    Text,
    TokenizerSource,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Callable

ALL_STAGES = frozenset(Stage)
ALL_FIELDS = frozenset({Field.TEXT, Field.PIECES, *ENCODING_FIELDS})


# Errors as outcomes ---------------------------------------------------------------------------------------------------


def is_panic(error: BaseException) -> bool:
    """Tell whether ``error`` is a Rust panic that crossed into Python.

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
    try:
        return answer(observation)
    except Exception as error:  # noqa: BLE001 - any error of an implementation is its answer
        return Failed(type(error).__name__, str(error))
    except BaseException as error:
        if is_panic(error):
            return Crashed(str(error))
        raise


def loaded(read: Callable[[], Any], name: str, source: TokenizerSource) -> Any:
    """Return what ``read`` gives; raise :class:`CannotLoadError`, of one line, for its errors and panics.

    ``name`` is the implementation's, for the message.
    """
    try:
        return read()
    except Exception as error:
        raise CannotLoadError(f"{name} cannot load {source.name} ({source.file}): {one_line(error)}") from error
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


class PipelineSubject:
    """A loaded tokenizer with the Python API of ``tokenizers``."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    def observe(self, observation: Observation) -> Outcome:
        """Answer one observation; offsets are in code points."""
        return outcome_of(self._answer, observation)

    def vocabulary(self) -> dict[str, int]:
        """Return every token, added ones included, with its id."""
        return dict(self._tokenizer.get_vocab(with_added_tokens=True))

    def _answer(self, observation: Observation) -> Value:
        tokenizer = self._tokenizer
        match observation:
            case Encode():
                encoding = tokenizer.encode(
                    sequence_of(observation.text),
                    sequence_of(observation.pair),
                    is_pretokenized=observation.is_pretokenized,
                    add_special_tokens=observation.add_special_tokens,
                )
                return encoded(encoding)
            case Decode(ids, skip_special_tokens):
                return Text(tokenizer.decode(list(ids), skip_special_tokens=skip_special_tokens))
            case Normalize(text):
                return normalized(tokenizer.normalizer, text)
            case PreTokenize(text):
                return pre_tokenized(tokenizer.pre_tokenizer, text)
