"""Recipes of normalizers."""

from __future__ import annotations

from requirements.recipe import Area, case, characters, component, each, refused, text, tokenizer

BERT = Area(
    "normalizers.BertNormalizer",
    "BertNormalizer",
    "normalize",
    "The clean-up of BERT's tokenizer: it removes controls, sets Chinese characters apart, strips accents and lowercases.",
)


def _bert(alphabet: str, **options: object) -> dict:
    given = {"clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True, **options}
    return tokenizer(characters(alphabet), normalizer=component("BertNormalizer", **given))


BERT.requirement(
    "BERTNORM-STRIP-ACCENTS-DEFAULT",
    "Where strip_accents is null, it is what lowercase is",
    rule="Where strip_accents is null, accents are stripped if lowercase is true, and kept if it is false.",
    why="Ports read null as false, so that an uncased BERT keeps its accents.",
    cases=[
        each(_bert("e"), "É"),
        each(_bert("eÉ", lowercase=False), "Éa"),
        case(_bert("e"), text("éé"), refused({"version": "1.0"})),
    ],
)

AREAS = (BERT,)
