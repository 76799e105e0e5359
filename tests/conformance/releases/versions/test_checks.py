"""Releases for CI systems: what changed from one to the next fails in that step, and nothing else does."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import fake_implementations as fakes
import pytest
from click.testing import CliRunner
from fake_releases import plan_of, released
from written_checks import FILES, Written, agreeing, written

from tokenizer_conformance.cli import main
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.releases.versions.checks import RELEASES, VersionsChecks
from tokenizer_conformance.releases.versions.events import VersionsFinished, header_line
from tokenizer_conformance.releases.versions.facts import Fact, section_result
from tokenizer_conformance.results.ci_results.check import CheckedRun, CheckOutcome, with_conclusion

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.releases.versions.plan import VersionsPlan

    Versions = Callable[..., Written]

SAVING = "changed_loading:Saving"
SAVES_OTHERWISE = "changed_loading:UnderAnotherName"


@pytest.fixture
def versions(plugin: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, toy_tokenizer: Path) -> Versions:
    """Compares implementations as releases, one after the other, and returns what CI systems read."""
    monkeypatch.syspath_prepend(str(plugin))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")
    monkeypatch.setattr(sys, "argv", ["tokconf", "versions"])
    Path("texts.txt").write_text("abc\naBc d\nx\na-b\nzebra crossing\n", encoding="utf-8")

    def compared(*words: object) -> Written:
        common = ("-t", toy_tokenizer, "--no-builtin", "--inputs", "texts.txt", "--snapshots", "kept", *FILES)
        if "--section" not in words:
            common = ("--section", "none", *common)
        done = CliRunner().invoke(main, ["versions", *map(str, (*words, *common))])
        assert Path("junit.xml").is_file(), done.output
        return agreeing(tmp_path, done.exit_code)

    return compared


# (releases, exit status, the step that fails, as is said in it)
PLANTED = (
    (("toy", "utf8"), 0, None, ""),
    (("toy", "swapped-merge"), 1, "toy -> swapped-merge", "model: "),
    (("swapped-merge", "toy"), 1, "swapped-merge -> toy", "model: "),
    (("toy", "wrong-normalization"), 1, "toy -> wrong-normalization", "normalize: "),
    (("toy", "wrong-pieces"), 1, "toy -> wrong-pieces", "pre_tokenize: "),
    (("toy", "wrong-special-token"), 1, "toy -> wrong-special-token", "post_process: "),
    (("toy", "lossy-decode"), 1, "toy -> lossy-decode", "decode: "),
    (("toy", "raising"), 1, "toy -> raising", "normalize: "),
    (("toy", "cannot-load"), 1, "toy -> cannot-load", "loads -> refuses: "),
    (("toy", "swapped-merge", "swapped-merge"), 1, "toy -> swapped-merge", "model: "),
    (("toy", "utf8", "lossy-decode"), 1, "utf8 -> lossy-decode", "decode: "),
    ((SAVING, SAVES_OTHERWISE), 1, f"{SAVING} -> {SAVES_OTHERWISE}", "$.decoder"),
)


@pytest.mark.long_but(4)
@pytest.mark.parametrize(
    ("releases", "status", "step", "shown"), PLANTED, ids=["-".join(row[0]).replace(":", "-") for row in PLANTED]
)
def test_a_planted_change_fails_in_its_step(
    versions: Versions, releases: tuple[str, ...], status: int, step: str | None, shown: str
) -> None:
    found = versions(*releases)
    assert found.title == "tokconf versions"
    assert found.exit_status == status
    assert set(found.wrong()) == ({(step, "toy-tokenizer")} if step else set())
    if step:
        assert shown in found.message(step, "toy-tokenizer")
    assert {name for group, name in found.cases if group == RELEASES} == set(releases)
    assert all(found.came_to(RELEASES, release) == "passed" for release in releases)


def test_each_tokenizer_that_changed_fails(versions: Versions, toy_tokenizer: Path, tmp_path: Path) -> None:
    others = [tmp_path / name / "tokenizer.json" for name in ("a", "b")]
    for other in others:
        other.parent.mkdir()
        shutil.copy(toy_tokenizer, other)
    found = versions("toy", "swapped-merge", "-t", others[0].parent, "-t", others[1].parent)
    step = "toy -> swapped-merge"
    assert (found.exit_status, set(found.wrong())) == (1, {(step, name) for name in ("a", "b", "toy-tokenizer")})
    assert all("model: " in found.message(step, name) for name in ("a", "b", "toy-tokenizer"))


def test_a_release_says_how_many_tokenizers_it_loads(versions: Versions) -> None:
    found = versions("toy", "cannot-load")
    assert "1 tokenizer loaded" in found.message(RELEASES, "toy")
    assert "0 tokenizers loaded, 1 refused" in found.message(RELEASES, "cannot-load")


def test_a_release_that_cannot_be_had_is_in_error_and_the_rest_is_compared(versions: Versions) -> None:
    found = versions("toy", "unavailable", "swapped-merge")
    assert found.exit_status == 3
    assert found.came_to(RELEASES, "unavailable") == "error"
    assert found.came_to("toy -> swapped-merge", "toy-tokenizer") == "failure"
    assert "implementation-missing" in found.rules()


def test_what_neither_release_loads_is_skipped_and_the_run_fails(versions: Versions) -> None:
    found = versions("cannot-load", "changed_loading:Refusing", "cannot-load")
    assert found.exit_status == 1, "they refuse in other words"


def test_a_release_alone_is_not_asked_and_in_error(versions: Versions) -> None:
    found = versions("toy")
    assert found.wrong() == {(RELEASES, "toy"): "error"}
    assert found.exit_status == 3
    assert "the only release left" in found.message(RELEASES, "toy")


LEDGER = """format = 1
[[known]]
implementation = "swapped-merge"
baseline = "toy"
reason = "It merges b and c first."
"""


def test_known_changes_fail_nothing_and_are_said(versions: Versions) -> None:
    Path("known.toml").write_text(LEDGER, encoding="utf-8")
    found = versions("toy", "swapped-merge", "--ledger", "known.toml")
    assert found.exit_status == 0
    assert "It merges b and c first." in found.message("toy -> swapped-merge", "toy-tokenizer")


def test_the_same_change_is_the_same_problem_in_another_run(versions: Versions) -> None:
    first = versions("toy", "wrong-special-token").fingerprints()
    Path("texts.txt").write_text("zebra\nabc\nq\n", encoding="utf-8")
    assert versions("toy", "wrong-special-token").fingerprints() == first != set()


def test_a_tokenizer_that_cannot_be_read_is_an_error_check(versions: Versions, tmp_path: Path) -> None:
    found = versions("toy", "utf8", "-t", "nowhere")
    assert found.wrong() == {("what was given", "tokenizer nowhere"): "error"}
    assert written(tmp_path).exit_status == 2


# Sections, and a comparison that is cut short -------------------------------------------------------------------------


def planned(*kinds: type[fakes.Toy]) -> VersionsPlan:
    return plan_of(released(*kinds), (), Path())


def finished(conclusion: Conclusion, *, whole: bool = True) -> VersionsFinished:
    return VersionsFinished(
        None if whole else "interrupted", 2, 1, (), finished=whole, conclusion=conclusion, seconds=1.0
    )


def checked(plan: VersionsPlan, *events: object) -> CheckedRun:
    runs: list[CheckedRun] = []
    checks = VersionsChecks(plan, runs.append)
    for event in (header_line(plan), *events):
        checks.handle(event)  # type: ignore[arg-type]
    return with_conclusion(runs[0])


def test_a_changed_fact_fails_in_its_section_and_step() -> None:
    facts = {
        "a==1": {"padding": Fact("right"), "legacy": Fact("true")},
        "a==2": {"padding": Fact("left"), "legacy": Fact("true")},
        "a==3": "it has no such facts",
        "a==4": {"padding": Fact("left"), "legacy": Fact("true"), "noise": Fact("1", is_stable=False)},
    }
    section = section_result("defaults", facts)  # type: ignore[arg-type]
    run = checked(planned(fakes.Toy), section, finished(Conclusion.DIFFERENCES))
    told = {check.name: check.outcome for check in run.checks if check.group == "defaults of releases"}
    assert told == {
        "a==1 -> a==2": CheckOutcome.FAILED,
        "a==2 -> a==4": CheckOutcome.PASSED,
        "a==3": CheckOutcome.SKIPPED,
    }
    (failed,) = run.wrong()
    (problem,) = failed.problems
    assert (problem.rule.id, problem.identity) == ("fact-changed", "padding")
    assert "right -> left" in problem.message


def test_of_a_comparison_cut_short_nothing_passes_that_was_not_asked() -> None:
    run = checked(planned(fakes.Toy, fakes.Toy), finished(Conclusion.INTERRUPTED, whole=False))
    assert [(check.name, check.outcome) for check in run.checks] == [
        ("tokenizers==1.0", CheckOutcome.SKIPPED),
        ("tokenizers==2.0", CheckOutcome.SKIPPED),
        ("finished", CheckOutcome.ERROR),
    ]
