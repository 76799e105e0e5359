"""The trainers of the reference implementation of this project."""

from __future__ import annotations

import importlib.metadata

from tokenizer_adapters.trainers.pipeline import Library, PipelineTrainer, algorithms_of
from tokenizer_adapters.training import TrainerInfo
from tokenizer_reference import Tokenizer, models, pre_tokenizers, trainers

DISTRIBUTION = "tokenizer-conformance"


class ReferenceTrainer(PipelineTrainer):
    """``tokenizer_reference.trainers``: what the trainers of ``tokenizers`` do, in plain Python."""

    def __init__(self) -> None:
        info = TrainerInfo(
            name="reference",
            version=importlib.metadata.version(DISTRIBUTION),
            language="Python",
            home_page="",  # none but the project's README
            algorithms=algorithms_of(trainers),
            takes_words=False,
            install=f"pip install {DISTRIBUTION}",
        )
        super().__init__(info, Library(Tokenizer, models, pre_tokenizers, trainers))
