"""The action and the hooks are what GitHub and pre-commit take, and the scripts of the action do what it says.

The steps are run by bash as a runner would: inputs put into variables, files for outputs, path and summary. Steps that
use other actions are not run, and which these are is asserted.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import junitparser
import pytest
import yaml
from click.testing import CliRunner
from pre_commit.clientlib import load_manifest

from tokenizer_conformance.cli import main
from tokenizer_conformance.inputs.bundled import bundled_file

PROJECT = Path(__file__).parent.parent
ACTION = yaml.safe_load((PROJECT / "action.yml").read_text("utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]

EXPRESSION = re.compile(r"\$\{\{\s*([^}]*?)\s*\}\}")

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="the action's scripts are those of bash")


@dataclass
class Runner:
    """What a runner has for the steps of one use of the action, with these ``inputs``."""

    folder: Path
    inputs: dict[str, str]
    variables: dict[str, str] = field(default_factory=dict)
    log: str = ""

    def __post_init__(self) -> None:
        self.given = {name: about.get("default", "") for name, about in ACTION["inputs"].items()} | self.inputs
        self.files = {
            name: self.folder / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")
        }
        for file in self.files.values():
            file.touch()
        self.workspace = self.folder / "workspace"
        self.workspace.mkdir(exist_ok=True)

    def value(self, expression: str) -> str:
        """What an expression of ours stands for."""
        if expression == "github.action_path":
            return str(PROJECT)
        kind, name = expression.split(".", 1)
        assert kind == "inputs", expression
        return self.given[name]

    def substituted(self, text: str) -> str:
        return EXPRESSION.sub(lambda match: self.value(match[1]), text)

    def environment(self, step: dict[str, Any]) -> dict[str, str]:
        path = os.pathsep.join([*self.files["GITHUB_PATH"].read_text().split(), os.environ["PATH"]])
        return {
            **os.environ,
            "PATH": path,
            "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": str(self.workspace),
            "RUNNER_TEMP": str(self.folder / "temp"),
            **{name: str(file) for name, file in self.files.items()},
            **{name: self.substituted(value) for name, value in step.get("env", {}).items()},
            **self.variables,
        }

    def run(self, step: dict[str, Any]) -> int:
        """Run a step that has a script, as ``shell: bash`` does."""
        assert step["shell"] == "bash"
        assert "${{" not in step["run"], "what an input holds would be run"
        finished = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
            cwd=self.workspace / self.substituted(step.get("working-directory", ".")),
            env=self.environment(step),
            capture_output=True,
            text=True,
            check=False,
        )
        self.log += finished.stdout + finished.stderr
        return finished.returncode

    def outputs(self) -> dict[str, str]:
        return dict(line.split("=", 1) for line in self.files["GITHUB_OUTPUT"].read_text().splitlines())


def help_of(*words: str) -> str:
    """Return the help of the command that ``words`` name."""
    return CliRunner().invoke(main, [*words, "--help"], catch_exceptions=False).stdout


def step(name: str) -> dict[str, Any]:
    (found,) = (each for each in STEPS if each["name"] == name)
    return found


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder for the path in which ``python`` is this one and ``tokconf`` that of this project."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name, words in (("python", ""), ("tokconf", "-m tokenizer_conformance ")):
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words}"$@"\n')
        script.chmod(0o755)
    return folder


@pytest.fixture
def use(tmp_path: Path, tools: Path) -> Any:
    """A function that returns a runner for a use of the action with these inputs, where tokconf is installed."""

    def made(**inputs: str) -> Runner:
        runner = Runner(tmp_path, {name.replace("_", "-"): value for name, value in inputs.items()})
        runner.files["GITHUB_PATH"].write_text(f"{tools}\n")
        return runner

    return made


# What others say of the files ----------------------------------------------------------------------------------------


def test_the_action_is_in_the_form_that_github_takes() -> None:
    vendored = files("check_jsonschema") / "builtin_schemas" / "vendor" / "github-actions.json"
    schema = json.loads(vendored.read_text("utf-8"))
    jsonschema.validators.validator_for(schema)(schema).validate(ACTION)


def test_every_input_and_output_is_used_and_every_one_used_is_there() -> None:
    text = (PROJECT / "action.yml").read_text("utf-8")
    assert set(re.findall(r"inputs\.([a-z-]+)", text)) == set(ACTION["inputs"])
    assert set(re.findall(r'echo "([a-z-]+)=', step("Run tokconf")["run"])) == set(ACTION["outputs"])


def test_only_these_steps_are_those_of_others() -> None:
    assert {each["name"]: each["uses"].split("@")[0] for each in STEPS if "uses" in each} == {
        "Set up Python": "actions/setup-python",
        "Upload the SARIF": "github/codeql-action/upload-sarif",
    }
    assert [each["name"] for each in STEPS if "run" in each] == ["Install tokconf", "Run tokconf"]


def test_the_hooks_are_in_the_form_that_pre_commit_takes() -> None:
    hooks = {hook["id"]: hook for hook in load_manifest(str(PROJECT / ".pre-commit-hooks.yaml"))}
    assert set(hooks) == {"tokconf-vectors", "tokconf-run"}
    for name in ("tokenizer.json", "models/bert/tokenizer.json"):
        assert re.search(hooks["tokconf-run"]["files"], name)
    assert not re.search(hooks["tokconf-run"]["files"], "my_tokenizer.json")


@pytest.mark.parametrize("hook", load_manifest(str(PROJECT / ".pre-commit-hooks.yaml")), ids=lambda hook: hook["id"])
def test_what_a_hook_calls_has_the_options_it_is_given(hook: dict[str, Any]) -> None:
    program, *words = hook["entry"].split()
    assert program == "tokconf"
    help_text = help_of(*words)
    options = [word for word in hook["args"] if word.startswith("-") and word != "--"]
    assert all(re.search(rf"(^|\s){option}\b", help_text) for option in options)


@pytest.mark.long
def test_the_hook_finds_a_tokenizer_on_which_implementations_agree(tmp_path: Path) -> None:
    (hook,) = (each for each in load_manifest(str(PROJECT / ".pre-commit-hooks.yaml")) if each["id"] == "tokconf-run")
    (tmp_path / "tokenizer.json").write_bytes(bundled_file("wordlevel-mini").read_bytes())
    words = [*hook["entry"].split()[1:], "-k", "whitespace", *hook["args"], "tokenizer.json"]
    finished = subprocess.run(
        [sys.executable, "-m", "tokenizer_conformance", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr


# The steps -----------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_run_that_conforms(use: Any) -> None:
    runner = use(args="run wordlevel-mini -i reference tokenizers -k whitespace --no-known", junit="junit.xml")
    assert runner.run(step("Run tokconf")) == 0, runner.log
    assert runner.outputs() == {"exit-status": "0", "junit": "./junit.xml", "sarif": "./tokconf.sarif"}
    assert (runner.workspace / "junit.xml").read_bytes().startswith(b"<?xml")
    assert json.loads((runner.workspace / "tokconf.sarif").read_text())["runs"][0]["results"] == []
    assert "## tokconf run: conform" in runner.files["GITHUB_STEP_SUMMARY"].read_text("utf-8")
    assert "::error" not in runner.log


@pytest.mark.long
def test_a_faulty_program_fails_the_step_with_its_status_and_is_annotated(use: Any) -> None:
    words = PROJECT / "examples" / "protocol" / "words.py"
    runner = use(
        args=f"run bert-mini -k whitespace --no-known --cause-time 0 -i tokenizers 'command:python {words}'",
        baseline="tokenizers",
        working_directory="sub folder",
    )
    (runner.workspace / "sub folder").mkdir()
    assert runner.run(step("Run tokconf")) == 1, runner.log
    assert runner.outputs()["exit-status"] == "1"
    sarif = json.loads((runner.workspace / runner.outputs()["sarif"]).read_text())
    assert {result["locations"][0]["logicalLocations"][0]["name"] for result in sarif["runs"][0]["results"]} >= {
        "model"
    }
    assert "::error title=model%3A words on bert-mini,file=" in runner.log
    assert "| words on bert-mini |" in runner.files["GITHUB_STEP_SUMMARY"].read_text("utf-8")


@pytest.mark.long
def test_ledgers_are_given_one_a_line(use: Any) -> None:
    runner = use(
        args="run wordlevel-mini -i reference tokenizers -k whitespace", ledger="first one.toml\nsecond.toml\n"
    )
    for name in ("first one.toml", "second.toml"):
        (runner.workspace / name).write_text("format = 1\n" if name.startswith("first") else "format = 2\n")
    assert runner.run(step("Run tokconf")) == 2
    assert "second.toml" in runner.log
    assert "first one.toml" not in runner.log


@pytest.mark.parametrize("args", ["", "  ", "run 'not closed"])
def test_arguments_that_are_none_are_refused_with_what_to_do(use: Any, args: str) -> None:
    runner = use(args=args)
    assert runner.run(step("Run tokconf")) == 2
    assert "::error title=tokconf::args is empty, or its quotes are not closed" in runner.log


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    "name", ["args", "junit", *(pytest.param(name, marks=pytest.mark.long) for name in ("baseline", "ledger", "sarif"))]
)
def test_what_an_input_holds_is_never_run(use: Any, name: str) -> None:
    runner = use(**{"args": "run no-such-tokenizer", name: "run $(touch owned) `touch owned` ; touch owned"})
    assert runner.run(step("Run tokconf")) != 0
    assert not (runner.workspace / "owned").exists()


@pytest.mark.parametrize(
    ("inputs", "installed"),
    [
        ({}, [str(PROJECT)]),
        ({"version": "0.1.0"}, ["tokenizer-conformance==0.1.0"]),
        (
            {"packages": "tokie==0.1.4  kitoken\n$(touch_owned)"},
            [str(PROJECT), "tokie==0.1.4", "kitoken", "$(touch_owned)"],
        ),
    ],
)
def test_the_installation_asks_pip_for_what_was_asked_for(
    tmp_path: Path, tools: Path, inputs: dict[str, str], installed: list[str]
) -> None:
    # In place of python: it makes an environment whose python writes down what it is called with.
    asked = tmp_path / "asked"
    maker = tools / "python"
    maker.write_text(
        '#!/bin/sh\n[ "$1 $2" = "-m venv" ] || exit 9\nmkdir -p "$3/bin"\n'
        f'printf \'#!/bin/sh\\nprintf "%%s\\\\n" "$@" > {asked}\\n\' > "$3/bin/python"\nchmod +x "$3/bin/python"\n'
    )
    runner = Runner(tmp_path, inputs)
    runner.files["GITHUB_PATH"].write_text(f"{tools}\n")
    assert runner.run(step("Install tokconf")) == 0, runner.log
    words = asked.read_text().splitlines()
    assert words[:3] == ["-m", "pip", "install"]
    assert [word for word in words[3:] if not word.startswith("-")] == installed
    assert runner.files["GITHUB_PATH"].read_text().splitlines()[-1] == str(tmp_path / "temp" / "tokconf" / "bin")


@pytest.mark.slow
def test_the_installation_gives_a_command_that_runs(tmp_path: Path) -> None:
    runner = Runner(tmp_path, {"packages": "six"})
    assert runner.run(step("Install tokconf")) == 0, runner.log
    (bin_folder,) = runner.files["GITHUB_PATH"].read_text().split()
    version = subprocess.run([f"{bin_folder}/tokconf", "--version"], capture_output=True, text=True, check=True).stdout
    assert re.search(r"\d", version)


# The recipes ---------------------------------------------------------------------------------------------------------

RECIPES = (PROJECT / "docs" / "how-to" / "ci.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", RECIPES, re.DOTALL | re.MULTILINE)


def test_the_recipes_name_every_input_of_the_action_and_no_other() -> None:
    rows = re.findall(
        r"^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \|", RECIPES.split("## GitHub, with the action")[1], re.MULTILINE
    )
    assert {name for row in rows for name in re.findall("`([a-z-]+)`", row)} == set(ACTION["inputs"])


@pytest.mark.parametrize("text", [text for kind, text in BLOCKS if kind == "yaml"])
def test_recipes_in_yaml_can_be_read_and_give_inputs_that_there_are(text: str) -> None:
    found = yaml.safe_load(text)
    steps = found if isinstance(found, list) else []
    for each in steps:
        if "tokenizer-conformance" in each.get("uses", ""):
            assert set(each["with"]) <= set(ACTION["inputs"])


def test_every_call_in_a_recipe_has_options_that_there_are() -> None:
    calls = re.findall(r"tokconf ((?:run|suite run|vectors|snapshot|diff)\b.*)", "\n".join(text for _, text in BLOCKS))
    assert len(calls) >= 7
    for call in calls:
        words = call.split(" ")[: 2 if call.startswith("suite") else 1]
        help_text = help_of(*words)
        assert all(option in help_text for option in re.findall(r"--[a-z-]+", call))


def test_the_recipe_for_any_shell_tells_the_statuses_apart(tools: Path, tmp_path: Path) -> None:
    (script,) = (text for kind, text in BLOCKS if kind == "sh")
    told = {}
    for status in (0, 1, 3):
        (tools / "tokconf").write_text(f"#!/bin/sh\nexit {status}\n")
        environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
        finished = subprocess.run(
            ["sh", "-e", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert finished.returncode == status
        told[status] = finished.stdout.strip()
    assert told == {0: "conform", 1: "differences", 3: "could not be judged: status 3"}


# The baseline --------------------------------------------------------------------------------------------------------


QUICK = "[tool.tokconf]\nno-builtin = true\ncause-time = 0\n"
"""Leaves out what takes a command of a recipe most of its time."""


@pytest.fixture
def baseline(tmp_path: Path) -> Path:
    """The workspace of a runner, with the checkpoint and the texts of the recipe."""
    workspace = tmp_path / "workspace"
    (workspace / "my-checkpoint").mkdir(parents=True)
    (workspace / "my-checkpoint" / "tokenizer.json").write_bytes(bundled_file("wordlevel-mini").read_bytes())
    (workspace / "texts").mkdir()
    (workspace / "texts" / "chats.txt").write_text("Hello there\nfine, thanks\n")
    (workspace / "pyproject.toml").write_text(QUICK)
    return workspace


def with_another_word(workspace: Path) -> None:
    """Exchange the ids of two tokens of the checkpoint."""
    file = workspace / "my-checkpoint" / "tokenizer.json"
    document = json.loads(file.read_text("utf-8"))
    vocabulary = document["model"]["vocab"]
    first, second = list(vocabulary)[-2:]
    vocabulary[first], vocabulary[second] = vocabulary[second], vocabulary[first]
    file.write_text(json.dumps(document), "utf-8")


def failing(file: Path) -> list[str]:
    cases = [case for suite in junitparser.JUnitXml.fromfile(str(file)) for case in suite]
    return [case.name for case in cases if any(isinstance(each, junitparser.Failure) for each in case.result)]


@pytest.mark.long
def test_the_recipe_of_a_baseline_fails_once_anything_changes(tools: Path, baseline: Path) -> None:
    first, second = (text for kind, text in BLOCKS if kind == "bash")

    def run(script: str) -> int:
        environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
        command = ["bash", "--noprofile", "--norc", "-e", "-c", script]
        return subprocess.run(command, cwd=baseline, env=environment, capture_output=True, check=False).returncode

    assert run(first) == 0
    assert run(second) == 0
    assert failing(baseline / "tokconf-junit.xml") == []
    with_another_word(baseline)
    assert run(second) == 1
    assert "vocabulary" in failing(baseline / "tokconf-junit.xml")


@pytest.mark.long
def test_the_baseline_with_the_action_and_with_the_configuration(use: Any, tools: Path, baseline: Path) -> None:
    (text,) = (text for kind, text in BLOCKS if kind == "toml")
    (baseline / "pyproject.toml").write_text(text.replace("[tool.tokconf]\n", QUICK))
    (baseline / "known.toml").write_text("format = 1\n")
    made = subprocess.run([str(tools / "tokconf"), "snapshot"], cwd=baseline, capture_output=True, check=False)
    assert made.returncode == 0, made.stderr
    (steps,) = (yaml.safe_load(text) for kind, text in BLOCKS if kind == "yaml" and "args: diff" in text)
    given = {name: value for name, value in steps[-1]["with"].items() if name != "packages"}
    with_another_word(baseline)
    for inputs in (given, {"args": "diff"}):
        runner = use(**inputs)
        runner.files["GITHUB_OUTPUT"].write_text("")
        assert runner.run(step("Run tokconf")) == 1, runner.log
        assert runner.outputs()["exit-status"] == "1"
        assert "::error title=vocabulary%3A tokenizers on my-checkpoint,file=my-checkpoint/tokenizer.json" in runner.log
        assert "## tokconf diff: differences" in runner.files["GITHUB_STEP_SUMMARY"].read_text("utf-8")
