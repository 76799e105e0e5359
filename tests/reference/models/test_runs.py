"""Runs: the tokens of a text, or of a word, are those of its runs, whatever the vocabulary and the options."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tokenizer_reference.models import BPE
from tokenizer_reference.models.merges import merge_by_definition
from tokenizer_reference.models.runs import Runs
from tokenizer_reference.text.byte_level import BYTE_TO_CHAR, CHAR_TO_BYTE
from tokenizer_reference.text.utf8 import byte_positions

if TYPE_CHECKING:
    from collections.abc import Iterable

BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
CHARACTERS = "\u2581\nab>,"

Rows = list[tuple[int, tuple[int, int]]]


def by_definition(model: BPE, text: str) -> Rows:
    """Return ids and byte ranges of the tokens of ``text``, merged as a whole."""
    ids, bounds = model._with_unknown(model._symbols(text), byte_positions(text))
    merge_by_definition(model._merges, ids, bounds)
    return list(zip(ids, pairwise(bounds), strict=True))


def one_after_the_other(model: BPE, runs: Iterable[str]) -> Rows:
    rows: Rows = []
    at = 0
    for run in runs:
        rows += [(id_, (start + at, end + at)) for id_, (start, end) in by_definition(model, run)]
        at += len(run.encode())
    return rows


def model_of(tokens: Iterable[str], merges: list[tuple[str, str]], **options: Any) -> BPE:
    merged = [left + right for left, right in merges]
    vocabulary = {token: id_ for id_, token in enumerate(dict.fromkeys([*tokens, *merged]))}
    return BPE(vocabulary, merges, **{"byte_fallback": True, "unk_token": "<unk>", **options})


@st.composite
def models(draw: st.DrawFn) -> BPE:
    """A model that knows some of the characters, merges them with each other and, now and then, with bytes."""
    tokens = [*draw(st.sets(st.sampled_from([*CHARACTERS, "<unk>", "", "\u2581\u2581"]))), *BYTES]
    near = [token for token in tokens if token not in BYTES] or ["<0x0A>"]
    if draw(st.booleans()):
        near += ["<0x0A>", "<0xE9>"]
    merges = []
    for left, right in draw(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=12)):
        pair = near[left % len(near)], near[right % len(near)]
        if pair[1]:
            merges.append(pair)
            near.append("".join(pair))
    return model_of(tokens, draw(st.permutations(merges)), fuse_unk=draw(st.booleans()))


@given(models(), st.text(CHARACTERS + "é\x00", max_size=40))
@example(model_of([*BYTES, *CHARACTERS], [(">", "\u2581")]), ">\u2581a\u2581>\u2581\u2581>\u2581\n")
@example(model_of([*BYTES, *CHARACTERS], [("<0x0A>", "\u2581")]), "\n\u2581")
@example(model_of([*BYTES, *CHARACTERS], [("\u2581", "\n")]), "a\u2581\n\u2581")
@example(model_of([*BYTES, *CHARACTERS], [("\n", "a")]), "\n\na\u2581")
def test_the_tokens_of_a_text_are_those_of_its_runs(model: BPE, text: str) -> None:
    runs = model._runs(text)
    if runs is not None:
        assert "".join(runs) == text
        assert one_after_the_other(model, runs) == by_definition(model, text)


@pytest.mark.parametrize(
    ("tokens", "text", "runs"),
    [
        ([], "\u2581ab\u2581\u2581b\u2581\n\na", ["\u2581ab", "\u2581\u2581b", "\u2581", "\n\n", "a"]),
        (["a\u2581"], "ba\u2581\u2581b\u2581a", ["ba\u2581\u2581b", "\u2581a"]),
        (["\u2581\n"], "a\n\u2581b", ["a\n", "\u2581b"]),
        (["\n\u2581"], "a\n\u2581b\u2581", ["a\n\u2581b", "\u2581"]),
        ([], "\u2581ab,,b\u2581,a,", ["\u2581ab", ",,", "b", "\u2581,", "a", ","]),
        ([], "ab>b,é,a", ["ab>b,é,a"]),
        (["a,"], "ab,b", ["ab,b"]),
        ([",b"], "ab,b\u2581a", ["ab,b", "\u2581a"]),
        ([",\u2581"], "ab,\u2581a", ["ab,\u2581a"]),
    ],
)
def test_a_cut_is_where_no_token_has_both_characters(tokens: list[str], text: str, runs: list[str]) -> None:
    assert model_of([*BYTES, *CHARACTERS, *tokens], [])._runs(text) == runs


@pytest.mark.parametrize(
    ("tokens", "options"),
    [
        ([], {"byte_fallback": False}),
        ([], {"ignore_merges": True}),
        ([], {"dropout": 0.5}),
        ([], {"continuing_subword_prefix": "#"}),
        ([], {"end_of_word_suffix": "#"}),
        (["<0x0A>\u2581"], {}),
    ],
)
def test_a_model_vouches_for_no_runs_where_a_character_is_not_what_it_spells(
    tokens: list[str], options: dict[str, Any]
) -> None:
    assert model_of([*BYTES, *CHARACTERS, *tokens], [], **options)._runs("a\u2581b") is None


def test_a_model_vouches_for_no_runs_where_ids_are_shared_or_a_byte_has_no_token() -> None:
    known = [*BYTES, *CHARACTERS]
    lacking = [token for token in known if token != "<0x80>"]
    for vocabulary in (dict.fromkeys(known, 0), {token: id_ for id_, token in enumerate(lacking)}):
        assert BPE(vocabulary, [], byte_fallback=True)._runs("a\u2581b") is None


def test_what_a_model_vouches_for_follows_its_options() -> None:
    model = model_of([*BYTES, *CHARACTERS], [])
    assert model._runs("a\u2581b") == ["a", "\u2581b"]
    model.byte_fallback = False
    assert model._runs("a\u2581b") is None


# Within words --------------------------------------------------------------------------------------------------------

SPELLED = "\xc3\xe3\xa9\u0122\u0123b"
"""Characters of GPT-2's byte alphabet; the first two begin a character of several bytes."""

