"""The records of `tokconf run` and `tokconf suite run`, as far as the pages about peers need them."""

from __future__ import annotations

import io
import json
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

from published.records import RecordError, text_of

from tokenizer_adapters.environments.packages import HEAVY
from tokenizer_conformance.results.agreement import shows_pairs, shows_special_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

Json = dict[str, Any]
K = TypeVar("K")


class Asked(StrEnum):
    """The questions that are told apart: a text without and with special tokens, a pair, ids to decode."""

    TEXT = "a text"
    TEMPLATE = "with special tokens"
    PAIR = "pairs"
    DECODE = "decoded"


@dataclass(frozen=True, slots=True)
class Agreement:
    """How one implementation agreed with the baseline on one tokenizer, over ``inputs``.

    ``differing`` has, for each kind of question that it answers, the number of inputs that differ in each field.
    ``failing`` inputs differ in anything. ``finer`` counts answers with finer offsets. ``files`` are the names of those
    that it was given in place of the tokenizer.json, ``refusal`` says why it does not load it.
    """

    inputs: int
    differing: Mapping[Asked, Mapping[str, int]]
    failing: int
    finer: int
    files: tuple[str, ...]
    refusal: str | None = None

    @property
    def rank(self) -> tuple[bool, int]:
        """What makes it better than another one: that it was loaded, then how few inputs fail."""
        return self.refusal is not None, self.failing


@dataclass(frozen=True, slots=True)
class Run:
    """A run: its first line, and the result of every implementation, by implementation and tokenizer."""

    header: Json
    agreements: Mapping[tuple[str, str], Agreement]

    @property
    def tokenizers(self) -> tuple[str, ...]:
        """The names of the tokenizers."""
        return tuple(each["name"] for each in self.header["tokenizers"])

    @property
    def inputs(self) -> int:
        """How many inputs each tokenizer was asked about."""
        return int(self.header["inputs"]["count"])


