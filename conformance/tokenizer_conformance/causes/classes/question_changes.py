"""Hypotheses about questions: the implementation answers rightly, and to something else than it was asked."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    Field,
    Normalize,
    Stage,
    plain_of,
)
from tokenizer_conformance.causes.classes.hypothesis import Instead, SupposedChange
from tokenizer_conformance.comparison.mistakes import unix_lines, until_nul, without_mark
from tokenizer_conformance.comparison.questions import texts_in, texts_of, with_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import Observation, Outcome, PlainObservation
    from tokenizer_conformance.causes.classes.experiment import Ground
    from tokenizer_conformance.causes.classes.hypothesis import Hypothesis
    from tokenizer_conformance.causes.witness import Witness

BYTE_ORDER_MARK = "\ufeff"

CHARACTERS_DROPPED = "characters-dropped"
"""The class of characters that do not reach the tokenizer; what is of one alone begins with its code point."""


InTwoWays = tuple[SupposedChange, SupposedChange]
"""A change of questions, with offsets in the text as it was asked about, and as it was changed."""


def other_questions(ground: Ground, witness: Witness) -> Iterator[Hypothesis]:
    """Suppose that the implementation answers another question."""
    question = plain_of(witness.question)
    if isinstance(question, Decode | DecodeStream):
        ways: tuple[InTwoWays, ...] = (*OPTION_CHANGES, _fewer_ids(len(question.ids) - 1))
    else:
        ways = (*OPTION_CHANGES, *_of_texts(question))
        if _is_normalized_alike(ground, witness):
            ways = OPTION_CHANGES
    yield from (each.on(ground) for both in ways for each in both)


def _of_texts(question: PlainObservation) -> Iterator[InTwoWays]:
    texts = texts_in(question)
    yield from CHANGES_OF_TEXTS
    yield from _of_single_characters("".join(texts))
    for count in {len(text) - 1 for text in texts if len(text) > SHORTEST_LIMIT}:
        longer = tuple(f"{each} " * (count // 2) + "ab" for each in "a\u00e9\u6f22\U0001f600")
        for unit, cut in (("characters", _cut), ("bytes", _cut_bytes), ("UTF-16 units", _cut_units)):
            parameter = f"the first {count} {unit}"
            made = partial(_in_texts, partial(cut, count))
            yield _changes("length-limit", parameter, f"Asked about {parameter} of the text", made, texts=longer)


SHORTEST_LIMIT = 16
"""Shorter texts are not said to be cut to a limit."""


def _cut(count: int, text: str) -> str:
    return text[:count]


def _cut_bytes(count: int, text: str) -> str:
    return text.encode("utf-8", "surrogatepass")[:count].decode("utf-8", "ignore")


def _cut_units(count: int, text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass")[: 2 * count].decode("utf-16-le", "ignore")


def _is_normalized_alike(ground: Ground, witness: Witness) -> bool:
    """Say whether only offsets differ, of a text that both sides normalize alike: then it was not another text."""
    is_shown = Stage.NORMALIZE in ground.trial.implementation.shows
    texts = texts_of(witness.question)
    return witness.difference.field is Field.OFFSETS and is_shown and all(ground.agrees(Normalize(t)) for t in texts)


def _changes(
    name: str,
    parameter: str,
    how: str,
    made: Instead,
    *,
    is_of_texts: bool = False,
    asks_otherwise: bool = False,
    texts: tuple[str, ...] = (),
) -> InTwoWays:
    def as_changed(ground: Ground, question: Observation) -> Outcome | None:
        plain = plain_of(question)
        other = made(plain)
        answer = None if other is None else ground.expected(other)
        return _with_own_names(ground, plain, answer) if isinstance(answer, Encoded) and other != plain else answer

    def as_asked(ground: Ground, question: Observation) -> Outcome | None:
        plain, answer = plain_of(question), as_changed(ground, question)
        other = made(plain)
        if isinstance(plain, Encode) and isinstance(other, Encode) and isinstance(answer, Encoded):
            return _mapped(answer, plain, other)
        return answer

    change = SupposedChange(
        name,
        parameter,
        how,
        as_asked,
        shows_elsewhere=is_of_texts,
        asks_otherwise=asks_otherwise,
        texts=texts,
        instead=made,
    )
    return change, replace(change, how=f"{how}, and with offsets in that text", predict=as_changed)


def _with_own_names(ground: Ground, asked: PlainObservation, encoded: Encoded) -> Encoded:
    """Return ``encoded`` with the names of added tokens that took white space that is not in texts of ``asked``."""
    texts, vocabulary = texts_in(asked), ground.vocabulary()
    names = tuple(
        name.strip()
        if name != name.strip() and name.strip() in vocabulary and not any(name in text for text in texts)
        else name
        for name in encoded.tokens or ()
    )
    return encoded if encoded.tokens is None else replace(encoded, tokens=names)


def _mapped(encoded: Encoded, asked: Encode, other: Encode) -> Encoded | None:
    """Return ``encoded``, the answer to ``other``, with offsets in the texts of ``asked``; ``None``: not to be told."""
    if (asked.text, asked.pair) == (other.text, other.pair) or encoded.offsets is None:
        return encoded
    if not (isinstance(asked.text, str) and isinstance(other.text, str) and asked.pair is None and other.pair is None):
        return None
    places = places_in(asked.text, other.text)
    if places is None:
        return None
    spans = [(places[start], places[end - 1] + 1 if end > start else places[start]) for start, end in encoded.offsets]
    special = encoded.special_tokens_mask or (0,) * len(spans)
    kept = [(0, 0) if mark else (start, max(start, end)) for mark, (start, end) in zip(special, spans, strict=True)]
    return replace(encoded, offsets=tuple(kept))


def places_in(text: str, changed: str) -> list[int] | None:
    """Return for each place in ``changed`` where it is in ``text``; ``None`` where that is not clear.

    It is clear where characters were exchanged one for one, or left out, or put before the text.

    >>> places_in("a-b", "ab"), places_in("ab", " ab"), places_in("ab", "xyz")
    ([0, 2, 3], [0, 0, 1, 2], None)
    """
    if len(text) == len(changed):
        return list(range(len(text) + 1))
    if changed.endswith(text):
        added = len(changed) - len(text)
        return [max(0, at - added) for at in range(len(changed) + 1)]
    places: list[int] = []
    at = 0
    for character in changed:
        at = text.find(character, at)
        if at < 0:
            return None
        places.append(at)
        at += 1
    return [*places, len(text)]


# Texts ---------------------------------------------------------------------------------------------------------------


def _in_texts(change: Callable[[str], str], question: PlainObservation) -> Observation | None:
    return None if isinstance(question, Decode | DecodeStream) else with_texts(question, change)


def _without(categories: tuple[str, ...], kept: str = "", content: str = "") -> Callable[[str], str]:
    """Return what puts ``content`` in place of each character of the ``categories`` that is not ``kept``."""

    def change(text: str) -> str:
        return "".join(
            content if unicodedata.category(each).startswith(categories) and each not in kept else each for each in text
        )

    return change


def _replaced(pattern: str, content: str) -> Callable[[str], str]:
    compiled = re.compile(pattern)
    return lambda text: compiled.sub(content, text)


def _in_form(form: str) -> Callable[[str], str]:
    return lambda text: unicodedata.normalize(form, text)  # type: ignore[arg-type]


def _first_of_nfd(question: PlainObservation) -> Observation | None:
    """Return ``question`` with the first of what each character decomposes into; ``None`` where marks compose."""
    if not all(unicodedata.is_normalized("NFC", text) for text in texts_in(question)):
        return None
    return _in_texts(lambda text: "".join(unicodedata.normalize("NFD", each)[0] for each in text), question)


def _ascii_lower(text: str) -> str:
    return "".join(each.lower() if each.isascii() else each for each in text)


def compatibly_folded(text: str) -> str:
    r"""Return NFKC_Casefold of ``text`` (Unicode, section 3.13), but for what that ignores by default.

    >>> compatibly_folded("\u2160\ufb01\u00c9")
    'ifi\xe9'
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


