"""The adapter of ``transformers``.

``transformers`` 5 does not always run the pipeline that a ``tokenizer.json`` describes: for many model types a class
builds a pipeline of its own around the file's vocabulary. What is observed here is therefore what a user gets from the
public calls, ``tokenizer(texts, …)`` and ``tokenizer.decode(ids)``.

These truncate and pad as their arguments say, by default not at all. So the caller here says what the file says
(:func:`_sizes`). Texts are asked about as batches: in a call for a single pair an empty second text counts as none, and
in a batch it is a text (observed, transformers 4.57 and 5.23).
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import json
import logging
import os
import warnings
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tokenizer_adapters.contract import (
    AddTokens,
    After,
    Called,
    Chat,
    Decode,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    EncodeSpecialTokens,
    Field,
    ImplementationInfo,
    LoaderDefaults,
    Normalize,
    Observation,
    OffsetUnit,
    Outcome,
    OwnCall,
    OwnCalls,
    PreTokenize,
    SpecialToken,
    Stage,
    Text,
    TokenizerSource,
    UnavailableError,
    Unsupported,
    WithoutValue,
)
from tokenizer_adapters.pipeline import (
    ALL_FIELDS,
    LOADER_STAGES,
    attempted,
    batch_entry_of,
    encoded,
    loaded,
    new_token,
    normalized,
    outcome_of,
    pre_tokenized,
    sequence_of,
)
from tokenizer_adapters.transformers_chat import rendered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import Change, PlainObservation, Setting, Shows

INSTALL = "pip install 'transformers>=5,<6'"

CONFIGURATIONS = ("config.json", "tokenizer_config.json")
"""The files by which ``AutoTokenizer`` chooses a class; a folder with neither is read as a lone ``tokenizer.json``."""

NO_BATCH = "transformers is asked about one input at a time where its class is plain Python"
NO_STREAM = "transformers has streamers, which follow rules of their own, and nothing that decodes id by id"

STRATEGIES = {"LongestFirst": "longest_first", "OnlyFirst": "only_first", "OnlySecond": "only_second"}
"""The strategies of truncation in a tokenizer.json, and what they are called in a call."""

LOCAL: dict[str, bool] = {"local_files_only": True, "trust_remote_code": False}
"""How a folder is read: nothing is fetched, and no code in it is run."""


SETTINGS = (
    "model_max_length",
    "truncation_side",
    "padding_side",
    "pad_token_type_id",
    "model_input_names",
    "clean_up_tokenization_spaces",
    "add_prefix_space",
    "add_bos_token",
    "add_eos_token",
    "legacy",
    "split_special_tokens",
    "do_lower_case",
    "errors",
)
"""Attributes that decide about calls and have no place in a tokenizer.json, or another one."""

NO_LIMIT = 10**29
"""A ``model_max_length`` from here on stands for none; the library writes 10**30 as a floating-point number."""

PLAIN_FIELDS = frozenset({Field.IDS, Field.TOKENS, Field.ATTENTION_MASK, Field.SPECIAL_TOKENS_MASK})
PLAIN_SHOWS: Shows = {
    Stage.MODEL: PLAIN_FIELDS,
    Stage.POST_PROCESS: PLAIN_FIELDS,
    Stage.DECODE: frozenset({Field.TEXT}),
    Stage.CHAT: frozenset({Field.TEXT, Field.IDS}),
}
"""What a class in plain Python shows in every answer: types come with special tokens only."""


class TransformersImplementation:
    """``transformers``, through ``AutoTokenizer``; its library is imported by the first load, not before.

    Building raises :class:`UnavailableError` where the package is not installed. Another way to the library has a
    ``name`` of its own and another :meth:`read`.
    """

    name: ClassVar[str] = "transformers"

    def __init__(self) -> None:
        if importlib.util.find_spec("transformers") is None:
            raise UnavailableError(f"transformers is not installed; install it with: {INSTALL}")

    @cached_property
    def info(self) -> ImplementationInfo:
        """Return the description: every stage and field is shown, offsets count code points."""
        return ImplementationInfo(
            name=self.name,
            version=importlib.metadata.version("transformers"),
            language="Python",
            home_page="https://github.com/huggingface/transformers",
            stages=LOADER_STAGES,
            fields=ALL_FIELDS,
            offset_unit=OffsetUnit.CODE_POINTS,
            install=INSTALL,
        )

    def load(self, source: TokenizerSource) -> TransformersSubject:
        """Load ``source`` in the way of :meth:`read`.

        Nothing is fetched and no code of the checkpoint is run. Raises :class:`CannotLoadError`.
        """
        tokenizer, files = loaded(lambda: self._read(source), self.name, source)
        return self.subject_class()(tokenizer, files, lambda: self._read(source)[0], source.file)

    def subject_class(self) -> type[TransformersSubject]:
        """Return the class of what is loaded."""
        return TransformersSubject

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
    """Return whether the checkpoint has a file that names its class or its model type."""
    return source.folder is not None and any((Path(source.folder) / name).is_file() for name in CONFIGURATIONS)


class TransformersSubject:
    """A tokenizer that ``transformers`` has loaded.

    ``files`` are the paths of the files that it was given; ``load_again`` loads it again. ``file`` is the path of the
    tokenizer.json, which says how to truncate and pad.
    """

    def __init__(
        self, tokenizer: Any, files: tuple[str, ...], load_again: Callable[[], Any], file: str | None = None
    ) -> None:
        self.files = files
        self._tokenizer = tokenizer
        self._load_again = load_again
        self._file = file
        self._sizes: dict[str, Any] | Unsupported | None = None
        self._untouched: Any = None
        self._is_unigram = _is_unigram(file) if _backend(tokenizer) is None else False
        self.shows: Shows | None = PLAIN_SHOWS if _backend(tokenizer) is None else None

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

    def defaults(self) -> LoaderDefaults | WithoutValue:
        """Return what the tokenizer, loaded again, keeps beside its pipeline."""
        with _silence():
            return attempted(lambda: _defaults(self._load_again()))

    def called(self, text: str, pair: str | None = None) -> Called | WithoutValue:
        """Return what a call without options gives.

        It is the first one that a tokenizer gets after it was loaded: earlier calls may have left their truncation.
        """
        with _silence():
            return attempted(lambda: self._called(text, pair))

    def _called(self, text: str, pair: str | None) -> Called:
        if self._untouched is None:
            self._untouched = self._load_again()
        batch = self._untouched(text) if pair is None else self._untouched(text, pair)
        return Called({str(name): tuple(values) for name, values in batch.items()})

    def own_calls(self) -> OwnCalls | None:
        """Return calls that make ids and, in a batch, nothing beside them; they truncate as the file says."""
        if self._sizes is None:
            self._sizes = {} if _backend(self._tokenizer) is None else _sizes(self._file, self._tokenizer)
        if isinstance(self._sizes, Unsupported):
            return None
        options = {
            "add_special_tokens": False,
            "return_token_type_ids": False,
            "return_attention_mask": False,
            "verbose": False,
            **self._sizes,
        }
        call = OwnCall("__call__", lambda texts: self._tokenizer(texts, **options)["input_ids"])
        return OwnCalls(call, call)

    def _answer(self, observation: Observation) -> Outcome:
        if not isinstance(observation, After):
            return self._answer_with(self._tokenizer, observation)
        tokenizer = self._load_again()
        for change in observation.changes:
            _change(tokenizer, change)
        return self._answer_with(tokenizer, observation.observation)

    def _answer_with(self, tokenizer: Any, observation: PlainObservation) -> Outcome:
        match observation:
            case Chat():
                return rendered(tokenizer, observation)
            case Encode() if _backend(tokenizer) is None:
                return _encode_plain(tokenizer, observation, as_cut=self._is_unigram)
            case EncodeBatch() if _backend(tokenizer) is None:
                return Unsupported(NO_BATCH)
            case Encode():
                batch = self._encode_batch(tokenizer, EncodeBatch((observation,)))
                return batch.encodings[0] if isinstance(batch, EncodedBatch) else batch
            case EncodeBatch():
                return self._encode_batch(tokenizer, observation)
        return _answer_with(tokenizer, observation)

    def _encode_batch(self, tokenizer: Any, observation: EncodeBatch) -> EncodedBatch | Unsupported:
        if self._sizes is None:
            self._sizes = _sizes(self._file, tokenizer)
        if isinstance(self._sizes, Unsupported):
            return self._sizes
        return _encode_batch(tokenizer, observation, self._sizes)


def _backend(tokenizer: Any) -> Any:
    """Return the pipeline of ``tokenizer``; a few classes are plain Python (ByT5, …) and have none, and no offsets."""
    return tokenizer.backend_tokenizer if tokenizer.is_fast else None


def _defaults(tokenizer: Any) -> LoaderDefaults:
    return LoaderDefaults(
        type(tokenizer).__name__,
        tuple(_special_tokens(tokenizer)),
        {name: _setting(getattr(tokenizer, name)) for name in SETTINGS if hasattr(tokenizer, name)},
    )


def _special_tokens(tokenizer: Any) -> Iterator[SpecialToken]:
    """Yield the tokens with a role; of a role that several have, each."""
    vocabulary: dict[str, int] = tokenizer.get_vocab()
    for role, held in tokenizer.special_tokens_map.items():
        for content in [held] if isinstance(held, str) else held:
            yield SpecialToken(str(role), str(content), vocabulary.get(str(content)))


def _setting(value: Any) -> Setting:
    match value:
        case None | bool() | str():
            return value
        case int():
            return value if value < NO_LIMIT else None
        case list() | tuple():
            return tuple(map(str, value))
        case _:
            return str(value)


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
        case Decode(ids, skip_special_tokens) if backend is None:
            # Of what it puts around special tokens by default, a tokenizer.json knows nothing.
            options = {"skip_special_tokens": skip_special_tokens, "spaces_between_special_tokens": False}
            return Text(tokenizer.decode(list(ids), **options))
        case Decode(ids, skip_special_tokens):
            return Text(tokenizer.decode(list(ids), skip_special_tokens=skip_special_tokens))
        case Normalize() | PreTokenize() if backend is None:
            return Unsupported(f"{type(tokenizer).__name__} is plain Python: it has no pipeline to look into")
        case Normalize(text):
            return normalized(backend.normalizer, text)
        case PreTokenize(text):
            return pre_tokenized(backend.pre_tokenizer, text)
    return Unsupported(NO_STREAM)


def _encode_batch(tokenizer: Any, observation: EncodeBatch, sizes: dict[str, Any]) -> EncodedBatch | Unsupported:
    texts, pairs = _texts_and_pairs(observation.inputs)
    try:
        batch = tokenizer(
            texts,
            text_pair=pairs,
            is_split_into_words=observation.is_pretokenized,
            add_special_tokens=observation.add_special_tokens,
            return_token_type_ids=True,
            return_attention_mask=True,
            return_special_tokens_mask=True,
            return_offsets_mapping=True,
            verbose=False,
            **sizes,
        )
    except AssertionError as error:
        # Version 4 says of its byte-level classes that they take words only with a space before each text.
        if observation.is_pretokenized and "add_prefix_space=True" in str(error):
            return Unsupported(f"{type(tokenizer).__name__} takes words where it is made with add_prefix_space=True")
        raise
    return EncodedBatch(tuple(_encoded(batch, place) for place in range(len(observation.inputs))))


def _texts_and_pairs(inputs: tuple[Encode, ...]) -> tuple[list[Any], list[Any] | None]:
    """Return the texts of ``inputs``, and their second texts where every input has one.

    Where some have one, each of these is an entry of the first list with both.
    """
    if inputs and all(each.pair is not None for each in inputs):
        return [sequence_of(each.text) for each in inputs], [sequence_of(each.pair) for each in inputs]
    return list(map(batch_entry_of, inputs)), None


def _encoded(batch: Any, place: int) -> Encoded:
    """Return the encoding at ``place`` in ``batch``."""
    return Encoded(
        ids=tuple(batch["input_ids"][place]),
        tokens=tuple(batch.tokens(place)),
        offsets=tuple(batch["offset_mapping"][place]),
        word_ids=tuple(batch.word_ids(place)),
        type_ids=tuple(batch["token_type_ids"][place]),
        attention_mask=tuple(batch["attention_mask"][place]),
        special_tokens_mask=tuple(batch["special_tokens_mask"][place]),
        sequence_ids=tuple(batch.sequence_ids(place)),
        overflowing=tuple(encoded(part) for part in batch.encodings[place].overflowing),
    )


def _encode_plain(tokenizer: Any, observation: Encode, *, as_cut: bool) -> Encoded:
    batch = tokenizer(
        sequence_of(observation.text),
        text_pair=sequence_of(observation.pair),
        is_split_into_words=observation.is_pretokenized,
        add_special_tokens=observation.add_special_tokens,
        # Without special tokens it refuses to give types (observed, transformers 4.57).
        return_token_type_ids=observation.add_special_tokens,
        return_attention_mask=True,
        return_special_tokens_mask=True,
        verbose=False,
    )
    ids = tuple(batch["input_ids"])
    return Encoded(
        ids=ids,
        tokens=(
            _tokens_as_cut(tokenizer, observation, ids, batch["special_tokens_mask"])
            if as_cut
            else tuple(tokenizer.convert_ids_to_tokens(list(ids)))
        ),
        type_ids=tuple(batch["token_type_ids"]) if "token_type_ids" in batch else None,
        attention_mask=tuple(batch["attention_mask"]),
        special_tokens_mask=tuple(batch["special_tokens_mask"]),
    )


def _is_unigram(file: str | None) -> bool:
    """Return whether the tokenizer.json ``file`` has a Unigram model: unknown tokens are then the text itself."""
    if file is None or not Path(file).is_file():
        return False
    return isinstance(json.loads(Path(file).read_text(encoding="utf-8")).get("model", {}).get("vocab"), list)


def _tokens_as_cut(tokenizer: Any, observation: Encode, ids: tuple[int, ...], mask: list[int]) -> tuple[str, ...]:
    """Return the tokens of ``ids``: as the text has them, where its own tokens are those that ``mask`` leaves.

    An unknown token is what stands in the text for the method that cuts it, and the token of its id for the other one.
    """
    tokens: list[str] = tokenizer.convert_ids_to_tokens(list(ids))
    places = [place for place, is_added in enumerate(mask) if not is_added]
    own = [token for text in (observation.text, observation.pair) for token in _cut(tokenizer, text)]
    if tokenizer.convert_tokens_to_ids(own) == [ids[place] for place in places]:
        for place, token in zip(places, own, strict=True):
            tokens[place] = token
    return tuple(tokens)


def _cut(tokenizer: Any, text: str | tuple[str, ...] | None) -> list[str]:
    """Return the tokens that ``text`` is cut into; words are cut one by one, as in the call that encodes them."""
    if text is None:
        return []
    if isinstance(text, str):
        return list(tokenizer.tokenize(text))
    return [token for word in text for token in tokenizer.tokenize(word, is_split_into_words=True)]


# Truncation and padding ----------------------------------------------------------------------------------------------


def _sizes(file: str | None, tokenizer: Any) -> dict[str, Any] | Unsupported:
    """Return the arguments of a call that truncate and pad as the tokenizer.json ``file`` says.

    :class:`Unsupported` where a call of ``tokenizer`` has no way to say so.
    """
    document = {} if file is None else _with_sizes(file)
    truncation, padding = document.get("truncation"), document.get("padding")
    sizes: dict[str, Any] = {"truncation": False, "padding": False}
    if truncation is not None:
        sizes |= {
            "truncation": STRATEGIES[truncation["strategy"]],
            "max_length": truncation["max_length"],
            "stride": truncation["stride"],
        }
        tokenizer.truncation_side = truncation.get("direction", "Right").lower()
    if padding is None:
        return sizes
    if truncation is not None and (lack := _lack_of_both(truncation, padding)) is not None:
        return Unsupported(f"transformers {lack}")
    if isinstance(padding["strategy"], dict):
        sizes |= {"padding": "max_length", "max_length": padding["strategy"]["Fixed"]}
    else:
        sizes |= {"padding": "longest"}
    return sizes | {
        "pad_to_multiple_of": padding["pad_to_multiple_of"],
        "padding_side": padding["direction"].lower(),
    }


def _with_sizes(file: str) -> dict[str, Any]:
    """Return the tokenizer.json ``file``, parsed; where it truncates or pads, in the form in which it is written.

    A file may leave out what has a default, and have objects as arrays: what ``tokenizers`` reads, it writes in full.
    """
    document = json.loads(Path(file).read_text(encoding="utf-8"))
    if isinstance(document, dict) and document.get("truncation") is None and document.get("padding") is None:
        return document
    written: dict[str, Any] = json.loads(importlib.import_module("tokenizers").Tokenizer.from_file(file).to_str())
    return written


def _lack_of_both(truncation: dict[str, Any], padding: dict[str, Any]) -> str | None:
    """Say what keeps a call from truncating and padding at once, ``None`` where nothing does."""
    longest, multiple = truncation["max_length"], padding["pad_to_multiple_of"]
    if isinstance(padding["strategy"], dict) and padding["strategy"]["Fixed"] != longest:
        return "truncates and pads to one max_length; this file has two"
    if multiple and longest % multiple:
        return "truncates to a multiple of what it pads to; this file does not"
    return None


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
