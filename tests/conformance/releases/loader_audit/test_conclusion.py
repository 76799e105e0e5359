"""What an audit of loaders comes to where one of them is not there, or refuses a tokenizer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.releases.loader_audit.engine import audit
from tokenizer_conformance.releases.loader_audit.plan import LoaderAuditPlan

if TYPE_CHECKING:
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

ABSENT = Rejected("implementation", "absent", "it is not there")


class HasNoWay(fakes.Toy):
    """Says of every tokenizer that it has no way to load it."""

    name = "has-no-way"

    def load(self, source: Any) -> Any:
        raise CannotLoadError(f"it has no way to load {source.name}", unsupported=True)


class Refuses(fakes.Toy):
    name = "refuses"

    def load(self, source: Any) -> Any:
        raise CannotLoadError(f"{source.name} is wrong")


@pytest.mark.parametrize(
    ("loaders", "changes", "conclusion"),
    [
        ((), {}, Conclusion.NOTHING_COMPARED),
        ((HasNoWay(),), {}, Conclusion.NOTHING_COMPARED),
        ((HasNoWay(),), {"unavailable": (ABSENT,)}, Conclusion.IMPLEMENTATION_FAILED),
        ((), {"refusals": (ABSENT,), "unavailable": (ABSENT,)}, Conclusion.BAD_INPUT),
        ((Refuses(),), {}, Conclusion.IMPLEMENTATION_FAILED),
        ((Refuses(), HasNoWay()), {}, Conclusion.IMPLEMENTATION_FAILED),
        ((HasNoWay(), Refuses()), {}, Conclusion.IMPLEMENTATION_FAILED),
        ((HasNoWay(),), {"baseline": Refuses()}, Conclusion.IMPLEMENTATION_FAILED),
    ],
)
def test_one_of_several_decides(
    toy_file: TokenizerFile, loaders: tuple[fakes.Toy, ...], changes: dict[str, Any], conclusion: Conclusion
) -> None:
    plan = LoaderAuditPlan(tokenizers=(toy_file,), baseline=fakes.Toy(), loaders=loaders, inputs=())
    *_, end = audit(replace(plan, **changes))
    assert end.conclusion is conclusion
