"""Characters are called by their names, and those without one by an alias or a label."""

from __future__ import annotations

import unicodedata

import pytest

from tokenizer_conformance.comparison.character_names import ALIASES, name_of


def test_controls_are_called_by_their_aliases() -> None:
    assert {code: ord(unicodedata.lookup(alias)) for code, alias in ALIASES.items()} == {code: code for code in ALIASES}
    assert {code: name_of(chr(code)) for code in ALIASES} == ALIASES


@pytest.mark.parametrize(
    ("character", "name"),
    [
        ("\u0301", "COMBINING ACUTE ACCENT"),
        ("\x01", "<control-0001>"),
        ("\ue000", "<private-use-E000>"),
        ("\ud800", "<surrogate-D800>"),
        ("\ufdcf", "ARABIC LIGATURE SALAAMUHU ALAYNAA"),
        ("\ufdd0", "<noncharacter-FDD0>"),
        ("\ufdef", "<noncharacter-FDEF>"),
        ("\ufdf0", "ARABIC LIGATURE SALLA USED AS KORANIC STOP SIGN ISOLATED FORM"),
        ("\ufffe", "<noncharacter-FFFE>"),
        ("\uffff", "<noncharacter-FFFF>"),
        ("\U0010fffe", "<noncharacter-10FFFE>"),
        ("\u0378", "<unassigned-0378>"),
    ],
)
def test_a_character_is_called_by_its_name_or_a_label(character: str, name: str) -> None:
    assert name_of(character) == name
