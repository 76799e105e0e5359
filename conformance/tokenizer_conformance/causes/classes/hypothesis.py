"""A hypothesis says what an implementation would answer if one thing were otherwise; here it is put to the test.

It stands where its prediction is exactly the answer of the implementation in the witness and on another question, where
no probe has the implementation right and the prediction wrong, or both wrong in different ways, and where of the near
probes the greater part shows what it predicts. So neither a change that happens to do the same on one text is a
reason, nor one that breaks everything. Of all that stand, one is chosen (``rivals.py``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass, replace
from difflib import SequenceMatcher
from functools import partial
from itertools import islice
from operator import add, eq
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    After,
    Chunks,
    Crashed,
    Decode,
    Encode,
    Encoded,
    Field,
    Normalize,
    Pieces,
    PreTokenize,
    Text,
    TimedOut,
    plain_of,
)
from tokenizer_conformance.causes.cause import Reason
from tokenizer_conformance.causes.classes.experiment import VALUES, Offsets, ground_of, length_of_answer
from tokenizer_conformance.causes.classes.small_documents import added_tokens
from tokenizer_conformance.comparison.questions import texts_in, texts_of, with_texts
from tokenizer_conformance.escape import quoted

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from tokenizer_adapters.contract import Observation, Outcome, PlainObservation
    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.classes.experiment import Ground, Key
    from tokenizer_conformance.causes.classes.probes import Drawn
    from tokenizer_conformance.causes.witness import Witness

Prediction = Callable[["Observation"], "Outcome | None"]
"""What the implementation would answer to a question; ``None`` where the hypothesis says nothing of it."""

Instead = Callable[["PlainObservation"], "Observation | None"]
"""What is asked in the place of a question; ``None``: nothing to say."""


def _nowhere(_ground: Ground) -> Hypothesis | None:
    return None


def _as_asked(question: PlainObservation) -> Observation | None:
    return question


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What is supposed: the class ``name``, which thing of it (``parameter``), and what it predicts.

    ``how`` says in a sentence without its end how the predicted answer was got, ``offsets`` what its offsets count.
    ``shows_elsewhere``: what is supposed would be seen on a probe that has nothing of the witness, too. ``on`` gives
    the same about another tokenizer, ``None`` where it cannot be said of that. ``asks_otherwise``: it says
    something of other kinds of questions, too. ``texts`` are further ones that it is asked about. ``includes`` are the
    keys of hypotheses that suppose a part of the same, and nothing else. ``instead`` gives the question that is
    supposed to be answered in the place of another, where that is all that is supposed.
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
    includes: frozenset[Key] = frozenset()
    instead: Instead = _as_asked

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
    includes: frozenset[Key] = frozenset()
    instead: Instead = _as_asked

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
            self.includes,
            self.instead,
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
    counts those on which all agree, ``elsewhere`` those for it that are not near, and ``drawn`` those for it that were
    drawn.
    """

    for_it: int = 0
    against_it: int = 0
    neither: int = 0
    missed: int = 0
    unpredicted: int = 0
    agreed: int = 0
    elsewhere: int = 0
    drawn: int = 0

    def __add__(self, other: Evidence) -> Evidence:
        return Evidence(*map(add, astuple(self), astuple(other)))

    @property
    def doubt(self) -> int:
        """How many probes the hypothesis does not account for."""
        return self.against_it + self.neither + self.unpredicted

    @property
    def is_of_most(self) -> bool:
        """Whether the hypothesis explains at least as many differences as it leaves open."""
        return self.for_it + self.drawn >= self.unpredicted

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
        partial(is_refuted_by, hypothesis, ground, witness),
        partial(concerns, hypothesis, ground, witness),
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


