"""WordLevel: its rules and its options, beside the target."""

from __future__ import annotations

import pytest
import tokenizers
import tokenizers.models

from tokenizer_reference.errors import ModelError
from tokenizer_reference.models import WordLevel

VOCAB = {"<unk>": 3, "a": 0, "日本": 5, "": 9}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", (0, "a", (0, 1))),
        ("日本", (5, "日本", (0, 6))),
        ("日", (3, "<unk>", (0, 3))),
        ("A", (3, "<unk>", (0, 1))),
        ("", (9, "", (0, 0))),
    ],
)
def test_a_piece_is_one_token(text: str, expected: tuple[int, str, tuple[int, int]]) -> None:
    for model in (WordLevel(VOCAB), tokenizers.models.WordLevel(VOCAB)):
        assert [token.as_tuple() for token in model.tokenize(text)] == [expected]


def test_an_unknown_token_outside_the_vocabulary_is_an_error_only_where_it_is_needed() -> None:
    model = WordLevel({"a": 0}, unk_token="U")
    assert len(model.tokenize("a")) == 1
    with pytest.raises(ModelError) as error:
        model.tokenize("x")
    with pytest.raises(Exception, match="WordLevel error") as theirs:
        tokenizers.models.WordLevel({"a": 0}, unk_token="U").tokenize("x")
    assert str(error.value) == str(theirs.value)
    assert error.value.__notes__ == ["'x' is not in the vocabulary, and neither is the unknown token 'U'"]


def test_setting_the_unknown_token_changes_words_seen_before() -> None:
    model = WordLevel(VOCAB)
    assert model.tokenize("x")[0].value == "<unk>"
    model.unk_token = "a"
    assert model.tokenize("x")[0].value == "a"


def test_lookups() -> None:
    model = WordLevel(VOCAB)
    assert (model.token_to_id("a"), model.token_to_id("x")) == (0, None)
    assert (model.id_to_token(5), model.id_to_token(1)) == ("日本", None)
    assert (model._vocabulary(), model._vocabulary_size()) == (VOCAB, 4)
    assert WordLevel().unk_token == "<unk>"
