"""What two commands ask in their first minute, with the answers of the unchanged reference.

``tokconf run`` asks about the bundled tokenizers that it takes where none is named, in a minute all of them;
``tokconf fuzz`` about so many random tokenizers. A change that changes one of these answers is shown by the command.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
from tabulate import tabulate

from power.answers import VOCABULARY, Asked, Witness, first_change, in_order, load, recorded_parts
from power.changed_reference import reference
from power.children import Died, each_in_child
from power.mutant_run import SECONDS, is_felt_by_callers_only
from tokenizer_conformance.comparison.question_options import drawn_questions
from tokenizer_conformance.comparison.questions import about_pair, about_text, further
from tokenizer_conformance.defaults import TEXTS_PER_TOKENIZER
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.bundled import FIRST, bundled_file
from tokenizer_conformance.validation.search.random_tokenizers import generate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from power.answers import Question, Recorded
    from power.mutant_run import Key, Result
    from power.tracing import Function
    from tokenizer_conformance.inputs.text import Input

FUZZED = 800
"""How many random tokenizers ``tokconf fuzz`` compares in a minute: 832 were counted on two cores with other work."""

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


class Shown(msgspec.Struct, frozen=True):
    """A line of the file: a mutant (as a :class:`~power.mutant_run.Result` names it), and the question that shows it.

    ``run`` and ``fuzz`` are empty where the command does not show it.
    """

    module: str
    operator: str
    occurrence: int
    source: str
    run: str
    fuzz: str


def shown(
    results: Sequence[Result],
    asked: Mapping[str, Sequence[Recorded]],
    at_import: frozenset[Function],
    jobs: int,
    file: Path,
    progress: Callable[[str], None],
) -> list[Shown]:
    """Return for the mutants of ``results`` which commands of ``asked`` show them; ``file`` keeps what is done."""
    known = read_shown(file)
    waiting = [result for result in results if result.key not in known]

    def ask(result: Result) -> dict[str, str]:
        mutant = result.mutant()
        callers_only = is_felt_by_callers_only(mutant, at_import)
        found: dict[str, str] = {}
        for command, records in asked.items():
            ordered = in_order(records, mutant.site.module, mutant.lines(), len(records), callers_only=callers_only)
            outcome = first_change(mutant.change, ordered)
            found[command] = f"{outcome.name}: {outcome.question}"[:MOST_SAID] if isinstance(outcome, Witness) else ""
        return found

    for done, (index, found) in enumerate(each_in_child(ask, waiting, jobs, SECONDS), 1):
        result = waiting[index]
        said = dict.fromkeys(asked, f"its process died: {found.how}") if isinstance(found, Died) else found
        line = Shown(result.module, result.operator, result.occurrence, result.source, **said)
        known[result.key] = line
        with file.open("ab") as kept:
            kept.write(msgspec.json.encode(line) + b"\n")
        progress(f"{done} of {len(waiting)} mutants")
    return [known[result.key] for result in results]


PARTS = ("part", "mutants", "run", "fuzz", "either")


def shares(found: Sequence[Shown]) -> Iterator[tuple[str, int, tuple[float, float, float]]]:
    """Yield for each part of the reference, then for all, how many mutants, and the shares shown, in percent."""
    parts = dict.fromkeys(each.module.partition(".")[0] for each in found)
    for part in (*sorted(parts), "all"):
        own = [each for each in found if part in ("all", each.module.partition(".")[0])]
        counts = (
            sum(bool(each.run) for each in own),
            sum(bool(each.fuzz) for each in own),
            sum(bool(each.run or each.fuzz) for each in own),
        )
        by_run, by_fuzz, by_either = (100 * count / len(own) for count in counts)
        yield part, len(own), (by_run, by_fuzz, by_either)


def report_of_minute(found: Sequence[Shown]) -> str:
    """Return for people, by part of the reference, how many mutants each command shows in its first minute."""
    rows = [(part, count, *(f"{share:.1f} %" for share in of)) for part, count, of in shares(found)]
    return tabulate(rows, headers=PARTS, disable_numparse=True)


def read_shown(file: Path) -> dict[Key, Shown]:
    """Return what is in ``file`` by mutant; nothing where there is no file."""
    decoder = msgspec.json.Decoder(Shown)
    lines = map(decoder.decode, file.read_bytes().splitlines() if file.exists() else [])
    return {(each.module, each.operator, each.occurrence, each.source): each for each in lines}
