"""What becomes of outcomes, whatever they are about: laws that hold for all kinds of records."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from record_pairs import MIRRORED

from tokenizer_conformance.releases.diff.records.changes import (
    FAILING,
    Aspect,
    Change,
    Changed,
    Key,
    Outcome,
    State,
    changes_between,
)

KEYS = [Key(Aspect.CASE, "mine", str(number)) for number in range(4)]


def outcomes() -> st.SearchStrategy[dict[Key, Outcome]]:
    one = st.builds(
        lambda state, count, gravity, manner: (state, count, gravity, manner),
        st.sampled_from(State),
        st.integers(0, 2),
        st.integers(0, 1),
        st.sampled_from(["", "other"]),
    )
    made = st.dictionaries(st.sampled_from(KEYS), one)
    return made.map(
        lambda found: {
            key: Outcome(key, state, "", counts={"inputs": count}, gravity=gravity, manner=manner)
            for key, (state, count, gravity, manner) in found.items()
        }
    )


LACKING = st.sets(st.sampled_from(KEYS))


def found(then: dict[Key, Outcome], now: dict[Key, Outcome], less: set[Key], lacking: set[Key]) -> dict[Key, Changed]:
    def lacks(which: set[Key], outcome: Outcome) -> str:
        return "not asked" if outcome.key in which else ""

    made = list(changes_between(then, now, lambda each: lacks(less, each), lambda each: lacks(lacking, each)))
    assert len({each.key for each in made}) == len(made)
    return {each.key: each for each in made}


@given(outcomes(), LACKING)
def test_nothing_changes_in_a_record_beside_itself(side: dict[Key, Outcome], lacking: set[Key]) -> None:
    made = found(side, side, lacking, lacking)
    assert {each.change for each in made.values()} <= {Change.SAME, Change.NOT_COMPARABLE}


@given(outcomes(), outcomes(), LACKING, LACKING)
def test_exchanged_sides_mirror_each_other(
    then: dict[Key, Outcome], now: dict[Key, Outcome], less: set[Key], lacking: set[Key]
) -> None:
    forth, back = found(then, now, less, lacking), found(now, then, lacking, less)
    assert {key: MIRRORED[each.change] for key, each in forth.items()} == {
        key: each.change for key, each in back.items()
    }


@given(outcomes(), outcomes(), LACKING, LACKING)
def test_nothing_is_new_or_fixed_that_one_side_did_not_compare(
    then: dict[Key, Outcome], now: dict[Key, Outcome], less: set[Key], lacking: set[Key]
) -> None:
    for key, each in found(then, now, less, lacking).items():
        if each.change in (Change.NEW, Change.NEW_AND_KNOWN):
            assert key not in less
        if each.change in (Change.FIXED, Change.FIXED_AND_KNOWN):
            assert key not in lacking
        if each.change in FAILING:
            assert each.now is not None
            assert each.now.state is State.FAILS


def test_every_change_has_its_mirror_image() -> None:
    assert set(MIRRORED) == set(Change)
    assert all(MIRRORED[MIRRORED[change]] is change for change in Change)
