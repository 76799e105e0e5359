"""The errata of the documents: what is printed, and what is right.

Each test is named in reference/TEXTBOOK.md, and says more there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from math import exp
from pathlib import Path
from typing import Any

import pytest
import tokenizers
import tokenizers.implementations

import tokenizer_reference
from tokenizer_reference import normalizers
from tokenizer_reference.textbook import bpe, count_words, unigram, wordpiece
from tokenizer_reference.textbook.merging import CountedWord, merge_in_corpus
from tokenizer_reference.textbook.notebook_bpe import NotebookBpe
from tokenizer_reference.textbook.notebook_wordpiece import NotebookWordPiece

Counts = dict[str, int]
LoadCheckpoint = Callable[[Any, str], Any]

PAGE = Path(__file__).parents[3] / "reference" / "TEXTBOOK.md"


def test_the_page_names_every_test_of_this_file_and_no_test_that_is_not_there() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE.read_text("utf-8")))
    here = Path(__file__)
    existing = {
        path: set(re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.MULTILINE))
        for path in here.parent.glob("test_*.py")
    }
    assert len(existing) > 3
    assert named - set().union(*existing.values()) == set()
    assert existing[here] - named == {
        test_the_page_names_every_test_of_this_file_and_no_test_that_is_not_there.__name__
    }


# BPE in the course ---------------------------------------------------------------------------------------------------


def test_thug_is_merged_from_h_and_ug_not_from_hu_and_g(hug_counts: Counts) -> None:
    steps = bpe.tokenize_word("thug", bpe.train(hug_counts, 10).merges).steps
    assert [step.pair for step in steps] == [("u", "g"), ("h", "ug")]


def test_the_code_keeps_unknown_characters_that_the_text_calls_unknown(hug_counts: Counts) -> None:
    training = bpe.train(hug_counts, 10)
    as_in_the_code = bpe.tokenize_word("mug", training.merges)
    as_in_the_text = bpe.tokenize_word("mug", training.merges, alphabet=training.alphabet)
    assert as_in_the_code.tokens == ("m", "ug")
    assert as_in_the_text.tokens == ("[UNK]", "ug")


@pytest.mark.parametrize("algorithm", [bpe, wordpiece])
def test_training_ends_where_the_published_loop_fails_for_want_of_a_pair(algorithm: Any) -> None:
    training = algorithm.train({"ab": 1}, 4)
    assert training.exhausted
    assert len(training.vocabulary) == 3


# WordPiece in the course ---------------------------------------------------------------------------------------------


def test_the_third_merge_by_hand_is_hugs_and_not_hug(hug_counts: Counts) -> None:
    training = wordpiece.train(hug_counts, 11)
    third, fourth = training.steps[2:]
    assert third.pair_scores == {
        ("hu", "##g"): Fraction(2, 45),  # printed: 1/15
        ("p", "##u"): Fraction(1, 21),
        ("##u", "##g"): Fraction(1, 63),  # printed: 1/21, as all the others
        ("##u", "##n"): Fraction(1, 21),
        ("b", "##u"): Fraction(1, 21),
        ("hu", "##gs"): Fraction(1, 15),
    }
    assert [(step.token, step.score) for step in (third, fourth)] == [
        ("hugs", Fraction(1, 15)),  # printed: hug
        ("hug", Fraction(1, 15)),  # printed: hugs
    ]
    assert wordpiece.tokenize_word("hugs", training.vocabulary).tokens == ("hugs",)


def test_after_the_printed_third_merge_the_next_score_is_a_fifth(hug_counts: Counts) -> None:
    corpus = tuple(CountedWord(wordpiece.split_word(word), count) for word, count in hug_counts.items())
    for pair in [("##g", "##s"), ("h", "##u"), ("hu", "##g")]:
        corpus = merge_in_corpus(corpus, pair, wordpiece.merged_token(pair))
    scores = wordpiece.pair_scores(corpus)
    assert scores.pop(("hu", "##gs")) == Fraction(1, 5)  # printed: 1/15
    assert set(scores.values()) == {Fraction(1, 21)}


@pytest.mark.parametrize(
    ("vocabulary", "published"),
    [
        ({"a", "#"}, None),
        ({"a", "##"}, None),
        ({"a", "#", "###"}, None),
        ({"a", "#", "###z"}, ("a", "#", "###z")),
        ({"a", "###"}, ("[UNK]",)),
    ],
)
def test_an_unknown_continuation_is_unknown_even_where_the_mark_matches(
    vocabulary: set[str], published: tuple[str, ...] | None
) -> None:
    assert wordpiece.tokenize_word("az", vocabulary).tokens == ("[UNK]",)
    if published is None:
        with pytest.raises(wordpiece.NeverEndingError, match=r"tokenizing 'az' does not end: a token .* matches"):
            wordpiece.tokenize_word("az", vocabulary, as_published=True)
    else:
        assert wordpiece.tokenize_word("az", vocabulary, as_published=True).tokens == published


# Unigram in the course -----------------------------------------------------------------------------------------------


@pytest.fixture
def course(shared: Path) -> Counts:
    """The words of the course's run."""
    examples = json.loads((shared / "facts" / "worked_examples.json").read_text("utf-8"))
    counts: Counts = examples["course_unigram"]["word_freqs"]
    return counts


