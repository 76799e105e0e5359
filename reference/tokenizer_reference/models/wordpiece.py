"""WordPiece: the longest piece that the vocabulary has, again and again (Wu et al. 2016; the matching is BERT's)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from tokenizer_reference.arguments import ignore_unknown, string, unsigned_64
from tokenizer_reference.errors import ModelError, with_note
from tokenizer_reference.models.base import MODEL, Model
from tokenizer_reference.models.vocabulary import (
    read_lines,
    tokens_by_id,
    vocabulary_from_json,
    vocabulary_or_file,
    vocabulary_to_json,
    write_text,
)
from tokenizer_reference.stage import Form
from tokenizer_reference.text.characters import WHITE_SPACE
from tokenizer_reference.values.tokenization import Tokenization

if TYPE_CHECKING:
    from typing import Self

    from tokenizer_reference.json_text.value import JsonValue


@MODEL.component(
    Form(("unk_token", "continuing_subword_prefix", "max_input_chars_per_word", "vocab"), checks_type=False)
)
class WordPiece(Model):
    """From left to right, the longest piece that the vocabulary has; pieces after the first carry a prefix there.

    Where nothing fits, the *whole* word is one unknown token, as it is when it has more than
    ``max_input_chars_per_word`` characters (code points). ``vocab`` maps tokens to ids; a string is the name of a
    ``vocab.txt`` to read. The other options can be set, too. One that is not known is ignored with a printed note, as
    in the target.

    >>> model = WordPiece({"[UNK]": 0, "un": 1, "##able": 2, "##a": 3})
    >>> [(token.value, token.offsets) for token in model.tokenize("unable")]
    [('un', (0, 2)), ('##able', (2, 6))]
    >>> [(token.value, token.offsets) for token in model.tokenize("unables")]
    [('[UNK]', (0, 7))]
    """

    _OPTIONS: ClassVar = {
        "unk_token": string,
        "max_input_chars_per_word": unsigned_64,
        "continuing_subword_prefix": string,
    }

    def __init__(
        self,
        vocab: dict[str, int] | str | None = None,
        *,
        unk_token: str = "[UNK]",  # noqa: S107 - a token of text
        max_input_chars_per_word: int = 100,
        continuing_subword_prefix: str = "##",
        **unknown: object,
    ) -> None:
        super().__init__()
        ignore_unknown(unknown, "kwargs")
        given = vocabulary_or_file("vocab", {} if vocab is None else vocab)
        self.unk_token = unk_token
        self.max_input_chars_per_word = max_input_chars_per_word
        prefix = string("continuing_subword_prefix", continuing_subword_prefix)
        self._vocab = self.read_file(given) if isinstance(given, str) else given
        self._tokens = tokens_by_id(self._vocab)
        self.continuing_subword_prefix = prefix

    @property
    def continuing_subword_prefix(self) -> str:
        """What stands before every piece but the first in the vocabulary."""
        return self._prefix

    @continuing_subword_prefix.setter
    def continuing_subword_prefix(self, prefix: str) -> None:
        self._prefix = prefix
        self._continuing = {
            token.removeprefix(prefix): id_ for token, id_ in self._vocab.items() if token.startswith(prefix)
        }
        # No longer piece than the longest of the vocabulary needs to be looked up: so a word takes linear time.
        self._longest_first = max(map(len, self._vocab), default=0)
        self._longest_continuing = max(map(len, self._continuing), default=0)

    def _tokenize(self, text: str) -> Tokenization:
        size = len(text)
        if size > self.max_input_chars_per_word:
            return self._unknown(text)
        ids: list[int] = []
        values: list[str] = []
        bounds = [0]
        pieces, longest, prefix = self._vocab, self._longest_first, ""
        start = 0
        while start < size:
            for end in range(min(size, start + longest), start, -1):
                piece = text[start:end]
                if piece in pieces:
                    break
            else:
                return self._unknown(text)
            ids.append(pieces[piece])
            values.append(prefix + piece)
            bounds.append(end)
            pieces, longest, prefix = self._continuing, self._longest_continuing, self._prefix
            start = end
        return Tokenization.by_bounds(text, ids, values, bounds)

    def _unknown(self, text: str) -> Tokenization:
        unk_id = self._vocab.get(self.unk_token)
        if unk_id is None:
            raise with_note(
                ModelError("WordPiece error: Missing [UNK] token from the vocabulary"),
                f"{text!r} is an unknown word, and the unknown token {self.unk_token!r} is not in the vocabulary",
            )
        return Tokenization(text, [unk_id], [self.unk_token], [(0, len(text.encode()))])

    # Vocabulary and files --------------------------------------------------------------------------------------------

    def _vocabulary(self) -> dict[str, int]:
        return self._vocab

    def _vocabulary_size(self) -> int:
        return len(self._vocab)

    def _token_of(self, id: int) -> str | None:
        return self._tokens.get(id)

    def _to_json(self) -> dict[str, Any]:
        return {
            "type": "WordPiece",
            "unk_token": self.unk_token,
            "continuing_subword_prefix": self._prefix,
            "max_input_chars_per_word": self.max_input_chars_per_word,
            "vocab": vocabulary_to_json(self._tokens),
        }

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        return cls(
            vocabulary_from_json(value["vocab"]),
            unk_token=value["unk_token"].string(),
            max_input_chars_per_word=value["max_input_chars_per_word"].unsigned(),
            continuing_subword_prefix=value["continuing_subword_prefix"].string(),
        )

    @staticmethod
    def read_file(vocab: str) -> dict[str, int]:
        """Return the vocabulary in the file ``vocab`` (``vocab.txt``): a token per line, its id the line number from 0.

        White space at the end of a line does not count. Of equal lines the last gives the id. Raises
        :class:`TokenizerFileError`.
        """
        return {line.rstrip(WHITE_SPACE): id_ for id_, line in enumerate(read_lines(vocab))}

    @classmethod
    def from_file(cls, vocab: str, **kwargs: Any) -> Self:
        """Return the model of the file ``vocab`` (``vocab.txt``), with the constructor's options.

        Raises :class:`TokenizerFileError`.
        """
        return cls(cls.read_file(vocab), **kwargs)

    def _save(self, folder: str, prefix: str | None) -> list[str]:
        tokens = sorted(self._vocab, key=self._vocab.__getitem__)
        return [write_text(folder, prefix, "vocab.txt", "".join(f"{token}\n" for token in tokens))]
