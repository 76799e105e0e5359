"""Pages of runs of the suite: what they show is what the record counts, with the question where the suite has it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from altered_records import read, written

from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.report.site.about import parts_about, placed
from tokenizer_conformance.report.site.results import suite_matrix, suite_results
from tokenizer_conformance.results.answers import subjects_of
from tokenizer_conformance.results.page import Novelty, State, legend
from tokenizer_conformance.results.plots.plot import Bars, HeatMap, Tone
from tokenizer_conformance.validation.suite.reader import read_suite

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any

    from tokenizer_conformance.results.page import Page, ShownFinding
    from tokenizer_conformance.results.plots.plot import Plot

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
    assert cells["normalizers.Toy", "mine"].text == "1 of 2"
    assert cells["normalizers.Toy", "sound"].state is State.AGREE
    assert cells["models.Toy", "mute"].state is State.UNSUPPORTED
    unsaid = [
        table for section in page.sections for table in section.tables if table.title == "Requirements not judged"
    ]
    assert Counter(row[0] for row in unsaid[0].rows) == {"mute": 4}


def plots_of(page: Page) -> dict[str, Plot]:
    return {drawing.plot.title: drawing.plot for section in page.sections for drawing in section.drawings}


def test_a_bar_of_each_implementation_has_all_requirements_by_what_came_of_them(recorded: Recorded) -> None:
    plot = plots_of(read_page(recorded("toy suite")))["Requirements, by what came of them"]
    assert isinstance(plot, Bars)
    assert plot.stacked
    assert plot.groups == ("mine", "sound", "mute")
    counts = {name: [bar.value for bar in bars] for name, bars in plot.series.items()}
    assert counts == {"passed": [3, 4, None], "failed": [1, None, None], "not shown": [None, None, 4]}
    assert plot.tones == {"passed": Tone.AGREE, "failed": Tone.DIFFER, "not shown": Tone.QUIET}


def test_failures_by_area_are_counted_in_cells_that_judge(recorded: Recorded) -> None:
    plot = plots_of(read_page(recorded("toy suite")))["Failed requirements, by area"]
    assert isinstance(plot, HeatMap)
    assert plot.judges
    assert (plot.names, plot.column_names) == (("normalizers.Toy",), ("mine", "sound", "mute"))
    assert plot.texts == (("1", "0", "–"),)
    assert plot.shares == ((0.5, 1.0, None),)


@pytest.mark.parametrize(("unsupported", "share"), [(0, 1.0), (1, 2 / 3), (3, 2 / 3)])
def test_who_passes_and_fails_the_same_is_told_in_shares_of_what_both_were_judged_by(
    recorded: Recorded, tmp_path: Path, unsupported: int, share: float
) -> None:
    lines = read(recorded("toy suite"))
    of_sound = [line for line in lines if line["type"] == "requirement" and line["implementation"] == "sound"]
    of_sound[unsupported]["verdict"] = "unsupported"
    page = read_page(written(tmp_path / "unsupported.jsonl", lines))
    plot = plots_of(page)["Requirements that both pass, or both fail"]
    assert isinstance(plot, HeatMap)
    assert plot.judges
    assert plot.names == ("mine", "sound", "mute")
    assert plot.shares == ((1.0, share, None), (share, 1.0, None), (None, None, None))


def test_one_requirement_is_called_by_its_name(recorded: Recorded, tmp_path: Path) -> None:
    lines = read(recorded("toy suite"))
    name = next(line["requirement"] for line in lines if line["type"] == "requirement")
    kept = [line for line in lines if line["type"] != "requirement" or line["requirement"] == name]
    kept[0]["requirements"] = 1
    page = read_page(written(tmp_path / "one.jsonl", kept))
    assert {each.what for each in page.outcomes.of} == {name}
    assert {each.what for each in read_page(recorded("toy suite")).outcomes.of} == {""}


def test_a_sentence_says_how_many_requirements_are_passed(recorded: Recorded) -> None:
    sentences = read_page(recorded("toy suite")).said
    assert "mine: 2 of 3 core, 1 of 1 edge requirements passed; 1 failed (cases: 3 passed, 2 failed)." in sentences
    assert "mute: none of 4 requirements answered; not counted: 4 unsupported (cases: 5 unsupported)." in sentences


def with_failures(lines: list[Any], wrong: Callable[[int], str], blame: str = "load") -> list[Any]:
    """Return ``lines`` in which "mine" fails each requirement of number n for what is ``wrong(n)``, loading."""
    failed = [line for line in lines if line["type"] == "requirement" and line["implementation"] == "mine"]
    for number, line in enumerate(failed):
        failure = {"step": None, "place": blame, "wrong": wrong(number), "difference": None}
        line |= {"verdict": "failed", "blame": blame}
        for case in line["cases"]:
            case |= {"verdict": "failed", "blame": blame, "failures": [failure]}
    ended = next(line for line in lines if line["type"] == "implementation" and line["implementation"] == "mine")
    ended["cases"] = {"failed": sum(len(line["cases"]) for line in failed)}
    return lines


def test_failures_with_one_error_text_are_one_group(recorded: Recorded, tmp_path: Path) -> None:
    lines = with_failures(
        read(recorded("toy suite")),
        lambda n: f"is not loaded: mine cannot load t{n} (/tmp/x/{n}.json): no x at {n}",
    )
    page = read_page(written(tmp_path / "alike.jsonl", lines))
    titles = [each.title for each in page.sections]
    assert "What fails, by what it has in common" not in titles, "one group is one finding"
    assert page.findings[0].implementation == "mine"
    assert page.headline == (
        "mine does not load the tokenizers of any of 4 requirements; mute does not answer any of 4 requirements; "
        "sound passes all 4 requirements"
    )
    lines = with_failures(lines, lambda n: f"is not loaded: mine cannot load t{n} (/x): no {'ab'[n == 1]} at {n}")
    page = read_page(written(tmp_path / "alike.jsonl", lines))
    (section,) = [each for each in page.sections if each.title == "What fails, by what it has in common"]
    assert section.is_first
    assert [said.split(";")[0] for said in section.sentences] == [
        "mine, load: 3 requirements (3 core), not loaded: no a at 0",
        "mine, load: 1 requirement, not loaded: no b at 1",
    ]
    shown = [each.id for each in page.findings[:2]]
    firsts = [said.rpartition(" ")[2].removesuffix(".") for said in section.sentences]
    assert shown == [f"mine/{each}" for each in firsts], "the first of each group is told first"
    assert len(page.findings) == 4


def test_what_is_not_loaded_differs_in_nothing(recorded: Recorded, tmp_path: Path) -> None:
    lines = with_failures(read(recorded("toy suite")), lambda _: "is not loaded: no")
    page = read_page(written(tmp_path / "alike.jsonl", lines))
    cells = {name: cell for matrix in page.matrices for name, row in matrix.rows for cell in row if name == "mine"}
    cells |= {area: row[0] for area, row in page.matrices[1].rows}
    assert {cell.state for cell in cells.values()} == {State.NOT_COMPARED}
    assert {cell.detail.partition(" ")[2] for cell in cells.values()} == {"not loaded"}
    said = "none of 4 requirements answered; not counted: 4 whose tokenizers are not loaded (cases: 5 not loaded)."
    assert f"mine: {said}" in page.said
    assert "4 not loaded" in page.summary
    assert "0 failures" in page.summary


def test_a_requirement_is_told_by_a_case_that_is_loaded_and_by_where_that_is_wrong(
    recorded: Recorded, tmp_path: Path
) -> None:
    lines = with_failures(read(recorded("toy suite")), lambda _: "is not loaded: no")
    line = next(each for each in lines if each["type"] == "requirement" and len(each["cases"]) > 1)
    loaded = {"step": 0, "place": "decode", "wrong": "a word too many", "difference": None}
    line["cases"][-1] |= {"verdict": "failed", "blame": "decode", "failures": [loaded]}
    record = written(tmp_path / "alike.jsonl", lines)
    finding = next(each for each in read_page(record).findings if each.id.endswith(line["requirement"]))
    assert finding.stage == "decode"
    assert "a word too many" in str(finding.lines)
    (mine,) = [each for each in suite_results([record]) if each.implementation == "mine"]
    result = mine.of(line["requirement"])
    assert result is not None
    assert (result.word, result.blame) == ("fails", "decode")
    assert result.wrong == f"case {line['cases'][-1]['case']}: a word too many"


def test_what_is_left_out_is_in_no_denominator(recorded: Recorded, tmp_path: Path) -> None:
    lines = read(recorded("toy suite"))
    of_mine = [line for line in lines if line["type"] == "requirement" and line["implementation"] == "mine"]
    passed = next(line for line in of_mine if line["verdict"] == "passed" and line["importance"] == "core")
    passed["verdict"] = "unsupported"
    for case in passed["cases"]:
        case |= {"verdict": "unsupported", "reason": "it is not shown"}
    page = read_page(written(tmp_path / "alike.jsonl", lines))
    said = next(each for each in page.said if each.startswith("mine: "))
    assert said.startswith("mine: 1 of 2 core, 1 of 1 edge requirements passed of the 3 answered; 1 failed; ")
    assert "not counted: 1 unsupported" in said
    cells = dict(zip(page.matrices[0].columns, dict(page.matrices[0].rows)["mine"], strict=True))
    assert cells["core"].text == "1 of 2 + 1"
    assert cells["core"].detail == "1 failed, 1 passed, 1 not shown"


def test_requirements_without_cases_are_told_where_the_number_is(recorded: Recorded, tmp_path: Path) -> None:
    lines = read(recorded("suite"))
    lines[0]["not_asked"] = 89
    (fact,) = [each for each in read_page(written(tmp_path / "r.jsonl", lines)).facts if each.label == "cases"]
    assert fact.value.endswith("; 89 further requirements, which only Python shows, without cases")
    del lines[0]["not_asked"]
    (fact,) = [each for each in read_page(written(tmp_path / "r.jsonl", lines)).facts if each.label == "cases"]
    assert fact.value.endswith(" cases")


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


def test_the_site_says_not_loaded_where_nothing_was_loaded(recorded: Recorded, tmp_path: Path) -> None:
    lines = with_failures(read(recorded("toy suite")), lambda _: "is not loaded: no")
    results = suite_results([written(tmp_path / "suite.jsonl", lines)])
    areas = list(dict.fromkeys(line["area"] for line in lines if line["type"] == "requirement"))
    matrix = suite_matrix(results, areas)
    cells = {name: [row[at] for _, row in matrix.rows] for at, name in enumerate(matrix.columns)}
    (mine,) = (cell for name, cell in cells.items() if name.startswith("mine "))
    assert {each.state for each in mine} == {State.NOT_COMPARED}
    assert all(each.detail.endswith(" not loaded") and each.of for each in mine)
    assert {result.word for each in results[:1] for of in each.by_area.values() for result in of.values()} == {
        "not loaded"
    }
    assert matrix.word(State.DIFFER) == "", "the cell says how many pass, and no word beside it says that they differ"
    assert "neither passed nor failed" in legend([matrix])


def test_a_page_of_one_implementation_says_what_that_one_came_to(recorded: Recorded) -> None:
    placed_page = placed("records/toy.html", read_page(recorded("toy suite")))
    said = {
        name: [(part.headline, part.state) for part in parts_about(name, "implementation", [placed_page])]
        for name in ("mine", "sound", "mute")
    }
    assert said == {
        "mine": [("mine fails 1 of 4 requirements", State.DIFFER)],
        "sound": [("sound passes all 4 requirements", State.AGREE)],
        "mute": [("mute does not answer any of 4 requirements", State.UNSUPPORTED)],
    }
