"""What vectors see of planted faults is recorded fault by fault, and the page is written from the record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import vector_power
from power.faults import read_faults
from power.mutants import function_lines
from published.measuring import Measuring, read_measured
from vector_power import Caught, Exam, Result, line_of, page, results_of

from tokenizer_adapters.contract import TokenizerSource
from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from pathlib import Path

    from power.faults import Fault

FAULTS = [fault for fault in read_faults() if fault.module == "pipeline.tokenizer" and fault.stage == "decode"]
SEEN = Caught(plain=True, by=("gpt2",))
SIZES = {"vectors": {"gpt2": 200, "t5-small": 199}}
GPT2 = Exam(TokenizerSource("gpt2-mini", str(bundled_file("gpt2-mini"))), (), (), ())


def test_results_come_in_the_order_of_the_faults() -> None:
    results = [Result(FAULTS[0], SEEN, is_run=True), Result(FAULTS[1], Caught(), is_run=False)]
    assert results_of(map(line_of, reversed(results))) == results


def test_the_page_counts_what_the_record_has(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    record = Measuring(file, vector_power.TOOL, SIZES)
    for result in (
        Result(FAULTS[0], SEEN, is_run=True),
        Result(FAULTS[1], Caught(builtin_by=("t5-small",)), is_run=True),
        Result(FAULTS[2], Caught(), is_run=False),
    ):
        record.add(line_of(result))
    record.finish()
    text = page([file])
    assert "Vectors of gpt2 (200), t5-small (199), as they come" in text
    assert "| all | 2 | 1 | 50.0 % | 1 | 1 | 0 |" in text
    assert "| all | 3 | 1 | 33.3 % | 1 | 1 | 0 |" in text
    assert f"- {FAULTS[1].id}: {FAULTS[1].what} (The built-in inputs show it on t5-small.)" in text
    assert FAULTS[2].id not in text


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_what_the_record_has_is_not_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_decode = function_lines(FAULTS[0].module, FAULTS[0].lines()[-1])
    known, *asked = (fault for fault in FAULTS if function_lines(fault.module, fault.lines()[-1]) == in_decode)
    not_run = next(fault for fault in FAULTS if fault not in (known, *asked))

    def caught(fault: Fault, exams: list[Exam]) -> Caught:
        assert fault in asked
        assert exams == [GPT2]
        return SEEN

    monkeypatch.setattr(vector_power, "read_faults", lambda: [known, *asked, not_run])
    monkeypatch.setattr(vector_power, "called", lambda _: {(known.module, line) for line in in_decode})
    monkeypatch.setattr(vector_power, "caught", caught)
    file = tmp_path / "a.jsonl"
    record = Measuring(file, vector_power.TOOL, SIZES)
    record.add(line_of(Result(known, Caught(), is_run=True)))
    vector_power.run([GPT2], 1, Measuring(file, vector_power.TOOL, SIZES))
    found = {result.fault.id: result for result in results_of(read_measured(file, vector_power.TOOL).lines)}
    assert found == {
        known.id: Result(known, Caught(), is_run=True),
        not_run.id: Result(not_run, Caught(), is_run=False),
        **{fault.id: Result(fault, SEEN, is_run=True) for fault in asked},
    }