OPTIONS: list[dict[str, Any]] = [
    {},
    {"ignore_merges": True},
    {"unk_token": None, "byte_fallback": False},
    {"fuse_unk": True, "byte_fallback": False},
    {"end_of_word_suffix": "b"},
    {"continuing_subword_prefix": "b"},
]


@st.composite
def spelling_models(draw: st.DrawFn) -> BPE:
    """A model of words that are spelled in bytes, most of which it knows."""
    tokens = list(draw(st.permutations([*SPELLED, "<unk>"])))[: draw(st.sampled_from([7, 7, 6, 5]))]
    merges = []
    for left, right in draw(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=20)):
        pair = tokens[left % len(tokens)], tokens[right % len(tokens)]
        merges.append(pair)
        tokens.append("".join(pair))
    options = draw(st.sampled_from(OPTIONS))
    if "continuing_subword_prefix" in options:
        merges = [(left, "b" + right) for left, right in merges]
        tokens += [right for _, right in merges]
    return model_of([*tokens, "<unk>"], draw(st.permutations(merges)), **options)


def tokens_of_word(model: BPE, word: str) -> Rows:
    if model.ignore_merges and word in model._vocab:
        return [(model._vocab[word], (0, len(word.encode())))]
    return by_definition(model, word)


@settings(max_examples=500)
@given(spelling_models(), st.text(SPELLED, min_size=10, max_size=60))
def test_the_tokens_of_a_word_are_those_of_its_runs(model: BPE, word: str) -> None:
    made = model._tokenize(word)
    assert list(zip(made.ids, made.spans, strict=True)) == tokens_of_word(model, word)


def spelled(text: str) -> str:
    return "".join(BYTE_TO_CHAR[byte] for byte in text.encode())


def runs_of(text: str, *tokens: str) -> list[str] | None:
    """Return the runs of `text`, which is one word, in a vocabulary of all bytes and `tokens`."""
    merged: list[list[int]] = []
    runs = Runs({token: id_ for id_, token in enumerate([*BYTE_TO_CHAR, *tokens])}, merged.append).of(spelled(text))
    return runs and [bytes(map(CHAR_TO_BYTE.__getitem__, run)).decode(errors="replace") for run in runs]


@pytest.mark.parametrize(
    ("tokens", "runs"),
    [
        ([], ["日", "本", "語", "日", "本"]),
        (["日本"], ["日本", "語", "日本"]),
        (["日本語日本語"], ["日本語日本"]),
        ([("本語", 1, 4)], ["日", "本語", "日", "本"]),
        ([("本語", 1, 4), ("語日", 0, 4)], ["日", "本語日", "本"]),
    ],
)
def test_a_word_is_cut_where_no_token_has_the_bytes_side_by_side(
    tokens: list[str | tuple[str, int, int]], runs: list[str]
) -> None:
    known = [spelled(each) if isinstance(each, str) else spelled(each[0])[each[1] : each[2]] for each in tokens]
    assert runs_of("日本語日本", *known) == runs
    assert runs_of("日本語", *known) is None


def test_three_characters_on_either_side_decide() -> None:
    assert runs_of("😀😁é😀", spelled("😀😁")) == ["😀😁", "é", "😀"]
    assert runs_of("😀😁é😀", spelled("\U0001f640😁")) == ["😀", "😁", "é", "😀"]


def test_runs_are_merged_once_and_long_ones_not_remembered() -> None:
    merged: list[list[int]] = []
    runs = Runs({"a": 0}, merged.append)
    assert [runs.ids["a" * length] for length in (3, 3, 200, 200)] == [(0,) * 3, (0,) * 3, (0,) * 200, (0,) * 200]
    assert list(map(len, merged)) == [3, 200, 200]
