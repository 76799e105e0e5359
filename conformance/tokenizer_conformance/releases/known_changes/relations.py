"""Rules that two answers keep where a change, and nothing else, lies between them.

A rule is asked about a difference whose ``old`` answer is that of the release without the change, whichever of the two
releases is newer.
"""

from __future__ import annotations

import json
import re
import tempfile
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import (
    CannotLoadError,
    Decode,
    Encode,
    Encoded,
    Normalize,
    Pieces,
    PreTokenize,
    Text,
    TokenizerSource,
    plain_of,
)
from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.releases.known_changes.documents import ADDED_TOKENS, components_of
from tokenizer_conformance.releases.known_changes.early_truncation import is_cut_early
from tokenizer_conformance.releases.known_changes.locality import places_that_differ, whole_text

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation, Outcome, PlainObservation
    from tokenizer_conformance.releases.known_changes.change import ChangedAnswer

Relation = Callable[["ChangedAnswer"], bool]

_BYTE = re.compile(r"<0x[0-9A-F]{2}>")


RELATIONS: dict[str, Relation] = {}
"""What ``relation`` can name where answers are compared: the rules below by their names, with hyphens."""


def _relation(rule: Relation) -> Relation:
    RELATIONS[rule.__name__.replace("_", "-")] = rule
    return rule


def _of_encodings(rule: Callable[[Encoded, Encoded, ChangedAnswer], bool]) -> Relation:
    """Make a relation of a ``rule`` about two encodings that differ."""

    def relation(asked: ChangedAnswer) -> bool:
        old, new = asked.old, asked.new
        return isinstance(old, Encoded) and isinstance(new, Encoded) and old != new and rule(old, new, asked)

    relation.__name__ = rule.__name__
    return _relation(relation)


def _of_texts(rule: Callable[[str, str, ChangedAnswer], bool]) -> Relation:
    """Make a relation of a ``rule`` about two texts that differ."""

    def relation(asked: ChangedAnswer) -> bool:
        old, new = asked.old, asked.new
        return isinstance(old, Text) and isinstance(new, Text) and old != new and rule(old.text, new.text, asked)

    relation.__name__ = rule.__name__
    return _relation(relation)


def _question(asked: ChangedAnswer) -> PlainObservation | None:
    return None if asked.question is None else plain_of(asked.question)


# Encodings -----------------------------------------------------------------------------------------------------------


@_of_encodings
def sequences_move_with_padding(old: Encoded, new: Encoded, _asked: ChangedAnswer) -> bool:
    """Return whether nothing but sequence ids differs: they stood where they would without the padding on the left.

    What overflows is padded, too, and its sequence ids move likewise.
    """
    return _with_sequences_moved(old) == new


def _with_sequences_moved(encoding: Encoded) -> Encoded | None:
    """Return ``encoding`` with sequence ids that stand at their tokens; ``None`` where it does not show enough."""
    mask, sequences = encoding.attention_mask, encoding.sequence_ids
    if mask is None or sequences is None:
        return None
    padding = next((index for index, real in enumerate(mask) if real), len(mask))
    moved = (None,) * padding + sequences[: len(sequences) - padding]
    if encoding.overflowing is None:
        return replace(encoding, sequence_ids=moved)
    overflowing = [_with_sequences_moved(each) for each in encoding.overflowing]
    whole = tuple(each for each in overflowing if each is not None)
    if len(whole) < len(overflowing):
        return None
    return replace(encoding, sequence_ids=moved, overflowing=whole)


@_of_encodings
def cut_early(old: Encoded, new: Encoded, asked: ChangedAnswer) -> bool:
    """Return whether the new encoding is what early truncation makes of the text that the old one shows."""
    question, truncation = _question(asked), (asked.document or {}).get("truncation")
    if not isinstance(question, Encode) or not isinstance(truncation, dict):
        return False
    return is_cut_early(question, truncation, old, new)


@_of_encodings
def whole_words_have_spans(old: Encoded, new: Encoded, _asked: ChangedAnswer) -> bool:
    """Return whether nothing but offsets differs, and only those that were empty: they begin where they began.

    What overflows must keep the same rule.
    """
    return _have_spans(old, new)


