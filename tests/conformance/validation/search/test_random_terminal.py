"""What fuzzing prints fits the terminal; what is to be copied from it stays what it is."""

from __future__ import annotations

import io
import json
import re
import shlex
from collections import Counter

import fake_implementations as fakes
import pytest
from rich.cells import cell_len
from rich.console import Console

from tokenizer_adapters.contract import PIPELINE_STAGES, Decode, Encode, Failed, Normalize, Text
from tokenizer_conformance import OutcomeInUnit, compare
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.comparison.differences import Party
from tokenizer_conformance.comparison.no_value import NoValue
from tokenizer_conformance.comparison.reduction import Case
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.results.records import fuzz as lines
from tokenizer_conformance.results.terminal import PageTerminal
from tokenizer_conformance.validation.search.events import FuzzFinished, SearchEvent, Started
from tokenizer_conformance.validation.search.plan import FuzzPlan
from tokenizer_conformance.validation.search.random_page import FUZZING
from tokenizer_conformance.validation.search.random_results import (
    AnswerDifference,
    Found,
    FuzzDifference,
    FuzzResult,
    LoadDifference,
    VocabularyDifference,
    signature_of,
)
from tokenizer_conformance.validation.search.record import lines_of

NAMES = ("toy", "漢字e\u0301 \x1b[31m<b> `x`\u202e")
DOCUMENT = {"model": {"type": "BPE", "vocab": {f"token \u202e{n}": n for n in range(30)}, "merges": [["a b", "c"]] * 9}}


def found() -> list[Found]:
    encode, decode = Encode("漢字 " * 40, "b" * 80), Decode((1, 2), skip_special_tokens=False)
    texts = [OutcomeInUnit(Text(text)) for text in ("x" * 90, "x" * 60 + "\u202e" * 30)]
    answers = [OutcomeInUnit(fakes.ToySubject().encode(text, None, True)) for text in ("abc d", "abc e f")]
    raised = [OutcomeInUnit(Failed("ValueError", "a long message, " * 20)), answers[0]]
    compared = [
        (Normalize("é" * 100), texts),
        (decode, texts),
        (encode, answers),
        (encode, raised),
    ]
    differences = [AnswerDifference(question, compare(question, *sides).differences[0]) for question, sides in compared]
    return [
        *differences,
        LoadDifference(Party.IMPLEMENTATION, "a reason of many words, " * 20),
        VocabularyDifference("\u202e" * 50, 1, None),
    ]


@pytest.fixture(scope="module")
def events() -> list[SearchEvent]:
    infos = [type("Named", (fakes.Toy,), {"name": name})().info for name in NAMES]
    plan = FuzzPlan(baseline_info=infos[0], implementations=(infos[1],), seed=1, tokenizers=1000)
    everything = {(stage, verdict): 123_456 for stage in PIPELINE_STAGES for verdict in Verdict}
    no_value = Counter(
        {NoValue(stage, f"raises {stage} {'x' * 90}", "gives no answer in time"): 3 for stage in PIPELINE_STAGES}
    )
    result = FuzzResult(
        tokenizers=12,
        cases=100,
        values=1000,
        ambiguous=2,
        given_up=3,
        unstable=1,
        answers=Counter(everything),
        no_value=no_value,
    )
    return [
        Started(current_environment(), plan),
        ImplementationMissing(Rejected("implementation", "gone", "gone is not installed; install it: " + "word " * 30)),
        result.line(NAMES[1], 1.0, 0, complete=False),
        *(
            lines.Finding(
                implementation=NAMES[1],
                signature=tuple(map(str, signature_of(each))),
                tokenizers=12,
                first=7,
                is_reduced=False,
                smallest=lines.Case(**FuzzDifference(7, Case(DOCUMENT, getattr(each, "question", None)), each).told),
                repeat=plan.repeating(7),
            )
            for each in found()
        ),
        FuzzFinished(
            finished=False,
            conclusion=Conclusion.INTERRUPTED,
            tokenizers=12,
            cases=100,
            values=1000,
            differences=6,
            seconds=1.0,
        ),
    ]


def on_terminal(events: list[SearchEvent], width: int) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, highlight=False)
    report = PageTerminal(FUZZING, lines_of, console, console)
    for event in events:
        report.handle(event)
    return out.getvalue()


@pytest.mark.parametrize("width", [*range(40, 80, 5), 80, 100, 120, 160, 200])
def test_no_line_is_wider_than_the_terminal(events: list[SearchEvent], width: int) -> None:
    out = on_terminal(events, width)
    whole = {line for line in out.splitlines() if line.lstrip().startswith("'漢字")}
    assert [line for line in out.splitlines() if cell_len(line) > width and line not in whole] == []
    assert all(cell_len(line.strip()) > width - 10 for line in whole if cell_len(line) > width), "a word to be copied"
    assert out.count("repeat:") == len(found())


@pytest.mark.parametrize("width", [40, 80, 200])
def test_the_tokenizer_and_the_command_can_be_copied(events: list[SearchEvent], width: int) -> None:
    out = on_terminal(events, width)
    documents = re.findall(r"^     tokenizer\.json  (.*?)^     (?! )", out, re.MULTILINE | re.DOTALL)
    assert [json.loads(document) for document in documents] == [DOCUMENT] * len(found())
    (command, *others) = re.findall(r"^     repeat: (.*?)\n(?!       )", out, re.MULTILINE | re.DOTALL)
    assert set(others) == {command}
    repeated = shlex.split(command.replace("\\\n", ""))
    assert repeated[:4] == ["tokconf", "fuzz", "--seed", "1"]
    assert repeated[repeated.index("--start") + 1] == "7"


def test_what_both_sides_refuse_and_all_counts_are_told(events: list[SearchEvent]) -> None:
    out = on_terminal(events, 200)
    assert re.search(r"^implementation +stage +crash +timeout .* unsupported$", out, re.MULTILINE)
    assert "gives no answer in time" in out
