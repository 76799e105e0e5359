"""The rules that behaviours are explained by, as tables: sets, mappings and classes over properties of a version.

Every rule of a kind is tried with every behaviour of that kind, so that a component which follows the rule of another
one is told as that. A rule stands before those that it is to be preferred to where both explain the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from tokenizer_adapters.variants.unicode_versions import members
from tokenizer_conformance.research.unicode_audit.code_point_sets import SCALARS, CodePoints, union
from tokenizer_conformance.research.unicode_audit.properties import (
    FORMS,
    SCRIPT,
    categories,
    combining_classes,
    composed_pairs,
    named,
    single_characters,
    values_in,
)
from tokenizer_conformance.research.unicode_audit.sightings import ClassesSeen, MappingSeen, SetSeen, TextsSeen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokenizer_conformance.research.unicode_audit.sightings import Seen


@dataclass(frozen=True, slots=True)
class Rule:
    """What is to be seen in a version of Unicode, by a rule in ``words``.

    ``is_fixed``: it is the same in all versions by its definition.
    """

    words: str
    in_version: Callable[[str], Seen]
    is_fixed: bool = False


# Sets -----------------------------------------------------------------------------------------------------------------

FIXED: Final[Mapping[str, str]] = {
    "ASCII symbols": "0024 002B 003C..003E 005E 0060 007C 007E",
    "ASCII punctuation": "0021..002F 003A..0040 005B..0060 007B..007E",
    "ASCII digits": "0030..0039",
    "ASCII letters": "0041..005A 0061..007A",
    "ASCII white space": "0009..000D 0020",
    "TAB LF CR": "0009..000A 000D",
    "TAB": "0009",
    "underscore": "005F",
    "space": "0020",
    "NUL": "0000",
    "VT FF U+0085": "000B..000C 0085",
    "U+FFFD": "FFFD",
    "U+001C..001F": "001C..001F",
    "U+0085": "0085",
    "U+FEFF": "FEFF",
    "Join_Control": "200C..200D",
    "² ³ ¹ ¼ ½ ¾": "00B2..00B3 00B9 00BC..00BE",
    "CJK ideographs of tokenizers": (
        "3400..4DBF 4E00..9FFF F900..FAFF 20000..2A6DF 2A700..2B81F 2B920..2CEAF 2F800..2FA1F"
    ),
    "CJK ideographs of BERT": "3400..4DBF 4E00..9FFF F900..FAFF 20000..2A6DF 2A700..2CEAF 2F800..2FA1F",
    "CJK ideographs of BERT, BMP": "3400..4DBF 4E00..9FFF F900..FAFF",
    "controls deleted by Nmt": "0001..0008 000B 000E..001F 007F 008F 009F",
    "blanks of nmt_nfkc": "0009..000A 000C..000D 061C 1680 200B..200C 200E..200F 2028..2029 2581 FEFF FFFD",
    "blanks of Nmt": "0009..000A 000C..000D 1680 200B..200F 2028..2029 2581 FEFF FFFD",
}
"""Fixed lists, the same in all versions, by the names that rules use."""


def _set(plus: tuple[str, ...], minus: tuple[str, ...] = ()) -> Rule:
    """Return the rule of the union of the ``plus`` sets without the ``minus`` ones."""
    words = " + ".join(plus) or "no character"
    return Rule(
        words + "".join(f" − {name}" for name in minus),
        lambda version: SetSeen(union_of(plus, version) - union_of(minus, version)),
        is_fixed=all(name in FIXED for name in (*plus, *minus)),
    )


@cache
def union_of(names: tuple[str, ...], version: str) -> CodePoints:
    """Return the union of the sets with these ``names``, of :data:`FIXED` or of properties."""
    return union(_fixed(name) if name in FIXED else named(name, version) for name in names)


@cache
def _fixed(name: str) -> CodePoints:
    return CodePoints.written_as(FIXED[name])


WORD: Final = ("Alphabetic", "M", "Nd", "Pc")
"""What is a word character by UTS #18, but for Join_Control."""

CONTROLS: Final = ("Cc", "Cf", "Co", "U+FFFD")

_CATEGORIES: Final = (
    *("L", "M", "N", "P", "S", "Z", "C"),
    *("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po"),
    *("Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cn"),
)

_BREAKS: Final = ("GCB=Extend", "GCB=SpacingMark", "GCB=ZWJ")
_HANGUL: Final = ("GCB=L", "GCB=V", "GCB=LV", "GCB=LVT")

