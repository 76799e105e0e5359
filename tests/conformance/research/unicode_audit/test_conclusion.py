"""What an audit of several implementations comes to where one of them shows nothing, whichever it is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.research.unicode_audit import engine
from tokenizer_conformance.research.unicode_audit.engine import UnicodeAuditPlan, audit

if TYPE_CHECKING:
    from collections.abc import Iterator


class Named(fakes.Toy):
    """A toy of any name."""

    def __init__(self, name: str) -> None:
        self.name = name  # type: ignore[misc]  # that of the class is for others

    @property
    def info(self) -> Any:
        return replace(super().info, name=self.name)


@pytest.mark.parametrize(
    ("names", "conclusion"),
    [
        (("good", "good"), Conclusion.CONFORM),
        (("mute", "good"), Conclusion.NOTHING_COMPARED),
        (("good", "mute"), Conclusion.NOTHING_COMPARED),
        (("good", "mute", "good"), Conclusion.NOTHING_COMPARED),
        (("mute",), Conclusion.NOTHING_COMPARED),
        (("wrong", "good"), Conclusion.DIFFERENCES),
        (("good", "wrong"), Conclusion.DIFFERENCES),
    ],
)
def test_one_of_several_decides(
    names: tuple[str, ...], conclusion: Conclusion, monkeypatch: pytest.MonkeyPatch
) -> None:
    def of_implementation(self: Any, implementation: Named, seen: dict[str, Any]) -> Iterator[object]:
        if implementation.name != "mute":
            seen["Digits"] = implementation.name
        self._explained += implementation.name == "good"
        self._unexplained += implementation.name == "wrong"
        return iter(())

    monkeypatch.setattr(engine._Audit, "_of_implementation", of_implementation)
    monkeypatch.setattr(engine._Audit, "_differences", lambda *_: iter(()))
    monkeypatch.setattr(engine, "disagreements", lambda *_: ())
    *_, end = audit(UnicodeAuditPlan(tuple(map(Named, names))))
    assert end.line.conclusion is conclusion  # type: ignore[union-attr]  # the last line
