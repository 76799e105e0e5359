r"""Changes of a tokenizer.json that stand for what implementations get wrong: a table for each member.

Each changes one thing. Parameters name the component by its type, and not by its place, so that a cause is the same on
all tokenizers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from tokenizer_conformance.comparison.document_parts import PARTS_OF_SEQUENCE
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.inputs.text_generators.patterns import GPT2

Json = dict[str, Any]

LEFT_OUT = "component-left-out"

LIKELIEST_FIRST = ("pre_tokenizer", "post_processor", "decoder", "normalizer")
"""The members that hold components, in the order in which they are tried."""


def _is_any(text: str) -> bool:
    del text
    return True


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A change: the class ``name``, ``parameter``, and the new values of ``members`` of the document.

    ``part`` is the member that it is about. It can matter only for texts of which ``matters`` holds. Where it is more
    than one change, ``of`` are their keys. ``only_encodes``: it is supposed of texts, and nothing is said of ids.
    """

    name: str
    parameter: str
    part: str
    members: dict[str, Any]
    matters: Callable[[str], bool] = _is_any
    of: tuple[tuple[str, str], ...] = ()
    only_encodes: bool = False

    @property
    def keys(self) -> tuple[tuple[str, str], ...]:
        """What each of its changes goes by."""
        return self.of or (self.key,)

    @property
    def key(self) -> tuple[str, str]:
        """What the change goes by on any tokenizer."""
        return self.name, self.parameter


