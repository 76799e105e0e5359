"""Making a file of vectors: planting faults, choosing inputs, asking the baseline, and stating the power."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.defaults import VECTORS
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.validation.vectors.candidate import AboutText, answers_to
from tokenizer_conformance.validation.vectors.candidates import candidates, plain_candidates
from tokenizer_conformance.validation.vectors.choosing import chosen, groups_told_apart
from tokenizer_conformance.validation.vectors.faults.fault import FaultStage
from tokenizer_conformance.validation.vectors.planting import Planting
from tokenizer_conformance.validation.vectors.vector_file import (
    FORMAT,
    HOW_TO_READ,
    OFFSETS,
    VERSION,
    asked_form,
    is_answer,
    outcome_form,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.contract import Implementation, Outcome
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.validation.vectors.candidate import Candidate
    from tokenizer_conformance.validation.vectors.choosing import Choice
    from tokenizer_conformance.validation.vectors.planting import Shown

Json = dict[str, Any]

MEASURED = (
    "Each fault was planted alone: into a copy of the tokenizer.json that the implementation named under planted_in "
    "then read, into the text on its way in, or into its answers. It is caught by inputs of which at least one has "
    "another answer, in any field, than without the fault. Faults that no input shows that was tried are left out: "
    "they may change nothing. 'caught_by_plain_texts' is what twenty harmless texts catch when they are compared in "
    "all fields too. Told apart are groups of faults that differ in how some input shows them."
)


@dataclass(frozen=True, slots=True)
class Order:
    """What to make: vectors of ``tokenizer``, as ``baseline`` answers, chosen by faults planted in ``planted_in``."""

    tokenizer: TokenizerFile
    baseline: Implementation
    planted_in: Implementation
    count: int = VECTORS
    seed: int = 0


def made_vectors(order: Order) -> Json:
    """Return the whole file as JSON.

    Raises :class:`CannotLoadError` where an implementation cannot load the tokenizer, and :class:`BadInputError` where
    no vector can be made of it.
    """
    name = order.tokenizer.source.name
    document = json.loads(Path(order.tokenizer.source.file).read_text(encoding="utf-8"))
    STATUS.begin(name, "loading")
    baseline = loaded(order.baseline, order.tokenizer.source)
    vocabulary = baseline.vocabulary()
    ids = vocabulary if isinstance(vocabulary, dict) else {}
    every = (*plain_candidates(), *candidates(document, ids, order.seed))
    every = tuple({candidate.asks: candidate for candidate in every}.values())
    with Planting(order.planted_in, document, every, order.seed) as planting:
        shown = _planted(planting, name)
    seen = [each for each in shown if each.by]
    STATUS.at("choosing inputs")
    choices = chosen(seen, every, order.count)
    vectors, kept = _vectors(every, choices, seen, baseline, ids)
    if not vectors:
        raise BadInputError(f"tokenizer {name!r}: no input has an answer, so there is nothing to expect")
    return {
        "format": FORMAT,
        "version": VERSION,
        "how_to_read": HOW_TO_READ,
        "offsets": OFFSETS,
        "tokenizer": {"name": name, "sha256": order.tokenizer.sha256, "size": order.tokenizer.size},
        "baseline": _named(order.baseline),
        "seed": order.seed,
        "power": _power(shown, every, kept, order),
        "vectors": vectors,
    }


def _named(implementation: Implementation) -> Json:
    return {"name": implementation.info.name, "version": implementation.info.version}


def _planted(planting: Planting, name: str) -> list[Shown]:
    faults = planting.faults()
    found = []
    STATUS.at("planting faults")
    for number, each in enumerate(planting.shown(faults)):
        STATUS.reach(Place(name, number, len(faults), "faults"))
        if each is not None:
            found.append(each)
    return found


# Vectors --------------------------------------------------------------------------------------------------------------


def _vectors(
    every: Sequence[Candidate], choices: Sequence[Choice], shown: Sequence[Shown], baseline: Asked, ids: dict[str, int]
) -> tuple[list[Json], list[int]]:
    """Return the vectors as the file has them, and the numbers of their candidates; without what has no answer."""
    vectors: list[Json] = []
    kept: list[int] = []
    for choice in choices:
        candidate = every[choice.candidate]
        answers = answers_to(candidate.asks, baseline.ask, ids)
        again = answers_to(candidate.asks, baseline.ask, ids)
        expected = {
            name.value if hasattr(name, "value") else name: outcome_form(outcome)
            for name, (_, outcome) in answers.items()
            if _is_expected(outcome, again[name][1])
        }
        if not expected:
            continue
        kept.append(choice.candidate)
        vectors.append(
            {
                "id": f"{len(vectors) + 1:03d}",
                "from": candidate.source,
                "hunts": [f"{shown[fault].fault.stage.value}: {shown[fault].fault.what}" for fault in choice.faults],
                "ask": asked_form(candidate.asks, ids),
                "expected": expected,
            }
        )
    return vectors, kept


def _is_expected(outcome: Outcome, again: Outcome) -> bool:
    """Return whether an answer can be relied on: there is one, and it is the same again."""
    return is_answer(outcome) and is_answer(again) and outcome_form(outcome) == outcome_form(again)


# Power ----------------------------------------------------------------------------------------------------------------


def _power(shown: Sequence[Shown], every: Sequence[Candidate], kept: Sequence[int], order: Order) -> Json:
    visible = [each for each in shown if each.by]
    chosen_, plain = frozenset(kept), _plain_numbers(every)
    by_stage = []
    for stage in FaultStage:
        own = [each for each in visible if each.fault.stage is stage]
        if own:
            by_stage.append({"stage": stage.value, **_caught(own, chosen_, plain)})
    return {
        "how": MEASURED,
        "planted_in": _named(order.planted_in),
        "inputs_tried": len(every),
        "planted": len(shown),
        "shown_by_no_input": len(shown) - len(visible),
        **_caught(visible, chosen_, plain),
        "told_apart": groups_told_apart(visible, kept),
        "told_apart_by_all_inputs": groups_told_apart(visible, range(len(every))),
        "told_apart_by_plain_texts": groups_told_apart(visible, plain),
        "by_stage": by_stage,
    }


def _caught(shown: Sequence[Shown], kept: frozenset[int], plain: frozenset[int]) -> Json:
    return {
        "faults": len(shown),
        "caught": sum(not kept.isdisjoint(each.by) for each in shown),
        "caught_by_plain_texts": sum(not plain.isdisjoint(each.by) for each in shown),
    }


def _plain_numbers(every: Sequence[Candidate]) -> frozenset[int]:
    plain = {candidate.asks for candidate in plain_candidates()}
    return frozenset(
        number for number, each in enumerate(every) if isinstance(each.asks, AboutText) and each.asks in plain
    )
