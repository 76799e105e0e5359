"""Which parts of two files carry it that two tokenizers cut texts differently."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.comparison.exchange import Exchange, KeptTexts
from tokenizer_conformance.comparison.loaded_documents import Documents, written
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.research.cuts.regions import PlacedText, regions_between
from tokenizer_conformance.research.cuts.sides import CuttingTokenizer, Facts, document_in, unknown_id
from tokenizer_conformance.research.segmentation.segmenter import LIMITS, Segmenter
from tokenizer_conformance.results.carriers import exchanged_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.contract import Implementation, WithoutValue
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.results.records.exchange import Exchanged

    Cut = PlacedText | WithoutValue

SECONDS = 20.0
"""How long parts of one pair of files are exchanged at most."""

MOST_CONTROLS = 50
"""How many texts that both cut alike are controls."""

LONGEST_CONTROL = 200
"""How many characters a built-in control has at most."""


def alike(one: Cut, other: Cut) -> bool:
    """Return whether two tokenizers cut a text alike; offsets of the same tokens do not count."""
    if not (isinstance(one, PlacedText) and isinstance(other, PlacedText)):
        return one == other
    return all(region.has_same_tokens for region in regions_between(one, other))


def carriers(
    implementation: Implementation,
    first: CuttingTokenizer,
    second: CuttingTokenizer,
    kept: KeptTexts,
) -> Exchanged:
    """Return which parts carry it that both cut texts of ``kept`` differently, and not others."""
    texts, controls = kept.differing, kept.alike
    further = [each.text for each in builtin_inputs() if len(each.text) <= LONGEST_CONTROL]
    asked = [*texts, *controls, *further[: 4 * MOST_CONTROLS]]
    cuts = list(zip(asked, first.cut(asked), second.cut(asked), strict=True))
    # A built-in text that they cut differently is no control; nor is one that one of them does not cut.
    rows = cuts[: len(texts)] + [row for row in cuts[len(texts) :] if _is_control(*row[1:])][:MOST_CONTROLS]
    with Documents(implementation) as loader:

        def answers(document: Json, of_texts: Sequence[str]) -> list[Cut]:
            segmenter = Segmenter(loader.loaded(document, "the file with parts of another"))
            return CuttingTokenizer("", segmenter, Facts(unknown_id(document, segmenter))).cut(of_texts)

        exchange = Exchange(
            _document(first),
            _document(second),
            answers,
            alike,
            [row[0] for row in rows[: len(texts)]],
            [row[0] for row in rows[len(texts) :]],
            time.monotonic() + SECONDS,
        )
        return exchanged_line(exchange.outcome([row[1] for row in rows], [row[2] for row in rows]), kept.count)


def _is_control(one: Cut, other: Cut) -> bool:
    return isinstance(one, PlacedText) and alike(one, other)


def _document(side: CuttingTokenizer) -> Json:
    """Return the document of ``side`` as the implementation writes it, in which forms are alike; else that of its file.

    Truncation and padding are left out, as they are where texts are cut.
    """
    try:
        document = written(side.segmenter.asked)
    except (CannotLoadError, json.JSONDecodeError):
        document = document_in(side.file)
    return document | dict.fromkeys(LIMITS)
