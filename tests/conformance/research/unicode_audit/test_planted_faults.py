"""Implementations with one wrong table: each is shown with exactly that, and nothing else is blamed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from planted_unicode import extending, planted, punctuation, scripts

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.research.unicode_audit import probes
from tokenizer_conformance.research.unicode_audit.code_point_sets import CodePoints
from tokenizer_conformance.research.unicode_audit.engine import UnicodeAuditPlan, audit
from tokenizer_conformance.research.unicode_audit.page import versions_of
from tokenizer_conformance.research.unicode_audit.properties import combining_classes, named
from tokenizer_conformance.research.unicode_audit.rules import lowercase
from tokenizer_conformance.results.records.making import LastLine
from tokenizer_conformance.results.records.unicode_audit import Behaviour, Difference, Footer

if TYPE_CHECKING:
    from collections.abc import Callable

    from planted_unicode import PlantedImplementation


def audited(*implementations: PlantedImplementation, behaviours: set[str]) -> list[Behaviour | Difference | Footer]:
    """Return what is told of behaviours and of differences, and the last line."""
    told: list[Behaviour | Difference | Footer] = []
    for event in audit(UnicodeAuditPlan(implementations, frozenset(behaviours))):
        line = event.line if isinstance(event, LastLine) else event
        if isinstance(line, Behaviour | Difference | Footer):
            told.append(line)
    return told


@dataclass(frozen=True)
class Fault:
    """What makes wrong tables, the behaviour that shows them, and what must be told: rule, version and residual."""

    tables: Callable[[], dict[str, Any]]
    behaviour: str
    rule: str
    version: str
    more: str = ""
    fewer: str = ""
    other: str = ""
    texts: int = 0
    is_explained: bool = False


def moved(at: int, to: str) -> dict[str, CodePoints]:
    one = CodePoints.of([at])
    return {name: found | one if name == to else found - one for name, found in scripts("9.0").items()}


FAULTS = {
    "none": Fault(dict, "Punctuation", "P + ASCII symbols", "8.0", is_explained=True),
    "one more in punctuation": Fault(
        lambda: {"punctuation": punctuation("8.0") | CodePoints.of([0x1F600])},
        "Punctuation",
        "P + ASCII symbols",
        "8.0",
        more="1F600",
    ),
    "one less in punctuation, between others": Fault(
        lambda: {"punctuation": punctuation("8.0") - CodePoints.of([0x2E30])},
        "Punctuation",
        "P + ASCII symbols",
        "8.0",
        fewer="2E30",
    ),
    "a table of another version": Fault(
        lambda: {"numbers": named("N", "11.0")}, "Digits", "N", "11.0", is_explained=True
    ),
    "decimal numbers only": Fault(lambda: {"numbers": named("Nd", "16.0")}, "Digits", "Nd", "16.0", is_explained=True),
    "a capital left out": Fault(
        lambda: {"lowercase": {at: to for at, to in lowercase("17.0").items() if at != 0x1E9E}},
        "Lowercase",
        "full lowercase",
        "17.0",
        other="1E9E",
    ),
    "final sigma": Fault(
        lambda: {"final_sigma": True},
        "Lowercase final sigma",
        "Final_Sigma of SpecialCasing",
        "any",
        texts=2,  # its own look-around takes an apostrophe for the end of a word, and a digit for none
    ),
    "a wrong combining class": Fault(
        lambda: {"classes": {**combining_classes("9.0"), 0x327: 230}},
        "NFD combining classes",
        "Canonical_Combining_Class",
        "9.0",
        other="0327",
    ),
    "a mark that extends no cluster": Fault(
        lambda: {"extending": extending("16.0") - CodePoints.of([0x301])},
        "Split \\X extending",
        "GCB=Extend + GCB=SpacingMark + GCB=ZWJ",
        "16.0",
        fewer="0301",
    ),
    "a letter that extends clusters, and clusters of one character cannot be left out": Fault(
        lambda: {"extending": extending("16.0") | CodePoints.of([0x4E2D]), "has_sequences": False},
        "Split \\X extending",
        "GCB=Extend + GCB=SpacingMark + GCB=ZWJ",
        "16.0",
        more="4E2D",
    ),
    "a script that is wrong": Fault(
        lambda: {"scripts": moved(0x1D00, "Greek")},
        "UnicodeScripts",
        "Script, kana as Han, none as any",
        "9.0",
        other="1D00",
    ),
}


LONG = (
    "a wrong combining class",
    "a letter that extends clusters, and clusters of one character cannot be left out",
    "a script that is wrong",
)
"""What takes seconds."""


@pytest.fixture(params=["alone", pytest.param("with jamo", marks=pytest.mark.slow)])
def _clusters(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out, but in the slow run, what clusters do after jamo: it is asked with them, and no fault is in it."""
    assert not {fault.behaviour for fault in FAULTS.values()} & set(probes._JAMO)
    if request.param == "alone":
        monkeypatch.setattr(probes, "_JAMO", {})


