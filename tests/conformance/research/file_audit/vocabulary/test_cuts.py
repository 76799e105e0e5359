"""What pre-tokenizers always cut, held against every text up to a length."""

from __future__ import annotations

from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import Pieces, PreTokenize
from tokenizer_conformance.research.file_audit.vocabulary.byte_alphabet import bytes_of
from tokenizer_conformance.research.file_audit.vocabulary.components import document_of
from tokenizer_conformance.research.file_audit.vocabulary.cuts import GPT2_PATTERN, Cuts

if TYPE_CHECKING:
    from tokenizer_conformance.comparison.loaded_documents import Documents

Component = dict[str, Any]


def split(pattern: str, behavior: str = "Isolated", *, invert: bool = False) -> Component:
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": behavior, "invert": invert}


METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}

CHAINS: dict[str, list[Component]] = {
    "bert": [{"type": "BertPreTokenizer"}],
    "whitespace": [{"type": "Whitespace"}],
    "white space alone": [{"type": "WhitespaceSplit"}],
    "digits": [{"type": "Digits", "individual_digits": False}],
    "single digits": [{"type": "Digits", "individual_digits": True}],
    "delimiter": [{"type": "CharDelimiterSplit", "delimiter": "!"}],
    "scripts": [{"type": "UnicodeScripts"}],
    **{
        f"punctuation {behavior}": [{"type": "Punctuation", "behavior": behavior}]
        for behavior in ("Isolated", "Removed", "Contiguous", "MergedWithPrevious")
    },
    "metaspace": [METASPACE],
    "metaspace without cuts": [METASPACE | {"split": False}],
    "words and metaspace": [{"type": "WhitespaceSplit"}, METASPACE],
    "byte level": [BYTE_LEVEL],
    "words and bytes": [{"type": "WhitespaceSplit"}, BYTE_LEVEL],
    "byte level without a space": [BYTE_LEVEL | {"add_prefix_space": False}],
    "digits and bytes": [split(r"\p{N}"), BYTE_LEVEL | {"use_regex": False}],
    "regex removed": [split(r"[a!]", "Removed")],
    "regex kept": [split(r"\p{L}+|\d", "Removed", invert=True)],
    "regex merged": [split(r"!", "MergedWithNext")],
    "gaps": [split(r"ab|!1")],
    "gpt2 and digits": [split(GPT2_PATTERN), {"type": "Digits", "individual_digits": True}],
}
ALPHABET = "ab1 !ж▁\n"
SILENT = {"gaps", "punctuation MergedWithPrevious", "metaspace without cuts", "regex merged"}
"""Chains about which nothing is known."""


@pytest.mark.long_but(8)
@pytest.mark.parametrize("chain", CHAINS)
def test_what_is_always_cut_stands_in_no_piece_of_any_text(documents: Documents, chain: str) -> None:
    sequence = {"type": "Sequence", "pretokenizers": CHAINS[chain]}
    asked = documents.loaded(document_of(pre_tokenizer=sequence), chain)
    cuts = Cuts(documents, CHAINS[chain])
    parts: set[str] = set()
    for size in range(1, 5):
        for text in map("".join, product(ALPHABET, repeat=size)):
            answer = asked.ask(PreTokenize(text))
            assert isinstance(answer, Pieces)
            parts.update(piece for piece, _ in answer.pieces)
    seen = {part[at : at + size] for part in parts for size in (1, 2, 3) for at in range(len(part) - size + 1)}
    for part in seen:
        assert not cuts.cut_in(part), part
    characters = {character for part in seen for character in part}
    assert {pair[0] for part in parts if len(part) > 1 for pair in pairwise(part)} <= characters
    for part in parts:
        for character in part if len(part) > 1 else "":
            assert not cuts.keeps_alone(character), part
    pairs = set(map("".join, product(sorted(characters.union(ALPHABET)), repeat=2)))
    assert any(map(cuts.cut_in, pairs - seen)) is (chain not in SILENT)


@pytest.mark.parametrize(
    ("chain", "text", "is_cut"),
    [
        ("byte level", "aĠb", True),
        ("byte level", "Ġb", False),
        ("byte level", "Ã", False),  # part of a character
        ("byte level", "©a", False),
        ("byte level", "a1", True),
        ("byte level", "ĠĠ", False),
        ("byte level", "'s", False),
        ("byte level", "'x", True),
        ("words and bytes", "Ġb", False),  # the space may have been put in
        ("words and bytes", "bĠ", True),
        ("digits and bytes", "1Ã", True),  # whatever begins so
        ("digits and bytes", "©1", True),
        ("digits and bytes", "aÃ", False),
        ("metaspace", "a▁", True),
        ("metaspace", "▁a", False),
        ("words and metaspace", "▁▁", True),
        ("bert", "a.b", True),
        ("bert", ".", False),
        ("bert", " ", True),
    ],
)
def test_single_rules(documents: Documents, chain: str, text: str, is_cut: bool) -> None:
    assert not chain.endswith(("byte level", "bytes")) or bytes_of(text) is not None
    assert bool(Cuts(documents, CHAINS[chain]).cut_in(text)) is is_cut
