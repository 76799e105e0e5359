"""What the probes of a variant say in sum."""

from __future__ import annotations

import pytest

from tokenizer_conformance.causes.classes.variant_study import Probed


@pytest.mark.parametrize(
    ("probed", "holds", "tells", "is_borne_out"),
    [
        (Probed(), False, False, False),
        (Probed(both=1), True, False, False),
        (Probed(variant=1), False, True, True),
        (Probed(both=1, variant=1), True, True, True),
        (Probed(both=2, variant=2, neither=2), True, True, True),
        (Probed(both=2, variant=2, neither=3), True, True, False),
        (Probed(neither=1), False, True, False),
        (Probed(both=1, reference=1), False, True, False),
        (Probed(both=1, variant=9, reference=1), False, True, False),
    ],
)
def test_what_probes_say(probed: Probed, holds: bool, tells: bool, is_borne_out: bool) -> None:
    assert (probed.holds, probed.tells, probed.is_borne_out) == (holds, tells, is_borne_out)


def test_probes_are_added() -> None:
    assert Probed(1, 2, 3, 4) + Probed(10, 20, 30, 40) == Probed(11, 22, 33, 44)


def test_probes_are_told_in_a_sentence() -> None:
    told = (
        "Of other questions, all three answer alike on 1; on 2 the implementation answers as the variant, and not as "
    )
    assert Probed(1, 2, neither=4).sentence == f"{told}the reference."
    assert Probed(1, 2, 3, 4).sentence == f"{told}the reference; on 3 it is the other way round."
