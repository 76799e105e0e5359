"""Entries of a ledger beside an audit are stale only where what they name was compared, of releases, too."""

from __future__ import annotations

from dataclasses import replace

import fake_implementations as fakes
import pytest

from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.releases.loader_audit.known import KnownDifferences, compared_in

WHOLE = compared_in(has_structure=True, has_defaults=True, has_answers=True)
INFO = fakes.Toy().info
BASELINE = replace(INFO, name="tokenizers", version="0.23.3")


def entry(*inputs: str) -> Entry:
    return Entry(
        implementation="transformers",
        version="==4.57.6",
        tokenizers=("toy",),
        inputs=inputs,
        reason="It is documented.",
        place=Place("known.toml", 1),
    )


@pytest.mark.parametrize(
    ("inputs", "name", "compared", "is_stale"),
    [
        (("normalizer",), "transformers", WHOLE, True),
        (("normalizer",), "transformers==4.57.6", WHOLE, True),
        (("defaults.*",), "transformers", WHOLE, True),
        (("answers",), "transformers", WHOLE, True),
        (("normalizer",), "another", WHOLE, False),
        (("text 1",), "transformers", WHOLE, False),
        ((), "transformers", WHOLE, False),
        (("normalizer",), "transformers", compared_in(has_structure=False, has_defaults=True, has_answers=True), False),
        (("defaults.*",), "transformers", compared_in(has_structure=True, has_defaults=False, has_answers=True), False),
        (("answers",), "transformers", compared_in(has_structure=True, has_defaults=True, has_answers=False), False),
    ],
)
def test_an_entry_is_stale_where_it_had_a_chance(
    inputs: tuple[str, ...], name: str, compared: frozenset[str], is_stale: bool
) -> None:
    known = KnownDifferences(Ledger((entry(*inputs),)), BASELINE)
    known.audited("toy", replace(INFO, name=name, version="4.57.6"), compared)
    assert bool(known.stale()) is is_stale
    known.audited("other", replace(INFO, name=name, version="4.57.6"), WHOLE)
    assert bool(known.stale()) is is_stale, "the entry does not name that tokenizer"
