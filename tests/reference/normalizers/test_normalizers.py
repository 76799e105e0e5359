"""The oddities of each normalizer, case by case, with the alignment where it is what is odd."""

from __future__ import annotations

import pytest
from both_sides import NORMALIZERS, Json, NormalizerOnBothSides, bert, charsmap_json, prepend, replace

CASES: list[tuple[str, Json, str, str]] = [
    ("NFC takes no notice of newer characters", {"type": "NFC"}, "\U00011935\U00011930", "\U00011935\U00011930"),
    ("NFKD leaves U+32FF of 12.1", {"type": "NFKD"}, "\u32ff", "\u32ff"),
    ("NFD does not reorder a mark of 13.0", {"type": "NFD"}, "a\u0301\u1ac0", "a\u0301\u1ac0"),
    ("Lowercase knows 17.0", {"type": "Lowercase"}, "\ua7dc\u1c89\U00016ea0", "\u019b\u1c8a\U00016ebb"),
    ("Lowercase has no final sigma", {"type": "Lowercase"}, "ΑΣ", "ασ"),
    ("StripAccents decomposes nothing", {"type": "StripAccents"}, "ée\u0301", "ée"),
    ("StripAccents removes spacing and enclosing marks", {"type": "StripAccents"}, "a\u0903\u20dd\u1cf2", "a"),
    ("StripAccents leaves marks after 9.0", {"type": "StripAccents"}, "a\u07fd\u1abf\u1df9", "a\u07fd\u1abf\u1df9"),
    ("Strip leaves U+001C, U+200B and U+FEFF", NORMALIZERS["Strip"], "\x1c\u200b\ufeff \u3000", "\x1c\u200b\ufeff"),
    ("Nmt keeps NUL, U+0085 and U+00A0", {"type": "Nmt"}, "\x00\x85\xa0\u2003", "\x00\x85\xa0\u2003"),
    ("Nmt removes U+000B and blanks U+000C", {"type": "Nmt"}, "a\x0bb\x0cc", "ab c"),
    ("Nmt blanks joiners and the replacement", {"type": "Nmt"}, "a\u200db\ufffdc▁d", "a b c d"),
    ("BERT removes U+000B, U+000C and U+0085", bert(True, False, False, False), "a\x0b\x0c\x85b\u2028c", "ab c"),
    ("BERT removes NUL, U+FFFD, private use and formats", NORMALIZERS["BERT, cased"], "a\x00\ufffd\ue000\u200db", "ab"),
    ("BERT keeps unassigned characters", NORMALIZERS["BERT, cased"], "\u0378\u0890", "\u0378\u0890"),
    (
        "BERT leaves U+2B820..U+2B91F without spaces",
        NORMALIZERS["BERT, cased"],
        "\U0002b820\U0002b920",
        "\U0002b820 \U0002b920 ",
    ),
    ("BERT puts two spaces between two", NORMALIZERS["BERT, cased"], "中京", " 中  京 "),
    ("BERT strips Mn only", NORMALIZERS["BERT, strip_accents"], "e\u0301\u0903\u20dd\u1734", "e\u0903\u20dd"),
    ("BERT strips accents before it lowercases", NORMALIZERS["BERT, uncased"], "İ", "i"),
    ("BERT lowercases with the dot if accents stay", bert(True, True, False, True), "İ", "i\u0307"),
    ("BERT strips accents of Hangul as jamo", NORMALIZERS["BERT, strip_accents"], "각", "\u1100\u1161\u11a8"),
    ("Replace with an empty literal", NORMALIZERS["Replace, empty literal"], "abc", "-a-b-c-"),
    ("Replace skips empty matches after a match", replace("Regex", "x*", "-"), "axb", "-a-b-"),
    ("Replace takes a literal as it is", replace("String", ".", "-"), "a.b", "a-b"),
    ("Replace takes its content as it is", replace("Regex", "(a)", r"\1$1"), "ab", r"\1$1b"),
    ("Replace finds no start in an empty text", replace("Regex", "^", "A"), "", ""),
    ("Prepend leaves an empty text", prepend("▁"), "", ""),
    ("Precompiled replaces a cluster by its shortest key", NORMALIZERS["Precompiled"], "①\u0301", "1"),
    ("Precompiled cuts clusters of six bytes", NORMALIZERS["Precompiled"], "①\u0301\u0302", "1´\u0302"),
    ("Precompiled ends a look-up at NUL", charsmap_json({"a": "b"}), "\x00a", "\x00b"),
    ("Precompiled joins CR and LF", NORMALIZERS["Precompiled"], "\r\n\n", "  "),
]


@pytest.mark.parametrize(
    ("document", "text", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_normalized_text(document: Json, text: str, expected: str) -> None:
    normalizer = NormalizerOnBothSides(document)
    assert normalizer.reference.normalize_str(text) == expected
    assert normalizer.target_answer(text) == normalizer.reference_answer(text)


ALIGNED: list[tuple[str, Json, str, list[tuple[int, int]]]] = [
    ("a cluster stands for its first character", NORMALIZERS["Precompiled"], "①\u0301x", [(0, 1), (2, 3)]),
    ("surplus stands for the character before", NORMALIZERS["Precompiled"], "½x", [(0, 1), (0, 1), (0, 1), (1, 2)]),
    ("a removal is put on what is before", NORMALIZERS["Precompiled"], "a\x01b", [(0, 1), (2, 3)]),
    ("a removal at the start moves all that follows", NORMALIZERS["Precompiled"], "\x01xyz", [(0, 1), (1, 2), (2, 3)]),
    ("a removal after a surplus moves the surplus", NORMALIZERS["Precompiled"], "ﬁ\x01x", [(0, 1), (1, 2), (2, 3)]),
    ("spaces around a character stand for it", NORMALIZERS["BERT, cased"], "a中b", [(0, 1), *[(1, 2)] * 3, (2, 3)]),
    ("bytes stand for their character", NORMALIZERS["ByteLevel"], "é中", [(0, 1)] * 2 + [(1, 2)] * 3),
]


@pytest.mark.parametrize(
    ("document", "text", "alignment"), [case[1:] for case in ALIGNED], ids=[case[0] for case in ALIGNED]
)
def test_alignment(document: Json, text: str, alignment: list[tuple[int, int]]) -> None:
    normalizer = NormalizerOnBothSides(document)
    assert normalizer.target_answer(text)[1] == alignment
    assert normalizer.reference_answer(text)[1] == alignment
