"""RobertaProcessing: ``<s> A </s>`` and ``<s> A </s></s> B </s>``, and trimming of offsets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from tokenizer_reference.arguments import boolean
from tokenizer_reference.processors.base import POST_PROCESSOR, PostProcessor
from tokenizer_reference.processors.offset_trimming import trim_offsets
from tokenizer_reference.processors.special_tokens import (
    SpecialToken,
    special_token,
    special_token_from_json,
    surround,
)
from tokenizer_reference.stage import untyped

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.values.encoding import Encoding


@POST_PROCESSOR.component(untyped("sep", "cls", "trim_offsets", "add_prefix_space"))
class RobertaProcessing(PostProcessor):
    """Puts ``cls`` before the first sequence, ``sep`` before every other and after each; all type ids are 0.

    ``sep`` and ``cls_token`` are tuples of text and id. For ``trim_offsets`` and ``add_prefix_space`` see
    :func:`~tokenizer_reference.processors.offset_trimming.trim_offsets`. Offsets are trimmed and type ids become 0 (not
    those of overflow) even where no special tokens are added (observed, tokenizers 0.23.3).
    """

    _OPTIONS: ClassVar = {
        "sep": special_token,
        "cls": special_token,
        "trim_offsets": boolean,
        "add_prefix_space": boolean,
    }

    sep: SpecialToken
    cls: SpecialToken

    def __init__(
        self, sep: SpecialToken, cls_token: SpecialToken, trim_offsets: bool = True, add_prefix_space: bool = True
    ) -> None:
        self.sep = sep
        self.cls = cls_token
        self.trim_offsets = trim_offsets
        self.add_prefix_space = add_prefix_space

    def __getnewargs__(self) -> tuple[SpecialToken, SpecialToken]:
        """Return arguments for the constructor; :meth:`__setstate__` puts the options right."""
        return ("", 0), ("", 0)

    def _number_added(self, is_pair: bool) -> int:
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
        return cls(
            special_token_from_json(value["sep"]),
            special_token_from_json(value["cls"]),
            value["trim_offsets"].boolean(),
            value["add_prefix_space"].boolean(),
        )