def concerns(hypothesis: Hypothesis, ground: Ground, witness: Witness, question: Observation) -> bool:
    """Return whether another answer than the baseline's is predicted for another question."""
    if isinstance(question, After):
        return True
    predicted, expected = hypothesis.predict(question), ground.expected(question)
    if predicted is not None and hypothesis.offsets is Offsets.AS_GIVEN:  # the same number may be another place
        return not ground.is_same(question, expected, predicted)
    return predicted is not None and _says_more(witness.difference.field, predicted, expected)


def is_refuted_by(hypothesis: Hypothesis, ground: Ground, witness: Witness, question: Observation) -> bool:
    """Return whether the implementation answers another question as the baseline does, or farther from it than that.

    A question that differs for several reasons is answered nearer to what each of them predicts.
    """
    if isinstance(question, After):
        return False
    said = _said_by(question, hypothesis, ground, witness, is_near=False, has_several=True)
    return bool(said.against_it or said.neither)


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
    own = list(_own(hypothesis, witness))
    evidence = Evidence()
    for group, is_near in ((probes.near, True), ((*probes.others, *own, *further), False)):
        for probe in group:
            evidence += _said_by(probe, hypothesis, ground, witness, is_near=is_near)
            if evidence.against_it or evidence.neither:
                return evidence
    differing = ground.trial.differing[:MOST_DIFFERING]
    if any(is_refuted_by(hypothesis, ground, witness, each) for each in differing):
        return Evidence(neither=1)
    if hypothesis.name in OF_ALL and any(
        _said_by(each, hypothesis, ground, witness, is_near=False).unpredicted for each in own
    ):
        return Evidence(neither=1)
    return evidence + _said_by_drawn(hypothesis, ground, witness)


MOST_SINGLY = 600
"""Of so much that was drawn, at most, each thing is asked about alone."""


def _said_by_drawn(hypothesis: Hypothesis, ground: Ground, witness: Witness) -> Evidence:
    """Return what speaks against ``hypothesis`` of what was drawn, or what it leaves open; nothing there proves it.

    Of much at once something may have a cause of its own: what counts is what is said of each thing alone. A text that
    is said to be normalized or cut otherwise must not be encoded as if it were not.
    """
    evidence, left = Evidence(), MOST_SINGLY
    for number, each in enumerate(_asked_ahead(ground.drawn_like(witness.question), ground)):
        together = _said_by(each.together, hypothesis, ground, witness, is_near=False)
        singly = each.singly if together.doubt and left > 0 else each.singly[number % len(each.singly) :][:1]
        left -= len(singly)
        for single in singly:
            said = _said_by(single, hypothesis, ground, witness, is_near=False)
            if said.against_it or said.neither:
                return said
        plain = plain_of(each.together)
        if isinstance(plain, Normalize | PreTokenize):
            encoded = _said_by(Encode(plain.text, add_special_tokens=False), hypothesis, ground, witness, is_near=False)
            if encoded.against_it:
                return encoded
        shown = 0 if each.is_like else together.for_it
        evidence += Evidence(unpredicted=together.unpredicted, drawn=shown)
    return evidence


MOST_DIFFERING = 32
"""To how many questions of a run that differed a hypothesis is held."""

DRAWN_AT_ONCE = 16
"""Of what was drawn, so much is asked of a program at once: each answer alone would be waited for."""

MOST_LOST = 2
"""A program that was lost more often over what was drawn is not asked more of it: it starts anew each time."""


def _asked_ahead(drawn: Iterable[Drawn], ground: Ground) -> Iterator[Drawn]:
    each, lost = iter(drawn), 0
    while lost <= MOST_LOST and (some := list(islice(each, DRAWN_AT_ONCE))):
        ground.ask_ahead(one.together for one in some)
        lost += sum(isinstance(ground.actual(one.together), Crashed | TimedOut) for one in some)
        yield from some


OF_ADDED_TOKENS = frozenset({"added-token-flags", "special-token-handling"})

OF_ALL = OF_ADDED_TOKENS | {"length-limit"}
"""Classes that say of all texts of a kind what comes of them: there is no difference in these that they leave open."""


