"""What hypotheses are tried on: one tokenizer, with both sides and the reference, and questions that are put to all.

The reference is loaded from changed copies of the tokenizer.json here, which the implementation never sees: so this
works for implementations that read other files, too.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections import Counter, OrderedDict
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4
from weakref import WeakKeyDictionary, finalize

from tokenizer_adapters.contract import (
    CannotLoadError,
    Chunks,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Field,
    OffsetUnit,
    Pieces,
    Text,
    TokenizerSource,
    Unsupported,
    plain_of,
)
from tokenizer_adapters.selection import Isolation, select
from tokenizer_adapters.variants.loading import load_variant
from tokenizer_conformance.causes.classes.cutting import Covered, PiecesOf, entries_of
from tokenizer_conformance.causes.classes.loaded_copies import LoadedCopies
from tokenizer_conformance.causes.classes.probes import (
    AROUND,
    ENTRIES_DRAWN,
    IDS_DRAWN,
    MOST_TOKENS_TRIED,
    PROBES,
    Drawn,
    Material,
    Probes,
    drawn,
    probes,
    spread,
)
from tokenizer_conformance.causes.classes.small_documents import added_tokens
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.comparison.differences import OutcomeInUnit, compare
from tokenizer_conformance.comparison.offset_units import placed_spans
from tokenizer_conformance.comparison.questions import texts_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tokenizer_adapters.contract import Implementation, Observation, Outcome, Subject
    from tokenizer_adapters.variants.change import Change, Rule
    from tokenizer_conformance.causes.bench import Bench, Trial
    from tokenizer_conformance.causes.classes.cutting import Answering, Entries
    from tokenizer_conformance.causes.witness import Witness
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.reduction import Json

REFERENCE = "reference"

SMALL = 300_000
"""A tokenizer.json of fewer bytes is loaded in no time, and takes no room."""

MOST_COPIES = 64
"""How many changed copies of one tokenizer stay loaded, where they are small."""

MOST_VOCABULARIES = 3
"""Of so many vocabularies the entries stay looked up."""

MOST_TEXTS_ASKED_OTHERWISE = 4

MOST_GROUNDS = 8

OFTEN = 5
"""A field differs often where it does on one of so many texts."""

Key = tuple[str, str]
"""The class and the parameter of a hypothesis."""

VALUES = (Text, Pieces, Encoded, EncodedBatch, Chunks)


class Offsets(Enum):
    """What the offsets of a predicted answer count."""

    OF_BASELINE = auto()
    OF_REFERENCE = auto()
    AS_GIVEN = auto()
    """Whatever it is: as numbers they are those of the implementation."""


@dataclass(frozen=True, slots=True)
class Varied:
    """A variant of the reference that was loaded."""

    subject: Subject

    def ask(self, question: Observation) -> Outcome:
        """Return the answer to ``question``."""
        return self.subject.observe(question)


class Folder:
    """A folder that is gone once nobody needs it any more: a reason may be tried again after the run."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp())
        finalize(self, shutil.rmtree, self.path, ignore_errors=True)


