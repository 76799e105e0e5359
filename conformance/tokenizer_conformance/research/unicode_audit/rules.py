"""The rules that behaviours are explained by, as tables: sets, mappings and classes over properties of a version.

Every rule of a kind is tried with every behaviour of that kind, so that a component which follows the rule of another
one is told as that. A rule stands before those that it is to be preferred to where both explain the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, Protocol

from tokenizer_adapters.variants.unicode_versions import members
from tokenizer_conformance.research.unicode_audit import normal_forms
from tokenizer_conformance.research.unicode_audit.code_point_sets import SCALARS, CodePoints
from tokenizer_conformance.research.unicode_audit.properties import CATEGORY, SCRIPT, named, values_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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


@dataclass(frozen=True, slots=True)
class SetRule:
    """The union of the ``plus`` sets without the ``minus`` ones, by names of :data:`FIXED` or of properties.

    ``bounds`` are the sets that all members must be in.
    """

    plus: tuple[str, ...]
    minus: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The rule as people write it."""
        told = " + ".join(self.plus) or "no character"
        told += "".join(f" − {name}" for name in self.minus)
        return told + "".join(f" ∩ {name}" for name in self.bounds)

    def in_version(self, version: str) -> CodePoints:
        """Return the set in a version of Unicode."""
        return _evaluated(self, version)

    @property
    def is_fixed(self) -> bool:
        """Whether it is the same in all versions by its definition."""
        return all(name in FIXED for name in (*self.plus, *self.minus, *self.bounds))


@cache
def _evaluated(rule: SetRule, version: str) -> CodePoints:
    found = CodePoints()
    for name in rule.plus:
        found |= _named(name, version)
    for name in rule.minus:
        found -= _named(name, version)
    for name in rule.bounds:
        found &= _named(name, version)
    return found


def _named(name: str, version: str) -> CodePoints:
    return _fixed(name) if name in FIXED else named(name, version)


@cache
def _fixed(name: str) -> CodePoints:
    return CodePoints.of_ranges(
        (int(first, 16), int(last or first, 16))
        for first, _, last in (part.partition("..") for part in FIXED[name].split())
    )


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

SET_RULES: Final[tuple[SetRule, ...]] = (
    SetRule(()),
    SetRule(("White_Space",)),
    # categories
    *(SetRule((name,)) for name in _CATEGORIES),
    # white space
    SetRule(("White_Space", "U+001C..001F")),
    SetRule(("White_Space",), ("U+0085",)),
    SetRule(("White_Space",), ("VT FF U+0085",)),
    SetRule(("White_Space", "U+FEFF")),
    SetRule(("White_Space", "U+FEFF"), ("U+0085",)),
    SetRule(("ASCII white space",)),
    SetRule(("space",)),
    SetRule(("Zs", "TAB LF CR")),
    SetRule(("Zs", "TAB")),
    # punctuation, marks, letters, numbers
    SetRule(("P", "ASCII symbols")),
    SetRule(("P", "S")),
    SetRule(("ASCII punctuation",)),
    SetRule(("ASCII symbols",)),
    SetRule(("Mn", "Me")),
    SetRule(("Mn", "Mc")),
    SetRule(("Nd", "Nl")),
    SetRule(("ASCII digits",)),
    SetRule(("ASCII letters",)),
    SetRule(("L", "M")),
    SetRule(("L", "N")),
    SetRule(("L", "M", "N")),
    # words
    SetRule(("Alphabetic",)),
    SetRule(("Alphabetic", "Nd")),
    SetRule((*WORD, "Join_Control")),
    SetRule(WORD),
    SetRule((*WORD, "² ³ ¹ ¼ ½ ¾")),
    SetRule(("L", "N", "underscore")),
    SetRule(("L", "Nd", "underscore")),
    SetRule(("L", "M", "N", "Pc")),
    SetRule(("ASCII letters", "ASCII digits", "underscore")),
    # case
    SetRule(("Uppercase",)),
    SetRule(("Lowercase",)),
    SetRule(("Cased",)),
    SetRule(("Case_Ignorable",)),
    # controls
    SetRule(CONTROLS, ("TAB LF CR",)),
    SetRule((*CONTROLS, "Cn"), ("TAB LF CR",)),
    SetRule(("Cc", "Cf", "U+FFFD"), ("TAB LF CR",)),
    SetRule(("Cc", "U+FFFD"), ("TAB LF CR",)),
    # fixed lists
    SetRule(("CJK ideographs of tokenizers",)),
    SetRule(("CJK ideographs of BERT",)),
    SetRule(("CJK ideographs of BERT, BMP",)),
    SetRule(("controls deleted by Nmt",)),
    SetRule(("blanks of Nmt",)),
    # grapheme breaks
    SetRule(_BREAKS),
    SetRule(("GCB=Prepend",)),
    SetRule((*_BREAKS, *_HANGUL)),
    SetRule((*_BREAKS, "GCB=V", "GCB=T")),
    SetRule((*_BREAKS, "GCB=T")),
    SetRule((*_BREAKS, "GCB=Regional_Indicator")),
)


