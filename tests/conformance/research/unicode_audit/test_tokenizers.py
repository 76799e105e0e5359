"""What the audit finds of ``tokenizers`` 0.23.3, from scratch, against what was measured of it by other means."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import ImplementationInfo, Stage
from tokenizer_conformance.research.unicode_audit.asking import Asking, Way
from tokenizer_conformance.research.unicode_audit.behaviours import BEHAVIOURS, PROBES
from tokenizer_conformance.research.unicode_audit.code_point_sets import CodePoints
from tokenizer_conformance.research.unicode_audit.documents import Sentinels
from tokenizer_conformance.research.unicode_audit.explaining import explained, version_ranges
from tokenizer_conformance.research.unicode_audit.probes import CLUSTER, LONG_CLUSTERS
from tokenizer_conformance.research.unicode_audit.sightings import SetSeen, Sighting
from tokenizer_conformance.research.unicode_audit.sweeps import Frame, Stand, held_together, mapping, stands

FACTS = Path(__file__).parents[5] / "shared" / "facts" / "unicode.md"

WORDS: Final = "Alphabetic + M + Nd + Pc"
EXTENDING: Final = "GCB=Extend + GCB=SpacingMark + GCB=ZWJ"

FOUND: Final[dict[str, tuple[str, str, int | None]]] = {
    "NFC": ("NFC", "8.0 to 18.0", None),
    "NFD": ("NFD", "8.0 to 12.1", None),
    "NFKC": ("NFKC", "9.0 to 11.0", None),
    "NFKD": ("NFKD", "9.0 to 11.0", None),
    "NFD combining classes": ("Canonical_Combining_Class", "9.0", None),
    "NFC pairs": ("canonical composition (NFC)", "8.0 to 12.1", None),
    "NFC jamo": ("canonical composition (NFC)", "8.0 to 18.0", None),
    "Lowercase": ("full lowercase", "17.0", None),
    "Lowercase final sigma": ("each character alone, no final sigma", "any", None),
    "BertNormalizer lowercase": ("full lowercase", "17.0", None),
    "StripAccents": ("M", "9.0", 2097),
    "BertNormalizer strip_accents": ("Mn", "8.0", 1567),
    "BertNormalizer strip_accents decomposition": ("NFD", "8.0 to 12.1", None),
    "BertNormalizer clean_text deletion": ("Cc + Cf + Co + U+FFFD − TAB LF CR", "8.0", 137681),
    "BertNormalizer clean_text blanks": ("White_Space − VT FF U+0085", "8.0 to 18.0", None),
    "BertNormalizer handle_chinese_chars": ("CJK ideographs of tokenizers", "any", None),
    "Nmt deletion": ("controls deleted by Nmt", "any", None),
    "Nmt blanks": ("blanks of Nmt", "any", None),
    "SentencePiece nfkc": ("NFKC", "17.0", None),
    "SentencePiece nmt_nfkc": ("NFKC of nmt_nfkc", "17.0", None),
    "SentencePiece nfkc_cf": ("NFKC, then simple folding", "17.0", None),
    "SentencePiece nmt_nfkc_cf": ("NFKC of nmt_nfkc, then simple folding", "17.0", None),
    "Strip left": ("White_Space", "8.0 to 18.0", 25),
    "Strip right": ("White_Space", "8.0 to 18.0", 25),
    "added token lstrip": ("White_Space", "8.0 to 18.0", 25),
    "added token rstrip": ("White_Space", "8.0 to 18.0", 25),
    "WhitespaceSplit": ("White_Space", "8.0 to 18.0", 25),
    "BertPreTokenizer punctuation": ("P + ASCII symbols", "8.0", 726),
    "BertPreTokenizer white space": ("White_Space", "8.0 to 18.0", 25),
    "Punctuation": ("P + ASCII symbols", "8.0", 726),
    "Whitespace \\w": (f"{WORDS} + Join_Control", "16.0", 144667),
    "Whitespace \\s": ("White_Space", "8.0 to 18.0", 25),
    "added token single_word": (f"{WORDS} + Join_Control", "16.0", 144667),
    "added token single_word (after)": (f"{WORDS} + Join_Control", "16.0", 144667),
    "Digits": ("N", "17.0", 1924),
    "ByteLevel letters": ("L", "16.0", 141028),
    "ByteLevel numbers": ("N", "16.0", 1911),
    "ByteLevel white space": ("White_Space", "8.0 to 18.0", 25),
    "Split \\p{category}": ("General_Category", "16.0", 1_112_064),
    "Split \\p{L}": ("L", "16.0", 141028),
    "Split \\p{M}": ("M", "16.0", 2501),
    "Split \\p{N}": ("N", "16.0", 1911),
    "Split \\p{P}": ("P", "16.0", 855),
    "Split \\p{S}": ("S", "16.0", 8514),
    "Split \\p{Z}": ("Z", "8.0 to 18.0", 19),
    "Split \\p{C}": ("C", "16.0", 957236),
    "Split \\s": ("White_Space", "8.0 to 18.0", 25),
    "Split \\d": ("Nd", "16.0", 760),
    "Split \\w": (f"{WORDS} + ² ³ ¹ ¼ ½ ¾", "16.0", 144671),
    "Split [\\w]": (WORDS, "16.0", 144665),
    "Split [[:alpha:]]": ("Alphabetic", "16.0", 142759),
    "Split [[:alnum:]]": ("Alphabetic + Nd", "16.0", 143519),
    "Split [[:lower:]]": ("Lowercase", "16.0", 2569),
    "Split [[:upper:]]": ("Uppercase", "16.0", 1978),
    "Split [[:punct:]]": ("P + S", "16.0", 9369),
    "Split \\p{Alphabetic}": ("Alphabetic", "16.0", 142759),
    "Split \\p{White_Space}": ("White_Space", "8.0 to 18.0", 25),
    "Split \\p{script}": ("Script", "16.0", None),
    "UnicodeScripts": ("Script, kana as Han, none as any", "9.0", 1_112_064),
    "Precompiled extending": (EXTENDING, "17.0", 2619),
    "Precompiled prepending": ("GCB=Prepend", "17.0 to 18.0", 27),
    "Split \\X extending": (EXTENDING, "16.0", None),
    "Split \\X prepending": ("GCB=Prepend", "16.0", None),
    "Split \\X after a leading jamo": (f"{EXTENDING} + GCB=L + GCB=V + GCB=LV + GCB=LVT", "16.0", None),
    "Split \\X after an open syllable": (f"{EXTENDING} + GCB=V + GCB=T", "16.0", None),
    "Split \\X after a closed syllable": (f"{EXTENDING} + GCB=T", "16.0", None),
}
"""Rule, version and number of characters of each behaviour."""

QUICK: Final = frozenset({"Punctuation", "Digits", "StripAccents", "Lowercase", "Split \\p{P}"})
"""What is looked at in every run of the tests; the rest takes two minutes."""


def looked_at(*names: str) -> dict[str, Sighting]:
    found: dict[str, Sighting] = {}
    with Asking(load_implementation("tokenizers")) as asking:
        for probe in PROBES:
            if any(behaviour.name in names for behaviour in probe.behaviours):
                found |= probe.look(asking)
    return found


def test_every_behaviour_is_told() -> None:
    assert list(FOUND) == list(BEHAVIOURS)
    assert set(FOUND) >= QUICK


def parts() -> list[object]:
    sets = [tuple(behaviour.name for behaviour in probe.behaviours) for probe in PROBES]
    return [
        pytest.param(names, id=names[0], marks=[] if QUICK.intersection(names) else [pytest.mark.slow])
        for names in sets
    ]


@pytest.mark.long_but(2)
@pytest.mark.parametrize("names", parts())
def test_the_audit_finds_what_was_measured(names: tuple[str, ...]) -> None:
    found = looked_at(*names)
    assert set(found) == set(names)
    for name, sighting in found.items():
        explanation = explained(sighting.seen)
        rule, version, count = FOUND[name]
        versions = "any" if explanation.rule.is_fixed else version_ranges(explanation.versions)
        assert (explanation.rule.words, versions, explanation.residual.count) == (rule, version, 0), name
        assert not sighting.unanswered
        assert not sighting.contradicted
        if count is not None and isinstance(sighting.seen, SetSeen):
            assert len(sighting.seen.members) == count, name


# Against the lists of the facts ---------------------------------------------------------------------------------------

LISTS: Final = {
    "Punctuation": "Punctuation set",
    "StripAccents": "StripAccents removes",
    "Digits": "host = category N",
    "Split \\p{P}": "\\p{P}**",
}
"""Behaviours, and how the heading of their list in the facts begins; a list says what to change in the host's table."""


