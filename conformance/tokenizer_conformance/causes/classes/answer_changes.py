"""Hypotheses about answers: the implementation finds what the baseline finds, and says it otherwise."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from tokenizer_adapters.contract import (
    Decode,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Normalize,
    OffsetUnit,
    Pieces,
    PreTokenize,
    Text,
    plain_of,
)
from tokenizer_conformance.causes.classes.experiment import Offsets
from tokenizer_conformance.causes.classes.hypothesis import SupposedChange
from tokenizer_conformance.causes.classes.question_changes import compatibly_folded
from tokenizer_conformance.causes.classes.small_documents import BYTE_TOKEN, BYTES_BY_SHAPE, added_tokens, byte_by_shape
from tokenizer_conformance.comparison.mistakes import (
    CONTRACTIONS,
    PUNCTUATION,
    counted_in,
    cut_to,
    in_pieces,
    last_in_place_of_end,
    mask_inverted,
    nothing_special,
    offsets_go_on,
    offsets_go_on_from_tokens,
    offsets_of_joined_words,
    offsets_of_words_in_a_row,
    replacing,
    selected,
    sequences_swapped,
    spans_changed,
    special_of_first,
    special_unattended,
    types_zero,
    until_nul,
    with_space_before,
    without_space,
)
from tokenizer_conformance.comparison.questions import texts_in, with_texts
from tokenizer_conformance.escape import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Observation, Outcome, Span
    from tokenizer_conformance.causes.classes.experiment import Ground, Key
    from tokenizer_conformance.causes.classes.hypothesis import Hypothesis
    from tokenizer_conformance.causes.witness import Witness
    from tokenizer_conformance.comparison.mistakes import OfEncoding

PREFIX_SPACE = "\u2581"
REPLACEMENT = "\ufffd"
CLEANED = (*PUNCTUATION, (" ' ", "'"), *CONTRACTIONS[:2], (" do not", " don't"), *CONTRACTIONS[2:])
"""What the clean-up after decoding replaces, in its order, in the whole text."""

CLEANED_BY_LLAMA_CPP = (*PUNCTUATION, (" ' ", "'"), *CONTRACTIONS[1:])
"""What llama.cpp replaces in the whole of a decoded text, in its order."""

UNKNOWN_SURFACE = " \u2047 "
"""How the SentencePiece library writes an unknown token."""

SMALLEST_LIMIT = 16
"""Answers of fewer tokens are not said to be cut to a limit."""


def answers_told_otherwise(ground: Ground, witness: Witness) -> Iterator[Hypothesis]:
    """Suppose that the baseline's answer, told otherwise, is that of the implementation."""
    changes: tuple[SupposedChange, ...] = ()
    match plain_of(witness.question):
        case Encode() | EncodeBatch():
            changes = (*ENCODING_CHANGES, *map(_cut_to, _limits(witness.actual)), ALONE)
        case PreTokenize():
            changes = PIECE_CHANGES
        case Decode():
            changes = TEXT_CHANGES
    yield from (each.on(ground) for each in changes)


def answers_of_other_tokenizers(ground: Ground, witness: Witness) -> Iterator[Hypothesis]:
    """Suppose that what is usual with other tokenizers, whatever this file says, is the answer."""
    changes: tuple[SupposedChange, ...] = ()
    match plain_of(witness.question):
        case Encode() | EncodeBatch():
            changes = (*LATE_ENCODING_CHANGES, *_other_ids(ground, witness))
        case Decode(ids):
            changes = (*LATE_TEXT_CHANGES, *_lower_cased_names(ground), *_unknown_when_decoded(ground, ids))
    yield from (each.on(ground) for each in changes)


# Pieces and batches --------------------------------------------------------------------------------------------------

UNITS = (OffsetUnit.UTF8_BYTES, OffsetUnit.UTF16_UNITS)


def _in_unit(unit: OffsetUnit, ground: Ground, question: Observation) -> Outcome | None:
    plain, answer = plain_of(question), ground.expected(question)
    if not isinstance(plain, PreTokenize) or not isinstance(answer, Pieces):
        return None
    is_told = all(_is_in(plain.text, span) for _, span in answer.pieces)
    return in_pieces(counted_in(unit), question, answer) if is_told else None


PIECE_CHANGES = tuple(
    SupposedChange(
        "offset-unit", unit.value, f"With offsets counted in {unit.value}", partial(_in_unit, unit), Offsets.AS_GIVEN
    )
    for unit in UNITS
)


def _alone(ground: Ground, question: Observation) -> Outcome | None:
    """Return the answers to the inputs of a batch, encoded one by one."""
    plain = plain_of(question)
    if not isinstance(plain, EncodeBatch):
        return None
    answers = [answer for answer in map(ground.expected, plain.inputs) if isinstance(answer, Encoded)]
    return EncodedBatch(tuple(answers)) if len(answers) == len(plain.inputs) else None


ALONE = SupposedChange(
    "padding-policy", "a batch is not padded to its longest", "With each input of the batch encoded alone", _alone
)


# Encodings -----------------------------------------------------------------------------------------------------------

Made = Callable[["Ground", Encode, Encoded], "Encoded | None"]
"""What becomes of the answer to one input; ``None``: nothing to say."""


def _encoding(
    name: str,
    parameter: str,
    how: str,
    made: Made,
    offsets: Offsets = Offsets.OF_BASELINE,
    *,
    shows_elsewhere: bool = False,
    asks_otherwise: bool = False,
    includes: frozenset[Key] = frozenset(),
) -> SupposedChange:
    """Return a change of encodings.

    ``shows_elsewhere``: it is soon supposed, whatever the reason; texts that have nothing of the witness must show it.
    ``includes`` are the keys of what is a part of it.
    """

    def predict(ground: Ground, question: Observation) -> Outcome | None:
        plain, answer = plain_of(question), ground.expected(question)
        match plain, answer:
            case Encode(), Encoded():
                return made(ground, plain, answer)
            case EncodeBatch(inputs), EncodedBatch(encodings):
                found = [made(ground, one, each) for one, each in zip(inputs, encodings, strict=True)]
                return EncodedBatch(tuple(each for each in found if each is not None)) if None not in found else None
        return None

    return SupposedChange(name, parameter, how, predict, offsets, shows_elsewhere, asks_otherwise, includes=includes)


