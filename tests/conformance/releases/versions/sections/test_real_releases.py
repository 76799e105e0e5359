"""What published releases are known to differ in is found, and nothing is between a release and itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer
from tokenizer_conformance.releases.versions.facts import Fact, Release, section_result
from tokenizer_conformance.releases.versions.sections.table import SECTIONS, SuiteCases
from tokenizer_conformance.releases.versions.speed import MEASURES, measure, sample
from tokenizer_conformance.validation.suite.reader import read_suite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.releases.versions.facts import Section
    from tokenizer_conformance.results.records import versions as lines

pytestmark = pytest.mark.slow

OLD, NEW = "tokenizers==0.15.2", "tokenizers==0.23.3"


def result(section: Section, words: Sequence[str]) -> lines.Section:
    facts: dict[str, dict[str, Fact]] = {}
    for number, word in enumerate(words):
        selected = select(word, Isolation())
        selected.prepare()
        implementation = selected.build()
        release = Release(word, implementation.info.version, implementation)
        facts[f"{number} {word}"] = dict(section.facts(release, []))
    return section_result(section.name, facts)


@pytest.mark.parametrize("name", [name for name in SECTIONS if name != "suite"])
def test_a_release_does_not_differ_from_itself(name: str) -> None:
    found = result(SECTIONS[name](), (OLD, OLD))
    assert found.changes == ()
    assert all(found.facts.values())


@pytest.mark.parametrize(
    ("name", "fact", "old", "new"),
    [
        ("defaults", "trainers.ParityBpeTrainer.train_from_iterator", None, "method(tokenizer, train_iterators"),
        ("defaults", "pre_tokenizers.Metaspace()", "add_prefix_space=True", "prepend_scheme='always'"),
        ("refusals", "pre_tokenizer 12 Split: pattern missing", "any variant", "missing field `pattern`"),
        ("refusals", "whole", None, None),
        ("saved", "model 3 BPE", '"merges": ["a b", "ab a"]', '"merges": [["a", "b"], ["ab", "a"]]'),
    ],
)
def test_known_changes_are_found(name: str, fact: str, old: str | None, new: str | None) -> None:
    found = {change.name: change for change in result(SECTIONS[name](), (OLD, NEW)).changes}
    if old is None and new is None:
        assert fact not in found
        return
    assert (None if found[fact].old is None else old in found[fact].old.told) is (None if old is None else True)
    assert new in found[fact].new.told


def test_what_the_suite_says_of_releases_is_found() -> None:
    cases = [case for case in read_suite().cases() if case.area.name == "pre_tokenizers.FixedLength"]
    found = result(SuiteCases(cases), (OLD, NEW))
    assert found.changes
    assert all(change.old.value.startswith("failed") and change.new.value == "passed" for change in found.changes)


def test_bytes_are_cut_otherwise_since_other_unicode_versions() -> None:
    found = {change.name for change in result(SECTIONS["training"](), (OLD, NEW)).changes}
    assert "bpe of bytes, built-in texts" in found
    assert "wordpiece of words, built-in texts: ids" not in found


def test_releases_are_measured() -> None:
    speeds = measure([OLD, NEW], find_tokenizer("bert-mini"), sample()[:100], 1)
    assert speeds.missing == {}
    assert {(row.release, row.measure) for row in speeds.rows} == {
        (word, name) for word in (OLD, NEW) for name in MEASURES
    }
