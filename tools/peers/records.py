"""The records of `tokconf run` and `tokconf suite run`, as far as the pages about peers need them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

Json = dict[str, Any]


class RecordError(Exception):
    """A record cannot be used. The message says which, and why."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How one implementation agreed with the baseline on one tokenizer.

    Of ``inputs``, ``failing`` differ in anything that the implementation shows; ``blamed`` counts them by the first
    stage at which they do. ``finer`` counts answers with finer offsets. ``files`` are the names of those that it was
    given in place of the tokenizer.json, ``refusal`` says why it does not load it.
    """

    inputs: int
    failing: int
    blamed: Mapping[str, int]
    finer: int
    files: tuple[str, ...]
    shown: tuple[str, ...]
    refusal: str | None = None

    @property
    def rank(self) -> tuple[bool, int]:
        """What makes it better than another one: that it was loaded, then how few inputs fail."""
        return self.refusal is not None, self.failing


@dataclass(frozen=True, slots=True)
class Run:
    """A run: its first line, and what every implementation came to, by implementation and tokenizer."""

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


class Standing(StrEnum):
    """What a requirement came to: failed is told apart from a tokenizer that was not loaded at all."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_LOADED = "not loaded"
    NOT_SHOWN = "cannot be asked"


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """A run of the suite: its first line, and for each implementation what each requirement came to.

    A requirement is named by area and importance.
    """

    header: Json
    standings: Mapping[str, tuple[tuple[str, str, Standing], ...]]

    def count(self, name: str, importance: str, areas: Iterable[str] | None = None) -> Counter[Standing]:
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
    header, lines = _whole_record(path, "tokenizer-conformance-record")
    agreements = {}
    for line in lines:
        if line["type"] == "tokenizer":
            for result in line["results"]:
                agreements[result["implementation"], line["tokenizer"]] = _agreement(line["inputs"], result)
    return Run(header, agreements)


def _agreement(inputs: int, result: Json) -> Agreement:
    stages = result["stages"]
    return Agreement(
        inputs=inputs,
        # An input that differs only in its pair with a text that differs alone does not count.
        failing=sum(result["blamed"].values()) or result["failing_inputs"],
        blamed=result["blamed"],
        finer=sum(count["finer"] for count in stages.values()),
        files=tuple(result["files"]),
        shown=tuple(stage for stage, count in stages.items() if set(count["inputs"]) - {"unsupported"}),
        refusal=result["load_error"],
    )


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
    header, lines = _whole_record(path, "tokenizer-conformance-suite-run")
    if any(header[word] for word in ("selection", "features", "importances", "fields")):
        raise RecordError(f"{path}: it is that of a part of the suite")
    standings: dict[str, list[tuple[str, str, Standing]]] = {each["name"]: [] for each in header["implementations"]}
    for line in lines:
        if line["type"] == "requirement":
            standings[line["implementation"]].append((line["area"], line["importance"], standing_of(line)))
    for name, found in standings.items():
        if len(found) != header["requirements"]:
            raise RecordError(f"{path}: {name} was asked {len(found)} of {header['requirements']} requirements")
    return SuiteRun(header, {name: tuple(found) for name, found in standings.items()})


def standing_of(requirement: Json) -> Standing:
    """Return what a requirement came to, by its line in a record.

    It is not loaded where no case was wrong in any other way.
    """
    match requirement["verdict"]:
        case "passed":
            return Standing.PASSED
        case "unsupported":
            return Standing.NOT_SHOWN
    wrong = [case for case in requirement["cases"] if case["verdict"] in ("failed", "error", "known")]
    return Standing.NOT_LOADED if all(case["blame"] == "load" for case in wrong) else Standing.FAILED


def _whole_record(path: Path, schema: str) -> tuple[Json, list[Json]]:
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError) as error:
        raise RecordError(f"{path}: {error}") from error
    if not lines or lines[0].get("schema") != schema:
        raise RecordError(f"{path}: it is no {schema}")
    if lines[-1]["type"] != "footer" or lines[-1]["conclusion"] == "interrupted":
        raise RecordError(f"{path}: it was cut short; resume the command that wrote it")
    for line in lines:
        if line["type"] == "implementation_missing":
            raise RecordError(f"{path}: {line['reason']}")
    return lines[0], lines[1:-1]
