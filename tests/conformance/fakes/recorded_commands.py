"""Small records of commands that have really run, each made once."""

from __future__ import annotations

import itertools
import sys
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import fake_implementations as fakes
import fake_trainers
import pytest
from click.testing import CliRunner
from record_pairs import called
from small_suites import plan_of, toy_suite

from tokenizer_adapters.training import Algorithm, PreTokenizer, TrainingOptions
from tokenizer_conformance.cli import main
from tokenizer_conformance.research.training.engine import train
from tokenizer_conformance.research.training.page import TRAININGS
from tokenizer_conformance.research.training.preparation import TrainingPlan, corpus_files
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.results.records.making import lines_of as training_lines_of
from tokenizer_conformance.validation.suite.engine import run_suite
from tokenizer_conformance.validation.suite.page import SUITES
from tokenizer_conformance.validation.suite.record import lines_of as suite_lines_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tokenizer_adapters.training import TrainedModel, TrainingRequest

COMMANDS = {
    "search": ("fuzz", "bert-mini", "--cases", "4", "--seed", "1", "-i", "wrong-type", "--baseline", "tokenizers"),
    "fuzz": (
        "fuzz",
        "--tokenizers",
        "3",
        "--texts",
        "2",
        "--seed",
        "1",
        "-i",
        "wrong-type",
        "--baseline",
        "tokenizers",
    ),
    "suite": ("suite", "run", "-i", "wrong-type", "sound", "-k", "PIPELINE-GPT2"),
}
"""Commands on planted faults."""

TEXT = "Low lower lowest newer wider\nnew low slow wide\nlow new\n"


class Alternating(fake_trainers.Honest):
    """Drops the last token of each other model that is asked of it."""

    calls: ClassVar[Iterator[int]] = itertools.count()

    def planted(self, model: TrainedModel, request: TrainingRequest) -> TrainedModel:
        if next(self.calls) % 2:
            return fake_trainers.LastDropped().planted(model, request)
        return model


@pytest.fixture(scope="session")
def recorded(plugin: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A function that returns the record of that name, which is not to be changed."""
    folder = tmp_path_factory.mktemp("records of pages")

    @cache
    def made(name: str) -> Path:
        path = folder / f"{name}.jsonl"
        with pytest.MonkeyPatch.context() as patch:
            patch.syspath_prepend(str(plugin))
            patch.setenv("TOKCONF_IN_PROCESS", "all")
            patch.setenv("HF_HUB_OFFLINE", "1")
            patch.chdir(folder)
            if name == "toy suite":
                write_suite(path)
            elif name == "training":
                write_training(path)
            else:
                command(patch, [*COMMANDS[name], "--json", str(path)])
        return path

    return made


def command(patch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    """Run the command in this process."""
    patch.setattr(sys, "argv", ["tokconf", *arguments])
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code in (0, 1), result.output


def write_suite(path: Path) -> None:
    """Write the record of a suite of a few requirements, by which a toy and one with a fault are judged."""
    with PageOf(SUITES, suite_lines_of).record(path) as report:
        judged = called(fakes.WrongNormalization), called(fakes.Toy, "sound"), called(fakes.Mute, "mute")
        for event in run_suite(plan_of(toy_suite(), *judged)):
            report.handle(event)  # type: ignore[arg-type]  # no internal error


def write_training(path: Path) -> None:
    """Write the record of training of an honest trainer and of others, each with a fault."""
    faults = {
        "mine": fake_trainers.LastDropped,
        "ties": fake_trainers.OtherEquals,
        "fails": fake_trainers.Failing,
        "changes": Alternating,
        "words": fake_trainers.OtherWords,
    }
    corpus = path.with_suffix(".txt")
    corpus.write_text(TEXT, encoding="utf-8")
    trainers: list[Any] = [type("Mine", (fault,), {"name": name})() for name, fault in faults.items()]
    honest = fake_trainers.Honest()
    plan: dict[str, Any] = {
        "trainers": (honest, *trainers),
        "corpus": corpus_files([str(corpus)]),
        "pre_tokenizer": PreTokenizer.WHITESPACE,
        "words": honest.count_words(PreTokenizer.WHITESPACE, (str(corpus),)).counts,
        "counter": "honest",
        "options": {Algorithm.BPE: TrainingOptions(vocab_size=14)},
        "repeat": 2,
    }
    with PageOf(TRAININGS, training_lines_of).record(path) as report:
        for event in train(TrainingPlan(**plan)):
            report.handle(event)  # type: ignore[arg-type]  # no internal error
