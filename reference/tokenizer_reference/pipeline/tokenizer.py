"""The pipeline: added tokens, normalizer, pre-tokenizer, model, truncation, post-processor, padding; and back.

The class mirrors ``tokenizers.Tokenizer``: names, arguments and defaults are the same, so that code and tests written
for the one work on the other. Rules observed, tokenizers 0.23.3.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tokenizer_reference import arguments
from tokenizer_reference.added_vocabulary import AddedVocabulary
from tokenizer_reference.arguments import (
    boolean,
    ignore_unknown,
    instance,
    items,
    optional,
    string,
    unsigned_32,
    unsigned_64,
)
from tokenizer_reference.decoders.base import Decoder
from tokenizer_reference.errors import TokenizerFileError
from tokenizer_reference.json_text.writer import write_json
from tokenizer_reference.models.base import Model
from tokenizer_reference.models.bpe import BPE
from tokenizer_reference.normalizers.base import Normalizer
from tokenizer_reference.pipeline.asynchronous import AsynchronousMethods
from tokenizer_reference.pipeline.fast_encoder import FastEncoder
from tokenizer_reference.pipeline.hub import find_tokenizer_json
from tokenizer_reference.pipeline.input_sequences import checked_batch, checked_sequence
from tokenizer_reference.pipeline.padding import PaddingParams, pad_encodings
from tokenizer_reference.pipeline.tokenizer_json import TokenizerParts, read_tokenizer_json, tokenizer_document
from tokenizer_reference.pipeline.truncation import TruncationParams, truncate_encodings
from tokenizer_reference.pre_tokenizers.base import PreTokenizer
from tokenizer_reference.processors.base import PostProcessor, merge_unprocessed
from tokenizer_reference.representation import REPR, STR, Limits, component_shape, tokenizer_shape, write
from tokenizer_reference.trainers.training import TrainingMethods
from tokenizer_reference.trainers.word_counting import WordCutter
from tokenizer_reference.values.added_token import AddedToken, token_to_add
from tokenizer_reference.values.encoding import Encoding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_reference.pipeline.input_sequences import CheckedInput, CheckedSequence, EncodeInput, InputSequence
    from tokenizer_reference.values.pre_tokenized_string import Detail

C = TypeVar("C")


class Tokenizer(AsynchronousMethods, TrainingMethods):
    """A tokenizer of any tokenizer.json.

    >>> from tokenizer_reference import Tokenizer, models, pre_tokenizers
    >>> tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0, "hello": 1}, unk_token="[UNK]"))
    >>> tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    >>> encoding = tokenizer.encode("hello world")
    >>> encoding.ids, encoding.offsets
    ([1, 0], [(0, 5), (6, 11)])
    """

    def __init__(self, model: Model) -> None:
        self.fast = True
        self._encoder: FastEncoder | None = None
        self.model = model
        self._normalizer: Normalizer | None = None
        self.pre_tokenizer = None
        self.post_processor = None
        self.decoder = None
        self._added = AddedVocabulary()
        self._truncation: TruncationParams | None = None
        self._padding: PaddingParams | None = None

    # Parts -----------------------------------------------------------------------------------------------------------

    @property
    def model(self) -> Model:
        """The model."""
        return self._model

    @model.setter
    def model(self, model: Model) -> None:
        self._model = _of_kind(model, isinstance(model, Model), "Model")

    @property
    def normalizer(self) -> Normalizer | None:
        """The normalizer. Setting it normalizes the contents of added tokens again."""
        return self._normalizer

    @normalizer.setter
    def normalizer(self, normalizer: Normalizer | None) -> None:
        self._normalizer = (
            None if normalizer is None else _of_kind(normalizer, isinstance(normalizer, Normalizer), "Normalizer")
        )
        self._added.refresh(self._normalizer)

    @property
    def pre_tokenizer(self) -> PreTokenizer | None:
        """The pre-tokenizer."""
        return self._pre_tokenizer

    @pre_tokenizer.setter
    def pre_tokenizer(self, pre_tokenizer: PreTokenizer | None) -> None:
        self._pre_tokenizer = (
            None
            if pre_tokenizer is None
            else _of_kind(pre_tokenizer, isinstance(pre_tokenizer, PreTokenizer), "PreTokenizer")
        )

    @property
    def post_processor(self) -> PostProcessor | None:
        """The post-processor."""
        return self._post_processor

    @post_processor.setter
    def post_processor(self, processor: PostProcessor | None) -> None:
        self._post_processor = (
            None if processor is None else _of_kind(processor, isinstance(processor, PostProcessor), "PostProcessor")
        )

    @property
    def decoder(self) -> Decoder | None:
        """The decoder."""
        return self._decoder

    @decoder.setter
    def decoder(self, decoder: Decoder | None) -> None:
        self._decoder = None if decoder is None else _of_kind(decoder, isinstance(decoder, Decoder), "Decoder")

    # Files -----------------------------------------------------------------------------------------------------------

    @staticmethod
    def from_str(json: str) -> Tokenizer:
        """Return the tokenizer of a tokenizer.json given as text.

        Raises :class:`~tokenizer_reference.errors.TokenizerFileError`, naming the JSON path and what was expected
        there.
        """
        parts = read_tokenizer_json(string("json", json))
        tokenizer = Tokenizer(parts.model)
        tokenizer._normalizer = parts.normalizer
        tokenizer._pre_tokenizer = parts.pre_tokenizer
        tokenizer._post_processor = parts.post_processor
        tokenizer._decoder = parts.decoder
        tokenizer._truncation = parts.truncation
        tokenizer._padding = parts.padding
        tokenizer._added.add(parts.added_tokens, parts.model, parts.normalizer)
        return tokenizer

    @staticmethod
    def from_buffer(buffer: bytes) -> Tokenizer:
        """Return the tokenizer of a tokenizer.json given as UTF-8 bytes. Raises as :meth:`from_str`."""
        try:
            text = instance("buffer", buffer, bytes).decode("utf-8")
        except UnicodeDecodeError as error:
            raise TokenizerFileError("$", f"not UTF-8: {error.reason} at byte {error.start}") from None
        return Tokenizer.from_str(text)

    @staticmethod
    def from_file(path: str) -> Tokenizer:
        """Return the tokenizer of a tokenizer.json file.

        Raises :class:`OSError` where the file cannot be read, and as :meth:`from_str`, with a note that names the file.
        """
        content = Path(string("path", path)).read_bytes()
        try:
            return Tokenizer.from_buffer(content)
        except TokenizerFileError as error:
            error.add_note(f"The file is {path!r}.")
            raise

    @staticmethod
    def from_pretrained(identifier: str, revision: str = "main", token: str | None = None) -> Tokenizer:
        """Return the tokenizer of a folder, or of a repository on the Hugging Face hub, which is a name like ``gpt2``.

        ``revision`` is a branch, tag or commit of the repository, ``token`` gives access to a private one. The
        package ``huggingface_hub`` downloads and caches; with ``HF_HUB_OFFLINE=1`` it uses what it has. The target
        takes no folders. Raises what ``huggingface_hub`` raises, and as :meth:`from_file`.
        """
        file = find_tokenizer_json(
            string("identifier", identifier), string("revision", revision), optional(string)("token", token)
        )
        return Tokenizer.from_file(str(file))

    def _document(self) -> dict[str, Any]:
        parts = TokenizerParts(
            model=self.model,
            truncation=self._truncation,
            padding=self._padding,
            normalizer=self.normalizer,
            pre_tokenizer=self.pre_tokenizer,
            post_processor=self.post_processor,
            decoder=self.decoder,
        )
        return tokenizer_document(parts, self._added.decoder())

    def to_str(self, pretty: bool = False) -> str:
        """Return the tokenizer as tokenizer.json, byte for byte as the target writes it."""
        return write_json(self._document(), pretty=boolean("pretty", pretty))

    def save(self, path: str, pretty: bool = True) -> None:
        """Write :meth:`to_str` to the file ``path`` as UTF-8."""
        Path(string("path", path)).write_text(self.to_str(pretty), encoding="utf-8", newline="\n")

    # State and showing -----------------------------------------------------------------------------------------------

    def __getnewargs__(self) -> tuple[Model]:
        """Return the arguments of a constructor that makes a tokenizer to be filled by :meth:`__setstate__`."""
        return (BPE(),)

    def __getstate__(self) -> bytes:
        """Return :meth:`to_str` in UTF-8: what no file holds (:attr:`encode_special_tokens`) is lost."""
        return self.to_str().encode()

    def __setstate__(self, state: bytes) -> None:
        """Become the tokenizer that ``state`` describes. Raises as :meth:`from_buffer`."""
        self.__dict__.update(Tokenizer.from_buffer(instance("state", state, bytes)).__dict__)

    def _write(self, limits: Limits) -> str:
        parts = {
            "normalizer": self.normalizer,
            "pre_tokenizer": self.pre_tokenizer,
            "post_processor": self.post_processor,
            "decoder": self.decoder,
            "model": self.model,
        }
        shapes = {name: None if part is None else component_shape(part._shown()) for name, part in parts.items()}
        return write(tokenizer_shape(self._document(), shapes), limits)

    def __repr__(self) -> str:
        return self._write(REPR)

    def __str__(self) -> str:
        return self._write(STR)

    # Vocabulary ------------------------------------------------------------------------------------------------------

    def get_vocab(self, with_added_tokens: bool = True) -> dict[str, int]:
        """Return every token with its id; an added token's id wins over the model's."""
        vocabulary = dict(self.model._vocabulary())
        if boolean("with_added_tokens", with_added_tokens):
            vocabulary.update(self._added.vocabulary())
        return vocabulary

    def get_vocab_size(self, with_added_tokens: bool = True) -> int:
        """Return the size of the model's vocabulary, and of the added tokens that the model does not have."""
        size = self.model._vocabulary_size()
        if boolean("with_added_tokens", with_added_tokens):
            size += sum(self.model.token_to_id(token) is None for token in self._added.vocabulary())
        return size

    def get_added_tokens_decoder(self) -> dict[int, AddedToken]:
        """Return the added tokens by id."""
        return {id: token._copy() for id, token in self._added.decoder().items()}

    def token_to_id(self, token: str) -> int | None:
        """Return the id of ``token``, or ``None``."""
        return self._added.token_to_id(string("token", token), self.model)

    def id_to_token(self, id: int) -> str | None:
        """Return the token with ``id``, or ``None``.

        For an added token: its normalized form, if it has one (observed).
        """
        added = self._added.id_to_token(unsigned_32("id", id))
        return self.model.id_to_token(id) if added is None else added

    def add_tokens(self, tokens: list[str | AddedToken]) -> int:
        """Add tokens and return how many were new or changed. A ``str`` is an :class:`AddedToken` with the defaults."""
        return self._add(tokens, special=False)

    def add_special_tokens(self, tokens: list[str | AddedToken]) -> int:
        """Add special tokens and return how many were new or changed."""
        return self._add(tokens, special=True)

    def _add(self, tokens: list[str | AddedToken], *, special: bool) -> int:
        return self._added.add(
            [
                token_to_add(f"tokens[{at}]", token, special)
                for at, token in enumerate(instance("tokens", tokens, list))
            ],
            self.model,
            self.normalizer,
        )

    def _word_cutter(self) -> WordCutter:
        return WordCutter(self._added, self._normalizer, self._pre_tokenizer)

    @property
    def encode_special_tokens(self) -> bool:
        """Whether special tokens in the text are encoded as ordinary text."""
        return self._added.encode_special_tokens

    @encode_special_tokens.setter
    def encode_special_tokens(self, value: bool) -> None:
        self._added.encode_special_tokens = boolean("encode_special_tokens", value)

    # Encoding --------------------------------------------------------------------------------------------------------

    @property
    def fast(self) -> bool:
        """Whether ordinary text is encoded word by word from a cache. What comes out is the same.

        The target has no such option. ``False`` takes every text the plain way, which is the definition.
        """
        return self._fast

    @fast.setter
    def fast(self, fast: bool) -> None:
        self._fast = boolean("fast", fast)

    def encode(
        self,
        sequence: InputSequence,
        pair: InputSequence | None = None,
        is_pretokenized: bool = False,
        add_special_tokens: bool = True,
    ) -> Encoding:
        """Return the encoding of a text, or of a pair; with ``is_pretokenized`` each is a sequence of words.

        Raises :class:`TypeError` for input of another type, and for a text with a lone surrogate.
        """
        boolean("is_pretokenized", is_pretokenized)
        boolean("add_special_tokens", add_special_tokens)
        first = checked_sequence("sequence", sequence, is_pretokenized)
        second = None if pair is None else checked_sequence("pair", pair, is_pretokenized)
        return self._encode_input((first, second), add_special_tokens, "char")

    def encode_batch(
        self, input: Sequence[EncodeInput], is_pretokenized: bool = False, add_special_tokens: bool = True
    ) -> list[Encoding]:
        """Return the encodings of several inputs, each a text or a pair (a tuple or list of two), padded alike.

        Raises as :meth:`encode`.
        """
        boolean("is_pretokenized", is_pretokenized)
        boolean("add_special_tokens", add_special_tokens)
        return self._encode_inputs(checked_batch(input, is_pretokenized), add_special_tokens, "char")

    def encode_batch_fast(
        self, input: Sequence[EncodeInput], is_pretokenized: bool = False, add_special_tokens: bool = True
    ) -> list[Encoding]:
        """Do as :meth:`encode_batch`, but for ids only.

        Tokens are empty, offsets (0, 0), words ``None``, types 0 (observed). What a post-processor or padding adds is
        complete.
        """
        boolean("is_pretokenized", is_pretokenized)
        boolean("add_special_tokens", add_special_tokens)
        return self._encode_inputs(checked_batch(input, is_pretokenized), add_special_tokens, "none")

    def _encode_inputs(self, batch: list[CheckedInput], add_special_tokens: bool, detail: Detail) -> list[Encoding]:
        encodings = [self._encode_input(checked, add_special_tokens, detail) for checked in batch]
        if self._padding is not None:
            pad_encodings(encodings, self._padding)
        return encodings

    def _encode_input(self, checked: CheckedInput, add_special_tokens: bool, detail: Detail) -> Encoding:
        sequence, pair = checked
        encoding = self._encode_sequence(sequence, 0, detail)
        other = None if pair is None else self._encode_sequence(pair, 1, detail)
        return self._post_process(encoding, other, add_special_tokens)

    def _encode_sequence(self, sequence: CheckedSequence, type_id: int, detail: Detail) -> Encoding:
        if isinstance(sequence, str):
            return self._encode_text(sequence, type_id, None, detail)
        words = [self._encode_text(word, type_id, index, detail) for index, word in enumerate(sequence)]
        return Encoding.merge(words, growing_offsets=False)

    def _encode_text(self, text: str, type_id: int, word: int | None, detail: Detail) -> Encoding:
        """Return the encoding of one text.

        All its tokens belong to ``word``, or each to the split that it comes from.
        """
        if self._fast and word is None and detail == "char":
            encoding = self._fast_encoder().encode(text, self._added, type_id)
            if encoding is not None:
                return encoding
        pretok = self._added.extract_and_normalize(text, self.normalizer)
        if self.pre_tokenizer is not None:
            self.pre_tokenizer.pre_tokenize(pretok)
        tokenization = self.model._tokenization
        for split in pretok.splits:
            if split.tokens is None:
                split.tokens = tokenization(split.normalized.normalized)
        return pretok._encoding(type_id, word, detail)

    def _fast_encoder(self) -> FastEncoder:
        """Return the fast way for the components as they are now."""
        encoder = self._encoder
        if encoder is None or not encoder.is_for(self._normalizer, self._pre_tokenizer, self._model):
            encoder = self._encoder = FastEncoder(self._normalizer, self._pre_tokenizer, self._model)
        return encoder

    def post_process(
        self, encoding: Encoding, pair: Encoding | None = None, add_special_tokens: bool = True
    ) -> Encoding:
        """Truncate, apply the post-processor (without one, merge), and pad. The arguments stay as they are."""
        instance("encoding", encoding, Encoding)
        if pair is not None:
            instance("pair", pair, Encoding)
        return self._post_process(encoding, pair, boolean("add_special_tokens", add_special_tokens))

    def _post_process(self, encoding: Encoding, pair: Encoding | None, add_special_tokens: bool) -> Encoding:
        if self._truncation is not None:
            added = self.num_special_tokens_to_add(pair is not None) if add_special_tokens else 0
            params = self._truncation.room_for(added)
            encoding, pair = truncate_encodings(encoding, pair, params)
        if self.post_processor is not None:
            encoding = self.post_processor.process(encoding, pair, add_special_tokens)
        else:
            encoding = merge_unprocessed(encoding, pair)
        if self._padding is not None:
            pad_encodings([encoding], self._padding)
        return encoding

    def num_special_tokens_to_add(self, is_pair: bool) -> int:
        """Return how many tokens the post-processor adds to a single input, or to a pair."""
        boolean("is_pair", is_pair)
        return 0 if self.post_processor is None else self.post_processor.num_special_tokens_to_add(is_pair)

    # Truncation and padding ------------------------------------------------------------------------------------------

    @property
    def truncation(self) -> dict[str, Any] | None:
        """The truncation as :meth:`enable_truncation` takes it, or ``None``."""
        return None if self._truncation is None else self._truncation.as_arguments()

    def enable_truncation(
        self,
        max_length: int,
        *,
        stride: int = 0,
        strategy: str = "longest_first",
        direction: str = "right",
        **unknown: object,
    ) -> None:
        """Truncate encodings to ``max_length`` tokens, special tokens included; parts cut off share ``stride`` tokens.

        Options that are not known are ignored with a printed note, as in the target. Raises :class:`ValueError` for an
        unknown strategy or direction, and for a stride that leaves no step forward.
        """
        ignore_unknown(unknown)
        params = TruncationParams.of_arguments(max_length, stride, strategy, direction)
        params.check_stride(self.num_special_tokens_to_add(is_pair=False))
        self._truncation = params

    def no_truncation(self) -> None:
        """Stop truncating."""
        self._truncation = None

    @property
    def padding(self) -> dict[str, Any] | None:
        """The padding as :meth:`enable_padding` takes it, or ``None``."""
        return None if self._padding is None else self._padding.as_arguments()

    def enable_padding(
        self,
        *,
        direction: str = "right",
        pad_id: int = 0,
        pad_type_id: int = 0,
        pad_token: str = "[PAD]",  # noqa: S107 - not a password
        length: int | None = None,
        pad_to_multiple_of: int | None = None,
        **unknown: object,
    ) -> None:
        """Pad encodings to ``length`` tokens, or to the longest of the batch.

        ``max_length`` is the older name of ``length``; other options are ignored with a printed note, as in the target.
        Raises :class:`ValueError` for an unknown direction.
        """
        if "max_length" in unknown:
            print("enable_padding(max_length=X) is deprecated, use enable_padding(length=X) instead")  # noqa: T201
            older = optional(unsigned_64)("max_length", unknown.pop("max_length"))
            length = older if length is None else length
        ignore_unknown(unknown)
        self._padding = PaddingParams.of_arguments(
            direction, pad_id, pad_type_id, pad_token, length, pad_to_multiple_of
        )

    def no_padding(self) -> None:
        """Stop padding."""
        self._padding = None

    # Decoding --------------------------------------------------------------------------------------------------------

    def decode(self, ids: Sequence[int], skip_special_tokens: bool = True) -> str:
        """Return the text of ``ids``. Unknown ids are passed over; without a decoder tokens are joined by spaces."""
        return self._decode(arguments.ids("ids", ids), boolean("skip_special_tokens", skip_special_tokens))

    def _decode(self, ids: Sequence[int], skip_special_tokens: bool) -> str:
        tokens = [token for id in ids if (token := self.id_to_token(id)) is not None]
        if skip_special_tokens:
            tokens = [token for token in tokens if not self._added.is_special(token)]
        return " ".join(tokens) if self.decoder is None else self.decoder.decode(tokens)

    def decode_batch(self, sequences: Sequence[Sequence[int]], skip_special_tokens: bool = True) -> list[str]:
        """Return the texts of several lists of ids. Raises as :meth:`decode`."""
        checked = [arguments.ids(f"sequences[{at}]", each) for at, each in enumerate(items("sequences", sequences))]
        boolean("skip_special_tokens", skip_special_tokens)
        return [self._decode(each, skip_special_tokens) for each in checked]


def _of_kind(component: C, is_of_kind: bool, kind: str) -> C:
    if not is_of_kind:
        shown = repr(component) if component is None else type(component).__name__
        raise TypeError(f"'{shown}' object is not an instance of '{kind}'")
    return component
