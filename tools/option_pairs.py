"""Shows which pairs of option values the suite has a case for in which both matter, and chooses tokenizers with them.

    python tools/option_pairs.py                     # the table, of the tokenizers that were chosen, and its record
    python tools/option_pairs.py --choose            # choose them anew: tools/requirements/combined.json

A value is a cell of the suite's own table (``tokconf suite check --table``): a value of an option, or a component that
is there. Two *matter* in a question where the answer changes when the one alone takes another of its values (or its
component goes), and likewise when the other does. Every two values stand together in one of the tokenizers of a
covering array, which ``covertable`` makes; further tokenizers are drawn at random (``--more``, ``--seed``). What
matters in one of all these *can matter*, and few tokenizers and questions are kept that show every such pair. The
target is asked, as it is ten times as fast; what the suite expects, the reference answers as well. The page is written
from the record by ``tools/publish_reports.py``. Exit status 1 where a pair that can matter has no case.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import tokenizers
from covertable import criteria, make
from published.measuring import Measuring, read_measured
from requirements.combined import CHOSEN, Ask, chosen
from requirements.option_values import FIXED, TEXTS, added_tokens, all_values, completed, in_stage, options_of
from tabulate import tabulate

from tokenizer_conformance.validation.suite.coverage import (
    OPTIONS,
    SEQUENCES,
    STAGE_FIELDS,
    Cell,
    cells_of,
    value_class,
    wanted_cells,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from requirements.recipe import Document

NEVER = CHOSEN.with_name("combined_never.json")
"""The pairs that matter in none of the tokenizers that were tried."""

TOOL = "option_pairs"
RECORD = Path(".venv/records/option-pairs.jsonl")

BEGINNING = """# Pairs of option values

<!-- Written by tools/option_pairs.py; do not edit. -->

Two values of options (a component that is there is a value, too) *matter* in a question where its answer changes when
the one alone takes another value, and when the other does. **{have:,} of {can:,} pairs that can matter have a case of
the suite in which they do.** Of {pairs:,} pairs, {never:,} matter in none of the tokenizers that were tried:
`tools/requirements/combined_never.json` names them.

{table}

## No case

{without}
"""


# What stands together ------------------------------------------------------------------------------------------------

CALLS = tuple(
    Cell("calls", option, value)
    for option in ("add_special_tokens", "pair", "words", "skip_special_tokens")
    for value in ("true", "false")
)
"""The options of calls."""

CELLS = (*(cell for cell in wanted_cells() if cell.component != "questions"), *CALLS)
NUMBERS = {cell: number for number, cell in enumerate(CELLS)}

Pairs = int
"""A set of pairs of cells: the bit of the numbers *a* < *b* is ``a * len(CELLS) + b``."""


def pairs_of(cells: Iterable[Cell]) -> Pairs:
    """Return the pairs of ``cells`` that are options of their own."""
    numbers = sorted(NUMBERS[cell] for cell in set(cells) if cell in NUMBERS)
    bits = 0
    for first, second in combinations(numbers, 2):
        bits |= 1 << (first * len(CELLS) + second)
    return bits & all_pairs()


@cache
def all_pairs() -> Pairs:
    """Return the pairs that can stand together."""
    bits = 0
    for (one, first), (two, second) in combinations(enumerate(CELLS), 2):
        if can_meet(first, second):
            bits |= 1 << (one * len(CELLS) + two)
    return bits


def can_meet(first: Cell, second: Cell) -> bool:
    """Return whether both can be in one question: no two values of an option, no two models, no value of itself."""
    if first.component == second.component:
        return first.option != second.option and "" not in (first.option, second.option)
    return not (first.component.startswith("models.") and second.component.startswith("models."))


def listed(pairs: Pairs) -> Iterator[tuple[Cell, Cell]]:
    """Yield the pairs of a set."""
    while pairs:
        lowest = pairs & -pairs
        first, second = divmod(lowest.bit_length() - 1, len(CELLS))
        yield CELLS[first], CELLS[second]
        pairs ^= lowest


# Tokenizers of a covering array --------------------------------------------------------------------------------------


def variants(component: str) -> list[Document]:
    """Return a few forms of a component: every two values of its options stand together in one of them."""
    options = options_of(component)
    values_of_options = {option: all_values(component, option, options) for option in options}
    head = _head(component)
    if len(options) < 2:
        return [{**head, option: value} for option, values in values_of_options.items() for value in values] or [head]
    return [{**head, **form} for form in covering(values_of_options)]


def _head(component: str) -> Document:
    name = component.partition(".")[2]
    return {"type": name, **FIXED.get(component, {})} if name else {}


def covering(factors: Mapping[str, Sequence[Any]], salt: str = "") -> list[dict[str, Any]]:
    """Return rows of a value of each factor, such that every two values of two factors meet in one of them."""
    numbered = {name: list(range(len(values))) for name, values in factors.items()}
    rows = make(numbered, criterion=criteria.simple, salt=salt)
    return [{name: values[row[name]] for name, values in factors.items()} for row in rows]


def forms(component: str) -> list[Document]:
    """Return a few forms of a component: every value of its options stands in one of them."""
    options = options_of(component)
    values = [all_values(component, option, options) for option in options]
    count = max(map(len, values), default=1)
    head = _head(component)
    return [
        {**head, **{option: each[number % len(each)] for option, each in zip(options, values, strict=True)}}
        for number in range(count)
    ]


def factors(of: Callable[[str], list[Document]]) -> dict[str, list[Any]]:
    """Return the factors of whole tokenizers: two components of each stage, two added tokens, the other parts.

    ``of`` gives the forms of a component or part.
    """

    def of_stage(stage: str) -> list[Any]:
        return [form for name in OPTIONS[stage] if name != "Sequence" for form in of(f"{stage}.{name}")]

    stages = {field: of_stage(stage) for field, stage in STAGE_FIELDS.items() if field != "model"}
    flags = [None, *of("added_tokens")]
    return {
        **{field: [None, *each] for field, each in stages.items()},
        **{f"{field} 2": [None, *each] for field, each in stages.items()},
        "model": of_stage("models"),
        "added 1": flags,
        "added 2": flags,
        "truncation": [None, *of("truncation")],
        "padding": [None, *of("padding")],
        "wrapped": [False, True],
    }


def rows(more: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the array of all forms, each variant of each component among others, and ``more`` random rows."""
    yield from covering(factors(forms))
    all_variants = factors(variants)
    for name, values in all_variants.items():
        for number, value in enumerate(values):
            yield {**random_row(all_variants, Random(f"{seed} {name} {number}")), name: value}
    for number in range(more):
        yield random_row(all_variants, Random(f"{seed} {number}"))


