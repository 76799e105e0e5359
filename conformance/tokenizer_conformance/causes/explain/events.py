"""What happens while a text is explained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import Finished, ImplementationMissing

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Encode, ImplementationInfo, Observation, Outcome, TokenizerSource
    from tokenizer_adapters.tracing import Piece, Trace
    from tokenizer_conformance.causes.explain.plan import Limits
    from tokenizer_conformance.causes.witness import Witness
    from tokenizer_conformance.command_io.environment import Environment
    from tokenizer_conformance.comparison.differences import Comparison


@dataclass(frozen=True, slots=True)
class ExplanationStarted:
    """The beginning: who shows the way, and who is compared with it."""

    environment: Environment
    tracer: ImplementationInfo
    others: tuple[ImplementationInfo, ...]
    source: TokenizerSource
    question: Encode
    limits: Limits


@dataclass(frozen=True, slots=True)
class TextTraced:
    """The way of the text. ``focus`` is the place of the first difference, in code points of the text; 0 without any.

    ``in_pair``: that place is in the second text.
    """

    trace: Trace
    focus: int = 0
    in_pair: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, the answer of an implementation, and the result beside the baseline's."""

    question: Observation
    outcome: Outcome
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class MergeParting:
    """The first merge rule at which two implementations part.

    With the merges of all lower ranks alone both agree on the text, and with this one they do not. ``expected`` and
    ``actual`` are the tokens that they give then. ``rank`` is ``None`` where they differ without any merge.
    """

    rank: int | None
    pair: tuple[str, str]
    expected: tuple[str, ...]
    actual: tuple[str, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Blame:
    """The first difference that no earlier stage explains, and the place in tokenizer.json to blame for it.

    ``place`` is ``None`` where experiments with changed files told none; ``how`` says by which experiment, or why there
    was none. ``merge`` is found for models that merge. ``word`` is the piece before the model in which it is seen.
    """

    witness: Witness
    place: str | None
    how: str
    merge: MergeParting | None = None
    word: Piece | None = None


@dataclass(frozen=True, slots=True)
class ImplementationAnswered:
    """All answers of an implementation, and the blame, ``None`` where there is no difference that is confirmed.

    ``refusal`` says why it could not load the tokenizer, where it could not.
    """

    info: ImplementationInfo
    asked: tuple[Asked, ...]
    blame: Blame | None
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class ExplanationFinished(Finished):
    """The end. ``finished`` is false where it was interrupted; ``differing`` names who differs."""

    differing: tuple[str, ...]
    reason: str = ""


ExplanationEvent = (
    ExplanationStarted | ImplementationMissing | TextTraced | ImplementationAnswered | ExplanationFinished
)
