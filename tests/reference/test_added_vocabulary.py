"""Added tokens: the search, the ids and the flags, beside the target."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
import tokenizers
import tokenizers.models
import tokenizers.normalizers
from hypothesis import given
from hypothesis import strategies as st
from in_one_test import in_one_test

import tokenizer_reference
from tokenizer_reference.added_vocabulary import _Automaton, _Matcher, _Pattern
from tokenizer_reference.errors import UpstreamPanicError

VOCABULARY = {"[U]": 0, "a": 1, "b": 2, "abc": 3}

if TYPE_CHECKING:
    from collections.abc import Iterator


def word_level(package: Any, normalizer: str | None = None) -> Any:
    tokenizer = package.Tokenizer(package.models.WordLevel(VOCABULARY, unk_token="[U]"))
    if normalizer is not None:
        tokenizer.normalizer = getattr(package.normalizers, normalizer)()
    return tokenizer


def seen(tokenizer: Any, text: str) -> Any:
    encoding = tokenizer.encode(text)
    return encoding.tokens, encoding.ids, encoding.offsets, encoding.word_ids


# A row: the normalizer, the calls of add_tokens (each a list of (content, flags)), the texts to encode.
CASES: dict[str, tuple[str | None, list[list[tuple[str, dict[str, bool]]]], list[str]]] = {
    "longest-wins": (None, [[("ab", {}), ("abc", {}), ("b", {})]], ["abcb", "xabx", "aab"]),
    "normalized-after-normalizer": ("Lowercase", [[("ABC", {}), ("Ab", {"normalized": False})]], ["ABC abc Ab ab"]),
    "lstrip-rstrip": (None, [[("<m>", {"lstrip": True, "rstrip": True})]], ["a  <m>  b", "<m> <m>", " \x1c<m>\u3000"]),
    "rstrip-overlaps-next": (None, [[("<m>", {"rstrip": True}), (" b", {})]], ["<m> b"]),
    "single-word": (
        None,
        [[("ab", {"single_word": True})]],
        ["ab", "xab", "ab\u0301", "ab\u200d", "(ab)", "ab²", "ab_"],
    ),
    "rejected-match-consumes": (None, [[("abc", {"single_word": True}), ("bc", {})]], ["xabc", "xabcbc"]),
    "existing-ids": (None, [[("x", {}), ("x", {}), ("", {}), ("a", {})]], ["xa"]),
    "added-again-not-normalized": ("Lowercase", [[("X", {})], [("X", {"normalized": False})]], ["X x"]),
    "added-again-normalized": ("Lowercase", [[("X", {"normalized": False})], [("X", {"normalized": True})]], ["X x"]),
    "flags-replaced": ("Lowercase", [[("X", {"single_word": True, "special": True})], [("X", {})]], ["X xx"]),
    "whitespace-token": (None, [[(" ", {}), ("  ", {"lstrip": True})]], ["a   b  "]),
}


@pytest.mark.parametrize("name", CASES)
def test_case_is_as_in_target(name: str) -> None:
    normalizer, calls, texts = CASES[name]
    ours, theirs = word_level(tokenizer_reference, normalizer), word_level(tokenizers, normalizer)
    for call in calls:
        counts = [
            tokenizer.add_tokens([package.AddedToken(content, **flags) for content, flags in call])
            for tokenizer, package in ((ours, tokenizer_reference), (theirs, tokenizers))
        ]
        assert counts[0] == counts[1]
    for text in texts:
        assert seen(ours, text) == seen(theirs, text)
    assert ours.get_vocab() == theirs.get_vocab()
    assert ours.get_vocab_size() == theirs.get_vocab_size()
    ids = range(12)
    assert [ours.id_to_token(id) for id in ids] == [theirs.id_to_token(id) for id in ids]
    for skip in (True, False):
        assert [ours.decode([id], skip) for id in ids] == [theirs.decode([id], skip) for id in ids]
    assert ours.to_str() == theirs.to_str()


# Of a vocabulary with gaps, the number of tokens counts and not their ids: a new token can take an id of the model's.
@pytest.mark.parametrize("vocabulary", [VOCABULARY, {"[U]": 0, "a": 1, "b": 9}, {"[U]": 5, "a": 7}])
@pytest.mark.parametrize("calls", [[["a"], ["x", "y"]], [["x"], ["y"]], [["b"], ["x"], ["y"]], [[*"stuvwxyz"]]])
def test_a_new_token_gets_the_next_id(vocabulary: dict[str, int], calls: list[list[str]]) -> None:
    sides = []
    for package in (tokenizer_reference, tokenizers):
        tokenizer = package.Tokenizer(package.models.WordLevel(vocabulary, unk_token="[U]"))
        counts = [tokenizer.add_tokens(call) for call in calls]
        by_id = [tokenizer.id_to_token(id) for id in range(20)]
        sides.append((counts, tokenizer.get_vocab(), tokenizer.get_vocab_size(), by_id))
    assert sides[0] == sides[1]


def test_a_token_after_one_that_the_model_has_comes_after_the_model() -> None:
    tokenizer = word_level(tokenizer_reference)
    tokenizer.add_tokens(["a"])
    tokenizer.add_tokens(["x"])
    assert tokenizer.token_to_id("x") == len(VOCABULARY)


@in_one_test("seed", range(150))
def test_random_tokens_and_texts_are_as_in_target(seed: int) -> None:
    rng = random.Random(seed)
    normalizer = rng.choice([None, "Lowercase", "NFKC", "StripAccents"])
    ours, theirs = word_level(tokenizer_reference, normalizer), word_level(tokenizers, normalizer)
    alphabet = "aAbB \t_²é\u0301<"
    contents = {"".join(rng.choices(alphabet, k=rng.randint(1, 3))) for _ in range(rng.randint(1, 5))}
    forms = {content: theirs.normalizer.normalize_str(content) if normalizer else content for content in contents}
    if len(set(forms.values())) < len(contents):
        pytest.skip("two contents with one normalized form: the target picks one at random")
    for content in sorted(contents):
        flags = {flag: rng.random() < 0.3 for flag in ("single_word", "lstrip", "rstrip", "normalized", "special")}
        for tokenizer, package in ((ours, tokenizer_reference), (theirs, tokenizers)):
            tokenizer.add_tokens([package.AddedToken(content, **flags)])
    ours.encode_special_tokens = theirs.encode_special_tokens = rng.random() < 0.2
    for _ in range(40):
        text = "".join(rng.choices([*alphabet, *contents], k=rng.randint(0, 12)))
        try:
            expected = seen(theirs, text)
        except BaseException as panic:
            assert type(panic).__name__ == "PanicException"
            with pytest.raises(UpstreamPanicError):
                seen(ours, text)
            continue
        assert seen(ours, text) == expected, (text, theirs.get_added_tokens_decoder())


@pytest.mark.parametrize("flags", [{}, {"rstrip": True}, {"lstrip": True}, {"single_word": True}])
@in_one_test("text", ["", "a", "abc", "a \nb  \n", "ab c\n", "a€b", "é", "b€", "bé"])
def test_token_that_the_normalizer_removes_matches_everywhere(flags: dict[str, bool], text: str) -> None:
    tokenizers_of_both = []
    for package in (tokenizer_reference, tokenizers):
        tokenizer = word_level(package, "Strip")
        tokenizer.add_tokens([package.AddedToken("\n", **flags), "b"])
        tokenizers_of_both.append(tokenizer)
    ours, theirs = tokenizers_of_both
    try:
        expected = seen(theirs, text)
    except BaseException as panic:
        assert type(panic).__name__ == "PanicException"
        with pytest.raises(UpstreamPanicError):
            seen(ours, text)
    else:
        assert seen(ours, text) == expected


# The target fills its memory over these: the quirk's test shows it, in a process of its own.
@pytest.mark.parametrize("text", ["a", "xa", "bca", "aab", "abca"])
def test_text_that_ends_inside_another_token_has_no_end_where_a_token_is_removed(text: str) -> None:
    tokenizer = word_level(tokenizer_reference, "Strip")
    tokenizer.add_tokens(["\n", "abab", "bc"])
    with pytest.raises(UpstreamPanicError, match="beginning of another one"):
        seen(tokenizer, text)


@pytest.mark.parametrize("text", ["abab", "bc", "ax", "abcx", "x"])
def test_text_that_ends_elsewhere_has_an_end_where_a_token_is_removed(text: str) -> None:
    sides = []
    for package in (tokenizer_reference, tokenizers):
        tokenizer = word_level(package, "Strip")
        tokenizer.add_tokens(["\n", "abab", "bc"])
        sides.append(seen(tokenizer, text))
    assert sides[0] == sides[1]


def test_two_tokens_of_one_normalized_form_give_the_lower_id() -> None:
    tokenizer = word_level(tokenizer_reference, "Lowercase")
    tokenizer.add_tokens(["AX", "ax"])
    assert tokenizer.encode("ax").ids == [tokenizer.token_to_id("AX")]


def test_replacing_the_normalizer_normalizes_contents_again() -> None:
    tokenizer = word_level(tokenizer_reference)
    tokenizer.add_tokens(["ABC"])
    assert tokenizer.encode("abc").tokens == ["abc"]
    assert tokenizer.encode("abc").ids == [VOCABULARY["abc"]]
    tokenizer.normalizer = tokenizer_reference.normalizers.Lowercase()
    assert tokenizer.encode("abc").ids == [tokenizer.token_to_id("ABC")]


@pytest.mark.parametrize("package", [tokenizer_reference, tokenizers], ids=lambda package: package.__name__)
def test_contents_are_forgotten_with_the_normalizer_that_changed_them(package: Any) -> None:
    tokenizer = word_level(package, "Lowercase")
    tokenizer.add_tokens(["ABC"])
    added = tokenizer.token_to_id("ABC")
    assert tokenizer.id_to_token(added) == "abc"
    tokenizer.normalizer = package.normalizers.NFC()
    assert tokenizer.id_to_token(added) == "ABC"
    assert tokenizer.encode("abcABC").ids == [VOCABULARY["abc"], added]


@pytest.mark.parametrize("package", [tokenizer_reference, tokenizers], ids=lambda package: package.__name__)
def test_a_token_that_was_once_special_stays_special(package: Any) -> None:
    tokenizer = word_level(package)
    tokenizer.add_tokens([package.AddedToken("X", special=True)])
    tokenizer.add_tokens([package.AddedToken("X", special=False)])
    ids = tokenizer.encode("X").ids
    assert ids == [tokenizer.token_to_id("X")]
    assert (tokenizer.decode(ids), tokenizer.decode(ids, False)) == ("", "X")
    tokenizer.encode_special_tokens = True
    assert tokenizer.encode("X").ids == [VOCABULARY["[U]"]]


def test_added_token_compares_by_all_flags_and_hashes_by_content() -> None:
    plain = tokenizer_reference.AddedToken("a")
    special = tokenizer_reference.AddedToken("a", special=True)
    assert plain != special
    assert hash(plain) == hash(special)
    assert (plain.normalized, special.normalized) == (True, False)
    assert repr(special) == repr(tokenizers.AddedToken("a", special=True))


def test_unknown_argument_is_named_and_ignored(capsys: pytest.CaptureFixture[str]) -> None:
    tokenizer_reference.AddedToken("a", colour="red")
    assert capsys.readouterr().out == "Ignored unknown kwarg option colour\n"


def test_what_is_not_a_token_is_refused() -> None:
    tokenizer = word_level(tokenizer_reference)
    with pytest.raises(TypeError, match="AddedToken"):
        tokenizer.add_tokens([1])


# The automaton -------------------------------------------------------------------------------------------------------

letters = st.text(st.sampled_from("ab"), min_size=1, max_size=5)


def leftmost_longest(contents: list[str], text: str) -> Iterator[tuple[int, int, str]]:
    at = 0
    while at < len(text):
        here = max((content for content in contents if text.startswith(content, at)), key=len, default="")
        if here:
            yield at, at + len(here), here
        at += len(here) or 1


@given(st.lists(letters, unique=True, max_size=7), st.text(st.sampled_from("aabbc"), max_size=20))
def test_the_automaton_and_the_search_by_length_find_the_leftmost_longest(contents: list[str], text: str) -> None:
    patterns = [_Pattern(content, id) for id, content in enumerate(contents)]
    expected = list(leftmost_longest(contents, text))
    for search in (_Automaton(patterns), _Matcher(patterns)):
        assert [(start, end, pattern.text) for start, end, pattern in search.find(text)] == expected


@in_one_test("seed", range(20))
def test_tokens_of_many_lengths_are_found_as_in_the_target(seed: int) -> None:
    rng = random.Random(seed)
    runs = ["a" * length + rng.choice(["", "b", "ab"]) for length in rng.sample(range(1, 90), k=30)]
    contents = [*runs, *("".join(rng.choices("ab", k=rng.randint(1, 30))) for _ in range(20))]
    texts = ["".join(rng.choices(["a" * 40, "a", "b", "c"], k=20)) for _ in range(5)]
    sides = []
    for package in (tokenizer_reference, tokenizers):
        tokenizer = word_level(package)
        tokenizer.add_tokens(contents)
        sides.append([seen(tokenizer, text) for text in texts])
    assert sides[0] == sides[1]
