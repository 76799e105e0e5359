"""A run as checks: planted faults fail where they are, with their class and example, and nothing else fails."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import fake_implementations as fakes
import pytest
from markdown_it import MarkdownIt

from tokenizer_adapters.contract import PIPELINE_STAGES, Stage
from tokenizer_conformance.inputs.hub import HubSnapshot
from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile, find_tokenizer, read_tokenizer
from tokenizer_conformance.ledger.reader import KNOWN, known_ledger, read_ledgers
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.results.ci_results.check import CheckedRun, CheckOutcome, with_conclusion
from tokenizer_conformance.results.ci_results.github import error_commands, summary
from tokenizer_conformance.results.ci_results.junit import junit_xml
from tokenizer_conformance.results.ci_results.location import tokenizer_location
from tokenizer_conformance.results.ci_results.sarif import sarif_json
from tokenizer_conformance.validation.running.checks import RunChecks
from tokenizer_conformance.validation.running.events import RunFinished
from tokenizer_conformance.validation.running.plan import Requirement

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from tokenizer_conformance import Event
    from tokenizer_conformance.results.ci_results.check import Check

    EventsOf = Callable[..., list[Event]]

ON_TOY = "on toy-tokenizer"

WAITING = {fakes.Slow, fakes.Swallowing, fakes.Interrupted, fakes.Unavailable}
"""Those that cannot be built, wait, or interrupt these tests."""


def checked(events: list[Event], optional: Collection[str] = ()) -> CheckedRun:
    """What a run with these events has checked."""
    found: list[CheckedRun] = []
    consumer = RunChecks(found.append, optional)
    for event in events:
        consumer.handle(event)
    (run,) = found
    return with_conclusion(run)


def wrong(run: CheckedRun) -> dict[tuple[str, str], CheckOutcome]:
    return {(check.group, check.name): check.outcome for check in run.wrong()}


def one(run: CheckedRun, group: str, name: str) -> Check:
    (check,) = (check for check in run.checks if (check.group, check.name) == (group, name))
    return check


@pytest.mark.parametrize(
    ("fake", "stage", "outcome", "shown"),
    [
        (fakes.WrongNormalization, "normalize", CheckOutcome.FAILED, 'text  "'),
        (fakes.WrongPieces, "pre_tokenize", CheckOutcome.FAILED, 'text  "'),
        (fakes.SwappedMerge, "model", CheckOutcome.FAILED, "toy"),
        (fakes.ShiftedOffset, "model", CheckOutcome.FAILED, "(0, "),
        (fakes.WrongSpecialToken, "post_process", CheckOutcome.FAILED, "<sep>"),
        (fakes.LossyDecode, "decode", CheckOutcome.FAILED, "z"),
        (fakes.Crashing, "normalize", CheckOutcome.ERROR, "crashed"),
        (fakes.Hanging, "normalize", CheckOutcome.ERROR, "gave no answer"),
        (fakes.Garbling, "normalize", CheckOutcome.ERROR, "broke the protocol"),
        (fakes.Raising, "normalize", CheckOutcome.FAILED, "raised"),
    ],
)
def test_a_planted_fault_fails_at_its_stage_and_is_shown(
    events_of: EventsOf, fake: type[fakes.Toy], stage: str, outcome: CheckOutcome, shown: str
) -> None:
    run = checked(events_of(fake))
    group = f"{fake.name} {ON_TOY}"
    assert wrong(run)[group, stage] is outcome
    first = next(check for check in run.wrong())
    assert first.name == stage
    lines = [line for problem in first.problems for line in problem.lines()]
    assert any(shown in line for line in lines), lines
    assert any("tokconf run" in line and "--ask" in line for line in lines), lines
    texts = (junit_xml(run).decode(), json.dumps(json.loads(sarif_json(run)), ensure_ascii=False), summary(run))
    rule = first.problems[0].rule.id
    for text in texts:
        assert rule in text
        assert stage in text
    commands = list(error_commands(run))
    assert commands[0].startswith(f"::error title={stage}%3A {group},file=")


def test_nothing_fails_where_nothing_does(events_of: EventsOf) -> None:
    run = checked(events_of(fakes.Utf8))
    assert wrong(run) == {}
    assert [check.name for check in run.checks] == ["load", *(stage.value for stage in PIPELINE_STAGES), "finished"]
    assert list(error_commands(run)) == []


def test_later_stages_do_not_fail_for_an_earlier_one(events_of: EventsOf) -> None:
    run = checked(events_of(fakes.WrongNormalization))
    group = f"wrong-normalization {ON_TOY}"
    assert [name for check_group, name in wrong(run) if check_group == group] == ["normalize"]
    model = one(run, group, "model")
    assert model.outcome is CheckOutcome.SKIPPED
    assert "consequence" in model.message
    assert "normalize" in model.message


def test_who_cannot_load_is_in_error_unless_nobody_asked_for_it(events_of: EventsOf) -> None:
    events = events_of(fakes.CannotLoad, fakes.Utf8)
    load = one(checked(events), f"cannot-load {ON_TOY}", "load")
    assert load.outcome is CheckOutcome.ERROR
    assert load.problems[0].rule.id == "not-loaded"
    optional = checked(events, {"cannot-load"})
    assert one(optional, f"cannot-load {ON_TOY}", "load").outcome is CheckOutcome.SKIPPED
    assert not [check for check in optional.wrong() if check.group.startswith("cannot-load")]


def test_what_cannot_be_used_is_in_error(events_of: EventsOf) -> None:
    refusals = (Rejected("tokenizer", "evil\x1b", "no such file"),)
    missing = (Rejected("implementation", "gone", "gone is not installed"),)
    absent = (Rejected("implementation", "peer", "peer is not installed"),)
    run = checked(events_of(fakes.Utf8, refusals=refusals, unavailable=missing, absent=absent))
    given = {check.name: check.outcome for check in run.checks if check.group == "what was given"}
    assert given == {
        "tokenizer evil\x1b": CheckOutcome.ERROR,
        "implementation gone": CheckOutcome.ERROR,
        "implementation peer": CheckOutcome.SKIPPED,
    }


def test_too_little_answered_fails_at_its_stage(events_of: EventsOf) -> None:
    run = checked(events_of(fakes.ShowsModelOnly, required=(Requirement(Stage.DECODE),)))
    decode = one(run, f"{fakes.ShowsModelOnly.name} {ON_TOY}", "decode")
    assert decode.outcome is CheckOutcome.FAILED
    assert {problem.rule.id for problem in decode.problems} == {"too-little-answered"}
    not_required = checked(events_of(fakes.ShowsModelOnly))
    assert one(not_required, f"{fakes.ShowsModelOnly.name} {ON_TOY}", "decode").outcome is CheckOutcome.SKIPPED


def test_unstable_answers_are_in_error(events_of: EventsOf) -> None:
    run = checked(events_of(fakes.Flaky))
    rules = {problem.rule.id for check in run.wrong() for problem in check.problems}
    assert "unstable" in rules


@pytest.mark.parametrize("fake", [each for each in fakes.ALL if each not in WAITING])
def test_a_run_fails_exactly_where_a_check_does(events_of: EventsOf, fake: type[fakes.Toy]) -> None:
    events = events_of(fake, texts=("abc", "x", "éa"))
    run = checked(events)
    assert bool(run.exit_status) == any(run.wrong())
    *_, finished = events
    assert isinstance(finished, RunFinished)
    assert run.exit_status == finished.exit_status


def test_of_a_run_cut_short_nothing_passes_that_was_not_asked(events_of: EventsOf, toy_file: TokenizerFile) -> None:
    again = replace(toy_file, source=replace(toy_file.source, name="again"))
    run = checked(events_of(fakes.LossyDecode, tokenizers=(toy_file, again), max_failing=1))
    assert not run.finished
    last = run.checks[-1]
    assert last.outcome is CheckOutcome.ERROR
    assert last.problems[0].rule.id == "not-finished"
    assert one(run, "lossy-decode on again", "load").outcome is CheckOutcome.SKIPPED
    assert one(run, f"lossy-decode {ON_TOY}", "decode").outcome is CheckOutcome.FAILED


def test_known_differences_pass_and_are_said(events_of: EventsOf, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.toml"
    ledger.write_text(
        'format = 1\n[[known]]\nimplementation = "swapped-merge"\nbaseline = "toy"\nreason = "It merges b and c."\n'
        '[[known]]\nimplementation = "swapped-merge"\nbaseline = "toy"\ntokenizer = "toy-tokenizer"\n'
        'version = "==1.0"\nstage = "normalize"\ninput = "text 0"\nreason = "Long gone."\n'
    )
    run = checked(events_of(fakes.SwappedMerge, ledger=read_ledgers([ledger])))
    model = one(run, f"swapped-merge {ON_TOY}", "model")
    assert model.outcome is CheckOutcome.KNOWN
    assert "It merges b and c." in model.message
    assert "It merges b and c." in junit_xml(run).decode()
    (stale,) = run.wrong()
    assert stale.problems[0].rule.id == "stale-ledger-entry"
    assert stale.location is not None
    assert (stale.location.file, stale.location.line) == (ledger.as_posix(), 6)


def test_an_entry_of_our_own_ledger_has_its_place_in_the_package() -> None:
    from tokenizer_conformance.results.ci_results.rules import ledger_location

    entry = known_ledger().entries[0]
    assert ledger_location(entry).file == f"tokenizer_conformance/ledger/{KNOWN}"
    assert ledger_location(entry).line == entry.place.line


def test_the_same_problem_has_the_same_fingerprint_in_another_run(events_of: EventsOf) -> None:
    def fingerprints(texts: tuple[str, ...]) -> set[str]:
        run = checked(events_of(fakes.WrongSpecialToken, texts=texts))
        return {check.fingerprint(problem) for check in run.wrong() for problem in check.problems}

    assert fingerprints(("abc", "d")) == fingerprints(("x", "abc", "zebra", "a-b")) != set()


def test_a_problem_is_in_the_line_of_its_component(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    document = {"added_tokens": [{"content": '"model":'}], "normalizer": None, "model": {"vocab": {"model": 1}}}
    (tmp_path / "tokenizer.json").write_text(json.dumps(document, indent=2), encoding="utf-8")
    found = read_tokenizer(find_tokenizer("tokenizer.json"))
    lines = (tmp_path / "tokenizer.json").read_text("utf-8").splitlines()
    for stage, section in ((Stage.MODEL, "model"), (Stage.NORMALIZE, "normalizer")):
        place = tokenizer_location(found, stage)
        assert place.file == "tokenizer.json"
        assert place.line is not None
        assert lines[place.line - 1].startswith(f'  "{section}":')
    assert tokenizer_location(found, Stage.DECODE).line is None
    hub = replace(found, snapshot=HubSnapshot("owner/name", "0" * 40, found.source.folder or ""))
    assert tokenizer_location(hub, Stage.MODEL).file == "owner/name/tokenizer.json"


def test_hostile_answers_and_names_are_no_markup(events_of: EventsOf, toy_file: TokenizerFile) -> None:
    evil = replace(toy_file, source=replace(toy_file.source, name="evil\x1b[2J\n::error::\u202e<img src=x>"))
    run = checked(events_of(fakes.Hostile, tokenizers=(evil,), texts=("d" * 6, "dd", "ddd")))
    assert any(run.wrong())
    for line in error_commands(run):
        assert len(line.splitlines()) == 1
    page = summary(run)
    assert "\x1b" not in page
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(page)
    html = [child.content for token in tokens for child in (token, *(token.children or ())) if "html" in child.type]
    assert set(re.findall(r"<(/?\w+)", "".join(html))) == {"details", "summary", "/summary", "/details"}