TEXT_CHANGES: tuple[tuple[str, str, str, Callable[[str], str]], ...] = (
    ("text-ends-at-nul", "in texts", "Asked about the text up to U+0000", until_nul),
    ("byte-order-mark", "at the head", "Asked about the text without U+FEFF at its head",
     without_mark),
    ("byte-order-mark", "everywhere", "Asked about the text without U+FEFF",
     lambda text: text.replace(BYTE_ORDER_MARK, "")),
    ("characters-dropped", "U+0000", "Asked about the text without U+0000", lambda text: text.replace("\0", "")),
    ("characters-dropped", "spaces at the ends", "Asked about the text without spaces at its ends",
     lambda text: text.strip(" ")),
    ("characters-dropped", "white space at the ends", "Asked about the text without white space at its ends",
     str.strip),
    ("characters-dropped", "white space at the end", "Asked about the text without white space at its end", str.rstrip),
    ("characters-dropped", "white space at the head", "Asked about the text without white space at its head",
     str.lstrip),
    ("characters-dropped", "line breaks at the end", "Asked about the text without line breaks at its end",
     lambda text: text.rstrip("\r\n")),
    ("characters-dropped", "runs of spaces become one", "Asked about the text with one space for each run of them",
     _replaced(" +", " ")),
    ("characters-dropped", "runs of white space become a space",
     "Asked about the text with a space for each run of white space", _replaced(r"\s+", " ")),
    ("characters-dropped", "runs of white space become a space, ends stripped",
     "Asked about the text with a space for each run of white space, and none at its ends",
     lambda text: " ".join(text.split())),
    ("characters-dropped", "runs of ASCII controls and spaces become a space, none at the end",
     "Asked about the text with a space for each run of characters up to U+0020, and none behind others",
     lambda text: re.sub("(?<=.) $", "", re.sub(r"[\0-\x20]+", " ", text))),
    ("characters-dropped", "white space becomes spaces", "Asked about the text with spaces for white space",
     _replaced(r"\s", " ")),
    ("characters-dropped", "white space and controls become spaces",
     "Asked about the text with spaces for white space and control characters",
     lambda text: _without(("Cc",), "", " ")(re.sub(r"\s", " ", text))),
    ("characters-dropped", "CR LF becomes LF", "Asked about the text with U+000A for U+000D U+000A",
     unix_lines),
    ("characters-dropped", "CR", "Asked about the text without U+000D", lambda text: text.replace("\r", "")),
    ("characters-dropped", "U+007F", "Asked about the text without U+007F", lambda text: text.replace("\x7f", "")),
    ("characters-dropped", "controls (Cc) but tabs and line ends", "Asked about the text without control characters",
     _without(("Cc",), "\t\n\r")),
    ("characters-dropped", "format characters (Cf)", "Asked about the text without format characters",
     _without(("Cf",))),
    ("characters-dropped", "format characters become spaces", "Asked about the text with spaces for format characters",
     _without(("Cf",), "", " ")),
    ("characters-dropped", "controls and format characters",
     "Asked about the text without control and format characters", _without(("Cc", "Cf"), "\t\n\r")),
    ("characters-dropped", "unassigned characters and noncharacters (Cn)",
     "Asked about the text without unassigned characters and noncharacters", _without(("Cn",))),
    ("characters-dropped", "all of category C", "Asked about the text without characters of category C",
     _without(("C",), "\t\n\r")),
    ("characters-dropped", "marks (Mn)", "Asked about the text without nonspacing marks", _without(("Mn",))),
    ("characters-dropped", "variation selectors (U+FE00 to U+FE0F)", "Asked about the text without variation selectors",
     _replaced("[\ufe00-\ufe0f]", "")),
    ("characters-dropped", "beyond U+FFFF", "Asked about the text without characters beyond U+FFFF",
     _replaced("[\U00010000-\U0010ffff]", "")),
    ("characters-dropped", "all but ASCII", "Asked about the text without characters that are not ASCII",
     _replaced("[^\0-\x7f]", "")),
    ("case-folding", "the text is lower-cased first", "Asked about the text in lower case", str.lower),
    ("case-folding", "the text is case-folded first", "Asked about the text with its case folded", str.casefold),
    ("case-folding", "the text is brought to NFKC_Casefold first", "Asked about the text in NFKC_Casefold",
     compatibly_folded),
    ("case-folding", "ASCII letters are lower-cased first", "Asked about the text with ASCII letters in lower case",
     _ascii_lower),
    ("case-folding", "I becomes \u0131 first, and \u0130 i, as in Turkish",
     "Asked about the text with U+0131 for I, and i for U+0130",
     lambda text: text.replace("I", "\u0131").replace("\u0130", "i")),
    *(("normalization-form", f"the text is brought to {form} first", f"Asked about the text in {form}", _in_form(form))
      for form in ("NFC", "NFD", "NFKC", "NFKD")),
    ("prefix-space-policy", "a space is put before each text", "Asked about the text with a space before it",
     lambda text: f" {text}"),
)  # fmt: skip