def _have_spans(old: Encoded, new: Encoded) -> bool:
    if old.offsets is None or new.offsets is None:
        return False
    if replace(old, offsets=new.offsets, overflowing=None) != replace(new, overflowing=None):
        return False
    pairs = zip(old.offsets, new.offsets, strict=True)
    inner = (old.overflowing or (), new.overflowing or ())
    return (
        all(before == after or (before[0] == before[1] == after[0] < after[1]) for before, after in pairs)
        and len(inner[0]) == len(inner[1])
        and all(map(_have_spans, *inner))
    )


@_of_encodings
def unknown_becomes_bytes(old: Encoded, new: Encoded, _asked: ChangedAnswer) -> bool:
    """Return whether all tokens that are new are those of bytes, and spell what stood there; none that went was one."""
    laid = [_laid(old), _laid(new)]
    gone, came = ([each for each in side if each not in other] for side, other in (laid, laid[::-1]))
    if not came or not all(_BYTE.fullmatch(token) for _, _, token in came):
        return False
    covered = {place for start, end, _ in came for place in range(start, end)}
    spelled = b"".join(bytes.fromhex(token[3:5]) for _, _, token in came)
    return spelled == "".join(token for _, _, token in gone).encode("utf-8", "surrogatepass") and all(
        not _BYTE.fullmatch(token) and covered.issuperset(range(start, end)) for start, end, token in gone
    )


def _laid(encoding: Encoded) -> list[tuple[int, int, str]]:
    return [(*span, token) for token, span in zip(encoding.tokens or (), encoding.offsets or (), strict=False)]


@_of_encodings
def whole_words_are_tokens(old: Encoded, new: Encoded, asked: ChangedAnswer) -> bool:
    """Return whether each word that differs has one token since, which is all of its tokens before, with its own id."""
    vocabulary = _vocabulary((asked.document or {}).get("model"))
    before, since = _words(old), _words(new)
    different = {word for word in before.keys() | since.keys() if before.get(word) != since.get(word)}
    return bool(different) and all(
        word is not None and since.get(word) == [(whole, vocabulary.get(whole))]
        for word in different
        for whole in ("".join(token for token, _ in before.get(word, ())),)
    )


def _words(encoding: Encoded) -> dict[int | None, list[tuple[str, int | None]]]:
    """Return the tokens of each word with their ids."""
    words: defaultdict[int | None, list[tuple[str, int | None]]] = defaultdict(list)
    for word, token, id_ in zip(encoding.word_ids or (), encoding.tokens or (), encoding.ids, strict=False):
        words[word].append((token, id_))
    return dict(words)


@_of_encodings
def added_tokens_of_the_model_are_found(old: Encoded, new: Encoded, asked: ChangedAnswer) -> bool:
    """Say whether, in each place that differs, an added token is found that is no special one and one of the model's.

    What stands around it in its word may become other tokens: the text is cut at it.
    """
    document = asked.document or {}
    vocabulary = _vocabulary(document.get("model"))
    wanted = {
        vocabulary[token["content"]]: token
        for token in document.get(ADDED_TOKENS) or ()
        if not token.get("special") and token.get("content") in vocabulary
    }
    text = whole_text(asked.question)
    places = [] if text is None or not wanted else places_that_differ(old, new, text)
    if text is None or not places or old.offsets is None:
        return False
    before = set(zip(old.ids, old.offsets, strict=True))
    found = [
        span
        for id_, span in zip(new.ids, new.offsets or (), strict=True)
        if id_ in wanted and (id_, span) not in before and _is_written(wanted[id_], text[slice(*span)])
    ]
    return all(any(start <= span[0] and span[1] <= end for span in found) for start, end in places)


def _vocabulary(model: object) -> Mapping[str, int]:
    """Return the tokens of ``model``, a member of a tokenizer.json, with their ids."""
    vocabulary = model.get("vocab") if isinstance(model, dict) else None
    if isinstance(vocabulary, list):
        return {str(entry[0]): id_ for id_, entry in enumerate(vocabulary)}
    return vocabulary if isinstance(vocabulary, dict) else {}


def _is_written(token: Mapping[str, Any], written: str) -> bool:
    """Return whether ``written`` can be ``token`` in a text; what is normalized may be written in many ways."""
    return bool(token.get("normalized")) or written.strip() == token["content"].strip()


