"""Faults planted in a copy of a tokenizer are hit by the generator for them, within a stated number of texts."""

from __future__ import annotations

import json
from base64 import b64encode
from random import Random
from typing import TYPE_CHECKING

import pytest
from tokenizers import Tokenizer

from tokenizer_conformance.inputs.random_tokenizers.charsmaps import charsmap
from tokenizer_conformance.inputs.text_generators.document_parts import parts_of
from tokenizer_conformance.inputs.text_generators.entries import entries_of
from tokenizer_conformance.inputs.text_generators.merges import merged
from tokenizer_conformance.inputs.text_generators.vocabulary import unreachable

if TYPE_CHECKING:
    from conftest import Bundled, Document, Made
    from tokenizer_conformance.inputs.text_generators.generator import Produced

ABSENT = "\ue123"
"""A character that no text has."""


def tokenizer_of(document: Document) -> Tokenizer:
    tokenizer = Tokenizer.from_str(json.dumps(document))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


class Hunt:
    """The first texts of a generator, and what the correct tokenizer makes of them."""

    def __init__(self, document: Document, produced: Produced, most: int) -> None:
        self._texts = [produced.text(number) for number in range(min(most, produced.count))]
        correct = tokenizer_of(document)
        self._expected = [self._answer(correct, text) for text in self._texts]

    def hits(self, faulty: Document) -> bool:
        tokenizer = tokenizer_of(faulty)
        return any(
            self._answer(tokenizer, text) != expected
            for text, expected in zip(self._texts, self._expected, strict=True)
        )

    @staticmethod
    def _answer(tokenizer: Tokenizer, text: str) -> tuple[object, ...]:
        encoding = tokenizer.encode(text)
        return encoding.ids, encoding.offsets, encoding.word_ids


def with_model(document: Document, **members: object) -> Document:
    return {**document, "model": {**document["model"], **members}}


def without_entry(document: Document, token: str) -> Document:
    vocabulary = document["model"]["vocab"]
    return with_model(document, vocab={(ABSENT if each == token else each): id for each, id in vocabulary.items()})


def without_character(document: Document, character: str) -> Document:
    """A fault on one character, wherever it stands."""
    fault = {"type": "Replace", "pattern": {"String": character}, "content": ABSENT}
    normalizer = document["normalizer"]
    return {
        **document,
        "normalizer": {"type": "Sequence", "normalizers": [fault, *([normalizer] if normalizer else [])]},
    }


@pytest.mark.parametrize("name", ["bert-mini", "wordlevel-mini"])
def test_an_entry_is_missing(name: str, bundled: Bundled, made: Made) -> None:
    document = bundled(name)
    hunt = Hunt(document, made("vocabulary-packs", document), 50)
    added = {token["content"] for token in document["added_tokens"]}
    reached = [
        token for token in parts_of(document).tokens if token not in added | set(unreachable(parts_of(document)))
    ]
    missed = [token for token in Random(1).sample(reached, 12) if not hunt.hits(without_entry(document, token))]
    assert missed == []


@pytest.mark.parametrize("name", ["gpt2-mini", "llama-mini"])
def test_a_merge_is_missing(name: str, bundled: Bundled, made: Made) -> None:
    document = bundled(name)
    merges = document["model"]["merges"]
    hunt = Hunt(document, made("merge-words", document), 70)
    unreached = set(unreachable(parts_of(document)))
    places = [place for place, merge in enumerate(merges) if "".join(merge) not in unreached]
    missed = [
        merges[place]
        for place in Random(2).sample(places, 12)
        if not hunt.hits(with_model(document, merges=merges[:place] + merges[place + 1 :]))
    ]
    assert len(missed) <= 1


def test_a_merge_comes_too_late(bundled: Bundled, made: Made) -> None:
    """Those are hunted that matter: with some word after them, the model makes other tokens."""
    document = bundled("gpt2-mini")
    merges = document["model"]["merges"]
    words = [token for token in parts_of(document).tokens if token.isascii() and token.isalpha()]
    hunt = Hunt(document, made("merge-rivals", document), 250)
    found = []
    for place in Random(3).sample(range(len(merges) - 100), 40):
        left, right = merges[place]
        late = [*merges[:place], *merges[place + 1 :], merges[place]]
        before, after = ({tuple(merge): rank for rank, merge in enumerate(rows)} for rows in (merges, late))
        joined = [left + right + word for word in words] if right.isascii() and right.isalpha() else []
        if any(merged(word, before) != merged(word, after) for word in joined):
            found.append(hunt.hits(with_model(document, merges=late)))
    assert len(found) >= 8
    assert found.count(False) <= 1


