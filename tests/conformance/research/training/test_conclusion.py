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
    training._found, training._compared = found, {"a", "b"}
    training._words_differ = given.get("words_differ", False)
    assert training._conclusion() is conclusion
