"""All figures and lists of the worked examples, computed again and compared section by section."""

from __future__ import annotations

import json
from math import exp
from typing import TYPE_CHECKING, Any

import pytest

import tokenizer_reference
from tokenizer_reference.textbook import (
    bpe,
    count_words,
    notebook_bpe,
    notebook_wordpiece,
    tokenize_text,
    unigram,
    wordpiece,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BERT_SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


@pytest.fixture(scope="module")
def examples(shared: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "facts" / "worked_examples.json").read_text("utf-8"))
    return found


@pytest.fixture(scope="module")
def pre_tokenize(load_checkpoint: Callable[[Any, str], Any]) -> Callable[[str], Any]:
    return lambda checkpoint: load_checkpoint(tokenizer_reference, checkpoint).pre_tokenizer.pre_tokenize_str


def as_json(value: Any) -> Any:
    """Return `value` as JSON gives it back: tuples as lists."""
    return json.loads(json.dumps(value))


def given(section: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return what a section gives to start from; what remains of it is to be computed."""
    return {name: section[name] for name in names}


def same(actual: dict[str, Any], expected: dict[str, Any]) -> None:
    assert as_json(actual) == expected


def test_every_section_has_a_test(examples: dict[str, Any]) -> None:
    assert set(examples) == {
        "course_bpe",
        "course_wordpiece",
        "course_unigram",
        "hug_example",
        "notebook_bpe",
        "notebook_wordpiece",
    }
    assert set(examples["hug_example"]) == {"words", "bpe", "wordpiece", "unigram"}


def test_bpe_of_the_course(examples: dict[str, Any], pre_tokenize: Any) -> None:
    section = examples["course_bpe"]
    words = pre_tokenize(section["pre_tokenizer"])
    counts = count_words(section["corpus"], words)
    training = bpe.train(counts, section["vocab_size"], ["<|endoftext|>"])
    same(
        {
            **given(section, "corpus", "pre_tokenizer", "vocab_size"),
            "word_freqs": counts,
            "alphabet": training.alphabet,
            "merges": training.merges,
            "vocab": training.vocabulary,
            "encode": {
                text: tokenize_text(text, words, lambda word: bpe.tokenize_word(word, training.merges).tokens)
                for text in section["encode"]
            },
        },
        section,
    )
    assert list(counts) == list(section["word_freqs"])
    assert list(training.steps[0].pair_frequencies.items())[:6] == [
        (("T", "h"), 3), (("h", "i"), 3), (("i", "s"), 5), (("Ġ", "i"), 2), (("Ġ", "t"), 7), (("t", "h"), 3),
    ]  # fmt: skip
    assert (training.steps[0].pair, training.steps[0].frequency) == (("Ġ", "t"), 7)
    assert ("Ġt", "r", "a", "i", "n", "e", "d") in [word.tokens for word in training.steps[0].corpus]
    assert (len(training.alphabet), len(training.steps), len(training.vocabulary)) == (30, 19, 50)


def test_wordpiece_of_the_course(examples: dict[str, Any], pre_tokenize: Any) -> None:
    section = examples["course_wordpiece"]
    words = pre_tokenize(section["pre_tokenizer"])
    counts = count_words(section["corpus"], words)
    training = wordpiece.train(counts, section["vocab_size"], BERT_SPECIAL_TOKENS)
    first_scores = [(*pair, float(score)) for pair, score in training.steps[0].pair_scores.items()]

    def tokens(word: str) -> tuple[str, ...]:
        return wordpiece.tokenize_word(word, training.vocabulary).tokens

    same(
        {
            **given(section, "corpus", "pre_tokenizer", "vocab_size"),
            "word_freqs": counts,
            "alphabet": training.alphabet,
            "first_pair_scores": first_scores[:6],
            "merge_sequence_with_scores": [(*step.pair, float(step.score)) for step in training.steps],
            "vocab": training.vocabulary,
            "encode_word": {word: tokens(word) for word in section["encode_word"]},
            "encode": {text: tokenize_text(text, words, tokens) for text in section["encode"]},
        },
        section,
    )
    assert ("ab", "##o", "##u", "##t") in [word.tokens for word in training.steps[0].corpus]
    hugging, not_in_it = (wordpiece.tokenize_word(word, training.vocabulary) for word in ("Hugging", "HOgging"))
    assert [(match.token, match.rest) for match in hugging.matches] == [
        ("Hugg", "##ing"), ("##i", "##ng"), ("##n", "##g"), ("##g", ""),
    ]  # fmt: skip
    assert [(match.token, match.rest) for match in not_in_it.matches] == [("H", "##Ogging")]
    assert not_in_it.unmatched == "##Ogging"


def test_unigram_of_the_course(examples: dict[str, Any], pre_tokenize: Any) -> None:
    section = examples["course_unigram"]
    words = pre_tokenize(section["pre_tokenizer"])
    counts = count_words(section["corpus"], words)
    longer = sorted(
        ((part, count) for part, count in unigram.all_substring_frequencies(counts).items() if len(part) > 1),
        key=lambda item: -item[1],
    )
    size = section["initial_vocab_size"]
    same(
        {
            **given(section, "corpus", "pre_tokenizer", "initial_vocab_size", "percent_to_remove", "stop_at", "note"),
            "word_freqs": counts,
            "top10_substrings": longer[:10],
            "results": section["results"],  # the next test
        },
        section,
    )
    initial = unigram.initial_frequencies(counts, size)
    assert len(initial) == size
    characters = sum(len(token) == 1 for token in initial)
    assert list(initial.items())[characters:] == longer[: size - characters]


@pytest.mark.parametrize("initial_score", [0, 1])
def test_unigram_training_of_the_course(examples: dict[str, Any], pre_tokenize: Any, initial_score: int) -> None:
    section = examples["course_unigram"]
    expected = section["results"][f"initial_score_{initial_score}"]
    words = pre_tokenize(section["pre_tokenizer"])
    training = unigram.train(
        section["word_freqs"],
        section["stop_at"],
        initial_size=section["initial_vocab_size"],
        share_to_remove=section["percent_to_remove"],
        initial_score=initial_score,
    )
    first = training.rounds[0]
    model = unigram.negative_log_probabilities(first.frequencies)
    increases = first.loss_increases
    found = {
        **{
            word: [list(best.tokens), pytest.approx(best.score, rel=1e-14)]
            for word in ("Hopefully", "This")
            for best in [unigram.tokenize_word(word, model, initial_score=initial_score)]
        },
        "loss": pytest.approx(first.loss, rel=1e-14),
        "score_ll": pytest.approx(increases["ll"], abs=1e-12),
        "score_his": increases["his"],
        "final_vocab_size": len(training.frequencies),
        "final_vocab": sorted(training.frequencies),
        "encode": {
            text: list(
                tokenize_text(text, words, lambda word: unigram.tokenize_word(word, training.model).tokens),
            )
            for text in expected["encode"]
        },
    }
    assert found == expected


def test_bpe_by_hand(examples: dict[str, Any]) -> None:
    section = examples["hug_example"]["bpe"]
    training = bpe.train(dict(examples["hug_example"]["words"]), 10)
    same(
        {
            "merges": training.merges,
            "merge_counts": [step.frequency for step in training.steps],
            "base_vocab": training.alphabet,
            "encode": {
                word: bpe.tokenize_word(word, training.merges, alphabet=training.alphabet).tokens
                for word in section["encode"]
            },
        },
        section,
    )


def test_wordpiece_by_hand_but_for_the_two_merges_that_the_course_has_in_the_wrong_order(
    examples: dict[str, Any],
) -> None:
    section = examples["hug_example"]["wordpiece"]
    training = wordpiece.train(dict(examples["hug_example"]["words"]), 11)
    merges = [list(step.pair) for step in training.steps]
    assert section["merges"] == [*merges[:2], merges[3], merges[2]]
    # The lists in which the worked example repeats what is printed; TEXTBOOK.md, erratum W1, says what is right.
    same(
        {
            **given(section, "merges", "encode_with_vocab"),
            "base_vocab": sorted(training.alphabet, key=lambda token: (token.startswith("##"), token)),
            "scores": [str(step.score) for step in training.steps],
            "encode": {
                word: wordpiece.tokenize_word(word, section["encode_with_vocab"]).tokens for word in section["encode"]
            },
        },
        section,
    )


def test_unigram_by_hand(examples: dict[str, Any]) -> None:
    section = examples["hug_example"]["unigram"]
    counts = dict(examples["hug_example"]["words"])
    frequencies = unigram.strict_substring_frequencies(counts)
    model = unigram.negative_log_probabilities(frequencies)
    unhug, huggun = (unigram.tokenize_word(word, model) for word in ("unhug", "huggun"))
    assert all(unhug.endings)
    increases = unigram.compute_loss_increases(model, counts)
    found = {
        **given(section, "errata"),
        "frequencies": frequencies,
        "total": sum(frequencies.values()),
        "P_pug": pytest.approx(
            {" ".join(way.tokens): float(way.probability) for way in unigram.segmentations("pug", frequencies)},
            rel=1e-14,
        ),
        "unhug_best_scores": pytest.approx([exp(-ending.score) for ending in unhug.endings if ending], rel=1e-14),
        "unhug": list(unhug.tokens),
        "huggun": list(huggun.tokens),
        "huggun_score": pytest.approx(exp(-(huggun.score or 0.0)), rel=1e-14),
        "loss": pytest.approx(unigram.compute_loss(model, counts), rel=1e-14),
        "loss_increase_without_hug": pytest.approx(increases["hug"], rel=1e-12),
        "loss_increase_without_pu": increases["pu"],
    }
    assert found == section


def test_bpe_of_the_notebook(examples: dict[str, Any]) -> None:
    section = examples["notebook_bpe"]
    words = [word for word, count in section["words"].items() for _ in range(count)]
    tokenizer = notebook_bpe.NotebookBpe.train(words, section["target_vocab_size"])
    with pytest.raises(notebook_bpe.TargetVocabularySizeError):
        notebook_bpe.NotebookBpe.train(words, section["initial_vocab_size"] - 1)
    same(
        {
            **given(section, "words", "target_vocab_size", "error"),
            "initial_vocab_size": len(tokenizer.history.alphabet),
            "merges": tokenizer.history.merge_rules,
            "encode": {word: tokenizer.tokenize(word).tokens for word in section["encode"]},
        },
        section,
    )


def test_wordpiece_of_the_notebook(examples: dict[str, Any]) -> None:
    section = examples["notebook_wordpiece"]
    words = [word for word, count in section["words"].items() for _ in range(count)]
    first_met = dict.fromkeys(character for word in section["words"] for character in wordpiece.split_word(word))
    tokenizer = notebook_wordpiece.NotebookWordPiece.train(
        words, section["target_vocab_size"], alphabet=list(reversed(first_met))
    )
    scores = [
        float(wordpiece.pair_scores(corpus)[rule])
        for rule, corpus in zip(tokenizer.history.merge_rules, tokenizer.history.corpus_history, strict=False)
    ]
    same(
        {
            **given(section, "words", "target_vocab_size", "note"),
            "initial_vocab_size": len(tokenizer.history.alphabet),
            "merges_with_scores": [
                (*rule, score) for rule, score in zip(tokenizer.history.merge_rules, scores, strict=True)
            ],
            "encode": {word: tokenizer.tokenize(word).tokens for word in section["encode"]},
        },
        section,
    )
