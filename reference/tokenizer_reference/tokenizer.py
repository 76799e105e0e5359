"""The pipeline: added tokens, normalizer, pre-tokenizer, model, truncation, post-processor, padding; and back.

The class mirrors ``tokenizers.Tokenizer``: names, arguments and defaults are the same, so that code and tests written for
the one work on the other. Rules observed, tokenizers 0.23.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

from tokenizer_reference import padding as padding_rules
from tokenizer_reference import truncation as truncation_rules
from tokenizer_reference.added_tokens import AddedToken, AddedVocabulary
from tokenizer_reference.decoders.base import Decoder
from tokenizer_reference.encoding import Encoding
from tokenizer_reference.errors import TokenizerFileError
from tokenizer_reference.formats.json_writer import write_json
from tokenizer_reference.formats.tokenizer_json import TokenizerParts, read_tokenizer_json, tokenizer_document
from tokenizer_reference.models.base import Model
from tokenizer_reference.normalizers.base import Normalizer
from tokenizer_reference.padding import PaddingParams
from tokenizer_reference.pre_tokenizers.base import PreTokenizer
from tokenizer_reference.processors.base import PostProcessor, merge_unprocessed
from tokenizer_reference.truncation import TruncationParams

TextInput = str
PreTokenizedInput = Sequence[str]
InputSequence = TextInput | PreTokenizedInput

C = TypeVar("C")


class Tokenizer:
    """A tokenizer of any tokenizer.json.

    >>> from tokenizer_reference import Tokenizer, models, pre_tokenizers
    >>> tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0, "hello": 1}, unk_token="[UNK]"))
    >>> tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    >>> encoding = tokenizer.encode("hello world")
    >>> encoding.ids, encoding.offsets
    ([1, 0], [(0, 5), (6, 11)])
    """

    def __init__(self, model: Model) -> None:
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

        Raises :class:`~tokenizer_reference.errors.TokenizerFileError`, naming the JSON path and what was expected there.
        """
        parts = read_tokenizer_json(json)
        tokenizer = Tokenizer(parts.model)
        tokenizer._normalizer = parts.normalizer
        tokenizer.pre_tokenizer = parts.pre_tokenizer
        tokenizer.post_processor = parts.post_processor
        tokenizer.decoder = parts.decoder
        tokenizer._truncation = parts.truncation
        tokenizer._padding = parts.padding
        tokenizer._added.add(parts.added_tokens, parts.model, parts.normalizer)
        return tokenizer

    @staticmethod
    def from_buffer(buffer: bytes) -> Tokenizer:
        """Return the tokenizer of a tokenizer.json given as UTF-8 bytes. Raises as :meth:`from_str`."""
        try:
            text = buffer.decode("utf-8")
        except UnicodeDecodeError as error:
            raise TokenizerFileError("$", f"not UTF-8: {error.reason} at byte {error.start}") from None
        return Tokenizer.from_str(text)

    @staticmethod
    def from_file(path: str) -> Tokenizer:
        """Return the tokenizer of a tokenizer.json file.

        Raises :class:`OSError` where the file cannot be read, and as :meth:`from_str`.
        """
        return Tokenizer.from_buffer(Path(path).read_bytes())

    def to_str(self, pretty: bool = False) -> str:
        """Return the tokenizer as tokenizer.json, byte for byte as the target writes it."""
        parts = TokenizerParts(
            model=self.model,
            truncation=self._truncation,
            padding=self._padding,
            normalizer=self.normalizer,
            pre_tokenizer=self.pre_tokenizer,
            post_processor=self.post_processor,
            decoder=self.decoder,
        )
        return write_json(tokenizer_document(parts, self._added.decoder()), pretty=pretty)

    def save(self, path: str, pretty: bool = True) -> None:
        """Write :meth:`to_str` to the file ``path`` as UTF-8."""
        Path(path).write_text(self.to_str(pretty), encoding="utf-8", newline="\n")

    # Vocabulary ------------------------------------------------------------------------------------------------------

    def get_vocab(self, with_added_tokens: bool = True) -> dict[str, int]:
        """Return every token with its id; an added token's id wins over the model's."""
        vocabulary = dict(self.model._vocabulary())
        if with_added_tokens:
            vocabulary.update(self._added.vocabulary())
        return vocabulary

    def get_vocab_size(self, with_added_tokens: bool = True) -> int:
        """Return the size of the model's vocabulary, and of the added tokens that the model does not have."""
        size = self.model._vocabulary_size()
        if with_added_tokens:
            size += sum(self.model.token_to_id(token) is None for token in self._added.vocabulary())
        return size

    def get_added_tokens_decoder(self) -> dict[int, AddedToken]:
        """Return the added tokens by id."""
        return self._added.decoder()

    def token_to_id(self, token: str) -> int | None:
        """Return the id of ``token``, or ``None``."""
        return self._added.token_to_id(token, self.model)

    def id_to_token(self, id: int) -> str | None:
        """Return the token with ``id``, or ``None``. For an added token: its normalized form, if it has one (observed)."""
        added = self._added.id_to_token(_checked_id(id))
        return self.model.id_to_token(id) if added is None else added

    def add_tokens(self, tokens: list[str | AddedToken]) -> int:
        """Add tokens and return how many were new or changed. A ``str`` is an :class:`AddedToken` with the defaults."""
        return self._add(tokens, special=False)

    def add_special_tokens(self, tokens: list[str | AddedToken]) -> int:
        """Add special tokens and return how many were new or changed."""
        return self._add(tokens, special=True)

    def _add(self, tokens: list[str | AddedToken], *, special: bool) -> int:
        added: list[AddedToken] = []
        for token in tokens:
            match token:
                case str():
                    added.append(AddedToken(token, special=special))
                case AddedToken():
                    added.append(token._copy(special=True) if special else token)
                case _:
                    raise TypeError("Input must be a List[Union[str, AddedToken]]")
        return self._added.add(added, self.model, self.normalizer)

    @property
    def encode_special_tokens(self) -> bool:
        """Whether special tokens in the text are encoded as ordinary text."""
        return self._added.encode_special_tokens

    @encode_special_tokens.setter
    def encode_special_tokens(self, value: bool) -> None:
        self._added.encode_special_tokens = value

    # Encoding --------------------------------------------------------------------------------------------------------

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
        encoding = self._encode_sequence(_checked_input(sequence, is_pretokenized), 0)
        other = None if pair is None else self._encode_sequence(_checked_input(pair, is_pretokenized), 1)
        return self.post_process(encoding, other, add_special_tokens)

    def encode_batch(
        self, input: Sequence[Any], is_pretokenized: bool = False, add_special_tokens: bool = True
    ) -> list[Encoding]:
        """Return the encodings of several inputs, each a text or a pair (a tuple or list of two), padded alike."""
        encodings = []
        for item in _checked_batch(input):
            sequence, pair = _split_pair(item, is_pretokenized)
            encodings.append(self.encode(sequence, pair, is_pretokenized, add_special_tokens))
        if self._padding is not None:
            padding_rules.pad_encodings(encodings, self._padding)
        return encodings

    def _encode_sequence(self, sequence: InputSequence, type_id: int) -> Encoding:
        if isinstance(sequence, str):
            return self._encode_text(sequence, type_id, None)
        words = [self._encode_text(word, type_id, index) for index, word in enumerate(sequence)]
        return Encoding.merge(words, growing_offsets=False)

    def _encode_text(self, text: str, type_id: int, word: int | None) -> Encoding:
        """Return the encoding of one text; all its tokens belong to ``word``, or each to the split that it comes from."""
        pretok = self._added.extract_and_normalize(text, self.normalizer)
        if self.pre_tokenizer is not None:
            self.pre_tokenizer.pre_tokenize(pretok)
        tokenization = self.model._tokenization
        for split in pretok.splits:
            if split.tokens is None:
                split.tokens = tokenization(split.normalized.normalized)
        return pretok._encoding(type_id, word, "char")

    def post_process(
        self, encoding: Encoding, pair: Encoding | None = None, add_special_tokens: bool = True
    ) -> Encoding:
        """Truncate, apply the post-processor (without one, merge), and pad."""
        if self._truncation is not None:
            added = self.num_special_tokens_to_add(pair is not None) if add_special_tokens else 0
            params = self._truncation.room_for(added)
            encoding, pair = truncation_rules.truncate_encodings(encoding, pair, params)
        if self.post_processor is not None:
            encoding = self.post_processor.process(encoding, pair, add_special_tokens)
        else:
            encoding = merge_unprocessed(encoding, pair)
        if self._padding is not None:
            padding_rules.pad_encodings([encoding], self._padding)
        return encoding

    def num_special_tokens_to_add(self, is_pair: bool) -> int:
        """Return how many tokens the post-processor adds to a single input, or to a pair."""
        return 0 if self.post_processor is None else self.post_processor.num_special_tokens_to_add(is_pair)

    # Truncation and padding ------------------------------------------------------------------------------------------

    @property
    def truncation(self) -> dict[str, Any] | None:
        """The truncation as :meth:`enable_truncation` takes it, or ``None``."""
        return None if self._truncation is None else self._truncation.as_arguments()

    def enable_truncation(
        self, max_length: int, stride: int = 0, strategy: str = "longest_first", direction: str = "right"
    ) -> None:
        """Truncate encodings to ``max_length`` tokens, special tokens included.

        Raises :class:`ValueError` for an unknown strategy or direction, and for a stride that leaves no step forward.
        """
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
        direction: str = "right",
        pad_id: int = 0,
        pad_type_id: int = 0,
        pad_token: str = "[PAD]",  # noqa: S107 - not a password
        length: int | None = None,
        pad_to_multiple_of: int | None = None,
    ) -> None:
        """Pad encodings to ``length`` tokens, or to the longest of the batch.

        Raises :class:`ValueError` for an unknown direction.
        """
        self._padding = PaddingParams.of_arguments(
            direction, pad_id, pad_type_id, pad_token, length, pad_to_multiple_of
        )

    def no_padding(self) -> None:
        """Stop padding."""
        self._padding = None

    # Decoding --------------------------------------------------------------------------------------------------------

    def decode(self, ids: Sequence[int], skip_special_tokens: bool = True) -> str:
        """Return the text of ``ids``. Unknown ids are passed over; without a decoder tokens are joined by spaces."""
        tokens = [token for id in ids if (token := self.id_to_token(id)) is not None]
        if skip_special_tokens:
            tokens = [token for token in tokens if not self._added.is_special(token)]
        return " ".join(tokens) if self.decoder is None else self.decoder.decode(tokens)

    def decode_batch(self, sequences: Sequence[Sequence[int]], skip_special_tokens: bool = True) -> list[str]:
        """Return the texts of several lists of ids."""
        return [self.decode(ids, skip_special_tokens) for ids in sequences]