def test_the_viterbi_table_starts_at_0_and_not_at_1(course: Counts) -> None:
    model = unigram.negative_log_probabilities(unigram.initial_frequencies(course, 300))
    found = {
        start: (
            unigram.tokenize_word("Hopefully", model, initial_score=start).score,
            unigram.tokenize_word("This", model, initial_score=start).score,
            unigram.compute_loss(model, course, initial_score=start),
        )
        for start in (0, 1)
    }
    assert found[1] == pytest.approx((41.5157494601402, 6.288267030694535, 413.10377642940875), rel=1e-14)  # printed
    assert found[0] == pytest.approx((40.5157494601402, 5.288267030694535, 382.10377642940875), rel=1e-14)
    assert found[1][2] - found[0][2] == pytest.approx(sum(course.values()))
    assert exp(-model["This"]) == pytest.approx(exp(-(found[0][1] or 0.0)))  # the word is one token


@pytest.fixture
def hug_frequencies(hug_counts: Counts) -> Counts:
    return unigram.strict_substring_frequencies(hug_counts)


def test_p_and_pu_are_in_the_corpus_17_times_and_not_5_times(hug_frequencies: Counts) -> None:
    ways = unigram.segmentations("pug", hug_frequencies)
    assert (hug_frequencies["p"], hug_frequencies["pu"]) == (17, 17)
    assert [round(float(way.probability), 7) for way in ways] == [0.0013217, 0.0077098, 0.0077098]
    by_210 = [round(5 * 36 * 20 / 210**3, 7), round(5 * 20 / 210**2, 7)]
    assert by_210 == [0.0003887, 0.0022676]  # printed: 0.000389 and 0.0022676


def test_of_equal_segmentations_the_algorithm_takes_others_than_are_printed(hug_frequencies: Counts) -> None:
    printed = {"hug": "hug", "pug": "pu g", "pun": "pu n", "bun": "bu n", "hugs": "hug s"}
    right = {"hug": "hug", "pug": "p ug", "pun": "p un", "bun": "b un", "hugs": "h ugs"}
    model = unigram.negative_log_probabilities(hug_frequencies)
    for word in printed:
        ways = {" ".join(way.tokens): way.probability for way in unigram.segmentations(word, hug_frequencies)}
        assert " ".join(unigram.tokenize_word(word, model).tokens) == right[word]
        assert ways[printed[word]] == ways[right[word]] == max(ways.values())
    without_hug = {token: score for token, score in model.items() if token != "hug"}
    assert unigram.tokenize_word("hug", without_hug).tokens == ("h", "ug")  # printed: hu, g


def test_not_all_words_have_two_best_segmentations(hug_frequencies: Counts, hug_counts: Counts) -> None:
    numbers = {}
    for word in hug_counts:
        probabilities = [way.probability for way in unigram.segmentations(word, hug_frequencies)]
        numbers[word] = probabilities.count(max(probabilities))
    assert numbers == {"hug": 1, "pug": 2, "pun": 2, "bun": 2, "hugs": 3}


