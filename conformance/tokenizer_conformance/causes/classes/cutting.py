"""A tokenizer.json with as much of its vocabulary as the questions need that are put to it: it is loaded in no time.

A model sees nothing of a text but its pieces. Only entries that stand in a piece can be in its tokens, and a merge can
be made only where what it makes stands in one. So a file with these entries answers as the whole one does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from tokenizer_adapters.contract import (
    After,
    CannotLoadError,
    Decode,
    DecodeStream,
    Encoded,
    EncodedBatch,
    Normalize,
    Pieces,
    PreTokenize,
    Text,
    TokenizerSource,
    plain_of,
)
from tokenizer_adapters.variants.loading import load_variant
from tokenizer_conformance.causes.classes.small_documents import BYTE_TOKEN, added_tokens, without_model
from tokenizer_conformance.comparison.questions import all_ids_of, texts_in, with_all_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from tokenizer_adapters.contract import Observation, Outcome, Subject
    from tokenizer_adapters.variants.change import Change
    from tokenizer_conformance.comparison.reduction import Json

MOST_RUNS = 2_000_000
"""A piece with more runs of characters that could be entries is not looked through: the whole file is loaded."""

NO_TOKEN = 1 << 30
"""What is added to an id without a token, so that it has none in a cut document either."""

MOST_SMALL = 64
"""How many tokenizers without a model stay loaded."""

_ID_KEYS = frozenset({"id", "ids", "pad_id", "cls", "sep"})


class TooLongError(Exception):
    """A piece is so long that nearly any entry could stand in it."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A ``document`` cut down; ``ids`` are the ids of the whole one by those that its tokens have here."""

    document: Json
    ids: Mapping[int, int] = field(default_factory=dict)

    def asked(self, question: Observation) -> Observation:
        """Return ``question`` with the ids that tokens have here."""
        match question:
            case Decode() | DecodeStream() if self.ids:
                here = {id_: own for own, id_ in self.ids.items()}
                return with_all_ids(question, lambda id_: _here(id_, here))
        return question

    def answered(self, answer: Outcome | None) -> Outcome | None:
        """Return ``answer`` with the ids that tokens have in the whole document."""
        match answer:
            case Encoded() if self.ids:
                return self._encoding(answer)
            case EncodedBatch(encodings) if self.ids:
                return EncodedBatch(tuple(map(self._encoding, encodings)))
        return answer

    def _encoding(self, encoding: Encoded) -> Encoded:
        parts = encoding.overflowing
        others = None if parts is None else tuple(map(self._encoding, parts))
        return replace(encoding, ids=tuple(self.ids.get(id_, id_) for id_ in encoding.ids), overflowing=others)


def _here(id_: int, here: Mapping[int, int]) -> int:
    """Return the id of a token here; one that no token has, here either."""
    return here.get(id_, id_ + NO_TOKEN if 0 <= id_ < NO_TOKEN else id_)


