"""The recipes of docs/how-to/cluster.md, run from its text: parts on several machines make the record of the whole.

Each machine is a process here. What a batch system does for a recipe stands in a few lines below: Slurm's variables,
the steps of GitHub's jobs with their artifacts, and the index of a Kubernetes job. What they do not know fails.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
import yaml

from tokenizer_conformance.command_io.compact_names import spelled_out
from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from collections.abc import Callable

PROJECT = Path(__file__).parent.parent
PAGE = (PROJECT / "docs" / "how-to" / "cluster.md").read_text("utf-8")

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)

LINES = FENCE.findall(PAGE)[0][1].splitlines()
"""The commands that a recipe can run; the first is that of the text."""

PROGRAM = f'#!/bin/sh\nexec "{sys.executable}" "{PROJECT}/examples/protocol/words.py"\n'
"""An implementation that differs from the baseline on most texts."""

QUICK = "[tool.tokconf]\nno-builtin = true\ncause-time = 0\n"
"""Leaves out what takes a command of a recipe most of its time."""

OF_THE_WAY = frozenset({"seconds", "baseline_seconds", "environment", "merged", "shard", "sha256", "lines"})
"""The members of a record's lines that say when and how it came about, and not what."""

TOOLS = {
    "tokconf": f'#!/bin/sh\nexec "{sys.executable}" -m tokenizer_conformance "$@"\n',
    "python": '#!/bin/sh\n[ "$*" = "-m pip install tokenizer-conformance" ]\n',
    "sbatch": f'#!/bin/sh\nexec "{sys.executable}" "{Path(__file__).with_name("slurm.py")}" "$@"\n',
}
"""What stands on the path of the recipes: Python installs nothing."""

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="the recipes are those of bash")


@dataclass(frozen=True)
class Machines:
    """Machines on which the tools are installed, and a ``folder`` that all of them see; ``line`` is the command."""

    folder: Path
    line: str

    def blocks(self, heading: str) -> list[str]:
        """Return the code of a section of the page, with the command that is wanted."""
        section = re.split(r"^## ", PAGE.split(f"\n## {heading}\n")[1], flags=re.MULTILINE)[0]
        return [text.replace(LINES[0], self.line) for _, text in FENCE.findall(section)]

    def bash(self, script: str, folder: Path, **variables: str) -> int:
        """Run a script that stops at the first error, and return its status."""
        environment = {**os.environ, **variables, "PATH": f"{self.folder / 'tools'}{os.pathsep}{os.environ['PATH']}"}
        return subprocess.run(["bash", "-e", "-c", script], cwd=folder, env=environment, check=False).returncode


@pytest.fixture
def machines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Machines]:
    """A function that returns machines for a command."""
    monkeypatch.setenv("TOKCONF_PROGRESS", "off")
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    data = tmp_path / "data"
    for folder in ("tools", "data/my-checkpoint", "data/other-checkpoint", "data/corpus"):
        (tmp_path / folder).mkdir(parents=True)
    for name, text in TOOLS.items():
        (tmp_path / "tools" / name).write_text(text)
        (tmp_path / "tools" / name).chmod(0o755)
    for folder, bundled in (("my-checkpoint", "wordlevel-mini"), ("other-checkpoint", "bert-mini")):
        (data / folder / "tokenizer.json").write_bytes(bundled_file(bundled).read_bytes())
    (data / "my-tokenizer").write_text(PROGRAM)
    (data / "my-tokenizer").chmod(0o755)
    (data / "pyproject.toml").write_text(QUICK)
    for name, words in (("a", ("the", "of", "Hello", "été")), ("b", ("and", "is", "東京"))):
        texts = [" ".join([*pair, str(number % 7)]) for number, pair in enumerate(product(words, repeat=2))]
        (data / "corpus" / f"{name}.txt").write_text("\n".join(texts), "utf-8")
    return lambda line: Machines(tmp_path, line)


# What a batch system does --------------------------------------------------------------------------------------------


def by_slurm(machines: Machines) -> Path:
    """Submit the array and what merges it; ``slurm.py`` beside this file is ``sbatch``."""
    script, submitted = machines.blocks("A Slurm array")
    data = machines.folder / "data"
    (data / "part.sh").write_text(script)
    assert machines.bash(submitted, data) == 0
    return data / "whole.jsonl"


def by_github(machines: Machines) -> Path:
    """Run the jobs of the workflow, each in a folder of its own."""
    (text,) = machines.blocks("A CI matrix")
    jobs = yaml.safe_load(text)["jobs"]
    parts = jobs["part"].pop("strategy")
    assert parts["fail-fast"] is False, "the other parts would be cancelled"
    for part in parts["matrix"]["part"]:
        values = {"matrix.part": str(part), "strategy.job-total": str(len(parts["matrix"]["part"]))}
        _github_job(machines, jobs["part"], machines.folder / f"runner-{part}", values)
    assert (jobs["whole"].pop("needs"), jobs["whole"].pop("if")) == ("part", "${{ !cancelled() }}")
    _github_job(machines, jobs["whole"], machines.folder / "runner", {})
    return machines.folder / "runner" / "whole.jsonl"


def _github_job(machines: Machines, job: dict[str, Any], folder: Path, values: dict[str, str]) -> None:
    assert set(job) == {"runs-on", "steps"}
    folder.mkdir()
    has_failed = False
    for step in yaml.safe_load(_substituted(yaml.safe_dump(job["steps"], width=10_000), values)):
        if not has_failed or step.get("if") == "${{ !cancelled() }}":
            has_failed |= _github_step(machines, step, folder) != 0