LOOK_ALIKES = {
    "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-", "\u2026": "...",
    "\u3002": ".", "\uff0c": ",", "\uff01": "!", "\uff1f": "?", "\u2212": "-", "\u00df": "ss",
}  # fmt: skip
"""What ports put in the place of characters, to have plain ASCII."""

MOST_SINGLE = 3
"""How many characters of a text are each supposed to be dropped."""


def _of_single_characters(text: str) -> Iterator[InTwoWays]:
    """Give, for the odd characters of ``text``, the changes that drop each, or put something plain in its place."""
    odd = [each for each in dict.fromkeys(text) if not (each.isascii() and each.isalnum()) and each != " "]
    for character in odd[:MOST_SINGLE]:
        name = f"U+{ord(character):04X}"
        for content in dict.fromkeys(("", " ", LOOK_ALIKES.get(character, ""))):
            instead = " and ".join(f"U+{ord(each):04X}" for each in content)
            yield _changes(
                CHARACTERS_DROPPED,
                f"{name} becomes {instead}" if content else name,
                f"Asked about the text {f'with {instead} for' if content else 'without'} {name}",
                partial(_in_texts, partial(_with_instead, character, content)),
                texts=tuple(pattern.format(character) for pattern in ("{}", "a{}b", "1{}2", "x {} y")),
            )


