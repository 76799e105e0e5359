"""Parts of a run, merged, give the record of the whole run; what cannot be read counts nowhere."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from metrics_records import Recorded
from small_tokenizers import characters_tokenizer, words_tokenizer

from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.inputs.places import Bytes, Partition
from tokenizer_conformance.research.metrics.counts import Bad, Counted, Counts, Read, merged
from tokenizer_conformance.research.metrics.groups import ALL_TEXTS
from tokenizer_conformance.research.metrics.tasks import MeasuredCorpus, Texts
from tokenizer_conformance.research.metrics.texts import Reading

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine, Tokconf

SMALL_TASKS = """
from tokenizer_conformance.research.metrics import tasks
tasks.PARTITION_BYTES = 700
"""

COMMAND = ("metrics", "words.json", "characters.json", "--inputs", "a.txt", "b.jsonl", "c.txt", "--column", "text")
OPTIONS = ("--by", "file,script", "--longest", "100", "--gold", "gold.tsv", "--replicates", "50")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """The folder with two tokenizers, words with morphemes, and texts in three files: some long, some rows without."""
    words_tokenizer(tmp_path)
    characters_tokenizer(tmp_path)
    (tmp_path / "gold.tsv").write_text("abc\tab c\nab\tab\n")
    lines = [f"ab {'ba ' * (n % 5)}{'abc' * (n % 3)}{'é猫' * (n % 2)}" for n in range(150)]
    (tmp_path / "a.txt").write_text("\n".join([*lines, "ab " * 60]))
    rows = [{"text": line} if n % 7 else {"text": None} for n, line in enumerate(lines[:60])]
    (tmp_path / "b.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "c.txt").write_text("b\n\n" * 20)
    return tmp_path


def lasting(record: Path) -> list[dict[str, Any]]:
    """What is the same each time, and whether a record is of a whole run or merged."""
    return [{key: each for key, each in line.items() if key != "merged"} for line in Recorded.at(record).lasting()]


def run_in_parts(tokconf: CommandLine, of: int, *options: str) -> list[int]:
    """Run all parts of a run, and return their statuses."""
    numbers = range(1, of + 1)
    return [
        tokconf.run(*COMMAND, *options, "--shard", f"{n}/{of}", "--json", f"p{n}.jsonl", bug=SMALL_TASKS).status
        for n in numbers
    ]


@pytest.mark.long
@pytest.mark.parametrize("of", [3, 40])
def test_merged_parts_are_the_record_of_the_whole_run(tokconf: CommandLine, corpus: Path, of: int) -> None:
    assert tokconf.run(*COMMAND, *OPTIONS, "--json", "whole.jsonl", bug=SMALL_TASKS).status == 0
    assert run_in_parts(tokconf, of, *OPTIONS) == [0] * of
    done = tokconf.run("merge", *(f"p{n}.jsonl" for n in range(of, 0, -1)), "-o", "merged.jsonl")
    assert done.status == 0, done.err
    whole = lasting(corpus / "whole.jsonl")
    assert len(whole) > 200
    assert lasting(corpus / "merged.jsonl") == whole
    assert f"{of} parts of {of}" in done.out
    notes = Recorded.at(corpus / "merged.jsonl").footer["notes"]
    assert len(notes) == 2
    assert "9 of 60 rows have no string" in notes[1]


@pytest.mark.long
def test_a_missing_part_is_named_and_others_are_refused(tokconf: CommandLine, corpus: Path) -> None:
    assert run_in_parts(tokconf, 3) == [0, 0, 0]
    done = tokconf.run("merge", "p1.jsonl", "p3.jsonl", "-o", "merged.jsonl")
    assert done.status == 3
    assert "part 2 of 3 is missing" in done.err
    footer = Recorded.at(corpus / "merged.jsonl").footer
    assert (footer["finished"], footer["conclusion"]) == (False, "parts are missing")
    done = tokconf.run("merge", "p1.jsonl", "p3.jsonl", "--partial")
    assert done.status == 0
    assert "PARTIAL (part 2 of 3 is missing)" in " ".join(done.out.split())
    done = tokconf.run("merge", "p1.jsonl", "p2.jsonl", "p1.jsonl")
    assert done.status == 2
    assert "part 1 of 3 is there twice" in " ".join(done.err.split())
    done = tokconf.run("merge", "p1.jsonl", "p2.jsonl", "p3.jsonl", "--junit", "junit.xml")
    assert done.status == 2
    assert "--junit: 'tokconf metrics' measures and checks nothing; leave it out" in " ".join(done.err.split())
    (corpus / "gold.tsv").write_text("abc\ta bc\nab\ta b\n")
    for option, value in (("--words", "unicode"), ("--gold", "gold.tsv")):
        other = tokconf.run(*COMMAND, option, value, "--shard", "2/3", "--json", f"o{option}.jsonl", bug=SMALL_TASKS)
        assert other.status == 0
        done = tokconf.run("merge", "p1.jsonl", f"o{option}.jsonl", "p3.jsonl")
        assert done.status == 2
        assert "is a part of another run" in " ".join(done.err.split())
        assert f"other {option}" in done.err


@pytest.mark.long
@pytest.mark.parametrize(("name", "status"), [("LoadingNone", 0), ("RaisingOnC", 3)])
def test_who_does_not_load_or_cut_has_the_status_of_the_whole_run(
    tokconf: CommandLine, corpus: Path, name: str, status: int
) -> None:
    by = ("-i", "tokenizers", f"small_tokenizers:{name}")
    assert tokconf.run(*COMMAND, *by, "--json", "whole.jsonl", bug=SMALL_TASKS).status == status
    run_in_parts(tokconf, 3, *by)
    assert tokconf.run("merge", "p1.jsonl", "p2.jsonl", "p3.jsonl", "-o", "merged.jsonl").status == status
    assert lasting(corpus / "merged.jsonl") == lasting(corpus / "whole.jsonl")


@pytest.mark.long
def test_a_part_that_is_cut_off_counts_for_nothing(tokconf: CommandLine, corpus: Path) -> None:
    assert run_in_parts(tokconf, 3) == [0, 0, 0]
    expected = tokconf.run("merge", "p1.jsonl", "p3.jsonl", "--partial", "-o", "expected.jsonl")
    assert expected.status == 0
    lines = (corpus / "p2.jsonl").read_text().splitlines(keepends=True)
    tallies = [n for n, line in enumerate(lines) if '"part"' in line[:20]]
    (corpus / "p2.jsonl").write_text("".join(lines[: tallies[-1]]))
    done = tokconf.run("merge", "p2.jsonl", "p1.jsonl", "p3.jsonl", "-o", "merged.jsonl")
    assert done.status == 3
    assert "part 2 of 3, 'p2.jsonl', is not whole: its run was killed" in " ".join(done.err.split())
    ours, theirs = (Recorded.at(corpus / name) for name in ("merged.jsonl", "expected.jsonl"))
    for kind in ("group", "row", "measurement"):
        assert ours.of(kind) == theirs.of(kind)


@pytest.mark.long
def test_counts_of_a_part_that_were_altered_are_refused(tokconf: CommandLine, corpus: Path) -> None:
    assert run_in_parts(tokconf, 2) == [0, 0]
    lines = [json.loads(line) for line in (corpus / "p1.jsonl").read_text().splitlines()]
    (footer,) = (line for line in lines if line["type"] == "footer")
    footer.pop("sha256")
    footer.pop("lines")
    part = next(line for line in lines if line["type"] == "part")
    part["packed"] = part["packed"][:-5]
    (corpus / "p1.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = tokconf.run("merge", "p1.jsonl", "p2.jsonl")
    assert done.status == 2
    assert "its counts are not as they were written" in " ".join(done.err.split())


@pytest.mark.usefixtures("corpus")
def test_a_part_that_nothing_would_keep_is_refused(tokconf: CommandLine) -> None:
    done = tokconf.run(*COMMAND, "--shard", "1/2")
    assert done.status == 2
    assert "--shard needs --json FILE" in done.err


def test_tables_and_plots_of_a_part_are_refused(cli: Tokconf, corpus: Path) -> None:
    done = cli(*COMMAND, "--shard", "1/2", "--csv", "t.csv", "--plots", "plots")
    assert done.exit_code == 2
    assert "--csv, --plots: a part of a run (--shard) has counts and no values yet" in " ".join(done.stderr.split())
    assert not (corpus / "t.csv").exists()


@pytest.mark.long
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_nothing_of_a_source_counts_that_cannot_be_read_to_its_end(
    tokconf: CommandLine, corpus: Path, jobs: str
) -> None:
    with (corpus / "b.jsonl").open("a") as file:
        file.write('{"text": "ab"\n' + '{"text": "ab"}\n' * 60)
    done = tokconf.run(*COMMAND, *OPTIONS, "--jobs", jobs, "--json", "whole.jsonl", bug=SMALL_TASKS)
    assert done.status == 2
    assert "line 61 is not JSON" in " ".join(done.err.split())
    record = Recorded.at(corpus / "whole.jsonl")
    (refused,) = record.of("refused")
    assert refused["name"] == "b.jsonl"
    assert {group["name"] for group in record.of("group") if group["by"] == "file"} == {"a.txt", "c.txt"}
    assert record.footer["texts"] == 150 + 2 + 40
    assert set(run_in_parts(tokconf, 5, *OPTIONS)) == {0, 2}
    done = tokconf.run("merge", *(f"p{n}.jsonl" for n in range(1, 6)), "-o", "merged.jsonl")
    assert done.status == 2
    assert lasting(corpus / "merged.jsonl") == lasting(corpus / "whole.jsonl")


@given(st.lists(st.integers(0, 6), min_size=1, max_size=30).map(sorted), st.integers(1, 40))
def test_each_partition_is_in_one_part(sources: list[int], of: int) -> None:
    partitions = tuple(Partition(source, n, 1, Bytes(n, n + 1)) for n, source in enumerate(sources))
    whole = MeasuredCorpus(Texts((), ()), partitions, (), "")
    parts = [whole.part(Shard(number, of)) for number in range(1, of + 1)]
    assert tuple(each for part in parts for each in part.partitions) == partitions
    for part in parts:
        here = {each.source for each in part.partitions}
        elsewhere = {each.source for other in parts if other is not part for each in other.partitions}
        assert part.split == here & elsewhere


def counts_of(texts: int, source: int = 0) -> Counts:
    counts = Counts(())
    counts.read[ALL_TEXTS] = Read(texts, texts)
    counts.readings[source] = Reading(texts)
    return counts


@given(st.lists(st.integers(0, 9), min_size=1, max_size=9), st.data())
def test_neighbours_are_merged_in_any_tree(texts: list[int], data: st.DataObject) -> None:
    answers = [counts_of(each) for each in texts]
    while len(answers) > 1:
        at = data.draw(st.integers(0, len(answers) - 2))
        count = data.draw(st.integers(2, len(answers) - at))
        one = merged(answers[at : at + count])
        assert isinstance(one, Counts)
        answers[at : at + count] = [one]
    assert answers[0].read[ALL_TEXTS].texts == sum(texts)
    assert answers[0].readings == {0: Reading(sum(texts))}
    assert merged([counts_of(1), Bad(0, "no"), counts_of(2)]) == Bad(0, "no")


def test_a_source_counts_when_all_of_it_is_there() -> None:
    counted = Counted(())
    assert counted.take(0, counts_of(1)) is None
    assert counted.take(0, counts_of(2), tasks=3) is None
    counted.close([0])
    assert counted.take(1, counts_of(4, 1)) is None
    assert (counted.done, counted.read.texts) == (5, 7)
    bad = Bad(1, "line 3 is not JSON")
    assert counted.take(1, bad) is bad
    assert counted.take(1, bad) is None
    assert counted.take(1, counts_of(8, 1)) is None
    counted.close([1])
    assert (counted.done, counted.read.texts, list(counted.total.readings)) == (8, 3, [0])