# Checking input ------------------------------------------------------------------------------------------------------


def _of_kind(component: C, is_of_kind: bool, kind: str) -> C:
    if not is_of_kind:
        shown = repr(component) if component is None else type(component).__name__
        raise TypeError(f"'{shown}' object is not an instance of '{kind}'")
    return component


def _checked_id(id: int) -> int:
    if not 0 <= id < 2**32:
        raise OverflowError(f"a token id is a whole number from 0 to {2**32 - 1}, not {id}")
    return id


def _is_text(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _checked_input(sequence: Any, is_pretokenized: bool) -> InputSequence:
    if not is_pretokenized:
        if not _is_text(sequence):
            raise TypeError("TextInputSequence must be str")
        return cast("str", sequence)
    if not isinstance(sequence, list | tuple) or not all(map(_is_text, sequence)):
        raise TypeError("PreTokenizedInputSequence must be Union[List[str], Tuple[str]]")
    return sequence


def _checked_batch(batch: Any) -> Iterable[Any]:
    if isinstance(batch, str) or not isinstance(batch, Iterable):
        raise TypeError(f"Can't extract `{type(batch).__name__}` to `Vec`")
    return batch


def _split_pair(item: Any, is_pretokenized: bool) -> tuple[Any, Any]:
    """Return the sequence and its pair, ``None`` for a single one."""
    if is_pretokenized:
        if isinstance(item, list | tuple) and all(map(_is_text, item)):
            return item, None
        if isinstance(item, list | tuple) and len(item) == 2:
            return item[0], item[1]
        raise TypeError("PreTokenizedEncodeInput must be Union[PreTokenizedInputSequence, Tuple[...]]")
    if _is_text(item):
        return item, None
    if isinstance(item, list | tuple) and len(item) == 2:
        return item[0], item[1]
    raise TypeError("TextEncodeInput must be Union[TextInputSequence, Tuple[InputSequence, InputSequence]]")
