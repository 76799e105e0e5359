"""A hypothesis says what an implementation would answer if one thing were otherwise; here it is put to the test.

It stands where its prediction is exactly the answer of the implementation in the witness and on another question, where
no probe has the implementation right and the prediction wrong, or both wrong in different ways, and where of the near
probes the greater part shows what it predicts. So neither a change that happens to do the same on one text is a
reason, nor one that breaks everything. Of all that stand, one is chosen (``rivals.py``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass
from difflib import SequenceMatcher
from functools import partial
from operator import add
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import After, Chunks, Decode, Encode, Encoded, Field, Pieces, Text, plain_of
from tokenizer_conformance.causes.cause import Reason
from tokenizer_conformance.causes.classes.experiment import VALUES, Offsets, ground_of, length_of_answer
from tokenizer_conformance.comparison.questions import texts_of, with_texts
from tokenizer_conformance.escape import quoted

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.classes.experiment import Ground, Key
    from tokenizer_conformance.causes.witness import Witness

Prediction = Callable[["Observation"], "Outcome | None"]
"""What the implementation would answer to a question; ``None`` where the hypothesis says nothing of it."""


def _nowhere(_ground: Ground) -> Hypothesis | None:
    return None


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What is supposed: the class ``name``, which thing of it (``parameter``), and what it predicts.

    ``how`` says in a sentence without its end how the predicted answer was got, ``offsets`` what its offsets count.
    ``shows_elsewhere``: what is supposed would be seen on a probe that has nothing of the witness, too. ``on`` gives
    the same about another tokenizer, ``None`` where it cannot be said of that. ``asks_otherwise``: it says
    something of other kinds of questions, too. ``texts`` are further ones that it is asked about.
    """

    name: str
    parameter: str
    how: str
    predict: Prediction
    offsets: Offsets = Offsets.OF_BASELINE
    shows_elsewhere: bool = False
    on: Callable[[Ground], Hypothesis | None] = _nowhere
    asks_otherwise: bool = False
    texts: tuple[str, ...] = ()

    @property
    def key(self) -> Key:
        """What the hypothesis goes by on any tokenizer."""
        return self.name, self.parameter


@dataclass(frozen=True, slots=True)
class SupposedChange:
    """A hypothesis that is about any tokenizer; ``predict`` is told on which one."""

    name: str
    parameter: str
    how: str
    predict: Callable[[Ground, Observation], Outcome | None]
    offsets: Offsets = Offsets.OF_BASELINE
    shows_elsewhere: bool = False
    asks_otherwise: bool = False
    texts: tuple[str, ...] = ()

    def on(self, ground: Ground) -> Hypothesis:
        """Return the hypothesis about the tokenizer of ``ground``."""
        predict = partial(self.predict, ground)
        return Hypothesis(
            self.name,
            self.parameter,
            self.how,
            predict,
            self.offsets,
            self.shows_elsewhere,
            self.on,
            self.asks_otherwise,
            self.texts,
        )


@dataclass(frozen=True, slots=True)
class Candidate:
    """A reason that an experiment bears out.

    ``doubt`` counts the control questions that it does not account for. ``hypothesis`` says what it predicts for other
    questions and tokenizers; ``None`` where nothing else can be the reason.
    """

    reason: Reason
    doubt: int = 0
    hypothesis: Hypothesis | None = None


Supposing = Callable[["Ground", "Witness"], "Iterable[Hypothesis]"]
"""Gives the hypotheses of one kind about a witness, on one tokenizer."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The result of probes.

    So many show what was predicted, are right where it is wrong, and are wrong in another way. Some have a difference
    that was not predicted: so many are near ones (``missed``), and so many there are (``unpredicted``). ``agreed``
    counts those on which all agree, ``elsewhere`` those for it that are not near.
    """

    for_it: int = 0
    against_it: int = 0
    neither: int = 0
    missed: int = 0
    unpredicted: int = 0
    agreed: int = 0
    elsewhere: int = 0

    def __add__(self, other: Evidence) -> Evidence:
        return Evidence(*map(add, astuple(self), astuple(other)))

    @property
    def doubt(self) -> int:
        """How many probes the hypothesis does not account for."""
        return self.against_it + self.neither + self.unpredicted

    @property
    def is_enough(self) -> bool:
        """Whether the hypothesis stands: another question shows it too, and none speaks against it."""
        return not self.against_it and not self.neither and self.for_it >= max(1, self.missed)


