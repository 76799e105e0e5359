"""A comparison that several machines or processes make is the one that one process makes."""

from __future__ import annotations

import json
import random
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from line_schema import valid_lines

from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer
from tokenizer_conformance.research.cuts import counting, tally
from tokenizer_conformance.research.cuts.counting import Counted, Counting, batches, nothing_counted, numbers_of_blocks
from tokenizer_conformance.research.cuts.experiments import Laboratory
from tokenizer_conformance.research.cuts.parts import counts_in, part_counts
from tokenizer_conformance.research.cuts.sides import side_of
from tokenizer_conformance.research.cuts.tally import PairTally
from tokenizer_conformance.research.segmentation.segmenter import segmenter
from tokenizer_conformance.results.records.cuts import FORMAT
from tokenizer_conformance.results.records.format import json_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conftest import Finished, Tokconf
    from tokenizer_conformance.research.cuts.sides import CuttingTokenizer

NAMES = ("gpt2-mini", "bert-mini", "t5-mini")
PAIRS = ((0, 1), (0, 2))
LONG = "antidisestablishment"
WORDS = (
    "The",
    "HTTPserver",
    "isn't",
    "ok",
    "Hello",
    "hello",
    "1984",
    "it's",
    "café",
    "日本",
    LONG,
    "\t",
    "--",
    "a@b.org",
)


@cache
def sides() -> tuple[CuttingTokenizer, ...]:
    files = [read_tokenizer(find_tokenizer(name)) for name in NAMES]
    return tuple(
        side_of(file, segmenter(TokenizersImplementation(), file.source).__enter__())  # open until the process ends
        for file in files
    )


def counted(inputs: Sequence[Input], numbers: range) -> Counted:
    """Return what is counted of the inputs with these ``numbers``."""
    at_work = Counting(sides(), PAIRS)
    found = nothing_counted(PAIRS)
    for batch in batches(islice(inputs, numbers.start, numbers.stop)):
        found.merge(at_work.count(batch))
        if batch.ends_block:
            found.end_block()
    return found


def results(found: Counted) -> list[Any]:
    told = []
    for (a, b), counts in zip(PAIRS, found.pairs, strict=True):
        pair = PairTally(Laboratory(sides()[a], sides()[b]))
        pair.counts = counts
        told.append((pair.result(5, tries=False), counts.kept.differing, counts.kept.alike, counts.kept.count))
    return [*told, found.texts, found.failures]


TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), max_size=30)


@given(TEXTS, st.integers(1, 8), st.integers(1, 60), st.integers(1, 3))
def test_the_counts_of_parts_are_those_of_the_whole(texts: list[str], of: int, block: int, capacity: int) -> None:
    inputs = [Input(f"text {number}", "test", text) for number, text in enumerate(texts)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "BLOCK", block)
        patch.setattr(counting, "AT_ONCE", 7)
        patch.setattr(tally, "CAPACITY", capacity)
        numbers = [numbers_of_blocks(Shard(part, of), inputs) for part in range(1, of + 1)]
        assert [number for each in numbers for number in each] == list(range(len(texts)))
        whole = counted(inputs, range(len(texts)))
        merged = nothing_counted(PAIRS)
        for each in numbers:
            part = counted(inputs, each)
            written = [json.dumps(json_of(part_counts("a", "b", counts))) for counts in part.pairs]
            read: list[Any] = [FORMAT.read(json.loads(line)) for line in written]
            merged.merge(Counted(part.texts, [counts_in(line) for line in read], part.failures))
        assert results(merged) == results(whole)


# The command ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def compare(cli: Tokconf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a command on texts of many blocks, and returns what came of it."""
    monkeypatch.setattr(counting, "BLOCK", 60)
    monkeypatch.setattr(counting, "AT_ONCE", 5)
    chosen = random.Random(1)
    (tmp_path / "texts.txt").write_text("".join(" ".join(chosen.choices(WORDS, k=5)) + "\n" for _ in range(40)))

    def run(*options: str, command: tuple[str, ...] = ("compare", *NAMES, "--inputs", "texts.txt")) -> Finished:
        done: Any = cli(*command, *options)
        return done

    return run


def lasting(name: str) -> list[dict[str, Any]]:
    """Return the lines of a record without what tells the time or the command."""
    of_one = ("environment", "merged", "shard", "seconds", "sha256")
    return [{key: line[key] for key in line if key not in of_one} for line in valid_lines(name, FORMAT)]


@pytest.mark.long
def test_two_processes_compare_as_one(compare: Any) -> None:
    for jobs in ("1", "2"):
        assert compare("--jobs", jobs, "--json", f"{jobs}.jsonl").exit_code == 0
    assert lasting("2.jsonl") == lasting("1.jsonl")


