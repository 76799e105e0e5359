"""A tokenizer.json that is looked into: its text, its document, and the implementation that is asked about it."""

from __future__ import annotations

import json
import math
import time
from bisect import bisect_right
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import itemgetter
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
from tokenizer_conformance.inputs.text_generators.document_parts import MEMBERS, STAGES, DocumentParts, is_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.comparison.loaded_documents import Documents
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile


@dataclass(frozen=True, slots=True)
class CutShort:
    """What was not looked at, in ``words``, and the ids of the ``defects``; none: all of the check.

    ``why`` it was not looked at; empty: for lack of time.
    """

    words: str
    defects: tuple[str, ...] = ()
    why: str = ""


VOCABULARY: Path = ("model", "vocab")
MERGES: Path = ("model", "merges")


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


@dataclass(frozen=True, eq=False)
class AuditedFile:
    """A ``tokenizer``, whose file has this ``text`` and ``document``.

    ``asked`` is the baseline with it loaded, ``None`` where that refuses the file: a check that needs answers then
    finds nothing. ``saved`` is the document as the baseline writes it, in its current form. ``documents`` has the
    baseline load other documents. Checks look ``until`` then, by the monotonic clock. ``measured`` is the baseline in
    a process of its own, which may take its time or end; ``None`` where there is none. ``cut_short`` says what was not
    looked at, ``decided`` of how many entries of the vocabulary what was found: names are those of the record.
    """

    tokenizer: TokenizerFile
    text: JsonText
    document: Json
    asked: Asked | None
    saved: Json | None
    documents: Documents
    until: float = math.inf
    measured: Documents | None = None
    cut_short: list[CutShort] = field(default_factory=list)
    decided: dict[str, int] = field(default_factory=dict)

    @cached_property
    def parts(self) -> DocumentParts:
        """The parts of the document, read without trust."""
        return DocumentParts(self.document)

    @cached_property
    def components(self) -> tuple[Part, ...]:
        """All components with their paths, those of sequences one by one, after the sequence itself."""
        return tuple(part for stage in STAGES for part in _components(stage, (stage,), self.document.get(stage)))

    def of_stage(self, stage: str) -> tuple[Part, ...]:
        """Return the components of ``stage`` that do something, in their order."""
        return components_at_work(self.document, stage)

    def regexes(self) -> Iterator[tuple[Path, str]]:
        """Yield every regex of a component, with its path; patterns that are plain text are none."""
        for part in self.components:
            written = part.members.get("pattern")
            pattern = written.get("Regex") if isinstance(written, dict) else None
            if is_text(pattern):
                yield (*part.path, "pattern", "Regex"), pattern

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
    def unknown_id(self) -> int | None:
        """The id of the unknown token, where the model names one that is in its vocabulary."""
        token, number = self.parts.model.get("unk_token"), self.parts.model.get("unk_id")
        if isinstance(token, str):
            return self.token_ids.get(token)
        return number if is_id(number) else None

    @cached_property
    def vocabulary(self) -> dict[str, int]:
        """The id of every token, added ones included, as the baseline has them, by id, or else as the file says."""
        shown = None if self.asked is None else self.asked.vocabulary()
        if isinstance(shown, dict):
            return dict(sorted(shown.items(), key=itemgetter(1)))  # an implementation may show them in any order
        added = {each["content"]: each["id"] for each in self.parts.added_tokens if is_id(each.get("id"))}
        return added | self.token_ids

    @cached_property
    def unlimited(self) -> AuditedFile:
        """The same without truncation and padding; itself, where there is neither."""
        if self.document.get("truncation") is None and self.document.get("padding") is None:
            return self
        return self.other({**self.document, "truncation": None, "padding": None}) or self

    def is_over(self, left: str, *defects: str) -> bool:
        """Return whether the time is over; then ``left`` is what was not looked at for ``defects``."""
        is_over = time.monotonic() > self.until
        if is_over:
            self.cut_short.append(CutShort(left, defects))
        return is_over

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


def components_at_work(document: Mapping[str, Any], stage: str) -> tuple[Part, ...]:
    """Return the components of ``stage`` that do something, in their order: sequences themselves are left out."""
    return tuple(part for part in _components(stage, (stage,), document.get(stage)) if part.type != "Sequence")


def _components(stage: str, path: Path, value: object) -> Iterator[Part]:
    if not isinstance(value, dict):
        return
    yield Part(stage, path, value)
    for name in MEMBERS:
        inner = value.get(name)
        for index, member in enumerate(inner if isinstance(inner, list) else ()):
            yield from _components(stage, (*path, name, index), member)


# Text ----------------------------------------------------------------------------------------------------------------

WHITE_SPACE = " \t\n\r"


@dataclass(frozen=True, slots=True)
class _Member:
    """A member of an object, or an item of an array: its key, and the offsets of its beginning and of its value."""

    key: str | int
    begin: int
    value: int


class JsonText:
    """The ``text`` of a JSON document, which the standard library reads without an error.

    Offsets are code points, lines count from 1. Values are skipped by the standard library's own scanner; an object or
    array is gone through once, when something in it is first asked for.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._decode = json.JSONDecoder().raw_decode
        self._lines = [0, *(at + 1 for at, character in enumerate(text) if character == "\n")]
        self._values: dict[int, dict[str | int, _Member]] = {}
        self._repeated: dict[int, list[_Member]] = {}

    def line_of(self, path: Path) -> int:
        """Return the line of what is at ``path``, or of the nearest part of the document that it would be in."""
        return self._line(self._nearest(path)[0])

    def repeated(self, path: Path) -> list[tuple[str, int]]:
        """Return the keys that the object at ``path`` has already had before, each time with its line."""
        _, value, is_there = self._nearest(path)
        if not is_there:
            return []
        self._members(value)
        return [(str(member.key), self._line(member.begin)) for member in self._repeated[value]]

    def _line(self, offset: int) -> int:
        return bisect_right(self._lines, offset)

    def _nearest(self, path: Path) -> tuple[int, int, bool]:
        """Return where what is at ``path`` begins, and its value, or the nearest part that is there (then false)."""
        begin = value = self._skip(0)
        for key in path:
            member = self._members(value).get(key)
            if member is None:
                return begin, value, False
            begin, value = member.begin, member.value
        return begin, value, True

    def _skip(self, at: int) -> int:
        text = self._text
        while at < len(text) and text[at] in WHITE_SPACE:
            at += 1
        return at

    def _members(self, begin: int) -> dict[str | int, _Member]:
        """Return the members of the object or array that begins there; a later one goes before one of its key."""
        found = self._values.get(begin)
        if found is None:
            members, repeated = {}, []
            for member in self._scan(begin):
                if member.key in members:
                    repeated.append(member)
                members[member.key] = member
            self._values[begin], self._repeated[begin] = found, _ = members, repeated
        return found

    def _scan(self, begin: int) -> Iterator[_Member]:
        text, index = self._text, 0
        if text[begin] not in "{[":
            return
        is_object = text[begin] == "{"
        at = self._skip(begin + 1)
        while text[at] not in "}]":
            start, key = at, index
            if is_object:
                key, at = self._decode(text, at)
                at = self._skip(self._skip(at) + 1)
            yield _Member(key, start, at)
            _, at = self._decode(text, at)
            at = self._skip(at)
            if text[at] == ",":
                at = self._skip(at + 1)
            index += 1