def random_row(all_factors: Mapping[str, Sequence[Any]], rng: Random) -> dict[str, Any]:
    """Return a tokenizer with some components left out, as they hide one another less where they are few."""
    return {
        name: None if None in values and rng.random() < SHARE_LEFT_OUT else rng.choice(values)
        for name, values in all_factors.items()
    }


def document_of(row: Mapping[str, Any]) -> Document:
    """Return the tokenizer of a row of :func:`factors`, without a vocabulary."""
    stages = {
        field: in_stage(
            stage, [form for form in (row[field], row[f"{field} 2"]) if form is not None], wrapped=row["wrapped"]
        )
        for field, stage in STAGE_FIELDS.items()
        if field != "model"
    }
    return {
        **stages,
        "model": row["model"],
        "added_tokens": added_tokens([row["added 1"], row["added 2"]]),
        "truncation": row["truncation"],
        "padding": row["padding"],
    }


# One thing changed ---------------------------------------------------------------------------------------------------


class Change(NamedTuple):
    """A tokenizer in which ``cell`` alone was changed."""

    cell: Cell
    document: Document


def changes(document: Document) -> Iterator[Change]:
    """Yield ``document`` with each component taken away, and with each option at each of its other values."""
    for field, stage in STAGE_FIELDS.items():
        for cell, component in _changed_component(document[field], stage):
            if component is not None or field != "model":
                yield Change(cell, {**document, field: component})
    kind = document["model"]["type"]
    yield from (
        Change(Cell(f"models.{kind}"), {**document, "model": model}) for model in _models() if model["type"] != kind
    )
    tokens = document["added_tokens"]
    for place, token in enumerate(tokens):
        for cell, changed in _changed_options("added_tokens", token):
            others = [] if changed is None else [changed]
            yield Change(cell, {**document, "added_tokens": [*tokens[:place], *others, *tokens[place + 1 :]]})
    for part in ("truncation", "padding"):
        yield from (Change(cell, {**document, part: new}) for cell, new in _changed_options(part, document[part]))


@cache
def _models() -> tuple[Document, ...]:
    return tuple(variants(f"models.{name}")[0] for name in OPTIONS["models"])


