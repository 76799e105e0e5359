"""Every line of a record is one that its schema allows, and the schema allows no other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import jsonschema
import pytest
from fake_releases import Between, compared, plan_of, released
from snapshots import named

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import PIPELINE_STAGES
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.releases.versions.events import lines_of as typed_lines
from tokenizer_conformance.releases.versions.facts import Fact, NoFactsError, Release
from tokenizer_conformance.releases.versions.matrix import TokenizerMatrix
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.schema import schema_of
from tokenizer_conformance.results.records.versions import FORMAT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


VALIDATOR = jsonschema.Draft202012Validator(schema_of(FORMAT))
KINDS = {"header", "refused", "release", "matrix", "step", "bisected", "section", "footer"}


class Numbers:
    """A section in which facts come, go, and change; 2.0 has none."""

    name = "numbers"
    title = "numbers"

    def facts(self, release: Release, _tokenizers: Any) -> Mapping[str, Fact]:
        if release.version == "2.0":
            raise NoFactsError("it cannot count")
        return {release.version: Fact("1"), "both": Fact(release.version, "shown"), "n": Fact("", is_stable=False)}


def lines_of(events: list[Any]) -> list[dict[str, Any]]:
    found = [json_of(line) for event in events for line in typed_lines(event)]
    for line in found:
        VALIDATOR.validate(json.loads(json.dumps(line)))
    return found


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory, toy_tokenizer: Path) -> list[dict[str, Any]]:
    kinds = (fakes.Toy, fakes.LossyDecode, fakes.CannotLoad, fakes.Hostile, fakes.Crashing, fakes.SwappedMerge)
    plan = plan_of(
        released(*kinds),
        (read_tokenizer(find_tokenizer(str(toy_tokenizer))),),
        tmp_path_factory.mktemp("snapshots"),
        cause_seconds=60.0,
        refusals=(Rejected("tokenizer", "gone", "it is not there"),),
        unavailable=(Rejected("implementation", "a==9", "it is not there"),),
        sections=(Numbers(),),
        between=Between(),
    )
    return lines_of(compared(plan))


def test_every_line_is_valid(lines: list[dict[str, Any]]) -> None:
    assert {line["type"] for line in lines} == KINDS
    found = [line for line in lines if line["type"] == "step"]
    assert any(step["causes"] for step in found)
    assert any(step["loading"] for step in found)
    assert any(tokenizer["findings"] for step in found for tokenizer in step["tokenizers"])
    assert {line["what"] for line in lines if line["type"] == "bisected"} == {"cause", "change"}
    (section,) = (line for line in lines if line["type"] == "section")
    assert {None} < {change["old"] and change["old"]["value"] for change in section["changes"]}


def test_every_line_about_a_real_tokenizer_is_valid(tmp_path: Path) -> None:
    file = read_tokenizer(find_tokenizer("bert-mini"))
    implementation = load_implementation("tokenizers")
    releases = [Release(f"{name}=tokenizers", "1", implementation) for name in "ab"]
    found = lines_of(compared(plan_of(releases, (file,), tmp_path, named(["Hello world", "é"]))))
    assert {line["type"] for line in found} == {"header", "release", "matrix", "step", "footer"}


def test_stages_of_a_matrix_stand_in_their_order() -> None:
    pair = (0, 1)
    matrix = TokenizerMatrix("toy", pair, {pair: 1}, {(pair, stage): 1 for stage in reversed(PIPELINE_STAGES)})
    (line,) = lines_of([matrix])
    assert list(line["differing"][0]["stages"]) == list(PIPELINE_STAGES)


BROKEN = [
    ("header", {"version": "2.0"}),
    ("header", {"releases": ["a"]}),
    ("refused", {"is_release": 1}),
    ("release", {"kept": None}),
    ("matrix", {"loaded": [0, 0]}),
    ("matrix", {"differing": [{"releases": [0, 1], "inputs": 0, "stages": {}}]}),
    ("matrix", {"differing": [{"releases": [0, 1], "inputs": 1, "stages": {"train": 1}}]}),
    ("step", {"causes": [{}]}),
    ("step", {"loading": [{"what": "load"}]}),
    ("step", {"tokenizers": [{"tokenizer": "a"}]}),
    ("bisected", {"number": 0}),
    ("bisected", {"what": "finding"}),
    ("section", {"changes": [{"name": "a"}]}),
    ("footer", {"exit_status": "0"}),
    ("footer", {"conclusion": "fine"}),
]


@pytest.mark.long_but(5)
@pytest.mark.parametrize(("kind", "change"), BROKEN, ids=str)
def test_what_is_no_line_is_refused(kind: str, change: dict[str, Any], lines: list[dict[str, Any]]) -> None:
    line = next(line for line in lines if line["type"] == kind)
    assert VALIDATOR.is_valid(line)
    assert not VALIDATOR.is_valid(line | change)


OPTIONAL = {
    "header": {"ledgers", "sections", "sources", "truncated"},
    "step": {"without_cause", "not_shown"},
    "footer": {"stale"},
}
"""The members that a later version has added; a record of an earlier one is read without them."""


@pytest.mark.long_but(4)
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_no_field_may_be_added_or_left_out(kind: str, lines: list[dict[str, Any]]) -> None:
    line = next(line for line in lines if line["type"] == kind)
    assert not VALIDATOR.is_valid(line | {"extra": 1})
    optional = {name for name in line if VALIDATOR.is_valid({key: line[key] for key in line if key != name})}
    assert optional == OPTIONAL.get(kind, set())


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema_of(FORMAT))
