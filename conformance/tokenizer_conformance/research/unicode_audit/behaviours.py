"""The behaviours that are looked into, as a table: how each is called, what it is about, and which probe sees it.

A *probe* asks about one component, and may see several behaviours at once, such as what BertPreTokenizer takes for
punctuation and what for white space.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from tokenizer_conformance.research.unicode_audit import probes
from tokenizer_conformance.research.unicode_audit.asking import Asking
from tokenizer_conformance.research.unicode_audit.documents import RULES, UNKNOWN, Added, Sentinels
from tokenizer_conformance.research.unicode_audit.properties import FORMS, jamo_pairs, pairs
from tokenizer_conformance.research.unicode_audit.sightings import Sighting
from tokenizer_conformance.research.unicode_audit.sweeps import Frame, Stand


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What a component does with characters. ``question`` is what it decides, which others decide too."""

    name: str
    question: str
    about: str


Look = Callable[[Asking], Mapping[str, Sighting]]
"""Asks about a component, and returns what was seen of each behaviour, by its name."""


@dataclass(frozen=True, slots=True)
class Probe:
    """What sees ``behaviours``. It raises :class:`~.asking.CannotAskError`."""

    behaviours: tuple[Behaviour, ...]
    look: Look


LETTERS: Final = Sentinels("a", "b", "\n")
WORDS: Final = Sentinels("a", "b", " ")
DIGITS: Final = Sentinels("1", "2", "\n")
SYMBOLS: Final = Sentinels("<", ">", "\n")
BEFORE_DIGITS: Final = Sentinels("a", "b", "1")
BEFORE_PUNCTUATION: Final = Sentinels("a", "b", "!")

WHITE_SPACE: Final = "white space"
PUNCTUATION: Final = "punctuation"
LETTER: Final = "letters"
NUMBER: Final = "numbers"
WORD: Final = "word characters"
MARK: Final = "marks"
CASE: Final = "lowercase"
FORM: Final = "normal forms"
SCRIPT: Final = "scripts"
GRAPHEME: Final = "grapheme clusters"
CONTROL: Final = "controls"
CATEGORY: Final = "categories"
IDEOGRAPH: Final = "ideographs"


def _bert(**flags: bool) -> dict[str, Any]:
    off = {"clean_text": False, "handle_chinese_chars": False, "strip_accents": False, "lowercase": False}
    return {"type": "BertNormalizer", **off, **flags}


def _split(regex: str) -> dict[str, Any]:
    return {"type": "Split", "pattern": {"Regex": regex}, "behavior": "Removed", "invert": False}


def _one(name: str, question: str, about: str, look: Callable[[Asking], Sighting]) -> Probe:
    return Probe((Behaviour(name, question, about),), lambda asking: {name: look(asking)})


def _mapped(name: str, question: str, normalizer: dict[str, Any]) -> Probe:
    return _one(name, question, "what becomes of each character", partial(probes.mapped, normalizer=normalizer))


def _becoming(normalizer: dict[str, Any], *seen: tuple[Behaviour, Callable[[int, str], bool]]) -> Probe:
    """Return the probe of what becomes of characters, and which of that is each behaviour."""
    wanted = {behaviour.name: is_wanted for behaviour, is_wanted in seen}
    look = partial(probes.becoming, normalizer=normalizer, wanted=wanted)
    return Probe(tuple(behaviour for behaviour, _ in seen), look)


def _deleted(_at: int, value: str) -> bool:
    return not value


def _blank(_at: int, value: str) -> bool:
    return value == " "


def _other_blank(at: int, value: str) -> bool:
    return value == " " != chr(at)


def _spaced(at: int, value: str) -> bool:
    return value == f" {chr(at)} "


def _standing(pre_tokenizer: dict[str, Any], sentinels: Sentinels, *seen: tuple[Behaviour, tuple[Stand, ...]]) -> Probe:
    """Return the probe of how characters stand between two sentinels, and which of that is each behaviour."""
    wanted = {behaviour.name: stands for behaviour, stands in seen}
    look = partial(probes.standing, pre_tokenizer=pre_tokenizer, sentinels=sentinels, wanted=wanted)
    return Probe(tuple(behaviour for behaviour, _ in seen), look)


def _regex(regex: str, question: str) -> Probe:
    name = f"Split {regex}"
    return _one(name, question, "which characters the regex matches", partial(probes.matched, split=_split(regex)))


