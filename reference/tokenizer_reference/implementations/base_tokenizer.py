"""What the ready-made tokenizers have in common: the methods of the tokenizer that each of them holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_reference import normalizers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_reference.decoders.base import Decoder
    from tokenizer_reference.models.base import Model
    from tokenizer_reference.normalizers.base import Normalizer
    from tokenizer_reference.pipeline.input_sequences import EncodeInput, InputSequence
    from tokenizer_reference.pipeline.tokenizer import Tokenizer
    from tokenizer_reference.pre_tokenizers.base import PreTokenizer
    from tokenizer_reference.processors.base import PostProcessor
    from tokenizer_reference.trainers.base import Trainer
    from tokenizer_reference.values.added_token import AddedToken
    from tokenizer_reference.values.encoding import Encoding


class BaseTokenizer:
    """Holds a :class:`~tokenizer_reference.tokenizer.Tokenizer`, and the parameters it was made with.

    Methods do as those of the tokenizer with the same names, unless they say otherwise.
    """

    def __init__(self, tokenizer: Tokenizer, parameters: dict[str, Any] | None = None) -> None:
        self._tokenizer = tokenizer
        self._parameters = {} if parameters is None else parameters

    def __repr__(self) -> str:
        parameters = ", ".join(f"{name}={value!s}" for name, value in self._parameters.items())
        return f"Tokenizer(vocabulary_size={self._tokenizer.get_vocab_size()}, {parameters})"

    # Parts -----------------------------------------------------------------------------------------------------------

    @property
    def model(self) -> Model:
        """The model."""
        return self._tokenizer.model

    @model.setter
    def model(self, model: Model) -> None:
        self._tokenizer.model = model

    @property
    def normalizer(self) -> Normalizer | None:
        """The normalizer."""
        return self._tokenizer.normalizer

    @normalizer.setter
    def normalizer(self, normalizer: Normalizer | None) -> None:
        self._tokenizer.normalizer = normalizer

    @property
    def pre_tokenizer(self) -> PreTokenizer | None:
        """The pre-tokenizer."""
        return self._tokenizer.pre_tokenizer

    @pre_tokenizer.setter
    def pre_tokenizer(self, pre_tokenizer: PreTokenizer | None) -> None:
        self._tokenizer.pre_tokenizer = pre_tokenizer

    @property
    def post_processor(self) -> PostProcessor | None:
        """The post-processor."""
        return self._tokenizer.post_processor

    @post_processor.setter
    def post_processor(self, post_processor: PostProcessor | None) -> None:
        self._tokenizer.post_processor = post_processor

    @property
    def decoder(self) -> Decoder | None:
        """The decoder."""
        return self._tokenizer.decoder

    @decoder.setter
    def decoder(self, decoder: Decoder | None) -> None:
        self._tokenizer.decoder = decoder

    # Vocabulary ------------------------------------------------------------------------------------------------------

    def get_vocab(self, with_added_tokens: bool = True) -> dict[str, int]:
        """Return every token with its id."""
        return self._tokenizer.get_vocab(with_added_tokens)

    def get_vocab_size(self, with_added_tokens: bool = True) -> int:
        """Return the number of tokens."""
        return self._tokenizer.get_vocab_size(with_added_tokens)

    def get_added_tokens_decoder(self) -> dict[int, AddedToken]:
        """Return the added tokens by id."""
        return self._tokenizer.get_added_tokens_decoder()

    def token_to_id(self, token: str) -> int | None:
        """Return the id of ``token``, or ``None``."""
        return self._tokenizer.token_to_id(token)

    def id_to_token(self, id: int) -> str | None:
        """Return the token with ``id``, or ``None``."""
        return self._tokenizer.id_to_token(id)

    def add_tokens(self, tokens: list[str | AddedToken]) -> int:
        """Add tokens and return how many were new or changed."""
        return self._tokenizer.add_tokens(tokens)

    def add_special_tokens(self, special_tokens: list[str | AddedToken]) -> int:
        """Add special tokens and return how many were new or changed."""
        return self._tokenizer.add_special_tokens(special_tokens)

    def num_special_tokens_to_add(self, is_pair: bool) -> int:
        """Return how many tokens the post-processor adds to a single input, or to a pair."""
        return self._tokenizer.num_special_tokens_to_add(is_pair)

    # Truncation and padding ------------------------------------------------------------------------------------------

    @property
    def truncation(self) -> dict[str, Any] | None:
        """The truncation, or ``None``."""
        return self._tokenizer.truncation

    def enable_truncation(self, max_length: int, stride: int = 0, strategy: str = "longest_first") -> None:
        """Truncate encodings at their right end."""
        self._tokenizer.enable_truncation(max_length, stride=stride, strategy=strategy)

    def no_truncation(self) -> None:
        """Stop truncating."""
        self._tokenizer.no_truncation()

    @property
    def padding(self) -> dict[str, Any] | None:
        """The padding, or ``None``."""
        return self._tokenizer.padding

    def enable_padding(
        self,
        direction: str = "right",
        pad_to_multiple_of: int | None = None,
        pad_id: int = 0,
        pad_type_id: int = 0,
        pad_token: str = "[PAD]",  # noqa: S107 - not a password
        length: int | None = None,
    ) -> None:
        """Pad encodings to ``length`` tokens, or to the longest of the batch."""
        self._tokenizer.enable_padding(
            direction=direction,
            pad_to_multiple_of=pad_to_multiple_of,
            pad_id=pad_id,
            pad_type_id=pad_type_id,
            pad_token=pad_token,
            length=length,
        )

    def no_padding(self) -> None:
        """Stop padding."""
        self._tokenizer.no_padding()

    # Encoding --------------------------------------------------------------------------------------------------------

    def normalize(self, sequence: str) -> str:
        """Return ``sequence`` normalized.

        Raises :class:`AttributeError` where there is no normalizer (as in the target).
        """
        normalizer = self.normalizer
        if normalizer is None:
            raise AttributeError("there is no normalizer to normalize with; set the attribute `normalizer` first")
        return normalizer.normalize_str(sequence)

    def encode(
        self,
        sequence: InputSequence,
        pair: InputSequence | None = None,
        is_pretokenized: bool = False,
        add_special_tokens: bool = True,
    ) -> Encoding:
        """Return the encoding of a text, or of a pair. Raises :class:`ValueError` for ``None``."""
        _refuse_none("sequence", sequence)
        return self._tokenizer.encode(sequence, pair, is_pretokenized, add_special_tokens)

    def encode_batch(
        self, inputs: Sequence[EncodeInput], is_pretokenized: bool = False, add_special_tokens: bool = True
    ) -> list[Encoding]:
        """Return the encodings of several inputs. Raises :class:`ValueError` for ``None``."""
        _refuse_none("inputs", inputs)
        return self._tokenizer.encode_batch(inputs, is_pretokenized, add_special_tokens)

    async def async_encode_batch(
        self, inputs: Sequence[EncodeInput], is_pretokenized: bool = False, add_special_tokens: bool = True
    ) -> list[Encoding]:
        """Return the encodings of several inputs. Raises :class:`ValueError` for ``None``."""
        _refuse_none("inputs", inputs)
        return await self._tokenizer.async_encode_batch(inputs, is_pretokenized, add_special_tokens)

    async def async_encode_batch_fast(
        self, inputs: Sequence[EncodeInput], is_pretokenized: bool = False, add_special_tokens: bool = True
    ) -> list[Encoding]:
        """Return the encodings of several inputs, ids only. Raises :class:`ValueError` for ``None``."""
        _refuse_none("inputs", inputs)
        return await self._tokenizer.async_encode_batch_fast(inputs, is_pretokenized, add_special_tokens)

    def post_process(
        self, encoding: Encoding, pair: Encoding | None = None, add_special_tokens: bool = True
    ) -> Encoding:
        """Truncate, apply the post-processor, and pad."""
        return self._tokenizer.post_process(encoding, pair, add_special_tokens)

    # Decoding --------------------------------------------------------------------------------------------------------

    def decode(self, ids: Sequence[int], skip_special_tokens: bool = True) -> str:
        """Return the text of ``ids``. Raises :class:`ValueError` for ``None``."""
        _refuse_none("ids", ids)
        return self._tokenizer.decode(ids, skip_special_tokens)

    def decode_batch(self, sequences: Sequence[Sequence[int]], skip_special_tokens: bool = True) -> list[str]:
        """Return the texts of several lists of ids. Raises :class:`ValueError` for ``None``."""
        _refuse_none("sequences", sequences)
        return self._tokenizer.decode_batch(sequences, skip_special_tokens)

    async def async_decode_batch(
        self, sequences: Sequence[Sequence[int]], skip_special_tokens: bool = True
    ) -> list[str]:
        """Return the texts of several lists of ids. Raises :class:`ValueError` for ``None``."""
        _refuse_none("sequences", sequences)
        return await self._tokenizer.async_decode_batch(sequences, skip_special_tokens)

    # Training --------------------------------------------------------------------------------------------------------

    def _train(self, files: str | list[str], trainer: Trainer) -> None:
        """Train the model on a file, or on several."""
        self._tokenizer.train([files] if isinstance(files, str) else files, trainer)

    # Files -----------------------------------------------------------------------------------------------------------

    def save_model(self, directory: str, prefix: str | None = None) -> list[str]:
        """Write the model's files into ``directory``, which must exist, and return their paths."""
        return self._tokenizer.model.save(directory, prefix)

    def save(self, path: str, pretty: bool = True) -> None:
        """Write the tokenizer.json to the file ``path``."""
        self._tokenizer.save(path, pretty)

    def to_str(self, pretty: bool = False) -> str:
        """Return the tokenizer.json."""
        return self._tokenizer.to_str(pretty)


def _refuse_none(name: str, value: object) -> None:
    if value is None:
        raise ValueError(f"{name}: None cannot be encoded or decoded")


def add_if_known(tokenizer: Tokenizer, *tokens: str | AddedToken) -> None:
    """Add those of ``tokens`` that the vocabulary has as special tokens.

    The flags of an `AddedToken` are not looked at.
    """
    for content in map(str, tokens):
        if tokenizer.token_to_id(content) is not None:
            tokenizer.add_special_tokens([content])


def one_or_sequence(steps: list[Normalizer]) -> Normalizer | None:
    """Return the normalizer that does ``steps``: none, the only one, or a sequence of them."""
    if len(steps) > 1:
        return normalizers.Sequence(steps)
    return steps[0] if steps else None
