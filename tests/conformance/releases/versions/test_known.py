"""Entries of a ledger that a comparison of releases meets, and those that it shows to be stale."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import fake_implementations as fakes
import pytest
from fake_releases import compared, last, plan_of, released, steps
from snapshots import of_type

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.ledger.reader import read_ledgers
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.releases.versions.events import VersionsFinished
from tokenizer_conformance.releases.versions.facts import Fact, NoFactsError
from tokenizer_conformance.releases.versions.known import KnownChanges, LedgerUpdate
from tokenizer_conformance.results.records.versions import Section
from tokenizer_conformance.validation.running.events import RunFinished

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.releases.versions.facts import Release
    from tokenizer_conformance.releases.versions.plan import VersionsPlan

NAMED = 'tokenizer = "toy-tokenizer"'
NORMALIZE = f'{NAMED}\nstage = "normalize"\ninput = "test 0"'


class Facts:
    """A section called ``saved`` in which padding changes in 2.0, and noise is never the same."""

    name = "saved"
    title = "what is saved"

    def facts(self, release: Release, _tokenizers: Any) -> Mapping[str, Fact]:
        if release.version == "9.0":
            raise NoFactsError("it has none")
        side = "right" if release.version == "1.0" else "left"
        return {
            "padding": Fact(side),
            "truncation": Fact(side),
            "model": Fact("BPE"),
            "noise": Fact(release.version, is_stable=False),
        }


def with_ledger(plan: VersionsPlan, folder: Path, *entries: str) -> VersionsPlan:
    path = folder / "known.toml"
    tables = "".join(f'[[known]]\nimplementation = "tokenizers"\nreason = "so"\n{entry}\n' for entry in entries)
    path.write_text(f"format = 1\n{tables}", encoding="utf-8")
    return replace(plan, ledger=read_ledgers([path]))


def stale(events: list[Any]) -> list[int]:
    """Return the numbers of the entries that are stale."""
    return [entry.place.number for entry in last(events).stale]


# Answers and loading --------------------------------------------------------------------------------------------------

STALE = {
    "a stage": f'{NORMALIZE}\ntext = "abc"',
    "a stage, of a version": f'{NORMALIZE}\nversion = "==2.0"\nsince = "1.0"\nuntil = "2.0"',
    "an input": f'{NAMED}\nstage = "normalize"\nbaseline = "tokenizers"\ninput = "test 1"',
    "loading": f'{NAMED}\nstage = "load"',
    "the vocabulary": f'{NAMED}\nstage = "vocabulary"',
}

NOT_STALE = {
    "a version that is not there": f'{NORMALIZE}\nversion = "==3.0"',
    "a baseline that is not there": f'{NORMALIZE}\nsince = "2.0"',
    "another tokenizer": 'tokenizer = "other"\nstage = "normalize"\ninput = "test 0"',
    "any tokenizer": 'stage = "normalize"\ninput = "test 0"',
    "an input that is not there": f'{NAMED}\nstage = "normalize"\ninput = "test 99"',
    "all built-in inputs": f'{NAMED}\nstage = "normalize"\nclass = "crash"',
    "what is not shown": f'{NAMED}\nstage = "save"',
    "a section that is not compared": 'section = "saved"',
    "what is met": f'{NAMED}\nstage = "decode"',
}


@pytest.fixture
def plan(tmp_path: Path, toy_file: TokenizerFile) -> VersionsPlan:
    return plan_of(released(fakes.Toy, fakes.LossyDecode), (toy_file,), tmp_path / "kept")


@pytest.fixture(autouse=True)
def kept(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()


@pytest.mark.parametrize("entry", STALE.values(), ids=STALE)
def test_an_entry_whose_question_was_asked_and_differs_no_more_is_stale(
    entry: str, plan: VersionsPlan, tmp_path: Path
) -> None:
    events = compared(with_ledger(plan, tmp_path, 'stage = "decode"', entry))
    assert not steps(events)[0].is_new
    assert stale(events) == [2]
    assert (last(events).conclusion, last(events).exit_status) == (Conclusion.STALE, 1)


@pytest.mark.parametrize("entry", NOT_STALE.values(), ids=NOT_STALE)
def test_what_was_not_compared_makes_nothing_stale(entry: str, plan: VersionsPlan, tmp_path: Path) -> None:
    events = compared(with_ledger(plan, tmp_path, 'stage = "decode"\nfield = "text"', entry))
    assert stale(events) == []
    assert last(events).exit_status == 0


def test_stages_that_are_not_compared_make_nothing_stale(plan: VersionsPlan, tmp_path: Path) -> None:
    one_stage = replace(plan, stages=(Stage.MODEL,))
    assert stale(compared(with_ledger(one_stage, tmp_path, STALE["a stage"]))) == []
    assert stale(
        compared(with_ledger(one_stage, tmp_path, f'{NAMED}\nstage = "model"\nfield = "ids"\ninput = "test 1"'))
    ) == [1]


def test_an_entry_that_one_step_meets_is_not_stale_by_another(tmp_path: Path, toy_file: TokenizerFile) -> None:
    three = plan_of(released(fakes.Toy, fakes.LossyDecode, fakes.LossyDecode), (toy_file,), tmp_path / "kept")
    events = compared(with_ledger(three, tmp_path, f'{NAMED}\nstage = "decode"'))
    assert stale(events) == []
    assert last(events).exit_status == 0


def test_where_a_release_is_missing_nothing_is_judged(plan: VersionsPlan, tmp_path: Path) -> None:
    gone = Rejected("implementation", "tokenizers==0.9", "not there")
    assert stale(compared(with_ledger(replace(plan, unavailable=(gone,)), tmp_path, STALE["a stage"]))) == []


def test_a_new_difference_decides_and_the_stale_entry_is_told_too(plan: VersionsPlan, tmp_path: Path) -> None:
    events = compared(with_ledger(plan, tmp_path, STALE["a stage"]))
    assert last(events).conclusion is Conclusion.DIFFERENCES
    assert stale(events) == [1]


IN_PLAY = {
    "as it is": (NAMED, True),
    "of this step": (f'{NAMED}\nversion = "==2.0"', True),
    "of another step": (f'{NAMED}\nversion = "==3.0"', False),
    "of all tokenizers": ('stage = "decode"', False),
    "of a pattern": ('tokenizer = "toy-*"', False),
    "of another tokenizer": ('tokenizer = "other"', False),
    "of a section": ('section = "saved"', False),
    "of requirements": ('requirement = "A-RULE"', False),
    "of another implementation": (NAMED, False),
    "met": (f'{NAMED}\nstage = "decode"', False),
    "stale at another step": (f'{NAMED}\nstage = "normalize"', False),
}


def test_entries_that_a_step_may_show_to_be_stale(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    tables = [
        f'[[known]]\nimplementation = "{"other" if name == "of another implementation" else "tokenizers"}"\n{entry}\n'
        for name, (entry, _) in IN_PLAY.items()
    ]
    path.write_text("format = 1\n" + 'reason = "so"\n'.join((*tables, "")), "utf-8")
    ledger = read_ledgers([path])
    entries = dict(zip(IN_PLAY, ledger.entries, strict=True))
    known = KnownChanges(ledger)
    known.step(cast("Any", SimpleNamespace(tokenizers=[SimpleNamespace(matched=(entries["met"],))], loading=())))
    end: dict[str, Any] = {"tokenizers": 1, "inputs": 1, "compared": 1, "differences": 0, "seconds": 0.0}
    stale_one = (entries["stale at another step"],)
    known.diffed(RunFinished(finished=True, reason=None, conclusion=Conclusion.CONFORM, stale=stale_one, **end))
    old, new = (each.implementation.info for each in released(fakes.Toy, fakes.Toy))
    in_play = known.in_play(old, new, ("toy-tokenizer", "another"))
    assert in_play == tuple(entries[name] for name, (_, is_in_play) in IN_PLAY.items() if is_in_play)
    assert known.stale() == stale_one


# Facts ----------------------------------------------------------------------------------------------------------------

FACTS = {
    "all of a section": ('section = "saved"', [], 0),
    "by name": ('section = "saved"\nfact = ["padding", "truncation"]', [], 0),
    "by pattern and version": ('section = "saved"\nfact = "*ing"\nversion = "==2.0"', [], 1),
    "another section": ('section = "defaults"', [], 1),
    "another version": ('section = "saved"\nversion = "==1.0"', [], 1),
    "of answers": ('stage = "save"', [], 1),
}


@pytest.mark.parametrize(("entry", "are_stale", "status"), FACTS.values(), ids=FACTS)
def test_facts_that_changed_are_known_by_their_section_and_name(
    entry: str, are_stale: list[int], status: int, tmp_path: Path, toy_file: TokenizerFile
) -> None:
    same = plan_of(released(fakes.Toy, fakes.Toy), (toy_file,), tmp_path / "kept", sections=(Facts(),))
    events = compared(with_ledger(same, tmp_path, entry))
    assert stale(events) == are_stale
    assert last(events).exit_status == status


STALE_FACTS = {
    "a fact that is the same": ('section = "saved"\nfact = "model"', [2]),
    "a pattern of such": ('section = "saved"\nfact = "mod*"', [2]),
    "noise": ('section = "saved"\nfact = "noise"', []),
    "no fact": ('section = "saved"\nfact = "decoder"', []),
    "a section that was not collected": ('section = "training"', []),
    "another version": ('section = "saved"\nfact = "model"\nversion = ">2"', []),
}


@pytest.mark.parametrize(("entry", "are_stale"), STALE_FACTS.values(), ids=STALE_FACTS)
def test_an_entry_about_facts_is_stale_where_all_of_them_are_the_same(
    entry: str, are_stale: list[int], tmp_path: Path, toy_file: TokenizerFile
) -> None:
    same = plan_of(released(fakes.Toy, fakes.Toy), (toy_file,), tmp_path / "kept", sections=(Facts(),))
    events = compared(with_ledger(same, tmp_path, 'section = "saved"\nfact = ["padding", "truncation"]', entry))
    assert stale(events) == are_stale
    assert last(events).exit_status == (1 if are_stale else 0)


# Updating -------------------------------------------------------------------------------------------------------------


def updated(plan: VersionsPlan, events: list[Any], path: Path) -> None:
    update = LedgerUpdate(plan, path)
    for event in events:
        update.handle(event)


def test_what_is_new_is_written_and_known_the_next_time(tmp_path: Path, toy_file: TokenizerFile) -> None:
    releases = released(fakes.Toy, fakes.LossyDecode, fakes.CannotLoad)
    plan = plan_of(releases, (toy_file,), tmp_path / "kept", sections=(Facts(),), ledger=Ledger(takes_new=True))
    path = tmp_path / "new.toml"
    events = compared(plan)
    assert last(events).exit_status == 1
    updated(plan, events, path)
    text = path.read_text(encoding="utf-8")
    assert 'section = "saved"\nfact = ["padding", "truncation"]' in text
    assert "# saved: since tokenizers==2.0: padding and 1 more: right -> left" in text
    path.write_text(text.replace('reason = ""', 'reason = "so"'), encoding="utf-8")
    again = compared(replace(plan, ledger=read_ledgers([path])))
    assert [change.known is None for change in of_type(again, Section)[0].changes] == [False, False]
    assert (last(again).stale, last(again).exit_status) == ((), 0)
    updated(plan, again, path)
    assert path.read_text(encoding="utf-8").count("[[known]]") == text.count("[[known]]")


def test_what_is_new_of_releases_with_names_of_their_own_is_known_the_next_time(
    tmp_path: Path, toy_file: TokenizerFile
) -> None:
    releases = [replace(each, word=f"mine{each.version}={each.word}") for each in released(fakes.Toy, fakes.Toy)]
    for each in releases:
        each.implementation.called = each.word.partition("=")[0]  # type: ignore[attr-defined]  # a fake
    plan = plan_of(releases, (toy_file,), tmp_path / "kept", sections=(Facts(),))
    path = tmp_path / "new.toml"
    updated(plan, compared(plan), path)
    text = path.read_text(encoding="utf-8")
    assert 'implementation = "mine2.0"' in text
    path.write_text(text.replace('reason = ""', 'reason = "so"'), encoding="utf-8")
    assert last(compared(replace(plan, ledger=read_ledgers([path])))).exit_status == 0


def test_nothing_new_writes_a_ledger_without_entries(tmp_path: Path, toy_file: TokenizerFile) -> None:
    path = tmp_path / "new.toml"
    plan = plan_of(released(fakes.Toy, fakes.Toy), (toy_file,), tmp_path / "kept")
    updated(plan, compared(plan), path)
    assert "[[known]]" not in path.read_text(encoding="utf-8")


def test_the_end_has_the_stale_entries_in_the_order_of_the_ledger(plan: VersionsPlan, tmp_path: Path) -> None:
    events = compared(with_ledger(plan, tmp_path, STALE["loading"], 'stage = "decode"', STALE["a stage"]))
    (end,) = of_type(events, VersionsFinished)
    assert [entry.place.number for entry in end.stale] == [1, 3]
