"""The trainers of ``tokenizers``, the library whose behaviour is the target."""

from __future__ import annotations

import importlib
import importlib.metadata

from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.tokenizers import INSTALL
from tokenizer_adapters.trainers.pipeline import Library, PipelineTrainer
from tokenizer_adapters.training import Algorithm, TrainerInfo


class TokenizersTrainer(PipelineTrainer):
    """``tokenizers.trainers``, through its Python binding.

    Building raises :class:`UnavailableError` where the package is not installed.
    """

    def __init__(self) -> None:
        try:
            module = importlib.import_module("tokenizers")
        except ImportError as error:
            raise UnavailableError(f"tokenizers cannot be imported ({error}); install it with: {INSTALL}") from error
        info = TrainerInfo(
            name="tokenizers",
            version=importlib.metadata.version("tokenizers"),
            language="Rust",
            home_page="https://github.com/huggingface/tokenizers",
            algorithms=frozenset(Algorithm),
            takes_words=False,
            install=INSTALL,
        )
        super().__init__(info, Library(module.Tokenizer, module.models, module.pre_tokenizers, module.trainers))