def _substituted(text: str, values: dict[str, str]) -> str:
    return re.sub(
        r"\$\{\{ (.*?) \}\}", lambda match: match[0] if match[1] == "!cancelled()" else values[match[1]], text
    )


def _github_step(machines: Machines, step: dict[str, Any], folder: Path) -> int:
    artifacts, given = machines.folder / "artifacts", step.get("with", {})
    match step.get("uses", "").split("@")[0]:
        case "":
            return machines.bash(step["run"], folder)
        case "actions/checkout":
            shutil.copytree(machines.folder / "data", folder, dirs_exist_ok=True)
        case "actions/upload-artifact":
            (artifacts / given["name"]).mkdir(parents=True)
            shutil.copy(folder / given["path"], artifacts / given["name"])
        case "actions/download-artifact":
            assert given["merge-multiple"] is True, "each would lie in a folder of its own"
            for artifact in artifacts.glob(given["pattern"]):
                shutil.copytree(artifact, folder, dirs_exist_ok=True)
        case other:
            raise AssertionError(other)
    return 0


def by_kubernetes(machines: Machines) -> Path:
    """Run the container of each index, and then what merges; a container that fails would be run again."""
    job, merging = machines.blocks("A Kubernetes indexed job")
    specification = yaml.safe_load(job)["spec"]
    assert specification["completionMode"] == "Indexed"
    (container,) = specification["template"]["spec"]["containers"]
    data = machines.folder / "data"
    for index in range(specification["completions"]):
        variables = {each["name"]: each["value"] for each in container["env"]} | {"JOB_COMPLETION_INDEX": str(index)}
        assert container["command"] == ["bash", "-c"]
        (script,) = (_expanded(each, variables) for each in container["args"])
        assert machines.bash(script, data, **variables) == 0
    assert machines.bash(merging, data) in (0, 1)
    return data / "whole.jsonl"


def _expanded(text: str, variables: dict[str, str]) -> str:
    """Expand ``$(NAME)`` as Kubernetes does; what names no variable stays, and ``$$`` is a dollar."""
    pattern = r"\$(?:\$|\(([^)]*)\))"
    return re.sub(pattern, lambda match: "$" if match[1] is None else variables.get(match[1], match[0]), text)


RECIPES = {"slurm": by_slurm, "github": by_github, "kubernetes": by_kubernetes}


# The recipes ---------------------------------------------------------------------------------------------------------


def lasting(value: Any) -> Any:
    """Return what a line says, without when and how it came about."""
    match value:
        case dict():
            return {key: lasting(each) for key, each in value.items() if key not in OF_THE_WAY}
        case list():
            return [lasting(each) for each in value]
    return value


def record_in(file: Path) -> tuple[list[Any], dict[tuple[str, str], set[str]]]:
    """Return what a record says: its lines, and the inputs that fail, which are told piece by piece as time goes on."""
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    failing: dict[tuple[str, str], set[str]] = {}
    for line in lines:
        if line["type"] == "failing":
            failing.setdefault((line["tokenizer"], line["implementation"]), set()).update(spelled_out(line["inputs"]))
    return [lasting(line) for line in lines if line["type"] not in {"failing", "checkpoint"}], failing


def record_of_one(here: Machines) -> tuple[list[Any], dict[tuple[str, str], set[str]]]:
    """Return what the command of ``here`` says where it has no parts."""
    assert here.bash(f"{here.line} --json one.jsonl", here.folder / "data") in (0, 1)
    return record_in(here.folder / "data" / "one.jsonl")


# Slurm's recipe gives a command all options that the others give it, so that is the one which is asked with both.
@pytest.mark.long
@pytest.mark.parametrize(
    ("recipe", "line"), [("github", 0), ("kubernetes", 0), *(("slurm", other) for other in range(1, len(LINES)))]
)
def test_a_recipe_comes_to_the_record_of_the_whole(machines: Callable[[str], Machines], recipe: str, line: int) -> None:
    here = machines(LINES[line])
    assert record_in(RECIPES[recipe](here)) == record_of_one(here)


@pytest.mark.long
def test_an_array_comes_to_the_record_of_the_whole_and_a_part_is_done_again_alone(
    machines: Callable[[str], Machines],
) -> None:
    here = machines(LINES[0])
    data = here.folder / "data"
    before = record_in(by_slurm(here))
    assert before == record_of_one(here)
    (data / "parts" / "3.jsonl").unlink()
    assert here.bash("tokconf merge parts/*.jsonl -o whole.jsonl", data) == 3
    assert record_in(data / "whole.jsonl") != before
    (again,) = re.findall(r"`(sbatch --array=3 [^`]*)`", PAGE)
    assert here.bash(f"{again} && tokconf merge parts/*.jsonl -o whole.jsonl", data) == 1
    assert record_in(data / "whole.jsonl") == before


def test_the_workflow_is_in_the_form_that_github_takes() -> None:
    vendored = files("check_jsonschema") / "builtin_schemas" / "vendor" / "github-workflows.json"
    schema = json.loads(vendored.read_text("utf-8"))
    (text,) = Machines(Path(), LINES[0]).blocks("A CI matrix")
    jsonschema.validators.validator_for(schema)(schema).validate(
        json.loads(json.dumps(yaml.load(text, yaml.BaseLoader)))
    )


def test_every_recipe_has_the_command_in_it() -> None:
    assert LINES
    for heading in ("A Slurm array", "A CI matrix", "A Kubernetes indexed job"):
        assert sum(text.count(LINES[0]) for text in Machines(Path(), LINES[0]).blocks(heading)) == 1, heading
