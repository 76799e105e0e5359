"""Runs: the tokens of a text, or of a word, are those of its runs, whatever the vocabulary and the options."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tokenizer_reference.models import BPE
from tokenizer_reference.models.merges import merge_by_definition
from tokenizer_reference.models.runs import ByteRuns
from tokenizer_reference.text.byte_level import BYTE_TO_CHAR
from tokenizer_reference.text.utf8 import byte_positions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_reference.values.tokenization import Tokenization

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

CHARACTERS_IN_BYTES = "a \u00e8\u00e9\u65e5\u65e6\U0001f600"
"""Characters that share bytes with each other."""


def spelled(text: str) -> str:
    return "".join(BYTE_TO_CHAR[byte] for byte in text.encode())


SPELLED = sorted(set(spelled(CHARACTERS_IN_BYTES)))


@st.composite
def spelling_models(draw: st.DrawFn) -> BPE:
    """A model of words that are spelled in bytes; some of its tokens are entries that no merge makes."""
    near = [*SPELLED, *draw(st.lists(st.text(CHARACTERS_IN_BYTES, min_size=1, max_size=3).map(spelled), max_size=3))]
    merges = []
    for left, right in draw(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=20)):
        pair = near[left % len(near)], near[right % len(near)]
        merges.append(pair)
        near.append("".join(pair))
    return model_of([*BYTE_TO_CHAR, *near], draw(st.permutations(merges)), ignore_merges=draw(st.booleans()))


def rows(made: Tokenization) -> Rows:
    return list(zip(made.ids, made.spans, strict=True))


@settings(max_examples=500)
@given(spelling_models(), st.text(CHARACTERS_IN_BYTES, min_size=2, max_size=20))
def test_the_tokens_of_a_word_in_bytes_are_those_of_its_runs(model: BPE, word: str) -> None:
    assert model._byte_runs is not None
    runs = model._byte_runs.of(word)
    if runs is None:
        return
    assert "".join(runs) == word
    assert spelled(word) not in model._vocab
    expected = by_definition(model, spelled(word))
    assert rows(model._tokenize(spelled(word))) == expected
    found: Rows = []
    for run in map(spelled, runs):
        at = found[-1][1][1] if found else 0
        found += [(id_, (at + start, at + end)) for id_, (start, end) in rows(model._tokenize_run(run))]
    assert found == expected


def runs_of(text: str, *tokens: str) -> list[str] | None:
    """Return the runs of `text`, which is one word, in a vocabulary of all bytes and `tokens`."""
    return ByteRuns([*BYTE_TO_CHAR, *tokens]).of(text)


@pytest.mark.parametrize(
    ("tokens", "runs"),
    [
        ([], ["日", "本", "語", "日", "本"]),
        (["日本"], ["日本", "語", "日本"]),
        (["日本語日本"], None),
        ([("本語", 1, 4)], ["日", "本語", "日", "本"]),
        ([("本語", 1, 4), ("語日", 0, 4)], ["日", "本語日", "本"]),
    ],
)
def test_a_word_is_cut_where_no_token_has_the_bytes_side_by_side(
    tokens: list[str | tuple[str, int, int]], runs: list[str] | None
) -> None:
    known = [spelled(each) if isinstance(each, str) else spelled(each[0])[each[1] : each[2]] for each in tokens]
    assert runs_of("日本語日本", *known) == runs


def test_three_bytes_on_either_side_decide() -> None:
    known = spelled("😀😁")
    assert runs_of("😀😁é😀", known) == ["😀😁", "é", "😀"]
    other = spelled("🙀😁")
    assert runs_of("😀😁é", other) == ["😀", "😁", "é"]


def test_a_run_goes_on_before_ascii() -> None:
    assert runs_of("日ab日") == ["日ab", "日"]
    assert runs_of("日ab日", spelled("b日")) is None
    assert runs_of("abc") is None


@pytest.mark.parametrize("options", [{"dropout": 0.5}, {"continuing_subword_prefix": "#"}, {"end_of_word_suffix": "#"}])
def test_a_model_vouches_for_no_runs_of_bytes_where_they_are_not_what_it_spells(options: dict[str, Any]) -> None:
    assert model_of(BYTE_TO_CHAR, [])._byte_runs is not None
    assert model_of(BYTE_TO_CHAR, [], **options)._byte_runs is None


def test_a_model_vouches_for_no_runs_of_bytes_where_it_does_not_know_one() -> None:
    assert model_of(BYTE_TO_CHAR[1:], [])._byte_runs is None
