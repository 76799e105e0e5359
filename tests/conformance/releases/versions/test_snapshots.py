"""A kept snapshot is taken again where it is of the same question, and whole; it is made again where it is not."""

from __future__ import annotations

import errno
import lzma
from dataclasses import replace
from typing import TYPE_CHECKING

import fake_implementations as fakes
import pytest
from fake_releases import TEXTS, compared, last, plan_of, released, steps
from snapshots import corpus_of, named, of_type

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.command_io.sinks import GrowingFile
from tokenizer_conformance.releases.versions.snapshots import SnapshotReady, kept_snapshot, made_snapshot, snapshot_path

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.releases.versions.plan import VersionsPlan


@pytest.fixture
def plan(tmp_path: Path, toy_file: TokenizerFile) -> VersionsPlan:
    return plan_of(released(fakes.Toy, fakes.LossyDecode), (toy_file,), tmp_path)


def kept(plan: VersionsPlan) -> list[bool]:
    """Return of each release whether its snapshot was kept, in a comparison that finds what it should."""
    events = compared(plan)
    assert [step.inputs for step in steps(events)] == [1]
    assert last(events).exit_status == 1
    return [ready.is_kept for ready in of_type(events, SnapshotReady)]


def _truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def _without_footer(path: Path) -> None:
    lines = lzma.decompress(path.read_bytes()).splitlines(keepends=True)
    path.write_bytes(lzma.compress(b"".join(lines[:-1])))


def _altered(path: Path) -> None:
    content = lzma.decompress(path.read_bytes())
    assert b'"text":"zebra crossing"' in content
    path.write_bytes(lzma.compress(content.replace(b'"text":"zebra', b'"text":"Zebra')))


def _other_snapshot(path: Path) -> None:
    """Put the snapshot of the other release in its place: a name is no proof of what a file holds."""
    (other,) = (each for each in path.parent.iterdir() if each != path)
    path.write_bytes(other.read_bytes())


DAMAGES = [
    _truncated,
    _without_footer,
    _altered,
    lambda path: path.write_bytes(b""),
    lambda path: path.write_text("no"),
]


def test_both_are_kept_by_the_next_comparison(plan: VersionsPlan) -> None:
    assert kept(plan) == [False, False]
    assert kept(plan) == [True, True]


@pytest.mark.long_but(2)
@pytest.mark.parametrize("damage", DAMAGES, ids=["truncated", "no footer", "altered", "empty", "text"])
def test_a_damaged_one_is_made_again_and_not_believed(damage: Callable[[Path], None], plan: VersionsPlan) -> None:
    kept(plan)
    damage(snapshot_path(plan, plan.releases[1]))
    assert kept(plan) == [True, False]
    assert kept(plan) == [True, True]


def test_one_of_another_release_is_not_believed(plan: VersionsPlan) -> None:
    kept(plan)
    _other_snapshot(snapshot_path(plan, plan.releases[1]))
    assert kept(plan) == [True, False]


def test_other_questions_have_other_snapshots(plan: VersionsPlan, toy_file: TokenizerFile) -> None:
    release = plan.releases[0]
    other_file = replace(toy_file, sha256="0" * 64)
    others = [
        plan,
        replace(plan, corpus=corpus_of(named(TEXTS[1:]))),
        replace(plan, stages=(Stage.MODEL,)),
        replace(plan, tokenizers=(other_file,)),
        replace(
            plan,
            tokenizers=(toy_file, replace(toy_file, source=replace(toy_file.source, name="b"))),
            words=dict.fromkeys((toy_file.source.name, "b"), "w"),
        ),
    ]
    paths = {snapshot_path(each, release) for each in others}
    paths.add(snapshot_path(plan, replace(release, version="1.1")))
    paths.add(snapshot_path(plan, replace(release, word="a/b\\c:d")))
    assert len(paths) == len(others) + 2
    assert {path.parent for path in paths} == {plan.folder}


@pytest.mark.parametrize("word", ["tokenizers@.venv", "tokenizers", "my_package.mine:Mine", "command:./mine --a==1"])
def test_of_what_may_change_and_be_called_the_same_none_is_kept(plan: VersionsPlan, word: str) -> None:
    kept(plan)
    mine = replace(plan.releases[0], word=word)
    path = snapshot_path(plan, mine)
    path.write_bytes(snapshot_path(plan, plan.releases[0]).read_bytes())
    assert kept_snapshot(plan, plan.releases[0]) is not None
    assert kept_snapshot(plan, mine) is None


def test_what_is_said_of_one_is_what_it_holds(plan: VersionsPlan) -> None:
    refusing = replace(plan, releases=released(fakes.Toy, fakes.CannotLoad))
    first, second = of_type(compared(refusing), SnapshotReady)
    assert (first.release, first.version, first.loaded, first.refused) == ("tokenizers==1.0", "1.0", 1, 0)
    assert (second.loaded, second.refused) == (0, 1)
    assert first.size == snapshot_path(refusing, refusing.releases[0]).stat().st_size


def test_a_snapshot_that_is_not_whole_leaves_no_file(
    tmp_path: Path, toy_file: TokenizerFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(_: GrowingFile, data: bytes) -> None:
        if data:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(GrowingFile, "write", write)
    plan = plan_of(released(fakes.Toy), (toy_file,), tmp_path)
    with pytest.raises(OSError, match="No space left"):
        list(made_snapshot(plan, plan.releases[0]))
    assert not list(tmp_path.iterdir())


def test_progress_counts_the_inputs_of_all_tokenizers(tmp_path: Path, toy_file: TokenizerFile) -> None:
    other = replace(toy_file, source=replace(toy_file.source, name="other"))
    plan = plan_of(released(fakes.Toy), (toy_file, other), tmp_path)
    told = [event.place for event in made_snapshot(plan, plan.releases[0])]
    count = plan.corpus.count
    names = list(dict.fromkeys(place.name for place in told))
    assert names == [f"tokenizers==1.0, {name}" for name in ("inputs", "toy-tokenizer", "other")]
    assert [place.done for place in told if place.name.endswith("other")] == list(range(count, 2 * count + 1))
    assert told[-1].total == 2 * count