def _own(hypothesis: Hypothesis, witness: Witness) -> Iterator[Observation]:
    """Give questions about the texts that a hypothesis has of its own; a limit holds for all kinds of questions."""
    for text in hypothesis.texts:
        yield with_texts(witness.question, partial(_instead, text))
    if hypothesis.name == "length-limit" and isinstance(plain_of(witness.question), Encode):
        for text in hypothesis.texts[:MOST_OTHERWISE]:
            yield from (Encode(text, add_special_tokens=each) for each in (False, True))
            yield from (Encode(text, "a"), Encode("a", text), Encode(text, text))

    if hypothesis.name in OF_ADDED_TOKENS and isinstance(plain_of(witness.question), Encode):
        yield from (Encode((text, "a"), add_special_tokens=False) for text in hypothesis.texts[:MOST_OTHERWISE])


MOST_OTHERWISE = 4


def _instead(text: str, _asked: str) -> str:
    return text


AGAINST_IT, AGREED, NOTHING = Evidence(against_it=1), Evidence(agreed=1), Evidence()
UNPREDICTED = Evidence(unpredicted=1)


def _said_by(
    probe: Observation,
    hypothesis: Hypothesis,
    ground: Ground,
    witness: Witness,
    *,
    is_near: bool,
    has_several: bool = False,
) -> Evidence:
    """Return what one probe says; it may differ for several reasons, which shows where an answer ``has_several``."""
    predicted, actual, without = hypothesis.predict(probe), ground.actual(probe), ground.apart(witness)
    if _has_other_ids(probe, ground, witness):
        return NOTHING
    if predicted is None and isinstance(actual, VALUES) and not ground.agrees(probe, without):
        return UNPREDICTED
    if predicted is None or not isinstance(actual, VALUES) or not isinstance(predicted, VALUES):
        return NOTHING
    is_as_predicted = ground.is_same(probe, predicted, actual, hypothesis.offsets, without)
    if ground.agrees(probe, without):
        return AGREED if is_as_predicted else AGAINST_IT
    if is_as_predicted:
        return Evidence(for_it=1, elsewhere=int(not is_near))
    expected, field = ground.expected(probe), witness.difference.field
    if hypothesis.offsets is Offsets.OF_BASELINE:
        actual = ground.in_code_points(probe, actual)
    # Ids and decoded texts come of many components; of what a normalizer or a pre-tokenizer gives, all is predicted.
    # So is what a limit leaves: another limit is always nearer.
    has_parts = has_several or isinstance(actual, Encoded) or isinstance(plain_of(probe), Decode)
    has_parts = has_parts and (has_several or hypothesis.name != "length-limit")
    is_worse = _says_more(field, predicted, expected) and not (
        has_parts and _is_nearer(field, predicted, expected, actual)
    )
    if is_worse and _has_another_cause(probe, hypothesis, ground, witness):
        return NOTHING
    return Evidence(neither=int(is_worse), missed=int(is_near), unpredicted=1)


def _has_other_ids(probe: Observation, ground: Ground, witness: Witness) -> bool:
    """Say whether ``probe`` shows other ids, where ``witness`` is about another field: that has a cause of its own.

    So have other tokens with the same ids, as unknown ones can be, where ``witness`` is about what is neither.
    """
    expected, actual, field = ground.expected(probe), ground.actual(probe), witness.difference.field
    if field is None or field is Field.IDS or not isinstance(expected, Encoded) or not isinstance(actual, Encoded):
        return False
    if expected.ids != actual.ids:
        return True
    has_names = expected.tokens is not None and actual.tokens is not None
    is_of_names = field is Field.TOKENS or Field.TOKENS in ground.apart(witness)
    return has_names and not is_of_names and expected.tokens != actual.tokens


def _has_another_cause(probe: Observation, hypothesis: Hypothesis, ground: Ground, witness: Witness) -> bool:
    """Say whether ``probe`` shows something else, too, so that no prediction is right about it."""
    return (
        _differs_before(probe, ground)
        or _has_part_of_another_cause(probe, hypothesis, ground, witness)
        or _is_answered_as_supposed(probe, hypothesis, ground, witness)
    )


