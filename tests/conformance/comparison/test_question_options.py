"""Questions with options that a run does not vary, and variants of a tokenizer.json."""

from __future__ import annotations

import json
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
import tokenizers
from in_one_test import in_one_test

from tokenizer_adapters.contract import (
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    Failed,
    Observation,
    Outcome,
    Text,
    TokenizerSource,
)
from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.comparison.question_options import (
    LARGEST_ID,
    MOST_SPECIAL,
    PADDINGS,
    TRUNCATIONS,
    _drawn_truncation,
    _ids,
    document_variants,
    drawn_questions,
    numbered_variants,
    random_ids,
    random_words,
    varied_questions,
)
from tokenizer_conformance.comparison.questions import about_text
from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from collections.abc import Iterable

TEXT, OTHER = "one two  three", "four five"


def baseline(question: Observation) -> Outcome:
    """Answer with an id a character, and refuse a text that has an x."""
    if not isinstance(question, Encode):
        return Text("")
    words = [question.text, question.pair or ""]
    text = "".join(word if isinstance(word, str) else "".join(word) for word in words)
    return Failed("ValueError", "x") if "x" in text else Encoded(tuple(map(ord, text)))


def varied(text: str, other: str = OTHER, seed: int = 0) -> list[Observation]:
    return list(varied_questions(text, other, Random(seed), baseline))


def everything_asked() -> list[Observation]:
    return [question for seed in range(60) for question in varied(TEXT, OTHER, seed)]


SHAPES: dict[str, Any] = {
    "a pair, the text first": lambda q: q == Encode(TEXT, OTHER),
    "a pair, the text second": lambda q: q == Encode(OTHER, TEXT),
    "a pair without special tokens": lambda q: q == Encode(OTHER, TEXT, add_special_tokens=False),
    "a pair with nothing": lambda q: isinstance(q, Encode) and "" in (q.text, q.pair),
    "its words": lambda q: q == Encode(("one", "two", "", "three")),
    "its words without special tokens": lambda q: q == Encode(("one", "two", "", "three"), add_special_tokens=False),
    "words cut anywhere": lambda q: isinstance(q, Encode) and q.is_pretokenized and any(" " in word for word in q.text),
    "words in pairs": lambda q: isinstance(q, Encode) and q.is_pretokenized and q.pair is not None,
    "a batch of two": lambda q: isinstance(q, EncodeBatch) and len(q.inputs) == 2,
    "a batch of four": lambda q: isinstance(q, EncodeBatch) and len(q.inputs) == 4,
    "a batch with a pair": lambda q: isinstance(q, EncodeBatch) and any(each.pair for each in q.inputs),
    "a batch of words": lambda q: isinstance(q, EncodeBatch) and q.is_pretokenized,
    "a batch without special tokens": lambda q: isinstance(q, EncodeBatch) and not q.add_special_tokens,
    "ids backwards, kept": lambda q: q == Decode(tuple(map(ord, TEXT[::-1])), skip_special_tokens=False),
    "ids backwards, skipped": lambda q: q == Decode(tuple(map(ord, TEXT[::-1])), skip_special_tokens=True),
    "ids in another order": lambda q: isinstance(q, Decode) and sorted(q.ids) == sorted(map(ord, TEXT)),
    "ids one by one": lambda q: isinstance(q, DecodeStream) and len(q.ids) > 2,
    "ids in steps after a prompt": lambda q: isinstance(q, DecodeStream) and q.prompt and max(q.chunks) > 1,
    "ids of both": lambda q: isinstance(q, Decode) and {ord("f"), ord("t")} <= set(q.ids),
}


@in_one_test("shape", SHAPES)
def test_questions_of_every_shape_are_asked(shape: str) -> None:
    assert any(map(SHAPES[shape], everything_asked()))


def test_nothing_is_asked_twice_and_the_order_is_drawn() -> None:
    asked = varied(TEXT)
    assert len(set(asked)) == len(asked)
    assert varied(TEXT) == asked
    assert len({type(varied(TEXT, seed=seed)[0]) for seed in range(30)}) > 2


