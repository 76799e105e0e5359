"""What a comparison of releases finds, step by step, and what it does where something is in its way."""

from __future__ import annotations

import errno
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from fake_releases import TEXTS, compared, last, plan_of, released, steps
from long_cases import long_but
from snapshots import named, of_type

from tokenizer_adapters.contract import Field, Stage
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.ledger.reader import read_ledgers
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.releases.snapshot.events import PartMade
from tokenizer_conformance.releases.versions import snapshots
from tokenizer_conformance.releases.versions.engine import compare_releases
from tokenizer_conformance.releases.versions.facts import Fact, NoFactsError
from tokenizer_conformance.releases.versions.matrix import TokenizerMatrix
from tokenizer_conformance.releases.versions.snapshots import SnapshotReady
from tokenizer_conformance.results.records.versions import Header, Refused, Section
from tokenizer_conformance.validation.running.events import InputCompared

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tokenizer_adapters.contract import TokenizerSource
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.releases.versions.facts import Release


# Steps ----------------------------------------------------------------------------------------------------------------

FAULTS = [
    (fakes.WrongNormalization, Stage.NORMALIZE, 1),
    (fakes.WrongPieces, Stage.PRE_TOKENIZE, 1),
    (fakes.ShiftedOffset, Stage.MODEL, 6),
    (fakes.WrongSpecialToken, Stage.POST_PROCESS, 6),
    (fakes.LossyDecode, Stage.DECODE, 1),
]


@pytest.mark.long_but(2)
@pytest.mark.parametrize(("faulty", "stage", "inputs"), FAULTS, ids=lambda each: getattr(each, "name", None))
def test_the_step_with_the_fault_is_named(
    faulty: type[fakes.Toy], stage: Stage, inputs: int, tmp_path: Path, toy_file: TokenizerFile
) -> None:
    texts = ("abc", "aBc d", "a-b", "zebra", "dd ", "b c")
    events = compared(
        plan_of(released(fakes.Toy, fakes.Toy, faulty, faulty), (toy_file,), tmp_path, named(texts), cause_seconds=60.0)
    )
    before, step, after = steps(events)
    assert not before.is_new
    assert not after.is_new
    assert (before.inputs, after.inputs) == (0, 0)
    assert (step.old, step.new) == ("tokenizers==2.0", "tokenizers==3.0")
    (finished,) = step.tokenizers
    (row,) = finished.results
    assert set(row.blamed) == {stage}
    assert step.inputs == row.failing_inputs >= row.blamed[stage] == inputs
    assert step.causes
    assert {cause.witness.stage for cause in step.causes} == {stage}
    assert row.impact is not None
    assert row.impact.documents.total == len(texts)
    assert last(events).conclusion is Conclusion.DIFFERENCES
    assert last(events).exit_status == 1


def test_nothing_changed(tmp_path: Path, toy_file: TokenizerFile) -> None:
    events = compared(plan_of(released(fakes.Toy, fakes.Toy), (toy_file,), tmp_path))
    (step,) = steps(events)
    assert (step.inputs, step.loading, step.tokenizers, step.causes) == (0, (), (), ())
    assert (last(events).finished, last(events).exit_status) == (True, 0)


def test_a_fault_that_is_repaired_again_is_two_changes(tmp_path: Path, toy_file: TokenizerFile) -> None:
    events = compared(plan_of(released(fakes.Toy, fakes.LossyDecode, fakes.Toy), (toy_file,), tmp_path))
    assert [step.inputs for step in steps(events)] == [1, 1]
    (matrix,) = of_type(events, TokenizerMatrix)
    assert matrix.inputs == {(0, 1): 1, (1, 2): 1}


def test_a_tokenizer_that_a_release_refuses(tmp_path: Path, toy_file: TokenizerFile) -> None:
    events = compared(plan_of(released(fakes.Toy, fakes.CannotLoad, fakes.LossyDecode), (toy_file,), tmp_path))
    refused, loads = steps(events)
    (change,) = refused.loading
    assert (change.change.what, change.change.old) == ("load", "loads")
    assert "it never does" in change.change.new
    (change,) = loads.loading
    assert (change.change.what, change.change.new) == ("load", "loads")
    assert refused.is_new
    assert loads.is_new
    assert last(events).exit_status == 1