# What the reference answers ----------------------------------------------------------------------------------------


def _reference_answer(parts: Mapping[str, Any], vocabulary: Mapping[str, Any], question: Observation) -> Outcome | None:
    """Return what the reference answers to ``question`` with ``parts`` of a tokenizer.json.

    For a model it has the words of ``vocabulary`` with their ids, as a model does not matter where only components
    around it are asked. ``None`` where the reference refuses the parts.
    """
    model = {"type": "WordLevel", "vocab": vocabulary, "unk_token": ""}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tokenizer.json"
        file.write_text(json.dumps({"version": "1.0", **_NONE, **parts, "model": model}), encoding="utf-8")
        try:
            subject = select("reference", Isolation()).build().load(TokenizerSource("reference", str(file)))
        except CannotLoadError:
            return None
        return subject.observe(question)


_NONE: Mapping[str, Any] = dict.fromkeys(
    ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")
) | {"added_tokens": []}


# Pieces and texts ----------------------------------------------------------------------------------------------------


@_relation
def metaspace_leaves_the_text_whole(asked: ChangedAnswer) -> bool:
    """Return whether a Metaspace that shall not cut cut all the same, and does not since.

    Both answers must be those of the reference, the old one with ``split`` taken from the file.
    """
    question = _question(asked)
    if not isinstance(question, PreTokenize) or asked.old == asked.new:
        return False
    written = (asked.document or {}).get("pre_tokenizer")
    before, since = (
        _reference_answer({"pre_tokenizer": each}, {}, question) for each in (_without_split(written), written)
    )
    return since is not None and (asked.old, asked.new) == (before, since)


def _without_split(component: object) -> object:
    """Return ``component`` of a tokenizer.json with no ``split`` in any Metaspace of it."""
    if isinstance(component, list):
        return [_without_split(each) for each in component]
    if not isinstance(component, dict):
        return component
    is_metaspace = component.get("type") == "Metaspace"
    return {key: _without_split(each) for key, each in component.items() if not (is_metaspace and key == "split")}


@_relation
def compatibility_forms(asked: ChangedAnswer) -> bool:
    """Return whether the answers differ in compatibility forms, marks and characters that nobody sees, and no further.

    The text that was asked about must have such characters, and the new one keep more of them; each place in which two
    encodings differ must have one.
    """
    if asked.old == asked.new or not any(type_ == "Precompiled" for _, type_, _ in components_of(asked.document or {})):
        return False
    if isinstance(asked.old, Encoded) and isinstance(asked.new, Encoded):
        text = whole_text(asked.question) or ""
        places = places_that_differ(asked.old, asked.new, text)
        return bool(places) and all(any(map(_is_rewritten_by_maps, text[start:end])) for start, end in places)
    question = _question(asked)
    if not (isinstance(question, Normalize) and isinstance(asked.old, Text) and isinstance(asked.new, Text)):
        return False
    # Composition is the map's own work as well, so a letter with an accent may be what was asked about.
    has_forms = any(
        unicodedata.normalize("NFKD", each) != each or unicodedata.category(each) in _UNSEEN
        for each in question.text
        if each != " "
    )
    rewritten, kept = (sum(map(_is_rewritten_by_maps, answer.text)) for answer in (asked.old, asked.new))
    return has_forms and rewritten < kept and _skeleton(asked.old.text) == _skeleton(asked.new.text)


def _is_rewritten_by_maps(character: str) -> bool:
    """Return whether ``character`` is a compatibility form, a mark, or one that nobody sees: maps rewrite these."""
    if character == " ":
        return False
    return unicodedata.normalize("NFKC", character) != character or unicodedata.category(character) in _UNSEEN


_UNSEEN = ("Cc", "Cf", "Mn", "Me", "Zl", "Zp", "Zs")


def _skeleton(text: str) -> str:
    """Return ``text`` in compatibility decomposition, lowered, without marks and without what nobody sees."""
    decomposed = unicodedata.normalize("NFKD", text).lower()
    return "".join(each for each in decomposed if unicodedata.category(each) not in _UNSEEN and each != "\u2581")