def _with_spans(place: Callable[[str, Span, str], Span]) -> Made:
    """Return the change that gives each token another span, by the text that it is in, its span, and the token."""

    def made(_ground: Ground, question: Encode, encoded: Encoded) -> Encoded | None:
        texts = _texts_of(question, encoded)
        if texts is None or encoded.offsets is None or len(encoded.offsets) != len(texts):
            return None
        if not all(_is_in(text, span) for text, span in zip(texts, encoded.offsets, strict=True)):
            return None
        tokens = encoded.tokens or ("",) * len(encoded.ids)
        spans = [place(text, span, token) for text, span, token in zip(texts, encoded.offsets, tokens, strict=True)]
        return replace(encoded, offsets=tuple(spans))

    return made


def _is_in(text: str, span: Span | None) -> bool:
    """Return whether ``span`` lies in ``text``: one that does not has no counterpart in another unit or convention."""
    return span is None or 0 <= span[0] <= span[1] <= len(text)


def _texts_of(question: Encode, encoded: Encoded) -> list[str] | None:
    """Return the text of each token; ``None`` where the answer does not say."""
    if not isinstance(question.text, str) or not isinstance(question.pair, str | None):
        return None
    if question.pair is None:
        return [question.text] * len(encoded.ids)
    if encoded.sequence_ids is None:
        return None
    return [question.pair if sequence == 1 else question.text for sequence in encoded.sequence_ids]


def _with_space_before(text: str, span: Span, token: str) -> Span:
    start, end = span
    takes_it = token.startswith(("\u0120", PREFIX_SPACE, " ")) or not token
    return (start - 1, end) if takes_it and start < end and text[:start].strip() and text[start - 1].isspace() else span


def _without_space_before(text: str, span: Span, _token: str) -> Span:
    start, end = span
    inside = text[start:end]
    return (start + len(inside) - len(inside.lstrip()), end) if inside.strip() else span


def _empty_prefix(text: str, span: Span, token: str) -> Span:
    """Return an empty span for a U+2581 that stands for no space of the text."""
    start, end = span
    return (start, start) if token == PREFIX_SPACE and text[start:end] not in {" ", PREFIX_SPACE} else span


def _over_spaces(_ground: Ground, question: Encode, encoded: Encoded) -> Encoded | None:
    """Return ``encoded`` with each U+2581 over the white space that it stands for: that before the token.

    One that is a token alone has the first character of it; the first token of a text, nothing.
    """
    texts = _texts_of(question, encoded)
    if texts is None or encoded.offsets is None or encoded.tokens is None or question.pair is not None:
        return None
    spans: list[Span] = []
    before = 0
    for text, token, (start, end) in zip(texts, encoded.tokens, encoded.offsets, strict=True):
        is_for_space = token.startswith(PREFIX_SPACE) and not text[before:start].strip()
        if not is_for_space or text[start:end].startswith(PREFIX_SPACE):
            spans.append((start, end))
        elif token == PREFIX_SPACE:
            spans.append((before, min(before + 1, start)) if spans else (0, 0))
        else:
            spans.append((before, end))
        before = max(before, end if token != PREFIX_SPACE else spans[-1][1])
    return replace(encoded, offsets=tuple(spans))


def _length_in_place_of_end(_text: str, span: Span, _token: str) -> Span:
    start, end = span
    return start, end - start


def _in_words(_ground: Ground, _question: Encode, encoded: Encoded) -> Encoded | None:
    """Return ``encoded`` with offsets that begin again with every word."""
    if encoded.word_ids is None or encoded.offsets is None:
        return None
    starts: dict[int | None, int] = {}
    for word, (start, _) in zip(encoded.word_ids, encoded.offsets, strict=True):
        starts.setdefault(word, start)
    spans = [
        (start - starts[word], end - starts[word])
        for word, (start, end) in zip(encoded.word_ids, encoded.offsets, strict=True)
    ]
    return replace(encoded, offsets=tuple(spans))


SIDE_BY_SIDE = "offset-convention", "each token ends where the next begins"


def _side_by_side(is_after_space: bool, ground: Ground, question: Encode, encoded: Encoded) -> Encoded | None:
    """Return ``encoded`` with each span ending where the next begins, as the SentencePiece library has it.

    A space between two tokens belongs to the second if that has a U+2581 for it; whatever else lies there, and what
    normalization drops before the space, to the first. ``is_after_space``: the first begins behind spaces that it has.
    Nothing is said where the baseline puts a token at other characters than its own, as it does behind some that are
    dropped.
    """
    if encoded.offsets is None or encoded.tokens is None or question.pair is not None:
        return None
    if not isinstance(question.text, str) or not encoded.offsets:
        return None
    text, (first, *others) = question.text, encoded.offsets
    start = first[0] + (_spaces_first(ground, text[slice(*first)]) if is_after_space else 0)
    tokens = list(zip(encoded.tokens, ((start, max(start, first[1])), *others), strict=True))
    if not all(_is_at(name, text[start:end]) for name, (start, end) in tokens):
        return None
    starts = [start]
    for (name, (_, end)), (following, (start, _)) in pairwise(tokens):
        has_space = following.startswith(PREFIX_SPACE) and name != PREFIX_SPACE and end < start
        starts.append(max(starts[-1], end + _dropped_first(ground, text[end:start]) if has_space else start))
    last = encoded.offsets[-1][1]
    ends = (*starts[1:], max(starts[-1], last + _dropped_first(ground, text[last:])))
    return replace(encoded, offsets=tuple(zip(starts, ends, strict=True)))