@pytest.mark.parametrize(("change", "least"), [(-30.0, 19), (-3.0, 10)])
def test_a_score_is_changed(change: float, least: int, bundled: Bundled, made: Made) -> None:
    """A score matters where there is another way; a character that only one piece covers has none."""
    document = bundled("xlnet-mini")
    vocabulary = document["model"]["vocab"]
    hunts = [Hunt(document, made(name, document), 250) for name in ("score-margins", "vocabulary-packs")]
    places = Random(4).sample([place for place, (piece, _) in enumerate(vocabulary) if len(piece) > 2], 20)
    found = 0
    for place in places:
        piece, score = vocabulary[place]
        changed = [*vocabulary[:place], [piece, score + change], *vocabulary[place + 1 :]]
        found += any(hunt.hits(with_model(document, vocab=changed)) for hunt in hunts)
    assert found >= least


def test_one_key_of_the_character_map_is_lost(made: Made, bundled: Bundled) -> None:
    table = {chr(number): chr(0x61 + number % 26) for number in range(0x100, 0x180)} | {"e\u0301": "é", "ﬁ": "fi"}

    def document(replacements: dict[str, str]) -> Document:
        encoded = b64encode(charsmap(replacements)).decode()
        return {**bundled("xlnet-mini"), "normalizer": {"type": "Precompiled", "precompiled_charsmap": encoded}}

    hunt = Hunt(document(table), made("charsmap-keys", document(table)), 16)
    lost = [*Random(5).sample(sorted(table), 10), "e\u0301", "ﬁ"]
    missed = [key for key in lost if not hunt.hits(document({each: table[each] for each in table if each != key}))]
    assert missed == []


@pytest.mark.parametrize("name", ["gpt2-mini", "bert-mini", "t5-mini", "llama-mini"])
def test_one_character_of_the_vocabulary_is_treated_wrongly(name: str, bundled: Bundled, made: Made) -> None:
    document = bundled(name)
    alphabet = [each for each in entries_of(parts_of(document)).alphabet if not each.isspace()]
    hunt = Hunt(document, made("vocabulary-characters", document), 30)
    chosen = Random(6).sample(alphabet, 20)
    assert [each for each in chosen if not hunt.hits(without_character(document, each))] == []


PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)

PATTERN_FAULTS = [
    ("'ll|", ""),
    ("(?i:", "(?:"),
    (r"\p{N}{1,3}", r"\p{N}{1,2}"),
    (r"\p{N}{1,3}", r"\p{N}+"),
    (r"\p{N}{1,3}", r"[0-9]{1,3}"),
    (r"\p{L}+|", r"[\p{L}\p{M}]+|"),
    (r"[^\r\n\p{L}\p{N}]?", r"[^\n\p{L}\p{N}]?"),
    (r"[^\r\n\p{L}\p{N}]?", r" ?"),
    (r"+[\r\n]*|", "+|"),
    (r"\s*[\r\n]+|", ""),
    (r"\s+(?!\S)|", ""),
    (r"[^\s\p{L}\p{N}]+", r"[^ \t\r\n\p{L}\p{N}]+"),
]


@pytest.mark.parametrize(("part", "wrong"), PATTERN_FAULTS)
def test_a_part_of_the_pattern_is_wrong(part: str, wrong: str, bundled: Bundled, made: Made) -> None:
    def document(pattern: str) -> Document:
        split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
        bytes_only = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
        return {
            **bundled("gpt2-mini"),
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": [split, bytes_only]},
        }

    correct = document(PATTERN)
    assert part in PATTERN
    assert Hunt(correct, made("pattern-branches", correct), 1000).hits(document(PATTERN.replace(part, wrong, 1)))


@pytest.mark.parametrize("flag", ["lstrip", "rstrip", "single_word", "normalized"])
def test_a_flag_of_an_added_token_is_ignored(flag: str, bundled: Bundled, made: Made) -> None:
    document = bundled("options-mini")
    produced = made("added-tokens", document)
    tokens = document["added_tokens"]
    hunts = [Hunt(document, produced, 300), Hunt(document, made("added-token-parts", document), 600)]
    flagged = [place for place, token in enumerate(tokens) if token[flag]]
    assert flagged
    for place in flagged:
        changed = [*tokens[:place], {**tokens[place], flag: False}, *tokens[place + 1 :]]
        assert any(hunt.hits({**document, "added_tokens": changed}) for hunt in hunts), tokens[place]


@pytest.mark.parametrize("most", [99, 101])
def test_the_longest_word_is_off_by_one(most: int, bundled: Bundled, made: Made) -> None:
    document = bundled("bert-mini")
    hunt = Hunt(document, made("limit-words", document), 60)
    assert hunt.hits(with_model(document, max_input_chars_per_word=most))
