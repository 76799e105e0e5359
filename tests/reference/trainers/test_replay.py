"""Results that the target draws at random are judged: what it learns is legal, and a planted fault is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import tokenizers
from replay import Illegal, Legal, PairCount, Verdict, judge
from training import TEXTS, Corpora, Training, lines_of, word_counts

import tokenizer_reference
from tokenizer_reference.trainers.merge_beginning import MergeOptions

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

LIBRARIES = [tokenizer_reference, tokenizers]


def options_of(options: dict[str, Any]) -> MergeOptions:
    """Return what decides, as the trainer understands its options."""
    alphabet = dict.fromkeys(text[:1] for text in options.get("initial_alphabet", []))
    specials = tuple(options.get("special_tokens", []))
    return MergeOptions(**options | {"initial_alphabet": tuple(alphabet), "special_tokens": specials})


def verdict_on(training: Training, library: ModuleType, words: dict[str, int]) -> Verdict:
    model = training.document(library)["model"]
    merges = [tuple(pair) for pair in model["merges"]] if training.model == "BPE" else None
    options = dict(training.options)
    if training.model == "WordPiece":
        options.setdefault("continuing_subword_prefix", "##")
    return judge(words, options_of(options), model["vocab"], merges)


def test_the_least_example() -> None:
    words, options = {"ab": 2, "bc": 3}, MergeOptions(vocab_size=7, continuing_subword_prefix="#")
    vocabulary = {"a": 0, "b": 1, "c": 2, "#c": 3, "#b": 4}
    assert judge(words, options, {**vocabulary, "bc": 5, "ab": 6}) == Legal(merges=2, ties=0)
    verdict = judge(words, options, {**vocabulary, "ab": 5, "bc": 6})
    assert isinstance(verdict, Illegal)
    assert (verdict.step, verdict.due, verdict.learned) == (0, PairCount("b", "#c", 3), PairCount("a", "#b", 2))


def assert_random_corpora_are_legal(seeds: range) -> None:
    for seed in seeds:
        corpora = Corpora(f"replay {seed}")
        options = corpora.merge_options()
        model = corpora.random.choice(["BPE", "WordPiece"])
        if model == "WordPiece":
            options.pop("max_token_length", None)
        training = Training(model, list(corpora.words()), options)
        words = word_counts(tokenizer_reference, list(training.texts), "Whitespace")
        for library in LIBRARIES:
            verdict = verdict_on(training, library, words)
            assert isinstance(verdict, Legal), (seed, library, verdict)
            assert verdict.ties == 0, seed


def test_random_corpora() -> None:
    assert_random_corpora_are_legal(range(60))


@pytest.mark.slow
def test_2000_random_corpora() -> None:
    assert_random_corpora_are_legal(range(150, 2150))


RANDOM_OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("WordPiece", {}),
    ("WordPiece", {"limit_alphabet": 40, "special_tokens": ["[UNK]", "[CLS]"]}),
    ("BPE", {"end_of_word_suffix": "</w>"}),
    ("BPE", {"continuing_subword_prefix": "##"}),
    ("BPE", {"limit_alphabet": 30}),
]


@pytest.mark.parametrize(("model", "options"), RANDOM_OPTIONS)
def test_runs_of_the_target_are_legal(shared: Path, model: str, options: dict[str, Any]) -> None:
    lines = lines_of(shared, "botchan", 15_000)
    words = word_counts(tokenizer_reference, lines, "Whitespace")
    training = Training(model, lines, {"vocab_size": 600, **options})
    verdicts = [verdict_on(training, tokenizers, words) for _ in range(5)]
    assert {type(verdict) for verdict in verdicts} == {Legal}, verdicts
    assert all(verdict.ties == 0 for verdict in verdicts if isinstance(verdict, Legal))


@pytest.mark.slow
@pytest.mark.parametrize(("model", "options"), RANDOM_OPTIONS)
@pytest.mark.parametrize("name", TEXTS)
def test_20_runs_of_the_target_on_whole_texts_are_legal(
    shared: Path, name: str, model: str, options: dict[str, Any]
) -> None:
    lines = lines_of(shared, name)
    words = word_counts(tokenizer_reference, lines, "Whitespace")
    training = Training(model, lines, {"vocab_size": 8000, **options})
    for _ in range(20):
        assert isinstance(verdict_on(training, tokenizers, words), Legal)


# Planted faults ------------------------------------------------------------------------------------------------------

WORDS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
BPE = MergeOptions(vocab_size=10)
VOCABULARY = {"b": 0, "g": 1, "h": 2, "n": 3, "p": 4, "s": 5, "u": 6, "ug": 7, "un": 8, "hug": 9}
MERGES = [("u", "g"), ("u", "n"), ("h", "ug")]


def test_what_was_learned_is_legal() -> None:
    assert judge(WORDS, BPE, VOCABULARY, MERGES) == Legal(merges=3, ties=0)


def test_a_wrong_merge_is_named_with_both_counts() -> None:
    vocabulary = {**VOCABULARY, "un": 7, "ug": 8}
    wrong = [("u", "n"), ("u", "g"), ("h", "ug")]
    verdict = judge(WORDS, BPE, vocabulary, wrong)
    assert verdict == Illegal(
        "another pair is more frequent", step=0, due=PairCount("u", "g", 20), learned=PairCount("u", "n", 16)
    )


def test_a_wrong_merge_later_on() -> None:
    vocabulary = {**VOCABULARY, "pu": 9}
    del vocabulary["hug"]
    verdict = judge(WORDS, BPE, vocabulary, [*MERGES[:2], ("p", "u")])
    assert verdict == Illegal(
        "another pair is more frequent", step=2, due=PairCount("h", "ug", 15), learned=PairCount("p", "u", 0)
    )


def test_a_wrong_token_of_a_vocabulary_without_merges() -> None:
    options = MergeOptions(vocab_size=10, continuing_subword_prefix="##")
    words = {"hug": 3, "pug": 2}
    learned = ["g", "h", "p", "u", "##u", "##g", "##ug", "hug", "pug"]
    vocabulary = {token: id_ for id_, token in enumerate(learned)}
    assert judge(words, options, vocabulary) == Legal(merges=3, ties=0)
    wrong = {**vocabulary, "pug": 7, "hug": 8}
    assert judge(words, options, wrong) == Illegal(
        "another pair is more frequent", step=1, due=PairCount("h", "##ug", 3), learned=PairCount("p", "##ug", 2)
    )


def test_a_tie_decided_otherwise_is_counted() -> None:
    words = {"ab": 1, "cd": 1}
    vocabulary = {"a": 0, "b": 1, "c": 2, "d": 3, "cd": 4, "ab": 5}
    assert judge(words, MergeOptions(), vocabulary, [("c", "d"), ("a", "b")]) == Legal(merges=2, ties=1)


@pytest.mark.parametrize(
    ("vocabulary", "merges", "reason", "step"),
    [
        ({**VOCABULARY, "hug": 11}, MERGES, "the ids are not the numbers", None),
        ({**VOCABULARY, "b": 1, "g": 0}, MERGES, "'g' is not in its place", None),
        ({**VOCABULARY, "hu": 9, "hug": 10}, MERGES, "the merged token has not the next id", 2),
        (dict(list(VOCABULARY.items())[:-1]), MERGES[:-1], "merging ends though a pair is due", 2),
        ({**VOCABULARY, "hugs": 10}, [*MERGES, ("hug", "s")], "no pair is due any more", 3),
    ],
)
def test_other_faults(vocabulary: dict[str, int], merges: list[tuple[str, str]], reason: str, step: int | None) -> None:
    verdict = judge(WORDS, BPE, vocabulary, merges)
    assert isinstance(verdict, Illegal)
    assert reason in verdict.reason
    assert verdict.step == step


def test_special_tokens_have_to_come_first() -> None:
    verdict = judge(WORDS, MergeOptions(vocab_size=10, special_tokens=("<s>",)), VOCABULARY, MERGES)
    assert isinstance(verdict, Illegal)
    assert "the special tokens ['<s>']" in verdict.reason


def test_a_frequent_character_must_not_be_dropped_for_a_rare_one() -> None:
    words = {"aab": 5, "abc": 1}
    options = MergeOptions(vocab_size=2, limit_alphabet=2)
    assert judge(words, options, {"a": 0, "b": 1}, []) == Legal(merges=0, ties=0)
    verdict = judge(words, options, {"a": 0, "c": 1}, [])
    assert isinstance(verdict, Illegal)
    assert "'b' was dropped, which occurs 6 times, and 'c' kept, which occurs 1 times" in verdict.reason


def test_no_order_of_words_gives_some_orders_of_prefixed_characters() -> None:
    """The words "abc" and "ac" give "#b" and "#c", or "#c" and "#b"; "abcd" alone cannot give "#c" first."""
    options = MergeOptions(vocab_size=0, continuing_subword_prefix="#")
    for words, order, is_legal in [
        ({"abc": 1, "ac": 1}, ["#c", "#b"], True),
        ({"abc": 1, "ac": 1}, ["#b", "#c"], True),
        ({"abc": 1}, ["#c", "#b"], False),
    ]:
        vocabulary = {token: id_ for id_, token in enumerate(["a", "b", "c", *order])}
        assert isinstance(judge(words, options, vocabulary), Legal) == is_legal