def _spaces_first(ground: Ground, covered: str) -> int:
    """Return how many characters of ``covered`` come before the first of which more than spaces is left."""
    return next((at for at, each in enumerate(covered) if not _is_only_space(ground, each)), len(covered))


def _is_at(token: str, covered: str) -> bool:
    """Return whether a token can be of what it ``covered``: not of spaces, nor behind another character of category C.

    A token of U+2581 alone can be anywhere.
    """
    own, first = token.removeprefix(PREFIX_SPACE), covered[:1]
    if not own:
        return True
    is_control = bool(first) and unicodedata.category(first).startswith("C")
    is_of_control = first in own or BYTE_TOKEN.fullmatch(own) is not None
    is_of_space = covered.isspace() and not own.isspace()
    return not is_of_space and (not is_control or is_of_control)


def _dropped_first(ground: Ground, between: str) -> int:
    """Return how many characters of ``between`` come before the first that is normalized to a space."""
    return next((at for at, each in enumerate(between) if _is_space(ground, each)), len(between))


def _is_space(ground: Ground, character: str) -> bool:
    """Return whether a space is left of ``character``."""
    return any(map(_is_blank, _left_of(ground, character)))


def _is_only_space(ground: Ground, character: str) -> bool:
    """Return whether spaces, and nothing else, are left of ``character``."""
    left = _left_of(ground, character)
    return bool(left) and all(map(_is_blank, left))


def _is_blank(character: str) -> bool:
    return character.isspace() or character == PREFIX_SPACE


def _left_of(ground: Ground, character: str) -> str:
    """Return what ``character`` is normalized to between letters: at the ends spaces may be stripped."""
    normalized = ground.expected(Normalize(f"a{character}a"))
    return normalized.text.lstrip(PREFIX_SPACE)[1:-1] if isinstance(normalized, Text) else ""


def _in_normalized(ground: Ground, question: Encode, encoded: Encoded) -> Encoded | None:
    """Return ``encoded`` with the offsets that its tokens have in the normalized text."""
    texts = {text: ground.expected(Normalize(text)) for text in texts_in(question)}
    found = {text: answer.text for text, answer in texts.items() if isinstance(answer, Text)}
    if len(found) < len(texts):
        return None
    answer = ground.expected(with_texts(question, found.__getitem__))
    same = isinstance(answer, Encoded) and answer.ids == encoded.ids
    return replace(encoded, offsets=answer.offsets) if same and isinstance(answer, Encoded) else None


def _in_normalized_bytes(fold: bool, ground: Ground, question: Encode, encoded: Encoded) -> Encoded | None:
    """Return ``encoded`` with offsets in bytes of the text, each character of it normalized for itself.

    With ``fold``, to NFKC_Casefold first.

    The spaces that a normalizer puts around some count as none. Nothing is said of controls, line separators and marks
    that stay, nor where tokens share a character, nor of words with more bytes than a word may have characters.
    """
    texts = _texts_of(question, encoded)
    if texts is None or encoded.offsets is None:
        return None
    places = {text: _normalized_places(ground, text, fold=fold) for text in set(texts)}
    spans: list[Span] = []
    ends = dict.fromkeys(texts, 0)
    for text, (start, end) in zip(texts, encoded.offsets, strict=True):
        in_bytes = places[text]
        if in_bytes is None or not _is_in(text, (start, end)) or (start < ends[text] and start < end):
            return None
        ends[text] = max(ends[text], end)
        spans.append((in_bytes[start], in_bytes[end]))
    longest = (ground.document.get("model") or {}).get("max_input_chars_per_word")
    if longest is not None and any(end - start > longest for start, end in spans):
        return None
    return replace(encoded, offsets=tuple(spans))


UNCLEAR_LENGTH = ("C", "Zl", "Zp")
"""Categories of characters that some implementations drop, and others replace or keep."""


def _normalized_places(ground: Ground, text: str, *, fold: bool) -> list[int] | None:
    """Return at which byte of the normalized text each character begins, and where the last ends."""
    places = [0]
    for character in text:
        answer = ground.expected(Normalize(compatibly_folded(character) if fold else character))
        category = unicodedata.category(character)
        if category.startswith(UNCLEAR_LENGTH) or not isinstance(answer, Text) or (category == "Mn" and answer.text):
            return None
        length = 1 if character.isspace() else len(answer.text.strip(" ").encode("utf-8", "surrogatepass"))
        places.append(places[-1] + length)
    return places


def _special_ids(ground: Ground) -> set[Any]:
    return {each.get("id") for each in ground.document.get("added_tokens") or () if each.get("special")}


def _without_special(ground: Ground, _question: Encode, encoded: Encoded) -> Encoded | None:
    """Return ``encoded`` without special tokens, wherever they come from."""
    special = _special_ids(ground)
    return selected(encoded, [at for at, id_ in enumerate(encoded.ids) if id_ not in special])


def _last_not_twice(_ground: Ground, question: Encode, encoded: Encoded) -> Encoded:
    """Return the ids without the last where that is put behind the text, and the text ends with it, too."""
    is_twice = question.add_special_tokens and len(encoded.ids) > 1 and encoded.ids[-1] == encoded.ids[-2]
    is_of_text = (encoded.special_tokens_mask or (0, 0))[-2:-1] == (0,)  # and not both of the template
    return Encoded(encoded.ids[:-1]) if is_twice and is_of_text else encoded


def _unknown_id(ground: Ground) -> int | None:
    model = ground.document.get("model") or {}
    number = model.get("unk_id")
    token = model.get("unk_token")
    return number if isinstance(number, int) else ground.vocabulary().get(token) if isinstance(token, str) else None


def _without_unknown(ground: Ground, _question: Encode, encoded: Encoded) -> Encoded | None:
    unknown = _unknown_id(ground)
    return selected(encoded, [at for at, id_ in enumerate(encoded.ids) if id_ != unknown])


