"""An audit for CI systems: what a loader has replaced fails at its component, with a witness or without."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import fake_implementations as fakes
import pytest
from click.testing import CliRunner
from planted_loaders import document
from record_pairs import called
from written_checks import FILES, Written, agreeing

from tokenizer_conformance.cli import main
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.comparison.component_differences import Component
from tokenizer_conformance.releases.loader_audit.checks import LoaderAuditChecks
from tokenizer_conformance.releases.loader_audit.events import LoaderAuditFinished, about, header_line
from tokenizer_conformance.releases.loader_audit.plan import LoaderAuditPlan
from tokenizer_conformance.results.ci_results.check import CheckOutcome
from tokenizer_conformance.results.records.loader_audit import NotLoaded

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.results.ci_results.check import CheckedRun

    Audit = Callable[..., Written]

GROUP = "planted on toy"

LEDGER = """format = 1
[[known]]
implementation = "planted"
tokenizer = "toy"
input = "{component}"
reason = "The class has none; see its documentation."
"""


@pytest.fixture
def audit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Audit:
    """Audits a planted loader on the folder ``toy``, and returns what CI systems read."""
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["tokconf", "audit", "loader"])
    Path("toy").mkdir()
    Path("toy/tokenizer.json").write_text(json.dumps(document(), indent=2), "utf-8")

    def audited(loader: str, *arguments: str) -> Written:
        words = ["toy", "-i", loader, "--cases", "30", *FILES, *arguments]
        done = CliRunner().invoke(main, ["audit", "loader", *words])
        assert Path("junit.xml").is_file(), done.output
        return agreeing(tmp_path, done.exit_code)

    return audited


@pytest.mark.long
def test_a_faithful_loader_passes_every_component(audit: Audit) -> None:
    found = audit("planted_loaders:Faithful")
    assert found.title == "tokconf audit loader"
    names = {name for group, name in found.cases if group == GROUP}
    assert names == {"load", "answers", *Component}
    assert {found.came_to(GROUP, name) for name in names} == {"passed"}


def test_a_replaced_component_fails_in_its_line_with_its_witness(audit: Audit) -> None:
    found = audit("planted_loaders:WithoutNormalizer")
    assert found.wrong() == {(GROUP, "normalizer"): "failure"}
    message = found.message(GROUP, "normalizer")
    assert "Sequence[NFC, Lowercase] in the file, none as loaded" in message
    assert "witness: " in message
    (result,) = found.results
    assert result["ruleId"] == "component-replaced"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "toy/tokenizer.json"
    line = Path("toy/tokenizer.json").read_text("utf-8").splitlines()[place["region"]["startLine"] - 1]
    assert '"normalizer"' in line


@pytest.mark.long
def test_what_no_text_shows_fails_too_and_says_so(audit: Audit) -> None:
    found = audit("changed_components:Unseen")
    assert found.exit_status == 1
    assert found.wrong() == {(GROUP, "model"): "failure"}
    assert "no witness in " in found.message(GROUP, "model")
    assert found.rules() == {"component-replaced-unseen"}


@pytest.mark.long
def test_answers_of_a_plain_class_fail_and_its_components_are_skipped(audit: Audit) -> None:
    found = audit("planted_loaders:PlainWithoutNormalizer")
    assert found.wrong() == {(GROUP, "answers"): "failure"}
    assert found.came_to(GROUP, "normalizer") == "skipped"
    assert "components cannot be compared" in found.message(GROUP, "normalizer")


@pytest.mark.long
def test_a_ledger_knows_a_component_and_an_entry_that_is_not_met_is_stale(audit: Audit) -> None:
    Path("known.toml").write_text(LEDGER.format(component="normalizer"), "utf-8")
    found = audit("planted_loaders:WithoutNormalizer", "--ledger", "known.toml")
    assert found.exit_status == 0
    assert "The class has none; see its documentation." in found.message(GROUP, "normalizer")
    found = audit("planted_loaders:Faithful", "--ledger", "known.toml")
    assert found.rules() == {"stale-ledger-entry"}


def test_who_cannot_load_is_in_error_unless_it_has_no_way_to(audit: Audit) -> None:
    found = audit("changed_components:Refusing")
    assert found.exit_status == 3
    assert found.wrong() == {(GROUP, "load"): "error"}
    found = audit("changed_components:WithoutAWay")
    assert found.came_to(GROUP, "load") == "skipped"


@pytest.mark.long
def test_a_folder_that_cannot_be_read_is_an_error_check(audit: Audit) -> None:
    Path("broken").mkdir()
    Path("broken/tokenizer.json").write_text("{", "utf-8")
    found = audit("planted_loaders:Faithful", "broken")
    assert [key for key in found.wrong() if key[0] == "what was given"]
    assert found.exit_status == 2
    assert found.came_to(GROUP, "normalizer") == "passed"


@pytest.mark.long
def test_the_same_replacement_is_the_same_problem_in_another_run(audit: Audit) -> None:
    first = audit("planted_loaders:WithoutNormalizer").fingerprints()
    assert audit("planted_loaders:WithoutNormalizer", "--seed", "7").fingerprints() == first != set()


@pytest.mark.long
def test_hostile_tokens_are_no_markup(audit: Audit) -> None:
    found = audit("planted_loaders:Hostile")
    assert found.exit_status == 1
    text = Path("junit.xml").read_text("utf-8")
    assert "\u202e" not in text
    assert "\x1b" not in text


@pytest.mark.parametrize(
    ("refused", "message"),
    [(False, "not reached: the audit was cut short before"), (True, "toy does not load the tokenizer")],
)
def test_what_was_not_reached_is_skipped_and_says_why(toy_file: TokenizerFile, message: str, *, refused: bool) -> None:
    plan = LoaderAuditPlan(tokenizers=(toy_file,), baseline=fakes.Toy(), loaders=(called(fakes.Toy),), inputs=())
    found: list[CheckedRun] = []
    checks = LoaderAuditChecks(plan, found.append)
    checks.handle(header_line(plan))
    if refused:
        checks.handle(NotLoaded(**about("toy-tokenizer", plan.baseline.info), reason="no file", unsupported=False))
    counts = {"audited": 0, "differing": 0, "differences": 0, "witnessed": 0, "known": 0}
    checks.handle(
        LoaderAuditFinished(finished=False, conclusion=Conclusion.INTERRUPTED, seconds=0.0, stale=(), **counts)
    )
    (check,) = (each for each in found[0].checks if each.group == "mine on toy-tokenizer")
    assert (check.name, check.outcome, check.message) == ("load", CheckOutcome.SKIPPED, message)
