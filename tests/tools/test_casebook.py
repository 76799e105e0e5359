"""The casebook: its cases can be judged, a wrong explanation is reported, and reported bugs are shown and explained."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import casebook as tool
import pytest
from published.measuring import Measuring
from published.records import RecordError
from reported import page
from reported.asking import Asked, Run, ask
from reported.expectations import has, judge, matches
from reported.files import edited
from reported.table import Case, CaseError, Given, case_of, read_cases

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from click.testing import Result

CASES = {case.reference: case for case in read_cases()}

OFFLINE = [case.reference for case in CASES.values() if case.is_offline]

FIVE = (
    "huggingface/tokenizers#278", "huggingface/tokenizers#1496", "huggingface/tokenizers#1027",
    "huggingface/transformers#1545", "huggingface/tokenizers#1863",
)  # fmt: skip
"""Cases of five reasons, which take a second each."""

AUDITED = [reference for reference in OFFLINE if CASES[reference].command.startswith("audit file")]

ROW: dict[str, Any] = {
    "reference": "owner/name#1",
    "software": "tokenizers",
    "symptom": "It is wrong.",
    "cause": "A reason.",
    "command": "explain bert-mini a",
    "shown": '{"type": "text"}',
    "explained": '{"type": "tokens"}',
}


@pytest.fixture
def run(tokconf: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return what runs ``tokconf`` in this process."""

    def run(arguments: Sequence[str], folder: Path) -> tuple[int, str]:
        monkeypatch.chdir(folder)
        result = tokconf(*arguments)
        monkeypatch.chdir(Path(__file__).parent)
        return result.exit_code, result.output

    return run


# The cases -----------------------------------------------------------------------------------------------------------


def test_there_are_enough_cases_of_many_projects() -> None:
    assert len(CASES) >= 50
    assert sum(case.unexplained is None for case in CASES.values()) >= tool.ENOUGH
    assert len({reference.partition("#")[0] for reference in CASES}) >= 5


@pytest.mark.long
@pytest.mark.parametrize("reference", FIVE)
def test_a_reported_bug_is_shown_and_explained(reference: str, run: Run) -> None:
    asked = ask(CASES[reference], run)
    assert page.missing(asked) == []
    assert asked.is_explained


@pytest.mark.long
@pytest.mark.parametrize("reference", [each for each in OFFLINE if each not in (*FIVE, *AUDITED)])
def test_what_needs_nothing_more_is_shown_and_explained(reference: str, run: Run) -> None:
    asked = ask(CASES[reference], run)
    assert asked.is_shown, page.missing(asked)
    assert asked.is_explained or CASES[reference].unexplained, page.missing(asked)


@pytest.mark.long
def test_a_case_is_asked_of_a_process_of_its_own() -> None:
    asked = ask(CASES[FIVE[0]])
    assert page.missing(asked) == []
    assert asked.is_explained


@pytest.mark.long
def test_the_reason_of_one_case_is_not_that_of_another(run: Run) -> None:
    asked = [ask(CASES[reference], run) for reference in FIVE]
    for each in asked:
        others = [other for other in asked if other is not each]
        assert not any(all(has(other.record, line) for line in each.case.explained) for other in others)


@pytest.mark.long
def test_the_defects_of_files_are_shown_and_explained_and_told_apart(run: Run) -> None:
    asked = [ask(CASES[reference], run) for reference in AUDITED]
    assert [page.missing(each) for each in asked if not each.is_shown] == []
    for each in asked:
        assert each.is_explained or each.case.unexplained, page.missing(each)
        explained = [other for other in asked if all(has(other.record, line) for line in each.case.explained)]
        assert explained == [each]


# What is wrong is reported -------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_wrong_explanation_is_reported(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    case = CASES["huggingface/tokenizers#1496"]
    wrong = {"type": "finding", "defect": "normalizer-repeated"}
    line = tool.told(ask(replace(case, explained=(wrong,)), run), verbose=False)
    assert line["shown"]
    assert not line["explained"]
    assert tool.conclusion([line], 1) == 1
    said = capsys.readouterr().out
    assert 'the answer lacks {"type": "finding", "defect": "normalizer-repeated"}' in said
    assert "1 cases: 1 shown, 0 explained, 0 not run" in said


