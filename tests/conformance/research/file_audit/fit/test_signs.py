"""Signs of texts: which texts have each, and what a text with one is without it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tokenizer_conformance.research.file_audit.fit.check import _presence
from tokenizer_conformance.research.file_audit.fit.signs import SIGNS, Sign, sample
from tokenizer_conformance.research.file_audit.fit.writing import Piece, Writing, Written

BY_NAME = {sign.named: sign for sign in SIGNS}

HAVING: dict[str, tuple[list[str], list[str]]] = {
    "are words": (["abc", "word"], ["ab", "Abc", "été", "a1b", "abc."]),
    "are parts of words": (["a", "é", "AB"], ["a1", "##a", ""]),
    "have capital letters": (["Ab", "aB", "ÉA"], ["A", "ab", "A1", "A b"]),
    "have accents": (["été", "né", "Ü.", "e\u0301a"], ["é", "ete", "йа", "ка\u0301", "日本"]),
    "have Chinese characters side by side": (["中文", "a一龥"], ["中", "中a文", "ひら", "\u4dff一", "鿿\ua000"]),
    "have letters beside punctuation": (["a.", "(b", "don't"], ["a b", ".", "1.", "a$"]),
    "have two marks of punctuation side by side": (["?!", "a().", "¿¡"], [".", ". .", "$$", "a.b"]),
    "have two digits side by side": (["12", "a34", "٣٤"], ["1", "1a2", "1.2"]),
    "are white space alone": ([" ", "\n\t"], ["", " a"]),
    "are digits alone": (["1", "123"], ["", "1a", "1 2"]),
    "are one mark of punctuation": ([".", "、"], ["..", "$", "a", ""]),
    "have compatibility characters": (["ﬁn", "①", "ａ"], ["fin", "1", "é", "e\u0301"]),
}
"""By what is said of entries with a sign: texts that have it, and some that do not."""


def test_the_table_has_every_sign() -> None:
    assert list(HAVING) == list(BY_NAME)
    assert len(BY_NAME) == len(SIGNS)


@pytest.mark.parametrize("named", HAVING)
def test_texts_have_a_sign_or_not(named: str) -> None:
    having, others = HAVING[named]
    assert [bool(BY_NAME[named].has(text)) for text in (*having, *others)] == [True] * len(having) + [False] * len(
        others
    )


ABSENT = {
    "have capital letters": ("A", ("Ab Cd", "ab cd"), set(Writing)),
    "have accents": ("é", ("àb cd", "ab cd"), set(Writing) - {Writing.BYTES}),
    "have Chinese characters side by side": ("", ("中中", "中 中"), {Writing.PREFIX}),
    "have letters beside punctuation": ("", ("ab, (cd).", "ab , ( cd ) ."), {Writing.PREFIX, Writing.PLAIN}),
    "have two marks of punctuation side by side": ("", ("ab!? cd).", "ab! ? cd) ."), {Writing.PREFIX, Writing.PLAIN}),
    "have compatibility characters": ("", ("ａｂ cd", "ab cd"), {Writing.MARK}),
}
"""By the signs that entries may lack: the characters that speak against it alone; "ab" and "cd" as a text with the sign
and without; and the ways to write a vocabulary in which a lack says something."""


@pytest.mark.parametrize("sign", SIGNS, ids=lambda sign: sign.named)
def test_what_lacks_a_sign_is_told_by_a_text_with_it(sign: Sign) -> None:
    expected = ABSENT.get(sign.named)
    assert (sign.absence is None) == (expected is None)
    if sign.absence is not None and expected is not None:
        speaking = "".join(filter(sign.absence.of_one, "aAé中.1①"))
        assert (speaking, sign.absence.put_in("ab", "cd"), set(sign.absence.writings)) == expected


def test_a_sample_is_from_all_over() -> None:
    pieces = [*map(str, range(10))]
    assert sample(pieces, 10) == sample(pieces, 11) == pieces
    assert sample(pieces, 5) == ["0", "2", "4", "6", "8"]
    assert sample(pieces, 4) == ["0", "3", "6", "9"]
    assert sample(pieces, 1) == ["0"]
    assert sample([], 5) == []


LEAST = {
    "are words": 20,
    "are parts of words": 20,
    "have capital letters": 20,
    "have accents": 20,
    "have Chinese characters side by side": 20,
    "have letters beside punctuation": 20,
    "have two marks of punctuation side by side": 10,
    "have two digits side by side": 20,
    "are white space alone": 3,
    "are digits alone": 5,
    "are one mark of punctuation": 5,
    "have compatibility characters": 50,
}
"""By the signs: from how many entries with it on, a text is expected to give one."""


@pytest.mark.parametrize("named", HAVING)
def test_few_entries_with_a_sign_say_nothing(named: str) -> None:
    sign = replace(BY_NAME[named], has=lambda text: text.startswith("x"))
    for count, said in (
        (LEAST[named], f"{LEAST[named]} of {LEAST[named] + 1} entries {named}, and no text gives any"),
        (LEAST[named] - 1, None),
    ):
        texts = [*(f"x{number}" for number in range(count)), "other"]
        pieces = tuple(Piece(text, number) for number, text in enumerate(texts))
        rule = _presence(sign, Written(Writing.PLAIN, pieces, {}, is_bytes=False))
        assert (rule.said if rule else None) == said
        assert rule is None or rule.texts == tuple(f"a {text}" for text in texts[:-1])
