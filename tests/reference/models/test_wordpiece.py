"""WordPiece: its rules and its options, beside the target."""

from __future__ import annotations

from typing import Any

import pytest
import tokenizers
import tokenizers.models
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_reference.errors import ModelError
from tokenizer_reference.models import WordPiece

Rows = list[tuple[str, tuple[int, int]]]


def rows(model: WordPiece, text: str) -> Rows:
    return [(token.value, token.offsets) for token in model.tokenize(text)]


def numbered(*tokens: str) -> dict[str, int]:
    return {token: id_ for id_, token in enumerate(tokens)}


VOCAB = numbered("[UNK]", "un", "una", "##a", "##ff", "##able", "##aff", "日", "##本", "a", "##xyzzy", "abcdefgh")

RULES: list[tuple[str, dict[str, Any], str, Rows]] = [
    ("the longest piece first", {}, "unaff", [("una", (0, 3)), ("##ff", (3, 5))]),
    ("no way back from the longest piece", {}, "unable", [("[UNK]", (0, 6))]),
    ("the longest piece of all after the first", {}, "unxyzzy", [("un", (0, 2)), ("##xyzzy", (2, 7))]),
    ("the longest first piece of all", {}, "abcdefghff", [("abcdefgh", (0, 8)), ("##ff", (8, 10))]),
    ("offsets are bytes", {}, "日本", [("日", (0, 3)), ("##本", (3, 6))]),
    ("the whole word is unknown where a piece is", {}, "unax", [("[UNK]", (0, 4))]),
    ("the unknown token has the bytes of the word", {}, "本", [("[UNK]", (0, 3))]),
    ("a first piece carries no prefix", {}, "ff", [("[UNK]", (0, 2))]),
    ("a token with the prefix is also a word", {}, "##a", [("##a", (0, 3))]),
    ("nothing from nothing", {}, "", []),
    ("as many characters as allowed", {"max_input_chars_per_word": 2}, "日本", [("日", (0, 3)), ("##本", (3, 6))]),
    ("more characters than allowed, even of a known word", {"max_input_chars_per_word": 1}, "un", [("[UNK]", (0, 2))]),
    ("another prefix", {"continuing_subword_prefix": "##a"}, "unff", [("un", (0, 2)), ("##aff", (2, 4))]),
    ("an empty prefix", {"continuing_subword_prefix": ""}, "unaa", [("una", (0, 3)), ("a", (3, 4))]),
    ("another unknown token", {"unk_token": "un"}, "x", [("un", (0, 1))]),
]


@pytest.mark.parametrize(("options", "text", "expected"), [rule[1:] for rule in RULES], ids=[rule[0] for rule in RULES])
def test_rules_are_the_targets(options: dict[str, Any], text: str, expected: Rows) -> None:
    assert rows(WordPiece(VOCAB, **options), text) == expected
    assert rows(tokenizers.models.WordPiece(VOCAB, **options), text) == expected


def by_definition(vocab: dict[str, int], prefix: str, text: str) -> list[str]:
    """Return the longest piece of the vocabulary, then that of the rest; or nothing where a piece is not found."""
    pieces: list[str] = []
    while text:
        found = [text[:end] for end in range(len(text), 0, -1) if (prefix if pieces else "") + text[:end] in vocab]
        if not found:
            return ["[UNK]"]
        pieces.append((prefix if pieces else "") + found[0])
        text = text[len(found[0]) :]
    return pieces


@given(
    st.sets(st.text("ab#", min_size=1, max_size=5)), st.sampled_from(["#", "##", "", "a"]), st.text("ab#", max_size=20)
)
def test_lookups_bounded_by_the_longest_piece_find_the_same(tokens: set[str], prefix: str, text: str) -> None:
    vocab = numbered("[UNK]", *sorted(tokens))
    model = WordPiece(vocab, continuing_subword_prefix=prefix)
    assert [token.value for token in model.tokenize(text)] == by_definition(vocab, prefix, text)


def test_a_long_word_is_the_targets() -> None:
    word = "unaffaffa" * 5_000
    options: dict[str, Any] = {"max_input_chars_per_word": 100_000}
    ours = [token.as_tuple() for token in WordPiece(VOCAB, **options).tokenize(word)]
    assert ours == [token.as_tuple() for token in tokenizers.models.WordPiece(VOCAB, **options).tokenize(word)]


def test_an_unknown_token_outside_the_vocabulary_is_an_error_only_where_it_is_needed() -> None:
    model = WordPiece({"a": 0}, unk_token="U")
    assert rows(model, "a") == [("a", (0, 1))]
    with pytest.raises(ModelError) as error:
        model.tokenize("x")
    with pytest.raises(Exception, match="WordPiece error") as theirs:
        tokenizers.models.WordPiece({"a": 0}, unk_token="U").tokenize("x")
    assert str(error.value) == str(theirs.value)
    assert error.value.__notes__ == ["'x' is an unknown word, and the unknown token 'U' is not in the vocabulary"]


def test_setting_an_option_changes_words_seen_before() -> None:
    model = WordPiece(VOCAB)
    assert rows(model, "una") == [("una", (0, 3))]
    model.max_input_chars_per_word = 2
    assert rows(model, "una") == [("[UNK]", (0, 3))]
    model.unk_token = "un"
    assert rows(model, "una") == [("un", (0, 3))]
    assert rows(model, "aa") == [("a", (0, 1)), ("##a", (1, 2))]
    model.continuing_subword_prefix = ""
    assert rows(model, "aa") == [("a", (0, 1)), ("a", (1, 2))]
    assert (model.unk_token, model.max_input_chars_per_word, model.continuing_subword_prefix) == ("un", 2, "")


def test_unknown_options_are_ignored_aloud(capfd: pytest.CaptureFixture[str]) -> None:
    WordPiece(foo=1)
    ours = capfd.readouterr().out
    tokenizers.models.WordPiece(foo=1)
    assert ours == capfd.readouterr().out == "Ignored unknown kwargs option foo\n"


def test_lookups() -> None:
    model = WordPiece({"a": 0, "b": 7})
    assert (model.token_to_id("b"), model.token_to_id("x")) == (7, None)
    assert (model.id_to_token(7), model.id_to_token(1)) == ("b", None)
    assert (model._vocabulary(), model._vocabulary_size()) == ({"a": 0, "b": 7}, 2)