@pytest.mark.long
def test_a_second_explanation_that_must_not_be_given_is_reported(run: Run) -> None:
    case = CASES["huggingface/tokenizers#1496"]
    asked = ask(replace(case, never=({"type": "finding", "defect": "characters-unknown"},)), run)
    assert not asked.is_explained
    assert page.missing(asked) == ['the answer says {"type": "finding", "defect": "characters-unknown"}']


def test_a_bug_that_does_not_show_is_reported(run: Run) -> None:
    case = CASES["huggingface/tokenizers#278"]
    mended = {"type": "tokens", "encoding.ids": [2]}
    asked = ask(replace(case, shown=(mended,)), run)
    assert not asked.is_shown
    assert not asked.is_explained
    assert tool.conclusion([page.line_of(asked)], 0) == 1


def test_another_exit_status_is_reported() -> None:
    case = case_of(ROW)
    judged = judge(case, [{"type": "text"}, {"type": "tokens"}], 3)
    assert judged.status == "exit status 3, not 0"
    assert not judged.is_shown
    assert judge(case, [{"type": "text"}, {"type": "tokens"}], 0).is_explained


def test_a_case_whose_needs_are_missing_is_not_run_and_counts_as_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    line = tool.told(ask(case_of({**ROW, "needs": ["no-such-peer"]})), verbose=False)
    assert not line["run"]
    assert tool.conclusion([line], 0) == 1
    assert "not run: no-such-peer" in capsys.readouterr().out


def test_a_release_that_is_not_there_is_named_with_the_command_that_makes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKCONF_CACHE", str(tmp_path))
    asked = ask(case_of({**ROW, "needs": ["tokenizers==0.19.1"]}))
    assert asked.not_run == "tokenizers==0.19.1: tokconf environments create tokenizers==0.19.1"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"explaned": "{}"}, "no member of a case: explaned"),
        ({"shown": ""}, "say what shows it"),
        ({"explained": ""}, "say what shows it"),
        ({"unexplained": "Nothing is said."}, "say what shows it"),
        ({"shown": "{"}, "owner/name#1: shown"),
        ({"file": [{"name": "a.json", "patch": "{}"}]}, "patch"),
    ],
)
def test_a_case_that_cannot_be_judged_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(CaseError, match=message):
        case_of({**ROW, **change})


def test_a_case_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    rows = "".join(f"{key} = {value!r}\n" for key, value in ROW.items())
    (tmp_path / "cases.toml").write_text(f"[[case]]\n{rows}[[case]]\n{rows}")
    with pytest.raises(CaseError, match="there twice: owner/name#1"):
        read_cases(tmp_path)


# Judging -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expected", "actual", "holds"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"a": 1}, {"a": True}, False),
        ({"a.b": "x*z"}, {"a": {"b": "xyz"}}, True),
        ({"a.b": "x*z"}, {"a": {"b": "xy"}}, False),
        ({"a.b": 1}, {"a.b": 1}, True),
        ({"a": [{"b": 1}, {"b": 2}]}, {"a": [{"b": 2, "c": 3}, {"b": 1}]}, True),
        ({"a": [{"b": 1}, {"b": 3}]}, {"a": [{"b": 2}, {"b": 1}]}, False),
        ({"a": [1, 2]}, {"a": [1, 2, 3]}, False),
        ({"a": [[0, 1]]}, {"a": [[0, 1]]}, True),
        ({"a": []}, {"a": [1]}, False),
        ({"a": None}, {"a": None}, True),
        ({"a": ">2"}, {"a": 3}, True),
        ({"a": ">2"}, {"a": "3"}, False),
        ({"a": "(b)"}, {"a": "b"}, False),
    ],
)
def test_an_expectation(expected: Any, actual: Any, holds: bool) -> None:
    assert matches(expected, actual) is holds