def _changed_component(component: Document | None, stage: str) -> Iterator[tuple[Cell, Document | None]]:
    if component is None:
        return
    name = f"{stage}.{component['type']}"
    if component["type"] != "Sequence":
        yield from _changed_options(name, component)
        return
    field = SEQUENCES[stage]
    parts = component[field]
    yield Cell(name), None
    for fewer in (parts[:1], parts[1:], []):
        if fewer != parts:
            yield Cell(name, field, value_class(parts, ())), {**component, field: fewer}
    for place, part in enumerate(parts):
        for cell, changed in _changed_component(part, stage):
            others = [] if changed is None else [changed]
            yield cell, {**component, field: [*parts[:place], *others, *parts[place + 1 :]]}


def _changed_options(name: str, component: Document | None) -> Iterator[tuple[Cell, Document | None]]:
    if component is None:
        return
    yield Cell(name), None
    options = options_of(name)
    for option, kinds in options.items():
        for value in all_values(name, option, options):
            if value != component[option]:
                yield Cell(name, option, value_class(component[option], kinds)), {**component, option: value}


# Questions and answers -----------------------------------------------------------------------------------------------

ENCODED = (
    *(Ask(number, None, words=False, special=True, skips=None) for number in range(len(TEXTS))),
    *(Ask(first, second, words=False, special=True, skips=None) for first, second in ((0, 3), (2, 1))),
    *(Ask(first, second, words=True, special=True, skips=None) for first, second in ((1, None), (2, None), (2, 3))),
)
DECODED = (ENCODED[0], ENCODED[1], ENCODED[2], ENCODED[2]._replace(special=False), ENCODED[6], ENCODED[7])
ASKS = (
    *ENCODED,
    *(each._replace(special=False) for each in ENCODED),
    *(each._replace(skips=skips) for each in DECODED for skips in (True, False)),
)
"""What is asked of each tokenizer."""

FAILS = "fails"

SHARE_LEFT_OUT = 0.4
"""How many of the components of a random tokenizer are not there."""

OFTEN = 4
"""In how many tokenizers a pair is looked for, so that there is a choice."""


def other_calls(ask: Ask) -> Iterator[tuple[Cell, Ask]]:
    """Yield ``ask`` with each option of its calls at its other value."""

    def of(option: str, value: bool, other: Ask) -> tuple[Cell, Ask]:
        return Cell("calls", option, str(value).lower()), other

    yield of("add_special_tokens", ask.special, ask._replace(special=not ask.special))
    yield of("pair", ask.second is not None, ask._replace(second=0 if ask.second is None else None))
    yield of("words", ask.words, ask._replace(words=not ask.words))
    if ask.skips is not None:
        yield of("skip_special_tokens", ask.skips, ask._replace(skips=not ask.skips))


class Subject:
    """A tokenizer of the target, and its answers, each asked for once."""

    def __init__(self, document: Document) -> None:
        self._tokenizer = tokenizers.Tokenizer.from_str(json.dumps(completed(document)))
        self._known: dict[Ask, Any] = {}

    def answer(self, ask: Ask) -> Any:
        """Return all columns of an encoding and of its overflow, or the text that its ids are decoded to."""
        if ask not in self._known:
            self._known[ask] = self._asked(ask)
        return self._known[ask]

    def _asked(self, ask: Ask) -> Any:
        try:
            if ask.skips is not None:
                encoding = self.answer(ask._replace(skips=None))
                return self._tokenizer.decode(encoding[0][0], ask.skips) if encoding != FAILS else FAILS
            whole = self._tokenizer.encode(*ask.inputs(), ask.words, ask.special)
        except BaseException as error:  # panics of the target derive from it
            if isinstance(error, KeyboardInterrupt):
                raise
            return FAILS
        return [_columns(each) for each in (whole, *whole.overflowing)]


def _columns(encoding: Any) -> tuple[Any, ...]:
    return (
        encoding.ids,
        encoding.tokens,
        encoding.offsets,
        encoding.word_ids,
        encoding.type_ids,
        encoding.attention_mask,
        encoding.special_tokens_mask,
        encoding.sequence_ids,
    )


def loaded(document: Document) -> Subject | None:
    """Return the tokenizer of ``document``; ``None`` where the target refuses it."""
    try:
        return Subject(document)
    except BaseException as error:  # panics of the target derive from it
        if isinstance(error, KeyboardInterrupt):
            raise
        return None


