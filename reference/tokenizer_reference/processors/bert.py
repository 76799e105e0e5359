"""BertProcessing: ``[CLS] A [SEP]`` and ``[CLS] A [SEP] B [SEP]``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from tokenizer_reference.processors.base import POST_PROCESSOR, PostProcessor
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


@POST_PROCESSOR.component(untyped("sep", "cls"))
class BertProcessing(PostProcessor):
    """Puts ``cls`` before the first sequence and ``sep`` after each; type ids are 0 and 1.

    ``sep`` and ``cls_token`` are tuples of text and id.
    """

    _OPTIONS: ClassVar = {"sep": special_token, "cls": special_token}

    sep: SpecialToken
    cls: SpecialToken

    def __init__(self, sep: SpecialToken, cls_token: SpecialToken) -> None:
        self.sep = sep
        self.cls = cls_token

    def __getnewargs__(self) -> tuple[SpecialToken, SpecialToken]:
        """Return arguments for the constructor; :meth:`__setstate__` puts the options right."""
        return ("", 0), ("", 0)

    def _number_added(self, is_pair: bool) -> int:
        return 3 if is_pair else 2

    def _process_encodings(self, encodings: list[Encoding], add_special_tokens: bool) -> list[Encoding]:
        if not add_special_tokens:
            return encodings
        return [
            surround(encoding, [], [self.sep], type_id=1, sequence=1)
            if index
            else surround(encoding, [self.cls], [self.sep], type_id=0, sequence=0)
            for index, encoding in enumerate(encodings)
        ]

    def _to_json(self) -> dict[str, Any]:
        return {"type": "BertProcessing", "sep": list(self.sep), "cls": list(self.cls)}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        return cls(special_token_from_json(value["sep"]), special_token_from_json(value["cls"]))