def test_what_is_not_encoded_is_in_no_batch() -> None:
    for seed in range(20):
        batches = [question for question in varied("x", OTHER, seed) if isinstance(question, EncodeBatch)]
        assert not any("x" in (each.text, each.pair) for batch in batches for each in batch.inputs)


@pytest.mark.parametrize("text", ["", " ", "a", " " * 300, "ab " * 500, "\u0301"])
def test_every_text_is_asked_about(text: str) -> None:
    for seed in range(10):
        assert len(varied(text, text, seed)) > 8


def test_what_is_drawn_begins_with_what_a_run_asks() -> None:
    asked = list(drawn_questions("a b", "c", [1], baseline, Random(0)))
    about = list(about_text("a b", baseline=baseline))
    assert asked[: len(about)] == about
    assert len(asked) >= len(about) + 6


def test_words_are_the_whole_text() -> None:
    for seed in range(50):
        words = random_words("ab cd", Random(seed))
        assert "ab cd" in ("".join(words), " ".join(words))


# Documents -----------------------------------------------------------------------------------------------------------

DOCUMENT: dict[str, Any] = {
    "truncation": None,
    "padding": None,
    "added_tokens": [{"id": 7, "content": "<PAD>"}],
    "model": {"type": "BPE"},
}


def variants(document: dict[str, Any], seed: int = 0) -> list[tuple[str, dict[str, Any]]]:
    return list(document_variants(document, Random(seed)))


def test_a_variant_has_another_truncation_or_padding_and_nothing_else() -> None:
    before = json.dumps(DOCUMENT)
    found = variants(DOCUMENT)
    assert json.dumps(DOCUMENT) == before
    for name, variant in found:
        assert (variant["truncation"], variant["padding"]) != (None, None), name
        assert {**variant, "truncation": None, "padding": None} == DOCUMENT
    assert len(found) >= len(TRUNCATIONS) + len(PADDINGS)
    assert len({name for name, _ in found}) >= len(found) - 2, "names tell variants apart"
    assert any(variant["truncation"] and variant["padding"] for _, variant in found)


def test_the_token_that_pads_is_that_of_the_file() -> None:
    padding = next(variant["padding"] for _, variant in variants(DOCUMENT) if variant["padding"])
    assert (padding["pad_id"], padding["pad_token"]) == (7, "<PAD>")
    given = {**DOCUMENT, "padding": {**padding, "pad_id": 9, "pad_token": "P"}}
    paddings = [variant["padding"] for _, variant in variants(given) if variant["padding"]]
    assert any((each["pad_id"], each["pad_token"]) == (9, "P") for each in paddings)


def test_what_the_file_has_is_no_variant_and_nothing_at_all_is_one() -> None:
    truncation = next(variant["truncation"] for _, variant in variants(DOCUMENT) if variant["truncation"])
    given = {**DOCUMENT, "truncation": truncation}
    found = [(variant["truncation"], variant["padding"]) for _, variant in variants(given)]
    assert (truncation, None) not in found
    assert (None, None) in found


def test_every_variant_loads_and_shows(tmp_path: Path) -> None:
    document = json.loads(Path(bundled_file("bert-mini")).read_text(encoding="utf-8"))
    implementation = select("tokenizers", Isolation()).build()
    seen = set()
    for number, (name, variant) in enumerate(document_variants(document, Random(3))):
        file = tmp_path / f"{number}.json"
        file.write_text(json.dumps(variant), encoding="utf-8")
        asked = loaded(implementation, TokenizerSource(name, str(file)))
        seen.add(tuple(asked.ask(Encode("Hello there, you of the world", pair)) for pair in (None, "and of more")))
    assert len(seen) > 15, "variants are seen in answers"