def _unknown_fused(ground: Ground, _question: Encode, encoded: Encoded) -> Encoded | None:
    """Return ids with one unknown token for each run of them; no other field is predicted."""
    unknown = _unknown_id(ground)
    kept = [id_ for at, id_ in enumerate(encoded.ids) if not (at and id_ == unknown == encoded.ids[at - 1])]
    return Encoded(tuple(kept))


def _unknown_by_byte(ground: Ground, question: Encode, encoded: Encoded) -> Encoded | None:
    """Return ids with an unknown token for each byte of what one stands for; no other field is predicted.

    How many bytes that are is unclear, and nothing said, where characters compose, and where what a character is
    normalized to is cut into several tokens.
    """
    texts, unknown = _texts_of(question, encoded), _unknown_id(ground)
    if texts is None or encoded.offsets is None or any(not unicodedata.is_normalized("NFC", each) for each in texts):
        return None
    names = encoded.tokens or ("",) * len(encoded.ids)
    taken = Counter(
        (text, at)
        for text, span, name in zip(texts, encoded.offsets, names, strict=True)
        for at in range(*span)
        if name != PREFIX_SPACE
    )
    ids: list[int] = []
    for id_, text, (start, end) in zip(encoded.ids, texts, encoded.offsets, strict=True):
        covered = text[start:end]
        is_by_byte = id_ == unknown and covered != ground.names.get(id_)
        if is_by_byte and any(taken[text, at] > 1 for at in range(start, end)):
            return None
        bytes_of_it = sum(len(_left_of(ground, each).encode("utf-8", "surrogatepass")) for each in covered)
        ids += [id_] * (max(1, bytes_of_it) if is_by_byte else 1)
    return Encoded(tuple(ids))


def _names_of_vocabulary(ground: Ground, _question: Encode, encoded: Encoded) -> Encoded | None:
    names = ground.names
    return replace(encoded, tokens=tuple(names.get(id_, "") for id_ in encoded.ids)) if names else None


def _names_without_prefix(ground: Ground, _question: Encode, encoded: Encoded) -> Encoded | None:
    prefix = (ground.document.get("model") or {}).get("continuing_subword_prefix")
    if not prefix or encoded.tokens is None:
        return None
    return replace(encoded, tokens=tuple(token.removeprefix(prefix) for token in encoded.tokens))


def _names_of_bytes(_ground: Ground, _question: Encode, encoded: Encoded) -> Encoded | None:
    if encoded.tokens is None:
        return None
    return replace(encoded, tokens=tuple(map(_as_byte, encoded.tokens)))


def _as_byte(token: str) -> str:
    """Return the text of the one byte that ``token`` stands for, or ``token`` if it stands for none.

    >>> _as_byte("<0x41>"), _as_byte("<0xE1>"), _as_byte("a")
    ('A', '\ufffd', 'a')
    """
    is_byte = BYTE_TOKEN.fullmatch(token) is not None
    return bytes.fromhex(token[3:-1]).decode(errors="replace") if is_byte else token


def _mask_by_ids(ground: Ground, _question: Encode, encoded: Encoded) -> Encoded | None:
    return _masked(encoded, _special_ids(ground))


def _mask_by_template(ground: Ground, _question: Encode, encoded: Encoded) -> Encoded | None:
    """Return ``encoded`` with a mask of all tokens with an id that the post-processor puts around an empty text."""
    around = ground.expected(Encode(""))
    return _masked(encoded, set(around.ids) if isinstance(around, Encoded) else set())


def _masked(encoded: Encoded, special: set[Any]) -> Encoded:
    return replace(encoded, special_tokens_mask=tuple(int(id_ in special) for id_ in encoded.ids))


def _prefix_of_nothing(ground: Ground, question: Encode, encoded: Encoded) -> Encoded | None:
    """Return U+2581 alone where nothing is left of a text that is not empty; only ids and tokens are predicted."""
    id_ = ground.vocabulary().get(PREFIX_SPACE)
    if encoded.ids or not question.text or question.pair is not None or id_ is None:
        return encoded
    return Encoded((id_,), (PREFIX_SPACE,))


def _nothing_for_prefix(ground: Ground, _question: Encode, encoded: Encoded) -> Encoded:
    """Return nothing where a U+2581 is all that the baseline finds."""
    id_ = ground.vocabulary().get(PREFIX_SPACE)
    return Encoded((), ()) if encoded.ids == (id_,) else encoded


def _added_left_out(ground: Ground, question: Decode, text: str) -> str | None:
    vocabulary = ground.vocabulary()
    added = {vocabulary.get(each) for each in added_tokens(ground.document)} if question.skip_special_tokens else ()
    kept = tuple(id_ for id_ in question.ids if id_ not in added)
    answer = Text(text) if kept == question.ids else ground.expected(replace(question, ids=kept))
    return answer.text if isinstance(answer, Text) else None


_by_shape: WeakKeyDictionary[Ground, dict[int, int | None]] = WeakKeyDictionary()


def _ids_by_shape(ground: Ground) -> dict[int, int | None]:
    """Return what ids are decoded as where tokens are bytes by their shape: unknown, as a character, or not known."""
    if ground not in _by_shape:
        vocabulary, byte_fallback = ground.vocabulary(), (ground.document.get("model") or {}).get("byte_fallback")
        named = {} if byte_fallback else ground.names
        shaped = {id_: character for id_ in sorted(named) if (character := byte_by_shape(named[id_]))}
        last = {character: id_ for id_, character in shaped.items()}
        own: dict[int, int | None] = {
            id_: vocabulary.get(character) if character.isascii() else None for character, id_ in last.items()
        }
        lost = (*shaped, *(id_ for id_ in own.values() if id_ is not None))
        _by_shape[ground] = {**dict.fromkeys(lost, _unknown_id(ground)), **own}
    return _by_shape[ground]


