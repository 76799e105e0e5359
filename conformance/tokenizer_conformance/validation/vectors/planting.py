"""Planting faults into a tokenizer and asking the candidates: which of them show which fault, and how.

A tokenizer with a large vocabulary is cut down first to what the candidates can meet, so that thousands of versions of
it can be loaded: an entry that stands in no piece of any candidate changes no answer, nor does a merge that makes one.
"""

from __future__ import annotations

import copy
import json
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Self

from tokenizer_adapters.contract import (
    CannotLoadError,
    Crashed,
    Encoded,
    Normalize,
    Pieces,
    PreTokenize,
    Text,
    TokenizerSource,
)
from tokenizer_conformance.comparison.asking import Asked, loaded
from tokenizer_conformance.comparison.document_parts import pair_of
from tokenizer_conformance.validation.vectors.candidate import (
    AboutAdded,
    AboutBatch,
    AboutPair,
    AboutText,
    AboutTokens,
    AboutWords,
    answers_to,
)
from tokenizer_conformance.validation.vectors.faults.answers import answer_faults
from tokenizer_conformance.validation.vectors.faults.documents import (
    added_token_faults,
    component_faults,
    later_token_faults,
    model_faults,
    template_faults,
)
from tokenizer_conformance.validation.vectors.faults.fault import (
    SHOWN_BY,
    AddedFault,
    AnswerFault,
    DocumentFault,
    FaultStage,
    TextFault,
)
from tokenizer_conformance.validation.vectors.faults.texts import (
    character_faults,
    drawn_characters,
    text_faults,
    unnormalized_faults,
)
from tokenizer_conformance.validation.vectors.faults.vocabulary import vocabulary_faults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from types import TracebackType

    from tokenizer_adapters.contract import Implementation, Observation, Outcome
    from tokenizer_conformance.validation.vectors.candidate import Answers, Asks, Candidate
    from tokenizer_conformance.validation.vectors.faults.fault import Json, PlantedFault

MOST_UNNORMALIZED = 120
"""Of how many characters it is planted that the normalizer leaves them alone."""

MOST_ABOUT = 16
"""How many candidates are asked about a fault of one single character: the shortest that have it."""

FILE_NAME = "tokenizer.json"


@dataclass(frozen=True, slots=True)
class Shown:
    """A planted ``fault``, and what it changes: for each candidate that shows it, a number for how.

    Two faults that give a candidate one number are not told apart by it.
    """

    fault: PlantedFault
    by: Mapping[int, int] = field(default_factory=dict)


