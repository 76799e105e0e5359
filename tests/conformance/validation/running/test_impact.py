"""How much differences touch is counted over all inputs; of whom no ids were compared it is not said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import fake_implementations as fakes
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.comparison.impact import InputImpact
from tokenizer_conformance.results.records.run import Share
from tokenizer_conformance.validation.running.events import TokenizerFinished
from tokenizer_conformance.validation.running.tally import ImpactTally, impact_of_parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance import Event

    EventsOf = Callable[..., list[Event]]


class WithSpecialTokensOnly(fakes.WrongSpecialToken):
    stages = frozenset({Stage.POST_PROCESS, Stage.DECODE})


@pytest.mark.parametrize(
    ("implementation", "is_of_special_tokens"),
    [(fakes.WrongSpecialToken, False), (WithSpecialTokensOnly, True), (fakes.Mute, None)],
)
def test_an_impact_is_known_where_ids_were_compared(
    events_of: EventsOf, implementation: type[fakes.Toy], is_of_special_tokens: bool | None
) -> None:
    (done,) = (event for event in events_of(implementation) if isinstance(event, TokenizerFinished))
    impact = done.results[0].impact
    assert (None if impact is None else impact.special_tokens) is is_of_special_tokens
    if impact is not None:
        assert (impact.documents.changed > 0) is impact.special_tokens
        assert impact.documents.total == done.inputs


def test_without_words_it_is_not_known_how_many_are_changed() -> None:
    tally = ImpactTally()
    tally.count("a", 3, InputImpact(1, 2, None))
    impact = tally.impact()
    assert (impact.documents, impact.words, impact.tokens_before, impact.tokens) == (
        Share(changed=1, total=1),
        None,
        1,
        2,
    )
    assert (impact.longer, impact.shorter) == (1, 0)


def test_what_is_counted_with_special_tokens_is_never_added_to_what_is_without() -> None:
    plain, special = ImpactTally(), ImpactTally()
    plain.count("a", 3, InputImpact(1, 2, {"LATIN": 1}))
    special.count("a", 5, InputImpact(4, 3, {"LATIN": 2}, special_tokens=True))
    parts = [plain.impact(), special.impact(special_tokens=True)]
    for order in (parts, parts[::-1]):
        whole = impact_of_parts(order)
        assert whole is not None
        assert (whole.special_tokens, whole.documents, whole.words) == (
            False,
            Share(changed=1, total=2),
            Share(changed=1, total=8),
        )
        assert (whole.tokens_before, whole.tokens, whole.longer, whole.shorter) == (1, 2, 1, 0)
    assert impact_of_parts(parts[1:]) == parts[1]


IMPACTS = st.none() | st.builds(
    InputImpact,
    st.integers(0, 9),
    st.integers(0, 9),
    st.none() | st.dictionaries(st.sampled_from(["LATIN", "HAN"]), st.integers(1, 5), max_size=2),
)
COUNTED = st.lists(st.tuples(st.sampled_from("xyz"), st.integers(0, 20), IMPACTS), max_size=8)


@given(COUNTED, COUNTED)
def test_a_tally_that_is_restored_goes_on_as_if_it_had_counted_all(
    first: list[tuple[str, int, InputImpact | None]], second: list[tuple[str, int, InputImpact | None]]
) -> None:
    whole, begun, resumed = ImpactTally(), ImpactTally(), ImpactTally()
    for each in first:
        whole.count(*each)
        begun.count(*each)
    resumed.restore(begun.impact())
    for each in second:
        whole.count(*each)
        resumed.count(*each)
    expected, found = whole.impact(), resumed.impact()
    assert found == expected
    assert found.documents == Share(
        changed=sum(share.changed for share in found.sources.values()), total=len(first) + len(second)
    )