class Entries:
    """The entries of a model, looked up by what they stand for.

    Raises ``KeyError``, ``TypeError`` or ``ValueError`` where ``model`` has none.
    """

    def __init__(self, model: Json) -> None:
        listed = model["vocab"]
        self._is_list = isinstance(listed, list)
        self.vocab: Any = listed
        self.places: dict[str, list[int]] = {}
        for at, (token, id_) in enumerate(listed if self._is_list else listed.items()):
            self.places.setdefault(token, []).append(at if self._is_list else id_)
        self.merges: list[Any] = model.get("merges") or []
        self._standing: dict[str, frozenset[str]] = {}
        self._prefix = model.get("continuing_subword_prefix") or ""
        self._longest = max(map(len, self.places), default=0)
        named = {"", "##", self._prefix}
        self._prefixes = [each for each in named if not each or any(token.startswith(each) for token in self.places)]
        suffixes = {"", "</w>", model.get("end_of_word_suffix") or ""}
        self._suffixes = [each for each in suffixes if not each or any(token.endswith(each) for token in self.places)]

    @cached_property
    def names(self) -> dict[int, str]:
        """The token of each id."""
        return {id_: token for token, ids in self.places.items() for id_ in ids}

    @cached_property
    def always(self) -> frozenset[str]:
        """What any text may need: bytes, and the piece of the lowest score, by which unknown characters go."""
        lowest = min(self.vocab, key=lambda entry: entry[1])[0] if self._is_list and self.vocab else None
        return frozenset(token for token in self.places if token == lowest or BYTE_TOKEN.fullmatch(token))

    @cached_property
    def _made_by(self) -> dict[str, list[int]]:
        """The numbers of the merges that make each token."""
        found: dict[str, list[int]] = {}
        for number, merge in enumerate(self.merges):
            left, right = merge.split(" ") if isinstance(merge, str) else merge
            found.setdefault(left + right[len(self._prefix) :], []).append(number)
        return found

    def standing_in(self, piece: str) -> frozenset[str]:
        """Return the tokens that can be in a segmentation of ``piece``. Raises :class:`TooLongError`."""
        if piece not in self._standing:
            # BPE drops characters without a token, and what stood beside them is merged.
            known = "".join(each for each in piece if any(prefix + each in self.places for prefix in self._prefixes))
            self._standing[piece] = frozenset(token for each in {piece, known} for token in self._tokens_in(each))
        return self._standing[piece]

    def _tokens_in(self, piece: str) -> Iterator[str]:
        if len(piece) * min(len(piece), self._longest) > MOST_RUNS:
            raise TooLongError
        size = len(piece)
        runs = {
            piece[start:end] for start in range(size) for end in range(start + 1, min(size, start + self._longest) + 1)
        }
        for prefix in self._prefixes:
            for suffix in self._suffixes:
                made = (f"{prefix}{run}{suffix}" for run in runs) if prefix or suffix else runs
                yield from (token for token in made if token in self.places)

    def merges_of(self, tokens: Collection[str]) -> list[Any]:
        """Return the merges that make any of ``tokens`` of two of them, in their order."""
        wanted = set(tokens)
        numbers = sorted({number for token in wanted for number in self._made_by.get(token, ())})
        found = (self.merges[number] for number in numbers)
        return [each for each in found if wanted.issuperset(each.split(" ") if isinstance(each, str) else each)]


def cut_to(document: Json, entries: Entries, tokens: Collection[str]) -> Cut:
    """Return ``document`` with those ``entries`` alone that are ``tokens``, or that the document names elsewhere."""
    model = document["model"]
    others = {key: document.get(key) for key in ("added_tokens", "post_processor", "padding")}
    named = {entries.names[id_] for id_ in _ids_in(others) if id_ in entries.names}
    named |= {str(model.get("unk_token")), entries.names.get(model.get("unk_id"), ""), *added_tokens(document)}
    kept = (set(tokens) | named | entries.always) & entries.places.keys()
    old = sorted({id_ for token in kept for id_ in entries.places[token]})
    # Added tokens beyond the model have the ids that follow, whatever the file says.
    beyond = [each["id"] for each in document.get("added_tokens") or () if each["content"] not in kept]
    ids = dict(enumerate([*old, *(len(entries.vocab) + at for at in range(len(beyond)))]))
    here = {id_: len(old) + at for at, id_ in enumerate(beyond)} | {id_: at for at, id_ in enumerate(old)}
    small = {**model, "vocab": _vocabulary(entries, kept, old, here)}
    if "unk_id" in model:
        small["unk_id"] = here.get(model["unk_id"])
    if "merges" in model:
        small["merges"] = entries.merges_of(kept)
    changed = {key: _renumbered(value, here) for key, value in others.items()}
    return Cut({**document, **changed, "model": small}, ids)


def _vocabulary(entries: Entries, kept: Collection[str], old: list[int], here: Mapping[int, int]) -> Any:
    if isinstance(entries.vocab, list):
        return [entries.vocab[at] for at in old]
    return {token: here[entries.vocab[token]] for token in kept}