def _bytes_by_shape_decoded(ground: Ground, question: Decode, text: str) -> str | None:
    taken = _ids_by_shape(ground)
    if not any(id_ in taken for id_ in question.ids):
        return text
    special = _special_ids(ground) if question.skip_special_tokens else set()
    ids = [taken.get(id_, id_) for id_ in question.ids if id_ not in special]
    known = tuple(id_ for id_ in ids if id_ is not None)
    answer = ground.expected(Decode(known, False)) if len(known) == len(ids) else None
    return answer.text if isinstance(answer, Text) else None


def _types_by_sequence(_ground: Ground, _question: Encode, encoded: Encoded) -> Encoded | None:
    sequences = encoded.sequence_ids
    return None if sequences is None else replace(encoded, type_ids=tuple(int(each == 1) for each in sequences))


def _types_from_separator(ground: Ground, question: Encode, encoded: Encoded) -> Encoded | None:
    """Return ``encoded`` with type 1 from the special token before the second text on."""
    sequences = encoded.sequence_ids
    if sequences is None or question.pair is None:
        return encoded
    if 1 in sequences:
        first = sequences.index(1)
    else:  # an empty second text: what stands behind another one is counted from the end
        other = ground.expected(replace(question, text="a", pair="a"))
        if not isinstance(other, Encoded) or other.sequence_ids is None or 1 not in other.sequence_ids:
            return None
        first = len(sequences) - other.sequence_ids[::-1].index(1)
    is_separated = first > 0 and sequences[first - 1] is None
    start = first - is_separated
    return replace(encoded, type_ids=tuple(int(at >= start) for at in range(len(encoded.ids))))


def _mistaken(change: OfEncoding) -> Made:
    return lambda _ground, question, encoded: change(question, encoded)


def _without_overflow(_ground: Ground, _question: Encode, encoded: Encoded) -> Encoded | None:
    return None if encoded.overflowing is None else replace(encoded, overflowing=())


def _limits(actual: Outcome) -> Iterator[int]:
    """Give the limits that an answer of this length could have been cut to."""
    if isinstance(actual, Encoded) and len(actual.ids) >= SMALLEST_LIMIT:
        yield len(actual.ids)


def _cut_to(limit: int) -> SupposedChange:
    return _encoding("length-limit", f"{limit} tokens", f"Cut to the first {limit} tokens", _mistaken(cut_to(limit)))


def _other_ids(ground: Ground, witness: Witness) -> Iterator[SupposedChange]:
    """Give the change of one id into another, where that alone is what differs."""
    if not isinstance(witness.expected, Encoded) or not isinstance(witness.actual, Encoded):
        return
    expected, actual = witness.expected.ids, witness.actual.ids
    pairs = set(zip(expected, actual, strict=False)) if len(expected) == len(actual) else set()
    changed = {(old, new) for old, new in pairs if old != new}
    if len(changed) != 1 or (changed.copy().pop()[0],) * 2 in pairs:
        return
    ((old, new),) = changed
    if new == _unknown_id(ground):  # that is no other id of it: it is not known
        return
    names = ground.names

    def made(_ground: Ground, _question: Encode, encoded: Encoded) -> Encoded:
        ids = tuple(new if id_ == old else id_ for id_ in encoded.ids)
        return encoded if ids == encoded.ids else Encoded(ids)

    parameter = f"{quoted(names.get(old, str(old)))} has the id {new}"
    how = f"With the id {new}, which is that of {quoted(names.get(new, 'no token'))}, in the place of {old}"
    yield _encoding("model-entry", parameter, how, made, shows_elsewhere=True)


def _spans(
    parameter: str,
    how: str,
    place: Callable[[str, Span, str], Span],
    offsets: Offsets = Offsets.OF_BASELINE,
    name: str = "offset-convention",
) -> SupposedChange:
    return _encoding(name, parameter, how, _with_spans(place), offsets)


def _in(unit: OffsetUnit) -> SupposedChange:
    counted = counted_in(unit)
    how = f"With offsets counted in {unit.value}"
    return _spans(unit.value, how, lambda text, span, _: counted(text, span), Offsets.AS_GIVEN, "offset-unit")


MISTAKES: tuple[tuple[str, str, OfEncoding], ...] = (
    ("special-token-handling", "no token is marked special", nothing_special),
    ("special-token-handling", "the mask of special tokens is inverted", mask_inverted),
    ("special-token-handling", "special tokens belong to the first text", special_of_first),
    ("special-token-handling", "special tokens are not attended to", special_unattended),
    ("pair-handling", "the texts of tokens are exchanged", sequences_swapped),
    ("offset-convention", "those of a second text go on where the first ends", offsets_go_on),
    ("offset-convention", "those of a second text go on where the last token before it ends",
     offsets_go_on_from_tokens),
    ("offset-convention", "those of words are in the joined text", offsets_of_joined_words),
    ("offset-convention", "those of a word go on where the last token of the word before ends",
     offsets_of_words_in_a_row),
    ("offset-convention", "with the space before, whatever the token", spans_changed(with_space_before)),
    ("offset-convention", "without white space at the head", spans_changed(without_space)),
)  # fmt: skip
"""Mistakes of ports that change one field of an encoding, with the class that each is in."""

