"""A cause: why an implementation differs, on however many inputs, tokenizers and stages it shows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.causes.witness import Manner, Witness
    from tokenizer_conformance.comparison.findings import Signature

UNEXPLAINED = "unexplained"
"""The class of what no class explains."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why two answers differ: a ``name`` of a class, and what of it.

    ``parameter`` says which thing of that class it is (``Unicode 15.1``, ``add_prefix_space``): differences with one
    name and one parameter have one cause. ``proof`` tells the experiments that prove it, a sentence each; it is empty
    where the reason is :data:`UNEXPLAINED`; ``parameter`` then names the reasons that nothing told apart.
    ``explains`` makes the experiment with another question about the same tokenizer: it tells whether the
    implementation's answer is what the reason predicts, and not the baseline's; ``is_refuted`` tells whether the reason
    predicts another one, and ``concerns`` whether it predicts any other answer than the baseline's.
    """

    name: str
    parameter: str = ""
    proof: tuple[str, ...] = ()
    explains: Callable[[Observation], bool] | None = field(default=None, compare=False, repr=False)
    is_refuted: Callable[[Observation], bool] | None = field(default=None, compare=False, repr=False)
    concerns: Callable[[Observation], bool] | None = field(default=None, compare=False, repr=False)

    @property
    def is_proven(self) -> bool:
        """Whether the difference is in a class that explains it."""
        return self.name != UNEXPLAINED


NO_REASON = Reason(UNEXPLAINED)


@dataclass(frozen=True, slots=True)
class CauseSignature:
    """What the differences of one cause have in common where nothing explains them.

    ``component`` is the type in tokenizer.json that is to blame, with its place (``normalizer: Lowercase``);
    ``characters`` the class of characters that show it, in words; ``context`` the kind of question, or the tokens.
    """

    manner: Manner
    component: str
    characters: str
    context: str


@dataclass(frozen=True, slots=True)
class ExplainedBy:
    """A known change between releases that explains a difference: its ``id``, the release ``since``, its ``title``.

    ``undone`` says since when it is no longer so, where the difference is that the change was taken back; else empty.
    """

    id: str
    since: str
    title: str
    undone: str = ""

    @property
    def when(self) -> str:
        """Since when it is so, or no longer."""
        return self.undone or f"since {self.since}"


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause: the smallest ``witness`` of it, its ``reason``, and what it was seen on.

    ``differences`` counts questions that differ for it, ``inputs`` the inputs; ``tokenizers`` counts the inputs of each
    tokenizer. ``examples`` are the ids of the first inputs. Between two releases ``explained_by`` are the known changes
    that explain it, none of them where it is new; ``None`` where nobody looked for any. ``findings`` counts its
    differences by the finding of a run that they belong to.

    ``own`` is the same difference on the user's own tokenizer, where ``witness`` is about a smaller one. ``repeat`` is
    the command that shows it, empty where there is none. ``earlier`` are the questions that have to be asked before
    that of ``witness``, in their order, where it does not show alone. ``every_input`` are the ids of all inputs that
    show it, or ``every_question`` that does, where these are known: no record has them.
    """

    implementation: str
    signature: CauseSignature
    witness: Witness
    reason: Reason
    differences: int
    inputs: int
    tokenizers: Mapping[str, int] = field(default_factory=dict)
    examples: tuple[str, ...] = ()
    explained_by: tuple[ExplainedBy, ...] | None = None
    findings: Mapping[Signature, int] = field(default_factory=dict)
    own: Witness | None = None
    repeat: str = ""
    earlier: tuple[Observation, ...] = ()
    every_input: tuple[str, ...] = field(default=(), compare=False)
    every_question: frozenset[Observation] = field(default=frozenset(), compare=False)

    @property
    def shown(self) -> Witness:
        """The witness as people see it: with the ids of their own tokenizer, where these are known."""
        return self.own or self.witness