class Ground:
    """The tokenizer of ``trial``; ``reference`` loads changed copies of it, which are written into ``folder``.

    Of a large file a copy has the entries that the questions need.

    ``proven`` are the hypotheses that were proven here: what was a reason once is tried first.
    ``saved`` is the document that the implementation saves, with the members in which it differs, once it was asked.
    """

    def __init__(self, trial: Trial, reference: Implementation, folder: Folder) -> None:
        self.trial = trial
        self.document = trial.read()
        self.proven: dict[Key, None] = {}
        self._size = Path(trial.source.file).stat().st_size
        self.is_small = self._size < SMALL
        self._apart: dict[Encode, frozenset[Field]] = {}
        self._vocabulary: dict[str, int] | None = None
        self._reference = reference
        self._folder = folder
        self.saved: tuple[Json, tuple[str, ...]] | None = None
        self._copies: LoadedCopies[object, Answering | None] = LoadedCopies(MOST_COPIES)
        self._entries: list[tuple[tuple[object, ...], Entries]] = []

    def with_baseline_alone(self, bench: Bench, document: Json) -> Ground | None:
        """Return the ground of ``document`` on which the baseline stands in for the implementation.

        ``None`` where the baseline refuses it.
        """
        trial = bench.trial_of_baseline(self.trial.source, document)
        return None if trial is None else Ground(trial, self._reference, self._folder)

    def expected(self, question: Observation) -> Outcome:
        """Return the baseline's answer to ``question``, asked once."""
        return self.trial.expected(question)

    def actual(self, question: Observation) -> Outcome:
        """Return the implementation's answer to ``question``, asked once."""
        return self.trial.actual(question)

    def ask_ahead(self, questions: Iterable[Observation]) -> None:
        """Ask the implementation all ``questions`` at once, where that is faster."""
        self.trial.ask_ahead(questions)

    def vocabulary(self) -> dict[str, int]:
        """Return the baseline's vocabulary, empty where it shows none."""
        if self._vocabulary is None:
            shown = self.trial.baseline.vocabulary()
            self._vocabulary = {} if isinstance(shown, Unsupported) else shown
        return self._vocabulary

    @cached_property
    def names(self) -> dict[int, str]:
        """The entries of the baseline's vocabulary by their ids."""
        return {id_: token for token, id_ in self.vocabulary().items()}

    def is_same(
        self,
        question: Observation,
        one: Outcome,
        actual: Outcome,
        offsets: Offsets = Offsets.OF_BASELINE,
        without: frozenset[Field] = frozenset(),
    ) -> bool:
        """Return whether ``one`` is ``actual``, an answer of the implementation, and is a value.

        They are compared in all fields that both show but those ``without`` which it is to be.
        """
        if not isinstance(one, VALUES) or type(one) is not type(actual):
            return False
        unit, implementation = OffsetUnit.CODE_POINTS, self.trial.implementation.info.offset_unit
        if offsets is Offsets.OF_BASELINE:
            unit = self.trial.baseline.info.offset_unit
        elif offsets is Offsets.AS_GIVEN:
            implementation = OffsetUnit.CODE_POINTS
        comparison = compare(question, OutcomeInUnit(one, unit), OutcomeInUnit(actual, implementation))
        differing = {difference.field for difference in comparison.differences}
        return bool(comparison.agreed) and differing <= without

    def in_code_points(self, question: Observation, actual: Outcome) -> Outcome:
        """Return ``actual``, an answer of the implementation, with offsets that count as those of predictions do.

        That is said of the encoding of one text; all else is returned as it is.
        """
        plain, unit = plain_of(question), self.trial.implementation.info.offset_unit
        if not isinstance(plain, Encode) or not isinstance(plain.text, str) or plain.pair is not None:
            return actual
        if not isinstance(actual, Encoded) or actual.offsets is None:
            return actual
        placed = placed_spans(((span, plain.text) for span in actual.offsets), unit)
        return replace(actual, offsets=tuple(each or span for each, span in zip(placed, actual.offsets, strict=True)))

    def agrees(self, question: Observation, without: frozenset[Field] = frozenset()) -> bool:
        """Return whether both sides give one value for ``question``, but for the fields ``without``."""
        return self.is_same(question, self.expected(question), self.actual(question), without=without)

    def apart(self, witness: Witness) -> frozenset[Field]:
        """Return the fields that differ on many plain texts, whatever the question, where ids agree.

        They have a cause of their own, that a reason for another difference need not explain. Those of the difference
        of ``witness`` itself are not among them.
        """
        question = plain_of(witness.question)
        if not isinstance(question, Encode) or not isinstance(question.text, str):
            return frozenset()
        kind = replace(question, text="")
        if kind not in self._apart:
            self._apart[kind] = self._found_apart(kind)
        return self._apart[kind] - {witness.difference.field}

    def _found_apart(self, kind: Encode) -> frozenset[Field]:
        counts: Counter[Field] = Counter()
        alike = 0
        for text in PROBES:
            comparison = self.trial.compared(replace(kind, text=text))
            if Field.IDS in comparison.agreed:
                alike += 1
                counts.update(each.field for each in comparison.differences if each.field is not None)
        return frozenset(field for field, count in counts.items() if count * OFTEN >= alike)

    def reference(
        self, key: Key | None = None, document: Json | None = None, rules: tuple[Rule, ...] = ()
    ) -> Answering | None:
        """Return what the reference answers with ``document`` in the place of the file, which goes by ``key``.

        Without these it has the file itself. ``rules`` are replaced. ``None`` where it refuses that.
        """
        load = partial(self._varying, rules, document) if rules else partial(self._referring, document)
        return self._copies.get(key or ("", ""), self._room, load)

    def variant(self, *changes: Change) -> Answering | None:
        """Return what the reference answers where ``changes`` hold; ``None`` where it refuses the tokenizer."""
        return self._copies.get(changes, self._room, partial(self._varying, changes))

    def whole_reference(self) -> Asked | None:
        """Return the reference with the whole file, which may take seconds; ``None`` where it refuses that."""
        return self._loaded(self.trial.source)

    @property
    def _room(self) -> int:
        """How many bytes a copy is about."""
        return min(self._size, SMALL)

    def _referring(self, document: Json | None) -> Answering | None:
        self.trial.check_time()
        covered = self._covered(self.document if document is None else document, (), self._asking)
        if covered is not None:
            return covered
        return self._asking_whole(document)

    def _asking_whole(self, document: Json | None) -> Answering | None:
        return self._loaded(self.trial.source) if document is None else self._written_and_loaded(document)

    def _varying(self, changes: tuple[Change, ...], document: Json | None = None) -> Answering | None:
        self.trial.check_time()
        whole = self.document if document is None else document
        covered = self._covered(whole, changes, partial(self._asking_variant, changes))
        return self._asking_variant(changes, document) if covered is None else covered

    def _covered(
        self, document: Json, changes: tuple[Change, ...], load: Callable[[Json], Answering | None]
    ) -> Covered | None:
        """Return ``document`` with what it is asked about; ``None`` where all of it is to be loaded."""
        entries = None if self.is_small else self._entries_in(document)
        if entries is None:
            return None
        return Covered(document, entries, PiecesOf(document, changes), load, self._asked_with)

    def _entries_in(self, document: Json) -> Entries | None:
        """Return the entries of the model of ``document``, found once for each vocabulary and its merges."""
        model = document.get("model")
        if not isinstance(model, dict):
            return None
        parts = (model.get("vocab"), model.get("merges"), model.get("continuing_subword_prefix"))
        for known, entries in self._entries:
            if all(one is other for one, other in zip(known, parts, strict=True)):
                return entries
        found = entries_of(document)
        if found is not None:
            self._entries = [*self._entries[-MOST_VOCABULARIES:], (parts, found)]
        return found

    def _asked_with(self, question: Observation) -> tuple[Observation, ...]:
        """Return what will be asked where ``question`` was: what comes next in a run, or else its probes."""
        coming = tuple(self.trial.coming())
        if coming:
            return coming
        found = self.probes_like(question)
        return (*found.near, *found.others, *(each.together for each in self.drawn_like(question)))

    def _asking(self, document: Json) -> Answering | None:
        return self._written_and_loaded(document)

    def _asking_variant(self, changes: tuple[Change, ...], document: Json | None) -> Answering | None:
        text = None if document is None else json.dumps(document, ensure_ascii=False)
        try:
            return Varied(load_variant(self.trial.source, *changes, text=text))
        except CannotLoadError:
            return None

    def _written_and_loaded(self, document: Json) -> Asked | None:
        file = self._folder.path / f"{uuid4()}.json"
        file.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8", errors="surrogatepass")
        try:
            return self._loaded(TokenizerSource(self.trial.source.name, str(file)))
        finally:
            file.unlink()

    def _loaded(self, source: TokenizerSource) -> Asked | None:
        self.trial.check_time()
        try:
            return loaded(self._reference, source)
        except CannotLoadError:
            return None

    def probes_like(self, question: Observation) -> Probes:
        """Return other questions of the kind of ``question``: hypotheses must hold for these, too."""
        return probes(question, self._content_of_added_tokens(), self._ids_of)

    def drawn_like(self, question: Observation) -> Iterator[Drawn]:
        """Give questions of the kind of ``question`` about what was drawn."""
        return drawn(question, self._material)

    @cached_property
    def _material(self) -> Material:
        ids = sorted(set(self.vocabulary().values()))
        decoded = (self.expected(Decode((each,))) for each in spread(ids, ENTRIES_DRAWN))
        texts = dict.fromkeys(each.text.strip() for each in decoded if isinstance(each, Text))
        tokens = self._content_of_added_tokens()[:MOST_TOKENS_TRIED]
        return Material(spread(ids, IDS_DRAWN), tuple(filter(None, texts)), tuple(tokens))

    def probes_of_other_kinds(self, question: Observation) -> tuple[Observation, ...]:
        """Return questions of other kinds than ``question``: about added tokens and pairs, with and without special."""
        asked = self.added_tokens_in(question)
        tokens = [*dict.fromkeys((*asked, *self._content_of_added_tokens()))][:MOST_TOKENS_TRIED]
        texts = [*PROBES[:MOST_TEXTS_ASKED_OTHERWISE], *(pattern.format(each) for each in tokens for pattern in AROUND)]
        found: list[Observation] = [Encode(text, add_special_tokens=each) for text in texts for each in (False, True)]
        found += [Encode(first, second) for first, second in pairwise(texts[:MOST_TEXTS_ASKED_OTHERWISE])]
        ids = [numbers for text in texts if (numbers := self._ids_of(text))]
        found += [Decode(each, skip) for each in ids for skip in (True, False)]
        return tuple(each for each in found if each != question)

    def added_tokens_in(self, question: Observation) -> tuple[str, ...]:
        """Return the contents of the added tokens that ``question`` has in its text, or whose ids it has."""
        match plain_of(question):
            case Decode(ids) | DecodeStream(ids):
                vocabulary, asked = self.vocabulary(), set(ids)
                return tuple(each for each in self._content_of_added_tokens() if vocabulary.get(each) in asked)
        text = " ".join(texts_in(question))
        return tuple(each for each in self._content_of_added_tokens() if each in text)

    def _content_of_added_tokens(self) -> list[str]:
        return added_tokens(self.document)

    def _ids_of(self, text: str) -> tuple[int, ...]:
        answer = self.expected(Encode(text))
        return answer.ids if isinstance(answer, Encoded) else ()

    def reference_is_baseline(self, question: Observation) -> bool:
        """Return whether the reference, with the file as it is, gives the baseline's answer to ``question``."""
        unchanged = self.reference()
        expected = self.expected(question)
        own = None if unchanged is None else unchanged.ask(question)
        if own is None or not isinstance(expected, VALUES):
            return False
        unit = self.trial.baseline.info.offset_unit
        return not compare(question, OutcomeInUnit(own), OutcomeInUnit(expected, unit)).differences


