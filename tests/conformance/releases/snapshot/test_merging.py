"""Parts of a snapshot that do not make a whole are refused; what each of them counted is added."""

from __future__ import annotations

import gzip
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from msgspec import UNSET, structs
from snapshots import corpus_of, named

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.releases.snapshot.engine import SnapshotPlan, make_snapshot
from tokenizer_conformance.releases.snapshot.events import PartMade, SnapshotFinished, TokenizerAsked
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


def test_many_inputs_are_counted_too(parts: list[Snapshot]) -> None:
    inputs = structs.replace(parts[0].header.inputs, count=3000)
    many = [replace(part, count=1000, header=structs.replace(part.header, inputs=inputs)) for part in parts]
    assert parts_in_order(many)[0] == many


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
    whole = [part.footer for part in parts if part.footer is not None]
    footers = [
        structs.replace(footer, asked=(first, structs.replace(second, questions=second.questions + 1)))
        for footer in whole
        for first, second in [footer.asked]
    ]
    parts = [replace(part, footer=footer) for part, footer in zip(parts, footers, strict=True)]
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


def test_lines_of_all_parts_are_told_with_how_far_it_has_come(parts: list[Snapshot]) -> None:
    header, *events = merged_snapshot(parts, ("tokconf", "merge"))
    assert header.environment.command == ("tokconf", "merge")
    assert header == structs.replace(parts[0].header, environment=header.environment, shard=UNSET, merged=header.merged)
    assert [(each.name, each.shard.part, each.state) for each in header.merged] == [
        (f"{number}.gz", number, None) for number in (1, 2, 3)
    ]
    told = [(each.part.line, each.place) for each in events if isinstance(each, PartMade)]
    inputs = [line.content for part in parts for line in part.between() if line.kind == "input"]
    expected = [(line, Place("inputs", number, 6)) for number, line in enumerate(inputs, 1)]
    loaded = [line.content for line in parts[0].between() if line.kind == "tokenizer"]
    for name, line in zip(("toy-tokenizer", "other"), loaded, strict=True):
        answers = [each.content for part in parts for each in part.answers(name)]
        expected += [(each, Place(name, number, 6)) for number, each in enumerate([line, *answers])]
    assert told == expected


def test_what_all_parts_say_is_told_as_the_first_says_it(parts: list[Snapshot]) -> None:
    inputs = structs.replace(parts[0].header.inputs, count=9)
    header = structs.replace(parts[0].header, inputs=inputs)
    others = [
        replace(part, header=structs.replace(header, shard=part.header.shard), tokenizers=part.tokenizers[::-1])
        for part in parts[1:]
    ]
    told, *events = merged_snapshot([parts[0], *others], ())
    assert told.inputs.count == 6
    assert [each.tokenizer for each in events if isinstance(each, TokenizerAsked)] == ["toy-tokenizer", "other"]
    assert {each.place.total for each in events if isinstance(each, PartMade)} == {6}


def test_an_interrupt_and_a_part_that_was_changed_end_it(parts: list[Snapshot]) -> None:
    events = merged_snapshot(parts, ())
    next(event for event in events if isinstance(event, TokenizerAsked))
    assert str(STATUS.line()).startswith("toy-tokenizer: merging")
    end = events.throw(KeyboardInterrupt)
    assert isinstance(end, SnapshotFinished)
    assert (end.conclusion, end.finished, end.reason) == (Conclusion.INTERRUPTED, False, "interrupted")
    assert end.tokenizers == 1
    kept = gzip.decompress(parts[1].path.read_bytes()).splitlines(keepends=True)[:4]
    parts[1].path.write_bytes(gzip.compress(b"".join(kept)))
    *_, refused, end = merged_snapshot(parts, ())
    assert isinstance(refused, InputRefused)
    assert isinstance(end, SnapshotFinished)
    assert (end.conclusion, end.finished, end.reason) == (Conclusion.BAD_INPUT, False, refused.refusal.reason)
    assert "was changed while it was read" in str(end.reason)
