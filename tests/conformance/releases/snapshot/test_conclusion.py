"""What the making of a snapshot comes to: one of several tokenizers decides."""

from __future__ import annotations

import pytest

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.releases.snapshot.engine import conclusion_of
from tokenizer_conformance.releases.snapshot.events import TokenizerAsked


def asked(questions: int = 9, refused: str | None = None, **without_value: int) -> TokenizerAsked:
    return TokenizerAsked("t", refused, 1, questions, without_value, seconds=None)


REFUSED = asked(0, "no")


@pytest.mark.parametrize(
    ("done", "conclusion", "of_a_part"),
    [
        ([asked(), asked()], Conclusion.CONFORM, Conclusion.CONFORM),
        ([asked(), REFUSED], Conclusion.CONFORM, Conclusion.CONFORM),
        ([REFUSED, asked()], Conclusion.CONFORM, Conclusion.CONFORM),
        ([REFUSED, REFUSED], Conclusion.IMPLEMENTATION_FAILED, Conclusion.IMPLEMENTATION_FAILED),
        ([asked(9, None, unsupported=9)], Conclusion.NOTHING_COMPARED, Conclusion.CONFORM),
        ([asked(9, None, unsupported=5, error=4)], Conclusion.NOTHING_COMPARED, Conclusion.CONFORM),
        ([asked(9, None, unsupported=5, error=3)], Conclusion.CONFORM, Conclusion.CONFORM),
        ([asked(9, None, unsupported=9), asked()], Conclusion.CONFORM, Conclusion.CONFORM),
        *(
            (done, Conclusion.IMPLEMENTATION_FAILED, Conclusion.IMPLEMENTATION_FAILED)
            for kind in ("crash", "timeout", "protocol")
            for done in ([asked(), asked(**{kind: 1})], [asked(**{kind: 1}), asked()])
        ),
    ],
)
def test_one_of_several_decides(done: list[TokenizerAsked], conclusion: Conclusion, of_a_part: Conclusion) -> None:
    assert conclusion_of(done) is conclusion
    assert conclusion_of(done, is_part=True) is of_a_part