def mattering(document: Document, asks: Sequence[Ask], known: Pairs = 0) -> dict[Ask, Pairs] | None:
    """Return which pairs matter in which of ``asks``; ``None`` where the target refuses ``document``.

    A question that fails shows nothing, nor does a change that is refused or after which a question fails. Values of
    which all pairs here are ``known`` are not asked about.
    """
    subject = loaded(document)
    if subject is None:
        return None
    mine = frozenset(cells_of(document))
    asked = {cell for pair in listed(pairs_of((*mine, *CALLS)) & ~known) for cell in pair}
    changed = [
        (cell, other)
        for cell, altered in changes(document)
        if cell in asked and cell in mine and (other := loaded(altered)) is not None
    ]
    found: dict[Ask, Pairs] = {}
    for ask in asks:
        answer = subject.answer(ask)
        if answer == FAILS:
            continue
        seen = {cell for cell, other in changed if other.answer(ask) not in (answer, FAILS)}
        seen |= {cell for cell, other in other_calls(ask) if subject.answer(other) not in (answer, FAILS)}
        found[ask] = pairs_of(seen)
    return found


@contextmanager
def silent() -> Iterator[None]:
    """Leave out what the target prints when it panics, within."""
    sys.stderr.flush()
    kept = os.dup(2)
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


# Choosing ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tokenizer, and the pairs that matter in the questions asked of it."""

    document: Document
    found: dict[Ask, Pairs]

    @property
    def pairs(self) -> Pairs:
        """The pairs that matter in any question."""
        return union(self.found.values())


def union(sets: Iterable[Pairs]) -> Pairs:
    """Return the pairs of all ``sets``."""
    whole = 0
    for each in sets:
        whole |= each
    return whole


def candidates(more: int, seed: int) -> tuple[list[Candidate], int]:
    """Return tokenizers in which pairs matter that do not in many before them, and how many the target refuses."""
    kept: list[Candidate] = []
    refused = 0
    seen = [0] * OFTEN
    for row in rows(more, seed):
        document = document_of(row)
        found = mattering(document, ASKS, seen[-1])
        if found is None:
            refused += 1
            continue
        candidate = Candidate(document, found)
        kept.append(candidate)
        new = candidate.pairs
        for number, pairs in enumerate(seen):
            seen[number], new = pairs | new, pairs & new
    return kept, refused


