"""The trainers of ``sentencepiece``: BPE, Unigram, and words by frequency, which is WordLevel.

It is given every word as a sentence of its own, as often as it occurs, with all that it would do to text switched off,
so that it learns from the same words as the others. Its limit on the length of pieces is raised as far as it can be,
but for Unigram. The piece for unknown characters, which it always has, is left out of what is compared unless it is
asked for as a special token: ids are counted without it, and the size of the vocabulary is raised by one for it, so
that as many tokens can be learned as elsewhere.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import io
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Crashed, Failed, UnavailableError, Unsupported
from tokenizer_adapters.trainers.measurement import measured
from tokenizer_adapters.trainers.pipeline import outcome_of_work
from tokenizer_adapters.training import Algorithm, CountedWords, PreTokenizer, TrainedModel, TrainerInfo

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_adapters.training import TrainingOptions, TrainingRequest

INSTALL = "pip install sentencepiece"
UNKNOWN = "<unk>"

_MODEL_TYPES = {Algorithm.BPE: "bpe", Algorithm.UNIGRAM: "unigram", Algorithm.WORDLEVEL: "word"}

_OPTIONS = frozenset({"special_tokens", "initial_alphabet", "unk_token", "max_piece_length", "shrinking_factor"})
"""The options that it has; it calls some of them otherwise."""

_TEXT_AS_IT_IS: dict[str, Any] = {
    "normalization_rule_name": "identity",
    "add_dummy_prefix": False,
    "remove_extra_whitespaces": False,
    "split_by_unicode_script": False,
    "split_by_number": False,
    "character_coverage": 1.0,
    "max_sentence_length": 1 << 30,
}

_LONGEST_PIECE = 512
"""The greatest limit that it takes, in characters."""

_ERRORS_ONLY = 2
"""The least grave message that it writes on standard error."""


class SentencePieceTrainer:
    """``sentencepiece.SentencePieceTrainer``. It shows no merges; the order of its BPE pieces tells them.

    Building raises :class:`UnavailableError` where the package is not installed.
    """

    def __init__(self) -> None:
        if importlib.util.find_spec("sentencepiece") is None:
            raise UnavailableError(f"sentencepiece is not installed; install it with: {INSTALL}")
        self.info = TrainerInfo(
            name="sentencepiece",
            version=importlib.metadata.version("sentencepiece"),
            language="C++",
            home_page="https://github.com/google/sentencepiece",
            algorithms=frozenset(_MODEL_TYPES),
            takes_words=True,
            install=INSTALL,
        )

    def count_words(self, pre_tokenizer: PreTokenizer, files: tuple[str, ...]) -> Unsupported:  # noqa: ARG002
        """Answer that there is no pre-tokenizer to show."""
        return Unsupported("sentencepiece shows no pre-tokenizer")

    def train(self, request: TrainingRequest) -> TrainedModel | Unsupported | Failed | Crashed:
        """Train on the words of ``request``."""
        if request.algorithm not in _MODEL_TYPES:
            return Unsupported(f"sentencepiece has no trainer for {request.algorithm}")
        foreign = sorted(set(request.options.changed()) - _OPTIONS)
        if foreign:
            return Unsupported(f"the trainer of sentencepiece has no {', '.join(foreign)}")
        corpus = request.corpus
        if not isinstance(corpus, CountedWords):
            return Unsupported("sentencepiece is given words here, and no files")
        return outcome_of_work(lambda: _trained(request, corpus.counts))


def _trained(request: TrainingRequest, words: Mapping[str, int]) -> TrainedModel:
    module = importlib.import_module("sentencepiece")
    written = io.BytesIO()
    arguments = _arguments(request)
    done = measured(
        lambda: module.SentencePieceTrainer.train(
            sentence_iterator=_sentences(words), model_writer=written, **arguments
        )
    )
    processor = module.SentencePieceProcessor(model_proto=written.getvalue())
    left_out = None if UNKNOWN in request.options.special_tokens else UNKNOWN
    ids = [id_ for id_ in range(processor.get_piece_size()) if processor.id_to_piece(id_) != left_out]
    scores = {processor.id_to_piece(id_): float(processor.get_score(id_)) for id_ in ids}
    return TrainedModel(
        tokens={processor.id_to_piece(id_): place for place, id_ in enumerate(ids)},
        merges=None,
        scores=scores if request.algorithm is Algorithm.UNIGRAM else None,
        seconds=done.seconds,
        peak_memory=done.peak_memory,
    )


def _sentences(words: Mapping[str, int]) -> Iterator[str]:
    for word, count in words.items():
        for _ in range(count):
            yield word


def _arguments(request: TrainingRequest) -> dict[str, Any]:
    options: TrainingOptions = request.options
    own_unknown = UNKNOWN not in options.special_tokens
    is_unigram = request.algorithm is Algorithm.UNIGRAM
    return {
        **_TEXT_AS_IT_IS,
        "model_type": _MODEL_TYPES[request.algorithm],
        "vocab_size": options.vocab_size + own_unknown,
        "hard_vocab_limit": False,
        "control_symbols": [token for token in options.special_tokens if token != UNKNOWN],
        "unk_id": 0,
        "bos_id": -1,
        "eos_id": -1,
        "pad_id": -1,
        "required_chars": "".join(options.initial_alphabet),
        "max_sentencepiece_length": options.max_piece_length if is_unigram else _LONGEST_PIECE,
        "shrinking_factor": options.shrinking_factor,
        "num_threads": 1,
        "minloglevel": _ERRORS_ONLY,
    }