def test_a_tokenizer_is_made_by_declared_edits() -> None:
    document = edited(
        Given(
            name="a.json",
            source="gpt2-mini",
            replace={"model.ignore_merges": True, "decoder": None},
            append={"model.vocab": {"new": 2000}, "added_tokens": [{"id": 2000}]},
            older=True,
        )
    )
    assert document["model"]["ignore_merges"] is True
    assert document["decoder"] is None
    assert document["model"]["vocab"]["new"] == 2000
    assert document["added_tokens"][-1] == {"id": 2000}
    assert all(isinstance(merge, str) for merge in document["model"]["merges"])


# The page ------------------------------------------------------------------------------------------------------------


TOLD = case_of(ROW)
POOR = case_of({**ROW, "reference": "owner/other#2", "explained": "", "unexplained": "The cause is not named."})


def recorded(file: Path, *cases: Case) -> list[Path]:
    record = Measuring(file, page.TOOL)
    for case in cases:
        record.add(page.line_of(Asked(case, judge(case, ({"type": "text"}, {"type": "tokens"}), 0))))
    record.finish()
    return [file]


def test_the_page_tells_counts_and_what_is_not_explained(tmp_path: Path) -> None:
    text = page.page(recorded(tmp_path / "a.jsonl", POOR, TOLD), (TOLD, POOR))
    assert "2 bugs" in text
    assert "in 2 projects: 2 are shown by one command, and of\n1 the command says the reason" in text
    assert "- Not explained: The cause is not named." in text
    rows = [line.split("|")[-2].strip() for line in text.splitlines() if line.startswith("| owner")]
    assert rows == ["yes", "no"]


@pytest.mark.parametrize(
    "cases", [(TOLD,), (TOLD, POOR, replace(TOLD, reference="owner/name#3")), (TOLD, replace(POOR, command="suite"))]
)
def test_a_record_of_other_cases_than_those_of_the_tree_is_refused(tmp_path: Path, cases: tuple[Case, ...]) -> None:
    with pytest.raises(RecordError, match=r"not of the cases as they are now: owner/(other#2|name#3); run"):
        page.page(recorded(tmp_path / "a.jsonl", TOLD, POOR), cases)


def test_what_was_asked_before_it_was_ended_is_not_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Case] = []

    def ask(case: Case) -> Asked:
        asked.append(case)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return Asked(case, judge(case, ({"type": "text"}, {"type": "tokens"}), 0))

    file = tmp_path / "a.jsonl"
    monkeypatch.setattr(tool, "read_cases", lambda: [TOLD, POOR])
    monkeypatch.setattr(tool, "ask", ask)
    monkeypatch.setattr("sys.argv", ["casebook.py", "--record", str(file)])
    with pytest.raises(KeyboardInterrupt):
        tool.main()
    assert tool.main() == 1  # one of the two is not explained
    assert asked == [TOLD, POOR, POOR]
    assert "2 bugs" in page.page([file], (TOLD, POOR))


def test_a_case_that_was_changed_since_it_was_asked_is_asked_again_and_counted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.jsonl"
    monkeypatch.setattr(tool, "read_cases", lambda: [TOLD])
    monkeypatch.setattr(tool, "ask", lambda case: Asked(case, judge(case, ({"type": "text"}, {"type": "tokens"}), 0)))
    monkeypatch.setattr("sys.argv", ["casebook.py", "--record", str(file)])
    tool.main()
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:-1]))  # as if it had been ended
    monkeypatch.setattr(tool, "read_cases", lambda: [replace(TOLD, command="run other.json")])
    tool.main()
    assert capsys.readouterr().out.count("\n1 cases: ") == 2
    assert len(file.read_text().splitlines()) == 4


def test_nothing_is_written_where_only_some_cases_are_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["casebook.py", "-k", "no such word"])
    assert tool.main() == 0
    assert list(tmp_path.iterdir()) == []
    assert "0 cases" in capsys.readouterr().out


def test_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["casebook.py", "--needs"])
    assert tool.main() == 0
    assert capsys.readouterr().out.split() == sorted({need for case in CASES.values() for need in case.needs})


def test_words_of_the_command_line_choose_cases() -> None:
    case: Case = case_of({**ROW, "needs": ["tokie"]})
    assert tool.is_wanted(case, "name#1", offline=False)
    assert not tool.is_wanted(case, "another", offline=False)
    assert not tool.is_wanted(case, None, offline=True)
