"""The requirements of the suite, asked of the reference and of the target: what the suite expects, both answer.

The target of chat templates is ``transformers``.

What no file shows of a quirk is asked in ``test_quirks.py``.
"""

from __future__ import annotations

from itertools import chain, groupby, islice
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.reference import ReferenceImplementation
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_adapters.transformers import TransformersImplementation
from tokenizer_conformance.validation.suite.judging import CaseVerdict
from tokenizer_conformance.validation.suite.reader import read_suite
from tokenizer_conformance.validation.suite.requirement import Importance, Place
from tokenizer_conformance.validation.suite.running import results_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.validation.suite.requirement import CaseInPlace

FEW = 4
"""How many cases of each quirk are asked where long tests are left out."""


def few_of_each_quirk() -> Iterable[CaseInPlace]:
    quirks = (case for case in read_suite().cases() if case.requirement.importance is Importance.QUIRK)
    of_each = groupby(quirks, key=lambda case: case.requirement.id)
    return chain.from_iterable(islice(cases, FEW) for _, cases in of_each)


def whole_suite() -> Iterable[CaseInPlace]:
    return read_suite().cases()


def verdicts_of(cases: Iterable[CaseInPlace], implementation: Implementation) -> dict[str, CaseVerdict]:
    return {result.judged.id: result.verdict for result in results_of(cases, implementation)}


@pytest.mark.parametrize("implementation", [ReferenceImplementation, TokenizersImplementation])
@pytest.mark.parametrize("asked", [few_of_each_quirk, pytest.param(whole_suite, marks=pytest.mark.long)])
def test_every_case_of_the_suite_passes(
    asked: Callable[[], Iterable[CaseInPlace]], implementation: type[Implementation]
) -> None:
    cases = [case for case in asked() if case.area.stage is not Place.CHAT]
    verdicts = verdicts_of(cases, implementation())
    assert {id_: verdict for id_, verdict in verdicts.items() if verdict is not CaseVerdict.PASSED} == {}
    assert len(verdicts) == len(cases) > 0


@pytest.mark.parametrize(
    ("implementation", "verdict"),
    [
        (ReferenceImplementation, CaseVerdict.PASSED),
        (TransformersImplementation, CaseVerdict.PASSED),
        (TokenizersImplementation, CaseVerdict.UNSUPPORTED),
    ],
)
def test_who_renders_templates_passes_every_case_of_them(
    implementation: type[Implementation], verdict: CaseVerdict
) -> None:
    cases = [case for case in read_suite().cases() if case.area.stage is Place.CHAT]
    assert set(verdicts_of(cases, implementation()).values()) == {verdict}