class OneFaultEach(fakes.Toy):
    """Loses every z with the toy, and leaves a capital B as it is with all others."""

    def load(self, source: TokenizerSource) -> fakes.ToySubject:
        return (fakes.LossyDecode() if source.name == "toy-tokenizer" else fakes.WrongNormalization()).load(source)


def test_what_differs_with_one_tokenizer_is_not_unstable_with_the_next(tmp_path: Path, toy_file: TokenizerFile) -> None:
    other = replace(toy_file, source=replace(toy_file.source, name="other"))
    events = compared(plan_of(released(fakes.Toy, OneFaultEach), (toy_file, other), tmp_path))
    (step,) = steps(events)
    assert [row.failing_inputs for each in step.tokenizers for row in each.results] == [1, 2]
    assert (step.inputs, step.unstable, step.unconfirmed) == (3, 0, 0)


def test_a_release_that_crashes_on_a_text(tmp_path: Path, toy_file: TokenizerFile) -> None:
    events = compared(plan_of(released(fakes.Toy, fakes.Crashing), (toy_file,), tmp_path))
    (step,) = steps(events)
    (finished,) = step.tokenizers
    (row,) = finished.results
    assert step.inputs == row.failing_inputs == 1
    assert last(events).exit_status == 1


def test_releases_that_show_less_are_no_change(tmp_path: Path, toy_file: TokenizerFile) -> None:
    events = compared(plan_of(released(fakes.Toy, fakes.ShowsModelOnly), (toy_file,), tmp_path))
    assert [step.is_new for step in steps(events)] == [False]
    assert last(events).exit_status == 0


def test_only_wanted_fields_and_stages_are_a_change(tmp_path: Path, toy_file: TokenizerFile) -> None:
    releases = released(fakes.Toy, fakes.ShiftedOffset)
    for wanted in ({"fields": frozenset({Field.IDS})}, {"stages": (Stage.DECODE,)}):
        events = compared(plan_of(releases, (toy_file,), tmp_path, **wanted))
        assert [step.inputs for step in steps(events)] == [0]
        assert last(events).exit_status == 0


# Inputs far apart -----------------------------------------------------------------------------------------------------

APART = {
    "far apart": [{0, 400, 999}],
    "the last of a source": [{99}, {0}, {49, 50}],
    "more than are asked about anew": [set(range(0, 900, 2))],
    "all": [set(range(350))],
    "sources of one text": [{0}, {0}, set(), {0}],
}


@pytest.mark.long_but(1)
@pytest.mark.parametrize("apart", APART.values(), ids=APART)
@pytest.mark.parametrize("faulty", long_but(1, [fakes.LossyDecode, fakes.Raising]), ids=lambda fake: fake.name)
def test_all_inputs_that_the_matrix_counts_are_found_by_the_step(
    apart: list[set[int]], faulty: type[fakes.Toy], tmp_path: Path, toy_file: TokenizerFile
) -> None:
    sources = [
        named(
            ["xz" if number in wanted else f"a{'b' * (number % 5)}" for number in range(max(wanted, default=2) + 1)],
            f"s{source}",
        )
        for source, wanted in enumerate(apart)
    ]
    events = compared(plan_of(released(fakes.Toy, faulty), (toy_file,), tmp_path, *sources))
    (matrix,) = of_type(events, TokenizerMatrix)
    (step,) = steps(events)
    (finished,) = step.tokenizers
    (row,) = finished.results
    own = sum(map(len, apart))
    assert matrix.inputs[0, 1] >= own
    assert finished.inputs == step.inputs == row.failing_inputs == matrix.inputs[0, 1]
    assert len(of_type(events, InputCompared)) >= own
    assert row.impact is not None
    assert row.impact.documents.total == sum(map(len, sources))
    assert sum(share.total for share in row.impact.sources.values()) == sum(map(len, sources))


# What is in the way ---------------------------------------------------------------------------------------------------