_SETS: Final[tuple[Rule, ...]] = (
    _set(()),
    _set(("White_Space",)),
    # categories
    *(_set((name,)) for name in _CATEGORIES),
    # white space
    _set(("White_Space", "U+001C..001F")),
    _set(("White_Space",), ("U+0085",)),
    _set(("White_Space",), ("VT FF U+0085",)),
    _set(("White_Space", "U+FEFF")),
    _set(("White_Space", "U+FEFF"), ("U+0085",)),
    _set(("ASCII white space",)),
    _set(("space",)),
    _set(("Zs", "TAB LF CR")),
    _set(("Zs", "TAB")),
    # punctuation, marks, letters, numbers
    _set(("P", "ASCII symbols")),
    _set(("P", "S")),
    _set(("ASCII punctuation",)),
    _set(("ASCII symbols",)),
    _set(("Mn", "Me")),
    _set(("Mn", "Mc")),
    _set(("Nd", "Nl")),
    _set(("ASCII digits",)),
    _set(("ASCII letters",)),
    _set(("L", "M")),
    _set(("L", "N")),
    _set(("L", "M", "N")),
    # words
    _set(("Alphabetic",)),
    _set(("Alphabetic", "Nd")),
    _set((*WORD, "Join_Control")),
    _set(WORD),
    _set((*WORD, "² ³ ¹ ¼ ½ ¾")),
    _set(("L", "N", "underscore")),
    _set(("L", "Nd", "underscore")),
    _set(("L", "M", "N", "Pc")),
    _set(("ASCII letters", "ASCII digits", "underscore")),
    # case
    _set(("Uppercase",)),
    _set(("Lowercase",)),
    _set(("Cased",)),
    _set(("Case_Ignorable",)),
    # controls
    _set(CONTROLS, ("TAB LF CR",)),
    _set((*CONTROLS, "Cn"), ("TAB LF CR",)),
    _set(("Cc", "Cf", "U+FFFD"), ("TAB LF CR",)),
    _set(("Cc", "U+FFFD"), ("TAB LF CR",)),
    # fixed lists
    _set(("CJK ideographs of tokenizers",)),
    _set(("CJK ideographs of BERT",)),
    _set(("CJK ideographs of BERT, BMP",)),
    _set(("controls deleted by Nmt",)),
    _set(("blanks of Nmt",)),
    # grapheme breaks
    _set(_BREAKS),
    _set(("GCB=Prepend",)),
    _set((*_BREAKS, *_HANGUL)),
    _set((*_BREAKS, "GCB=V", "GCB=T")),
    _set((*_BREAKS, "GCB=T")),
    _set((*_BREAKS, "GCB=Regional_Indicator")),
)


# Mappings of characters -----------------------------------------------------------------------------------------------


def _mapping(words: str, in_version: Callable[[str], Mapping[int, str]], *, is_fixed: bool = False) -> Rule:
    return Rule(words, lambda version: MappingSeen(in_version(version)), is_fixed)


@cache
def lowercase(version: str) -> Mapping[int, str]:
    """Return the full lowercase mapping, without conditions."""
    return {
        at: "".join(chr(int(number, 16)) for number in value.split())
        for value, found in members("Lowercase_Mapping", version).items()
        for at in found
        if value != f"{at:x}"
    }


@cache
def _lowercase_simple(version: str) -> Mapping[int, str]:
    return {at: text[0] for at, text in lowercase(version).items()}


@cache
def _simple_folding(version: str) -> Mapping[int, str]:
    """Return the simple case folding: one character for each."""
    return {at: chr(int(value, 16)) for value, found in members("Simple_Case_Folding", version).items() for at in found}


FULLWIDTH_TILDE: Final = 0xFF5E


@cache
def _nmt_nfkc(version: str) -> Mapping[int, str]:
    """Return NFKC as SentencePiece's rule nmt_nfkc has it: without controls, with more blanks, and ～ as it is."""
    told = dict(single_characters("NFKC", version))
    told |= dict.fromkeys(_fixed("controls deleted by Nmt"), "") | dict.fromkeys(_fixed("blanks of nmt_nfkc"), " ")
    del told[FULLWIDTH_TILDE]
    return told


def _folded(mapped: Mapping[int, str], version: str) -> Mapping[int, str]:
    """Return what becomes of each character that is first ``mapped``, and then folded."""
    folding = _simple_folding(version)
    found = {**folding, **{at: text.translate(folding) for at, text in mapped.items()}}
    return {at: text for at, text in found.items() if text != chr(at)}


@cache
def _form_then_lowercase(form: str, version: str) -> Mapping[int, str]:
    mapped, forms = lowercase(version), single_characters(form, version)
    told = {at: "".join(mapped.get(ord(char), char) for char in text) for at, text in forms.items()}
    return {**mapped, **told}


_ASCII_LOWERCASE: Final = {at: chr(at + 32) for at in range(ord("A"), ord("Z") + 1)}