def chosen_of(all_candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return tokenizers with the questions that show every pair that any shows, each time the one that shows most."""
    wanted = union(each.pairs for each in all_candidates)
    left = {number: each.pairs for number, each in enumerate(all_candidates)}
    picked: list[Candidate] = []
    while wanted:
        left = {number: pairs & wanted for number, pairs in left.items() if pairs & wanted}
        best = max(left, key=lambda number: left[number].bit_count())
        picked.append(all_candidates[best])
        wanted &= ~left.pop(best)
    return _needed_questions(picked)


def _needed_questions(picked: Sequence[Candidate]) -> list[Candidate]:
    """Return ``picked`` with those questions alone that some pair needs."""
    wanted = union(each.pairs for each in picked)
    left = {(number, ask): pairs for number, each in enumerate(picked) for ask, pairs in each.found.items()}
    needed: list[dict[Ask, Pairs]] = [{} for _ in picked]
    while wanted:
        left = {key: pairs & wanted for key, pairs in left.items() if pairs & wanted}
        best = max(left, key=lambda key: left[key].bit_count())
        needed[best[0]][best[1]] = left[best]
        wanted &= ~left.pop(best)
    return [Candidate(each.document, found) for each, found in zip(picked, needed, strict=True) if found]


def stages_of(pair: tuple[Cell, Cell]) -> str:
    """Return the parts of a pair, in the order of the pipeline.

    >>> stages_of((Cell("padding"), Cell("models.BPE")))
    'models × padding'
    """
    return " × ".join(sorted((cell.component.partition(".")[0] for cell in pair), key=ORDER.index))


ORDER = (
    "calls",
    "added_tokens",
    "normalizers",
    "pre_tokenizers",
    "models",
    "truncation",
    "processors",
    "padding",
    "decoders",
)
"""The parts of a tokenizer, in the order in which they are written about."""


def written(picked: Sequence[Candidate]) -> list[dict[str, Any]]:
    """Return what ``CHOSEN`` has: a question stands under the parts that most of its pairs are of."""
    lines = []
    for each in picked:
        asked: dict[str, list[Ask]] = {}
        for ask, pairs in each.found.items():
            ((most, _),) = Counter(map(stages_of, listed(pairs))).most_common(1)
            asked.setdefault(most, []).append(ask)
        lines.append({"tokenizer": each.document, "asked": asked, "has_tokens": has_tokens(each)})
    return lines


def has_tokens(candidate: Candidate) -> bool:
    """Return whether each encoding has tokens: who answers nothing at all is not to pass."""
    subject = Subject(candidate.document)
    return all(subject.answer(ask._replace(skips=None))[0][0] for ask in candidate.found)


# The table -----------------------------------------------------------------------------------------------------------


def have_a_case() -> Pairs:
    """Return the pairs that matter in a question of the tokenizers that were chosen."""
    return union(
        pairs
        for each in chosen()
        for asks in [[ask for asks in each.asked.values() for ask in asks]]
        for pairs in (mattering(each.document, asks) or {}).values()
    )


def counted(can: Pairs, have: Pairs) -> Iterator[dict[str, Any]]:
    """Yield a line of the record for each two parts: how many pairs, and which matter never or have no case."""
    sets = {"pairs": all_pairs(), "never": all_pairs() & ~can, "no_case": can & ~have}
    named: dict[str, dict[str, list[str]]] = {}
    for what, pairs in sets.items():
        for first, second in listed(pairs):
            of_parts = named.setdefault(stages_of((first, second)), {each: [] for each in sets})
            of_parts[what].append(f"{_name(first)} × {_name(second)}")
    for parts in sorted(named, key=lambda name: [ORDER.index(part) for part in name.split(" × ")]):
        yield {"parts": parts, **named[parts], "pairs": len(named[parts]["pairs"])}


def table(lines: Sequence[dict[str, Any]]) -> str:
    """Return the table of the record's ``lines``, by the parts of a pair, in Markdown."""
    rows = [(line["parts"], *counts_of([line])) for line in lines]
    return tabulate(
        [*rows, ("all", *counts_of(lines))],
        headers=("parts", "pairs", "can matter", "have a case"),
        tablefmt="github",
        intfmt=",",
    )


def counts_of(lines: Iterable[dict[str, Any]]) -> tuple[int, int, int]:
    """Return how many pairs there are in ``lines``, how many can matter, and how many of these have a case."""
    counts = [(line["pairs"], len(line["never"]), len(line["no_case"])) for line in lines]
    pairs, never, without = map(sum, zip(*counts, strict=True))
    return pairs, pairs - never, pairs - never - without


# The files -----------------------------------------------------------------------------------------------------------


def write_chosen(picked: Sequence[Candidate], can: Pairs) -> None:
    """Write what was chosen, and the pairs that matter nowhere: with each cell the later ones."""
    CHOSEN.write_text("[\n" + ",\n".join(map(json.dumps, written(picked))) + "\n]\n", encoding="ascii")
    later: dict[str, list[str]] = {}
    for first, second in listed(all_pairs() & ~can):
        later.setdefault(_name(first), []).append(_name(second))
    NEVER.write_text(json.dumps(later, indent=0) + "\n", encoding="ascii")


def can_matter() -> Pairs:
    """Return the pairs that mattered somewhere when the tokenizers were chosen; those of new options can as well."""
    later = json.loads(NEVER.read_text("ascii"))
    named = {_name(cell): cell for cell in CELLS}
    return all_pairs() & ~union(
        pairs_of((named[first], named[second]))
        for first, seconds in later.items()
        for second in seconds
        if first in named and second in named
    )


def _name(cell: Cell) -> str:
    return f"{cell.component}.{cell.option}={cell.value}" if cell.option else cell.component


def page(records: Sequence[Path]) -> str:
    """Return the page that is made of a record: the totals, and what has no case."""
    (record,) = records
    lines = read_measured(record, TOOL).lines
    pairs, can, have = counts_of(lines)
    without = [f"- {pair}" for line in lines for pair in line["no_case"]]
    return BEGINNING.format(
        pairs=pairs, can=can, have=have, never=pairs - can, table=table(lines), without="\n".join(without) or "None."
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--choose", action="store_true", help="choose tokenizers and questions anew (some minutes)")
    parser.add_argument("--more", type=int, default=300, help="random tokenizers beside those of the array")
    parser.add_argument("--seed", type=int, default=1, help="of what is drawn at random")
    parser.add_argument("--record", type=Path, default=RECORD, metavar="FILE", help="where to record what was counted")
    given = parser.parse_args(arguments)
    given.record.unlink(missing_ok=True)  # all is counted anew
    record = Measuring(given.record, TOOL, {"tokenizers": tokenizers.__version__})
    with silent():
        if given.choose:
            found, refused = candidates(given.more, given.seed)
            picked = chosen_of(found)
            write_chosen(picked, union(each.pairs for each in found))
            print(f"{len(found)} tokenizers, {refused} refused; {len(picked)} chosen")
        have = have_a_case()
    for line in counted(can_matter(), have):
        record.add(line)
    record.finish()
    print(table(record.lines))
    without = [pair for line in record.lines for pair in line["no_case"]]
    for pair in without:
        print(f"no case: {pair}", file=sys.stderr)
    return 1 if without else 0


if __name__ == "__main__":
    sys.exit(main())
