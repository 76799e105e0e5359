"""Pages of training: what differs, what is a tie, who breaks the rules, fails, or does not repeat itself."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from altered_records import read, written

from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.research.training.page import _difference_lines
from tokenizer_conformance.results.page import Novelty, State

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Recorded = Callable[[str], Path]

FINDINGS = {
    "bpe/mine": Novelty.NEW,
    "bpe/mine/rules": Novelty.NEW,
    "bpe/ties": Novelty.ACCEPTABLE,
    "bpe/fails/training": Novelty.NEW,
    "bpe/changes/rules": Novelty.NEW,
    "bpe/changes/repeated": Novelty.UNSTABLE,
    "words/words": Novelty.NEW,
}
"""What the trainers of the record are at fault in."""


def test_each_fault_is_found_once(recorded: Recorded) -> None:
    page = read_page(recorded("training"))
    assert {each.id: each.standing for each in page.findings} == FINDINGS
    assert not {each.id for each in page.findings if each.standing is not Novelty.NEW} & set(page.headlines)


def test_counts_are_those_of_the_record(recorded: Recorded) -> None:
    footer = read(recorded("training"))[-1]
    page = read_page(recorded("training"))
    compared = [each for each in page.findings if each.id.count("/") == 1 and each.id.startswith("bpe/")]
    assert sum(each.standing is Novelty.NEW for each in compared) == footer["differences"]
    assert sum(each.standing is Novelty.ACCEPTABLE for each in compared) == footer["ties"]
    lines = {line["second"]: line for line in read(recorded("training")) if line["type"] == "comparison"}
    for each in compared:
        assert each.count == lines[each.implementation]["effect"]["differing_words"]


def test_states_of_levels(recorded: Recorded) -> None:
    (matrix,) = read_page(recorded("training")).matrices
    cells = {
        (name, column): cell.state
        for name, row in matrix.rows
        for column, cell in zip(matrix.columns, row, strict=True)
    }
    assert cells["mine", "tokens"] is State.DIFFER
    assert cells["mine", "rules"] is State.DIFFER
    assert cells["ties", "tokens"] is State.ACCEPTABLE
    assert cells["fails", "training"] is State.ERROR
    assert cells["changes", "repeated"] is State.UNSTABLE
    assert cells["words", "tokens"] is State.AGREE
    assert cells["honest", "repeated"] is State.AGREE
    assert cells["honest", "tokens"] is State.NOT_COMPARED


def test_the_first_merge_that_differs_is_shown_with_its_counts(recorded: Recorded) -> None:
    tie = next(each for each in read_page(recorded("training")).findings if each.id == "bpe/ties")
    assert any("is the first that differs: a tie" in line for line in tie.lines)
    (line,) = [line for line in read(recorded("training")) if line.get("second") == "ties"]
    taken = line["divergence"]["first"]
    row = next(each for each in tie.lines if each.startswith("  honest"))
    assert f'"{taken["pair"][0]}" + "{taken["pair"][1]}"' in row
    assert str(taken["count"]) in row.split()
    assert "only the order of equals is another" in tie.explanation


def test_a_word_is_shown_as_both_split_it(recorded: Recorded) -> None:
    found = next(each for each in read_page(recorded("training")).findings if each.id == "bpe/ties")
    (line,) = [line for line in read(recorded("training")) if line.get("second") == "ties"]
    example = line["effect"]["examples"][0]
    assert [each.text for each in found.subjects] == [example["word"]]
    assert [[token.text for token in answer.tokens or ()] for answer in found.answers] == [
        example["first"],
        example["second"],
    ]
    assert any(token.differs for answer in found.answers for token in answer.tokens or ())


def test_the_command_is_quoted_and_writes_no_reports(recorded: Recorded, tmp_path: Path) -> None:
    lines = read(recorded("training"))
    lines[0]["environment"]["command"] = ["tokconf", "train", "--corpus", "my text.txt", "--json", "a.jsonl"]
    page = read_page(written(tmp_path / "command.jsonl", lines))
    assert {each.repeat for each in page.findings if each.reason == "bpe"} == {"tokconf train --corpus 'my text.txt'"}


def test_training_that_did_not_end_says_so(recorded: Recorded, tmp_path: Path) -> None:
    lines = [line for line in read(recorded("training")) if line["type"] not in ("algorithm", "footer")]
    page = read_page(written(tmp_path / "killed.jsonl", lines))
    assert "Training of bpe did not finish." in page.said


def test_scores_and_ids_that_differ_are_told_with_the_largest() -> None:
    largest = [
        SimpleNamespace(token="a b", first=-1.5, second=-2.25),
        SimpleNamespace(token="c", first=0.0, second=1.0),
    ]
    only = SimpleNamespace(count=0, entries=())
    effect = SimpleNamespace(words=4, differing_words=1, differing_kinds=1, kinds=2, first_tokens=4, second_tokens=8)
    line: Any = SimpleNamespace(
        divergence=None,
        only_first=SimpleNamespace(count=1, entries=("x",)),
        only_second=only,
        scores=SimpleNamespace(beyond=1_200, compared=1_300, largest=largest),
        moved=SimpleNamespace(count=1, entries=(SimpleNamespace(token="d", first=1_000, second=2),)),
        effect=effect,
    )
    without = SimpleNamespace(**{**vars(line), "scores": None, "only_first": only, "moved": only})
    corpus = "corpus: 1 of 4 words (25.00 %) split differently, 1 of 2 kinds; 1.0000 and 2.0000 tokens per word"
    assert list(_difference_lines(line, ("A", "B"), "unigram")) == [
        'only A has 1 token: "x"',
        "scores: 1,200 of 1,300 pieces differ",
        '  "a b": -1.5 and -2.25',
        '  "c": 0 and 1',
        "ids: 1 token of both have another id",
        '  "d": 1,000 and 2',
        corpus,
    ]
    assert list(_difference_lines(without, ("A", "B"), "unigram")) == [corpus]