def _with_instead(character: str, content: str, text: str) -> str:
    return text.replace(character, content)


# Options -------------------------------------------------------------------------------------------------------------


def _of_inputs(change: Callable[[Encode], Encode]) -> Instead:
    def made(question: PlainObservation) -> PlainObservation | None:
        match question:
            case Encode():
                return change(question)
            case EncodeBatch(inputs):
                changed = tuple(map(change, inputs))
                kinds = {(each.is_pretokenized, each.add_special_tokens) for each in changed}
                return EncodeBatch(changed) if len(kinds) == 1 else None
        return None

    return made


def _of_words(change: Callable[[tuple[str, ...]], str | tuple[str, ...]]) -> Callable[[Encode], Encode]:
    def made(encode: Encode) -> Encode:
        text = encode.text if isinstance(encode.text, str) else change(encode.text)
        pair = encode.pair if not isinstance(encode.pair, tuple) else change(encode.pair)
        return replace(encode, text=text, pair=pair)

    return made


def _exchanged(encode: Encode) -> Encode:
    return encode if encode.pair is None else replace(encode, text=encode.pair, pair=encode.text)


def _other_skipping(question: PlainObservation) -> PlainObservation | None:
    if isinstance(question, Decode | DecodeStream):
        return _skipping(not question.skip_special_tokens, question)
    return None