def standing(
    bench: Bench, witness: Witness, supposing: Supposing, *, leaves_nothing: bool = False
) -> Iterator[Candidate]:
    """Yield the hypotheses that stand.

    A witness with a document of its own is also tried with the user's whole file: there may be little in a file that
    was made small that could speak against a hypothesis. With ``leaves_nothing``, a hypothesis must account for all
    near probes.
    """
    ground = ground_of(bench, witness)
    if (
        ground is None
        or isinstance(witness.question, After)
        or not isinstance(witness.actual, VALUES)
        or not isinstance(witness.expected, VALUES)
    ):
        return
    for hypothesis in supposing(ground, witness):
        evidence = _evidence(bench, witness, supposing, hypothesis, ground)
        if evidence is None or not evidence.is_enough or (leaves_nothing and evidence.missed):
            continue
        if hypothesis.shows_elsewhere and not evidence.elsewhere:
            continue
        ground.proven[hypothesis.key] = None
        yield _candidate(hypothesis, evidence, ground, witness)


def _candidate(hypothesis: Hypothesis, evidence: Evidence, ground: Ground, witness: Witness) -> Candidate:
    apart = ground.apart(witness)
    reason = Reason(
        hypothesis.name,
        hypothesis.parameter,
        tuple(_proof(hypothesis, witness, evidence, apart)),
        partial(_explains_too, hypothesis, ground, apart),
    )
    return Candidate(reason, evidence.doubt, hypothesis)


def _explains_too(hypothesis: Hypothesis, ground: Ground, apart: frozenset[Field], question: Observation) -> bool:
    """Return whether the implementation answers another question as predicted, and not as the baseline.

    Nothing is predicted of a tokenizer after changes: the changed file is gone by then.
    """
    predicted = None if isinstance(question, After) else hypothesis.predict(question)
    if predicted is None or ground.agrees(question, apart):
        return False
    return ground.is_same(question, predicted, ground.actual(question), hypothesis.offsets, apart)


def _evidence(
    bench: Bench, witness: Witness, supposing: Supposing, hypothesis: Hypothesis, ground: Ground
) -> Evidence | None:
    """Return what the probes say of ``hypothesis``; ``None`` where it does not explain ``witness``."""
    if not _explains(hypothesis, ground, witness):
        return None
    evidence = evidence_for(hypothesis, ground, witness)
    if witness.document is None or not evidence.is_enough:
        return evidence
    more = _on_whole_file(bench, witness, supposing, hypothesis.key)
    return None if more is None or not more.is_enough else evidence + more


def _explains(hypothesis: Hypothesis, ground: Ground, witness: Witness) -> bool:
    """Return whether the prediction is the implementation's answer, and not only where nothing is predicted."""
    predicted = hypothesis.predict(witness.question)
    field = witness.difference.field
    if predicted is None or (isinstance(predicted, Encoded) and field and getattr(predicted, field) is None):
        return False
    return ground.is_same(witness.question, predicted, witness.actual, hypothesis.offsets, ground.apart(witness))


def evidence_for(hypothesis: Hypothesis, ground: Ground, witness: Witness) -> Evidence:
    """Put the probes of ``witness`` to everybody, and count what they say of ``hypothesis``.

    The first that speaks against it ends this.
    """
    probes = ground.probes_like(witness.question)
    further = ground.probes_of_other_kinds(witness.question) if hypothesis.asks_otherwise else ()
    own = [with_texts(witness.question, partial(_instead, text)) for text in hypothesis.texts]
    evidence = Evidence()
    for group, is_near in ((probes.near, True), ((*probes.others, *own, *further), False)):
        for probe in group:
            evidence += _said_by(probe, hypothesis, ground, witness, is_near=is_near)
            if evidence.against_it or evidence.neither:
                return evidence
    return evidence


def _instead(text: str, _asked: str) -> str:
    return text


AGAINST_IT, AGREED, NOTHING = Evidence(against_it=1), Evidence(agreed=1), Evidence()
UNPREDICTED = Evidence(unpredicted=1)


