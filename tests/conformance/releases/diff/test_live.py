"""Sides that are asked anew: their causes and small examples stand in the diff, whichever side was explained."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from click.testing import CliRunner, Result
from record_pairs import called
from snapshots import Making, diff_of, last, named, of_type

from tokenizer_adapters.environments.faults import UnreachableError
from tokenizer_adapters.environments.releases import releases
from tokenizer_conformance.cli import diff as command_module
from tokenizer_conformance.cli import main
from tokenizer_conformance.comparison.differences import Party
from tokenizer_conformance.releases.diff.engine import later_first
from tokenizer_conformance.releases.diff.preparation import LiveSides
from tokenizer_conformance.validation.running.events import TokenizerFinished

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.cli.choosing import Chosen
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

TEXTS = named(("abc", "a crossing of the zebra, and of others", "aBc d x"))
OLD, NEW = "mine (old)", "mine (new)"


@pytest.fixture
def making(tmp_path: Path, toy_file: TokenizerFile) -> Making:
    return Making(tmp_path, (toy_file,))


def finished_of(making: Making, old: Implementation, new: Implementation, **wanted: Any) -> TokenizerFinished:
    """Return what a diff comes to whose sides are both asked anew."""
    before = making.snapshot("old.gz", old, TEXTS)
    (finished,) = of_type(diff_of(before, new, (old, new), **wanted), TokenizerFinished)
    return finished


VERSIONS = (("1.0", "2.0", True), ("2.0", "1.0", False), ("1.0", "1.0", False))
"""Versions of both sides, and whether the new one is the later, so that it is the baseline of what is asked anew."""


@pytest.mark.parametrize(("old", "new", "is_turned"), VERSIONS)
def test_the_later_version_stands_first(old: str, new: str, is_turned: bool) -> None:
    sides = called(fakes.Toy, "mine", old), called(fakes.Toy, "mine", new)
    live = LiveSides(*sides, {}, inputs=lambda _selection: pytest.fail("nothing is asked"))
    assert later_first(live) == (sides[::-1] if is_turned else sides)


@pytest.mark.parametrize("is_new_faulty", [True, False])
@pytest.mark.parametrize(("old", "new", "is_turned"), VERSIONS)
def test_examples_and_causes_are_those_of_the_sides_of_the_diff(
    making: Making, old: str, new: str, is_turned: bool, is_new_faulty: bool
) -> None:
    faults = (fakes.Toy, fakes.LossyDecode) if is_new_faulty else (fakes.LossyDecode, fakes.Toy)
    finished = finished_of(
        making, *(called(fault, "mine", version) for fault, version in zip(faults, (old, new), strict=True))
    )
    assert finished.findings
    for finding in finished.findings:
        difference = finding.smallest.difference
        losing, whole = (difference.implementation, difference.baseline)[:: 1 if is_new_faulty else -1]
        assert (whole.entries, losing.entries) == (("z",), ()), "an example that is small, by sides"
        assert finding.smallest.answers is not None
        answers = finding.smallest.answers.baseline["answer"], finding.smallest.answers.implementation["answer"]
        assert answers == ({"text": difference.baseline.text}, {"text": difference.implementation.text})
    # It is the older side that is explained; of two of one version, the new one.
    (cause,) = finished.causes
    assert (cause.implementation == finished.results[0].implementation) is not is_turned
    explained, beside = cause.witness.difference.implementation, cause.witness.difference.baseline
    is_explained_faulty = is_new_faulty is not is_turned
    losing, whole = (explained, beside) if is_explained_faulty else (beside, explained)
    assert (whole.entries, losing.entries) == (("z",), ())


@pytest.mark.parametrize(("old", "new", "_is_turned"), VERSIONS)
def test_who_is_at_fault_is_said_of_the_sides_of_the_diff(making: Making, old: str, new: str, _is_turned: bool) -> None:
    finished = finished_of(making, called(fakes.Toy, "mine", old), called(fakes.Raising, "mine", new))
    assert {finding.signature.party for finding in finished.findings} == {Party.IMPLEMENTATION}
    assert {finding.smallest.difference.party for finding in finished.findings} == {Party.IMPLEMENTATION}


def test_without_sides_that_can_be_asked_there_are_no_causes(making: Making) -> None:
    before = making.snapshot("old.gz", called(fakes.Toy), TEXTS)
    events = diff_of(before, making.snapshot("new.gz", called(fakes.LossyDecode), TEXTS))
    (finished,) = of_type(events, TokenizerFinished)
    assert finished.findings
    assert finished.causes == last(events).causes == ()


# The command line, with an environment that stands in -----------------------------------------------------------------


def call(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def asked(making: Making, plugin: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The words whose implementations are built; ``old.gz`` is a snapshot of ``toy`` 0.9, for which one stands in."""
    monkeypatch.syspath_prepend(str(plugin))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")
    monkeypatch.setattr(sys, "argv", ["tokconf", "diff"])
    making.snapshot("old.gz", called(fakes.Toy, "toy", "0.9"), TEXTS)
    words: list[str] = []
    real = command_module.chosen

    @contextmanager
    def standing_in(given: Sequence[str], *arguments: Any, **named_ones: Any) -> Iterator[Chosen]:
        words.extend(given)
        is_release = list(given) == ["toy==0.9"]
        with real(["toy"] if is_release else given, *arguments, **named_ones) as choice:
            release = called(fakes.Toy, "toy==0.9", "0.9")
            yield replace(choice, implementations=(release,)) if is_release else choice

    monkeypatch.setattr(command_module, "chosen", standing_in)
    return words


