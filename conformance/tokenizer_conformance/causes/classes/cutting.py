"""A tokenizer.json with as much vocabulary as one question needs: it is loaded in no time.

It serves to look for what could be a reason. Whether that is one is told by the whole file alone.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Decode, DecodeStream, Encoded, EncodedBatch
from tokenizer_adapters.contract import plain_of as plain
from tokenizer_conformance.comparison.document_parts import is_possible
from tokenizer_conformance.comparison.questions import texts_in
from tokenizer_conformance.inputs.text_generators.entries import byte_of_character

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.comparison.reduction import Json

ALWAYS = "\u2581\u0120#<>/w _"
"""Characters of prefixes, suffixes and spaces."""


UNREACHABLE = "\U0010fffd"
"""What a token begins with that is not to be found."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A ``document`` cut down; ``ids`` are the ids of the whole one by those that its tokens have here."""

    document: Json
    ids: Mapping[int, int] = field(default_factory=dict)

    def asked(self, question: Observation) -> Observation:
        """Return ``question`` with the ids that tokens have here."""
        here = {id_: own for own, id_ in self.ids.items()}
        match question:
            case Decode(ids) | DecodeStream(ids):
                return replace(question, ids=tuple(here.get(id_, id_) for id_ in ids))
        return question

    def answered(self, answer: Outcome) -> Outcome:
        """Return ``answer`` with the ids that tokens have in the whole document."""
        match answer:
            case Encoded(ids, overflowing=parts) if self.ids:
                others = None if parts is None else tuple(map(self._encoding, parts))
                return replace(answer, ids=tuple(self.ids.get(id_, id_) for id_ in ids), overflowing=others)
            case EncodedBatch(encodings) if self.ids:
                return EncodedBatch(tuple(map(self._encoding, encodings)))
        return answer

    def _encoding(self, encoding: Encoded) -> Encoded:
        answer = self.answered(encoding)
        return answer if isinstance(answer, Encoded) else encoding


def cut_for(document: Json, question: Observation, *answers: Outcome) -> Cut:
    """Return ``document`` with those tokens only that can occur in an answer to ``question``.

    Tokens of ``answers`` are among them, and all that are made of the characters of the texts, in any normalization
    form and case, as they are or as bytes.
    """
    kept_ids = _ids(question, *answers)
    characters = set(ALWAYS).union(*map(_characters, texts_in(question)))
    model = document["model"]
    named = {model.get("unk_token"), *(each.get("content") for each in document.get("added_tokens") or ())}

    def stays(token: str, id_: int) -> bool:
        return id_ in kept_ids or token in named or characters.issuperset(token) or _is_byte(token)

    return _cut_pieces(document, stays) if isinstance(model["vocab"], list) else _cut_entries(document, stays)


def _cut_entries(document: Json, stays: Callable[[str, int], bool]) -> Cut:
    """Return ``document``, whose vocabulary says the id of each token, with those that stay.

    Added tokens that are not in it have ids that follow from its size: then it keeps that size.
    """
    model = dict(document["model"])
    vocab = model["vocab"]
    keeps_size = any(each["content"] not in vocab for each in document.get("added_tokens") or ())
    kept = model["vocab"] = {
        token if is_kept else f"{UNREACHABLE}{id_}": id_
        for token, id_ in vocab.items()
        if (is_kept := stays(token, id_)) or keeps_size
    }
    if "merges" in model:
        prefix = model.get("continuing_subword_prefix") or ""
        model["merges"] = [merge for merge in model["merges"] if is_possible(merge, kept, prefix)]
    return Cut({**document, "model": model})


def _cut_pieces(document: Json, stays: Callable[[str, int], bool]) -> Cut:
    """Return ``document``, whose ids are places in a list of pieces, with those that stay.

    The piece of the lowest score stays, since that of unknown characters depends on it.
    """
    vocab = document["model"]["vocab"]
    lowest = min(range(len(vocab)), key=lambda at: vocab[at][1], default=0)
    unknown = document["model"].get("unk_id")
    kept = [at for at, entry in enumerate(vocab) if at in {lowest, unknown} or stays(entry[0], at)]
    here = {old: new for new, old in enumerate(kept)}
    here |= {each["id"]: each["id"] - len(vocab) + len(kept) for each in document.get("added_tokens") or ()
             if each["id"] >= len(vocab)}  # fmt: skip
    model = {**document["model"], "vocab": [vocab[at] for at in kept], "unk_id": here.get(unknown)}
    changed = {key: _renumbered(document.get(key), here) for key in ("added_tokens", "post_processor", "padding")}
    return Cut({**document, **changed, "model": model}, {new: old for old, new in here.items()})


def _renumbered(value: Any, here: Mapping[int, int], key: str = "") -> Any:
    """Return a member of a document with ids as they are ``here``."""
    if isinstance(value, dict):
        return {name: _renumbered(each, here, name) for name, each in value.items()}
    if isinstance(value, list):
        return [_renumbered(each, here, key) for each in value]
    is_id = key in {"id", "ids", "pad_id", "cls", "sep"} and isinstance(value, int)
    return here.get(value, value) if is_id else value


def _is_byte(token: str) -> bool:
    return token.startswith("<0x")


def _ids(question: Observation, *answers: Outcome) -> set[int]:
    match plain(question):
        case Decode(ids) | DecodeStream(ids):
            return set(ids)
    return {id_ for answer in answers for id_ in _ids_of(answer)}


def _ids_of(answer: Outcome) -> Iterator[int]:
    match answer:
        case Encoded(ids):
            yield from ids
        case EncodedBatch(encodings):
            for each in encodings:
                yield from each.ids


def _characters(text: str) -> set[str]:
    """Return the characters that ``text`` has in any form and case, and those that stand for its bytes."""
    forms = {text, *(unicodedata.normalize(form, text) for form in ("NFC", "NFD", "NFKC", "NFKD"))}
    forms |= {cased for form in forms for cased in (form.lower(), form.upper(), form.casefold())}
    found = set().union(*forms)
    return found | {BYTES[byte] for form in forms for byte in form.encode("utf-8", "surrogatepass")}


BYTES = {byte: character for character, byte in byte_of_character().items()}
