"""What a comparison of releases comes to: one of several steps decides."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.releases.versions.engine import INTERRUPTED, _Comparison

STEADY, UNSTABLE = (SimpleNamespace(is_unstable=each) for each in (False, True))
GOOD = {
    "_broken": False,
    "_refused": False,
    "_missing": False,
    "_changed": False,
    "_stale": (),
    "_at_hand": ("1", "2"),
    "_matrices": ("t",),
    "_steps": (STEADY, STEADY),
}


@pytest.mark.parametrize(
    ("given", "reason", "conclusion"),
    [
        ({}, None, Conclusion.CONFORM),
        ({"_steps": (STEADY, UNSTABLE)}, None, Conclusion.IMPLEMENTATION_FAILED),
        ({"_steps": (UNSTABLE, STEADY)}, None, Conclusion.IMPLEMENTATION_FAILED),
        ({"_missing": True}, None, Conclusion.IMPLEMENTATION_FAILED),
        ({"_at_hand": ("1",)}, None, Conclusion.NOTHING_COMPARED),
        ({"_matrices": ()}, None, Conclusion.NOTHING_COMPARED),
        ({"_at_hand": ("1",), "_changed": True}, None, Conclusion.DIFFERENCES),
        ({"_changed": True, "_stale": ("a",)}, None, Conclusion.DIFFERENCES),
        ({"_stale": ("a",)}, None, Conclusion.STALE),
        ({"_refused": True, "_steps": (UNSTABLE,)}, None, Conclusion.BAD_INPUT),
        ({"_broken": True}, "TypeError: planted", Conclusion.INTERNAL_ERROR),
        ({"_broken": True}, INTERRUPTED, Conclusion.INTERRUPTED),
    ],
)
def test_one_of_several_decides(given: dict[str, Any], reason: str | None, conclusion: Conclusion) -> None:
    comparison: Any = SimpleNamespace(**(GOOD | given))
    assert _Comparison._conclusion(comparison, reason) is conclusion