def _ids_in(value: Any, key: str = "") -> Iterator[int]:
    """Yield the ids that stand in members of a document."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _ids_in(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from _ids_in(each, key)
    elif key in _ID_KEYS and isinstance(value, int):
        yield value


def _renumbered(value: Any, here: Mapping[int, int], key: str = "") -> Any:
    """Return a member of a document with ids as they are ``here``."""
    if isinstance(value, dict):
        return {name: _renumbered(each, here, name) for name, each in value.items()}
    if isinstance(value, list):
        return [_renumbered(each, here, key) for each in value]
    return here.get(value, value) if key in _ID_KEYS and isinstance(value, int) else value


# Pieces --------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=MOST_SMALL)
def loaded_small(text: str, changes: tuple[Change, ...] = ()) -> Subject | None:
    """Return the reference with the small tokenizer in ``text``, and with ``changes``; ``None``: it refuses that."""
    try:
        return load_variant(TokenizerSource("a part of it", ""), *changes, text=text)
    except CannotLoadError:
        return None


class PiecesOf:
    """What the model of ``document`` is given of texts, where ``changes`` of the reference hold; or somewhat more."""

    def __init__(self, document: Json, changes: tuple[Change, ...] = ()) -> None:
        self._subject = loaded_small(without_model(document), changes)
        contents = sorted(added_tokens(document), key=len, reverse=True)
        self._forms = sorted({form for each in contents for form in (each, self._normalized(each))} - {""}, key=len)
        self._found: dict[str, frozenset[str]] = {}

    def of(self, text: str) -> frozenset[str]:
        """Return the pieces of ``text``, and of what stands between added tokens."""
        if text not in self._found:
            parts = {part for each in self._between(text) for part in self._between(self._normalized(each))}
            self._found[text] = frozenset(piece for part in parts for piece in self._pieces(part))
        return self._found[text]

    def _normalized(self, text: str) -> str:
        answer = None if self._subject is None else self._subject.observe(Normalize(text))
        return answer.text if isinstance(answer, Text) else text

    def _pieces(self, text: str) -> Iterable[str]:
        answer = None if self._subject is None else self._subject.observe(PreTokenize(text))
        return (piece for piece, _ in answer.pieces) if isinstance(answer, Pieces) else (text,)

    def _between(self, text: str) -> set[str]:
        """Return ``text`` and the parts of it between added tokens, with and without spaces around these."""
        standing = [each for each in self._forms if each in text]
        if not standing:
            return {text}
        parts = re.split("|".join(map(re.escape, reversed(standing))), text)
        return {text, *parts, *(part.strip() for part in parts), *(part.lstrip() for part in parts)}


def entries_of(document: Json) -> Entries | None:
    """Return the entries of the model of ``document``; ``None`` where it has none that are known."""
    try:
        return Entries(document["model"])
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def cut_for_texts(document: Json, texts: Iterable[str], entries: Entries | None = None) -> Json:
    """Return ``document`` with the entries that ``texts`` need; all of it where it has none that are known.

    ``entries`` are those of its model, where they were looked up before.
    """
    entries = entries or entries_of(document)
    if entries is None:
        return document
    pieces = PiecesOf(document)
    try:
        needed = {token for text in texts for piece in pieces.of(text) for token in entries.standing_in(piece)}
    except TooLongError:
        return document
    return cut_to(document, entries, needed).document


class Answering(Protocol):
    """What answers questions; ``None``: it cannot."""

    def ask(self, question: Observation) -> Outcome | None:
        """Return the answer to ``question``."""
        ...


class Covered:
    """``document``, loaded by ``load`` with as much of its vocabulary as it was asked about.

    ``more`` gives the questions that come after a first one: they are provided for at once.
    """

    def __init__(
        self,
        document: Json,
        entries: Entries,
        pieces: PiecesOf,
        load: Callable[[Json], Answering | None],
        more: Callable[[Observation], Iterable[Observation]],
    ) -> None:
        self._document = document
        self._entries = entries
        self._pieces = pieces
        self._load = load
        self._more = more
        self._kept: set[str] = set()
        self._cut: Cut | None = None
        self._whole: tuple[Answering | None] | None = None
        self._loaded: Answering | None = None

    def ask(self, question: Observation) -> Outcome | None:
        """Return the answer of the whole document; ``None`` where that is refused, or is asked for changes."""
        if isinstance(question, After):
            return None
        try:
            cut = self._cut_for(question)
        except TooLongError:
            return self._asked_whole(question)
        return None if self._loaded is None else cut.answered(self._loaded.ask(cut.asked(question)))

    def _cut_for(self, question: Observation) -> Cut:
        needed = self._needed(question)
        if self._cut is None or not needed <= self._kept:
            if self._cut is not None:
                needed = needed.union(*map(self._needed, self._more(question)))
            self._kept |= needed
            self._cut = cut_to(self._document, self._entries, self._kept)
            self._loaded = self._load(self._cut.document)
        return self._cut

    def _asked_whole(self, question: Observation) -> Outcome | None:
        if self._whole is None:
            self._whole = (self._load(self._document),)
        (whole,) = self._whole
        return None if whole is None else whole.ask(question)

    def _needed(self, question: Observation) -> set[str]:
        match plain_of(question):
            case Decode() | DecodeStream() as asked:
                return {self._entries.names[id_] for id_ in all_ids_of(asked) if id_ in self._entries.names}
        pieces = {piece for text in texts_in(question) for piece in self._pieces.of(text)}
        return {token for piece in pieces for token in self._entries.standing_in(piece)}
