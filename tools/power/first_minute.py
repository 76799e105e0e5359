"""What two commands ask in their first minute, with the answers of the unchanged reference.

``tokconf run`` asks about the bundled tokenizers that it takes where none is named, in a minute all of them;
``tokconf fuzz`` about so many random tokenizers. A change that changes one of these answers is shown by the command.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING

from power.answers import VOCABULARY, Asked, Witness, first_change, in_order, load, recorded_parts
from power.changed_reference import reference
from power.children import Died, each_in_child
from power.mutant_results import FUZZED, Shown
from power.mutant_run import SECONDS, is_felt_by_callers_only, key_of
from tokenizer_conformance.comparison.question_options import drawn_questions
from tokenizer_conformance.comparison.questions import about_pair, about_text, further
from tokenizer_conformance.defaults import TEXTS_PER_TOKENIZER
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.bundled import FIRST, bundled_file
from tokenizer_conformance.validation.search.random_tokenizers import generate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from power.answers import Question, Recorded
    from power.mutants import Mutant
    from power.tracing import Function
    from tokenizer_conformance.inputs.text import Input

INPUTS_AT_ONCE = 50
"""How many inputs of ``run`` are kept as one record: those that cannot tell of a change are passed over as one."""

TOKENIZERS_AT_ONCE = 100

MOST_SAID = 300
"""How much of a question is kept, in characters."""


def asked_by_run(jobs: int) -> list[Recorded]:
    """Return what ``tokconf run`` asks. Raises :class:`~power.answers.NoAnswersError`."""
    return recorded_parts(_of_bundled, FIRST, jobs)


def _of_bundled(name: str, folder: str) -> Iterator[Asked]:
    implementation = reference()
    document = bundled_file(name).read_text(encoding="utf-8")
    subject = load(implementation, document, folder)
    assert subject is not None
    inputs = builtin_inputs()
    pairs = [*pairwise(inputs), (inputs[-1], inputs[0])]

    def questions(part: Sequence[tuple[Input, Input]]) -> Iterator[Question]:
        for each, following in part:
            yield from about_text(each.text, baseline=subject.observe)
            yield from about_pair(each.text, following.text, baseline=subject.observe)
            yield from further(each)

    yield name, document, (VOCABULARY,)
    for start in range(0, len(pairs), INPUTS_AT_ONCE):
        yield name, document, tuple(questions(pairs[start : start + INPUTS_AT_ONCE]))


def asked_by_fuzz(seed: int, jobs: int) -> list[Recorded]:
    """Return what ``tokconf fuzz --seed SEED`` asks. Raises :class:`~power.answers.NoAnswersError`."""
    parts = [range(start, start + TOKENIZERS_AT_ONCE) for start in range(0, FUZZED, TOKENIZERS_AT_ONCE)]
    return recorded_parts(lambda numbers, folder: _fuzzed(seed, numbers, folder), parts, jobs)


def _fuzzed(seed: int, numbers: range, folder: str) -> Iterator[Asked]:
    implementation = reference()
    for number in numbers:
        document, texts, rng = generate(seed, number, TEXTS_PER_TOKENIZER)
        text = json.dumps(document.json, ensure_ascii=False)
        subject = load(implementation, text, folder)
        asked: list[Question] = [VOCABULARY]
        if subject is not None:
            vocabulary = subject.vocabulary()
            assert isinstance(vocabulary, dict)
            known = sorted(vocabulary.values())
            for index, each in enumerate(texts):
                asked += drawn_questions(each, texts[index - 1], known, subject.observe, rng)
        yield f"random tokenizer {number} of seed {seed}", text, tuple(asked)


# What is shown --------------------------------------------------------------------------------------------------------


def shown(
    mutants: Sequence[Mutant],
    asked: Mapping[str, Sequence[Recorded]],
    at_import: frozenset[Function],
    jobs: int,
) -> Iterator[Shown]:
    """Yield for each of ``mutants`` the questions of the commands ``asked`` that show it."""

    def ask(mutant: Mutant) -> dict[str, str]:
        callers_only = is_felt_by_callers_only(mutant, at_import)
        found: dict[str, str] = {}
        for command, records in asked.items():
            ordered = in_order(records, mutant.site.module, mutant.lines(), len(records), callers_only=callers_only)
            outcome = first_change(mutant.change, ordered)
            found[command] = f"{outcome.name}: {outcome.question}"[:MOST_SAID] if isinstance(outcome, Witness) else ""
        return found

    for index, found in each_in_child(ask, mutants, jobs, SECONDS):
        said = dict.fromkeys(asked, f"its process died: {found.how}") if isinstance(found, Died) else found
        yield Shown(*key_of(mutants[index]), said["run"], said["fuzz"])
