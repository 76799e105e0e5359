"""Pages of runs of the suite: what they show is what the record counts, with the question where the suite has it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from altered_records import read, written

from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.results.answers import subjects_of
from tokenizer_conformance.results.page import Novelty, State
from tokenizer_conformance.validation.suite.reader import read_suite

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tokenizer_conformance.results.page import ShownFinding

    Recorded = Callable[[str], Path]

WRONG = ("failed", "error", "known")


def failed_in(path: Path) -> ShownFinding:
    """Return the one finding of a record."""
    (found,) = read_page(path).findings
    return found


def test_every_failed_requirement_is_one_finding(recorded: Recorded) -> None:
    for name in ("suite", "toy suite"):
        lines = [line for line in read(recorded(name)) if line["type"] == "requirement"]
        failed = {f"{line['implementation']}/{line['requirement']}": line for line in lines if line["verdict"] in WRONG}
        page = read_page(recorded(name))
        assert {each.id for each in page.findings} == set(failed)
        for each in page.findings:
            line = failed[each.id]
            assert each.count == sum(case["verdict"] in WRONG for case in line["cases"])
            assert (each.stage, each.reason) == (line["blame"], line["area"])


def test_counts_are_those_of_the_record(recorded: Recorded) -> None:
    page = read_page(recorded("toy suite"))
    ended = {line["implementation"]: line for line in read(recorded("toy suite")) if line["type"] == "implementation"}
    (table,) = [each for section in page.sections for each in section.tables if each.title == "What was judged"]
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert len(rows) == 2 * len(ended)
    for row in rows:
        counts = ended[str(row["implementation"])][str(row["of"])]
        assert {
            key: value for key, value in row.items() if key in {*WRONG, "passed", "unsupported"} and value
        } == counts


def test_cells_tell_what_passed_failed_and_was_not_shown(recorded: Recorded) -> None:
    page = read_page(recorded("toy suite"))
    (matrix,) = [each for each in page.matrices if each.corner == "area"]
    cells = {(area, name): cell for area, row in matrix.rows for name, cell in zip(matrix.columns, row, strict=True)}
    assert cells["normalizers.Toy", "mine"].state is State.DIFFER
    assert cells["normalizers.Toy", "mine"].text == "1 of 2 pass"
    assert cells["normalizers.Toy", "sound"].state is State.AGREE
    assert cells["models.Toy", "mute"].state is State.UNSUPPORTED
    unsaid = [
        table for section in page.sections for table in section.tables if table.title == "Requirements not judged"
    ]
    assert Counter(row[0] for row in unsaid[0].rows) == {"mute": 4}


def test_a_sentence_says_how_many_requirements_are_passed(recorded: Recorded) -> None:
    sentences = read_page(recorded("toy suite")).sentences
    assert "mine: passes 2 of 3 core, 1 of 1 edge requirements; 1 failed (cases: 3 passed, 2 failed)." in sentences
    assert "mute: passes 0 of 3 core, 0 of 1 edge requirements; 4 unsupported (cases: 5 unsupported)." in sentences


def test_the_requirement_and_the_question_are_those_of_the_suite(recorded: Recorded) -> None:
    found = failed_in(recorded("suite"))
    requirement = next(each for _, each in read_suite().requirements() if each.id == "PIPELINE-GPT2-TEXTS")
    assert requirement.title in found.headline
    assert found.explanation == requirement.rule
    assert found.agreeing == ("sound",)
    assert [each.side for each in found.answers] == ["expected", "wrong-type"]
    assert any(token.differs for token in found.answers[1].tokens or ())
    assert {each.label for each in found.subjects} == {"text (words)", "pair (words)"}
    assert found.repeat == "tokconf suite run -i wrong-type -k PIPELINE-GPT2-TEXTS"
    assert {step.name: step.state for step in found.pipeline}["post_process"] is State.DIFFER


def test_questions_of_another_suite_are_not_made_up(recorded: Recorded, tmp_path: Path) -> None:
    lines = read(recorded("suite"))
    lines[0]["suite"]["sha256"] = "0" * 64
    found = failed_in(written(tmp_path / "other.jsonl", lines))
    assert not found.subjects
    assert found.answers
    assert "question" not in {each.label for each in found.facts}


def test_of_wrong_cases_the_smallest_is_shown(recorded: Recorded, tmp_path: Path) -> None:
    lines = read(recorded("suite"))
    (line,) = [line for line in lines if line.get("verdict") == "failed"]
    (wrong,) = [case for case in line["cases"] if case["verdict"] == "failed"]
    asked = {each.case.name: each.case for each in read_suite().cases() if each.requirement.id == line["requirement"]}
    for case in line["cases"]:
        step = next((n for n, step in enumerate(asked[case["case"]].steps) if step.place == "post_process"), 0)
        failures = [each | {"step": step} for each in wrong["failures"]]
        case |= {"verdict": "failed", "blame": "post_process", "failures": failures}
    found = failed_in(written(tmp_path / "all.jsonl", lines))
    assert found.count == len(line["cases"]) > 1
    (shown,) = [each.value for each in found.facts if each.label == "case"]
    sizes = {}
    for case in line["cases"]:
        observation = getattr(asked[case["case"]].steps[case["failures"][0]["step"]], "observation", None)
        sizes[case["case"]] = sum(each.length for each in subjects_of(observation)) if observation else 0
    assert sizes[shown.partition("/")[2]] == min(sizes.values()) < max(sizes.values())


def test_errors_come_first_since_they_decide_the_exit_status(recorded: Recorded, tmp_path: Path) -> None:
    lines = read(recorded("suite"))
    of_requirements = [line for line in lines if line["type"] == "requirement"]
    (failed,) = (line for line in of_requirements if line["verdict"] in WRONG)
    (failure, *_) = next(case["failures"] for case in failed["cases"] if case["failures"])
    last = of_requirements[-1]
    assert last is not failed
    last["verdict"] = last["cases"][-1]["verdict"] = "error"
    last["cases"][-1]["failures"] = [{**failure, "wrong": "crashes: no", "difference": None}]
    first, second = read_page(written(tmp_path / "record.jsonl", lines)).findings
    assert (first.id, second.id) == tuple(f"{each['implementation']}/{each['requirement']}" for each in (last, failed))
    assert any("crashes: no" in line for line in (*first.lines, *(each.trouble for each in first.answers)))


def test_what_ledgers_know_is_no_news(recorded: Recorded, tmp_path: Path) -> None:
    lines = read(recorded("toy suite"))
    for line in lines:
        if line.get("verdict") == "failed":
            line["verdict"] = "known"
            for case in line["cases"]:
                if case["verdict"] == "failed":
                    case |= {"verdict": "known", "known": ["known.toml:3"]}
    page = read_page(written(tmp_path / "known.jsonl", lines))
    assert [(each.standing, each.known) for each in page.findings] == [(Novelty.KNOWN, "known.toml:3")]
    assert not page.headlines
    states = {cell.state for matrix in page.matrices for _, row in matrix.rows for cell in row}
    assert State.KNOWN in states
    assert State.DIFFER not in states


def test_what_has_no_value_is_told_beside_what_is_expected(recorded: Recorded, tmp_path: Path) -> None:
    lines = read(recorded("suite"))
    for line in lines:
        for case in line["cases"] if line["type"] == "requirement" else []:
            case["failures"] = [each | {"difference": None, "wrong": "raises E: <b>"} for each in case["failures"]]
    expected, wrong = failed_in(written(tmp_path / "raised.jsonl", lines)).answers
    assert wrong.trouble == "raises E: <b>"
    assert expected.tokens


def test_a_path_with_a_space_is_quoted_in_commands(recorded: Recorded, tmp_path: Path) -> None:
    lines = read(recorded("suite"))
    lines[0]["words"] = {"wrong-type": "command:./my program", "sound": "sound"}
    found = failed_in(written(tmp_path / "quoted.jsonl", lines))
    assert found.repeat == "tokconf suite run -i 'command:./my program' -k PIPELINE-GPT2-TEXTS"
