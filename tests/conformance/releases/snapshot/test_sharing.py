"""A snapshot that several machines or processes make is the one that one process makes."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from hypothesis import given
from hypothesis import strategies as st
from snapshots import Making, corpus_of, named

from tokenizer_adapters.selection import ALL, Isolation, select
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.releases.snapshot.asking import Asking, Batch, BatchAnswered, Setup, begin
from tokenizer_conformance.releases.snapshot.engine import SnapshotPlan, make_snapshot
from tokenizer_conformance.releases.snapshot.events import PartMade, SnapshotFinished
from tokenizer_conformance.releases.snapshot.merging import merged_snapshot, parts_in_order
from tokenizer_conformance.releases.snapshot.writing import SnapshotReport
from tokenizer_conformance.releases.snapshot_file.placed_file import PlacedFile
from tokenizer_conformance.releases.snapshot_file.reader import Snapshot, read_snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

TEXTS = ("abc", "aBc d", "x", "", "zebra crossing", "éa 🎉b", "x") * 12


def write(path: Path, events: Iterable[Any]) -> list[Any]:
    """Write the snapshot that ``events`` make, and return them."""
    file = PlacedFile(path)
    report = SnapshotReport(file)
    seen = []
    for event in events:
        report.handle(event)
        seen.append(event)
    file.close()
    return seen


def content(path: Path) -> tuple[list[bytes], list[dict[str, Any]]]:
    """Return the lines of a snapshot, header and footer apart, without what tells the time or the command."""
    lines = gzip.decompress(path.read_bytes()).splitlines()
    ends = [json.loads(lines[number]) for number in (0, -1)]
    of_one = {"environment", "merged", "shard", "seconds", "asking", "sha256"}
    return lines[1:-1], [{key: end[key] for key in end if key not in of_one} for end in ends]


def last(events: list[Any]) -> SnapshotFinished:
    assert isinstance(events[-1], SnapshotFinished)
    return events[-1]


@pytest.fixture
def plan_of(toy_file: TokenizerFile) -> Callable[..., SnapshotPlan]:
    """A function that makes a plan of a snapshot of a fake about two tokenizers."""

    def plan(implementation: Any, *sources: Iterable[str], **options: Any) -> SnapshotPlan:
        other = replace(toy_file, source=replace(toy_file.source, name="other"))
        return SnapshotPlan(
            implementation=implementation,
            word=implementation.info.name,
            tokenizers=(toy_file, other),
            words={"toy-tokenizer": "toy", "other": "other"},
            corpus=corpus_of(*(named(tuple(texts), f"source {number}") for number, texts in enumerate(sources))),
            **options,
        )

    return plan


def parts_of(plan: SnapshotPlan, of: int, folder: Path) -> list[Snapshot]:
    """Return the snapshots of all parts of ``plan``."""
    paths = [folder / f"{number}.gz" for number in range(1, of + 1)]
    for number, path in enumerate(paths, 1):
        write(path, make_snapshot(replace(plan, shard=Shard(number, of))))
    return [read_snapshot(path) for path in paths]


@pytest.mark.long_but(2)
@pytest.mark.parametrize(
    "fake", [fakes.Toy, fakes.Raising, fakes.Crashing, fakes.CannotLoad], ids=lambda fake: fake.name
)
def test_the_parts_make_the_whole(fake: Any, plan_of: Callable[..., SnapshotPlan], tmp_path: Path) -> None:
    folders = map("{}".format, count())

    @given(st.lists(st.lists(st.text("ab x", max_size=9), max_size=6), max_size=3), st.integers(1, 9), st.randoms())
    def check(sources: list[list[str]], of: int, random: Any) -> None:
        folder = tmp_path / next(folders)
        folder.mkdir()
        plan = plan_of(fake(), *sources)
        whole = last(write(folder / "whole.gz", make_snapshot(plan)))
        parts = parts_of(plan, of, folder)
        random.shuffle(parts)
        ordered, absent = parts_in_order(parts)
        merged = last(write(folder / "merged.gz", merged_snapshot(ordered, ("tokconf", "merge"))))
        assert not absent
        assert content(folder / "merged.gz") == content(folder / "whole.gz")
        assert (merged.conclusion, merged.inputs, merged.questions) == (whole.conclusion, whole.inputs, whole.questions)
        found = read_snapshot(folder / "merged.gz")
        assert found.header.part is None
        assert [each.shard.part for each in found.header.merged or ()] == list(range(1, of + 1))

    check()


def test_a_part_has_its_own_inputs_alone(plan_of: Callable[..., SnapshotPlan], tmp_path: Path) -> None:
    parts = parts_of(plan_of(fakes.Toy(), TEXTS), 8, tmp_path)
    assert [each.id for part in parts for each in part.inputs()] == [each.id for each in named(TEXTS, "source 0")]
    assert all(part.count for part in parts)
    assert [part.header.part.part for part in parts if part.header.part] == list(range(1, 9))


def test_a_process_answers_batches_of_several_tokenizers_as_it_is_asked(
    in_processes: Callable[..., SnapshotPlan],
) -> None:
    plan = in_processes("toy", TEXTS[:7])
    assert plan.selected is not None
    inputs = tuple(plan.corpus)
    done = begin(Setup(plan.selected, plan.stages))
    for source in (each.source for each in plan.tokenizers):
        asking = Asking(loaded(fakes.Toy(), source), plan.stages)
        for batch in (Batch(source), Batch(source, 0, inputs[:4]), Batch(source, 4, inputs[4:])):
            found = done(batch)
            assert isinstance(found, BatchAnswered)
            assert found.answered == tuple(asking.answered(batch.first, batch.inputs))
            assert len(found.answered) == len(batch.inputs)
            assert 0 <= found.waited <= found.seconds


@pytest.fixture
def parts(plan_of: Callable[..., SnapshotPlan], tmp_path: Path) -> list[Snapshot]:
    return parts_of(plan_of(fakes.Toy(), TEXTS[:7]), 3, tmp_path)


def test_what_does_not_belong_together_is_refused(
    parts: list[Snapshot], plan_of: Callable[..., SnapshotPlan], tmp_path: Path
) -> None:
    def refused(*wrong: Snapshot) -> str:
        with pytest.raises(BadInputError) as caught:
            parts_in_order(wrong)
        return str(caught.value)

    (tmp_path / "others").mkdir()
    others = parts_of(plan_of(fakes.Toy(), TEXTS[:6]), 3, tmp_path / "others")
    assert "is a part of another run" in refused(parts[0], others[1], parts[2])
    assert "part 2 of 3 is there twice" in refused(parts[1], *parts)
    making = Making(tmp_path, plan_of(fakes.Toy(), TEXTS).tokenizers)
    assert "is the record of a whole run" in refused(making.snapshot("whole.gz", fakes.Toy(), named(TEXTS)))
    merged = tmp_path / "merged.gz"
    write(merged, merged_snapshot(parts, ()))
    assert "was merged of 3 parts already" in refused(read_snapshot(merged))
    footer = parts[1].footer
    assert footer is not None
    cut = replace(parts[1], footer=None)
    assert "2.gz' is not whole (it was cut off): make this part again" in refused(parts[0], cut, parts[2])
    loaded = replace(parts[1].tokenizers[0], vocabulary=(3, "another one"))
    other = replace(parts[1], tokenizers=(loaded, *parts[1].tokenizers[1:]))
    assert "says that 'toy-tokenizer' was loaded in another way than" in refused(parts[0], other, parts[2])


def test_missing_parts_are_named(parts: list[Snapshot]) -> None:
    assert parts_in_order([parts[1]])[1] == ["parts 1, 3 of 3 are missing"]


# Processes ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def in_processes(
    plugin: Path, monkeypatch: pytest.MonkeyPatch, plan_of: Callable[..., SnapshotPlan]
) -> Callable[..., SnapshotPlan]:
    """A function that makes a plan of a fake that is built by its name, in other processes as well."""
    monkeypatch.syspath_prepend(str(plugin))

    def plan(name: str, *sources: Iterable[str], **options: Any) -> SnapshotPlan:
        selected = select(name, Isolation(in_process=frozenset({ALL})))
        return plan_of(selected.build(), *sources, selected=selected, **options)

    return plan


@pytest.mark.parametrize("name", ["toy", "raising", "cannot-load"])
def test_two_processes_make_what_one_makes(
    in_processes: Callable[..., SnapshotPlan], tmp_path: Path, name: str
) -> None:
    ends = []
    for jobs in (1, 2):
        plan = in_processes(name, TEXTS[:40], TEXTS[40:], jobs=jobs)
        ends.append(last(write(tmp_path / f"{jobs}.gz", make_snapshot(plan))))
    assert content(tmp_path / "2.gz") == content(tmp_path / "1.gz")
    assert ends[0].conclusion is ends[1].conclusion
    assert ends[1].finished


@pytest.mark.parametrize(("jobs", "doing"), [(1, "asking (toy)"), (2, "asking in 2 processes (toy)")])
def test_it_is_told_that_it_is_asking(in_processes: Callable[..., SnapshotPlan], jobs: int, doing: str) -> None:
    said = {
        str(STATUS.line()).partition(",")[0]  # then how long it takes, where that is a second
        for event in make_snapshot(in_processes("toy", TEXTS, jobs=jobs))
        if isinstance(event, PartMade) and event.place.name == "toy-tokenizer" and event.place.done
    }
    assert said == {f"toy-tokenizer: {doing}"}


KILLED = """
import os, signal
import fake_implementations


class Killed(fake_implementations.Toy):
    name = "killed"

    class subject(fake_implementations.Toy.subject):
        def observe(self, question):
            if getattr(question, "text", "") == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            return super().observe(question)
"""


def test_a_process_that_is_lost_ends_it_in_good_order(
    in_processes: Callable[..., SnapshotPlan], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "killing.py").write_text(KILLED)
    monkeypatch.syspath_prepend(str(tmp_path))
    plan = in_processes("killing:Killed", [*TEXTS, "kill", *TEXTS], jobs=2)
    events = write(tmp_path / "a.gz", make_snapshot(plan))
    (error,) = (event.error for event in events if isinstance(event, InternalError))
    lost = "a process that asks is lost twice over the same texts: killed by signal 9 (SIGKILL)"
    assert str(error).startswith(lost)
    assert (last(events).conclusion, last(events).finished) == (Conclusion.INTERNAL_ERROR, False)
    left = read_snapshot(tmp_path / "a.gz.partial", partial=True)
    answered = sum(1 for _ in left.answers("toy-tokenizer"))
    assert 0 < answered <= len(TEXTS)
    assert last(events).inputs == answered
    assert not (tmp_path / "a.gz").exists()