@pytest.mark.long_but(1)
@pytest.mark.usefixtures("_clusters")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if name in LONG else ()) for name in FAULTS]
)
def test_a_fault_is_shown_with_exactly_that(name: str) -> None:
    fault = FAULTS[name]
    explained, finished = audited(planted(**fault.tables()), behaviours={fault.behaviour})
    assert isinstance(explained, Behaviour)
    assert isinstance(finished, Footer)
    residual = explained.residual
    assert (explained.rule, versions_of(explained)) == (fault.rule, fault.version)
    found = (residual.more, residual.fewer, residual.other, len(residual.texts))
    assert found == (fault.more, fault.fewer, fault.other, fault.texts)
    assert not explained.contradicted
    assert not explained.unanswered
    assert finished.conclusion is (Conclusion.CONFORM if fault.is_explained else Conclusion.DIFFERENCES)


@pytest.mark.long
def test_what_is_otherwise_alone_is_told() -> None:
    """Among others a character is doubled, alone it is not: the bulk must not hide that."""
    (explained, finished) = audited(planted(doubled_in_context="ѐ"), behaviours={"Lowercase"})
    assert isinstance(explained, Behaviour)
    assert explained.contradicted == "0450"
    assert finished.conclusion is Conclusion.DIFFERENCES  # type: ignore[union-attr]


@pytest.mark.long
def test_a_character_without_an_answer_costs_no_other() -> None:
    (explained, _) = audited(planted(fails_over="\u0e33"), behaviours={"Lowercase"})
    assert isinstance(explained, Behaviour)
    assert explained.unanswered == "0E33"
    assert explained.exact
    assert versions_of(explained) == "17.0"


@pytest.mark.long
def test_two_implementations_are_held_against_one_another() -> None:
    pair = planted("one"), planted("other", numbers=named("N", "16.0"))
    events = audited(*pair, behaviours={"Digits"})
    (differs,) = [event for event in events if isinstance(event, Difference)]
    assert differs.code_points == str(named("N", "17.0") ^ named("N", "16.0"))
    assert events[-1].conclusion is Conclusion.DIFFERENCES  # type: ignore[union-attr]


def test_what_has_no_effect_is_not_explained() -> None:
    """A component that is loaded and ignored follows no version, though "no change" leaves nothing over."""
    explained, finished = audited(planted(lowercase={}), behaviours={"Lowercase"})
    assert isinstance(explained, Behaviour)
    assert isinstance(finished, Footer)
    assert not explained.is_explained
    assert (finished.explained, finished.unexplained) == (0, 1)
    assert finished.conclusion is Conclusion.DIFFERENCES


def test_what_cannot_be_asked_is_never_explained() -> None:
    (finished,) = audited(planted(), behaviours={"Nmt deletion", "StripAccents"})
    assert isinstance(finished, Footer)
    assert (finished.explained, finished.not_asked) == (0, 2)
    assert finished.conclusion is Conclusion.NOTHING_COMPARED
