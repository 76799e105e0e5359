"""A diff for CI systems: what changed fails where it changed, in files that are valid, and nothing else does."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import fake_implementations as fakes
import pytest
from click.testing import CliRunner, Result
from written_checks import FILES, Written, agreeing, written

from tokenizer_conformance.causes.cause import ExplainedBy
from tokenizer_conformance.causes.rules import KNOWN_CHANGE_RULE, UNEXPLAINED_RULE
from tokenizer_conformance.cli import main
from tokenizer_conformance.releases.diff.checks import loading_problems
from tokenizer_conformance.releases.diff.events import LoadingChanged
from tokenizer_conformance.releases.diff.loading_changes import LoadingChange
from tokenizer_conformance.releases.known_changes.reader import releases_of
from tokenizer_conformance.results.ci_results.check import CONCLUSION
from tokenizer_conformance.validation.running.checks import RunChecks
from tokenizer_conformance.validation.running.events import CausesSought

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance import Event
    from tokenizer_conformance.results.ci_results.check import CheckedRun

    Diff = Callable[..., Written]

ON_TOY = "on toy-tokenizer"
BASELINE = "changed_loading:Saving"
STREAMS = "changed_loading:Streaming"


def call(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def snapshot(word: str, name: str, *tokenizers: object) -> None:
    done = call("snapshot", *tokenizers, "-i", word, "-o", name, "--no-builtin", "--inputs", "texts.txt")
    assert Path(name).is_file(), done.output


@pytest.fixture
def diff(plugin: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, toy_tokenizer: Path) -> Diff:
    """Compares a snapshot of the first implementation with the second one, and returns what CI systems read."""
    monkeypatch.syspath_prepend(str(plugin))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")
    monkeypatch.setattr(sys, "argv", ["tokconf", "diff"])
    Path("texts.txt").write_text("abc\naBc d\nx\na-b\nzebra crossing\n", encoding="utf-8")

    def compared(old: str, new: str, *arguments: object) -> Written:
        snapshot(old, "old.jsonl.gz", toy_tokenizer)
        done = call("diff", "old.jsonl.gz", new, *FILES, *arguments)
        return agreeing(tmp_path, done.exit_code)

    return compared


# (old, new, exit status, group, name of the check, outcome, rule, what is said)
PLANTED = (
    ("toy", "toy", 0, "toy", "model", "passed", None, ""),
    ("toy", "wrong-normalization", 1, "wrong-normalization", "normalize", "failure", None, "text  "),
    ("toy", "wrong-pieces", 1, "wrong-pieces", "pre_tokenize", "failure", None, "repeat: tokconf diff"),
    ("toy", "swapped-merge", 1, "swapped-merge", "model", "failure", None, "--only texts.txt:"),
    ("toy", "wrong-special-token", 1, "wrong-special-token", "post_process", "failure", None, "<sep>"),
    ("toy", "lossy-decode", 1, "lossy-decode", "decode", "failure", None, "z"),
    ("toy", "crashing", 3, "crashing", "normalize", "error", "no-answer", "crashed"),
    ("toy", "raising", 1, "raising", "normalize", "failure", None, "raised"),
    ("swapped-merge", "toy", 1, "toy", "model", "failure", None, "bc"),
    (BASELINE, BASELINE, 0, "saving", "save", "passed", None, ""),
    ("toy", BASELINE, 0, "saving", "save", "skipped", None, "not shown by both sides"),
    (BASELINE, "changed_loading:SavesOtherwise", 1, "saving", "save", "failure", "saved-file-changed", "$.decoder"),
    (BASELINE, "changed_loading:LaterVersion", 1, "saving", "save", "failure", "saved-file-changed", "null -> 0.1"),
    (BASELINE, "changed_loading:OtherVocabulary", 1, "saving", "vocabulary", "failure", "vocabulary-changed", "tokens"),
    (
        BASELINE,
        "changed_loading:CannotSave",
        1,
        "saving",
        "save",
        "failure",
        "saved-file-changed",
        "not shown any more",
    ),
    (BASELINE, "changed_loading:NoVocabulary", 1, "saving", "vocabulary", "failure", "vocabulary-changed", "any more"),
    (STREAMS, STREAMS, 0, "saving", "decode", "passed", None, ""),
    (STREAMS, "changed_loading:NoStreams", 1, "saving", "decode", "failure", "not-shown-any-more", "ids one by one)"),
    (BASELINE, "toy", 0, "toy", "save", "skipped", None, "not shown by both sides"),
    (BASELINE, "changed_loading:Refusing", 1, "saving", "load", "failure", "loading-changed", "loads -> refuses: "),
    ("changed_loading:Refusing", BASELINE, 1, "saving", "load", "failure", "loading-changed", "-> loads"),
    ("cannot-load", "cannot-load", 3, "cannot-load", "load", "skipped", None, "both sides refuse it: it never does"),
    ("cannot-load", "cannot-load", 3, CONCLUSION, "finished", "error", "no-conclusion", "nothing was compared"),
)


@pytest.mark.long_but(2)
@pytest.mark.parametrize(
    ("old", "new", "status", "group", "name", "outcome", "rule", "shown"),
    PLANTED,
    ids=[f"{row[0]}-{row[1]}-{row[4]}" for row in PLANTED],
)
def test_a_planted_change_fails_where_it_is(
    diff: Diff, old: str, new: str, status: int, group: str, name: str, outcome: str, rule: str | None, shown: str
) -> None:
    found = diff(old, new)
    where = group if group == CONCLUSION else f"{group} {ON_TOY}"
    assert found.title == "tokconf diff"
    assert found.exit_status == status
    assert found.came_to(where, name) == outcome
    assert shown in found.message(where, name)
    assert rule is None or rule in found.rules()
    stages = {"load", "vocabulary", "save", "normalize", "pre_tokenize", "model", "post_process", "decode"}
    assert {check for check_group, check in found.cases if check_group == f"{new_name(new)} {ON_TOY}"} == stages
    wrong = [key for key in found.wrong() if key[0] != CONCLUSION]
    assert not wrong or wrong[0] == (where, name), "it fails first where it is"


def new_name(word: str) -> str:
    return "saving" if ":" in word else word


def test_the_last_line_says_what_changed_where_no_answer_did(diff: Diff) -> None:
    for old, new, told in (
        (BASELINE, "SavesOtherwise", "0 differences of answers, 2 changes of loading (saved tokenizer.json); "),
        (STREAMS, "NoStreams", "0 differences of answers, not all shown any more at decode; "),
    ):
        diff(old, f"changed_loading:{new}")
        again = call("diff", "old.jsonl.gz", f"changed_loading:{new}")
        assert told in again.stdout.splitlines()[-1]
        assert again.stdout.endswith("exit status 1\n")


def test_how_many_changed_places_are_not_told_is_said(diff: Diff) -> None:
    found = diff("changed_loading:SavesAll", "changed_loading:SavesAllOtherwise")
    assert len(found.results) == 51
    rest = "saved tokenizer.json: 12 more places -> changed as well, and not told one by one"
    again = call("diff", "old.jsonl.gz", "changed_loading:SavesAllOtherwise", "--json", "all.jsonl")
    assert rest in again.stdout
    lines = [json.loads(line) for line in Path("all.jsonl").read_text().splitlines()]
    paths = [line["path"] for line in lines if line["type"] == "loading_change"]
    assert (len(paths), len(set(paths)), paths[-1]) == (51, 51, "")


def test_every_changed_place_of_a_saved_file_is_a_problem_with_a_fingerprint(diff: Diff) -> None:
    found = diff(BASELINE, "changed_loading:SavesOtherwise")
    assert len(found.results) == 2
    assert {result["ruleId"] for result in found.results} == {"saved-file-changed"}
    later = diff(BASELINE, "changed_loading:LaterVersion")
    assert found.fingerprints() == later.fingerprints() != set(), "the version is no part of what a problem is"
    assert found.cases.keys() == later.cases.keys()


def test_hostile_words_of_a_refusal_are_no_markup(diff: Diff) -> None:
    found = diff(BASELINE, "changed_loading:Refusing")
    message = found.message(f"saving {ON_TOY}", "load")
    assert "\x1b" not in message
    assert "\u202e" not in message


def test_no_loading_leaves_out_how_it_is_loaded(diff: Diff) -> None:
    found = diff(BASELINE, "changed_loading:SavesOtherwise", "--no-loading")
    assert found.exit_status == 0
    assert found.came_to(f"saving {ON_TOY}", "save") == "skipped"


LEDGER = """format = 1
[[known]]
implementation = "{new}"
baseline = "{old}"
stage = "{stage}"
reason = "It was decided so."
"""


@pytest.mark.parametrize(
    ("old", "new", "stage"),
    [
        ("toy", "swapped-merge", "model"),
        (BASELINE, "changed_loading:SavesOtherwise", "save"),
        (BASELINE, "changed_loading:OtherVocabulary", "vocabulary"),
        (BASELINE, "changed_loading:Refusing", "load"),
    ],
)
def test_known_changes_fail_nothing_and_are_said(diff: Diff, old: str, new: str, stage: str) -> None:
    name = new_name(new)
    sides = (new_name(old), name) if name != "saving" else ("saving==1.0 (old)", "saving==1.0 (new)")
    Path("known.toml").write_text(LEDGER.format(old=sides[0], new=sides[1], stage=stage), encoding="utf-8")
    found = diff(old, new, "--ledger", "known.toml")
    assert found.exit_status == 0
    assert "It was decided so." in found.message(f"{name} {ON_TOY}", stage)
    assert found.came_to(f"{name} {ON_TOY}", stage) == "passed"


def test_a_stale_entry_fails_at_its_line(diff: Diff) -> None:
    text = LEDGER.format(old="toy", new="toy", stage="normalize")
    Path("known.toml").write_text(f'{text}tokenizer = "toy-tokenizer"\nversion = "==1.0"\ninput = "texts.txt:1"\n')
    found = diff("toy", "toy", "--ledger", "known.toml")
    assert found.exit_status == 1
    assert found.rules() == {"stale-ledger-entry"}
    (result,) = found.results
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("known.toml", 2)


# What cannot be compared ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "name", "status"),
    [
        ("nowhere.jsonl.gz", "toy", "snapshot nowhere.jsonl.gz", 2),
        ("texts.txt", "toy", "snapshot texts.txt", 2),
        ("old.jsonl.gz", "torn.jsonl.gz", "snapshot torn.jsonl.gz", 2),
        ("old.jsonl.gz", "no-such-implementation", "implementation no-such-implementation", 2),
        ("old.jsonl.gz", "unavailable", "implementation unavailable", 3),
    ],
)
def test_what_cannot_be_read_is_an_error_check_and_no_earlier_file_is_left(
    diff: Diff, tmp_path: Path, old: str, new: str, name: str, status: int
) -> None:
    assert diff("toy", "toy").exit_status == 0
    Path("torn.jsonl.gz").write_bytes(Path("old.jsonl.gz").read_bytes()[:60])
    done = call("diff", old, new, *FILES)
    assert done.exit_code == status
    found = agreeing(tmp_path, status)
    assert found.wrong() == {("what was given", name): "error"}
    assert len(found.message("what was given", name)) > 10


def test_a_tokenizer_of_one_side_only_is_an_error_check(diff: Diff, tmp_path: Path, toy_tokenizer: Path) -> None:
    other = tmp_path / "other" / "tokenizer.json"
    other.parent.mkdir()
    other.write_bytes(toy_tokenizer.read_bytes())
    assert diff("toy", "toy").exit_status == 0
    snapshot("toy", "new.jsonl.gz", toy_tokenizer, other.parent)
    done = call("diff", "old.jsonl.gz", "new.jsonl.gz", *FILES)
    found = agreeing(tmp_path, done.exit_code)
    assert found.wrong() == {("what was given", "tokenizer other"): "error"}
    assert "is only in the new snapshot" in found.message("what was given", "tokenizer other")
    assert found.came_to(f"toy {ON_TOY}", "model") == "passed"


def test_a_diff_cut_short_says_what_was_not_reached(diff: Diff, tmp_path: Path, toy_tokenizer: Path) -> None:
    other = tmp_path / "other" / "tokenizer.json"
    other.parent.mkdir()
    other.write_bytes(toy_tokenizer.read_bytes())
    assert diff("toy", "toy").exit_status == 0
    snapshot("toy", "two.jsonl.gz", toy_tokenizer, other.parent)
    done = call("diff", "two.jsonl.gz", "swapped-merge", "-x", *FILES)
    found = agreeing_though_cut(tmp_path, done.exit_code)
    assert found.came_to(f"swapped-merge {ON_TOY}", "model") == "failure"
    assert found.came_to("swapped-merge on other", "model") == "skipped"
    assert "not reached" in found.message("swapped-merge on other", "model")
    assert found.came_to(CONCLUSION, "finished") == "error"


def agreeing_though_cut(folder: Path, status: int) -> Written:
    found = written(folder)
    assert found.exit_status == status != 0
    return found


# What known changes explain -------------------------------------------------------------------------------------------

KNOWN_CHANGE = ExplainedBy("strip-accents", "tokenizers 0.22.0", "Accents are kept")


@pytest.mark.parametrize(
    ("explained", "told"),
    [
        (None, ""),
        ((), "new: no known change explains it"),
        ((KNOWN_CHANGE,), "explained by strip-accents"),
    ],
)
def test_what_explains_a_change_is_said(
    events_of: Callable[..., list[Event]], explained: tuple[ExplainedBy, ...] | None, told: str
) -> None:
    change = LoadingChange("toy", "save", "$.decoder", "1", "2")
    (problem,) = loading_problems([LoadingChanged(change, None, explained)])
    messages = [problem.message]
    runs: list[CheckedRun] = []
    checks = RunChecks(runs.append)
    for event in events_of(fakes.SwappedMerge, cause_seconds=60.0):
        if isinstance(event, CausesSought):
            assert event.causes
            causes = tuple(replace(cause, explained_by=explained) for cause in event.causes)
            checks.handle(replace(event, causes=causes))
        else:
            checks.handle(event)
    problem = next(runs[0].wrong()).problems[0]
    messages += [problem.message]
    assert problem.rule == (KNOWN_CHANGE_RULE if explained else UNEXPLAINED_RULE)
    assert "unexplained" not in problem.message, "the rule says that"
    for message in messages:
        assert told in message
        assert bool(told) == ("explained by" in message or "no known change" in message)


def test_of_an_unknown_package_no_changes_are_known() -> None:
    assert releases_of("../known/tokenizers") == releases_of("toy") == ()


def test_github_is_told(diff: Diff) -> None:
    assert diff("toy", "toy").exit_status == 0
    done = call("diff", "old.jsonl.gz", "swapped-merge", "--github")
    assert f"::error title=model%3A swapped-merge {ON_TOY},file=" in done.stdout