@_relation
def added_tokens_are_rewritten(asked: ChangedAnswer) -> bool:
    """Return whether added tokens were decoded as they had been added, and since as the normalizer leaves them.

    Both texts must be those that the reference decodes.
    """
    question = _question(asked)
    if not (isinstance(question, Decode) and isinstance(asked.old, Text) and isinstance(asked.new, Text)):
        return False
    document = asked.document or {}
    tokens = [token for token in document.get(ADDED_TOKENS) or () if isinstance(token, dict)]
    if not any(token.get("normalized") and token.get("id") in question.ids for token in tokens):
        return False
    names = {id_: token for token, id_ in _vocabulary(document.get("model")).items()}
    vocabulary = {names[id_]: id_ for id_ in question.ids if id_ in names}
    vocabulary |= {str(token["content"]): token["id"] for token in tokens if {"content", "id"} <= token.keys()}
    raw = [{**token, "normalized": False} for token in tokens]
    since, before = (
        _reference_answer(
            {ADDED_TOKENS: each, "normalizer": document.get("normalizer"), "decoder": document.get("decoder")},
            vocabulary,
            question,
        )
        for each in (tokens, raw)
    )
    return before != since and (asked.old, asked.new) == (before, since)


# White space ---------------------------------------------------------------------------------------------------------


def _white_space_leaves_spans(old: Encoded, new: Encoded, asked: ChangedAnswer) -> bool:
    """Return whether nothing but spans differs, and only by white space at their start that is no longer in them.

    An added token that is told as it stands in the text loses it, too.
    """
    text = whole_text(asked.question)
    if text is None or old.offsets is None or new.offsets is None:
        return False
    if replace(old, offsets=new.offsets, tokens=new.tokens) != new:
        return False
    tokens = zip(old.tokens or (), new.tokens or (), strict=False)
    if len(old.tokens or ()) != len(new.tokens or ()) or any(
        after not in (each, each.lstrip()) for each, after in tokens
    ):
        return False
    return all(
        before == after or (before[1] == after[1] and before[0] < after[0] and text[before[0] : after[0]].isspace())
        for before, after in zip(old.offsets, new.offsets, strict=True)
    )


@_of_encodings
def mask_leaves_white_space(old: Encoded, new: Encoded, asked: ChangedAnswer) -> bool:
    """Return whether spans lose white space at their start, and no other than those of ``<mask>``."""
    if not _white_space_leaves_spans(old, new, asked):
        return False
    tokens = (asked.document or {}).get(ADDED_TOKENS) or ()
    mask = next((token.get("id") for token in tokens if token.get("content") == "<mask>"), None)
    spans = zip(old.ids, old.offsets or (), new.offsets or (), strict=True)
    return mask is not None and all(id_ == mask for id_, before, after in spans if before != after)


@_relation
def cut_at_white_space(asked: ChangedAnswer) -> bool:
    """Return whether a Metaspace got the whole text before, and each word without the white space around it since.

    Of encodings, whether white space left the spans.
    """
    if isinstance(asked.old, Encoded) and isinstance(asked.new, Encoded):
        return asked.old != asked.new and _white_space_leaves_spans(asked.old, asked.new, asked)
    text = whole_text(asked.question)
    if text is None or not isinstance(asked.old, Pieces) or not isinstance(asked.new, Pieces) or asked.old == asked.new:
        return False
    words = tuple((f"{_MARK}{word.group()}", word.span()) for word in re.finditer(r"\S+", text))
    before = [piece for piece, _ in asked.old.pieces]
    return (
        asked.new.pieces == words
        and _MARK not in text
        and before == re.findall(f"{_MARK}[^{_MARK}]*", _begun_with_mark(text))
    )


_MARK = "\u2581"


@_relation
def mark_moves_to_the_pre_tokenizer(asked: ChangedAnswer) -> bool:
    """Say whether a normalizer wrote marks for spaces and one before the text, and a pre-tokenizer writes them since.

    The pre-tokenizer writes none before a text that begins with one.
    """
    question = _question(asked)
    if isinstance(question, Normalize) and isinstance(asked.old, Text) and isinstance(asked.new, Text):
        return asked.old.text == _MARK + _marked(question.text) and asked.new.text == question.text
    if not (isinstance(question, PreTokenize) and isinstance(asked.old, Pieces) and isinstance(asked.new, Pieces)):
        return False
    old, new = ([piece for piece, _ in answer.pieces] for answer in (asked.old, asked.new))
    return bool(question.text) and old == [question.text] and new == [_begun_with_mark(question.text)]


