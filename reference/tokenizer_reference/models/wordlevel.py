"""WordLevel: a piece is one token, itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from tokenizer_reference.arguments import string
from tokenizer_reference.errors import ModelError, with_note
from tokenizer_reference.models.base import MODEL, Model
from tokenizer_reference.models.vocabulary import (
    read_vocab_json,
    tokens_by_id,
    vocabulary_from_json,
    vocabulary_or_file,
    vocabulary_to_json,
    write_vocab_json,
)
from tokenizer_reference.stage import Form
from tokenizer_reference.values.tokenization import Tokenization

if TYPE_CHECKING:
    from typing import Self

    from tokenizer_reference.json_text.value import JsonValue


@MODEL.component(Form(("vocab", "unk_token"), checks_type=False))
class WordLevel(Model):
    """A piece that the vocabulary has is that token; any other is the unknown token. The empty piece is a piece.

    ``vocab`` maps tokens to ids; a string is the name of a ``vocab.json`` to read. The option ``unk_token`` can be set.

    >>> WordLevel({"<unk>": 0, "hi": 1}).tokenize("hi")
    [Token(id=1, value='hi', offsets=(0, 2))]
    >>> WordLevel({"<unk>": 0, "hi": 1}).tokenize("ho")
    [Token(id=0, value='<unk>', offsets=(0, 2))]
    """

    _OPTIONS: ClassVar = {"unk_token": string}

    def __init__(self, vocab: dict[str, int] | str | None = None, unk_token: str | None = None) -> None:
        super().__init__()
        given = vocabulary_or_file("vocab", {} if vocab is None else vocab)
        self.unk_token = "<unk>" if unk_token is None else unk_token
        self._vocab = read_vocab_json(given) if isinstance(given, str) else given
        self._tokens = tokens_by_id(self._vocab)

    def _tokenize(self, text: str) -> Tokenization:
        value = text if text in self._vocab else self.unk_token
        if value not in self._vocab:
            raise with_note(
                ModelError("WordLevel error: Missing [UNK] token from the vocabulary"),
                f"{text!r} is not in the vocabulary, and neither is the unknown token {value!r}",
            )
        return Tokenization(text, [self._vocab[value]], [value], [(0, len(text.encode()))])

    # Vocabulary and files --------------------------------------------------------------------------------------------

    def _vocabulary(self) -> dict[str, int]:
        return self._vocab

    def _vocabulary_size(self) -> int:
        return len(self._vocab)

    def _token_of(self, id: int) -> str | None:
        return self._tokens.get(id)

    def _to_json(self) -> dict[str, Any]:
        return {"type": "WordLevel", "vocab": vocabulary_to_json(self._tokens), "unk_token": self.unk_token}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        return cls(vocabulary_from_json(value["vocab"]), value["unk_token"].string())

    @staticmethod
    def read_file(vocab: str) -> dict[str, int]:
        """Return the vocabulary in the file ``vocab`` (``vocab.json``). Raises :class:`TokenizerFileError`."""
        return read_vocab_json(vocab)

    @classmethod
    def from_file(cls, vocab: str, unk_token: str | None = None) -> Self:
        """Return the model of the file ``vocab`` (``vocab.json``). Raises :class:`TokenizerFileError`."""
        return cls(read_vocab_json(vocab), unk_token)

    def _save(self, folder: str, prefix: str | None) -> list[str]:
        return [write_vocab_json(folder, prefix, self._tokens)]
