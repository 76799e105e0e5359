"""RobertaProcessing: ``<s> A </s>`` and ``<s> A </s></s> B </s>``, and trimming of offsets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from tokenizer_reference.processors.base import PostProcessor
from tokenizer_reference.processors.offset_trimming import trim_offsets
from tokenizer_reference.processors.special_tokens import (
    SpecialToken,
    checked_special_token,
    special_token_from_json,
    surround,
)

if TYPE_CHECKING:
    from tokenizer_reference.encoding import Encoding
    from tokenizer_reference.formats.json_value import JsonValue


class RobertaProcessing(PostProcessor):
    """Puts ``cls`` before the first sequence, ``sep`` before every other and after each; all type ids are 0.

    ``sep`` and ``cls_token`` are tuples of text and id. For ``trim_offsets`` and ``add_prefix_space`` see
    :func:`~tokenizer_reference.processors.offset_trimming.trim_offsets`. Offsets are trimmed and type ids become 0 (not
    those of overflow) even where no special tokens are added (observed, tokenizers 0.23.3).
    """

    def __init__(
        self, sep: SpecialToken, cls_token: SpecialToken, trim_offsets: bool = True, add_prefix_space: bool = True
    ) -> None:
        self.sep = sep
        self.cls = cls_token
        self.trim_offsets = trim_offsets
        self.add_prefix_space = add_prefix_space

    @property
    def sep(self) -> SpecialToken:
        """The token around sequences."""
        return self._sep

    @sep.setter
    def sep(self, sep: SpecialToken) -> None:
        self._sep = checked_special_token(sep)

    @property
    def cls(self) -> SpecialToken:
        """The token before the first sequence."""
        return self._cls

    @cls.setter
    def cls(self, cls_token: SpecialToken) -> None:
        self._cls = checked_special_token(cls_token)

    def num_special_tokens_to_add(self, is_pair: bool) -> int:
        """Return 2, or 4 for a pair."""
        return 4 if is_pair else 2

    def _process_encodings(self, encodings: list[Encoding], add_special_tokens: bool) -> list[Encoding]:
        for encoding in encodings:
            if self.trim_offsets:
                trim_offsets(encoding, add_prefix_space=self.add_prefix_space)
            encoding._set_type_ids(0)
        if not add_special_tokens:
            return encodings
        return [self._surround(encoding, index) for index, encoding in enumerate(encodings)]

    def _surround(self, encoding: Encoding, index: int) -> Encoding:
        for part in encoding._overflowing:
            part._set_type_ids(0)
        before = self.sep if index else self.cls
        return surround(encoding, [before], [self.sep], type_id=0, sequence=min(index, 1))

    def _to_json(self) -> dict[str, Any]:
        return {
            "type": "RobertaProcessing",
            "sep": list(self.sep),
            "cls": list(self.cls),
            "trim_offsets": self.trim_offsets,
            "add_prefix_space": self.add_prefix_space,
        }

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        value = value.struct("sep", "cls", "trim_offsets", "add_prefix_space")
        return cls(
            special_token_from_json(value["sep"]),
            special_token_from_json(value["cls"]),
            value["trim_offsets"].boolean(),
            value["add_prefix_space"].boolean(),
        )
