"""Classes of characters that libraries take for one another."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.variants.change import Rule
from tokenizer_adapters.variants.unicode_versions import written_set

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.variants.private_copy import Patch

_SPACE = "\t\n\x0b\x0c\r \xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
"""White_Space but for U+0085."""

BYTE_ORDER_MARK_SPACE = f"{_SPACE}\x85\ufeff"
PYTHON_SPACE = f"{_SPACE}\x85\x1c\x1d\x1e\x1f"

LEFT_OUT_OF_CHINESE = ((0x2B820, 0x2B91F),)
"""What BERT's own list of Chinese characters has and the target has not."""


def _strip_nonspacing(module: Any) -> None:
    marks = module.difference(module.marks_9(), module.general_category("Mc"))
    marks = module.difference(marks, module.general_category("Me"))
    module.marks_9 = lambda: marks


def _remove_unassigned(module: Any) -> None:
    """Have all of category C removed, as a test for a name that begins with C does. Unassigned is what 16.0 has not."""
    removed = module.union(module.bert_removed(), module.general_category("Cn"))
    module.bert_removed = lambda: removed


def _know_all_chinese(module: Any) -> None:
    module.CHINESE = module.code_point_sets.union(module.CHINESE, LEFT_OUT_OF_CHINESE)


def _know_basic_chinese(module: Any) -> None:
    module.CHINESE = tuple(span for span in module.CHINESE if span[1] <= 0xFFFF)


def _space_of_tables(chars: str, module: Any) -> None:
    space = written_set(sorted(map(ord, chars)))
    module.BINARY_PROPERTY_16_0 = {**module.BINARY_PROPERTY_16_0, "White_Space": space}


def _space_of_characters(chars: str, module: Any) -> None:
    module.WHITE_SPACE = chars


def _spacing(chars: str) -> Mapping[str, Patch]:
    return {
        "text.unicode_tables": partial(_space_of_tables, chars),
        "text.characters": partial(_space_of_characters, chars),
    }


CHARACTER_CLASS_PATCHES: Mapping[Rule, Mapping[str, Patch]] = {
    Rule.NONSPACING_ACCENTS: {"text.characters": _strip_nonspacing},
    Rule.CHINESE_OF_BERT: {"normalizers.bert": _know_all_chinese},
    Rule.CHINESE_IN_BASIC_PLANE: {"normalizers.bert": _know_basic_chinese},
    Rule.BYTE_ORDER_MARK_SPACE: _spacing(BYTE_ORDER_MARK_SPACE),
    Rule.NEXT_LINE_NO_SPACE: _spacing(_SPACE),
    Rule.PYTHON_SPACE: _spacing(PYTHON_SPACE),
    Rule.UNASSIGNED_REMOVED: {"text.characters": _remove_unassigned},
}
