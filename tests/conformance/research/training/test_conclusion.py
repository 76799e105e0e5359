"""What training with several algorithms and trainers comes to: one of them decides."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.research.training.engine import _Training
from tokenizer_conformance.results.records import training as lines

ERROR = lines.NoAnswer(verdict="error", detail="no")
UNSUPPORTED = lines.NoAnswer(verdict="unsupported", detail="it has no way to")


def run(no_answer: lines.NoAnswer | None = None) -> lines.Run:
    return lines.Run(algorithm="bpe", trainer="a", run=1, learned=None, no_answer=no_answer)


GOOD = run()


def comparison(second: str, agreement: str) -> lines.Comparison:
    """Return what is told of two trainers; of it only these two say what a training comes to."""
    given: dict[str, Any] = dict.fromkeys(lines.Comparison.__struct_fields__)
    return lines.Comparison(**given | {"second": second, "agreement": agreement})


@pytest.mark.parametrize(
    ("runs", "found", "given", "conclusion"),
    [
        ([GOOD, GOOD], ["agree", "agree"], {}, Conclusion.CONFORM),
        ([GOOD, GOOD], ["tie", "agree"], {}, Conclusion.CONFORM),
        ([GOOD, GOOD], [], {}, Conclusion.NOTHING_COMPARED),
        ([GOOD, run(UNSUPPORTED)], [], {}, Conclusion.NOTHING_COMPARED),
        ([GOOD, run(UNSUPPORTED)], ["agree"], {}, Conclusion.CONFORM),
        ([run(ERROR), GOOD], ["agree"], {}, Conclusion.IMPLEMENTATION_FAILED),
        ([GOOD, run(ERROR)], ["agree"], {}, Conclusion.IMPLEMENTATION_FAILED),
        ([GOOD], ["differ", "agree"], {}, Conclusion.DIFFERENCES),
        ([GOOD], ["agree", "differ"], {}, Conclusion.DIFFERENCES),
        ([GOOD], [], {"words_differ": True}, Conclusion.DIFFERENCES),
        ([GOOD], ["agree"], {"unavailable": ("a",)}, Conclusion.IMPLEMENTATION_FAILED),
        ([GOOD], ["agree", "agree"], {"required": frozenset("ab")}, Conclusion.CONFORM),
        ([GOOD], ["agree"], {"required": frozenset("ab")}, Conclusion.TOO_LITTLE),
        ([GOOD], ["agree", "differ"], {"required": frozenset("abc")}, Conclusion.TOO_LITTLE),
        ([GOOD], [], {"required": frozenset("abc")}, Conclusion.NOTHING_COMPARED),
    ],
)
def test_one_of_several_decides(
    runs: list[lines.Run], found: list[str], given: dict[str, Any], conclusion: Conclusion
) -> None:
    plan = SimpleNamespace(unavailable=given.get("unavailable", ()), required=given.get("required", frozenset()))
    training = _Training(plan)  # type: ignore[arg-type]
    for each in runs:
        training._note(each)
    for second, agreement in zip("ba", found, strict=False):
        training._note(comparison(second, agreement))
    training._words_differ = given.get("words_differ", False)
    assert training._conclusion() is conclusion
    end = training._finished(None)
    assert (end.conclusion, end.finished) == (conclusion, True)
    counts = (end.line.runs, end.line.comparisons, end.line.ties, end.line.differences)
    assert counts == (len(runs), len(found), found.count("tie"), found.count("differ"))
    stopped = training._finished(Conclusion.INTERRUPTED)
    assert (stopped.conclusion, stopped.finished) == (Conclusion.INTERRUPTED, False)
