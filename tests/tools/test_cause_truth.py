"""The truth bench: a reason that is not the fault is seen, and one that is missing; quick cases are told rightly."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import cause_truth
import pytest
from planted.edits import put
from planted.fakes import Fault, Faulty, in_file
from planted.truth import running
from planted.truth.case import Case, pair_of
from planted.truth.judging import Effort, Fresh, Judged, Verdict, judged, plan_of, predicted, verdict_of
from planted.truth.results import Row, is_enough, line_of, rows_of, summary
from planted.truth.table import CASES
from planted.truth.tokenizers import file_of
from published.measuring import Measuring, read_measured
from published.records import RecordError

from tokenizer_adapters.contract import (
    Decode,
    Encode,
    Encoded,
    Normalize,
    SavingSubject,
    Stage,
    Text,
    TokenizerSource,
    Unsupported,
    stage_of,
)
from tokenizer_conformance.causes.cause import NO_REASON, Reason
from tokenizer_conformance.causes.reasons import Explainer
from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LOWERCASE = Case(
    "lowercase-off",
    "options",
    "lowercase is overlooked.",
    in_file(put("normalizer.lowercase", False)),
    ("bert-mini",),
    said=("normalizer-flags: *lowercase*",),
    implied=("case-folding",),
)
CLEANED = replace(
    LOWERCASE, name="clean-up-off", fault=in_file(put("decoder.cleanup", False)), said=("decode-clean-up",)
)
NAMED = Reason("normalizer-flags", "normalizer: BertNormalizer lowercase true -> false")
IMPLIED = Reason("case-folding", "nothing is lower-cased")
CLEAN_UP = Reason("decode-clean-up", "spaces kept")
FALSE = Reason("normalizer-flags", "normalizer: BertNormalizer clean_text true -> false")
BERT = bundled_file("bert-mini")
FEW = Effort(of_category=1, cause_seconds=10.0)


# What is true --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reasons", "verdict"),
    [
        ([NAMED], Verdict.RIGHT),
        ([NAMED, IMPLIED], Verdict.RIGHT),
        ([NAMED, FALSE], Verdict.WRONG),
        ([FALSE], Verdict.WRONG),
        ([IMPLIED], Verdict.UNEXPLAINED),
        ([], Verdict.UNEXPLAINED),
    ],
)
def test_a_fault_is_told_rightly_where_it_is_named_and_nothing_else_is_said(
    reasons: list[Reason], verdict: Verdict
) -> None:
    assert verdict_of(LOWERCASE, "bert-mini", reasons) is verdict


@pytest.mark.parametrize(
    ("reasons", "verdict"),
    [
        ([NAMED, CLEAN_UP], Verdict.RIGHT),
        ([NAMED], Verdict.UNEXPLAINED),
        ([NAMED, CLEAN_UP, FALSE], Verdict.WRONG),
    ],
)
def test_both_of_two_faults_are_to_be_named(reasons: list[Reason], verdict: Verdict) -> None:
    assert verdict_of(pair_of(LOWERCASE, CLEANED, "bert-mini"), "bert-mini", reasons) is verdict


def test_what_no_class_is_about_is_unexplained_or_wrong() -> None:
    strange = replace(LOWERCASE, said=(), implied=())
    assert verdict_of(strange, "bert-mini", []) is Verdict.UNEXPLAINED
    assert verdict_of(strange, "bert-mini", [NAMED]) is Verdict.WRONG


def _rows(*verdicts: Verdict, case: Case = LOWERCASE) -> list[Row]:
    return [Row(case, "bert-mini", Judged(verdict)) for verdict in verdicts]


def test_nothing_may_be_wrong_and_nine_tenths_must_be_right() -> None:
    right, unexplained = Verdict.RIGHT, Verdict.UNEXPLAINED
    assert is_enough(_rows(*[right] * 9, unexplained, Verdict.ALIKE))
    assert not is_enough(_rows(*[right] * 8, unexplained))
    assert not is_enough(_rows(*[right] * 99, Verdict.WRONG))
    assert not is_enough(_rows(Verdict.ALIKE, Verdict.NOT_RUN))
    strange = replace(LOWERCASE, said=())
    assert is_enough([*_rows(right), *_rows(unexplained, case=strange)])
    assert "of 1 that can be said, 100.0 % are right" in summary([*_rows(right), *_rows(unexplained, case=strange)])


def test_answers_to_fresh_texts_count_where_the_reason_is_right() -> None:
    right = Row(LOWERCASE, "bert-mini", Judged(Verdict.RIGHT, fresh=Fresh(20, 18)))
    wrong = Row(LOWERCASE, "bert-mini", Judged(Verdict.WRONG, fresh=Fresh(50, 0)))
    assert summary([right, wrong]).endswith("18 of 20 answers to fresh texts that differ are as predicted")


# Cases ---------------------------------------------------------------------------------------------------------------


def test_cases_have_names_and_tokenizers_of_their_own() -> None:
    assert max(Counter(case.name for case in CASES).values()) == 1
    for case in CASES:
        assert case.on, case.name
        assert len(set(case.on)) == len(case.on), case.name


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES[:3]])
def test_a_copy_of_a_tokenizer_is_made_where_it_is_none_of_the_bundled(case: Case, tmp_path: Path) -> None:
    for tokenizer in case.on:
        file = file_of(tokenizer, tmp_path)
        assert file is None or file.exists()


def test_an_implementation_that_shows_ids_only_shows_ids_only() -> None:
    port = Faulty("port", Fault(), ids_only=True)
    subject = port.load(TokenizerSource("bert-mini", str(BERT)))
    assert port.info.stages == {Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE}
    assert isinstance(subject.observe(Normalize("A")), Unsupported)
    encoded = subject.observe(Encode("a", add_special_tokens=False))
    assert isinstance(encoded, Encoded)
    assert (len(encoded.ids), encoded.tokens, encoded.offsets) == (1, None, None)
    assert subject.observe(Decode(encoded.ids)) == Text("a")
    assert subject.files != (str(BERT),)


def test_a_loader_that_saves_writes_what_it_runs() -> None:
    source = TokenizerSource("bert-mini", str(BERT))
    subject = Faulty("port", LOWERCASE.fault, saves=True).load(source)
    assert isinstance(subject, SavingSubject)
    assert json.loads(str(subject.saved()))["normalizer"]["lowercase"] is False
    assert not isinstance(Faulty("port", LOWERCASE.fault).load(source), SavingSubject)


def test_a_mistake_of_a_port_is_in_a_copy_of_the_reference_alone() -> None:
    source = TokenizerSource("bert-mini", str(BERT))
    port = Faulty("port", Fault(port="lowercase-ascii-only")).load(source)
    sound = Faulty("sound", Fault(port="save-padding")).load(source)
    assert stage_of(Normalize("\u00c9")) is Stage.NORMALIZE
    text = "A\u0416"
    assert (port.observe(Normalize(text)), sound.observe(Normalize(text))) == (Text("a\u0416"), Text("a\u0436"))


# Runs ----------------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_run_that_gives_a_false_reason_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    def says(reason: Reason) -> Any:
        monkeypatch.setattr(Explainer, "__call__", lambda *_: reason)
        return judged(LOWERCASE, BERT, Effort(of_category=0, cause_seconds=10.0))

    assert says(NAMED).verdict is Verdict.RIGHT
    assert says(FALSE).verdict is Verdict.WRONG
    assert says(NO_REASON).verdict is Verdict.UNEXPLAINED


def test_a_fault_that_changes_nothing_is_not_counted() -> None:
    case = replace(LOWERCASE, fault=Fault())
    assert judged(case, BERT, Effort(of_category=0)).verdict is Verdict.ALIKE


@pytest.mark.long
def test_a_true_reason_predicts_answers_to_fresh_texts_and_a_false_one_does_not() -> None:
    effort = Effort(of_category=0, cause_seconds=10.0)
    found = judged(LOWERCASE, BERT, effort)
    assert found.verdict is Verdict.RIGHT
    assert 0 < found.fresh.predicted == found.fresh.differ
    plan = plan_of(LOWERCASE, BERT, effort)
    assert predicted(plan, [replace(NAMED, explains=lambda _question: False)], effort).predicted == 0
    assert predicted(plan, [NAMED], effort) == Fresh(found.fresh.differ, 0)


def test_results_are_kept_and_judged_anew(tmp_path: Path) -> None:
    found = judged(LOWERCASE, BERT, Effort(of_category=0, cause_seconds=10.0))
    file = tmp_path / "a.jsonl"
    record = Measuring(file, "a_tool")
    record.add(line_of(LOWERCASE.name, "bert-mini", found))
    record.finish()
    lines = read_measured(file, "a_tool").lines
    (row,) = rows_of(lines, [LOWERCASE])
    assert (row.judged.verdict, row.judged.fresh, row.said) == (
        Verdict.RIGHT,
        found.fresh,
        Row(LOWERCASE, "", found).said,
    )
    (row,) = rows_of(lines, [replace(LOWERCASE, said=("model-entry",), implied=())])
    assert row.judged.verdict is Verdict.WRONG
    assert row.said.startswith("NOT TRUE: ")
    assert rows_of(lines, [CLEANED]) == []
    other = line_of(CLEANED.name, "bert-mini", Judged(Verdict.ALIKE))
    assert [row.case for row in rows_of([other, *lines], [LOWERCASE, CLEANED])] == [LOWERCASE, CLEANED]


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_the_command_shows_what_is_said_and_the_page_has_it(
    here: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    as_of_all: Callable[..., Path],
) -> None:
    record = here / "a.jsonl"
    command = ["-k", "nothing-special", "bert-mini", "--show", "--jobs", "1", "--inputs", "1", "--record", str(record)]
    assert cause_truth.main(command) == 0
    printed = capsys.readouterr().out
    assert "fault: No added token is special." in printed
    assert "added-token-flags" in printed
    assert "2 faults on 2 tokenizers: 2 right, 0 unexplained, 0 wrong" in printed
    page = cause_truth.page([as_of_all(record, words=[])])
    assert "Inputs: 1 of each category" in page
    assert re.search(r"Of 1,\d{3} pairs of a fault and a tokenizer, 2 were drawn at random", page)
    assert "2 faults on 2 tokenizers: 2 right, 0 unexplained, 0 wrong" in page
    assert "No added token is special." in page

    *begun, _footer = record.read_text(encoding="utf-8").splitlines(keepends=True)
    record.write_text("".join(begun), encoding="utf-8")
    monkeypatch.setattr(running, "judged", None)  # what was judged is not run again
    assert cause_truth.main(command) == 0
    assert capsys.readouterr().out == printed
    assert cause_truth.page([as_of_all(record, words=[])]) == page
    with pytest.raises(RecordError, match="is of a part alone"):
        cause_truth.page([record])
    record.write_text("".join(begun), encoding="utf-8")
    assert cause_truth.main([*command, "--seed", "2"]) == 2
    assert "is the beginning of another measurement" in capsys.readouterr().err


def test_a_part_that_is_drawn_goes_on_and_a_page_of_all_speaks_of_no_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[tuple[Case, str]]] = []

    def lines_of(pairs: list[tuple[Case, str]], *_: object) -> list[dict[str, Any]]:
        asked.append(pairs)
        return [line_of(case.name, tokenizer, Judged(Verdict.RIGHT)) for case, tokenizer in pairs]

    monkeypatch.setattr(cause_truth, "lines_of_runs", lines_of)
    every = [(case, tokenizer) for case in CASES for tokenizer in case.on]
    record = tmp_path / "a.jsonl"
    cause_truth.main(["--record", str(record), "--count", "9"])
    assert "9 were drawn at random. For all of them: wrong, 95 % interval: 0.0 to" in cause_truth.page([record])
    *begun, _footer = record.read_text(encoding="utf-8").splitlines(keepends=True)
    record.write_text("".join(begun), encoding="utf-8")
    cause_truth.main(["--record", str(record)])
    first, further = asked
    assert first != every[:9]
    assert sorted(map(str, [*first, *further])) == sorted(map(str, every))
    assert "drawn" not in cause_truth.page([record])
    capsys.readouterr()


@pytest.mark.parametrize("count", ["0", "-1"])
def test_a_count_of_none_is_refused(capsys: pytest.CaptureFixture[str], count: str) -> None:
    assert cause_truth.main(["--count", count]) == 2
    assert f"--count {count}: at least 1 has to be run" in capsys.readouterr().err


def test_a_word_that_no_case_has_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cause_truth.main(["-k", "no such case"]) == 2
    assert "no case has no such case in its name" in capsys.readouterr().err


QUICK = (
    "normalizer",
    "pre-tokenizer",
    "mark-decoder",
    "padding",
    "truncation",
    "no-stripaccents-normalizer",
    "no-fuse-decoder",
    "decoders-reversed",
    "nfd-for-nfkd",
    "lowercased-first",
    "all-special",
    "bert-lowercase-off",
    "marks-do-not-split",
    "bytes-without-pattern",
    "clean-up-off",
    "no-byte-fallback",
    "split-drops-what-is-not-matched",
    "template-of-bert",
    "decoder-of-the-family",
    "clean-up-of-the-configuration",
    "saved-pipeline-of-a-vocabulary",
    "saved-clean-up-beside-what-changes-nothing",
)


@pytest.mark.long
@pytest.mark.parametrize("name", QUICK)
def test_quick_cases_are_told_rightly(name: str, tmp_path: Path) -> None:
    (case,) = (case for case in CASES if case.name == name)
    file = file_of(case.on[0], tmp_path)
    assert file is not None
    found = judged(case, file, FEW)
    assert found.verdict is Verdict.RIGHT, Row(case, case.on[0], found).in_full()


def test_what_comes_to_the_same_is_right_on_that_tokenizer_alone() -> None:
    case = replace(LOWERCASE, same_on={"t5-mini": ("decode-clean-up: *",)})
    assert verdict_of(case, "t5-mini", [CLEAN_UP]) is Verdict.RIGHT
    assert verdict_of(case, "bert-mini", [CLEAN_UP]) is Verdict.WRONG