def test_one_release_is_nothing_to_compare(tmp_path: Path, toy_file: TokenizerFile) -> None:
    events = compared(plan_of(released(fakes.Toy), (toy_file,), tmp_path))
    assert last(events).conclusion is Conclusion.NOTHING_COMPARED
    assert last(events).exit_status == 3


def test_a_release_that_cannot_be_had_is_said_and_the_rest_goes_on(tmp_path: Path, toy_file: TokenizerFile) -> None:
    gone = Rejected("implementation", "tokenizers==9.9", "tokenizers has no release 9.9")
    releases = released(fakes.Toy, fakes.LossyDecode)
    events = compared(plan_of(releases, (toy_file,), tmp_path, unavailable=(gone,)))
    assert of_type(events, Refused) == [Refused(what=gone.what, name=gone.name, reason=gone.reason, is_release=True)]
    assert [step.inputs for step in steps(events)] == [1]
    assert last(events).exit_status == 3


def test_a_tokenizer_that_cannot_be_read_is_said(tmp_path: Path, toy_file: TokenizerFile) -> None:
    refusal = Rejected("tokenizer", "gone", "no such file")
    events = compared(plan_of(released(fakes.Toy, fakes.Toy), (toy_file,), tmp_path, refusals=(refusal,)))
    assert of_type(events, Refused) == [Refused(what="tokenizer", name="gone", reason="no such file", is_release=False)]
    assert last(events).exit_status == 2