# Mappings of characters -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MappingRule:
    """What becomes of the characters that change, in a version of Unicode."""

    words: str
    in_version: Callable[[str], Mapping[int, str]]
    is_fixed: bool = False


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
    told = dict(normal_forms.single_characters("NFKC", version))
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
    mapped, forms = lowercase(version), normal_forms.single_characters(form, version)
    told = {at: "".join(mapped.get(ord(char), char) for char in text) for at, text in forms.items()}
    return {**mapped, **told}


_ASCII_LOWERCASE: Final = {at: chr(at + 32) for at in range(ord("A"), ord("Z") + 1)}


def _form_rule(form: str) -> MappingRule:
    return MappingRule(form, lambda version: normal_forms.single_characters(form, version))


MAPPING_RULES: Final[tuple[MappingRule, ...]] = (
    MappingRule("no change", lambda _: {}, is_fixed=True),
    *map(_form_rule, normal_forms.FORMS),
    MappingRule("full lowercase", lowercase),
    MappingRule("simple lowercase", _lowercase_simple),
    MappingRule("lowercase of ASCII letters", lambda _: _ASCII_LOWERCASE, is_fixed=True),
    MappingRule("NFD, then full lowercase", lambda version: _form_then_lowercase("NFD", version)),
    MappingRule("NFKC, then full lowercase", lambda version: _form_then_lowercase("NFKC", version)),
    MappingRule("NFKC of nmt_nfkc", _nmt_nfkc),
    MappingRule(
        "NFKC, then simple folding",
        lambda version: _folded(normal_forms.single_characters("NFKC", version), version),
    ),
    MappingRule("NFKC of nmt_nfkc, then simple folding", lambda version: _folded(_nmt_nfkc(version), version)),
)


# Classes --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClassRule:
    """The code points of each class, in a version of Unicode."""

    words: str
    in_version: Callable[[str], Mapping[str, CodePoints]]


@cache
def _categories(version: str) -> Mapping[str, CodePoints]:
    found = {name: values & SCALARS for name, values in values_in(CATEGORY, version).items() if name != "Cs"}
    return {**found, "Cn": named("Cn", version)}


@cache
def _scripts(version: str) -> Mapping[str, CodePoints]:
    found = dict(values_in(SCRIPT, version))
    return {name: values for name, values in found.items() if values}


ANY_SCRIPT: Final = "any"
"""The class of what goes with every script."""


@cache
def kana_as_han(version: str) -> Mapping[str, CodePoints]:
    """Return the scripts as UnicodeScripts takes them: kana are Han, and the space and what has no script is any."""
    found = dict(_scripts(version))
    han, prolonged, space = found.pop("Han"), _point(0x30FC), _point(0x20)
    han = han | found.pop("Hiragana") | found.pop("Katakana") | prolonged
    told = {name: values - prolonged - space for name, values in found.items()} | {"Han": han}
    known = CodePoints()
    for values in told.values():
        known |= values
    return {**told, ANY_SCRIPT: SCALARS - known}


@cache
def _with_any(version: str) -> Mapping[str, CodePoints]:
    found = _scripts(version)
    known = CodePoints()
    for values in found.values():
        known |= values
    return {**found, ANY_SCRIPT: SCALARS - known}


def _point(at: int) -> CodePoints:
    return CodePoints(1 << at)


@cache
def _combining(version: str) -> Mapping[str, CodePoints]:
    grouped: dict[str, list[int]] = {}
    for at, value in normal_forms.combining_classes(version).items():
        grouped.setdefault(str(value), []).append(at)
    return {name: CodePoints.of(found) for name, found in grouped.items()}


CLASS_RULES: Final[tuple[ClassRule, ...]] = (
    ClassRule("General_Category", _categories),
    ClassRule("Script", _scripts),
    ClassRule("Script, kana as Han, none as any", kana_as_han),
    ClassRule("Script, none as any", _with_any),
    ClassRule("Canonical_Combining_Class", _combining),
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


class TextMapping(Protocol):
    """Says what becomes of the texts that were ``asked`` about, where they change, in a version."""

    def __call__(self, version: str, asked: tuple[str, ...]) -> Mapping[str, str]:
        """Return it."""
        ...


@dataclass(frozen=True, slots=True)
class TextRule:
    """What becomes of the texts that change, of those that are asked about, in a version of Unicode."""

    words: str
    in_version: TextMapping
    is_fixed: bool = False


def _unchanged(version: str, asked: tuple[str, ...]) -> Mapping[str, str]:  # noqa: ARG001 - as all rules
    return {}


def _sigma(way: int) -> TextMapping:
    def told(version: str, asked: tuple[str, ...]) -> Mapping[str, str]:  # noqa: ARG001 - as all rules
        return {text: FINAL_SIGMA[text][way] for text in asked if text in FINAL_SIGMA}

    return told


TEXT_RULES: Final[tuple[TextRule, ...]] = (
    TextRule("no change", _unchanged, is_fixed=True),
    TextRule("canonical composition (NFC)", normal_forms.composed_pairs),
    TextRule("each character alone, no final sigma", _sigma(0), is_fixed=True),
    TextRule("Final_Sigma of SpecialCasing", _sigma(1), is_fixed=True),
)
