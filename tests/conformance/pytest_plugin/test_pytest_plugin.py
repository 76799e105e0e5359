"""The plugin of pytest, in projects of others: what it collects, what fails, and what may not look like success."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
import time
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from forked_command import Template

pytest_plugins = ["pytester"]

PROJECT = Path(__file__).resolve().parents[3]
ONE = "BERTNORM-STRIP-ACCENTS-DEFAULT"
ITEM = f"tokenizer-conformance::{ONE}"
ASKED = ("--tokenizer-conformance=mine:Sound", "-k", ONE)

MINE = '''
"""`tokenizers`, and the same with one fault each."""

from dataclasses import replace

from tokenizer_adapters.contract import CannotLoadError, Normalize, Text
from tokenizer_adapters.tokenizers import TokenizersImplementation


class Sound(TokenizersImplementation):
    @property
    def info(self):
        return replace(super().info, name=type(self).__name__.lower(), version="1.0")

    def load(self, source):
        return Subject(super().load(source), self.answer)

    def answer(self, question, outcome):
        return outcome


class Loud(Sound):
    def answer(self, question, outcome):
        return Text(outcome.text + "\\x1b[31m<&\\x00") if isinstance(question, Normalize) else outcome


class Known(Loud):
    pass


class Repaired(Sound):
    pass


class Mute(Sound):
    def load(self, source):
        raise CannotLoadError("it shows nothing\\x1b[0m", unsupported=True)


class Subject:
    def __init__(self, subject, answer):
        self.subject, self.answer = subject, answer

    def observe(self, question):
        return self.answer(question, self.subject.observe(question))

    def vocabulary(self):
        return self.subject.vocabulary()
'''

LEDGER = f"""
format = 1

[[known]]
implementation = "known"
requirement = "{ONE}"
reason = "it is loud by design"

[[known]]
implementation = "repaired"
version = ">=1"
requirement = "{ONE}"
reason = "it was loud once"

[[known]]
implementation = "repaired"
version = "<1"
requirement = "{ONE}"
reason = "it was louder before"
"""


ROOTS = [str(PROJECT / part) for part in ("reference", "adapters", "conformance")]

IMPORTED_BEFORE = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
"""What a fork is told: that its template has imported the package is no fault of the project."""


@pytest.fixture
def project(pytester: pytest.Pytester, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project of somebody else, in which the plugin is installed and ``mine`` can be imported."""
    metadata = tmp_path / "site" / "plugin_of_the_tests-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: plugin-of-the-tests\nVersion: 1.0\n")
    entries = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]["pytest11"]
    written = "".join(f"{name} = {module}\n" for name, module in entries.items())
    (metadata / "entry_points.txt").write_text(f"[pytest11]\n{written}")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(metadata.parent), *ROOTS]))
    pytester.makepyfile(mine=MINE)
    pytester.makefile(".toml", ledger=LEDGER)
    pytester.makepyprojecttoml('[tool.pytest.ini_options]\npythonpath = ["."]\nfilterwarnings = ["error"]\n')
    return pytester


Run = "Callable[..., pytest.RunResult]"