def of_host(name: str) -> CodePoints:
    letter = {"Punctuation": "P", "StripAccents": "M", "Digits": "N", "Split \\p{P}": "P"}[name]
    found = {at for at in range(0x110000) if unicodedata.category(chr(at))[0] == letter}
    ascii_symbols = {ord(char) for char in "$+<=>^`|~"} if name == "Punctuation" else set()
    return CodePoints.of(found | ascii_symbols)


@pytest.mark.skipif(not FACTS.is_file(), reason="needs the measured facts beside the project")
@pytest.mark.skipif(unicodedata.unidata_version != "14.0.0", reason="the lists are deltas on Unicode 14.0")
@pytest.mark.parametrize("name", LISTS)
def test_sets_are_those_of_the_facts(name: str) -> None:
    text = FACTS.read_text("utf-8")
    section = text[text.index(f"**{LISTS[name]}") :].split("\n**", 1)[0]
    changes = {
        kind: CodePoints.of_ranges(
            (int(first, 16), int(last or first, 16))
            for first, _, last in (each.partition("..") for each in block.split())
        )
        for kind, block in re.findall(r"^(add|remove) \d+:\n```\n(.*?)```", section, re.MULTILINE | re.DOTALL)
    }
    assert changes
    wanted = (of_host(name) | changes.get("add", CodePoints())) - changes.get("remove", CodePoints())
    seen = looked_at(name)[name].seen
    assert isinstance(seen, SetSeen)
    assert seen.members == wanted


