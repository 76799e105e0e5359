"""Random programs of API calls end alike on both sides, and what does not is found, made small and told."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import api_programs as tool
import pytest

import tokenizer_reference
from tokenizer_reference.added_vocabulary import AddedVocabulary
from tokenizer_reference.component import Component
from tokenizer_reference.normalizers.sequence import Sequence
from tokenizer_reference.pipeline.fast_encoder import FastEncoder
from tokenizer_reference.pipeline.tokenizer import Tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tools"
TOOL = TOOLS / "api_programs.py"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="programs run in a process with limits")


@pytest.fixture(autouse=True)
def _paths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "reference" / "material"))
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")


def part(name: str) -> ModuleType:
    return importlib.import_module(f"programs.{name}")


def steps_of(*lines: str, **options: Any) -> tuple[Any, ...]:
    return tuple(part("step").Step("step", line, **options) for line in lines)


# The programs --------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_random_programs_end_alike() -> None:
    report = tool.run_programs("default", 1000)
    assert report.differences == {}, tool.printed(report, "default")
    assert report.steps >= 1000
    assert report.counts.succeeded.total() > report.steps / 2


@pytest.mark.slow
@pytest.mark.parametrize("part_of", range(4))
def test_many_random_programs_end_alike(part_of: int) -> None:
    report = tool.run_programs(f"slow {part_of}", 50_000)
    assert report.differences == {}, tool.printed(report, f"slow {part_of}")


@pytest.mark.slow
def test_every_kind_of_step_succeeds_often() -> None:
    counts = tool.run_programs("kinds", 30_000).counts
    assert {kind: ran for kind, ran in counts.ran.items() if counts.succeeded[kind] < 20} == {}
    assert counts.left_out.keys() == part("left_out").LEFT_OUT.keys()


def test_a_program_follows_from_its_seed_and_number() -> None:
    program = part("writing").program
    assert program("1", 7) == program("1", 7)
    assert len({program(seed, number) for seed in ("1", "2") for number in range(3)}) == 6


# What is planted is found --------------------------------------------------------------------------------------------


def _shares_what_is_put(self: Any, index: int, value: Any) -> None:
    self._normalizers[index] = value


def _rebuilds_after_an_error(self: Any, *arguments: Any, add: Any = AddedVocabulary.add) -> int:
    try:
        return int(add(self, *arguments))
    finally:
        self._update_search()


def _keeps_forms(self: Any, normalizer: Any) -> None:
    """Replaces the normalizer without normalizing added tokens again."""
    self._normalizer = normalizer


def _copies_the_model(self: Any, model: Any) -> None:
    self._model = Component.__new__(type(model))
    self._model.__dict__.update(model.__dict__)


def _forgets_what_it_was_set_to(self: Any, state: bytes) -> None:
    self.__dict__.update(Tokenizer.from_buffer(state).__dict__)
    self._padding = None


PLANTED: dict[str, tuple[type, str, Any]] = {
    "a Sequence shares what is put into it": (Sequence, "__setitem__", _shares_what_is_put),
    "the search is rebuilt after an error": (AddedVocabulary, "add", _rebuilds_after_an_error),
    "forms of added tokens are kept": (Tokenizer, "normalizer", Tokenizer.normalizer.setter(_keeps_forms)),
    "a tokenizer copies its model": (Tokenizer, "model", Tokenizer.model.setter(_copies_the_model)),
    "a copy of a tokenizer has no padding": (Tokenizer, "__setstate__", _forgets_what_it_was_set_to),
    "words are kept though a component has changed": (FastEncoder, "_current_state", lambda _: (0, 0, 0)),
}


@pytest.mark.long_but(2)
@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_difference_is_found(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    kind, attribute, planted = PLANTED[name]
    monkeypatch.setattr(kind, attribute, planted)
    run, program = part("running").run, part("writing").program
    assert any(run(program("g", number))[1] is not None for number in range(60))


class InThisProcess:
    """Stands for a process of its own: calls are made at once, and kill it where they contain a word."""

    def __init__(self, deadly: str = "never") -> None:
        self.deadly = deadly

    def call(self, function: Callable[..., Any], steps: tuple[Any, ...]) -> Any:
        lone_process = importlib.import_module("lone_process")
        if function is not part("running").ends_in_panic and any(self.deadly in step.code for step in steps):
            raise lone_process.ProcessLostError("it died")
        return function(steps)


DIFFERING = (
    "a = normalizers.Prepend('a')",
    "b = normalizers.Sequence([a])",
    "c = models.WordLevel()",
    "b[0] = normalizers.Prepend('c')",
    "repr(c)",
    "a.normalize_str('x')",
    "repr(b)",
)


def test_a_difference_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sequence, "__setitem__", _shares_what_is_put)
    running = part("running")
    _, difference = running.run_in(InThisProcess(), steps_of(*DIFFERING))
    assert difference.steps == steps_of(*DIFFERING[:6])
    small = running.reduced(InThisProcess(), difference)
    assert [step.code for step in small.steps] == [DIFFERING[place] for place in (0, 1, 3, 5)]
    assert (small.reference, small.target) == ("('str', 'ax')", "('str', 'cx')")


def test_what_is_printed_can_be_run() -> None:
    text = part("step").as_program(steps_of(*DIFFERING[:5], "print(a.normalize_str('x'))"))
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, check=True, text=True)
    assert done.stdout == "cx\n"


def test_the_report_says_how_often_and_what(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sequence, "__setitem__", _shares_what_is_put)
    running = part("running")
    counts, difference = running.run_in(InThisProcess(), steps_of(*DIFFERING, locks=True))
    printed = tool.printed(tool.Report(1, counts, {5: difference}), "s")
    for line in (
        "6 steps of 1 programs (seed s); of each kind: how often it ran, and gave a value",
        "  step                                    6        5",
        "DIFFERENCE: program 5 of seed s, made smaller; the last line gives",
        "  tokenizers: ('str', 'cx')",
        "  reference:  ('str', 'ax')",
        "    a.normalize_str('x')",
        "1 difference",
    ):
        assert line in printed.splitlines()


# What the target does not survive ------------------------------------------------------------------------------------


def test_a_lost_process_is_a_difference_at_the_step_that_killed_it() -> None:
    steps = steps_of("a = 1", "b = 2", "deadly = 3", "c = 4")
    counts, difference = part("running").run_in(InThisProcess("deadly"), steps)
    assert (difference.steps, difference.target) == (steps[:3], "it died")
    assert counts.ran["step"] == 2


def test_an_abort_is_none_where_the_reference_says_that_the_target_panics() -> None:
    deadly = "deadly = pre_tokenizers.FixedLength(0).pre_tokenize_str('a')"
    counts, difference = part("running").run_in(InThisProcess("deadly"), steps_of("a = 1", deadly))
    assert difference is None
    assert counts.ended_early == 1


@pytest.mark.long
def test_a_program_that_dies_costs_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    death = steps_of("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    monkeypatch.setattr(tool, "program", lambda _, number: death if number == 1 else steps_of("a = 1"))
    report = tool.run_programs("s", 3)
    assert list(report.differences) == [1]
    assert (report.programs, report.differences[1].steps) == (4, death)


def test_a_panic_of_a_step_that_locks_ends_the_program() -> None:
    panic = "pre_tokenizers.FixedLength(0).pre_tokenize_str('a')"
    counts, difference = part("running").run(steps_of(panic, "a = 1"))
    assert (counts.ran["step"], counts.ended_early, difference) == (2, 0, None)
    counts, difference = part("running").run(steps_of(panic, "a = 1", locks=True))
    assert (counts.ran["step"], counts.ended_early, difference) == (1, 1, None)


LEFT_OUT = {
    "one form twice": (
        ("t = Tokenizer(models.BPE())", "t.normalizer = normalizers.Lowercase()", "t.add_tokens(['A', 'a'])"),
        ("t",),
    ),
    "forms at random": (
        ("t = Tokenizer(models.BPE())", "t.add_tokens(['A', 'B'])", "n = normalizers.Normalizer.custom(Half())"),
        ("t", "n"),
    ),
    "drawn ids": (("t = Tokenizer(models.WordPiece())", "texts = ['abc']"), ("t", "texts")),
    "own place": (("n = normalizers.NFC()", "s = normalizers.Sequence([n])"), ("s", "0", "n")),
    "no option": (("n = normalizers.NFC()",), ("n", "'prepend'")),
    "another class": (
        ("n = normalizers.NFC()", "s = normalizers.Sequence([n])", "s[0] = normalizers.NFD()"),
        ("n", "{'n': 'NFC'}.get('n')"),
    ),
    "no part": (("t = Tokenizer(models.BPE())",), ("t.decoder",)),
    "inner sequence": (
        ("document = {'normalizers': [{'type': 'Sequence', 'normalizers': []}]}", "s = normalizers.Sequence([])"),
        ("s._from_json(JsonValue(document))[0]",),
    ),
    "no copy": (("n = normalizers.Replace('a', 'b')",), ("n",)),
}


def test_everything_that_is_left_out_is_shown_here() -> None:
    assert part("left_out").LEFT_OUT.keys() == LEFT_OUT.keys()


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_is_left_out_is_told_by_the_state_of_the_reference(name: str) -> None:
    before, looked_at = LEFT_OUT[name]
    names = part("running").start(tokenizer_reference)
    names["JsonValue"] = importlib.import_module("tokenizer_reference.json_text.value").JsonValue
    (step,) = steps_of("a = 1", doubts=((name, *looked_at),))
    assert part("left_out").left_out(step, names) is None
    for line in before:
        exec(line, names)
    assert part("left_out").left_out(step, names) == name


@pytest.mark.long
def test_the_command_ends_with_status_1_where_there_is_a_difference(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tool.main(["--steps", "40", "--seed", "c"]) == 0
    assert "0 differences" in capsys.readouterr().out
    assert tool.main(["--program", "3", "--seed", "c", "--show"]) == 0
    assert "from tokenizers import" in capsys.readouterr().out
    difference = part("running").Difference(steps_of("a = 1"), "1", "2")
    report = tool.Report(1, part("running").Counts(), {3: difference})
    monkeypatch.setattr(tool, "run_programs", lambda *_: report)
    assert tool.main(["--program", "3", "--seed", "c"]) == 1
