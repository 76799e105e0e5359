"""Which bytes can stand in a text, held against all characters."""

from __future__ import annotations

import pytest

from tokenizer_conformance.research.file_audit.vocabulary.byte_alphabet import _FOLLOWING, NEVER_IN_UTF8, occurs_in_utf8


@pytest.mark.long
def test_the_bytes_and_pairs_of_bytes_that_occur_are_those_of_all_characters() -> None:
    characters = [chr(number).encode() for number in range(0x110000) if not 0xD800 <= number < 0xE000]
    within = {each[at : at + 2] for each in characters for at in range(len(each) - 1)}
    ends, begins = {each[-1] for each in characters}, {each[0] for each in characters}
    within |= {bytes((end, begin)) for end in ends for begin in begins}
    pairs = {bytes((first, second)) for first in range(256) for second in range(256)}
    assert {pair for pair in pairs if occurs_in_utf8(pair)} == within
    assert {byte for byte in range(256) if not occurs_in_utf8(bytes([byte]))} == NEVER_IN_UTF8


def test_each_byte_leads_from_a_state_to_one_other() -> None:
    listed = {state: [byte for bytes_, _ in rows for byte in bytes_] for state, rows in _FOLLOWING.items()}
    for state, found in listed.items():
        assert found == sorted(set(found)), state
    continuing = set(range(0x80, 0xC0))
    assert set(listed.pop("")) == set(range(256)) - continuing - NEVER_IN_UTF8
    assert all(continuing.issuperset(found) for found in listed.values())
