"""The adapter of the reference implementation of this project."""

from __future__ import annotations

import importlib.metadata
from functools import cached_property

import tokenizer_reference
from tokenizer_adapters.contract import Encode, ImplementationInfo, OffsetUnit, TokenizerSource
from tokenizer_adapters.pipeline import ALL_FIELDS, ALL_STAGES, PipelineSubject, loaded
from tokenizer_adapters.tracing import EVERYTHING, Detail, Trace, trace_of

DISTRIBUTION = "tokenizer-conformance"


class ReferenceSubject(PipelineSubject):
    """A tokenizer that the reference has loaded; it shows how it arrives at its answers."""

    def trace(self, question: Encode, detail: Detail = EVERYTHING) -> Trace:
        """Return the way of the texts of ``question``, which are no words.

        Raises :class:`ValueError` for words, and :class:`TypeError` for a text with a lone surrogate.
        """
        return trace_of(self._tokenizer, question, detail)


class ReferenceImplementation:
    """``tokenizer_reference``: what the pipeline means, in plain Python."""

    @cached_property
    def info(self) -> ImplementationInfo:
        """Return the description: every stage and field is shown, offsets count code points."""
        return ImplementationInfo(
            name="reference",
            version=importlib.metadata.version(DISTRIBUTION),
            language="Python",
            home_page="",  # none but the project's README
            stages=ALL_STAGES,
            fields=ALL_FIELDS,
            offset_unit=OffsetUnit.CODE_POINTS,
            install=f"pip install {DISTRIBUTION}",
        )

    def load(self, source: TokenizerSource) -> ReferenceSubject:
        """Load the ``tokenizer.json`` of ``source``.

        Raises :class:`CannotLoadError`.
        """
        tokenizer = loaded(lambda: tokenizer_reference.Tokenizer.from_file(source.file), "reference", source)
        return ReferenceSubject(tokenizer, tokenizer_reference, source.file)
