"""Parts of a snapshot that do not make a whole are refused; what each of them counted is added."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from msgspec import structs
from snapshots import corpus_of, named

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.releases.snapshot.engine import SnapshotPlan, make_snapshot
from tokenizer_conformance.releases.snapshot.events import SnapshotFinished, TokenizerAsked
from tokenizer_conformance.releases.snapshot.merging import merged_snapshot, parts_in_order
from tokenizer_conformance.releases.snapshot.writing import SnapshotReport
from tokenizer_conformance.releases.snapshot_file.placed_file import PlacedFile
from tokenizer_conformance.releases.snapshot_file.reader import Snapshot, read_snapshot

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

TEXTS = ("abc", "x", "", "zebra", "x y", "aBc")


@pytest.fixture
def parts(toy_file: TokenizerFile, tmp_path: Path) -> list[Snapshot]:
    """Three parts of a snapshot of one that raises about some texts, with two tokenizers."""
    other = replace(toy_file, source=replace(toy_file.source, name="other"))
    plan = SnapshotPlan(
        implementation=fakes.Raising(),
        word="raising",
        tokenizers=(toy_file, other),
        words={"toy-tokenizer": "toy", "other": "other"},
        corpus=corpus_of(named(TEXTS)),
    )
    made = []
    for number in (1, 2, 3):
        file = PlacedFile(tmp_path / f"{number}.gz")
        report = SnapshotReport(file)
        for event in make_snapshot(replace(plan, shard=Shard(number, 3))):
            report.handle(event)
        file.close()
        made.append(read_snapshot(tmp_path / f"{number}.gz"))
    return made


def refused(parts: list[Snapshot]) -> str:
    with pytest.raises(BadInputError) as caught:
        parts_in_order(parts)
    return str(caught.value)


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("more", [-1, 1])
def test_parts_have_as_many_inputs_as_the_snapshot(parts: list[Snapshot], number: int, more: int) -> None:
    assert parts_in_order(parts)[0] == parts
    parts[number] = replace(parts[number], count=parts[number].count + more)
    assert refused(parts) == f"the parts have {6 + more} inputs together, and the snapshot has 6"


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("tokenizer", [0, 1])
@pytest.mark.parametrize(
    "change",
    [
        {"vocabulary": (3, "another one")},
        {"files": ("another.json",)},
        {"shows": {}},
        {"saved": "{}"},
        {"error": "no"},
        {"name": "another one"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_every_tokenizer_is_loaded_alike_in_every_part(
    parts: list[Snapshot], number: int, tokenizer: int, change: dict[str, Any]
) -> None:
    loaded = list(parts[number].tokenizers)
    loaded[tokenizer] = replace(loaded[tokenizer], **change)
    parts[number] = replace(parts[number], tokenizers=tuple(loaded))
    told = refused(parts)
    assert f"{number + 1}.gz' says that {parts[0].tokenizers[tokenizer].name!r} was loaded in another way than" in told


def test_why_a_tokenizer_is_refused_may_be_said_otherwise(parts: list[Snapshot]) -> None:
    refusing = [
        replace(part, tokenizers=tuple(replace(each, error=f"no {number}") for each in part.tokenizers))
        for number, part in enumerate(parts)
    ]
    assert parts_in_order(refusing)[0] == refusing


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize(
    ("footer", "reason"), [(None, "it was cut off"), ({"finished": False, "reason": "interrupted"}, "interrupted")]
)
def test_a_part_that_is_not_whole_is_refused(
    parts: list[Snapshot], number: int, footer: dict[str, Any] | None, reason: str
) -> None:
    part = parts[number]
    assert part.footer is not None
    parts[number] = replace(part, footer=None if footer is None else structs.replace(part.footer, **footer))
    assert f"{number + 1}.gz' is not whole ({reason}): make this part again" in refused(parts)


def test_what_parts_counted_is_added(parts: list[Snapshot]) -> None:
    footers = [part.footer for part in parts if part.footer is not None]
    events = list(merged_snapshot(parts, ("tokconf", "merge")))
    end = events[-1]
    assert isinstance(end, SnapshotFinished)
    assert (end.conclusion, end.finished, end.inputs) == (Conclusion.CONFORM, True, 2 * len(TEXTS))
    assert (end.seconds, end.asking) == (
        pytest.approx(sum(footer.seconds for footer in footers)),
        pytest.approx(sum(footer.asking for footer in footers)),
    )
    asked = {each.tokenizer: each for each in events if isinstance(each, TokenizerAsked)}
    assert set(asked) == {"toy-tokenizer", "other"}
    for each in asked.values():
        counts = [found for footer in footers for found in footer.asked if found.tokenizer == each.tokenizer]
        assert len(counts) == 3
        assert each.questions == sum(found.questions for found in counts)
        errors = sum(found.without_value.get("error", 0) for found in counts)
        assert each.without_value["error"] == errors > max(found.without_value.get("error", 0) for found in counts)
    assert end.questions == sum(each.questions for each in asked.values())
