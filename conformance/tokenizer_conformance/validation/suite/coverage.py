"""Which components, options and values of a tokenizer.json the cases of a suite have, and which they must have.

:data:`OPTIONS` is the whole of tokenizer.json: every component, every option, and the values of each that make a
difference. A cell of the coverage is one of these values; it is filled by the cases whose tokenizer has it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tokenizer_conformance.validation.suite.requirement import Feature, features_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_conformance.validation.suite.requirement import Document, Suite

Values = tuple[str, ...]
Options = dict[str, Values]

BOOLEAN: Final = ("true", "false")
BOOLEAN_OR_NULL: Final = ("true", "false", "null")
TEXT: Final = ("text",)
TEXT_OR_NULL: Final = ("text", "null")
TEXT_OR_EMPTY: Final = ("text", "empty")
NUMBER: Final = ("number",)
NUMBER_OR_NULL: Final = ("number", "null")
NUMBER_OR_ZERO: Final = ("number", "0")
LIST: Final = ("empty", "one", "several")
PATTERN: Final = ("String", "Regex")
SCHEME: Final = ("always", "first", "never")
BEHAVIOR: Final = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
DIRECTION: Final = ("Left", "Right")

OPTIONS: dict[str, dict[str, Options]] = {
    "normalizers": {
        "BertNormalizer": {
            "clean_text": BOOLEAN,
            "handle_chinese_chars": BOOLEAN,
            "strip_accents": BOOLEAN_OR_NULL,
            "lowercase": BOOLEAN,
        },
        "ByteLevel": {},
        "Lowercase": {},
        "NFC": {},
        "NFD": {},
        "NFKC": {},
        "NFKD": {},
        "Nmt": {},
        "Precompiled": {"precompiled_charsmap": TEXT},
        "Prepend": {"prepend": TEXT_OR_EMPTY},
        "Replace": {"pattern": PATTERN, "content": TEXT_OR_EMPTY},
        "Sequence": {"normalizers": LIST},
        "Strip": {"strip_left": BOOLEAN, "strip_right": BOOLEAN},
        "StripAccents": {},
    },
    "pre_tokenizers": {
        "BertPreTokenizer": {},
        "ByteLevel": {"add_prefix_space": BOOLEAN, "use_regex": BOOLEAN},
        "CharDelimiterSplit": {"delimiter": TEXT},
        "Digits": {"individual_digits": BOOLEAN},
        "FixedLength": {"length": NUMBER},
        "Metaspace": {"replacement": TEXT, "prepend_scheme": SCHEME, "split": BOOLEAN},
        "Punctuation": {"behavior": BEHAVIOR},
        "Sequence": {"pretokenizers": LIST},
        "Split": {"pattern": PATTERN, "behavior": BEHAVIOR, "invert": BOOLEAN},
        "UnicodeScripts": {},
        "Whitespace": {},
        "WhitespaceSplit": {},
    },
    "models": {
        "BPE": {
            "dropout": NUMBER_OR_NULL,
            "unk_token": TEXT_OR_NULL,
            "continuing_subword_prefix": TEXT_OR_NULL,
            "end_of_word_suffix": TEXT_OR_NULL,
            "fuse_unk": BOOLEAN,
            "byte_fallback": BOOLEAN,
            "ignore_merges": BOOLEAN,
            "merges": LIST,
        },
        "Unigram": {"unk_id": NUMBER_OR_NULL, "byte_fallback": BOOLEAN},
        "WordLevel": {"unk_token": TEXT},
        "WordPiece": {
            "unk_token": TEXT,
            "continuing_subword_prefix": TEXT_OR_EMPTY,
            "max_input_chars_per_word": NUMBER_OR_ZERO,
        },
    },
    "processors": {
        "BertProcessing": {"sep": LIST[2:], "cls": LIST[2:]},
        "ByteLevel": {"trim_offsets": BOOLEAN, "add_prefix_space": BOOLEAN},
        "RobertaProcessing": {"trim_offsets": BOOLEAN, "add_prefix_space": BOOLEAN},
        "Sequence": {"processors": LIST},
        "TemplateProcessing": {"single": LIST[1:], "pair": LIST[1:]},
    },
    "decoders": {
        "BPEDecoder": {"suffix": TEXT_OR_EMPTY},
        "ByteFallback": {},
        "ByteLevel": {},
        "CTC": {"pad_token": TEXT, "word_delimiter_token": TEXT, "cleanup": BOOLEAN},
        "Fuse": {},
        "Metaspace": {"replacement": TEXT, "prepend_scheme": SCHEME, "split": BOOLEAN},
        "Replace": {"pattern": PATTERN, "content": TEXT_OR_EMPTY},
        "Sequence": {"decoders": LIST},
        "Strip": {"content": TEXT, "start": NUMBER_OR_ZERO, "stop": NUMBER_OR_ZERO},
        "WordPiece": {"prefix": TEXT_OR_EMPTY, "cleanup": BOOLEAN},
    },
}
"""The options of every component, by the stage that it belongs to."""

PARTS: dict[str, Options] = {
    "added_tokens": {
        "single_word": BOOLEAN,
        "lstrip": BOOLEAN,
        "rstrip": BOOLEAN,
        "normalized": BOOLEAN,
        "special": BOOLEAN,
    },
    "truncation": {
        "direction": DIRECTION,
        "max_length": NUMBER_OR_ZERO,
        "strategy": ("LongestFirst", "OnlyFirst", "OnlySecond"),
        "stride": NUMBER_OR_ZERO,
    },
    "padding": {
        "strategy": ("BatchLongest", "Fixed"),
        "direction": DIRECTION,
        "pad_to_multiple_of": NUMBER_OR_NULL,
        "pad_id": NUMBER_OR_ZERO,
        "pad_type_id": NUMBER_OR_ZERO,
        "pad_token": TEXT,
    },
}
"""The options of the other parts of a tokenizer.json."""

STAGE_FIELDS: dict[str, str] = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pre_tokenizers",
    "model": "models",
    "post_processor": "processors",
    "decoder": "decoders",
}
"""The field of a tokenizer.json that a component of each stage stands in."""

SEQUENCES: dict[str, str] = {
    "normalizers": "normalizers",
    "pre_tokenizers": "pretokenizers",
    "processors": "processors",
    "decoders": "decoders",
}
"""The field of a ``Sequence`` that its components stand in."""


@dataclass(frozen=True, order=True, slots=True)
class Cell:
    """One value of an option of a component or part. An option that is empty stands for the component itself."""

    component: str
    option: str = ""
    value: str = ""


def wanted_cells() -> tuple[Cell, ...]:
    """Return every cell that must be filled: those of tokenizer.json, and what can be asked."""
    components = ((f"{stage}.{name}", options) for stage, named in OPTIONS.items() for name, options in named.items())
    cells = [
        cell
        for component, options in (*components, *PARTS.items())
        for cell in (Cell(component), *_option_cells(component, options))
    ]
    return (*cells, *(Cell("questions", "feature", feature.value) for feature in Feature))


def _option_cells(component: str, options: Options) -> Iterator[Cell]:
    for option, values in options.items():
        for value in values:
            yield Cell(component, option, value)


def coverage(suite: Suite) -> Counter[Cell]:
    """Return how many cases of ``suite`` fill each cell."""
    counts: Counter[Cell] = Counter()
    known: dict[tuple[str, str], frozenset[Cell]] = {}
    for case in suite.cases():
        name = case.area.name, case.case.tokenizer
        if name not in known:
            known[name] = frozenset(cells_of(case.area.tokenizers[case.case.tokenizer]))
        counts.update(known[name])
        counts.update(Cell("questions", "feature", feature) for feature in features_of(case.case.steps))
    return counts


def cells_of(document: Document) -> Iterator[Cell]:
    """Yield the cells that a tokenizer has."""
    for field, stage in STAGE_FIELDS.items():
        for component in _components(document.get(field), stage):
            name = f"{stage}.{component.get('type')}"
            yield from _cells(name, component, OPTIONS[stage].get(str(component.get("type")), {}))
    for token in document.get("added_tokens") or ():
        yield from _cells("added_tokens", token, PARTS["added_tokens"])
    for part in ("truncation", "padding"):
        if document.get(part) is not None:
            yield from _cells(part, document[part], PARTS[part])


def _components(component: Any, stage: str) -> Iterator[Mapping[str, Any]]:
    """Yield ``component`` and those within it."""
    if not isinstance(component, dict):
        return
    yield component
    for inner in component.get(SEQUENCES.get(stage, ""), ()) if component.get("type") == "Sequence" else ():
        yield from _components(inner, stage)


def _cells(name: str, component: Mapping[str, Any], options: Options) -> Iterator[Cell]:
    yield Cell(name)
    for option, values in options.items():
        if option in component:
            yield Cell(name, option, value_class(component[option], values))


def value_class(value: Any, values: Values) -> str:
    """Return which of ``values``, the classes of an option, ``value`` belongs to; another word where to none.

    >>> [value_class(value, NUMBER_OR_ZERO) for value in (0, 3)]
    ['0', 'number']
    >>> value_class({"Regex": "a"}, PATTERN), value_class("first", SCHEME), value_class("", TEXT_OR_EMPTY)
    ('Regex', 'first', 'empty')
    """
    match value:
        case bool():
            return str(value).lower()
        case None:
            return "null"
        case str():
            return value if value in values else "text" if value else "empty"
        case int() | float():
            return "0" if value == 0 and "0" in values else "number"
        case list():
            return ("empty", "one")[len(value)] if len(value) < 2 else "several"
        case dict():
            return next(iter(value), "empty")
    return type(value).__name__
