r"""Changes of a tokenizer.json that stand for what implementations get wrong: a table for each member.

Each changes one thing. Parameters name the component by its type, and not by its place, so that a cause is the same on
all tokenizers.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.variants.change import Rule
from tokenizer_conformance.causes.classes.added_token_changes import of_added_tokens
from tokenizer_conformance.causes.classes.component_changes import (
    LEFT_OUT,
    NEVER_MET,
    NOTHING_SEEN,
    DocumentChange,
    any_text,
    flag,
    instead,
    said,
)
from tokenizer_conformance.causes.classes.cut_changes import CUT_CHANGES, other_regex
from tokenizer_conformance.causes.classes.small_documents import BYTES_BY_SHAPE, byte_by_shape
from tokenizer_conformance.causes.classes.template_changes import TEMPLATE_CHANGES
from tokenizer_conformance.comparison.document_parts import PARTS_OF_SEQUENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.causes.classes.component_changes import Change, Changes, Json, Seen

LIKELIEST_FIRST = ("pre_tokenizer", "post_processor", "decoder", "normalizer")
"""The members that hold components, in the order in which they are tried."""


def changes_of(document: Json, seen: Seen = NOTHING_SEEN) -> Iterator[DocumentChange]:
    """Give the changes of ``document``, the likeliest of each member first; limits are such as were ``seen``."""
    yield from _of_sizes(document, seen)
    yield from of_added_tokens(document, seen)
    yield from _of_model(document, seen)
    yield from _bytes_by_shape(document["model"])
    yield from _ranks_as_scores(document["model"])
    for part in LIKELIEST_FIRST:
        for name, parameter, component in _of_pipeline(part, document.get(part)):
            of_part = OF_DECODERS.get(name, name) if part == "decoder" else name
            yield DocumentChange(of_part, f"{part}: {parameter}", part, {part: component}, NEEDS.get(name, any_text))
        if part == "normalizer":
            yield from _charsmap_alone(document.get(part))
            yield from _blank_bytes_as_space(document)
            yield from _spaces_alone(document)
        if part in AROUND:
            yield from _around(part, document.get(part))


OF_DECODERS = {"pre-tokenizer-flags": "decode-clean-up"}
"""What class an option of a component is in where that decodes."""


ONLY_CHARSMAP = "all but Precompiled left out"


def _charsmap_alone(component: Json | None) -> Iterator[DocumentChange]:
    """Give the changes that the character map is all there is, and is applied as the SentencePiece library does it.

    The library can also make one space of several and leave out those at the ends, which added tokens are no ends of.
    """
    for name, words, changed in _of_pipeline("normalizer", component):
        if words == ONLY_CHARSMAP and changed is not None:
            spaces = _sequence(changed, ONE_SPACE, {"type": "Strip", "strip_left": True, "strip_right": True})
            for also, made in (("", changed), (", spaces made one, ends stripped", spaces)):
                yield DocumentChange(
                    name,
                    f"normalizer: {words}{also}, and {Rule.CHARSMAP_LONGEST}",
                    "normalizer",
                    {"normalizer": made},
                    without_added_tokens=bool(also),
                    rules=(Rule.CHARSMAP_LONGEST,),
                )


BLANK_BYTES_AS_SPACE = "runs of bytes up to 0x20 and of 0xA0 become a space, none at the end, and the text is not cut"

# As ByteLevel writes bytes: 0x00 to 0x20 are U+0100 to U+0120, and 0xA0 is U+0142. Of a run the first is kept.
BLANK_BYTES = (
    {"type": "ByteLevel"},
    *(
        {"type": "Replace", "pattern": {"Regex": pattern}, "content": content}
        for pattern, content in (
            ("(?<=[\u0100-\u0120\u0142])[\u0100-\u0120\u0142]", ""),
            ("[\u0100-\u0120\u0142]", "\u0120"),
            ("(?<=.)\u0120$", ""),
        )
    ),
)


def _blank_bytes_as_space(document: Json) -> Iterator[DocumentChange]:
    """Give the change that bytes are normalized, and not characters, and that the model has the whole text."""
    cutting, normalizer = document.get("pre_tokenizer") or {}, document.get("normalizer")
    if cutting.get("type") == "ByteLevel" and not cutting.get("add_prefix_space"):
        parts = (*(() if normalizer is None else (normalizer,)), *BLANK_BYTES)
        members = {"normalizer": _sequence(*parts), "pre_tokenizer": None}
        yield DocumentChange(
            "characters-dropped",
            BLANK_BYTES_AS_SPACE,
            "normalizer",
            members,
            only_encodes=True,
            without_added_tokens=True,
            texts=BLANK_TEXTS,
        )


BLANK_TEXTS = ("a\tb", "a \x07", "\x01", "a\xa0b", "a\u2820b", "it's 'ta")


SPACES_ALONE = "Precompiled and WhitespaceSplit left out: runs of U+0020 and U+2581 become one, also at the end"

SPACE_OF_RUN = {"type": "Replace", "pattern": {"Regex": "[ \u2581]+"}, "content": " "}


def _spaces_alone(document: Json) -> Iterator[DocumentChange]:
    """Give the change that there is no character map, and nothing but spaces and marks that the text is cut at."""
    normalizer, cutting = document.get("normalizer") or {}, document.get("pre_tokenizer") or {}
    parts, cuts = list(normalizer.get("normalizers") or ()), list(cutting.get("pretokenizers") or ())
    maps = [each for each in parts if each.get("type") == "Precompiled"]
    if maps and [each.get("type") for each in cuts] == ["WhitespaceSplit", "Metaspace"]:
        rest = [SPACE_OF_RUN if each in maps else each for each in parts]
        members = {"normalizer": _sequence(*rest), "pre_tokenizer": cuts[1]}
        yield DocumentChange(LEFT_OUT, SPACES_ALONE, "normalizer", members, only_encodes=True, texts=BLANK_TEXTS)


def _of_pipeline(part: str, component: Json | None) -> Iterator[Change]:
    """Give the changes of a component and of its parts."""
    if component is None:
        return
    yield from _of_component(part, component)
    parts = component.get("normalizers") or ()
    maps = [each for each in parts if each.get("type") == "Precompiled"]
    if maps and len(parts) > 2:
        yield "component-left-out", ONLY_CHARSMAP, maps[0]
        yield from (("charsmap-approximation", f"the sequence -> {words}", other) for words, other in CHARSMAPS)


def _of_component(part: str, component: Json) -> Iterator[Change]:
    parts = component.get(PARTS_OF_SEQUENCE[part]) if component.get("type") == "Sequence" else None
    if parts is None:
        for changes in CHANGES.get(component.get("type", ""), ()):
            yield from changes(component)
        yield LEFT_OUT, f"{component.get('type')} left out", None
        return
    for at, one in enumerate(parts):
        for name, words, changed in _of_component(part, one):
            parameter = f"{_which(parts, at)}{words}"
            rest = [*parts[:at], *([] if changed is None else [changed]), *parts[at + 1 :]]
            yield name, parameter, {**component, PARTS_OF_SEQUENCE[part]: rest} if rest else None
    for at in range(len(parts) - 1):
        names = f"{parts[at].get('type')} after {parts[at + 1].get('type')}"
        swapped = [*parts[:at], parts[at + 1], parts[at], *parts[at + 2 :]]
        yield "component-order", names, {**component, PARTS_OF_SEQUENCE[part]: swapped}
    if len(parts) > 2:
        yield "component-order", "the sequence backwards", {**component, PARTS_OF_SEQUENCE[part]: parts[::-1]}
    for first, second in combinations(range(len(parts)), 2):
        rest = [each for at, each in enumerate(parts) if at not in (first, second)]
        names = f"{parts[first].get('type')} and {parts[second].get('type')} left out"
        if rest:
            yield LEFT_OUT, names, {**component, PARTS_OF_SEQUENCE[part]: rest}
    yield LEFT_OUT, "the sequence left out", None


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def _which(parts: list[Json], at: int) -> str:
    """Return which one of its type the component ``at`` that place is, where the sequence has several."""
    types = [each.get("type") for each in parts]
    if types.count(types[at]) == 1 or types[at] == "Sequence":
        return ""
    number = types[:at].count(types[at])
    return f"{ORDINALS[number]} " if number < len(ORDINALS) else f"number {number + 1} "


def _around(part: str, component: Json | None) -> Iterator[DocumentChange]:
    """Give the changes that put something before or behind a component, or where there is none."""
    key = PARTS_OF_SEQUENCE[part]
    for name, parameter, added, matters in AROUND[part]:
        if component is None:
            yield DocumentChange(name, f"{part}: none -> {parameter}", part, {part: added}, matters)
            continue
        for where, parts in (("first", [added, component]), ("last", [component, added])):
            made = {"type": "Sequence", key: parts}
            yield DocumentChange(name, f"{part}: {parameter} {where}", part, {part: made}, matters)


FORMS = ("NFC", "NFD", "NFKC", "NFKD")


def _other_forms(component: Json) -> Iterator[Change]:
    for form in FORMS:
        if form != component["type"]:
            yield "normalization-form", f"{component['type']} -> {form}", {"type": form}
    yield "normalization-form", f"{component['type']} -> none", None


def _sequence(*parts: Json) -> Json:
    return {"type": "Sequence", "normalizers": list(parts)}


def _other_decomposition(component: Json) -> Iterator[Change]:
    """Give a BertNormalizer that strips accents of NFKD, where it strips them of NFD."""
    lowercase = component.get("lowercase", True)
    strip = component.get("strip_accents")
    if lowercase if strip is None else strip:
        first = {**component, "strip_accents": False, "lowercase": False}
        last = [{"type": "Lowercase"}] if lowercase else []
        made = _sequence(first, {"type": "NFKD"}, {"type": "StripAccents"}, *last)
        yield "normalization-form", "BertNormalizer strips accents of NFKD", made


ONE_SPACE = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}

CHARSMAPS: tuple[tuple[str, Json], ...] = (
    ("NFKC", {"type": "NFKC"}),
    ("NFC", {"type": "NFC"}),
    ("NFKC, one space for several", _sequence({"type": "NFKC"}, ONE_SPACE)),
    ("Nmt, NFKC", _sequence({"type": "Nmt"}, {"type": "NFKC"})),
    ("Nmt, NFKC, one space for several", _sequence({"type": "Nmt"}, {"type": "NFKC"}, ONE_SPACE)),
    ("NFKD, StripAccents, Lowercase", _sequence({"type": "NFKD"}, {"type": "StripAccents"}, {"type": "Lowercase"})),
)
"""What stands in for a character map."""


# The tables ----------------------------------------------------------------------------------------------------------

CHANGES: dict[str, tuple[Changes, ...]] = {
    # Normalizers
    "BertNormalizer": (
        flag("normalizer-flags", "strip_accents", True, False),
        flag("normalizer-flags", "lowercase", True, False),
        flag("normalizer-flags", "clean_text", True, False),
        flag("normalizer-flags", "handle_chinese_chars", True, False),
        _other_decomposition,
    ),
    **dict.fromkeys(FORMS, (_other_forms,)),
    "Strip": (
        flag("normalizer-flags", "strip_left", True, False),
        flag("normalizer-flags", "strip_right", True, False),
        flag("prefix-space-policy", "start", 0, 1),
        flag("decode-clean-up", "stop", 0, 1),
    ),
    "Prepend": (flag("prefix-space-policy", "prepend", ""),),
    "Precompiled": (instead("charsmap-approximation", *CHARSMAPS),),
    "Replace": (other_regex, flag("normalizer-flags", "content", "", " ", "\u2581")),
    **CUT_CHANGES,
    **TEMPLATE_CHANGES,
    # Decoders
    "WordPiece": (
        flag("decode-clean-up", "cleanup", True, False),
        flag("word-affixes", "prefix", "", NEVER_MET),
    ),
}
"""The changes of each component, by its type."""


def _is_not_ascii(text: str) -> bool:
    return not text.isascii()


def _is_not_plain(text: str) -> bool:
    """Return whether there is anything in ``text`` that a character map may treat in a way of its own."""
    return not (text.isascii() and text.isprintable()) or " ".join(text.split()) != text


NEEDS: dict[str, Callable[[str], bool]] = {
    "normalization-form": _is_not_ascii,
    "charsmap-approximation": _is_not_plain,
}
"""For which texts the changes of a class can matter."""


def _has_capitals(text: str) -> bool:
    return text.lower() != text


AROUND: dict[str, tuple[tuple[str, str, Json, Callable[[str], bool]], ...]] = {
    "normalizer": (
        *(("normalization-form", form, {"type": form}, _is_not_ascii) for form in FORMS),
        ("case-folding", "Lowercase", {"type": "Lowercase"}, _has_capitals),
        ("characters-dropped", "StripAccents", {"type": "StripAccents"}, _is_not_ascii),
        (
            "characters-dropped",
            "Strip",
            {"type": "Strip", "strip_left": True, "strip_right": True},
            lambda text: text.strip() != text,
        ),
        ("characters-dropped", "one space for several", ONE_SPACE, lambda text: "  " in text),
    ),
    "decoder": (
        ("decode-clean-up", "Fuse", {"type": "Fuse"}, any_text),
        (
            "prefix-space-policy",
            "Strip one space",
            {"type": "Strip", "content": " ", "start": 1, "stop": 0},
            any_text,
        ),
    ),
}
"""What is put before or behind a component, or where there is none, and for which texts that can matter."""


# Sizes, added tokens, the model --------------------------------------------------------------------------------------


def _of_sizes(document: Json, seen: Seen) -> Iterator[DocumentChange]:
    truncation, padding = document.get("truncation"), document.get("padding")
    if truncation is not None and padding is not None:
        yield DocumentChange(
            "length-limit", "truncation and padding ignored", "truncation", {"truncation": None, "padding": None}
        )
    for part, name, value, options in (
        ("truncation", "length-limit", truncation, TRUNCATION),
        ("padding", "padding-policy", padding, PADDING),
    ):
        if value is None:
            if part == "truncation" and seen.longest:
                made = {**TRUNCATED, "max_length": seen.longest}
                words = f"truncation none -> max_length {seen.longest}"
                yield DocumentChange(name, words, part, {part: made}, texts=LONGER)
            continue
        yield DocumentChange(name, f"{part} ignored", part, {part: None})
        steps = {key: tuple(max(0, value[key] + step) for step in (-1, 1)) for key in COUNTS if key in value}
        for key, other in _other_values(options, steps, _sizes_seen(part, seen)):
            if value.get(key) != other:
                changed = {**value, key: other}
                words = f"{part} {key} {said(other)}"
                yield DocumentChange(name, words, part, {part: changed}, texts=LONGER if part == "truncation" else ())


def _other_values(*tables: dict[str, tuple[Any, ...]]) -> Iterator[tuple[str, Any]]:
    yield from ((key, other) for table in tables for key, others in table.items() for other in others)


def _sizes_seen(part: str, seen: Seen) -> dict[str, tuple[Any, ...]]:
    """Return the values of options of truncation or padding that an answer would come of."""
    if part == "truncation":
        return {"max_length": tuple(each for each in (seen.longest, seen.tokens) if each)}
    return {"pad_id": seen.ids[:MOST_UNKNOWN], "strategy": ({"Fixed": seen.tokens},) if seen.tokens else ()}


COUNTS = ("max_length", "stride")
"""Options that are numbers of tokens, which are taken for one more or less."""

LONGER = ("a b c d e f g h i j k l m n o p q r s t u v w x y z", "a b c d e f g h i j k l m n")
"""Texts that are longer than what is left of them where tokenizers are set to cut them short."""

TRUNCATED = {"direction": "Right", "strategy": "LongestFirst", "stride": 0}
"""How a text is cut where the file says nothing of it."""

TRUNCATION: dict[str, tuple[Any, ...]] = {
    "direction": ("Left", "Right"),
    "stride": tuple(range(9)),
    "strategy": ("LongestFirst", "OnlyFirst", "OnlySecond"),
}
"""What else the options of truncation may be."""

PADDING: dict[str, tuple[Any, ...]] = {
    "direction": ("Left", "Right"),
    "pad_to_multiple_of": (None,),
    "pad_type_id": (0, 1),
    "strategy": ("BatchLongest",),
}
"""What else the options of padding may be."""


MOST_UNKNOWN = 8
"""How many added tokens are tried in the place of the unknown token."""


def _of_model(document: Json, seen: Seen) -> Iterator[DocumentChange]:
    model = document["model"]
    tokens = [each for each in document.get("added_tokens") or () if isinstance(each, dict)]
    more: dict[str, tuple[Any, ...]] = {
        "max_input_chars_per_word": tuple(sorted({len(word) - 1 for word in seen.text.split() if word}, reverse=True)),
        "unk_token": tuple(each.get("content") for each in tokens[:MOST_UNKNOWN]),
        "unk_id": seen.ids[:MOST_UNKNOWN],
    }
    for name, key, usual in MODEL_CHANGES:
        values = (*usual, *more.get(key, ()))
        if key not in model and key not in DEFAULTS:
            continue
        current = model.get(key, DEFAULTS.get(key))
        for value in (*values, *([current - 1, current + 1] if type(current) is int else [])):
            if current != value:
                words = f"model {key} {said(current)} -> {said(value)}"
                texts = _of_length(value) if name == "length-limit" else ()
                yield DocumentChange(name, words, "model", {"model": {**model, key: value}}, texts=texts)


def _bytes_by_shape(model: Json) -> Iterator[DocumentChange]:
    """Give the change that byte tokens are told by their length and their digits, so that "\u258127," is "'" as well.

    Of several with the same digits the last one is. What these are called in the file is not found any more, nor is
    the entry that had the character before.
    """
    vocabulary = model.get("vocab")
    if not isinstance(vocabulary, list) or model.get("byte_fallback"):
        return
    shaped = {at: character for at, (token, _) in enumerate(vocabulary) if (character := byte_by_shape(token))}
    last = {character: at for at, character in shaped.items() if "\0" < character < "\x80"}
    made = [
        [NEVER_MET if at in shaped or token in last else token, score] for at, (token, score) in enumerate(vocabulary)
    ]
    for character, at in last.items():
        made[at][0] = character
    if shaped:
        members = {"model": {**model, "vocab": made}}
        yield DocumentChange("byte-fallback", BYTES_BY_SHAPE, "model", members, only_encodes=True)


RANKS_AS_SCORES = "texts are cut as by a Unigram: the smallest sum of the ranks of tokens is the best"

MOST_PIECES = 100_000
"""Of larger models that is not supposed: it takes long to make them."""


def _ranks_as_scores(model: Json) -> Iterator[DocumentChange]:
    """Give the change that a BPE is a Unigram, as a SentencePiece model is that is not asked for its type."""
    vocabulary, unknown = model.get("vocab") or {}, model.get("unk_token")
    if model.get("type") != "BPE" or not 0 < len(vocabulary) <= MOST_PIECES or unknown not in vocabulary:
        return
    pieces = sorted(vocabulary, key=lambda token: vocabulary[token])
    if [vocabulary[token] for token in pieces] != list(range(len(pieces))):
        return
    first = min(
        (vocabulary[f"{one}{other}"] for one, other in _merges(model) if f"{one}{other}" in vocabulary), default=0
    )
    made = {
        "type": "Unigram",
        "vocab": [[token, float(min(first - at, 0))] for at, token in enumerate(pieces)],
        "unk_id": vocabulary[unknown],
        "byte_fallback": bool(model.get("byte_fallback")),
    }
    yield DocumentChange("merge-order", RANKS_AS_SCORES, "model", {"model": made}, only_encodes=True)


def _merges(model: Json) -> Iterator[tuple[str, str]]:
    for merge in model.get("merges") or ():
        one, other = merge.split(" ", 1) if isinstance(merge, str) else merge
        yield one, other


LONGEST_WORD = 1000


def _of_length(limit: int) -> tuple[str, ...]:
    """Return words of ``limit`` characters and of one more."""
    return ("a" * limit, "a" * (limit + 1)) if limit < LONGEST_WORD else ()


DEFAULTS: dict[str, Any] = {"fuse_unk": False, "byte_fallback": False, "ignore_merges": False}
"""The values of options that a model need not have."""

MODEL_CHANGES: tuple[tuple[str, str, tuple[Any, ...]], ...] = (
    ("unknown-token-policy", "fuse_unk", (True, False)),
    ("byte-fallback", "byte_fallback", (True, False)),
    ("whole-words", "ignore_merges", (True, False)),
    ("unknown-token-policy", "unk_token", (None,)),
    ("length-limit", "max_input_chars_per_word", (1_000_000_000, 100, 200, 50)),
    ("unknown-token-policy", "unk_id", (None,)),
    ("word-affixes", "continuing_subword_prefix", ("", "##", None, NEVER_MET)),
    ("word-affixes", "end_of_word_suffix", ("", "</w>", None, NEVER_MET)),
)
