"""A tokenizer.json that is looked into: its text, its document, and the implementation that is asked about it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeGuard

from tokenizer_adapters.contract import (
    CannotLoadError,
    Decode,
    Encode,
    Encoded,
    Normalize,
    Pieces,
    PreTokenize,
    Text,
    Unsupported,
)
from tokenizer_conformance.defaults import SEARCH_SECONDS
from tokenizer_conformance.inputs.text_generators.document_parts import MEMBERS, STAGES, DocumentParts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.comparison.loaded_documents import Documents
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.research.file_audit.json_text import JsonText


@dataclass(frozen=True, slots=True)
class Part:
    """A component of the document: the ``stage`` it stands in, the ``path`` that leads to it, and its ``members``."""

    stage: str
    path: Path
    members: Mapping[str, Any]

    @property
    def type(self) -> str:
        """Its type; empty where it names none."""
        named = self.members.get("type")
        return named if isinstance(named, str) else ""


@dataclass(frozen=True)
class AuditedFile:
    """A ``tokenizer``, whose file has this ``text`` and ``document``.

    ``asked`` is the baseline with it loaded, ``None`` where that refuses the file: a check that needs answers then
    finds nothing. ``saved`` is the document as the baseline writes it, in its current form. ``documents`` has the
    baseline load other documents. A search may take ``seconds``. ``measured`` is the baseline in a process of its own,
    which may take its time or end; ``None`` where there is none. ``cut_short`` says of searches that ended with their
    time what they have not looked at.
    """

    tokenizer: TokenizerFile
    text: JsonText
    document: Json
    asked: Asked | None
    saved: Json | None
    documents: Documents
    seconds: float = SEARCH_SECONDS
    measured: Documents | None = None
    cut_short: list[str] = field(default_factory=list)

    @cached_property
    def parts(self) -> DocumentParts:
        """The parts of the document, read without trust."""
        return DocumentParts(self.document)

    @cached_property
    def components(self) -> tuple[Part, ...]:
        """All components with their paths, those of sequences one by one, after the sequence itself."""
        return tuple(part for stage in STAGES for part in _components(stage, (stage,), self.document.get(stage)))

    def of_stage(self, stage: str) -> tuple[Part, ...]:
        """Return the components of ``stage`` that do something, in their order: sequences themselves are left out."""
        return tuple(each for each in self.components if each.stage == stage and each.type != "Sequence")

    @cached_property
    def token_ids(self) -> dict[str, int]:
        """The id of each token of the model's vocabulary, where the file has one for it."""
        vocabulary = self.parts.model.get("vocab")
        if isinstance(vocabulary, dict):
            return {token: number for token, number in vocabulary.items() if is_id(number)}
        if isinstance(vocabulary, list):
            # Of pieces that are there twice the later one is found by its content.
            return {entry[0]: index for index, entry in enumerate(vocabulary) if is_piece(entry)}
        return {}

    @cached_property
    def vocabulary(self) -> dict[str, int]:
        """The id of every token, added ones included, as the baseline has them, or else as the file says."""
        shown = None if self.asked is None else self.asked.vocabulary()
        if isinstance(shown, dict):
            return shown
        added = {each["content"]: each["id"] for each in self.parts.added_tokens if is_id(each.get("id"))}
        return added | self.token_ids

    @cached_property
    def unlimited(self) -> AuditedFile:
        """The same without truncation and padding; itself, where there is neither."""
        if self.document.get("truncation") is None and self.document.get("padding") is None:
            return self
        return self.other({**self.document, "truncation": None, "padding": None}) or self

    # Asking. What an implementation does not answer with a value is ``None``.

    def answer(self, question: Observation) -> Outcome:
        """Return the answer to ``question``."""
        if self.asked is None:
            return Unsupported("the tokenizer is not loaded")
        return self.asked.ask(question)

    def normalized(self, text: str) -> str | None:
        """Return what the normalizer makes of ``text``."""
        answer = self.answer(Normalize(text))
        return answer.text if isinstance(answer, Text) else None

    def pieces(self, text: str) -> tuple[str, ...] | None:
        """Return what the pre-tokenizer cuts ``text`` into, which is not normalized before."""
        answer = self.answer(PreTokenize(text))
        return tuple(piece for piece, _ in answer.pieces) if isinstance(answer, Pieces) else None

    def encoded(self, text: str, pair: str | None = None, *, add_special_tokens: bool = False) -> Encoded | None:
        """Return what ``text`` (and ``pair``) becomes."""
        answer = self.answer(Encode(text, pair, add_special_tokens))
        return answer if isinstance(answer, Encoded) else None

    def decoded(self, ids: tuple[int, ...], *, skip_special_tokens: bool = False) -> str | None:
        """Return the text of ``ids``."""
        answer = self.answer(Decode(ids, skip_special_tokens))
        return answer.text if isinstance(answer, Text) else None

    def other(self, document: Json) -> AuditedFile | None:
        """Return the audit of another ``document``, ``None`` where the baseline refuses it."""
        try:
            asked = self.documents.loaded(document, self.tokenizer.source.name)
        except CannotLoadError:
            return None
        return replace(self, document=document, asked=asked, saved=None)


def is_id(value: object) -> TypeGuard[int]:
    """Return whether ``value`` is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_piece(entry: object) -> bool:
    """Return whether ``entry`` is a piece of a Unigram and its score."""
    if not isinstance(entry, list) or len(entry) != 2:
        return False
    return isinstance(entry[0], str) and isinstance(entry[1], int | float) and not isinstance(entry[1], bool)


def _components(stage: str, path: Path, value: object) -> Iterator[Part]:
    if not isinstance(value, dict):
        return
    yield Part(stage, path, value)
    for name in MEMBERS:
        inner = value.get(name)
        for index, member in enumerate(inner if isinstance(inner, list) else ()):
            yield from _components(stage, (*path, name, index), member)