def _fewer_ids(count: int) -> InTwoWays:
    """Return the change that only the first ``count`` ids are decoded."""
    return _changes(
        "length-limit", f"{count} ids are decoded", f"Asked about the first {count} ids", partial(_first_ids, count)
    )


def _first_ids(count: int, question: PlainObservation) -> PlainObservation | None:
    if not isinstance(question, Decode | DecodeStream) or not count:
        return None
    return replace(question, ids=question.ids[:count])


def _skipping(skip: bool, question: PlainObservation) -> PlainObservation | None:
    if isinstance(question, Decode | DecodeStream):
        return replace(question, skip_special_tokens=skip)
    return None


OPTION_CHANGES: tuple[InTwoWays, ...] = (
    _changes(
        "special-token-handling", "are always kept in decoding", "Asked to keep special tokens",
        partial(_skipping, False), asks_otherwise=True,
    ),
    _changes(
        "special-token-handling", "are always left out in decoding", "Asked to leave out special tokens",
        partial(_skipping, True), asks_otherwise=True,
    ),
    _changes(
        "special-token-handling", "are kept in decoding where they are to be left out, and the other way",
        "Asked with skip_special_tokens the other way", _other_skipping, asks_otherwise=True,
    ),
    _changes(
        "special-token-handling", "none put around texts", "Asked without special tokens",
        _of_inputs(lambda encode: replace(encode, add_special_tokens=False)), asks_otherwise=True,
    ),
    _changes(
        "special-token-handling", "always put around texts", "Asked with special tokens",
        _of_inputs(lambda encode: replace(encode, add_special_tokens=True)), asks_otherwise=True,
    ),
    _changes(
        "special-token-handling", "put around texts where they are not to be, and the other way",
        "Asked with add_special_tokens the other way",
        _of_inputs(lambda encode: replace(encode, add_special_tokens=not encode.add_special_tokens)),
        asks_otherwise=True,
    ),
    _changes(
        "special-token-handling",
        "none put around an empty text",
        "Asked without special tokens where the text is empty",
        _of_inputs(
            lambda encode: encode if encode.text or encode.pair else replace(encode, add_special_tokens=False)
        ),
    ),
    _changes(
        "pair-handling", "an empty second text counts as none", "Asked without the empty second text",
        _of_inputs(lambda encode: encode if encode.pair else replace(encode, pair=None)),
    ),
    _changes(
        "pair-handling", "the second text is dropped", "Asked about the first text alone",
        _of_inputs(lambda encode: replace(encode, pair=None)),
    ),
    _changes(
        "pair-handling", "the two texts are exchanged", "Asked about the two texts in the other order",
        _of_inputs(_exchanged),
    ),
    _changes(
        "prefix-space-policy", "a space is put before each word", "Asked with a space before each word",
        _of_inputs(_of_words(lambda words: tuple(f" {word}" for word in words))),
    ),
    _changes(
        "prefix-space-policy", "a space is put before each word that does not begin with white space",
        "Asked with a space before each word that does not begin with white space",
        _of_inputs(_of_words(lambda words: tuple(f" {word}" if word[:1].strip() else word for word in words))),
    ),
    _changes(
        "prefix-space-policy", "words are joined with spaces", "Asked about the words joined with spaces",
        _of_inputs(_of_words(" ".join)),
    ),
)  # fmt: skip

CHANGES_OF_TEXTS: tuple[InTwoWays, ...] = (
    *(
        _changes(name, parameter, how, partial(_in_texts, made), is_of_texts=True)
        for name, parameter, how, made in TEXT_CHANGES
    ),
    _changes(
        "normalization-form",
        "of what a character decomposes into (NFD) the first is left",
        "Asked about the first character of what each decomposes into",
        _first_of_nfd,
        is_of_texts=True,
    ),
)