class Planting:
    """A tokenizer that faults are planted into, with the ``candidates`` that are asked.

    ``implementation`` reads the changed files; only its answers to one another are compared. Raises
    :class:`CannotLoadError` where it cannot load the ``document``.
    """

    def __init__(
        self, implementation: Implementation, document: Json, candidates: Sequence[Candidate], seed: int
    ) -> None:
        self.candidates = candidates
        self._implementation = implementation
        self._folder = tempfile.TemporaryDirectory()
        self._loaded = 0
        self._texts: dict[int, str] = {}
        whole = self._load(document)
        self.document = cut_down(document, candidates, whole.ask)
        self._keep_text_of_vocabulary()
        self._random = Random(f"planting:{seed}")  # noqa: S311 - repeatable on purpose
        self._by_character = _by_character(candidates)
        self._sound = whole if self.document is document else self._load(self.document)
        self._ids = _ids_of(self._sound)
        self.right: tuple[Answers, ...] = tuple(
            answers_to(candidate.asks, self._sound.ask, self._ids) for candidate in candidates
        )
        self._tokens = tuple(map(_joined_tokens, self.right))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    # Faults

    def faults(self) -> list[PlantedFault]:
        """Return the faults that are planted into this tokenizer."""
        document = self.document
        texts = [text for candidate in self.candidates for text in candidate.texts]
        return [
            *added_token_faults(document),
            *later_token_faults(),
            *component_faults(document),
            *unnormalized_faults(document, self._normalized_characters(texts)),
            *model_faults(document),
            *vocabulary_faults(document, self._used_tokens(), self._random),
            *template_faults(document),
            *text_faults(),
            *character_faults(texts, self._random),
            *answer_faults(),
        ]

    def _used_tokens(self) -> list[str]:
        found: dict[str, None] = {}
        for answers in self.right:
            for _, outcome in answers.values():
                if isinstance(outcome, Encoded):
                    found |= dict.fromkeys(outcome.tokens or ())
        return list(found)

    def _normalized_characters(self, texts: Iterable[str]) -> list[str]:
        """Return characters that the normalizer changes, drawn from those of ``texts``."""
        characters = drawn_characters(texts, self._random, 20 * MOST_UNNORMALIZED)
        changed = [each for each in characters if self._sound.ask(Normalize(each)) != Text(each)]
        return drawn_characters(changed, self._random, MOST_UNNORMALIZED)

    # What shows them

    def shown(self, faults: Sequence[PlantedFault]) -> Iterator[Shown | None]:
        """Yield what shows each of ``faults``; ``None`` where it cannot be planted: the file is refused then."""
        for fault in faults:
            match fault:
                case DocumentFault():
                    yield self._of_document(fault)
                case TextFault():
                    yield self._of_text(fault)
                case AddedFault():
                    yield self._of_added(fault)
                case AnswerFault():
                    yield self._of_answers(fault)

    def _of_document(self, fault: DocumentFault) -> Shown | None:
        changed = {**self.document, "model": dict(self.document["model"])}
        changed |= {name: copy.deepcopy(value) for name, value in changed.items() if name != "model"}
        fault.change(changed)
        try:
            faulty = self._load(changed)
        except CannotLoadError:
            return None
        ids = _ids_of(faulty) if fault.stage in (FaultStage.ADDED_TOKENS, FaultStage.VOCABULARY) else self._ids
        wanted = SHOWN_BY[fault.stage]
        found: dict[int, int] = {}
        for number in self._concerned(fault):
            candidate = self.candidates[number]
            if isinstance(candidate.asks, AboutAdded) and fault.stage is not FaultStage.ADDED_TOKENS:
                continue  # these load the tokenizer anew
            self._note(found, number, answers_to(candidate.asks, faulty.ask, ids, wanted))
        return Shown(fault, found)

    def _concerned(self, fault: DocumentFault) -> Iterable[int]:
        """Return the candidates that may show ``fault``."""
        if fault.about:
            return self._with(fault.about)
        every = range(len(self.candidates))
        if not fault.entries:
            return every
        return [number for number in every if any(entry in self._tokens[number] for entry in fault.entries)]

    def _with(self, character: str) -> list[int]:
        """Return the shortest candidates with ``character`` in a text."""
        return self._by_character.get(character, [])[:MOST_ABOUT]

    def _of_text(self, fault: TextFault) -> Shown:
        found: dict[int, int] = {}
        wanted = SHOWN_BY[fault.stage]
        for number in self._with(fault.about) if fault.about else range(len(self.candidates)):
            asks = self.candidates[number].asks
            if not isinstance(asks, AboutAdded) and (changed := with_texts(asks, fault.change)) != asks:
                self._note(found, number, answers_to(changed, self._sound.ask, self._ids, wanted))
        return Shown(fault, found)

    def _of_added(self, fault: AddedFault) -> Shown:
        found: dict[int, int] = {}
        for number, candidate in enumerate(self.candidates):
            if isinstance(candidate.asks, AboutAdded):
                changed = fault.change(candidate.asks)
                if changed != candidate.asks:
                    self._note(found, number, answers_to(changed, self._sound.ask, self._ids))
        return Shown(fault, found)

    def _of_answers(self, fault: AnswerFault) -> Shown:
        found: dict[int, int] = {}
        for number, right in enumerate(self.right):
            self._note(found, number, fault.change(right))
        return Shown(fault, found)

    def _note(self, found: dict[int, int], number: int, answers: Answers) -> None:
        """Note how ``answers`` of a candidate differ from the right ones, if they do."""
        right = self.right[number]
        wrong = [
            (name, outcome)
            for name, (_, outcome) in answers.items()
            if name in right and _told(outcome) != _told(right[name][1])
        ]
        if wrong:
            found[number] = hash(tuple((name, _told(outcome)) for name, outcome in wrong))

    # Loading

    def _load(self, document: Json) -> Asked:
        self._loaded += 1
        file = Path(self._folder.name) / FILE_NAME  # one after the other: whoever has read it needs it no more
        if self._loaded <= 2:
            file = Path(self._folder.name) / f"sound-{self._loaded}.json"
        file.write_text(self._text_of(document), encoding="utf-8", errors="surrogatepass")
        return loaded(self._implementation, TokenizerSource("planted", str(file)))

    def _keep_text_of_vocabulary(self) -> None:
        for key in ("vocab", "merges"):
            value = self.document["model"].get(key)
            if value is not None:
                self._texts[id(value)] = json.dumps(value)

    def _text_of(self, document: Json) -> str:
        """Return ``document`` as JSON; that of its vocabulary is made once, unless that is what was changed."""
        model = document["model"]
        members = ", ".join(
            f"{json.dumps(key)}: {self._texts.get(id(value)) or json.dumps(value)}" for key, value in model.items()
        )
        rest = json.dumps({key: value for key, value in document.items() if key != "model"})
        return f'{rest[:-1]}{", " if len(rest) > 2 else ""}"model": {{{members}}}}}'


