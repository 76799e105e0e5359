"""The memory of a diff depends on how long texts are, and not on how many there are."""

from __future__ import annotations

import gc
import tracemalloc
from typing import TYPE_CHECKING

import fake_implementations as fakes
import pytest
from snapshots import Making, named, of_type

from tokenizer_conformance.comparison import batching
from tokenizer_conformance.releases.diff.engine import diff
from tokenizer_conformance.releases.diff.preparation import Wanted, diff_plan
from tokenizer_conformance.releases.snapshot_file import replay
from tokenizer_conformance.validation.running.events import RunFinished

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tokenizer_adapters.contract import Implementation, Observation, Outcome
    from tokenizer_conformance import Input
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.releases.snapshot_file.reader import Snapshot

CHARACTERS = 400
"""Of a text: the answers about a few take more memory than all that a diff holds beside them."""

AT_ONCE = 5
"""So many of these texts are asked about ahead."""


class InBatches(fakes.Toy):
    class subject(fakes.ToySubject):  # noqa: N801
        def observe_all(self, observations: Sequence[Observation]) -> list[Outcome]:
            return [self.observe(observation) for observation in observations]


@pytest.fixture
def making(tmp_path: Path, toy_file: TokenizerFile) -> Making:
    return Making(tmp_path, (toy_file,))


def texts(count: int) -> tuple[Input, ...]:
    """Return texts that are all different, and of one length."""
    return named([f"{number:06} {'abc ' * CHARACTERS}"[:CHARACTERS] for number in range(count)])


def peak(old: Snapshot, new: Snapshot | Implementation) -> int:
    """Return the most memory, in bytes, that a diff takes while its events are taken one by one."""
    gc.collect()
    tracemalloc.start()
    for event in diff(diff_plan(old, new, None, {}, Wanted())):
        last = event
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert of_type([last], RunFinished)[0].exit_status == 0
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    ("new", "few", "many"),
    [
        pytest.param(None, 3, 20, id="of two snapshots"),
        pytest.param(fakes.Toy(), 3, 20, id="with what is installed"),
        pytest.param(InBatches(), 3 * AT_ONCE, 8 * AT_ONCE, id="with what is asked ahead"),
    ],
)
def test_memory_does_not_grow_with_the_number_of_texts(
    making: Making, monkeypatch: pytest.MonkeyPatch, new: Implementation | None, few: int, many: int
) -> None:
    monkeypatch.setattr(batching, "CHARACTERS_AT_ONCE", AT_ONCE * CHARACTERS)
    monkeypatch.setattr(replay, "MOST_CHARACTERS", AT_ONCE * CHARACTERS)
    taken = []
    for count in (few, few, many):  # the first time pays for what is made once
        snapshot = making.snapshot(f"{count}.gz", fakes.Toy(), texts(count))
        taken.append(peak(snapshot, new or snapshot))
    _, before, after = taken
    assert after < 1.3 * before