# What ids show --------------------------------------------------------------------------------------------------------


class IdsOnly:
    """``tokenizers``, of which nothing is shown but ids."""

    def __init__(self) -> None:
        self._inner = load_implementation("tokenizers")
        self.load = self._inner.load

    @property
    def info(self) -> ImplementationInfo:
        return replace(self._inner.info, stages=frozenset({Stage.MODEL}))


SOME = [*range(0x3000), *range(0xFE00, 0x10200), *range(0x1F600, 0x1F680), 0x10FFFF]


def test_ids_show_what_the_stages_show() -> None:
    sentinels = Sentinels("a", "b", "!")
    component = {"type": "Punctuation", "behavior": "Isolated"}
    with Asking(load_implementation("tokenizers")) as stages, Asking(IdsOnly()) as ids:
        seen = [stands(asking.cuts(component, sentinels), sentinels, SOME) for asking in (stages, ids)]
        forms = [mapping(asking.normalized({"type": "NFKC"}), Frame("|"), SOME) for asking in (stages, ids)]
        assert (stages.way, ids.way) == (Way.STAGE, Way.IDS)
    assert seen[0] == seen[1]
    assert forms[0] == forms[1]


def test_long_clusters_show_what_all_clusters_show() -> None:
    with Asking(load_implementation("tokenizers")) as asking:
        for sentinel in ("a", "\u1100", "\uac00"):
            sentinels = Sentinels(sentinel, sentinel, "\n")
            found = stands(asking.cuts(CLUSTER, sentinels), sentinels, SOME, frozenset(), sharing=True)
            before, after, lost = held_together(asking.spans(LONG_CLUSTERS), sentinel, SOME)
            assert before == found[Stand.JOINED] | found[Stand.LEFT]
            assert after == found[Stand.JOINED] | found[Stand.RIGHT]
            assert before
            assert not lost