def tokenizer_line(path: str) -> dict[str, Any]:
    lines = [json.loads(line) for line in Path(path).read_text("ascii").splitlines()]
    (found,) = (line for line in lines if line["type"] == "tokenizer")
    return {**found, "causes": lines[-1]["causes"]}


def test_an_environment_is_made_where_that_is_asked_for(asked: list[str]) -> None:
    done = call("diff", "old.gz", "lossy-decode", "--live", "--json", "diff.jsonl")
    assert done.exit_code == 1, done.output
    assert "toy==0.9" in asked
    line = tokenizer_line("diff.jsonl")
    assert line["causes"]
    (finding,) = line["findings"]
    assert finding["smallest"]["difference"]["baseline"]["excerpt"]["text"] == "z"


@pytest.mark.parametrize("option", [(), ("--no-live",)])
def test_no_environment_is_made_unasked(asked: list[str], option: tuple[str, ...]) -> None:
    done = call("diff", "old.gz", "lossy-decode", *option, "--json", "diff.jsonl")
    assert done.exit_code == 1, done.output
    assert "toy==0.9" not in asked
    assert tokenizer_line("diff.jsonl")["causes"] == []


def test_a_side_that_nothing_can_stand_in_for_is_refused(asked: list[str], making: Making) -> None:
    making.snapshot("program.gz", called(fakes.Toy, "./my-tokenizer", "1.0"), TEXTS)
    done = call("diff", "program.gz", "lossy-decode", "--live", "--json", "diff.jsonl")
    assert done.exit_code == 3
    assert "--live: ./my-tokenizer 1.0 cannot be asked anew: a snapshot has no program" in done.stderr
    assert not any("my-tokenizer" in word for word in asked)


# A real release -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_real_release_is_asked_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An added token is decoded in its normalized form since 0.23.1."""
    try:
        releases("tokenizers")
    except UnreachableError as error:
        pytest.skip(str(error))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["tokconf", "diff"])
    Path("t.txt").write_text("a </s> b\nHello\n", "utf-8")
    texts = ("--no-builtin", "--inputs", "t.txt")
    made = call("snapshot", "llama-mini", "-i", "tokenizers==0.22.1", *texts, "-o", "old.gz")
    assert made.exit_code == 0, made.output
    done = call("diff", "old.gz", "tokenizers", "--live", "--json", "diff.jsonl")
    assert done.exit_code == 1, done.output
    line = tokenizer_line("diff.jsonl")
    (finding,) = line["findings"]
    difference = finding["smallest"]["difference"]
    found = [difference[side]["excerpt"]["text"] for side in ("baseline", "implementation")]
    assert [text.endswith(end) for text, end in zip(found, ("a</s>", "a </s>"), strict=True)] == [True, True]
    (cause,) = line["causes"]
    assert cause["implementation"] == "tokenizers==0.22.1"
    assert [each["id"] for each in cause["explained_by"]] == ["added-tokens-decoded-normalized"]