@pytest.mark.long
def test_five_parts_make_the_whole(compare: Any) -> None:
    compare("--all-pairs", "--examples", "2", "--json", "whole.jsonl")
    names = [f"{part}.jsonl" for part in range(1, 6)]
    for part, name in enumerate(names, 1):
        done = compare("--all-pairs", "--examples", "2", "--shard", f"{part}/5", "--json", name)
        assert (done.exit_code, f"part {part} of 5 of 40" in done.output) == (0, True)
    merged = compare("-o", "merged.jsonl", command=("merge", *reversed(names)))
    assert (merged.exit_code, "5 parts of 5" in merged.output) == (0, True), merged.output
    assert lasting("merged.jsonl") == lasting("whole.jsonl")
    lacking = compare("-o", "lacking.jsonl", command=("merge", *names[:3], *names[4:]))
    assert (lacking.exit_code, "part 4 of 5 is missing" in lacking.output) == (3, True)
    (pair, *_), footer = (
        [line for line in lasting("lacking.jsonl") if line["type"] == kind] for kind in ("pair", "footer")
    )
    assert (pair["finished"], footer[0]["finished"], footer[0]["conclusion"]) == (False, False, "parts are missing")
    assert compare("--partial", command=("merge", *names[:3], *names[4:])).exit_code == 0


@pytest.mark.long
def test_what_was_wrong_with_a_part_is_wrong_with_the_whole(compare: Any, tmp_path: Path) -> None:
    (tmp_path / "no-text.txt").write_bytes(b"\xff\xfe\xff")
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "tokenizer.json").write_text('{"model": {"type": "BPE", "vocab": {}, "merges": ["a b"]}}')
    given = ("compare", *NAMES[:2], "bad", "nowhere", "--inputs", "texts.txt", "no-text.txt")
    whole = compare("--json", "whole.jsonl", command=given)
    for part in "12":
        assert compare("--shard", f"{part}/2", "--json", f"{part}.jsonl", command=given).exit_code == 2
    merged = compare("-o", "merged.jsonl", command=("merge", "1.jsonl", "2.jsonl"))
    assert (merged.exit_code, whole.exit_code) == (2, 2)
    assert [line["type"] for line in lasting("whole.jsonl")].count("refused") == 3
    assert lasting("merged.jsonl") == lasting("whole.jsonl")

    lines = [json.loads(line) for line in Path("2.jsonl").read_text().splitlines()]
    lines[-1] |= {"conclusion": "internal error", "finished": False, "exit_status": 3}
    Path("2.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    broken = compare("--partial", "-o", "merged.jsonl", command=("merge", "1.jsonl", "2.jsonl"))
    assert (broken.exit_code, lasting("merged.jsonl")[-1]["finished"]) == (3, False)


def test_parts_that_cannot_be_merged_here_are_refused(compare: Any, tmp_path: Path) -> None:
    compare("--shard", "1/1", "--json", "part.jsonl")
    whole = Path("part.jsonl").read_text()
    for before, after, said in (
        ('"selected_by": "tokenizers"', '"selected_by": "command:touch started"', "no record starts a program"),
        ('"version": "0.', '"version": "9.', "causes would be tried with another release"),
        ('"sha256": "', '"sha256": "0000', "is another file than when the parts were made"),
        ("tokenizer.json", "nowhere.json", "merge where the parts were made"),
    ):
        header, *others = whole.replace(before, after).splitlines()
        changed = [header, *others[:-1], json.dumps({k: v for k, v in json.loads(others[-1]).items() if k != "sha256"})]
        sums = json.loads(header)
        sums["tokenizers"] = [{**each, "sha256": each["sha256"][:64]} for each in sums["tokenizers"]]
        sums["inputs"]["sha256"] = sums["inputs"]["sha256"][:64]
        (tmp_path / "changed.jsonl").write_text("\n".join([json.dumps(sums), *changed[1:]]) + "\n")
        done = compare(command=("merge", "changed.jsonl"))
        assert (done.exit_code != 0, said in done.output) == (True, True), done.output
    assert not (tmp_path / "started").exists()
    assert compare("--shard", "1/2", command=("compare", *NAMES[:2], "a text")).exit_code == 2


KILLED = """
import os, signal
from tokenizer_adapters.contract import Encode
from tokenizer_adapters.tokenizers import TokenizersImplementation


class Killed(TokenizersImplementation):
    def load(self, source):
        return Subject(super().load(source))


class Subject:
    def __init__(self, real):
        self._real = real

    def observe(self, question):
        if isinstance(question, Encode) and question.text == "KILL":
            os.kill(os.getpid(), signal.SIGKILL)
        return self._real.observe(question)

    def vocabulary(self):
        return self._real.vocabulary()
"""


@pytest.mark.long
def test_a_process_that_is_killed_is_told_and_what_was_counted_is_kept(
    compare: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "killing.py").write_text(KILLED)
    monkeypatch.syspath_prepend(str(tmp_path))
    texts = (tmp_path / "texts.txt").read_text()
    (tmp_path / "texts.txt").write_text(f"{texts}KILL\n{texts}")
    done = compare("-i", "killing:Killed", "--jobs", "2", "--json", "r.jsonl")
    assert done.exit_code == 3
    assert "a process that compares is lost: killed by signal 9 (SIGKILL); what it was at is done again" in done.output
    assert "a process that compares is lost twice over the same texts: killed by signal 9 (SIGKILL)" in done.output
    lines = lasting("r.jsonl")
    assert (lines[-1]["finished"], lines[-1]["conclusion"]) == (False, "internal error")
    pairs = [line for line in lines if line["type"] == "pair"]
    assert {pair["finished"] for pair in pairs} == {False}
    assert 0 < pairs[0]["texts"] <= 40