def _by_character(candidates: Sequence[Candidate]) -> dict[str, list[int]]:
    """Return for each character the numbers of the candidates that have it in a text, the shortest first."""
    found: dict[str, list[int]] = defaultdict(list)
    for number in sorted(range(len(candidates)), key=lambda number: candidates[number].size):
        for character in {character for text in candidates[number].texts for character in text}:
            found[character].append(number)
    return found


def _joined_tokens(answers: Answers) -> str:
    """Return the tokens of all encodings in ``answers``, joined."""
    encodings = [outcome for _, outcome in answers.values() if isinstance(outcome, Encoded)]
    return "\0".join("".join(encoding.tokens or ()) for encoding in encodings)


def _told(outcome: Outcome) -> Outcome:
    """Return ``outcome`` without what an error says, which is no answer."""
    return replace(outcome, detail="") if isinstance(outcome, Crashed) else outcome


def _ids_of(asked: Asked) -> dict[str, int]:
    vocabulary = asked.vocabulary()
    return vocabulary if isinstance(vocabulary, dict) else {}


def with_texts(asks: Asks, change: Callable[[str], str]) -> Asks:
    """Return ``asks`` with each of its texts changed."""
    match asks:
        case AboutText(text):
            return AboutText(change(text))
        case AboutPair(text, pair):
            return AboutPair(change(text), change(pair))
        case AboutWords(words, pair_words):
            return AboutWords(tuple(map(change, words)), None if pair_words is None else tuple(map(change, pair_words)))
        case AboutBatch(texts):
            return AboutBatch(tuple(map(change, texts)))
        case _:
            return asks


# Cutting down ---------------------------------------------------------------------------------------------------------

LEAST_CUT = 5_000
"""Smaller vocabularies are left as they are."""


def cut_down(document: Json, candidates: Iterable[Candidate], ask: Callable[[Observation], Outcome]) -> Json:
    """Return ``document`` with only those entries and merges that can be met in ``candidates``; ids stay as they are.

    Only a vocabulary whose ids are written beside its entries can be cut; others come back as they are.
    """
    vocabulary = document["model"].get("vocab")
    if not isinstance(vocabulary, dict) or len(vocabulary) < LEAST_CUT:
        return document
    prefix = str(document["model"].get("continuing_subword_prefix") or "")
    met = _parts(_pieces(candidates, ask), min(max(map(len, vocabulary)), 40))
    kept = {
        each for each in vocabulary if len(each) == 1 or each in met or (prefix and each.removeprefix(prefix) in met)
    }
    kept |= {prefix + each for each in vocabulary if len(each) == 1}
    kept |= {token["content"] for token in document.get("added_tokens") or ()}
    kept |= {
        token for candidate in candidates if isinstance(candidate.asks, AboutTokens) for token in candidate.asks.tokens
    }
    kept.add(str(document["model"].get("unk_token")))
    model = {**document["model"], "vocab": {token: id_ for token, id_ in vocabulary.items() if token in kept}}
    if model.get("merges"):
        merges = [merge for merge in model["merges"] if "".join(pair_of(merge)) in kept]
        parts = {part for merge in merges for part in pair_of(merge)}
        model["merges"] = merges
        model["vocab"] = {token: id_ for token, id_ in vocabulary.items() if token in kept or token in parts}
    return {**document, "model": model}


def _pieces(candidates: Iterable[Candidate], ask: Callable[[Observation], Outcome]) -> set[str]:
    """Return the pieces that a model may get of ``candidates``: as they are, normalized or not, and with a space."""
    found: set[str] = set()
    for text in {text for candidate in candidates for text in candidate.texts}:
        normalized = ask(Normalize(text))
        for each in {text, f" {text}", normalized.text if isinstance(normalized, Text) else text}:
            pieces = ask(PreTokenize(each))
            if isinstance(pieces, Pieces):
                found.update(piece for piece, _ in pieces.pieces)
    return found


def _parts(pieces: Iterable[str], longest: int) -> set[str]:
    """Return all parts of ``pieces`` of up to ``longest`` characters; of runs of one character, once."""
    found: set[str] = set()
    for piece in pieces:
        shortened = _without_long_runs(piece, longest)
        for start in range(len(shortened)):
            for end in range(start + 1, min(start + longest, len(shortened)) + 1):
                found.add(shortened[start:end])
    return found


def _without_long_runs(text: str, longest: int) -> str:
    return "".join("".join(list(run)[:longest]) for _, run in groupby(text))