class Novelty(StrEnum):
    """The result of a requirement: failed is told apart from a tokenizer that was not loaded at all."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_LOADED = "not loaded"
    NOT_SHOWN = "cannot be asked"


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """A run of the suite: its first line, and for each implementation the result of each requirement.

    A requirement is named by area and importance.
    """

    header: Json
    standings: Mapping[str, tuple[tuple[str, str, Novelty], ...]]

    def count(self, name: str, importance: str, areas: Iterable[str] | None = None) -> Counter[Novelty]:
        """Count the requirements of ``importance`` that ``name`` was asked, of ``areas`` where these are given."""
        wanted = None if areas is None else set(areas)
        return Counter(
            standing
            for area, each, standing in self.standings[name]
            if each == importance and (wanted is None or area in wanted)
        )

    def areas(self, name: str) -> tuple[str, ...]:
        """Return the areas that ``name`` was asked about, in their order."""
        return tuple(dict.fromkeys(area for area, _, _ in self.standings[name]))


def read_run(path: Path) -> Run:
    """Read the record of a run. Raises :class:`RecordError`."""
    header, lines = _whole_record(path, "tokenizer-conformance-record", "tokenizer", dict)
    agreements = {}
    for line in lines:
        for result in line["results"]:
            agreements[result["implementation"], line["tokenizer"]] = _agreement(line["inputs"], result)
    return Run(header, agreements)


def _agreement(inputs: int, result: Json) -> Agreement:
    stages = result["stages"]
    return Agreement(
        inputs=inputs,
        differing={} if result["load_error"] is not None else _differing(inputs, stages),
        failing=result["failing_inputs"],
        finer=sum(count["finer"] for count in stages.values()),
        files=tuple(result["files"]),
        refusal=result["load_error"],
    )


def _differing(inputs: int, stages: Json) -> dict[Asked, dict[str, int]]:
    """Return how many inputs differ in each field, by what was asked; what nobody answered is left out."""
    template = stages["post_process"]
    unsupported = template["unsupported_fields"].get("ids", 0)
    counts = {
        Asked.TEXT: (_is_shown(stages["model"]), stages["model"]["differing_fields"]),
        Asked.TEMPLATE: (shows_special_tokens(unsupported, inputs), template["differing_fields"]),
        Asked.PAIR: (shows_pairs(unsupported, inputs), template["differing_pairs"]),
        Asked.DECODE: (_is_shown(stages["decode"]), stages["decode"]["differing_fields"]),
    }
    return {asked: fields for asked, (is_shown, fields) in counts.items() if is_shown}


def _is_shown(stage: Json) -> bool:
    return bool(set(stage["inputs"]) - {"unsupported"})


def better(first: Run, second: Run | None = None) -> tuple[Run, frozenset[tuple[str, str]]]:
    """Return ``first`` with the agreements of ``second`` where these are better, and which these are.

    Raises :class:`RecordError` where the two did not ask the same.
    """
    if second is None:
        return first, frozenset()
    for word in ("baseline", "inputs", "stages", "fields"):
        if first.header[word] != second.header[word]:
            raise RecordError(f"the two records were made with other {word}")
    taken = {
        place: agreement
        for place, agreement in second.agreements.items()
        if place in first.agreements and agreement.rank < first.agreements[place].rank
    }
    return Run(first.header, {**first.agreements, **taken}), frozenset(taken)


def read_suite_run(path: Path) -> SuiteRun:
    """Read the record of a run of the suite. Raises :class:`RecordError`."""
    header, lines = _whole_record(path, "tokenizer-conformance-suite-run", "requirement", _standing)
    if any(header[word] for word in ("selection", "features", "importances", "fields")):
        raise RecordError(f"{path}: it is that of a part of the suite")
    standings: dict[str, list[tuple[str, str, Novelty]]] = {each["name"]: [] for each in header["implementations"]}
    for name, standing in lines:
        standings[name].append(standing)
    for name, found in standings.items():
        if len(found) != header["requirements"]:
            raise RecordError(f"{path}: {name} was asked {len(found)} of {header['requirements']} requirements")
    return SuiteRun(header, {name: tuple(found) for name, found in standings.items()})


def _standing(line: Json) -> tuple[str, tuple[str, str, Novelty]]:
    return line["implementation"], (line["area"], line["importance"], standing_of(line))


def joined(runs: list[SuiteRun]) -> SuiteRun:
    """Return ``runs`` of the same suite, each of other implementations, as one.

    Raises :class:`RecordError` where they are of different suites, or one implementation is in two of them.
    """
    first = runs[0]
    standings: dict[str, tuple[tuple[str, str, Novelty], ...]] = {}
    for run in runs:
        if run.header["suite"] != first.header["suite"]:
            raise RecordError("the records of the suite are of different suites")
        if twice := sorted(standings.keys() & run.standings.keys()):
            raise RecordError(f"two records of the suite have {', '.join(twice)}")
        standings |= run.standings
    implementations = [each for run in runs for each in run.header["implementations"]]
    return SuiteRun({**first.header, "implementations": implementations}, standings)


def standing_of(requirement: Json) -> Novelty:
    """Return the result of a requirement, by its line in a record.

    It is not loaded where no case was wrong in any other way.
    """
    match requirement["verdict"]:
        case "passed":
            return Novelty.PASSED
        case "unsupported":
            return Novelty.NOT_SHOWN
    wrong = [case for case in requirement["cases"] if case["verdict"] in ("failed", "error", "known")]
    return Novelty.NOT_LOADED if all(case["blame"] == "load" for case in wrong) else Novelty.FAILED


def _whole_record(path: Path, schema: str, kind: str, kept: Callable[[Json], K]) -> tuple[Json, list[K]]:
    """Return the header of a record, and what is ``kept`` of its lines of one ``kind``: whole they are too many."""
    text = text_of(path)
    header: Json | None = None
    last: Json = {}
    lines: list[K] = []
    try:
        for last in map(json.loads, io.StringIO(text)):
            header = last if header is None else header
            if last.get("type") == kind:
                lines.append(kept(last))
            elif last.get("type") == "implementation_missing" and last["name"] not in HEAVY:
                raise RecordError(f"{path}: {last['reason']}")
    except ValueError as error:
        raise RecordError(f"{path} is no record: {error}") from error
    if header is None or header.get("schema") != schema:
        raise RecordError(f"{path}: it is no {schema}")
    if last.get("type") != "footer" or last["conclusion"] == "interrupted":
        raise RecordError(f"{path}: it was cut short; resume the command that wrote it")
    return header, lines