def test_without_pu_the_loss_stays_only_if_no_probability_is_computed_again(
    hug_frequencies: Counts, hug_counts: Counts
) -> None:
    model = unigram.negative_log_probabilities(hug_frequencies)
    loss = unigram.compute_loss(model, hug_counts)
    increases = unigram.compute_loss_increases(model, hug_counts)
    assert {token: round(increases[token], 2) for token in ("pu", "hug")} == {"pu": 0, "hug": 23.51}
    anew = {}
    for token in ("pu", "hug"):
        rest = {other: frequency for other, frequency in hug_frequencies.items() if other != token}
        anew[token] = round(unigram.compute_loss(unigram.negative_log_probabilities(rest), hug_counts) - loss, 2)
    assert anew == {"pu": -5.23, "hug": 18.18}


@pytest.mark.parametrize(
    ("value", "printed", "right"),
    [
        (Fraction(15, 210), "0.071428", "0.071429"),
        (Fraction(16, 210), "0.076191", "0.076190"),
        (Fraction(15 * 20, 210**2), "0.006802", "0.006803"),
    ],
)
def test_the_last_digit_of_three_probabilities(value: Fraction, printed: str, right: str) -> None:
    assert f"{float(value):.6f}" == right
    assert abs(float(printed) - float(value)) < 1e-6


def test_the_segmentation_with_the_fewest_tokens_need_not_be_the_likeliest() -> None:
    frequencies = {"a": 45, "b": 45, "ab": 10}
    assert unigram.tokenize_word("ab", unigram.negative_log_probabilities(frequencies)).tokens == ("a", "b")


def test_every_token_that_the_run_removes_raises_the_loss_by_nothing(course: Counts) -> None:
    training = unigram.train(course, 100)
    assert [len(pruning.removed) for pruning in training.rounds] == [30, 27, 24, 21, 19, 17, 16, 14, 13, 11, 10]
    for pruning in training.rounds:
        without_loss = [token for token, increase in pruning.loss_increases.items() if increase == 0]
        assert pruning.removed == tuple(without_loss[: len(pruning.removed)])
    assert len(without_loss) == 45  # before the last round: of which 10 go
    assert len(training.frequencies) == 98
    assert not any("<" in token or "[" in token for token in training.frequencies)


def test_pruning_ends_where_the_published_loop_does_not_or_fails() -> None:
    a_tenth_is_none = unigram.train({"ab": 3, "ba": 1}, 3, initial_size=4)
    more_than_there_are = unigram.train({"ab": 3, "ba": 1}, 1, initial_size=4, share_to_remove=0.9)
    assert len(a_tenth_is_none.frequencies) == 3
    assert more_than_there_are.exhausted


# The notebook --------------------------------------------------------------------------------------------------------


def test_the_tokens_of_wordpiece_depend_on_the_order_of_its_alphabet(cat_words: list[str]) -> None:
    def tokens(text: str, alphabet: list[str] | None) -> str:
        return " ".join(NotebookWordPiece.train(cat_words, 30, alphabet=alphabet).tokenize(text).tokens)

    first_met = list(dict.fromkeys(token for word in cat_words for token in wordpiece.split_word(word)))
    found = {
        name: (tokens("runntjumpy", alphabet), tokens("runningandjumping", alphabet))
        for name, alphabet in [("code points", None), ("first met", first_met), ("last met", first_met[::-1])]
    }
    assert found == {
        "code points": ("runn t jump y", "running a n d jumping"),  # the first as the text derives it
        "first met": ("runn t jump y", "running a n d j u mp i n g"),
        "last met": ("runn t j u m p y", "running a n d jumping"),  # as printed
    }


@pytest.mark.parametrize(("text", "tokens"), [("ski", "s k i"), ("pizza", "p i z z a"), ("sea", "s e a")])
def test_text_that_ends_in_the_first_token_of_a_merge_is_tokenized(
    cat_words: list[str], text: str, tokens: str
) -> None:
    assert list(NotebookBpe.train(cat_words, 21).tokenize(text).tokens) == tokens.split()


def test_unknown_characters_do_not_fail_but_stay_what_they_are(cat_words: list[str]) -> None:
    tokenizer = NotebookBpe.train(cat_words, 21)
    assert "k" not in tokenizer.history.alphabet
    assert tokenizer.tokenize("skiing").tokens == ("s", "k", "i", "ing")  # printed so
    assert tokenizer.tokenize("zing").tokens == ("z", "ing")