ENCODING_CHANGES: tuple[SupposedChange, ...] = (
    *map(_in, UNITS),
    *(
        _encoding(name, parameter, f"With this mistake ({parameter})", _mistaken(mistake))
        for name, parameter, mistake in MISTAKES
    ),
    _spans(
        "last character",
        "With the last character of each token in place of its end",
        lambda text, span, _: last_in_place_of_end(text, span),
        Offsets.AS_GIVEN,
    ),
    _spans("length", "With the length of each token in place of its end", _length_in_place_of_end, Offsets.AS_GIVEN),
    _encoding("offset-convention", "relative to the word", "With offsets that begin again with every word", _in_words),
    _encoding(
        "offset-convention",
        "in the normalized text",
        "With the offsets that the tokens have in the normalized text",
        _in_normalized,
        Offsets.AS_GIVEN,
    ),
    *(
        _encoding(
            "offset-convention",
            f"in bytes of the normalized text{folded}",
            f"With offsets in bytes of the text in which each character is normalized for itself{folded}",
            partial(_in_normalized_bytes, bool(folded)),
            Offsets.AS_GIVEN,
        )
        for folded in ("", ", NFKC_Casefold first")
    ),
    _encoding(
        "token-names", "entries of the vocabulary", "With each token called as in the vocabulary", _names_of_vocabulary
    ),
    _encoding(
        "token-names",
        "without the prefix of continuing pieces",
        "With tokens called without the prefix of continuing pieces",
        _names_without_prefix,
    ),
    _encoding(
        "token-names",
        "byte tokens by their bytes",
        "With each byte token called as its byte alone is decoded",
        _names_of_bytes,
    ),
    _encoding("special-token-handling", "mask by ids", "With a mask of all ids of special tokens", _mask_by_ids),
    _encoding(
        "special-token-handling",
        "mask by ids of the template",
        "With a mask of all ids that the post-processor puts around a text",
        _mask_by_template,
    ),
    _encoding("special-token-handling", "special tokens removed", "Without special tokens", _without_special),
    _encoding(
        "special-token-handling",
        "none put behind a text that ends with it",
        "Without the token behind a text that ends with that",
        _last_not_twice,
        asks_otherwise=True,
    ),
    _encoding("unknown-token-policy", "dropped", "Without unknown tokens", _without_unknown),
    _encoding("unknown-token-policy", "fused", "With one unknown token for each run of them", _unknown_fused),
    _encoding(
        "unknown-token-policy",
        "one for each byte",
        "With an unknown token for each byte of what one stands for",
        _unknown_by_byte,
    ),
    _encoding(
        "prefix-space-policy",
        "U+2581 where nothing is left of a text",
        "With U+2581 where nothing is left of a text",
        _prefix_of_nothing,
    ),
    _encoding(
        "prefix-space-policy",
        "nothing where U+2581 is all that is left of a text",
        "With nothing where U+2581 is all that is left of a text",
        _nothing_for_prefix,
    ),
    _encoding("length-limit", "no overflowing parts", "Without overflowing parts", _without_overflow),
)

LATE_ENCODING_CHANGES: tuple[SupposedChange, ...] = (
    _encoding(
        *SIDE_BY_SIDE,
        "With each token ending where the next begins",
        partial(_side_by_side, False),
    ),
    _encoding(
        "offset-convention",
        "each token ends where the next begins, and the first begins behind spaces",
        "With each token ending where the next begins, and the first beginning behind spaces",
        partial(_side_by_side, True),
        includes=frozenset({SIDE_BY_SIDE}),
    ),
    _encoding(
        "offset-convention",
        "each U+2581 has the space that it stands for",
        "With each U+2581 over the white space that it stands for",
        _over_spaces,
    ),
    _spans("with the space before", "With the space before a token taken for a part of it", _with_space_before),
    _spans("without the space before", "With the space at the head of a token left out", _without_space_before),
    _spans("empty prefix", "With an empty span for a U+2581 that stands for no space of the text", _empty_prefix),
    _encoding(
        "pair-handling",
        "type ids by text",
        "With type 0 for the first text and all special tokens, and 1 for the second text",
        _types_by_sequence,
        asks_otherwise=True,
    ),
    _encoding(
        "pair-handling",
        "type 1 from the special token before the second text on",
        "With type 1 from the special token before the second text on, and 0 before it",
        _types_from_separator,
        asks_otherwise=True,
    ),
    _encoding(
        "pair-handling", "type ids all 0", "With type 0 for all tokens", _mistaken(types_zero), asks_otherwise=True
    ),
)


# Decoded texts -------------------------------------------------------------------------------------------------------


CLEAN_UP = "decode-clean-up"
WHOLE, STRIPPED, ONE_SPACE, WHITE_ONE = "of the whole text", "ends stripped", "spaces made one", "white space made one"

OfText = Callable[["Ground", Decode, str], "str | None"]
"""What becomes of a decoded text; ``None``: nothing to say."""


def _text(name: str, parameter: str, how: str, made: OfText, *includes: str) -> SupposedChange:
    """Return a change of decoded texts; ``includes`` are the parameters of clean-ups that are a part of it."""

    def predict(ground: Ground, question: Observation) -> Outcome | None:
        plain, answer = plain_of(question), ground.expected(question)
        if not isinstance(plain, Decode) or not isinstance(answer, Text):
            return None
        told = made(ground, plain, answer.text)
        return None if told is None else Text(told)

    parts = frozenset((CLEAN_UP, each) for each in includes)
    return SupposedChange(name, parameter, how, predict, includes=parts)


def _plain(made: Callable[[str], str]) -> OfText:
    def change(_ground: Ground, _question: Decode, text: str) -> str:
        return made(text)

    return change


def _unknown_as_surface(ground: Ground, question: Decode, _text: str) -> str | None:
    """Return the text of ``question`` with the surface of the unknown token in the place of each."""
    unknown = _unknown_id(ground)
    if unknown is None:
        return None
    parts: list[str] = []
    run: list[int] = []
    for id_ in (*question.ids, unknown):
        if id_ != unknown:
            run.append(id_)
            continue
        answer = ground.expected(replace(question, ids=tuple(run))) if run else Text("")
        if not isinstance(answer, Text):
            return None
        parts.append(answer.text)
        run = []
    return UNKNOWN_SURFACE.join(parts)


def _special_tokens_emptied(ground: Ground, question: Decode, text: str) -> str | None:
    """Return the text with special tokens, and these taken out of it: the spaces around them stay."""
    if not question.skip_special_tokens:
        return text
    whole = ground.expected(replace(question, skip_special_tokens=False))
    if not isinstance(whole, Text):
        return None
    found = whole.text
    for each in ground.document.get("added_tokens") or ():
        if each.get("special"):
            found = found.replace(str(each.get("content")), "")
    return found


