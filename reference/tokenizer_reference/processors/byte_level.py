"""ByteLevel: trimming of offsets, no special tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from tokenizer_reference.arguments import boolean
from tokenizer_reference.processors.base import POST_PROCESSOR, PostProcessor
from tokenizer_reference.processors.offset_trimming import trim_offsets
from tokenizer_reference.stage import BYTE_LEVEL

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.values.encoding import Encoding


@POST_PROCESSOR.component(BYTE_LEVEL)
class ByteLevel(PostProcessor):
    """Trims white space out of offsets, see :func:`~tokenizer_reference.processors.offset_trimming.trim_offsets`.

    All arguments default to ``True``, also where they are ``None``; ``use_regex`` has no effect.

    It numbers whatever parts it is given as sequences 0, 1, …: after a template these are the special tokens too
    (observed, tokenizers 0.23.3).
    """

    _OPTIONS: ClassVar = {"add_prefix_space": boolean, "trim_offsets": boolean, "use_regex": boolean}

    def __init__(
        self,
        add_prefix_space: bool | None = None,
        trim_offsets: bool | None = None,
        use_regex: bool | None = None,
        **_kwargs: object,
    ) -> None:
        self.add_prefix_space = True if add_prefix_space is None else add_prefix_space
        self.trim_offsets = True if trim_offsets is None else trim_offsets
        self.use_regex = True if use_regex is None else use_regex

    def _number_added(self, is_pair: bool) -> int:  # noqa: ARG002 - the mirrored API
        return 0

    def _process_encodings(self, encodings: list[Encoding], add_special_tokens: bool) -> list[Encoding]:  # noqa: ARG002
        for index, encoding in enumerate(encodings):
            if self.trim_offsets:
                trim_offsets(encoding, add_prefix_space=self.add_prefix_space)
            encoding.set_sequence_id(index)
        return encodings

    def _to_json(self) -> dict[str, Any]:
        return {
            "type": "ByteLevel",
            "add_prefix_space": self.add_prefix_space,
            "trim_offsets": self.trim_offsets,
            "use_regex": self.use_regex,
        }

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        return cls(
            value["add_prefix_space"].boolean(),
            value["trim_offsets"].boolean(),
            value.get("use_regex", default=True).boolean(),
        )
