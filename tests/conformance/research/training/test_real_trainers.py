"""What the real trainers learn is legal, and where they differ from each other it is proven a tie."""

from __future__ import annotations

import importlib.util
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tokenizer_conformance.inputs.bundled
from tokenizer_adapters.trainers import load_trainer
from tokenizer_adapters.training import (
    Algorithm,
    CountedWords,
    PreTokenizer,
    TextFiles,
    TrainedModel,
    TrainingOptions,
    TrainingRequest,
)
from tokenizer_conformance.research.training.comparison import Agreement, JudgedModel, Level, compare, judge
from tokenizer_conformance.research.training.merge_replay import MergeReplay
from tokenizer_conformance.research.training.task import TrainingTask

BUNDLED = Path(tokenizer_conformance.inputs.bundled.__file__).parent / "corpus.txt"
SHARED = Path(os.environ.get("TOKCONF_SHARED", Path(__file__).parents[5] / "shared")) / "texts"
needs_sentencepiece = pytest.mark.skipif(
    importlib.util.find_spec("sentencepiece") is None, reason="needs: pip install sentencepiece"
)

AFFIXED: list[dict[str, Any]] = [
    {"algorithm": Algorithm.WORDPIECE},
    {"algorithm": Algorithm.WORDPIECE, "continuing_subword_prefix": "@@", "special_tokens": ("[UNK]",)},
    {"algorithm": Algorithm.BPE, "continuing_subword_prefix": "##"},
    {"algorithm": Algorithm.BPE, "end_of_word_suffix": "</w>"},
    {"algorithm": Algorithm.BPE, "limit_alphabet": 150},
    {"algorithm": Algorithm.BPE, "min_frequency": 3},
    {"algorithm": Algorithm.BPE, "max_token_length": 4, "initial_alphabet": ("Ω", "a")},
]
"""Algorithms and options; those of the first five have random ties in ``tokenizers``."""


def ground_of(
    pre_tokenizer: PreTokenizer, file: Path, vocab_size: int, algorithm: Algorithm, **options: Any
) -> TrainingTask:
    counted = load_trainer("tokenizers").count_words(pre_tokenizer, (str(file),))
    assert isinstance(counted, CountedWords)
    if algorithm is Algorithm.WORDPIECE:
        options.setdefault("continuing_subword_prefix", "##")
    return TrainingTask(
        algorithm=algorithm, words=counted.counts, options=TrainingOptions(vocab_size=vocab_size, **options)
    )


def learned(name: str, task: TrainingTask, pre_tokenizer: PreTokenizer, file: Path) -> TrainedModel:
    trainer = load_trainer(name)
    request = TrainingRequest(
        algorithm=task.algorithm,
        pre_tokenizer=pre_tokenizer,
        corpus=CountedWords(task.words) if trainer.info.takes_words else TextFiles((str(file),)),
        options=task.options,
    )
    model = trainer.train(request)
    assert isinstance(model, TrainedModel), model
    return model


@pytest.mark.long_but(1)
@pytest.mark.parametrize("settings", AFFIXED, ids="-".join)
def test_each_run_of_tokenizers_is_legal_and_the_reference_is_tied_with_it(settings: dict[str, Any]) -> None:
    pre_tokenizer = PreTokenizer.WHITESPACE
    on = ground_of(pre_tokenizer, BUNDLED, 1200, **settings)
    reference = JudgedModel(learned("reference", on, pre_tokenizer, BUNDLED), on)
    assert reference.judgement.is_legal
    for _ in range(2):
        target = JudgedModel(learned("tokenizers", on, pre_tokenizer, BUNDLED), on)
        assert isinstance(target.judgement, MergeReplay)
        assert target.judgement.is_legal, target.judgement.first
        assert target.judgement.lowest_ids == target.judgement.tied > 0
        assert compare(target, reference, on).agreement in (Agreement.AGREE, Agreement.TIE)


@pytest.mark.long
def test_a_planted_wrong_merge_of_tokenizers_is_not_legal() -> None:
    """A learned token that stands before one that was more frequent, as only the ids of WordPiece show."""
    on = ground_of(PreTokenizer.WHITESPACE, BUNDLED, 1500, Algorithm.WORDPIECE)
    model = learned("tokenizers", on, PreTokenizer.WHITESPACE, BUNDLED)
    by_id = sorted(model.tokens, key=model.tokens.__getitem__)
    first = next(at for at, token in enumerate(by_id) if on.affixes.length(token) > 1)
    for one, other in ((first, first + 200), (first + 50, len(by_id) - 1)):
        tokens = model.tokens | {by_id[one]: other, by_id[other]: one}
        wrong = replace(model, tokens=tokens)
        assert not judge(wrong, on).is_legal
        comparison = compare(JudgedModel(model, on), JudgedModel(wrong, on), on)
        assert comparison.blamed == Level.IDS
        assert comparison.agreement == Agreement.DIFFER


@pytest.mark.long_but(1)
@pytest.mark.parametrize("pre_tokenizer", [PreTokenizer.WHITESPACE, PreTokenizer.METASPACE])
def test_unigram_of_the_reference_is_tied_with_tokenizers(pre_tokenizer: PreTokenizer) -> None:
    on = ground_of(pre_tokenizer, BUNDLED, 1200, Algorithm.UNIGRAM)
    first, second = (JudgedModel(learned(name, on, pre_tokenizer, BUNDLED), on) for name in ("tokenizers", "reference"))
    comparison = compare(first, second, on)
    assert comparison.agreement in (Agreement.AGREE, Agreement.TIE)
    assert comparison.levels[0].agreement == Agreement.AGREE


@pytest.mark.long_but(1)
@needs_sentencepiece
@pytest.mark.parametrize("pre_tokenizer", list(PreTokenizer))
def test_bpe_of_sentencepiece_merges_most_frequent_pairs_too(pre_tokenizer: PreTokenizer) -> None:
    on = ground_of(pre_tokenizer, BUNDLED, 1500, Algorithm.BPE)
    model = learned("sentencepiece", on, pre_tokenizer, BUNDLED)
    assert model.merges is None
    judgement = judge(model, on)
    assert judgement.is_legal
    target = JudgedModel(learned("tokenizers", on, pre_tokenizer, BUNDLED), on)
    assert compare(target, JudgedModel(model, on), on).levels[0].agreement == Agreement.TIE


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason=f"the texts are not in {SHARED}")
@pytest.mark.parametrize("name", ["botchan.txt", "pride_and_prejudice.txt", "wagahai.txt"])
@pytest.mark.parametrize("settings", AFFIXED[:5], ids="-".join)
def test_20_runs_of_tokenizers_on_a_text_are_legal(settings: dict[str, Any], name: str) -> None:
    on = ground_of(PreTokenizer.WHITESPACE, SHARED / name, 8000, **settings)
    for _ in range(20):
        judgement = judge(learned("tokenizers", on, PreTokenizer.WHITESPACE, SHARED / name), on)
        assert isinstance(judgement, MergeReplay)
        assert judgement.is_legal, judgement.first
        assert judgement.lowest_ids == judgement.tied