_MAPPINGS: Final[tuple[Rule, ...]] = (
    _mapping("no change", lambda _: {}, is_fixed=True),
    *(_mapping(form, partial(single_characters, form)) for form in FORMS),
    _mapping("full lowercase", lowercase),
    _mapping("simple lowercase", _lowercase_simple),
    _mapping("lowercase of ASCII letters", lambda _: _ASCII_LOWERCASE, is_fixed=True),
    _mapping("NFD, then full lowercase", partial(_form_then_lowercase, "NFD")),
    _mapping("NFKC, then full lowercase", partial(_form_then_lowercase, "NFKC")),
    _mapping("NFKC of nmt_nfkc", _nmt_nfkc),
    _mapping(
        "NFKC, then simple folding",
        lambda version: _folded(single_characters("NFKC", version), version),
    ),
    _mapping("NFKC of nmt_nfkc, then simple folding", lambda version: _folded(_nmt_nfkc(version), version)),
)


# Classes --------------------------------------------------------------------------------------------------------------


@cache
def _scripts(version: str) -> Mapping[str, CodePoints]:
    return {name: found for name, found in values_in(SCRIPT, version).items() if found}


ANY_SCRIPT: Final = "any"
"""The class of what goes with every script."""


def _with_any(scripts: Mapping[str, CodePoints]) -> Mapping[str, CodePoints]:
    return {**scripts, ANY_SCRIPT: SCALARS - union(scripts.values())}


@cache
def kana_as_han(version: str) -> Mapping[str, CodePoints]:
    """Return the scripts as UnicodeScripts takes them: kana are Han, and the space and what has no script is any."""
    found = dict(_scripts(version))
    prolonged, space = CodePoints.of([0x30FC]), CodePoints.of([0x20])
    han = union([found.pop("Han"), found.pop("Hiragana"), found.pop("Katakana"), prolonged])
    return _with_any({name: values - prolonged - space for name, values in found.items()} | {"Han": han})


@cache
def _combining(version: str) -> Mapping[str, CodePoints]:
    return grouped({at: str(value) for at, value in combining_classes(version).items()})


def grouped(names: Mapping[int, str]) -> dict[str, CodePoints]:
    """Return the code points of each name."""
    found: dict[str, list[int]] = {}
    for at, name in names.items():
        found.setdefault(name, []).append(at)
    return {name: CodePoints.of(points) for name, points in found.items()}


def _class(words: str, in_version: Callable[[str], Mapping[str, CodePoints]]) -> Rule:
    return Rule(words, lambda version: ClassesSeen(in_version(version)))


_CLASSES: Final[tuple[Rule, ...]] = (
    _class("General_Category", categories),
    _class("Script", _scripts),
    _class("Script, kana as Han, none as any", kana_as_han),
    _class("Script, none as any", lambda version: _with_any(_scripts(version))),
    _class("Canonical_Combining_Class", _combining),
)

# Texts ----------------------------------------------------------------------------------------------------------------

FINAL_SIGMA: Final[Mapping[str, tuple[str, str]]] = {
    "ΑΣ": ("ασ", "ας"),
    "ΑΣ Β": ("ασ β", "ας β"),
    "ΑΣΒ": ("ασβ", "ασβ"),
    "Σ": ("σ", "σ"),
    "Α'Σ": ("α'σ", "α'ς"),
    "ΑΣ'Β": ("ασ'β", "ασ'β"),
    "Α1Σ": ("α1σ", "α1σ"),
    "ΑΣΣ": ("ασσ", "ασς"),
    "1Σ": ("1σ", "1σ"),
}
"""What becomes of texts with a capital sigma: without the condition Final_Sigma, and with it."""


def _texts(words: str, in_version: Callable[[str], Mapping[str, str]], *, is_fixed: bool = True) -> Rule:
    return Rule(words, lambda version: TextsSeen((), in_version(version)), is_fixed)


def _sigma(way: int) -> Callable[[str], Mapping[str, str]]:
    return lambda _: {text: told[way] for text, told in FINAL_SIGMA.items()}


_TEXTS: Final[tuple[Rule, ...]] = (
    _texts("no change", lambda _: {}),
    _texts("canonical composition (NFC)", composed_pairs, is_fixed=False),
    _texts("each character alone, no final sigma", _sigma(0)),
    _texts("Final_Sigma of SpecialCasing", _sigma(1)),
)

RULES: Final[Mapping[type[Seen], tuple[Rule, ...]]] = {
    SetSeen: _SETS,
    MappingSeen: _MAPPINGS,
    ClassesSeen: _CLASSES,
    TextsSeen: _TEXTS,
}
"""The rules that are tried with what is seen, by its kind."""