def _special_tokens_emptied_and_stripped(ground: Ground, question: Decode, text: str) -> str | None:
    found = _special_tokens_emptied(ground, question, text)
    return found if found is None or not question.skip_special_tokens else found.strip(" ")


def _special_tokens_emptied_and_one_space_cut(ground: Ground, question: Decode, text: str) -> str | None:
    found = _special_tokens_emptied(ground, question, text)
    return found if found is None or not question.skip_special_tokens else found.lstrip(" ").removesuffix(" ")


UNLIKE_CHARACTERS = re.compile("[\ufffd-\uffff]")
"""What stands for bytes that are no UTF-8, and the two that follow, which some take for such."""


def _always_skipped_as_c_string(ground: Ground, question: Decode, _text: str) -> str | None:
    """Return the text without special tokens, up to NUL; U+FFFD stands for nothing, and for what is no UTF-8 and on."""
    answer = ground.expected(replace(question, skip_special_tokens=True))
    if not isinstance(answer, Text):
        return None
    text = until_nul(answer.text)
    found = UNLIKE_CHARACTERS.search(text)
    return text[: found.start()] + REPLACEMENT if found else text or REPLACEMENT


def _lower_cased_names(ground: Ground) -> Iterator[SupposedChange]:
    """Give the change that those special tokens are decoded in lower case that are so when they are decoded alone."""
    special = {name: id_ for id_ in _special_ids(ground) if (name := ground.names.get(id_))}
    lowered = sorted(
        name
        for name, id_ in sorted(special.items())[:MOST_NAMES_TRIED]
        if name != name.lower() and ground.actual(Decode((id_,), False)) == Text(name.lower())
    )

    def made(_ground: Ground, _question: Decode, text: str) -> str:
        for name in lowered:
            text = text.replace(name, name.lower())
        return text

    if lowered:
        names = ", ".join(map(quoted, lowered))
        how = f"With {names} in lower case"
        yield _text("case-folding", f"special tokens lower-cased in decoding: {names}", how, made)


MOST_NAMES_TRIED = 16
"""Of so many special tokens it is looked up whether they are decoded in lower case."""

MOST_IDS_TRIED = 4
"""Of so many ids it is tried whether they alone are not known."""


def _unknown_when_decoded(ground: Ground, ids: tuple[int, ...]) -> Iterator[SupposedChange]:
    """Give, for the first few ids, the change that this one is the unknown token when it is decoded."""
    unknown = _unknown_id(ground)
    names = ground.names
    special = _special_ids(ground)
    for old in [id_ for id_ in dict.fromkeys(ids) if unknown is not None and id_ in names][:MOST_IDS_TRIED]:

        def made(ground: Ground, question: Decode, text: str, old: int = old) -> str | None:
            if old not in question.ids or unknown is None:
                return text
            kept = [id_ for id_ in question.ids if id_ == old or not (question.skip_special_tokens and id_ in special)]
            answer = ground.expected(Decode(tuple(unknown if id_ == old else id_ for id_ in kept), False))
            return answer.text if isinstance(answer, Text) else None

        parameter = f"{quoted(names[old])} is unknown in decoding"
        yield _text("model-entry", parameter, f"With the unknown token in the place of {old}", made)


def _cut_after_replacement(text: str) -> str:
    before, found, _ = text.partition(REPLACEMENT)
    return before + found


def _between_special(ground: Ground, question: Decode) -> list[tuple[str | None, str]] | None:
    """Return the text of each run of ids between special tokens, with the name of the token behind it.

    The text is ``None`` where there is no id between two of them, and the name empty behind the last run. ``None``
    where an id has no text.
    """
    names = {each["id"]: each["content"] for each in ground.document.get("added_tokens") or () if each.get("special")}
    parts: list[tuple[str | None, str]] = []
    run: list[int] = []
    for id_ in (*question.ids, None):
        if id_ is not None and id_ not in names:
            run.append(id_)
            continue
        answer = ground.expected(replace(question, ids=tuple(run))) if run else Text("")
        if not isinstance(answer, Text):
            return None
        parts.append((answer.text if run else None, "" if id_ is None else names[id_]))
        run = []
    return parts


def _space_before_special(ground: Ground, question: Decode, text: str) -> str | None:
    """Return the texts between special tokens, a space before each that one follows, as slow tokenizers join them."""
    if question.skip_special_tokens:
        return text
    parts = _between_special(ground, question)
    if parts is None:
        return None
    told = (f"{' ' if name and part is not None else ''}{part or ''}{name}" for part, name in parts)
    return "".join(told).strip()


def _between_special_stripped(ground: Ground, question: Decode, text: str) -> str | None:
    """Return the texts between special tokens, each without spaces at its ends, with nothing between them."""
    if question.skip_special_tokens:
        return text.strip(" ")
    parts = _between_special(ground, question)
    return None if parts is None else "".join(f"{(part or '').strip(' ')}{name}" for part, name in parts)


def _first_without_prefix(ground: Ground, _question: Decode, text: str) -> str:
    """Return ``text`` without the prefix of a continuing piece that comes first."""
    prefix = (ground.document.get("decoder") or {}).get("prefix")
    return text.removeprefix(prefix) if isinstance(prefix, str) else text


def _tokens_joined(ground: Ground, question: Decode, _text: str) -> str | None:
    """Return the entries of the vocabulary of the ids, one behind the other, as if there were no decoder."""
    names = ground.names
    special = _special_ids(ground)
    kept = [id_ for id_ in question.ids if not (question.skip_special_tokens and id_ in special)]
    return "".join(names.get(id_, "") for id_ in kept) if names else None


