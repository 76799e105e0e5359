"""The chat templates of a conversion beside those of the model's folder, and a conversation that shows the difference.

Both are rendered by one implementation, from folders in which nothing but the template is another.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError, Rendered, TokenizerSource, Unsupported
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.comparison.component_differences import ABSENT, Change, Component, Replacement
from tokenizer_conformance.comparison.differences import OutcomeInUnit, compare
from tokenizer_conformance.inputs.conversations.builtin import builtin_conversations
from tokenizer_conformance.releases.loader_audit.witness import ComponentWitness, Confirmation, NoWitness

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_adapters.contract import Implementation, Outcome
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.releases.loader_audit.witness import Shown

CONFIGURATION, TOKENIZER = "tokenizer_config.json", "tokenizer.json"


def template_differences(
    ours: Mapping[str, str],
    theirs: Mapping[str, str],
    configuration: Json,
    document: Json,
    renderer: Implementation,
    engine: Asked | None = None,
) -> Iterator[tuple[Replacement, Shown]]:
    """Yield each template of ``ours``, by name, that is another one in ``theirs`` or not there, and what shows it.

    ``configuration`` and ``document`` are the tokenizer_config.json and the tokenizer.json beside which ``renderer``
    renders them. ``engine`` has loaded the conversion itself.
    """
    for name in dict.fromkeys([*ours, *theirs]):
        first, second = ours.get(name), theirs.get(name)
        if first == second:
            continue
        path = "chat_template" if name == "default" else f"chat_template.{name}"
        change = Change(path, ABSENT if first is None else first, ABSENT if second is None else second)
        words = _words(first, second)
        found = Replacement(Component.CHAT_TEMPLATE, path, words, (change,), 1, document)
        yield found, _witness(first, second, configuration, document, renderer, engine)


def _words(first: str | None, second: str | None) -> str:
    if first is None:
        return "a template that the folder has not"
    if second is None:
        return "the template is missing"
    place = next((place for place, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), None)
    place = min(len(first), len(second)) if place is None else place
    return f"another template, from character {place:,} on"


def _witness(
    first: str | None,
    second: str | None,
    configuration: Json,
    document: Json,
    renderer: Implementation,
    engine: Asked | None,
) -> Shown:
    """Return the first of the built-in conversations of which the two make different prompts."""
    if first is None or second is None:
        return NoWitness(0, "one of the two makes no prompt at all")
    with tempfile.TemporaryDirectory() as folder:
        sides = []
        for name, template in (("first", first), ("second", second)):
            place = Path(folder, name)
            place.mkdir()
            (place / CONFIGURATION).write_text(json.dumps({**configuration, "chat_template": template}), "utf-8")
            (place / TOKENIZER).write_text(json.dumps(document), "utf-8")
            try:
                sides.append(loaded(renderer, TokenizerSource(name, str(place / TOKENIZER), str(place))))
            except CannotLoadError as error:
                return NoWitness(0, str(error))
        questions = [question for each in builtin_conversations() for question in each.questions]
        for asked, question in enumerate(questions, start=1):
            raw, other = (side.ask(question) for side in sides)
            difference = next(iter(compare(question, OutcomeInUnit(raw), OutcomeInUnit(other)).differences), None)
            if difference is not None:
                answer = other if engine is None else engine.ask(question)
                confirmation = _confirmation(raw, other, answer)
                return ComponentWitness(question, difference, raw, other, answer, confirmation, asked)
        return NoWitness(len(questions))


def _confirmation(raw: Outcome, other: Outcome, asked: Outcome) -> Confirmation:
    """Return what the engine's answer says: prompts alone are compared, for an engine need not give their ids."""
    prompts = [each.text if isinstance(each, Rendered) else each for each in (raw, other, asked)]
    if isinstance(asked, Unsupported):
        return Confirmation.NOT_SHOWN
    if prompts[2] == prompts[1]:
        return Confirmation.SAME
    return Confirmation.HIDDEN if prompts[2] == prompts[0] else Confirmation.OTHER
