"""Trainers that the server serves in its tests: one that counts at spaces, and those that crash, hang, or take all."""

import os
import sys
import time
from pathlib import Path

from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.training import (
    Algorithm,
    CountedWords,
    PreTokenizer,
    TrainedModel,
    TrainerInfo,
    TrainingOutcome,
    TrainingRequest,
    count,
    sequences,
)


class Honest:
    """Cuts at spaces, and learns words; each process has a number of its own."""

    @property
    def info(self) -> TrainerInfo:
        return TrainerInfo("honest", "1", "Python", "", frozenset({Algorithm.WORDLEVEL}), takes_words=False, install="")

    def count_words(self, pre_tokenizer: PreTokenizer, files: tuple[str, ...]) -> CountedWords:  # noqa: ARG002
        print("counting")
        return count(word for sequence in sequences(files) for word in sequence.split(" "))

    def train(self, request: TrainingRequest) -> TrainingOutcome:
        print("training", request)
        return TrainedModel({"é\0": 0, str(os.getpid()): 1}, (("a", "b"),), {"é\0": -1.5}, 2.0, 3)


class Dying(Honest):
    def train(self, request: TrainingRequest) -> TrainingOutcome:  # noqa: ARG002
        os.abort()


class Hanging(Honest):
    def train(self, request: TrainingRequest) -> TrainingOutcome:  # noqa: ARG002
        time.sleep(600)
        raise AssertionError("nobody has ended this process")


class Greedy(Honest):
    def train(self, request: TrainingRequest) -> TrainingOutcome:  # noqa: ARG002
        kept = bytearray()
        while True:
            kept += bytes(1 << 24)


class Raising(Honest):
    def train(self, request: TrainingRequest) -> TrainingOutcome:  # noqa: ARG002
        raise ValueError("of no value")


class Unlike(Honest):
    """Answers with what is no model."""

    def train(self, request: TrainingRequest) -> TrainingOutcome:  # noqa: ARG002
        return TrainedModel({"a": "0"})  # type: ignore[dict-item]


class StartingOnce(Honest):
    """Cannot be built a second time in the folder that it stands in."""

    def __init__(self) -> None:
        mark = Path("started")
        if mark.exists():
            sys.exit("once is enough")
        mark.touch()


class Missing(Honest):
    def __init__(self) -> None:
        raise UnavailableError("install it with: pip install missing")
