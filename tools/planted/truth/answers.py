"""Faults of implementations in their own ways: texts that are read otherwise, and answers that are given otherwise."""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from planted.fakes import Fault, decoding, reading, spoiling
from planted.truth.case import Case
from tokenizer_adapters.contract import (
    Decode,
    DecodeStream,
    Encode,
    Field,
)
from tokenizer_conformance.comparison.mistakes import (
    batch_reversed,
    chunks_too_early,
    cut_to,
    in_bytes,
    in_pieces,
    in_utf16,
    last_in_place_of_end,
    mask_inverted,
    nothing_special,
    of_pairs,
    offsets_go_on,
    offsets_of_joined_words,
    selected,
    sequences_swapped,
    spans_changed,
    special_unattended,
    types_zero,
    unix_lines,
    until_nul,
    values_changed,
    where_special,
    with_space_before,
    without_mark,
    without_space,
    words_from_one,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from planted.truth.case import Statements
    from tokenizer_adapters.contract import Encoded, Observation, Span

_ANY = ("bert-mini", "gpt2-mini", "t5-mini")
_OTHERS = ("roberta-mini", "llama-mini", "bert-base-uncased")


def _case(group: str, name: str, fault: Fault, on: tuple[str, ...], said: Statements, implied: Statements = ()) -> Case:
    what = f"{name.replace('-', ' ')}."
    return Case(name, group, what[0].upper() + what[1:], fault, on, said, implied)


# Texts ---------------------------------------------------------------------------------------------------------------


def _read(
    name: str, read: Callable[[str], str], *said: str, on: tuple[str, ...] = _ANY, implied: Statements = ()
) -> Case:
    return _case("texts read otherwise", name, reading(read), on, said, implied)


def _sub(pattern: str, new: str) -> Callable[[str], str]:
    return partial(re.compile(pattern).sub, new)


_CURLY = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")
_DASHES = str.maketrans("\u2013\u2014", "--")
_FULLWIDTH = {ord("\uff10") + digit: ord("0") + digit for digit in range(10)}
_TURKISH = str.maketrans("I\u0130", "\u0131i")


def _scrubbed(text: str) -> str:
    return "".join(each for each in text if unicodedata.category(each) != "Cf")


def _in_basic_plane(text: str) -> str:
    return "".join(each for each in text if ord(each) <= 0xFFFF)


TEXTS: tuple[Case, ...] = (
    _read("text-ends-at-nul", until_nul, "text-ends-at-nul", "characters-dropped: *U+0000*"),
    _read(
        "byte-order-mark-dropped",
        without_mark,
        "byte-order-mark",
        "characters-dropped: *U+FEFF*",
        on=("gpt2-mini", "llama-mini", "gpt2"),
    ),
    _read(
        "line-ends-of-unix",
        unix_lines,
        "characters-dropped: CR LF becomes LF",
        on=("gpt2-mini", "roberta-mini", "gpt2"),
    ),
    _read(
        "composed-first",
        partial(unicodedata.normalize, "NFC"),
        "normalization-form: *brought to NFC *",
        "normalization-form: normalizer: none -> NFC",
        "normalization-form: normalizer: NFC first",
        on=("gpt2-mini", "llama-mini", "gpt2"),
    ),
    _read(
        "compatible-first",
        partial(unicodedata.normalize, "NFKC"),
        "normalization-form: *brought to NFKC *",
        "normalization-form: normalizer: none -> NFKC",
        "normalization-form: normalizer: NFKC first",
        on=("gpt2-mini", "bert-mini", "roberta-base"),
    ),
    _read(
        "decomposed-first",
        partial(unicodedata.normalize, "NFD"),
        "normalization-form: *brought to NFD *",
        "normalization-form: normalizer: none -> NFD",
        "normalization-form: normalizer: NFD first",
        on=("gpt2-mini", "llama-mini", "roberta-mini"),
    ),
    _read(
        "lowered-by-python",
        str.lower,
        "case-folding: *the text is lower-cased first*",
        "final-sigma",
        on=("gpt2-mini", "xlnet-mini", "roberta-base"),
    ),
    _read("folded", str.casefold, "case-folding: *fold*", on=("gpt2-mini", "xlnet-mini", "bert-mini")),
    _read(
        "text-stripped",
        str.strip,
        "characters-dropped: *white space at*",
        "characters-dropped: normalizer: none -> Strip",
        "characters-dropped: normalizer: Strip first",
        on=("gpt2-mini", "llama-mini", "roberta-mini"),
    ),
    _read(
        "text-stripped-on-the-right",
        str.rstrip,
        "characters-dropped: *white space at the end*",
        on=("gpt2-mini", "llama-mini", "gpt2"),
    ),
    _read(
        "spaces-run-together",
        _sub(" {2,}", " "),
        "characters-dropped: *runs of spaces*",
        "characters-dropped: *one space for several*",
        on=("gpt2-mini", "llama-mini", "gpt2"),
    ),
    _read(
        "white-space-as-spaces",
        _sub(r"\s", " "),
        "characters-dropped: *white space becomes spaces*",
        on=("gpt2-mini", "llama-mini", "gpt2"),
    ),
    _read(
        "tabs-as-four-spaces", str.expandtabs, on=("gpt2-mini", "llama-mini", "gpt2"), implied=("characters-dropped",)
    ),
    _read("curly-quotes-as-plain", lambda text: text.translate(_CURLY), on=_ANY, implied=("characters-dropped",)),
    _read("dashes-as-hyphens", lambda text: text.translate(_DASHES), on=_ANY, implied=("characters-dropped",)),
    _read("entities-read", html.unescape, on=_ANY),
    _read("tags-removed", _sub(r"<[a-z/][^>]*>", ""), on=_ANY),
    _read("addresses-hidden", _sub(r"https?://\S+", "URL"), on=_ANY),
    _read("digits-as-zero", _sub(r"[0-9]", "0"), on=("bert-mini", "roberta-mini", "t5-mini")),
    _read(
        "fullwidth-digits-read",
        lambda text: text.translate(_FULLWIDTH),
        on=("gpt2-mini", "bert-mini", "llama-mini"),
        implied=("characters-dropped",),
    ),
    _read("repetitions-shortened", _sub(r"(.)\1{3,}", r"\1\1\1"), on=_ANY),
    _read(
        "turkish-first",
        lambda text: text.translate(_TURKISH),
        "case-folding: *turk*",
        on=("bert-mini", "bert-base-uncased", "options-mini"),
        implied=("case-folding",),
    ),
    _read(
        "format-characters-dropped",
        _scrubbed,
        "characters-dropped: *format*",
        on=("gpt2-mini", "t5-mini", "llama-mini"),
    ),
    _read(
        "astral-characters-dropped",
        _in_basic_plane,
        "characters-dropped: *U+FFFF*",
        on=("gpt2-mini", "llama-mini", "t5-mini"),
    ),
    _read(
        "soft-hyphen-dropped",
        lambda text: text.replace("\xad", ""),
        "characters-dropped: *soft*",
        "characters-dropped: *U+00AD*",
        on=("gpt2-mini", "llama-mini", "gpt2"),
    ),
    _read(
        "no-break-space-as-space",
        lambda text: text.replace("\xa0", " "),
        "characters-dropped: *no-break*",
        "characters-dropped: *U+00A0*",
        on=("gpt2-mini", "llama-mini", "gpt2"),
    ),
    _read("underscores-as-spaces", lambda text: text.replace("_", " "), on=_ANY, implied=("characters-dropped",)),
    _read(
        "sharp-s-as-ss",
        lambda text: text.replace("\xdf", "ss"),
        on=("gpt2-mini", "bert-mini", "llama-mini"),
        implied=("case-folding", "characters-dropped"),
    ),
    _read("first-letter-small", lambda text: text[:1].lower() + text[1:], on=("gpt2-mini", "t5-mini", "llama-mini")),
    _read("one-thousand-characters", lambda text: text[:1000], "length-limit", on=_ANY),
    _read(
        "last-line-feed-dropped",
        lambda text: text.removesuffix("\n"),
        on=("gpt2-mini", "llama-mini", "gpt2"),
        implied=("characters-dropped",),
    ),
    _read(
        "ideographs-simplified",
        lambda text: text.replace("\u9ad4", "\u4f53").replace("\u570b", "\u56fd"),
        on=("gpt2-mini", "bert-mini", "gpt2"),
    ),
    _read("a-full-stop-at-the-end", lambda text: text if text.endswith(".") or not text else f"{text}.", on=_ANY),
)


# Answers -------------------------------------------------------------------------------------------------------------


def _spoilt(
    group: str,
    name: str,
    change: Callable[[Encode, Encoded], Encoded],
    *said: str,
    on: tuple[str, ...] = _ANY,
    implied: Statements = (),
) -> Case:
    return _case(group, name, spoiling(change), on, said, implied)


def _of_stage(name: str, change: Callable[[str, Span], Span], *said: str, on: tuple[str, ...] = _ANY) -> Case:
    return _spoilt("offsets", f"offsets-{name}", spans_changed(change), *said, on=on)


def _one_late(text: str, span: Span) -> Span:
    return (span[0], span[1]) if span[0] == span[1] else (min(span[0] + 1, len(text)), min(span[1] + 1, len(text)))


def _late_after_line_end(text: str, span: Span) -> Span:
    lines = text.count("\n", 0, span[0])
    return span[0] + lines, span[1] + lines


def _without_marks(text: str, span: Span) -> Span:
    def place(at: int) -> int:
        return sum(not unicodedata.combining(each) for each in text[:at])

    return place(span[0]), place(span[1])


def _length(_text: str, span: Span) -> Span:
    return span[0], span[1] - span[0]


OFFSETS: tuple[Case, ...] = (
    _of_stage("in-bytes", in_bytes, "offset-unit: *byte*"),
    _of_stage("in-utf16-units", in_utf16, "offset-unit: *16*"),
    _of_stage("to-the-last-character", last_in_place_of_end, "offset-convention"),
    _of_stage(
        "with-the-space-before",
        with_space_before,
        "offset-convention",
        on=("bert-mini", "roberta-mini", "bert-base-uncased"),
    ),
    _of_stage("without-space", without_space, "offset-convention", on=("gpt2-mini", "t5-mini", "llama-mini")),
    _of_stage("one-late", _one_late),
    _of_stage("late-after-line-ends", _late_after_line_end, on=("gpt2-mini", "bert-mini", "roberta-mini")),
    replace(
        _of_stage("that-count-no-marks", _without_marks, on=("gpt2-mini", "bert-mini", "t5-mini")),
        # Its normalizer removes the marks, so that nothing but offsets can show that they are there.
        same_on={"bert-mini": ("characters-dropped: marks (Mn)",)},
    ),
    _of_stage("with-lengths-for-ends", _length, "offset-convention: length"),
    _spoilt(
        "offsets",
        "offsets-of-pairs-go-on",
        offsets_go_on,
        "pair-handling",
        "offset-convention",
        on=("bert-mini", "roberta-mini", "t5-mini"),
    ),
    _spoilt(
        "offsets",
        "offsets-of-words-go-on",
        offsets_of_joined_words,
        "offset-convention",
        on=("bert-mini", "gpt2-mini", "roberta-mini"),
    ),
    _case(
        "offsets",
        "offsets-of-pieces-in-bytes",
        Fault(spoil=partial(in_pieces, in_bytes)),
        _ANY,
        ("offset-unit: *byte*",),
    ),
    _case("offsets", "offsets-of-pieces-one-late", Fault(spoil=partial(in_pieces, _one_late)), _ANY, ()),
)


def _every_second_lost(_question: Encode, encoded: Encoded) -> Encoded:
    return selected(encoded, (at for at in range(len(encoded.ids)) if at % 7 != 6))


def _repeated_once(_question: Encode, encoded: Encoded) -> Encoded:
    return selected(
        encoded, (at for at, id in enumerate(encoded.ids) if at < 2 or encoded.ids[at - 2 : at] != (id, id))
    )


def _last_lost_of_long(_question: Encode, encoded: Encoded) -> Encoded:
    count = len(encoded.ids)
    return selected(encoded, range(count - 1 if count > 40 else count))


def _swapped_words(question: Observation) -> Observation:
    match question:
        case Encode(str(text), str(pair)):
            return replace(question, text=pair, pair=text)
    return question


def _second_dropped(question: Observation) -> Observation:
    return replace(question, pair=None) if isinstance(question, Encode) else question


ANSWERS: tuple[Case, ...] = (
    _spoilt(
        "answers",
        "all-types-zero",
        types_zero,
        "pair-handling: *type ids all 0*",
        "pair-handling: *type 0*",
        on=("bert-mini", "xlnet-mini", "options-mini"),
    ),
    _spoilt("answers", "mask-of-special-tokens-inverted", mask_inverted, "special-token-handling: *inverted*"),
    _spoilt(
        "answers",
        "nothing-marked-special",
        nothing_special,
        "special-token-handling",
        on=("bert-mini", "roberta-mini", "t5-mini"),
    ),
    _spoilt(
        "answers",
        "special-tokens-unattended",
        special_unattended,
        "special-token-handling",
        on=("bert-mini", "roberta-mini", "t5-mini"),
    ),
    _spoilt("answers", "words-counted-from-one", words_from_one),
    _spoilt("answers", "sequences-exchanged", sequences_swapped, "pair-handling"),
    _spoilt(
        "answers",
        "special-tokens-in-the-first",
        where_special(Field.SEQUENCE_IDS, 0),
        "special-token-handling",
        on=("bert-mini", "roberta-mini", "t5-mini"),
    ),
    _spoilt(
        "answers",
        "types-of-pairs-two",
        of_pairs(values_changed(Field.TYPE_IDS, lambda each: 2 * each)),
        on=("bert-mini", "xlnet-mini", "options-mini"),
    ),
    _spoilt(
        "answers",
        "ids-one-higher-from-500",
        values_changed(Field.IDS, lambda each: each + (each >= 500)),
        implied=("model-entry: *has the id*",),
    ),
    _spoilt(
        "answers",
        "ids-of-sixteen-bits",
        values_changed(Field.IDS, lambda each: each & 0x1FF),
        implied=("model-entry: *has the id*",),
    ),
    _spoilt("answers", "tokens-in-capitals", values_changed(Field.TOKENS, str.upper)),
    replace(
        _spoilt(
            "answers",
            "tokens-without-marks",
            values_changed(Field.TOKENS, lambda token: token.strip("\u2581\u0120#")),
            on=("bert-mini", "gpt2-mini", "t5-mini"),
        ),
        same_on={"bert-mini": ("token-names: without the prefix of continuing pieces",)},
    ),
    _spoilt("answers", "first-fifty-tokens", cut_to(50), "length-limit"),
    _spoilt("answers", "every-seventh-token-lost", _every_second_lost),
    _spoilt("answers", "repetitions-lost", _repeated_once),
    _spoilt("answers", "last-token-of-long-texts-lost", _last_lost_of_long),
    _case(
        "answers",
        "texts-of-pairs-exchanged",
        Fault(reword=_swapped_words),
        ("bert-mini", "roberta-mini", "t5-mini"),
        ("pair-handling",),
    ),
    _case(
        "answers",
        "second-text-dropped",
        Fault(reword=_second_dropped),
        ("bert-mini", "gpt2-mini", "t5-mini"),
        ("pair-handling",),
    ),
    _case("answers", "batch-reversed", Fault(spoil=batch_reversed), _ANY, ()),
)


# Decoding ------------------------------------------------------------------------------------------------------------


def _decoded(
    name: str, change: Callable[[str], str], *said: str, on: tuple[str, ...] = _OTHERS, implied: Statements = ()
) -> Case:
    return _case("decoding", name, decoding(change), on, said, implied)


def _without_skipping(question: Observation) -> Observation:
    return replace(question, skip_special_tokens=False) if isinstance(question, Decode | DecodeStream) else question


def _always_skipping(question: Observation) -> Observation:
    return replace(question, skip_special_tokens=True) if isinstance(question, Decode | DecodeStream) else question


def _one_less(question: Observation) -> Observation:
    match question:
        case Decode(ids) if len(ids) > 30:
            return replace(question, ids=ids[:30])
    return question


DECODING: tuple[Case, ...] = (
    _decoded("decoded-text-stripped", str.strip, "decode-clean-up", on=("gpt2-mini", "roberta-mini", "gpt2")),
    _decoded(
        "decoded-text-stripped-on-the-left", str.lstrip, "decode-clean-up", on=("gpt2-mini", "roberta-mini", "gpt2")
    ),
    _decoded("space-before-decoded-text", lambda text: f" {text}"),
    _decoded(
        "decoded-spaces-run-together",
        _sub(" {2,}", " "),
        on=("gpt2-mini", "llama-mini", "gpt2"),
        implied=("decode-clean-up",),
    ),
    _decoded(
        "decoded-with-a-capital",
        lambda text: text[:1].upper() + text[1:],
        on=("bert-mini", "bert-base-uncased", "t5-mini"),
    ),
    _decoded(
        "spaces-before-full-stops-removed", _sub(r" \.", "."), "decode-clean-up", on=("gpt2-mini", "llama-mini", "gpt2")
    ),
    _decoded("quotes-joined", _sub('" ([^"]*) "', r'"\1"'), on=("bert-mini", "gpt2-mini", "gpt2")),
    _decoded(
        "replacement-characters-dropped",
        lambda text: text.replace("\ufffd", ""),
        on=("gpt2-mini", "roberta-mini", "llama-mini"),
        implied=("ill-formed-bytes",),
    ),
    _decoded(
        "decoded-lines-joined", lambda text: text.replace("\n", " "), on=("gpt2-mini", "roberta-mini", "llama-mini")
    ),
    _decoded(
        "decoded-text-composed",
        partial(unicodedata.normalize, "NFC"),
        on=("gpt2-mini", "llama-mini", "gpt2"),
        implied=("normalization-form",),
    ),
    _case(
        "decoding",
        "special-tokens-always-decoded",
        Fault(reword=_without_skipping),
        ("bert-mini", "roberta-mini", "t5-mini"),
        # Whether a token is special decides of nothing else.
        ("special-token-handling", "added-token-flags: special is false"),
    ),
    _case(
        "decoding",
        "special-tokens-never-decoded",
        Fault(reword=_always_skipping),
        ("bert-mini", "roberta-mini", "t5-mini"),
        ("special-token-handling",),
    ),
    _case("decoding", "thirty-ids-decoded", Fault(reword=_one_less), _ANY, ("length-limit",)),
    _case(
        "decoding",
        "stream-of-half-characters",
        Fault(spoil=chunks_too_early),
        ("gpt2-mini", "llama-mini", "gpt2"),
        ("stream-steps",),
    ),
)

CASES = (*TEXTS, *OFFSETS, *ANSWERS, *DECODING)
