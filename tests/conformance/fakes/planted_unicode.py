"""An implementation whose tables are given: each component follows the version, and the fault, that a test wants."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tokenizer_adapters.contract import (
    CannotLoadError,
    Failed,
    ImplementationInfo,
    Normalize,
    OffsetUnit,
    Pieces,
    PreTokenize,
    Stage,
    Text,
    Unsupported,
)
from tokenizer_adapters.pipeline import ALL_FIELDS
from tokenizer_conformance.research.unicode_audit.code_point_sets import CodePoints
from tokenizer_conformance.research.unicode_audit.properties import combining_classes, named, single_characters
from tokenizer_conformance.research.unicode_audit.rules import ANY_SCRIPT, kana_as_han, lowercase, union_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokenizer_adapters.contract import Observation, Outcome, TokenizerSource


def punctuation(version: str) -> CodePoints:
    return union_of(("P", "ASCII symbols"), version)


def extending(version: str) -> CodePoints:
    return union_of(("GCB=Extend", "GCB=SpacingMark", "GCB=ZWJ"), version)


def scripts(version: str) -> dict[str, CodePoints]:
    return dict(kana_as_han(version))


@dataclass(frozen=True)
class Tables:
    """What the components go by. ``fails_over`` is a character over which there is no answer.

    Hangul makes no clusters here.
    """

    punctuation: CodePoints = field(default_factory=lambda: punctuation("8.0"))
    numbers: CodePoints = field(default_factory=lambda: named("N", "17.0"))
    lowercase: Mapping[int, str] = field(default_factory=lambda: lowercase("17.0"))
    classes: Mapping[int, int] = field(default_factory=lambda: combining_classes("9.0"))
    decompositions: Mapping[int, str] = field(default_factory=lambda: single_characters("NFD", "9.0"))
    scripts: Mapping[str, CodePoints] = field(default_factory=lambda: scripts("9.0"))
    extending: CodePoints = field(default_factory=lambda: extending("16.0"))
    prepending: CodePoints = field(default_factory=lambda: union_of(("GCB=Prepend",), "16.0"))
    has_sequences: bool = True
    final_sigma: bool = False
    doubled_in_context: str = ""
    fails_over: str = ""


class PlantedImplementation:
    """Answers by ``tables``; it has no more components than the tests need."""

    name = "planted"

    @cached_property
    def tables(self) -> Tables:
        """Made when they are asked for: every test run imports this, and few use it."""
        return Tables()

    @property
    def info(self) -> ImplementationInfo:
        stages = frozenset({Stage.NORMALIZE, Stage.PRE_TOKENIZE})
        return ImplementationInfo(
            self.name, "1.0", "Python", "https://example.org", stages, ALL_FIELDS, OffsetUnit.CODE_POINTS, ""
        )

    def load(self, source: TokenizerSource) -> PlantedSubject:
        document = json.loads(Path(source.file).read_text("utf-8"))
        known = {"NFD", "Lowercase", "Punctuation", "Digits", "UnicodeScripts", "Split", None}
        if self.tables.has_sequences:
            known.add("Sequence")
        for component in (document["normalizer"], document["pre_tokenizer"]):
            kind = None if component is None else component["type"]
            if kind not in known:
                raise CannotLoadError(f"planted has no {kind}", unsupported=True)
        return PlantedSubject(document, self.tables)


class PlantedSubject:
    def __init__(self, document: dict[str, Any], tables: Tables) -> None:
        self._normalizer = (document["normalizer"] or {}).get("type")
        self._pre_tokenizer = (document["pre_tokenizer"] or {}).get("type")
        self._tables = tables
        self._cut = self._cutter() if self._pre_tokenizer else None

    def vocabulary(self) -> dict[str, int]:
        return {}

    def observe(self, observation: Observation) -> Outcome:
        match observation:
            case Normalize(text) if self._tables.fails_over and self._tables.fails_over in text:
                return Failed("ValueError", "no such character")
            case Normalize(text):
                return Text(NORMALIZERS[self._normalizer](self._tables, text) if self._normalizer else text)
            case PreTokenize(text) if self._cut is not None:
                return Pieces(tuple(self._cut(text)))
        return Unsupported("planted shows normalize and pre_tokenize")

    def _cutter(self) -> Callable[[str], list[tuple[str, tuple[int, int]]]]:
        if self._pre_tokenizer in ("Split", "Sequence"):
            return partial(_clusters, self._tables, is_long=self._pre_tokenizer == "Sequence")
        if self._pre_tokenizer == "UnicodeScripts":
            classes = {at: name for name, found in self._tables.scripts.items() if name != ANY_SCRIPT for at in found}
            return lambda text: _by_class(text, [classes.get(ord(char), "") for char in text], isolates=False)
        is_punctuation = self._pre_tokenizer == "Punctuation"
        members = set(map(chr, self._tables.punctuation if is_punctuation else self._tables.numbers))
        return lambda text: _by_class(
            text, ["in" if char in members else "out" for char in text], isolates=is_punctuation
        )


def _by_class(text: str, classes: list[str], *, isolates: bool) -> list[tuple[str, tuple[int, int]]]:
    """Cut before a character of another class than the last; one without a class goes with any."""
    pieces, start, last = [], 0, ""
    for at, kind in enumerate(classes):
        if kind and last and (kind != last or (isolates and kind == "in")):
            pieces.append((text[start:at], (start, at)))
            start = at
        last = kind or last
    return [*pieces, (text[start:], (start, len(text)))] if text else []


def _clusters(tables: Tables, text: str, *, is_long: bool) -> list[tuple[str, tuple[int, int]]]:
    """Cut clusters of a regex; where only those that are long are asked for, those of one character are left out."""
    extending, prepending = members_of(tables.extending), members_of(tables.prepending)
    starts = [
        at
        for at, char in enumerate(text)
        if not at or not (char in extending or (text[at - 1] in prepending and char.isprintable()))
    ]
    spans = zip(starts, [*starts[1:], len(text)], strict=True)
    return [(text[start:end], (start, end)) for start, end in spans if end - start > 1 or not is_long]


@cache
def members_of(found: CodePoints) -> frozenset[str]:
    return frozenset(map(chr, found))


def _lowercased(tables: Tables, text: str) -> str:
    told = text.translate(tables.lowercase)
    if tables.final_sigma:
        told = "".join(
            "ς" if char == "Σ" and at and text[at - 1].isalpha() and not text[at + 1 : at + 2].isalpha() else told[at]
            for at, char in enumerate(text)
        )
    if tables.doubled_in_context:
        told = told.replace(f"|{tables.doubled_in_context}|", f"|{tables.doubled_in_context * 2}|")
    return told


def _decomposed(tables: Tables, text: str) -> str:
    def ordered(match: re.Match[str]) -> str:
        return "".join(sorted(match[0], key=lambda char: tables.classes[ord(char)]))

    return _runs_of(frozenset(tables.classes)).sub(ordered, text.translate(tables.decompositions))


@cache
def _runs_of(marks: frozenset[int]) -> re.Pattern[str]:
    return re.compile(f"[{''.join(map(chr, sorted(marks)))}]{{2,}}")


NORMALIZERS: Final[dict[str, Callable[[Tables, str], str]]] = {"Lowercase": _lowercased, "NFD": _decomposed}


def planted(name: str = "planted", **tables: Any) -> PlantedImplementation:
    """Return an implementation with these tables in the place of the right ones."""
    made = PlantedImplementation()
    made.tables = Tables(**tables)
    made.name = name
    return made


class FaultyImplementation(PlantedImplementation):
    """Takes one character more for a number."""

    name = "faulty"

    @cached_property
    def tables(self) -> Tables:
        return Tables(numbers=named("N", "17.0") | CodePoints.of([0x1F600]))