SEGMENT: Final = "<y>"
"""An added token: what stands between two of them is normalized for itself."""

TOKEN: Final = "<x>"  # noqa: S105 - no secret


def _strip(side: str) -> Probe:
    flags = {"strip_left": side == "left", "strip_right": side == "right"}
    frame = Frame(SEGMENT, after="|") if side == "left" else Frame(SEGMENT, before="|")
    look = partial(
        probes.between_tokens,
        normalizer={"type": "Strip", **flags},
        frame=frame,
        added=(Added(SEGMENT),),
        usual=(UNKNOWN,),
    )
    return _one(f"Strip {side}", WHITE_SPACE, f"what is taken away at the {side} end", look)


def _added(name: str, frame: Frame, added: tuple[Added, ...], usual: tuple[str, ...], about: str) -> Probe:
    question = WORD if "single_word" in name else WHITE_SPACE
    look = partial(probes.between_tokens, normalizer=None, frame=frame, added=added, usual=usual)
    return _one(f"added token {name}", question, about, look)


WHOLE_WORDS: Final = (Added(SEGMENT), Added(TOKEN, single_word=True))

SPLIT_OFF: Final = (Stand.SPLIT, Stand.LEFT, Stand.RIGHT)

PROBES: Final[tuple[Probe, ...]] = (
    # normal forms
    *(_mapped(form, FORM, {"type": form}) for form in FORMS),
    _one("NFD combining classes", FORM, "which marks change places", probes.classes_of_marks),
    _one("NFC pairs", FORM, "which pairs of characters compose", partial(probes.pairs_changed, texts=pairs)),
    _one("NFC jamo", FORM, "which jamo and syllables compose", partial(probes.pairs_changed, texts=jamo_pairs)),
    # case
    _mapped("Lowercase", CASE, {"type": "Lowercase"}),
    _one("Lowercase final sigma", CASE, "what becomes of a sigma at the end of a word", probes.final_sigma),
    _mapped("BertNormalizer lowercase", CASE, _bert(lowercase=True)),
    # marks and controls
    _becoming({"type": "StripAccents"}, (Behaviour("StripAccents", MARK, "what is deleted"), _deleted)),
    Probe(
        (
            Behaviour("BertNormalizer strip_accents", MARK, "what is deleted of decomposed text"),
            Behaviour("BertNormalizer strip_accents decomposition", FORM, "what becomes of what is not deleted"),
        ),
        partial(probes.accents_stripped, normalizer=_bert(strip_accents=True)),
    ),
    _becoming(
        _bert(clean_text=True),
        (Behaviour("BertNormalizer clean_text deletion", CONTROL, "what is deleted"), _deleted),
        (Behaviour("BertNormalizer clean_text blanks", WHITE_SPACE, "what becomes a space"), _blank),
    ),
    _becoming(
        _bert(handle_chinese_chars=True),
        (Behaviour("BertNormalizer handle_chinese_chars", IDEOGRAPH, "what gets spaces around it"), _spaced),
    ),
    _becoming(
        {"type": "Nmt"},
        (Behaviour("Nmt deletion", CONTROL, "what is deleted"), _deleted),
        (Behaviour("Nmt blanks", "Nmt", "what becomes a space"), _other_blank),
    ),
    # character maps
    *(
        _one(
            f"SentencePiece {rule}",
            "character maps",
            "what becomes of each character by the map of that rule",
            partial(probes.mapped_by_rule, rule=rule),
        )
        for rule in RULES
    ),
    # white space
    _strip("left"),
    _strip("right"),
    _added(
        "lstrip",
        Frame(TOKEN, before="|"),
        (Added(TOKEN, lstrip=True),),
        (UNKNOWN,),
        "what it takes with it on its left",
    ),
    _added(
        "rstrip",
        Frame(TOKEN, after="|"),
        (Added(TOKEN, rstrip=True),),
        (UNKNOWN,),
        "what it takes with it on its right",
    ),
    _standing(
        {"type": "WhitespaceSplit"},
        WORDS,
        (Behaviour("WhitespaceSplit", WHITE_SPACE, "what is left out"), (Stand.DROPPED,)),
    ),
    # punctuation and words
    _standing(
        {"type": "BertPreTokenizer"},
        WORDS,
        (Behaviour("BertPreTokenizer punctuation", PUNCTUATION, "what is a piece of its own"), SPLIT_OFF),
        (Behaviour("BertPreTokenizer white space", WHITE_SPACE, "what is left out"), (Stand.DROPPED,)),
    ),
    _standing(
        {"type": "Punctuation", "behavior": "Isolated"},
        BEFORE_PUNCTUATION,
        (Behaviour("Punctuation", PUNCTUATION, "what is a piece of its own"), SPLIT_OFF),
    ),
    _standing(
        {"type": "Whitespace"},
        WORDS,
        (Behaviour("Whitespace \\w", WORD, "what is in one piece with letters"), (Stand.JOINED,)),
        (Behaviour("Whitespace \\s", WHITE_SPACE, "what is left out"), (Stand.DROPPED,)),
    ),
    _added(
        "single_word",
        Frame(SEGMENT, before="!", after=TOKEN),
        WHOLE_WORDS,
        (UNKNOWN, TOKEN),
        "what keeps it from being found where it stands before it",
    ),
    _added(
        "single_word (after)",
        Frame(SEGMENT, before=TOKEN, after="!"),
        WHOLE_WORDS,
        (TOKEN, UNKNOWN),
        "what keeps it from being found where it stands after it",
    ),
    # numbers and letters
    _standing(
        {"type": "Digits", "individual_digits": False},
        BEFORE_DIGITS,
        (Behaviour("Digits", NUMBER, "what is split off from letters"), SPLIT_OFF),
    ),
    Probe(
        (
            Behaviour("ByteLevel letters", LETTER, "what is in one piece with letters"),
            Behaviour("ByteLevel numbers", NUMBER, "what is in one piece with digits"),
            Behaviour("ByteLevel white space", WHITE_SPACE, "what is in one piece with nothing else"),
        ),
        partial(probes.byte_level, letters=LETTERS, digits=DIGITS, symbols=SYMBOLS),
    ),
    # regexes
    _one("Split \\p{category}", CATEGORY, "the general category of each character", probes.regex_categories),
    _regex(r"\p{L}", LETTER),
    _regex(r"\p{M}", MARK),
    _regex(r"\p{N}", NUMBER),
    _regex(r"\p{P}", PUNCTUATION),
    _regex(r"\p{S}", "symbols"),
    _regex(r"\p{Z}", WHITE_SPACE),
    _regex(r"\p{C}", CONTROL),
    _regex(r"\s", WHITE_SPACE),
    _regex(r"\d", NUMBER),
    _regex(r"\w", WORD),
    _regex(r"[\w]", WORD),
    _regex(r"[[:alpha:]]", LETTER),
    _regex(r"[[:alnum:]]", WORD),
    _regex(r"[[:lower:]]", CASE),
    _regex(r"[[:upper:]]", CASE),
    _regex(r"[[:punct:]]", PUNCTUATION),
    _regex(r"\p{Alphabetic}", LETTER),
    _regex(r"\p{White_Space}", WHITE_SPACE),
    # scripts
    _one("Split \\p{script}", SCRIPT, "the script of each character", probes.regex_scripts),
    _one("UnicodeScripts", SCRIPT, "which characters stay in one piece", probes.unicode_scripts),
    # grapheme clusters
    Probe(
        (
            Behaviour("Precompiled extending", GRAPHEME, "what is in one cluster with a letter before it"),
            Behaviour("Precompiled prepending", GRAPHEME, "what is in one cluster with a letter after it"),
        ),
        probes.precompiled,
    ),
    Probe(
        (
            Behaviour("Split \\X extending", GRAPHEME, "what is in one cluster with a letter before it"),
            Behaviour("Split \\X prepending", GRAPHEME, "what is in one cluster with a letter after it"),
            Behaviour("Split \\X after a leading jamo", GRAPHEME, "what is in one cluster with a leading jamo"),
            Behaviour("Split \\X after an open syllable", GRAPHEME, "what is in one cluster with an open syllable"),
            Behaviour("Split \\X after a closed syllable", GRAPHEME, "what is in one cluster with a closed syllable"),
        ),
        probes.regex_clusters,
    ),
)
"""Every probe, in the order of the reports."""

BEHAVIOURS: Final[Mapping[str, Behaviour]] = {
    behaviour.name: behaviour for probe in PROBES for behaviour in probe.behaviours
}
"""Every behaviour, by its name."""
