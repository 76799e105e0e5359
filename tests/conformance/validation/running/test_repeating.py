"""A finding can be repeated: pairs do not depend on what is selected, and the printed command shows it again."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_conformance.inputs.corpus import Selection, read_corpus
from tokenizer_conformance.inputs.text import Input

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine


def pairs(corpus: object) -> dict[str, str]:
    return {each.input.id: each.following.id for each in corpus}  # type: ignore[attr-defined]


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.data())
def test_the_pair_of_an_input_does_not_depend_on_what_is_selected(sizes: list[int], data: st.DataObject) -> None:
    sources = [
        (f"source {place}", tuple(Input(f"{place}/{number}", "test", f"text {number}") for number in range(size)))
        for place, size in enumerate(sizes)
    ]
    whole, _ = read_corpus(sources)
    every = pairs(whole)
    ids = data.draw(st.sets(st.sampled_from(sorted(every)), min_size=1))
    selected, _ = read_corpus(sources, Selection(ids=frozenset(ids)))
    assert pairs(selected) == {name: every[name] for name in ids}
    fewer = data.draw(st.lists(st.sampled_from(sources), unique_by=lambda source: source[0], min_size=1))
    assert pairs(read_corpus(fewer)[0]).items() <= every.items()


def test_within_a_source_the_last_is_paired_with_the_first() -> None:
    inputs = tuple(Input(name, "test", name) for name in "abc")
    corpus, _ = read_corpus([("first", inputs), ("second", (Input("d", "test", "d"),))])
    assert pairs(corpus) == {"a": "b", "b": "c", "c": "a", "d": "d"}


FAULTY = ("lossy-decode", "wrong-normalization", "shifted-offset", "swapped-merge")


@pytest.mark.long_but(1)
@pytest.mark.parametrize("implementation", FAULTY)
def test_the_printed_command_shows_the_finding_again(
    tokconf: CommandLine, toy_tokenizer: Path, tmp_path: Path, implementation: str
) -> None:
    texts = tmp_path / "some texts.txt"
    texts.write_text("zebra Bab x\nabc aBc\nabc\n" * 3, encoding="utf-8")
    first = tokconf.run(
        "run", str(toy_tokenizer), "-i", "toy", implementation, "--no-builtin", "--inputs", str(texts), "--every-id"
    )
    commands = [line.split("repeat: ")[1] for line in first.out.splitlines() if "repeat: " in line]
    headlines = [line.strip() for line in first.out.splitlines() if line.startswith("  1. ")]
    assert commands
    assert headlines
    program, *arguments = shlex.split(commands[0])
    assert program == "tokconf"
    again = tokconf.run(*arguments)
    assert again.status == 1
    assert re.search(r"toy-tokenizer: (1 input|0 inputs, 1 id decoded alone), ", again.out)
    manner = headlines[0].split(" (")[0]
    assert manner in again.out


@pytest.mark.long_but(1)
@pytest.mark.parametrize("baseline", ["fake_implementations:Toy", "toy"])
def test_the_printed_command_names_classes_as_they_were_given(
    tokconf: CommandLine, toy_tokenizer: Path, baseline: str
) -> None:
    given = (str(toy_tokenizer), "-i", baseline, "fake_implementations:ShiftedOffset", "--baseline", baseline)
    first = tokconf.run("run", *given, "--no-known", "-k", "emoji")
    command = next(line.split("repeat: ")[1] for line in first.out.splitlines() if "repeat: " in line)
    again = tokconf.run(*shlex.split(command)[1:])
    assert (again.status, again.err) == (1, "")
    assert "toy-tokenizer: 1 input, " in again.out


def test_an_input_that_is_not_there_is_said(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    result = tokconf.run("run", str(toy_tokenizer), "-i", "toy", "utf8", "--only", "no such id")
    assert result.status == 2
    assert "no input matches --only 'no such id'" in result.err
