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
from tokenizer_conformance.releases.known_changes.change import ChangedAnswer
from tokenizer_conformance.releases.known_changes.reader import known_changes
from tokenizer_conformance.releases.snapshot_file.saved_document import cut_down

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
TRUNCATION = {"max_length": 1, "direction": "Right", "strategy": "LongestFirst", "stride": 0}
OVERFLOW = encoded(("b", 2, 3), word_ids=(1,))
TRUNCATED = ChangedAnswer(
    stage="model",
    fields=("overflowing",),
    question=Encode("a b", add_special_tokens=False),
    document=document(truncation=TRUNCATION),
    old=encoded(("a", 0, 1), overflowing=(OVERFLOW,)),
    new=encoded(("a", 0, 1), overflowing=()),
)


def numbered(*tokens: tuple[int, int, int], **fields: Any) -> Encoded:
    """Return tokens of which each is a word of its own, every second character of the text."""
    return Encoded(
        ids=tuple(id_ for id_, _, _ in tokens),
        offsets=tuple((start, end) for _, start, end in tokens),
        word_ids=tuple(start // 2 for _, start, _ in tokens),
        **fields,
    )


def overflows(*tokens: tuple[int, int, int]) -> ChangedAnswer:
    """Return the difference of a text of six words that is cut at two: parts of two, and ``tokens`` in their place."""
    kept = ((1, 0, 1), (2, 2, 3))
    parts = (numbered((3, 4, 5), (4, 6, 7)), numbered((5, 8, 9), (6, 10, 11)))
    return replace(
        TRUNCATED,
        question=Encode("a b c d e f", add_special_tokens=False),
        document=document(truncation={**TRUNCATION, "max_length": 2}),
        old=numbered(*kept, overflowing=parts),
        new=numbered(*kept, overflowing=(numbered(*tokens),) if tokens else ()),
    )


WHOLE = ChangedAnswer(
    stage="model",
    fields=("ids", "tokens"),
    question=Encode("ab", add_special_tokens=False),
    document={
        "model": {"type": "BPE", "ignore_merges": True, "vocab": {"a": ord("a"), "b": ord("b"), "ab": sum(b"ab")}}
    },
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
    document=document(
        pre_tokenizer={"type": "Metaspace", "replacement": "_", "prepend_scheme": "always", "split": False}
    ),
    old=Pieces((("_a", (0, 1)), ("_b", (1, 3)))),
    new=Pieces((("_a_b", (0, 3)),)),
)
TOKEN = {
    "id": 3,
    "content": "ABC",
    "single_word": False,
    "lstrip": False,
    "rstrip": False,
    "normalized": True,
    "special": False,
}
LOWERING = {"type": "Lowercase"}
WORDS_TO_DECODE = {"type": "WordLevel", "vocab": {"a": 1}, "unk_token": "a"}
DECODED = ChangedAnswer(
    stage="decode",
    fields=("text",),
    question=Decode((1, 3)),
    document={"model": WORDS_TO_DECODE, "normalizer": LOWERING, "added_tokens": [TOKEN]},
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
HUGE = ChangedAnswer(
    stage="load",
    kind="refused",
    document=document(truncation={**TRUNCATION, "max_length": 2**70}),
    old="Exception: invalid type: floating point `1.1805916207174113e21`, expected usize at line 1 column 92",
    new="Exception: invalid type: floating point `1.1805916207174113e+21`, expected usize at line 1 column 92",
)

EXPLAINED: list[tuple[str, str, str, ChangedAnswer]] = [
    ("lowercase-of-unicode-17", "0.22.1", "0.23.3", LOWERED),
    ("lowercase-of-unicode-17", "0.22.1", "0.22.2", ENCODED),
    ("bracketed-punct-has-symbols", "0.21.1", "0.21.2", CUT),
    ("left-padding-moves-sequences", "0.13.3", "0.23.3", PADDED),
    ("truncation-stops-early", "0.22.2", "0.23.1", TRUNCATED),
    ("truncation-stops-early", "0.22.2", "0.23.1", overflows()),
    ("bpe-ignore-merges", "0.15.2", "0.20.0", WHOLE),
    ("bpe-ignore-merges-spans", "0.20.0", "0.20.1", SPANS),
    ("unigram-byte-fallback", "0.13.3", "0.14.0", BYTES),
    ("metaspace-split", "0.15.2", "0.19.1", WHOLE_TEXT),
    ("added-tokens-decoded-normalized", "0.22.2", "0.23.3", DECODED),
    ("refused-number-has-a-signed-exponent", "0.22.2", "0.23.1", HUGE),
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
    ("other tokens that overflow", "0.22.2", "0.23.1", overflows((99, 4, 6), (98, 6, 8))),
    ("the second part alone", "0.22.2", "0.23.1", overflows((5, 8, 9), (6, 10, 11))),
    ("cut before the length is reached", "0.22.2", "0.23.1", overflows((3, 4, 5))),
    ("a token more than fits", "0.22.2", "0.23.1", overflows((3, 4, 5), (4, 6, 7))),
    ("another word", "0.15.2", "0.20.0", replace(WHOLE, new=encoded(("ax", 0, 0)))),
    ("another start", "0.20.0", "0.20.1", replace(SPANS, new=encoded(("ab", 1, 2)))),
    ("another id of the word", "0.15.2", "0.20.0", replace(WHOLE, new=replace(WHOLE.new, ids=(1,)))),  # type: ignore[type-var]
    (
        "other ids of an unchanged word",
        "0.15.2",
        "0.20.0",
        replace(
            WHOLE,
            question=Encode("ab c", add_special_tokens=False),
            old=encoded(("a", 0, 1), ("b", 1, 2), ("c", 3, 4), word_ids=(0, 0, 1)),
            new=replace(encoded(("ab", 0, 0), ("c", 3, 4)), ids=(sum(b"ab"), 1)),
        ),
    ),
    (
        "other tokens that overflow beside spans",
        "0.20.0",
        "0.20.1",
        replace(
            SPANS,
            old=encoded(("ab", 0, 0), overflowing=(encoded(("c", 3, 4)),)),
            new=encoded(("ab", 0, 2), overflowing=(encoded(("d", 3, 4)),)),
        ),
    ),
    ("bytes of another letter", "0.13.3", "0.14.0", replace(BYTES, new=encoded(("<0x79>", 0, 1), ("a", 1, 2)))),
    (
        "other type ids further on",
        "0.22.1",
        "0.22.2",
        replace(
            ENCODED,
            old=replace(ENCODED.old, type_ids=(0, 0, 0, 0)),  # type: ignore[type-var]
            new=replace(ENCODED.new, type_ids=(0, 0, 1)),  # type: ignore[type-var]
        ),
    ),
    ("no bytes", "0.13.3", "0.14.0", replace(BYTES, new=encoded(("y", 0, 1), ("a", 1, 2)))),
    ("bytes elsewhere", "0.13.3", "0.14.0", replace(BYTES, new=encoded(("<0x78>", 0, 1), ("b", 1, 2)))),
    (
        "pieces joined in part",
        "0.15.2",
        "0.19.1",
        replace(
            WHOLE_TEXT,
            question=PreTokenize("a b c"),
            old=Pieces((("_a", (0, 1)), ("_b", (1, 3)), ("_c", (3, 5)))),
            new=Pieces((("_a", (0, 1)), ("_b_c", (1, 5)))),
        ),
    ),
    ("another span of the whole", "0.15.2", "0.19.1", replace(WHOLE_TEXT, new=Pieces((("_a_b", (1, 3)),)))),
    ("another text in pieces", "0.15.2", "0.19.1", replace(WHOLE_TEXT, new=Pieces((("_a_c", (0, 3)),)))),
    ("another added token", "0.22.2", "0.23.3", replace(DECODED, new=Text("b abc"))),
    ("another exponent", "0.22.2", "0.23.1", replace(HUGE, new=str(HUGE.new).replace("e+21", "e+22"))),
    ("a number refused elsewhere", "0.22.2", "0.23.1", replace(HUGE, new=str(HUGE.new).replace("n 92", "n 93"))),
    ("another type expected", "0.22.2", "0.23.1", replace(HUGE, new=str(HUGE.new).replace("usize", "u32"))),
    ("a text that no normalizer makes", "0.22.2", "0.23.3", replace(DECODED, new=Text("a GARBLED"))),
    ("the token twice", "0.22.2", "0.23.3", replace(DECODED, new=Text("a abc abc"))),
    ("another text before", "0.22.2", "0.23.3", replace(DECODED, old=Text("a  ABC"))),
    (
        "a normalizer that leaves the token alone",
        "0.22.2",
        "0.23.3",
        replace(DECODED, document={**(DECODED.document or {}), "normalizer": {"type": "NFC"}}),
    ),
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
    assert explained(replace(both, new=Text("\U00016ebb\U00016ebb")), "0.21.0", "0.22.2") == []
    assert explained(replace(both, new=Text("\u0264\U00016ebb")), "0.21.0", "0.22.2") == []


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


MAP_LOST_IN_TOKENS = replace(
    MAP_LOST,
    stage="model",
    fields=("ids", "tokens"),
    question=Encode("a \uff21b \xe9", add_special_tokens=False),
    old=encoded(("a", 0, 1), ("Ab", 2, 4), ("\xe9", 5, 6)),
    new=encoded(("a", 0, 1), ("?", 2, 3), ("b", 3, 4), ("\xe9", 5, 6)),
)
CHARACTER_MAPS = ["t5-loses-character-map", "albert-loses-character-map", "xlnet-loses-character-map"]
MASK = {"id": sum(map(ord, "<mask>")), "content": "<mask>", "special": True, "lstrip": False}
MASK_MOVED = ChangedAnswer(
    stage="model",
    fields=("offsets",),
    question=Encode("a  <mask>", add_special_tokens=False),
    document=document(added_tokens=[MASK]),
    old=replace(encoded(("a", 0, 1), ("<mask>", 1, 9)), tokens=("a", "  <mask>")),
    new=encoded(("a", 0, 1), ("<mask>", 3, 9)),
)
METASPACE = document(pre_tokenizer={"type": "Metaspace", "replacement": "\u2581"})
CUT_AT_SPACES = ChangedAnswer(
    stage="pre_tokenize",
    fields=("pieces",),
    question=PreTokenize("a  b\tc"),
    document=METASPACE,
    old=Pieces((("\u2581a", (0, 1)), ("\u2581", (1, 2)), ("\u2581b\tc", (2, 6)))),
    new=Pieces((("\u2581a", (0, 1)), ("\u2581b", (3, 4)), ("\u2581c", (5, 6)))),
)
SPANS_WITHOUT_SPACE = ChangedAnswer(
    stage="model",
    fields=("offsets",),
    question=Encode("a  b", add_special_tokens=False),
    document=METASPACE,
    old=encoded(("\u2581a", 0, 1), ("\u2581b", 2, 4)),
    new=encoded(("\u2581a", 0, 1), ("\u2581b", 3, 4)),
)
END_STRIPPED = ChangedAnswer(
    stage="normalize",
    fields=("text",),
    question=Normalize("a \n"),
    document=METASPACE,
    old=Text("a \n"),
    new=Text("a"),
)
LAST_TOKEN_GONE = ChangedAnswer(
    stage="model",
    fields=("ids",),
    question=Encode("a ", add_special_tokens=False),
    document=METASPACE,
    old=encoded(("\u2581a", 0, 1), ("\u2581", 1, 2)),
    new=encoded(("\u2581a", 0, 1)),
)
CLEANED_UP = ChangedAnswer(
    stage="decode",
    fields=("text",),
    question=Decode((1, 2)),
    document={"model": {"type": "BPE"}},
    old=Text("I'm, he doesn't. a'b"),
    new=Text("I 'm , he does n't . a ' b"),
)

PREPENDED = document(normalizer={"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "\u2581"}]})
NOT_PREPENDED = ChangedAnswer(
    stage="normalize",
    fields=("text",),
    question=Normalize(" a b"),
    document=PREPENDED,
    old=Text("\u2581\u2581a\u2581b"),
    new=Text(" a b"),
)
MARKED_LATER = ChangedAnswer(
    stage="pre_tokenize",
    fields=("pieces",),
    question=PreTokenize(" a b"),
    document=PREPENDED,
    old=Pieces(((" a b", (0, 4)),)),
    new=Pieces((("\u2581a\u2581b", (0, 4)),)),
)
JOINED = ChangedAnswer(
    stage="normalize",
    fields=("text",),
    question=Normalize("a  b"),
    document=document(normalizer={"type": "Sequence", "normalizers": [{"type": "StripAccents"}]}),
    old=Text("a  b   "),
    new=Text("a b "),
)

OF_TRANSFORMERS: list[tuple[list[str], str, str, ChangedAnswer]] = [
    ([*CHARACTER_MAPS, "camembert-loses-character-map"], "4.57.6", "5.0.0", MAP_LOST),
    ([*CHARACTER_MAPS, "camembert-loses-character-map"], "4.57.6", "5.0.0", MAP_LOST_IN_TOKENS),
    (["xlnet-mask-keeps-space"], "4.57.6", "5.0.0", MASK_MOVED),
    (["camembert-cuts-at-white-space"], "5.13.1", "5.14.0", CUT_AT_SPACES),
    (["camembert-cuts-at-white-space"], "5.13.1", "5.14.0", SPANS_WITHOUT_SPACE),
    (["camembert-strips-the-end"], "4.57.6", "5.0.0", END_STRIPPED),
    (["camembert-strips-the-end"], "4.57.6", "5.0.0", LAST_TOKEN_GONE),
    (["clean-up-in-byte-level-decoding"], "5.6.2", "5.7.0", CLEANED_UP),
    (["llama-marks-the-first-word-alone"], "4.57.6", "5.0.0", NOT_PREPENDED),
    (["llama-marks-the-first-word-alone"], "4.57.6", "5.0.0", MARKED_LATER),
    (["xlnet-joins-spaces"], "4.57.6", "5.0.0", JOINED),
]


@pytest.mark.parametrize(("ids", "old", "new", "difference"), OF_TRANSFORMERS, ids=lambda value: str(value)[:40])
def test_a_change_of_transformers_explains_its_difference_in_either_direction(
    ids: list[str], old: str, new: str, difference: ChangedAnswer
) -> None:
    assert sorted(explained(difference, old, new, "transformers")) == sorted(ids)
    turned = replace(difference, old=difference.new, new=difference.old)
    assert sorted(explained(turned, new, old, "transformers")) == sorted(ids)
    assert explained(difference, new, new, "transformers") == []
    if difference is not MAP_LOST_IN_TOKENS:  # two encodings do not show which of them had the characters rewritten
        assert explained(turned, old, new, "transformers") == []


PLANTED_IN_TRANSFORMERS: list[tuple[str, str, str, ChangedAnswer]] = [
    ("other letters", "4.57.6", "5.0.0", replace(MAP_LOST, new=Text("\uff21c"))),
    ("a space more and no form kept", "4.57.6", "5.0.0", replace(MAP_LOST, new=Text("A b"))),
    ("no text as new answer", "4.57.6", "5.0.0", replace(MAP_LOST, new=Pieces((("\uff21b", (0, 2)),)))),
    ("no text as old answer", "4.57.6", "5.0.0", replace(MAP_LOST, old=Pieces((("Ab", (0, 2)),)))),
    ("plain letters", "4.57.6", "5.0.0", replace(MAP_LOST, question=Normalize("Ab"), new=Text("ab"))),
    ("no character map", "4.57.6", "5.0.0", replace(MAP_LOST, document=document(normalizer={"type": "NFKC"}))),
    (
        "an accent, which no map takes away",
        "4.57.6",
        "5.0.0",
        replace(MAP_LOST_IN_TOKENS, new=encoded(("a", 0, 1), ("?", 2, 3), ("b", 3, 4), ("?", 5, 6))),
    ),
    (
        "a word further ahead",
        "4.57.6",
        "5.0.0",
        replace(MAP_LOST_IN_TOKENS, new=encoded(("x", 0, 1), ("?", 2, 3), ("b", 3, 4), ("\xe9", 5, 6))),
    ),
    (
        "a token that is no mask",
        "4.57.6",
        "5.0.0",
        replace(MASK_MOVED, document=document(added_tokens=[{**MASK, "id": 1}])),
    ),
    (
        "a mask that begins in a word",
        "4.57.6",
        "5.0.0",
        replace(MASK_MOVED, question=Encode("a b<mask>", add_special_tokens=False)),
    ),
    (
        "another token of the mask's id",
        "4.57.6",
        "5.0.0",
        replace(MASK_MOVED, old=replace(encoded(("a", 0, 1), ("<mask>", 1, 9)), tokens=("a", "  <MASK>"))),
    ),
    ("a mask of other ids", "4.57.6", "5.0.0", replace(MASK_MOVED, new=encoded(("b", 0, 1), ("<mask>", 3, 9)))),
    (
        "a word that is not there",
        "5.13.1",
        "5.14.0",
        replace(CUT_AT_SPACES, new=Pieces((("\u2581a", (0, 1)), ("\u2581b", (3, 4))))),
    ),
    (
        "another span",
        "5.13.1",
        "5.14.0",
        replace(CUT_AT_SPACES, new=Pieces((("\u2581a", (0, 1)), ("\u2581b", (2, 4)), ("\u2581c", (5, 6))))),
    ),
    (
        "a piece of another before",
        "5.13.1",
        "5.14.0",
        replace(CUT_AT_SPACES, old=Pieces((("\u2581a", (0, 1)), ("\u2581b", (2, 6))))),
    ),
    (
        "a span without a letter",
        "5.13.1",
        "5.14.0",
        replace(SPANS_WITHOUT_SPACE, question=Encode("a xb", add_special_tokens=False)),
    ),
    ("another pre-tokenizer", "5.13.1", "5.14.0", replace(CUT_AT_SPACES, document=document())),
    ("a stripped start", "4.57.6", "5.0.0", replace(END_STRIPPED, old=Text(" a"))),
    ("another text", "4.57.6", "5.0.0", replace(END_STRIPPED, new=Text("b"))),
    ("another token", "4.57.6", "5.0.0", replace(LAST_TOKEN_GONE, new=encoded(("\u2581b", 0, 1)))),
    ("a space that is left out", "4.57.6", "5.0.0", replace(JOINED, new=Text("ab "))),
    ("spaces left as they are", "4.57.6", "5.0.0", replace(JOINED, new=Text("a b   "))),
    ("one mark", "4.57.6", "5.0.0", replace(NOT_PREPENDED, old=Text("\u2581a\u2581b"))),
    ("another letter", "4.57.6", "5.0.0", replace(NOT_PREPENDED, new=Text(" a c"))),
    ("two pieces", "4.57.6", "5.0.0", replace(MARKED_LATER, new=Pieces((("\u2581a", (0, 2)), ("\u2581b", (2, 4)))))),
    (
        "another prefix",
        "4.57.6",
        "5.0.0",
        replace(MARKED_LATER, document=document(normalizer={"type": "Prepend", "prepend": "_"})),
    ),
    ("other punctuation", "5.6.2", "5.7.0", replace(CLEANED_UP, old=Text("a;b"), new=Text("a ;b"))),
    ("cleaned up in part", "5.6.2", "5.7.0", replace(CLEANED_UP, old=Text("a, b ."), new=Text("a , b ."))),
    ("no BPE", "5.6.2", "5.7.0", replace(CLEANED_UP, document={"model": {"type": "WordPiece"}})),
]


@pytest.mark.parametrize(
    ("name", "old", "new", "difference"), PLANTED_IN_TRANSFORMERS, ids=[row[0] for row in PLANTED_IN_TRANSFORMERS]
)
def test_another_difference_of_transformers_is_not_explained(
    name: str,  # noqa: ARG001
    old: str,
    new: str,
    difference: ChangedAnswer,
) -> None:
    assert explained(difference, old, new, "transformers") == []


def test_a_mask_token_that_is_saved_as_normalized_is_explained_and_no_other_token() -> None:
    def file(content: str, *, normalized: bool, id_: int = 4) -> dict[str, Any]:
        return {"added_tokens": [{"id": id_, "content": content, "normalized": normalized}]}

    def found(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
        return explained(saved(old, new), "4.57.6", "5.0.0", "transformers")

    before = file("<mask>", normalized=False)
    assert found(before, file("<mask>", normalized=True)) == ["mask-token-keeps-normalized"]
    assert found(file("<mask>", normalized=True), before) == []
    assert found(before, file("<mask>", normalized=True, id_=5)) == []
    assert found(file("<s>", normalized=False), file("<s>", normalized=True)) == []


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
        if change.selector
        and change.id in {row[0] for row in EXPLAINED} | {id_ for row in OF_TRANSFORMERS for id_ in row[0]}
    }
    assert {rule for rule in rules if not str(rule).startswith("saves-")} - asked == {"component-is-an-empty-list"}