def put(document: Json, change: DocumentChange) -> Json:
    """Return ``document`` with ``change`` made."""
    return {**document, **change.members}


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of an implementation, and tells values of options.

    That is a ``text``, how many tokens it makes of it, and ``ids`` in its answer that are not in the baseline's.
    """

    text: str = ""
    tokens: int = 0
    ids: tuple[int, ...] = ()


NOTHING_SEEN = Seen()


def changes_of(document: Json, seen: Seen = NOTHING_SEEN) -> Iterator[DocumentChange]:
    """Give the changes of ``document``, the likeliest of each member first; limits are such as were ``seen``."""
    yield from _of_sizes(document, seen)
    yield from _of_added_tokens(document)
    yield from _of_model(document, seen)
    for part in LIKELIEST_FIRST:
        for name, parameter, component in _of_pipeline(part, document.get(part)):
            of_part = OF_DECODERS.get(name, name) if part == "decoder" else name
            yield DocumentChange(of_part, f"{part}: {parameter}", part, {part: component}, NEEDS.get(name, _is_any))
        if part in AROUND:
            yield from _around(part, document.get(part))


OF_DECODERS = {"pre-tokenizer-flags": "decode-clean-up"}
"""What class an option of a component is in where that decodes."""

Change = tuple[str, str, Any]
"""A class, a parameter, and what stands in the place of a component; ``None``: nothing."""

Changes = Callable[[Json], Iterator[Change]]
"""Gives the changes of one component that is no sequence."""


def _of_pipeline(part: str, component: Json | None) -> Iterator[Change]:
    """Give the changes of a component and of its parts."""
    if component is None:
        return
    yield from _of_component(part, component)
    maps = [each for each in component.get("normalizers") or () if each.get("type") == "Precompiled"]
    if maps:
        yield "component-left-out", "all but Precompiled left out", maps[0]
        yield from (("charsmap-approximation", f"the sequence -> {words}", other) for words, other in CHARSMAPS)


def _of_component(part: str, component: Json) -> Iterator[Change]:
    parts = component.get(PARTS_OF_SEQUENCE[part]) if component.get("type") == "Sequence" else None
    if parts is None:
        for changes in CHANGES.get(component.get("type", ""), ()):
            yield from changes(component)
        yield LEFT_OUT, f"{component.get('type')} left out", None
        return
    for at, one in enumerate(parts):
        for name, parameter, changed in _of_component(part, one):
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


# Flags ---------------------------------------------------------------------------------------------------------------


def flag(name: str, key: str, *values: Any) -> Changes:
    """Return the changes that give the option ``key`` of a component each of the other ``values``."""

    def changes(component: Json) -> Iterator[Change]:
        for value in values:
            if key in component and component[key] != value:
                yield name, f"{component['type']} {key} {said(value)}", {**component, key: value}

    return changes


NEVER_MET = "\U0010fffd"
"""A prefix or suffix that no token has."""


def said(value: Any) -> str:
    """Return a value of JSON in few words.

    >>> said(None), said(True), said("first")
    ('null', 'true', 'first')
    """
    if value == NEVER_MET:
        return "one that no token has"
    return json.dumps(value) if value is None or isinstance(value, bool) or value == "" else str(value)


def instead(name: str, *others: tuple[str, Json]) -> Changes:
    """Return the changes that put each of the ``others`` in the place of a component."""

    def changes(component: Json) -> Iterator[Change]:
        for words, other in others:
            if other != component:
                yield name, f"{component['type']} -> {words}", other

    return changes


def _other_schemes(component: Json) -> Iterator[Change]:
    """Give a Metaspace with each other scheme, whether it says so or has the older option."""
    scheme = component.get("prepend_scheme", "always" if component.get("add_prefix_space", True) else "never")
    rest = {key: value for key, value in component.items() if key != "add_prefix_space"}
    for other in ("never", "first", "always"):
        if other != scheme:
            yield "prefix-space-policy", f"Metaspace prepend_scheme {scheme} -> {other}", {
                **rest, "prepend_scheme": other,
            }  # fmt: skip
    split = component.get("split", True)
    yield "pre-tokenizer-flags", f"Metaspace split {said(not split)}", {
        **rest, "prepend_scheme": scheme, "split": not split,
    }  # fmt: skip


FORMS = ("NFC", "NFD", "NFKC", "NFKD")


def _other_forms(component: Json) -> Iterator[Change]:
    for form in FORMS:
        if form != component["type"]:
            yield "normalization-form", f"{component['type']} -> {form}", {"type": form}
    yield "normalization-form", f"{component['type']} -> none", None


def _sequence(*parts: Json) -> Json:
    return {"type": "Sequence", "normalizers": list(parts)}


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

# Regexes -------------------------------------------------------------------------------------------------------------

APPROXIMATIONS: tuple[tuple[str, str], ...] = (
    (r"\p{L}", "A-Za-z"),
    (r"\p{L}", r"\p{L}\p{M}"),
    (r"\p{N}", "0-9"),
    (r"\p{N}", r"\p{Nd}"),
    (r"\s", r" \t\n\r\f\v"),
    (r"\s", " "),
    (r"\S", r"^ \t\n\r\f\v"),
    (r"\w", "A-Za-z0-9_"),
    (r"\d", "0-9"),
    (r"\s+(?!\S)|", ""),
    ("(?i:", "(?:"),
)
"""What is looked for in a regex, and what stands in its place: inside a class as it is, else in brackets."""


def _approximated(pattern: str) -> Iterator[tuple[str, str]]:
    """Give ``pattern`` with each class of characters replaced by another, with words for that."""
    for old, new in APPROXIMATIONS:
        if old not in pattern:
            continue
        is_class = old.startswith("\\") and len(old) in {2, 5}
        changed = _with_class(pattern, old, new) if is_class else pattern.replace(old, new)
        yield f"{old} -> {f'[{new}]' if is_class else new or 'nothing'}", changed


def _with_class(pattern: str, old: str, new: str) -> str:
    """Return ``pattern`` with the class ``old`` replaced: in brackets of its own where it does not stand in any."""
    made, depth, at = "", 0, 0
    while at < len(pattern):
        if pattern.startswith(old, at):
            made += new if depth else f"[{new}]"
            at += len(old)
            continue
        step = 2 if pattern[at] == "\\" else 1
        depth += {"[": 1, "]": -1}.get(pattern[at], 0)
        made += pattern[at : at + step]
        at += step
    return made


def _other_regex(component: Json) -> Iterator[Change]:
    pattern = (component.get("pattern") or {}).get("Regex")
    if isinstance(pattern, str):
        for words, other in _approximated(pattern):
            yield "regex-class-approximation", f"{component['type']} {words}", {
                **component, "pattern": {"Regex": other},
            }  # fmt: skip


def _other_byte_level_regex(component: Json) -> Iterator[Change]:
    if component.get("use_regex", True):
        plain = {**component, "use_regex": False}
        for words, other in _approximated(GPT2):
            split = {"type": "Split", "pattern": {"Regex": other}, "behavior": "Isolated", "invert": False}
            yield "regex-class-approximation", f"ByteLevel {words}", {
                "type": "Sequence", "pretokenizers": [split, plain],
            }  # fmt: skip


def _use_regex(component: Json) -> Iterator[Change]:
    uses = component.get("use_regex", True)
    yield "pre-tokenizer-flags", f"ByteLevel use_regex {said(not uses)}", {**component, "use_regex": not uses}


def split(pattern: str, behavior: str) -> Json:
    """Return the pre-tokenizer that cuts at a regex."""
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": behavior, "invert": False}


def _splits(*splits: Json) -> Json:
    return {"type": "Sequence", "pretokenizers": list(splits)} if len(splits) > 1 else splits[0]


ASCII_PUNCTUATION = r"[!-/:-@\[-`{-~]"
BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
_ASCII_SPACES = r"[ \t\n\r\f\v]+"

_OTHER_SPLITS: tuple[tuple[str, Json], ...] = (
    ("white space is U+0020", split(" +", "Removed")),
    ("white space is that of ASCII", split(_ASCII_SPACES, "Removed")),
)

# Processors ----------------------------------------------------------------------------------------------------------


def _other_templates(component: Json) -> Iterator[Change]:
    single, pair = component.get("single") or [], component.get("pair") or []

    def is_text(item: Json) -> bool:
        return "Sequence" in item

    for words, kept in (
        ("nothing around the text", is_text),
        ("nothing before the text", lambda item: is_text(item) or item is not single[0]),
        ("nothing behind the text", lambda item: is_text(item) or item is not single[-1]),
    ):
        changed = [item for item in single if kept(item)]
        if changed != single:
            both = [item for item in pair if kept(item) or item not in (single[0], single[-1])]
            yield "special-token-handling", f"TemplateProcessing {words}", {
                **component, "single": changed, "pair": [i for i in pair if is_text(i)] if kept is is_text else both,
            }  # fmt: skip
    for type_id in (0, 1):
        changed = [_typed(item, type_id) if "B" in str(item.get("Sequence")) else item for item in pair]
        if changed != pair:
            yield "pair-handling", f"TemplateProcessing the second text has type {type_id}", {
                **component, "pair": changed,
            }  # fmt: skip
    first = next((at for at, item in enumerate(pair) if "B" in str(item.get("Sequence"))), len(pair))
    changed = [*pair[:first], *(_typed(item, 1) for item in pair[first:])]
    if changed != pair:
        yield "pair-handling", "TemplateProcessing the second text and what follows have type 1", {
            **component, "pair": changed,
        }  # fmt: skip


def _typed(item: Json, type_id: int) -> Json:
    return {key: {**value, "type_id": type_id} for key, value in item.items()}


def _roberta_as_template(component: Json) -> Iterator[Change]:
    cls, sep = component.get("cls"), component.get("sep")
    if cls and sep:
        plain = {key: value for key, value in component.items() if key in {"cls", "sep"}}
        yield "pair-handling", "RobertaProcessing -> BertProcessing", {**plain, "type": "BertProcessing"}


def _tokens_exchanged(component: Json) -> Iterator[Change]:
    """Give a processor that puts one of its tokens in the place of the other."""
    cls, sep = component.get("cls"), component.get("sep")
    for words, first, last in (
        ("cls and sep exchanged", sep, cls),
        ("cls for sep", cls, cls),
        ("sep for cls", sep, sep),
    ):
        if cls != sep:
            yield "special-token-handling", f"{component['type']} {words}", {**component, "cls": first, "sep": last}


def _bert_as_roberta(component: Json) -> Iterator[Change]:
    yield "pair-handling", "BertProcessing -> RobertaProcessing", {
        **component, "type": "RobertaProcessing", "trim_offsets": False, "add_prefix_space": False,
    }  # fmt: skip


# The tables ----------------------------------------------------------------------------------------------------------

CHANGES: dict[str, tuple[Changes, ...]] = {
    # Normalizers
    "BertNormalizer": (
        flag("normalizer-flags", "strip_accents", True, False),
        flag("normalizer-flags", "lowercase", True, False),
        flag("normalizer-flags", "clean_text", True, False),
        flag("normalizer-flags", "handle_chinese_chars", True, False),
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
    "Replace": (_other_regex,),
    # Pre-tokenizers
    "ByteLevel": (
        flag("prefix-space-policy", "add_prefix_space", True, False),
        flag("offset-convention", "trim_offsets", True, False),
        _use_regex,
        _other_byte_level_regex,
    ),
    "Metaspace": (_other_schemes, flag("pre-tokenizer-flags", "replacement", "_", " ")),
    "Split": (
        _other_regex,
        flag("pre-tokenizer-flags", "behavior", *BEHAVIORS),
        flag("pre-tokenizer-flags", "invert", True, False),
    ),
    "Punctuation": (
        flag("pre-tokenizer-flags", "behavior", *BEHAVIORS),
        instead("regex-class-approximation", ("ASCII", split(ASCII_PUNCTUATION, "Isolated"))),
    ),
    "Digits": (
        flag("pre-tokenizer-flags", "individual_digits", True, False),
        instead("regex-class-approximation", ("[0-9]", split("[0-9]", "Isolated"))),
    ),
    "WhitespaceSplit": (instead("regex-class-approximation", *_OTHER_SPLITS),),
    "Whitespace": (
        instead(
            "regex-class-approximation",
            (r"\w is ASCII", _splits(split(r"[A-Za-z0-9_]+|[^A-Za-z0-9_\s]+", "Isolated"), split(r"\s+", "Removed"))),
            ("WhitespaceSplit", {"type": "WhitespaceSplit"}),
        ),
    ),
    "BertPreTokenizer": (
        instead(
            "regex-class-approximation",
            ("ASCII punctuation", _splits(split(r"\s+", "Removed"), split(ASCII_PUNCTUATION, "Isolated"))),
            ("WhitespaceSplit", {"type": "WhitespaceSplit"}),
            ("Whitespace", {"type": "Whitespace"}),
        ),
    ),
    # Processors
    "TemplateProcessing": (_other_templates,),
    "RobertaProcessing": (
        flag("offset-convention", "trim_offsets", True, False),
        flag("prefix-space-policy", "add_prefix_space", True, False),
        _roberta_as_template,
        _tokens_exchanged,
    ),
    "BertProcessing": (_bert_as_roberta, _tokens_exchanged),
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
    return not (text.isascii() and text.isprintable()) or "  " in text or text.strip() != text


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
        ("decode-clean-up", "Fuse", {"type": "Fuse"}, _is_any),
        (
            "prefix-space-policy",
            "Strip one space",
            {"type": "Strip", "content": " ", "start": 1, "stop": 0},
            _is_any,
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
            continue
        yield DocumentChange(name, f"{part} ignored", part, {part: None})
        steps = {key: tuple(max(0, value[key] + step) for step in (-1, 1)) for key in COUNTS & value.keys()}
        for key, other in _other_values(options, steps, _sizes_seen(part, seen)):
            if value.get(key) != other:
                changed = {**value, key: other}
                yield DocumentChange(name, f"{part} {key} {said(other)}", part, {part: changed})


def _other_values(*tables: dict[str, tuple[Any, ...]]) -> Iterator[tuple[str, Any]]:
    yield from ((key, other) for table in tables for key, others in table.items() for other in others)


def _sizes_seen(part: str, seen: Seen) -> dict[str, tuple[Any, ...]]:
    """Return the values of options of truncation or padding that an answer would come of."""
    if part == "truncation":
        return {"max_length": (seen.tokens,)} if seen.tokens else {}
    return {"pad_id": seen.ids[:MOST_UNKNOWN], "strategy": ({"Fixed": seen.tokens},) if seen.tokens else ()}


COUNTS = frozenset({"max_length", "stride"})
"""Options that are numbers of tokens, which are taken for one more or less."""

TRUNCATION: dict[str, tuple[Any, ...]] = {
    "direction": ("Left", "Right"),
    "stride": (0,),
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

FLAGS = ("lstrip", "rstrip", "single_word")


def _of_added_tokens(document: Json) -> Iterator[DocumentChange]:
    tokens = document.get("added_tokens") or []
    if not tokens:
        return
    around = json.dumps(document.get("post_processor"))
    of_template = [{**each, "special": json.dumps(each["content"]) in around} for each in tokens]
    ways = (*_added(tokens), *_added_one_by_one(tokens), ("special are those of the template", of_template))
    for words, changed in ways:
        if changed != tokens:
            yield DocumentChange("added-token-flags", words, "added_tokens", {"added_tokens": changed})
    one_less = [(token, [each for each in tokens if each is not token]) for token in tokens[:MOST_ONE_BY_ONE]]
    found: list[tuple[str, list[Json]]] = [
        ("special tokens are not looked for in texts", [each for each in tokens if not each.get("special")]),
        (
            "added tokens with normalized are not looked for in texts",
            [each for each in tokens if not each.get("normalized")],
        ),
        ("added tokens are not looked for in texts", []),
        *((f"{quoted(token['content'])} is not looked for in texts", rest) for token, rest in one_less),
    ]
    for words, kept in (
        *((f"added token {quoted(token['content'])} left out", rest) for token, rest in one_less),
        ("added_tokens left out", []),
        ("added_tokens that are not special left out", [each for each in tokens if each.get("special")]),
        ("special added_tokens left out", [each for each in tokens if not each.get("special")]),
    ):
        if kept != tokens:
            yield DocumentChange(LEFT_OUT, words, "added_tokens", {"added_tokens": kept})
    for words, kept in found:
        if kept != tokens:
            yield DocumentChange(
                "special-token-handling", words, "added_tokens", {"added_tokens": kept}, only_encodes=True
            )
            model = _without_pieces(document["model"], {each["content"] for each in tokens if each not in kept})
            if model is not None:
                yield DocumentChange("special-token-handling", f"{words}, nor by the model", "added_tokens",
                                     {"added_tokens": kept, "model": model}, only_encodes=True)  # fmt: skip
    model = _without_pieces(document["model"], {each["content"] for each in tokens if each.get("special")})
    if model is not None:
        yield DocumentChange("special-token-handling", "special tokens are no pieces of the model", "model",
                             {"model": model})  # fmt: skip


def _added(tokens: list[Json]) -> Iterator[tuple[str, list[Json]]]:
    for key in FLAGS:
        yield f"{key} is false", [{**each, key: False} for each in tokens]
        yield f"{key} is true", [{**each, key: True} for each in tokens]
    yield "lstrip and rstrip are false", [{**each, "lstrip": False, "rstrip": False} for each in tokens]
    for value in (False, True):
        yield f"normalized is {said(value)}", [{**each, "normalized": value} for each in tokens]
        yield f"special is {said(value)}", [{**each, "special": value} for each in tokens]


MOST_ONE_BY_ONE = 16
"""Of so many added tokens at most, each is tried alone."""


def _added_one_by_one(tokens: list[Json]) -> Iterator[tuple[str, list[Json]]]:
    if len(tokens) > MOST_ONE_BY_ONE:
        return
    for at, token in enumerate(tokens):
        for key in (*FLAGS, "normalized", "special"):
            changed = {**token, key: not token.get(key, False)}
            words = f"{key} of {quoted(token['content'])} is {said(changed[key])}"
            yield words, [*tokens[:at], changed, *tokens[at + 1 :]]


_NO_PIECE = "\U0010fffd"
"""Stands before the text of a piece that is not to be found."""


def _without_pieces(model: Json, contents: set[str]) -> Json | None:
    """Return a Unigram model in which no text is one of ``contents``; ``None`` where there is nothing to change."""
    vocab = model.get("vocab")
    if not isinstance(vocab, list) or not any(piece in contents for piece, _ in vocab):
        return None
    return {**model, "vocab": [[_NO_PIECE + piece if piece in contents else piece, score] for piece, score in vocab]}


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
                yield DocumentChange(
                    name, f"model {key} {said(current)} -> {said(value)}", "model", {"model": {**model, key: value}}
                )


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