def _said_by(
    probe: Observation, hypothesis: Hypothesis, ground: Ground, witness: Witness, *, is_near: bool
) -> Evidence:
    """Return what one probe says."""
    predicted, actual, without = hypothesis.predict(probe), ground.actual(probe), ground.apart(witness)
    if predicted is None and isinstance(actual, VALUES) and not ground.agrees(probe, without):
        return UNPREDICTED
    if predicted is None or not isinstance(actual, VALUES) or not isinstance(predicted, VALUES):
        return NOTHING
    if _has_other_ids(probe, ground, witness):
        return NOTHING
    is_as_predicted = ground.is_same(probe, predicted, actual, hypothesis.offsets, without)
    if ground.agrees(probe, without):
        return AGREED if is_as_predicted else AGAINST_IT
    if is_as_predicted:
        return Evidence(for_it=1, elsewhere=int(not is_near))
    expected, field = ground.expected(probe), witness.difference.field
    # Ids and decoded texts come of many components; of what a normalizer or a pre-tokenizer gives, all is predicted.
    # So is what a limit leaves: another limit is always nearer.
    has_parts = isinstance(actual, Encoded) or isinstance(plain_of(probe), Decode)
    has_parts = has_parts and hypothesis.name != "length-limit"
    is_worse = predicted != expected and not (has_parts and _is_nearer(field, predicted, expected, actual))
    if is_worse and _has_other_pieces(probe, ground):  # that has a cause of its own
        return NOTHING
    return Evidence(neither=int(is_worse), missed=int(is_near), unpredicted=1)


def _has_other_ids(probe: Observation, ground: Ground, witness: Witness) -> bool:
    """Say whether ``probe`` shows other ids, where ``witness`` is about another field: that has a cause of its own."""
    expected, actual, field = ground.expected(probe), ground.actual(probe), witness.difference.field
    if field is None or field is Field.IDS or not isinstance(expected, Encoded) or not isinstance(actual, Encoded):
        return False
    return expected.ids != actual.ids


def _has_other_pieces(probe: Observation, ground: Ground) -> bool:
    """Say whether a text of ``probe`` is normalized or cut otherwise before the model sees it."""
    return any(ground.trial.is_consequence(Encode(text, add_special_tokens=False)) for text in texts_of(probe))


def _is_nearer(field: Field | None, predicted: Outcome, expected: Outcome, actual: Outcome) -> bool:
    """Say whether more of ``field`` is as in ``actual`` where it is as ``predicted``, and no more is otherwise."""
    before, after, given = (
        getattr(each, field, None) if field is not None else None for each in (expected, predicted, actual)
    )
    if before is None or after is None or given is None:
        return False
    found, found_before = _in_common(after, given), _in_common(before, given)
    return found > found_before and len(after) - found <= len(before) - found_before


def _in_common(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """Return how many entries of one have a counterpart in the other, in their order."""
    return sum(block.size for block in SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks())


def _on_whole_file(bench: Bench, witness: Witness, supposing: Supposing, key: Key) -> Evidence | None:
    """Return what the user's file says of the hypothesis called ``key``; ``None`` where it cannot be put there."""
    ground = ground_of(bench, witness, whole=True)
    if ground is None:
        return None
    same = next((each for each in supposing(ground, witness) if each.key == key), None)
    return None if same is None else evidence_for(same, ground, witness)


# Proofs --------------------------------------------------------------------------------------------------------------


def _proof(hypothesis: Hypothesis, witness: Witness, evidence: Evidence, apart: frozenset[Field]) -> list[str]:
    expected, actual = shown(witness.expected, witness), shown(witness.actual, witness)
    sentences = [
        f"The baseline answers {expected}, the implementation {actual}.",
        f"{hypothesis.how}, the answer is exactly that of the implementation.",
    ]
    if evidence.for_it:
        sentences.append(f"{_questions(evidence.for_it)} the same, and none speaks against it.")
    if apart:
        fields = ", ".join(sorted(apart))
        sentences.append(f"Left out, since they differ on many texts for a reason of their own: {fields}.")
    return sentences


MOST_SHOWN = 12
"""How many tokens or pieces of an answer are shown."""

MOST_CHARACTERS = 60


def _questions(count: int) -> str:
    return "One other question shows" if count == 1 else f"{count} other questions show"


def shown(outcome: Outcome, witness: Witness) -> str:
    """Return the part of ``outcome`` that differs in ``witness``, made safe, in few words."""
    match outcome:
        case Text(text):
            return _cut(text)
        case Pieces(pieces):
            return _listed([quoted(piece) for piece, _ in pieces], length_of_answer(outcome))
        case Chunks(chunks):
            return _listed(["nothing" if chunk is None else quoted(chunk) for chunk in chunks], len(chunks))
        case Encoded():
            field = witness.difference.field
            values = getattr(outcome, field, None) if field is not None else None
            values = outcome.ids if values is None or field == "overflowing" else values
            words = [quoted(each) if isinstance(each, str) else str(each) for each in values]
            return f"{field or 'ids'} {_listed(words, len(words))}"
    return f"as {type(outcome).__name__}"


def _listed(words: list[str], count: int) -> str:
    more = ", …" if count > MOST_SHOWN else ""
    return f"[{', '.join(words[:MOST_SHOWN])}{more}]"


def _cut(text: str) -> str:
    return quoted(text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…")
