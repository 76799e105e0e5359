"""The adapter of ``transformers``.

``transformers`` 5 does not always run the pipeline that a ``tokenizer.json`` describes: for many model types a class
builds a pipeline of its own around the file's vocabulary. What is observed here is therefore what a user gets from the
public calls, ``tokenizer(text, …)`` and ``tokenizer.decode(ids)``, with their defaults: so a truncation in the file has
no effect, and an empty second text counts as none (observed, transformers 5.23).
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import logging
import os
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tokenizer_adapters.contract import (
    AddTokens,
    After,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodeSpecialTokens,
    ImplementationInfo,
    Normalize,
    Observation,
    OffsetUnit,
    Outcome,
    PreTokenize,
    Text,
    TokenizerSource,
    UnavailableError,
    Unsupported,
    WithoutValue,
)
from tokenizer_adapters.pipeline import (
    ALL_FIELDS,
    ALL_STAGES,
    attempted,
    encoded,
    loaded,
    new_token,
    normalized,
    outcome_of,
    pre_tokenized,
    sequence_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import Change, PlainObservation

INSTALL = "pip install 'transformers>=5,<6'"

CONFIGURATIONS = ("config.json", "tokenizer_config.json")
"""The files by which ``AutoTokenizer`` chooses a class; a folder with neither is read as a lone ``tokenizer.json``."""

NO_BATCH = "transformers pads a batch as its caller says, and not as the tokenizer.json does"
NO_STREAM = "transformers has streamers, which follow rules of their own, and nothing that decodes id by id"

LOCAL: dict[str, bool] = {"local_files_only": True, "trust_remote_code": False}
"""How a folder is read: nothing is fetched, and no code in it is run."""


class TransformersImplementation:
    """``transformers``, through ``AutoTokenizer``; its library is imported by the first load, not before.

    Building raises :class:`UnavailableError` where the package is not installed. Another way to the library has a
    ``name`` of its own and another :meth:`read`.
    """

    name: ClassVar[str] = "transformers"

    def __init__(self) -> None:
        if importlib.util.find_spec("transformers") is None:
            raise UnavailableError(f"transformers is not installed; install it with: {INSTALL}")

    @property
    def info(self) -> ImplementationInfo:
        """Return the description: every stage and field is shown, offsets count code points."""
        return ImplementationInfo(
            name=self.name,
            version=importlib.metadata.version("transformers"),
            language="Python",
            home_page="https://github.com/huggingface/transformers",
            stages=ALL_STAGES,
            fields=ALL_FIELDS,
            offset_unit=OffsetUnit.CODE_POINTS,
            install=INSTALL,
        )

    def load(self, source: TokenizerSource) -> TransformersSubject:
        """Load ``source`` in the way of :meth:`read`.

        Nothing is fetched and no code of the checkpoint is run. Raises :class:`CannotLoadError`.
        """
        tokenizer, files = loaded(lambda: self._read(source), self.name, source)
        return TransformersSubject(tokenizer, files, lambda: self._read(source)[0])

    def _read(self, source: TokenizerSource) -> tuple[Any, tuple[str, ...]]:
        with warnings.catch_warnings(), _silence(), _offline():
            warnings.simplefilter("ignore")
            return self.read(_import_transformers(), source)

    def read(self, library: Any, source: TokenizerSource) -> tuple[Any, tuple[str, ...]]:
        """Read the checkpoint folder of ``source``, or its ``tokenizer.json`` alone where no configuration lies by it.

        Returns the tokenizer and the paths of the files that it was given. Any error raised means that it cannot.
        """
        if is_configured(source):
            return library.AutoTokenizer.from_pretrained(source.folder, **LOCAL), (source.file,)
        return library.PreTrainedTokenizerFast(tokenizer_file=source.file), (source.file,)


def is_configured(source: TokenizerSource) -> bool:
    """Tell whether the checkpoint has a file that names its class or its model type."""
    return source.folder is not None and any((Path(source.folder) / name).is_file() for name in CONFIGURATIONS)


class TransformersSubject:
    """A tokenizer that ``transformers`` has loaded.

    ``files`` are the paths of the files that it was given; ``load_again`` loads it again.
    """

    def __init__(self, tokenizer: Any, files: tuple[str, ...], load_again: Callable[[], Any]) -> None:
        self.files = files
        self._tokenizer = tokenizer
        self._load_again = load_again

    def observe(self, observation: Observation) -> Outcome:
        """Answer one observation; offsets are in code points."""
        with _silence():
            return outcome_of(self._answer, observation)

    def vocabulary(self) -> dict[str, int]:
        """Return every token, added ones included, with its id."""
        return dict(self._tokenizer.get_vocab())

    def saved(self) -> str | WithoutValue:
        """Return the tokenizer, loaded again, as the text of a tokenizer.json.

        A call of the one that is asked sets its truncation and padding, which would be saved, too.
        """
        with _silence():
            return attempted(self._saved)

    def _saved(self) -> str | Unsupported:
        backend = _backend(self._load_again())
        if backend is None:
            return Unsupported(f"{type(self._tokenizer).__name__} is plain Python: it writes no tokenizer.json")
        return str(backend.to_str())

    def _answer(self, observation: Observation) -> Outcome:
        if not isinstance(observation, After):
            return _answer_with(self._tokenizer, observation)
        tokenizer = self._load_again()
        for change in observation.changes:
            _change(tokenizer, change)
        return _answer_with(tokenizer, observation.observation)


def _backend(tokenizer: Any) -> Any:
    """Return the pipeline of ``tokenizer``; a few classes are plain Python (ByT5, …) and have none, and no offsets."""
    return tokenizer.backend_tokenizer if tokenizer.is_fast else None


def _change(tokenizer: Any, change: Change) -> None:
    match change:
        case AddTokens(tokens, special):
            added_token = importlib.import_module("tokenizers").AddedToken
            tokenizer.add_tokens([new_token(token, added_token) for token in tokens], special_tokens=special)
        case EncodeSpecialTokens(value):
            tokenizer.split_special_tokens = value


def _answer_with(tokenizer: Any, observation: PlainObservation) -> Outcome:
    backend = _backend(tokenizer)
    match observation:
        case Encode():
            return _encode(tokenizer, observation)
        case Decode(ids, skip_special_tokens):
            return Text(tokenizer.decode(list(ids), skip_special_tokens=skip_special_tokens))
        case EncodeBatch():
            return Unsupported(NO_BATCH)
        case DecodeStream():
            return Unsupported(NO_STREAM)
        case Normalize() | PreTokenize() if backend is None:
            return Unsupported(f"{type(tokenizer).__name__} is plain Python: it has no pipeline to look into")
        case Normalize(text):
            return normalized(backend.normalizer, text)
        case PreTokenize(text):
            return pre_tokenized(backend.pre_tokenizer, text)


def _encode(tokenizer: Any, observation: Encode) -> Encoded:
    backend = _backend(tokenizer)
    batch = tokenizer(
        sequence_of(observation.text),
        text_pair=sequence_of(observation.pair),
        is_split_into_words=observation.is_pretokenized,
        add_special_tokens=observation.add_special_tokens,
        # Without special tokens a class in plain Python refuses to give types (observed, transformers 4.57).
        return_token_type_ids=backend is not None or observation.add_special_tokens,
        return_attention_mask=True,
        return_special_tokens_mask=True,
        return_offsets_mapping=backend is not None,
        verbose=False,
    )
    ids = tuple(batch["input_ids"])
    if backend is None:
        return Encoded(
            ids=ids,
            tokens=tuple(tokenizer.convert_ids_to_tokens(list(ids))),
            type_ids=tuple(batch["token_type_ids"]) if "token_type_ids" in batch else None,
            attention_mask=tuple(batch["attention_mask"]),
            special_tokens_mask=tuple(batch["special_tokens_mask"]),
        )
    return Encoded(
        ids=ids,
        tokens=tuple(batch.tokens()),
        offsets=tuple(batch["offset_mapping"]),
        word_ids=tuple(batch.word_ids()),
        type_ids=tuple(batch["token_type_ids"]),
        attention_mask=tuple(batch["attention_mask"]),
        special_tokens_mask=tuple(batch["special_tokens_mask"]),
        sequence_ids=tuple(batch.sequence_ids()),
        overflowing=tuple(encoded(part) for part in batch.encodings[0].overflowing),
    )


def _import_transformers() -> Any:
    """Import ``transformers`` without its advice, printed at import, to install a framework for models."""
    variable = "TRANSFORMERS_NO_ADVISORY_WARNINGS"
    before = os.environ.get(variable)
    os.environ[variable] = "1"
    try:
        return importlib.import_module("transformers")
    finally:
        if before is None:
            del os.environ[variable]
        else:
            os.environ[variable] = before


@contextmanager
def _silence() -> Iterator[None]:
    """Keep ``transformers`` from logging while the block runs; its own level is put back afterwards."""
    logger = logging.getLogger("transformers")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)


@contextmanager
def _offline() -> Iterator[None]:
    """Have ``huggingface_hub`` refuse every request while the block runs.

    It reads ``HF_HUB_OFFLINE`` only when it is imported, into the constant that is set here: so the rest of the program
    keeps the choice its user made.
    """
    constants: Any = importlib.import_module("huggingface_hub.constants")
    before = constants.HF_HUB_OFFLINE
    constants.HF_HUB_OFFLINE = True
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE = before
