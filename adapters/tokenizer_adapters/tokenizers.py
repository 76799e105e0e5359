"""The adapter of ``tokenizers``, the library whose behaviour is the target."""

from __future__ import annotations

import importlib
import importlib.metadata
from functools import cached_property

from tokenizer_adapters.contract import ImplementationInfo, OffsetUnit, TokenizerSource, UnavailableError
from tokenizer_adapters.pipeline import ALL_FIELDS, ALL_STAGES, PipelineSubject, loaded

INSTALL = "pip install tokenizers"


class TokenizersImplementation:
    """``tokenizers``, through its Python binding.

    Building raises :class:`UnavailableError` where the package is not installed.
    """

    def __init__(self) -> None:
        try:
            self._module = importlib.import_module("tokenizers")
        except ImportError as error:
            raise UnavailableError(f"tokenizers cannot be imported ({error}); install it with: {INSTALL}") from error

    @cached_property
    def info(self) -> ImplementationInfo:
        """Return the description: every stage and field is shown, offsets count code points."""
        return ImplementationInfo(
            name="tokenizers",
            version=importlib.metadata.version("tokenizers"),
            language="Rust",
            home_page="https://github.com/huggingface/tokenizers",
            stages=ALL_STAGES,
            fields=ALL_FIELDS,
            offset_unit=OffsetUnit.CODE_POINTS,
            install=INSTALL,
        )

    def load(self, source: TokenizerSource) -> PipelineSubject:
        """Load the ``tokenizer.json`` of ``source``.

        Raises :class:`CannotLoadError`, also where the library panics over the file.
        """
        tokenizer = loaded(lambda: self._module.Tokenizer.from_file(source.file), "tokenizers", source)
        return PipelineSubject(tokenizer, self._module, source.file)
