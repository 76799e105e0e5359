"""Hypotheses about errors: which ids an implementation refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Decode, DecodeStream, Failed, Text, plain_of
from tokenizer_conformance.causes.cause import Reason
from tokenizer_conformance.causes.classes.experiment import VALUES, ground_of
from tokenizer_conformance.escape import one_line

if TYPE_CHECKING:
    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.classes.experiment import Ground
    from tokenizer_conformance.causes.witness import Witness

REPLACEMENT = "\ufffd"


def explained_by_refused_ids(bench: Bench, witness: Witness) -> Reason | None:
    """Return the reason where an implementation refuses ids, and it can be said which."""
    question = plain_of(witness.question)
    ground = ground_of(bench, witness)
    if ground is None or not isinstance(witness.actual, Failed) or not isinstance(witness.expected, VALUES):
        return None
    if not isinstance(question, Decode | DecodeStream) or question is not witness.question:
        return None
    said = f"The implementation raises {one_line(f'{witness.actual.kind}: {witness.actual.message}', 120)}"
    return _partial(ground, question, said) or _without_value(ground, question, said)


def _without_value(ground: Ground, question: Decode | DecodeStream, said: str) -> Reason | None:
    """Return the reason where some of the ids are refused each by itself, and none of the others."""
    alone = {id_: ground.actual(replace(question, ids=(id_,))) for id_ in dict.fromkeys(question.ids)}
    refused = {id_ for id_, answer in alone.items() if isinstance(answer, Failed)}
    kept = replace(question, ids=tuple(id_ for id_ in question.ids if id_ not in refused))
    if not refused or (kept.ids and not ground.agrees(kept)):
        return None
    if any(REPLACEMENT in _text(ground, replace(question, ids=(id_,))) for id_ in refused):
        return None
    whose = _who(ground, refused)
    if whose is None:
        return None
    if _refuses_others(ground, question, whose):
        return None
    listed = ", ".join(map(str, sorted(refused)[:6]))
    rest = "Without these the answers agree." if kept.ids else "Drawn ids of other tokens are not refused."
    return Reason("ids-without-value", whose, (f"{said}.", f"It does so for each of these ids alone: {listed}.", rest))


def _refuses_others(ground: Ground, question: Decode | DecodeStream, whose: str) -> bool:
    """Return whether any drawn id is refused that is of another kind than ``whose``."""
    singly = (single for each in ground.drawn_like(question) for single in each.singly)
    refused = (plain_of(each) for each in singly if isinstance(ground.actual(each), Failed))
    return any(isinstance(each, Decode | DecodeStream) and _who(ground, {*each.ids}) != whose for each in refused)


def _who(ground: Ground, refused: set[int]) -> str | None:
    """Return what the ``refused`` ids are; ``None`` where they are of several kinds, or ordinary tokens."""
    known = set(ground.vocabulary().values())
    added = {each["id"] for each in ground.document.get("added_tokens") or ()}
    if not refused & known:
        return "ids outside the vocabulary"
    return "ids of added tokens" if refused <= added else None


def _text(ground: Ground, question: Decode | DecodeStream) -> str:
    answer = ground.expected(Decode(question.ids, question.skip_special_tokens))
    return answer.text if isinstance(answer, Text) else ""


def _partial(ground: Ground, question: Decode | DecodeStream, said: str) -> Reason | None:
    """Return the reason where ids are refused if, and only if, their text has U+FFFD."""
    if REPLACEMENT not in _text(ground, question):
        return None
    broken = whole = 0
    probes = ground.probes_like(question)
    for probe in (*probes.near, *probes.others):
        if not isinstance(probe, Decode | DecodeStream):
            continue
        is_broken, answer = REPLACEMENT in _text(ground, probe), ground.actual(probe)
        if isinstance(answer, Failed) != is_broken:
            return None
        broken += is_broken
        whole += not is_broken
    if not whole:
        return None
    return Reason(
        "partial-character",
        "an error",
        (
            f"{said}.",
            f"It raises for all of {broken + 1} lists of ids whose bytes are no UTF-8, and for none of {whole} others.",
        ),
    )
