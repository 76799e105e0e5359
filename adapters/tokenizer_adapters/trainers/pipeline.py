"""Training with a library that has the Python API of ``tokenizers``.

``tokenizers`` and the reference share one API, so one trainer serves both: what differs between their answers then
differs between them, and not between two adapters. What a library is asked for stands in the tables.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from tokenizer_adapters.contract import Crashed, Failed, Unsupported
from tokenizer_adapters.pipeline import is_panic
from tokenizer_adapters.trainers.measurement import measured
from tokenizer_adapters.training import Algorithm, PreTokenizer, TextFiles, TrainedModel, count, sequences

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from tokenizer_adapters.training import CountedWords, TrainerInfo, TrainingOptions, TrainingRequest

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Library:
    """The parts of a library that training needs: its class ``Tokenizer`` and three modules."""

    tokenizer: Any
    models: Any
    pre_tokenizers: Any
    trainers: Any


_CLASSES: dict[Algorithm, tuple[str, str]] = {
    Algorithm.BPE: ("BPE", "BpeTrainer"),
    Algorithm.WORDPIECE: ("WordPiece", "WordPieceTrainer"),
    Algorithm.UNIGRAM: ("Unigram", "UnigramTrainer"),
    Algorithm.WORDLEVEL: ("WordLevel", "WordLevelTrainer"),
}
"""The model and the trainer of each algorithm."""

_PRE_TOKENIZERS: dict[PreTokenizer, tuple[str, dict[str, Any]]] = {
    PreTokenizer.WHITESPACE: ("Whitespace", {}),
    PreTokenizer.BYTELEVEL: ("ByteLevel", {"add_prefix_space": False}),
    PreTokenizer.METASPACE: ("Metaspace", {}),
}


def _pre_tokenizer(library: Library, pre_tokenizer: PreTokenizer) -> Any:
    name, arguments = _PRE_TOKENIZERS[pre_tokenizer]
    return getattr(library.pre_tokenizers, name)(**arguments)


def trainer_arguments(algorithm: Algorithm, options: TrainingOptions) -> dict[str, Any]:
    """Return the arguments of the library's trainer: those that differ from its defaults.

    The trainer of WordPiece has a prefix of its own, so it is always told.
    """
    names = set(options.changed())
    if algorithm is Algorithm.WORDPIECE:
        names.add("continuing_subword_prefix")
    given = {name: getattr(options, name) for name in sorted(names)}
    return {
        "vocab_size": options.vocab_size,
        "show_progress": False,
        **{name: list(value) if isinstance(value, tuple) else value for name, value in given.items()},
    }


def algorithms_of(trainers: Any) -> frozenset[Algorithm]:
    """Return what the classes of a module of trainers learn."""
    return frozenset(algorithm for algorithm, (_, trainer) in _CLASSES.items() if hasattr(trainers, trainer))


def learned(document: Mapping[str, Any], *, seconds: float, peak_memory: int | None) -> TrainedModel:
    """Return what was learned from a trained ``tokenizer.json``, parsed; added tokens count as tokens."""
    model = document["model"]
    added = {token["content"]: token["id"] for token in document.get("added_tokens") or ()}
    if isinstance(model["vocab"], list):
        tokens = {token: id_ for id_, (token, _) in enumerate(model["vocab"])}
        scores = dict(model["vocab"])
        return TrainedModel(tokens | added, None, scores, seconds, peak_memory)
    merges = tuple(merge_of(merge, model["vocab"]) for merge in model["merges"]) if "merges" in model else None
    return TrainedModel(model["vocab"] | added, merges, None, seconds, peak_memory)


def merge_of(merge: str | list[str], tokens: Collection[str]) -> tuple[str, str]:
    """Return the pair of a merge as a file has it: before release 0.20 of ``tokenizers``, as one string (observed).

    A space that belongs to a token cannot be told from the one between two, but by the ``tokens`` there are.

    >>> merge_of(["a", "b c"], ()), merge_of("a b c", {"a", "b c"})
    (('a', 'b c'), ('a', 'b c'))
    """
    if not isinstance(merge, str):
        left, right = merge
        return left, right
    places = [place for place, character in enumerate(merge) if character == " "]
    pairs = [(merge[:place], merge[place + 1 :]) for place in places]
    return next((pair for pair in pairs if pair[0] in tokens and pair[1] in tokens), pairs[0])


class PipelineTrainer:
    """The trainers of a library with the Python API of ``tokenizers``."""

    def __init__(self, info: TrainerInfo, library: Library) -> None:
        self.info = info
        self._library = library

    def count_words(self, pre_tokenizer: PreTokenizer, files: tuple[str, ...]) -> CountedWords | Failed | Crashed:
        """Return the words that the library's pre-tokenizer cuts ``files`` into."""

        def counted() -> CountedWords:
            cut = _pre_tokenizer(self._library, pre_tokenizer).pre_tokenize_str
            return count(word for sequence in sequences(files) for word, _ in cut(sequence))

        return outcome_of_work(counted)

    def train(self, request: TrainingRequest) -> TrainedModel | Unsupported | Failed | Crashed:
        """Train a new tokenizer on the files of ``request``, with the library's own pre-tokenizer."""
        if request.algorithm not in self.info.algorithms:
            return Unsupported(f"{self.info.name} has no trainer for {request.algorithm}")
        corpus = request.corpus
        if not isinstance(corpus, TextFiles):
            return Unsupported(f"{self.info.name} cuts files with its own pre-tokenizer, and takes no words")
        return outcome_of_work(lambda: self._trained(request, corpus.paths))

    def _trained(self, request: TrainingRequest, files: tuple[str, ...]) -> TrainedModel:
        library = self._library
        model, trainer_class = _CLASSES[request.algorithm]
        tokenizer = library.tokenizer(getattr(library.models, model)())
        tokenizer.pre_tokenizer = _pre_tokenizer(library, request.pre_tokenizer)
        trainer = getattr(library.trainers, trainer_class)(**trainer_arguments(request.algorithm, request.options))
        done = measured(lambda: tokenizer.train_from_iterator(sequences(files), trainer))
        return learned(json.loads(tokenizer.to_str()), seconds=done.seconds, peak_memory=done.peak_memory)


def outcome_of_work(work: Callable[[], T]) -> T | Failed | Crashed:
    """Return what ``work`` gives; an error as :class:`Failed` and a panic as :class:`Crashed`.

    What stops the program (``KeyboardInterrupt``, ``SystemExit``) passes through.
    """
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - any error of a trainer is its answer
        return Failed(type(error).__name__, str(error))
    except BaseException as error:
        if is_panic(error):
            return Crashed(str(error))
        raise
