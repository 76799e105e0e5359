"""What explains a difference, and what must not: selectors are asked about their own differences and planted ones."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import (
    Crashed,
    Decode,
    Encode,
    Encoded,
    Failed,
    Normalize,
    Pieces,
    PreTokenize,
    Text,
)
from tokenizer_conformance.changes.change import ChangedAnswer
from tokenizer_conformance.changes.reader import known_changes
from tokenizer_conformance.snapshot_file.saved_document import cut_down

if TYPE_CHECKING:
    from collections.abc import Callable

MODEL = {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}


def document(**parts: Any) -> dict[str, Any]:
    return {"model": MODEL, **parts}


def explained(difference: ChangedAnswer, old: str, new: str, package: str = "tokenizers") -> list[str]:
    return [change.id for change in known_changes().explaining(package, old, new, difference)]


def encoded(*tokens: tuple[str, int, int], **fields: Any) -> Encoded:
    return Encoded(
        ids=tuple(sum(map(ord, token)) for token, _, _ in tokens),
        tokens=tuple(token for token, _, _ in tokens),
        offsets=tuple((start, end) for _, start, end in tokens),
        word_ids=fields.pop("word_ids", tuple(range(len(tokens)))),
        attention_mask=fields.pop("attention_mask", (1,) * len(tokens)),
        **fields,
    )


def lowered(text: str, old: str, new: str) -> ChangedAnswer:
    return ChangedAnswer(
        stage="normalize",
        fields=("text",),
        question=Normalize(text),
        document=document(normalizer={"type": "Sequence", "normalizers": [{"type": "Lowercase"}]}),
        old=Text(old),
        new=Text(new),
    )


LOWERED = lowered("A\U00016ea0", "a\U00016ea0", "a\U00016ebb")
ENCODED = ChangedAnswer(
    stage="model",
    fields=("ids", "tokens"),
    question=Encode("one \U00016ea0x two", add_special_tokens=False),
    document=document(normalizer={"type": "Lowercase"}),
    old=encoded(("one", 0, 3), ("?", 4, 5), ("x", 5, 6), ("two", 7, 10)),
    new=encoded(("one", 0, 3), ("\U00016ebbx", 4, 6), ("two", 7, 10)),
)
PUNCT = {"type": "Split", "pattern": {"Regex": "[[:punct:]]"}, "behavior": "Isolated", "invert": False}
CUT = ChangedAnswer(
    stage="pre_tokenize",
    fields=("pieces",),
    question=PreTokenize("a+b cd"),
    document=document(pre_tokenizer=PUNCT),
    old=Pieces((("a+b cd", (0, 6)),)),
    new=Pieces((("a", (0, 1)), ("+", (1, 2)), ("b cd", (2, 6)))),
)
PADDED = ChangedAnswer(
    stage="post_process",
    fields=("sequence_ids",),
    question=Encode("a"),
    document=document(padding={"direction": "Left"}),
    old=encoded(("p", 0, 0), ("p", 0, 0), ("a", 0, 1), attention_mask=(0, 0, 1), sequence_ids=(0, None, None)),
    new=encoded(("p", 0, 0), ("p", 0, 0), ("a", 0, 1), attention_mask=(0, 0, 1), sequence_ids=(None, None, 0)),
)
OVERFLOW = encoded(("b", 2, 3))
TRUNCATED = ChangedAnswer(
    stage="model",
    fields=("overflowing",),
    question=Encode("a b", add_special_tokens=False),
    document=document(truncation={"max_length": 1, "direction": "Right", "strategy": "LongestFirst", "stride": 0}),
    old=encoded(("a", 0, 1), overflowing=(OVERFLOW,)),
    new=encoded(("a", 0, 1), overflowing=()),
)
WHOLE = ChangedAnswer(
    stage="model",
    fields=("ids", "tokens"),
    question=Encode("ab", add_special_tokens=False),
    document={"model": {"type": "BPE", "ignore_merges": True}},
    old=encoded(("a", 0, 1), ("b", 1, 2), word_ids=(0, 0)),
    new=encoded(("ab", 0, 0), word_ids=(0,)),
)
SPANS = replace(WHOLE, fields=("offsets",), old=encoded(("ab", 0, 0)), new=encoded(("ab", 0, 2)))
BYTES = ChangedAnswer(
    stage="model",
    fields=("ids", "tokens"),
    question=Encode("xa", add_special_tokens=False),
    document={"model": {"type": "Unigram", "byte_fallback": True}},
    old=encoded(("x", 0, 1), ("a", 1, 2)),
    new=encoded(("<0x78>", 0, 1), ("a", 1, 2)),
)
WHOLE_TEXT = ChangedAnswer(
    stage="pre_tokenize",
    fields=("pieces",),
    question=PreTokenize("a b"),
    document=document(pre_tokenizer={"type": "Metaspace", "replacement": "_", "split": False}),
    old=Pieces((("_a", (0, 1)), ("_b", (1, 3)))),
    new=Pieces((("_a_b", (0, 3)),)),
)
TOKEN = {"id": 3, "content": "ABC", "normalized": True, "special": False}
DECODED = ChangedAnswer(
    stage="decode",
    fields=("text",),
    question=Decode((1, 3)),
    document=document(added_tokens=[TOKEN]),
    old=Text("a ABC"),
    new=Text("a abc"),
)
NO_DROPOUT = ChangedAnswer(
    stage="load",
    kind="refused",
    document={"model": {"type": "BPE", "dropout": 0.0}},
    old="Exception: data did not match any variant of untagged enum ModelWrapper at line 1 column 2",
)
PAIRS = replace(NO_DROPOUT, document={"model": {"type": "BPE", "merges": [["a", "b"]]}})
WORDS = replace(NO_DROPOUT, document=document(), new="Exception: missing field `unk_token` at line 1 column 210")
STRIDE = ChangedAnswer(
    stage="post_process",
    kind="crashed",
    question=Encode("a b"),
    document=document(truncation={"max_length": 2}),
    old=Crashed("assertion failed: stride < max_len"),
    new=Crashed("`stride` must be strictly less than `max_len=2` (note that …)"),
)
PADDED_OVERFLOW = replace(
    PADDED,
    fields=("overflowing",),
    old=encoded(("b", 1, 2), sequence_ids=(0,), overflowing=(PADDED.old,)),
    new=encoded(("b", 1, 2), sequence_ids=(0,), overflowing=(PADDED.new,)),
)
OF_THE_MODEL = {"id": 7, "content": "ing", "normalized": False, "special": False}
FOUND = ChangedAnswer(
    stage="model",
    fields=("ids", "tokens", "offsets"),
    question=Encode("a things b", add_special_tokens=False),
    document={
        "model": {"type": "WordPiece", "vocab": {"a": 0, "ing": sum(map(ord, "ing"))}},
        "added_tokens": [OF_THE_MODEL],
    },
    old=encoded(("a", 0, 1), ("thing", 2, 7), ("##s", 7, 8), ("b", 9, 10)),
    new=encoded(("a", 0, 1), ("th", 2, 4), ("ing", 4, 7), ("s", 7, 8), ("b", 9, 10)),
)
PRE_TOKENIZER_REFUSED = (
    "Exception: data did not match any variant of untagged enum PyPreTokenizerTypeWrapper at line 105 column 3"
)
NO_PREFIX_SPACE = ChangedAnswer(
    stage="load",
    kind="refused",
    document=document(pre_tokenizer={"type": "Metaspace", "replacement": "_", "prepend_scheme": "always"}),
    old=PRE_TOKENIZER_REFUSED,
)
NO_PREFIX_SPACE_AND_PAIRS = replace(
    NO_PREFIX_SPACE,
    new="Exception: data did not match any variant of untagged enum ModelWrapper at line 156460 column 3",
)
MAP_LOST = ChangedAnswer(
    stage="normalize",
    fields=("text",),
    question=Normalize("\uff21b"),
    document=document(normalizer={"type": "Precompiled"}),
    old=Text("Ab"),
    new=Text("\uff21b"),
)

EXPLAINED: list[tuple[str, str, str, ChangedAnswer]] = [
    ("lowercase-of-unicode-17", "0.22.1", "0.23.3", LOWERED),
    ("lowercase-of-unicode-17", "0.22.1", "0.22.2", ENCODED),
    ("bracketed-punct-has-symbols", "0.21.1", "0.21.2", CUT),
    ("left-padding-moves-sequences", "0.13.3", "0.23.3", PADDED),
    ("truncation-stops-early", "0.22.2", "0.23.1", TRUNCATED),
    ("bpe-ignore-merges", "0.15.2", "0.20.0", WHOLE),
    ("bpe-ignore-merges-spans", "0.20.0", "0.20.1", SPANS),
    ("unigram-byte-fallback", "0.13.3", "0.14.0", BYTES),
    ("metaspace-split", "0.15.2", "0.19.1", WHOLE_TEXT),
    ("added-tokens-decoded-normalized", "0.22.2", "0.23.3", DECODED),
    ("bpe-dropout-zero", "0.19.1", "0.20.0", NO_DROPOUT),
    ("merges-loaded-as-pairs", "0.19.1", "0.20.0", PAIRS),
    ("model-refusals-name-the-cause", "0.19.1", "0.20.0", WORDS),
    ("stride-error-names-the-length", "0.13.3", "0.14.0", STRIDE),
    ("left-padding-moves-sequences", "0.13.3", "0.14.0", PADDED_OVERFLOW),
    ("added-token-of-the-model-is-found", "0.13.3", "0.14.0", FOUND),
    ("metaspace-without-prefix-space-loads", "0.15.2", "0.19.1", NO_PREFIX_SPACE),
    ("metaspace-without-prefix-space-loads", "0.15.2", "0.19.1", NO_PREFIX_SPACE_AND_PAIRS),
]


@pytest.mark.parametrize(("id_", "old", "new", "difference"), EXPLAINED, ids=lambda value: str(value)[:40])
def test_a_change_explains_its_difference_in_either_direction(
    id_: str, old: str, new: str, difference: ChangedAnswer
) -> None:
    assert explained(difference, old, new) == [id_]
    assert explained(replace(difference, old=difference.new, new=difference.old), new, old) == [id_]


@pytest.mark.parametrize(("id_", "old", "new", "difference"), EXPLAINED, ids=lambda value: str(value)[:40])
def test_a_change_that_does_not_lie_between_the_releases_explains_nothing(
    id_: str, old: str, new: str, difference: ChangedAnswer
) -> None:
    assert explained(difference, new, new) == []
    assert explained(difference, "0.14.1", "0.15.0") == []
    assert id_ in {change.id for change in known_changes().between("tokenizers", old, new)}


PLANTED: list[tuple[str, str, str, ChangedAnswer]] = [
    ("another text", "0.22.1", "0.22.2", lowered("Hello", "Hello", "hello")),
    ("another image", "0.22.1", "0.22.2", lowered("\U00016ea0", "\U00016ea0", "?")),
    ("more than that", "0.22.1", "0.22.2", lowered("AB\U00016ea0", "AB\U00016ea0", "ab\U00016ebb")),
    ("another normalizer", "0.22.1", "0.22.2", replace(LOWERED, document=document(normalizer={"type": "NFC"}))),
    ("no document", "0.22.1", "0.22.2", replace(LOWERED, document=None)),
    ("no answers", "0.22.1", "0.22.2", replace(LOWERED, old=None, new=None)),
    ("the wrong way round", "0.22.1", "0.22.2", replace(LOWERED, old=LOWERED.new, new=LOWERED.old)),
    ("an error", "0.22.1", "0.22.2", replace(LOWERED, new=Failed("ValueError", "no"))),
    (
        "a word further on",
        "0.22.1",
        "0.22.2",
        replace(ENCODED, new=encoded(("one", 0, 3), ("\U00016ebbx", 4, 6), ("twx", 7, 10))),
    ),
    (
        "other pattern",
        "0.21.1",
        "0.21.2",
        replace(CUT, document=document(pre_tokenizer={**PUNCT, "pattern": {"Regex": "x"}})),
    ),
    ("cut elsewhere", "0.21.1", "0.21.2", replace(CUT, new=Pieces((("a+b", (0, 3)), (" cd", (3, 6)))))),
    ("a token of its own", "0.13.3", "0.14.0", replace(PADDED, new=replace(PADDED.new, sequence_ids=(None, 0, 0)))),  # type: ignore[type-var]
    ("other ids", "0.13.3", "0.14.0", replace(PADDED, new=replace(PADDED.new, ids=(1, 2, 3)))),  # type: ignore[type-var]
    ("another token kept", "0.22.2", "0.23.1", replace(TRUNCATED, new=encoded(("b", 2, 3), overflowing=()))),
    (
        "more that overflows",
        "0.22.2",
        "0.23.1",
        replace(TRUNCATED, new=replace(TRUNCATED.old, overflowing=(OVERFLOW, OVERFLOW))),
    ),  # type: ignore[type-var]
    ("another word", "0.15.2", "0.20.0", replace(WHOLE, new=encoded(("ax", 0, 0)))),
    ("another start", "0.20.0", "0.20.1", replace(SPANS, new=encoded(("ab", 1, 2)))),
    ("no bytes", "0.13.3", "0.14.0", replace(BYTES, new=encoded(("y", 0, 1), ("a", 1, 2)))),
    ("bytes elsewhere", "0.13.3", "0.14.0", replace(BYTES, new=encoded(("<0x78>", 0, 1), ("b", 1, 2)))),
    ("another text in pieces", "0.15.2", "0.19.1", replace(WHOLE_TEXT, new=Pieces((("_a_c", (0, 3)),)))),
    ("another added token", "0.22.2", "0.23.3", replace(DECODED, new=Text("b abc"))),
    (
        "raw added tokens",
        "0.22.2",
        "0.23.3",
        replace(DECODED, document=document(added_tokens=[{**TOKEN, "normalized": False}])),
    ),
    ("a token not asked for", "0.22.2", "0.23.3", replace(DECODED, question=Decode((1, 2)))),
    ("other words", "0.19.1", "0.20.0", replace(NO_DROPOUT, old="Exception: out of memory")),
    ("dropout", "0.19.1", "0.20.0", replace(NO_DROPOUT, document={"model": {"type": "BPE", "dropout": 0.5}})),
    ("merges as strings", "0.19.1", "0.20.0", replace(PAIRS, document={"model": {"type": "BPE", "merges": ["a b"]}})),
    ("another refusal", "0.19.1", "0.20.0", replace(WORDS, new="OSError: no such file")),
    ("a value", "0.13.3", "0.14.0", replace(STRIDE, new=encoded(("a", 0, 1)))),
    (
        "another overflow",
        "0.13.3",
        "0.14.0",
        replace(PADDED_OVERFLOW, new=replace(PADDED_OVERFLOW.new, overflowing=(OVERFLOW,))),  # type: ignore[type-var]
    ),
    (
        "an overflow that did not move",
        "0.13.3",
        "0.14.0",
        replace(PADDED_OVERFLOW, new=replace(PADDED_OVERFLOW.old, overflowing=(PADDED.old, PADDED.new))),  # type: ignore[type-var]
    ),
    (
        "an overflow with other ids",
        "0.13.3",
        "0.14.0",
        replace(
            PADDED_OVERFLOW,
            new=replace(PADDED_OVERFLOW.new, overflowing=(replace(PADDED.new, ids=(1, 2, 3)),)),  # type: ignore[type-var]
        ),
    ),
    (
        "an added token that the model has not",
        "0.13.3",
        "0.14.0",
        replace(FOUND, document={"model": {"type": "WordPiece", "vocab": {"a": 0}}, "added_tokens": [OF_THE_MODEL]}),
    ),
    (
        "a special token",
        "0.13.3",
        "0.14.0",
        replace(FOUND, document={**(FOUND.document or {}), "added_tokens": [{**OF_THE_MODEL, "special": True}]}),
    ),
    (
        "another word of the text",
        "0.13.3",
        "0.14.0",
        replace(FOUND, new=encoded(("x", 0, 1), ("th", 2, 4), ("ing", 4, 7), ("s", 7, 8), ("b", 9, 10))),
    ),
    (
        "the token elsewhere",
        "0.13.3",
        "0.14.0",
        replace(FOUND, new=encoded(("a", 0, 1), ("ing", 2, 7), ("##s", 7, 8), ("b", 9, 10))),
    ),
    (
        "cut without a token",
        "0.13.3",
        "0.14.0",
        replace(FOUND, new=encoded(("a", 0, 1), ("th", 2, 4), ("ings", 4, 8), ("b", 9, 10))),
    ),
    (
        "found before",
        "0.13.3",
        "0.14.0",
        replace(FOUND, old=encoded(("a", 0, 1), ("tx", 2, 4), ("ing", 4, 7), ("s", 7, 8), ("b", 9, 10))),
    ),
    (
        "a Metaspace with a prefix space",
        "0.15.2",
        "0.19.1",
        replace(
            NO_PREFIX_SPACE,
            document=document(
                pre_tokenizer={"type": "Metaspace", "replacement": "_", "add_prefix_space": True},
                decoder={"type": "Metaspace", "replacement": "_"},
            ),
        ),
    ),
    (
        "another pre-tokenizer refused",
        "0.15.2",
        "0.19.1",
        replace(NO_PREFIX_SPACE, document=document(pre_tokenizer={"type": "FixedLength", "length": 2})),
    ),
    ("the pre-tokenizer refused still", "0.15.2", "0.19.1", replace(NO_PREFIX_SPACE, new=PRE_TOKENIZER_REFUSED)),
    (
        "a refusal further ahead",
        "0.15.2",
        "0.19.1",
        replace(
            NO_PREFIX_SPACE_AND_PAIRS,
            new="Exception: data did not match any variant of untagged enum ModelWrapper at line 104 column 3",
        ),
    ),
    ("a refusal of another kind", "0.15.2", "0.19.1", replace(NO_PREFIX_SPACE, new="OSError: no such file")),
]


@pytest.mark.parametrize(("name", "old", "new", "difference"), PLANTED, ids=[row[0] for row in PLANTED])
def test_another_difference_is_not_explained(name: str, old: str, new: str, difference: ChangedAnswer) -> None:  # noqa: ARG001
    assert explained(difference, old, new) == []


def test_two_versions_of_unicode_in_one_text_take_both_changes() -> None:
    both = lowered("\U00016ea0\ua7cb", "\U00016ea0\ua7cb", "\U00016ebb\u0264")
    assert explained(both, "0.21.0", "0.22.2") == ["lowercase-of-unicode-16", "lowercase-of-unicode-17"]
    assert explained(replace(both, old=both.new, new=both.old), "0.22.2", "0.21.0") != []
    assert explained(both, "0.21.1", "0.22.2") == []


def test_a_change_that_was_taken_back_explains_nothing_across_it() -> None:
    assert explained(TRUNCATED, "0.22.2", "0.23.3") == []
    back = replace(TRUNCATED, old=TRUNCATED.new, new=TRUNCATED.old)
    assert explained(back, "0.23.2", "0.23.3") == ["truncation-stops-early"]


def saved(old: dict[str, Any], new: dict[str, Any]) -> ChangedAnswer:
    return ChangedAnswer(stage="save", fields=("document",), document=old, old=json.dumps(old), new=json.dumps(new))


def test_a_saved_file_is_explained_where_every_place_is() -> None:
    before = {"model": {"type": "BPE", "vocab": {"a": 0}, "merges": ["a b"]}}
    after = {"model": {"type": "BPE", "ignore_merges": False, "vocab": {"a": 0}, "merges": [["a", "b"]]}}
    assert explained(saved(before, after), "0.15.2", "0.23.3") == ["bpe-saves-ignore-merges", "merges-saved-as-pairs"]
    after["model"]["vocab"] = {"a": 1}
    assert explained(saved(before, after), "0.15.2", "0.23.3") == []


def in_snapshots(old: list[Any], new: list[Any]) -> ChangedAnswer:
    """Return the difference of two files with these merges as snapshots hold them, many merges as their digest."""
    kept = [cut_down(json.dumps({"model": {"type": "BPE", "merges": merges}})) for merges in (old, new)]
    return saved(kept[0], kept[1])


def test_merges_in_another_form_are_explained_also_where_they_stand_as_a_digest() -> None:
    strings = [f"a {number}" for number in range(60)]
    pairs = [merge.split(" ") for merge in strings]
    assert explained(in_snapshots(strings, pairs), "0.19.1", "0.20.0") == ["merges-saved-as-pairs"]
    assert explained(in_snapshots(pairs, strings), "0.20.0", "0.19.1") == ["merges-saved-as-pairs"]
    assert explained(in_snapshots(pairs, strings), "0.19.1", "0.20.0") == []


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(lambda pairs: [*pairs[:30], ["a", "x"], *pairs[31:]], id="another merge"),
        pytest.param(lambda pairs: [pairs[1], pairs[0], *pairs[2:]], id="another order"),
        pytest.param(lambda pairs: pairs[:-1], id="one missing"),
        pytest.param(lambda pairs: [*pairs, ["a", "b c"]], id="one with a space"),
    ],
)
def test_other_merges_are_seen_behind_another_form(other: Callable[[list[list[str]]], list[list[str]]]) -> None:
    strings = [f"a {number}" for number in range(60)]
    changed = in_snapshots(strings, other([merge.split(" ") for merge in strings]))
    assert explained(changed, "0.19.1", "0.20.0") == []


def test_a_lost_character_map_is_no_excuse_for_other_letters() -> None:
    found = explained(MAP_LOST, "4.57.6", "5.0.0", "transformers")
    assert "t5-loses-character-map" in found
    assert explained(replace(MAP_LOST, new=Text("\uff21c")), "4.57.6", "5.0.0", "transformers") == []
    assert (
        explained(replace(MAP_LOST, question=Normalize("Ab"), new=Text("ab")), "4.57.6", "5.0.0", "transformers") == []
    )


def test_words_of_a_refusal_are_asked_for_where_a_pattern_of_them_is_given() -> None:
    open_ = {
        change.id
        for change in known_changes().changes
        if change.selector
        for pattern in (change.selector.old, change.selector.new)
        if pattern is not None and re.fullmatch(pattern, "") is not None
    }
    assert open_ == {"metaspace-without-prefix-space-loads"}


def test_every_selector_is_asked_about_here_or_told_by_refusals() -> None:
    rules = {change.selector.relation for change in known_changes().changes if change.selector} - {None}
    asked = {
        change.selector.relation
        for change in known_changes().changes
        if change.selector and change.id in {row[0] for row in EXPLAINED} | {"t5-loses-character-map"}
    }
    assert {rule for rule in rules if not str(rule).startswith("saves-")} - asked == {"component-is-an-empty-list"}
