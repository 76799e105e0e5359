"""BPE: its rules case by case, the fast ways of merging beside the definition, and the options."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
import tokenizers
import tokenizers.models
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_reference import Tokenizer
from tokenizer_reference.errors import ModelError, TokenizerFileError, UpstreamPanicError
from tokenizer_reference.models import BPE
from tokenizer_reference.models.merges import merge_by_definition, merge_by_scanning, merge_with_heap

Rows = list[tuple[str, tuple[int, int]]]


def rows(model: BPE, text: str) -> Rows:
    return [(token.value, token.offsets) for token in model.tokenize(text)]


def numbered(*tokens: str) -> dict[str, int]:
    return {token: id_ for id_, token in enumerate(tokens)}


UNKNOWN = numbered("<unk>", "a", "b")
BYTES = numbered("<unk>", "<0x61>", "b")
AFFIXES = numbered("a", "##b", "##c</w>", "a</w>", "ab", "abc</w>")

RULES: list[tuple[str, dict[str, int], list[tuple[str, str]], dict[str, Any], str, Rows]] = [
    ("lowest rank first", numbered(*"abc", "ab", "bc"), [("b", "c"), ("a", "b")], {}, "abc",
     [("a", (0, 1)), ("bc", (1, 3))]),
    ("leftmost of equal ranks", numbered("a", "aa"), [("a", "a")], {}, "aaa", [("aa", (0, 2)), ("a", (2, 3))]),
    ("one occurrence at a time", numbered("a", "b", "ab", "aba"), [("ab", "a"), ("a", "b")], {}, "abab",
     [("aba", (0, 3)), ("b", (3, 4))]),
    ("last rank of a pair counts", numbered(*"abc", "ab", "bc"), [("a", "b"), ("b", "c"), ("a", "b")], {}, "abc",
     [("a", (0, 1)), ("bc", (1, 3))]),
    ("offsets are bytes", numbered("é", "日", "é日"), [("é", "日")], {}, "日é日", [("日", (0, 3)), ("é日", (3, 8))]),
    ("nothing from nothing", numbered("a"), [], {"unk_token": "a"}, "", []),
    ("unknown characters apart", UNKNOWN, [], {"unk_token": "<unk>"}, "xya",
     [("<unk>", (0, 1)), ("<unk>", (1, 2)), ("a", (2, 3))]),
    ("unknown characters fused", UNKNOWN, [], {"unk_token": "<unk>", "fuse_unk": True}, "xyaé",
     [("<unk>", (0, 2)), ("a", (2, 3)), ("<unk>", (3, 5))]),
    ("unknown characters dropped: later offsets slide left", UNKNOWN, [], {}, "xayb", [("a", (0, 1)), ("b", (1, 2))]),
    ("the unknown token can merge", numbered("<unk>", "a", "<unk>a"), [("<unk>", "a")], {"unk_token": "<unk>"}, "xa",
     [("<unk>a", (0, 2))]),
    ("bytes overtake an unknown", BYTES, [], {"unk_token": "<unk>", "byte_fallback": True}, "xab",
     [("<0x61>", (0, 1)), ("<unk>", (1, 2)), ("b", (2, 3))]),
    ("bytes do not part unknowns that fuse", BYTES, [],
     {"unk_token": "<unk>", "byte_fallback": True, "fuse_unk": True}, "xay",
     [("<0x61>", (0, 1)), ("<unk>", (1, 3))]),
    ("a byte is one byte long", numbered("<0xC3>", "<0xA9>"), [], {"byte_fallback": True}, "é",
     [("<0xC3>", (0, 1)), ("<0xA9>", (1, 2))]),
    ("not all bytes known: unknown", numbered("<unk>", "<0xC3>"), [], {"byte_fallback": True, "unk_token": "<unk>"},
     "é",
     [("<unk>", (0, 2))]),
    ("hex digits are upper-case", numbered("<unk>", "<0xc3>", "<0xa9>"), [],
     {"byte_fallback": True, "unk_token": "<unk>"}, "é",
     [("<unk>", (0, 2))]),
    ("bytes of the affixes count, too", numbered("<0x61>", "<0x23>", "<0x62>"), [], {"byte_fallback": True,
     "continuing_subword_prefix": "#"}, "ab", [("<0x61>", (0, 1)), ("<0x23>", (1, 2)), ("<0x62>", (2, 3))]),
    ("affixes", AFFIXES, [("a", "##b"), ("ab", "##c</w>")],
     {"continuing_subword_prefix": "##", "end_of_word_suffix": "</w>"},
     "abc", [("abc</w>", (0, 3))]),
    ("a single character is first and last", AFFIXES, [],
     {"continuing_subword_prefix": "##", "end_of_word_suffix": "</w>"},
     "a", [("a</w>", (0, 1))]),
    ("the prefix is cut from any right token", numbered("a", "xyb", "ab", "<unk>"), [("a", "xyb")],
     {"continuing_subword_prefix": "##"}, "a", [("a", (0, 1))]),
    ("words before merges", numbered("a", "b", "ab"), [], {"ignore_merges": True}, "ab", [("ab", (0, 2))]),
    ("words before merges, not with dropout", numbered("a", "b", "ab"), [], {"ignore_merges": True, "dropout": 1.0},
     "ab",
     [("a", (0, 1)), ("b", (1, 2))]),
    ("dropout 0 is none", numbered("a", "b", "ab"), [("a", "b")], {"dropout": 0.0}, "ab", [("ab", (0, 2))]),
    ("dropout 1 leaves characters", numbered("a", "b", "ab"), [("a", "b")], {"dropout": 1.0}, "ab",
     [("a", (0, 1)), ("b", (1, 2))]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("vocab", "merges", "options", "text", "expected"), [rule[1:] for rule in RULES], ids=[rule[0] for rule in RULES]
)
def test_rules_are_the_targets(
    vocab: dict[str, int],
    merges: list[tuple[str, str]],
    options: dict[str, Any],
    text: str,
    expected: Rows,
) -> None:
    assert rows(BPE(vocab, merges, **options), text) == expected
    assert rows(tokenizers.models.BPE(vocab, merges, **options), text) == expected


# Fast paths ----------------------------------------------------------------------------------------------------------


@st.composite
def models(draw: st.DrawFn) -> BPE:
    """A model over a, b, c (and the two-byte é) with random merges of what earlier merges made."""
    tokens = list("abcé")
    merges = []
    for left, right in draw(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=15)):
        pair = tokens[left % len(tokens)], tokens[right % len(tokens)]
        merges.append(pair)
        tokens.append("".join(pair))
    return BPE(numbered(*dict.fromkeys(tokens)), draw(st.permutations(merges)))


@given(models(), st.text("abcé", max_size=60))
def test_fast_paths_merge_as_the_definition_says(model: BPE, text: str) -> None:
    def merged(merge: Any, *more: Any) -> tuple[list[int], list[int]]:
        ids, bounds = [model._vocab[char] for char in text], list(range(len(text) + 1))
        merge(model._merges, ids, bounds, *more)
        return ids, bounds

    expected = merged(merge_by_definition)
    assert merged(merge_by_scanning) == expected
    assert merged(merge_with_heap) == expected
    assert merged(merge_with_heap, lambda: False) == expected


@given(models(), st.text("abcé", max_size=60))
def test_tokens_tile_the_text(model: BPE, text: str) -> None:
    tokens = model.tokenize(text)
    assert "".join(token.value for token in tokens) == text
    ends = [0, *(token.offsets[1] for token in tokens)]
    assert [token.offsets for token in tokens] == list(pairwise(ends))
    assert ends[-1] == len(text.encode())


@given(models(), st.text("abcé", max_size=30), st.floats(0.01, 0.99))
def test_dropout_merges_no_further_than_the_rule(model: BPE, text: str, dropout: float) -> None:
    table = model._merges
    model.dropout = dropout
    token_ids = [token.id for token in model.tokenize(text)]
    assert "".join(model.id_to_token(id_) or "" for id_ in token_ids) == text
    assert set(token_ids) <= {model._vocab[char] for char in text} | set(table.merged)


def test_a_long_word_is_the_targets() -> None:
    vocab = numbered("a", "b", "aa", "ab", "aab", "ba")
    merges = [("a", "a"), ("aa", "b"), ("b", "a"), ("a", "b")]
    word = "aabba" * 4_000 + "a" * 20_001
    target = tokenizers.models.BPE(vocab, merges)
    assert [t.as_tuple() for t in BPE(vocab, merges).tokenize(word)] == [t.as_tuple() for t in target.tokenize(word)]


def test_a_candidate_whose_pair_changed_is_taken_where_the_id_is_the_same() -> None:
    # When "bc" is made, ("a", "b") still waits with rank 1 to make id 9. So does ("a", "bc") now, though its rank is 3.
    vocab = {"a": 0, "b": 1, "c": 2, "d": 3, "bc": 4, "ab": 9, "bcd": 5, "abc": 9}
    merges = [("b", "c"), ("a", "b"), ("bc", "d"), ("a", "bc")]
    expected = [(9, (0, 3)), (3, (3, 4))]
    model = BPE(vocab, merges)
    for either in (model, tokenizers.models.BPE(vocab, merges)):
        assert [(token.id, token.offsets) for token in either.tokenize("abcd")] == expected
    ids, bounds = [0, 1, 2, 3], [0, 1, 2, 3, 4]
    merge_by_definition(model._merges, ids, bounds)
    assert ids == [0, 5]


# Dropout -------------------------------------------------------------------------------------------------------------


def test_dropout_is_random_and_not_remembered() -> None:
    model = BPE(numbered("a", "b", "ab"), [("a", "b")], dropout=0.5)
    model._random.seed(7)
    drawn = [len(model.tokenize("ab")) for _ in range(2_000)]
    assert 900 < drawn.count(1) < 1_100


def test_dropout_is_kept_in_single_precision() -> None:
    model = BPE(dropout=0.3)
    assert model.dropout == tokenizers.models.BPE(dropout=0.3).dropout == 0.30000001192092896
    assert model._to_json()["dropout"] == 0.3


@pytest.mark.parametrize("dropout", [0.1, 1.5e-5, 9.9e-6, 1.25e-6, 1e-6, 9.99e-7, 1e-7, 1e-45])
def test_dropout_is_written_as_the_target_writes_it(dropout: float) -> None:
    ours = Tokenizer(BPE(dropout=dropout)).to_str()
    assert ours == tokenizers.Tokenizer(tokenizers.models.BPE(dropout=dropout)).to_str()


@pytest.mark.parametrize("dropout", [-0.1, 1.5, float("nan"), 1e60])
def test_dropout_that_is_no_probability_is_refused(dropout: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        BPE(dropout=dropout)
    with pytest.raises(Exception, match="between 0 and 1"):
        tokenizers.models.BPE(dropout=dropout)


# Options -------------------------------------------------------------------------------------------------------------


def test_setting_an_option_changes_words_seen_before() -> None:
    model = BPE(UNKNOWN, [])
    assert rows(model, "x") == []
    model.unk_token = "<unk>"
    assert rows(model, "x") == [("<unk>", (0, 1))]
    model.dropout = 1
    model.dropout = None
    assert (model.dropout, model.unk_token) == (None, "<unk>")


def test_a_word_is_remembered_unless_the_cache_is_off() -> None:
    model = BPE(UNKNOWN, [], cache_capacity=5)
    assert model._tokenization("ab") is model._tokenization("ab")
    model._resize_cache(0)
    assert model._tokenization("ab") is not model._tokenization("ab")


def test_a_long_word_is_not_remembered() -> None:
    model = BPE(UNKNOWN, [])
    assert model._tokenization("a" * 1_000) is not model._tokenization("a" * 1_000)


@pytest.mark.long
def test_memory_for_words_is_bounded() -> None:
    model = BPE(UNKNOWN, [])
    for number in range(12_000):
        model._tokenization("a" * 90 + format(number, "b"))
    assert sum(map(len, model._cache)) <= 1_000_000


def test_unknown_options_are_ignored_aloud(capfd: pytest.CaptureFixture[str]) -> None:
    BPE(foo=1)
    ours = capfd.readouterr().out
    tokenizers.models.BPE(foo=1)
    assert ours == capfd.readouterr().out == "Ignored unknown kwarg option foo\n"


def test_vocab_and_merges_come_together() -> None:
    for arguments in ({"vocab": {}}, {"merges": []}):
        with pytest.raises(ValueError, match="both specified"):
            BPE(**arguments)
    with pytest.raises(ValueError, match="both from memory or both files"):
        BPE({}, "merges.txt")


def test_lookups() -> None:
    model = BPE(numbered("a", "b"), [])
    assert (model.token_to_id("b"), model.token_to_id("x")) == (1, None)
    assert (model.id_to_token(1), model.id_to_token(2)) == ("b", None)
    assert (model._vocabulary(), model._vocabulary_size()) == ({"a": 0, "b": 1}, 2)


# Errors --------------------------------------------------------------------------------------------------------------


def test_an_unknown_token_outside_the_vocabulary_is_an_error_only_where_it_is_needed() -> None:
    model = BPE(numbered("a"), [], unk_token="U")
    assert rows(model, "a") == [("a", (0, 1))]
    with pytest.raises(ModelError) as error:
        model.tokenize("ax")
    with pytest.raises(Exception, match="Unk token") as theirs:
        tokenizers.models.BPE(numbered("a"), [], unk_token="U").tokenize("ax")
    assert str(error.value) == str(theirs.value)
    assert error.value.__notes__ == ["'x' is not in the vocabulary, and needs the unknown token"]


@pytest.mark.parametrize(
    ("vocab", "merge", "prefix", "error", "message"),
    [
        (["a", "b"], ("a", "x"), None, TokenizerFileError, r"merges\[1\]: the token 'x' is not in the vocabulary"),
        (["a", "b"], ("x", "b"), None, TokenizerFileError, r"merges\[1\]: the token 'x' is not in the vocabulary"),
        (
            ["a", "b", "zzzz"],
            ("a", "b"),
            None,
            TokenizerFileError,
            r"merges\[1\]: the token 'ab', which 'a' and 'b' merge",
        ),
        (["aa", "b"], ("aa", "b"), None, UpstreamPanicError, r"merges\[1\]: the token 'aab'.*no token is so long"),
        (["é", "b", "aaa"], ("é", "b"), None, TokenizerFileError, "'éb'"),
        (["a", "b", "zzzz"], ("a", "b"), "##", UpstreamPanicError, "no prefix as long as '##' can be cut from 'b'"),
    ],
)
def test_a_merge_of_unknown_tokens_is_refused(
    vocab: list[str], merge: tuple[str, str], prefix: str | None, error: type[Exception], message: str
) -> None:
    options = {} if prefix is None else {"continuing_subword_prefix": prefix}
    sound = ("q", f"{prefix or ''}q")
    tokens = numbered(*vocab, *sound, "qq")
    with pytest.raises(error, match=message):
        BPE(tokens, [sound, merge], **options)
    panics = error is UpstreamPanicError
    with pytest.raises(BaseException, match="range|slice" if panics else "out of vocabulary"):
        tokenizers.models.BPE(tokens, [sound, merge], **options)


def test_a_prefix_that_would_cut_a_character_is_refused() -> None:
    # The target's process ends here: its message is not UTF-8.
    with pytest.raises(UpstreamPanicError, match="can be cut from 'é'"):
        BPE(numbered("a", "é", "aaaa"), [("a", "é")], continuing_subword_prefix="#")
