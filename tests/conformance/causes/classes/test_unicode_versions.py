"""Another Unicode version is the reason where it treats the characters that no version changed as the baseline does."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from tokenizer_adapters.contract import Normalize, PreTokenize, Stage
from tokenizer_adapters.variants.unicode_history import VERSIONS
from tokenizer_conformance.causes.classes.unicode_versions import MOST_CHARACTERS, unicode_version
from tokenizer_conformance.causes.classes.variant_study import Probed, Stand, Study

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_adapters.contract import Observation

NEW = "\u1c90"
"""A capital, with its category and its lower case, since Unicode 11."""


HOLDS = Probed(both=1, variant=1)


class MadeUp:
    """A study in which the implementation has older tables; how it treats other characters is what is made up."""

    proviso = ("So far.",)

    def __init__(self, long_known: Stand = Stand.BOTH, probed: Probed = HOLDS, text: str = NEW) -> None:
        self.witness = SimpleNamespace(stage=Stage.NORMALIZE)
        self.text = text
        self.question = Normalize(text)
        self._stand = long_known
        self._probed = probed
        self.tried: list[Any] = []

    def can_matter_before_the_model(self, _change: object) -> bool:
        return True

    def explains(self, change: Any) -> bool:
        self.tried.append(change)
        return bool(VERSIONS.index(change.version) < VERSIONS.index("11.0"))

    def explains_with(self, *_changes: object) -> None:
        return None

    def answer(self, _question: Observation) -> None:
        return None

    def replacing(self, old: str, others: Iterable[str]) -> list[Observation]:
        return list(Study.replacing(cast("Study", self), old, others))

    def stand(self, _question: Observation, _changes: object) -> Stand:
        return self._stand

    def probed(self, _changes: object, probes: Iterable[Observation]) -> Probed:
        list(probes)
        return self._probed

    def around(self) -> list[Observation]:
        return [PreTokenize("a")]


def reasons(study: MadeUp) -> list[Any]:
    return [each.reason for each in unicode_version(cast("Study", study))]


def test_older_tables_are_the_reason_with_what_they_say() -> None:
    (reason,) = reasons(MadeUp())
    assert (reason.name, reason.parameter) == ("unicode-version", "older categories")
    said, category, alphabetic, *_, probed, proviso = reason.proof
    assert said == "With the categories older than Unicode 11.0, the reference gives the very answer."
    assert category == "General_Category of U+1C90: unassigned before, Lu since Unicode 11.0."
    assert alphabetic == "Alphabetic of U+1C90: none before, Alphabetic since Unicode 11.0."
    assert (probed, proviso) == (Probed(both=2, variant=2).sentence, "So far.")


@pytest.mark.parametrize(
    "study",
    [
        MadeUp(long_known=Stand.VARIANT),
        MadeUp(long_known=Stand.NEITHER),
        MadeUp(probed=Probed(variant=1)),
        MadeUp(probed=Probed(both=1, variant=1, reference=1)),
        MadeUp(probed=Probed(both=1, variant=1, neither=3)),
        MadeUp(text="a"),
        MadeUp(text="".join(map(chr, range(0x1C90, 0x1C90 + MOST_CHARACTERS + 1)))),
    ],
    ids=["long known", "long known in a third way", "no control", "right", "a third way", "nothing new", "too many"],
)
def test_what_speaks_against_it(study: MadeUp) -> None:
    assert reasons(study) == []


def test_ids_have_no_unicode_version() -> None:
    study = MadeUp()
    study.witness.stage = Stage.DECODE
    assert reasons(study) == []


def test_what_one_group_of_properties_does_not_bear_out_all_do_not() -> None:
    study = MadeUp(long_known=Stand.NEITHER)
    assert reasons(study) == []
    assert all(len(each.properties) == 1 for each in study.tried)