class Grounds:
    """The grounds of the tokenizers of a ``bench``, of which the last few are kept."""

    def __init__(self) -> None:
        self._reference = select(REFERENCE, Isolation()).build()
        self._folder = Folder()
        self._kept: OrderedDict[str, Ground] = OrderedDict()

    def of(self, bench: Bench, witness: Witness, *, whole: bool = False) -> Ground | None:
        """Return the ground of ``witness``; with ``whole``, of the user's file, whatever document the witness has."""
        document = None if whole else witness.document
        key = json.dumps([witness.source.file, document])
        if key not in self._kept:
            found = _trial(bench, witness.source, document)
            if found is None:
                return None
            self._kept[key] = Ground(found, self._reference, self._folder)
            while len(self._kept) > MOST_GROUNDS:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]


_GROUNDS: WeakKeyDictionary[Bench, Grounds] = WeakKeyDictionary()


def ground_of(bench: Bench, witness: Witness, *, whole: bool = False) -> Ground | None:
    """Return what hypotheses about ``witness`` are tried on; ``None`` where its tokenizer cannot be loaded.

    ``whole``: the user's file in place of the document of the witness. What was loaded is kept as long as ``bench``.
    """
    if bench not in _GROUNDS:
        _GROUNDS[bench] = Grounds()
    return _GROUNDS[bench].of(bench, witness, whole=whole)


def _trial(bench: Bench, source: TokenizerSource, document: Json | None) -> Trial | None:
    """Return both sides with a tokenizer; ``None`` where it cannot be loaded, or its file is no JSON object."""
    try:
        trial = bench.trial(source) if document is None else bench.trial_of(source, document)
        return trial if trial is not None and isinstance(trial.read(), dict) else None
    except (CannotLoadError, OSError, ValueError):
        return None


def length_of_answer(outcome: Outcome) -> int:
    """Return how many tokens or characters ``outcome`` has, 0 where it is no value."""
    match outcome:
        case Text(text):
            return len(text)
        case Pieces(pieces):
            return len(pieces)
        case Encoded(ids):
            return len(ids)
    return 0


def inputs_of(question: Observation) -> tuple[Encode, ...]:
    """Return what ``question`` has encoded, one by one."""
    match plain_of(question):
        case Encode() as one:
            return (one,)
        case EncodeBatch(inputs):
            return inputs
    return ()
