"""The files that belong to a release or to the forge: each in the form that its reader takes, and of one version."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from packaging.version import Version

PROJECT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
VERSION = PYPROJECT["project"]["version"]
GITHUB = PROJECT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
FORMS = sorted(path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")

TYPES = [each["directory"] for each in PYPROJECT["tool"]["towncrier"]["type"]]
FRAGMENTS = PROJECT / PYPROJECT["tool"]["towncrier"]["directory"]
NAME = re.compile(rf"\+[a-z0-9]+(-[a-z0-9]+)*\.({'|'.join(TYPES)})\.md")


def problems(path: Path, schema: str) -> list[str]:
    vendored = files("check_jsonschema") / "builtin_schemas" / "vendor" / f"{schema}.json"
    known = json.loads(vendored.read_text("utf-8"))
    return [error.message for error in jsonschema.validators.validator_for(known)(known).iter_errors(safe(path))]


def safe(path: Path) -> Any:
    """A YAML file as JSON: ``on`` is a text, truths and numbers are those of JSON, dates are texts."""
    document = yaml.safe_load(path.read_text("utf-8"))
    if True in document:  # YAML 1.1 takes the word `on` for a truth
        document["on"] = document.pop(True)
    return json.loads(json.dumps(document, default=str))


# Versions and the change log ------------------------------------------------------------------------------------------


def versions_of_change_log(text: str) -> list[str]:
    return re.findall(r"^## (\S+) \(\d{4}-\d\d-\d\d\)$", text, re.MULTILINE)


def test_the_version_is_said_alike_everywhere() -> None:
    log = (PROJECT / "CHANGELOG.md").read_text("utf-8")
    assert versions_of_change_log(log)[0] == VERSION
    assert versions_of_change_log(log) == sorted(versions_of_change_log(log), key=Version, reverse=True)
    assert safe(PROJECT / "CITATION.cff")["version"] == VERSION
    assert safe(PROJECT / "CITATION.cff")["license"] == PYPROJECT["project"]["license"]


def test_what_is_released_stands_behind_the_mark_of_new_sections() -> None:
    before, mark, after = (
        (PROJECT / "CHANGELOG.md").read_text("utf-8").partition(PYPROJECT["tool"]["towncrier"]["start_string"])
    )
    assert mark
    assert versions_of_change_log(before) == []
    assert after.startswith(f"\n## {VERSION} (")


def test_fragments_have_names_and_types_that_are_taken() -> None:
    found = [path for path in FRAGMENTS.iterdir() if path.name != "README.md"]
    assert [path.name for path in found if not NAME.fullmatch(path.name)] == []
    assert [path.name for path in found if not path.read_text("utf-8").strip()] == []
    assert NAME.fullmatch("+gguf-audit.added.md")
    assert not NAME.fullmatch("gguf-audit.added.md")
    assert not NAME.fullmatch("+gguf-audit.news.md")


def test_the_readme_of_fragments_explains_every_type() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", (FRAGMENTS / "README.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(rows) == sorted(TYPES)


def towncrier(folder: Path, *arguments: str) -> str:
    ended = subprocess.run(
        [sys.executable, "-m", "towncrier", "build", "--version", "99.0", "--date", "2030-01-02", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_fragments_make_a_section_under_headings_that_say_what_they_are(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(PROJECT / name, tmp_path)
    folder = tmp_path / FRAGMENTS.name
    folder.mkdir()
    shutil.copy(FRAGMENTS / "README.md", folder)
    for kind in TYPES:
        (folder / f"+one-of.{kind}.md").write_text(f"It is of the type {kind}.\n")
    towncrier(tmp_path, "--yes")
    log = (tmp_path / "CHANGELOG.md").read_text("utf-8")
    assert versions_of_change_log(log)[:2] == ["99.0", VERSION]
    section = log.partition(f"## {VERSION}")[0].partition("## 99.0 (2030-01-02)")[2]
    for each in PYPROJECT["tool"]["towncrier"]["type"]:
        assert f"### {each['name']}\n\n- It is of the type {each['directory']}.\n" in section
    assert [path.name for path in folder.iterdir()] == ["README.md"]


def test_a_draft_of_the_next_section_can_be_made() -> None:
    assert "## 99.0 (2030-01-02)" in towncrier(PROJECT, "--draft")


# The forge ------------------------------------------------------------------------------------------------------------


def test_the_citation_is_in_its_format() -> None:
    assert problems(PROJECT / "CITATION.cff", "citation-file-format") == []


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_of_issues_is_one_that_github_takes(path: Path) -> None:
    assert problems(path, "github-issue-forms") == []


def test_there_are_forms_and_their_configuration() -> None:
    assert len(FORMS) == 4
    assert problems(GITHUB / "ISSUE_TEMPLATE" / "config.yml", "github-issue-config") == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_is_one_that_github_takes_and_asks_for_little(path: Path) -> None:
    assert problems(path, "github-workflows") == []
    document = safe(path)
    assert document["permissions"] == {"contents": "read"}
    for job in document["jobs"].values():
        assert "timeout-minutes" in job
        for step in job["steps"]:
            assert "${{" not in step.get("run", ""), "what an expression holds would be run"
            assert "checkout" not in step.get("uses", "") or step["with"]["persist-credentials"] is False


def test_a_workflow_in_another_form_is_refused(tmp_path: Path) -> None:
    (tmp_path / "wrong.yml").write_text("on: push\njobs:\n  one: {steps: []}\n")
    assert problems(tmp_path / "wrong.yml", "github-workflows")


def test_workflows_use_targets_and_files_that_there_are() -> None:
    text = "".join(path.read_text("utf-8") for path in WORKFLOWS)
    assert (PROJECT / ".ci" / "run").exists()
    assert re.findall(r"python\S* (tools/\S+\.py)", text)
    for name in re.findall(r"python\S* (tools/\S+\.py)", text):
        assert (PROJECT / name).exists()
    pythons = [each.rpartition(" ")[2] for each in PYPROJECT["project"]["classifiers"] if " 3." in each]
    for path in (GITHUB / "workflows" / "ci.yml", GITHUB / "workflows" / "release.yml"):
        jobs = safe(path)["jobs"].values()
        assert pythons in [job["strategy"]["matrix"]["python"] for job in jobs if "strategy" in job]