def _is_answered_as_supposed(probe: Observation, hypothesis: Hypothesis, ground: Ground, witness: Witness) -> bool:
    """Say whether the implementation answers ``probe`` as the question in its place, if not as the baseline does."""
    other, field = hypothesis.instead(plain_of(probe)), witness.difference.field
    if other is None or other == plain_of(probe):
        return False
    own, given = _parts(ground.actual(probe), field), _parts(ground.actual(other), field)
    return own is not None and own == given


def _differs_before(probe: Observation, ground: Ground) -> bool:
    """Say whether a text of ``probe`` differs at an earlier stage, or before the model sees it."""
    asked = (probe, *(Encode(text, add_special_tokens=False) for text in texts_of(probe)))
    return any(map(ground.trial.is_consequence, asked))


NUL = "\0"
"""Where texts of ports end that are strings of C, whatever else they do."""

MOST_PARTS_ALONE = 16
"""So many ids or added tokens of a question are asked about alone."""


def _has_part_of_another_cause(probe: Observation, hypothesis: Hypothesis, ground: Ground, witness: Witness) -> bool:
    """Say whether a part of ``probe`` that ``witness`` has not differs alone, and not as predicted."""
    return any(
        not ground.agrees(each)
        and not ground.is_same(each, hypothesis.predict(each) or ground.expected(each), ground.actual(each))
        for each in islice(_parts_alone(plain_of(probe), plain_of(witness.question), ground), MOST_PARTS_ALONE)
    )


def _parts_alone(probe: Observation, shown: Observation, ground: Ground) -> Iterator[Observation]:
    """Yield questions about one id, added token or NUL each that ``probe`` has and ``shown`` has not."""
    if isinstance(probe, Decode) and isinstance(shown, Decode):
        yield from (replace(probe, ids=(id_,)) for id_ in dict.fromkeys(probe.ids) if id_ not in shown.ids)
    if isinstance(probe, Encode) and isinstance(shown, Encode):
        texts, own = texts_in(probe), texts_in(shown)
        for content in (*added_tokens(ground.document), NUL):
            if any(content in text for text in texts) and not any(content in text for text in own):
                yield Encode(content, add_special_tokens=False)


def _says_more(field: Field | None, predicted: Outcome, expected: Outcome) -> bool:
    """Say whether the prediction is another answer in ``field``, which may be shown where others are not."""
    one, other = _parts(predicted, field), _parts(expected, field)
    return predicted != expected if one is None or other is None else one != other


def _is_nearer(field: Field | None, predicted: Outcome, expected: Outcome, actual: Outcome) -> bool:
    """Say whether more of ``field`` is as in ``actual`` where it is as ``predicted``, and no more is otherwise.

    It is nearest where it is the very same, and the answers differ in other fields. It is nearer, too, where as much is
    as in ``actual``, less is otherwise, and there are as many entries as there, where before there were not: what
    stands in the place of something else has a cause of its own.
    """
    before, after, given = (_parts(each, field) for each in (expected, predicted, actual))
    if before is None or after is None or given is None:
        return False
    if after == given:
        return True
    common = _in_place if len(before) == len(after) == len(given) else _in_common
    found, found_before = common(after, given), common(before, given)
    other, other_before = len(after) - found, len(before) - found_before
    if found > found_before:
        return other <= other_before
    return 0 < found == found_before and other < other_before and len(after) == len(given) != len(before)


def _parts(outcome: Outcome, field: Field | None) -> Sequence[Hashable] | None:
    found: Sequence[Hashable] | None = None if field is None else getattr(outcome, field, None)
    return outcome.pieces if found is None and isinstance(outcome, Pieces) else found


def _in_place(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """Return in how many places both have the same."""
    return sum(map(eq, one, other))


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
