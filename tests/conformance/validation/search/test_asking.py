"""What comes of a case, and where a side is lost over it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest

from tokenizer_adapters.contract import Crashed, Encode, Normalize, Outcome, PreTokenize
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.validation.search.asking import CaseAsker
from tokenizer_conformance.validation.search.cases import Case

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile


class LostOverB(fakes.Toy):
    """Loses its process over a text with a B in it."""

    name = "lost-over-b"

    class subject(fakes.ToySubject):  # noqa: N801
        def observe(self, observation: Observation) -> Outcome:
            if isinstance(observation, Normalize) and "B" in observation.text:
                return Crashed("gone")
            return super().observe(observation)


@pytest.mark.parametrize(("texts", "lost"), [(("a", "aB", "c"), [False, True, False]), (("B", "b"), [True, False])])
def test_a_side_is_lost_over_its_own_case_alone(
    plan_of: Any, toy_file: TokenizerFile, texts: tuple[str, ...], lost: list[bool]
) -> None:
    plan = plan_of(LostOverB)
    (pairing,) = plan.pairings
    with Bench(fakes.Toy(), LostOverB()) as bench:
        asker = CaseAsker(bench.trial(toy_file.source), plan.known(pairing))
        cases = [Case(number, text) for number, text in enumerate(texts)]
        assert [result.is_lost for result in asker.results(cases)] == lost
        assert [asker.result(case).is_lost for case in cases] == lost


def test_known_differences_are_counted_by_their_entries_and_new_ones_by_questions() -> None:
    def difference(field: str, detail: str = "") -> Any:
        return SimpleNamespace(field=field, verdict="v", kind="k", party="p", detail=detail)

    def comparison(*differences: Any, agreed: int = 0) -> Any:
        return SimpleNamespace(differences=differences, agreed=(0,) * agreed, unstable=("u",) * agreed)

    entries = {"tokens": "one entry", "ids": "one entry", "offsets": "another"}
    trial: Any = SimpleNamespace(baseline=None, implementation=None, document=None)
    known: Any = SimpleNamespace(entry_for=lambda _question, each: entries.get(each.field))
    compared: dict[Any, Any] = {
        Normalize("a"): comparison(difference("tokens"), difference("ids"), difference("text"), agreed=2),
        Normalize("b"): comparison(difference("offsets"), difference("text")),
        Normalize("c"): comparison(difference("text", "in another way")),
        Encode("d"): comparison(difference("type_ids"), agreed=1),
        PreTokenize("e"): comparison(),
    }
    result = CaseAsker(trial, known)._told(compared)
    assert result.known == {"one entry": 2, "another": 1}
    assert result.mismatches == (Normalize("a"), Normalize("c"))
    assert (result.differing, result.unstable, result.is_lost) == (3, 3, False)
    assert (result.questions, result.values) == (5, 3)
