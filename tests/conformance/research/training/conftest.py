"""Grounds to compare on, and the command line with the fake trainers installed as a plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import fake_trainers  # its folder is put on the path for the tests beside this folder
import pytest

from tokenizer_adapters.training import (
    Algorithm,
    CountedWords,
    PreTokenizer,
    TrainedModel,
    TrainingOptions,
    TrainingRequest,
)
from tokenizer_conformance.research.training.task import TrainingTask

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

WORDS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
"""The corpus of the course."""

TEXT = "low lower lowest newer wider\nnew low slow wide\nlow new\n"


@pytest.fixture
def task() -> Callable[..., TrainingTask]:
    """A function that makes what is compared on."""

    def make(
        algorithm: Algorithm = Algorithm.BPE,
        words: Mapping[str, int] = WORDS,
        vocab_size: int = 12,
        tolerance: float = 1e-6,
        **options: Any,
    ) -> TrainingTask:
        if algorithm is Algorithm.WORDPIECE:
            options.setdefault("continuing_subword_prefix", "##")
        made = TrainingOptions(vocab_size=vocab_size, **options)
        return TrainingTask(algorithm=algorithm, words=words, options=made, tolerance=tolerance)

    return make


@pytest.fixture
def learned() -> Callable[..., TrainedModel]:
    """A function that has a fake learn from a task."""

    def learn(task: TrainingTask, trainer: type[fake_trainers.Honest] = fake_trainers.Honest) -> TrainedModel:
        request = TrainingRequest(
            algorithm=task.algorithm,
            pre_tokenizer=PreTokenizer.WHITESPACE,
            corpus=CountedWords(task.words),
            options=task.options,
        )
        model = trainer().train(request)
        assert isinstance(model, TrainedModel)
        return model

    return learn


@pytest.fixture(scope="session")
def trainers_plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that registers the fake trainers when it is on the path."""
    folder = tmp_path_factory.mktemp("trainers-plugin")
    metadata = folder / "fake_trainers-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: fake-trainers\nVersion: 1.0\n")
    entries = "".join(f"{fake.name} = fake_trainers:{fake.__name__}\n" for fake in fake_trainers.ALL)
    (metadata / "entry_points.txt").write_text(f"[tokenizer_trainers]\n{entries}")
    return folder


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path