@pytest.mark.parametrize("tokenizer", [NotebookBpe, NotebookWordPiece])
def test_commas_are_merged_as_other_characters(tokenizer: type[NotebookBpe | NotebookWordPiece]) -> None:
    history = tokenizer.train(["a,b"] * 3, 5).history
    assert [word.tokens for word in history.corpus_history[-1]] == [("a,b",)]
    assert "a,b" in history.vocabulary


@pytest.mark.parametrize("character", ["#", ","])
def test_a_hash_or_a_comma_in_the_corpus_does_not_keep_wordpiece_from_ending(character: str) -> None:
    tokenizer = NotebookWordPiece.train(["cat", character, f"c{character}"], 5)
    assert "" not in tokenizer.matching_order
    assert tokenizer.tokenize(f"ca{character}t!").tokens == ("c", "a", character, "t", "!")


def test_a_target_as_large_as_the_alphabet_is_allowed(cat_words: list[str]) -> None:
    assert NotebookBpe.train(cat_words, 16).history.merge_rules == ()


def test_the_likeliest_segmentation_of_cat_is_cat() -> None:
    frequencies = {"c": 30, "a": 20, "t": 25, "ca": 5, "at": 15, "cat": 5}
    assert sum(frequencies.values()) == 100
    found = {"+".join(way.tokens): float(way.probability) for way in unigram.segmentations("cat", frequencies)}
    assert found == {"c+a+t": 0.015, "c+at": 0.045, "ca+t": 0.0125, "cat": 0.05}  # printed for ca+t: 0.01
    assert max(found, key=found.__getitem__) == "cat"  # printed: ca+t
    model = unigram.negative_log_probabilities(frequencies)
    assert unigram.tokenize_word("cat", model).tokens == ("cat",)


def test_the_substrings_of_cats() -> None:
    printed = {"c", "a", "t", "s", "ca", "at", "ts", "cat", "ats"}
    assert set(unigram.strict_substring_frequencies({"cats": 1})) == printed
    assert set(unigram.all_substring_frequencies({"cats": 1})) - printed == {"cats"}


def test_the_library_has_five_tokenizers_to_train_and_not_four() -> None:
    ready_made = {name for name in vars(tokenizers.implementations) if name.endswith("Tokenizer")} - {"BaseTokenizer"}
    printed = {
        "BertWordPieceTokenizer", "CharBPETokenizer", "ByteLevelBPETokenizer", "SentencePieceBPETokenizer",
    }  # fmt: skip
    assert ready_made - printed == {"SentencePieceUnigramTokenizer"}
    assert printed <= ready_made


def test_no_normalizer_that_is_shown_gives_the_sentence_of_the_text() -> None:
    text, sentence = "ThÍs is  áN ExaMPlé     sÉnteNCE", "this is an example sentence"
    for each in (normalizers.NFC(), normalizers.Lowercase(), normalizers.BertNormalizer()):
        assert each.normalize_str(text) != sentence
    assert " ".join(normalizers.BertNormalizer().normalize_str(text).split()) == sentence


@pytest.mark.parametrize("library", [tokenizer_reference, tokenizers], ids=["reference", "tokenizers"])
def test_camembert_squeezes_spaces_where_its_file_says_so(library: Any, load_checkpoint: LoadCheckpoint) -> None:
    text = "ThÍs is  áN ExaMPlé     sÉnteNCE"
    normalizer = load_checkpoint(library, "camembert-base").normalizer
    assert normalizer.normalize_str(text) == "ThÍs is áN ExaMPlé sÉnteNCE"
    assert normalizer[0].normalize_str(text) == text  # printed: the character map alone


@pytest.mark.parametrize("checkpoint", ["t5-small", "xlnet-base-cased", "albert-base-v1"])
def test_the_mark_of_spaces_is_no_underscore(checkpoint: str, load_checkpoint: LoadCheckpoint) -> None:
    tokenizer = load_checkpoint(tokenizer_reference, checkpoint)
    counts = count_words(["a b"], tokenizer.pre_tokenizer.pre_tokenize_str)
    assert list(counts) == ["\u2581a", "\u2581b"]
    assert tokenizer.decoder.decode(list(counts)) == "a b"
    assert tokenizer.decoder.decode(["_a", "_b"]) == "_a_b"
