"""The adapter of the reference implementation of this project."""

from __future__ import annotations

import importlib.metadata
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import tokenizer_reference
from tokenizer_adapters.chat import NOW, folder_of, messages_of, no_such_template, tools_of
from tokenizer_adapters.contract import (
    Chat,
    Encode,
    Failed,
    Field,
    ImplementationInfo,
    OffsetUnit,
    Outcome,
    Rendered,
    Stage,
    TokenizerSource,
    Unsupported,
)
from tokenizer_adapters.pipeline import ALL_FIELDS, LOADER_STAGES, PipelineSubject, loaded
from tokenizer_adapters.tracing import EVERYTHING, Detail, Trace, trace_of
from tokenizer_reference.chat import (
    CONTRACT,
    ChatTemplate,
    NoChatTemplateError,
    RenderingRules,
    TemplateRefusedError,
    special_tokens_of,
    templates_of,
)
from tokenizer_reference.decoders.engine_streams import OffsetStream, WordStream

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_adapters.contract import PlainObservation

DISTRIBUTION = "tokenizer-conformance"


class ReferenceSubject(PipelineSubject):
    """A tokenizer that the reference has loaded; it shows how it arrives at its answers.

    Its chat templates stand in ``folder``, and are rendered by ``rules``.
    """

    def __init__(
        self, tokenizer: Any, file: str, folder: Path, rules: RenderingRules, stream_class: type | None
    ) -> None:
        super().__init__(tokenizer, tokenizer_reference, file, stream_class)
        self._folder = folder
        self._rules = rules

    def _answer_with(self, tokenizer: Any, observation: PlainObservation) -> Outcome:
        if not isinstance(observation, Chat):
            return super()._answer_with(tokenizer, observation)
        try:
            text = self._prompt(observation)
        except TemplateRefusedError as error:
            return Failed(error.kind, error.message)
        except NoChatTemplateError as error:
            return Unsupported(str(error)) if observation.template is None else no_such_template(observation.template)
        return Rendered(text, tuple(tokenizer.encode(text, add_special_tokens=False).ids))

    def _prompt(self, chat: Chat) -> str:
        template = replace(self._templates, name=chat.template)
        return template.render(
            messages_of(chat),
            tools_of(chat),
            add_generation_prompt=chat.add_generation_prompt,
            continue_final_message=chat.continue_final_message,
        )

    @cached_property
    def _templates(self) -> ChatTemplate:
        return ChatTemplate(templates_of(self._folder), special_tokens_of(self._folder), rules=self._rules)

    def trace(self, question: Encode, detail: Detail = EVERYTHING) -> Trace:
        """Return the way of the texts of ``question``, which are no words.

        Raises :class:`ValueError` for words, and :class:`TypeError` for a text with a lone surrogate.
        """
        return trace_of(self._tokenizer, question, detail)


class ReferenceImplementation:
    """``tokenizer_reference``: what the pipeline means, in plain Python."""

    name: ClassVar[str] = "reference"
    stream_class: ClassVar[type | None] = None

    @cached_property
    def info(self) -> ImplementationInfo:
        """Return the description: every stage and field is shown, offsets count code points."""
        return ImplementationInfo(
            name=self.name,
            version=importlib.metadata.version(DISTRIBUTION),
            language="Python",
            home_page="",  # none but the project's README
            stages=LOADER_STAGES,
            fields=ALL_FIELDS,
            offset_unit=OffsetUnit.CODE_POINTS,
            install=f"pip install {DISTRIBUTION}",
        )

    def load(self, source: TokenizerSource) -> ReferenceSubject:
        """Load the ``tokenizer.json`` of ``source``.

        Raises :class:`CannotLoadError`.
        """
        return load_with(source, CONTRACT, self.name, self.stream_class)


def load_with(
    source: TokenizerSource, rules: RenderingRules, name: str = "reference", stream_class: type | None = None
) -> ReferenceSubject:
    """Load ``source`` with a reference that renders chat templates by ``rules``.

    Raises :class:`CannotLoadError`.
    """
    tokenizer = loaded(lambda: tokenizer_reference.Tokenizer.from_file(source.file), name, source)
    return ReferenceSubject(tokenizer, source.file, folder_of(source), replace(rules, now=NOW), stream_class)


class ClassicalStreamImplementation(ReferenceImplementation):
    """The reference's decoder in the stream that inference engines have: two offsets into the ids."""

    name: ClassVar[str] = "classical-stream"
    stream_class: ClassVar[type | None] = OffsetStream

    @cached_property
    def info(self) -> ImplementationInfo:
        """Return the description: ids are decoded, and nothing else is asked of a stream."""
        return replace(super().info, stages=frozenset({Stage.DECODE}), fields=frozenset({Field.TEXT}))


class WordStreamImplementation(ClassicalStreamImplementation):
    """The reference's decoder in the stream that ``transformers`` has: whole words and lines."""

    name: ClassVar[str] = "word-stream"
    stream_class: ClassVar[type | None] = WordStream