def _marked(text: str) -> str:
    return text.replace(" ", _MARK)


def _begun_with_mark(text: str) -> str:
    return _MARK + _marked(text).removeprefix(_MARK)


@_of_texts
def spaces_are_joined(old: str, new: str, _asked: ChangedAnswer) -> bool:
    """Return whether several spaces became one, and nothing else did."""
    return re.sub(" {2,}", " ", old) == new


@_relation
def end_is_stripped(asked: ChangedAnswer) -> bool:
    """Return whether white space at the end of the text, and no more, is gone."""
    if isinstance(asked.old, Text) and isinstance(asked.new, Text):
        return asked.old != asked.new and asked.old.text.rstrip() == asked.new.text
    text = whole_text(asked.question)
    if text is None or not isinstance(asked.new, Encoded):
        return False
    places, end = places_that_differ(asked.old, asked.new, text), len(text.rstrip())
    return (
        bool(places)
        and all(start >= end for start, _ in places)
        and all(last <= end for _, last in asked.new.offsets or ())
    )


@_of_texts
def english_is_cleaned_up(old: str, new: str, _asked: ChangedAnswer) -> bool:
    """Return whether the old text is the new one without the spaces before punctuation and English endings."""
    for ending in _CLOSE_UP:
        new = new.replace(f" {ending}", ending.rstrip())
    return new == old


_CLOSE_UP = (".", "?", "!", ",", "' ", "n't", "'m", "'s", "'ve", "'re")
"""What ``transformers`` joins to the word before it when it cleans up, in this order; an apostrophe to both words."""


# What a tokenizer.json says ------------------------------------------------------------------------------------------


@_relation
def merges_are_pairs(asked: ChangedAnswer) -> bool:
    """Return whether the merges of the file are lists of two strings."""
    merges = ((asked.document or {}).get("model") or {}).get("merges")
    return isinstance(merges, list) and bool(merges) and all(isinstance(merge, list) for merge in merges)


@_relation
def metaspace_has_no_prefix_space(asked: ChangedAnswer) -> bool:
    """Return whether a Metaspace of the part that was refused says nothing of ``add_prefix_space``.

    Where the other release refuses as well, what it refuses must lie further on in the file.
    """
    refused = re.search(r"Py(PreTokenizer|Decoder)\w*( at line \d+ column \d+)", str(asked.old))
    if refused is None:
        return False
    part = {"PreTokenizer": "pre_tokenizer", "Decoder": "decoder"}[refused[1]]
    if not any(
        (where, type_) == (part, "Metaspace") and "add_prefix_space" not in members
        for where, type_, members in components_of(asked.document or {})
    ):
        return False
    if asked.new is None:
        return True
    behind = re.search(r" at line \d+ column \d+", str(asked.new))
    return behind is not None and _place(behind[0]) > _place(refused[2])


def _place(words: str) -> list[int]:
    """Return the line and the column that ``words`` say."""
    return list(map(int, re.findall(r"\d+", words)))


@_relation
def exponent_has_a_sign(asked: ChangedAnswer) -> bool:
    """Return whether both refuse a number in the same words, but for a plus before its exponent since."""
    signed = re.sub(r"(floating point `-?\d+(?:\.\d+)?e)(?=\d+`)", r"\1+", str(asked.old))
    return asked.old != asked.new and signed == asked.new


@_relation
def component_is_an_empty_list(asked: ChangedAnswer) -> bool:
    """Return whether the normalizer or the pre-tokenizer of the file is an empty list."""
    return any((asked.document or {}).get(part) == [] for part in ("normalizer", "pre_tokenizer"))


@_relation
def has_bracketed_punct(asked: ChangedAnswer) -> bool:
    """Return whether a pattern of the tokenizer says ``[:punct:]``."""
    return any("[:punct:]" in str(members.get("pattern")) for _, _, members in components_of(asked.document or {}))