@pytest.fixture
def run_anew(project: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Return what runs pytest in a process that is started for it, in which nothing is imported."""
    return lambda *arguments: project.runpytest_subprocess("-p", "no:pytester", *arguments, timeout=300)


@pytest.fixture
def run(
    project: pytest.Pytester, run_anew: Callable[..., pytest.RunResult], command_template: Template | None
) -> Callable[..., pytest.RunResult]:
    """Return what runs pytest in a process of its own: reading the suite takes longer than all that a test does."""

    def forked(*arguments: str) -> pytest.RunResult:
        if (
            command_template is None or "-n" in arguments
        ):  # workers of xdist are started anew, so who starts them is, too
            return run_anew(*arguments)
        began = time.monotonic()
        options = (*IMPORTED_BEFORE, "-p", "no:pytester", f"--basetemp={project.mkdir(f'forked-{next(runs)}')}")
        done = command_template.run((*options, *arguments), project.path, dict(os.environ), program="pytest")
        seconds = time.monotonic() - began
        return pytest.RunResult(done.status, done.out.splitlines(), done.err.splitlines(), seconds)

    runs = itertools.count()
    return forked


def outcomes(result: pytest.RunResult, **expected: int) -> None:
    assert {name: count for name, count in result.parseoutcomes().items() if name != "deselected"} == expected


# Unless it is asked for ----------------------------------------------------------------------------------------------


def test_nothing_is_imported_until_it_is_asked_for() -> None:
    code = (
        "import sys, tokenizer_conformance.pytest_plugin; "
        "print(sorted(name for name in sys.modules if name.startswith(('tokenizer', 'click', 'rich', 'transformers'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8")
    assert done.stdout.strip() == "['tokenizer_conformance', 'tokenizer_conformance.pytest_plugin']"


@pytest.mark.long
def test_it_is_silent_unless_asked_for(project: pytest.Pytester, run_anew: Callable[..., pytest.RunResult]) -> None:
    project.makepyfile(test_zebra="def test_zebra(): pass")
    result = run_anew("-v")
    outcomes(result, passed=1)
    assert "tokenizer-conformance::" not in result.stdout.str()


@pytest.mark.long
def test_the_entry_point_can_be_switched_off(run_anew: Callable[..., pytest.RunResult]) -> None:
    assert run_anew("-p", "no:tokenizer-conformance", "--co").ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert "unrecognized arguments" in run_anew("-p", "no:tokenizer-conformance", *ASKED).stderr.str()


# What is collected ---------------------------------------------------------------------------------------------------


def test_a_requirement_is_an_item(run: Callable[..., pytest.RunResult]) -> None:
    result = run(*ASKED, "-v")
    outcomes(result, passed=1)
    result.stdout.fnmatch_lines([f"{ITEM} PASSED*"])


@pytest.mark.long
def test_ids_are_listed_and_can_be_given(run: Callable[..., pytest.RunResult]) -> None:
    listed = run("--tokenizer-conformance=mine:Sound", "--co", "-q").stdout.lines
    ids = [line for line in listed if line.startswith("tokenizer-conformance::")]
    assert ITEM in ids
    assert len(set(ids)) == len(ids)
    assert re.search(rf"{len(ids)} tests? collected", listed[-1])
    outcomes(run("--tokenizer-conformance=mine:Sound", ITEM), passed=1)
    wrong = run("--tokenizer-conformance=mine:Sound", f"{ITEM}-NOT")
    assert wrong.ret == pytest.ExitCode.USAGE_ERROR
    assert f"no such item: {ITEM}-NOT" in wrong.stderr.str()


@pytest.mark.slow
def test_several_implementations_are_told_apart(run: Callable[..., pytest.RunResult]) -> None:
    result = run("--tokenizer-conformance=mine:Sound", "--tokenizer-conformance=tokenizers", "-k", ONE, "-v")
    outcomes(result, passed=2)
    result.stdout.fnmatch_lines([f"{ITEM}[[]mine:Sound[]] PASSED*", f"{ITEM}[[]tokenizers[]] PASSED*"])


SELECTIONS: list[tuple[tuple[str, ...], dict[str, int]]] = [
    (("-k", f"{ONE.lower()} or zebra"), {"passed": 2}),
    (("-k", f"{ONE} and normalizers.BertNormalizer and core"), {"passed": 1}),
    (("-k", "zebra"), {"passed": 1}),
    (("-k", ONE, "-m", "tokenizer_conformance"), {"passed": 1}),
    (("-k", f"{ONE} or zebra", "-m", "not tokenizer_conformance"), {"passed": 1}),
    (("-k", f"{ONE} or zebra", "--deselect", ITEM), {"passed": 1}),
]


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("options", "expected"),
    SELECTIONS,
)
def test_items_are_selected_as_others_are(
    options: tuple[str, ...], expected: dict[str, int], project: pytest.Pytester, run: Callable[..., pytest.RunResult]
) -> None:
    project.makepyfile(test_zebra="def test_zebra(): pass")
    outcomes(run("--tokenizer-conformance=mine:Sound", "--strict-markers", *options), **expected)


@pytest.mark.long
def test_settings_hold_where_no_path_is_given(project: pytest.Pytester, run: Callable[..., pytest.RunResult]) -> None:
    project.makepyfile(test_zebra="def test_zebra(): pass")
    project.makepyprojecttoml(
        '[tool.pytest.ini_options]\npythonpath = ["."]\ntokenizer_conformance = "mine:Sound"\n'
        f'addopts = ["-k", "{ONE} or zebra"]\n'
    )
    outcomes(run(), passed=2)
    outcomes(run("test_zebra.py"), passed=1)
    outcomes(run("test_zebra.py", "--tokenizer-conformance=mine:Sound"), passed=2)
    outcomes(run(ITEM), passed=1)


# What fails ----------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_failure_is_shown_as_on_the_terminal(run: Callable[..., pytest.RunResult]) -> None:
    result = run("--tokenizer-conformance=mine:Loud", "-k", ONE)
    outcomes(result, failed=1)
    shown = result.stdout.str()
    for words in (
        "blame: normalize",
        "accents are stripped if lowercase is true",
        "  expected  ",
        "  loud      ",
    ):
        assert words in shown
    for words in ("Traceback", "pytest_suite.py", "\x1b[31m"):
        assert words not in shown


@pytest.mark.slow
def test_failed_ones_are_run_again(run: Callable[..., pytest.RunResult]) -> None:
    both = ("--tokenizer-conformance=mine:Loud", "--tokenizer-conformance=mine:Sound", "-k", ONE)
    outcomes(run(*both), failed=1, passed=1)
    outcomes(run(*both, "--lf"), failed=1)
    outcomes(run(*both, "-x"), failed=1)


@pytest.mark.slow
def test_workers_share_the_items(run: Callable[..., pytest.RunResult]) -> None:
    names = ("Sound", "Loud", "Known", "Repaired")
    options = [f"--tokenizer-conformance=mine:{name}" for name in names]
    result = run(*options, "-k", ONE, "--conformance-ledger", "ledger.toml", "-n", "2")
    outcomes(result, passed=1, failed=2, xfailed=1)


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--tokenizer-conformance=no-such"], "no implementation is called 'no-such'"),
        (["--tokenizer-conformance=mine:NoSuch"], "NoSuch"),
        (["--tokenizer-conformance=command:./no-such-program"], "no-such-program"),
        (["--tokenizer-conformance=mine:Sound", "--conformance-ledger", "no.toml"], "ledger 'no.toml'"),
        ([ITEM], "say which implementation is asked"),
    ],
)
def test_what_cannot_be_used_is_said(options: list[str], words: str, run: Callable[..., pytest.RunResult]) -> None:
    result = run(*options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert words in result.stderr.str()
    assert "Traceback" not in result.stderr.str()


@pytest.mark.long_but(1)
@pytest.mark.parametrize("options", [(), pytest.param(("-n", "2"), marks=pytest.mark.slow)])
def test_nothing_compared_does_not_pass(
    options: tuple[str, ...], project: pytest.Pytester, run: Callable[..., pytest.RunResult]
) -> None:
    project.makepyfile(test_zebra="def test_zebra(): pass")
    result = run("--tokenizer-conformance=mine:Mute", "-k", f"{ONE} or zebra", *options)
    outcomes(result, passed=1, skipped=1)
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    result.stdout.fnmatch_lines(["tokenizer-conformance: mine:Mute: nothing was compared: all 1 requirement *"])


# Ledgers -------------------------------------------------------------------------------------------------------------

STALE: list[tuple[str, str]] = [
    ('requirement = "NO-SUCH"', "requirement 'NO-SUCH': there is none of that name"),
    ('requirement = "NO-SUCH-*"', "no requirement fits 'NO-SUCH-\\*'"),
    ('requirement = "BERTNORM-STRIP-*"', "passes what this entry says it fails"),
]


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("selector", "words"), [STALE[0], *(pytest.param(*each, marks=pytest.mark.slow) for each in STALE[1:])]
)
def test_the_ledger_is_an_item(
    selector: str, words: str, project: pytest.Pytester, run: Callable[..., pytest.RunResult]
) -> None:
    entry = f'[[known]]\nimplementation = "sound"\n{selector}\nreason = "none"\n'
    project.makefile(".toml", other=f"format = 1\n{entry}")
    asked = ("--tokenizer-conformance=mine:Sound", "--conformance-ledger", "other.toml")
    result = run(*asked, "-k", f"{ONE} or ledger")
    assert re.search(rf"stale: 'other\.toml' entry 1 \(line 2\): .*{words}", result.stdout.str())
    assert "FAILED tokenizer-conformance::ledger" in result.stdout.str()
    outcomes(run(*asked, "-k", ONE), passed=1)


@pytest.mark.long
def test_what_fits_a_pattern_and_fails_is_known(project: pytest.Pytester, run: Callable[..., pytest.RunResult]) -> None:
    entry = '[[known]]\nimplementation = "loud"\nrequirement = "BERTNORM-STRIP-*"\nreason = "by design"\n'
    project.makefile(".toml", other=f"format = 1\n{entry}")
    asked = ("--tokenizer-conformance=mine:Loud", "--conformance-ledger", "other.toml", "-rx")
    result = run(*asked, "-k", ONE)
    outcomes(result, xfailed=1)
    result.stdout.fnmatch_lines([f"XFAIL {ITEM} - by design ('other.toml' entry 1 (line 2))"])
    outcomes(run(*asked, "tokenizer-conformance::ledger"), passed=1)


# Another project -----------------------------------------------------------------------------------------------------


def cases(file: Path) -> dict[str, Any]:
    """Return the items of a JUnit report by name: the kind of what stands in each, and its words."""
    found = {}
    for case in ET.parse(file).getroot().iter("testcase"):
        (child,) = list(case) or [None]
        words = "" if child is None else child.get("message", "") + (child.text or "")
        name = f"{case.get('classname')}::{case.get('name')}"
        found[name] = None if child is None else (child.tag, child.get("type"), words)
    return found


@pytest.mark.long
def test_another_project(project: pytest.Pytester) -> None:
    names = ("Sound", "Loud", "Known", "Repaired", "Mute")
    project.makepyprojecttoml(
        "[tool.pytest.ini_options]\n"
        'pythonpath = ["."]\n'
        f"tokenizer_conformance = {[f'mine:{name}' for name in names]}\n"
        'conformance_ledger = "ledger.toml"\n'
        'filterwarnings = ["error"]\n'
        f'addopts = ["-k", "{ONE} or zebra or ledger"]\n'
    )
    project.makepyfile(
        test_zebra="""
        import tokenizers
        from tokenizer_conformance.inputs.bundled import bundled_file

        FILE = str(bundled_file("bert-mini"))

        def test_zebra_same(conforms):
            conforms(tokenizers.Tokenizer.from_file(FILE), texts=["hello"])

        def test_zebra_other(conforms):
            conforms((lambda text: [0], lambda ids: ""), FILE, ["hello \\x1b[31m"])
        """
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--junitxml=out.xml"],
        cwd=project.path,
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=100,
    )
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout + done.stderr
    found = cases(project.path / "out.xml")
    about = {name: found.pop(f"{ITEM}[mine:{name}]") for name in names}
    assert about["Sound"] is None
    tag, _, words = about["Loud"]
    assert tag == "failure"
    assert "blame: normalize" in words
    assert "\x1b" not in words
    tag, kind, words = about["Known"]
    assert (tag, kind) == ("skipped", "pytest.xfail")
    assert "it is loud by design ('ledger.toml' entry 1 (line 3))" in words
    tag, _, words = about["Repaired"]
    assert tag == "failure"
    assert words.count("stale: ") == words.count("'ledger.toml' entry 2 ") > 0
    tag, kind, words = about["Mute"]
    assert (tag, kind) == ("skipped", "pytest.skip")
    assert "it shows nothing\\x1b[0m" in words
    assert found.pop("test_zebra::test_zebra_same") is None
    tag, _, words = found.pop("test_zebra::test_zebra_other")
    assert tag == "failure"
    assert "mine at post_process: other" in words
    assert found.pop("tokenizer-conformance::ledger") is None
    assert found == {}
