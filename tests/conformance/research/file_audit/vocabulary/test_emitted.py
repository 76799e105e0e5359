"""Which characters normalizers give, held against random texts; and characters that none gives."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts
from tokenizer_conformance.research.file_audit.vocabulary.components import normalizing
from tokenizer_conformance.research.file_audit.vocabulary.emitted import emitted

if TYPE_CHECKING:
    from tokenizer_conformance.comparison.loaded_documents import Documents

Component = dict[str, Any]

BERT = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "lowercase": True}


def replace(old: str, new: str) -> Component:
    return {"type": "Replace", "pattern": {"String": old}, "content": new}


def charsmap() -> Component:
    import json

    parts = DocumentParts(json.loads(bundled_file("t5-mini").read_text(encoding="utf-8")))
    return dict(parts.of_type("Precompiled")[0].members)


# Normalizers, characters that they never give, and some that they do give.
CHAINS: dict[str, tuple[list[Component], str, str]] = {
    "bert": ([BERT | {"strip_accents": None}], "AÉé\t\x00\u0301", "aж中 ß"),
    "lowercase": ([{"type": "Lowercase"}], "AZÄЖ", "aé\u0307ß"),
    "nfc": ([{"type": "NFC"}], "\u212b\u0958", "é\u0301Å가"),
    "nfd": ([{"type": "NFD"}], "éÅ가", "e\u0301ﬁ"),
    "nfkc": ([{"type": "NFKC"}], "ﬁ①Ａ", "éfiA"),
    "strip": ([{"type": "NFD"}, {"type": "StripAccents"}], "é\u0301", "e"),
    "compose what is left": ([replace("é", "x"), {"type": "NFC"}], "\u212b", "é"),  # of "e" and an accent
    "replaced": ([replace(" ", "▁"), {"type": "Prepend", "prepend": "Q"}], " ", "▁Qa"),
    "replaced again": ([replace("a", "b"), replace("b", "c")], "ab", "c"),
    "put in": ([{"type": "Lowercase"}, replace("ab", "Q")], "A", "Q"),
    "longer texts": ([replace("ab", "x")], "", "abx"),
    "stripped": ([{"type": "Lowercase"}, {"type": "Strip", "strip_left": True, "strip_right": True}], "A", " a"),
    "charsmap": ([charsmap()], "…", "."),
    "unknown component": ([{"type": "Lowercase"}, {"type": "Sequence", "normalizers": []}], "", "A"),
}
LETTERS = "aAbBeE éÉ\u0301\u0307\u0327ﬁ①Ａ中ж\u1100\u1161\u11a8Å\u212b\n\t.…ß\u200d'x"


@pytest.mark.long_but(1)
@pytest.mark.parametrize("chain", CHAINS)
def test_no_text_gives_what_is_not_emitted(documents: Documents, chain: str) -> None:
    components, never, given = CHAINS[chain]
    found = emitted(documents, components)
    assert {character for character in never if not found.missing(character)} == set()
    assert found.missing(given) == ""
    normalize = normalizing(documents, components)
    drawn = random.Random(chain)
    for _ in range(3000):
        text = "".join(drawn.choices(LETTERS, k=drawn.randint(1, 5)))
        assert found.missing(normalize(text)) == "", text