def _words_with_spaces(ground: Ground, question: Decode, _text: str) -> str | None:
    """Return the ids of a WordPiece with a space before each word, as a file of llama.cpp has them, and cleaned up."""
    prefix = (ground.document.get("model") or {}).get("continuing_subword_prefix")
    names = ground.names
    if not isinstance(prefix, str) or not names:
        return None
    special = _special_ids(ground)
    kept = [id_ for id_ in question.ids if not (question.skip_special_tokens and id_ in special)]
    told = ((id_ in special, names.get(id_, "")) for id_ in kept)
    words = (
        name if is_special else name.removeprefix(prefix) if name.startswith(prefix) else f" {name}"
        for is_special, name in told
    )
    return replacing(CLEANED_BY_LLAMA_CPP, "".join(words))


def _between(pattern: str, content: str) -> Callable[[str], str]:
    compiled = re.compile(pattern)
    return lambda text: compiled.sub(content, text)


TEXT_CHANGES: tuple[SupposedChange, ...] = (
    _text(CLEAN_UP, WHOLE, "With spaces before punctuation removed in the whole text",
               _plain(partial(replacing, CLEANED))),
    _text(CLEAN_UP, STRIPPED, "With spaces at the ends removed",
               _plain(lambda text: text.strip(" "))),
    _text(CLEAN_UP, "head stripped", "With spaces at the head removed",
               _plain(lambda text: text.lstrip(" "))),
    _text(CLEAN_UP, "end stripped", "With spaces at the end removed",
               _plain(lambda text: text.rstrip(" "))),
    _text(CLEAN_UP, "white space at the ends stripped", "With white space at the ends removed",
               _plain(str.strip)),
    _text(CLEAN_UP, "white space at the head stripped", "With white space at the head removed",
               _plain(str.lstrip)),
    _text(CLEAN_UP, "white space at the end stripped", "With white space at the end removed",
               _plain(str.rstrip)),
    _text(CLEAN_UP, "of the whole text, ends stripped",
               "With spaces before punctuation and at the ends removed",
               _plain(lambda text: replacing(CLEANED, text).strip()), WHOLE, STRIPPED),
    _text(CLEAN_UP, ONE_SPACE, "With one space in place of several",
               _plain(_between(" +", " "))),
    _text(CLEAN_UP, "two spaces made one", "With one space in place of every two",
               _plain(lambda text: text.replace("  ", " "))),
    _text(CLEAN_UP, WHITE_ONE, "With one space in place of each run of white space",
               _plain(_between(r"\s+", " "))),
    _text(CLEAN_UP, "spaces made one, ends stripped",
               "With one space in place of several, and none at the ends",
               _plain(lambda text: re.sub(" +", " ", text).strip(" ")), ONE_SPACE, STRIPPED),
    _text(CLEAN_UP, "white space made one, ends stripped",
               "With one space in place of each run of white space, and none at the ends",
               _plain(lambda text: " ".join(text.split())), WHITE_ONE, STRIPPED),
    _text(CLEAN_UP, "spaces removed", "Without spaces", _plain(lambda text: text.replace(" ", ""))),
    _text("text-ends-at-nul", "in decoding", "Cut at U+0000", _plain(until_nul)),
    _text("text-ends-at-nul", "in decoding, and nothing becomes U+FFFD",
               "Cut at U+0000, and with U+FFFD where nothing is left",
               _plain(lambda text: until_nul(text) or REPLACEMENT)),
    _text("ill-formed-bytes", "a decoded text ends with the first of them", "Cut after the first U+FFFD",
               _plain(_cut_after_replacement)),
    _text("unknown-token-policy", "dropped in decoding, as U+FFFD", "Without U+FFFD",
               _plain(lambda text: text.replace(REPLACEMENT, ""))),
    _text("unknown-token-policy", "decoded as U+2047 between spaces",
               "With U+2047 between spaces in place of each unknown token", _unknown_as_surface),
    _text("special-token-handling", "added tokens are left out in decoding as special ones are",
               "Without added tokens where special ones are left out", _added_left_out),
    _text("special-token-handling", "are always left out in decoding, and U+FFFD for nothing and from no UTF-8 on",
               "Without special tokens, up to NUL, with U+FFFD for nothing, and for what is no UTF-8 and all behind it",
               _always_skipped_as_c_string),
    _text("special-token-handling", "those left out in decoding leave their spaces, ends stripped",
               "With special tokens taken out of the text that has them, and spaces at the ends removed",
               _special_tokens_emptied_and_stripped, STRIPPED),
    _text("special-token-handling", "those left out in decoding leave their spaces, head and one at the end stripped",
               "With special tokens taken out of the text that has them, without spaces at the head and one at the end",
               _special_tokens_emptied_and_one_space_cut),
    _text("special-token-handling", "those left out in decoding leave their spaces",
               "With special tokens taken out of the text that has them", _special_tokens_emptied),
    _text("special-token-handling", "a space before text that one follows in decoding",
               "With a space before each text that a special token follows", _space_before_special),
    _text(CLEAN_UP, "ends of each text between special tokens stripped",
               "Without spaces at the ends of each text between special tokens", _between_special_stripped, STRIPPED),
    _text("word-affixes", "the first token loses its prefix in decoding",
               "Without the prefix of a continuing piece at the head", _first_without_prefix),
    _text("component-left-out", "the decoder, and tokens joined as they are",
               "With the entries of the vocabulary one behind the other", _tokens_joined),
    _text("prefix-space-policy", "a space before each word in decoding, the first too, and none before special tokens",
               "With a space before each word and none before special tokens, and cleaned up as a whole",
               _words_with_spaces),
    _text("case-folding", "decoded text lower-cased", "In lower case", _plain(str.lower)),
)  # fmt: skip

LATE_TEXT_CHANGES: tuple[SupposedChange, ...] = (
    _text("byte-fallback", f"in decoding {BYTES_BY_SHAPE}", f"If {BYTES_BY_SHAPE}", _bytes_by_shape_decoded),
    _text("prefix-space-policy", "one space at the head is left out in decoding",
               "Without one space at the head", _plain(lambda text: text.removeprefix(" "))),
    _text("prefix-space-policy", "a space is put at the head in decoding", "With a space at the head",
               _plain(lambda text: f" {text}" if text else text)),
)  # fmt: skip