def test_drawn_ids_are_up_to_eight_known_ones_or_any() -> None:
    drawn = [random_ids(Random(seed), (1000, 1001)) for seed in range(200)]
    assert {len(ids) for ids in drawn} == set(range(9))
    of_known = [ids for ids in drawn if ids and {*ids} <= {1000, 1001}]
    assert 60 < len(of_known) < 140
    assert {len(ids) for ids in of_known} == set(range(1, 9))
    assert not any({*random_ids(Random(seed), ())} & {1000, 1001} for seed in range(50))


def test_ids_of_a_text_are_decoded_backwards_doubled_and_mixed() -> None:
    def encoded(question: Encode) -> Encoded:
        return Encoded((1, 2, 3) if question.text == "a" else (7, 8))

    asked = [each.ids for seed in range(60) for each in _ids("a", "b", Random(seed), encoded)]  # type: ignore[union-attr,arg-type]
    assert {(3, 2, 1), (1, 1, 2, 2, 3, 3), (1, 2, 3), (1, 2), (2, 3), (2, 1, 3)} <= {*asked}
    assert any({1, 7} <= {*ids} for ids in asked)


def test_the_stride_of_a_drawn_truncation_leaves_room_to_each_text() -> None:
    drawn = [_drawn_truncation(Random(seed)) for seed in range(300)]
    rooms = [(each["stride"], (each["max_length"] - MOST_SPECIAL) // 2) for each in drawn]
    assert all(0 <= stride < max(1, room) for stride, room in rooms)
    assert any(stride > 0 for stride, _ in rooms)


# What a seed means ---------------------------------------------------------------------------------------------------

LONG = "a longer text, of more than a few words, that is cut somewhere " * 3
TEXTS = {"words": (TEXT, OTHER), "long": (LONG, LONG[7:]), "nothing": ("", " "), "refused": ("x", "ab cd")}
OTHER_PAD = {**DOCUMENT, "added_tokens": [{"id": 1, "content": "a"}, {"id": 2, "content": "[pad]"}]}
PADDED = (DOCUMENT, OTHER_PAD, {**DOCUMENT, "added_tokens": []}, {**DOCUMENT, "padding": {"direction": "Left"}})
KNOWN_IDS = (1000, 1001, 70_000)


def drawn_of(what: str) -> Iterable[object]:
    match what.split(": "):
        case ["varied", name]:
            return (each for seed in range(50) for each in varied(*TEXTS[name], seed))
        case ["drawn", name]:
            drawn = partial(drawn_questions, *TEXTS[name], KNOWN_IDS, baseline)
            return (each for seed in range(50) for each in drawn(Random(seed)))
        case ["ids"]:
            return (random_ids(Random(seed), known) for seed in range(400) for known in ((), KNOWN_IDS))
        case ["variants"]:
            return (each for seed in range(10) for one in PADDED for each in variants(one, seed))
        case _:
            return numbered_variants(DOCUMENT)


@pytest.mark.parametrize(
    ("what", "digest"),
    [
        ("varied: words", "0ec7192ad99fc6ca"),
        ("varied: long", "8e574c9090452b5d"),
        ("varied: nothing", "6f822f93830f6075"),
        ("varied: refused", "d1da0b496824de8d"),
        ("drawn: words", "78a802c7681be063"),
        ("drawn: long", "95e0df55e5d76554"),
        ("drawn: nothing", "863db7782c90d766"),
        ("drawn: refused", "5cc0d199e09a45cb"),
        ("ids", "2e19aaa8b59535e0"),
        ("variants", "cfa67a64bc32a416"),
        ("numbered variants", "3da8b041eacd51db"),
    ],
)
def test_a_seed_draws_the_same_in_every_release(what: str, digest: str) -> None:
    """Who repeats a search of an earlier release, by its seed, is asked the same: where this changes, it is news."""
    assert sha256("\n".join(map(repr, drawn_of(what))).encode()).hexdigest()[:16] == digest


def test_the_largest_id_is_the_largest_that_is_taken() -> None:
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel({"a": 0}, "a"))
    assert tokenizer.decode([LARGEST_ID]) == ""
    with pytest.raises(OverflowError):
        tokenizer.decode([LARGEST_ID + 1])
