"""What pages are called: each its own, on any file system, and whatever others there are."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_conformance.report.site.addresses import DEVICES, addresses

NAMES = st.one_of(
    st.text(max_size=12),
    st.text("aA.-=/\\ %#?:\0é\ud800", max_size=6),
    st.sampled_from(["", ".", "..", "../x", "/etc/passwd", "index", "INDEX", "con", "NUL.html", "a" * 300, "tokie"]),
)

SAFE = re.compile(r"[A-Za-z0-9_=][A-Za-z0-9._=-]*")


@given(st.lists(NAMES, max_size=12))
def test_every_name_has_an_address_of_its_own_that_is_the_name_of_a_file_anywhere(names: list[str]) -> None:
    found = addresses(names)
    assert found.keys() == set(names)
    assert len({address.casefold() for address in found.values()}) == len(found)
    for address in found.values():
        assert SAFE.fullmatch(address)
        assert len(address) <= 150
        assert not DEVICES.match(address)
        assert address.casefold() != "index"


@given(st.lists(NAMES, unique=True, max_size=8), st.randoms())
def test_the_order_of_names_says_nothing(names: list[str], random: object) -> None:
    shuffled = names[:]
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis gives a Random
    assert addresses(shuffled) == addresses(names)


@given(st.lists(NAMES, max_size=8), NAMES)
def test_an_address_stays_when_others_come(others: list[str], name: str) -> None:
    """But where another differs in case alone, or is called as the address is, there is room for one only."""
    alone = addresses([name])[name]
    if any(each != name and each.casefold() in (name.casefold(), alone.casefold()) for each in others):
        return
    assert addresses([*others, name])[name] == alone


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("tokie", "tokie"),
        ("tokenizers==0.21.4", "tokenizers==0.21.4"),
        ("run.jsonl", "run.jsonl"),
        ("TinyLlama", "TinyLlama"),
        ("a b", "a-b-c8687a08"),
        ("a/b", "a-b-c14cddc0"),
        ("..", "page-5ec1f7e7"),
        ("", "page-e3b0c442"),
        ("CON", "name-CON-a3dbc4b6"),
        ("com1.jsonl", "name-com1.jsonl-"),
        ("index", "index-"),
        ("x" * 100, "x" * 80 + "-"),
    ],
)
def test_addresses_are_those_of_earlier_sites(name: str, address: str) -> None:
    assert addresses([name])[name].startswith(address)


def test_of_names_that_differ_in_case_the_lower_one_keeps_its_own() -> None:
    found = addresses(["Tokie", "tokie", "TOKIE"])
    assert found["tokie"] == "tokie"
    assert found["Tokie"].startswith("Tokie-")
    assert found["TOKIE"].startswith("TOKIE-")


def test_a_name_that_is_another_ones_address_keeps_it() -> None:
    taken = addresses(["a b"])["a b"]
    found = addresses(["a b", taken])
    assert found[taken] == taken
    assert found["a b"] != taken