def test_a_full_disk_costs_one_release(
    tmp_path: Path, toy_file: TokenizerFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = snapshots.PlacedFile

    def placed(path: Path) -> Any:
        if "2.0" in path.name:
            raise OSError(errno.ENOSPC, "No space left on device")
        return whole(path)

    monkeypatch.setattr(snapshots, "PlacedFile", placed)
    events = compared(plan_of(released(fakes.Toy, fakes.Toy, fakes.LossyDecode), (toy_file,), tmp_path))
    (refused,) = of_type(events, Refused)
    assert refused.is_release
    assert "tokenizers==2.0: no snapshot: No space left on device in " in refused.reason
    assert "give --snapshots FOLDER" in refused.reason
    (step,) = steps(events)
    assert (step.old, step.new, step.inputs) == ("tokenizers==1.0", "tokenizers==3.0", 1)
    assert last(events).exit_status == 3


def test_an_adapter_that_fails_as_none_should_costs_its_release(tmp_path: Path, toy_file: TokenizerFile) -> None:
    class Broken(fakes.Toy):
        def load(self, _source: Any) -> Any:
            raise RuntimeError("unheard of")

    events = compared(plan_of(released(fakes.Toy, Broken, fakes.Toy), (toy_file,), tmp_path))
    assert not of_type(events, InternalError)
    assert [(step.old, step.new) for step in steps(events)] in (
        [("tokenizers==1.0", "tokenizers==3.0")],
        [("tokenizers==1.0", "tokenizers==2.0"), ("tokenizers==2.0", "tokenizers==3.0")],
    )
    assert last(events).exit_status in {1, 3}


# Interrupts -----------------------------------------------------------------------------------------------------------


def interrupted(plan: Any, at: Any) -> list[Any]:
    """Return the events of a comparison that is interrupted after the first event that ``at`` takes."""
    engine = compare_releases(plan)
    events = []
    is_thrown = False
    for event in engine:
        events.append(event)
        if not is_thrown and at(event):
            is_thrown = True
            events.append(engine.throw(KeyboardInterrupt()))
    return events


def test_an_interrupt_while_the_second_snapshot_is_made_loses_that_alone(
    tmp_path: Path, toy_file: TokenizerFile
) -> None:
    releases = released(fakes.Toy, fakes.Toy)
    plan = plan_of(releases, (toy_file,), tmp_path)
    seen: list[Any] = []

    def at(event: Any) -> bool:
        seen.append(event)
        return isinstance(event, PartMade) and bool(of_type(seen, SnapshotReady)) and event.place.done > 2

    events = interrupted(plan, at)
    assert [ready.release for ready in of_type(events, SnapshotReady)] == ["tokenizers==1.0"]
    assert last(events).conclusion is Conclusion.INTERRUPTED
    assert last(events).exit_status == 130
    assert [path.name.split("-")[2] for path in tmp_path.iterdir()] == ["1.0"]
    loads = [release.implementation.loads for release in releases]
    events = compared(plan)
    assert [(ready.release, ready.is_kept) for ready in of_type(events, SnapshotReady)] == [
        ("tokenizers==1.0", True),
        ("tokenizers==2.0", False),
    ]
    assert releases[0].implementation.loads == loads[0] == 1
    assert [step.inputs for step in steps(events)] == [0]


def test_an_interrupt_in_a_step_is_one_of_the_comparison(tmp_path: Path, toy_file: TokenizerFile) -> None:
    plan = plan_of(released(fakes.Toy, fakes.LossyDecode, fakes.Toy), (toy_file,), tmp_path)
    events = interrupted(plan, lambda event: isinstance(event, InputCompared))
    assert last(events).conclusion is Conclusion.INTERRUPTED
    assert len(steps(events)) == 0
    assert of_type(events, TokenizerMatrix)


# Ledgers and sections -------------------------------------------------------------------------------------------------

KNOWN = """
format = 1
[[known]]
implementation = "tokenizers"
{more}
reason = "it is known"
"""


def ledger(folder: Path, more: str) -> Any:
    path = folder / "known.toml"
    path.write_text(KNOWN.format(more=more), encoding="utf-8")
    return read_ledgers([str(path)])


def test_a_ledger_makes_a_step_known(tmp_path: Path, toy_file: TokenizerFile) -> None:
    plan = plan_of(released(fakes.Toy, fakes.LossyDecode), (toy_file,), tmp_path)
    known = replace(plan, ledger=ledger(tmp_path, 'stage = ["decode"]'))
    events = compared(known)
    (step,) = steps(events)
    assert not step.is_new
    assert step.inputs == 1
    assert step.tokenizers[0].known
    assert last(events).exit_status == 0
    elsewhere = replace(plan, ledger=ledger(tmp_path, 'stage = ["normalize"]'))
    assert last(compared(elsewhere)).exit_status == 1


def test_a_ledger_makes_a_refusal_known(tmp_path: Path, toy_file: TokenizerFile) -> None:
    plan = plan_of(released(fakes.Toy, fakes.CannotLoad), (toy_file,), tmp_path)
    assert last(compared(plan)).exit_status == 1
    events = compared(replace(plan, ledger=ledger(tmp_path, 'stage = ["load"]')))
    assert steps(events)[0].loading[0].entry is not None
    assert last(events).exit_status == 0


class Versions:
    """A section with a fact that is another one in each release, one that is not stable, and none of 2.0."""

    name = "versions"
    title = "which version it is"

    def facts(self, release: Release, _tokenizers: Any) -> Mapping[str, Fact]:
        if release.version == "2.0":
            raise NoFactsError("it does not say")
        return {"version": Fact(release.version), "noise": Fact(release.version, is_stable=False)}


def test_facts_of_sections_are_compared_with_the_release_before_that_has_any(
    tmp_path: Path, toy_file: TokenizerFile
) -> None:
    releases = released(fakes.Toy, fakes.Toy, fakes.Toy)
    events = compared(plan_of(releases, (toy_file,), tmp_path, sections=(Versions(),)))
    (section,) = of_type(events, Section)
    assert [(change.until, change.since, change.name) for change in section.changes] == [
        ("tokenizers==1.0", "tokenizers==3.0", "version")
    ]
    assert section.missing == {"tokenizers==2.0": "it does not say"}
    assert section.unstable == {"tokenizers==1.0": ("noise",), "tokenizers==3.0": ("noise",)}
    assert last(events).exit_status == 1


def test_the_header_says_what_is_compared(tmp_path: Path, toy_file: TokenizerFile) -> None:
    events = compared(plan_of(released(fakes.Toy, fakes.Toy), (toy_file,), tmp_path))
    assert isinstance(events[0], Header)
    assert [(each.word, each.version) for each in events[0].releases] == [
        ("tokenizers==1.0", "1.0"),
        ("tokenizers==2.0", "2.0"),
    ]
    assert events[0].inputs.count == len(TEXTS)
